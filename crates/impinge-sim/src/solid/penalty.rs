//! The force of one contact.
//!
//! A point of a solid's surface that lies d deep, with the unit normal n the way out, is pushed back by
//!
//! ```text
//! F_n = max(0, k d − c ṅ),   k = penalty · ω² m,   c = 2 damping √(k m)
//! ```
//!
//! and what it presses on feels the opposite. m is the mass of the two sides in series and ω the frequency that already
//! limits the step of the elements, the lower of two: the contact is about as stiff as one layer of elements, and can
//! shorten the step only by a known share. k does not change while a node slides, so that ½ k d² is stored and given back.
//!
//! Friction is a spring in the tangent plane that is stretched by the relative motion, and slips where it would pull
//! harder than friction · F_n.
//!
//! A contact that is first seen deeper than its points can have come in a step or two was there unseen, as edges are that
//! crossed while nodes were inside and pressed in their stead. It begins without a force at that depth, which counts as its
//! zero from then on and shrinks as it gets shallower: else bodies would be driven apart with energy from nothing. In the
//! same way, what a contact still holds when it ends so deep is lost.
//!
//! What a push takes is told after the kick, where the velocities are known that it works with: a contact lasts some steps
//! only, and with the velocities before the kick the loss of its damping would be told by some percent too high.

use super::{ElasticSolid, InvalidSolid, Solids};
use crate::matter::ForceLine;
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// Stiffness of friction's spring as a share of k: softer, as it is under shear.
const TANGENTIAL: f64 = 0.5;

/// Steps at the velocity of a contact within which it comes as deep as it is first seen, or ends from as deep as it was.
const LEAP: f64 = 2.0;

/// The forces of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidContactOptions {
    /// Stiffness, as a share of the stiffest that the elements' own step allows. About 0.2 is one layer of elements.
    pub penalty: f64,
    /// Damping as a share of the critical one: 0 gives back all, 1 next to nothing.
    pub damping: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
}

impl Default for SolidContactOptions {
    fn default() -> Self {
        Self {
            penalty: 0.2,
            damping: 0.0,
            friction: 0.0,
        }
    }
}

impl SolidContactOptions {
    pub(super) fn check(&self) -> Result<(), InvalidSolid> {
        let Self {
            penalty,
            damping,
            friction,
        } = *self;
        let checks = [
            (
                "penalty",
                penalty,
                penalty > 0.0 && penalty <= 10.0,
                "greater than 0, at most 10",
            ),
            (
                "damping",
                damping,
                (0.0..=1.0).contains(&damping),
                "from 0 to 1",
            ),
            (
                "friction",
                friction,
                friction >= 0.0 && friction.is_finite(),
                "0 or greater",
            ),
        ];
        let bad = checks.into_iter().find(|check| !check.2);
        bad.map_or(Ok(()), |(name, value, _, wanted)| {
            Err(InvalidSolid::Number {
                name,
                value,
                wanted,
            })
        })
    }

    /// What a node's contacts are expected to add to its squared frequency: it presses on a face, and as a corner of
    /// faces carries as much of others that press.
    pub(super) fn expected_load(&self, squared_frequency: f64) -> f64 {
        2.0 * self.penalty * squared_frequency
    }

    /// By what explicit damping shortens the step: √(1 + ζ²) − ζ.
    pub(super) fn damping_factor(&self) -> f64 {
        (1.0 + self.damping * self.damping).sqrt() - self.damping
    }
}

/// What of a solid's surface presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Part {
    Node(u32),
    Face(u32),
    /// Whatever face a vertex of a barrier is in.
    Under(u32),
}

/// What it presses on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Other {
    Solid(u32),
    HalfSpace(u32),
    Barrier(u32),
}

/// A contact's identity from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Key {
    pub(super) solid: u32,
    pub(super) part: Part,
    pub(super) other: Other,
}

/// How far friction's spring of a contact is stretched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Grip {
    pub(super) key: Key,
    spring: Spring,
    /// The depth that counts as zero.
    zero: f64,
    /// Energy that was put in along the normal and not given back yet.
    pressed: f64,
    /// Energy that is lost if it ends here.
    at_stake: f64,
}

/// Friction's spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Spring {
    stretch: [f64; 3],
    stiffness: f64,
}

impl Grip {
    /// Energy in it.
    pub(super) fn energy(&self) -> f64 {
        self.pressed + self.stored()
    }

