//! The penalty force of one contact.
//!
//! A surface point of a solid at penetration depth d, with the outward unit normal n, is pushed back by
//! a spring force evaluated at the end of the coming step (backward Euler):
//!
//! ```text
//! F = max(0, k d⁺),   d⁺ = d − dt (v + dt (a + F n/m))·n   ⇒   F = k d* / (1 + k dt²/m),   d* = d − dt (v + dt a)·n
//! ```
//!
//! Here v and a are the velocity and the acceleration of the point relative to the other side, a
//! due to all other forces, and m is the reduced mass of both sides. 1/m = Σ w²/mᵢ over the nodes
//! of both sides, with their weights w, or 1/M + (r×n)·I⁻¹(r×n) for a rigid body. At rest F = k d
//! for any stiffness; in motion a contact is never stiffer than what stops the two sides within the
//! step. Contacts therefore do not limit the step, and k can be chosen by the acceptable
//! compliance: k = penalty · (λ + 2μ) A/h, as stiff as `penalty` layers of elements of size h side
//! by side over the node's area A. Two solids are springs in series. Contacts are processed
//! sequentially, each with the forces of those before (Gauss–Seidel), in several sweeps, so that a
//! light body on many nodes is stopped once, not by each of them.
//!
//! Friction is a spring in the tangent plane, by the same scheme, that slips where it would exceed
//! friction · F.
//!
//! A contact begins without a force at the depth at which it is first detected. That depth is its
//! zero, which shrinks as the contact gets shallower and fades over some hundred steps. Initial
//! overlaps keep their zero until they separate on their own; otherwise they would eject the bodies and
//! create energy.
//!
//! A contact that pushed in the last step persists if its point has just left: a node of a block at
//! rest penetrates by very little, and without a force would move by the strain of a whole layer in a
//! step.
//!
//! Restitution: the first contact of a free rigid body has the restitution of the two materials. A
//! body lighter than the nodes it hits bounces by its material, a heavier one by the elements that it
//! strains. Against walls and other solids, restitution cannot be a property of the contact: the work
//! of a contact is at most its force times its penetration, a few thousandths of the strain energy,
//! while a bar that bounces with e would have to lose (1 − e²) of it there. An elastic body bounces by
//! its own elasticity: what its vibration keeps is missing from the rebound, and `stiffness_damping`
//! damps it ([`ElasticMaterial::damping_for`](super::ElasticMaterial::damping_for)).

use super::side::{ENTERED, Side};
use super::{InvalidSolid, Solids};
use crate::Mobility;
use crate::law::{SurfaceMaterial, TangentSpring, at_most};
use crate::matter::{BodyRef, ContactRecord};
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// Stiffness of the friction spring as a fraction of k: softer, as under shear.
const TANGENTIAL: f64 = 0.5;

/// Fraction of a contact's zero depth that remains after a step: it decays over some fifty steps,
/// slower than it built up.
const FADE: f64 = 0.95;

/// Sweeps over the contacts of a step, so that those that share nodes converge.
const SWEEPS: usize = 10;

/// Options of the contact forces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[doc(alias = "penalty stiffness")]
#[doc(alias = "penalty method")]
#[doc(alias = "node-to-segment")]
#[doc(alias = "node-to-surface")]
pub struct SolidContactOptions {
    /// Stiffness relative to one layer of elements: under a pressure a contact yields by 1/penalty
    /// of what a layer does. It does not change the step.
    pub penalty: f64,
}

impl Default for SolidContactOptions {
    fn default() -> Self {
        Self { penalty: 100.0 }
    }
}

impl SolidContactOptions {
    pub(super) fn check(&self) -> Result<(), InvalidSolid> {
        let Self { penalty } = *self;
        if penalty > 0.0 && penalty.is_finite() {
            return Ok(());
        }

        Err(InvalidSolid::Number {
            name: "penalty",
            value: penalty,
            wanted: "greater than 0",
        })
    }
}

/// The near side of a contact: a part of a solid's surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Part {
    Node(u32),
    Face(u32),
    /// The face that contains a vertex of a barrier.
    Under(u32),
}

/// The far side: the object in contact with it.
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

impl Key {
    /// Returns the two objects, the same whichever of two solids presses.
    pub(super) fn objects(&self) -> (u32, Other) {
        match self.other {
            Other::Solid(other) if other < self.solid => (other, Other::Solid(self.solid)),
            other => (self.solid, other),
        }
    }
}

