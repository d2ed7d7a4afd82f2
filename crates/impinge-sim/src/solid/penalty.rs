//! The force of one contact.
//!
//! A point of a solid's surface that lies d deep, with the unit normal n the way out, is pushed back by a spring whose force
//! is that of the end of the coming step (backward Euler):
//!
//! ```text
//! F = max(0, k d⁺),   d⁺ = d − dt (v + dt (a + F n/m))·n   ⇒   F = k d* / (1 + k dt²/m),   d* = d − dt (v + dt a)·n
//! ```
//!
//! with the velocity v and the acceleration a of the point against what it presses on, a of all other forces, and the
//! reduced mass m of the nodes and of what they press on: 1/m = Σ w²/mᵢ over the nodes of both sides, with their weights w,
//! or 1/M + (r×n)·I⁻¹(r×n) for a rigid body. At rest F = k d, however stiff; in motion a contact is never stiffer than what
//! stops the two sides within the step. Therefore contacts do not limit the step, and k can be chosen by how little they
//! may give: k = penalty · (λ + 2μ) A/h, as stiff as `penalty` layers of elements of size h side by side over the node's
//! area A; two solids are springs in series. Contacts are taken one after another, each with the forces of those before
//! (Gauss–Seidel) and some times over, so that a light body on many nodes is stopped once, not by each of them.
//!
//! Friction is a spring in the tangent plane, by the same scheme, that slips where it would pull harder than friction · F.
//!
//! A contact begins without a force at the depth at which it is first seen: that depth counts as its zero, which shrinks as
//! the contact gets shallower and fades over some hundred steps. What overlaps at the start keeps its zero until it comes
//! out by itself, else bodies would be driven apart with energy from nothing.
//!
//! A contact that pushed in the last step lives on where its point has just left: the node of a block at rest hardly lies
//! deep at all, and would fall by a whole layer's strain in a step without a force.
//!
//! The first touch of a free rigid body has the restitution of the two materials: a body lighter than the nodes that it
//! meets bounces by its material, a heavier one by the elements that it strains.
//!
//! What a push takes is computed after the kick, with the velocity in the middle of the step. What it takes beyond what its
//! springs hold is lost, so that the energies add up.

use super::barrier::Mobility;
use super::{ElasticSolid, InvalidSolid, Solids};
use crate::matter::ForceLine;
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// Stiffness of friction's spring as a share of k: softer, as it is under shear.
const TANGENTIAL: f64 = 0.5;

/// Share of a contact's zero that is left after a step: some fifty steps push it out, slower than it came.
const FADE: f64 = 0.95;

/// Times that the contacts of a step are gone through, so that those that share nodes agree.
const SWEEPS: usize = 10;

/// How far beside a face, in its height, a point still presses on it that did so in the last step.
const RIM: f64 = 0.02;

/// The forces of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidContactOptions {
    /// Stiffness, in that of one layer of elements: under a pressure a contact gives 1/penalty of what a layer does. It
    /// does not change the step.
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

/// What a surface adds to its contacts. A pair has the geometric mean of the two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMaterial {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Coefficient of restitution for the first touch of free rigid bodies, from 0 to 1.
    pub restitution: f64,
}

impl Default for SurfaceMaterial {
    fn default() -> Self {
        Self {
            friction: 0.0,
            restitution: 1.0,
        }
    }
}

impl SurfaceMaterial {
    /// Of two surfaces in contact.
    pub(super) fn with(&self, other: &Self) -> Self {
        let mean = |x: f64, y: f64| if x == y { x } else { (x * y).sqrt() };
        Self {
            friction: mean(self.friction, other.friction),
            restitution: mean(self.restitution, other.restitution),
        }
    }

    pub(super) fn check(&self) -> Result<(), InvalidSolid> {
        let Self {
            friction,
            restitution,
        } = *self;
        let is_friction = friction >= 0.0 && friction.is_finite();
        let checks = [
            ("friction", friction, is_friction, "0 or greater"),
            (
                "restitution",
                restitution,
                (0.0..=1.0).contains(&restitution),
                "from 0 to 1",
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

/// What a contact remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Grip {
    /// Friction's spring.
    spring: Spring,
    /// The depth that counts as zero, and whether it fades.
    zero: f64,
    fades: bool,
    /// Energy in the spring along the normal.
    pressed: f64,
    /// Where it was.
    touch: Touch,
}

/// Friction's spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Spring {
    stretch: [f64; 3],
    stiffness: f64,
}

impl Grip {
    pub(super) fn key(&self) -> Key {
        self.touch.key
    }

    pub(super) fn depth(&self) -> f64 {
        self.touch.depth
    }

    /// The force of its springs on the near side of a contact.
    fn force(&self, touch: &Touch) -> Vector<3> {
        let pressure = (2.0 * self.pressed * touch.stiffness).sqrt();
        Vector::from(touch.normal) * pressure
            - Vector::from(self.spring.stretch) * self.spring.stiffness
    }

    /// Energy in it.
    pub(super) fn energy(&self) -> f64 {
        self.pressed
            + 0.5 * self.spring.stiffness * Vector::from(self.spring.stretch).norm_squared()
    }
}

/// A push of this step, to compute what it took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushed {
    side: Side,
    against: Against,
    /// On `side`.
    force: Vector<3>,
}

/// Nodes of a solid that share a force: a node alone, or a point of a face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

