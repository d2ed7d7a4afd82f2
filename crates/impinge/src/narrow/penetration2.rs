//! Penetration depth of convex polygons: the expanding polytope algorithm (EPA) with a polytope
//! cached between steps.
//!
//! A and B overlap if the origin is in the Minkowski difference M = {a − b}; the depth is the
//! distance from the origin to the boundary of M. The polytope (`Polytope`) is a closed chain of
//! points of M around the origin, each the difference of two corners. Suppose the origin is to the
//! left of all its sides and no side is nearer to the origin than δ. Then every ray from the origin
//! meets the chain at δ or later. Since M is convex, it contains the disc of radius δ, and the
//! depth is at least δ, even if the chain is no longer convex. If the nearest side is on the
//! boundary of M, the depth equals δ.
//!
//! Until that is so, the corner of M furthest beyond the nearest side is added. Between steps the
//! polytope keeps its corners as vertex indices; usually it only remains to verify that the nearest
//! side is still a side of M.

use super::Relative;
use super::tolerance::TOUCH;
use crate::shape::Polygon;
use crate::space::{Point, Vector};

/// A side of the polytope is a side of M if M extends no further beyond it than this, relative to
/// the coordinates.
const FLUSH: f64 = 1e-14;

/// A polytope may follow the motion until it has this many corners, or twice the number when it was
/// built.
const FEW_CORNERS: usize = 16;

/// A vertex of M.
#[derive(Clone, Copy, Debug)]
struct Corner {
    a: usize,
    b: usize,
    at: Vector<2>,
}

/// The polytope; its corners are counter-clockwise.
#[derive(Clone, Debug)]
pub(super) struct Polytope {
    corners: Vec<Corner>,
    /// Number of corners right after it was built; zero while it is being built.
    built: usize,
    /// Whether it was built for the current poses, and so is convex.
    is_current: bool,
}

/// The feature that one body contributes to a side of M: a vertex twice, or the ends of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The edge between them, if they are adjacent.
    pub(super) edge: Option<usize>,
}

/// The side of M nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    pub(super) sides: [Side; 2],
    /// Outward normal, in the first body's frame.
    pub(super) normal: Vector<2>,
    /// Overlap of the bodies along the normal: an upper bound of the depth.
    pub(super) overlap: f64,
    /// Radius of a disc inside M: a lower bound of the depth.
    pub(super) inner: f64,
    /// Witness points, each in its body's own frame.
    pub(super) on: [Point<2>; 2],
    /// Whether the normal is a separating axis; then `sides[..].from` are the vertices next to it.
    pub(super) apart: bool,
}

struct Difference<'a> {
    a: &'a Polygon,
    b: &'a Polygon,
    relative: &'a Relative<2>,
}

impl Difference<'_> {
    fn corner(&self, a: usize, b: usize) -> Corner {
        Corner {
            a,
            b,
            at: -self
                .relative
                .seen_from(&self.a.points()[a], &self.b.points()[b]),
        }
    }

    /// Returns the corner of M furthest in a direction, by hill climbing from another.
    fn support(&self, direction: &Vector<2>, start: &Corner) -> Corner {
        let a = self.a.support(direction, start.a);
        let b = self
            .b
            .support(&-self.relative.vector_in_b(direction), start.b);
        self.corner(a, b)
    }

    fn magnitude(&self, corner: &Corner) -> f64 {
        self.relative
            .magnitude(&self.a.points()[corner.a], &self.b.points()[corner.b])
    }
}

impl Polytope {
    /// Creates a polytope from three corners of M.
    pub(super) fn new(a: &Polygon, b: &Polygon, relative: &Relative<2>) -> Self {
        let m = Difference { a, b, relative };
        let from = m.support(&Vector::<2>::x(), &m.corner(0, 0));
        let to = m.support(&-Vector::<2>::x(), &from);
        Self::spanned(&m, from, to)
    }

    /// Extends two corners to a triangle: the third is the furthest from their line, on either
    /// side.
    fn spanned(m: &Difference, from: Corner, to: Corner) -> Self {
        let across = outward(&from.at, &to.at);
        let (right, left) = (m.support(&across, &from), m.support(&-across, &from));
        let height = |corner: &Corner| across.dot(&(corner.at - from.at));
        let corners = if height(&right) > -height(&left) {
            vec![from, right, to]
        } else {
            vec![from, to, left]
        };

        Self {
            corners,
            built: 0,
            is_current: true,
        }
    }

    /// Returns the side of M nearest to the origin, for new poses of the bodies.
    pub(super) fn nearest_facet(
        &mut self,
        a: &Polygon,
        b: &Polygon,
        relative: &Relative<2>,
        tests: &mut u32,
    ) -> Facet {
        let m = Difference { a, b, relative };
        self.place(&m);
        let facet = self.close_in(&m, tests);

        // A polytope that was only moved proves nothing if the origin is on it: it might not
        // enclose the origin.
        if facet.apart || self.is_current || facet.overlap > TOUCH * m.magnitude(&self.corners[0]) {
            return facet;
        }

        self.rebuild(&m);
        self.close_in(&m, tests)
    }

    fn place(&mut self, m: &Difference) {
        self.is_current = self.built == 0;
        for corner in &mut self.corners {
            *corner = m.corner(corner.a, corner.b);
        }

        if self.corners.len() > FEW_CORNERS.max(2 * self.built) {
            self.rebuild(m);
        }
    }

