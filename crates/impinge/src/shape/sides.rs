//! Matching of cell sides: finds the faces between cells.
//!
//! Sides are grouped by their lowest node with a counting sort, then by their other corners within
//! each small group. This takes O(sides) for any mesh whose nodes have a bounded number of
//! neighbours, O(sides · log sides) in the worst case, and no hashing. A million tetrahedra take
//! about a third of a second.

use super::NO_NEIGHBOUR;

/// The corners of a side in ascending order, padded with `u32::MAX`.
pub(crate) type SideKey = [u32; 4];

/// The result of matching sides.
#[derive(Clone, Debug)]
pub(crate) struct Matching {
    /// The side across each side; [`NO_NEIGHBOUR`] if there is not exactly one.
    pub(crate) mates: Vec<u32>,
    /// The first side of each face shared by more than two sides, in ascending order.
    pub(crate) crowded: Vec<u32>,
}

/// Matches sides with the same corners. Sides come with their numbers, which are below
/// `side_count`, and refer to nodes below `node_count`; the iterator is traversed twice.
pub(crate) fn match_sides(
    node_count: usize,
    side_count: usize,
    sides: impl Iterator<Item = (u32, SideKey)> + Clone,
) -> Matching {
    let mut ends = vec![0u32; node_count + 1];
    sides
        .clone()
        .for_each(|(_, key)| ends[key[0] as usize + 1] += 1);

    for i in 0..node_count {
        ends[i + 1] += ends[i];
    }

    let mut entries = vec![0u128; ends[node_count] as usize];
    for (side, key) in sides {
        // The start of the node's entries advances with each one, and finally becomes their end.
        let place = &mut ends[key[0] as usize];
        entries[*place as usize] = packed(key, side);
        *place += 1;
    }

    let mut matching = Matching {
        mates: vec![NO_NEIGHBOUR; side_count],
        crowded: Vec::new(),
    };
    let mut start = 0;

    for &end in &ends[..node_count] {
        matching.enter_node(&mut entries[start..end as usize]);
        start = end as usize;
    }

    matching.crowded.sort_unstable();
    matching
}

impl Matching {
    fn enter_node(&mut self, entries: &mut [u128]) {
        entries.sort_unstable();
        for group in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
            match *group {
                [_] => {}
                [a, b] => {
                    self.mates[a as u32 as usize] = b as u32;
                    self.mates[b as u32 as usize] = a as u32;
                }
                [first, ..] => self.crowded.push(first as u32),
                [] => unreachable!("a group has a member"),
            }
        }
    }
}

/// All corners except the lowest, then the side's number: sorted as one integer, the sides of one
/// face are adjacent.
fn packed(key: SideKey, side: u32) -> u128 {
    u128::from(key[1]) << 96
        | u128::from(key[2]) << 64
        | u128::from(key[3]) << 32
        | u128::from(side)
}

/// The key of a side with two to four corners.
#[inline]
pub(crate) fn side_key(corners: &[u32]) -> SideKey {
    let mut key = [u32::MAX; 4];
    key[..corners.len()].copy_from_slice(corners);

    // A sorting network: five branch-free exchanges.
    for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (key[i], key[j]) = (key[i].min(key[j]), key[i].max(key[j]));
    }

    key
}

/// Returns whether two sides with the same corners have opposite orientations, as those of two
/// cells on opposite sides of a face do.
pub(crate) fn run_opposite(a: &[u32], b: &[u32]) -> bool {
    let n = a.len();
    if n == 2 {
        return a[0] == b[1];
    }

    let Some(start) = b.iter().position(|&node| node == a[0]) else {
        return false;
    };
    (0..n).all(|i| a[i] == b[(start + n - i) % n])
}

#[cfg(test)]
mod tests;
