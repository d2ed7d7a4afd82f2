//! Closest features of convex polyhedra, following \[Schinner1997\] and Lin and Canny (1991).
//!
//! A pair of features (each a vertex, edge or facet) is cached between steps. Their closest points
//! are p on A and q on B, with d = q − p. They are the closest points of the bodies if and only if
//! A reaches no further along d than p, and B no further along −d than q: a separating slab of
//! thickness |d|. A vertex is tested against its neighbours, an edge against its two facets; a
//! facet is normal to d by construction.
//!
//! If a neighbour reaches further, the feature is replaced by a larger one that contains it: an
//! edge at the vertex, or a facet at the edge. The closest points of the new pair lie on the
//! smallest features that contain them. The larger feature is strictly closer, so the distance
//! decreases at every step except the few where rounding hides it. Each pair of features has one
//! distance, so no pair is visited twice and the walk terminates. It cannot cycle, unlike the test
//! against Voronoi planes, where rounding may cause a cycle (Mirtich 1998).
//!
//! If the features touch or intersect, or a vertex is under a facet, the cached polytope (EPA) of
//! `penetration3` takes over. It returns the penetration depth, or a separating axis from which the
//! walk restarts. If the walk still fails, GJK decides. A result whose bounds do not meet is not
//! returned: all pairs of features are tried instead, which happens only between needles, for about
//! one pair in ten thousand.

use super::facet::{FacetSegment, Further, Part, excess, further, point_facet, segment_facet};
use super::minkowski3::{Facet, Minkowski3, closest_points};
use super::penetration3::Polytope;
use super::segment::{Along, point_segment, segment_segment};
use super::tolerance::TOUCH;
use super::{Closest, ClosestMethod, ContactPoint, Relative, brute3, gjk};
use crate::shape::{Feature, Polyhedron};
use crate::space::{Point, Pose, Vector};

/// Width of the bounds, relative to the magnitude of the coordinates, up to which a result of the
/// walk is accepted. Between nearly touching slivers the direction may be too inaccurate to prove
/// anything.
const CERTIFIED: f64 = 1e-13;

/// Number of edge pairs up to which brute force is the last resort: a few milliseconds.
const MOST_PAIRS: usize = 10_000;

/// Steps of the walk that may leave the distance unchanged up to rounding. A step from a vertex to
/// an edge nearly normal to d only improves the direction.
const SIDEWAYS: u32 = 4;

/// Warm-start data of one pair of polyhedra, valid only for these two bodies in this order.
#[derive(Clone, Debug)]
#[doc(alias = "warm start")]
#[doc(alias = "feature cache")]
#[doc(alias = "temporal coherence")]
pub struct FeatureCache3 {
    parts: [Part; 2],
    is_new: bool,
    /// Present only while the bodies overlap.
    polytope: Option<Box<Polytope>>,
}

impl Default for FeatureCache3 {
    fn default() -> Self {
        Self {
            parts: [Part::Vertex(0); 2],
            is_new: true,
            polytope: None,
        }
    }
}

/// Closest points of two features.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    parts: [Part; 2],
    /// Positions, each in its body's own frame.
    on: [Point<3>; 2],
    /// Vector from the first to the second, in the first body's frame.
    way: Vector<3>,
    squared: f64,
}

/// A result in the bodies' frames.
struct Found {
    parts: [Part; 2],
    on: [Point<3>; 2],
    /// Normal in the first body's frame.
    normal: Vector<3>,
    gap: f64,
    bounds: [f64; 2],
    method: ClosestMethod,
}

struct Pairing<'a> {
    a: &'a Polyhedron,
    b: &'a Polyhedron,
    relative: Relative<3>,
    tests: u32,
}

/// Computes gap, normal and closest points of two polyhedra, starting from the features cached in
/// the last step.
///
/// ```
/// use impinge::narrow::features3::{FeatureCache3, closest};
/// use impinge::{shape::Polyhedron, space::{Point, Pose}};
/// let corners: Vec<Point<3>> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
/// let cube = Polyhedron::hull(&corners)?;
/// let mut cache = FeatureCache3::default();
/// let gap = |z, cache: &mut FeatureCache3| closest(&cube, &Pose::identity(), &cube, &Pose::at([0.5, 0.5, z]), cache).contact.gap;
/// assert_eq!(gap(1.25, &mut cache), 0.25);
/// assert_eq!(gap(0.75, &mut cache), -0.25);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[doc(alias = "Lin-Canny")]
#[doc(alias = "V-Clip")]
#[doc(alias = "closest features")]
#[doc(alias = "EPA")]
#[doc(alias = "penetration depth")]
#[doc(alias = "Minkowski difference")]
pub fn closest(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    cache: &mut FeatureCache3,
) -> Closest<3> {
    let mut pairing = Pairing {
        a,
        b,
        relative: Relative::of(pose_a, pose_b),
        tests: 0,
    };
    let found = match &mut cache.polytope {
        Some(polytope) => pairing.overlap_first(polytope, cache.parts),
        None => {
            if std::mem::take(&mut cache.is_new) {
                cache.parts = pairing.facing_vertices();
            }
            pairing.apart_first(cache.parts, &mut cache.polytope)
        }
    };

    if found.method != ClosestMethod::Epa {
        cache.polytope = None;
    }

    cache.parts = found.parts;
    let contact = ContactPoint {
        on_a: pose_a.point(&found.on[0]),
        on_b: pose_b.point(&found.on[1]),
        normal: pose_a.vector(&found.normal),
        gap: found.gap,
        feature_a: feature(a, found.parts[0]),
        feature_b: feature(b, found.parts[1]),
    };

    Closest {
        contact,
        bounds: found.bounds,
        tests: pairing.tests,
        method: found.method,
    }
}

