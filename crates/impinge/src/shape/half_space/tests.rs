use super::*;

#[test]
fn directions_without_length_are_rejected() {
    assert_eq!(
        HalfSpace::new([0.0; 2], [0.0; 2]).unwrap_err().kind,
        ProblemKind::NotPositive
    );
    assert_eq!(
        HalfSpace::new([0.0; 2], [f64::NAN, 0.0]).unwrap_err().kind,
        ProblemKind::NotFinite
    );
    assert!(HalfSpace::new([0.0; 2], [0.0, 1e-180]).is_ok());
}
