//! Overlap of two closed bodies: ∫ w_A w_B dV with the bodies' winding numbers w. For bodies whose
//! shells do not overlap themselves this is the common volume.
//!
//! The intersection itself is not constructed. By the divergence theorem the volume is ⅓ ∮ x·n over
//! the parts of each surface inside the other, weighted by the other's winding number. By Stokes'
//! theorem the area of a part is a sum along its outline (following Franklin 1987): over the
//! portions of the face's sides inside the other body, and over the segments in which the face
//! meets the other's faces. These need only the points where sides pierce faces, each computed once
//! from the same numbers, so that rounding errors cancel in the sum. Which sides pierce which faces
//! is decided exactly. If a side meets a side or a corner meets a face, the second body is moved by
//! 1e-12 of its size and the computation restarts.
//!
//! O(faces + pairs of touching faces).

use super::super::Relative;
use super::tandem::Tandem;
use super::tree::TriangleTree;
use crate::space::{Aabb, Point, Pose, Random, Sign, Vector, orient3};

/// Shift of the second body at the first degeneracy, relative to the bodies' size; doubled at each
/// further one.
const NUDGE: f64 = 1e-12;

/// Number of degeneracies before the result is accepted as is: a nudge in a random direction almost
/// surely leaves none.
const MOST_NUDGES: u32 = 16;

/// Overlap of two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshOverlap {
    /// The common volume.
    pub volume: f64,
    /// ∫ n dS over the part of the first body's surface inside the second: the decrease of the
    /// volume per unit length of a shift of the second body along it. It points from the first body
    /// to the second.
    pub push: Vector<3>,
}

/// Computes the overlap of two closed bodies in their poses; `None` if one is not closed.
///
/// ```
/// use impinge::{narrow::meshes::{TriangleTree, overlap}, shape::generate, space::Pose};
/// let cube = TriangleTree::new(&generate::block([3, 3, 3], [1.0, 1.0, 1.0])?);
/// let found = overlap(&cube, &Pose::identity(), &cube, &Pose::at([0.75, 0.5, 0.0])).unwrap();
/// assert!((found.volume - 0.125).abs() < 1e-10);
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn overlap(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
) -> Option<MeshOverlap> {
    if !(a.closed && b.closed) {
        return None;
    }

    let found = in_frame_of_a(a, b, Relative::of(pose_a, pose_b)).overlap;
    Some(MeshOverlap {
        push: pose_a.vector(&found.push),
        ..found
    })
}

/// An overlap in the first body's frame, with the start data of a depth search.
#[derive(Default)]
pub(super) struct Common {
    pub(super) overlap: MeshOverlap,
    /// Length by which the second body was nudged out of degeneracies.
    pub(super) nudge: f64,
    /// The nodes of each body inside the other.
    pub(super) inside: [Vec<u32>; 2],
}

pub(super) fn in_frame_of_a(
    a: &TriangleTree,
    b: &TriangleTree,
    mut relative: Relative<3>,
) -> Common {
    let size = a.boxes.bounds().longest_edge() + b.boxes.bounds().longest_edge();
    let (start, mut random, mut nudge) = (relative.shift, Random::new(1), 0.0);
    for _ in 0..MOST_NUDGES {
        if let Some(found) = Count::new(Tandem::of(a, b, &relative)).finished() {
            return Common { nudge, ..found };
        }
        nudge = (2.0 * nudge).max(NUDGE * size);
        relative.shift = start + random.direction::<3>() * nudge;
    }

    Common::default()
}

/// The sides and faces of one body relative to the other.
struct Half {
    corners: Vec<[Point<3>; 3]>,
    triangles: Vec<[u32; 3]>,
    /// For every face that meets the other surface, its accumulated sums.
    crossed: Vec<Option<Crossed>>,
}

/// The outline of the part of a face inside the other body.
#[derive(Clone, Copy, Default)]
struct Crossed {
    /// For each side, Σ Δ over the crossings, where Δ is 1 for entering the other body and −1 for
    /// leaving it.
    change: [i32; 3],
    /// For each side, Σ Δ (1 − τ), with τ the fraction of the side before the crossing.
    share: [f64; 3],
    /// Σ p × q over the segments with the other's faces.
    segments: Vector<3>,
}

struct Count<'a> {
    tandem: Tandem<'a>,
    halves: [Half; 2],
}

impl<'a> Count<'a> {
    fn new(tandem: Tandem<'a>) -> Self {
        let half = |tree: &TriangleTree, corners: &dyn Fn(usize) -> [Point<3>; 3]| Half {
            corners: (0..tree.len()).map(corners).collect(),
            triangles: tree.triangles.clone(),
            crossed: vec![None; tree.len()],
        };
        let halves = [
            half(tandem.a, &|f| tandem.a.corners(f)),
            half(tandem.b, &|f| tandem.corners_of_b(f)),
        ];

        Self { tandem, halves }
    }

