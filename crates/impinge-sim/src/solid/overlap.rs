//! Overlaps of solids and their depths.

use super::Solids;
use super::penalty::{NodeContact, Other};
use crate::matter::{Matter, StepError};

/// Depth, in element sizes, up to which surfaces count as just touching: adjacent blocks overlap by
/// rounding.
const TOUCHING: f64 = 1e-9;

/// The object that a solid overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolidNeighbour {
    /// Index of a solid; its own if it overlaps itself.
    Solid(usize),
    /// Index of a half-space.
    HalfSpace(usize),
    /// The number passed to `press_barrier`.
    Barrier(usize),
}

/// An overlap of a solid with another object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidOverlap {
    /// Index of the solid, the lower one of two.
    pub solid: usize,
    /// The object it overlaps.
    pub other: SolidNeighbour,
    /// Penetration depth of the deepest node or vertex, m.
    pub depth: f64,
}

impl Solids {
    /// Finds the present overlaps, deepest first, without moving anything: runs the contact search of a
    /// step on a copy, including contacts with barriers, which `press` adds.
    pub fn overlaps(
        &self,
        press: impl FnOnce(&mut Self, f64) -> Result<(), StepError>,
    ) -> Result<Vec<SolidOverlap>, StepError> {
        let (mut copy, dt) = (self.clone(), self.stable_step());
        copy.contacts_now.clear();
        copy.interact(dt)?;
        press(&mut copy, dt)?;

        let mut found: Vec<SolidOverlap> = copy.contacts_now.iter().map(SolidOverlap::of).collect();
        found.retain(|overlap| overlap.depth > TOUCHING * self.solids[overlap.solid].size());
        found.sort_by(|a, b| {
            let pair = |overlap: &SolidOverlap| (overlap.solid, overlap.other);
            pair(a).cmp(&pair(b)).then(b.depth.total_cmp(&a.depth))
        });
        found.dedup_by_key(|overlap| (overlap.solid, overlap.other));
        found.sort_by(|a, b| b.depth.total_cmp(&a.depth));

        Ok(found)
    }
}

impl SolidOverlap {
    fn of(contact: &NodeContact) -> Self {
        let (key, depth) = (contact.key(), contact.depth());
        let (solid, other) = match key.other {
            Other::Solid(other) => {
                let [low, high] = [key.solid.min(other), key.solid.max(other)];
                (low, SolidNeighbour::Solid(high as usize))
            }
            Other::HalfSpace(half) => (key.solid, SolidNeighbour::HalfSpace(half as usize)),
            Other::Barrier(number) => (key.solid, SolidNeighbour::Barrier(number as usize)),
        };

        Self {
            solid: solid as usize,
            other,
            depth,
        }
    }
}
