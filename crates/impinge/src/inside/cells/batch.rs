//! Many points: empty cells answer at once; the points of the other cells are visited cell by cell.

use super::node::Kind;
use super::{LabelledCells, Position, position_of};
use crate::space::Point;
use rayon::prelude::*;

/// Points in one task. Large, so that points in scattered order meet each other's cells.
const CHUNK: usize = 1 << 16;

/// Leaves so many numbers apart are taken to be apart in memory, too.
const NEAR: u64 = 64;

/// Where fewer than one in this many points jumps to a leaf that is not near, sorting costs more than it saves.
const JUMPS_WORTH_SORTING: usize = 4;

impl LabelledCells {
    /// Where each point is, exactly and in the order of the points, whatever the number of threads.
    pub fn positions(&self, points: &[Point<3>], positions: &mut Vec<Position>) {
        positions.clear();
        positions.resize(points.len(), Position::Outside);
        let tasks = points
            .par_chunks(CHUNK)
            .zip(positions.par_chunks_mut(CHUNK));
        tasks.for_each_init(Vec::new, |later, (points, positions)| {
            self.chunk(points, positions, later)
        });
    }

    /// `later` is memory to reuse: the visits of leaves that points ask for, as leaf · 2³² + point.
    fn chunk(&self, points: &[Point<3>], positions: &mut [Position], later: &mut Vec<u64>) {
        later.clear();
        for (i, (point, position)) in points.iter().zip(positions.iter_mut()).enumerate() {
            let node = self.find(point);
            match node.label() {
                Some(inside) => *position = position_of(inside),
                None => match node.kind() {
                    Kind::Leaf(leaf) => later.push(u64::from(leaf) << 32 | i as u64),
                    _ => *position = self.position_in(node, point),
                },
            }
        }
        if is_scattered(later) {
            later.sort_unstable();
        }
        for &visit in later.iter() {
            let (leaf, i) = ((visit >> 32) as usize, visit as u32 as usize);
            positions[i] = self.leaves[leaf]
                .view(&self.groups)
                .position(&self.surface, &points[i]);
        }
    }
}

/// Whether points in this order keep jumping between leaves.
fn is_scattered(visits: &[u64]) -> bool {
    let jumps = visits
        .windows(2)
        .filter(|w| (w[0] >> 32).abs_diff(w[1] >> 32) > NEAR)
        .count();
    jumps * JUMPS_WORTH_SORTING > visits.len()
}
