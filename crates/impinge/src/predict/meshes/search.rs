//! Best-first traversal of two hierarchies of moving boxes, ordered by the earliest possible time.

use super::super::impact::{Impact, VertexStep, edge_edge, vertex_face};
use super::filter::{never_coplanar, stay_apart};
use super::moving_box::{Interval, MovingBox};
use super::separation::{Parts, first_approach};
use super::{ImpactOptions, ImpactParts, MeshImpact, MovingMesh};
use crate::narrow::triangle;
use crate::parallel::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Number of leaf pairs tested in parallel. The first impact found prunes the search only after its
/// batch, so that the work done does not depend on the number of threads.
const BATCH: usize = 128;

/// Returns the first impact of two meshes during their step; `None` if they do not meet.
///
/// The time is conservative: the meshes do not touch before `from`. Meshes that touch at the start
/// meet at time 0.
///
/// ```
/// use impinge::predict::{ImpactOptions, MovingMesh, first_impact};
/// use impinge::shape::generate;
/// use impinge::space::{Point, Vector};
/// let ball = generate::sphere(2)?;
/// let at = |x: f64| -> Vec<Point<3>> {
///     ball.points().iter().map(|p| p + Vector::from([x, 0.0, 0.0])).collect()
/// };
/// let mut flying = MovingMesh::new(&at(-4.0), ball.triangles())?;
/// flying.set_step(&at(-4.0), &at(4.0))?;
/// let waiting = MovingMesh::new(&at(0.0), ball.triangles())?;
/// let impact = first_impact(&flying, &waiting, &ImpactOptions::default()).expect("it flies through");
/// assert!((impact.from - 0.25).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "time of impact")]
#[doc(alias = "CCD")]
#[doc(alias = "TOI")]
#[doc(alias = "continuous collision detection")]
pub fn first_impact(a: &MovingMesh, b: &MovingMesh, options: &ImpactOptions) -> Option<MeshImpact> {
    Search::new(a, b, options).first()
}

/// Returns the first impact of a mesh with itself. Parts that share a vertex are ignored.
///
/// ```
/// use impinge::predict::{ImpactOptions, MovingMesh, first_self_impact};
/// use impinge::space::points;
/// // Two triangles of one mesh; the upper one falls onto the lower one.
/// let at = |z: f64| points::<3>(&[
///     [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, z], [2.0, 1.0, z], [1.0, 2.0, z],
/// ]);
/// let mut mesh = MovingMesh::new(&at(1.0), &[[0, 1, 2], [3, 4, 5]])?;
/// mesh.set_step(&at(1.0), &at(-1.0))?;
/// let impact = first_self_impact(&mesh, &ImpactOptions::default()).expect("it falls through");
/// assert!((impact.from - 0.5).abs() < 1e-9);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[doc(alias = "self-collision")]
pub fn first_self_impact(mesh: &MovingMesh, options: &ImpactOptions) -> Option<MeshImpact> {
    Search::new(mesh, mesh, options).first()
}

/// Writes all impacts of two meshes during their step, earliest first. Each pair of parts is listed
/// once, at its first impact.
#[doc(alias = "CCD")]
#[doc(alias = "continuous collision detection")]
pub fn impacts(
    a: &MovingMesh,
    b: &MovingMesh,
    options: &ImpactOptions,
    found: &mut Vec<MeshImpact>,
) {
    Search::new(a, b, options).all(found);
}

/// Writes all impacts of a mesh with itself, earliest first. Parts that share a vertex are ignored.
pub fn self_impacts(mesh: &MovingMesh, options: &ImpactOptions, found: &mut Vec<MeshImpact>) {
    Search::new(mesh, mesh, options).all(found);
}

/// Two nodes, and a time before which nothing below them touches.
#[derive(Clone, Copy, PartialEq)]
struct NodePair {
    time: f64,
    nodes: [u32; 2],
}

impl Eq for NodePair {}

impl Ord for NodePair {
    /// Reversed, so that the max-heap returns the earliest first.
    fn cmp(&self, other: &Self) -> Ordering {
        let times = other.time.total_cmp(&self.time);
        times.then_with(|| other.nodes.cmp(&self.nodes))
    }
}

impl PartialOrd for NodePair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Search<'a> {
    a: &'a MovingMesh,
    b: &'a MovingMesh,
    /// Whether both are the same mesh.
    is_self: bool,
    options: ImpactOptions,
    /// Margin added to the separation of two boxes: the minimum separation and the rounding of
    /// coordinates.
    margin: f64,
}

impl<'a> Search<'a> {
    fn new(a: &'a MovingMesh, b: &'a MovingMesh, options: &ImpactOptions) -> Self {
        let mut options = *options;
        options.separation = options.separation.max(0.0);
        Self {
            a,
            b,
            is_self: std::ptr::eq(a, b),
            options,
            margin: options.separation + a.rounding + b.rounding,
        }
    }

