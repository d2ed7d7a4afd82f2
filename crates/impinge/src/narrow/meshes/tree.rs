//! Bounding-volume hierarchy of a triangulated surface.

use super::block::Block;
use super::wide::{Child, Wide};
use crate::bound::{Bound, Obb};
use crate::parallel::prelude::*;
use crate::shape::{Feature, Problem, Surface, check_triangles};
use crate::space::{Aabb, Point};
use crate::tree::{Bvh, Volume};
use fearless_simd::Level;
use std::ops::Range;

/// The triangles of a surface in a bounding-volume hierarchy: axis-aligned boxes split by the
/// surface-area heuristic, and the same tree with four children and oriented boxes per node. About
/// 250 bytes per triangle; building takes a few microseconds per triangle.
///
/// ```
/// use impinge::{narrow::meshes::TriangleTree, shape::generate};
/// let ball = TriangleTree::new(&generate::sphere(4)?);
/// let found = ball.nearest(&[0.0, 0.0, 3.0].into());
/// assert_eq!((found.distance, found.point), (2.0, [0.0, 0.0, 1.0].into()));
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "trimesh")]
#[doc(alias = "triangle soup")]
#[doc(alias = "OBB tree")]
#[doc(alias = "BVH")]
pub struct TriangleTree {
    pub(super) points: Vec<Point<3>>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) boxes: Bvh<3>,
    /// Children before parents; the root is the last.
    pub(super) wide: Vec<Wide>,
    pub(super) blocks: Vec<Block>,
    /// The oriented bounding box of the whole surface.
    pub(super) whole: Obb<3>,
    pub(super) closed: bool,
    /// For each triangle of a closed surface, the triangles across its sides 0–1, 1–2 and 2–0; empty
    /// if not known to be closed.
    pub(super) neighbours: Vec<[u32; 3]>,
    /// The lowest triangle of each connected shell, and the shell of each triangle if there are
    /// several.
    pub(super) shells: Vec<u32>,
    shell_of: Vec<u32>,
    pub(super) level: Level,
}

impl TriangleTree {
    /// Builds the tree of a closed surface.
    pub fn new(surface: &Surface) -> Self {
        let mut tree = Self::built(
            surface.points().to_vec(),
            surface.triangles().to_vec(),
            true,
        );
        tree.neighbours = surface.neighbours().to_vec();
        tree.find_shells();

        tree
    }

    /// Numbers the connected shells.
    fn find_shells(&mut self) {
        const NONE: u32 = u32::MAX;
        let mut shell_of = vec![NONE; self.len()];
        let mut open = Vec::new();
        for start in 0..self.len() as u32 {
            if shell_of[start as usize] != NONE {
                continue;
            }

            let shell = self.shells.len() as u32;
            self.shells.push(start);
            shell_of[start as usize] = shell;
            open.push(start);
            while let Some(face) = open.pop() {
                for across in self.neighbours[face as usize] {
                    if shell_of[across as usize] == NONE {
                        shell_of[across as usize] = shell;
                        open.push(across);
                    }
                }
            }
        }

        if self.shells.len() > 1 {
            self.shell_of = shell_of;
        }
    }

    /// Returns the shell of a triangle.
    pub(super) fn shell_of(&self, face: u32) -> usize {
        self.shell_of
            .get(face as usize)
            .map_or(0, |&shell| shell as usize)
    }

    /// Builds the tree of any triangles, closed or not. The error names the first triangle without
    /// area, with a missing node or with a non-finite coordinate.
    pub fn of_triangles(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        let points: Vec<Point<3>> = points.iter().map(|&p| p.into()).collect();
        check_triangles(&points, triangles)?;
        crate::shape::zero_area(&points, triangles).map_or(Ok(()), Err)?;
        Ok(Self::built(points, triangles.to_vec(), false))
    }

    pub(crate) fn built(points: Vec<Point<3>>, triangles: Vec<[u32; 3]>, closed: bool) -> Self {
        let boxes: Vec<Aabb<3>> = triangles
            .par_iter()
            .map(|t| Aabb::of(t.map(|n| points[n as usize])))
            .collect();
        let boxes = Bvh::new(&boxes);
        let (wide, blocks, whole) = (vec![], vec![], Obb::EMPTY);
        let mut tree = Self {
            points,
            triangles,
            boxes,
            wide,
            blocks,
            whole,
            closed,
            neighbours: Vec::new(),
            shells: Vec::new(),
            shell_of: Vec::new(),
            level: Level::new(),
        };
        tree.widen();

        tree
    }

