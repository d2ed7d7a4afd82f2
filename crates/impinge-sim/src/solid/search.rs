//! Who is inside whom: nodes of surfaces in half-spaces and other barriers, vertices of those in solids, nodes of solids
//! in other solids and in their own.
//!
//! Between solids the answer of \[Erleben2005\]'s question, faces in tetrahedra, is turned into nodes with their depth
//! and way out. Where faces cross and no node is inside, as when two edges meet, the deepest points of the faces press
//! instead. Each solid presses into the other: neither is master.

use super::barrier::Barrier;
use super::penalty::{Against, Key, Other, Part, Side, Touch};
use super::{ElasticSolid, Reaction, Solids};
use crate::matter::Trouble;
use impinge::broad::{BroadPhase, Pair, Scene};
use impinge::narrow::solids::{Hit, Nearest, Penetration, node_penetrations, penetrations};
use impinge::space::{Aabb, Point, Vector};

/// A vertex of a barrier in a solid.
struct Sting {
    vertex: u32,
    point: Point<3>,
    velocity: Vector<3>,
    out: Nearest,
}

impl Solids {
    /// Presses solids and a barrier against each other, and says what that felt. Call it between [`Matter::interact`] and
    /// [`Matter::finish`]; `number` tells barriers apart, so that friction remembers, and torque is about `centre`.
    ///
    /// [`Matter::interact`]: crate::Matter::interact
    /// [`Matter::finish`]: crate::Matter::finish
    pub fn press_barrier(
        &mut self,
        number: u32,
        barrier: &dyn Barrier,
        centre: &Point<3>,
        dt: f64,
    ) -> Result<Reaction, Trouble> {
        self.press_any(Other::Barrier(number), barrier, centre, dt)
    }

    pub(super) fn press_half_spaces(&mut self, dt: f64) -> Result<(), Trouble> {
        for (number, half_space) in (0..).zip(self.half_spaces.clone()) {
            self.press_any(Other::HalfSpace(number), &half_space, &Point::origin(), dt)?;
        }
        Ok(())
    }

    fn press_any(
        &mut self,
        other: Other,
        barrier: &dyn Barrier,
        centre: &Point<3>,
        dt: f64,
    ) -> Result<Reaction, Trouble> {
        let (mut reaction, mut touches) = (Reaction::default(), Vec::new());
        let (reach, vertices) = (barrier.bounds(), barrier.vertices());
        for number in 0..self.solids.len() {
            if !reach.overlaps(&self.solids[number].bounds()) {
                continue;
            }
            dents_of(
                number,
                &self.solids[number],
                other,
                barrier,
                &reach,
                &mut touches,
            );
            let stings = self.stings_of(number, &vertices)?;
            stung(
                number,
                &self.solids[number],
                other,
                barrier.mass(),
                &stings,
                &mut touches,
            );
        }
        for touch in &touches {
            let force = self.press(touch, dt);
            reaction.force -= force;
            reaction.torque -= (touch.point - centre).cross(&force);
            reaction.touches += 1;
        }
        Ok(reaction)
    }

    /// Vertices in a solid.
    fn stings_of(
        &mut self,
        number: usize,
        vertices: &[(Point<3>, Vector<3>)],
    ) -> Result<Vec<Sting>, Trouble> {
        let solid = &mut self.solids[number];
        let bounds = solid.bounds();
        let mut near = (0..)
            .zip(vertices)
            .filter(|(_, (point, _))| bounds.contains(point))
            .peekable();
        if near.peek().is_some() {
            solid
                .fit_boxes()
                .map_err(|problem| lost(format!("solid {number}"), &problem))?;
        }
        let sting = |(vertex, &(point, velocity)): (u32, &(Point<3>, Vector<3>))| {
            let out = solid.depths.at(&solid.shape, &point, solid.holder(&point)?);
            (out.depth > 0.0).then_some(Sting {
                vertex,
                point,
                velocity,
                out,
            })
        };
        Ok(near.filter_map(sting).collect())
    }

    /// Contacts of solids with each other and with themselves.
    pub(super) fn press_each_other(&mut self, dt: f64) -> Result<(), Trouble> {
        let pairs = self.near_pairs()?;
        let folds: Vec<bool> = self
            .solids
            .iter_mut()
            .map(|solid| solid.may_touch_itself(dt))
            .collect();
        let mut is_needed = folds.clone();
        pairs.iter().for_each(|&Pair { a, b }| {
            (is_needed[a as usize], is_needed[b as usize]) = (true, true)
        });
        for (number, solid) in self
            .solids
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| is_needed[*i])
        {
            solid
                .follow()
                .map_err(|problem| lost(format!("solid {number}"), &problem))?;
        }
        let mut touches = Vec::new();
        let mut hits = [Vec::new(), Vec::new()];
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
            touches_of(
                [number; 2],
                [&*solid, &*solid],
                [&hits[0], &[]],
                &mut touches,
            );
        }
        for &Pair { a, b } in &pairs {
            let (lower, upper) = self.solids.split_at_mut(b as usize);
            let (one, two) = (&mut lower[a as usize], &mut upper[0]);
            let [of_one, of_two] = &mut hits;
            one.contacts
                .find_between(&one.shape, &mut two.contacts, &two.shape, [of_one, of_two]);
            touches_of(
                [a as usize, b as usize],
                [one, two],
                [of_one, of_two],
                &mut touches,
            );
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
    Trouble {
        body,
        cause: cause.to_string(),
        hint: "take a shorter step".to_string(),
    }
}

