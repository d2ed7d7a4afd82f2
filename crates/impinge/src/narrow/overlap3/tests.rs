use super::super::samples::{any_body, any_pose, boxed, prism, round};
use super::*;
use crate::space::{LARGEST_COORDINATE, Random};

/// Hull of the vertices of each body inside the other and of the intersections of edges with
/// facets.
fn by_hull(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
) -> Option<Polyhedron> {
    let mut points = Vec::new();
    for (one, pose_one, other, pose_other) in [(a, pose_a, b, pose_b), (b, pose_b, a, pose_a)] {
        let local = |p: &Point<3>| pose_other.to_local(&pose_one.point(p));
        for h in (0..one.half_edges().len() as u32).filter(|&h| one.ends(h)[0] < one.ends(h)[1]) {
            let [p, q] = one.ends(h).map(|i| local(&one.points()[i as usize]));
            // The part of the edge inside the other body.
            let (mut low, mut up) = (0.0f64, 1.0f64);
            for face in 0..other.face_count() {
                let (start, end) = (other.height(face, &p), other.height(face, &q));
                let t = start / (start - end);
                match (start > 0.0, end > 0.0) {
                    (true, true) => up = -LARGEST_COORDINATE,
                    (true, false) => low = low.max(t),
                    (false, true) => up = up.min(t),
                    _ => (),
                }
            }

            if low <= up {
                points.extend([low, up].map(|t| pose_other.point(&(p + (q - p) * t))));
            }
        }
    }

    Polyhedron::hull(&points).ok()
}

#[test]
fn volumes_and_centroids_are_those_of_the_hull_of_all_common_corners() {
    let mut random = Random::new(71);
    let mut compared = 0;
    for _ in 0..300 {
        let bodies = [
            round(&mut random, 12),
            boxed(1.0, 1.5, 0.7),
            prism(7, 0.8, 1.0),
        ];
        let (a, b) = (&bodies[random.below(3)], &bodies[random.below(3)]);
        let (pose_a, pose_b) = (any_pose(&mut random, 0.3), any_pose(&mut random, 1.5));
        let overlap = polyhedra(a, &pose_a, b, &pose_b);

        let Some(expected) = by_hull(a, &pose_a, b, &pose_b) else {
            assert!(overlap.is_none_or(|overlap| overlap.volume < 1e-12));
            continue;
        };
        let overlap = overlap.expect("they overlap");
        assert!(
            (overlap.volume - expected.volume()).abs() < 1e-12,
            "{overlap:?}"
        );

        if overlap.volume > 1e-3 {
            compared += 1;
            assert!((overlap.centroid - expected.centroid()).norm() < 1e-10);
            let swapped = polyhedra(b, &pose_b, a, &pose_a)
                .expect("overlap")
                .swapped();
            assert!((swapped.section - overlap.section).norm() < 1e-12);
        }
    }

    assert!(compared > 100, "{compared}");
}

#[test]
fn the_same_body_and_one_inside_another_overlap_by_their_volume() {
    let mut random = Random::new(72);
    let body = round(&mut random, 40);
    let same = polyhedra(&body, &Pose::identity(), &body, &Pose::identity()).expect("overlap");
    assert!((same.volume - body.volume()).abs() < 1e-14);
    let (small, large) = (boxed(1.0, 1.0, 1.0), boxed(3.0, 3.0, 3.0));
    let inside = polyhedra(&small, &Pose::at([1.0; 3]), &large, &Pose::identity()).expect("inside");
    assert_eq!(
        (inside.volume, inside.centroid, inside.normal()),
        (1.0, [1.5; 3].into(), None)
    );

    assert_eq!(
        polyhedra(
            &small,
            &Pose::at([3.0, 0.0, 0.0]),
            &large,
            &Pose::identity()
        ),
        None
    );

    assert_eq!(
        polyhedra(
            &small,
            &Pose::at([9.0, 0.0, 0.0]),
            &large,
            &Pose::identity()
        ),
        None
    );
}

#[test]
fn the_section_of_a_stick_in_a_plate_points_along_the_stick() {
    let (stick, plate) = (boxed(0.5, 0.5, 4.0), boxed(4.0, 4.0, 1.0));
    let overlap = polyhedra(
        &stick,
        &Pose::at([1.0, 1.0, 0.75]),
        &plate,
        &Pose::identity(),
    )
    .expect("overlap");
    assert!((overlap.volume - 0.0625).abs() < 1e-15);
    assert!((overlap.section - Vector::<3>::z() * -0.25).norm() < 1e-15);
    let floor = HalfSpace::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).expect("a direction");

    let in_floor = polyhedron_half_space(
        &stick,
        &Pose::at([1.0, 1.0, 0.75]),
        &floor,
        &Pose::identity(),
    );

    assert!((in_floor.expect("overlap").section - Vector::<3>::z() * -0.25).norm() < 1e-15);
}

