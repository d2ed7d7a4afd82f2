//! Penetration search: surface nodes in half-spaces and other barriers, barrier vertices in solids,
//! nodes of solids in other solids and in themselves.
//!
//! Between solids, the faces-in-tetrahedra result of \[Erleben2005\] is converted to nodes with
//! depth and outward normal. A node exits through the faces that oppose its own normal, or through the
//! nearest face if it entered from the side. Where faces cross without a node inside, as when two edges
//! meet, the deepest points of the faces are used instead. Both solids are slave and master at once
//! (symmetric contact).

use super::penalty::{Against, BarrierLoad, Key, NodeContact, Other, Part, Touch};
use super::side::{ENTERED, Side};
use super::{ElasticSolid, SolidReaction, Solids};
use crate::law::{Pairing, SurfaceMaterial};
use crate::matter::StepError;
use crate::path::along;
use crate::{Collider, Mobility, PointPenetration};
use impinge::broad::{BroadPhase, BroadScene, Pair};
use impinge::narrow::solids::{
    BoundaryPoint, FaceHit, NodePenetration, Penetration, node_penetrations, penetrations,
};
use impinge::space::{Aabb, Point, Vector};

/// Depth in sizes of a face up to which a node that is newly inside may have come through the faces
/// that oppose its normal, however slowly it moves.
const SHALLOW: f64 = 0.1;

/// Memory of the searches, reused from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchWork {
    touches: Vec<Touch>,
    /// Vertices of a barrier with their velocities, and those that are inside a solid.
    vertices: Vec<(Point<3>, Vector<3>)>,
    penetrations: Vec<VertexPenetration>,
    /// Nodes near a barrier, and how deep they are.
    nodes: Vec<u32>,
    points: Vec<Point<3>>,
    dents: Vec<Option<PointPenetration>>,
    /// Pairs of solids whose boxes overlap.
    pairs: Vec<Pair>,
    boxes: Vec<Aabb<3>>,
    /// Which solids may touch themselves, and which are searched at all.
    folds: Vec<bool>,
    is_needed: Vec<bool>,
    hits: [Vec<FaceHit>; 2],
    found: Found,
}

/// What a pair of solids has in common.
#[derive(Clone, Debug, Default)]
struct Found {
    nodes: Vec<NodePenetration>,
    crossing: Vec<FaceHit>,
    faces: Vec<Penetration>,
}

/// A vertex of a barrier inside a solid.
#[derive(Clone, Debug)]
struct VertexPenetration {
    vertex: u32,
    point: Point<3>,
    velocity: Vector<3>,
    out: BoundaryPoint,
}

impl Solids {
    /// Applies the contact forces between solids and a barrier; returns the reaction on the barrier.
    /// Call it between [`Matter::interact`] and [`Matter::finish`]. `number` identifies the barrier for
    /// the friction history, and the torque is about `centre`.
    ///
    /// [`Matter::interact`]: crate::Matter::interact
    /// [`Matter::finish`]: crate::Matter::finish
    pub fn press_barrier(
        &mut self,
        number: u32,
        barrier: &Collider,
        centre: &Point<3>,
        dt: f64,
    ) -> Result<SolidReaction, StepError> {
        self.push_barrier_apart(Other::Barrier(number), barrier, centre, dt)
    }

    pub(super) fn press_half_spaces(&mut self, dt: f64) -> Result<(), StepError> {
        let half_spaces = std::mem::take(&mut self.half_spaces);
        let done = (0..)
            .zip(&half_spaces)
            .try_for_each(|(number, half_space)| {
                self.push_barrier_apart(
                    Other::HalfSpace(number),
                    half_space,
                    &Point::origin(),
                    dt,
                )?;
                Ok(())
            });
        self.half_spaces = half_spaces;
        done
    }

