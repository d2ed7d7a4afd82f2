//! The force between two bodies that overlap.
//!
//! Elastic: stiffness times the area or volume in common, along the mean normal, at the centroid of the common part, as in
//! the granular codes of [Schinner1997, "calculate overlap", "do the physics"]. Against a half-space this is the lift of a
//! fluid, which has a potential, whatever the shape: a bounce without damping keeps its energy. Flat on flat it is the
//! linear spring k A. Between two bodies of any shape it has no exact potential, as the same common part may be wide on the way
//! in and narrow on the way out: twelve collisions of hulls without damping changed their energy by −3 % to +0.05 %.
//!
//! Damping: of the linear spring k A of the section A, critical by the share ζ = −ln e/√(π² + ln² e), so that flat bodies
//! bounce with the restitution e; the section damps rocking as well, as a disc of its area or a line of its length does.
//! Friction: a tangential spring that remembers where it started, Coulomb's limit on it, and a limit on twisting.
//! Bodies never pull on each other.
//!
//! The energy in a contact is its potential against a half-space; against others it is what was put into it and not given
//! back, and what is left of that when the contact ends is lost.
//!
//! What is lost is told where the velocities are known that the push works with: after the kick, [`Push::spent`]. With
//! those before it the loss of a bounce with the restitution 0.3 would be told by some percent too high.

use super::plain;
use impinge::space::Vector;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// How rigid bodies push each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidLaw {
    /// Pressure for each metre of depth: N/m³ in space, N/m² in the plane.
    pub stiffness: f64,
    /// Speed after over speed before a flat bounce, from above 0 to 1.
    pub restitution: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
}

impl Default for RigidLaw {
    fn default() -> Self {
        Self {
            stiffness: 1e8,
            restitution: 0.3,
            friction: 0.5,
        }
    }
}

/// The laws of all pairs of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidLaws {
    materials: usize,
    laws: Vec<RigidLaw>,
}

impl From<RigidLaw> for RigidLaws {
    /// One material, numbered 0.
    fn from(law: RigidLaw) -> Self {
        Self {
            materials: 1,
            laws: vec![law],
        }
    }
}

impl RigidLaws {
    /// The laws of so many materials, of which `law` tells that of two; it is asked with the lower number first.
    pub fn of(materials: usize, law: impl Fn(usize, usize) -> RigidLaw) -> Self {
        let pairs = (0..materials).flat_map(|a| (0..materials).map(move |b| (a.min(b), a.max(b))));
        Self {
            materials,
            laws: pairs.map(|(a, b)| law(a, b)).collect(),
        }
    }

    /// Number of materials.
    pub fn materials(&self) -> usize {
        self.materials
    }

    /// The law of two materials.
    pub fn between(&self, a: usize, b: usize) -> &RigidLaw {
        &self.laws[a * self.materials + b]
    }

    /// The stiffest contact that a material can have.
    pub(super) fn stiffest(&self, material: usize) -> f64 {
        (0..self.materials)
            .map(|other| self.between(material, other).stiffness)
            .fold(0.0, f64::max)
    }

    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.laws.is_empty() {
            return Some("there is no material");
        }
        self.laws.iter().find_map(RigidLaw::fault)
    }
}

/// Stiffness of the tangential spring, in those of the normal one: about that of bodies with Poisson's ratio 0.3.
const TANGENTIAL: f64 = 0.8;

impl RigidLaw {
    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let finite = [self.stiffness, self.restitution, self.friction]
            .iter()
            .all(|x| x.is_finite());
        match self {
            _ if !finite => Some("a number of the contact law is not finite"),
            _ if self.stiffness <= 0.0 => Some("the stiffness is not positive"),
            _ if !(self.restitution > 0.0 && self.restitution <= 1.0) => {
                Some("the restitution is not in (0, 1]")
            }
            _ if self.friction < 0.0 => Some("the friction is negative"),
            _ => None,
        }
    }

    /// Share of critical damping that gives the restitution.
    fn damping(&self) -> f64 {
        let ln = self.restitution.ln();
        -ln / (PI * PI + ln * ln).sqrt()
    }
}

