//! Eight f32 boxes side by side (SIMD), rounded outward.

use crate::space::{Aabb, Point, Vector};
use fearless_simd::{f32x8, mask32x8, prelude::*};

/// Number of boxes per group, and of children per node.
pub(super) const LANES: usize = 8;

/// Coordinates are clamped here, far from overflow; clamping preserves their order, so no overlap
/// is lost.
const LARGEST: f64 = 1e37;

/// Exceeds the rounding from f64 to f32 and of the widening itself: two units in the last place.
const WIDER: f32 = 2.4e-7;

/// Smaller than any relevant difference, so that zero is widened too.
const LEAST: f32 = 1e-37;

/// A box in f32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box32 {
    pub(super) low: [f32; 3],
    pub(super) up: [f32; 3],
}

/// Eight boxes; missing ones are empty and overlap nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    low: [[f32; LANES]; 3],
    up: [[f32; LANES]; 3],
}

/// Rounds a coordinate down and up.
#[inline]
fn widened(value: f64) -> [f32; 2] {
    let near = value.clamp(-LARGEST, LARGEST) as f32;
    let slack = near.abs() * WIDER + LEAST;
    [near - slack, near + slack]
}

/// Rounds a point down and up.
#[inline]
pub(super) fn rounded(point: &Vector<3>) -> [[f32; 3]; 2] {
    let ends = [point.x, point.y, point.z].map(widened);
    [ends.map(|e| e[0]), ends.map(|e| e[1])]
}

impl Box32 {
    pub(super) const EMPTY: Self = Self {
        low: [f32::INFINITY; 3],
        up: [f32::NEG_INFINITY; 3],
    };

    /// Sum of the edge lengths, used to measure the growth of a box.
    pub(super) fn size(&self) -> f32 {
        (0..3).map(|axis| self.up[axis] - self.low[axis]).sum()
    }
}

impl Lanes {
    pub(super) const EMPTY: Self = Self {
        low: [[f32::INFINITY; LANES]; 3],
        up: [[f32::NEG_INFINITY; LANES]; 3],
    };

    #[inline]
    pub(super) fn set(&mut self, lane: usize, bounds: &Box32) {
        for axis in 0..3 {
            self.low[axis][lane] = bounds.low[axis];
            self.up[axis][lane] = bounds.up[axis];
        }
    }

    #[inline]
    pub(super) fn get(&self, lane: usize) -> Box32 {
        Box32 {
            low: self.low.map(|low| low[lane]),
            up: self.up.map(|up| up[lane]),
        }
    }

    /// Returns the eight boxes separately.
    #[inline]
    pub(super) fn each(&self) -> [Box32; LANES] {
        let mut boxes = [Box32::EMPTY; LANES];
        for (lane, place) in boxes.iter_mut().enumerate() {
            *place = self.get(lane);
        }
        boxes
    }

    /// The box around all eight.
    #[inline]
    pub(super) fn around(&self) -> Box32 {
        Box32 {
            low: self
                .low
                .map(|low| low.into_iter().fold(f32::INFINITY, f32::min)),
            up: self
                .up
                .map(|up| up.into_iter().fold(f32::NEG_INFINITY, f32::max)),
        }
    }

    /// Returns which of the eight boxes overlap the query, one bit each.
    #[inline(always)]
    pub(super) fn overlapped<S: Simd>(&self, simd: S, query: &Box32) -> u32 {
        let mut mask = mask32x8::splat(simd, true);
        for axis in 0..3 {
            let (low, up) = (
                f32x8::splat(simd, query.low[axis]),
                f32x8::splat(simd, query.up[axis]),
            );
            mask &= f32x8::from_slice(simd, &self.low[axis]).simd_le(up);
            mask &= f32x8::from_slice(simd, &self.up[axis]).simd_ge(low);
        }

        mask.to_bitmask() as u32
    }

    /// Returns the boxes relative to another centre, again rounded outward.
    pub(super) fn moved(&self, shift: &Vector<3>) -> Self {
        if *shift == Vector::<3>::zeros() {
            return *self;
        }

        let mut moved = *self;
        for axis in 0..3 {
            for lane in 0..LANES {
                // An empty box stays empty.
                if self.low[axis][lane] <= self.up[axis][lane] {
                    moved.low[axis][lane] =
                        widened(f64::from(self.low[axis][lane]) + shift[axis])[0];
                    moved.up[axis][lane] = widened(f64::from(self.up[axis][lane]) + shift[axis])[1];
                }
            }
        }

        moved
    }
}

impl Box32 {
    /// The box in f64.
    pub(super) fn placed(&self, centre: &Point<3>) -> Aabb<3> {
        let at = |ends: [f32; 3]| centre + Vector::from(ends.map(f64::from));
        Aabb::new(at(self.low), at(self.up))
    }
}