    fn push_barrier_apart(
        &mut self,
        other: Other,
        barrier: &Collider,
        centre: &Point<3>,
        dt: f64,
    ) -> Result<SolidReaction, StepError> {
        let mut work = std::mem::take(&mut self.search_work);
        work.touches.clear();
        let reach = barrier.bounds();
        barrier.find_vertices(&mut work.vertices);
        for number in 0..self.solids.len() {
            if !self.may_touch(number, other) {
                continue;
            }

            self.counters.volumes += 1;
            if !reach.overlaps(&self.solids[number].bounds()) {
                continue;
            }

            self.counters.pairs += 1;

            self.find_vertices_inside(number, &mut work)?;
            let pressing = BarrierContact {
                number,
                solid: &self.solids[number],
                other,
                surface: self.solids[number]
                    .material
                    .surface
                    .with(barrier.surface(), &self.pairings),
                penalty: self.options.contact.penalty,
            };
            pressing.barrier_node_contacts(barrier, &reach, &mut work);

            pressing.barrier_vertex_contacts(&work.penetrations, &mut work.touches);
        }

        let is_due = |key: &Key| key.other == other;
        self.linger(&mut work.touches, dt, is_due, |point, normal| {
            barrier.at().surface_velocity_at(point, normal)
        });

        let (mut reaction, mut recoil) = (
            SolidReaction::default(),
            BarrierLoad::new(barrier.mobility()),
        );
        self.press(&work.touches, &mut recoil, dt, |touch, force| {
            reaction.force -= force;
            reaction.torque -= (Point::from(touch.point) - centre).cross(force);
            reaction.friction -= along(force, &touch.normal.into());
            reaction.touches += 1;
        });

        self.search_work = work;
        Ok(reaction)
    }

    /// Returns whether a solid may touch a half-space or a barrier.
    fn may_touch(&self, solid: usize, other: Other) -> bool {
        let Some(near) = &self.near else {
            return true;
        };
        let (list, number) = match other {
            Other::HalfSpace(number) => (&near.half_spaces, number),
            Other::Barrier(number) => (&near.barriers, number),
            Other::Solid(_) => return true,
        };
        list.binary_search(&[solid as u32, number]).is_ok()
    }

    /// Finds the vertices inside a solid.
    fn find_vertices_inside(
        &mut self,
        number: usize,
        work: &mut SearchWork,
    ) -> Result<(), StepError> {
        let SearchWork {
            vertices,
            penetrations,
            ..
        } = work;
        penetrations.clear();
        let solid = &mut self.solids[number];
        let bounds = solid.bounds();
        let mut near = (0..)
            .zip(vertices.iter())
            .filter(|(_, (point, _))| bounds.contains(point))
            .peekable();

        if near.peek().is_some() {
            self.counters.updates += 1;
            solid
                .fit_boxes()
                .map_err(|problem| lost(format!("solid {number}"), &problem))?;
        }

        let sting = |(vertex, &(point, velocity)): (u32, &(Point<3>, Vector<3>))| {
            let out = solid.depths.at(&solid.shape, &point, solid.holder(&point)?);
            (out.depth > 0.0).then_some(VertexPenetration {
                vertex,
                point,
                velocity,
                out,
            })
        };

        penetrations.extend(near.filter_map(sting));
        Ok(())
    }

    /// Adds the contacts of solids with each other and with themselves.
    pub(super) fn push_solids_apart(&mut self, dt: f64) -> Result<(), StepError> {
        let mut work = std::mem::take(&mut self.search_work);
        self.find_near_pairs(&mut work)?;
        let SearchWork {
            touches,
            pairs,
            folds,
            is_needed,
            hits,
            found,
            ..
        } = &mut work;
        let may_fold = |solid: &mut ElasticSolid| solid.may_touch_itself(dt);
        folds.clear();
        folds.extend(self.solids.iter_mut().map(may_fold));
        is_needed.clone_from(folds);
        pairs.iter().for_each(|&Pair { a, b }| {
            (is_needed[a as usize], is_needed[b as usize]) = (true, true)
        });

        for (number, solid) in self
            .solids
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| is_needed[*i])
        {
            self.counters.updates += 1;
            solid
                .follow()
                .map_err(|problem| lost(format!("solid {number}"), &problem))?;
        }
        self.counters.pairs += pairs.len() as u64;
        self.counters.folds += folds.iter().filter(|folds| **folds).count() as u64;
        touches.clear();
        let penalty = self.options.contact.penalty;

