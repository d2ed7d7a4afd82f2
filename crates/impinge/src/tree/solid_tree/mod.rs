//! A hierarchy over the tetrahedra and the boundary faces of a solid that is kept while the solid deforms.
//!
//! Which tetrahedra are near each other hardly changes when a solid deforms, so the grouping is made once: items that
//! are close stand together in leaves of eight, eight leaves in a node, and so on. A step only refits the boxes, in
//! f32 rounded outward and eight side by side: O(items), some 10 ns for each. Where a solid has changed so much that
//! the boxes have grown, the grouping is made anew. Against the buckets of \[Erleben2005\], an item is in one place
//! instead of some thirty.
//!
//! Within one solid nearly all pairs of boxes that overlap are of neighbours, which have no news for each other:
//! [`Excluded`] holds them as masks for each pair of leaves, so that they are sifted out eight at a time.

mod excluded;
mod lanes;
mod leaves;
#[cfg(test)]
mod tests;

use crate::shape::Solid;
use crate::space::{Aabb, Point, Vector};
pub use excluded::Excluded;
use fearless_simd::{Level, Simd, dispatch};
use lanes::LANES;
use leaves::Leaves;

/// Growth of the boxes, summed over all leaves, at which the grouping is made anew.
const OUTGROWN: f32 = 2.0;

/// For each face of a leaf, by its place in it, a list of tetrahedra.
pub type Candidates = [Vec<u32>; LANES];

/// The tree over one solid.
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
    /// Boxes are relative to this, so that bodies far from the origin keep the digits of f32.
    centre: Point<3>,
    /// For each node its coordinates rounded down, and rounded up.
    nodes: Vec<[[f32; 3]; 2]>,
    regroupings: u64,
}

impl SolidTree {
    /// The tree for the solid as it lies now.
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
        tree.tetrahedra.remember();
        tree
    }

    /// Brings the boxes to where the solid is now, and says whether the items were grouped anew: then everything that
    /// was made for the leaves is out of date.
    pub fn refit(&mut self, solid: &Solid) -> bool {
        self.refit_boxes(solid);
        let is_outgrown = self.tetrahedra.growth() > OUTGROWN;
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

    /// How many leaves of up to eight boundary faces there are: the pieces that work can be shared by.
    pub fn face_leaves(&self) -> usize {
        self.faces.count()
    }

    /// Levels of boxes over the tetrahedra, their own included.
    pub fn levels(&self) -> u32 {
        self.tetrahedra.levels()
    }

    /// Times that the items were grouped anew.
    pub fn regroupings(&self) -> u64 {
        self.regroupings
    }

    /// The box around everything, rounded outward.
    pub fn bounds(&self) -> Aabb<3> {
        self.tetrahedra.bounds(&self.centre)
    }

    /// The faces of a leaf.
    pub fn faces_of(&self, leaf: usize) -> &[u32] {
        self.faces.leaf(leaf)
    }

    /// Replaces the lists by, for each face of a leaf, the tetrahedra of `other`, which may be this tree, whose boxes it
    /// overlaps: each once, in an order that depends on nothing but the trees.
    pub fn find(&self, leaf: usize, other: &Self, lists: &mut Candidates) {
        dispatch!(Level::new(), simd => self.find_with(simd, leaf, other, &[], lists));
    }

    /// [`SolidTree::find`] within this tree, without the excluded pairs.
    pub fn find_self(&self, leaf: usize, excluded: &Excluded, lists: &mut Candidates) {
        dispatch!(Level::new(), simd => self.find_with(simd, leaf, self, excluded.of(leaf), lists));
    }

    // Loops and nothing that is called: what the compiler does not inline is not compiled for the wide registers.
    #[inline(always)]
    fn find_with<S: Simd>(
        &self,
        simd: S,
        leaf: usize,
        other: &Self,
        mut excluded: &[(u32, [u32; LANES])],
        lists: &mut Candidates,
    ) {
        lists.iter_mut().for_each(Vec::clear);
        let faces = self.faces.boxes(leaf).moved(&(self.centre - other.centre));
        let (around, queries) = (faces.around(), faces.each());
        let mut walk = other.tetrahedra.walk(simd, &around);
        while let Some((theirs, bounds)) = other.tetrahedra.next(simd, &mut walk, &around) {
            let (boxes, items) = (
                other.tetrahedra.boxes(theirs),
                other.tetrahedra.leaf(theirs),
            );
            while let Some((_, rest)) = excluded
                .split_first()
                .filter(|(first, _)| (first.0 as usize) < theirs)
            {
                excluded = rest;
            }
            let left_out = match excluded.first() {
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

    /// Panics where the tree contradicts itself or the solid.
    pub fn assert_valid(&self, solid: &Solid) {
        self.tetrahedra.assert_valid(solid.tetrahedra().len());
        self.faces.assert_valid(solid.boundary_triangles().len());
    }
}
