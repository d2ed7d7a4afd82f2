use super::*;
use crate::space::{Point, Random};

#[test]
fn what_two_polyhedra_keep_changes_no_answer() {
    let mut random = Random::new(7);
    let mut body = || {
        let points: Vec<Point<3>> = (0..16)
            .map(|_| Point::from(random.direction::<3>()))
            .collect();
        Polyhedron::hull(&points).expect("a body")
    };
    let (a, b, here) = (body(), body(), Pose::identity());
    let (mut kept, mut touching, mut by_axis) = (OverlapCache::default(), 0, 0);

    for n in 0..20_000 {
        let t = f64::from(n) * 1e-3;
        // Around the other body, closer and farther, and rotating.
        let far = 1.8 + 0.3 * (7.0 * t).sin();
        let at = [far * t.cos(), far * t.sin(), 0.2 * (3.0 * t).sin()];
        let pose = Pose::from_quaternion([t.sin(), 0.3, t.cos(), 0.5], at).expect("finite");
        by_axis += usize::from(kept.axis().is_some());
        let found = overlap(&a, &here, &b, &pose, &mut kept);
        assert_eq!(
            found,
            overlap(&a, &here, &b, &pose, &mut OverlapCache::default()),
            "step {n}"
        );

        touching += usize::from(found.is_some());
    }

    assert!(touching > 2000 && by_axis > 2000, "{touching} {by_axis}");
}
