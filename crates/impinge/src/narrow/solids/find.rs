//! Runs candidate pairs of a tree through the primitive test and gathers sorted lists.

use super::brute::{face_corners, relation_within};
use super::tree_search::{TreeSearch, is_hub, nodes_of_neighbours};
use super::{FaceHit, Neighbours, Stars, gather, sort};
use crate::narrow::fan::Fan;
use crate::narrow::triangle_tetrahedron::{Probe, Relation, SolidCorners};
use crate::parallel::prelude::*;
use crate::shape::Solid;
use crate::space::{Aabb, Point, Vector};
use crate::tree::{BucketOptions, BucketTree, Candidates, SolidTree};
use fearless_simd::Level;
use rustc_hash::FxHashMap;

/// Leaves of faces per task, about 500 faces.
const LEAVES: usize = 64;

/// Faces per task of the paper's method.
const FACES: usize = 64;

/// Relative margin of a product, far above its rounding.
const MARGIN: f64 = 1e-11;

/// The hits of one task.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    hits: Vec<FaceHit>,
    tests: u64,
    /// For each face of a leaf the tetrahedra that it may meet.
    candidates: Candidates,
}

/// Work counters of a search within a solid.
pub(super) struct Work {
    pub(super) tests: u64,
    pub(super) folded_nodes: u64,
}

impl Part {
    /// Tests the candidates of the faces, and clears them.
    fn test(&mut self, solid: &Solid, faces: &[u32], other: &Solid) {
        let Self {
            hits,
            tests,
            candidates,
        } = self;
        let level = Level::new();
        let corners = SolidCorners {
            points: other.points(),
            tetrahedra: other.tetrahedra(),
        };

        for (&face, list) in faces
            .iter()
            .zip(candidates)
            .filter(|(_, list)| !list.is_empty())
        {
            *tests += list.len() as u64;
            let probe = Probe::new(&face_corners(solid, face));
            probe.find(level, corners, list, |tetrahedron, relation| {
                hits.push(FaceHit {
                    face,
                    tetrahedron,
                    relation,
                });
            });
        }
    }
}

/// Removes the tetrahedra that share a hub with a face.
fn leave_out_hubs(
    solid: &Solid,
    faces: &[u32],
    neighbours: Neighbours,
    candidates: &mut Candidates,
) {
    for (&face, list) in faces.iter().zip(candidates) {
        let Some(nodes) = nodes_of_neighbours(solid, face, neighbours) else {
            return;
        };
        if !nodes.iter().any(|&node| is_hub(solid, node)) {
            continue;
        }

        list.retain(|&t| {
            let corners = &solid.tetrahedra()[t as usize];
            !corners
                .iter()
                .any(|node| nodes.contains(node) && is_hub(solid, *node))
        });
    }
}

pub(super) fn within(
    kept: &mut TreeSearch,
    solid: &Solid,
    neighbours: Neighbours,
    parts: &mut Vec<Part>,
    hits: &mut Vec<FaceHit>,
) -> Work {
    let folded_nodes = kept.stars.as_mut().map_or(0, |stars| stars.update(solid));
    let kept = &*kept;
    let mut tests = in_pieces(kept.tree.face_leaves(), parts, hits, |leaf, part| {
        kept.tree
            .find_self(leaf, &kept.excluded, &mut part.candidates);
        let faces = kept.tree.faces_of(leaf);
        leave_out_hubs(solid, faces, neighbours, &mut part.candidates);
        part.test(solid, faces, solid);
    });

    if let Some(stars) = kept.stars.as_ref().filter(|_| folded_nodes > 0) {
        tests += around_folds(stars, solid, neighbours, hits);
        sort(hits);
    }

    Work {
        tests,
        folded_nodes,
    }
}