/// The surface nodes of a solid that are in a barrier.
fn dents_of(
    number: usize,
    solid: &ElasticSolid,
    other: Other,
    barrier: &dyn Barrier,
    reach: &Aabb<3>,
    touches: &mut Vec<Touch>,
) {
    let is_near = |n: &u32| reach.contains(&solid.points[*n as usize]);
    let nodes: Vec<u32> = solid
        .surface_nodes()
        .iter()
        .copied()
        .filter(is_near)
        .collect();
    let points: Vec<Point<3>> = nodes.iter().map(|&n| solid.points[n as usize]).collect();
    let mut dents = Vec::new();
    barrier.dents(&points, &mut dents);
    let found = nodes
        .iter()
        .zip(&points)
        .zip(&dents)
        .filter_map(|(node, dent)| Some((node, dent.as_ref()?)));
    touches.extend(found.map(|((&node, &point), dent)| Touch {
        key: Key {
            solid: number as u32,
            part: Part::Node(node),
            other,
        },
        side: Side::node(number, node),
        against: Against::Barrier(dent.velocity),
        point,
        normal: dent.outward,
        depth: dent.depth,
        mass: in_series(solid.masses[node as usize], barrier.mass()),
        squared_frequency: solid.rest_squared_frequency,
    }));
}

/// The contacts of a barrier's vertices in a solid. However many there are, together they are as stiff as one node's
/// contact, each with a share by its depth: a body may have thousands of vertices over one face of the solid.
fn stung(
    number: usize,
    solid: &ElasticSolid,
    other: Other,
    barrier_mass: f64,
    stings: &[Sting],
    touches: &mut Vec<Touch>,
) {
    let depths: f64 = stings.iter().map(|sting| sting.out.depth).sum();
    touches.extend(stings.iter().map(
        |Sting {
             vertex,
             point,
             velocity,
             out,
         }| Touch {
            key: Key {
                solid: number as u32,
                part: Part::Under(*vertex),
                other,
            },
            side: Side::of_face(number, solid, out.face, &out.on),
            against: Against::Barrier(*velocity),
            point: *point,
            normal: -out.direction,
            depth: out.depth,
            mass: in_series(solid.surface_mass, barrier_mass) * out.depth / depths,
            squared_frequency: solid.rest_squared_frequency,
        },
    ));
}

/// m M / (m + M), also where M is infinite.
fn in_series(one: f64, two: f64) -> f64 {
    one / (1.0 + one / two)
}

/// The contacts of the hits of each solid's faces in the other; for one solid with itself, twice the same and no
/// second list.
fn touches_of(
    numbers: [usize; 2],
    solids: [&ElasticSolid; 2],
    hits: [&[Hit]; 2],
    touches: &mut Vec<Touch>,
) {
    let before = touches.len();
    for k in [0, 1] {
        let pair = Pairing {
            numbers: [numbers[k], numbers[1 - k]],
            solids: [solids[k], solids[1 - k]],
        };
        pair.nodes(hits[k], touches);
    }
    if touches.len() == before {
        for k in [0, 1] {
            let pair = Pairing {
                numbers: [numbers[k], numbers[1 - k]],
                solids: [solids[k], solids[1 - k]],
            };
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
            let mass = own.surface_triangles()[face as usize]
                .map(|n| own.masses[n as usize])
                .iter()
                .sum::<f64>()
                / 3.0;
            touches.extend(self.touch(Part::Face(face), side, deepest.deepest, mass, &deepest.out));
        }
    }

    /// None for a point on the surface, which has no way out.
    fn touch(
        &self,
        part: Part,
        side: Side,
        point: Point<3>,
        mass: f64,
        out: &Nearest,
    ) -> Option<Touch> {
        let ([own, other], [number, against]) = (self.solids, self.numbers);
        let touch = Touch {
            key: Key {
                solid: number as u32,
                part,
                other: Other::Solid(against as u32),
            },
            side,
            against: Against::Solid(Side::of_face(against, other, out.face, &out.on)),
            point,
            normal: out.direction,
            depth: out.depth,
            mass: in_series(mass, other.surface_mass),
            squared_frequency: own.rest_squared_frequency.min(other.rest_squared_frequency),
        };
        (out.depth > 0.0).then_some(touch)
    }
}
