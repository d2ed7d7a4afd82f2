//! The bodies in sorted order, packed as f32 in blocks of four for SIMD filter tests.
//!
//! A box is stored as its lower and upper ends, rounded outward. A ball is stored as its lower end
//! on the first axis, its centre on the others, and its radius rounded up. The lower end on the
//! first axis is the sort key of each row. A block of balls in 3D is one cache line.

use super::frame::Span;
use crate::broad::{BodyId, MOST_BODIES};
use wide::f32x4;

/// Number of bodies in a block.
pub(super) const LANES: usize = 4;

/// The bits of a tag above this say on which local axes an image is shifted up by one period.
const IMAGE_SHIFT: u32 = MOST_BODIES.ilog2();

/// The tag of an empty lane.
pub(super) const EMPTY_LANE: u32 = u32::MAX;

/// Combines a body's index and its image number.
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

/// One body for the filter: lower and upper ends of a box, or key, centre and radius of a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<const D: usize> {
    pub(super) first: [f32; D],
    pub(super) second: [f32; D],
}

/// Four bodies of one kind.
pub(super) trait Block<const D: usize>: Copy + Send + Sync {
    /// A body in the form needed to test it against the four of a block.
    type Probe: Copy;

    /// Returns a block of four empty lanes; keys stay in order next to it.
    fn idle() -> Self;

    /// Packs a box, rounded outward by `slack`, which exceeds the rounding error.
    fn pack(span: &Span<D>, slack: f64) -> Packed<D>;

    /// Returns a packed body that never passes the filter, with the key of another.
    fn empty_lane(like: &Packed<D>) -> Packed<D>;

    fn set(&mut self, lane: usize, packed: &Packed<D>);

    fn get(&self, lane: usize) -> Packed<D>;

    fn key(&self, lane: usize) -> f32;

    fn probe(&self, lane: usize) -> Self::Probe;

    /// Returns a bit mask of the four bodies that may overlap the probe.
    fn touched(&self, probe: &Self::Probe) -> u32;

    /// Returns the upper end of the box along the row, accurate to `slack`.
    fn end(&self, lane: usize, slack: f32) -> f32;

    /// Returns the ends of the box of a packed body, accurate to `slack`.
    fn ends(packed: &Packed<D>, slack: f32) -> ([f32; D], [f32; D]);

    /// Returns whether no point of the body moved by more than `most`, up to rounding.
    fn stays(from: &Packed<D>, to: &Packed<D>, most: f32) -> bool;

    /// Returns the lower ends of the box of a packed body.
    fn low(packed: &Packed<D>) -> [f64; D];

    /// Tests two packed bodies: returns whether they may overlap, and whether they overlap by more
    /// than `doubt` and so certainly do.
    fn meets(one: &Packed<D>, other: &Packed<D>, doubt: f32) -> (bool, bool);

    /// Returns the blocks of this kind.
    fn all(lanes: &Lanes<D>) -> &[Self];

    /// Returns the blocks of this kind, tags and rows for writing.
    fn parts_mut(lanes: &mut Lanes<D>) -> (&mut Vec<Self>, &mut Vec<u32>, &mut Vec<u32>);
}

/// Four boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxBlock<const D: usize> {
    low: [f32x4; D],
    up: [f32x4; D],
}

#[inline]
fn put(column: &mut f32x4, lane: usize, value: f32) {
    column.as_mut_array()[lane] = value;
}

/// Returns the smaller of two numbers that are not NaN: one instruction, where `f32::min` takes
/// four.
#[inline]
fn smaller(x: f32, y: f32) -> f32 {
    if x < y { x } else { y }
}

impl<const D: usize> Block<D> for BoxBlock<D> {
    /// Lower and upper ends.
    type Probe = ([f32x4; D], [f32x4; D]);

    fn idle() -> Self {
        Self {
            low: [f32x4::splat(f32::INFINITY); D],
            up: [f32x4::splat(f32::NEG_INFINITY); D],
        }
    }

    #[inline]
    fn pack(span: &Span<D>, slack: f64) -> Packed<D> {
        Packed {
            first: span.low.map(|x| (x - slack) as f32),
            second: span.up.map(|x| (x + slack) as f32),
        }
    }

    fn empty_lane(like: &Packed<D>) -> Packed<D> {
        Packed {
            first: like.first,
            second: [f32::NEG_INFINITY; D],
        }
    }

    #[inline]
    fn set(&mut self, lane: usize, packed: &Packed<D>) {
        for k in 0..D {
            put(&mut self.low[k], lane, packed.first[k]);
            put(&mut self.up[k], lane, packed.second[k]);
        }
    }

