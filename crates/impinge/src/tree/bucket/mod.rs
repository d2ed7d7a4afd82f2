//! The BucketTree of \[Erleben2005\]: an octree whose finest cells, the buckets, form a grid over a
//! deforming solid.
//!
//! Nothing is built from step to step. At each step the tetrahedra are inserted again into the
//! buckets covered by their boxes; time stamps distinguish current buckets from outdated ones.
//! Mapping costs O(tetrahedra), whatever the deformation; only non-empty buckets are touched.
//!
//! Two tetrahedra that meet in several buckets are reported in only one of them: the bucket
//! containing the lower corner of the intersection of their boxes. Each pair is therefore reported
//! once, without a list of earlier pairs; this replaces the bookkeeping of Listing 1.5.11.

mod mapping;
mod nodes;
mod tandem;
#[cfg(test)]
mod tests;

use crate::shape::Solid;
use crate::space::{Aabb, Point};
use mapping::Grid;
use nodes::Nodes;
use std::f64::consts::PI;

/// Maximum number of octree levels: 8 levels are two million buckets.
const MOST_LEVELS: u32 = 8;

/// Maximum number of buckets per tetrahedron: a single huge tetrahedron covers them all.
const MOST_BUCKETS_EACH: usize = 64;

/// Number of levels of the tree; the root is level 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BucketLevels {
    /// From [Erleben2005, eq. (1.5.6)] with this n: the buckets are about n mean tetrahedra wide.
    Overlapped(f64),
    /// A fixed number of levels, at most 8.
    Given(u32),
}

/// The box that is subdivided.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BucketRoot {
    /// Fitted to the deformed solid at every step [Erleben2005, eq. (1.5.9)].
    Fitted,
    /// The same at every step. Anything outside is assigned to the border buckets.
    Fixed(Aabb<3>),
}

/// How the buckets of a box are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BucketMapping {
    /// The faster method: [`BucketMapping::Direct`], by a small margin on current machines (7.9
    /// against 9.0 ms for 96,000 tetrahedra), where a multiplication costs less than the branch
    /// that it saves.
    Auto,
    /// Computed by [Erleben2005, eq. (1.5.7)].
    Direct,
    /// From sorted lists of the box endpoints, kept from step to step, without multiplications
    /// (Listings 1.5.6, 1.5.7).
    Sorted,
}

/// Options of a [`BucketTree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucketOptions {
    /// Number of levels.
    pub levels: BucketLevels,
    /// The box that is subdivided.
    pub root: BucketRoot,
    /// How boxes are mapped to buckets.
    pub mapping: BucketMapping,
}

impl Default for BucketOptions {
    fn default() -> Self {
        Self {
            levels: BucketLevels::Overlapped(2.0),
            root: BucketRoot::Fitted,
            mapping: BucketMapping::Auto,
        }
    }
}

/// Operation counts, identical on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BucketCounters {
    /// Number of entries of tetrahedra in buckets.
    pub entries: u64,
    /// Number of non-empty buckets.
    pub buckets: u64,
    /// Number of swaps of neighbours in the sorted lists.
    pub exchanges: u64,
    /// Number of node pairs visited by the tandem traversal.
    pub node_pairs: u64,
    /// Number of pairs of tetrahedra in a common bucket, or in overlapping ones.
    pub meetings: u64,
}

/// A bucket tree over one solid.
///
/// ```
/// use impinge::shape::{Solid, generate};
/// use impinge::tree::{BucketOptions, BucketTree};
/// let solid = Solid::from_mesh(&generate::vee(600, -0.3)?)?;
/// let mut tree = BucketTree::new(&solid, BucketOptions::default());
/// let mut pairs = 0;
/// tree.remap_visiting(&solid, |_, _| pairs += 1);
/// assert!(tree.levels() > 2 && pairs > 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BucketTree {
    options: BucketOptions,
    grid: Grid,
    nodes: Nodes,
    boxes: Vec<Aabb<3>>,
    /// For each tetrahedron, whether it has a boundary face.
    is_surface: Vec<bool>,
    counters: BucketCounters,
}

impl BucketTree {
    /// Creates an empty tree for the solid.
    pub fn new(solid: &Solid, options: BucketOptions) -> Self {
        let count = solid.tetrahedra().len();
        let levels = match options.levels {
            BucketLevels::Given(levels) => levels.clamp(1, MOST_LEVELS),
            BucketLevels::Overlapped(n) => levels_of(solid, &root_of(solid, &options), n),
        };

        Self {
            options,
            grid: Grid::new(levels, options.mapping),
            nodes: Nodes::new(levels),
            boxes: Vec::new(),
            is_surface: (0..count).map(|t| solid.is_on_boundary(t)).collect(),
            counters: BucketCounters::default(),
        }
    }

    /// Updates the tree after a change of topology: elements removed, split or added.
    pub fn update_topology(&mut self, solid: &Solid) {
        let counters = self.counters;
        *self = Self {
            counters,
            ..Self::new(solid, self.options)
        };
    }

