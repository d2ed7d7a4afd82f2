//! Validation of the input points of convex shapes.

use super::{Problem, ProblemKind, check};
use crate::space::Point;

/// Smaller coordinates are rounded to zero. The last bit of larger ones is above 2⁻³⁵², and the
/// product of three such bits is still representable; below, the exact predicates would underflow
/// and signs would be lost.
const SMALLEST_COORDINATE: f64 = 1e-90;

/// Returns the points with coordinates too small for the exact predicates rounded to zero. Fails if
/// there are no points, too many for 32-bit indices, or one with an unusable coordinate.
pub(super) fn enter<const D: usize>(points: &[Point<D>]) -> Result<Vec<Point<D>>, Problem> {
    if points.is_empty() {
        return Err(Problem::whole(ProblemKind::Empty));
    }

    if points.len() >= u32::MAX as usize {
        return Err(Problem::whole(ProblemKind::TooMany));
    }

    check::none(check::not_finite(points))?;
    Ok(points.iter().map(|p| p.map(flush)).collect())
}

/// Also turns −0 into 0, so that equal coordinates have equal bits.
fn flush(x: f64) -> f64 {
    if x.abs() < SMALLEST_COORDINATE {
        0.0
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::*;

    #[test]
    fn points_enter_unless_there_are_none_or_one_is_not_finite() {
        assert_eq!(enter::<2>(&[]), Err(Problem::whole(ProblemKind::Empty)));
        let broken = [[0.0, 1.0], [f64::NAN, 0.0], [1.0, 1e61]].map(Point::from);
        let expected = Problem {
            kind: ProblemKind::NotFinite,
            first: Item::Point(1),
            count: 2,
        };
        assert_eq!(enter(&broken), Err(expected));
        let entered = enter(&[Point::from([-0.0, 1e-91])]).expect("finite");

        assert!(entered[0].iter().all(|x| x.to_bits() == 0));
    }
}
