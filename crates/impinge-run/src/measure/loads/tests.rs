use super::*;
use impinge::space::{Pose, Random};

#[test]
fn quaternions_of_rotations_are_those_that_made_them() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let mut wanted: [f64; 4] = random.direction::<4>().into();
        if wanted[3] < 0.0 {
            wanted = wanted.map(|x| -x);
        }
        let pose = Pose::from_quaternion(wanted, [0.0; 3]).expect("a rotation");
        let found = quaternion(pose.rotation());
        assert!(
            (0..4).all(|k| (found[k] - wanted[k]).abs() < 1e-12),
            "{wanted:?}"
        );
    }
}
