//! Distance between any two convex bodies by the GJK algorithm of Gilbert, Johnson and Keerthi
//! (1988), as used in \[Erleben2005\].
//!
//! A simplex of vertex differences b − a is driven towards the origin. Its point nearest to the
//! origin is the current estimate v of the vector between the bodies. Each iteration adds the
//! support point along v and drops the vertices that do not contain the nearest point. The
//! separation along v bounds the distance from below, |v| from above. The loop ends when the bounds
//! meet or |v| stops decreasing. Support points are found by hill climbing from the previous ones,
//! and the simplex is kept between steps as a warm start.
//!
//! The point nearest to the origin is found from signs of areas and volumes, with the orthogonal
//! component taken from the triangle's normal. The textbook's products of determinants lose half
//! the digits (Montanari et al. 2017).
//!
//! A body may be curved: its support map then returns points instead of indices of vertices, and the
//! bounds close step by step. Their difference stays in the result.

use super::Relative;
use crate::shape::{Polygon, Polyhedron, Sphere};
use crate::space::{Point, Pose, Vector};
use std::fmt::Debug;

/// Distance, relative to the magnitude of the coordinates, below which bodies count as touching.
const TOUCH: f64 = 1e-15;

/// Difference of the bounds, relative to the magnitude of the coordinates, at which the loop ends.
const CLOSE: f64 = 4e-16;

/// Maximum number of support evaluations. Polyhedra need some ten, curved bodies some thirty.
const MOST: u32 = 200;

/// A convex body given by its support map. Flat bodies lie in the plane z = 0.
pub trait SupportMap {
    /// Identifies a point of the body's surface: the index of a vertex, or the position on a curved
    /// body.
    type Vertex: Copy + Debug + Default + PartialEq;

    /// Returns any vertex.
    fn start(&self) -> Self::Vertex;

    /// Returns the vertex furthest in a direction, searching from the vertex `start`.
    fn support(&self, direction: &Vector<3>, start: Self::Vertex) -> Self::Vertex;

    /// Returns the position of a vertex.
    fn vertex(&self, vertex: Self::Vertex) -> Point<3>;
}

impl SupportMap for Polyhedron {
    type Vertex = u32;

    fn start(&self) -> u32 {
        0
    }

    fn support(&self, direction: &Vector<3>, start: u32) -> u32 {
        self.support(direction, start)
    }

    fn vertex(&self, number: u32) -> Point<3> {
        self.points()[number as usize]
    }
}

impl SupportMap for Polygon {
    type Vertex = u32;

    fn start(&self) -> u32 {
        0
    }

    fn support(&self, direction: &Vector<3>, start: u32) -> u32 {
        self.support(&direction.xy(), start as usize) as u32
    }

    fn vertex(&self, number: u32) -> Point<3> {
        let p = self.points()[number as usize];
        Point::from([p.x, p.y, 0.0])
    }
}

/// A sphere is represented by its centre; the caller subtracts the radius.
impl SupportMap for Sphere<3> {
    type Vertex = u32;

    fn start(&self) -> u32 {
        0
    }

    fn support(&self, _: &Vector<3>, _: u32) -> u32 {
        0
    }

    fn vertex(&self, _: u32) -> Point<3> {
        self.centre()
    }
}

/// The hull of a few points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corners<'a>(pub(crate) &'a [Point<3>]);

impl SupportMap for Corners<'_> {
    type Vertex = u32;

    fn start(&self) -> u32 {
        0
    }

    fn support(&self, direction: &Vector<3>, _: u32) -> u32 {
        let reach = |i: u32| direction.dot(&self.0[i as usize].coords);
        (1..self.0.len() as u32).fold(0, |best, i| if reach(i) > reach(best) { i } else { best })
    }

    fn vertex(&self, number: u32) -> Point<3> {
        self.0[number as usize]
    }
}

/// Warm start: the vertices that supported the closest points in the last step.
#[derive(Clone, Debug, Default)]
pub struct Simplex<V = u32, W = u32> {
    /// At least one is in use after the first call.
    pairs: [(V, W); 4],
    count: usize,
}

