//! Overlaps of particles with each other and with obstacles, and centres that crossed a surface.
//!
//! The force loops collect this at every step, because they compute all depths anyway. One comparison
//! per contact finds the deepest; further work is done only for the few contacts that pass it.

use impinge::space::Pose;
use serde::{Deserialize, Serialize};

use super::arrays::Arrays;
use crate::Obstacle;
use crate::obstacle::{Shape, SurfacePoint};
use impinge::narrow::triangle::segment_touches;

/// Overlap, in diameters of the smaller particle, above which every contact is recorded.
pub const DEEP_OVERLAP: f64 = 0.45;

/// The partner of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OverlapPartner {
    /// Another particle, by its id.
    Particle(u32),
    /// An obstacle, by its index.
    Obstacle(u32),
}

/// The overlap of a particle with another one or with an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleOverlap {
    /// Overlap in diameters of the smaller particle.
    pub share: f64,
    /// The id of the particle; the lower one of two.
    pub particle: u32,
    /// What it overlaps.
    pub partner: OverlapPartner,
}

impl ParticleOverlap {
    /// Returns whether it is deeper; ties are broken by the lower ids.
    fn is_above(&self, other: &Self) -> bool {
        let bodies = |overlap: &Self| (overlap.particle, overlap.partner);
        self.share > other.share || (self.share == other.share && bodies(self) < bodies(other))
    }
}

/// The overlaps of the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleOverlaps {
    deepest: Option<ParticleOverlap>,
    deep: Vec<ParticleOverlap>,
    crossings: Vec<(u32, u32)>,
    /// Deepest overlap on any rank.
    share: f64,
    /// Depth in radii above which a contact is recorded here.
    pub(super) limit: f64,
}

impl ParticleOverlaps {
    /// Returns the largest overlap of the last step, in diameters of the smaller particle.
    pub fn largest_share(&self) -> f64 {
        self.deepest
            .map_or(self.share, |own| own.share.max(self.share))
    }

    /// Returns the deepest overlap of the last step. In a distributed run it is that of all ranks if
    /// it is the deepest so far, else that of this rank.
    pub fn deepest(&self) -> Option<&ParticleOverlap> {
        self.deepest.as_ref()
    }

    /// Returns all overlaps of the last step above [`DEEP_OVERLAP`].
    pub fn deep(&self) -> &[ParticleOverlap] {
        &self.deep
    }

    /// Returns the particles whose centre crossed the surface of an obstacle in the last step, with
    /// the index of the obstacle.
    pub fn crossings(&self) -> &[(u32, u32)] {
        &self.crossings
    }

    pub(super) fn clear(&mut self) {
        self.deepest = None;
        self.deep.clear();
        self.crossings.clear();
        self.limit = 0.0;
        self.share = 0.0;
    }

    /// Records a contact deeper than `limit`.
    pub(super) fn add(&mut self, overlap: ParticleOverlap) {
        if self
            .deepest
            .is_none_or(|deepest| overlap.is_above(&deepest))
        {
            self.deepest = Some(overlap);
            // Slightly less, so that an equal one is seen whatever the rounding.
            self.limit = 2.0 * overlap.share.min(DEEP_OVERLAP) * (1.0 - 8.0 * f64::EPSILON);
        }

        if overlap.share >= DEEP_OVERLAP {
            self.deep.push(overlap);
        }
    }

    /// Sorts the lists by ids.
    pub(super) fn sort(&mut self) {
        self.deep
            .sort_by_key(|overlap| (overlap.particle, overlap.partner));
        self.crossings.sort_unstable();
    }

    pub(super) fn add_crossing(&mut self, particle: u32, obstacle: u32) {
        self.crossings.push((particle, obstacle));
    }

    /// Adds the overlaps of another part, after its own.
    pub(super) fn extend(&mut self, other: &Self) {
        if let Some(deepest) = other.deepest
            && self.deepest.is_none_or(|own| deepest.is_above(&own))
        {
            self.deepest = Some(deepest);
        }

        self.deep.extend_from_slice(&other.deep);
        self.crossings.extend_from_slice(&other.crossings);
    }
}

