//! Certificates that neighbours do not cross, for the star of each boundary node.
//!
//! Seen from a boundary node v, its tetrahedra are triangles of a disc mapped to the sphere of
//! directions, and its boundary faces are the disc's outline. Assume that all those tetrahedra have
//! positive volume, that the outline seen from a direction d is a polygon running once around v,
//! and that no tetrahedron contains d. Then the map has degree 0 on d's side of the outline, hence
//! 1 on the other. No two simplices of the star share more than their common nodes, and pairs of a
//! face and a tetrahedron that share v need no test. O(1) per node. In a solid that is not folded
//! nearly all nodes pass, which saves about 25 exact tests per face. All inequalities have a margin
//! far above the rounding of f64; doubtful cases are not certified.

use crate::parallel::prelude::*;
use crate::shape::{NO_NEIGHBOUR, Solid};
use crate::space::{Point, Vector};
use std::collections::BTreeMap;

/// Least cosine of the angle between a face's normal and d.
const FACING: f64 = 0.05;

/// Largest cosine of the angle between an edge at v and d.
const STEEP: f64 = 0.99;

/// Sine of the angle below which a face's normal is not trusted.
const SLIVER: f64 = 1e-6;

/// Relative margin of a determinant.
const MARGIN: f64 = 1e-11;

/// The face opposite each corner, counter-clockwise seen from outside.
const OPPOSITE: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Stars of all boundary nodes: data independent of the deformation, and the certificates.
#[derive(Clone, Debug)]
pub(super) struct Stars {
    /// The boundary nodes around each boundary node in the order of its faces; empty if the star is
    /// not a half-ball.
    fans: Vec<u32>,
    /// The faces between them, from each to the next.
    faces: Vec<u32>,
    starts: Vec<u32>,
    normals: Vec<Vector<3>>,
    certified: Vec<bool>,
    embedded: Vec<bool>,
}

impl Stars {
    pub(super) fn new(solid: &Solid) -> Self {
        let mut around = vec![Vec::new(); solid.points().len()];
        for (face, nodes) in (0u32..).zip(solid.boundary_triangles()) {
            (0..3).for_each(|i| {
                around[nodes[i] as usize].push((nodes[(i + 1) % 3], nodes[(i + 2) % 3], face))
            });
        }

        let mut stars = Self {
            fans: Vec::new(),
            faces: Vec::new(),
            starts: vec![0],
            normals: Vec::new(),
            certified: Vec::new(),
            embedded: vec![false; solid.points().len()],
        };

        for &node in solid.boundary_nodes() {
            let edges = &around[node as usize];
            if let Some(fan) = one_cycle(edges).filter(|_| is_disc(solid, node, edges.len())) {
                stars.fans.extend(fan.iter().map(|edge| edge.0));
                stars.faces.extend(fan.iter().map(|edge| edge.2));
            }
            stars.starts.push(stars.fans.len() as u32);
        }

        stars
    }

    /// Returns whether the last update certified that the star of a node is embedded without folds.
    #[inline]
    pub(super) fn is_embedded(&self, node: u32) -> bool {
        self.embedded[node as usize]
    }

    /// Recomputes the certificates; returns the number of uncertified boundary nodes.
    pub(super) fn update(&mut self, solid: &Solid) -> u64 {
        let mut normals = std::mem::take(&mut self.normals);
        let mut certified = std::mem::take(&mut self.certified);
        let nodes = solid.boundary_nodes();
        normals.resize(solid.boundary_triangles().len(), Vector::zeros());
        certified.resize(nodes.len(), false);
        let normal = |(face, normal): (usize, &mut Vector<3>)| {
            *normal =
                unit_normal(solid.boundary_triangles()[face].map(|n| solid.points()[n as usize]));
        };

        if crate::parallel::current_num_threads() > 1 {
            normals.par_iter_mut().enumerate().for_each(normal);
            self.normals = normals;
            certified
                .par_iter_mut()
                .enumerate()
                .for_each(|(i, ok)| *ok = self.certify(solid, i));
        } else {
            normals.iter_mut().enumerate().for_each(normal);
            self.normals = normals;
            certified
                .iter_mut()
                .enumerate()
                .for_each(|(i, ok)| *ok = self.certify(solid, i));
        }

        nodes
            .iter()
            .zip(&certified)
            .for_each(|(&node, &ok)| self.embedded[node as usize] = ok);
        self.certified = certified;

        self.certified.iter().filter(|&&ok| !ok).count() as u64
    }

    /// Returns whether the star of a boundary node, given by its position in their list, is
    /// certainly embedded.
    fn certify(&self, solid: &Solid, place: usize) -> bool {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let (fan, faces) = (&self.fans[range.clone()], &self.faces[range]);
        if fan.is_empty() {
            return false;
        }

        let sum: Vector<3> = faces.iter().map(|&face| self.normals[face as usize]).sum();
        let length = sum.norm();
        if length < FACING {
            return false;
        }

        let direction = sum / length;
        // A face without a trusted normal has a zero one and fails here.
        faces
            .iter()
            .all(|&face| self.normals[face as usize].dot(&direction) > FACING)
            && runs_once_around(solid, solid.boundary_nodes()[place], fan, &direction)
            && is_below(solid, solid.boundary_nodes()[place], &direction)
    }
}

