//! The force between two overlapping bodies.
//!
//! Elastic force: stiffness times the area or volume of the intersection, along the mean normal, at
//! the centroid of the intersection, as in the granular codes of [Schinner1997, "calculate
//! overlap", "do the physics"]. Against a half-space this is the buoyancy of a fluid, which has a
//! potential for any shape: an undamped bounce conserves energy. For flat contacts it is the linear
//! spring k A. Between two arbitrary bodies there is no exact potential, because the same
//! intersection may be wide during approach and narrow during separation. Twelve undamped
//! collisions of hulls changed their energy by −3 % to +0.05 %.
//!
//! Damping: with F the elastic force, U the energy of compressing the bodies along the normal, and
//! m their effective mass there, the dashpot is 2ζ√m F/√(2U). With z = √(2U) as the coordinate and
//! time scaled by F/(z√m), any contact is then the linear oscillator of damping ratio ζ, as Hertz's
//! is in `law/damping.rs`. It bounces with the restitution e of that ratio whether flat, on an
//! edge, on a corner, or round. U = ½ k ∫ t² dA, with t the thickness of the intersection along the
//! normal, is exact for half-spaces; otherwise U is that of a power of the depth. The dashpot never
//! reverses the velocity within a step. Where two bodies touch in several places, 1/m of one is the
//! acceleration there due to the elastic forces of all of them, per newton of its own: on two feet a
//! body bounces as on one, whatever its inertia.
//!
//! For bodies with corners the section also damps rocking, like a disc of its area or a line of its
//! length. For balls it does not, as that would brake rolling. Friction: springs along the section
//! and about its normal, with history and a common Coulomb limit (`patch.rs`). Rolling: a spring
//! with the limit μᵣ R* N [Ai2011]. Contacts never pull.
//!
//! The energy in a contact with a half-space is its potential. For other contacts it is the energy
//! put in and not yet returned; the remainder counts as dissipated when the contact ends.
//!
//! Dissipation is computed after the kick, with the mid-step velocity ([`Push::spent`]). With the
//! velocities before the kick, the loss of a bounce with restitution 0.3 would be some percent too
//! high.

use super::patch::Limit;
use crate::law::{ROLL_STIFFNESS, TangentSpring, at_most, damping_ratio};
use impinge::space::{Matrix, Vector};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Contact stiffness: pressure per metre of depth, N/m³ in 3D and N/m² in 2D.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[doc(alias = "penalty stiffness")]
pub enum ContactStiffness {
    /// The same for all pairs.
    Given(f64),
    /// Young's modulus (in 2D times a thickness of one metre) divided by the size of the pair: the
    /// harmonic mean of the two bodies' sizes, or the size of the free one.
    Young(f64),
}

impl ContactStiffness {
    /// Returns the stiffness for a pair of this size.
    pub(super) fn of(self, size: f64) -> f64 {
        match self {
            Self::Given(stiffness) => stiffness,
            Self::Young(young) => young / size.max(f64::MIN_POSITIVE),
        }
    }

    fn number(self) -> f64 {
        match self {
            Self::Given(number) | Self::Young(number) => number,
        }
    }
}

/// The contact law of rigid bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidLaw {
    /// Stiffness of the contacts.
    pub stiffness: ContactStiffness,
    /// Coefficient of restitution, from 0 to 1.
    pub restitution: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Rolling friction coefficient μᵣ: the rolling resistance torque is at most μᵣ R* N. For balls
    /// 1/R* = 1/R₁ + 1/R₂. Bodies with corners count as the ball of the same volume, the smaller
    /// one if there are two.
    pub rolling: f64,
}

impl Default for RigidLaw {
    fn default() -> Self {
        Self {
            stiffness: ContactStiffness::Given(1e8),
            restitution: 0.3,
            friction: 0.5,
            rolling: 0.0,
        }
    }
}

/// The laws of all pairs of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidLaws {
    materials: usize,
    laws: Vec<Damped>,
}

/// A law with the damping ratio for its restitution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Damped {
    pub(super) law: RigidLaw,
    pub(super) ratio: f64,
}

impl From<RigidLaw> for Damped {
    fn from(law: RigidLaw) -> Self {
        let ratio = match law.fault() {
            None => damping_ratio(law.restitution),
            Some(_) => 0.0,
        };
        Self { law, ratio }
    }
}

impl From<RigidLaw> for RigidLaws {
    /// One material, with index 0.
    fn from(law: RigidLaw) -> Self {
        Self {
            materials: 1,
            laws: vec![law.into()],
        }
    }
}

