//! Isosurface {f = 0} of a function, by marching tetrahedra on a body-centred cubic lattice.
//!
//! A tetrahedron whose corners differ in sign is cut in a triangle or a quadrilateral with its
//! corners on the tetrahedron's edges. Neighbours cut their common face in the same way, and no
//! node has the value zero, so the surface is closed and manifold by construction. Each piece lies
//! in its own tetrahedron, so the surface does not intersect itself either.
//!
//! Cuts close to a node would produce slivers. Nodes near the surface are therefore first moved
//! away from it, by less than would invert a tetrahedron, and cuts are kept away from the ends of
//! the edges. The function is positive inside. Cost: O(nodes of the lattice) evaluations of the
//! function, in parallel, and a few for each cut.

use crate::parallel::prelude::*;
use crate::space::{Aabb, Matrix, Point, Vector};
use rustc_hash::FxHashMap;

/// Maximum displacement of a node, in cube edges. Four points become coplanar only if all lie
/// within this distance of a plane. The smallest width of the lattice tetrahedra, between opposite
/// long edges, is ½, so any displacement below ¼ keeps them positive.
const FARTHEST_MOVE: f64 = 0.2;

/// Minimum distance of a cut from the ends of its edge, in edge lengths, so that no triangle
/// vanishes.
const NEAREST_CUT: f64 = 0.1;

/// Step of the finite differences for the gradient, in cube edges.
const DIFFERENCE: f64 = 0.1;

/// Upper bound of the slope of all functions used here; it identifies nodes too far from the
/// surface to be moved.
const STEEPEST: f64 = 2.0;

/// Returns points and outward triangles of {f = 0}; f must be negative everywhere outside `bounds`.
/// `spacing` is the edge of the lattice's cubes; a surface gets about 13 triangles per spacing².
pub(super) fn marching(
    f: &(impl Fn(&Point<3>) -> f64 + Sync),
    bounds: &Aabb<3>,
    spacing: f64,
) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
    let lattice = Lattice::around(bounds, spacing);
    let (nodes, values): (Vec<Point<3>>, Vec<f64>) = (0..lattice.node_count())
        .into_par_iter()
        .map(|n| moved_away(f, lattice.position(n), spacing))
        .unzip();
    let mut cutter = Cutter {
        f,
        nodes,
        values,
        cuts: FxHashMap::default(),
        points: Vec::new(),
        triangles: Vec::new(),
    };
    lattice.visit_tetrahedra(|tetrahedron| cutter.cut(tetrahedron));

    (cutter.points, cutter.triangles)
}

/// The position and value of a node, after moving it away from the surface if it is close.
fn moved_away(f: &impl Fn(&Point<3>) -> f64, node: Point<3>, spacing: f64) -> (Point<3>, f64) {
    let (value, step) = (f(&node), DIFFERENCE * spacing);
    if value.abs() > STEEPEST * FARTHEST_MOVE * spacing {
        return (node, value);
    }

    let slope = Vector::<3>::from_fn(|axis, _| {
        let mut ahead = node;
        ahead[axis] += step;
        (f(&ahead) - value) / step
    });
    let steepness = slope.norm();
    let distance = value / steepness;

    // A vanishing slope gives an infinite or undefined distance, and no displacement.
    if distance.abs() < FARTHEST_MOVE * spacing {
        let farther = FARTHEST_MOVE * spacing - distance.abs();
        let place = node + slope * (farther * value.signum() / steepness);
        let there = f(&place);
        if there * value > 0.0 && there.abs() > value.abs() {
            return (place, there);
        }
    }

    (node, value)
}

/// A body-centred cubic lattice: the corners of equal cubes, then their centres. It is rotated,
/// because a flat part of the surface along a lattice plane would gain or lose a whole layer of
/// triangles at the slightest change of the spacing.
struct Lattice {
    middle: Point<3>,
    axes: Matrix<3>,
    spacing: f64,
    cubes: [usize; 3],
}

impl Lattice {
    /// Covers the box with two more cubes on every side, so that nodes in the box have all their
    /// tetrahedra.
    fn around(bounds: &Aabb<3>, spacing: f64) -> Self {
        let axes = askew();
        let extent = axes.transpose().abs() * bounds.extent();
        let cubes = extent.map(|x| (x / spacing).ceil() as usize + 4);
        Self {
            middle: bounds.centre(),
            axes,
            spacing,
            cubes: cubes.into(),
        }
    }

    fn corners(&self) -> [usize; 3] {
        self.cubes.map(|n| n + 1)
    }

    fn node_count(&self) -> usize {
        self.corners().iter().product::<usize>() + self.cubes.iter().product::<usize>()
    }

    fn position(&self, node: usize) -> Point<3> {
        let corner_count = self.corners().iter().product();
        let ([nx, ny, _], place, shift) = match node.checked_sub(corner_count) {
            None => (self.corners(), node, 0.0),
            Some(cube) => (self.cubes, cube, 0.5),
        };
        let place = [place % nx, place / nx % ny, place / (nx * ny)];
        let from_middle = |k: usize| place[k] as f64 + shift - 0.5 * self.cubes[k] as f64;

        self.middle + self.axes * Vector::from([0, 1, 2].map(from_middle)) * self.spacing
    }

