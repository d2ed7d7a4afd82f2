//! A bounding-volume hierarchy over the tetrahedra and boundary faces of a deforming solid, kept
//! from step to step.
//!
//! Deformation hardly changes which tetrahedra are close to each other, so items are grouped once:
//! close items into leaves of eight, eight leaves into a node, and so on. A step only refits the
//! boxes, stored in f32, rounded outward and eight side by side: O(items), about 10 ns each. If the
//! solid has deformed so much that the boxes have grown, the items are regrouped. Compared with the
//! buckets of \[Erleben2005\], an item is stored once instead of about thirty times.
//!
//! Within one solid nearly all overlapping pairs of boxes belong to neighbours, which can be
//! ignored. [`Excluded`] stores them as masks for each pair of leaves, so that they are filtered
//! out eight at a time.

mod excluded;
mod lanes;
mod leaves;
#[cfg(test)]
mod tests;

use crate::shape::Solid;
use crate::space::{Aabb, Point, Vector};
pub use excluded::Excluded;
pub(crate) use excluded::{Hubs, NO_HUB};
use fearless_simd::{Level, Simd, dispatch};
use lanes::LANES;
use leaves::Leaves;

/// Growth of the boxes, summed over all leaves, at which the items are regrouped.
const OUTGROWN: f32 = 2.0;

/// A list of tetrahedra for each face of a leaf, by its position in the leaf.
pub type Candidates = [Vec<u32>; LANES];

/// A hierarchy over one solid.
///
/// ```
/// use impinge::shape::{Solid, generate};
/// use impinge::tree::SolidTree;
/// let solid = Solid::from_mesh(&generate::vee(600, -0.3)?)?;
/// let mut tree = SolidTree::new(&solid);
/// tree.refit(&solid);
/// let (mut pairs, mut lists) = (0, Default::default());
/// for leaf in 0..tree.face_leaves() {
///     tree.find(leaf, &tree, &mut lists);
///     pairs += lists.iter().map(Vec::len).sum::<usize>();
/// }
/// assert!(pairs > 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolidTree {
    tetrahedra: Leaves<4>,
    faces: Leaves<3>,
    /// Origin of the box coordinates, so that bodies far from the origin keep the precision of f32.
    centre: Point<3>,
    /// The coordinates of each vertex rounded down, and rounded up.
    nodes: Vec<[[f32; 3]; 2]>,
    regroupings: u64,
}

impl SolidTree {
    /// Builds the tree for the current configuration of the solid.
    pub fn new(solid: &Solid) -> Self {
        let centre_of = |nodes: &[u32]| {
            let sum: Vector<3> = nodes
                .iter()
                .map(|&n| solid.points()[n as usize].coords)
                .sum();
            Point::from(sum / nodes.len() as f64)
        };
        let mut tree = Self {
            tetrahedra: Leaves::new(solid.tetrahedra(), |t| centre_of(t)),
            faces: Leaves::new(solid.boundary_triangles(), |t| centre_of(t)),
            centre: Point::origin(),
            nodes: Vec::new(),
            regroupings: 0,
        };
        tree.refit_boxes(solid);
        tree.tetrahedra.set_reference();
        tree.faces.set_reference();

        tree
    }

    /// Refits the boxes to the current configuration of the solid. Returns whether the items were
    /// regrouped, which invalidates everything derived from the leaves.
    pub fn refit(&mut self, solid: &Solid) -> bool {
        self.refit_boxes(solid);
        self.regroup_if(self.tetrahedra.growth() > OUTGROWN, solid)
    }

    /// Like [`SolidTree::refit`] for the boundary faces alone, O(boundary): enough for
    /// [`SolidTree::find_faces`], while the boxes of the tetrahedra stay those of the last refit.
    pub fn refit_faces(&mut self, solid: &Solid) -> bool {
        let nodes = solid.boundary_nodes().iter().map(|&n| n as usize);
        self.centre = Aabb::of(nodes.clone().map(|n| solid.points()[n])).centre();
        for n in nodes {
            self.nodes[n] = lanes::rounded(&(solid.points()[n] - self.centre));
        }
        self.faces.refit(&self.nodes);
        self.regroup_if(self.faces.growth() > OUTGROWN, solid)
    }

    fn regroup_if(&mut self, is_outgrown: bool, solid: &Solid) -> bool {
        if is_outgrown {
            let regroupings = self.regroupings + 1;
            *self = Self {
                regroupings,
                ..Self::new(solid)
            };
        }

        is_outgrown
    }

