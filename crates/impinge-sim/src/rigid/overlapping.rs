//! Bodies that overlap before the first step.
//!
//! A force from overlap would eject them with an energy that was never put in. The initial overlap
//! is therefore excluded: it exerts no force, while any overlap beyond it acts as usual. As the
//! bodies separate, the excluded measure shrinks with the intersection and never grows again.

use super::Rigid;
use super::contacts::{History, Other};
use super::law::Spring;
use super::shape::RigidShape;
use crate::{BodyKind, BodyRef, StepError};

/// Depth, in body sizes, up to which bodies count as just touching: placed side by side they differ
/// by rounding.
const TOUCHING: f64 = 1e-9;

/// A pair that overlaps at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartOverlap {
    /// Index of the body.
    pub body: usize,
    /// The body or wall it overlaps; walls are numbered in the order in which they were added.
    pub other: BodyRef,
    /// Overlap depth, m.
    pub depth: f64,
}

impl<F: RigidShape<D>, const D: usize> Rigid<F, D> {
    /// Excludes the present overlaps from the forces; call it before the first step. Returns the
    /// overlapping pairs and their depths.
    pub fn exclude_overlaps(&mut self) -> Result<Vec<StartOverlap>, StepError> {
        self.exclude_new_overlaps(0, 0)
    }

    /// Excludes the present overlaps of bodies and walls that were added from a given index on.
    pub(crate) fn exclude_new_overlaps(
        &mut self,
        bodies: usize,
        walls: usize,
    ) -> Result<Vec<StartOverlap>, StepError> {
        self.meet()?;
        let overlapping = std::mem::take(&mut self.work.overlapping);
        let mut histories = std::mem::take(&mut self.histories);
        let is_new = |a: u32, other: Other| {
            let other = self.other_of(other);
            let known = match other.kind {
                BodyKind::Body => bodies,
                _ => walls,
            };
            a as usize >= bodies || other.index as usize >= known
        };
        histories.retain(|history| !is_new(history.a, history.other));
        let mut found = Vec::new();

        for meeting in overlapping.iter().filter(|m| is_new(m.a, m.other)) {
            let depth = meeting.depth;
            if depth <= TOUCHING * self.shapes[self.bodies[meeting.a as usize].shape as usize].size
            {
                continue;
            }

            histories.push(History {
                a: meeting.a,
                other: meeting.other,
                normal: meeting.normal,
                arm: self.arm(meeting),
                spring: Spring::default(),
                pressed: 0.0,
                excluded: meeting.measure,
            });

            found.push(StartOverlap {
                body: meeting.a as usize,
                other: self.other_of(meeting.other),
                depth,
            });
        }

        histories.sort_by_key(|history| (history.a, history.other));
        (self.work.overlapping, self.histories) = (overlapping, histories);
        Ok(found)
    }
}