    /// Restarts from a triangle on the nearest side.
    fn rebuild(&mut self, m: &Difference) {
        let (side, _) = self.nearest_side();
        let (from, to) = (self.corners[side], self.corners[self.next(side)]);

        // Different pairs of corners may have the same difference.
        *self = if from.at == to.at {
            Self::new(m.a, m.b, m.relative)
        } else {
            Self::spanned(m, from, to)
        };
    }

    fn next(&self, i: usize) -> usize {
        if i + 1 == self.corners.len() {
            0
        } else {
            i + 1
        }
    }

    fn previous(&self, i: usize) -> usize {
        if i == 0 {
            self.corners.len() - 1
        } else {
            i - 1
        }
    }

    /// Returns the side with the least signed distance from the origin, and its distance.
    fn nearest_side(&self) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for i in 0..self.corners.len() {
            let (p, q) = (self.corners[i].at, self.corners[self.next(i)].at);
            let normal = outward(&p, &q);
            let height = normal.dot(&p);
            let key = height * height.abs() / normal.norm_squared();
            if key < best.1 {
                best = (i, key);
            }
        }

        (best.0, best.1.abs().sqrt().copysign(best.1))
    }

    /// Adds corners of M until the nearest side is a side of M.
    fn close_in(&mut self, m: &Difference, tests: &mut u32) -> Facet {
        loop {
            *tests += self.corners.len() as u32;
            let (side, inner) = self.nearest_side();
            let (p, q) = (self.corners[side], self.corners[self.next(side)]);
            let across = outward(&p.at, &q.at);
            let normal = across / across.norm();
            let furthest = m.support(&normal, &p);
            let overlap = normal.dot(&furthest.at);
            let magnitude = m.magnitude(&furthest);

            if overlap < -TOUCH * magnitude {
                return apart(&furthest, normal, overlap);
            }

            let known = self
                .corners
                .iter()
                .any(|c| (c.a, c.b) == (furthest.a, furthest.b));
            let flush = overlap - normal.dot(&p.at) <= FLUSH * magnitude;

            if flush || (known && self.is_current) {
                if self.built == 0 {
                    self.built = self.corners.len();
                }
                return facet(m, &p, &q, normal, overlap, inner);
            }

            if known {
                self.rebuild(m);
            } else {
                self.insert(side, furthest);
            }
        }
    }

    /// Inserts a corner on a side and removes the neighbours that it hides.
    fn insert(&mut self, side: usize, corner: Corner) {
        self.corners.insert(side + 1, corner);
        let mut at = side + 1;
        let is_hidden = |polytope: &Self, i: usize| {
            let [p, q, r] =
                [polytope.previous(i), i, polytope.next(i)].map(|k| polytope.corners[k].at);
            outward(&p, &q).dot(&(r - p)) >= 0.0
        };

        while self.corners.len() > 3 && is_hidden(self, self.next(at)) {
            let next = self.next(at);
            self.corners.remove(next);
            at -= usize::from(next < at);
        }

        while self.corners.len() > 3 && is_hidden(self, self.previous(at)) {
            let previous = self.previous(at);
            self.corners.remove(previous);
            at -= usize::from(previous < at);
        }
    }
}

/// Normal to the right of the vector from p to q, of the same length.
#[inline]
fn outward(p: &Vector<2>, q: &Vector<2>) -> Vector<2> {
    Vector::<2>::new(q.y - p.y, p.x - q.x)
}

fn apart(furthest: &Corner, normal: Vector<2>, overlap: f64) -> Facet {
    let side = |i| Side {
        from: i,
        to: i,
        edge: None,
    };
    Facet {
        sides: [side(furthest.a), side(furthest.b)],
        normal,
        overlap,
        inner: overlap,
        on: [Point::origin(); 2],
        apart: true,
    }
}

fn side(body: &Polygon, from: usize, to: usize) -> Side {
    let edge = if body.next(from) == to {
        Some(from)
    } else if body.next(to) == from {
        Some(to)
    } else {
        None
    };
    Side { from, to, edge }
}

/// Returns the facet with the accuracy of the polygons' own normals, and the witness points.
fn facet(
    m: &Difference,
    p: &Corner,
    q: &Corner,
    normal: Vector<2>,
    overlap: f64,
    inner: f64,
) -> Facet {
    let sides = [side(m.a, p.a, q.a), side(m.b, p.b, q.b)];
    let own = match sides {
        [
            Side {
                edge: Some(edge), ..
            },
            _,
        ] => Some(m.a.normals()[edge]),
        [
            _,
            Side {
                edge: Some(edge), ..
            },
        ] => Some(-m.relative.vector(&m.b.normals()[edge])),
        _ => None,
    };
    let own = own.map(|normal| (normal, normal.dot(&m.support(&normal, p).at)));

    // The two normals differ only by rounding, unless the corners do not belong to one edge.
    let enough = overlap + FLUSH * m.magnitude(p);
    let (normal, overlap) = own
        .filter(|(_, own)| *own <= enough)
        .unwrap_or((normal, overlap));
    let edge = q.at - p.at;
    let t = (-p.at.dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
    let between = |body: &Polygon, from: usize, to: usize| {
        let from = body.points()[from];
        from + (body.points()[to] - from) * t
    };
    let on = [between(m.a, p.a, q.a), between(m.b, p.b, q.b)];

    Facet {
        sides,
        normal,
        overlap,
        inner: inner.min(overlap),
        on,
        apart: false,
    }
}
