use super::*;

#[test]
fn stretches_with_their_own_padding_are_one_stream() {
    for cut in 0..12 {
        let bytes: Vec<u8> = (0..12).map(|i| i * 21).collect();
        let text = STANDARD.encode(&bytes[..cut]) + &STANDARD.encode(&bytes[cut..]);
        for step in 1..=12 {
            let mut encoded = Encoded::new(text.as_bytes());
            let mut out = vec![0; 12];
            out.chunks_mut(step)
                .for_each(|chunk| encoded.fill(chunk).expect("sound"));
            assert_eq!(out, bytes, "cut at {cut}, read by {step}");
            assert!(encoded.fill(&mut [0]).is_err());
        }
    }
}

#[test]
fn broken_base64_is_refused() {
    for text in ["AAA", "A*AA", "=AAA", "AA=A", "A===", "===="] {
        assert!(
            Encoded::new(text.as_bytes()).fill(&mut [0; 3]).is_err(),
            "{text}"
        );
    }
}
