use super::*;
use crate::shape::generate;

#[test]
fn refinements_remove_pairs_and_never_one_that_shares_a_place() {
    let ring = generate::torus(1.0, 0.3, [40, 16]).expect("valid");
    let balls: Vec<Ball<3>> = (0..ring.triangles().len())
        .map(|t| Ball::smallest(&ring.corners(t)))
        .collect();
    let (tree, corners) = (BallTree::bottom_up(&balls), |t: u32| {
        ring.corners(t as usize)
    });
    let pose = Pose::from_quaternion([0.4, 0.1, 0.2, 0.8], [0.8, 0.1, 0.05]).expect("valid");
    let (mut pairs, mut loose) = (Vec::new(), Vec::new());
    let all = tree.find_refined_pairs(corners, &tree, corners, &pose, &Refinement::ALL, &mut pairs);
    let none = tree.find_refined_pairs(corners, &tree, corners, &pose, &[], &mut loose);

    assert_eq!(
        (none.overlapping, loose.len()),
        (all.overlapping, all.overlapping)
    );
    assert_eq!(
        all.removed.iter().sum::<usize>() + pairs.len(),
        all.overlapping
    );

    assert!(
        pairs.len() * 2 < loose.len() && all.removed[0] > 0,
        "{all:?}"
    );
    // Faces that intersect: a point on an edge of one face lies in the plane of the other and
    // near it.
    let near = |&[i, j]: &[u32; 2]| {
        let (a, b) = (corners(i), corners(j).map(|p| pose.point(&p)));
        let normal = (a[1] - a[0]).cross(&(a[2] - a[0]));
        let heights = b.map(|p| normal.dot(&(p - a[0])));
        heights.iter().any(|&h| h <= 0.0) && heights.iter().any(|&h| h >= 0.0)
    };
    assert!(pairs.iter().any(near));

    for pair in loose
        .iter()
        .filter(|pair| pairs.binary_search(pair).is_err())
    {
        let (a, b) = (corners(pair[0]), corners(pair[1]).map(|p| pose.point(&p)));
        let crosses = (0..3).any(|k| {
            let middle = Point::from((b[k].coords + b[(k + 1) % 3].coords) * 0.5);
            Dop26::of(&a).contains(&middle) && Obb::of(&a).contains(&middle)
        });
        assert!(!crosses, "{pair:?}");
    }
}

/// The outline of a 2D star with the given number of corners, as segments.
fn star(corners: usize) -> Vec<[Point<2>; 2]> {
    let corner = |k: usize| {
        let angle = k as f64 / corners as f64 * std::f64::consts::TAU;
        let radius = if k.is_multiple_of(2) { 1.0 } else { 0.4 };
        Point::from([radius * angle.cos(), radius * angle.sin()])
    };
    (0..corners)
        .map(|k| [corner(k), corner((k + 1) % corners)])
        .collect()
}

/// Returns whether two closed segments share a point, exactly.
fn cross(a: &[Point<2>; 2], b: &[Point<2>; 2]) -> bool {
    use crate::space::orient2;
    let sides = |s: &[Point<2>; 2], t: &[Point<2>; 2]| {
        let [p, q] = [&t[0], &t[1]].map(|point| orient2(&s[0], &s[1], point) as i8);
        p * q <= 0
    };
    sides(a, b) && sides(b, a) && Aabb::of(*a).overlaps(&Aabb::of(*b))
}

#[test]
fn in_the_plane_every_pair_of_segments_that_cross_is_left() {
    let sides = star(60);
    let balls: Vec<Ball<2>> = sides.iter().map(|side| Ball::smallest(side)).collect();
    let (tree, points) = (BallTree::bottom_up(&balls), |side: u32| {
        sides[side as usize]
    });
    let (mut crossing, mut removed) = (0, 0);

    for step in 0..40 {
        let at = [0.04 * f64::from(step), 0.3];
        let pose = Pose::from_angle(0.1 + 0.15 * f64::from(step), at).expect("valid");
        let mut pairs = Vec::new();
        let refined =
            tree.find_refined_pairs(points, &tree, points, &pose, &Refinement::PLANE, &mut pairs);

        assert_eq!(
            refined.removed.iter().sum::<usize>() + pairs.len(),
            refined.overlapping
        );
        removed += refined.removed.iter().filter(|&&count| count > 0).count();

        for (i, j) in (0..60).flat_map(|i| (0..60).map(move |j| (i, j))) {
            if cross(&points(i), &points(j).map(|p| pose.point(&p))) {
                assert!(
                    pairs.binary_search(&[i, j]).is_ok(),
                    "{i} {j} in step {step}"
                );
                crossing += 1;
            }
        }
    }

    assert!(crossing > 100 && removed > 60, "{crossing} {removed}");
}
