//! Closest features of convex polygons \[Schinner1997\].
//!
//! A pair of features (vertex or edge) is cached between steps. Their closest points are p on A and
//! q on B, with d = q − p. They are the closest points of the bodies if each lies in the Voronoi
//! region of the other's feature. Equivalently, no neighbour of p's feature reaches further along
//! d, and no neighbour of q's feature reaches further along −d. If a neighbour does, it replaces
//! the feature, as an edge that contains the old vertex. The distance then strictly decreases, so
//! no pair of features is visited twice and the walk terminates. In a slowly changing system the
//! first pair tested is already the closest: a constant number of local tests, independent of the
//! number of corners.
//!
//! The paper's special case of a vertex under an edge, and crossing edges, are left to the cached
//! polytope (EPA) of `penetration2`, which also gives the penetration depth.

use super::penetration2::{Polytope, Side};
use super::segment::{Along, point_segment, segment_segment};
use super::tolerance::TOUCH;
use super::{Closest, ClosestMethod, ContactPoint, Relative, brute2};
use crate::shape::{Feature, Polygon};
use crate::space::{Point, Pose, Vector};

/// Slope, relative to the maximum of 1, below which a neighbour does not count as reaching further.
/// Slopes of parallel edges sliding on each other differ by about 1e-16; the error of the distance
/// is this value times the size.
const LEVEL: f64 = 1e-14;

/// Width of the bounds, relative to the magnitude of the coordinates, up to which a depth is
/// accepted.
const CERTIFIED: f64 = 1e-13;

/// A vertex or an edge, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Vertex(usize),
    Edge(usize),
}

/// Warm-start data of one pair of polygons, valid only for these two polygons in this order.
#[derive(Clone, Debug)]
#[doc(alias = "warm start")]
#[doc(alias = "feature cache")]
#[doc(alias = "temporal coherence")]
pub struct FeatureCache2 {
    parts: [Part; 2],
    is_new: bool,
    /// Present only while the bodies overlap.
    polytope: Option<Box<Polytope>>,
}

impl Default for FeatureCache2 {
    fn default() -> Self {
        Self {
            parts: [Part::Vertex(0); 2],
            is_new: true,
            polytope: None,
        }
    }
}

/// Closest points of two features, computed in the first body's frame.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    parts: [Part; 2],
    /// Positions, each in its body's own frame.
    on: [Point<2>; 2],
    /// Vector from the first to the second, in the first body's frame.
    way: Vector<2>,
    squared: f64,
}

struct Pairing<'a> {
    a: &'a Polygon,
    b: &'a Polygon,
    relative: Relative<2>,
    tests: u32,
}

/// Computes gap, normal and closest points of two polygons, starting from the features cached in
/// the last step.
///
/// ```
/// use impinge::narrow::features2::{FeatureCache2, closest};
/// use impinge::{shape::Polygon, space::{Point, Pose}};
/// let square = Polygon::new(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Point::from))?;
/// let mut cache = FeatureCache2::default();
/// let gap = |x, cache: &mut FeatureCache2| closest(&square, &Pose::identity(), &square, &Pose::at([x, 0.5]), cache).contact.gap;
/// assert_eq!(gap(1.25, &mut cache), 0.25);
/// assert_eq!(gap(0.75, &mut cache), -0.25);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[doc(alias = "Lin-Canny")]
#[doc(alias = "V-Clip")]
#[doc(alias = "closest features")]
#[doc(alias = "separation distance")]
#[doc(alias = "EPA")]
#[doc(alias = "penetration depth")]
#[doc(alias = "Minkowski difference")]
pub fn closest(
    a: &Polygon,
    pose_a: &Pose<2>,
    b: &Polygon,
    pose_b: &Pose<2>,
    cache: &mut FeatureCache2,
) -> Closest<2> {
    closest_traced(a, pose_a, b, pose_b, cache, |_, _| ())
}