/// Result of GJK.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GjkResult {
    /// Distance between the bodies; zero if they overlap.
    pub distance: f64,
    /// Lower bound of the distance.
    pub lower: f64,
    /// Closest point on the first body, in world coordinates; any common point if they overlap.
    pub on_a: Point<3>,
    /// Closest point on the second body, in world coordinates.
    pub on_b: Point<3>,
    /// Unit vector from the first to the second body; zero if they overlap.
    pub normal: Vector<3>,
    /// Number of support evaluations.
    pub iterations: u32,
}

/// Computes the distance between two bodies, starting from the simplex of the last step.
///
/// ```
/// use impinge::narrow::gjk;
/// use impinge::{shape::Polyhedron, space::{Point, Pose}};
/// let corners: Vec<Point<3>> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
/// let cube = Polyhedron::hull(&corners)?;
/// let away = Pose::at([4.0, 5.0, 0.5]);
/// let found = gjk::distance(&cube, &Pose::identity(), &cube, &away, &mut gjk::Simplex::default());
/// assert_eq!(found.distance, 5.0);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[doc(alias = "GJK")]
#[doc(alias = "Gilbert-Johnson-Keerthi")]
#[doc(alias = "Minkowski difference")]
pub fn distance<A: SupportMap, B: SupportMap>(
    a: &A,
    pose_a: &Pose<3>,
    b: &B,
    pose_b: &Pose<3>,
    kept: &mut Simplex<A::Vertex, B::Vertex>,
) -> GjkResult {
    let relative = Relative::of(pose_a, pose_b);
    if kept.count == 0 {
        *kept = Simplex {
            pairs: [(a.start(), b.start()); 4],
            count: 1,
        };
    }

    let found = Search {
        a,
        b,
        relative: &relative,
        iterations: 0,
    }
    .run(kept);

    GjkResult {
        distance: found.bounds[1],
        lower: found.bounds[0],
        on_a: pose_a.point(&found.on[0]),
        on_b: pose_b.point(&found.on[1]),
        normal: pose_a.vector(&found.normal),
        iterations: found.iterations,
    }
}

/// Result of GJK in the bodies' own frames.
pub(super) struct GjkInFrame<V, W> {
    /// For each body the vertices whose hull contains its closest point; the first is repeated if
    /// there are fewer than three.
    pub(super) vertices: ([V; 3], [W; 3]),
    pub(super) on: [Point<3>; 2],
    pub(super) normal: Vector<3>,
    pub(super) bounds: [f64; 2],
    pub(super) iterations: u32,
}

/// Computes the distance in the first body's frame, starting from a pair of vertices.
pub(super) fn in_frame<A: SupportMap, B: SupportMap>(
    a: &A,
    b: &B,
    relative: &Relative<3>,
    start: (A::Vertex, B::Vertex),
) -> GjkInFrame<A::Vertex, B::Vertex> {
    let mut kept = Simplex {
        pairs: [start; 4],
        count: 1,
    };
    Search {
        a,
        b,
        relative,
        iterations: 0,
    }
    .run(&mut kept)
}

/// A vertex difference b − a, which is a vertex of the Minkowski difference.
#[derive(Clone, Copy, Debug, Default)]
struct Corner<V, W> {
    pair: (V, W),
    at: Vector<3>,
    weight: f64,
}

/// One to four corners, stored inline.
#[derive(Clone, Copy, Debug, Default)]
struct Reduced<V, W> {
    corners: [Corner<V, W>; 4],
    count: usize,
    /// The point nearest to the origin.
    way: Vector<3>,
}

impl<V: Copy + Default, W: Copy + Default> Reduced<V, W> {
    fn of<const N: usize>(corners: [(Corner<V, W>, f64); N], way: Vector<3>) -> Self {
        let mut reduced = Self {
            count: N,
            way,
            ..Self::default()
        };
        for (place, (corner, weight)) in reduced.corners.iter_mut().zip(corners) {
            *place = Corner { weight, ..corner };
        }

        reduced
    }

