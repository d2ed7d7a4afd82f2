//! Pairs of a face and a tetrahedron to ignore, as bit masks for each pair of leaves.
//!
//! At a hub, a node of many elements, the masks would be as many as the square of the elements. Whole leaves and nodes
//! of the tree whose items have a hub in common are skipped instead.

use super::SolidTree;

/// The hubs of an item, or those that several items have in common; `NO_HUB` elsewhere.
pub(crate) type Hubs = [u32; 4];

/// No node.
pub(crate) const NO_HUB: u32 = u32::MAX;

/// The pairs that [`SolidTree::find_self`] ignores.
#[derive(Clone, Debug, Default)]
pub struct Excluded {
    /// Start of the masks of each face leaf, and the end of the last.
    starts: Vec<u32>,
    /// A leaf of tetrahedra and, for each face of the face leaf, a mask of the ignored ones among
    /// its eight tetrahedra.
    masks: Vec<(u32, [u32; 8])>,
    /// Hubs of all faces of each face leaf; empty if there are no hubs.
    of_faces: Vec<Hubs>,
    /// Hubs of all tetrahedra of each leaf, and of each node above.
    of_tetrahedra: Vec<Vec<Hubs>>,
}

impl Excluded {
    /// Builds the masks. `list` writes the tetrahedra to ignore for a face; duplicates are allowed.
    pub fn new(tree: &SolidTree, mut list: impl FnMut(u32, &mut Vec<u32>)) -> Self {
        let places = tree.tetrahedra.places();
        let (mut result, mut found, mut pairs) = (
            Self {
                starts: vec![0],
                ..Self::default()
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

    /// Ignores all pairs of a face and a tetrahedron that have a hub in common, as far as whole leaves have: single
    /// faces and tetrahedra among others are not ignored.
    pub(crate) fn add_hubs(
        &mut self,
        tree: &SolidTree,
        of_face: impl Fn(u32) -> Hubs,
        of_tetrahedron: impl Fn(u32) -> Hubs,
    ) {
        let both = |a: &Hubs, b: &Hubs| a.map(|hub| if b.contains(&hub) { hub } else { NO_HUB });
        self.of_faces = tree.faces.combined(of_face, both).swap_remove(0);
        self.of_tetrahedra = tree.tetrahedra.combined(of_tetrahedron, both);
    }

    /// Returns the hubs of a face leaf.
    #[inline]
    pub(super) fn hubs(&self, leaf: usize) -> Hubs {
        self.of_faces.get(leaf).copied().unwrap_or([NO_HUB; 4])
    }

    /// Returns whether all tetrahedra of a leaf (level 0) or of a node above have one of the hubs.
    #[inline(always)]
    pub(super) fn share(&self, hubs: &Hubs, level: usize, node: usize) -> bool {
        hubs[0] != NO_HUB
            && self.of_tetrahedra[level][node]
                .iter()
                .any(|&hub| hub != NO_HUB && hubs.contains(&hub))
    }

    /// The masks of a face leaf, by ascending leaf of tetrahedra.
    #[inline]
    pub(super) fn of(&self, leaf: usize) -> &[(u32, [u32; 8])] {
        &self.masks[self.starts[leaf] as usize..self.starts[leaf + 1] as usize]
    }
}
