use super::*;

#[test]
fn digits_that_f64_drops_are_kept() {
    let (one, tiny) = (Double::from(1.0), Double::from(2f64.powi(-80)));
    assert_eq!((one + tiny - one).high, 2f64.powi(-80));
    let e = Double::from(1.0 + f64::EPSILON);
    assert_eq!(
        (e * e - one - Double::from(2.0 * f64::EPSILON)).high,
        f64::EPSILON * f64::EPSILON
    );
}
