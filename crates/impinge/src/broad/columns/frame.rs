//! Local coordinates: longest axis first, origin at the lower corner, scaled to suit f32, and
//! wrapped on periodic axes.
//!
//! A coordinate in the filter may be off by `slack`. Let W be the width of the scene and X the
//! farthest coordinate, both in local units. Rounding to f32 costs 2⁻²⁴·W, and the f64 arithmetic
//! before it a few times 2⁻⁵³·(X + W). The factor 4 covers the sums and squares that the filter
//! computes from such coordinates.

use super::survey::Bin;
use crate::broad::Period;
use crate::space::Aabb;

/// A body's box in local coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<const D: usize> {
    pub(super) low: [f64; D],
    pub(super) up: [f64; D],
}

/// The map from world to local coordinates.
#[derive(Clone, Debug)]
pub(super) struct Frame<const D: usize> {
    /// The world axis of each local axis.
    pub(super) axes: [usize; D],
    origin: [f64; D],
    scale: f64,
    /// The periods in local units.
    pub(super) lengths: [Option<f64>; D],
    /// Margin by which every body is grown, in local units.
    pub(super) margin: f64,
    /// Error bound of a coordinate in the filter.
    pub(super) slack: f64,
    /// Width of the scene on each local axis.
    pub(super) width: [f64; D],
    /// On periodic axes, bodies that begin below this coordinate have an image beyond the upper
    /// end.
    pub(super) image_reach: [f64; D],
}

impl<const D: usize> Span<D> {
    /// Returns the box shrunk by `margin` on every side.
    #[inline]
    pub(super) fn shrunk(&self, margin: f64) -> Self {
        Self {
            low: self.low.map(|x| x + margin),
            up: self.up.map(|x| x - margin),
        }
    }
}

impl<const D: usize> Frame<D> {
    /// Returns the frame of the bodies in `all`, each grown by `margin`.
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

        // The resolution is limited to that of f64 for a scene far from the origin: otherwise its
        // slack would overflow f32.
        let scale = power_of_two_for(widest.max(margin).max(farthest * f64::EPSILON));
        // Scale first: the products of tiny widths would underflow.
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

    /// Converts a world length to a local length.
    pub(super) fn scaled(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// Returns the grown box, without wrapping.
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

    /// Returns the image of the grown box whose lower ends are nearest to `low`.
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

    /// Returns the image of the grown box that begins in the first period.
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

    /// Returns the grown box, infinite on the periodic axes.
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

/// Returns a power of two that scales the width to about 2^10: far from overflow and underflow in
/// f32, squares included. Widths below 2^-1013, for which that factor would overflow, are scaled to
/// at least 2^-51.
fn power_of_two_for(width: f64) -> f64 {
    if width > 0.0 {
        2f64.powi((10 - width.log2().floor() as i32).min(1023))
    } else {
        1.0
    }
}
