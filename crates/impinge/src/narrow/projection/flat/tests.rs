use super::*;
use crate::space::Random;

#[test]
fn the_region_of_a_triangle_has_the_nearest_of_its_sides() {
    let mut random = Random::new(62);
    let mut inside = 0;
    for round in 0..60_000 {
        // Halves of small integers: right angles, points on borders of regions, triangles
        // without area.
        let grid = |random: &mut Random| random.below(9) as f64 / 2.0 - 2.0;
        let loose = |random: &mut Random| random.within(-2.0, 2.0);
        let number = |random: &mut Random| {
            if round % 2 == 0 {
                grid(random)
            } else {
                loose(random)
            }
        };
        let mut point = || Point::<3>::from([0; 3].map(|_| number(&mut random)));
        let (nodes, y) = ([point(), point(), point()], point());
        let (a, e, f) = (nodes[0] - y, nodes[1] - nodes[0], nodes[2] - nodes[0]);
        let distance = |[xi, eta]: [f64; 2]| (a + e * xi + f * eta).norm();
        let [fast, slow] = [tri3(&nodes, &y), tri3_by_sides(&a, &e, &f)];
        let is_within = fast[0] >= 0.0 && fast[1] >= 0.0 && fast[0] + fast[1] <= 1.0 + f64::EPSILON;
        assert!(is_within, "{fast:?} of {nodes:?} {y:?}");

        assert!(
            (distance(fast) - distance(slow)).abs() < 1e-14,
            "{fast:?} {slow:?} {nodes:?} {y:?}"
        );
        inside += usize::from(fast[0] > 0.0 && fast[1] > 0.0 && fast[0] + fast[1] < 1.0);
    }

    assert!((5_000..55_000).contains(&inside), "{inside}");
}
