//! Pairs of a face and a tetrahedron to ignore, as bit masks for each pair of leaves.

use super::SolidTree;

/// The pairs that [`SolidTree::find_self`] ignores.
#[derive(Clone, Debug, Default)]
pub struct Excluded {
    /// Start of the masks of each face leaf, and the end of the last.
    starts: Vec<u32>,
    /// A leaf of tetrahedra and, for each face of the face leaf, a mask of the ignored ones among
    /// its eight tetrahedra.
    masks: Vec<(u32, [u32; 8])>,
}

impl Excluded {
    /// Builds the masks. `list` writes the tetrahedra to ignore for a face; duplicates are allowed.
    pub fn new(tree: &SolidTree, mut list: impl FnMut(u32, &mut Vec<u32>)) -> Self {
        let places = tree.tetrahedra.places();
        let (mut result, mut found, mut pairs) = (
            Self {
                starts: vec![0],
                masks: Vec::new(),
            },
            Vec::new(),
            Vec::new(),
        );

        for leaf in 0..tree.faces.count() {
            pairs.clear();
            for (place, &face) in tree.faces.leaf(leaf).iter().enumerate() {
                found.clear();
                list(face, &mut found);
                pairs.extend(
                    found
                        .iter()
                        .map(|&t| (places[t as usize][0], place, places[t as usize][1])),
                );
            }

            pairs.sort_unstable();
            for &(theirs, place, lane) in &pairs {
                let start = result.starts[leaf] as usize;
                if result.masks.len() == start || result.masks[result.masks.len() - 1].0 != theirs {
                    result.masks.push((theirs, [0; 8]));
                }
                let last = result.masks.len() - 1;
                result.masks[last].1[place] |= 1 << lane;
            }

            result.starts.push(result.masks.len() as u32);
        }

        result
    }

    /// The masks of a face leaf, by ascending leaf of tetrahedra.
    #[inline]
    pub(super) fn of(&self, leaf: usize) -> &[(u32, [u32; 8])] {
        &self.masks[self.starts[leaf] as usize..self.starts[leaf + 1] as usize]
    }
}
