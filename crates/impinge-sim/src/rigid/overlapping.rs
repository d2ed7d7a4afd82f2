//! Bodies that overlap before the first step.
//!
//! A force from overlap would eject them with an energy that was never put in. The initial overlap
//! is therefore excluded: it exerts no force, while any overlap beyond it acts as usual. As the
//! bodies separate, the excluded measure shrinks with the intersection and never grows again.

use super::Rigid;
use super::contacts::{History, Meeting, Other};
use super::form::{RigidShape, lowered};
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
            let depth = self.depth(meeting);
            if depth <= TOUCHING * self.casts[self.bodies[meeting.a as usize].form as usize].size {
                continue;
            }

            self.histories.push(History {
                a: meeting.a,
                other: meeting.other,
                normal: meeting.normal,
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

    /// Returns the distance by which the two would have to separate along the normal; for a
    /// triangle mesh an estimate, as for flat bodies.
    fn depth(&self, meeting: &Meeting) -> f64 {
        let height = |body: usize, sign: f64| {
            let pose = self.pose(body)?;
            Some(
                self.form(body)
                    .height(&pose, &lowered::<D>(&(meeting.normal * sign))),
            )
        };
        let below = height(meeting.a as usize, 1.0);

        let depth = match meeting.other {
            Other::Body(b) => below.zip(height(b as usize, -1.0)).map(|(a, b)| a + b),
            Other::HalfSpace(wall) => {
                let half = self.floors[wall as usize].now::<D>(self.time);
                below
                    .zip(half)
                    .map(|(a, half)| a + half.normal().dot(&half.point().coords))
            }
            Other::Mesh(_) => Some(2.0 * meeting.lever),
        };

        depth.unwrap_or(0.0)
    }
}