/// Cuts the whole first body by every plane of the other.
fn by_all_planes(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
) -> Option<Overlap3> {
    let (mut clipped, relative) = (ClippedPolyhedron::default(), Relative::of(pose_b, pose_a));
    let (heights, all) = (
        vec![0.0; a.vertex_count()],
        Vec::from_iter(0..a.vertex_count() as u32),
    );
    clipped.start(a, &heights, &all);
    let shift = relative.seen_from(&b.points()[0], &a.points()[0]);
    clipped.transform(|corner| relative.vector(corner) + shift);

    for facet in 0..b.face_count() {
        let corner = b.face_corners(facet).next().expect("a facet has corners");
        let normal = b.planes()[facet].normal;
        let offset = normal.dot(&(b.points()[corner as usize] - b.points()[0]));
        clipped.cut(&Cut { normal, offset });
        clipped.assert_valid();
    }

    found(&mut clipped, pose_b, &b.points()[0])
}

#[test]
fn the_slab_and_the_boxes_leave_out_nothing_from_4_to_200_corners() {
    let mut random = Random::new(73);
    let (mut compared, mut apart) = (0, 0);
    for round_number in 0..400 {
        let mut body = || match round_number % 4 {
            0 => any_body(&mut random),
            1 => round(&mut random, 4),
            2 => round(&mut random, 16),
            _ => round(&mut random, 200),
        };
        let (a, b) = (body(), body());
        let (pose_a, pose_b) = (any_pose(&mut random, 0.1), any_pose(&mut random, 2.2));
        let expected = by_all_planes(&a, &pose_a, &b, &pose_b);
        let overlap = polyhedra(&a, &pose_a, &b, &pose_b);
        let volume = |overlap: &Option<Overlap3>| overlap.map_or(0.0, |overlap| overlap.volume);

        assert!(
            (volume(&overlap) - volume(&expected)).abs() < 1e-14,
            "{overlap:?} {expected:?}"
        );

        match (overlap, expected) {
            (Some(overlap), Some(expected)) if expected.volume > 1e-6 => {
                compared += 1;
                assert!((overlap.centroid - expected.centroid).norm() < 1e-8);
                assert!((overlap.section - expected.section).norm() < 1e-12);
            }
            _ => apart += 1,
        }
    }

    assert!(compared > 100 && apart > 50, "{compared} {apart}");
}

#[test]
fn boxes_on_a_lattice_share_the_product_of_their_intervals() {
    let mut random = Random::new(74);
    let mut overlapping = 0;
    for _ in 0..500 {
        // Coplanar faces, corners on faces and edges, equal boxes, and boxes that only touch.
        let sizes = [(); 2].map(|()| [(); 3].map(|()| 0.25 * (1 + random.below(4)) as f64));
        let shift = [(); 3].map(|()| 0.25 * (random.below(6) as f64 - 3.0));
        let [a, b] = sizes.map(|[x, y, z]| boxed(x, y, z));
        let common = |i: usize| {
            let (low, up) = (shift[i].max(0.0), (shift[i] + sizes[1][i]).min(sizes[0][i]));
            (up - low).max(0.0)
        };
        let expected: f64 = (0..3).map(common).product();
        overlapping += usize::from(expected > 0.0);
        let turn = any_pose(&mut random, 1.0);

        for pose in [Pose::identity(), turn] {
            let overlap = polyhedra(&a, &pose, &b, &pose.after(&Pose::at(shift)));
            let volume = overlap.map_or(0.0, |overlap| overlap.volume);
            assert!((volume - expected).abs() < 1e-15, "{overlap:?} {expected}");
        }
    }

    assert!(overlapping > 100, "{overlapping}");
}

#[test]
fn a_pair_far_from_the_origin_has_the_overlap_of_one_near_it() {
    let mut random = Random::new(75);
    let body = round(&mut random, 16);
    for far in [1e3, 1e6] {
        let [near_a, near_b] = [Pose::identity(), Pose::at([0.75, 0.5, 0.25])];
        let away = Pose::at([far, -far, far]);
        let near = polyhedra(&body, &near_a, &body, &near_b).expect("overlap");
        let found =
            polyhedra(&body, &away.after(&near_a), &body, &away.after(&near_b)).expect("overlap");
        assert_eq!((found.volume, found.section), (near.volume, near.section));
    }
}
