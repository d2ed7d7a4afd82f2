use super::*;

#[test]
fn equal_steps_do_not_accumulate_rounding() {
    let mut clock = Clock::default();
    (0..1000).for_each(|_| clock.advance(0.1));
    assert_eq!(clock.now(), 1000.0 * 0.1);
    clock.advance(0.5);
    assert_eq!(clock.now(), 100.5);
}
