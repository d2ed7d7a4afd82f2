//! Bodies that overlap before the first step.
//!
//! A force from overlap would eject them with an energy that was never put in. The initial overlap
//! is therefore excluded: it exerts no force, while any overlap beyond it acts as usual. As the
//! bodies separate, the excluded measure shrinks with the intersection and never grows again.

use super::Rigid;
use super::contacts::{History, Other};
use super::form::RigidShape;
use super::law::Spring;
use crate::StepError;

/// Depth, in body sizes, up to which bodies count as just touching: placed side by side they differ
/// by rounding.
const TOUCHING: f64 = 1e-9;

/// The object that a body overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Index of another body.
    Body(usize),
    /// Index of a half-space.
    HalfSpace(usize),
    /// Index of a triangle mesh wall.
    Mesh(usize),
}

/// A pair that overlaps at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartOverlap {
    /// Index of the body.
    pub body: usize,
    /// The object it overlaps.
    pub other: Neighbour,
    /// Overlap depth, m.
    pub depth: f64,
}

impl<F: RigidShape<D>, const D: usize> Rigid<F, D> {
    /// Excludes the present overlaps from the forces; call it before the first step. Returns the
    /// overlapping pairs and their depths.
    pub fn forgive_overlaps(&mut self) -> Result<Vec<StartOverlap>, StepError> {
        self.meet()?;
        let meetings = std::mem::take(&mut self.work.meetings);
        let mut found = Vec::new();
        self.histories.clear();

        for meeting in &meetings {
            let depth = meeting.depth;
            if depth <= TOUCHING * self.casts[self.bodies[meeting.a as usize].form as usize].size {
                continue;
            }

            self.histories.push(History {
                a: meeting.a,
                other: meeting.other,
                normal: meeting.normal,
                arm: self.arm(meeting),
                spring: Spring::default(),
                pressed: 0.0,
                forgiven: meeting.measure,
            });

            let other = match meeting.other {
                Other::Body(b) => Neighbour::Body(b as usize),
                Other::HalfSpace(wall) => Neighbour::HalfSpace(wall as usize),
                Other::Mesh(wall) => Neighbour::Mesh(wall as usize),
            };

            found.push(StartOverlap {
                body: meeting.a as usize,
                other,
                depth,
            });
        }

        self.work.meetings = meetings;
        Ok(found)
    }
}
