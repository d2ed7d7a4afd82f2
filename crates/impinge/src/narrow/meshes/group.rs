//! Nearest faces of neighbouring points, found together: one walk through the tree for all of them,
//! and each block of triangles against all of them, in SIMD lanes.
//!
//! A box whose distance from the centre of the points exceeds their radius plus the largest of their
//! distances contains nothing nearer to any of them. Such a walk opens some two
//! and a half times the boxes of one point's walk, for eight points.

use super::block::Block;
use super::lanes::LANES;
use super::sides::Eight;
use super::tree::TriangleTree;
use super::wide::{Child, GUESS, insert};
use crate::space::{Aabb, Point};
use fearless_simd::{dispatch, f64x8, prelude::*};

/// Number of points in a group: the lanes of the widest vectors.
pub(super) const GROUP: usize = 8;

/// Radius of a group, relative to the size of the first leaf plus the distance of the nearest point
/// from it, beyond which one walk for each point is faster.
const WIDE: f64 = 0.5;

/// No face yet.
const NONE: f64 = f64::INFINITY;

/// A child to be visited, as the lane of its parent, whose box it has.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    child: Child,
    parent: u32,
    lane: u32,
}

/// Boxes to be visited, by their squared distances from the centre of a group.
pub(super) type Visits = Vec<(f64, Visit)>;

/// Neighbouring points that are searched together.
struct Group {
    points: [[f64; GROUP]; 3],
    centre: Point<3>,
    /// Largest distance of a point from the centre.
    radius: f64,
}

/// What has been found for a group.
struct Best<S: Simd> {
    squares: f64x8<S>,
    /// The faces, as numbers that compare and select like the squares.
    faces: f64x8<S>,
    /// Least of the distances.
    nearest: f64,
    /// Squared distance from the centre beyond which a box has nothing nearer.
    limit: f64,
}

impl Group {
    /// Returns the group of one to eight points; `None` if one is not finite.
    fn of(points: &[Point<3>]) -> Option<Self> {
        let bounds = Aabb::of(points.iter().copied());
        let centre = bounds.centre();
        let (mut farthest, mut is_finite) = (0.0, true);
        let mut lanes = [[0.0; GROUP]; 3];
        for n in 0..GROUP {
            let point = points.get(n).unwrap_or(&points[0]);
            let square = (point - centre).norm_squared();
            farthest = if square > farthest { square } else { farthest };
            is_finite &= square.is_finite();
            for k in 0..3 {
                lanes[k][n] = point[k];
            }
        }

        is_finite.then(|| Self {
            points: lanes,
            centre,
            radius: GUESS * farthest.sqrt(),
        })
    }
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    fn nothing(simd: S) -> Self {
        Self {
            squares: f64x8::splat(simd, f64::INFINITY),
            faces: f64x8::splat(simd, NONE),
            nearest: f64::INFINITY,
            limit: f64::INFINITY,
        }
    }

    /// Compares the points with the triangles of a block.
    #[inline(always)]
    fn search(&mut self, simd: S, block: &Block, count: usize, points: &Eight<S>, radius: f64) {
        let sides = block.sides();
        for lane in 0..count {
            let values = sides.squared_distances_of(simd, lane, points);
            let face = f64x8::splat(simd, f64::from(block.faces[lane]));
            let is_equal = values.simd_eq(self.squares) & face.simd_lt(self.faces);
            let is_nearer = values.simd_lt(self.squares) | is_equal;
            self.squares = is_nearer.select(values, self.squares);
            self.faces = is_nearer.select(face, self.faces);
        }

        let (mut least, mut most) = (f64::INFINITY, 0.0);
        for &square in self.squares.as_slice() {
            least = if square < least { square } else { least };
            most = if square > most { square } else { most };
        }
        self.nearest = least.sqrt();
        let reach = most.sqrt() + radius;
        self.limit = GUESS * reach * reach + f64::MIN_POSITIVE;
    }
}

impl TriangleTree {
    /// Finds the nearest faces of up to eight points near each other; `None` if they are too far apart
    /// to be searched together. `visits` is a work buffer.
    pub(super) fn nearest_faces(
        &self,
        points: &[Point<3>],
        visits: &mut Visits,
    ) -> Option<[u32; GROUP]> {
        let group = Group::of(points)?;
        dispatch!(self.level, simd => self.walk(simd, &group, visits))
    }

    #[inline(always)]
    fn walk<S: Simd>(&self, simd: S, group: &Group, visits: &mut Visits) -> Option<[u32; GROUP]> {
        let lanes = |k: usize| f64x8::simd_from(simd, group.points[k]);
        let points = [lanes(0), lanes(1), lanes(2)];
        let mut best = Best::nothing(simd);
        let mut is_first = true;
        visits.clear();
        self.open(
            self.wide.len() as u32 - 1,
            &group.centre,
            best.limit,
            visits,
        );

        while let Some((squared_distance, visit)) = visits.pop() {
            if squared_distance > best.limit {
                continue;
            }

            if !visit.child.is_leaf() {
                self.open(visit.child.index, &group.centre, best.limit, visits);
                continue;
            }

            let (node, lane) = (&self.wide[visit.parent as usize], visit.lane as usize);
            let squares = node.squared_distances_of(simd, lane, &points);
            if squares.simd_le(best.squares * GUESS).any_true() {
                let block = &self.blocks[visit.child.index as usize];
                let count = (visit.child.count as usize).min(LANES);
                best.search(simd, block, count, &points, group.radius);
            }

            if is_first && group.radius > WIDE * (node.child_size(lane) + best.nearest) {
                return None;
            }
            is_first = false;
        }

        let mut faces = [0; GROUP];
        for n in 0..GROUP {
            // Without any distance below infinity, the first face.
            let found = best.faces[n];
            faces[n] = if found == NONE { 0 } else { found as u32 };
        }
        Some(faces)
    }

    #[inline(always)]
    fn open(&self, parent: u32, centre: &Point<3>, limit: f64, visits: &mut Visits) {
        let node = &self.wide[parent as usize];
        let values = node.squared_distances(centre);
        let start = visits.len();

        for lane in 0..(node.used as usize).min(LANES) {
            if values.0[lane] <= limit {
                let visit = Visit {
                    child: node.children[lane],
                    parent,
                    lane: lane as u32,
                };
                insert(visits, start, (values.0[lane], visit));
            }
        }
    }
}
