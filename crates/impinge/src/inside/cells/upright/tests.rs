use super::*;

/// The unit square in two triangles, the diagonal and all corners at lattice points.
const LOW: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
const UP: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn a_moved_line_crosses_exactly_one_of_two_triangles_that_share_an_edge() {
    let triangles = [LOW, UP].map(|t| t.map(Point::from));
    for (x, y, crossed) in [
        (0.5, 0.5, 1),
        (0.0, 0.0, 1),
        (0.0, 0.5, 1),
        (0.5, 0.0, 1),
        (1.0, 0.5, 0),
        (0.5, 1.0, 0),
        (1.0, 1.0, 0),
    ] {
        let line = Point::from([x, y]);
        let count = triangles
            .iter()
            .filter(|t| covers(t, &line) == Sign::Positive)
            .count();
        assert_eq!(count, crossed, "{x} {y}");
        assert!(triangles.iter().all(|t| covers(t, &line) != Sign::Negative));
    }
}

#[test]
fn upright_triangles_are_never_crossed() {
    let upright = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.5, 0.5, 1.0]].map(Point::from);
    let with_upright_edge = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]].map(Point::from);

    for x in [0.0, 0.25, 0.5, 1.0] {
        assert_eq!(covers(&upright, &Point::from([x, x])), Sign::Zero);
        assert_eq!(covers(&with_upright_edge, &Point::from([x, x])), Sign::Zero);
    }
}

#[test]
fn above_is_above_whichever_way_the_triangle_turns() {
    let up = LOW.map(Point::from);
    let down = [up[0], up[2], up[1]];
    for corners in [up, down] {
        let sign = covers(&corners, &Point::from([0.75, 0.25]));
        assert!(is_above(&corners, sign, &Point::from([0.75, 0.25, 1e-300])));
        assert!(!is_above(&corners, sign, &Point::from([0.75, 0.25, 0.0])));
        assert!(!is_above(
            &corners,
            sign,
            &Point::from([0.75, 0.25, -1e-300])
        ));
    }
}
