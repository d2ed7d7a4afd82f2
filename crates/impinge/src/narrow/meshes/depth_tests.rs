//! Penetration depth of non-convex bodies where it is known.

use super::*;
use crate::shape::{Surface, generate};
use crate::space::{Point, Pose, Random, Vector};

/// Surface of the filled cells of a grid with the given planes.
fn cells(planes: [&[f64]; 3], filled: impl Fn([usize; 3]) -> bool) -> TriangleTree {
    let counts = planes.map(|p| p.len() - 1);
    let node = |n: [usize; 3]| ((n[2] * planes[1].len() + n[1]) * planes[0].len() + n[0]) as u32;
    let mut points = Vec::new();

    for z in planes[2] {
        for y in planes[1] {
            points.extend(planes[0].iter().map(|x| Point::from([*x, *y, *z])));
        }
    }

    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for cell in 0..counts.iter().product::<usize>() {
        let at = [
            cell % counts[0],
            cell / counts[0] % counts[1],
            cell / counts[0] / counts[1],
        ];
        for (axis, up) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
            let mut beyond = at;
            beyond[axis] = beyond[axis].wrapping_add(if up { 1 } else { usize::MAX });
            if !filled(at) || beyond[axis] < counts[axis] && filled(beyond) {
                continue;
            }

            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |p: usize, q: usize| {
                let mut n = at;
                n[axis] += usize::from(up);
                n[u] += p;
                n[v] += q;
                node(n)
            };
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];

            triangles.extend(if up {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, c, b], [a, d, c]]
            });
        }
    }

    let mut used: Vec<u32> = triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    let place = |n: u32| used.binary_search(&n).expect("used") as u32;
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(place)).collect();
    let points: Vec<Point<3>> = used.iter().map(|&n| points[n as usize]).collect();

    TriangleTree::new(&Surface::new(&points, &triangles).expect("closed"))
}

fn block(low: [f64; 3], up: [f64; 3]) -> TriangleTree {
    let planes = [0, 1, 2].map(|k| [low[k], up[k]]);
    cells([&planes[0], &planes[1], &planes[2]], |_| true)
}

/// Half the width of the hole is 0.5, its floor is at −1.
fn blind_hole() -> TriangleTree {
    let across = [-1.0, -0.5, 0.5, 1.0];
    cells([&across, &across, &[-2.0, -1.0, 0.0]], |[i, j, k]| {
        [i, j, k] != [1, 1, 1]
    })
}

/// Returns the bounds of the depth after checks that every result must pass: the bounds enclose it,
/// the witness points differ by its translation and lie on the bodies, and the bodies share nothing
/// after the translation but something before.
fn depth(a: &TriangleTree, pose_a: &Pose<3>, b: &TriangleTree, pose_b: &Pose<3>) -> [f64; 2] {
    let found = closest(a, pose_a, b, pose_b, &mut PairHint::default());
    let contact = found.contact;
    let [lower, upper] = [-found.bounds[1], -found.bounds[0]];
    assert!(
        lower >= 0.0 && lower <= upper && upper == -contact.gap,
        "{found:?}"
    );
    assert!((contact.normal.norm() - 1.0).abs() < 1e-12);
    let between = contact.on_b - contact.on_a - contact.normal * contact.gap;
    assert!(between.norm() < 1e-12, "{found:?}");

    for (tree, pose, point) in [(a, pose_a, contact.on_a), (b, pose_b, contact.on_b)] {
        let off = tree.nearest(&pose.to_local(&point)).distance;
        assert!(off < 1e-9, "{off} {found:?}");
    }

    let volume = |share: f64| {
        let shift = contact.normal * (-contact.gap * share);
        let moved = Pose::at(Point::from(shift)).after(pose_b);
        overlap(a, pose_a, b, &moved).expect("closed").volume
    };
    assert!(volume(1.0) < 1e-8, "{} {found:?}", volume(1.0));
    assert!(contact.gap == 0.0 || volume(0.9) > 0.0, "{found:?}");

    [lower, upper]
}

fn assert_is(found: [f64; 2], expected: f64) {
    let off = found.map(|bound| (bound - expected).abs());
    assert!(
        off.iter().all(|&off| off < 1e-8),
        "{found:?} instead of {expected}"
    );
}

#[test]
fn a_peg_too_deep_in_a_blind_hole_is_as_deep_as_that_whatever_its_clearance() {
    let (hole, here) = (blind_hole(), Pose::identity());
    for clearance in [0.2, 1e-2, 1e-3, 1e-5, 1e-9, 0.0] {
        let half = 0.5 - clearance;
        let peg = block([-half, -half, -1.01], [half, half, 1.0]);
        assert_is(depth(&hole, &here, &peg, &here), 0.01);
        assert_is(depth(&peg, &here, &hole, &here), 0.01);
        let turned = Pose::from_quaternion([0.3, -0.2, 0.5, 0.7], [3.0, 1.0, -2.0]).expect("valid");
        assert_is(depth(&hole, &turned, &peg, &turned), 0.01);
    }
}