    fn point(&self, solids: &[ElasticSolid]) -> Point<3> {
        let points = &solids[self.solid].points;
        let sum: Vector<3> = self.shares().map(|(n, w)| points[n].coords * w).sum();
        Point::from(sum)
    }

    /// Follows a point along the plane of a face: returns the face's normal and how deep the point lies below it; none
    /// where it has left the face sideways by more than rounding and vibration do.
    fn follow(&mut self, point: &Point<3>, solids: &[ElasticSolid]) -> Option<(Vector<3>, f64)> {
        let points = &solids[self.solid].points;
        let [a, b, c] = self.nodes.map(|n| points[n as usize]);
        let across = (b - a).cross(&(c - a));
        let squared = across.norm_squared();
        let w = point - a;
        let beta = w.cross(&(c - a)).dot(&across) / squared;
        let gamma = (b - a).cross(&w).dot(&across) / squared;
        let least = beta.min(gamma).min(1.0 - beta - gamma);
        let normal = across.try_normalize(0.0)?;

        (least > -RIM).then(|| {
            self.weights = weights(&[a, b, c], point);
            (normal, (a - point).dot(&normal))
        })
    }

    /// By all forces so far.
    fn acceleration(&self, solids: &[ElasticSolid]) -> Vector<3> {
        let solid = &solids[self.solid];
        self.shares()
            .map(|(n, w)| solid.forces[n] * (w * solid.inverse_masses[n]))
            .sum()
    }

    /// Acceleration for each newton along itself: Σ w²/m.
    fn mobility(&self, solids: &[ElasticSolid]) -> f64 {
        let inverse = &solids[self.solid].inverse_masses;
        self.shares().map(|(n, w)| w * w * inverse[n]).sum()
    }

    fn push(&self, solids: &mut [ElasticSolid], force: &Vector<3>) {
        let forces = &mut solids[self.solid].forces;
        self.shares().for_each(|(n, w)| forces[n] += force * w);
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Against {
    Solid(Side),
    /// Something with a velocity of its own.
    Barrier([f64; 3]),
}

/// A contact as the search found it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Touch {
    pub(super) key: Key,
    pub(super) side: Side,
    pub(super) against: Against,
    pub(super) point: [f64; 3],
    /// The way out for `side`, a unit vector.
    pub(super) normal: [f64; 3],
    /// Negative where it lives on beside the surface.
    pub(super) depth: f64,
    /// k of the header.
    pub(super) stiffness: f64,
    pub(super) surface: SurfaceMaterial,
}

/// What a barrier that is free to move feels in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recoil {
    pub(super) mobility: Mobility,
    /// On it, and about its centre of mass.
    force: Vector<3>,
    torque: Vector<3>,
}

impl Recoil {
    pub(super) fn new(mobility: Mobility) -> Self {
        Self {
            mobility,
            force: Vector::zeros(),
            torque: Vector::zeros(),
        }
    }

    fn acceleration(&self, point: &Point<3>) -> Vector<3> {
        self.mobility.acceleration(point, &self.force, &self.torque)
    }

    fn push(&mut self, point: &Point<3>, force: &Vector<3>) {
        self.force += force;
        self.torque += (point - self.mobility.centre).cross(force);
    }
}

/// How the two sides of a contact move against each other but for its own force.
struct Approach {
    velocity: Vector<3>,
    acceleration: Vector<3>,
    /// 1/m of the header, along the normal, and no less than it in any direction.
    mobility: f64,
    largest_mobility: f64,
    /// Velocity that a first touch gives back along the normal, as a share of that of approach.
    restitution: Option<f64>,
}

impl Solids {
    /// Adds the forces of contacts to their two sides; returns those on their near sides.
    pub(super) fn press(
        &mut self,
        touches: &[Touch],
        recoil: &mut Recoil,
        dt: f64,
    ) -> Vec<Vector<3>> {
        let mut contacts: Vec<Contact> = touches.iter().map(|touch| self.contact(touch)).collect();
        // The forces of the last step are a good guess.
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

        contacts.iter().for_each(|contact| self.remember(contact));
        contacts
            .iter()
            .map(|contact| contact.response.force)
            .collect()
    }

    /// A contact before it has a force in this step.
    fn contact(&self, touch: &Touch) -> Contact {
        let held = self.gripped.binary_search_by_key(&touch.key, Grip::key);
        let old = held.ok().map(|place| self.gripped[place]);
        let Zero { depth: zero, fades } = Zero::of(touch, old.as_ref(), self.is_first_step());
        Contact {
            touch: *touch,
            zero,
            fades,
            bounces: old.is_none() && fades,
            spring: old.map_or_else(Spring::default, |grip| grip.spring),
            response: Response {
                force: old.map_or_else(Vector::zeros, |grip| grip.force(touch)),
                ..Response::default()
            },
        }
    }

