//! The least translation that separates two overlapping cores: the expanding polytope algorithm (van den
//! Bergen 2001) on support points, with bounds and bounded work.
//!
//! K is the set of differences a − b. Along a unit vector n the bodies overlap by h(n), the largest n·k of
//! K, and the depth is the least h over all n. A polytope of support points lies in K, so the depth is at
//! least the distance from the origin to the nearest of its faces; h along any normal bounds it from
//! above, and is a translation that does separate the bodies. Each step adds the support point along the
//! normal of the nearest face. The loop ends when both bounds meet, after [`MOST`] steps, or when rounding
//! leaves no face to add.
//!
//! The polytope starts from any tetrahedron in K: offsets of faces are signed, so the origin need not be
//! inside it, and bodies that only touch are no special case. Of the faces that see a new point, those
//! connected with the nearest face are removed, if their outline is a single loop; otherwise the search
//! ends with the bounds that it has. With a tolerance below 1e-11, faces degenerate to slivers whose
//! normals fold the polytope: in a prototype, one search in 25 ended early at 1e-13, but only two of
//! 1,700 random pairs at 1e-11, after 26 support points on average. If many directions are equally
//! deep, as for two cylinders on one axis, the bounds do not converge: the best direction is then
//! rotated until nothing improves, and the lower bound is off by some 1e-3 of the depth.

use super::super::Relative;
use super::super::gjk::SupportMap;
use super::core::Core;
use crate::space::{Point, Vector};
use std::cell::RefCell;
use std::f64::consts::TAU;

/// Maximum number of steps.
const MOST: usize = 120;

/// Difference of the bounds, relative to the size of the differences, at which the search ends.
const CLOSE: f64 = 1e-11;

/// Height of a point above a face, relative to the size of the differences, from which on the face sees
/// it.
const SEES: f64 = 1e-14;

/// Decrease of the lower bound, relative to the size of the differences, that shows a folded polytope.
const FOLDED: f64 = 1e-9;

/// Area of a face, relative to the square of its longest edge, below which it has no normal.
const FLAT: f64 = 1e-11;

/// Directions tried at an angle from the best, and angles tried, if the bounds have not met.
const TURNS: u32 = 8;
const MOST_TURNS: usize = 48;

/// First angle, in radians, of the search for a better direction.
const FIRST_ANGLE: f64 = 0.1;

/// Decrease of the overlap per unit angle, relative to the size of the differences, below which the
/// angle is halved.
const SLOPE: f64 = 0.05;

/// The least translation found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// Unit vector from the first body to the second, in the first body's frame.
    pub(super) normal: Vector<3>,
    /// Witness point on the first body.
    pub(super) on_a: Point<3>,
    /// Lower and upper bound of the depth; negative if the bodies turn out to be apart.
    pub(super) bounds: [f64; 2],
    pub(super) tests: u32,
}

/// A difference a − b.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    at: Vector<3>,
    on_a: Point<3>,
}

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u32; 3],
    normal: Vector<3>,
    offset: f64,
}

/// Memory reused from pair to pair.
#[derive(Default)]
struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    /// Faces that see a new vertex, and their outline.
    seen: Vec<u32>,
    rim: Vec<[u32; 2]>,
}

thread_local! {
    static POLYTOPE: RefCell<Polytope> = RefCell::default();
}

/// Finds the least translation that separates two cores, not both of them flat.
pub(super) fn separate(a: &Core, b: &Core, relative: &Relative<3>) -> Separation {
    POLYTOPE.with_borrow_mut(|polytope| {
        Search {
            a,
            b,
            relative,
            hints: (a.start(), b.start()),
            tests: 0,
            best: None,
            size: 0.0,
            polytope,
        }
        .run()
    })
}

struct Search<'a> {
    a: &'a Core<'a>,
    b: &'a Core<'a>,
    relative: &'a Relative<3>,
    hints: ((u32, Point<3>), (u32, Point<3>)),
    tests: u32,
    /// The least overlap so far, its direction and a witness.
    best: Option<(f64, Vector<3>, Point<3>)>,
    size: f64,
    polytope: &'a mut Polytope,
}

