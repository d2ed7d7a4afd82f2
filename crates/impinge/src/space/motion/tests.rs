use super::*;
use std::f64::consts::{FRAC_PI_2, TAU};

#[test]
fn a_quarter_turn_in_two_and_three_dimensions() {
    let flat = Motion::at_rest(Pose::<2>::identity()).with_spin(FRAC_PI_2);
    assert!(
        (flat.pose_at(1.0).point(&Point::from([1.0, 0.0])) - Point::from([0.0, 1.0])).norm()
            < 1e-15
    );
    let deep = Motion::at_rest(Pose::<3>::identity()).with_spin([FRAC_PI_2, 0.0, 0.0]);
    assert!((deep.pose_at(1.0).vector(&Vector::y()) - Vector::z()).norm() < 1e-15);

    assert!((deep.spin_rate() - FRAC_PI_2).abs() < 1e-15);
}

#[test]
fn a_full_turn_about_a_skew_axis_returns() {
    let axis = Vector::<3>::new(1.0, 2.0, -0.5).normalize() * TAU;
    let motion = Motion::at_rest(Pose::<3>::identity()).with_spin(axis);
    assert!((motion.pose_at(1.0).rotation() - Matrix::<3>::identity()).amax() < 1e-14);
    assert!((motion.pose_at(1e-9).vector(&axis) - axis).norm() < 1e-14);
}

#[test]
fn a_motion_with_a_nan_names_the_part() {
    let motion = Motion::at_rest(Pose::<3>::identity()).with_acceleration([0.0, f64::NAN, 0.0]);
    assert_eq!(
        motion.checked().unwrap_err().to_string(),
        "the motion's acceleration is not finite"
    );
}