    fn refit_boxes(&mut self, solid: &Solid) {
        self.centre = solid.bounds().centre();
        self.nodes.clear();
        self.nodes.extend(
            solid
                .points()
                .iter()
                .map(|p| lanes::rounded(&(p - self.centre))),
        );
        self.tetrahedra.refit(&self.nodes);

        self.faces.refit(&self.nodes);
    }

    /// Number of leaves of up to eight boundary faces: the units of parallel work.
    pub fn face_leaves(&self) -> usize {
        self.faces.count()
    }

    /// Number of levels of boxes over the tetrahedra, including their own.
    pub fn levels(&self) -> u32 {
        self.tetrahedra.levels()
    }

    /// Number of times the items were regrouped.
    pub fn regroupings(&self) -> u64 {
        self.regroupings
    }

    /// The box around everything, rounded outward.
    pub fn bounds(&self) -> Aabb<3> {
        self.tetrahedra.bounds(&self.centre)
    }

    /// The box around the boundary faces, rounded outward.
    pub fn face_bounds(&self) -> Aabb<3> {
        self.faces.bounds(&self.centre)
    }

    /// The faces of a leaf.
    pub fn faces_of(&self, leaf: usize) -> &[u32] {
        self.faces.leaf(leaf)
    }

    /// Replaces the lists by the tetrahedra of `other` whose boxes overlap each face of a leaf;
    /// `other` may be this tree. Each tetrahedron appears once per face, in an order that depends
    /// only on the trees.
    pub fn find(&self, leaf: usize, other: &Self, lists: &mut Candidates) {
        let excluded = Excluded::default();
        dispatch!(Level::new(), simd => self.find_with(simd, leaf, (&other.tetrahedra, &other.centre), (&excluded, &[]), lists));
    }

    /// Like [`SolidTree::find`] for the boundary faces of `other` in place of its tetrahedra.
    pub fn find_faces(&self, leaf: usize, other: &Self, lists: &mut Candidates) {
        let excluded = Excluded::default();
        dispatch!(Level::new(), simd => self.find_with(simd, leaf, (&other.faces, &other.centre), (&excluded, &[]), lists));
    }

    /// Like [`SolidTree::find`] within this tree, without the excluded pairs.
    pub fn find_self(&self, leaf: usize, excluded: &Excluded, lists: &mut Candidates) {
        let masks = excluded.of(leaf);
        dispatch!(Level::new(), simd => self.find_with(simd, leaf, (&self.tetrahedra, &self.centre), (excluded, masks), lists));
    }

    // Only loops, no calls: code that the compiler does not inline is not compiled for the wide
    // registers.
    #[inline(always)]
    fn find_with<S: Simd, const N: usize>(
        &self,
        simd: S,
        leaf: usize,
        (other, centre): (&Leaves<N>, &Point<3>),
        (excluded, mut masks): (&Excluded, &[(u32, [u32; LANES])]),
        lists: &mut Candidates,
    ) {
        lists.iter_mut().for_each(Vec::clear);
        let faces = self.faces.boxes(leaf).moved(&(self.centre - centre));
        let (around, queries) = (faces.around(), faces.each());
        let mut walk = other.walk(simd, &around);
        let hubs = excluded.hubs(leaf);
        let skip = |level: usize, node: usize| excluded.share(&hubs, level, node);

        while let Some((theirs, bounds)) = other.next(simd, &mut walk, &around, skip) {
            let (boxes, items) = (other.boxes(theirs), other.leaf(theirs));

            while let Some((_, rest)) = masks
                .split_first()
                .filter(|(first, _)| (first.0 as usize) < theirs)
            {
                masks = rest;
            }
            let left_out = match masks.first() {
                Some((leaf, masks)) if *leaf as usize == theirs => masks,
                _ => &[0; LANES],
            };
            let mut places = faces.overlapped(simd, &bounds);

            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let mut mask = boxes.overlapped(simd, &queries[place]) & !left_out[place];
                while mask != 0 {
                    lists[place].push(items[mask.trailing_zeros() as usize]);
                    mask &= mask - 1;
                }
            }
        }
    }

    /// Panics if the tree is inconsistent or does not match the solid.
    pub fn assert_valid(&self, solid: &Solid) {
        self.tetrahedra.assert_valid(solid.tetrahedra().len());
        self.faces.assert_valid(solid.boundary_triangles().len());
    }
}
