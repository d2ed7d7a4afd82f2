//! The Minkowski difference M = {a − b} of two convex polyhedra, evaluated lazily: its vertices by
//! hill climbing on both bodies, and the facet that some of them span.

use super::Relative;
use super::facet::Part;
use super::segment::segment_segment;
use crate::shape::Polyhedron;
use crate::space::{Point, Vector};

/// A triangle is on the boundary of M if M extends no further beyond it than this, relative to the
/// coordinates.
pub(super) const FLUSH: f64 = 1e-14;

/// Tolerated misalignment of the witness points, in rounding errors of a height, before better ones
/// are searched.
const OPPOSITE: f64 = 100.0;

/// A vertex of M: the difference of two vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) at: Vector<3>,
}

/// Two bodies with their relative pose.
pub(super) struct Minkowski3<'a> {
    pub(super) a: &'a Polyhedron,
    pub(super) b: &'a Polyhedron,
    pub(super) relative: &'a Relative<3>,
}

/// The facet of M nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// The feature of each body that makes the facet. If the bodies are separated: the vertices
    /// next to the separating axis.
    pub(super) parts: [Part; 2],
    /// Outward normal, in the first body's frame.
    pub(super) normal: Vector<3>,
    /// Overlap of the bodies along the normal: an upper bound of the depth.
    pub(super) overlap: f64,
    /// Radius of a ball inside M: a lower bound of the depth.
    pub(super) inner: f64,
    /// Witness points, each in its body's own frame.
    pub(super) on: [Point<3>; 2],
    /// Whether the normal is a separating axis.
    pub(super) apart: bool,
}

impl Minkowski3<'_> {
    #[inline]
    pub(super) fn corner(&self, a: u32, b: u32) -> Corner {
        let at = -self
            .relative
            .seen_from(&self.a.points()[a as usize], &self.b.points()[b as usize]);
        Corner { a, b, at }
    }

    /// Returns the position of a point of the second body in the first body's frame.
    #[inline]
    pub(super) fn seen(&self, b: &Point<3>) -> Vector<3> {
        self.relative.rotation * b.coords + self.relative.shift
    }

    /// Returns the corner of M furthest in a direction, by hill climbing from another.
    #[inline]
    pub(super) fn support(&self, direction: &Vector<3>, start: &Corner) -> Corner {
        let a = self.a.support(direction, start.a);
        let b = self
            .b
            .support(&-self.relative.vector_in_b(direction), start.b);
        self.corner(a, b)
    }

    /// Returns the corner of M furthest from a given one, of the two extreme corners along a
    /// direction and its opposite.
    pub(super) fn further_side(&self, direction: &Vector<3>, from: &Corner) -> Corner {
        let (up, down) = (
            self.support(direction, from),
            self.support(&-direction, from),
        );
        let height = |corner: &Corner| direction.dot(&(corner.at - from.at)).abs();

        if height(&up) >= height(&down) {
            up
        } else {
            down
        }
    }

    /// Returns three corners of M that are not collinear.
    pub(super) fn first_triangle(&self) -> [Corner; 3] {
        let [from, to] = [1.0, -1.0].map(|side| {
            let direction = Vector::<3>::x() * side;
            let b = self.b.furthest(&-self.relative.vector_in_b(&direction));
            self.corner(self.a.furthest(&direction), b)
        });
        let line = to.at - from.at;
        let axis = Vector::<3>::ith(line.iamin(), 1.0);

        [from, to, self.further_side(&line.cross(&axis), &from)]
    }

    /// Returns the facet of M that contains three of its corners, with the accuracy of the bodies'
    /// own normals. The weights are those of the point nearest to the origin; `error` is the
    /// rounding error of a height.
    pub(super) fn facet(
        &self,
        corners: [Corner; 3],
        weights: [f64; 3],
        normal: Vector<3>,
        overlap: f64,
        error: f64,
    ) -> Facet {
        let vertices = [corners.map(|c| c.a), corners.map(|c| c.b)];
        let bodies = [self.a, self.b];
        let between = [0, 1].map(|k| blend(bodies[k], vertices[k], weights));
        let parts = [0, 1].map(|k| Part::holding(bodies[k], vertices[k], &between[k]));

        // Along the features' own normal, M attains its extent at the corners of the triangle.
        let reach = |own: &Vector<3>| {
            corners
                .iter()
                .map(|c| own.dot(&c.at))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let own = own_normal(self, parts, &normal).map(|own| (own, reach(&own)));

        // The two normals differ only by rounding, unless the corners do not belong to one facet.
        let (normal, overlap) = own
            .filter(|(_, own)| (own - overlap).abs() <= error)
            .unwrap_or((normal, overlap));
        let (parts, on) = self.touching_points(parts, between[0], &normal, overlap, error);
        Facet {
            parts,
            normal,
            overlap,
            inner: overlap,
            on,
            apart: false,
        }
    }

    /// Computes the witness points of a facet of M. A facet of M may be larger than the part the
    /// polytope covers, so the triangle of the weights need not contain the point nearest to the
    /// origin. The points found are then not opposite each other, and those of the whole features
    /// on top of the bodies are used.
    fn touching_points(
        &self,
        parts: [Part; 2],
        from: Point<3>,
        normal: &Vector<3>,
        overlap: f64,
        error: f64,
    ) -> ([Part; 2], [Point<3>; 2]) {
        let off = |on: &[Point<3>; 2]| {
            (self.relative.seen_from(&on[0], &on[1]) + normal * overlap).norm()
        };
        let mut best = (parts, witnesses(self, parts, from));

        if off(&best.1) <= OPPOSITE * error {
            return best;
        }

        for parts in [parts, self.tops(normal)] {
            let on = closest_points(self, parts);
            if off(&on) < off(&best.1) {
                best = (parts, on);
            }
        }

        best
    }

    /// Returns the features of the two bodies that reach furthest along a normal, and against it.
    pub(super) fn tops(&self, normal: &Vector<3>) -> [Part; 2] {
        let opposite = -self.relative.vector_in_b(normal);
        [
            Part::on_top(self.a, normal),
            Part::on_top(self.b, &opposite),
        ]
    }

    /// Returns the separation of the bodies along a normal, at this corner of M.
    pub(super) fn room(&self, furthest: &Corner, normal: Vector<3>, overlap: f64) -> Facet {
        let parts = [Part::Vertex(furthest.a), Part::Vertex(furthest.b)];
        let on = [
            self.a.points()[furthest.a as usize],
            self.b.points()[furthest.b as usize],
        ];

        Facet {
            parts,
            normal,
            overlap,
            inner: overlap,
            on,
            apart: true,
        }
    }
}