    fn corners(&self) -> &[Corner<V, W>] {
        &self.corners[..self.count]
    }

    /// Returns the sum of the corners' vertices by their weights.
    fn blend(&self, vertex: impl Fn(&Corner<V, W>) -> Point<3>) -> Point<3> {
        let root = vertex(&self.corners[0]);
        let ways = self.corners()[1..]
            .iter()
            .map(|c| (vertex(c) - root) * c.weight);
        root + ways.sum::<Vector<3>>()
    }

    fn shorter(self, other: Self) -> Self {
        if other.way.norm_squared() < self.way.norm_squared() {
            other
        } else {
            self
        }
    }

    /// Adds a corner and reduces the simplex to the corners that support the point nearest to the
    /// origin, with their weights. All four remain only if the origin is inside, which `is_outside`
    /// excludes: four points close to a plane would otherwise seem to contain it.
    fn with(&self, corner: Corner<V, W>, is_outside: bool) -> Self {
        let [p, q, r, _] = self.corners;
        match self.count {
            0 => Self::of([(corner, 1.0)], corner.at),
            1 => on_segment(p, corner),
            2 => on_triangle(p, q, corner),
            _ => on_tetrahedron([p, q, r, corner], is_outside),
        }
    }
}

struct Search<'a, A, B> {
    a: &'a A,
    b: &'a B,
    relative: &'a Relative<3>,
    iterations: u32,
}

impl<A: SupportMap, B: SupportMap> Search<'_, A, B> {
    fn corner(&self, pair: (A::Vertex, B::Vertex)) -> Corner<A::Vertex, B::Vertex> {
        let at = self
            .relative
            .seen_from(&self.a.vertex(pair.0), &self.b.vertex(pair.1));
        Corner {
            pair,
            at,
            weight: 1.0,
        }
    }

    fn support(
        &mut self,
        way: &Vector<3>,
        start: (A::Vertex, B::Vertex),
    ) -> Corner<A::Vertex, B::Vertex> {
        self.iterations += 1;
        let a = self.a.support(way, start.0);
        let b = self.b.support(&-self.relative.vector_in_b(way), start.1);
        self.corner((a, b))
    }

    fn run(mut self, kept: &mut Simplex<A::Vertex, B::Vertex>) -> GjkInFrame<A::Vertex, B::Vertex> {
        let mut simplex = Reduced::default();
        for &pair in &kept.pairs[..kept.count] {
            simplex = simplex.with(self.corner(pair), false);
        }
        let mut lower = 0.0f64;

        loop {
            let length = simplex.way.norm();
            let first = simplex.corners[0].pair;
            let magnitude = self
                .relative
                .magnitude(&self.a.vertex(first.0), &self.b.vertex(first.1));

            if simplex.count == 4 || length <= TOUCH * magnitude {
                return self.finish(kept, &simplex, &Vector::zeros(), [0.0, 0.0]);
            }

            let normal = simplex.way / length;
            let corner = self.support(&normal, first);
            lower = lower.max(normal.dot(&corner.at));
            let known = simplex.corners().iter().any(|c| c.pair == corner.pair);
            let is_close = length - lower <= CLOSE * (magnitude + length);

            // The nearest point of a sliver is inaccurate, but a separation is not.
            let is_short = lower - length > CLOSE * (magnitude + length);
            let bounds = if is_short {
                [lower; 2]
            } else {
                [lower.min(length), length]
            };
            if known || is_close || self.iterations >= MOST {
                return self.finish(kept, &simplex, &normal, bounds);
            }

            let next = simplex.with(corner, lower > TOUCH * magnitude);
            if next.count < 4 && next.way.norm_squared() >= simplex.way.norm_squared() {
                return self.finish(kept, &simplex, &normal, bounds);
            }

            simplex = next;
        }
    }

    fn finish(
        &self,
        kept: &mut Simplex<A::Vertex, B::Vertex>,
        simplex: &Reduced<A::Vertex, B::Vertex>,
        normal: &Vector<3>,
        bounds: [f64; 2],
    ) -> GjkInFrame<A::Vertex, B::Vertex> {
        let corners = simplex.corners();
        kept.count = corners.len().min(3);
        for (pair, corner) in kept.pairs.iter_mut().zip(&corners[..kept.count]) {
            *pair = corner.pair;
        }

        let on = [
            simplex.blend(|c| self.a.vertex(c.pair.0)),
            simplex.blend(|c| self.b.vertex(c.pair.1)),
        ];
        let pair = |k: usize| corners.get(k).unwrap_or(&corners[0]).pair;
        let vertices = ([0, 1, 2].map(|k| pair(k).0), [0, 1, 2].map(|k| pair(k).1));

        GjkInFrame {
            vertices,
            on,
            normal: *normal,
            bounds,
            iterations: self.iterations,
        }
    }
}

