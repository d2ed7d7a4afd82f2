use super::*;

#[test]
fn the_sequence_of_seed_zero_is_the_published_one() {
    let mut random = Random::new(0);
    assert_eq!(random.bits(), 0xe220_a839_7b1d_cdaf);
    assert_eq!(random.bits(), 0x6e78_9e6a_a1b9_65f4);
}

#[test]
fn directions_are_unit_and_balanced() {
    let mut random = Random::new(3);
    let mean = (0..10_000).fold(Vector::<3>::zeros(), |sum, _| {
        let d = random.direction::<3>();
        assert!((d.norm() - 1.0).abs() < 1e-15);
        sum + d
    }) / 10_000.0;

    assert!(mean.norm() < 0.03, "{mean}");
}