/// Two bodies in contact, as the law sees them. Velocities and forces are those of the second against the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Area or volume in common.
    pub(super) measure: f64,
    /// Length or area of the section.
    pub(super) section: f64,
    /// Unit vector from the first to the second.
    pub(super) normal: Vector<3>,
    /// Elastic energy for a stiffness of one, where it is known.
    pub(super) energy: Option<f64>,
    /// Dimension of the world.
    pub(super) dimension: usize,
    /// Mass of the pair, m₁m₂/(m₁ + m₂).
    pub(super) mass: f64,
    pub(super) velocity: Vector<3>,
    pub(super) spin: Vector<3>,
}

/// What the law answers; forces on the second body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Push {
    pub(super) force: Vector<3>,
    /// Beside that of the force at the centroid.
    pub(super) torque: Vector<3>,
    /// The tangential spring, for the next step.
    pub(super) spring: Spring,
    /// The elastic part of the force, which gives back what it takes.
    pub(super) elastic: Vector<3>,
    /// The energy that it has taken, where that follows from where the bodies are.
    pub(super) pressed: Option<f64>,
}

/// A tangential spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Spring {
    #[serde(with = "plain")]
    pub(super) stretch: Vector<3>,
    pub(super) stiffness: f64,
}

impl Spring {
    /// Energy in it.
    pub(super) fn stored(&self) -> f64 {
        0.5 * self.stiffness * self.stretch.norm_squared()
    }
}

impl Push {
    /// Energy that goes into damping, friction and the tangential spring while the bodies move against each other like
    /// this for a time.
    pub(super) fn spent(&self, velocity: &Vector<3>, spin: &Vector<3>, dt: f64) -> f64 {
        -((self.force - self.elastic).dot(velocity) + self.torque.dot(spin)) * dt
    }
}

/// The push of a contact whose tangential spring was like this a step ago.
pub(super) fn push(law: &RigidLaw, touch: &Touch, spring: &Spring, dt: f64) -> Push {
    let stiffness = law.stiffness * touch.section;
    let damping = 2.0 * law.damping() * (touch.mass * stiffness).sqrt();
    let opening = touch.normal.dot(&touch.velocity);
    let elastic = law.stiffness * touch.measure;
    let pressing = (elastic - damping * opening).max(0.0);
    let (rubbing, spring) = rub(law, touch, spring, pressing, dt);
    let torque = if pressing > 0.0 {
        rocking(touch, damping) + twisting(law, touch, damping, pressing)
    } else {
        Vector::zeros()
    };
    Push {
        force: touch.normal * pressing + rubbing,
        torque,
        spring,
        elastic: touch.normal * elastic,
        pressed: touch.energy.map(|energy| law.stiffness * energy),
    }
}

/// The tangential spring with Coulomb's limit.
fn rub(
    law: &RigidLaw,
    touch: &Touch,
    spring: &Spring,
    pressing: f64,
    dt: f64,
) -> (Vector<3>, Spring) {
    let stiffness = TANGENTIAL * law.stiffness * touch.section;
    if stiffness == 0.0 {
        return (Vector::zeros(), Spring::default());
    }
    let damping = 2.0 * law.damping() * (touch.mass * stiffness).sqrt();
    let along = |v: &Vector<3>| v - touch.normal * touch.normal.dot(v);
    let sliding = along(&touch.velocity);
    // The plane of the contact has turned a little; the spring turns with it and keeps its length.
    let flat = along(&spring.stretch);
    let kept = if flat.norm() > 0.0 {
        flat * (spring.stretch.norm() / flat.norm())
    } else {
        flat
    };
    let drawn = kept + sliding * dt;
    let most = law.friction * pressing;
    // The spring alone never holds more than Coulomb allows: stretched by a damper at the first touch, it would gain
    // energy from nothing as the section grows.
    let pull = at_most(-(drawn * stiffness), most);
    let force = at_most(pull - sliding * damping, most);
    (
        force,
        Spring {
            stretch: -pull / stiffness,
            stiffness,
        },
    )
}

