use super::*;
use crate::shape::{Solid, inspect_triangles};

fn six_volumes(points: &[Point<3>], t: &[u32; 4]) -> f64 {
    let [a, b, c, d] = t.map(|n| points[n as usize]);
    (b - a).dot(&(c - a).cross(&(d - a)))
}

#[test]
fn all_tetrahedra_are_positive_at_every_angle_and_fill_the_bar() {
    for wanted in [FEWEST, 600, 1_400, 20_000] {
        let vee = Vee::new(wanted).expect("valid");
        for step in 0..=20 {
            let angle =
                Vee::LEAST_ANGLE + (Vee::LARGEST_ANGLE - Vee::LEAST_ANGLE) * f64::from(step) / 20.0;
            let points = vee.points(angle.min(Vee::LARGEST_ANGLE)).expect("in range");
            let volumes: Vec<f64> = vee
                .tetrahedra()
                .iter()
                .map(|t| six_volumes(&points, t))
                .collect();
            assert!(volumes.iter().all(|&v| v > 0.0), "{wanted} at {angle}");
            let volume = volumes.iter().sum::<f64>() / 6.0;

            assert!(
                (volume / LENGTH - 1.0).abs() < 0.1,
                "{volume} for {wanted} at {angle}"
            );
        }
    }
}

#[test]
fn a_v_is_a_solid_of_one_piece_open_or_crossed() {
    for angle in [1.0, 0.0, -0.5] {
        let mesh = vee(2_000, angle).expect("valid");
        let solid = Solid::from_mesh(&mesh).expect("positive tetrahedra that meet face to face");
        let boundary = inspect_triangles(solid.points(), solid.boundary_triangles());
        assert!(boundary.closed && boundary.manifold && boundary.oriented);
        assert_eq!((boundary.components, boundary.genus), (1, Some(0)));
    }
}

#[test]
fn about_the_wanted_number_of_tetrahedra_comes_out() {
    for wanted in [
        72, 100, 333, 600, 800, 1_000, 1_200, 1_400, 5_000, 10_000, 30_000, 100_000,
    ] {
        let found = Vee::new(wanted).expect("valid").tetrahedra().len();
        let miss = (found as f64 / wanted as f64 - 1.0).abs();
        assert!(
            miss < if wanted < 600 { 0.04 } else { 0.02 },
            "{found} for {wanted}"
        );
    }
}

#[test]
fn legs_stand_at_the_angle_and_cross_below_it() {
    let vee = Vee::new(1_000).expect("valid");
    let tips = |angle: f64| {
        let points = vee.points(angle).expect("in range");
        let n = vee.cells[0] as f64;
        let mean = |x: f64| {
            let end: Vec<_> = (0..points.len())
                .filter(|&i| vee.bar.points[i].x == x)
                .collect();
            end.iter()
                .map(|&i| points[i].coords)
                .sum::<crate::space::Vector<3>>()
                / end.len() as f64
        };
        [mean(0.0), mean(n)]
    };
    let [left, right] = tips(1.0);
    assert!((left.x + right.x).abs() < 1e-12 && (left.y - right.y).abs() < 1e-12);
    let [_, wider] = tips(1.5);
    assert!(wider.x > right.x && wider.y < right.y);
    let [left, right] = tips(-0.4);
    assert!(left.x > 0.0 && right.x < 0.0);
    let [left, right] = tips(Vee::LARGEST_ANGLE);

    assert!((right - left).norm() > LENGTH - 1e-12);
}

#[test]
fn the_oscillation_runs_from_end_to_end() {
    let vee = Vee::new(100).expect("valid");
    assert_eq!(vee.oscillating(0.2, 0.5, 0.0), vee.points(0.7));
    let half = vee.oscillating(0.2, 0.5, 0.5).expect("in range");
    let least = vee.points(-0.3).expect("in range");
    assert!(half.iter().zip(&least).all(|(a, b)| (a - b).norm() < 1e-12));
}

#[test]
fn bad_arguments_are_named() {
    for wanted in [0, 71, usize::MAX] {
        assert_eq!(Vee::new(wanted).unwrap_err().argument, "tetrahedra");
    }
    for angle in [f64::NAN, 3.2, -0.6, f64::INFINITY] {
        assert_eq!(vee(600, angle).unwrap_err().argument, "angle");
    }
}
