//! Deforming tetrahedral solids: their caches, and the contacts among them. \[Erleben2005\]
//!
//! Each solid is transformed to world coordinates, and its hierarchy and depths are refitted to its
//! points. Each pair of solids, and each solid with itself, is searched for faces of one that meet
//! tetrahedra of the other. A face, together with the boundary triangle through which it exits, is part
//! of a contact. If several tetrahedra give the same face and triangle, the deepest one is used.
//! Adjacent faces form one contact. With a margin, nodes near the other solid are included too;
//! self-contact has no margin.

use super::contact::Contact;
use super::shape::{Placed, Stamp};
use super::shape3::Shape3;
use crate::broad::{BodyId, Pair};
use crate::narrow::nodes::nodes_near;
use crate::narrow::places::{Dimension, Key, Parts, Role, Scratch};
use crate::narrow::projection::FaceTree;
use crate::narrow::solids::{
    Depths, FaceHit, Penetration, SolidContacts, SolidOptions, penetrations,
};
use crate::narrow::{ContactPoint, PairContact, triangle_faces};
use crate::shape::{Feature, Solid};
use crate::space::{Point, Pose, Vector};
use std::collections::BTreeMap;

/// The caches of the solids of a scene.
#[derive(Clone, Debug, Default)]
pub struct SolidCaches {
    kept: BTreeMap<BodyId, SolidCache>,
    scratch: PairScratch,
}

/// A solid in world coordinates, with its cached data.
#[derive(Clone, Debug)]
pub(super) struct SolidCache {
    stamp: Stamp,
    pose: Pose<3>,
    solid: Solid,
    /// Memory for its points in world coordinates.
    points: Vec<Point<3>>,
    contacts: SolidContacts,
    depths: Depths,
    /// The boundary, for nodes of other bodies; `None` if its triangles have no area.
    faces: Option<FaceTree<3>>,
}

impl SolidCache {
    fn new(placed: &Placed<Shape3, 3>, shape: &Solid) -> Self {
        let (mut solid, mut points) = (shape.clone(), Vec::new());
        move_points(&mut solid, shape, &placed.pose, &mut points);
        Self {
            stamp: placed.stamp,
            pose: placed.pose,
            contacts: SolidContacts::new(&solid, SolidOptions::default()),
            depths: Depths::new(&solid),
            faces: boundary(&solid),
            solid,
            points,
        }
    }

    fn follow(&mut self, placed: &Placed<Shape3, 3>, shape: &Solid) {
        if self.stamp == placed.stamp && self.pose == placed.pose {
            return;
        }

        (self.stamp, self.pose) = (placed.stamp, placed.pose);
        move_points(&mut self.solid, shape, &placed.pose, &mut self.points);
        self.contacts.update(&self.solid);
        self.depths.update(&self.solid);
        let moved = self
            .faces
            .as_mut()
            .is_some_and(|faces| faces.set_points(self.solid.points()).is_ok());

        if !moved {
            self.faces = boundary(&self.solid);
        }
    }

    /// Returns the boundary in world coordinates.
    pub(super) fn faces(&self) -> Option<&FaceTree<3>> {
        self.faces.as_ref()
    }
}

fn boundary(solid: &Solid) -> Option<FaceTree<3>> {
    triangle_faces(solid.points(), solid.boundary_triangles())
        .ok()
        .map(FaceTree::new)
}

fn move_points(solid: &mut Solid, shape: &Solid, pose: &Pose<3>, points: &mut Vec<Point<3>>) {
    points.clear();
    points.extend(shape.points().iter().map(|p| pose.point(p)));
    // The pose was checked against the body's box. Only a solid of 1e60 m can leave the supported range
    // here; its points then stay.
    let _ = solid.set_points(points);
}

impl SolidCaches {
    /// Updates the cache of every solid and drops those of removed bodies.
    pub(super) fn follow(&mut self, bodies: &[Option<Placed<Shape3, 3>>]) {
        let is_there = |id: BodyId| bodies.get(id as usize).is_some_and(Option::is_some);
        self.kept.retain(|&id, _| is_there(id));
        for placed in bodies.iter().flatten() {
            let Shape3::Solid(shape) = placed.shape else {
                continue;
            };
            match self.kept.get_mut(&placed.id) {
                Some(kept) if kept.stamp.shape == placed.stamp.shape => kept.follow(placed, shape),
                _ => drop(self.kept.insert(placed.id, SolidCache::new(placed, shape))),
            }
        }
    }

    /// Returns the cache of a solid.
    pub(super) fn get(&self, id: BodyId) -> Option<&SolidCache> {
        self.kept.get(&id)
    }