/// The history of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeContact {
    /// The friction spring.
    spring: TangentSpring,
    /// The depth that counts as zero, and whether it fades.
    zero: f64,
    fades: bool,
    /// Energy in the normal spring.
    pressed: f64,
    /// The contact at the last step.
    touch: Touch,
}

impl NodeContact {
    pub(super) fn key(&self) -> Key {
        self.touch.key
    }

    pub(super) fn depth(&self) -> f64 {
        self.touch.depth
    }

    /// Returns the outward normal at the last step.
    pub(super) fn normal(&self) -> Vector<3> {
        self.touch.normal.into()
    }

    /// Returns the force of its springs on the near side of a contact.
    fn force(&self, touch: &Touch) -> Vector<3> {
        let pressure = (2.0 * self.pressed * touch.stiffness).sqrt();
        Vector::from(touch.normal) * pressure + self.spring.force()
    }

    /// Returns the stored energy.
    pub(super) fn energy(&self) -> f64 {
        self.pressed + self.spring.energy()
    }
}

/// A force of this step, kept to compute its work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushed {
    pub(super) side: Side,
    pub(super) against: Against,
    /// Force on `side`.
    pub(super) force: Vector<3>,
    /// Whether the far side is a body that the force moves: [`Solids::book_barrier`] adds the work on it.
    pub(super) is_body: bool,
}

/// The far side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Against {
    Solid(Side),
    /// A barrier, with its velocity.
    Barrier([f64; 3]),
}

/// A contact as found by the search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Touch {
    pub(super) key: Key,
    pub(super) side: Side,
    pub(super) against: Against,
    pub(super) point: [f64; 3],
    /// Outward unit normal for `side`.
    pub(super) normal: [f64; 3],
    /// Negative if the contact persists outside the surface.
    pub(super) depth: f64,
    /// k of the module documentation.
    pub(super) stiffness: f64,
    pub(super) surface: SurfaceMaterial,
}

/// The forces on a free barrier in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct BarrierLoad {
    pub(super) mobility: Mobility,
    /// Force on it, and torque about its centre of mass.
    force: Vector<3>,
    torque: Vector<3>,
}

impl BarrierLoad {
    pub(super) fn new(mobility: Mobility) -> Self {
        Self {
            mobility,
            force: Vector::zeros(),
            torque: Vector::zeros(),
        }
    }

    /// Returns whether the barrier gives way.
    fn is_body(&self) -> bool {
        self.mobility.inverse_mass > 0.0
    }

    fn acceleration(&self, point: &Point<3>) -> Vector<3> {
        self.mobility.acceleration(point, &self.force, &self.torque)
    }

    fn push(&mut self, point: &Point<3>, force: &Vector<3>) {
        self.force += force;
        self.torque += (point - self.mobility.centre).cross(force);
    }
}

/// The relative motion of the two sides of a contact, without its own force.
struct Approach {
    velocity: Vector<3>,
    acceleration: Vector<3>,
    /// 1/m of the module documentation, along the normal, and an upper bound over all directions.
    mobility: f64,
    largest_mobility: f64,
    /// Restitution of a first contact along the normal.
    restitution: Option<f64>,
}

impl Solids {
    /// Adds the contact forces to both sides; returns those on the near sides.
    pub(super) fn press(
        &mut self,
        touches: &[Touch],
        recoil: &mut BarrierLoad,
        dt: f64,
        mut take: impl FnMut(&Touch, &Vector<3>),
    ) {
        let mut contacts = std::mem::take(&mut self.press_work.contacts);
        contacts.clear();
        contacts.extend(touches.iter().map(|touch| self.contact(touch, dt)));
        // Warm start: the forces of the last step are a good guess.
        for contact in &contacts {
            self.push(&contact.touch, recoil, &contact.response.force);
        }

        for _ in 0..SWEEPS {
            for contact in &mut contacts {
                self.push(&contact.touch, recoil, &-contact.response.force);
                let approach = self.approach(contact, recoil);
                contact.response = respond(contact, &approach, dt);
                self.push(&contact.touch, recoil, &contact.response.force);
            }
        }

        contacts
            .iter()
            .for_each(|contact| self.remember(contact, recoil.is_body()));
        contacts
            .iter()
            .for_each(|contact| take(&contact.touch, &contact.response.force));
        self.press_work.contacts = contacts;
    }

