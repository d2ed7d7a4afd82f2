use super::*;
use crate::space::Random;

fn all(from: [f64; 3], to: [f64; 3], radius: f64) -> [Round; 3] {
    [RoundKind::Capsule, RoundKind::Cylinder, RoundKind::Cone]
        .map(|kind| Round::new(kind, from.into(), to.into(), radius).expect("valid"))
}

#[test]
fn volume_centroid_and_inertia_are_those_of_counted_cells() {
    const CELLS: usize = 90;
    for body in all([0.3, -0.2, 0.1], [0.9, 0.7, 0.4], 0.5) {
        let bounds = body.bounds();
        let size = bounds.extent() / CELLS as f64;
        let cell = size.product();
        let points: Vec<Point<3>> = (0..CELLS.pow(3))
            .map(|n| [n % CELLS, n / CELLS % CELLS, n / CELLS / CELLS])
            .map(|n| bounds.min + size.zip_map(&n.into(), |s, k: usize| s * (k as f64 + 0.5)))
            .filter(|point| body.contains(point))
            .collect();
        let volume = points.len() as f64 * cell;
        let centroid = points.iter().map(|p| p.coords).sum::<Vector<3>>() / points.len() as f64;
        let inertia = points.iter().fold(Matrix::zeros(), |sum, p| {
            let x = p.coords - centroid;
            sum + (Matrix::from_diagonal_element(x.norm_squared()) - x * x.transpose()) * cell
        });

        assert!((volume / body.volume() - 1.0).abs() < 2e-3, "{body:?}");
        assert!(
            (centroid - body.centroid().coords).norm() < 1e-3,
            "{body:?}"
        );
        let wrong = (inertia - body.inertia()).norm() / inertia.norm();
        assert!(wrong < 4e-3, "{body:?}: {wrong}");
    }
}

#[test]
fn support_points_lie_in_the_body_and_in_its_box_and_nothing_reaches_further() {
    let mut random = Random::new(5);
    for body in all([1.0, 2.0, 3.0], [1.5, 1.0, 3.5], 0.7) {
        let bounds = body.bounds();
        let supports: Vec<Point<3>> = (0..2000)
            .map(|_| body.support(&random.direction::<3>()))
            .collect();
        for axis in [body.axis(), -body.axis(), Vector::zeros()] {
            let point = body.support(&axis);
            assert!(point.iter().all(|x| x.is_finite()));
        }
        for point in &supports {
            let inner = point + (body.centroid() - point) * 1e-12;
            assert!(body.contains(&inner) && bounds.contains(point), "{body:?}");
        }
        for _ in 0..200 {
            let direction = random.direction::<3>();
            let most = direction.dot(&body.support(&direction).coords);
            assert!(
                supports
                    .iter()
                    .all(|point| direction.dot(&point.coords) <= most + 1e-12)
            );
        }
        // The box is tight.
        for axis in 0..3 {
            let top = body.support(&Vector::<3>::ith(axis, 1.0))[axis];
            assert!((bounds.max[axis] - top).abs() < 1e-12, "{body:?}");
        }
    }
}

#[test]
fn bodies_without_length_or_radius_are_refused() {
    let kind = |to: [f64; 3], radius: f64| {
        Round::capsule([0.0; 3], to, radius)
            .map(|body| body.length())
            .map_err(|problem| problem.kind)
    };
    assert_eq!(kind([0.0; 3], 1.0), Err(ProblemKind::NotPositive));
    assert_eq!(kind([1.0; 3], 0.0), Err(ProblemKind::NotPositive));
    assert_eq!(kind([1.0; 3], f64::NAN), Err(ProblemKind::NotFinite));
    assert_eq!(kind([1e61, 0.0, 0.0], 1.0), Err(ProblemKind::NotFinite));
    assert_eq!(kind([1e-200, 0.0, 0.0], 1.0), Ok(1e-200));
}