    /// Descends in the order of time; stops when the next pair is later than the first impact.
    ///
    /// Neighbours in a mesh overlap from the start on, and few of them ever meet. They are tested last, up
    /// to the first impact of the others, because late in the step they may be flat or folded, where only
    /// the exact primitives decide.
    fn first(&self) -> Option<MeshImpact> {
        let mut heap: BinaryHeap<NodePair> = self.root().into_iter().collect();
        let (mut leaves, mut neighbours) = (Vec::with_capacity(BATCH), Vec::new());
        let mut first: Option<MeshImpact> = None;

        loop {
            let until = self.until(&first);
            leaves.clear();
            while leaves.len() < BATCH
                && let Some(pair) = heap.pop()
                && pair.time <= until
            {
                if !self.open(pair, until, |child| heap.push(child)) {
                    let is_late = self.is_self && pair.time == 0.0;
                    let list = if is_late {
                        &mut neighbours
                    } else {
                        &mut leaves
                    };
                    list.push(pair.nodes);
                }
            }

            if leaves.is_empty() {
                break;
            }
            self.visit_batch(&leaves, &mut first);
        }

        neighbours
            .chunks(BATCH)
            .for_each(|batch| self.visit_batch(batch, &mut first));
        first
    }

    /// Returns the end of the search, given the first impact so far.
    fn until(&self, first: &Option<MeshImpact>) -> f64 {
        first.map_or(self.options.until, |known| known.from)
    }

    /// Tests pairs of leaves in parallel.
    fn visit_batch(&self, leaves: &[[u32; 2]], first: &mut Option<MeshImpact>) {
        let until = self.until(first);
        let earliest = leaves.par_iter().filter_map(|&pair| {
            let mut earliest = None;
            self.visit_leaves(pair, until, |impact| keep_earlier(&mut earliest, impact));
            earliest
        });
        let earliest = earliest.min_by(MeshImpact::order);

        earliest
            .into_iter()
            .for_each(|impact| keep_earlier(first, impact));
    }

    fn all(&self, found: &mut Vec<MeshImpact>) {
        let until = self.options.until;
        let mut stack: Vec<NodePair> = self.root().into_iter().collect();
        let mut leaves = Vec::new();

        while let Some(pair) = stack.pop() {
            if !self.open(pair, until, |child| stack.push(child)) {
                leaves.push(pair.nodes);
            }
        }

        found.clear();
        found.par_extend(leaves.par_iter().flat_map_iter(|&pair| {
            let mut here = Vec::new();
            self.visit_leaves(pair, until, |impact| here.push(impact));
            here
        }));

        found.par_sort_unstable_by(MeshImpact::order);
    }

    fn root(&self) -> Option<NodePair> {
        if self.a.tree.is_empty() || self.b.tree.is_empty() {
            return None;
        }
        self.pair([0, 0], self.options.until)
    }

    /// Returns a pair of nodes if their boxes overlap in time.
    fn pair(&self, nodes: [u32; 2], until: f64) -> Option<NodePair> {
        let boxes = [
            &self.a.boxes[nodes[0] as usize],
            &self.b.boxes[nodes[1] as usize],
        ];
        let [time, _] = boxes[0].overlap(boxes[1], self.margin, [0.0, until])?;
        Some(NodePair { time, nodes })
    }

    /// Replaces a pair with the children of its larger node; returns false for two leaves.
    fn open(&self, pair: NodePair, until: f64, mut push: impl FnMut(NodePair)) -> bool {
        let [a, b] = pair.nodes;
        let (first, second) = (
            &self.a.tree.nodes[a as usize],
            &self.b.tree.nodes[b as usize],
        );

        if first.is_leaf() && second.is_leaf() {
            return false;
        }

        let mut push = |nodes| self.pair(nodes, until).into_iter().for_each(&mut push);
        if self.is_self && a == b {
            let [left, right] = [first.first, first.first + 1];
            push([left, left]);
            push([right, right]);
            push([left, right]);
            return true;
        }

        let larger = self.a.boxes[a as usize].size() >= self.b.boxes[b as usize].size();
        if !first.is_leaf() && (second.is_leaf() || larger) {
            push([first.first, b]);
            push([first.first + 1, b]);
        } else {
            push([a, second.first]);
            push([a, second.first + 1]);
        }

        true
    }

    /// Tests the faces of two leaves.
    fn visit_leaves(&self, [a, b]: [u32; 2], until: f64, mut visit: impl FnMut(MeshImpact)) {
        let of_a = self.a.tree.items_of(&self.a.tree.nodes[a as usize]);
        let of_b = self.b.tree.items_of(&self.b.tree.nodes[b as usize]);

        for (k, &face_a) in of_a.iter().enumerate() {
            let box_a = self.a.face_box(face_a);
            // Within one leaf each pair of faces is tested once.
            let rest = if self.is_self && a == b { k + 1 } else { 0 };
            for &face_b in &of_b[rest..] {
                let box_b = self.b.face_box(face_b);
                let Some(interval) = box_a.overlap(&box_b, self.margin, [0.0, until]) else {
                    continue;
                };
                self.visit_faces([face_a, face_b], [&box_a, &box_b], interval, &mut visit);
            }
        }
    }