impl RigidLaws {
    /// Creates the laws of all pairs of materials; `law` is called with the lower index first.
    pub fn of(materials: usize, law: impl Fn(usize, usize) -> RigidLaw) -> Self {
        let pairs = (0..materials).flat_map(|a| (0..materials).map(move |b| (a.min(b), a.max(b))));
        Self {
            materials,
            laws: pairs.map(|(a, b)| law(a, b).into()).collect(),
        }
    }

    /// Returns the number of materials.
    pub fn materials(&self) -> usize {
        self.materials
    }

    /// Returns the law of two materials.
    pub fn between(&self, a: usize, b: usize) -> &RigidLaw {
        &self.damped(a, b).law
    }

    pub(super) fn damped(&self, a: usize, b: usize) -> &Damped {
        &self.laws[a * self.materials + b]
    }

    /// Returns the largest contact stiffness that a material can have at a size.
    pub(super) fn stiffest(&self, material: usize, size: f64) -> f64 {
        (0..self.materials)
            .map(|other| self.between(material, other).stiffness.of(size))
            .fold(0.0, f64::max)
    }

    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.laws.is_empty() {
            return Some("the list of materials is empty");
        }
        self.laws.iter().find_map(|damped| damped.law.fault())
    }
}

/// Ratio of tangential to normal stiffness: about that of bodies with Poisson's ratio 0.3.
const TANGENTIAL: f64 = 0.8;

/// Upper limit of the damping ratio of tangential springs and of rocking: a larger ratio would not
/// settle them sooner.
const CRITICAL: f64 = 1.0;

/// Damping ratio of the rolling spring. Without damping a heap at rest would rock forever.
const ROLL_DAMPING: f64 = 0.3;

impl RigidLaw {
    /// Returns what is wrong with it, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let numbers = [
            self.stiffness.number(),
            self.restitution,
            self.friction,
            self.rolling,
        ];
        match self {
            _ if !numbers.iter().all(|x| x.is_finite()) => {
                Some("a number of the contact law is not finite")
            }
            _ if self.stiffness.number() <= 0.0 => Some("the stiffness is not positive"),
            _ if !(0.0..=1.0).contains(&self.restitution) => {
                Some("the restitution is not in [0, 1]")
            }
            _ if self.friction < 0.0 => Some("the friction is negative"),
            _ if self.rolling < 0.0 => Some("the rolling friction is negative"),
            _ => None,
        }
    }
}

/// The law's input for two bodies in contact. Velocities and forces are those of the second
/// relative to the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Area or volume of the intersection, minus the excluded initial overlap.
    pub(super) measure: f64,
    /// Length or area of the section.
    pub(super) section: f64,
    /// Energy of compression divided by the force: half the depth for flat contacts.
    pub(super) lever: f64,
    /// Unit vector from the first to the second.
    pub(super) normal: Vector<3>,
    /// Whether the elastic force has the potential given by the lever.
    pub(super) is_exact: bool,
    /// Dimension of the world.
    pub(super) dimension: usize,
    /// Pressure per metre of depth.
    pub(super) stiffness: f64,
    /// Whether one of them is a ball or nearly one: it rolls and does not rock.
    pub(super) is_round: bool,
    /// R* for rolling resistance.
    pub(super) radius: f64,
    /// Effective mass of the pair, m₁m₂/(m₁ + m₂).
    pub(super) mass: f64,
    /// Mobility: the relative acceleration at the contact per unit force, and the relative angular
    /// acceleration per unit torque.
    pub(super) mobility: Matrix<3>,
    pub(super) turning: Matrix<3>,
    /// The same along the normal while all contacts of the two bodies push.
    pub(super) yielding: f64,
    /// Whether the contact is new in this step.
    pub(super) is_new: bool,
    /// Number of pairs that damp the motion of the two bodies.
    pub(super) sharing: f64,
    pub(super) velocity: Vector<3>,
    pub(super) spin: Vector<3>,
}

impl Touch {
    /// Returns the stiffness relative to a flat contact with this section; 1 for flat ones.
    fn flatness(&self) -> f64 {
        if self.section > 0.0 && self.lever > 0.0 {
            (self.measure / (2.0 * self.lever * self.section)).min(1.0)
        } else {
            1.0
        }
    }

    /// Limits a dashpot to what stops the motion within a step and leaves the other contacts their
    /// share. The mobility is the one along its direction.
    fn bounded(&self, damping: f64, mobility: f64, dt: f64) -> f64 {
        damping.min(1.0 / (self.sharing * mobility * dt))
    }

