use super::*;
use crate::space::Random;

const TOLERANCE: f64 = 1e-9;

type Query = fn(&VertexStep, f64) -> Result<Option<Impact>, NotUsable>;

/// A number with few binary digits, so that positions at eighths of the step are exact.
fn dyadic(random: &mut Random) -> f64 {
    (random.below(257) as f64 - 128.0) / 64.0
}

fn dyadic_point(random: &mut Random) -> Point<3> {
    Point::from([0; 3].map(|_| dyadic(random)))
}

/// Vertices that are at `there` at a given time, with random velocities.
fn through(there: [Point<3>; 4], time: f64, random: &mut Random) -> VertexStep {
    let velocities = [0; 4].map(|_| dyadic_point(random).coords);
    let at = |t: f64| std::array::from_fn(|i| there[i] + velocities[i] * (t - time));
    [at(0.0), at(1.0)]
}

fn assert_found(query: Query, step: &VertexStep, time: f64) {
    let impact = query(step, TOLERANCE)
        .expect("usable")
        .unwrap_or_else(|| panic!("missed: {step:?} at {time}"));
    assert!(impact.from <= time, "{impact:?} is later than {time}");
}

#[test]
fn meetings_on_faces_edges_and_corners_are_never_missed() {
    let mut random = Random::new(21);
    for case in 0..3_000 {
        let [a, b, c] = [0; 3].map(|_| dyadic_point(&mut random));
        let weights =
            [[2, 1, 1], [2, 2, 0], [0, 4, 0], [1, 0, 3]][case % 4].map(|w| f64::from(w) / 4.0);
        let v = Point::from(a.coords * weights[0] + b.coords * weights[1] + c.coords * weights[2]);
        let time = random.below(9) as f64 / 8.0;
        assert_found(vertex_face, &through([v, a, b, c], time, &mut random), time);
    }
}

#[test]
fn crossings_of_edges_are_never_missed_at_their_ends_either() {
    let mut random = Random::new(22);
    for case in 0..3_000 {
        let [a, b, middle] = [0; 3].map(|_| dyadic_point(&mut random));
        let [s, r] = [[0.5, 0.25], [0.0, 0.5], [1.0, 0.0], [0.25, 1.0]][case % 4];
        let on_a = a + (b - a) * s;
        // The second edge passes through the point on the first, at a fraction r of its length.
        let (c, d) = (on_a - (middle - a) * r, on_a + (middle - a) * (1.0 - r));
        let time = random.below(9) as f64 / 8.0;
        assert_found(edge_edge, &through([a, b, c, d], time, &mut random), time);
    }
}

/// The minimum distance over many instants of the step.
fn least_distance(step: &VertexStep, distance: impl Fn([Point<3>; 4]) -> f64) -> f64 {
    let at = |t: f64| std::array::from_fn(|i| step[0][i] + (step[1][i] - step[0][i]) * t);
    (0..=2000)
        .map(|k| distance(at(f64::from(k) / 2000.0)))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn a_certain_meeting_has_no_distance_and_a_miss_has_some() {
    let mut random = Random::new(23);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..400 {
        let step: VertexStep = [0; 2].map(|_| [0; 4].map(|_| Point::from(random.direction::<3>())));
        let face = |[v, a, b, c]: [Point<3>; 4]| closest_on(&[a, b, c], &v).way.norm();
        let edge =
            |[a, b, c, d]: [Point<3>; 4]| segment_segment(&(b - a), &(c - a), &(d - c)).2.norm();

        for (found, least) in [
            (
                vertex_face(&step, TOLERANCE).expect("usable"),
                least_distance(&step, face),
            ),
            (
                edge_edge(&step, TOLERANCE).expect("usable"),
                least_distance(&step, edge),
            ),
        ] {
            match found {
                Some(impact) => assert!(impact.certain && least < 4e-3, "{impact:?} {least}"),
                None => assert!(least > 0.0),
            }
            hits += usize::from(found.is_some());
            misses += usize::from(found.is_none());
        }
    }

    assert!(hits > 100 && misses > 100, "{hits} {misses}");
}

#[test]
fn a_vertex_that_stays_in_the_plane_of_a_face_meets_its_side() {
    let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let step = |from: [f64; 3], to: [f64; 3]| {
        [from, to].map(|v| [v, face[0], face[1], face[2]].map(Point::from))
    };
    let slides_in = step([-1.0, 0.25, 0.0], [1.0, 0.25, 0.0]);
    let impact = vertex_face(&slides_in, TOLERANCE)
        .expect("usable")
        .expect("it slides in");
    assert!(impact.from <= 0.5 && impact.from > 0.5 - 1e-6, "{impact:?}");
    let passes_by = step([-1.0, -1e-9, 0.0], [1.0, -1e-9, 0.0]);

    assert_eq!(vertex_face(&passes_by, TOLERANCE).expect("usable"), None);
}

#[test]
fn parts_without_extent_meet_where_they_are_near_only() {
    let point = |x: f64, y: f64| Point::from([x, y, 0.0]);
    let needle = |y: f64| {
        [
            point(0.5, y),
            point(0.0, 0.0),
            point(1.0, 0.0),
            point(0.5, 0.0),
        ]
    };
    let impact = vertex_face(&[needle(1.0), needle(-1.0)], TOLERANCE)
        .expect("usable")
        .expect("through a needle");
    assert!(impact.from <= 0.5 && impact.from > 0.499, "{impact:?}");

    assert_eq!(
        vertex_face(&[needle(1.0), needle(0.001)], TOLERANCE).expect("usable"),
        None
    );
    // Parallel edges that fall past each other, on one line and side by side.
    let rails = |y: f64, x: f64| {
        [
            point(0.0, 0.0),
            point(1.0, 0.0),
            point(x, y),
            point(x + 1.0, y),
        ]
    };

    assert!(
        edge_edge(&[rails(1.0, 0.5), rails(-1.0, 0.5)], TOLERANCE)
            .expect("usable")
            .is_some()
    );

    assert_eq!(
        edge_edge(&[rails(1.0, 1.5), rails(-1.0, 1.5)], TOLERANCE).expect("usable"),
        None
    );
}

#[test]
fn a_nan_names_the_vertex_and_the_moment() {
    let fine = [Point::from([0.0; 3]); 4];
    let mut broken = fine;
    broken[2].y = f64::NAN;
    assert_eq!(
        edge_edge(&[fine, broken], TOLERANCE),
        Err(NotUsable {
            vertex: 2,
            at_end: true
        })
    );
}