    /// Appends the self-contacts of all solids and the contacts of the listed pairs, grouped by pairs.
    pub(super) fn find(
        &mut self,
        bodies: &[Option<Placed<Shape3, 3>>],
        pairs: &[Pair],
        margin: f64,
        found: &mut Vec<Contact<3>>,
    ) {
        let Self { kept, scratch } = self;
        for (&id, solid) in kept.iter_mut() {
            solid.contacts.find_self(&solid.solid, &mut scratch.hits[0]);
            <Dimension as Scratch<3>>::with(|parts| {
                append([0, 1], [solid, solid], scratch, parts);
                scratch.join(Pair { a: id, b: id }, parts, found);
            });
        }

        let is_solid = |id: BodyId| {
            bodies[id as usize].is_some_and(|placed| matches!(placed.shape, Shape3::Solid(_)))
        };
        for &pair in pairs
            .iter()
            .filter(|pair| is_solid(pair.a) && is_solid(pair.b))
        {
            self.find_between(pair, margin, found);
        }
    }

    fn find_between(&mut self, pair: Pair, margin: f64, found: &mut Vec<Contact<3>>) {
        let mut range = self.kept.range_mut(pair.a..=pair.b);
        let (Some((_, a)), Some((_, b))) = (range.next(), range.next_back()) else {
            return;
        };
        let scratch = &mut self.scratch;
        let [of_a, of_b] = &mut scratch.hits;
        a.contacts
            .find_between(&a.solid, &mut b.contacts, &b.solid, [of_a, of_b]);

        <Dimension as Scratch<3>>::with(|parts| {
            append([0, 1], [a, b], scratch, parts);
            append([1, 0], [b, a], scratch, parts);
            if margin > 0.0 {
                near([a, b], margin, parts);
            }
            scratch.join(pair, parts, found);
        });
    }
}

/// Memory reused from pair to pair.
#[derive(Clone, Debug, Default)]
struct PairScratch {
    hits: [Vec<FaceHit>; 2],
    deep: Vec<Penetration>,
    joined: Vec<PairContact<3>>,
}

impl PairScratch {
    fn join(&mut self, pair: Pair, parts: &mut Parts<3>, found: &mut Vec<Contact<3>>) {
        self.joined.clear();
        parts.join(&mut self.joined);
        found.extend(self.joined.iter().map(|contact| Contact::of(pair, contact)));
    }
}

/// Adds the faces of one solid in another: the deepest part for each face and exit triangle. `sides`
/// gives the order of the two bodies in the pair.
fn append(
    sides: [u8; 2],
    [of, solid]: [&SolidCache; 2],
    scratch: &mut PairScratch,
    parts: &mut Parts<3>,
) {
    let PairScratch { hits, deep, .. } = scratch;
    let hits = &hits[usize::from(sides[0])];
    penetrations(&of.solid, &solid.solid, hits, &solid.depths, deep);
    let order = |p: &Penetration| (p.hit.face, p.out.face);
    deep.sort_unstable_by(|p, q| {
        order(p)
            .cmp(&order(q))
            .then(q.out.depth.total_cmp(&p.out.depth))
            .then(p.hit.tetrahedron.cmp(&q.hit.tetrahedron))
    });
    deep.dedup_by_key(|p| order(p));

    for p in deep.iter() {
        let contact = PairContact::plain(touch(&solid.solid, p));
        let is_first = sides[0] == 0;
        parts
            .contacts
            .push(if is_first { contact } else { contact.swapped() });
        for node in of.solid.boundary_triangles()[p.hit.face as usize] {
            parts.key(Key::Node(sides[0], node), Role::Own);
        }
        for node in solid.solid.boundary_triangles()[p.out.face as usize] {
            parts.key(Key::Node(sides[1], node), Role::Target);
        }
    }
}

/// Adds the nodes of two solids that are outside the other but within the margin.
fn near([a, b]: [&SolidCache; 2], margin: f64, parts: &mut Parts<3>) {
    let (Some(p), Some(q)) = (a.faces(), b.faces()) else {
        return;
    };
    let here = Pose::identity();
    nodes_near(p, &here, q, &here, margin, parts);
}

fn touch(solid: &Solid, found: &Penetration) -> ContactPoint<3> {
    let outward = if found.out.depth > 0.0 {
        found.out.direction
    } else {
        normal(solid, found.out.face)
    };
    ContactPoint {
        on_a: found.deepest,
        on_b: found.out.on,
        normal: -outward,
        gap: -found.out.depth,
        feature_a: Feature::Face(found.hit.face),
        feature_b: Feature::Face(found.out.face),
    }
}

fn normal(solid: &Solid, face: u32) -> Vector<3> {
    let [a, b, c] = solid.boundary_triangles()[face as usize].map(|n| solid.points()[n as usize]);
    (b - a)
        .cross(&(c - a))
        .try_normalize(0.0)
        .unwrap_or_else(Vector::x)
}
