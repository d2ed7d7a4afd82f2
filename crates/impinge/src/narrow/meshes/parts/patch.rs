//! Patches: outlines and whole triangles inside the other body, joined where they share a link.

use super::crossing::{Crossing, Segment};
use super::outline::{CORNERS, Link, Tie, is_inside};
use super::{Bodies, SelfIntersecting};
use crate::space::{Point, Vector};

/// Marks an entry that does not exist yet.
const NONE: u32 = u32::MAX;

/// A polygon of the boundary of a part: an outline in a crossed triangle, or a whole triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    pub(super) own: u8,
    pub(super) face: u32,
    /// Its vertices, in the list of all.
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) patch: u32,
}

/// A whole side inside the other body, of a crossed triangle.
#[derive(Clone, Copy, Debug)]
struct WholeSide {
    own: u8,
    face: u32,
    side: u8,
    patch: u32,
}

impl WholeSide {
    fn key(&self) -> (u8, u32, u8) {
        (self.own, self.face, self.side)
    }
}

/// The polygons of all parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Patches {
    pub(super) outlines: Vec<Outline>,
    pub(super) vertices: Vec<Point<3>>,
    /// Union-find over patches; the root is the lowest.
    parents: Vec<u32>,
    /// Whether a patch is bounded by a segment.
    pub(super) is_cut: Vec<bool>,
    /// For each crossing, the first outline of the portion named after it.
    portions: Vec<u32>,
    /// For each segment, its first outline.
    ties: Vec<u32>,
    sides: Vec<WholeSide>,
    taken: Vec<bool>,
    /// For each face, the stamp of the call that visited it, and its patch.
    stamp: u64,
    visited: [Vec<(u64, u32)>; 2],
    open: Vec<u32>,
    shells: Vec<bool>,
}

impl Patches {
    pub(super) fn restart(&mut self, bodies: &Bodies) {
        self.clear();
        self.stamp += 1;
        for (visited, tree) in self.visited.iter_mut().zip(bodies.trees) {
            let count = visited.len().max(tree.len());
            visited.resize(count, (0, NONE));
        }
    }

    /// Clears the polygons.
    pub(super) fn clear(&mut self) {
        self.outlines.clear();
        self.vertices.clear();
        self.parents.clear();
        self.is_cut.clear();
        self.sides.clear();
    }