    /// Returns the sums; `None` at a degeneracy.
    fn finished(mut self) -> Option<Common> {
        for pair in self.tandem.touching() {
            self.enter(pair.map(|face| face as usize))?;
        }

        let (mut sum, mut inside) = (MeshOverlap::default(), [Vec::new(), Vec::new()]);
        for (own, other) in [(0, 1), (1, 0)] {
            let windings = self.halves[own].windings(&self.halves[other]);
            inside[own] = self.halves[own].nodes_within(&windings);
            let found = self.halves[own].integrated(&windings);
            sum.volume += found.volume;
            if own == 0 {
                sum.push = found.push;
            }
        }

        sum.volume = sum.volume.max(0.0);
        Some(Common {
            overlap: sum,
            nudge: 0.0,
            inside,
        })
    }

    /// Records the intersection of two faces: two points at which a side of one pierces the other.
    fn enter(&mut self, faces: [usize; 2]) -> Option<()> {
        let normals = [0, 1].map(|h| normal(&self.halves[h].corners[faces[h]]));
        let (mut ends, mut found) = ([Point::origin(); 2], 0);
        for (own, other) in [(0, 1), (1, 0)] {
            for side in 0..3 {
                let triangle = self.halves[other].corners[faces[other]];
                let Some((point, share, change)) =
                    self.halves[own].pierce(faces[own], side, &triangle)?
                else {
                    continue;
                };
                *ends.get_mut(found)? = point;
                found += 1;
                let crossed = self.halves[own].crossed[faces[own]].get_or_insert_default();
                crossed.change[side] += change;

                crossed.share[side] += f64::from(change) * (1.0 - share);
            }
        }

        if found != 2 {
            return None;
        }

        let [p, q] = ends;
        // Seen from outside its face, the segment has the other body on its left.
        let turn = (q - p).dot(&normals[0].cross(&normals[1]));
        let product = p.coords.cross(&q.coords) * if turn < 0.0 { -1.0 } else { 1.0 };
        self.halves[0].crossed[faces[0]]
            .get_or_insert_default()
            .segments += product;
        self.halves[1].crossed[faces[1]]
            .get_or_insert_default()
            .segments -= product;

        Some(())
    }
}

impl Half {
    /// Intersects a side of a face with a triangle of the other body: the point, the fraction of
    /// the side before it, and 1 for entering or −1 for leaving. `Some(None)` if it does not
    /// intersect, `None` at a degeneracy.
    #[allow(clippy::option_option)]
    fn pierce(
        &self,
        face: usize,
        side: usize,
        triangle: &[Point<3>; 3],
    ) -> Option<Option<(Point<3>, f64, i32)>> {
        let next = (side + 1) % 3;
        let nodes = self.triangles[face];

        // The two faces at a side traverse it in opposite directions; both must get the same point
        // to the bit.
        let flipped = nodes[side] > nodes[next];
        let [from, to] =
            if flipped { [next, side] } else { [side, next] }.map(|k| self.corners[face][k]);
        let [a, b, c] = triangle;
        let sides = [&from, &to].map(|p| orient3(a, b, c, p));

        if sides.contains(&Sign::Zero) {
            return None;
        }

        if sides[0] == sides[1] {
            return Some(None);
        }

        let around =
            [0, 1, 2].map(|k: usize| orient3(&from, &triangle[k], &triangle[(k + 1) % 3], &to));
        if around.contains(&Sign::Positive) && around.contains(&Sign::Negative) {
            return Some(None);
        }

        if around.contains(&Sign::Zero) {
            return None;
        }

        let normal = normal(triangle);
        let (above, below) = (normal.dot(&(from - a)).abs(), normal.dot(&(to - a)).abs());
        let share = if above + below > 0.0 {
            above / (above + below)
        } else {
            0.5
        };
        let point = from + (to - from) * share;
        let enters = (sides[0] == Sign::Positive) != flipped;

        Some(Some((
            point,
            if flipped { 1.0 - share } else { share },
            if enters { 1 } else { -1 },
        )))
    }

