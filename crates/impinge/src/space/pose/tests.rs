use super::super::Random;
use super::*;

fn random_pose(random: &mut Random) -> Pose<3> {
    let q = std::array::from_fn(|_| random.within(-1.0, 1.0));
    Pose::from_quaternion(
        q,
        std::array::from_fn::<_, 3, _>(|_| random.within(-5.0, 5.0)),
    )
    .expect("valid")
}

#[test]
fn a_pose_and_its_inverse_cancel() {
    let mut random = Random::new(4);
    for _ in 0..100 {
        let pose = random_pose(&mut random);
        let p = Point::from([1.0, -2.0, 0.5]);
        assert!((pose.to_local(&pose.point(&p)) - p).norm() < 1e-14);
        assert!((pose.inverse().after(&pose).point(&p) - p).norm() < 1e-14);
    }
}

#[test]
fn sheared_mirrored_zero_and_nan_rotations_are_refused() {
    let origin = [0.0; 2];
    assert_eq!(
        Pose::new(Matrix::<2>::new(1.0, 0.1, 0.0, 1.0), origin),
        Err(InvalidPose::NotARotation)
    );
    assert_eq!(
        Pose::new(Matrix::<2>::new(1.0, 0.0, 0.0, -1.0), origin),
        Err(InvalidPose::NotARotation)
    );

    assert_eq!(
        Pose::from_quaternion([0.0; 4], [0.0; 3]),
        Err(InvalidPose::ZeroQuaternion)
    );
    assert_eq!(
        Pose::from_quaternion([f64::NAN, 0.0, 0.0, 1.0], [0.0; 3]),
        Err(InvalidPose::NotFinite)
    );

    assert_eq!(
        Pose::from_angle(0.0, [f64::INFINITY, 0.0]),
        Err(InvalidPose::NotFinite)
    );
}

#[test]
fn a_position_beyond_the_reach_of_the_predicates_is_refused() {
    for (far, ok) in [
        (1e60, true),
        (-1e60, true),
        (1.1e60, false),
        (-1e200, false),
    ] {
        let pose = Pose::from_quaternion([0.0, 0.0, 0.0, 1.0], [0.0, far, 0.0]);
        assert_eq!(pose.err(), (!ok).then_some(InvalidPose::TooFar), "{far}");
        assert_eq!(Pose::at([far, 0.0]).is_usable(), ok, "{far}");
    }
}

#[test]
fn tiny_and_huge_quaternions_normalise() {
    for scale in [1e-300, 1e300] {
        let pose = Pose::from_quaternion([0.0, 0.0, scale, scale], [0.0; 3]).expect("valid");
        assert!((pose.vector(&Vector::x()) - Vector::y()).norm() < 1e-15);
    }
}
