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
        Self { stiffness: 1e8, restitution: 0.3, friction: 0.5 }
    }
}

/// Stiffness of the tangential spring, in those of the normal one: about that of bodies with Poisson's ratio 0.3.
const TANGENTIAL: f64 = 0.8;

impl RigidLaw {
    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let finite = [self.stiffness, self.restitution, self.friction].iter().all(|x| x.is_finite());
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
    pub(super) stretch: Vector<3>,
    /// Energy in the tangential spring.
    pub(super) stored: f64,
    /// Energy lost in the step.
    pub(super) lost: f64,
}

/// The push of a contact whose tangential spring was stretched like this a step ago.
pub(super) fn push(law: &RigidLaw, touch: &Touch, stretch: &Vector<3>, dt: f64) -> Push {
    let stiffness = law.stiffness * touch.section;
    let damping = 2.0 * law.damping() * (touch.mass * stiffness).sqrt();
    let opening = touch.normal.dot(&touch.velocity);
    let elastic = law.stiffness * touch.measure;
    let pressing = (elastic - damping * opening).max(0.0);
    let rub = rub(law, touch, stretch, pressing, dt);
    let torque = if pressing > 0.0 {
        rocking(touch, damping) + twisting(law, touch, damping, pressing)
    } else {
        Vector::zeros()
    };
    let spent = (elastic - pressing) * opening * dt - torque.dot(&touch.spin) * dt;
    Push {
        force: touch.normal * pressing + rub.force,
        torque,
        stretch: rub.stretch,
        stored: rub.stored,
        lost: spent + rub.lost,
    }
}

/// The tangential spring with Coulomb's limit.
fn rub(law: &RigidLaw, touch: &Touch, stretch: &Vector<3>, pressing: f64, dt: f64) -> Push {
    let stiffness = TANGENTIAL * law.stiffness * touch.section;
    if stiffness == 0.0 {
        return Push::default();
    }
    let damping = 2.0 * law.damping() * (touch.mass * stiffness).sqrt();
    let along = |v: &Vector<3>| v - touch.normal * touch.normal.dot(v);
    let sliding = along(&touch.velocity);
    // The plane of the contact has turned a little; the spring turns with it and keeps its length.
    let flat = along(stretch);
    let kept = if flat.norm() > 0.0 { flat * (stretch.norm() / flat.norm()) } else { flat };
    let drawn = kept + sliding * dt;
    let most = law.friction * pressing;
    // The spring alone never holds more than Coulomb allows: stretched by a damper at the first touch, it would gain
    // energy from nothing as the section grows.
    let spring = at_most(-(drawn * stiffness), most);
    let force = at_most(spring - sliding * damping, most);
    let stretch = -spring / stiffness;
    let energy = |s: &Vector<3>| 0.5 * stiffness * s.norm_squared();
    let lost = -force.dot(&sliding) * dt - (energy(&stretch) - energy(&kept));
    Push { force, stretch, stored: energy(&stretch), lost, ..Push::default() }
}

/// A vector, or as much of it as is allowed.
fn at_most(v: Vector<3>, most: f64) -> Vector<3> {
    let length = v.norm();
    if length > most { v * (most / length) } else { v }
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
            dimension: 3,
            mass: 2.0,
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
        }
    }

    #[test]
    fn bodies_at_rest_are_pushed_by_stiffness_times_overlap() {
        let found = push(&RigidLaw::default(), &touch(), &Vector::zeros(), 1e-5);
        assert!((found.force - Vector::z() * 1e4).norm() < 1e-9);
        assert_eq!((found.lost, found.torque.norm()), (0.0, 0.0));
    }

    #[test]
    fn bodies_that_part_fast_do_not_pull() {
        let parting = Touch { velocity: Vector::<3>::new(1.0, 0.0, 100.0), spin: Vector::z(), ..touch() };
        let found = push(&RigidLaw::default(), &parting, &Vector::zeros(), 1e-5);
        assert_eq!((found.force.norm(), found.torque.norm()), (0.0, 0.0));
    }

    #[test]
    fn friction_grows_with_the_way_to_coulombs_limit_and_stays_there() {
        let (law, sliding) = (RigidLaw::default(), Touch { velocity: Vector::x() * 0.01, ..touch() });
        let mut stretch = Vector::zeros();
        let mut last = 0.0;
        for _ in 0..10_000 {
            let found = push(&law, &sliding, &stretch, 1e-5);
            stretch = found.stretch;
            let rubbing = -found.force.x;
            assert!(rubbing >= last - 1e-9 && rubbing <= law.friction * found.force.z + 1e-9);
            assert!(found.lost >= -1e-12);
            last = rubbing;
        }
        assert!((last - 0.5e4).abs() < 1e-6, "{last}");
    }

    #[test]
    fn bad_numbers_are_named() {
        let law = RigidLaw::default();
        assert_eq!(law.fault(), None);
        assert_eq!(RigidLaw { stiffness: -1.0, ..law }.fault(), Some("the stiffness is not positive"));
        assert_eq!(RigidLaw { restitution: 0.0, ..law }.fault(), Some("the restitution is not in (0, 1]"));
        assert!(RigidLaw { friction: f64::NAN, ..law }.fault().is_some());
    }
}