    /// Returns the duration of a dashpot's action in kicks: new contacts have existed for less, or
    /// more, than the interval from half a step ago to half a step ahead.
    fn entered(&self, dt: f64) -> f64 {
        let closing = -self.normal.dot(&self.velocity);
        if self.is_new && closing > 0.0 {
            (0.5 + 2.0 * self.lever / (closing * dt)).min(1.5)
        } else {
            1.0
        }
    }

    /// Returns the radius of the disc with the section's area; zero in 2D, where there is no twist.
    fn radius_of_section(&self) -> f64 {
        match self.dimension {
            2 => 0.0,
            _ => (self.section / PI).sqrt(),
        }
    }

    /// Returns the mean tangential mobility.
    fn slipping(&self) -> f64 {
        match self.dimension {
            2 => {
                let along = Vector::<3>::new(-self.normal.y, self.normal.x, 0.0);
                along.dot(&(self.mobility * along))
            }
            _ => {
                let along_normal = self.normal.dot(&(self.mobility * self.normal));
                0.5 * (self.mobility.trace() - along_normal)
            }
        }
    }

    /// Returns the rotational mobility about the normal, and the mean one about axes in the
    /// section.
    fn twisting(&self) -> f64 {
        self.normal.dot(&(self.turning * self.normal))
    }

    fn tilting(&self) -> f64 {
        match self.dimension {
            2 => self.turning[(2, 2)],
            _ => 0.5 * (self.turning.trace() - self.twisting()),
        }
    }

    fn along(&self, v: &Vector<3>) -> Vector<3> {
        v - self.normal * self.normal.dot(v)
    }
}

/// The law's output; forces act on the second body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Push {
    pub(super) force: Vector<3>,
    /// Torque in addition to that of the force at the centroid.
    pub(super) torque: Vector<3>,
    /// The friction springs, for the next step.
    pub(super) spring: Spring,
    /// The elastic, conservative part of the force.
    pub(super) elastic: Vector<3>,
    /// The energy it stores, if that follows from the positions of the bodies.
    pub(super) pressed: Option<f64>,
}

/// The friction springs: along the section, about its normal, and of rolling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Spring {
    slide: TangentSpring,
    twist: f64,
    twist_stiffness: f64,
    roll: TangentSpring,
}

impl Spring {
    /// Returns the energy stored in the springs.
    pub(super) fn stored(&self) -> f64 {
        self.slide.energy()
            + 0.5 * self.twist_stiffness * self.twist * self.twist
            + self.roll.energy()
    }
}

impl Push {
    /// Returns the energy that goes into damping, friction and its springs while the bodies move
    /// with these relative velocities for a time.
    pub(super) fn spent(&self, velocity: &Vector<3>, spin: &Vector<3>, dt: f64) -> f64 {
        -((self.force - self.elastic).dot(velocity) + self.torque.dot(spin)) * dt
    }
}

/// Computes the contact force; `spring` is the state of the springs one step ago.
pub(super) fn push(damped: &Damped, touch: &Touch, spring: &Spring, dt: f64) -> Push {
    let Damped { law, ratio } = damped;
    let stiffness = touch.stiffness * touch.section * touch.flatness();
    let elastic = touch.stiffness * touch.measure;
    let pressing = pressing(touch, *ratio, stiffness, elastic, dt);

    let (rubbing, twisting, mut spring) = rub(law, *ratio, touch, spring, pressing, dt);
    let mut torque = touch.normal * twisting;
    if pressing > 0.0 {
        let (rolling, after) = roll(law, touch, &spring, stiffness, pressing, dt);
        torque += rolling + rocking(touch, *ratio, pressing, dt);
        spring = after;
    } else {
        spring.roll = TangentSpring::default();
    }

    Push {
        force: touch.normal * pressing + rubbing,
        torque,
        spring,
        elastic: touch.normal * elastic,
        pressed: touch.is_exact.then_some(elastic * touch.lever),
    }
}

/// Computes the normal force: elastic plus damping, never negative.
fn pressing(touch: &Touch, ratio: f64, stiffness: f64, elastic: f64, dt: f64) -> f64 {
    let mobility = touch.yielding;
    let damping = 2.0 * ratio * (stiffness / mobility).sqrt();

    // The velocity is that of half a step ago. A kick −y v with y = 1 − exp(−x) decays like a
    // dashpot of x = c dt/m, and makes the spring stiffer by 1 + x/2; this x compensates for that
    // in the damping ratio.
    let x = damping * mobility * dt;
    let x = x * (0.25 * x + (1.0 + x * x / 16.0).sqrt());
    let kicked = (1.0 - (-x).exp()) * touch.entered(dt) / (mobility * dt);
    let opening = touch.normal.dot(&touch.velocity);
    (elastic - touch.bounded(kicked, mobility, dt) * opening).max(0.0)
}