    /// Returns the number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Returns whether there are no triangles; always false.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Returns whether the triangles were given as a closed surface, which has an inside.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the corners of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the points.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// Returns the coordinates of a triangle's corners.
    #[inline]
    pub fn corners(&self, face: usize) -> [Point<3>; 3] {
        self.triangles[face].map(|n| self.points[n as usize])
    }

    /// Returns the tree of axis-aligned boxes over the faces.
    pub fn boxes(&self) -> &Bvh<3> {
        &self.boxes
    }

    /// Returns the size of the arrays in bytes.
    pub fn memory(&self) -> usize {
        let own = size_of_val(&self.points[..]) + size_of_val(&self.triangles[..]);
        let shells = size_of_val(&self.neighbours[..]) + size_of_val(&self.shell_of[..]);
        own + shells
            + self.boxes.memory()
            + size_of_val(&self.wide[..])
            + size_of_val(&self.blocks[..])
    }

    /// Returns the feature spanned by some corners of a face.
    pub(crate) fn feature(&self, face: u32, between: [bool; 3]) -> Feature {
        let mut nodes = (0..3)
            .filter(|&k| between[k])
            .map(|k| self.triangles[face as usize][k]);
        match (nodes.next(), nodes.next(), nodes.next()) {
            (Some(a), None, _) => Feature::Vertex(a),
            (Some(a), Some(b), None) => Feature::Edge([a.min(b), a.max(b)]),
            _ => Feature::Face(face),
        }
    }

    fn widen(&mut self) {
        let nodes = 0..self.boxes.nodes.len() as u32;
        let oriented: Vec<Obb<3>> = nodes
            .into_par_iter()
            .map(|node| self.oriented_box(self.boxes.item_range(node)))
            .collect();
        (self.wide, self.blocks) = (Vec::new(), Vec::new());
        self.whole = oriented[0];
        let root = if self.boxes.nodes[0].is_leaf() {
            vec![0]
        } else {
            self.four_below(0)
        };

        self.widen_below(&root, &oriented);
    }

    fn oriented_box(&self, item_range: Range<usize>) -> Obb<3> {
        let faces = &self.boxes.items()[item_range];
        let triangles: Vec<[u32; 3]> = faces
            .iter()
            .map(|&face| self.triangles[face as usize])
            .collect();
        Obb::of_triangles(&self.points, &triangles)
    }

    /// Returns up to four descendants of a node, opening the larger ones first.
    fn four_below(&self, node: u32) -> Vec<u32> {
        let nodes = &self.boxes.nodes;
        let first = nodes[node as usize].first;
        let mut found = vec![first, first + 1];

        while found.len() < 4 {
            let inner = (0..found.len()).filter(|&k| !nodes[found[k] as usize].is_leaf());
            let surface = |k: usize| nodes[found[k] as usize].bounds.surface();
            let Some(largest) = inner.max_by(|&a, &b| surface(a).total_cmp(&surface(b))) else {
                break;
            };
            let first = nodes[found[largest] as usize].first;
            found[largest] = first;
            found.insert(largest + 1, first + 1);
        }

        found
    }

    /// Writes the wide node of some children after those below it; returns its index.
    fn widen_below(&mut self, children: &[u32], oriented: &[Obb<3>]) -> u32 {
        let boxes: Vec<(Obb<3>, Child)> = children
            .iter()
            .map(|&node| {
                let child = if self.boxes.nodes[node as usize].is_leaf() {
                    self.write_block(node)
                } else {
                    let below = self.four_below(node);
                    Child {
                        index: self.widen_below(&below, oriented),
                        count: 0,
                    }
                };
                (oriented[node as usize], child)
            })
            .collect();
        self.wide.push(Wide::new(&boxes));

        self.wide.len() as u32 - 1
    }

    fn write_block(&mut self, leaf: u32) -> Child {
        let faces = self.boxes.items_of(&self.boxes.nodes[leaf as usize]);
        let triangles: Vec<_> = faces
            .iter()
            .map(|&face| (self.corners(face as usize), face))
            .collect();
        self.blocks.push(Block::new(&triangles));

        Child {
            index: self.blocks.len() as u32 - 1,
            count: triangles.len() as u32,
        }
    }

    /// Updates the tree after its points have moved, e.g. by deformation. The boxes are refitted;
    /// the tree is rebuilt only if it has degraded. Panics if the number of points differs.
    pub fn update(&mut self, points: &[Point<3>]) {
        assert_eq!(points.len(), self.points.len(), "as many points as before");
        self.points.copy_from_slice(points);
        let boxes: Vec<Aabb<3>> = self
            .triangles
            .par_iter()
            .map(|t| Aabb::of(t.map(|n| points[n as usize])))
            .collect();
        self.boxes.update(&boxes);

        self.widen();
    }
}