    #[inline]
    fn get(&self, lane: usize) -> Packed<D> {
        Packed {
            first: std::array::from_fn(|k| self.low[k].as_array()[lane]),
            second: std::array::from_fn(|k| self.up[k].as_array()[lane]),
        }
    }

    #[inline]
    fn key(&self, lane: usize) -> f32 {
        self.low[0].as_array()[lane]
    }

    #[inline]
    fn probe(&self, lane: usize) -> Self::Probe {
        let splat = |column: &f32x4| f32x4::splat(column.as_array()[lane]);
        (
            self.low.each_ref().map(splat),
            self.up.each_ref().map(splat),
        )
    }

    #[inline]
    fn touched(&self, (low, up): &Self::Probe) -> u32 {
        // The minimum depth over the axes, from either side; boxes overlap if it is not negative.
        let mut depth = (up[0] - self.low[0]).fast_min(self.up[0] - low[0]);
        for k in 1..D {
            depth = depth
                .fast_min(up[k] - self.low[k])
                .fast_min(self.up[k] - low[k]);
        }

        depth.simd_ge(f32x4::ZERO).to_bitmask()
    }

    #[inline]
    fn end(&self, lane: usize, _: f32) -> f32 {
        self.up[0].as_array()[lane]
    }

    #[inline]
    fn ends(packed: &Packed<D>, _: f32) -> ([f32; D], [f32; D]) {
        (packed.first, packed.second)
    }

    #[inline]
    fn stays(from: &Packed<D>, to: &Packed<D>, most: f32) -> bool {
        let near = |k: usize| {
            ((to.first[k] - from.first[k]).abs() <= most)
                & ((to.second[k] - from.second[k]).abs() <= most)
        };
        (0..D).fold(true, |all, k| all & near(k))
    }

    #[inline]
    fn low(packed: &Packed<D>) -> [f64; D] {
        packed.first.map(f64::from)
    }

    #[inline]
    fn meets(one: &Packed<D>, other: &Packed<D>, doubt: f32) -> (bool, bool) {
        let mut depth = f32::INFINITY;
        for k in 0..D {
            depth = smaller(
                depth,
                smaller(
                    one.second[k] - other.first[k],
                    other.second[k] - one.first[k],
                ),
            );
        }

        (depth >= 0.0, depth >= doubt)
    }

    fn all(lanes: &Lanes<D>) -> &[Self] {
        &lanes.boxes
    }

    fn parts_mut(lanes: &mut Lanes<D>) -> (&mut Vec<Self>, &mut Vec<u32>, &mut Vec<u32>) {
        (&mut lanes.boxes, &mut lanes.tags, &mut lanes.rows)
    }
}

/// Four balls: key, centre on all axes but the first, radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallBlock<const D: usize> {
    first: [f32x4; D],
    radius: f32x4,
}

impl<const D: usize> Block<D> for BallBlock<D> {
    /// Centre and radius.
    type Probe = ([f32x4; D], f32x4);

    fn idle() -> Self {
        Self {
            first: [f32x4::splat(f32::INFINITY); D],
            radius: f32x4::ZERO,
        }
    }

    #[inline]
    fn pack(span: &Span<D>, slack: f64) -> Packed<D> {
        let radius = 0.5 * (span.up[0] - span.low[0]) + 2.0 * slack;
        let mut first = [0.0; D];
        first[0] = (0.5 * (span.low[0] + span.up[0]) - radius) as f32;

        for k in 1..D {
            first[k] = (0.5 * (span.low[k] + span.up[k])) as f32;
        }

        Packed {
            first,
            second: [radius as f32; D],
        }
    }

    fn empty_lane(like: &Packed<D>) -> Packed<D> {
        let mut first = [f32::INFINITY; D];
        first[0] = like.first[0];
        Packed {
            first,
            second: [0.0; D],
        }
    }

    #[inline]
    fn set(&mut self, lane: usize, packed: &Packed<D>) {
        for k in 0..D {
            put(&mut self.first[k], lane, packed.first[k]);
        }
        put(&mut self.radius, lane, packed.second[0]);
    }

    #[inline]
    fn get(&self, lane: usize) -> Packed<D> {
        Packed {
            first: std::array::from_fn(|k| self.first[k].as_array()[lane]),
            second: [self.radius.as_array()[lane]; D],
        }
    }

    #[inline]
    fn key(&self, lane: usize) -> f32 {
        self.first[0].as_array()[lane]
    }

    #[inline]
    fn probe(&self, lane: usize) -> Self::Probe {
        let splat = |column: &f32x4| f32x4::splat(column.as_array()[lane]);
        let (mut centre, radius) = (self.first.each_ref().map(splat), splat(&self.radius));
        centre[0] += radius;
        (centre, radius)
    }