/// Like [`closest`], and calls back with every pair of features that the walk tests.
pub fn closest_traced(
    a: &Polygon,
    pose_a: &Pose<2>,
    b: &Polygon,
    pose_b: &Pose<2>,
    cache: &mut FeatureCache2,
    mut trace: impl FnMut(Feature, Feature),
) -> Closest<2> {
    let mut pairing = Pairing {
        a,
        b,
        relative: Relative::of(pose_a, pose_b),
        tests: 0,
    };
    let mut trace = |parts: [Part; 2]| trace(feature(a, parts[0]), feature(b, parts[1]));
    let found = match &mut cache.polytope {
        Some(polytope) => pairing.overlap_first(polytope, cache.parts, &mut trace),
        None => {
            if std::mem::take(&mut cache.is_new) {
                cache.parts = pairing.facing_vertices();
            }
            pairing.apart_first(cache.parts, &mut cache.polytope, &mut trace)
        }
    };

    if found.method == ClosestMethod::Walk {
        cache.polytope = None;
    }

    cache.parts = found.parts;
    found.in_world(a, pose_a, b, pose_b, pairing.tests)
}

/// A result in the bodies' frames.
struct Found {
    parts: [Part; 2],
    on: [Point<2>; 2],
    /// Normal in the first body's frame.
    normal: Vector<2>,
    gap: f64,
    bounds: [f64; 2],
    method: ClosestMethod,
}

impl Found {
    fn in_world(
        &self,
        a: &Polygon,
        pose_a: &Pose<2>,
        b: &Polygon,
        pose_b: &Pose<2>,
        tests: u32,
    ) -> Closest<2> {
        let contact = ContactPoint {
            on_a: pose_a.point(&self.on[0]),
            on_b: pose_b.point(&self.on[1]),
            normal: pose_a.vector(&self.normal),
            gap: self.gap,
            feature_a: feature(a, self.parts[0]),
            feature_b: feature(b, self.parts[1]),
        };
        Closest {
            contact,
            bounds: self.bounds,
            tests,
            method: self.method,
        }
    }
}

fn feature(body: &Polygon, part: Part) -> Feature {
    match part {
        Part::Vertex(i) => Feature::Vertex(i as u32),
        Part::Edge(i) => {
            let (i, j) = (i as u32, body.next(i) as u32);
            Feature::Edge([i.min(j), i.max(j)])
        }
    }
}

