//! Location of many points: empty cells are answered immediately; the points of other cells are
//! processed cell by cell.

use super::node::Kind;
use super::{LabelledCells, Position, position_of};
use crate::parallel::prelude::*;
use crate::space::Point;
use std::cell::RefCell;

/// Points per task. Large, so that points in scattered order share cells.
const CHUNK: usize = 1 << 16;

/// Leaves whose indices differ by more than this are assumed to be far apart in memory, too.
const NEAR: u64 = 64;

/// If fewer than one in this many points jumps to a distant leaf, sorting costs more than it saves.
const JUMPS_WORTH_SORTING: usize = 4;

impl LabelledCells {
    /// Locates the points exactly. Results are in the order of the points, whatever the number of
    /// threads.
    pub fn positions(&self, points: &[Point<3>], positions: &mut Vec<Position>) {
        positions.clear();
        positions.resize(points.len(), Position::Outside);
        let tasks = points
            .par_chunks(CHUNK)
            .zip(positions.par_chunks_mut(CHUNK));

        tasks.for_each(|(points, positions)| {
            let mut later = LATER.take();
            self.chunk(points, positions, &mut later);
            LATER.set(later);
        });
    }

    /// Locates one chunk. `later` is reused memory for the pending visits of leaves, as leaf ·
    /// 2³² + point.
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

thread_local! {
    /// Pending visits of leaves, reused from chunk to chunk.
    static LATER: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Returns whether points in this order keep jumping between distant leaves.
fn is_scattered(visits: &[u64]) -> bool {
    let jumps = visits
        .windows(2)
        .filter(|w| (w[0] >> 32).abs_diff(w[1] >> 32) > NEAR)
        .count();
    jumps * JUMPS_WORTH_SORTING > visits.len()
}
