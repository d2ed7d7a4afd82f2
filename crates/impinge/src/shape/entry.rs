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
mod tests;