    /// Prepares a contact without a force in this step.
    fn contact(&self, touch: &Touch, dt: f64) -> Contact {
        let held = self
            .contacts_before
            .binary_search_by_key(&touch.key, NodeContact::key);
        let old = held.ok().map(|place| self.contacts_before[place]);
        // More than the sides can have moved in the step.
        let way = ENTERED * dt * self.relative_velocity(&touch.side, &touch.against).norm();
        let overlapping = self.overlapping.binary_search(&touch.key.objects()).is_ok();
        let Zero { depth: zero, fades } = match &old {
            Some(old) => Zero::follow(old, touch, overlapping.then_some(way)),
            // A part of an overlap of the start that was not found then is deeper than a motion.
            None => Zero {
                depth: touch.depth.max(0.0),
                fades: !(self.is_first_step() || overlapping && touch.depth > way),
            },
        };
        Contact {
            touch: *touch,
            zero,
            fades,
            bounces: old.is_none() && fades,
            spring: old.map_or_else(TangentSpring::default, |contact| contact.spring),
            response: Response {
                force: old.map_or_else(Vector::zeros, |contact| contact.force(touch)),
                ..Response::default()
            },
        }
    }

    /// Lists the objects that still overlap from the start.
    pub(super) fn list_overlapping(&mut self) {
        self.overlapping.clear();
        let initial = self
            .contacts_before
            .iter()
            .filter(|contact| !contact.fades && contact.zero > 0.0);
        self.overlapping
            .extend(initial.map(|contact| contact.key().objects()));
        self.overlapping.sort_unstable();
        self.overlapping.dedup();
    }

    fn push(&mut self, touch: &Touch, recoil: &mut BarrierLoad, force: &Vector<3>) {
        touch.side.push(&mut self.solids, force);
        match &touch.against {
            Against::Solid(side) => side.push(&mut self.solids, &-force),
            Against::Barrier(_) => recoil.push(&touch.point.into(), &-force),
        }
    }

    fn remember(&mut self, contact: &Contact, is_body: bool) {
        let Contact {
            touch, response, ..
        } = contact;

        if touch.depth <= 0.0 && response.force == Vector::<3>::zeros() {
            return;
        }

        self.pushed.push(Pushed {
            side: touch.side,
            against: touch.against,
            force: response.force,
            is_body,
        });
        self.contacts_now.push(NodeContact {
            spring: response.spring,
            zero: contact.zero,
            fades: contact.fades,
            pressed: response.pressed,
            touch: *touch,
        });

        self.contacts.push(touch.record(&-response.force));
    }

    /// Adds contacts of the last step whose points have just left, so that the search no longer finds
    /// them; only those for which `is_due` returns true.
    pub(super) fn linger(
        &mut self,
        touches: &mut Vec<Touch>,
        dt: f64,
        is_due: impl Fn(&Key) -> bool,
        velocity_at: impl Fn(&Point<3>, &Vector<3>) -> Vector<3>,
    ) {
        let mut keys = std::mem::take(&mut self.press_work.keys);
        keys.clear();
        keys.extend(touches.iter().map(|touch| touch.key));
        keys.sort_unstable();
        let left = |contact: &&NodeContact| {
            is_due(&contact.key())
                && contact.pressed > 0.0
                && keys.binary_search(&contact.key()).is_err()
        };

        for contact in self.contacts_before.iter().filter(left) {
            let mut touch = contact.touch;
            let point = touch.side.point(&self.solids);
            touch.point = point.coords.into();
            let lives_on = match &mut touch.against {
                Against::Solid(side) => match side.follow(&point, &self.solids) {
                    Some((normal, depth)) => {
                        (touch.normal, touch.depth) = (normal.into(), depth);
                        true
                    }
                    None => false,
                },
                Against::Barrier(velocity) => {
                    *velocity = velocity_at(&point, &touch.normal.into()).into();
                    // The velocities are those that moved the points here.
                    let way = self.relative_velocity(&touch.side, &touch.against) * dt;
                    touch.depth -= way.dot(&Vector::from(touch.normal));
                    touch.depth <= 0.0
                }
            };

            if lives_on {
                touches.push(touch);
            }
        }
        self.press_work.keys = keys;
    }

    fn approach(&self, contact: &Contact, recoil: &BarrierLoad) -> Approach {
        let (solids, touch) = (&self.solids, &contact.touch);
        let (far, [along, largest]) = match &touch.against {
            Against::Solid(side) => (side.acceleration(solids), [side.mobility(solids); 2]),
            Against::Barrier(_) => (
                recoil.acceleration(&touch.point.into()),
                recoil
                    .mobility
                    .at(&touch.point.into(), &touch.normal.into()),
            ),
        };
        let near = touch.side.mobility(solids);
        let is_body = matches!(touch.against, Against::Barrier(_)) && along > 0.0;

        Approach {
            velocity: self.relative_velocity(&touch.side, &touch.against),
            acceleration: touch.side.acceleration(solids) - far,
            mobility: near + along,
            largest_mobility: near + largest,
            restitution: (is_body && contact.bounces).then_some(touch.surface.restitution),
        }
    }

