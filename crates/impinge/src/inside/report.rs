//! The interface of the point-location methods, and the counts of their results.

use super::Position;
use crate::space::Point;
use std::ops::AddAssign;

/// A method, prepared for a surface.
pub(crate) trait Locate: Sync {
    /// Locates a point that lies within the surface's bounding box. `row` is its index in the list.
    fn locate(&self, row: usize, point: &Point<3>, report: &mut Report) -> Position;
}

/// Counts of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Report {
    /// Points inside the body.
    pub inside: usize,
    /// Points outside the body.
    pub outside: usize,
    /// Points on the surface.
    pub boundary: usize,
    /// Rays that met a degeneracy and were redrawn.
    pub rays_redrawn: u64,
    /// Points that an approximate method passed on to exact ray crossing.
    pub decided_by_rays: u64,
}

impl AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.inside += other.inside;
        self.outside += other.outside;
        self.boundary += other.boundary;
        self.rays_redrawn += other.rays_redrawn;
        self.decided_by_rays += other.decided_by_rays;
    }
}

impl Report {
    /// Counts the positions of a list.
    pub fn of(positions: &[Position]) -> Self {
        let mut report = Self::default();
        positions.iter().for_each(|position| report.count(position));
        report
    }

    pub(super) fn count(&mut self, position: &Position) {
        match position {
            Position::Inside => self.inside += 1,
            Position::Outside => self.outside += 1,
            Position::On(_) => self.boundary += 1,
        }
    }
}
