//! Points as they enter a convex shape.

use super::{Problem, ProblemKind, check};
use crate::space::Point;

/// Coordinates closer to zero than this are taken as zero. Their last bit is above 2⁻³⁵², and the product of three
/// such bits still is a number; below, the exact predicates would underflow and signs would be lost.
const SMALLEST_COORDINATE: f64 = 1e-90;

/// The points with what the exact predicates cannot resolve rounded to zero; an error where there are none, more
/// than 32 bits can number, or one with a coordinate that is not usable.
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