    fn visit_faces(
        &self,
        [face_a, face_b]: [u32; 2],
        [box_a, box_b]: [&MovingBox; 2],
        within: Interval,
        visit: &mut impl FnMut(MeshImpact),
    ) {
        let (of_a, of_b) = (
            self.a.triangles()[face_a as usize],
            self.b.triangles()[face_b as usize],
        );
        let is_shared = |vertex: u32, other: &[u32]| self.is_self && other.contains(&vertex);

        if within[0] == 0.0 && !of_a.iter().any(|&n| is_shared(n, &of_b)) {
            let [[start_a, _], [start_b, _]] = [self.a.step(of_a), self.b.step(of_b)];
            if triangle::touch(&start_a, &start_b) {
                visit(MeshImpact {
                    from: 0.0,
                    to: 0.0,
                    certain: true,
                    parts: ImpactParts::StartOverlap {
                        first: face_a,
                        second: face_b,
                    },
                });
                return;
            }
        }

        for vertex in self
            .a
            .owned_vertices(face_a)
            .filter(|&n| !is_shared(n, &of_b))
        {
            let parts = ImpactParts::VertexFace {
                vertex,
                face: face_b,
            };
            let step = joined(self.a.step([vertex]), self.b.step(of_b));
            self.visit_vertex(&step, box_b, parts, within, visit);
        }

        for vertex in self
            .b
            .owned_vertices(face_b)
            .filter(|&n| !is_shared(n, &of_a))
        {
            let parts = ImpactParts::FaceVertex {
                face: face_a,
                vertex,
            };
            let step = joined(self.b.step([vertex]), self.a.step(of_a));
            self.visit_vertex(&step, box_a, parts, within, visit);
        }

        for first in self.a.owned_edges(face_a) {
            for second in self.b.owned_edges(face_b) {
                if !first.iter().any(|&n| is_shared(n, &second)) {
                    let steps = [self.a.step(first), self.b.step(second)];
                    let parts = ImpactParts::EdgeEdge { first, second };
                    self.visit_edges(steps, parts, within, visit);
                }
            }
        }
    }

    fn visit_vertex(
        &self,
        step: &VertexStep,
        face: &MovingBox,
        parts: ImpactParts,
        within: Interval,
        visit: &mut impl FnMut(MeshImpact),
    ) {
        let point = MovingBox::of([step[0][0]], [step[1][0]]);
        if let Some(interval) = point.overlap(face, self.margin, within) {
            self.decide(Parts::VertexFace, step, interval, parts, visit);
        }
    }

    fn visit_edges(
        &self,
        [a, b]: [[[crate::space::Point<3>; 2]; 2]; 2],
        parts: ImpactParts,
        within: Interval,
        visit: &mut impl FnMut(MeshImpact),
    ) {
        let (first, second) = (MovingBox::of(a[0], a[1]), MovingBox::of(b[0], b[1]));
        if let Some(interval) = first.overlap(&second, self.margin, within) {
            self.decide(Parts::EdgeEdge, &joined(a, b), interval, parts, visit);
        }
    }

    /// Runs the filter, then the exact primitive.
    fn decide(
        &self,
        kind: Parts,
        step: &VertexStep,
        interval: Interval,
        parts: ImpactParts,
        visit: &mut impl FnMut(MeshImpact),
    ) {
        let tolerance = self.options.tolerance;
        let impact = if self.options.separation > 0.0 {
            first_approach(kind, step, self.options.separation, interval, tolerance)
        } else if never_coplanar(step, interval) || stay_apart(kind, step, interval) {
            None
        } else {
            let found = match kind {
                Parts::VertexFace => vertex_face(step, tolerance),
                Parts::EdgeEdge => edge_edge(step, tolerance),
            };
            // The points were checked in `set_step`.
            found.ok().flatten()
        };

        if let Some(Impact { from, to, certain }) = impact.filter(|i| i.from <= interval[1]) {
            visit(MeshImpact {
                from,
                to,
                certain,
                parts,
            });
        }
    }
}

/// Joins two parts into the four vertices of a primitive.
fn joined<const M: usize, const N: usize>(
    first: [[crate::space::Point<3>; M]; 2],
    second: [[crate::space::Point<3>; N]; 2],
) -> VertexStep {
    const { assert!(M + N == 4) };
    std::array::from_fn(|end| {
        std::array::from_fn(|i| {
            if i < M {
                first[end][i]
            } else {
                second[end][i - M]
            }
        })
    })
}

fn keep_earlier(first: &mut Option<MeshImpact>, impact: MeshImpact) {
    if first.is_none_or(|known| impact.order(&known).is_lt()) {
        *first = Some(impact);
    }
}