/// Returns whether the differences of two features' points are coplanar at all poses.
pub(super) fn spans_plane(parts: [Part; 2]) -> bool {
    matches!(
        parts,
        [Part::Face(_), Part::Vertex(_)]
            | [Part::Vertex(_), Part::Face(_)]
            | [Part::Edge(_), Part::Edge(_)]
    )
}

/// Returns the normal of the facet of M that two features make, pointing as `like`; `None` if they
/// make none.
pub(super) fn own_normal(m: &Minkowski3, parts: [Part; 2], like: &Vector<3>) -> Option<Vector<3>> {
    let normal = match parts {
        [Part::Face(face), _] => m.a.planes()[face as usize].normal,
        [_, Part::Face(face)] => -m.relative.vector(&m.b.planes()[face as usize].normal),
        [Part::Edge(h), Part::Edge(k)] => {
            let direction = |body: &Polyhedron, h: u32| {
                let [from, to] = body.ends(h).map(|v| body.points()[v as usize]);
                to - from
            };
            let normal = direction(m.a, h).cross(&m.relative.vector(&direction(m.b, k)));
            let largest = normal.amax();
            (normal / if largest > 0.0 { largest } else { return None }).normalize()
        }
        _ => return None,
    };
    Some(if normal.dot(like) < 0.0 {
        -normal
    } else {
        normal
    })
}

/// Returns the witness points on the two features of a facet of M, from a first one on A. The
/// weights of a needle's corners are inaccurate along it, so the points are projected from one
/// feature to the other.
pub(super) fn witnesses(m: &Minkowski3, parts: [Part; 2], on_a: Point<3>) -> [Point<3>; 2] {
    if let [Part::Edge(h), Part::Edge(k)] = parts {
        let [p, p_end] = m.a.ends(h).map(|v| m.a.points()[v as usize]);
        let [q, q_end] = m.b.ends(k).map(|v| m.b.points()[v as usize]);
        let (first, second) = (p_end - p, q_end - q);
        let start = m.relative.seen_from(&p, &q);
        let (s, t, _) = segment_segment(&first, &start, &m.relative.vector(&second));
        return [p + first * s.fraction(), q + second * t.fraction()];
    }

    let on_b = parts[1].closest_point(m.b, |from| {
        -m.relative.vector_in_b(&m.relative.seen_from(&on_a, from))
    });
    [
        parts[0].closest_point(m.a, |from| m.relative.seen_from(from, &on_b)),
        on_b,
    ]
}

/// Returns the closest points of two features that do not intersect, from all their corners and
/// sides.
#[cold]
pub(super) fn closest_points(m: &Minkowski3, parts: [Part; 2]) -> [Point<3>; 2] {
    let of_a = parts[0].corners(m.a).into_iter().map(|corner| {
        let on_a = m.a.points()[corner as usize];
        let seen = |from: &Point<3>| -m.relative.vector_in_b(&m.relative.seen_from(&on_a, from));
        [on_a, parts[1].closest_point(m.b, seen)]
    });
    let of_b = parts[1].corners(m.b).into_iter().map(|corner| {
        let on_b = m.b.points()[corner as usize];
        let seen = |from: &Point<3>| m.relative.seen_from(from, &on_b);
        [parts[0].closest_point(m.a, seen), on_b]
    });
    let sides_b = parts[1].sides(m.b);

    let of_sides = parts[0].sides(m.a).into_iter().flat_map(|h| {
        sides_b
            .iter()
            .map(move |&k| witnesses(m, [Part::Edge(h), Part::Edge(k)], Point::origin()))
    });

    let squared = |on: &[Point<3>; 2]| m.relative.seen_from(&on[0], &on[1]).norm_squared();
    of_a.chain(of_b)
        .chain(of_sides)
        .min_by(|p, q| squared(p).total_cmp(&squared(q)))
        .unwrap_or([m.a.points()[0], m.b.points()[0]])
}

#[inline]
fn blend(body: &Polyhedron, corners: [u32; 3], weights: [f64; 3]) -> Point<3> {
    let [p, q, r] = corners.map(|i| body.points()[i as usize]);
    p + ((q - p) * weights[1] + (r - p) * weights[2]) / weights.iter().sum::<f64>()
}