    #[inline]
    fn touched(&self, (centre, radius): &Self::Probe) -> u32 {
        let along = self.first[0] + self.radius - centre[0];
        let mut squared = along * along;
        for k in 1..D {
            let across = self.first[k] - centre[k];
            squared += across * across;
        }

        let reach = self.radius + *radius;
        squared.simd_le(reach * reach).to_bitmask()
    }

    #[inline]
    fn end(&self, lane: usize, slack: f32) -> f32 {
        let radius = self.radius.as_array()[lane];
        self.first[0].as_array()[lane] + radius + radius + slack
    }

    #[inline]
    fn ends(packed: &Packed<D>, slack: f32) -> ([f32; D], [f32; D]) {
        let radius = packed.second[0];
        let (mut low, mut up) = (packed.first, packed.first.map(|x| x + radius + slack));
        up[0] += radius;
        low[1..].iter_mut().for_each(|x| *x -= radius + slack);
        (low, up)
    }

    #[inline]
    fn stays(from: &Packed<D>, to: &Packed<D>, most: f32) -> bool {
        let growth = to.second[0] - from.second[0];
        let along = to.first[0] - from.first[0] + growth;
        let mut squared = along * along;

        for k in 1..D {
            squared += (to.first[k] - from.first[k]) * (to.first[k] - from.first[k]);
        }

        // Compare squares: a square root would take as long as everything else together.
        let most = most - growth.abs();
        (most >= 0.0) & (squared <= most * most)
    }

    #[inline]
    fn low(packed: &Packed<D>) -> [f64; D] {
        let mut low = packed.first.map(f64::from);
        low[1..]
            .iter_mut()
            .for_each(|x| *x -= f64::from(packed.second[0]));
        low
    }

    #[inline]
    fn meets(one: &Packed<D>, other: &Packed<D>, doubt: f32) -> (bool, bool) {
        let reach = one.second[0] + other.second[0];
        let along = one.first[0] + one.second[0] - (other.first[0] + other.second[0]);
        let mut squared = along * along;

        for k in 1..D {
            squared += (one.first[k] - other.first[k]) * (one.first[k] - other.first[k]);
        }

        // Nothing is certain if the reach is less than the doubt.
        let sure = if reach > doubt { reach - doubt } else { 0.0 };
        (squared <= reach * reach, squared < sure * sure)
    }

    fn all(lanes: &Lanes<D>) -> &[Self] {
        &lanes.balls
    }

    fn parts_mut(lanes: &mut Lanes<D>) -> (&mut Vec<Self>, &mut Vec<u32>, &mut Vec<u32>) {
        (&mut lanes.balls, &mut lanes.tags, &mut lanes.rows)
    }
}

/// Resizes without preserving the contents, and with little spare capacity: doubling would waste
/// half of the memory.
pub(super) fn resize_snugly<T: Clone>(items: &mut Vec<T>, count: usize, blank: T) {
    if count > items.capacity() {
        items.clear();
        items.reserve_exact(count + count / 32);
    }
    items.resize(count, blank);
}

/// All bodies in sorted order. Only one of the two kinds of blocks is in use. Some lanes are empty,
/// so that tasks can write whole blocks.
#[derive(Clone, Debug)]
pub(super) struct Lanes<const D: usize> {
    boxes: Vec<BoxBlock<D>>,
    balls: Vec<BallBlock<D>>,
    /// Four per block.
    pub(super) tags: Vec<u32>,
    /// Row of each lane; only used to find where rows begin.
    pub(super) rows: Vec<u32>,
}

impl<const D: usize> Default for Lanes<D> {
    fn default() -> Self {
        Self {
            boxes: Vec::new(),
            balls: Vec::new(),
            tags: Vec::new(),
            rows: Vec::new(),
        }
    }
}

impl<const D: usize> Lanes<D> {
    /// Resizes to this number of blocks; the contents must be overwritten.
    pub(super) fn resize<K: Block<D>>(&mut self, blocks: usize) {
        self.resize_blocks::<K>(blocks);
        let (_, tags, rows) = K::parts_mut(self);
        resize_snugly(tags, blocks * LANES, EMPTY_LANE);
        resize_snugly(rows, blocks * LANES, 0);
    }

    /// Like `resize`, for blocks without tags and rows.
    pub(super) fn resize_blocks<K: Block<D>>(&mut self, blocks: usize) {
        resize_snugly(K::parts_mut(self).0, blocks, K::idle());
    }

    /// Returns the memory in use in bytes.
    pub(super) fn memory(&self) -> usize {
        self.boxes.capacity() * size_of::<BoxBlock<D>>()
            + self.balls.capacity() * size_of::<BallBlock<D>>()
            + (self.tags.capacity() + self.rows.capacity()) * 4
    }
}