        for (number, solid) in self
            .solids
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| folds[*i])
        {
            solid.contacts.find_self(&solid.shape, &mut hits[0]);
            if hits[0].is_empty() {
                solid.measure_clearance();
            }

            let pair = SolidPair {
                numbers: [number; 2],
                solids: [&*solid, &*solid],
                penalty,
                contacts_before: &self.contacts_before,
                dt,
                pairings: &self.pairings,
            };

            pair.touches([&hits[0], &[]], found, touches);
        }

        for &Pair { a, b } in pairs.iter() {
            let (lower, upper) = self.solids.split_at_mut(b as usize);
            let (one, two) = (&mut lower[a as usize], &mut upper[0]);
            let [of_one, of_two] = &mut *hits;
            one.contacts
                .find_between(&one.shape, &mut two.contacts, &two.shape, [of_one, of_two]);
            let pair = SolidPair {
                numbers: [a as usize, b as usize],
                solids: [one, two],
                penalty,
                contacts_before: &self.contacts_before,
                dt,
                pairings: &self.pairings,
            };

            pair.touches([of_one, of_two], found, touches);
        }

        let is_due = |key: &Key| matches!(key.other, Other::Solid(_));
        self.linger(touches, dt, is_due, |_, _| Vector::zeros());

        let mut recoil = BarrierLoad::new(Mobility::default());
        self.press(touches, &mut recoil, dt, |_, _| {});
        self.search_work = work;
        Ok(())
    }

    /// Finds the pairs of solids whose boxes overlap.
    fn find_near_pairs(&mut self, work: &mut SearchWork) -> Result<(), StepError> {
        let SearchWork { pairs, boxes, .. } = work;
        pairs.clear();
        if let Some(near) = &self.near {
            let solids = &self.solids;
            let bounds = |number: u32| solids[number as usize].bounds();
            let overlap = |pair: &&Pair| bounds(pair.a).overlaps(&bounds(pair.b));
            self.counters.volumes += near.pairs.len() as u64;
            pairs.extend(near.pairs.iter().filter(overlap));
        } else if self.solids.len() > 1 {
            boxes.clear();
            boxes.extend(self.solids.iter().map(ElasticSolid::bounds));
            let found = self.broad.find_pairs(&BroadScene::of(boxes), pairs);
            found.map_err(|error| lost("solids".to_string(), &error))?;
        }

        Ok(())
    }
}

fn lost(body: String, cause: &dyn std::fmt::Display) -> StepError {
    StepError {
        body,
        cause: cause.to_string(),
        hint: "take a shorter step".to_string(),
    }
}

/// A solid and a barrier.
struct BarrierContact<'a> {
    number: usize,
    solid: &'a ElasticSolid,
    other: Other,
    surface: SurfaceMaterial,
    penalty: f64,
}

impl BarrierContact<'_> {
    fn key(&self, part: Part) -> Key {
        Key {
            solid: self.number as u32,
            part,
            other: self.other,
        }
    }

    /// Finds the surface nodes of the solid that are inside the barrier.
    fn barrier_node_contacts(&self, barrier: &Collider, reach: &Aabb<3>, work: &mut SearchWork) {
        let SearchWork {
            touches,
            nodes,
            points,
            dents,
            ..
        } = work;
        let solid = self.solid;
        let is_near = |n: &u32| reach.contains(&solid.points[*n as usize]);
        nodes.clear();
        nodes.extend(solid.surface_nodes().iter().copied().filter(is_near));
        points.clear();
        points.extend(nodes.iter().map(|&n| solid.points[n as usize]));
        barrier.penetrations(points, dents);

        let found = nodes
            .iter()
            .zip(&*points)
            .zip(&*dents)
            .filter_map(|(node, dent)| Some((node, dent.as_ref()?)));

        touches.extend(found.map(|((&node, &point), dent)| Touch {
            key: self.key(Part::Node(node)),
            side: Side::node(self.number, node),
            against: Against::Barrier(dent.velocity.into()),
            point: point.coords.into(),
            normal: dent.outward.into(),
            depth: dent.depth,
            stiffness: self.penalty * solid.layer_stiffness() * solid.areas[node as usize],
            surface: self.surface,
        }));
    }

    /// Adds the contacts of the barrier's vertices inside the solid.
    fn barrier_vertex_contacts(
        &self,
        penetrations: &[VertexPenetration],
        touches: &mut Vec<Touch>,
    ) {
        let solid = self.solid;
        touches.extend(penetrations.iter().map(|sting| Touch {
            key: self.key(Part::Under(sting.vertex)),
            side: Side::of_face(self.number, solid, sting.out.face, &sting.point),
            against: Against::Barrier(sting.velocity.into()),
            point: sting.point.coords.into(),
            normal: (-sting.out.direction).into(),
            depth: sting.out.depth,
            stiffness: self.penalty * solid.layer_stiffness() * solid.mean_area,
            surface: self.surface,
        }));
    }
}

/// The first solid's surface in the second one's tetrahedra; both may be the same.
#[derive(Clone, Copy)]
struct SolidPair<'a> {
    numbers: [usize; 2],
    solids: [&'a ElasticSolid; 2],
    penalty: f64,
    /// Contacts of the last step, sorted by key.
    contacts_before: &'a [NodeContact],
    dt: f64,
    pairings: &'a [Pairing],
}