    /// Returns the lowest patch joined with a patch.
    pub(super) fn root(&self, mut patch: u32) -> u32 {
        while self.parents[patch as usize] != patch {
            patch = self.parents[patch as usize];
        }
        patch
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.shortened(a), self.shortened(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Like [`Patches::root`], and halves the way there.
    fn shortened(&mut self, mut patch: u32) -> u32 {
        while self.parents[patch as usize] != patch {
            let above = self.parents[self.parents[patch as usize] as usize];
            self.parents[patch as usize] = above;
            patch = above;
        }
        patch
    }

    pub(super) fn add_patch(&mut self) -> u32 {
        let patch = self.parents.len() as u32;
        self.parents.push(patch);
        self.is_cut.push(false);
        patch
    }

    pub(super) fn add_polygon(&mut self, own: u8, face: u32, patch: u32, points: &[Point<3>]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(points);
        self.outlines.push(Outline {
            own,
            face,
            first,
            end: self.vertices.len() as u32,
            patch,
        });
    }

    pub(super) fn polygon(&self, outline: &Outline) -> &[Point<3>] {
        &self.vertices[outline.first as usize..outline.end as usize]
    }

    /// Follows the links around every outline and joins those that share one.
    pub(super) fn trace(
        &mut self,
        bodies: &Bodies,
        links: &[Link],
        crossings: &[Crossing],
        segments: &[Segment],
    ) -> Result<(), SelfIntersecting> {
        reset(&mut self.portions, crossings.len());
        reset(&mut self.ties, segments.len());
        for group in links.chunk_by(|a, b| (a.own, a.face) == (b.own, b.face)) {
            let start = self.outlines.len();
            self.trace_face(bodies, group, crossings)?;
            self.join_holes(bodies, start);
        }

        self.sides.sort_unstable_by_key(WholeSide::key);
        Ok(())
    }

    fn trace_face(
        &mut self,
        bodies: &Bodies,
        group: &[Link],
        crossings: &[Crossing],
    ) -> Result<(), SelfIntersecting> {
        let Link { own, face, .. } = group[0];
        let corners = bodies.corners(own as usize, face);
        self.taken.clear();
        self.taken.resize(group.len(), false);

        for start in 0..group.len() {
            if self.taken[start] {
                continue;
            }

            let (patch, first) = (self.add_patch(), self.vertices.len() as u32);
            let mut at = start;
            loop {
                if std::mem::replace(&mut self.taken[at], true) {
                    return Err(SelfIntersecting);
                }

                let link = &group[at];
                self.vertices.push(match link.from.checked_sub(CORNERS) {
                    None => corners[link.from as usize],
                    Some(crossing) => crossings[crossing as usize].point,
                });
                self.tie(link, patch);

                if link.to == group[start].from {
                    break;
                }
                at = group
                    .binary_search_by_key(&link.to, |next| next.from)
                    .map_err(|_| SelfIntersecting)?;
            }

            self.outlines.push(Outline {
                own,
                face,
                first,
                end: self.vertices.len() as u32,
                patch,
            });
        }

        Ok(())
    }

    /// Joins an outline with the other one that has the same link.
    fn tie(&mut self, link: &Link, patch: u32) {
        let entry = match link.tie {
            Tie::Segment(number) => {
                self.is_cut[patch as usize] = true;
                &mut self.ties[number as usize]
            }
            Tie::Portion(number) => &mut self.portions[number as usize],
            Tie::Side(side) => {
                return self.sides.push(WholeSide {
                    own: link.own,
                    face: link.face,
                    side,
                    patch,
                });
            }
        };

        match *entry {
            NONE => *entry = patch,
            other => self.join(other, patch),
        }
    }

    /// Joins the holes of a triangle, which run clockwise, with the outlines around them.
    fn join_holes(&mut self, bodies: &Bodies, start: usize) {
        let count = self.outlines.len() - start;
        if count < 2 {
            return;
        }

        let Outline { own, face, .. } = self.outlines[start];
        let [a, b, c] = bodies.corners(own as usize, face);
        let normal: Vector<3> = (b - a).cross(&(c - a));
        let area = |patches: &Self, place: usize| {
            let polygon = patches.polygon(&patches.outlines[place]);
            area_vector(polygon).dot(&normal)
        };

        for hole in start..start + count {
            if area(self, hole) >= 0.0 {
                continue;
            }
            let inside = self.polygon(&self.outlines[hole])[0];
            let around = (start..start + count)
                .filter(|&place| area(self, place) > 0.0)
                .map(|place| {
                    let polygon = self.polygon(&self.outlines[place]);
                    let misses = !contains(polygon, &inside, &normal);
                    (misses, area(self, place), place)
                })
                .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            if let Some((_, _, place)) = around {
                self.join(self.outlines[hole].patch, self.outlines[place].patch);
            }
        }
    }

    /// Adds the triangles wholly inside the other body that adjoin outlines.
    pub(super) fn flood(&mut self, bodies: &Bodies, crossed: &[(u8, u32)]) {
        for &(own, face) in crossed {
            self.visited[own as usize][face as usize] = (self.stamp, NONE);
        }

        for number in 0..self.sides.len() {
            let WholeSide {
                own,
                face,
                side,
                patch,
            } = self.sides[number];
            let across = bodies.trees[own as usize].neighbours[face as usize][side as usize];
            self.enter(bodies, own, [face, across], patch);
            self.spread(bodies, own, patch);
        }
    }

    /// Visits a triangle from a neighbour: joins its patch, or adds it to this one.
    fn enter(&mut self, bodies: &Bodies, own: u8, [from, face]: [u32; 2], patch: u32) {
        match self.visited[own as usize][face as usize] {
            (stamp, other) if stamp == self.stamp => {
                let other = match other {
                    NONE => self.patch_across(bodies, own, [from, face]),
                    other => Some(other),
                };
                if let Some(other) = other {
                    self.join(other, patch);
                }
            }
            _ => {
                self.visited[own as usize][face as usize] = (self.stamp, patch);
                self.add_polygon(own, face, patch, &bodies.corners(own as usize, face));
                self.open.push(face);
            }
        }
    }

    fn spread(&mut self, bodies: &Bodies, own: u8, patch: u32) {
        while let Some(face) = self.open.pop() {
            for across in bodies.trees[own as usize].neighbours[face as usize] {
                self.enter(bodies, own, [face, across], patch);
            }
        }
    }

    /// Returns the patch of the outline of a crossed triangle at its side to a neighbour.
    fn patch_across(&self, bodies: &Bodies, own: u8, [from, face]: [u32; 2]) -> Option<u32> {
        let neighbours = bodies.trees[own as usize].neighbours[face as usize];
        (0..3u8)
            .filter(|&side| neighbours[side as usize] == from)
            .find_map(|side| {
                let found = self
                    .sides
                    .binary_search_by_key(&(own, face, side), WholeSide::key);
                found.ok().map(|place| self.sides[place].patch)
            })
    }

    /// Adds the shells of one body that cross nothing and are inside the other.
    pub(super) fn add_shells(&mut self, bodies: &Bodies, own: u8, crossed: &[(u8, u32)]) {
        let tree = bodies.trees[own as usize];
        self.shells.clear();
        self.shells.resize(tree.shells.len(), false);
        for &(body, face) in crossed {
            if body == own {
                self.shells[tree.shell_of(face)] = true;
            }
        }

        for shell in 0..tree.shells.len() {
            let face = tree.shells[shell];
            let node = tree.triangles[face as usize][0];
            if !self.shells[shell] && is_inside(bodies, own as usize, node) {
                let patch = self.add_patch();
                self.enter(bodies, own, [face, face], patch);
                self.spread(bodies, own, patch);
            }
        }
    }
}

fn reset(list: &mut Vec<u32>, count: usize) {
    list.clear();
    list.resize(count, NONE);
}

/// Returns the area vector of a polygon.
pub(super) fn area_vector(polygon: &[Point<3>]) -> Vector<3> {
    let [first, rest @ ..] = polygon else {
        return Vector::zeros();
    };
    rest.windows(2)
        .map(|pair| 0.5 * (pair[0] - first).cross(&(pair[1] - first)))
        .sum()
}

/// Returns whether a polygon contains a point of its plane, seen along the largest component of the
/// normal.
fn contains(polygon: &[Point<3>], point: &Point<3>, normal: &Vector<3>) -> bool {
    let drop = normal.iamax();
    let (i, j) = ((drop + 1) % 3, (drop + 2) % 3);
    let mut inside = false;
    for (k, p) in polygon.iter().enumerate() {
        let q = &polygon[(k + 1) % polygon.len()];
        if (p[j] > point[j]) != (q[j] > point[j]) {
            let along = (point[j] - p[j]) / (q[j] - p[j]);
            inside ^= p[i] + along * (q[i] - p[i]) > point[i];
        }
    }

    inside
}
