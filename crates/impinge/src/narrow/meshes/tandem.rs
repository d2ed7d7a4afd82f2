//! Simultaneous traversal of two hierarchies: touching and nearby faces [Aragon2013, algorithm 1].
//!
//! A pair of boxes not known to be separated is replaced by the up to four children of the larger
//! one paired with the other, all compared at once. At the leaves four triangles are compared at
//! once with one, by their planes; the remaining pairs are decided exactly.
//!
//! Only the pair of faces that touched or were closest is cached between steps ([`PairHint`]), not
//! the whole front of the traversal, though bodies move little. Boxes are compared four at once,
//! and a comparison can be skipped only if all four were opened in the last step; if one was
//! separated, they have to be compared again. By count, that would save 5 to 6 % of the comparisons
//! for all touching faces: 62 of 1,257 for two balls of 20,480 triangles that overlap by 0.4, and
//! 49 of 791 for two motorcycles. For a distance it would save 6 to 9 %. Maintaining a front costs
//! more.

use super::super::Relative;
use super::super::triangle::{closest, touch};
use super::PairHint;
use super::lanes::LANES;
use super::tree::TriangleTree;
use super::wide::{Child, Seen};
use crate::bound::Obb;
use crate::space::{Matrix, Point, Pose, Vector};
use fearless_simd::dispatch;

/// A child of a wide node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) node: u32,
    pub(super) lane: u32,
}

/// Two trees with the pose of the second in the first one's frame.
pub(super) struct Tandem<'a> {
    pub(super) a: &'a TriangleTree,
    pub(super) b: &'a TriangleTree,
    to_a: (Matrix<3>, Vector<3>),
    to_b: (Matrix<3>, Vector<3>),
}

/// Visitor of pairs of leaves; `false` ends the traversal.
pub(super) trait PairVisitor {
    /// Returns the gap up to which boxes are opened; may shrink during the traversal.
    fn reach(&self) -> f64;
    /// Visits a pair of leaves at most [`PairVisitor::reach`] apart. Returns whether to continue.
    fn meet(&mut self, tandem: &Tandem, a: Child, b: Child) -> bool;
}

impl<'a> Tandem<'a> {
    pub(super) fn new(
        a: &'a TriangleTree,
        pose_a: &Pose<3>,
        b: &'a TriangleTree,
        pose_b: &Pose<3>,
    ) -> Self {
        Self::of(a, b, &Relative::of(pose_a, pose_b))
    }

    pub(super) fn of(a: &'a TriangleTree, b: &'a TriangleTree, relative: &Relative<3>) -> Self {
        let (turn, shift) = (relative.rotation, relative.shift);
        Self {
            a,
            b,
            to_a: (turn, shift),
            to_b: (turn.transpose(), -turn.tr_mul(&shift)),
        }
    }

    /// Transforms a point of the second surface to the first one's frame.
    #[inline]
    pub(super) fn in_a(&self, point: &Point<3>) -> Point<3> {
        Point::from(self.to_a.0 * point.coords + self.to_a.1)
    }

    /// Transforms a point of the first surface's frame to the second one's.
    #[inline]
    pub(super) fn in_b(&self, point: &Point<3>) -> Point<3> {
        Point::from(self.to_b.0 * point.coords + self.to_b.1)
    }

    /// Returns the corners of a face of the second surface in the first one's frame.
    #[inline]
    pub(super) fn corners_of_b(&self, face: usize) -> [Point<3>; 3] {
        self.b.corners(face).map(|p| self.in_a(&p))
    }

    fn child(tree: &TriangleTree, place: Place) -> Child {
        tree.wide[place.node as usize].children[place.lane as usize]
    }

    fn bounds(tree: &TriangleTree, place: Place) -> Obb<3> {
        tree.wide[place.node as usize].child_box(place.lane as usize)
    }

