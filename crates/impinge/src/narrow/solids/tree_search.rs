//! The kept hierarchy of a solid, and contours on its boundary.

use super::contour::{self, Contours};
use super::{FaceHit, Neighbours, Stars};
use crate::narrow::fan::HUB;
use crate::parallel;
use crate::shape::Solid;
use crate::tree::{Excluded, Hubs, NO_HUB, SolidTree};

/// Cached data of a solid for [`SolidMethod::Tree`](super::SolidMethod::Tree) and, with contours, for
/// [`SolidMethod::Contours`](super::SolidMethod::Contours).
#[derive(Clone, Debug)]
pub(super) struct TreeSearch {
    pub(super) tree: SolidTree,
    pub(super) excluded: Excluded,
    pub(super) stars: Option<Stars>,
    contours: Option<Contours>,
    /// Whether contours are followed only where there are few hits.
    is_adaptive: bool,
    /// Whether there were many hits in the step before, and in this step so far.
    has_many: [bool; 2],
    /// Whether only the boxes of the faces are up to date.
    is_stale: bool,
}

/// Hits for each tetrahedron above which the hierarchy is faster than following contours, where a
/// hit costs up to 0.1 µs more, but no tetrahedron is refitted. Measured: for 0.11, contours are 2.3
/// times as fast, for 0.26 as fast, for 0.3 and more 0.5 to 0.7 times as fast.
const MANY: f64 = 0.15;

impl TreeSearch {
    pub(super) fn new(solid: &Solid, neighbours: Neighbours) -> Self {
        let tree = SolidTree::new(solid);
        let excluded = excluded(&tree, solid, neighbours);
        let stars = (neighbours == Neighbours::Exact).then(|| Stars::new(solid));
        Self {
            tree,
            excluded,
            stars,
            contours: None,
            is_adaptive: false,
            has_many: [false; 2],
            is_stale: false,
        }
    }

    /// The same for following contours, where the boundary allows it.
    pub(super) fn with_contours(solid: &Solid, neighbours: Neighbours, is_adaptive: bool) -> Self {
        Self {
            contours: Contours::new(solid),
            is_adaptive,
            ..Self::new(solid, neighbours)
        }
    }

    /// Whether contours are to be followed in this step.
    pub(super) fn follows(&self) -> bool {
        self.contours.is_some() && !(self.is_adaptive && self.has_many[0])
    }

    /// Takes notice of the number of hits between this solid and another.
    pub(super) fn note(&mut self, hits: usize, tetrahedra: usize) {
        self.has_many[1] |= hits as f64 > MANY * tetrahedra as f64;
    }

    /// Refits the tree, for contours that of the faces alone; returns whether it was rebuilt.
    pub(super) fn update(&mut self, solid: &Solid, neighbours: Neighbours) -> bool {
        self.has_many = [self.has_many[1], false];
        if !self.follows() {
            return self.refit(solid, neighbours);
        }

        let is_new = self.tree.refit_faces(solid);
        self.is_stale = !is_new;
        if is_new {
            self.excluded = excluded(&self.tree, solid, neighbours);
        }
        is_new
    }

    /// Refits what an update for contours left out.
    pub(super) fn refresh(&mut self, solid: &Solid, neighbours: Neighbours) -> bool {
        self.is_stale && self.refit(solid, neighbours)
    }

    fn refit(&mut self, solid: &Solid, neighbours: Neighbours) -> bool {
        self.is_stale = false;
        let is_new = self.tree.refit(solid);
        if is_new {
            self.excluded = excluded(&self.tree, solid, neighbours);
        }
        is_new
    }
}

/// Returns whether contours are to be followed on both solids, and can be: without inverted or flat
/// elements.
pub(super) fn can_follow(of: [(&TreeSearch, &Solid); 2]) -> bool {
    of.iter().all(|(search, solid)| {
        let deformation = solid.deformation();
        search.follows() && deformation.inverted + deformation.flat == 0
    })
}

/// Replaces the lists by the hits of each solid's faces, and returns the numbers of tests. Call only if
/// [`can_follow`].
pub(super) fn follow(
    a: &mut TreeSearch,
    solid: &Solid,
    b: &mut TreeSearch,
    other: &Solid,
    [own, theirs]: [&mut Vec<FaceHit>; 2],
) -> [u64; 2] {
    let (Some(of_a), Some(of_b)) = (&mut a.contours, &mut b.contours) else {
        return [0; 2];
    };
    let (one, two) = ((&a.tree, solid), (&b.tree, other));
    let tests = parallel::join(
        || contour::search(of_a, one, two, own),
        || contour::search(of_b, two, one, theirs),
    );
    tests.into()
}

/// Tetrahedra excluded from a face's candidates: its neighbours and, with exact neighbours, all
/// that share a node with it, which the certificates cover.
fn excluded(tree: &SolidTree, solid: &Solid, neighbours: Neighbours) -> Excluded {
    let mut excluded = Excluded::new(tree, |face, list| {
        let around = |node: &u32| {
            let all = solid.tetrahedra_around(*node as usize);
            let listed = if is_hub(solid, *node) { &[] } else { all };
            listed.iter().copied()
        };
        match nodes_of_neighbours(solid, face, neighbours) {
            Some(nodes) => list.extend(nodes.iter().flat_map(around)),
            None => {
                let owner = solid.boundary_owners()[face as usize];
                let across = solid.neighbours()[owner as usize].into_iter();
                list.extend(
                    across
                        .filter(|&t| t != crate::shape::NO_NEIGHBOUR)
                        .chain([owner]),
                );
            }
        }
    });

    let has_hubs = solid
        .boundary_nodes()
        .iter()
        .any(|&node| is_hub(solid, node));
    if has_hubs && neighbours != Neighbours::Face {
        let hubs = |nodes: &[u32]| hubs(solid, nodes);
        excluded.add_hubs(
            tree,
            |face| nodes_of_neighbours(solid, face, neighbours).map_or([NO_HUB; 4], hubs),
            |t| hubs(&solid.tetrahedra()[t as usize]),
        );
    }

    excluded
}

/// Returns whether too many tetrahedra share a node for their pairs to be stored as masks.
pub(super) fn is_hub(solid: &Solid, node: u32) -> bool {
    solid.tetrahedra_around(node as usize).len() > HUB
}

/// Returns the hubs among some nodes, first.
fn hubs(solid: &Solid, nodes: &[u32]) -> Hubs {
    let mut hubs = [NO_HUB; 4];
    let found = nodes.iter().filter(|&&node| is_hub(solid, node));
    hubs.iter_mut()
        .zip(found)
        .for_each(|(hub, &node)| *hub = node);
    hubs
}

/// Returns the nodes whose tetrahedra are neighbours of a face; `None` if neighbours share a face.
pub(super) fn nodes_of_neighbours(
    solid: &Solid,
    face: u32,
    neighbours: Neighbours,
) -> Option<&[u32]> {
    match neighbours {
        Neighbours::Face => None,
        Neighbours::Node => {
            let owner = solid.boundary_owners()[face as usize];
            Some(&solid.tetrahedra()[owner as usize])
        }
        Neighbours::Exact => Some(&solid.boundary_triangles()[face as usize]),
    }
}
