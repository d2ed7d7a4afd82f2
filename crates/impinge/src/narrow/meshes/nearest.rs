//! Point and segment queries on a surface: nearest point, all faces within a distance, first face
//! along a segment.

use super::super::segment::segment_segment;
use super::super::triangle::{closest_on, segment_touches};
use super::group::{GROUP, Visits};
use super::lanes::LANES;
use super::tree::TriangleTree;
use super::wide::{Child, GUESS, insert};
use crate::parallel::prelude::*;
use crate::shape::Feature;
use crate::space::{Aabb, Point, Vector, along_curve};
use crate::tree::{Least, Segment};
use fearless_simd::dispatch;
use std::cell::RefCell;

/// Number of points that one task queries in sequence: the result of one is the first guess for the
/// next.
const CHUNK: usize = 1024;

/// Number of points whose results are held before they are written in the order of the points.
const BATCH: usize = 1 << 16;

/// Squared distance, relative to a segment's length, within which it meets a side of a triangle that it
/// touches by the exact test.
const MET: f64 = 1e-24;

/// The point of a surface nearest to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearestPoint {
    /// The face that contains it; among faces equally near to the last digit, the one with the
    /// lowest index.
    pub face: u32,
    /// Its position.
    pub point: Point<3>,
    /// Its distance.
    pub distance: f64,
    /// The vertex, edge or face that contains it.
    pub feature: Feature,
}

/// First intersection of a segment with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SegmentHit {
    /// The face.
    pub face: u32,
    /// The fraction of the segment before it.
    pub fraction: f64,
    /// The position.
    pub point: Point<3>,
}

impl TriangleTree {
    /// Returns the nearest point of the surface.
    #[doc(alias = "signed distance")]
    #[doc(alias = "closest point")]
    pub fn nearest(&self, point: &Point<3>) -> NearestPoint {
        let found = self.nearest_alone(point, f64::INFINITY);
        self.finished(point, found.map_or(0, |least| least.item))
    }

    /// Returns the nearest point of the surface if it is at most `limit` away.
    pub fn nearest_within(&self, point: &Point<3>, limit: f64) -> Option<NearestPoint> {
        let found = self.nearest_alone(point, limit * limit * GUESS)?;
        Some(self.finished(point, found.item)).filter(|nearest| nearest.distance <= limit)
    }

    /// Finds the nearest points of the surface for many query points, in parallel. The points are
    /// visited along a space-filling curve, and neighbours are searched together.
    pub fn nearest_points(&self, points: &[Point<3>], found: &mut Vec<NearestPoint>) {
        found.clear();
        let to_be_overwritten = NearestPoint {
            face: 0,
            point: Point::origin(),
            distance: 0.0,
            feature: Feature::Face(0),
        };
        found.resize(points.len(), to_be_overwritten);
        self.for_each_nearest(
            points,
            |point, face| self.finished(point, face),
            |row, nearest| found[row] = nearest,
        );
    }

    /// Computes the distances of many points from the surface, as [`TriangleTree::nearest_points`] does,
    /// without what else it finds.
    pub fn distances(&self, points: &[Point<3>], distances: &mut Vec<f64>) {
        distances.clear();
        distances.resize(points.len(), 0.0);
        self.for_each_nearest(
            points,
            |point, face| closest_on(&self.corners(face as usize), point).way.norm(),
            |row, distance| distances[row] = distance,
        );
    }

    /// Finds the nearest face of each point, and writes what `finish` makes of it.
    fn for_each_nearest<R: Send>(
        &self,
        points: &[Point<3>],
        finish: impl Fn(&Point<3>, u32) -> R + Sync,
        mut write: impl FnMut(usize, R),
    ) {
        let order = along_curve(points, &Aabb::of(points.iter().copied()));
        for batch in order.chunks(BATCH) {
            let found: Vec<R> = batch
                .par_chunks(CHUNK)
                .flat_map_iter(|rows| self.nearest_in_order(points, rows, &finish))
                .collect();
            for (&row, one) in batch.iter().zip(found) {
                write(row as usize, one);
            }
        }
    }

    fn nearest_in_order<R>(
        &self,
        points: &[Point<3>],
        rows: &[u32],
        finish: &impl Fn(&Point<3>, u32) -> R,
    ) -> Vec<R> {
        let (mut visits, mut open) = (Visits::new(), Vec::new());
        let (mut guess, mut found) = (None, Vec::with_capacity(rows.len()));
        for rows in rows.chunks(GROUP) {
            let row = |n: usize| rows[n.min(rows.len() - 1)] as usize;
            let group: [Point<3>; GROUP] = std::array::from_fn(|n| points[row(n)]);
            let group = &group[..rows.len()];
            if let Some(faces) = self.nearest_faces(group, &mut visits) {
                found.extend(
                    group
                        .iter()
                        .zip(faces)
                        .map(|(point, face)| finish(point, face)),
                );
                continue;
            }

            for point in group {
                let face = self.nearest_face(point, guess, &mut open);
                found.push(finish(point, face));
                guess = Some(face);
            }
        }

        found
    }