    /// Returns the pairs of children of the roots within reach, the least gap last. Separated
    /// bodies are rejected by their bounding spheres or root boxes, in about ten nanoseconds.
    pub(super) fn roots(&self, reach: f64) -> Vec<(f64, Place, Place)> {
        let mut open = Vec::new();
        self.roots_into(reach, &mut open);
        open
    }

    /// Like [`Tandem::roots`], into a list that is reused.
    pub(super) fn roots_into(&self, reach: f64, open: &mut Vec<(f64, Place, Place)>) {
        open.clear();
        let (of_a, of_b) = (self.a.boxes.bounds(), self.b.boxes.bounds());
        let apart = (self.in_a(&of_b.centre()) - of_a.centre()).norm();

        // A relative margin of 1e-9 covers all rounding at no cost: bodies that close to separated
        // are traversed.
        let gap = apart * (1.0 - 1e-9)
            - 0.5 * (of_a.extent().norm() + of_b.extent().norm()) * (1.0 + 1e-9);
        if gap <= reach {
            dispatch!(self.a.level, _simd => self.roots_in_fours(reach, open));
        }
    }

    #[inline(always)]
    fn roots_in_fours(&self, reach: f64, open: &mut Vec<(f64, Place, Place)>) {
        let [root_a, root_b] = [self.a, self.b].map(|tree| tree.wide.len() as u32 - 1);
        let (mut near, mut count) = ([0; LANES], 0);
        let whole = Seen::new(&self.b.whole, &self.to_a.0, &self.to_a.1);
        compare(self.a, root_a, &whole, reach, |_, lane| {
            near[count] = lane;
            count += 1;
        });

        for &lane in &near[..count] {
            let a = Place { node: root_a, lane };
            let seen = Seen::new(&Self::bounds(self.a, a), &self.to_b.0, &self.to_b.1);
            compare(self.b, root_b, &seen, reach, |gap, lane| {
                insert(open, 0, (gap, a, Place { node: root_b, lane }));
            });
        }
    }

    /// Returns the first two touching faces found by the traversal.
    pub(super) fn first_touching(&self) -> Option<[u32; 2]> {
        let mut pairs = Vec::new();
        self.descend(
            &mut self.roots(0.0),
            &mut Touching {
                pairs: &mut pairs,
                most: 1,
            },
        );

        pairs.first().copied()
    }

    /// Returns all pairs of touching faces, in traversal order.
    pub(super) fn touching(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let mut touching = Touching {
            pairs: &mut pairs,
            most: usize::MAX,
        };
        self.descend(&mut self.roots(0.0), &mut touching);

        pairs
    }

    /// Returns whether two faces exist and touch.
    fn do_touch(&self, &[a, b]: &[u32; 2]) -> bool {
        let (a, b) = (a as usize, b as usize);
        a < self.a.len() && b < self.b.len() && touch(&self.a.corners(a), &self.corners_of_b(b))
    }

    /// Descends from the open pairs, the deepest overlap first.
    pub(super) fn descend(
        &self,
        open: &mut Vec<(f64, Place, Place)>,
        visitor: &mut impl PairVisitor,
    ) {
        dispatch!(self.a.level, _simd => self.descend_in_fours(open, visitor));
    }

