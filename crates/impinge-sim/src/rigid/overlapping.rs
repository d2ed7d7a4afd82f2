//! Bodies that overlap before the first step.
//!
//! A force from overlap would throw them apart with an energy that nobody put in. What they have in common at the start is
//! forgiven instead: it pushes nothing, what comes on top of it pushes as ever, and as they part the forgiven measure
//! shrinks with the common one, never to grow again.

use super::Rigid;
use super::contacts::{History, Meeting, Other};
use super::form::{RigidShape, lowered};
use super::law::Spring;
use crate::StepError;

/// Depth, in sizes of the body, up to which bodies are taken to touch: placed side by side they differ by rounding.
const TOUCHING: f64 = 1e-9;

/// What a body overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Number of another body.
    Body(usize),
    /// Number of a half-space.
    HalfSpace(usize),
    /// Number of a wall of triangles.
    Mesh(usize),
}

/// Two that overlap at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartOverlap {
    /// Number of the body.
    pub body: usize,
    /// What it overlaps.
    pub other: Neighbour,
    /// By how much, m.
    pub depth: f64,
}

impl<F: RigidShape<D>, const D: usize> Rigid<F, D> {
    /// Forgives what overlaps now, to be called before the first step; returns who does and how deep.
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

    /// How far two would have to part along the normal. Of a wall of triangles, about: as flat bodies would.
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