/// Tests faces at nodes around which the solid may be folded against all tetrahedra of those nodes.
fn around_folds(
    stars: &Stars,
    solid: &Solid,
    neighbours: Neighbours,
    hits: &mut Vec<FaceHit>,
) -> u64 {
    let (mut around, mut tests) = (Vec::new(), 0);
    let fans = Fans::new(stars, solid);
    for (face, nodes) in (0..).zip(solid.boundary_triangles()) {
        if nodes.iter().all(|&node| stars.is_embedded(node)) {
            continue;
        }

        around.clear();
        let folded = nodes.iter().filter(|&&node| !stars.is_embedded(node));
        folded.for_each(|&node| fans.find(solid, nodes, node, &mut around));
        // Stable: it merges the sorted lists of the nodes.
        around.sort();
        around.dedup();

        for &tetrahedron in &around {
            let shared = |node: &&u32| nodes.contains(node) && stars.is_embedded(**node);
            if solid.tetrahedra()[tetrahedron as usize]
                .iter()
                .find(shared)
                .is_some()
            {
                continue;
            }
            if is_beside(solid, nodes, tetrahedron) {
                continue;
            }
            tests += 1;
            let relation = relation_within(solid, face, tetrahedron, neighbours);

            if relation != Relation::Apart {
                hits.push(FaceHit {
                    face,
                    tetrahedron,
                    relation,
                });
            }
        }
    }

    tests
}

/// The tetrahedra at those hubs around which the solid may be folded, by their directions.
struct Fans {
    hubs: FxHashMap<u32, Fan>,
}

impl Fans {
    fn new(stars: &Stars, solid: &Solid) -> Self {
        let point = |&n: &u32| solid.points()[n as usize];
        let beside = |hub: u32, t: u32| {
            let corners = solid.tetrahedra()[t as usize].iter();
            let others: Vec<Point<3>> = corners.filter(|&&n| n != hub).map(point).collect();
            (t, others)
        };
        let is_folded = |node: &&u32| is_hub(solid, **node) && !stars.is_embedded(**node);
        let fan = |&hub: &u32| {
            let around = solid.tetrahedra_around(hub as usize).iter();
            (hub, Fan::new(point(&hub), around.map(|&t| beside(hub, t))))
        };
        Self {
            hubs: solid
                .boundary_nodes()
                .iter()
                .filter(is_folded)
                .map(fan)
                .collect(),
        }
    }

    /// Appends the tetrahedra at a node of a face that may have more in common with the face than the node.
    fn find(&self, solid: &Solid, face: &[u32; 3], node: u32, found: &mut Vec<u32>) {
        let Some(fan) = self.hubs.get(&node) else {
            return found.extend(solid.tetrahedra_around(node as usize));
        };
        let rest = face.iter().filter(|&&n| n != node);
        let corners: Vec<Point<3>> = rest.map(|&n| solid.points()[n as usize]).collect();
        fan.visit(&corners, |t| found.push(t));
    }
}

/// Returns whether a face and a tetrahedron that share one node certainly share no other point: a face of
/// the tetrahedron at that node has the rest of the face on its outer side. With this the elements at one
/// node cost some nanoseconds a pair; the exact test takes some hundred.
fn is_beside(solid: &Solid, face: &[u32; 3], tetrahedron: u32) -> bool {
    let corners = &solid.tetrahedra()[tetrahedron as usize];
    let mut shared = face.iter().filter(|node| corners.contains(node));
    let (Some(&hub), None) = (shared.next(), shared.next()) else {
        return false;
    };

    let from = solid.points()[hub as usize];
    let way = |node: u32| solid.points()[node as usize] - from;
    let mut others = corners.iter().filter(|&&node| node != hub);
    let mut rest = face.iter().filter(|&&node| node != hub);
    let (Some(&a), Some(&b), Some(&c)) = (others.next(), others.next(), others.next()) else {
        return false;
    };
    let (Some(&p), Some(&q)) = (rest.next(), rest.next()) else {
        return false;
    };
    let ([a, b, c], [p, q]) = ([a, b, c].map(way), [p, q].map(way));

    let size = a.amax().max(b.amax()).max(c.amax());
    let volume = a.dot(&b.cross(&c));
    if volume.abs() <= MARGIN * size * size * size || !volume.is_normal() {
        return false;
    }
    let limit = MARGIN * size * size * p.amax().max(q.amax());
    let outside = |inward: Vector<3>| {
        let inward = inward * volume.signum();
        inward.dot(&p) < -limit && inward.dot(&q) < -limit
    };

    outside(b.cross(&c)) || outside(c.cross(&a)) || outside(a.cross(&b))
}