    #[inline(always)]
    fn descend_in_fours(
        &self,
        open: &mut Vec<(f64, Place, Place)>,
        visitor: &mut impl PairVisitor,
    ) {
        while let Some((gap, place_a, place_b)) = open.pop() {
            if gap > visitor.reach() {
                continue;
            }

            let (a, b) = (Self::child(self.a, place_a), Self::child(self.b, place_b));
            if a.is_leaf() && b.is_leaf() {
                if !visitor.meet(self, a, b) {
                    return;
                }
                continue;
            }

            let size = |tree: &TriangleTree, p: Place| {
                tree.wide[p.node as usize].child_size(p.lane as usize)
            };
            let opens_a =
                !a.is_leaf() && (b.is_leaf() || size(self.a, place_a) >= size(self.b, place_b));
            let start = open.len();

            if opens_a {
                let seen = Seen::new(&Self::bounds(self.b, place_b), &self.to_a.0, &self.to_a.1);
                compare(self.a, a.index, &seen, visitor.reach(), |gap, lane| {
                    insert(
                        open,
                        start,
                        (
                            gap,
                            Place {
                                node: a.index,
                                lane,
                            },
                            place_b,
                        ),
                    );
                });
            } else {
                let seen = Seen::new(&Self::bounds(self.a, place_a), &self.to_b.0, &self.to_b.1);
                compare(self.b, b.index, &seen, visitor.reach(), |gap, lane| {
                    insert(
                        open,
                        start,
                        (
                            gap,
                            place_a,
                            Place {
                                node: b.index,
                                lane,
                            },
                        ),
                    );
                });
            }
        }
    }
}

/// Calls back with the gap of every child of a wide node that is not known to be further than
/// `reach` from the box.
#[inline(always)]
fn compare(
    tree: &TriangleTree,
    node: u32,
    seen: &Seen,
    reach: f64,
    mut near: impl FnMut(f64, u32),
) {
    let node = &tree.wide[node as usize];
    let gaps = node.gaps(seen);
    let used = (node.used as usize).min(LANES);

    if gaps.gap.0[..used].iter().all(|&gap| gap > reach) {
        return;
    }

    let parted = node.parted_by_products(seen, &gaps, reach);
    for lane in 0..used {
        if gaps.gap.0[lane] <= reach && parted.0[lane] <= 0.0 {
            near(gaps.gap.0[lane], lane as u32);
        }
    }
}

/// Inserts an entry so that those from `start` on stay sorted with the least gap last.
#[inline(always)]
fn insert(open: &mut Vec<(f64, Place, Place)>, start: usize, entry: (f64, Place, Place)) {
    let mut place = open.len();
    open.push(entry);
    while place > start && open[place - 1].0 < entry.0 {
        open[place] = open[place - 1];
        place -= 1;
    }

    open[place] = entry;
}

/// Collects touching faces.
pub(super) struct Touching<'a> {
    pub(super) pairs: &'a mut Vec<[u32; 2]>,
    /// Maximum number to collect.
    pub(super) most: usize,
}

impl PairVisitor for Touching<'_> {
    #[inline(always)]
    fn reach(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn meet(&mut self, tandem: &Tandem, a: Child, b: Child) -> bool {
        let (block_a, block_b) = (
            &tandem.a.blocks[a.index as usize],
            &tandem.b.blocks[b.index as usize],
        );

        for j in 0..b.count as usize {
            let corners = block_b.triangle(j).map(|p| tandem.in_a(&p));
            let parted = block_a.parted_by_planes(&corners);
            for i in 0..a.count as usize {
                if parted.0[i] <= 0.0 && touch(&block_a.triangle(i), &corners) {
                    self.pairs.push([block_a.faces[i], block_b.faces[j]]);
                    if self.pairs.len() == self.most {
                        return false;
                    }
                }
            }
        }

        true
    }
}

/// Collects faces within a distance of each other.
struct Near<'a> {
    pairs: &'a mut Vec<[u32; 2]>,
    distance: f64,
}

impl PairVisitor for Near<'_> {
    #[inline(always)]
    fn reach(&self) -> f64 {
        self.distance
    }

    #[inline(always)]
    fn meet(&mut self, tandem: &Tandem, a: Child, b: Child) -> bool {
        let (block_a, block_b) = (
            &tandem.a.blocks[a.index as usize],
            &tandem.b.blocks[b.index as usize],
        );

        for j in 0..b.count as usize {
            let corners = block_b.triangle(j).map(|p| tandem.in_a(&p));
            for i in 0..a.count as usize {
                if closest(&block_a.triangle(i), &corners).way.norm() <= self.distance {
                    self.pairs.push([block_a.faces[i], block_b.faces[j]]);
                }
            }
        }

        true
    }
}