    /// Returns the velocity of the near side of a contact relative to the far side.
    pub(super) fn relative_velocity(&self, side: &Side, against: &Against) -> Vector<3> {
        let far = match against {
            Against::Solid(side) => side.velocity(&self.solids),
            Against::Barrier(velocity) => Vector::from(*velocity),
        };
        side.velocity(&self.solids) - far
    }
}

/// The depth at which a contact has no force.
struct Zero {
    depth: f64,
    fades: bool,
}

impl Zero {
    /// Returns it for a contact of the last step. `way` is what its sides can have moved at most, if their objects
    /// still overlap from the start: such a contact is deeper by more only if its way out has changed.
    fn follow(old: &NodeContact, touch: &Touch, way: Option<f64>) -> Self {
        // Deeper than the last step's force explains, due to other contacts of the same nodes:
        // removing that within a step would eject the nodes.
        let expected = (2.0 * old.pressed / touch.stiffness).sqrt();
        let deeper = (touch.depth - old.zero - expected).max(0.0);
        let has_jumped = way.is_some_and(|way| deeper > way);
        let fades = old.fades && !has_jumped;
        let zero = match (fades, has_jumped) {
            (true, _) => old.zero * FADE + deeper,
            (false, true) => old.zero + deeper,
            (false, false) => old.zero,
        };

        Self {
            depth: zero.min(touch.depth).max(0.0),
            fades,
        }
    }
}

impl Touch {
    fn record(&self, force: &Vector<3>) -> ContactRecord {
        let other = match self.key.other {
            Other::Solid(other) => BodyRef::solid(other as usize),
            Other::HalfSpace(half) => BodyRef::wall(half as usize),
            Other::Barrier(number) => BodyRef::body(number as usize),
        };
        ContactRecord {
            bodies: [BodyRef::solid(self.key.solid as usize), other],
            point: self.point.into(),
            normal: -Vector::from(self.normal),
            force: *force,
            depth: self.depth.max(0.0),
            feature: None,
        }
    }
}

/// Memory of the forces, reused from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct PressWork {
    contacts: Vec<Contact>,
    keys: Vec<Key>,
}

/// A contact during a step.
#[derive(Clone, Debug)]
struct Contact {
    touch: Touch,
    zero: f64,
    fades: bool,
    /// Whether it is new.
    bounces: bool,
    /// The friction spring at the start of the step.
    spring: TangentSpring,
    response: Response,
}

/// The outcome of a contact in a step.
#[derive(Clone, Debug, Default)]
struct Response {
    force: Vector<3>,
    spring: TangentSpring,
    /// Energy in the normal spring.
    pressed: f64,
}

fn respond(contact: &Contact, approach: &Approach, dt: f64) -> Response {
    let Approach {
        velocity,
        acceleration,
        mobility,
        largest_mobility,
        restitution,
    } = approach;
    let Contact { touch, spring, .. } = contact;
    let depth = touch.depth - contact.zero;
    let (normal, stiffness) = (&Vector::from(touch.normal), touch.stiffness);

    // The displacement until the end of the coming step without a force here.
    let way = (velocity + acceleration * dt) * dt;
    let ahead = depth - way.dot(normal);
    let mut pressure = (stiffness * ahead / (1.0 + stiffness * dt * dt * mobility)).max(0.0);
    let pressed = 0.5 * pressure * pressure / stiffness;

    if let Some(restitution) = restitution.filter(|_| velocity.dot(normal) < 0.0) {
        let bounce = -restitution * velocity.dot(normal) * dt - way.dot(normal);
        pressure = pressure.max(bounce / (dt * dt * mobility));
    }

    let soft = stiffness * TANGENTIAL;
    let sliding = way - normal * way.dot(normal);

    let stretched = spring.drawn(normal, &sliding);
    let pull = stretched * (-soft / (1.0 + soft * dt * dt * largest_mobility));
    let pull = at_most(pull, touch.surface.friction * pressure);

    Response {
        force: normal * pressure + pull,
        spring: TangentSpring::exerting(&pull, soft),
        pressed,
    }
}