    /// Energy in friction's spring.
    fn stored(&self) -> f64 {
        0.5 * self.spring.stiffness * Vector::from(self.spring.stretch).norm_squared()
    }
}

/// A push of this step, to tell what it took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushed {
    side: Side,
    against: Against,
    /// On `side`, without the spring along the normal, which gives back what it takes.
    force: Vector<3>,
    /// That spring, where its stiffness changes and its energy has to be counted.
    counted: Option<Vector<3>>,
}

/// Nodes of a solid that share a force: a node alone, or a point of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    solid: usize,
    nodes: [u32; 3],
    weights: [f64; 3],
}

impl Side {
    pub(super) fn node(solid: usize, node: u32) -> Self {
        Self {
            solid,
            nodes: [node; 3],
            weights: [1.0, 0.0, 0.0],
        }
    }

    /// A point of a boundary triangle.
    pub(super) fn of_face(
        number: usize,
        solid: &ElasticSolid,
        face: u32,
        point: &Point<3>,
    ) -> Self {
        let nodes = solid.surface_triangles()[face as usize];
        let [a, b, c] = nodes.map(|n| solid.points[n as usize]);
        Self {
            solid: number,
            nodes,
            weights: weights(&[a, b, c], point),
        }
    }

    fn velocity(&self, solids: &[ElasticSolid]) -> Vector<3> {
        let velocities = &solids[self.solid].velocities;
        self.shares().map(|(n, w)| velocities[n] * w).sum()
    }

    fn shares(&self) -> impl Iterator<Item = (usize, f64)> {
        self.nodes
            .into_iter()
            .map(|n| n as usize)
            .zip(self.weights)
            .filter(|share| share.1 != 0.0)
    }

    /// Hands a force and a sum over a row of stiffness on to the nodes; returns the largest load of these.
    fn push(&self, solids: &mut [ElasticSolid], force: &Vector<3>, row: f64) -> f64 {
        let ElasticSolid {
            forces,
            loads,
            masses,
            ..
        } = &mut solids[self.solid];
        let mut largest = 0.0f64;
        for (n, w) in self.shares() {
            forces[n] += force * w;
            loads[n] += row * w / masses[n];
            largest = largest.max(loads[n]);
        }
        largest
    }
}

/// Barycentric coordinates of a point on a triangle, which add up to 1; a third each where it has no area.
fn weights([a, b, c]: &[Point<3>; 3], point: &Point<3>) -> [f64; 3] {
    let (u, v, w) = (b - a, c - a, point - a);
    let normal = u.cross(&v);
    let squared = normal.norm_squared();
    let [beta, gamma] = [w.cross(&v).dot(&normal), u.cross(&w).dot(&normal)].map(|x| x / squared);
    if !(beta.is_finite() && gamma.is_finite()) {
        return [1.0 / 3.0; 3];
    }
    let beta = beta.clamp(0.0, 1.0);
    let gamma = gamma.clamp(0.0, 1.0 - beta);
    [1.0 - beta - gamma, beta, gamma]
}

/// The far side of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) enum Against {
    Solid(Side),
    /// Something with a velocity of its own.
    Barrier(Vector<3>),
}

/// A contact as the search found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) key: Key,
    pub(super) side: Side,
    pub(super) against: Against,
    pub(super) point: Point<3>,
    /// The way out for `side`, a unit vector.
    pub(super) normal: Vector<3>,
    pub(super) depth: f64,
    /// m and ω² of the header.
    pub(super) mass: f64,
    pub(super) squared_frequency: f64,
}

/// What a contact does in a step.
struct Response {
    force: Vector<3>,
    grip: Spring,
    /// The force of the spring along the normal, and the energy in it.
    spring: Vector<3>,
    elastic: f64,
}

