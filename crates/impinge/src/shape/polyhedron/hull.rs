//! The convex hull of 3D points, as triangles.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa 1996) with exact orientation predicates. Each point that
//! is still outside is assigned to one triangle that it sees. The furthest point of a triangle is
//! added, and the triangles that it sees are replaced by a fan from their horizon. The points assigned
//! to them are reassigned to the fan. About O(n log n).
//!
//! No degenerate case needs special code:
//! - A triangle is *seen* by a point strictly above its plane, and the sign is exact. A point
//!   therefore sees what it would see after an infinitesimal step towards the inside, where it is
//!   in the plane of no triangle: a disc, with one horizon.
//! - A horizon edge is never collinear with the point (the point would be in the plane of the seen
//!   triangle there), so no new triangle is degenerate.
//! - A point outside the grown hull that saw a replaced triangle sees one of the fan. On the path
//!   to any kept triangle that it sees, it sees both sides of a horizon edge. The fan's normal
//!   there is a combination of the two with positive weights.
//!
//! Triangles of one facet may be exactly coplanar; [`facets`](super::facets) merges them.

use crate::shape::{Problem, ProblemKind};
use crate::space::{Point, Sign, Vector, collinear, orient3};

/// Marks the end of a list, or no triangle.
const NONE: u32 = u32::MAX;

/// A closed surface of triangles, counter-clockwise seen from outside.
pub(super) struct Triangulation {
    pub(super) triangles: Vec<[u32; 3]>,
    /// The triangle across the edge from corner k to corner k + 1.
    pub(super) neighbours: Vec<[u32; 3]>,
}

/// The hull of distinct usable points; an error if they are all coplanar.
pub(super) fn hull(points: &[Point<3>]) -> Result<Triangulation, Problem> {
    let first = first_tetrahedron(points).ok_or(Problem::whole(ProblemKind::Flat))?;
    let mut growing = Growing::new(points, first);
    while let Some(triangle) = growing.waiting.pop() {
        if growing.triangles[triangle as usize].furthest != NONE {
            growing.add_furthest_of(triangle);
        }
    }

    Ok(growing.finish())
}

/// Four points of positive volume, spread far so that few points remain outside; `None` if there
/// are none.
fn first_tetrahedron(points: &[Point<3>]) -> Option<[u32; 4]> {
    let a = furthest(points, |p| -p.x)?;
    let b = furthest(points, |p| (p - points[a]).norm_squared())?;
    let edge = points[b] - points[a];

    // The furthest point in floating point may be exactly degenerate; then any non-degenerate one
    // will do.
    let on_line = |c: usize| collinear(&points[a], &points[b], &points[c]);
    let c = furthest(points, |p| edge.cross(&(p - points[a])).norm_squared())
        .filter(|&c| !on_line(c))
        .or_else(|| (0..points.len()).find(|&c| !on_line(c)))?;
    let normal = edge.cross(&(points[c] - points[a]));
    let side = |d: usize| orient3(&points[a], &points[b], &points[c], &points[d]);
    let d = furthest(points, |p| normal.dot(&(p - points[a])).abs())
        .filter(|&d| side(d) != Sign::Zero)
        .or_else(|| (0..points.len()).find(|&d| side(d) != Sign::Zero))?;
    let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);

    Some(if side(d as usize) == Sign::Positive {
        [a, b, c, d]
    } else {
        [a, c, b, d]
    })
}

fn furthest(points: &[Point<3>], measure: impl Fn(&Point<3>) -> f64) -> Option<usize> {
    (0..points.len()).max_by(|&i, &j| measure(&points[i]).total_cmp(&measure(&points[j])))
}

/// A triangle of the current hull, and the list of points assigned to it.
struct Triangle {
    corners: [u32; 3],
    neighbours: [u32; 3],
    /// Right-hand normal of any length; used only to rank the assigned points.
    normal: Vector<3>,
    /// First of the assigned points; the others follow in `Growing::next`.
    first: u32,
    furthest: u32,
    height: f64,
    alive: bool,
}

struct Growing<'a> {
    points: &'a [Point<3>],
    triangles: Vec<Triangle>,
    /// Triangles that may have assigned points.
    waiting: Vec<u32>,
    /// The next point in the same list.
    next: Vec<u32>,
    /// For corners of the horizon: the new triangle whose horizon edge starts there.
    fan_at: Vec<u32>,
    seen: Vec<u32>,
    /// Horizon edges, counter-clockwise around the seen triangles, with the kept triangle behind
    /// each.
    rim: Vec<(u32, u32, u32)>,
}

