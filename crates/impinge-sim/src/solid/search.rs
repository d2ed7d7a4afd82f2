//! Who is inside whom: nodes of surfaces in half-spaces and other barriers, in other solids, and in their own.
//!
//! Between solids the answer of \[Erleben2005\]'s question, faces in tetrahedra, is turned into nodes with their depth
//! and way out. Where faces cross and no node is inside, as when two edges meet, the deepest points of the faces press
//! instead. Each solid presses into the other: neither is master.

use super::barrier::{Barrier, Dent};
use super::penalty::{Against, Key, Other, Part, Side, Touch};
use super::{ElasticSolid, Reaction, SelfContact, Solids};
use crate::matter::Trouble;
use impinge::broad::{BroadPhase, Pair, Scene};
use impinge::narrow::solids::{Hit, Nearest, Penetration, node_penetrations, penetrations};
use impinge::space::{Aabb, Point};

impl Solids {
    /// Presses the surfaces' nodes against a barrier, and says what that felt. Call it between [`Matter::interact`] and
    /// [`Matter::finish`]; `number` tells barriers apart, so that friction remembers, and torque is about `centre`.
    ///
    /// [`Matter::interact`]: crate::Matter::interact
    /// [`Matter::finish`]: crate::Matter::finish
    pub fn press_barrier(
        &mut self,
        number: u32,
        barrier: &impl Barrier,
        centre: &Point<3>,
        dt: f64,
    ) -> Reaction {
        self.press_any(Other::Barrier(number), barrier, centre, dt)
    }

    pub(super) fn press_half_spaces(&mut self, dt: f64) {
        for (number, half_space) in (0..).zip(self.half_spaces.clone()) {
            self.press_any(Other::HalfSpace(number), &half_space, &Point::origin(), dt);
        }
    }

    fn press_any(&mut self, other: Other, barrier: &impl Barrier, centre: &Point<3>, dt: f64) -> Reaction {
        let mut reaction = Reaction::default();
        let (mut nodes, mut points, mut dents) = (Vec::new(), Vec::new(), Vec::new());
        let reach = barrier.bounds();
        for number in 0..self.solids.len() {
            let solid = &self.solids[number];
            nodes.clear();
            if reach.overlaps(&solid.bounds()) {
                let is_near = |n: &u32| reach.contains(&solid.points[*n as usize]);
                nodes.extend(solid.surface_nodes().iter().copied().filter(is_near));
            }
            points.clear();
            points.extend(nodes.iter().map(|&n| solid.points[n as usize]));
            barrier.dents(&points, &mut dents);
            for ((&node, point), dent) in nodes.iter().zip(&points).zip(&dents) {
                let Some(dent) = dent else { continue };
                let touch = dented(number, &self.solids[number], node, other, point, dent);
                let force = self.press(&touch, dt);
                reaction.force -= force;
                reaction.torque -= (point - centre).cross(&force);
                reaction.touches += 1;
            }
        }
        reaction
    }

    /// Contacts of solids with each other and with themselves.
    pub(super) fn press_each_other(&mut self, dt: f64) -> Result<(), Trouble> {
        let pairs = self.near_pairs()?;
        let mut is_needed: Vec<bool> =
            self.solids.iter().map(|s| s.self_contact == SelfContact::Found).collect();
        pairs.iter().for_each(|&Pair { a, b }| (is_needed[a as usize], is_needed[b as usize]) = (true, true));
        for (number, solid) in self.solids.iter_mut().enumerate().filter(|(i, _)| is_needed[*i]) {
            solid.follow().map_err(|problem| lost(format!("solid {number}"), &problem))?;
        }
        let mut touches = Vec::new();
        let mut hits = [Vec::new(), Vec::new()];
        for (number, solid) in self.solids.iter_mut().enumerate() {
            if solid.self_contact == SelfContact::Found {
                solid.contacts.find_self(&solid.shape, &mut hits[0]);
                touches_of([number; 2], [&*solid, &*solid], [&hits[0], &[]], &mut touches);
            }
        }
        for &Pair { a, b } in &pairs {
            let (lower, upper) = self.solids.split_at_mut(b as usize);
            let (one, two) = (&mut lower[a as usize], &mut upper[0]);
            let [of_one, of_two] = &mut hits;
            one.contacts.find_between(&one.shape, &mut two.contacts, &two.shape, [of_one, of_two]);
            touches_of([a as usize, b as usize], [one, two], [of_one, of_two], &mut touches);
        }
        touches.iter().for_each(|touch| {
            self.press(touch, dt);
        });
        Ok(())
    }

