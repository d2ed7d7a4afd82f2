//! Closest points of a facet and a point or segment, in the frame of the facet's body.

use super::segment::{Along, point_segment, segment_segment};
use crate::shape::Polyhedron;
use crate::space::{Point, Vector};

/// Slope below which a neighbour does not count as reaching further. Slopes of parallel facets
/// sliding on each other differ by about 1e-16; the error of the distance is this value times the
/// size.
const LEVEL: f64 = 1e-14;

/// Slope up to which the top of a body counts as level, for witness points of a normal that has
/// lost some digits.
const ON_TOP: f64 = 1e-9;

/// A vertex, an edge (given by one of its half-edges) or a facet of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

impl Part {
    /// Returns a vertex of the part.
    #[inline]
    pub(super) fn vertex(self, body: &Polyhedron) -> u32 {
        match self {
            Self::Vertex(v) => v,
            Self::Edge(h) => body.half_edges()[h as usize].origin,
            Self::Face(face) => {
                let first = body.face_half_edges(face as usize).start;
                body.half_edges()[first as usize].origin
            }
        }
    }

    /// Returns all vertices of the part.
    pub(super) fn corners(self, body: &Polyhedron) -> Vec<u32> {
        match self {
            Self::Vertex(v) => vec![v],
            Self::Edge(h) => body.ends(h).to_vec(),
            Self::Face(face) => body.face_corners(face as usize).collect(),
        }
    }

    /// Returns all edges of the part, each as a half-edge.
    pub(super) fn sides(self, body: &Polyhedron) -> Vec<u32> {
        match self {
            Self::Vertex(_) => Vec::new(),
            Self::Edge(h) => vec![h],
            Self::Face(face) => body.face_half_edges(face as usize).collect(),
        }
    }

    /// Returns the part of an edge that contains a closest point.
    #[inline]
    pub(super) fn of_edge(body: &Polyhedron, half_edge: u32, along: Along) -> Self {
        match along {
            Along::Start => Self::Vertex(body.ends(half_edge)[0]),
            Along::Inside(_) => Self::Edge(half_edge),
            Along::End => Self::Vertex(body.ends(half_edge)[1]),
        }
    }

    /// Returns the closest point of the part to a point, given relative to any vertex of the body.
    pub(super) fn closest_point(
        self,
        body: &Polyhedron,
        seen: impl Fn(&Point<3>) -> Vector<3>,
    ) -> Point<3> {
        let from = body.points()[self.vertex(body) as usize];
        match self {
            Self::Vertex(_) => from,
            Self::Edge(h) => {
                let edge = body.points()[body.ends(h)[1] as usize] - from;
                from + edge * point_segment(&seen(&from), &edge).0.fraction()
            }
            Self::Face(face) => point_facet(body, face, &seen(&from)).on,
        }
    }

    /// Returns the feature that reaches furthest in a direction: a facet or an edge if the
    /// direction is normal to it within the tolerance.
    pub(super) fn on_top(body: &Polyhedron, direction: &Vector<3>) -> Self {
        let top = body.furthest(direction);
        let here = body.points()[top as usize];
        let is_level = |v: u32| {
            let step = body.points()[v as usize] - here;
            direction.dot(&step).abs() <= ON_TOP * step.norm()
        };
        let ring = || {
            body.neighbours(top as usize)
                .iter()
                .zip(body.outgoing(top as usize))
        };
        let face = |h: u32| body.half_edges()[h as usize].face;
        let is_level_face =
            |&(_, &h): &(&u32, &u32)| body.face_corners(face(h) as usize).all(is_level);
        let level_face = ring()
            .find(is_level_face)
            .map(|(_, &h)| Self::Face(face(h)));

        let level_edge = || {
            ring()
                .find(|&(&v, _)| is_level(v))
                .map(|(_, &h)| Self::Edge(h))
        };

        level_face.or_else(level_edge).unwrap_or(Self::Vertex(top))
    }

    /// Returns the smallest feature that contains three vertices, not necessarily distinct. If
    /// there is none, returns the facet at one of them that is nearest to a point between them:
    /// such facets are coplanar up to rounding.
    pub(super) fn holding(body: &Polyhedron, vertices: [u32; 3], between: &Point<3>) -> Self {
        Self::exactly_holding(body, vertices).unwrap_or_else(|| {
            let faces = vertices
                .iter()
                .flat_map(|&v| body.outgoing(v as usize))
                .map(|&h| body.half_edges()[h as usize].face);
            let off = |face: &u32| {
                let corner = body.points()[Self::Face(*face).vertex(body) as usize];
                point_facet(body, *face, &(between - corner))
                    .way
                    .norm_squared()
            };
            let nearest = faces.min_by(|f, g| off(f).total_cmp(&off(g)));
            nearest.map_or(Self::Vertex(vertices[0]), Self::Face)
        })
    }