impl SolidPair<'_> {
    /// Converts the face hits of each solid in the other to contacts; for self-contact there is no
    /// second list.
    fn touches(&self, hits: [&[FaceHit]; 2], found: &mut Found, touches: &mut Vec<Touch>) {
        let before = touches.len();
        let ways = [*self, self.turned()];
        for (pair, hits) in ways.iter().zip(hits) {
            pair.nodes(hits, &mut found.nodes, touches);
        }

        if touches.len() == before {
            for (pair, hits) in ways.iter().zip(hits) {
                pair.faces(hits, found, touches);
            }
        }
    }

    fn turned(&self) -> Self {
        let ([a, b], [one, two]) = (self.numbers, self.solids);
        Self {
            numbers: [b, a],
            solids: [two, one],
            ..*self
        }
    }

    fn nodes(&self, hits: &[FaceHit], inside: &mut Vec<NodePenetration>, touches: &mut Vec<Touch>) {
        let [own, other] = self.solids;
        node_penetrations(
            (&own.shape, &own.depths),
            (&other.shape, &other.depths),
            hits,
            inside,
        );

        for found in inside.iter() {
            let side = Side::node(self.numbers[0], found.node);
            let point = own.points[found.node as usize];
            let area = own.areas[found.node as usize];
            let out = self.way_out(found);
            touches.extend(self.touch(Part::Node(found.node), side, point, area, out));
        }
    }

    /// Returns the exit of a node from the other solid: the same way as in the last step. A node that
    /// is newly inside entered through a face that opposes its normal, unless it would have had to move
    /// too far for that.
    fn way_out<'b>(&self, found: &'b NodePenetration) -> &'b BoundaryPoint {
        let [own, other] = self.solids;
        let key = self.key(Part::Node(found.node));
        let before = self
            .contacts_before
            .binary_search_by_key(&key, NodeContact::key);
        let (facing, nearest) = (&found.out, &found.nearest);

        let is_facing = match before {
            Ok(at) => {
                let normal = self.contacts_before[at].normal();
                facing.direction.dot(&normal) >= nearest.direction.dot(&normal)
            }
            Err(_) => {
                let corners = other.surface_triangles()[facing.face as usize];
                let mean: Vector<3> = corners
                    .iter()
                    .map(|&node| other.velocities[node as usize] / 3.0)
                    .sum();
                let motion = (own.velocities[found.node as usize] - mean).norm() * self.dt;
                facing.depth <= (ENTERED * motion).max(SHALLOW * other.mean_area.sqrt())
            }
        };

        if is_facing { facing } else { nearest }
    }

    fn key(&self, part: Part) -> Key {
        let [number, against] = self.numbers;
        Key {
            solid: number as u32,
            part,
            other: Other::Solid(against as u32),
        }
    }

    /// Adds the deepest point of each face that crosses.
    fn faces(&self, hits: &[FaceHit], found: &mut Found, touches: &mut Vec<Touch>) {
        let [own, other] = self.solids;
        let Found {
            crossing, faces, ..
        } = found;
        crossing.clear();
        crossing.extend(hits.iter().copied().filter(FaceHit::crosses));
        penetrations(&own.shape, &other.shape, crossing, &other.depths, faces);

        for of_face in faces.chunk_by(|a, b| a.hit.face == b.hit.face) {
            let deeper =
                |best: &'_ Penetration, next: &'_ Penetration| next.out.depth > best.out.depth;
            let Some(deepest) = of_face
                .iter()
                .reduce(|best, next| if deeper(best, next) { next } else { best })
            else {
                continue;
            };
            let face = deepest.hit.face;
            let side = Side::of_face(self.numbers[0], own, face, &deepest.deepest);
            let (point, area) = (deepest.deepest, own.mean_area);

            touches.extend(self.touch(Part::Face(face), side, point, area, &deepest.out));
        }
    }

    /// Creates a contact; `None` for a point on the surface, which has no outward direction.
    fn touch(
        &self,
        part: Part,
        side: Side,
        point: Point<3>,
        area: f64,
        out: &BoundaryPoint,
    ) -> Option<Touch> {
        let ([own, other], against) = (self.solids, self.numbers[1]);
        let curved = other.curved.as_ref();
        let out = curved.map_or(*out, |faces| faces.refined(&point, out, &other.points));
        let layers = in_series(own.layer_stiffness(), other.layer_stiffness());
        let touch = Touch {
            key: self.key(part),
            side,
            against: Against::Solid(Side::of_face(against, other, out.face, &point)),
            point: point.coords.into(),
            normal: out.direction.into(),
            depth: out.depth,
            stiffness: self.penalty * layers * area,
            surface: own
                .material
                .surface
                .with(&other.material.surface, self.pairings),
        };

        (out.depth > 0.0).then_some(touch)
    }
}

/// Returns the stiffness of two springs in series.
fn in_series(one: f64, two: f64) -> f64 {
    one / (1.0 + one / two)
}