impl Pairing<'_> {
    fn apart_first(
        &mut self,
        parts: [Part; 2],
        polytope: &mut Option<Box<Polytope>>,
        trace: &mut impl FnMut([Part; 2]),
    ) -> Found {
        if let Some(found) = self.certain_walk(parts, trace) {
            return found;
        }

        let mut grown = Box::new(Polytope::new(self.a, self.b, &self.relative));
        let found = self.overlap_first(&mut grown, parts, trace);
        if found.method == ClosestMethod::Epa {
            *polytope = Some(grown);
        }

        found
    }

    /// Computes the depth by EPA; if it finds a separating axis, continues with the walk from
    /// there.
    fn overlap_first(
        &mut self,
        polytope: &mut Polytope,
        parts: [Part; 2],
        trace: &mut impl FnMut([Part; 2]),
    ) -> Found {
        let facet = polytope.nearest_facet(self.a, self.b, &self.relative, &mut self.tests);
        if !facet.apart {
            let found = self.of_facet(&facet);
            return if self.is_certain(&found) {
                found
            } else {
                self.by_brute_force()
            };
        }

        let start = [
            Part::Vertex(facet.sides[0].from),
            Part::Vertex(facet.sides[1].from),
        ];

        for parts in [start, parts] {
            if let Some(found) = self.certain_walk(parts, trace) {
                return found;
            }
        }

        self.by_brute_force()
    }

    /// Returns the walk's result if its bounds meet: on a needle, rounding may stop the walk too
    /// early.
    fn certain_walk(
        &mut self,
        start: [Part; 2],
        trace: &mut impl FnMut([Part; 2]),
    ) -> Option<Found> {
        let found = self.walk(start, trace)?;
        self.is_certain(&found).then_some(found)
    }

    /// Returns whether the bounds meet. Of 3.3 million pairs, needles included, the walk's bounds
    /// did not meet in 21.
    fn is_certain(&self, found: &Found) -> bool {
        found.bounds[1] - found.bounds[0]
            <= CERTIFIED * self.relative.magnitude(&found.on[0], &found.on[1])
    }

    fn of_facet(&self, facet: &super::penetration2::Facet) -> Found {
        let part = |side: &Side| match side.edge {
            Some(edge) if side.from != side.to => Part::Edge(edge),
            _ => Part::Vertex(side.from),
        };
        Found {
            parts: [part(&facet.sides[0]), part(&facet.sides[1])],
            on: facet.on,
            normal: facet.normal,
            gap: -facet.overlap,
            bounds: [-facet.overlap, -facet.inner],
            method: ClosestMethod::Epa,
        }
    }

    #[cold]
    fn by_brute_force(&mut self) -> Found {
        let (gap, normal) = brute2::gap_in_frame(self.a, self.b, &self.relative);
        let top = self.a.support(&normal, 0);
        let bottom = self.b.support(&-self.relative.vector_in_b(&normal), 0);
        Found {
            parts: [Part::Vertex(top), Part::Vertex(bottom)],
            on: [self.a.points()[top], self.b.points()[bottom]],
            normal,
            gap,
            bounds: [gap, gap],
            method: ClosestMethod::BruteForce,
        }
    }

    /// Returns the vertices that face each other, seen from any two vertices, as a start for the
    /// first walk.
    fn facing_vertices(&self) -> [Part; 2] {
        let way = self
            .relative
            .seen_from(&self.a.points()[0], &self.b.points()[0]);
        let i = self.a.support(&way, 0);
        let j = self.b.support(&-self.relative.vector_in_b(&way), 0);
        [Part::Vertex(i), Part::Vertex(j)]
    }

    /// Walks from feature to feature, each pair closer than the last; `None` if the bodies meet or
    /// may meet.
    fn walk(&mut self, start: [Part; 2], trace: &mut impl FnMut([Part; 2])) -> Option<Found> {
        trace(start);
        let mut nearest = self.nearest(start)?;
        loop {
            let [i, j] = nearest.parts.map(|part| match part {
                Part::Vertex(i) | Part::Edge(i) => i,
            });
            let touch = TOUCH
                * self
                    .relative
                    .magnitude(&self.a.points()[i], &self.b.points()[j]);

            if nearest.squared <= touch * touch {
                return None;
            }

            let [part_a, part_b] = nearest.parts;
            let on_a = further(self.a, part_a, &nearest.way);
            let on_b = further(self.b, part_b, &-self.relative.vector_in_b(&nearest.way));
            let level = LEVEL * LEVEL * nearest.squared;

            if on_a.slope.max(on_b.slope) <= level {
                return Some(self.certified(&nearest, [on_a, on_b]));
            }

            let next = if on_a.slope >= on_b.slope {
                [Part::Edge(on_a.edge), part_b]
            } else {
                [part_a, Part::Edge(on_b.edge)]
            };
            trace(next);
            let closer = self.nearest(next)?;

            if closer.squared >= nearest.squared {
                return Some(self.certified(&nearest, [on_a, on_b]));
            }

            nearest = closer;
        }
    }

    /// Returns the closest points of two features as closed sets, and the smallest features that
    /// contain them. `None` if edges cross or a vertex is under an edge.
    fn nearest(&mut self, parts: [Part; 2]) -> Option<Nearest> {
        self.tests += 1;
        match parts {
            [Part::Vertex(i), Part::Vertex(j)] => Some(self.vertices(i, j)),
            [Part::Edge(i), Part::Vertex(j)] => self.edge_vertex(i, j),
            [Part::Vertex(i), Part::Edge(j)] => self.vertex_edge(i, j),
            [Part::Edge(i), Part::Edge(j)] => self.edges(i, j),
        }
    }

    fn vertices(&self, i: usize, j: usize) -> Nearest {
        let (p, q) = (self.a.points()[i], self.b.points()[j]);
        let way = self.relative.seen_from(&p, &q);
        Nearest {
            parts: [Part::Vertex(i), Part::Vertex(j)],
            on: [p, q],
            way,
            squared: way.norm_squared(),
        }
    }

    fn edge_vertex(&self, i: usize, j: usize) -> Option<Nearest> {
        let (p, q) = (self.a.points()[i], self.b.points()[j]);
        let edge = self.a.points()[self.a.next(i)] - p;
        let point = self.relative.seen_from(&p, &q);

        match point_segment(&point, &edge).0 {
            Along::Start => Some(self.vertices(i, j)),
            Along::End => Some(self.vertices(self.a.next(i), j)),
            Along::Inside(t) => {
                let height = self.a.normals()[i].dot(&point);
                let way = self.a.normals()[i] * height;
                let parts = [Part::Edge(i), Part::Vertex(j)];
                let on = [p + edge * t, q];
                (height >= 0.0).then_some(Nearest {
                    parts,
                    on,
                    way,
                    squared: height * height,
                })
            }
        }
    }

    fn vertex_edge(&self, i: usize, j: usize) -> Option<Nearest> {
        let (p, q) = (self.a.points()[i], self.b.points()[j]);
        let edge = self.b.points()[self.b.next(j)] - q;
        let point = -self.relative.vector_in_b(&self.relative.seen_from(&p, &q));

        match point_segment(&point, &edge).0 {
            Along::Start => Some(self.vertices(i, j)),
            Along::End => Some(self.vertices(i, self.b.next(j))),
            Along::Inside(t) => {
                let height = self.b.normals()[j].dot(&point);
                let way = self.relative.vector(&(self.b.normals()[j] * -height));
                let parts = [Part::Vertex(i), Part::Edge(j)];
                let on = [p, q + edge * t];
                (height >= 0.0).then_some(Nearest {
                    parts,
                    on,
                    way,
                    squared: height * height,
                })
            }
        }
    }

    fn edges(&self, i: usize, j: usize) -> Option<Nearest> {
        let (p, q) = (self.a.points()[i], self.b.points()[j]);
        let first = self.a.points()[self.a.next(i)] - p;
        let second = self.relative.vector(&(self.b.points()[self.b.next(j)] - q));
        let (s, t, _) = segment_segment(&first, &self.relative.seen_from(&p, &q), &second);
        let vertex = |body: &Polygon, along, from: usize| match along {
            Along::End => body.next(from),
            _ => from,
        };

        match (s, t) {
            (Along::Inside(_), Along::Inside(_)) => None,
            (Along::Inside(_), _) => self.edge_vertex(i, vertex(self.b, t, j)),
            (_, Along::Inside(_)) => self.vertex_edge(vertex(self.a, s, i), j),
            _ => Some(self.vertices(vertex(self.a, s, i), vertex(self.b, t, j))),
        }
    }

    /// Assembles the result at the closest features. The distance of the witness points is an upper
    /// bound of the gap, the separation along the normal a lower bound.
    fn certified(&self, nearest: &Nearest, [on_a, on_b]: [Further; 2]) -> Found {
        let gap = nearest.squared.sqrt();
        let normal = nearest.way / gap;
        let mut lower = gap;

        if on_a.slope > 0.0 {
            lower -= excess(self.a, nearest.parts[0], &nearest.on[0], &normal);
        }

        if on_b.slope > 0.0 {
            lower -= excess(
                self.b,
                nearest.parts[1],
                &nearest.on[1],
                &-self.relative.vector_in_b(&normal),
            );
        }

        Found {
            parts: nearest.parts,
            on: nearest.on,
            normal,
            gap,
            bounds: [lower, gap],
            method: ClosestMethod::Walk,
        }
    }
}