    /// Returns the smallest feature that contains three vertices, if there is one.
    pub(super) fn exactly_holding(body: &Polyhedron, [i, j, k]: [u32; 3]) -> Option<Self> {
        if i == j && j == k {
            return Some(Self::Vertex(i));
        }

        let to = if i == j { k } else { j };
        let ring = body
            .neighbours(i as usize)
            .iter()
            .zip(body.outgoing(i as usize));

        if i == j || j == k || k == i {
            let edge = ring.clone().find(|&(&w, _)| w == to);
            if let Some((_, &h)) = edge {
                return Some(Self::Edge(h));
            }
        }

        let holds = |face: &u32| {
            [j, k]
                .iter()
                .all(|v| body.face_corners(*face as usize).any(|c| c == *v))
        };

        ring.map(|(_, &h)| body.half_edges()[h as usize].face)
            .find(holds)
            .map(Self::Face)
    }
}

/// Closest part of a facet, the position on it, and the vector from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnFacet {
    pub(super) part: Part,
    pub(super) on: Point<3>,
    pub(super) way: Vector<3>,
}

/// Returns the point of a facet closest to a point, given relative to the facet's first corner.
///
/// Above the interior the vector is the facet's own normal times the height, so a gap of 1e-15
/// keeps its direction.
pub(super) fn point_facet(body: &Polyhedron, face: u32, point: &Vector<3>) -> OnFacet {
    let points = body.points();
    let range = body.face_half_edges(face as usize);
    let half_edges = &body.half_edges()[range.start as usize..range.end as usize];
    let normal = body.planes()[face as usize].normal;
    let first = points[half_edges[0].origin as usize];
    let mut best: Option<(OnFacet, f64)> = None;
    let mut from = first;

    for (k, h) in (1..).zip(range) {
        let to = if k == half_edges.len() {
            first
        } else {
            points[half_edges[k].origin as usize]
        };
        let edge = to - from;
        let seen = point - (from - first);

        if normal.cross(&edge).dot(&seen) < 0.0 {
            let (along, way) = point_segment(&seen, &edge);
            let squared = way.norm_squared();
            if best.is_none_or(|(_, least)| squared < least) {
                let on = from + edge * along.fraction();
                best = Some((
                    OnFacet {
                        part: Part::of_edge(body, h, along),
                        on,
                        way,
                    },
                    squared,
                ));
            }
        }

        from = to;
    }

    best.map_or_else(
        || {
            let height = normal.dot(point);
            OnFacet {
                part: Part::Face(face),
                on: first + (point - normal * height),
                way: normal * height,
            }
        },
        |(on_edge, _)| on_edge,
    )
}

/// Closest features of a facet and a segment.
#[derive(Clone, Copy, Debug)]
pub(super) enum FacetSegment {
    /// They share a point.
    Pierced,
    /// An end of the segment is above the facet's interior.
    End(Along),
    /// Points of this half-edge and of the segment.
    Edge(u32),
}

/// Returns the closest features of a facet and a segment that starts at `start` relative to the
/// facet's first corner.
pub(super) fn segment_facet(
    body: &Polyhedron,
    face: u32,
    start: &Vector<3>,
    segment: &Vector<3>,
) -> FacetSegment {
    let at_rim = || FacetSegment::Edge(nearest_rim(body, face, start, segment));
    let Some([low, up]) = clip_to_prism(body, face, start, segment) else {
        return at_rim();
    };
    let normal = body.planes()[face as usize].normal;
    let height = |t: f64| normal.dot(start) + normal.dot(segment) * t;
    let (at_low, at_up) = (height(low.0), height(up.0));

    if (at_low <= 0.0) != (at_up <= 0.0) || at_low == 0.0 || at_up == 0.0 {
        return FacetSegment::Pierced;
    }

    let (t, is_end) = if at_low.abs() <= at_up.abs() { low } else { up };
    // If the segment keeps descending as it leaves the facet, the closest side need not be the one
    // it crosses.
    if is_end {
        FacetSegment::End(Along::of(t))
    } else {
        at_rim()
    }
}

