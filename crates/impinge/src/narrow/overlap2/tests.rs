use super::*;
use crate::space::Random;

fn hull(random: &mut Random) -> Polygon {
    let points: Vec<Point<2>> = (0..8)
        .map(|_| Point::from(random.direction::<2>()))
        .collect();
    Polygon::hull(&points).expect("a polygon")
}

#[test]
fn areas_are_those_of_counting_points() {
    let mut random = Random::new(51);
    let mut compared = 0;
    for _ in 0..60 {
        let (a, b) = (hull(&mut random), hull(&mut random));
        let pose_a = Pose::from_angle(random.within(0.0, 6.0), [0.1, 0.2]).expect("finite");
        let shift = Point::from(random.direction::<2>() * random.within(0.0, 1.6));
        let pose_b = Pose::from_angle(random.within(0.0, 6.0), shift).expect("finite");
        let holds =
            |p: &Point<2>| a.contains(&pose_a.to_local(p)) && b.contains(&pose_b.to_local(p));
        let (mut inside, mut moment) = (0.0, Vector::<2>::zeros());
        const CELLS: i32 = 200;
        let width = 3.0 / f64::from(CELLS);

        for (i, j) in (0..CELLS).flat_map(|i| (0..CELLS).map(move |j| (i, j))) {
            let p = Point::from([i, j].map(|k| -1.5 + (f64::from(k) + 0.5) * width));
            if holds(&p) {
                inside += 1.0;
                moment += p.coords;
            }
        }

        let counted = inside * width * width;
        let overlap = polygons(&a, &pose_a, &b, &pose_b);
        assert!((overlap.map_or(0.0, |overlap| overlap.area) - counted).abs() < 0.02);

        if let Some(overlap) = overlap.filter(|overlap| overlap.area > 0.2) {
            compared += 1;
            assert!((overlap.centroid.coords - moment / inside).norm() < 0.01);
            let swapped = polygons(&b, &pose_b, &a, &pose_a)
                .expect("overlap")
                .swapped();
            assert!((swapped.area - overlap.area).abs() < 1e-14);
            assert!((swapped.section - overlap.section).norm() < 1e-14);
        }
    }

    assert!(compared > 10);
}

#[test]
fn the_contact_line_is_as_long_as_the_section_and_normal_to_it() {
    let mut random = Random::new(52);
    for _ in 0..200 {
        let (a, b) = (hull(&mut random), hull(&mut random));
        let pose_b = Pose::from_angle(random.within(0.0, 6.0), [random.within(0.8, 1.8), 0.1])
            .expect("finite");
        let Some(overlap) = polygons(&a, &Pose::identity(), &b, &pose_b) else {
            continue;
        };
        let Some([from, to]) = overlap.line else {
            continue;
        };
        let line = to - from;

        assert!(
            overlap.section.dot(&line).abs() <= 1e-9 + 0.5 * overlap.section.norm() * line.norm()
        );
        assert!(overlap.section.norm() <= line.norm() + 1e-14);
    }
}

#[test]
fn a_polygon_inside_another_has_no_contact_line() {
    let square = |size: f64| {
        let corners = [[-size, -size], [size, -size], [size, size], [-size, size]];
        Polygon::new(&corners.map(Point::from)).expect("convex")
    };
    let (small, large) = (square(1.0), square(2.0));
    let overlap =
        polygons(&small, &Pose::identity(), &large, &Pose::at([0.5, 0.0])).expect("inside");
    assert_eq!(
        (overlap.area, overlap.line, overlap.normal()),
        (4.0, None, None)
    );
    let touching = polygons(&small, &Pose::identity(), &large, &Pose::at([3.0, 0.0]));
    assert_eq!(touching, None);
    let same = polygons(&small, &Pose::identity(), &small, &Pose::identity()).expect("the same");

    assert_eq!(same.area, 4.0);
}

#[test]
fn a_square_in_a_half_plane_is_cut_along_the_line() {
    let square = Polygon::new(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Point::from))
        .expect("convex");
    let floor = HalfSpace::new([0.0, 0.25], [0.0, 2.0]).expect("a direction");
    let overlap = polygon_half_plane(&square, &Pose::identity(), &floor, &Pose::identity())
        .expect("in the floor");
    assert!((overlap.area - 0.25).abs() < 1e-15);
    assert!((overlap.centroid - Point::from([0.5, 0.125])).norm() < 1e-15);

    assert!((overlap.section - Vector::<2>::new(0.0, -1.0)).norm() < 1e-15);
}
