//! Newton's method with exact bounds, to a local minimum of ½|r(ξ)|² over a region.
//!
//! Sequential quadratic programming as in [Aragon2013, section 3.3], but with the exact Hessian
//! JᵀJ + r·∂²x. It costs less than one of Kraft's BFGS updates and converges quadratically: about five
//! steps where the paper reports twelve. If the Hessian is not positive definite, JᵀJ replaces it
//! (Gauss–Newton), shifted if it is singular.

use super::chart::{Chart, Jet};
use super::region::{Model, Region};
use crate::space::Vector;

/// A Newton step shorter than this in natural coordinates is the last: the remaining error is its
/// square.
const SHORT: f64 = 3e-8;

/// Maximum number of steps. Quadratic convergence takes five; only minima without a definite
/// Hessian are approached linearly.
const MOST_STEPS: u32 = 64;

/// Maximum number of halvings of a step that does not descend.
const MOST_HALVINGS: u32 = 30;

/// Shift of a singular Gauss–Newton matrix, relative to its trace.
const SHIFT: f64 = 1e-9;

/// End point of a descent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valley<const D: usize> {
    pub(super) local: [f64; 2],
    pub(super) r: Vector<D>,
    /// ∂r/∂ξ and ∂r/∂η there.
    pub(super) tangents: [Vector<D>; 2],
    /// |r|².
    pub(super) squared: f64,
    pub(super) steps: u32,
    /// Whether it is a local minimum in the region, up to rounding.
    pub(super) settled: bool,
}

/// Descends from `start`.
pub(super) fn descend<const D: usize>(
    chart: &impl Chart<D>,
    region: &impl Region,
    start: [f64; 2],
) -> Valley<D> {
    let mut at = start;
    let mut jet = chart.jet(at);
    let mut squared = jet.r.norm_squared();
    let valley = |local, jet: &Jet<D>, steps, settled| {
        let squared = jet.r.norm_squared();
        Valley {
            local,
            r: jet.r,
            tangents: jet.first,
            squared,
            steps,
            settled,
        }
    };

    for steps in 1..=MOST_STEPS {
        let (aim, exact) = aim(&jet, region, at);
        let mut step = [aim[0] - at[0], aim[1] - at[1]];
        let length = step[0].abs().max(step[1].abs());

        if length == 0.0 {
            return valley(at, &jet, steps, true);
        }

        let mut next = aim;
        let mut ahead = chart.jet(next);
        if exact && length < SHORT {
            return valley(next, &ahead, steps, true);
        }

        let mut halvings = 0;
        // NaN, from an overflow, does not count as descent.
        let goes_down = |ahead: &Jet<D>| ahead.r.norm_squared() < squared;
        while !goes_down(&ahead) {
            halvings += 1;
            if halvings > MOST_HALVINGS {
                // No descent is visible within rounding; far from a minimum that does not happen.
                return valley(at, &jet, steps, length < SHORT.sqrt());
            }
            step = [0.5 * step[0], 0.5 * step[1]];
            next = [at[0] + step[0], at[1] + step[1]];
            ahead = chart.jet(next);
        }

        (at, jet) = (next, ahead);
        squared = jet.r.norm_squared();
    }

    valley(at, &jet, MOST_STEPS, false)
}

/// Returns the minimum of the quadratic model in the region, and whether the model has the exact
/// Hessian.
#[inline(always)]
fn aim<const D: usize>(jet: &Jet<D>, region: &impl Region, at: [f64; 2]) -> ([f64; 2], bool) {
    let ([x, y], [xx, xy, yy], r) = (&jet.first, &jet.second, &jet.r);
    let gradient = [x.dot(r), y.dot(r)];
    let gauss = [x.dot(x), x.dot(y), y.dot(y)];
    let exact = Model {
        gradient,
        hessian: [
            gauss[0] + xx.dot(r),
            gauss[1] + xy.dot(r),
            gauss[2] + yy.dot(r),
        ],
    };

    if region.is_convex(&exact) {
        return (region.minimum(at, &exact), true);
    }

    // A minimum on an edge needs no curvature across it.
    if let Some(edge) = region
        .pressed_edge(at, gradient)
        .filter(|edge| edge.is_convex(&exact))
    {
        return (edge.minimum(at, &exact), true);
    }
    let mut model = Model {
        gradient,
        hessian: gauss,
    };

    if !region.is_convex(&model) {
        // A face without extent in any direction has no slope either; any positive number will do.
        let shift = (SHIFT * (gauss[0] + gauss[2])).max(f64::MIN_POSITIVE.sqrt());
        model.hessian = [gauss[0] + shift, gauss[1], gauss[2] + shift];
    }

    (region.minimum(at, &model), false)
}