    /// Solids whose boxes overlap.
    fn near_pairs(&mut self) -> Result<Vec<Pair>, Trouble> {
        let mut pairs = Vec::new();
        if self.solids.len() > 1 {
            let boxes: Vec<Aabb<3>> = self.solids.iter().map(ElasticSolid::bounds).collect();
            let found = self.broad.find_pairs(&Scene::of(&boxes), &mut pairs);
            found.map_err(|error| lost("solids".to_string(), &error))?;
        }
        Ok(pairs)
    }
}

fn lost(body: String, cause: &dyn std::fmt::Display) -> Trouble {
    Trouble { body, cause: cause.to_string(), hint: "take a shorter step".to_string() }
}

/// A node in a barrier.
fn dented(
    number: usize,
    solid: &ElasticSolid,
    node: u32,
    other: Other,
    point: &Point<3>,
    dent: &Dent,
) -> Touch {
    Touch {
        key: Key { solid: number as u32, part: Part::Node(node), other },
        side: Side::node(number, node),
        against: Against::Barrier(dent.velocity),
        point: *point,
        normal: dent.outward,
        depth: dent.depth,
        mass: solid.masses[node as usize],
        squared_frequency: solid.rest_squared_frequency,
    }
}

/// The contacts of the hits of each solid's faces in the other; for one solid with itself, twice the same and no
/// second list.
fn touches_of(numbers: [usize; 2], solids: [&ElasticSolid; 2], hits: [&[Hit]; 2], touches: &mut Vec<Touch>) {
    let before = touches.len();
    for k in [0, 1] {
        let pair = Pairing { numbers: [numbers[k], numbers[1 - k]], solids: [solids[k], solids[1 - k]] };
        pair.nodes(hits[k], touches);
    }
    if touches.len() == before {
        for k in [0, 1] {
            let pair = Pairing { numbers: [numbers[k], numbers[1 - k]], solids: [solids[k], solids[1 - k]] };
            pair.faces(hits[k], touches);
        }
    }
}

/// The first solid's surface in the second one's tetrahedra.
struct Pairing<'a> {
    numbers: [usize; 2],
    solids: [&'a ElasticSolid; 2],
}

impl Pairing<'_> {
    fn nodes(&self, hits: &[Hit], touches: &mut Vec<Touch>) {
        let [own, other] = self.solids;
        for found in node_penetrations(&own.shape, &other.shape, hits, &other.depths) {
            let side = Side::node(self.numbers[0], found.node);
            let point = own.points[found.node as usize];
            let mass = own.masses[found.node as usize];
            touches.extend(self.touch(Part::Node(found.node), side, point, mass, &found.out));
        }
    }

    /// The deepest point of each face that crosses.
    fn faces(&self, hits: &[Hit], touches: &mut Vec<Touch>) {
        let [own, other] = self.solids;
        let crossing: Vec<Hit> = hits.iter().copied().filter(Hit::crosses).collect();
        let found = penetrations(&own.shape, &other.shape, &crossing, &other.depths);
        for of_face in found.chunk_by(|a, b| a.hit.face == b.hit.face) {
            let deeper = |best: &'_ Penetration, next: &'_ Penetration| next.out.depth > best.out.depth;
            let Some(deepest) =
                of_face.iter().reduce(|best, next| if deeper(best, next) { next } else { best })
            else {
                continue;
            };
            let face = deepest.hit.face;
            let side = Side::of_face(self.numbers[0], own, face, &deepest.deepest);
            let mass =
                own.surface_triangles()[face as usize].map(|n| own.masses[n as usize]).iter().sum::<f64>()
                    / 3.0;
            touches.extend(self.touch(Part::Face(face), side, deepest.deepest, mass, &deepest.out));
        }
    }

    /// None for a point on the surface, which has no way out.
    fn touch(&self, part: Part, side: Side, point: Point<3>, mass: f64, out: &Nearest) -> Option<Touch> {
        let ([own, other], [number, against]) = (self.solids, self.numbers);
        let touch = Touch {
            key: Key { solid: number as u32, part, other: Other::Solid(against as u32) },
            side,
            against: Against::Solid(Side::of_face(against, other, out.face, &out.on)),
            point,
            normal: out.direction,
            depth: out.depth,
            mass: mass * other.surface_mass / (mass + other.surface_mass),
            squared_frequency: own.rest_squared_frequency.min(other.rest_squared_frequency),
        };
        (out.depth > 0.0).then_some(touch)
    }
}