/// Computes force and torque of the springs along the section and about its normal, and of their
/// dashpots, within Coulomb's limit.
fn rub(
    law: &RigidLaw,
    ratio: f64,
    touch: &Touch,
    spring: &Spring,
    pressing: f64,
    dt: f64,
) -> (Vector<3>, f64, Spring) {
    let stiffness = TANGENTIAL * touch.stiffness * touch.section;
    if stiffness == 0.0 {
        let spring = Spring {
            roll: spring.roll,
            ..Spring::default()
        };
        return (Vector::zeros(), 0.0, spring);
    }

    let limit = Limit {
        force: law.friction * pressing,
        radius: touch.radius_of_section(),
    };
    let arm = 0.5 * limit.radius * limit.radius;
    let sliding = touch.along(&touch.velocity);
    let twisting = touch.normal.dot(&touch.spin);

    // The springs alone never exceed Coulomb's limit: if a damper stretched them at first contact,
    // they would create energy as the section grows.
    let drawn = spring.slide.drawn(&touch.normal, &(sliding * dt));
    let turned = spring.twist + twisting * dt;
    let (pull, torque) = limit.on(-(drawn * stiffness), -(turned * stiffness * arm));

    let ratio = ratio.min(CRITICAL);
    // Uses the mass of the bodies, although the surface point is more compliant, so that bodies that
    // sway as a whole come to rest too.
    let damping = 2.0 * ratio * (stiffness * touch.mass).sqrt();
    let damping = touch.bounded(damping, touch.slipping(), dt);
    let braking = touch.bounded(damping * arm, touch.twisting(), dt);
    let force = limit.on(pull - sliding * damping, torque - twisting * braking);
    let spring = Spring {
        slide: TangentSpring::exerting(&pull, stiffness),
        twist: if arm > 0.0 {
            -torque / (stiffness * arm)
        } else {
            0.0
        },
        twist_stiffness: stiffness * arm,
        ..*spring
    };

    (force.0, force.1, spring)
}

/// Damps the rocking of bodies with corners, limited to what a pressure at the rim could exert. The
/// stiffness is that of the section's ∫ r² dA about an axis in it.
fn rocking(touch: &Touch, ratio: f64, pressing: f64, dt: f64) -> Vector<3> {
    let (arm, rim) = match touch.dimension {
        2 => (touch.section * touch.section / 12.0, 0.5 * touch.section),
        _ => (touch.section / (4.0 * PI), touch.radius_of_section()),
    };

    if touch.is_round {
        return Vector::zeros();
    }

    let (stiffness, tilting) = (touch.stiffness * touch.section * arm, touch.tilting());
    let damping = 2.0 * ratio.min(CRITICAL) * (stiffness / tilting).sqrt();
    at_most(
        touch.along(&touch.spin) * -touch.bounded(damping, tilting, dt),
        pressing * rim,
    )
}

/// Computes the rolling spring, k_r = 2.25 k_n μᵣ² R*² [Ai2011, eq. (18)], with its limit.
fn roll(
    law: &RigidLaw,
    touch: &Touch,
    spring: &Spring,
    stiffness: f64,
    pressing: f64,
    dt: f64,
) -> (Vector<3>, Spring) {
    let arm = law.rolling * touch.radius;
    if arm == 0.0 || stiffness == 0.0 {
        return (Vector::zeros(), *spring);
    }

    let (stiffness, most) = (ROLL_STIFFNESS * stiffness * arm * arm, arm * pressing);
    let rate = touch.along(&touch.spin);
    let drawn = spring.roll.drawn(&touch.normal, &(rate * dt));
    let pull = at_most(-(drawn * stiffness), most);
    let turning = touch.tilting();
    let damping = 2.0 * ROLL_DAMPING * (stiffness / turning).sqrt();
    let torque = at_most(pull - rate * touch.bounded(damping, turning, dt), most);
    let spring = Spring {
        roll: TangentSpring::exerting(&pull, stiffness),
        ..*spring
    };

    (torque, spring)
}

#[cfg(test)]
mod tests;