#[test]
fn a_body_that_slides_on_a_floor_is_as_deep_as_the_wall_that_it_is_in() {
    // An L with a floor of length 10 and a wall that ends at x = 1.
    let l = cells(
        [&[0.0, 1.0, 10.0], &[0.0, 3.0], &[0.0, 1.0, 4.0]],
        |[i, _, k]| i == 0 || k == 0,
    );
    let here = Pose::identity();
    let cube = block([0.9, 1.0, 1.0], [1.9, 2.0, 2.0]);
    assert_is(depth(&l, &here, &cube, &here), 0.1);
    let sunk = block([0.9, 1.0, 0.8], [1.9, 2.0, 1.8]);
    let found = depth(&l, &here, &sunk, &here);

    assert!(
        (found[1] - 0.1f64.hypot(0.2)).abs() < 1e-8,
        "out of the corner: {found:?}"
    );
    assert!(found[0] >= 0.2 - 1e-9, "{found:?}");
}

#[test]
fn rings_that_are_linked_are_parted_where_they_touch_not_taken_off_each_other() {
    let ring = TriangleTree::new(&generate::torus(1.0, 0.2, [48, 24]).expect("valid"));
    let here = Pose::identity();

    // The second ring is upright, shifted so that the centrelines of the tubes are 0.4 − deep
    // apart.
    for deep in [0.02, 0.1] {
        let quarter = |x: f64| {
            Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [x, 0.0, 0.0]).expect("a quarter turn")
        };
        let found = depth(&ring, &here, &ring, &quarter(2.0 - 0.4 + deep));
        assert!(
            (found[1] - deep).abs() < 0.01,
            "{found:?} instead of {deep}"
        );
        assert!(found[0] > 0.5 * deep, "{found:?}");
    }
}

#[test]
fn a_body_within_another_is_parted_by_the_shortest_way_out() {
    let here = Pose::identity();
    let (large, small) = (block([-2.0; 3], [2.0; 3]), block([-0.5; 3], [0.5; 3]));
    assert_eq!(
        depth(&large, &here, &small, &Pose::at([0.3, 1.0, -0.2]))[1],
        1.5
    );
    let bar = block([-3.0, -0.5, -0.5], [3.0, 0.5, 0.5]);

    assert!((depth(&bar, &here, &bar, &here)[1] - 1.0).abs() < 1e-9);
}

#[test]
fn a_rod_in_a_groove_comes_out_of_both_walls() {
    // A groove with walls at 45 and 70 degrees, extruded along y.
    let (steep, gentle) = (70f64.to_radians(), 45f64.to_radians());
    let outline = [
        [0.0, 0.0],
        [2.0 * gentle.cos(), 2.0 * gentle.sin()],
        [2.0 * gentle.cos(), -1.0],
        [-2.0 * steep.cos(), -1.0],
        [-2.0 * steep.cos(), 2.0 * steep.sin()],
    ];

    let points: Vec<Point<3>> = [-2.0, 2.0]
        .iter()
        .flat_map(|&y| outline.map(|[x, z]| Point::from([x, y, z])))
        .collect();
    // Two caps, fanned from the bottom of the groove, which sees all corners; then the sides.
    let mut triangles: Vec<[u32; 3]> = (1..4u32)
        .flat_map(|k| [[0, k + 1, k], [5, 5 + k, 6 + k]])
        .collect();

    for k in 0..5u32 {
        let next = (k + 1) % 5;
        triangles.extend([[k, next, 5 + next], [k, 5 + next, 5 + k]]);
    }

    let reversed: Vec<[u32; 3]> = triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let surface = Surface::new(&points, &triangles)
        .or_else(|_| Surface::new(&points, &reversed))
        .expect("closed");
    let (groove, here) = (TriangleTree::new(&surface), Pose::identity());
    let rod = block([-0.1, -1.0, -0.1], [0.1, 1.0, 0.1]);
    let mut random = Random::new(14);

    for _ in 0..10 {
        let shift = Vector::<3>::new(random.within(-0.02, 0.02), 0.3, random.within(0.0, 0.1));
        let found = depth(&groove, &here, &rod, &Pose::at(Point::from(shift)));

        // Over all directions in the plane of the outline.
        let way_out = |angle: f64| {
            let direction = Vector::<3>::new(angle.cos(), 0.0, angle.sin());
            let apart = |t: f64| {
                let pose = Pose::at(Point::from(shift + direction * t));
                overlap(&groove, &here, &rod, &pose).expect("closed").volume < 1e-9
            };
            (1..200)
                .map(|k| 0.005 * f64::from(k))
                .find(|&t| apart(t))
                .unwrap_or(1.0)
        };
        let least = (1..40)
            .map(|k| way_out(std::f64::consts::PI * f64::from(k) / 40.0))
            .fold(1.0, f64::min);

        assert!(
            found[1] <= least + 1e-9,
            "{found:?}, but {least} parts them"
        );
    }
}
