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

use super::Relative;
use crate::shape::{Polygon, Polyhedron, Sphere};
use crate::space::{Point, Pose, Vector};

/// Distance, relative to the magnitude of the coordinates, below which bodies count as touching.
const TOUCH: f64 = 1e-15;

/// Difference of the bounds, relative to the magnitude of the coordinates, at which the loop ends.
const CLOSE: f64 = 4e-16;

/// A convex body given by its support map. Flat bodies lie in the plane z = 0.
pub trait SupportMap {
    /// Returns the index of the vertex furthest in a direction, searching from the vertex `start`.
    fn support(&self, direction: &Vector<3>, start: u32) -> u32;

    /// Returns the position of a vertex.
    fn vertex(&self, number: u32) -> Point<3>;
}

impl SupportMap for Polyhedron {
    fn support(&self, direction: &Vector<3>, start: u32) -> u32 {
        self.support(direction, start)
    }

    fn vertex(&self, number: u32) -> Point<3> {
        self.points()[number as usize]
    }
}

impl SupportMap for Polygon {
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
    fn support(&self, _: &Vector<3>, _: u32) -> u32 {
        0
    }

    fn vertex(&self, _: u32) -> Point<3> {
        self.centre()
    }
}

/// Warm start: the vertices that supported the closest points in the last step.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    /// At least one is in use after the first call.
    pairs: [[u32; 2]; 4],
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
pub fn distance(
    a: &impl SupportMap,
    pose_a: &Pose<3>,
    b: &impl SupportMap,
    pose_b: &Pose<3>,
    kept: &mut Simplex,
) -> GjkResult {
    let relative = Relative::of(pose_a, pose_b);
    if kept.count == 0 {
        *kept = Simplex {
            pairs: [[0; 2]; 4],
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
pub(super) struct GjkInFrame {
    /// For each body the vertices whose hull contains its closest point; the first is repeated if
    /// there are fewer than three.
    pub(super) vertices: [[u32; 3]; 2],
    pub(super) on: [Point<3>; 2],
    pub(super) normal: Vector<3>,
    pub(super) bounds: [f64; 2],
    pub(super) iterations: u32,
}

/// Computes the distance in the first body's frame, starting from a pair of vertices.
pub(super) fn in_frame(
    a: &impl SupportMap,
    b: &impl SupportMap,
    relative: &Relative<3>,
    start: [u32; 2],
) -> GjkInFrame {
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
#[derive(Clone, Copy, Debug)]
struct Corner {
    pair: [u32; 2],
    at: Vector<3>,
    weight: f64,
}

struct Search<'a, A, B> {
    a: &'a A,
    b: &'a B,
    relative: &'a Relative<3>,
    iterations: u32,
}

impl<A: SupportMap, B: SupportMap> Search<'_, A, B> {
    fn corner(&self, pair: [u32; 2]) -> Corner {
        let at = self
            .relative
            .seen_from(&self.a.vertex(pair[0]), &self.b.vertex(pair[1]));
        Corner {
            pair,
            at,
            weight: 1.0,
        }
    }

    fn support(&mut self, way: &Vector<3>, start: [u32; 2]) -> Corner {
        self.iterations += 1;
        let a = self.a.support(way, start[0]);
        let b = self.b.support(&-self.relative.vector_in_b(way), start[1]);
        self.corner([a, b])
    }

    fn run(mut self, kept: &mut Simplex) -> GjkInFrame {
        let mut simplex: Vec<Corner> = Vec::with_capacity(4);
        simplex.extend(
            kept.pairs[..kept.count]
                .iter()
                .map(|&pair| self.corner(pair)),
        );
        let mut way = reduce(&mut simplex);
        let mut lower = 0.0f64;
        let mut held = simplex.clone();

        loop {
            let length = way.norm();
            let [i, j] = simplex[0].pair;
            let magnitude = self
                .relative
                .magnitude(&self.a.vertex(i), &self.b.vertex(j));

            if simplex.len() == 4 || length <= TOUCH * magnitude {
                return self.finish(kept, &simplex, &Vector::zeros(), [0.0, 0.0]);
            }

            let normal = way / length;
            let corner = self.support(&normal, simplex[0].pair);
            lower = lower.max(normal.dot(&corner.at));
            let known = simplex.iter().any(|c| c.pair == corner.pair);

            if known || length - lower <= CLOSE * (magnitude + length) {
                return self.finish(kept, &simplex, &normal, [lower.min(length), length]);
            }

            held.clone_from(&simplex);
            simplex.push(corner);
            let shorter = reduce(&mut simplex);

            if simplex.len() < 4 && shorter.norm_squared() >= way.norm_squared() {
                return self.finish(kept, &held, &normal, [lower.min(length), length]);
            }

            way = shorter;
        }
    }

    fn finish(
        &self,
        kept: &mut Simplex,
        simplex: &[Corner],
        normal: &Vector<3>,
        bounds: [f64; 2],
    ) -> GjkInFrame {
        kept.count = simplex.len().min(3);
        for (pair, corner) in kept.pairs.iter_mut().zip(&simplex[..kept.count]) {
            *pair = corner.pair;
        }

        let blend = |vertex: &dyn Fn(&Corner) -> Point<3>| {
            let root = vertex(&simplex[0]);
            root + simplex[1..]
                .iter()
                .map(|c| (vertex(c) - root) * c.weight)
                .sum::<Vector<3>>()
        };
        let on = [
            blend(&|c| self.a.vertex(c.pair[0])),
            blend(&|c| self.b.vertex(c.pair[1])),
        ];
        let corner = |k: usize| simplex.get(k).unwrap_or(&simplex[0]).pair;
        let vertices = [0, 1].map(|body| [0, 1, 2].map(|k| corner(k)[body]));

        GjkInFrame {
            vertices,
            on,
            normal: *normal,
            bounds,
            iterations: self.iterations,
        }
    }
}

/// Returns the point of the simplex nearest to the origin, and reduces the simplex to the corners
/// that support it, with their weights. All four remain only if the origin is inside.
fn reduce(simplex: &mut Vec<Corner>) -> Vector<3> {
    let (best, way) = match simplex[..] {
        [p] => (vec![Corner { weight: 1.0, ..p }], p.at),
        [p, q] => on_segment(p, q),
        [p, q, r] => on_triangle(p, q, r),
        _ => on_tetrahedron([simplex[0], simplex[1], simplex[2], simplex[3]]),
    };
    *simplex = best;

    way
}

fn on_segment(p: Corner, q: Corner) -> (Vec<Corner>, Vector<3>) {
    let edge = q.at - p.at;
    let t = -p.at.dot(&edge) / edge.norm_squared();
    if t >= 1.0 {
        (vec![Corner { weight: 1.0, ..q }], q.at)
    } else if t > 0.0 {
        let way = p.at + edge * t;
        (
            vec![
                Corner {
                    weight: 1.0 - t,
                    ..p
                },
                Corner { weight: t, ..q },
            ],
            way,
        )
    } else {
        // Also taken if both corners coincide and t is NaN.
        (vec![Corner { weight: 1.0, ..p }], p.at)
    }
}

fn shorter(
    one: (Vec<Corner>, Vector<3>),
    other: (Vec<Corner>, Vector<3>),
) -> (Vec<Corner>, Vector<3>) {
    if other.1.norm_squared() < one.1.norm_squared() {
        other
    } else {
        one
    }
}

fn on_triangle(p: Corner, q: Corner, r: Corner) -> (Vec<Corner>, Vector<3>) {
    let normal = (q.at - p.at).cross(&(r.at - p.at));
    let squared = normal.norm_squared();
    let share = |u: &Corner, v: &Corner| normal.dot(&u.at.cross(&v.at)) / squared;
    let weights = [share(&q, &r), share(&r, &p), share(&p, &q)];

    if squared > 0.0 && weights.iter().all(|&w| w > 0.0) {
        let sum: f64 = weights.iter().sum();
        let [p, q, r] = [(p, 0), (q, 1), (r, 2)].map(|(c, k)| Corner {
            weight: weights[k] / sum,
            ..c
        });
        return (vec![p, q, r], normal * (normal.dot(&p.at) / squared));
    }

    // The closest point is on a side that separates the origin from the triangle. Without area, all
    // three are tried.
    let sides = [(q, r), (r, p), (p, q)];
    let beyond = (0..3).filter(|&k| weights[k].is_nan() || weights[k] <= 0.0);
    beyond
        .map(|k| on_segment(sides[k].0, sides[k].1))
        .reduce(shorter)
        .unwrap_or_else(|| on_segment(p, q))
}

fn on_tetrahedron(corners: [Corner; 4]) -> (Vec<Corner>, Vector<3>) {
    let mut best: Option<(Vec<Corner>, Vector<3>)> = None;
    for k in 0..4 {
        let [p, q, r] = [1, 2, 3].map(|i| corners[(k + i) % 4]);
        let normal = (q.at - p.at).cross(&(r.at - p.at));
        let (apex, origin) = (normal.dot(&(corners[k].at - p.at)), -normal.dot(&p.at));
        // The origin is beyond this face, or the tetrahedron is flat.
        if apex == 0.0 || (origin > 0.0) != (apex > 0.0) {
            let found = on_triangle(p, q, r);
            best = Some(best.map_or_else(|| found.clone(), |best| shorter(best, found.clone())));
        }
    }

    best.unwrap_or_else(|| (corners.to_vec(), Vector::zeros()))
}
