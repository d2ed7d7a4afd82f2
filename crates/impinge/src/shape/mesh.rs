//! A mesh as it comes from a file or a generator: points and elements of any kind, not yet checked.

use super::ElementKind;
use crate::space::{Aabb, Point};

/// Elements of one kind, their nodes one after another in VTK's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The kind of all elements in the block.
    pub kind: ElementKind,
    /// `kind.node_count()` point numbers for each element.
    pub nodes: Vec<u32>,
}

impl Block {
    /// An empty block.
    pub fn new(kind: ElementKind) -> Self {
        Self {
            kind,
            nodes: Vec::new(),
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.nodes.len() / self.kind.node_count()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The elements' nodes.
    pub fn elements(&self) -> std::slice::ChunksExact<'_, u32> {
        self.nodes.chunks_exact(self.kind.node_count())
    }
}

/// Points and blocks of elements. The shapes ([`Surface`](super::Surface), [`Solid`](super::Solid), …) are made of
/// it and check what they need; a `Mesh` itself promises nothing but that each block holds whole elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Coordinates; meshes of the plane have z = 0.
    pub points: Vec<Point<3>>,
    /// Elements by kind, in the order of the source. A kind may occur more than once.
    pub blocks: Vec<Block>,
}

impl Mesh {
    /// A mesh of triangles.
    pub fn of_triangles(points: Vec<Point<3>>, triangles: &[[u32; 3]]) -> Self {
        Self {
            points,
            blocks: vec![Block {
                kind: ElementKind::Tri3,
                nodes: triangles.as_flattened().to_vec(),
            }],
        }
    }

    /// A mesh of tetrahedra.
    pub fn of_tetrahedra(points: Vec<Point<3>>, tetrahedra: &[[u32; 4]]) -> Self {
        Self {
            points,
            blocks: vec![Block {
                kind: ElementKind::Tet4,
                nodes: tetrahedra.as_flattened().to_vec(),
            }],
        }
    }

    /// Number of elements of a kind.
    pub fn count(&self, kind: ElementKind) -> usize {
        self.blocks
            .iter()
            .filter(|block| block.kind == kind)
            .map(Block::len)
            .sum()
    }

    /// Number of elements of a dimension.
    pub fn count_of_dimension(&self, dimension: usize) -> usize {
        self.blocks
            .iter()
            .filter(|block| block.kind.dimension() == dimension)
            .map(Block::len)
            .sum()
    }

    /// Appends an element to the last block, or to a new one where the kind changes.
    pub fn push(&mut self, kind: ElementKind, nodes: &[u32]) {
        debug_assert_eq!(nodes.len(), kind.node_count());
        match self.blocks.last_mut() {
            Some(block) if block.kind == kind => block.nodes.extend_from_slice(nodes),
            _ => self.blocks.push(Block {
                kind,
                nodes: nodes.to_vec(),
            }),
        }
    }

    /// All surface elements as triangles, by their corners: quadrilaterals are cut along the diagonal 0–2, and the
    /// sides of curved elements are taken as straight. Indices are not checked.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for block in self
            .blocks
            .iter()
            .filter(|block| block.kind.dimension() == 2)
        {
            for nodes in block.elements() {
                triangles.push([nodes[0], nodes[1], nodes[2]]);
                if block.kind.corner_count() == 4 {
                    triangles.push([nodes[0], nodes[2], nodes[3]]);
                }
            }
        }
        triangles
    }

    /// The same elements with only the points that they have, in the same order. Indices must be in range.
    ///
    /// ```
    /// use impinge::{shape::Mesh, space::Point};
    /// let points = [[0.0; 3], [9.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from).to_vec();
    /// let compact = Mesh::of_triangles(points, &[[0, 2, 3]]).compacted();
    /// assert_eq!((compact.points.len(), compact.triangles()), (3, vec![[0, 1, 2]]));
    /// ```
    #[must_use]
    pub fn compacted(mut self) -> Self {
        let mut number = vec![u32::MAX; self.points.len()];
        let used = self.blocks.iter().flat_map(|block| &block.nodes);
        used.for_each(|&node| number[node as usize] = 0);
        let mut next = 0;
        self.points = std::mem::take(&mut self.points)
            .into_iter()
            .zip(&mut number)
            .filter(|(_, number)| **number == 0)
            .map(|(point, number)| {
                *number = next;
                next += 1;
                point
            })
            .collect();
        let nodes = self.blocks.iter_mut().flat_map(|block| &mut block.nodes);
        nodes.for_each(|node| *node = number[*node as usize]);
        self
    }

    /// The smallest box around all points.
    pub fn bounds(&self) -> Aabb<3> {
        Aabb::of(self.points.iter().copied())
    }
}