impl Solids {
    /// Adds the forces of a contact to its two sides; returns that on its near side.
    pub(super) fn press(&mut self, touch: &Touch, dt: f64) -> Vector<3> {
        let velocity = self.approach(&touch.side, &touch.against);
        let held = self
            .gripped
            .binary_search_by_key(&touch.key, |grip| grip.key);
        let old = held.ok().map(|place| self.gripped[place]);
        let leap = LEAP * velocity.norm() * dt;
        let unseen = || if touch.depth > leap { touch.depth } else { 0.0 };
        let zero = old.map_or_else(unseen, |grip| grip.zero.min(touch.depth));
        let depth = touch.depth - zero;
        let grip = old.map_or_else(Spring::default, |grip| grip.spring);
        let stiffness = self.options.contact.penalty * touch.squared_frequency * touch.mass;
        let response = respond(
            &self.options.contact,
            touch,
            depth,
            stiffness,
            &velocity,
            &grip,
            dt,
        );
        let Response {
            force,
            grip,
            spring,
            elastic,
        } = response;
        // Vertices share one stiffness by their depths.
        let shares = matches!(touch.key.part, Part::Under(_));
        let counted = shares.then_some(spring);
        self.pushed.push(Pushed {
            side: touch.side,
            against: touch.against,
            force: force - spring,
            counted,
        });
        let pressed = if shares {
            old.map_or(0.0, |grip| grip.pressed)
        } else {
            elastic
        };
        let at_stake = if !shares && depth > leap {
            elastic
        } else {
            0.0
        };
        self.gripping.push(Grip {
            key: touch.key,
            spring: grip,
            zero,
            pressed,
            at_stake,
        });
        // The stiffness is k b bᵀ, with b = 1 for what presses and −w for the corners that are pressed.
        let load = match &touch.against {
            Against::Solid(side) => {
                let far = side.push(&mut self.solids, &-force, 2.0 * stiffness);
                far.max(touch.side.push(&mut self.solids, &force, 2.0 * stiffness))
            }
            Against::Barrier(_) => touch.side.push(&mut self.solids, &force, stiffness),
        };
        self.largest_load = self.largest_load.max(load);
        self.lines.push(touch.line(&-force));
        force
    }

    /// Velocity of the near side of a contact against the far one.
    fn approach(&self, side: &Side, against: &Against) -> Vector<3> {
        let far = match against {
            Against::Solid(side) => side.velocity(&self.solids),
            Against::Barrier(velocity) => *velocity,
        };
        side.velocity(&self.solids) - far
    }

    /// Tells what the pushes of this step took; what friction's springs hold is not lost.
    pub(super) fn book(&mut self, dt: f64) {
        let mut spent = 0.0;
        for (number, pushed) in self.pushed.iter().enumerate() {
            let way = self.approach(&pushed.side, &pushed.against) * dt;
            spent -= pushed.force.dot(&way);
            if let Some(spring) = pushed.counted {
                let grip = &mut self.gripping[number];
                grip.pressed -= spring.dot(&way);
                grip.at_stake = grip.pressed.max(0.0);
            }
        }
        let held = |grips: &[Grip]| grips.iter().map(Grip::stored).sum::<f64>();
        let mut keys: Vec<Key> = self.gripping.iter().map(|grip| grip.key).collect();
        keys.sort_unstable();
        let ended = self
            .gripped
            .iter()
            .filter(|grip| keys.binary_search(&grip.key).is_err());
        let at_stake: f64 = ended.map(|grip| grip.at_stake).sum();
        self.dissipated += spent + at_stake + held(&self.gripped) - held(&self.gripping);
    }
}

impl Touch {
    fn line(&self, force: &Vector<3>) -> ForceLine<3> {
        let other = if let Other::Solid(other) = self.key.other {
            other
        } else {
            u32::MAX
        };
        ForceLine {
            bodies: [self.key.solid, other],
            point: self.point,
            force: *force,
            depth: self.depth,
        }
    }
}

fn respond(
    options: &SolidContactOptions,
    touch: &Touch,
    depth: f64,
    stiffness: f64,
    velocity: &Vector<3>,
    grip: &Spring,
    dt: f64,
) -> Response {
    let normal = &touch.normal;
    let leaving = velocity.dot(normal);
    let damping = 2.0 * options.damping * (stiffness * touch.mass).sqrt();
    let spring = stiffness * depth;
    let pressure = (spring - damping * leaving).max(0.0);
    let sliding = velocity - normal * leaving;
    let soft = stiffness * TANGENTIAL;
    // The spring turns with the surface.
    let held = Vector::from(grip.stretch);
    let stretched = held - normal * held.dot(normal) + sliding * dt;
    let (pull, most) = (soft * stretched.norm(), options.friction * pressure);
    let kept = if pull > most {
        stretched * (most / pull)
    } else {
        stretched
    };
    Response {
        force: normal * pressure - kept * soft,
        grip: Spring {
            stretch: kept.into(),
            stiffness: soft,
        },
        spring: normal * spring,
        elastic: 0.5 * spring * depth,
    }
}
