//! Local coordinates: the longest axis first, the origin at the lower corner, scaled so that f32 can hold them, wrapped
//! where the world repeats.
//!
//! A coordinate of the filter may be off by `slack`. With W the width of the world and X the farthest coordinate, all in
//! local units, rounding to f32 costs 2⁻²⁴·W and the arithmetic in f64 before it a few times 2⁻⁵³·(X + W); the factor 4
//! pays for the sums and squares that the filter forms of such coordinates.

use super::survey::Bin;
use crate::broad::Period;
use crate::space::Aabb;

/// A body's box in local coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<const D: usize> {
    pub(super) low: [f64; D],
    pub(super) up: [f64; D],
}

/// The map from the world to local coordinates.
#[derive(Clone, Debug)]
pub(super) struct Frame<const D: usize> {
    /// World axis of each local axis.
    pub(super) axes: [usize; D],
    origin: [f64; D],
    scale: f64,
    /// Local periods.
    pub(super) lengths: [Option<f64>; D],
    /// By how much every body is grown, local.
    pub(super) margin: f64,
    /// Bound on the error of a coordinate in the filter.
    pub(super) slack: f64,
    /// Width of the world on each local axis.
    pub(super) width: [f64; D],
    /// On periodic axes, bodies that begin below this have an image beyond the upper end.
    pub(super) image_reach: [f64; D],
}

impl<const D: usize> Span<D> {
    /// The box less `margin` on every side.
    #[inline]
    pub(super) fn shrunk(&self, margin: f64) -> Self {
        Self {
            low: self.low.map(|x| x + margin),
            up: self.up.map(|x| x - margin),
        }
    }
}

impl<const D: usize> Frame<D> {
    /// The frame of the bodies in `all`, each grown by `margin`.
    pub(super) fn of(all: &Bin<D>, period: &Period<D>, margin: f64) -> Self {
        let world: [(f64, f64); D] = std::array::from_fn(|k| match period.lengths[k] {
            Some(length) => (0.0, length),
            None => (
                all.low[k] - 0.5 * all.longest[k] - margin,
                all.up[k] + 0.5 * all.longest[k] + margin,
            ),
        });
        let mut axes: [usize; D] = std::array::from_fn(|k| k);
        let width = |k: usize| world[k].1 - world[k].0;
        axes.sort_by(|&j, &k| width(k).total_cmp(&width(j)));
        let longest: [f64; D] = axes.map(|k| all.longest[k] + 2.0 * margin);
        let widest = (0..D)
            .map(|k| width(axes[k]) + 2.0 * longest[k])
            .fold(0.0, f64::max);
        let farthest = (0..D)
            .map(|k| all.low[k].abs().max(all.up[k].abs()))
            .fold(0.0, f64::max);
        // A world far from the origin is seen no closer than f64 can: its slack would overflow f32.
        let scale = power_of_two_for(widest.max(margin).max(farthest * f64::EPSILON));
        // Scaled first: the products of tiny widths would vanish.
        let (wide, far) = (scale * widest, scale * farthest);
        let slack = 4.0 * (wide * 2f64.powi(-24) + (far + wide) * 2f64.powi(-50));
        Self {
            origin: axes.map(|k| world[k].0),
            lengths: axes.map(|k| period.lengths[k].map(|length| length * scale)),
            width: std::array::from_fn(|k| (width(axes[k]) + 2.0 * longest[k]) * scale),
            image_reach: longest.map(|edge| edge * scale + 4.0 * slack),
            margin: margin * scale,
            axes,
            scale,
            slack,
        }
    }

    /// World length to local length.
    pub(super) fn scaled(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// The grown box, where it is.
    #[inline]
    pub(super) fn span(&self, bounds: &Aabb<D>) -> Span<D> {
        let mut span = Span {
            low: [0.0; D],
            up: [0.0; D],
        };
        for k in 0..D {
            let axis = self.axes[k];
            span.low[k] = (bounds.min[axis] - self.origin[k]) * self.scale - self.margin;
            span.up[k] = (bounds.max[axis] - self.origin[k]) * self.scale + self.margin;
        }
        span
    }

    /// The image of the grown box whose lower ends are nearest to `low`.
    #[inline]
    pub(super) fn nearest(&self, bounds: &Aabb<D>, low: &[f64; D]) -> Span<D> {
        let mut span = self.span(bounds);
        for k in 0..D {
            if let Some(length) = self.lengths[k] {
                let shift = length * ((span.low[k] - low[k]) / length).round();
                span.low[k] -= shift;
                span.up[k] -= shift;
            }
        }
        span
    }

    /// The image of the grown box that begins in the first period.
    #[inline]
    pub(super) fn wrapped(&self, bounds: &Aabb<D>) -> Span<D> {
        let mut span = self.span(bounds);
        for k in 0..D {
            if let Some(length) = self.lengths[k] {
                let shift = length * (span.low[k] / length).floor();
                span.low[k] -= shift;
                span.up[k] -= shift;
            }
        }
        span
    }

    /// The box without ends on the periodic axes.
    pub(super) fn endless(&self, bounds: &Aabb<D>) -> Span<D> {
        let mut span = self.span(bounds);
        for k in (0..D).filter(|&k| self.lengths[k].is_some()) {
            (span.low[k], span.up[k]) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        span
    }
}

impl<const D: usize> Default for Frame<D> {
    fn default() -> Self {
        Self::of(
            &Bin {
                low: [0.0; D],
                up: [0.0; D],
                ..Bin::EMPTY
            },
            &Period::NONE,
            0.0,
        )
    }
}

/// A power of two that brings the width to about 2^10: far from overflow and underflow in f32, squares included. Widths
/// below 2^-1013, for which that would overflow, come to at least 2^-51.
fn power_of_two_for(width: f64) -> f64 {
    if width > 0.0 {
        2f64.powi((10 - width.log2().floor() as i32).min(1023))
    } else {
        1.0
    }
}