impl<'a> Growing<'a> {
    fn new(points: &'a [Point<3>], [a, b, c, d]: [u32; 4]) -> Self {
        let mut growing = Self {
            points,
            triangles: Vec::new(),
            waiting: Vec::new(),
            next: vec![NONE; points.len()],
            fan_at: vec![NONE; points.len()],
            seen: Vec::new(),
            rim: Vec::new(),
        };
        // d is above a, b, c: the base is reversed to face outward.
        growing.push([a, c, b], [3, 2, 1]);
        growing.push([a, b, d], [0, 2, 3]);
        growing.push([b, c, d], [0, 3, 1]);
        growing.push([c, a, d], [0, 1, 2]);

        for point in (0..points.len() as u32).filter(|p| ![a, b, c, d].contains(p)) {
            growing.wait(point, 0..4);
        }

        growing.waiting.extend([0, 1, 2, 3]);
        growing
    }

    fn push(&mut self, corners: [u32; 3], neighbours: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let normal = (b - a).cross(&(c - a));
        let (first, furthest, height) = (NONE, NONE, f64::NEG_INFINITY);
        self.triangles.push(Triangle {
            corners,
            neighbours,
            normal,
            first,
            furthest,
            height,
            alive: true,
        });

        (self.triangles.len() - 1) as u32
    }

    fn sees(&self, point: u32, triangle: u32) -> bool {
        let [a, b, c] = self.triangles[triangle as usize]
            .corners
            .map(|i| &self.points[i as usize]);
        orient3(a, b, c, &self.points[point as usize]) == Sign::Positive
    }

    /// Assigns a point to the first triangle that it sees; a point that sees none is inside for
    /// good.
    fn wait(&mut self, point: u32, mut candidates: std::ops::Range<u32>) {
        let Some(seen) = candidates.find(|&triangle| self.sees(point, triangle)) else {
            return;
        };
        let triangle = &mut self.triangles[seen as usize];
        self.next[point as usize] = triangle.first;
        triangle.first = point;
        let corner = self.points[triangle.corners[0] as usize];
        let height = triangle.normal.dot(&(self.points[point as usize] - corner));

        if triangle.furthest == NONE || height > triangle.height {
            (triangle.furthest, triangle.height) = (point, height);
        }
    }

    fn add_furthest_of(&mut self, triangle: u32) {
        let eye = self.triangles[triangle as usize].furthest;
        self.find_seen(eye, triangle);
        let fan = self.replace_seen(eye);

        for i in 0..self.seen.len() {
            let mut point = self.triangles[self.seen[i] as usize].first;
            while point != NONE {
                let behind = self.next[point as usize];
                if point != eye {
                    self.wait(point, fan.clone());
                }
                point = behind;
            }
            self.triangles[self.seen[i] as usize].furthest = NONE;
        }

        self.waiting
            .extend(fan.filter(|&new| self.triangles[new as usize].furthest != NONE));
    }

    /// Collects the triangles that the eye sees, starting from one of them, and the horizon around
    /// them.
    fn find_seen(&mut self, eye: u32, start: u32) {
        self.seen.clear();
        self.rim.clear();
        self.triangles[start as usize].alive = false;
        self.seen.push(start);
        let mut visited = 0;

        while visited < self.seen.len() {
            let triangle = self.seen[visited] as usize;
            visited += 1;
            for k in 0..3 {
                let neighbour = self.triangles[triangle].neighbours[k];
                if !self.triangles[neighbour as usize].alive {
                    continue;
                }

                if self.sees(eye, neighbour) {
                    self.triangles[neighbour as usize].alive = false;
                    self.seen.push(neighbour);
                } else {
                    let corners = self.triangles[triangle].corners;
                    self.rim.push((corners[k], corners[(k + 1) % 3], neighbour));
                }
            }
        }
    }

    /// Creates triangles from the eye to the horizon and connects them to the kept ones and to each
    /// other.
    fn replace_seen(&mut self, eye: u32) -> std::ops::Range<u32> {
        let start = self.triangles.len() as u32;
        for i in 0..self.rim.len() {
            let (a, b, kept) = self.rim[i];
            let new = self.push([a, b, eye], [kept, NONE, NONE]);
            self.fan_at[a as usize] = new;
            let kept = &mut self.triangles[kept as usize];
            let back = (0..3).find(|&k| kept.corners[k] == b && kept.corners[(k + 1) % 3] == a);
            kept.neighbours[back.expect("neighbours share their edge in opposite directions")] =
                new;
        }

        let end = self.triangles.len() as u32;
        for new in start..end {
            let after = self.fan_at[self.triangles[new as usize].corners[1] as usize];
            self.triangles[new as usize].neighbours[1] = after;
            self.triangles[after as usize].neighbours[2] = new;
        }

        start..end
    }

    /// The remaining triangles, numbered without gaps.
    fn finish(self) -> Triangulation {
        let mut number = vec![NONE; self.triangles.len()];
        let alive = || (0..self.triangles.len()).filter(|&i| self.triangles[i].alive);
        for (new, old) in alive().enumerate() {
            number[old] = new as u32;
        }

        Triangulation {
            triangles: alive().map(|i| self.triangles[i].corners).collect(),
            neighbours: alive()
                .map(|i| self.triangles[i].neighbours.map(|n| number[n as usize]))
                .collect(),
        }
    }
}
