//! Input and output of the force loop over one block of particles.

use super::arrays::{Load, Motion};
use super::list::Entry;
use super::overlap::ParticleOverlaps;
use super::periodic::Box3;
use crate::law::Table;
use fearless_simd::Level;
use impinge::bound::Ball;
use impinge::space::Vector;

/// A force on a particle of a later block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    pub(super) place: u32,
    pub(super) load: Load,
}

/// Buffers of one chunk: blocks that one task computes.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Indexed by the chunk of the receiver.
    pub(super) passed: Vec<Vec<Passed>>,
    pub(super) touching: usize,
    pub(super) overlaps: ParticleOverlaps,
    /// Σ F_k r_k over its contacts, if the periodic box deforms.
    pub(super) virial: [f64; 3],
}

impl Chunk {
    /// Clears the data of the last step.
    pub(super) fn clear(&mut self, chunks: usize) {
        self.passed.resize_with(chunks, Vec::new);
        self.passed.iter_mut().for_each(Vec::clear);
        self.touching = 0;
        self.overlaps.clear();
        self.virial = [0.0; 3];
    }

    /// Records a force on a particle of a later block. `starts` are the first places of the chunks.
    #[inline(always)]
    pub(super) fn pass(&mut self, place: usize, starts: &[u32], load: &Load) {
        let place = place as u32;
        let to = starts.partition_point(|&start| start <= place) - 1;
        self.passed[to].push(Passed { place, load: *load });
    }
}

/// Data read by all chunks.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) balls: &'a [Ball<3>],
    pub(super) motions: &'a [Motion],
    pub(super) species: &'a [u16],
    pub(super) ids: &'a [u32],
    /// Whether all particles are of one species.
    pub(super) alike: bool,
    pub(super) table: &'a Table,
    pub(super) period: &'a Box3,
    /// First place of each chunk.
    pub(super) starts: &'a [u32],
    pub(super) dt: f64,
    pub(super) level: Level,
}

/// Data written by one block.
pub(super) struct Job<'a> {
    pub(super) first: usize,
    pub(super) loads: &'a mut [Load],
    pub(super) entries: &'a mut [Entry],
    pub(super) springs: &'a mut [Vector<3>],
    pub(super) rolled: &'a mut [Vector<3>],
    pub(super) chunk: &'a mut Chunk,
}