pub(super) fn feature(body: &Polyhedron, part: Part) -> Feature {
    match part {
        Part::Vertex(v) => Feature::Vertex(v),
        Part::Edge(h) => {
            let [i, j] = body.ends(h);
            Feature::Edge([i.min(j), i.max(j)])
        }
        Part::Face(face) => Feature::Face(face),
    }
}

impl Pairing<'_> {
    fn apart_first(&mut self, parts: [Part; 2], polytope: &mut Option<Box<Polytope>>) -> Found {
        if let Some(found) = self.walk(parts).filter(|found| self.is_certain(found)) {
            return found;
        }

        let mut grown = Box::new(Polytope::new(self.a, self.b, &self.relative));
        let found = self.overlap_first(&mut grown, parts);
        if found.method == ClosestMethod::Epa {
            *polytope = Some(grown);
        }

        found
    }

    /// Computes the depth by EPA; if it finds a separating axis, continues with the walk from
    /// there.
    fn overlap_first(&mut self, polytope: &mut Polytope, parts: [Part; 2]) -> Found {
        let facet = polytope.nearest_facet(self.a, self.b, &self.relative, &mut self.tests);
        if !facet.apart {
            return self.or_brute_force(of_facet(&facet));
        }

        for parts in [facet.parts, parts] {
            if let Some(found) = self.walk(parts).filter(|found| self.is_certain(found)) {
                return found;
            }
        }

        let found = self.by_gjk(&facet);
        self.or_brute_force(found)
    }

    /// Returns a result that is already certified; otherwise tries all pairs of features, unless there
    /// are too many.
    fn or_brute_force(&self, found: Found) -> Found {
        let pairs = self.a.edge_count() * self.b.edge_count();
        if self.is_certain(&found) || pairs > MOST_PAIRS {
            found
        } else {
            self.by_brute_force()
        }
    }

    #[cold]
    fn by_brute_force(&self) -> Found {
        let (gap, normal) = brute3::gap_in_frame(self.a, self.b, &self.relative);
        let m = Minkowski3 {
            a: self.a,
            b: self.b,
            relative: &self.relative,
        };
        let parts = m.tops(&normal);
        let on = closest_points(&m, parts);

        Found {
            parts,
            on,
            normal,
            gap,
            bounds: [gap; 2],
            method: ClosestMethod::BruteForce,
        }
    }

    #[inline]
    fn is_certain(&self, found: &Found) -> bool {
        found.bounds[1] - found.bounds[0]
            <= CERTIFIED * self.relative.magnitude(&found.on[0], &found.on[1])
    }

    /// Runs GJK, then the walk from its features for the last digits.
    fn by_gjk(&mut self, facet: &Facet) -> Found {
        let start = (facet.parts[0].vertex(self.a), facet.parts[1].vertex(self.b));
        let found = gjk::in_frame(self.a, self.b, &self.relative, start);
        self.tests += found.iterations;
        let parts = [
            Part::holding(self.a, found.vertices.0, &found.on[0]),
            Part::holding(self.b, found.vertices.1, &found.on[1]),
        ];

        // The separation found by the polytope is a bound, too.
        let gap = -facet.overlap;
        if let Some(walked) = self.walk(parts) {
            let bounds = [walked.bounds[0].max(gap.min(walked.gap)), walked.gap];
            return Found {
                method: ClosestMethod::Gjk,
                bounds,
                ..walked
            };
        }

        if found.bounds[1] > gap {
            let bounds = [gap, found.bounds[1]];
            let (normal, gap) = (found.normal, found.bounds[1]);
            return Found {
                parts,
                on: found.on,
                normal,
                gap,
                bounds,
                method: ClosestMethod::Gjk,
            };
        }

        Found {
            parts,
            on: found.on,
            normal: facet.normal,
            gap,
            bounds: [gap; 2],
            method: ClosestMethod::Gjk,
        }
    }

    /// Returns the vertices that face each other, seen from the bodies' centres, as a start for the
    /// first walk.
    fn facing_vertices(&self) -> [Part; 2] {
        let way = self
            .relative
            .seen_from(&self.a.bounds().centre(), &self.b.bounds().centre());
        let (i, j) = (
            self.a.furthest(&way),
            self.b.furthest(&-self.relative.vector_in_b(&way)),
        );

        [Part::Vertex(i), Part::Vertex(j)]
    }

    /// Walks from feature to feature, each pair closer than the last; `None` if the bodies meet or
    /// may meet.
    fn walk(&mut self, start: [Part; 2]) -> Option<Found> {
        let mut nearest = self.nearest(start)?;
        let mut sideways = 0;
        loop {
            let [p, q] = nearest.on;
            let touch = TOUCH * self.relative.magnitude(&p, &q);
            if nearest.squared <= touch * touch {
                return None;
            }

            let [part_a, part_b] = nearest.parts;
            let on_a = further(self.a, part_a, &nearest.way, nearest.squared);
            let on_b = further(
                self.b,
                part_b,
                &-self.relative.vector_in_b(&nearest.way),
                nearest.squared,
            );

            let next = match (on_a.larger, on_b.larger) {
                (Some((larger, slope)), other) if other.is_none_or(|(_, b)| slope >= b) => {
                    [larger, part_b]
                }
                (_, Some((larger, _))) => [part_a, larger],
                _ => return Some(self.certified(&nearest, [on_a, on_b])),
            };
            let closer = self.nearest(next)?;

            if closer.squared >= nearest.squared {
                let same = closer.squared <= nearest.squared * (1.0 + 4.0 * f64::EPSILON);
                if !same || sideways == SIDEWAYS {
                    return Some(self.certified(&nearest, [on_a, on_b]));
                }
                sideways += 1;
            }

            nearest = closer;
        }
    }

    /// Returns the closest points of two features as closed sets, on the smallest features that
    /// contain them. `None` if they share a point or a vertex is under a facet.
    fn nearest(&mut self, parts: [Part; 2]) -> Option<Nearest> {
        self.tests += 1;
        match parts {
            [Part::Vertex(i), Part::Vertex(j)] => Some(self.vertices(i, j)),
            [Part::Edge(h), Part::Vertex(j)] => Some(self.edge_vertex(h, j)),
            [Part::Vertex(i), Part::Edge(k)] => Some(self.vertex_edge(i, k)),
            [Part::Edge(h), Part::Edge(k)] => Some(self.edges(h, k)),
            [Part::Face(f), Part::Vertex(j)] => self.face_vertex(f, j),
            [Part::Vertex(i), Part::Face(g)] => self.vertex_face(i, g),
            [Part::Face(f), Part::Edge(k)] => self.face_edge(f, k),
            [Part::Edge(h), Part::Face(g)] => self.edge_face(h, g),
            // Only the polytope returns two facets; any vertex of one is a start.
            [Part::Face(f), Part::Face(_)] => self.face_vertex(f, parts[1].vertex(self.b)),
        }
    }

    fn vertices(&self, i: u32, j: u32) -> Nearest {
        let on = [self.a.points()[i as usize], self.b.points()[j as usize]];
        let way = self.relative.seen_from(&on[0], &on[1]);
        Nearest {
            parts: [Part::Vertex(i), Part::Vertex(j)],
            on,
            way,
            squared: way.norm_squared(),
        }
    }

    fn edge_vertex(&self, h: u32, j: u32) -> Nearest {
        let [from, to] = self.a.ends(h).map(|i| self.a.points()[i as usize]);
        let q = self.b.points()[j as usize];
        let edge = to - from;
        let (along, way) = point_segment(&self.relative.seen_from(&from, &q), &edge);
        let parts = [Part::of_edge(self.a, h, along), Part::Vertex(j)];

        Nearest {
            parts,
            on: [from + edge * along.fraction(), q],
            way,
            squared: way.norm_squared(),
        }
    }

    fn vertex_edge(&self, i: u32, k: u32) -> Nearest {
        let [from, to] = self.b.ends(k).map(|j| self.b.points()[j as usize]);
        let p = self.a.points()[i as usize];
        let edge = to - from;
        let point = -self
            .relative
            .vector_in_b(&self.relative.seen_from(&p, &from));
        let (along, way) = point_segment(&point, &edge);
        let parts = [Part::Vertex(i), Part::of_edge(self.b, k, along)];
        let on = [p, from + edge * along.fraction()];

        Nearest {
            parts,
            on,
            way: -self.relative.vector(&way),
            squared: way.norm_squared(),
        }
    }

    fn edges(&self, h: u32, k: u32) -> Nearest {
        let [p, p_end] = self.a.ends(h).map(|i| self.a.points()[i as usize]);
        let [q, q_end] = self.b.ends(k).map(|j| self.b.points()[j as usize]);
        let (first, edge) = (p_end - p, q_end - q);
        let (second, start) = (self.relative.vector(&edge), self.relative.seen_from(&p, &q));
        let (s, t, mut way) = segment_segment(&first, &start, &second);

        if let (Along::Inside(_), Along::Inside(_)) = (s, t) {
            let normal = first.cross(&second);
            let squared = normal.norm_squared();
            // The cross product loses precision with the angle between the edges, the difference
            // vector with their distance.
            let magnitude = self.relative.magnitude(&p, &q);
            let lengths = first.norm_squared() * second.norm_squared();
            if squared * magnitude * magnitude > lengths * way.norm_squared() {
                way = normal * (normal.dot(&start) / squared);
            }
        }

        let parts = [Part::of_edge(self.a, h, s), Part::of_edge(self.b, k, t)];
        let on = [p + first * s.fraction(), q + edge * t.fraction()];
        Nearest {
            parts,
            on,
            way,
            squared: way.norm_squared(),
        }
    }

    fn face_vertex(&self, f: u32, j: u32) -> Option<Nearest> {
        let corner = self.a.points()[Part::Face(f).vertex(self.a) as usize];
        let q = self.b.points()[j as usize];
        let found = point_facet(self.a, f, &self.relative.seen_from(&corner, &q));

        if found.part == Part::Face(f) && found.way.dot(&self.a.planes()[f as usize].normal) < 0.0 {
            return None;
        }

        let squared = found.way.norm_squared();
        Some(Nearest {
            parts: [found.part, Part::Vertex(j)],
            on: [found.on, q],
            way: found.way,
            squared,
        })
    }

    fn vertex_face(&self, i: u32, g: u32) -> Option<Nearest> {
        let corner = self.b.points()[Part::Face(g).vertex(self.b) as usize];
        let p = self.a.points()[i as usize];
        let point = -self
            .relative
            .vector_in_b(&self.relative.seen_from(&p, &corner));
        let found = point_facet(self.b, g, &point);

        if found.part == Part::Face(g) && found.way.dot(&self.b.planes()[g as usize].normal) < 0.0 {
            return None;
        }

        let way = -self.relative.vector(&found.way);
        let squared = found.way.norm_squared();
        Some(Nearest {
            parts: [Part::Vertex(i), found.part],
            on: [p, found.on],
            way,
            squared,
        })
    }

    fn face_edge(&self, f: u32, k: u32) -> Option<Nearest> {
        let corner = self.a.points()[Part::Face(f).vertex(self.a) as usize];
        let [q, q_end] = self.b.ends(k).map(|j| self.b.points()[j as usize]);
        let start = self.relative.seen_from(&corner, &q);

        match segment_facet(self.a, f, &start, &self.relative.vector(&(q_end - q))) {
            FacetSegment::Pierced => None,
            FacetSegment::Edge(h) => Some(self.edges(h, k)),
            FacetSegment::End(along) => self.face_vertex(f, end(self.b, k, along)),
        }
    }

    fn edge_face(&self, h: u32, g: u32) -> Option<Nearest> {
        let corner = self.b.points()[Part::Face(g).vertex(self.b) as usize];
        let [p, p_end] = self.a.ends(h).map(|i| self.a.points()[i as usize]);
        let start = -self
            .relative
            .vector_in_b(&self.relative.seen_from(&p, &corner));

        match segment_facet(self.b, g, &start, &self.relative.vector_in_b(&(p_end - p))) {
            FacetSegment::Pierced => None,
            FacetSegment::Edge(k) => Some(self.edges(h, k)),
            FacetSegment::End(along) => self.vertex_face(end(self.a, h, along), g),
        }
    }

    /// Assembles the result at the closest features. The distance of the witness points is an upper
    /// bound of the gap, the separation along the normal a lower bound.
    fn certified(&self, nearest: &Nearest, [on_a, on_b]: [Further; 2]) -> Found {
        let gap = nearest.squared.sqrt();
        let normal = nearest.way / gap;
        let mut lower = gap;

        if !on_a.is_top {
            lower -= excess(self.a, nearest.parts[0], &nearest.on[0], &normal);
        }

        if !on_b.is_top {
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

fn of_facet(facet: &Facet) -> Found {
    Found {
        parts: facet.parts,
        on: facet.on,
        normal: facet.normal,
        gap: -facet.overlap,
        bounds: [-facet.overlap, -facet.inner],
        method: ClosestMethod::Epa,
    }
}

fn end(body: &Polyhedron, half_edge: u32, along: Along) -> u32 {
    body.ends(half_edge)[usize::from(along == Along::End)]
}

#[cfg(test)]
mod tests;