/// Local test whether a body extends beyond a feature in a direction.
struct Further {
    /// The edge along which it rises most steeply.
    edge: usize,
    /// Square of the height gained per length. If it is zero, nothing is higher, since the body is
    /// convex.
    slope: f64,
}

/// Tests whether a body extends beyond a feature in a direction; the direction must be normal to an
/// edge.
#[inline]
fn further(body: &Polygon, part: Part, direction: &Vector<2>) -> Further {
    let Part::Vertex(i) = part else {
        return Further {
            edge: 0,
            slope: 0.0,
        };
    };
    let here = body.points()[i];
    let slope = |to: usize| {
        let edge = body.points()[to] - here;
        let height = edge.dot(direction);
        if height <= 0.0 {
            0.0
        } else {
            height * height / edge.norm_squared()
        }
    };
    let previous = body.previous(i);
    let (ahead, behind) = (slope(body.next(i)), slope(previous));

    if ahead >= behind {
        Further {
            edge: i,
            slope: ahead,
        }
    } else {
        Further {
            edge: previous,
            slope: behind,
        }
    }
}

/// Returns how much further than a point of the feature the body extends in a direction.
fn excess(body: &Polygon, part: Part, point: &Point<2>, direction: &Vector<2>) -> f64 {
    let (Part::Vertex(start) | Part::Edge(start)) = part;
    let top = body.support(direction, start);
    direction.dot(&(body.points()[top] - point)).max(0.0)
}

#[cfg(test)]
mod tests;
