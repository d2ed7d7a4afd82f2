use super::*;
use impinge::space::Random;
use std::io::Read;

fn inflated(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(packed)
        .read_to_end(&mut bytes)
        .expect("sound");
    bytes
}

#[test]
fn what_shrinks_is_compressed_and_what_does_not_is_stored() {
    let mut random = Random::new(3);
    let noise: Vec<u8> = (0..BLOCK / 8)
        .flat_map(|_| random.bits().to_le_bytes())
        .collect();
    let rows: Vec<u8> = (0..BLOCK as u32 / 4).flat_map(u32::to_le_bytes).collect();
    let odd = &noise[..BLOCK - 77];

    for (block, most) in [
        (&noise[..], 1.001),
        (odd, 1.001),
        (&rows, 0.5),
        (&noise[..100], 1.2),
        (&[], 1.0),
    ] {
        let packed = shrink(block);
        assert_eq!(inflated(&packed), block);
        assert!(
            packed.len() as f64 <= most * block.len() as f64 + 8.0,
            "{} of {}",
            packed.len(),
            block.len()
        );
    }
}