pub(super) fn between(
    tree: &SolidTree,
    solid: &Solid,
    other: &SolidTree,
    other_solid: &Solid,
    parts: &mut Vec<Part>,
    hits: &mut Vec<FaceHit>,
) -> u64 {
    in_pieces(tree.face_leaves(), parts, hits, |leaf, part| {
        tree.find(leaf, other, &mut part.candidates);
        part.test(solid, tree.faces_of(leaf), other_solid);
    })
}

/// Distributes work over leaves to the available threads. The tasks depend only on the number of
/// leaves.
fn in_pieces(
    leaves: usize,
    parts: &mut Vec<Part>,
    hits: &mut Vec<FaceHit>,
    work: impl Fn(usize, &mut Part) + Sync,
) -> u64 {
    let pieces = leaves.div_ceil(LEAVES);
    parts.resize_with(parts.len().max(pieces), Part::default);
    let piece = |(number, part): (usize, &mut Part)| {
        part.hits.clear();
        part.tests = 0;
        (number * LEAVES..((number + 1) * LEAVES).min(leaves)).for_each(|leaf| work(leaf, part));
    };

    if pieces > 1 && crate::parallel::current_num_threads() > 1 {
        parts[..pieces].par_iter_mut().enumerate().for_each(piece);
    } else {
        parts[..pieces].iter_mut().enumerate().for_each(piece);
    }

    gather(|| parts[..pieces].iter().flat_map(|part| &part.hits), hits);
    parts[..pieces].iter().map(|part| part.tests).sum()
}

/// Cached data of a solid for [`SolidMethod::Buckets`](super::SolidMethod::Buckets). Like the
/// hierarchy, it has boxes of faces, exclusion of neighbours and certificates.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    pub(super) tree: BucketTree,
    stars: Option<Stars>,
    /// Whether the tetrahedra are in the buckets of their current positions.
    pub(super) is_mapped: bool,
    /// Boxes of the boundary faces.
    boxes: Vec<Aabb<3>>,
    pairs: [Vec<[u32; 2]>; 2],
}

impl Buckets {
    pub(super) fn new(solid: &Solid, options: BucketOptions, neighbours: Neighbours) -> Self {
        Self {
            tree: BucketTree::new(solid, options),
            stars: (neighbours == Neighbours::Exact).then(|| Stars::new(solid)),
            is_mapped: false,
            boxes: Vec::new(),
            pairs: Default::default(),
        }
    }

    fn measure_faces(&mut self, solid: &Solid) {
        let faces = 0..solid.boundary_triangles().len() as u32;
        self.boxes.clear();
        self.boxes
            .extend(faces.map(|face| Aabb::of(face_corners(solid, face))));
    }

    fn map(&mut self, solid: &Solid) {
        if !std::mem::replace(&mut self.is_mapped, true) {
            self.tree.remap(solid);
        }
    }
}

/// Returns whether a tetrahedron of the same solid is excluded from a face's candidates, as in
/// `tree_search::excluded`.
fn is_excluded(solid: &Solid, owner: u32, face: usize, t: u32, neighbours: Neighbours) -> bool {
    let nodes = &solid.tetrahedra()[t as usize];
    let shares = |of: &[u32]| of.iter().any(|node| nodes.contains(node));
    match neighbours {
        Neighbours::Face => solid.neighbours()[owner as usize].contains(&t),
        Neighbours::Node => shares(&solid.tetrahedra()[owner as usize]),
        Neighbours::Exact => shares(&solid.boundary_triangles()[face]),
    }
}

