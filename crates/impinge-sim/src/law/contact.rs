//! The force of one contact, the same for two spheres and for a sphere on an obstacle.

use super::table::Mixed;
use impinge::space::Vector;

/// One contact as its law sees it. Body a is pushed against the normal, body b along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Unit, from a to b.
    pub(crate) normal: Vector<3>,
    /// Overlap, positive.
    pub(crate) depth: f64,
    /// Of a against b, at the place of contact.
    pub(crate) velocity: Vector<3>,
    /// Spin of a less that of b.
    pub(crate) spin: Vector<3>,
    /// 1/m* = 1/m₁ + 1/m₂.
    pub(crate) inverse_mass: f64,
    /// 1/R* = 1/R₁ + 1/R₂; not read by the linear law without rolling.
    pub(crate) inverse_radius: f64,
}

/// What the law answers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Push {
    /// On a; on b the opposite.
    pub(crate) force: Vector<3>,
    /// On a, against rolling; on b the opposite. That of the force's lever comes on top.
    pub(crate) torque: Vector<3>,
    /// Energy lost in the step.
    pub(crate) lost: f64,
}

/// Stiffness and damping at this depth.
struct Coefficients {
    elastic: f64,
    damping: f64,
    tangential: f64,
    tangential_damping: f64,
}

#[inline(always)]
fn coefficients<const HERTZ: bool>(mixed: &Mixed, meeting: &Meeting) -> Coefficients {
    let mass = 1.0 / meeting.inverse_mass;
    if HERTZ {
        // The radius of the circle of contact.
        let a = (meeting.depth / meeting.inverse_radius).sqrt();
        let root = (mass * a).sqrt();
        Coefficients {
            elastic: 4.0 / 3.0 * mixed.normal * a * meeting.depth,
            damping: mixed.damping * root,
            tangential: 8.0 * mixed.tangential * a,
            tangential_damping: mixed.tangential_damping * root,
        }
    } else {
        let root = mass.sqrt();
        Coefficients {
            elastic: mixed.normal * meeting.depth,
            damping: mixed.damping * root,
            tangential: mixed.tangential,
            tangential_damping: mixed.tangential_damping * root,
        }
    }
}

/// The force of a contact; advances its tangential spring and, if it has one, its angle of rolling by a step. Whether the law
/// is Hertz's and whether anything rolls are known when compiled: the plainest contact costs half of the full one.
#[inline(always)]
pub(crate) fn push<const HERTZ: bool, const ROLL: bool>(
    mixed: &Mixed,
    meeting: &Meeting,
    spring: &mut Vector<3>,
    rolled: Option<&mut Vector<3>>,
    dt: f64,
) -> Push {
    let with = coefficients::<HERTZ>(mixed, meeting);
    let approach = meeting.velocity.dot(&meeting.normal);
    let pressure = (with.elastic + with.damping * approach).max(0.0);
    let slide = meeting.velocity - meeting.normal * approach;
    let mut lost = (pressure - with.elastic) * approach * dt;
    let mut force = meeting.normal * -pressure;
    if mixed.friction > 0.0 {
        let (friction, rubbed) = rub(&with, mixed.friction * pressure, &slide, &meeting.normal, spring, dt);
        force += friction;
        lost += rubbed;
    }
    let mut torque = Vector::zeros();
    if ROLL && mixed.rolling > 0.0 {
        let limit = mixed.rolling * pressure / meeting.inverse_radius;
        torque = match rolled {
            Some(angle) => roll_spring(mixed, &with, meeting, limit, angle, dt),
            None => roll_constant(meeting, limit, dt),
        };
        lost -= torque.dot(&meeting.spin) * dt;
    }
    Push { force, torque, lost }
}

/// Coulomb friction with a spring that is cut where it would pull harder than `limit`; the energy lost.
#[inline(always)]
fn rub(
    with: &Coefficients,
    limit: f64,
    slide: &Vector<3>,
    normal: &Vector<3>,
    spring: &mut Vector<3>,
    dt: f64,
) -> (Vector<3>, f64) {
    let before = spring.norm_squared();
    let mut stretched = *spring + slide * dt;
    // The contact has turned since the last step: what stands out of the tangent plane goes.
    stretched -= normal * stretched.dot(normal);
    let drag = slide * with.tangential_damping;
    let mut force = -(stretched * with.tangential + drag);
    let squared = force.norm_squared();
    if squared > limit * limit {
        force *= limit / squared.sqrt();
        if with.tangential > 0.0 {
            stretched = -(force + drag) / with.tangential;
        }
    }
    *spring = stretched;
    let stored = 0.5 * with.tangential * (stretched.norm_squared() - before);
    (force, -force.dot(slide) * dt - stored)
}

/// The part of a relative spin that rolls; the rest twists.
#[inline(always)]
fn roll_rate(meeting: &Meeting) -> Vector<3> {
    meeting.spin - meeting.normal * meeting.spin.dot(&meeting.normal)
}

/// At most half of what would stop the rolling within a step.
fn roll_constant(meeting: &Meeting, limit: f64, dt: f64) -> Vector<3> {
    let rate = roll_rate(meeting);
    let speed = rate.norm();
    if speed == 0.0 {
        return Vector::zeros();
    }
    rate * -(limit / speed).min(0.5 * inertia(meeting) / dt)
}

/// Damping of the rolling spring as a share of the critical one: without it a heap at rest would rock for ever.
const ROLL_DAMPING: f64 = 0.3;

/// k_r = 2.25 k_n μ_r² R*² with the normal stiffness k_n at this depth (Ai et al. 2011, eq. (18)).
fn roll_spring(
    mixed: &Mixed,
    with: &Coefficients,
    meeting: &Meeting,
    limit: f64,
    angle: &mut Vector<3>,
    dt: f64,
) -> Vector<3> {
    let arm = mixed.rolling / meeting.inverse_radius;
    let stiffness = 2.25 * arm * arm * with.elastic / meeting.depth;
    let rate = roll_rate(meeting);
    let mut rolled = *angle + rate * dt;
    rolled -= meeting.normal * rolled.dot(&meeting.normal);
    let torque = rolled * -stiffness;
    let size = torque.norm();
    if size > limit {
        *angle = rolled * (limit / size);
        return torque * (limit / size);
    }
    *angle = rolled;
    torque - rate * (2.0 * ROLL_DAMPING * (inertia(meeting) * stiffness).sqrt())
}

/// Of the rolling of both about the contact, as far as a sphere's spin goes.
fn inertia(meeting: &Meeting) -> f64 {
    0.4 / (meeting.inverse_mass * meeting.inverse_radius * meeting.inverse_radius)
}

/// Energy in the springs of a contact.
pub(crate) fn elastic_energy<const HERTZ: bool>(mixed: &Mixed, meeting: &Meeting, spring: &Vector<3>) -> f64 {
    let with = coefficients::<HERTZ>(mixed, meeting);
    let share = if HERTZ { 0.4 } else { 0.5 };
    share * with.elastic * meeting.depth + 0.5 * with.tangential * spring.norm_squared()
}