/// Returns the part of the segment above or below the facet: its two ends as fractions, each with a
/// flag whether it is an end of the segment. `None` if there is no such part.
fn clip_to_prism(
    body: &Polyhedron,
    face: u32,
    start: &Vector<3>,
    segment: &Vector<3>,
) -> Option<[(f64, bool); 2]> {
    let normal = body.planes()[face as usize].normal;
    let (mut low, mut up) = ((0.0, true), (1.0, true));
    for (_, from, edge) in rim(body, face) {
        let inward = normal.cross(&edge);
        let (depth, rate) = (inward.dot(&(start - from)), inward.dot(segment));

        // Inside if depth + rate·t ≥ 0.
        if rate == 0.0 {
            if depth < 0.0 {
                return None;
            }
            continue;
        }

        let t = -depth / rate;
        if rate > 0.0 && t > low.0 {
            low = (t, false);
        } else if rate < 0.0 && t < up.0 {
            up = (t, false);
        }
    }

    (low.0 <= up.0).then_some([low, up])
}

/// Returns the half-edge of a facet nearest to the segment.
fn nearest_rim(body: &Polyhedron, face: u32, start: &Vector<3>, segment: &Vector<3>) -> u32 {
    let mut best = (f64::INFINITY, body.face_half_edges(face as usize).start);
    for (h, from, edge) in rim(body, face) {
        let (_, _, way) = segment_segment(&edge, &(start - from), segment);
        if way.norm_squared() < best.0 {
            best = (way.norm_squared(), h);
        }
    }

    best.1
}

/// Iterates over the half-edges of a facet with their starts, relative to its first corner, and
/// directions.
fn rim(body: &Polyhedron, face: u32) -> impl Iterator<Item = (u32, Vector<3>, Vector<3>)> + '_ {
    let range = body.face_half_edges(face as usize);
    let first = body.points()[body.half_edges()[range.start as usize].origin as usize];
    range.map(move |h| {
        let [from, to] = body.ends(h).map(|i| body.points()[i as usize]);
        (h, from - first, to - from)
    })
}

/// Local test whether a body extends beyond a feature in a direction.
pub(super) struct Further {
    /// The neighbouring larger feature along which it reaches further, with its squared slope.
    pub(super) larger: Option<(Part, f64)>,
    /// Whether nothing reaches further, not even by less than the tolerance.
    pub(super) is_top: bool,
}

/// Tests whether a body extends beyond a feature in a direction; the direction must be normal to an
/// edge or facet.
///
/// By convexity, a body without a higher neighbour at a vertex, or at an edge of constant height,
/// has no higher point at all.
#[inline]
pub(super) fn further(
    body: &Polyhedron,
    part: Part,
    direction: &Vector<3>,
    squared: f64,
) -> Further {
    let points = body.points();
    let level = LEVEL * LEVEL * squared;
    let (mut best, mut highest) = ((Part::Vertex(0), level), 0.0f64);
    let mut compare = |larger: Part, step: Vector<3>| {
        let height = step.dot(direction);
        if height > 0.0 {
            highest = highest.max(height);
            let slope = height * height / step.norm_squared();
            if slope > best.1 {
                best = (larger, slope);
            }
        }
    };

    match part {
        Part::Vertex(v) => {
            let here = points[v as usize];
            for (&w, &h) in body
                .neighbours(v as usize)
                .iter()
                .zip(body.outgoing(v as usize))
            {
                compare(Part::Edge(h), points[w as usize] - here);
            }
        }
        Part::Edge(h) => {
            let half_edges = body.half_edges();
            for side in [h, half_edges[h as usize].twin] {
                let third = body.ends(half_edges[side as usize].next)[1];
                let origin = points[half_edges[side as usize].origin as usize];
                compare(
                    Part::Face(half_edges[side as usize].face),
                    points[third as usize] - origin,
                );
            }
        }
        Part::Face(_) => (),
    }

    Further {
        larger: (best.1 > level).then_some(best),
        is_top: highest == 0.0,
    }
}

/// Returns how much further than a point of the feature the body extends in a direction.
pub(super) fn excess(
    body: &Polyhedron,
    part: Part,
    point: &Point<3>,
    direction: &Vector<3>,
) -> f64 {
    let top = body.support(direction, part.vertex(body));
    direction
        .dot(&(body.points()[top as usize] - point))
        .max(0.0)
}