impl ParticleOverlaps {
    /// Returns whether some overlaps must be shared with all ranks.
    pub(super) fn has_deep(&self) -> bool {
        !self.deep.is_empty() || !self.crossings.is_empty()
    }

    /// Sets the largest overlap on any rank.
    pub(super) fn set_share(&mut self, share: f64) {
        self.share = share;
    }

    /// Returns everything as words.
    pub(super) fn to_words(&self) -> Vec<u64> {
        let deepest = self.deepest.as_slice();
        let mut words = vec![deepest.len() as u64, self.deep.len() as u64];
        for overlap in deepest.iter().chain(&self.deep) {
            let (kind, number) = match overlap.partner {
                OverlapPartner::Particle(id) => (0, id),
                OverlapPartner::Obstacle(number) => (1, number),
            };
            words.push(overlap.share.to_bits());
            words.extend([overlap.particle, kind, number].map(u64::from));
        }
        for &(particle, obstacle) in &self.crossings {
            words.extend([particle, obstacle].map(u64::from));
        }

        words
    }

    /// Adds those of another rank.
    pub(super) fn add_words(&mut self, words: &[u64]) {
        let [deepest, deep] = [words[0], words[1]].map(|count| count as usize);
        let (overlaps, crossings) = words[2..].split_at(4 * (deepest + deep));
        let overlap = |words: &[u64]| ParticleOverlap {
            share: f64::from_bits(words[0]),
            particle: words[1] as u32,
            partner: match words[2] {
                0 => OverlapPartner::Particle(words[3] as u32),
                _ => OverlapPartner::Obstacle(words[3] as u32),
            },
        };
        let mut overlaps = overlaps.chunks(4).map(overlap);
        let other = Self {
            deepest: overlaps.by_ref().take(deepest).last(),
            deep: overlaps.collect(),
            crossings: crossings
                .chunks(2)
                .map(|two| (two[0] as u32, two[1] as u32))
                .collect(),
            ..Self::default()
        };
        self.extend(&other);
    }

    /// Drops repetitions: a pair of two ranks is recorded on both.
    pub(super) fn dedup(&mut self) {
        self.sort();
        self.deep
            .dedup_by_key(|overlap| (overlap.particle, overlap.partner));
        self.crossings.dedup();
    }
}

impl Obstacle {
    /// Returns whether a particle that touches it crossed its surface in the last step.
    ///
    /// The test is complete: a centre that crossed the surface is now no farther from it than it
    /// moved, and a step that moves a particle by more than its radius is an error. It therefore
    /// still touches the surface that it crossed.
    pub(super) fn is_crossed(
        &self,
        arrays: &Arrays,
        place: usize,
        foot: &SurfacePoint,
        faces: &[u32],
        dt: f64,
    ) -> bool {
        let centre = arrays.balls[place].centre;
        let before = centre - arrays.motions[place].velocity * dt;
        let pose: &Pose<3> = self.last_pose.as_ref().unwrap_or(&self.pose);
        let (from, to) = (pose.to_local(&before), self.pose.to_local(&centre));

        match &self.shape {
            Shape::HalfSpace(half) => {
                let height = |point| half.normal().dot(&(point - half.point()));
                height(from) >= 0.0 && height(to) < 0.0
            }
            Shape::Sphere(radius) => from.coords.norm() >= *radius && to.coords.norm() < *radius,
            Shape::Mesh(mesh) => {
                // The surface moved, too, if it deforms.
                let from = from + mesh.velocity_at(foot) * dt;
                let corners = |face: u32| mesh.triangles[face as usize];
                foot.distance * foot.distance <= (to - from).norm_squared()
                    && faces.iter().any(|&face| {
                        let corners = corners(face).map(|node| mesh.points[node as usize]);
                        segment_touches(&from, &to, &corners)
                    })
            }
        }
    }
}
