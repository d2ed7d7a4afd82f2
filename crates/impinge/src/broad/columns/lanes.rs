//! The bodies in sorted order, as columns of f32 that the filter reads four at a time.
//!
//! A box is its lower ends (`first`) and upper ends (`second`), rounded outward. A ball is its lower end on the first
//! axis and its centre on the others (`first`), and its radius, rounded up (`second[0]`). The lower end on the first axis
//! is the key by which each row is sorted.

use super::frame::Span;
use crate::broad::{Body, BodyId, Kind};
use wide::f32x4;

/// Bodies that one test looks at.
pub(super) const LANES: usize = 4;

/// The upper bits of a tag say on which local axes an image lies one period up.
const IMAGE_SHIFT: u32 = 28;

/// Number of a body and which image of it this is.
#[inline]
pub(super) fn tag(body: usize, image: u32) -> u32 {
    body as u32 | image << IMAGE_SHIFT
}

#[inline]
pub(super) fn body_of(tag: u32) -> BodyId {
    tag & ((1 << IMAGE_SHIFT) - 1)
}

#[inline]
pub(super) fn image_of(tag: u32) -> u32 {
    tag >> IMAGE_SHIFT
}

/// One body for the filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<const D: usize> {
    pub(super) first: [f32; D],
    pub(super) second: [f32; D],
}

impl<const D: usize> Packed<D> {
    /// Packs the box; outward by `slack`, which exceeds the rounding.
    #[inline]
    pub(super) fn of<B: Body<D>>(span: &Span<D>, slack: f64) -> Self {
        let mut packed = Self { first: [0.0; D], second: [0.0; D] };
        match B::KIND {
            Kind::Box => {
                for k in 0..D {
                    packed.first[k] = (span.low[k] - slack) as f32;
                    packed.second[k] = (span.up[k] + slack) as f32;
                }
            }
            Kind::Ball => {
                let radius = 0.5 * (span.up[0] - span.low[0]) + 2.0 * slack;
                packed.second[0] = radius as f32;
                packed.first[0] = (0.5 * (span.low[0] + span.up[0]) - radius) as f32;
                for k in 1..D {
                    packed.first[k] = (0.5 * (span.low[k] + span.up[k])) as f32;
                }
            }
        }
        packed
    }
}

/// The body that others are tested against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe<const D: usize> {
    /// Ends of its box, outward.
    pub(super) low: [f32; D],
    pub(super) up: [f32; D],
    pub(super) tag: u32,
    first: [f32x4; D],
    second: [f32x4; D],
    packed: Packed<D>,
}

impl<const D: usize> Probe<D> {
    #[inline]
    pub(super) fn of<B: Body<D>>(packed: Packed<D>, tag: u32, slack: f32) -> Self {
        let Packed { first, second } = packed;
        let mut probe = Self {
            low: first,
            up: second,
            tag,
            first: first.map(f32x4::splat),
            second: second.map(f32x4::splat),
            packed,
        };
        if B::KIND == Kind::Ball {
            let radius = second[0];
            probe.first[0] = f32x4::splat(first[0] + radius);
            probe.packed.first[0] = first[0] + radius;
            probe.up[0] = first[0] + 2.0 * radius + slack;
            for k in 1..D {
                probe.low[k] = first[k] - radius - slack;
                probe.up[k] = first[k] + radius + slack;
            }
        }
        probe
    }
}

/// The columns. Each ends with [`LANES`] bodies at infinity, so that reading four at the end is allowed.
#[derive(Clone, Debug)]
pub(super) struct Lanes<const D: usize> {
    pub(super) first: [Vec<f32>; D],
    pub(super) second: [Vec<f32>; D],
    pub(super) tags: Vec<u32>,
    /// Row of each body; only to find where rows begin.
    pub(super) rows: Vec<u32>,
}

impl<const D: usize> Default for Lanes<D> {
    fn default() -> Self {
        let none = || std::array::from_fn(|_| Vec::new());
        Self { first: none(), second: none(), tags: Vec::new(), rows: Vec::new() }
    }
}

#[inline]
fn load(column: &[f32], at: usize) -> f32x4 {
    let four: [f32; LANES] = column[at..at + LANES].try_into().expect("a slice of four");
    f32x4::from(four)
}

impl<const D: usize> Lanes<D> {
    /// Room for so many bodies; what was there is to be overwritten.
    pub(super) fn resize<B: Body<D>>(&mut self, count: usize) {
        let columns = match B::KIND {
            Kind::Box => D,
            Kind::Ball => 1,
        };
        for column in self.first.iter_mut().chain(&mut self.second[..columns]) {
            column.resize(count + LANES, 0.0);
            column[count..].fill(f32::INFINITY);
        }
        self.tags.resize(count, 0);
        self.rows.resize(count, 0);
    }

    pub(super) fn packed<B: Body<D>>(&self, at: usize) -> Packed<D> {
        let mut packed =
            Packed { first: std::array::from_fn(|k| self.first[k][at]), second: [self.second[0][at]; D] };
        if B::KIND == Kind::Box {
            packed.second = std::array::from_fn(|k| self.second[k][at]);
        }
        packed
    }

    /// Which of the four bodies from `at` on may overlap the probe, one bit for each.
    #[inline]
    pub(super) fn touched<B: Body<D>>(&self, at: usize, probe: &Probe<D>) -> u32 {
        match B::KIND {
            Kind::Box => {
                let mut both = load(&self.first[0], at).simd_le(probe.second[0])
                    & load(&self.second[0], at).simd_ge(probe.first[0]);
                for k in 1..D {
                    both &= load(&self.first[k], at).simd_le(probe.second[k])
                        & load(&self.second[k], at).simd_ge(probe.first[k]);
                }
                both.to_bitmask()
            }
            Kind::Ball => {
                let radius = load(&self.second[0], at);
                let along = load(&self.first[0], at) + radius - probe.first[0];
                let mut squared = along * along;
                for k in 1..D {
                    let across = load(&self.first[k], at) - probe.first[k];
                    squared += across * across;
                }
                let reach = radius + probe.second[0];
                squared.simd_le(reach * reach).to_bitmask()
            }
        }
    }

    /// Whether the body at `at` overlaps the probe however the rounding fell: by more than `doubt`.
    #[inline]
    pub(super) fn certain<B: Body<D>>(&self, at: usize, probe: &Probe<D>, doubt: f32) -> bool {
        let (first, second) = (&probe.packed.first, &probe.packed.second);
        match B::KIND {
            Kind::Box => (0..D)
                .all(|k| second[k] - self.first[k][at] >= doubt && self.second[k][at] - first[k] >= doubt),
            Kind::Ball => {
                let radius = self.second[0][at];
                let along = self.first[0][at] + radius - first[0];
                let mut squared = along * along;
                for k in 1..D {
                    let across = self.first[k][at] - first[k];
                    squared += across * across;
                }
                let reach = radius + second[0] - doubt;
                reach > 0.0 && squared <= reach * reach
            }
        }
    }

    /// Whether the box around the body at `at` meets another, which may be endless.
    #[inline]
    pub(super) fn box_meets<B: Body<D>>(&self, at: usize, low: &[f32; D], up: &[f32; D], slack: f32) -> bool {
        let probe = Probe::of::<B>(self.packed::<B>(at), 0, slack);
        (0..D).all(|k| probe.low[k] <= up[k] && low[k] <= probe.up[k])
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let columns = self.first.iter().chain(&self.second).map(Vec::capacity).sum::<usize>();
        (columns + self.tags.capacity() + self.rows.capacity()) * 4
    }
}
