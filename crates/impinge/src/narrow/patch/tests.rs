use super::super::samples::{boxed, prism};
use super::super::{features2, features3};
use super::*;

fn patch(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
) -> (f64, Vec<ContactPoint<3>>) {
    let contact = features3::closest(a, pose_a, b, pose_b, &mut Default::default()).contact;
    let mut corners = Vec::new();
    let area = polyhedra(
        a,
        pose_a,
        b,
        pose_b,
        &contact,
        &Default::default(),
        &mut corners,
    );

    (area, corners)
}

#[test]
fn a_prism_of_twelve_corners_stands_on_a_box_with_all_of_its_face() {
    let (prism, table) = (prism(12, 1.0, 2.0), boxed(4.0, 4.0, 1.0));
    // Area of a regular 12-gon of radius 1: 12/2 sin 30° = 3.
    for gap in [-1e-3, -1e-9, 0.0, 1e-9, 1e-3] {
        let (area, corners) = patch(
            &table,
            &Pose::identity(),
            &prism,
            &Pose::at([2.0, 2.0, 1.0 + gap]),
        );
        assert!((area - 3.0).abs() < 1e-14, "{area}");
        assert_eq!(corners.len(), 12);

        for corner in &corners {
            assert!((corner.gap - gap).abs() < 1e-15);
            assert!(
                (corner.on_a.z - 1.0).abs() < 1e-15 && (corner.on_b.z - 1.0 - gap).abs() < 1e-15
            );
            assert!(matches!(
                (corner.feature_a, corner.feature_b),
                (Feature::Face(_), Feature::Vertex(_))
            ));
        }
    }
}

#[test]
fn crossed_boxes_have_a_patch_of_edge_crossings_with_names_that_last() {
    let (a, b) = (boxed(4.0, 1.0, 1.0), boxed(1.0, 4.0, 1.0));
    let names = |x: f64| {
        let (area, corners) = patch(&a, &Pose::identity(), &b, &Pose::at([x, -1.5, 0.999]));
        assert!((area - 1.0).abs() < 1e-14);
        corners
            .iter()
            .map(|c| (c.feature_a, c.feature_b))
            .collect::<Vec<_>>()
    };
    let first = names(1.0);
    assert_eq!(first.len(), 4);

    assert!(
        first
            .iter()
            .all(|name| matches!(name, (Feature::Edge(_), Feature::Edge(_))))
    );
    assert!(first.is_sorted());

    assert_eq!(names(1.2), first);
}

#[test]
fn a_tilted_box_has_gaps_that_grow_along_it_and_a_steep_one_a_single_point() {
    let (table, brick) = (boxed(4.0, 4.0, 1.0), boxed(1.0, 1.0, 1.0));
    let tilted = |angle: f64| {
        let q = [0.0, -(angle / 2.0).sin(), 0.0, (angle / 2.0).cos()];
        let pose = Pose::from_quaternion(q, [1.0, 1.0, 1.01]).expect("finite");
        patch(&table, &Pose::identity(), &brick, &pose).1
    };
    let corners = tilted(0.05);
    assert_eq!(corners.len(), 4);
    let mut gaps: Vec<f64> = corners.iter().map(|corner| corner.gap).collect();
    gaps.sort_by(f64::total_cmp);

    assert!(
        (gaps[0] - 0.01).abs() < 1e-14 && (gaps[3] - 0.01 - 0.05f64.sin()).abs() < 1e-14,
        "{gaps:?}"
    );
    assert_eq!(tilted(0.5).len(), 1);
}

#[test]
fn a_square_on_a_floor_touches_along_its_side() {
    let bar = |width: f64| {
        let corners = [[0.0, 0.0], [width, 0.0], [width, 1.0], [0.0, 1.0]];
        Polygon::new(&corners.map(Point::from)).expect("convex")
    };
    let (floor, brick) = (bar(9.0), bar(2.0));

    for (x, length) in [(1.0, 2.0), (-0.5, 1.5), (8.5, 0.5)] {
        let place = Pose::at([x, 0.99]);
        let contact = features2::closest(
            &floor,
            &Pose::identity(),
            &brick,
            &place,
            &mut Default::default(),
        );
        let mut ends = Vec::new();
        let options = PatchOptions::default();

        let found = polygons(
            &floor,
            &Pose::identity(),
            &brick,
            &place,
            &contact.contact,
            &options,
            &mut ends,
        );
        assert!((found - length).abs() < 1e-14);

        assert!(
            ends.len() == 2 && ends.iter().all(|end| (end.gap + 0.01).abs() < 1e-14),
            "{ends:?}"
        );
    }
}