    fn nearest_face(
        &self,
        point: &Point<3>,
        guess: Option<u32>,
        open: &mut Vec<(f64, Child)>,
    ) -> u32 {
        let square = |face: u32| {
            closest_on(&self.corners(face as usize), point)
                .way
                .norm_squared()
        };
        let limit = guess.map_or(f64::INFINITY, |face| {
            square(face) * GUESS + f64::MIN_POSITIVE
        });
        let found = self
            .nearest_from(point, limit, open)
            .map(|least| least.item);

        found.or(guess).unwrap_or(0)
    }

    fn finished(&self, point: &Point<3>, face: u32) -> NearestPoint {
        let on = closest_on(&self.corners(face as usize), point);
        NearestPoint {
            face,
            point: on.point,
            distance: on.way.norm(),
            feature: self.feature(face, on.between),
        }
    }

    /// Finds the nearest face of a single point, with the work buffer of this thread.
    fn nearest_alone(&self, point: &Point<3>, limit: f64) -> Option<Least> {
        thread_local! {
            static OPEN: RefCell<Vec<(f64, Child)>> = const { RefCell::new(Vec::new()) };
        }
        OPEN.with_borrow_mut(|open| self.nearest_from(point, limit, open))
    }

    /// Finds the nearest face by squared distance, if that is at most `limit`; `open` is a work
    /// buffer.
    fn nearest_from(
        &self,
        point: &Point<3>,
        limit: f64,
        open: &mut Vec<(f64, Child)>,
    ) -> Option<Least> {
        dispatch!(self.level, _simd => self.nearest_in_fours(point, limit, open))
    }

    #[inline(always)]
    fn nearest_in_fours(
        &self,
        point: &Point<3>,
        limit: f64,
        open: &mut Vec<(f64, Child)>,
    ) -> Option<Least> {
        let mut best = Least {
            item: u32::MAX,
            value: limit,
        };
        open.clear();
        open.push((
            0.0,
            Child {
                index: self.wide.len() as u32 - 1,
                count: 0,
            },
        ));

        while let Some((squared_distance, child)) = open.pop() {
            if squared_distance > best.value {
                continue;
            }

            if child.is_leaf() {
                let block = &self.blocks[child.index as usize];
                let values = block.squared_distances(point);
                for lane in 0..(child.count as usize).min(LANES) {
                    let (value, item) = (values.0[lane], block.faces[lane]);
                    if value < best.value || value == best.value && item < best.item {
                        best = Least { item, value };
                    }
                }
                continue;
            }

            let node = &self.wide[child.index as usize];
            let values = node.squared_distances(point);
            let start = open.len();

            for lane in 0..(node.used as usize).min(LANES) {
                if values.0[lane] <= best.value {
                    insert(open, start, (values.0[lane], node.children[lane]));
                }
            }
        }

        (best.item != u32::MAX).then_some(best)
    }

    /// Writes all faces at most `distance` from the point, sorted.
    pub fn faces_within(&self, point: &Point<3>, distance: f64, found: &mut Vec<u32>) {
        found.clear();
        self.boxes.visit_within(point, distance, |face| {
            if closest_on(&self.corners(face as usize), point).way.norm() <= distance {
                found.push(face);
            }
        });

        found.sort_unstable();
    }

    /// Returns the first intersection of the closed segment with the surface. Whether it meets a
    /// face is decided exactly.
    pub fn first_hit(&self, from: &Point<3>, to: &Point<3>) -> Option<SegmentHit> {
        let segment = Segment::new(from, to);
        let measure = |face: u32, _| {
            let triangle = self.corners(face as usize);
            if segment_touches(from, to, &triangle) {
                fraction(from, to, &triangle)
            } else {
                f64::INFINITY
            }
        };
        let found = self
            .boxes
            .least(1.0, |bounds| segment.entry(bounds), measure)?;

        Some(SegmentHit {
            face: found.item,
            fraction: found.value,
            point: from + (to - from) * found.value,
        })
    }
}

/// Returns the fraction of a segment before it meets a triangle that it touches.
fn fraction(from: &Point<3>, to: &Point<3>, triangle: &[Point<3>; 3]) -> f64 {
    let normal: Vector<3> = (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0]));
    let (above, below) = (
        normal.dot(&(from - triangle[0])),
        normal.dot(&(to - triangle[0])),
    );
    let share = above / (above - below);

    if share.is_finite() {
        return share.clamp(0.0, 1.0);
    }

    // In the plane: at the start if that is in the triangle, otherwise at a side.
    if closest_on(triangle, from).way.norm() == 0.0 {
        return 0.0;
    }

    let sides = (0..3).map(|k| {
        segment_segment(
            &(to - from),
            &(triangle[k] - from),
            &(triangle[(k + 1) % 3] - triangle[k]),
        )
    });
    let met = sides.filter(|(_, _, way)| way.norm_squared() <= MET * (to - from).norm_squared());

    met.map(|(s, _, _)| s.fraction()).fold(1.0, f64::min)
}