    /// Computes the other body's winding number at each corner of each face: computed at one corner
    /// of every connected part, and propagated from there over sides and their crossings.
    fn windings(&self, other: &Self) -> Vec<[i32; 3]> {
        let count = self
            .triangles
            .as_flattened()
            .iter()
            .max()
            .map_or(0, |&n| n as usize + 1);
        let mut at_node: Vec<Option<i32>> = vec![None; count];
        let faces_of = FacesOfNodes::new(&self.triangles, count);
        let bounds = Aabb::of(other.corners.iter().flatten().copied());

        for start in 0..self.triangles.len() {
            let node = self.triangles[start][0];
            if at_node[node as usize].is_some() {
                continue;
            }

            let point = self.corners[start][0];
            at_node[node as usize] = Some(if bounds.contains(&point) {
                winding(&point, other)
            } else {
                0
            });
            let mut open = vec![node];

            while let Some(node) = open.pop() {
                for &face in faces_of.of(node) {
                    self.spread(face as usize, node, &mut at_node, &mut open);
                }
            }
        }

        let known = |n: u32| at_node[n as usize].unwrap_or(0);
        self.triangles.iter().map(|t| t.map(known)).collect()
    }

    /// Propagates the winding number from a corner of a face along the side that leaves it.
    fn spread(&self, face: usize, node: u32, at_node: &mut [Option<i32>], open: &mut Vec<u32>) {
        let nodes = self.triangles[face];
        let side = (0..3).find(|&k| nodes[k] == node).unwrap_or(0);
        let next = nodes[(side + 1) % 3] as usize;

        if at_node[next].is_none() {
            let change = self.crossed[face].map_or(0, |crossed| crossed.change[side]);
            at_node[next] = at_node[node as usize].map(|winding| winding + change);
            open.push(next as u32);
        }
    }

    /// Returns the nodes with non-zero winding number of the other body, ascending.
    fn nodes_within(&self, windings: &[[i32; 3]]) -> Vec<u32> {
        let corners = self
            .triangles
            .as_flattened()
            .iter()
            .zip(windings.as_flattened());
        let mut nodes: Vec<u32> = corners
            .filter(|&(_, &winding)| winding > 0)
            .map(|(&node, _)| node)
            .collect();
        nodes.sort_unstable();
        nodes.dedup();

        nodes
    }

    /// ⅓ ∫ w x·n dS and ∫ w n dS over the surface.
    fn integrated(&self, windings: &[[i32; 3]]) -> MeshOverlap {
        let mut sum = MeshOverlap::default();
        for (face, corners) in self.corners.iter().enumerate() {
            let winding = windings[face];
            if self.crossed[face].is_none() && winding[0] == 0 {
                continue;
            }

            let (normal, mut outline) = (normal(corners), Vector::zeros());
            let crossed = self.crossed[face].unwrap_or_default();
            for side in 0..3 {
                let product: Vector<3> =
                    corners[side].coords.cross(&corners[(side + 1) % 3].coords);
                outline += product * (f64::from(winding[side]) + crossed.share[side]);
            }

            // Twice the area of the part, in units of the normal.
            let part = normal.dot(&(outline + crossed.segments)) / normal.norm_squared();
            sum.volume += part * normal.dot(&corners[0].coords) / 6.0;
            sum.push += normal * (0.5 * part);
        }

        sum
    }
}

/// Twice the area vector along the outward normal.
fn normal([a, b, c]: &[Point<3>; 3]) -> Vector<3> {
    (b - a).cross(&(c - a))
}

/// The faces at each node, in one list with the start offset of each node.
struct FacesOfNodes {
    starts: Vec<u32>,
    faces: Vec<u32>,
}

impl FacesOfNodes {
    fn new(triangles: &[[u32; 3]], count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        triangles
            .as_flattened()
            .iter()
            .for_each(|&n| starts[n as usize + 1] += 1);
        (0..count).for_each(|n| starts[n + 1] += starts[n]);
        let (mut next, mut faces) = (starts.clone(), vec![0; 3 * triangles.len()]);

        for (triangle, face) in triangles.iter().zip(0..) {
            for &n in triangle {
                faces[next[n as usize] as usize] = face;
                next[n as usize] += 1;
            }
        }

        Self { starts, faces }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.faces[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// Returns the winding number of a body about a point.
fn winding(point: &Point<3>, body: &Half) -> i32 {
    winding_of(point, body.corners.iter().copied())
}

/// Returns the winding number of closed triangles about a point: Σ solid angles / 4π, rounded to an
/// integer.
pub(super) fn winding_of(point: &Point<3>, triangles: impl Iterator<Item = [Point<3>; 3]>) -> i32 {
    let half_angle = |corners: [Point<3>; 3]| {
        let [a, b, c] = corners.map(|p| p - point);
        let [la, lb, lc] = [a, b, c].map(|v| v.norm());
        // tan(Ω/2) by Van Oosterom and Strackee (1983).
        let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        a.dot(&b.cross(&c)).atan2(below)
    };
    let sum: f64 = triangles.map(half_angle).sum();

    (sum / std::f64::consts::TAU).round() as i32
}