/// The paper's method: tests faces of each tetrahedron against those already in its buckets, and
/// vice versa. Mapping is serial because "already" depends on the order; the tests run in parallel.
pub(super) fn while_mapping(
    buckets: &mut Buckets,
    solid: &Solid,
    neighbours: Neighbours,
    hits: &mut Vec<FaceHit>,
) -> Work {
    let stars = buckets.stars.as_mut();
    let folded_nodes = stars.map_or(0, |stars| stars.update(solid));
    buckets.measure_faces(solid);
    let Buckets {
        tree,
        boxes,
        pairs: [pairs, _],
        ..
    } = buckets;
    pairs.clear();
    tree.remap_visiting(solid, |new, old| {
        for (owner, t) in [(new, old), (old, new)] {
            let bounds = Aabb::of(solid.corners(t as usize));
            let near = solid.boundary_of(owner as usize).filter(|&face| {
                boxes[face].overlaps(&bounds) && !is_excluded(solid, owner, face, t, neighbours)
            });
            pairs.extend(near.map(|face| [face as u32, t]));
        }
    });
    buckets.is_mapped = true;

    let mut tests = test_pairs(pairs, solid, solid, hits);
    if let Some(stars) = buckets.stars.as_ref().filter(|_| folded_nodes > 0) {
        tests += around_folds(stars, solid, neighbours, hits);
        sort(hits);
    }

    Work {
        tests,
        folded_nodes,
    }
}

pub(super) fn in_tandem(
    a: &mut Buckets,
    solid: &Solid,
    b: &mut Buckets,
    other: &Solid,
    [own, theirs]: [&mut Vec<FaceHit>; 2],
) -> u64 {
    a.map(solid);
    b.map(other);
    a.measure_faces(solid);
    b.measure_faces(other);
    let Buckets {
        tree,
        boxes,
        pairs: [first, second],
        ..
    } = a;
    first.clear();
    second.clear();

    tree.visit_pairs(&b.tree, |one, two| {
        let [of_one, of_two] = [(solid, one), (other, two)]
            .map(|(of, t): (&Solid, u32)| Aabb::of(of.corners(t as usize)));
        let own_faces = solid.boundary_of(one as usize);
        let near = own_faces.filter(|&face| boxes[face].overlaps(&of_two));
        first.extend(near.map(|face| [face as u32, two]));
        let their_faces = other.boundary_of(two as usize);
        let near = their_faces.filter(|&face| b.boxes[face].overlaps(&of_one));
        second.extend(near.map(|face| [face as u32, one]));
    });

    test_pairs(first, solid, other, own) + test_pairs(second, other, solid, theirs)
}

/// Replaces `hits` by the pairs of a face and a tetrahedron that meet, sorted; returns the number
/// of tests. Each face is compared with four tetrahedra at a time.
fn test_pairs(
    pairs: &mut [[u32; 2]],
    solid: &Solid,
    other: &Solid,
    hits: &mut Vec<FaceHit>,
) -> u64 {
    pairs.sort_unstable();
    let of_faces: Vec<&[[u32; 2]]> = pairs.chunk_by(|a, b| a[0] == b[0]).collect();
    let corners = SolidCorners {
        points: other.points(),
        tetrahedra: other.tetrahedra(),
    };
    let test = |group: &[&[[u32; 2]]]| {
        let (level, mut list, mut found) = (Level::new(), Vec::new(), Vec::new());
        for of_face in group {
            let face = of_face[0][0];
            list.clear();
            list.extend(of_face.iter().map(|pair| pair[1]));
            let probe = Probe::new(&face_corners(solid, face));
            probe.find(level, corners, &mut list, |tetrahedron, relation| {
                found.push(FaceHit {
                    face,
                    tetrahedron,
                    relation,
                });
            });
        }
        found
    };

    hits.clear();
    if crate::parallel::current_num_threads() > 1 {
        let parts: Vec<Vec<FaceHit>> = of_faces.par_chunks(FACES).map(test).collect();
        parts.iter().for_each(|part| hits.extend_from_slice(part));
    } else {
        hits.extend(test(&of_faces));
    }

    sort(hits);
    pairs.len() as u64
}