fn on_segment<V: Copy + Default, W: Copy + Default>(
    p: Corner<V, W>,
    q: Corner<V, W>,
) -> Reduced<V, W> {
    let edge = q.at - p.at;
    let t = -p.at.dot(&edge) / edge.norm_squared();
    if t >= 1.0 {
        Reduced::of([(q, 1.0)], q.at)
    } else if t > 0.0 {
        Reduced::of([(p, 1.0 - t), (q, t)], p.at + edge * t)
    } else {
        // Also taken if both corners coincide and t is NaN.
        Reduced::of([(p, 1.0)], p.at)
    }
}

fn on_triangle<V: Copy + Default, W: Copy + Default>(
    p: Corner<V, W>,
    q: Corner<V, W>,
    r: Corner<V, W>,
) -> Reduced<V, W> {
    let normal = (q.at - p.at).cross(&(r.at - p.at));
    let squared = normal.norm_squared();
    let share = |u: &Corner<V, W>, v: &Corner<V, W>| normal.dot(&u.at.cross(&v.at)) / squared;
    let weights = [share(&q, &r), share(&r, &p), share(&p, &q)];

    if squared > 0.0 && weights.iter().all(|&w| w > 0.0) {
        let sum: f64 = weights.iter().sum();
        let [u, v, w] = weights.map(|weight| weight / sum);
        let way = normal * (normal.dot(&p.at) / squared);
        return Reduced::of([(p, u), (q, v), (r, w)], way);
    }

    // The closest point is on a side that separates the origin from the triangle. Without area, all
    // three are tried.
    let sides = [(q, r), (r, p), (p, q)];
    let beyond = (0..3).filter(|&k| weights[k].is_nan() || weights[k] <= 0.0);
    beyond
        .map(|k| on_segment(sides[k].0, sides[k].1))
        .reduce(Reduced::shorter)
        .unwrap_or_else(|| on_segment(p, q))
}

fn on_tetrahedron<V: Copy + Default, W: Copy + Default>(
    corners: [Corner<V, W>; 4],
    is_outside: bool,
) -> Reduced<V, W> {
    let mut best: Option<Reduced<V, W>> = None;
    let mut weights = [0.0; 4];
    for k in 0..4 {
        let [p, q, r] = [1, 2, 3].map(|i| corners[(k + i) % 4]);
        let normal = (q.at - p.at).cross(&(r.at - p.at));
        let (apex, origin) = (normal.dot(&(corners[k].at - p.at)), -normal.dot(&p.at));
        // The origin is beyond this face, or the tetrahedron is flat.
        if is_outside || apex == 0.0 || (origin > 0.0) != (apex > 0.0) {
            let found = on_triangle(p, q, r);
            best = Some(best.map_or(found, |best| best.shorter(found)));
        }
        weights[k] = origin / apex;
    }

    best.unwrap_or_else(|| {
        let [p, q, r, s] = corners;
        let [i, j, k, l] = weights;
        Reduced::of([(p, i), (q, j), (r, k), (s, l)], Vector::zeros())
    })
}