/// Returns the unit normal, or zero for a sliver.
fn unit_normal([a, b, c]: [Point<3>; 3]) -> Vector<3> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(&v);
    let squared = normal.norm_squared();
    let sliver = SLIVER * SLIVER * u.norm_squared() * v.norm_squared();

    if squared > sliver && squared.is_normal() {
        normal / squared.sqrt()
    } else {
        Vector::zeros()
    }
}

/// Returns whether the nodes, which turn in one sense around v seen along d, close after one turn:
/// the outline passes once from the lower to the upper half.
fn runs_once_around(solid: &Solid, node: u32, fan: &[u32], direction: &Vector<3>) -> bool {
    let v = solid.points()[node as usize];
    let axis = direction.iamin();
    let up = direction.cross(&Vector::ith(axis, 1.0));
    let mut turns = 0;
    let mut was_below = up.dot(&(solid.points()[fan[fan.len() - 1] as usize] - v)) < 0.0;

    for &next in fan {
        let edge = solid.points()[next as usize] - v;
        let reach = direction.dot(&edge);
        if reach * reach > STEEP * STEEP * edge.norm_squared() {
            return false;
        }
        let is_below = up.dot(&edge) < 0.0;
        turns += usize::from(was_below && !is_below);
        was_below = is_below;
    }

    turns == 1
}

/// Returns whether all tetrahedra at v have positive volume and none contains the direction d.
fn is_below(solid: &Solid, node: u32, direction: &Vector<3>) -> bool {
    let v = solid.points()[node as usize];
    solid.tetrahedra_around(node as usize).iter().all(|&t| {
        let nodes = &solid.tetrahedra()[t as usize];
        let Some(place) = nodes.iter().position(|&n| n == node) else {
            return false;
        };
        let [a, b, c] = OPPOSITE[place].map(|i| solid.points()[nodes[i] as usize] - v);
        let size = a.abs().max().max(b.abs().max()).max(c.abs().max());
        let (bc, margin) = (b.cross(&c), MARGIN * size * size);
        if bc.dot(&a) <= margin * size || !bc.dot(&a).is_normal() {
            return false;
        }
        direction.dot(&bc) < -margin
            || direction.dot(&c.cross(&a)) < -margin
            || direction.dot(&a.cross(&b)) < -margin
    })
}

/// Returns the faces around a node as one closed fan, if they form one: edges (from, to, face) in
/// order. O(n log n).
fn one_cycle(edges: &[(u32, u32, u32)]) -> Option<Vec<(u32, u32, u32)>> {
    let mut fan: Vec<(u32, u32, u32)> = vec![*edges.first()?];
    let next: BTreeMap<u32, (u32, u32, u32)> = edges.iter().map(|edge| (edge.0, *edge)).collect();
    if next.len() < edges.len() {
        return None;
    }

    while fan.len() < edges.len() {
        let edge = *next.get(&fan[fan.len() - 1].1)?;
        if edge.0 == fan[0].0 {
            return None;
        }
        fan.push(edge);
    }

    (fan[fan.len() - 1].1 == fan[0].0).then_some(fan)
}

/// Returns whether the tetrahedra around a node form a disc seen from it, whose outline is a single
/// cycle of `outline` edges: they are connected over faces, and the disc's corners − edges +
/// triangles equal 1.
fn is_disc(solid: &Solid, node: u32, outline: usize) -> bool {
    let around = solid.tetrahedra_around(node as usize);
    let mut corners: Vec<u32> = around
        .iter()
        .flat_map(|&t| solid.tetrahedra()[t as usize])
        .filter(|&n| n != node)
        .collect();
    corners.sort_unstable();
    corners.dedup();
    let edges = (3 * around.len() + outline) / 2;

    corners.len() + around.len() == edges + 1 && is_connected(solid, node, around)
}

fn is_connected(solid: &Solid, node: u32, around: &[u32]) -> bool {
    let mut seen: BTreeMap<u32, bool> = around.iter().map(|&t| (t, false)).collect();
    let (mut queue, mut count) = (vec![around[0]], 0);
    while let Some(t) = queue.pop() {
        if std::mem::replace(seen.entry(t).or_default(), true) {
            continue;
        }

        count += 1;
        let nodes = &solid.tetrahedra()[t as usize];
        let across = solid.neighbours()[t as usize].into_iter().zip(nodes);

        // The face opposite the node itself leads out of the star.
        queue.extend(
            across
                .filter(|&(other, &n)| n != node && other != NO_NEIGHBOUR)
                .map(|(other, _)| other),
        );
    }

    count == around.len()
}
