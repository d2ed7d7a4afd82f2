//! An unvalidated mesh as read from a file or made by a generator: points and elements of any kind.

use super::triangulate::{cut_quad, is_convex_quad};
use super::{ElementKind, Item, Problem, ProblemKind, check, weld_within};
use crate::space::{self, Aabb, Point};

/// Elements of one kind, with their nodes stored one after another in VTK's order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    /// The kind of all elements in the block.
    pub kind: ElementKind,
    /// `kind.node_count()` point indices per element.
    pub nodes: Vec<u32>,
}

impl Block {
    /// Creates an empty block.
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

    /// Iterates over the nodes of each element.
    pub fn elements(&self) -> std::slice::ChunksExact<'_, u32> {
        self.nodes.chunks_exact(self.kind.node_count())
    }
}

/// Result of [`Mesh::weld`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Weld {
    /// Number of points no longer used by elements because an earlier one lies within the
    /// tolerance.
    pub merged_points: usize,
    /// Surface elements that lost a corner and were removed, by their previous index, ascending.
    pub dropped_elements: Vec<u64>,
}

/// Points and blocks of elements. The shapes ([`Surface`](super::Surface), [`Solid`](super::Solid),
/// …) are built from it and validate what they need. A `Mesh` itself guarantees only that each
/// block contains whole elements.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mesh {
    /// Coordinates; 2D meshes have z = 0.
    pub points: Vec<Point<3>>,
    /// Elements by kind, in the order of the source. A kind may occur more than once.
    pub blocks: Vec<Block>,
}

impl Mesh {
    /// Creates a mesh of triangles.
    pub fn of_triangles(points: Vec<Point<3>>, triangles: &[[u32; 3]]) -> Self {
        Self {
            points,
            blocks: vec![Block {
                kind: ElementKind::Tri3,
                nodes: triangles.as_flattened().to_vec(),
            }],
        }
    }

    /// Creates a mesh of tetrahedra.
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

    /// Appends an element to the last block, or to a new one if the kind changes.
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

    /// Returns all surface elements as triangles over their corners; the sides of curved elements
    /// are taken as straight.
    ///
    /// Quadrilaterals are split along the diagonal 0–2, or along 1–3 if only that lies inside.
    /// Those that cannot be split (see [`Mesh::uncut_quads`]) and those with nodes that do not
    /// exist are split along 0–2.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for (kind, nodes) in self.surface_elements() {
            if kind.corner_count() == 3 {
                triangles.push([nodes[0], nodes[1], nodes[2]]);
                continue;
            }
            let cut = self.quad(nodes).and_then(cut_quad);
            let halves = cut.unwrap_or([[0, 1, 2], [0, 2, 3]]);
            triangles.extend(halves.map(|t| t.map(|i| nodes[i as usize])));
        }

        triangles
    }

    /// The quadrilaterals that intersect themselves or have no area, by index among the surface
    /// elements.
    pub fn uncut_quads(&self) -> Option<Problem> {
        self.quads_without(ProblemKind::NotSimple, |corners| {
            cut_quad(corners).is_some()
        })
    }

    /// The straight non-convex quadrilaterals, on which the coordinates of a finite element are not
    /// unique, by index among the surface elements. They include those that cannot be split.
    pub(super) fn dented_quads(&self) -> Option<Problem> {
        self.quads_without(ProblemKind::NotConvex, is_convex_quad)
    }

    fn quads_without(
        &self,
        kind: ProblemKind,
        holds: impl Fn([Point<3>; 4]) -> bool,
    ) -> Option<Problem> {
        let bad = self
            .surface_elements()
            .enumerate()
            .filter(|(_, (kind, nodes))| {
                let is_quad = kind.corner_count() == 4 && kind.order() == 1;
                // Nodes that occur twice or do not exist are separate problems.
                is_quad
                    && !check::repeats(nodes)
                    && self.quad(nodes).is_some_and(|quad| !holds(quad))
            });
        Problem::of(kind, bad.map(|(i, _)| Item::Face(i)))
    }

    fn surface_elements(&self) -> impl Iterator<Item = (ElementKind, &[u32])> {
        let blocks = self
            .blocks
            .iter()
            .filter(|block| block.kind.dimension() == 2);
        blocks.flat_map(|block| block.elements().map(|nodes| (block.kind, nodes)))
    }

    /// The corners of a quadrilateral whose nodes exist and are usable.
    fn quad(&self, nodes: &[u32]) -> Option<[Point<3>; 4]> {
        let corner = |i: usize| {
            let point = self.points.get(nodes[i] as usize)?;
            space::is_usable(point).then_some(*point)
        };
        Some([corner(0)?, corner(1)?, corner(2)?, corner(3)?])
    }

    /// Merges points within `tolerance` of each other (inclusive): elements then refer to the first
    /// of them; see [`weld_within`]. Points keep their indices, even if no element uses them any
    /// more. Surface elements that lose a corner are removed, unless they already had a repeated
    /// node. Indices must be in range.
    pub fn weld(&mut self, tolerance: f64) -> Weld {
        let (distinct, number) = weld_within(&self.points, tolerance);
        let mut weld = Weld {
            merged_points: self.points.len() - distinct.len(),
            dropped_elements: Vec::new(),
        };

        if weld.merged_points == 0 {
            return weld;
        }

        let mut first = vec![u32::MAX; distinct.len()];
        for (i, &n) in (0..).zip(&number) {
            first[n as usize] = first[n as usize].min(i);
        }

        let mut element = 0;
        for block in &mut self.blocks {
            let can_collapse = block.kind.dimension() == 2;
            let mut kept = Vec::with_capacity(block.nodes.len());
            for old in block.elements() {
                let start = kept.len();
                kept.extend(old.iter().map(|&n| first[number[n as usize] as usize]));
                if can_collapse && check::repeats(&kept[start..]) && !check::repeats(old) {
                    kept.truncate(start);
                    weld.dropped_elements.push(element);
                }
                element += 1;
            }

            block.nodes = kept;
        }

        self.blocks.retain(|block| !block.is_empty());
        weld
    }

    /// Reverses the orientation of all surface elements.
    pub fn flip(&mut self) {
        for block in self
            .blocks
            .iter_mut()
            .filter(|block| block.kind.dimension() == 2)
        {
            let (kind, count) = (block.kind, block.kind.node_count());
            block
                .nodes
                .chunks_exact_mut(count)
                .for_each(|nodes| flip(kind, nodes));
        }
    }

    /// Returns the same elements with only the points that they use, in the same order. Indices
    /// must be in range.
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

/// Reverses a surface element: its first corner stays in place, and so does a centre node.
fn flip(kind: ElementKind, nodes: &mut [u32]) {
    let corners = kind.corner_count();
    nodes[1..corners].reverse();
    // The mid node of each side, if there is one.
    if let Some(mid) = nodes.get_mut(corners..2 * corners) {
        mid.reverse();
    }
}

#[cfg(test)]
mod tests;