/// A vector, or as much of it as is allowed.
fn at_most(v: Vector<3>, most: f64) -> Vector<3> {
    let length = v.norm();
    if length > most {
        v * (most / length)
    } else {
        v
    }
}

/// Damping of rocking: ∫ r² dA of the section over A, about an axis in it.
fn rocking(touch: &Touch, damping: f64) -> Vector<3> {
    let spin = touch.spin - touch.normal * touch.normal.dot(&touch.spin);
    let arm = match touch.dimension {
        2 => touch.section * touch.section / 12.0,
        _ => touch.section / (4.0 * PI),
    };
    spin * (-damping * arm)
}

/// Damping of twisting about the normal, at most what Coulomb allows a disc: ⅔ μ N r.
fn twisting(law: &RigidLaw, touch: &Touch, damping: f64, pressing: f64) -> Vector<3> {
    let rate = touch.normal.dot(&touch.spin);
    let most = 2.0 / 3.0 * law.friction * pressing * (touch.section / PI).sqrt();
    touch.normal * (-damping * touch.section / (2.0 * PI) * rate).clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch() -> Touch {
        Touch {
            measure: 1e-4,
            section: 0.1,
            normal: Vector::z(),
            energy: None,
            dimension: 3,
            mass: 2.0,
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
        }
    }

    #[test]
    fn bodies_at_rest_are_pushed_by_stiffness_times_overlap() {
        let found = push(&RigidLaw::default(), &touch(), &Spring::default(), 1e-5);
        assert!((found.force - Vector::z() * 1e4).norm() < 1e-9);
        assert_eq!(
            (found.force, found.torque),
            (found.elastic, Vector::zeros())
        );
    }

    #[test]
    fn bodies_that_part_fast_do_not_pull() {
        let parting = Touch {
            velocity: Vector::<3>::new(1.0, 0.0, 100.0),
            spin: Vector::z(),
            ..touch()
        };
        let found = push(&RigidLaw::default(), &parting, &Spring::default(), 1e-5);
        assert_eq!((found.force.norm(), found.torque.norm()), (0.0, 0.0));
    }

    #[test]
    fn friction_grows_with_the_way_to_coulombs_limit_and_stays_there() {
        let (law, sliding) = (
            RigidLaw::default(),
            Touch {
                velocity: Vector::x() * 0.01,
                ..touch()
            },
        );
        let mut spring = Spring::default();
        let mut last = 0.0;
        for _ in 0..10_000 {
            let found = push(&law, &sliding, &spring, 1e-5);
            let lost = found.spent(&sliding.velocity, &sliding.spin, 1e-5) + spring.stored()
                - found.spring.stored();
            spring = found.spring;
            let rubbing = -found.force.x;
            assert!(rubbing >= last - 1e-9 && rubbing <= law.friction * found.force.z + 1e-9);
            assert!(lost >= -1e-12);
            last = rubbing;
        }
        assert!((last - 0.5e4).abs() < 1e-6, "{last}");
    }

    #[test]
    fn bad_numbers_are_named() {
        let law = RigidLaw::default();
        assert_eq!(law.fault(), None);
        assert_eq!(
            RigidLaw {
                stiffness: -1.0,
                ..law
            }
            .fault(),
            Some("the stiffness is not positive")
        );
        assert_eq!(
            RigidLaw {
                restitution: 0.0,
                ..law
            }
            .fault(),
            Some("the restitution is not in (0, 1]")
        );
        assert!(
            RigidLaw {
                friction: f64::NAN,
                ..law
            }
            .fault()
            .is_some()
        );
    }
}