/// Returns whether two surfaces in their poses share a point.
///
/// ```
/// use impinge::{narrow::meshes::{TriangleTree, touches}, shape::generate, space::Pose};
/// let ball = TriangleTree::new(&generate::sphere(4)?);
/// let (here, there) = (Pose::identity(), |x: f64| Pose::at([x, 0.0, 0.0]));
/// assert!(touches(&ball, &here, &ball, &there(2.0)) && !touches(&ball, &here, &ball, &there(2.001)));
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn touches(a: &TriangleTree, pose_a: &Pose<3>, b: &TriangleTree, pose_b: &Pose<3>) -> bool {
    touches_again(a, pose_a, b, pose_b, &mut PairHint::default())
}

/// Like [`touches`], but first tests the faces that touched, or were closest, in the last step.
pub fn touches_again(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    kept: &mut PairHint,
) -> bool {
    let tandem = Tandem::new(a, pose_a, b, pose_b);
    let touching = kept
        .faces
        .filter(|faces| tandem.do_touch(faces))
        .or_else(|| tandem.first_touching());
    kept.faces = touching.or(kept.faces);

    touching.is_some()
}

/// Writes all pairs of a face of the first surface and one of the second that share a point,
/// sorted.
pub fn touching_faces(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    pairs: &mut Vec<[u32; 2]>,
) {
    pairs.clear();
    let tandem = Tandem::new(a, pose_a, b, pose_b);
    tandem.descend(
        &mut tandem.roots(0.0),
        &mut Touching {
            pairs,
            most: usize::MAX,
        },
    );

    pairs.sort_unstable();
}

/// Writes all pairs of a face of the first surface and one of the second at most `distance` apart,
/// sorted.
pub fn near_faces(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    distance: f64,
    pairs: &mut Vec<[u32; 2]>,
) {
    pairs.clear();
    let tandem = Tandem::new(a, pose_a, b, pose_b);
    tandem.descend(&mut tandem.roots(distance), &mut Near { pairs, distance });
    pairs.sort_unstable();
}

/// Writes all pairs of faces of one surface that share a point but no corner, the lower index
/// first, sorted.
pub fn self_touching_faces(tree: &TriangleTree, pairs: &mut Vec<[u32; 2]>) {
    self_pairs(tree, 0.0, pairs, touch);
}

/// Writes all pairs of faces of one surface at most `distance` apart that share no corner, sorted.
pub fn self_near_faces(tree: &TriangleTree, distance: f64, pairs: &mut Vec<[u32; 2]>) {
    self_pairs(tree, distance, pairs, |a, b| {
        closest(a, b).way.norm() <= distance
    });
}

fn self_pairs(
    tree: &TriangleTree,
    distance: f64,
    pairs: &mut Vec<[u32; 2]>,
    near: impl Fn(&[Point<3>; 3], &[Point<3>; 3]) -> bool,
) {
    pairs.clear();
    let neighbours = |a: u32, b: u32| {
        let other = &tree.triangles[b as usize];
        tree.triangles[a as usize]
            .iter()
            .any(|node| other.contains(node))
    };
    let bounds = |face: u32| crate::space::Aabb::of(tree.corners(face as usize)).grown(distance);
    let touches =
        |a: &crate::space::Aabb<3>, b: &crate::space::Aabb<3>| a.grown(distance).overlaps(b);

    tree.boxes.visit_self_pairs(touches, |a, b| {
        let meet = || {
            bounds(a).overlaps(&bounds(b))
                && near(&tree.corners(a as usize), &tree.corners(b as usize))
        };
        if !neighbours(a, b) && meet() {
            pairs.push([a.min(b), a.max(b)]);
        }
    });

    pairs.sort_unstable();
}