    /// Number of levels; the root is the first.
    pub fn levels(&self) -> u32 {
        self.nodes.levels()
    }

    /// The counters accumulated so far.
    pub fn counters(&self) -> BucketCounters {
        self.counters
    }

    /// Inserts the tetrahedra of the deformed solid into their buckets (Listings 1.5.2, 1.5.4 and
    /// 1.5.5).
    pub fn remap(&mut self, solid: &Solid) {
        self.remap_visiting(solid, |_, _| ());
    }

    /// Like [`BucketTree::remap`], and visits the pairs of tetrahedra found during insertion.
    ///
    /// Each tetrahedron is compared with those already in its buckets. A pair is visited once if
    /// the boxes overlap and at least one of the two is on the surface.
    ///
    /// Listing 1.5.3 tests only the faces of the new tetrahedron against those already present and
    /// misses the opposite case; a visitor should test both directions.
    pub fn remap_visiting(&mut self, solid: &Solid, mut visit: impl FnMut(u32, u32)) {
        assert_eq!(
            solid.tetrahedra().len(),
            self.is_surface.len(),
            "call update_topology after a change of topology"
        );
        self.boxes.clear();
        self.boxes
            .extend((0..self.is_surface.len()).map(|t| Aabb::of(solid.corners(t))));
        self.counters.exchanges += self
            .grid
            .update(&root_of(solid, &self.options), &self.boxes);
        self.nodes.start();

        for new in 0..self.boxes.len() as u32 {
            self.add(new, &mut visit);
        }

        self.nodes.propagate();
        self.counters.buckets += self.nodes.filled() as u64;
    }

    /// Listing 1.5.2.
    fn add(&mut self, new: u32, visit: &mut impl FnMut(u32, u32)) {
        let is_surface = self.is_surface[new as usize];
        let [low, up] = self.grid.range(new);
        for x in low[0]..=up[0] {
            for y in low[1]..=up[1] {
                for z in low[2]..=up[2] {
                    let bucket = nodes::code([x, y, z]);
                    self.visit_bucket(new, bucket, [x, y, z], visit);
                    self.nodes.add(new, bucket, is_surface);
                    self.counters.entries += 1;
                }
            }
        }
    }

    fn visit_bucket(
        &mut self,
        new: u32,
        bucket: u32,
        at: [u16; 3],
        visit: &mut impl FnMut(u32, u32),
    ) {
        let is_surface = self.is_surface[new as usize];
        // Interior tetrahedra in a bucket without surface have no partner.
        if !is_surface && !self.nodes.has_surface(bucket) {
            return;
        }

        let own_low = self.grid.range(new)[0];
        for old in self.nodes.list(bucket) {
            let old_low = self.grid.range(old)[0];
            let is_first = (0..3).all(|axis| own_low[axis].max(old_low[axis]) == at[axis]);
            let may = is_first && (is_surface || self.is_surface[old as usize]);
            self.counters.meetings += 1;
            if may && self.boxes[new as usize].overlaps(&self.boxes[old as usize]) {
                visit(new, old);
            }
        }
    }

    /// Panics if the structure is inconsistent.
    pub fn assert_valid(&self) {
        self.nodes.assert_valid(&self.is_surface);
        for t in 0..self.boxes.len() as u32 {
            let [low, up] = self.grid.range(t);
            assert!(
                (0..3).all(|axis| low[axis] <= up[axis]),
                "range of tetrahedron {t}"
            );
            assert!(
                self.nodes.list(nodes::code(low)).any(|other| other == t),
                "tetrahedron {t} is in its bucket"
            );
        }
    }
}

fn root_of(solid: &Solid, options: &BucketOptions) -> Aabb<3> {
    match options.root {
        BucketRoot::Fitted => solid.bounds(),
        BucketRoot::Fixed(root) => root,
    }
}

/// l = ⌊1 + log₂(max(w, h, d) / (2 r̄ n))⌋ with the radius r̄ of a sphere of the mean volume
/// [Erleben2005, eq. (1.5.6)].
/// Inverted tetrahedra count with the absolute value of their volume.
fn levels_of(solid: &Solid, root: &Aabb<3>, n: f64) -> u32 {
    let count = solid.tetrahedra().len();
    let volume = |[a, b, c, d]: [Point<3>; 4]| ((b - a).cross(&(c - a)).dot(&(d - a)) / 6.0).abs();
    let mean = (0..count).map(|t| volume(solid.corners(t))).sum::<f64>() / count as f64;
    let radius = (3.0 * mean / (4.0 * PI)).cbrt();
    let levels = 1.0 + (root.longest_edge() / (2.0 * radius * n)).log2();

    // For flat solids the quotient is infinite or NaN.
    let levels = if levels.is_nan() {
        1
    } else {
        levels.floor().clamp(1.0, f64::from(MOST_LEVELS)) as u32
    };
    let affordable =
        (1..=MOST_LEVELS).take_while(|l| 8usize.pow(l - 1) <= MOST_BUCKETS_EACH * count.max(64));

    levels.min(affordable.last().unwrap_or(1))
}