    fn corner(&self, [x, y, z]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.corners();
        (x + nx * (y + ny * z)) as u32
    }

    fn centre(&self, [x, y, z]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cubes;
        (self.corners().iter().product::<usize>() + x + nx * (y + ny * z)) as u32
    }

    /// Visits the positively oriented tetrahedra: two centres of neighbouring cubes and an edge of
    /// their common face.
    fn visit_tetrahedra(&self, mut visit: impl FnMut([u32; 4])) {
        for cube in super::brick::places(self.cubes) {
            for axis in (0..3).filter(|&axis| cube[axis] + 1 < self.cubes[axis]) {
                let mut next = cube;
                next[axis] += 1;
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let around = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[du, dv]| {
                    let mut corner = next;
                    corner[u] += du;
                    corner[v] += dv;
                    self.corner(corner)
                });

                for k in 0..4 {
                    visit([
                        self.centre(cube),
                        self.centre(next),
                        around[k],
                        around[(k + 1) % 4],
                    ]);
                }
            }
        }
    }
}

/// A rotation far from any symmetry of the cube: that of the quaternion (8, 1, 2, 3), in exact
/// quotients.
fn askew() -> Matrix<3> {
    let [w, x, y, z] = [8.0, 1.0, 2.0, 3.0];
    let [first, second, third] = [
        [
            w * w + x * x - y * y - z * z,
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            w * w - x * x + y * y - z * z,
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            w * w - x * x - y * y + z * z,
        ],
    ];

    Matrix::<3>::from_rows(&[first.into(), second.into(), third.into()])
        / (w * w + x * x + y * y + z * z)
}

/// Cuts tetrahedra and collects the pieces.
struct Cutter<'a, F> {
    f: &'a F,
    nodes: Vec<Point<3>>,
    values: Vec<f64>,
    cuts: FxHashMap<[u32; 2], u32>,
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
}

impl<F: Fn(&Point<3>) -> f64> Cutter<'_, F> {
    fn cut(&mut self, tetrahedron: [u32; 4]) {
        let inside = tetrahedron.map(|n| self.values[n as usize] > 0.0);
        match inside.iter().filter(|&&i| i).count() {
            1 => {
                let [a, b, c, d] = inside_first(tetrahedron, inside);
                let piece = [self.point(a, b), self.point(a, c), self.point(a, d)];
                self.triangles.push(piece);
            }
            2 => {
                let [a, b, c, d] = inside_first(tetrahedron, inside);
                let piece = [
                    self.point(a, c),
                    self.point(a, d),
                    self.point(b, d),
                    self.point(b, c),
                ];
                self.push_quadrilateral(piece);
            }
            3 => {
                let [a, b, c, d] = inside_first(tetrahedron, inside);
                let piece = [self.point(a, d), self.point(b, d), self.point(c, d)];
                self.triangles.push(piece);
            }
            _ => {}
        }
    }

    /// The point on the edge from an inner to an outer node.
    fn point(&mut self, inner: u32, outer: u32) -> u32 {
        *self.cuts.entry([inner, outer]).or_insert_with(|| {
            let [a, b] = [inner, outer].map(|n| self.nodes[n as usize]);
            let ends = [inner, outer].map(|n| self.values[n as usize]);
            let t = zero_between(ends, |t| (self.f)(&(a + (b - a) * t)));
            self.points
                .push(a + (b - a) * t.clamp(NEAREST_CUT, 1.0 - NEAREST_CUT));
            self.points.len() as u32 - 1
        })
    }

    /// Adds two triangles, split along the shorter diagonal.
    fn push_quadrilateral(&mut self, [a, b, c, d]: [u32; 4]) {
        let squared =
            |i: u32, j: u32| (self.points[i as usize] - self.points[j as usize]).norm_squared();
        if squared(a, c) <= squared(b, d) {
            self.triangles.extend([[a, b, c], [a, c, d]]);
        } else {
            self.triangles.extend([[a, b, d], [b, c, d]]);
        }
    }
}

/// Finds a zero of a function on [0, 1] from its values at the ends, the first positive and the
/// second not, by false position with the Illinois modification. After four steps the error is
/// below that of the lattice.
fn zero_between([mut f, mut g]: [f64; 2], value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut up) = (0.0, 1.0);
    for _ in 0..4 {
        let t = low + (up - low) * (f / (f - g));
        let there = value(t);
        if there > 0.0 {
            (low, f, g) = (t, there, g / 2.0);
        } else {
            (up, g, f) = (t, there, f / 2.0);
        }
    }

    low + (up - low) * (f / (f - g))
}

/// The nodes with the inner ones first, in an even permutation, so that the tetrahedron remains
/// positive.
fn inside_first(tetrahedron: [u32; 4], inside: [bool; 4]) -> [u32; 4] {
    let mut order = [0, 1, 2, 3];
    order.sort_by_key(|&k| !inside[k]);
    let inversions = (0..4)
        .flat_map(|i| (0..i).map(move |j| (j, i)))
        .filter(|&(j, i)| order[j] > order[i])
        .count();

    if inversions % 2 == 1 {
        // Swap two nodes on the same side; one end always has two.
        if inside[order[1]] {
            order.swap(0, 1)
        } else {
            order.swap(2, 3)
        }
    }

    order.map(|k| tetrahedron[k])
}

#[cfg(test)]
mod tests;
