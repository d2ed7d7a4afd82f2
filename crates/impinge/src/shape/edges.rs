//! The edges of a triangle list: matching half-edges, and the resulting properties of the surface.
//!
//! Half-edge `3 t + k` runs from corner k of triangle t to the next corner. Half-edges are grouped
//! by their lower node with a counting sort, then by their higher node within each small group.
//! This takes O(triangles) for any mesh whose nodes have a bounded number of neighbours, and no
//! hashing.

use super::{Item, Problem, ProblemKind};

/// Marks a side without a neighbouring triangle.
pub const NO_NEIGHBOUR: u32 = u32::MAX;

/// Maximum number of triangles: half-edges are numbered with 32 bits.
pub(crate) const MOST_TRIANGLES: usize = (u32::MAX / 3) as usize - 1;

/// Adjacency and defects of a triangle list.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    /// For each triangle and side, the triangle across it; [`NO_NEIGHBOUR`] if there is not exactly
    /// one.
    pub(crate) neighbours: Vec<[u32; 3]>,
    /// Number of edges.
    pub(crate) count: usize,
    /// Edges with one triangle.
    pub(crate) open: Option<Problem>,
    /// Edges with more than two triangles.
    pub(crate) non_manifold: Option<Problem>,
    /// Edges traversed by their two triangles in the same direction.
    pub(crate) inconsistent: Option<Problem>,
}

impl Edges {
    /// Matches the half-edges. Every node must be below `node_count`, and no triangle may have a
    /// node twice.
    pub(crate) fn of(node_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut edges = Self {
            neighbours: vec![[NO_NEIGHBOUR; 3]; triangles.len()],
            count: 0,
            open: None,
            non_manifold: None,
            inconsistent: None,
        };
        visit_edges(node_count, triangles, |nodes, half_edges| {
            edges.enter(nodes, half_edges, triangles)
        });

        edges
    }

    fn enter(&mut self, nodes: [u32; 2], half_edges: &[HalfEdge], triangles: &[[u32; 3]]) {
        self.count += 1;
        let item = Item::Edge {
            nodes,
            triangles: half_edges.len(),
        };

        match *half_edges {
            [_] => note(&mut self.open, ProblemKind::OpenEdge, item),
            [one, two] => {
                self.neighbours[one.triangle()][one.side()] = two.triangle() as u32;
                self.neighbours[two.triangle()][two.side()] = one.triangle() as u32;
                if one.origin(triangles) == two.origin(triangles) {
                    note(
                        &mut self.inconsistent,
                        ProblemKind::InconsistentOrientation,
                        item,
                    );
                }
            }
            _ => note(&mut self.non_manifold, ProblemKind::NonManifoldEdge, item),
        }
    }

    /// The defects of a surface that should be closed, manifold and oriented.
    pub(crate) fn problems(&self) -> impl Iterator<Item = Problem> {
        [self.non_manifold, self.open, self.inconsistent]
            .into_iter()
            .flatten()
    }
}

/// One side of a triangle, numbered `3 t + k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HalfEdge(u32);

impl HalfEdge {
    pub(crate) fn triangle(self) -> usize {
        (self.0 / 3) as usize
    }

    pub(crate) fn side(self) -> usize {
        (self.0 % 3) as usize
    }

    /// The start node.
    pub(crate) fn origin(self, triangles: &[[u32; 3]]) -> u32 {
        triangles[self.triangle()][self.side()]
    }
}

/// Calls `visit` for each edge, by ascending nodes, with its half-edges in ascending order.
pub(crate) fn visit_edges(
    node_count: usize,
    triangles: &[[u32; 3]],
    mut visit: impl FnMut([u32; 2], &[HalfEdge]),
) {
    assert!(
        triangles.len() <= MOST_TRIANGLES,
        "half-edges are numbered with 32 bits"
    );
    let ends = |t: &[u32; 3], k: usize| {
        let (a, b) = (t[k], t[(k + 1) % 3]);
        (a.min(b), a.max(b))
    };
    let mut start = vec![0u32; node_count + 1];

    for t in triangles {
        (0..3).for_each(|k| start[ends(t, k).0 as usize + 1] += 1);
    }

    for i in 0..node_count {
        start[i + 1] += start[i];
    }

    let mut next = start.clone();
    let mut sorted = vec![(0u32, HalfEdge(0)); triangles.len() * 3];
    for (i, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (low, high) = ends(t, k);
            let place = &mut next[low as usize];
            sorted[*place as usize] = (high, HalfEdge((3 * i + k) as u32));
            *place += 1;
        }
    }

    let mut group = Vec::new();
    for low in 0..node_count {
        let around = &mut sorted[start[low] as usize..start[low + 1] as usize];
        around.sort_unstable();
        for same in around.chunk_by(|a, b| a.0 == b.0) {
            group.clear();
            group.extend(same.iter().map(|&(_, half_edge)| half_edge));
            visit([low as u32, same[0].0], &group);
        }
    }
}

/// The open edges of a triangle list, directed as in their triangles. Each is repeated by the
/// excess of triangles in this direction over the opposite one.
pub(crate) fn open_edges(node_count: usize, triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut open = Vec::new();
    visit_edges(node_count, triangles, |[low, high], half_edges| {
        let forward = half_edges
            .iter()
            .filter(|half_edge| half_edge.origin(triangles) == low)
            .count();
        let backward = half_edges.len() - forward;
        open.extend(std::iter::repeat_n(
            [low, high],
            forward.saturating_sub(backward),
        ));
        open.extend(std::iter::repeat_n(
            [high, low],
            backward.saturating_sub(forward),
        ));
    });

    open
}

/// Chains directed edges into closed loops of nodes; every node must have as many incoming as
/// outgoing edges.
pub(crate) fn loops(mut edges: Vec<[u32; 2]>) -> Vec<Vec<u32>> {
    edges.sort_unstable();
    // The next outgoing edge to take, stored at the index of the node's first edge.
    let mut next: Vec<usize> = (0..edges.len()).collect();
    let mut take = |node: u32| {
        let first = edges.partition_point(|edge| edge[0] < node);
        let edge = edges
            .get(*next.get(first)?)
            .filter(|edge| edge[0] == node)?;
        next[first] += 1;
        Some(edge[1])
    };
    let mut loops = Vec::new();

    for start in edges.iter().map(|edge| edge[0]) {
        let mut nodes = vec![start];
        let mut node = take(start);
        while let Some(at) = node.filter(|&at| at != start) {
            nodes.push(at);
            node = take(at);
        }
        if nodes.len() > 1 {
            loops.push(nodes);
        }
    }

    loops
}

/// Adds one more item to a problem.
fn note(problem: &mut Option<Problem>, kind: ProblemKind, item: Item) {
    problem
        .get_or_insert(Problem {
            kind,
            first: item,
            count: 0,
        })
        .count += 1;
}

#[cfg(test)]
mod tests;