    fn push(&mut self, touch: &Touch, recoil: &mut Recoil, force: &Vector<3>) {
        touch.side.push(&mut self.solids, force);
        match &touch.against {
            Against::Solid(side) => side.push(&mut self.solids, &-force),
            Against::Barrier(_) => recoil.push(&touch.point.into(), &-force),
        }
    }

    fn remember(&mut self, contact: &Contact) {
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
        });
        self.gripping.push(Grip {
            spring: response.spring,
            zero: contact.zero,
            fades: contact.fades,
            pressed: response.pressed,
            touch: *touch,
        });

        self.lines.push(touch.line(&-response.force));
    }

    /// Adds the contacts that pushed in the last step and that the search has not found now, because their points have
    /// just left; those with whom `is_due` says.
    pub(super) fn linger(
        &self,
        touches: &mut Vec<Touch>,
        dt: f64,
        is_due: impl Fn(&Key) -> bool,
        velocity_at: impl Fn(&Point<3>) -> Vector<3>,
    ) {
        let mut keys: Vec<Key> = touches.iter().map(|touch| touch.key).collect();
        keys.sort_unstable();
        let left = |grip: &&Grip| {
            is_due(&grip.key()) && grip.pressed > 0.0 && keys.binary_search(&grip.key()).is_err()
        };

        for grip in self.gripped.iter().filter(left) {
            let mut touch = grip.touch;
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
                    *velocity = velocity_at(&point).into();
                    // The velocities are those that brought the points here.
                    let way = self.relative_velocity(&touch.side, &touch.against) * dt;
                    touch.depth -= way.dot(&Vector::from(touch.normal));
                    touch.depth <= 0.0
                }
            };

            if lives_on {
                touches.push(touch);
            }
        }
    }

    fn approach(&self, contact: &Contact, recoil: &Recoil) -> Approach {
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

    /// Velocity of the near side of a contact against the far one.
    fn relative_velocity(&self, side: &Side, against: &Against) -> Vector<3> {
        let far = match against {
            Against::Solid(side) => side.velocity(&self.solids),
            Against::Barrier(velocity) => Vector::from(*velocity),
        };
        side.velocity(&self.solids) - far
    }

    /// Books what the pushes of this step took; what springs hold is not lost.
    pub(super) fn book(&mut self, dt: f64) {
        let spent = |pushed: &Pushed| {
            -pushed
                .force
                .dot(&self.relative_velocity(&pushed.side, &pushed.against))
                * dt
        };
        let spent: f64 = self.pushed.iter().map(spent).sum();
        let held = |grips: &[Grip]| grips.iter().map(Grip::energy).sum::<f64>();

        self.dissipated += spent + held(&self.gripped) - held(&self.gripping);
    }
}

/// The depth at which a contact has no force.
struct Zero {
    depth: f64,
    fades: bool,
}

impl Zero {
    fn of(touch: &Touch, old: Option<&Grip>, is_first_step: bool) -> Self {
        let Some(old) = old else {
            return Self {
                depth: touch.depth.max(0.0),
                fades: !is_first_step,
            };
        };
        // Deeper than the last step's force accounts for, by other contacts of the same nodes: to push that out within a
        // step would shoot the nodes off.
        let expected = (2.0 * old.pressed / touch.stiffness).sqrt();
        let faded = if old.fades {
            old.zero * FADE + (touch.depth - old.zero - expected).max(0.0)
        } else {
            old.zero
        };

        Self {
            depth: faded.min(touch.depth).max(0.0),
            fades: old.fades,
        }
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
            point: self.point.into(),
            force: *force,
            depth: self.depth.max(0.0),
        }
    }
}

/// A contact in a step.
struct Contact {
    touch: Touch,
    zero: f64,
    fades: bool,
    /// Whether it is first seen.
    bounces: bool,
    /// Friction's spring at the start of the step.
    spring: Spring,
    response: Response,
}

/// What a contact does in a step.
#[derive(Default)]
struct Response {
    force: Vector<3>,
    spring: Spring,
    /// Energy in the spring along the normal.
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

    // The motion until the end of the coming step without a force here.
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

    // The spring turns with the surface.
    let held = Vector::from(spring.stretch);
    let stretched = held - normal * held.dot(normal) + sliding;
    let pull = stretched * (soft / (1.0 + soft * dt * dt * largest_mobility));
    let most = touch.surface.friction * pressure;
    let size = pull.norm();
    let pull = if size > most {
        pull * (most / size)
    } else {
        pull
    };

    Response {
        force: normal * pressure - pull,
        spring: Spring {
            stretch: (pull / soft).into(),
            stiffness: soft,
        },
        pressed,
    }
}