impl Search<'_> {
    fn run(mut self) -> Separation {
        let mut lower = f64::NEG_INFINITY;
        if self.start() {
            lower = self.expand();
            let is_open = |(upper, ..): (f64, _, _)| upper - lower > CLOSE * self.size;
            if self.best.is_some_and(is_open) {
                self.polish();
            }
        }

        let (upper, normal, on_a) = self.best.unwrap_or((0.0, Vector::x(), self.a.middle()));
        Separation {
            normal,
            on_a,
            // A depth is never negative: below zero the bodies are apart along the normal.
            bounds: [lower.clamp(upper.min(0.0), upper), upper],
            tests: self.tests,
        }
    }

    /// Returns the support point along a unit vector, whose overlap may be the least so far.
    fn support(&mut self, normal: &Vector<3>) -> Vertex {
        self.tests += 1;
        let on_a = self.a.support(normal, self.hints.0);
        let in_b = -self.relative.vector_in_b(normal);
        let on_b = self.b.support(&in_b, self.hints.1);
        self.hints = (on_a, on_b);
        let vertex = Vertex {
            at: -self.relative.seen_from(&on_a.1, &on_b.1),
            on_a: on_a.1,
        };

        let overlap = normal.dot(&vertex.at);
        if self.best.is_none_or(|(least, ..)| overlap < least) {
            self.best = Some((overlap, *normal, vertex.on_a));
        }
        vertex
    }

    /// Builds a tetrahedron with volume; `false` if rounding leaves none.
    fn start(&mut self) -> bool {
        let way = self.relative.seen_from(&self.a.middle(), &self.b.middle());
        let towards = way.try_normalize(0.0).unwrap_or_else(Vector::x);
        let [p, q] = [towards, -towards].map(|n| self.support(&n));
        self.size = (p.at - q.at).norm();

        let edge = q.at - p.at;
        let aside = super::across_of(&edge);
        let across = edge.cross(&aside).try_normalize(0.0).unwrap_or(aside);
        let height = |v: &Vertex| (v.at - p.at).cross(&edge).norm();
        let ways = [aside, -aside, across, -across].map(|n| self.support(&n));
        let Some(r) = ways
            .into_iter()
            .max_by(|u, v| height(u).total_cmp(&height(v)))
        else {
            return false;
        };

        let Some(normal) = edge.cross(&(r.at - p.at)).try_normalize(0.0) else {
            return false;
        };
        let [s, t] = [normal, -normal].map(|n| self.support(&n));
        let above = |v: &Vertex| normal.dot(&(v.at - p.at));
        let corners = if above(&s) >= -above(&t) {
            [p, q, r, s]
        } else {
            [q, p, r, t]
        };
        self.size = corners
            .iter()
            .map(|v| (v.at - p.at).norm())
            .fold(self.size, f64::max);

        // The fourth corner is above the first three, which are ordered counter-clockwise seen from it.
        self.polytope.vertices.clear();
        self.polytope.vertices.extend(corners);
        self.polytope.faces.clear();
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
            .into_iter()
            .all(|corners| self.add(corners))
    }

    /// Expands the polytope; returns a lower bound of the depth.
    fn expand(&mut self) -> f64 {
        let close = CLOSE * self.size;
        let mut lower = f64::NEG_INFINITY;
        for _ in 0..MOST {
            let faces = &self.polytope.faces;
            let nearest =
                (0..faces.len()).min_by(|&f, &g| faces[f].offset.total_cmp(&faces[g].offset));
            let Some(nearest) = nearest else { break };
            let face = faces[nearest];
            if lower > 0.0 && face.offset < lower - FOLDED * self.size {
                break;
            }
            lower = lower.max(face.offset);

            let vertex = self.support(&face.normal);
            let overlap = face.normal.dot(&vertex.at);
            self.witness(&face, overlap);
            let least = self.best.map_or(overlap, |(least, ..)| least);
            if least - lower <= close || overlap - face.offset <= close {
                break;
            }
            if !self.insert(vertex, nearest as u32) {
                break;
            }
        }

        lower
    }

    /// Rotates the best direction as long as the overlap along it decreases, by ever smaller angles.
    fn polish(&mut self) {
        let start = self.best;
        let mut angle = FIRST_ANGLE;
        for _ in 0..MOST_TURNS {
            let Some((least, normal, _)) = self.best else {
                return;
            };
            let aside = super::across_of(&normal);
            let across = normal.cross(&aside);
            for turn in 0..TURNS {
                let (sin, cos) = (f64::from(turn) * TAU / f64::from(TURNS)).sin_cos();
                let turned = normal + (aside * cos + across * sin) * angle;
                self.support(&turned.normalize());
            }
            // A small gain means a rotation along a valley instead of into it.
            let gain = self.best.map_or(0.0, |(found, ..)| least - found);
            if gain < SLOPE * angle * self.size {
                angle *= 0.5;
            }
        }

        // Among equally good directions, that of a face has the better witness point.
        let gain = |(before, ..): (f64, Vector<3>, Point<3>)| {
            self.best.map_or(0.0, |(after, ..)| before - after)
        };
        if start.is_some_and(|start| gain(start) <= CLOSE * self.size) {
            self.best = start;
        }
    }

    /// Takes the point of a face nearest to the origin as the witness, if its direction is as good as the
    /// best.
    fn witness(&mut self, face: &Face, overlap: f64) {
        let Some((least, ..)) = self.best else { return };
        if overlap > least + CLOSE * self.size {
            return;
        }

        let [p, q, r] = face
            .corners
            .map(|corner| self.polytope.vertices[corner as usize]);
        let foot = face.normal * face.offset;
        let share = |u: &Vertex, v: &Vertex| {
            face.normal
                .dot(&(u.at - foot).cross(&(v.at - foot)))
                .max(0.0)
        };
        let [x, y, z] = [share(&q, &r), share(&r, &p), share(&p, &q)];
        let sum = x + y + z;
        let on_a = if sum > 0.0 {
            p.on_a + ((q.on_a - p.on_a) * y + (r.on_a - p.on_a) * z) / sum
        } else {
            p.on_a
        };
        self.best = Some((overlap.min(least), face.normal, on_a));
    }

    /// Replaces the faces that see a vertex, as far as they are connected with the nearest face, by faces
    /// to it; `false` if they do not form a disc.
    fn insert(&mut self, vertex: Vertex, nearest: u32) -> bool {
        self.find_seen(&vertex, nearest);
        let Polytope {
            vertices,
            faces,
            seen,
            rim,
        } = &mut *self.polytope;

        rim.clear();
        for &face in seen.iter() {
            for edge in edges(&faces[face as usize]) {
                toggle(rim, edge);
            }
        }
        if !is_loop(rim) {
            return false;
        }

        // From the last to the first, so that the indices of the others stay valid.
        seen.sort_unstable_by(|f, g| g.cmp(f));
        for &face in seen.iter() {
            faces.swap_remove(face as usize);
        }

        let top = vertices.len() as u32;
        vertices.push(vertex);
        (0..self.polytope.rim.len()).all(|n| {
            let [p, q] = self.polytope.rim[n];
            self.add([p, q, top])
        })
    }

    /// Lists the faces that see a vertex and are connected with the nearest face.
    fn find_seen(&mut self, vertex: &Vertex, nearest: u32) {
        let sees = SEES * self.size;
        let Polytope { faces, seen, .. } = &mut *self.polytope;
        seen.clear();
        seen.push(nearest);
        let is_seen = |face: &Face| face.normal.dot(&vertex.at) - face.offset > sees;
        let others = (0..).zip(faces.iter());
        seen.extend(
            others
                .filter(|&(n, face)| n != nearest && is_seen(face))
                .map(|(n, _)| n),
        );

        let (mut count, mut n) = (1, 0);
        while n < count {
            for [p, q] in edges(&faces[seen[n] as usize]) {
                let across = |&face: &u32| edges(&faces[face as usize]).contains(&[q, p]);
                if let Some(next) = seen[count..].iter().position(across) {
                    seen.swap(count, count + next);
                    count += 1;
                }
            }
            n += 1;
        }
        seen.truncate(count);
    }

    /// Adds a face; `false` if it has no normal.
    fn add(&mut self, corners: [u32; 3]) -> bool {
        let [p, q, r] = corners.map(|corner| self.polytope.vertices[corner as usize].at);
        let edges = [q - p, r - q, p - r];
        let longest = edges.iter().map(Vector::norm_squared).fold(0.0, f64::max);
        // From the shortest two edges, whose product cancels least.
        let across = edges[0].cross(&edges[1]);
        let area = across.norm();
        if area.is_nan() || area <= FLAT * longest {
            return false;
        }

        let normal = across / area;
        let offset = normal.dot(&((p + q + r) / 3.0));
        self.polytope.faces.push(Face {
            corners,
            normal,
            offset,
        });
        true
    }
}

/// The edges of a face, counter-clockwise seen from outside.
fn edges(face: &Face) -> [[u32; 2]; 3] {
    let [p, q, r] = face.corners;
    [[p, q], [q, r], [r, p]]
}

/// Removes the opposite of an edge, or adds the edge.
fn toggle(rim: &mut Vec<[u32; 2]>, [p, q]: [u32; 2]) {
    match rim.iter().position(|edge| *edge == [q, p]) {
        Some(n) => drop(rim.swap_remove(n)),
        None => rim.push([p, q]),
    }
}

/// Orders edges as a single loop; `false` if they are not one.
fn is_loop(rim: &mut [[u32; 2]]) -> bool {
    for n in 1..rim.len() {
        let end = rim[n - 1][1];
        match rim[n..].iter().position(|edge| edge[0] == end) {
            Some(next) => rim.swap(n, n + next),
            None => return false,
        }
    }

    rim.len() >= 3 && rim[0][0] == rim[rim.len() - 1][1]
}
