//! The contact force, shared by sphere–sphere and sphere–obstacle contacts; evaluated for one
//! contact or for four at a time.

use super::jkr;
use super::real::{Real, Triple};
use super::spring::ROLL_STIFFNESS;
use super::table::{DMT, HERTZ, JKR, LINEAR, Mixed};

/// The input of the contact law. Body a is pushed against the normal, body b along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactInput<N = f64> {
    /// Unit normal, from a to b.
    pub(crate) normal: Triple<N>,
    /// Overlap depth; negative only where cohesion holds a contact together.
    pub(crate) depth: N,
    /// Velocity of a relative to b at the contact point.
    pub(crate) velocity: Triple<N>,
    /// Rate of change of the approach speed caused by the normal turning as the centres pass each
    /// other: the square of their tangential speed divided by their distance.
    pub(crate) swing: N,
    /// Angular velocity of a minus that of b.
    pub(crate) spin: Triple<N>,
    /// 1/m* = 1/m₁ + 1/m₂ of the colliding bodies.
    pub(crate) inverse_mass: N,
    /// 1/m* of the mass that a force moves immediately: the nodes under the contact if a body
    /// deforms.
    pub(crate) inverse_mass_here: N,
    /// 1/R* = 1/R₁ + 1/R₂; not read by the linear law without rolling.
    pub(crate) inverse_radius: N,
    /// The larger sum of [`Push::damped`] of the two bodies at the last step.
    pub(crate) damped: N,
    /// Positive if the contact began in this step. Only JKR reads it: his contacts swing between
    /// negative and positive depths, whereas others began whenever they had none a step ago.
    pub(crate) begun: N,
}

/// The output of the contact law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push<N = f64> {
    /// Force on a; b receives the opposite.
    pub(crate) force: Triple<N>,
    /// Rolling resistance torque on a; b receives the opposite. Excludes the torque of the force
    /// about the centre.
    pub(crate) torque: Triple<N>,
    /// Energy that the springs return in the step: their work along the normal, the decrease of
    /// their stored energy along the tangent. The energy that contacts take out of the motion, plus
    /// this, is dissipated.
    pub(crate) returned: N,
    /// Fraction of the relative velocity that the dashpots, without a limit, would remove in the
    /// step.
    pub(crate) damped: N,
}

/// Stiffness and damping at this depth.
struct Coefficients<N> {
    elastic: N,
    /// Elastic force at the last step.
    elastic_then: N,
    damping: N,
    tangential: N,
    /// Tangential stiffness at the last step.
    tangential_then: N,
    tangential_damping: N,
    /// Normal stiffness, without cohesion.
    secant: N,
    /// The amount that cohesion adds to the normal force in the limits of friction and rolling
    /// resistance.
    grip: N,
}

/// `is_new`: whether the contact began in this step, so that it had no force at the last.
#[inline(always)]
fn coefficients<N: Real, const LAW: u8>(
    mixed: &Mixed<N>,
    input: &ContactInput<N>,
    depth_then: N,
    is_new: N::Mask,
) -> Coefficients<N> {
    let mass = input.depth.like(1.0) / input.inverse_mass;
    let zero = mass.like(0.0);
    if LAW == LINEAR {
        let root = mass.root();
        return Coefficients {
            elastic: mixed.normal * input.depth,
            elastic_then: mixed.normal * depth_then,
            damping: mixed.damping * root,
            tangential: mixed.tangential,
            tangential_then: mixed.tangential,
            tangential_damping: mixed.tangential_damping * root,
            secant: mixed.normal,
            grip: zero,
        };
    }

    let [now, then] = [input.depth, depth_then].map(|depth| sphere::<N, LAW>(mixed, input, depth));
    let root = (mass * now.radius).root();
    Coefficients {
        elastic: now.force,
        elastic_then: match LAW {
            HERTZ => then.force,
            _ => N::choose(is_new, zero, then.force),
        },
        damping: mixed.damping * root,
        tangential: mixed.tangential * 8.0 * now.radius,
        tangential_then: mixed.tangential * 8.0 * then.radius,
        tangential_damping: mixed.tangential_damping * root,
        secant: mixed.normal * (4.0 / 3.0) * now.radius,
        grip: match LAW {
            DMT => mixed.normal * mixed.adhesion / input.inverse_radius,
            JKR => jkr::pull_off(mixed.normal, mixed.adhesion, input.inverse_radius) * 2.0,
            _ => zero,
        },
    }
}

/// The contact of two elastic spheres at a depth.
struct Sphere<N> {
    /// Radius of the contact circle.
    radius: N,
    force: N,
}

#[inline(always)]
fn sphere<N: Real, const LAW: u8>(
    mixed: &Mixed<N>,
    input: &ContactInput<N>,
    depth: N,
) -> Sphere<N> {
    let curvature = input.inverse_radius;
    if LAW == JKR {
        let s = jkr::root_of_radius(mixed.adhesion, curvature, depth);
        return Sphere {
            radius: s * s,
            force: jkr::force(mixed.normal, mixed.adhesion, curvature, s),
        };
    }

    let radius = (depth / curvature).root();
    let hertz = mixed.normal * (4.0 / 3.0) * radius * depth;
    Sphere {
        radius,
        force: match LAW {
            DMT => hertz - mixed.normal * mixed.adhesion / curvature,
            _ => hertz,
        },
    }
}

/// 1/m + R²/I of a sphere in units of 1/m: its tangential compliance at the contact point.
const YIELD: f64 = 3.5;

/// Limits the dashpots to what a step can absorb. Returns what they would remove without the limit,
/// as a fraction of the velocity.
///
/// A dashpot c removes x = c Δt/m of the velocity in a step; above 1 it would reverse the velocity,
/// above 2 it adds energy. A lone contact removes y = 1 − exp(−x') instead. The velocity is that of
/// half a step ago, which makes the spring stiffer by 1 + x/2; x' = x (x/4 + √(1 + x²/16))
/// compensates for that in the damping ratio. The requested restitution is therefore seen even if a
/// collision has few steps. Next to other contacts it removes less. No mode of the
/// contacts is damped by more than max_i Σ_j x_ij (Gershgorin), and Verlet steps stay stable while
/// (ωΔt)² + 2x < 4. Contacts lie around a body in all directions, so half of their sum bounds what
/// adds up along any one direction.
#[inline(always)]
fn limit_damping<N: Real>(with: &mut Coefficients<N>, input: &ContactInput<N>, dt: f64) -> N {
    let normal = with.damping * input.inverse_mass_here * dt;
    let tangential = with.tangential_damping * input.inverse_mass_here * (YIELD * dt);
    let own = normal.or_more(tangential);
    let others = (input.damped - own).or_more(own.like(0.0)) * 0.5;
    let unit = own.like(1.0);

    // x/y ≈ 1 + x/4 + 9x²/64 = x + (1 − 3x/8)², within 2 %, and x where that exceeds y = 1.
    let share = |x: N| {
        let rest = (unit - x * 0.375).or_more(unit.like(0.0));
        unit / (x + rest * rest + others)
    };
    with.damping = with.damping * share(normal);
    with.tangential_damping = with.tangential_damping * share(tangential);

    own
}

/// Computes the contact force and advances the tangential spring and, if there is one, the rolling
/// angle by one step. The kind of law and rolling are compile-time parameters: the simplest contact
/// costs half as much as the full one.
#[inline(always)]
pub(crate) fn push<N: Real, const LAW: u8, const ROLL: bool>(
    mixed: &Mixed<N>,
    input: &ContactInput<N>,
    spring: &mut Triple<N>,
    rolled: Option<&mut Triple<N>>,
    dt: f64,
) -> Push<N> {
    let zero = input.depth.like(0.0);
    let approach = input.velocity.dot(&input.normal);
    let approach_then = approach + input.swing * dt;
    let reached = input.depth - (approach + approach_then) * (0.5 * dt);
    let is_new = match LAW {
        JKR => input.begun.above(zero),
        _ => zero.above(reached),
    };
    let depth_then = match LAW {
        JKR => reached.or_more(-mixed.tear_gap(LAW, input.inverse_radius)),
        _ => reached.or_more(zero),
    };
    let mut with = coefficients::<N, LAW>(mixed, input, depth_then, is_new);
    let damped = limit_damping(&mut with, input, dt);

    // A kick stands for the time from half a step ago to half a step ahead. A contact that began in
    // this step has existed for depth/approach + Δt/2; its dashpot may stop the approach at most.
    let begun = with.damping * (approach * 0.5 + input.depth * (1.0 / dt));
    let stopped = approach / (input.inverse_mass_here * dt);
    let begun = N::choose(begun.above(stopped), stopped, begun);
    let going_on = with.damping * approach;
    let damping = match LAW {
        JKR => N::choose(is_new, begun, going_on),
        _ => N::choose(reached.above(zero), going_on, begun),
    };

    // A dashpot never pulls; only cohesion does.
    let least = match LAW {
        DMT | JKR => -(-with.elastic).or_more(zero),
        _ => zero,
    };
    let pressure = (with.elastic + damping).or_more(least);
    let grip = match LAW {
        DMT | JKR => (pressure + with.grip).or_more(zero),
        _ => pressure,
    };
    let slide = input.velocity - input.normal * approach;
    let (friction, unloaded) = rub(
        &with,
        mixed.friction,
        grip,
        &slide,
        &input.normal,
        spring,
        dt,
    );

    let torque = if ROLL {
        roll(mixed, &with, input, grip, rolled, dt)
    } else {
        Triple::all(zero)
    };

    Push {
        force: friction - input.normal * pressure,
        torque,
        returned: unloaded
            - (with.elastic_then * approach_then + with.elastic * approach) * (0.5 * dt),
        damped,
    }
}

/// Coulomb friction: a spring truncated at μN, then a dashpot within what is left of μN. The spring
/// is truncated on its own. If it were shortened by the dashpot's share of the limit, it would be
/// stretched backwards whenever the dashpot alone exceeds the limit, and friction would be too
/// small. Returns the decrease of the spring's stored energy.
#[inline(always)]
fn rub<N: Real>(
    with: &Coefficients<N>,
    friction: N,
    pressure: N,
    slide: &Triple<N>,
    normal: &Triple<N>,
    spring: &mut Triple<N>,
    dt: f64,
) -> (Triple<N>, N) {
    let (zero, limit) = (pressure.like(0.0), friction * pressure);
    let before = *spring;
    let stretched = before + *slide * zero.like(dt);

    // The contact has turned since the last step: remove the component along the normal.
    let stretched = stretched - *normal * stretched.dot(normal);
    let held = within(stretched * with.tangential, limit);
    let after = stretched * held;
    let pull = after * with.tangential + *slide * with.tangential_damping;
    let pull = pull * within(pull, limit);

    let stored_then = with.tangential_then * before.dot(&before);
    let unloaded = (stored_then - with.tangential * after.dot(&after)) * 0.5;

    // Without friction the spring stays unstretched.
    let rubs = friction.above(zero);
    *spring = Triple::choose(rubs, after, before);
    (
        Triple::choose(rubs, -pull, Triple::all(zero)),
        N::choose(rubs, unloaded, zero),
    )
}

/// Returns the factor that shortens a vector to a limit, or one if it is already shorter.
#[inline(always)]
fn within<N: Real>(pull: Triple<N>, limit: N) -> N {
    let squared = pull.dot(&pull);
    let too_long = squared.above(limit * limit);
    N::choose(too_long, limit / squared.root(), limit.like(1.0))
}

/// Computes the rolling resistance torque.
#[inline(always)]
fn roll<N: Real>(
    mixed: &Mixed<N>,
    with: &Coefficients<N>,
    input: &ContactInput<N>,
    pressure: N,
    rolled: Option<&mut Triple<N>>,
    dt: f64,
) -> Triple<N> {
    let zero = pressure.like(0.0);
    let rolls = mixed.rolling.above(zero);
    let limit = mixed.rolling * pressure / input.inverse_radius;
    let torque = match rolled {
        Some(angle) => {
            let (torque, after) = roll_spring(mixed, with, input, limit, angle, dt);
            *angle = Triple::choose(rolls, after, *angle);
            torque
        }
        None => roll_constant(input, limit, dt),
    };

    Triple::choose(rolls, torque, Triple::all(zero))
}

/// Returns the rolling part of a relative angular velocity; the rest is twist.
#[inline(always)]
fn roll_rate<N: Real>(input: &ContactInput<N>) -> Triple<N> {
    input.spin - input.normal * input.spin.dot(&input.normal)
}

/// Computes the constant rolling torque, limited to half of what would stop the rolling in a step.
#[inline(always)]
fn roll_constant<N: Real>(input: &ContactInput<N>, limit: N, dt: f64) -> Triple<N> {
    let rate = roll_rate(input);
    let speed = rate.dot(&rate).root();
    let (brake, most) = (limit / speed, inertia(input) * (0.5 / dt));
    let brake = N::choose(brake.above(most), most, brake);
    let zero = limit.like(0.0);
    Triple::choose(speed.above(zero), rate * -brake, Triple::all(zero))
}

/// Damping ratio of the rolling spring. Without damping a heap at rest would rock forever.
const ROLL_DAMPING: f64 = 0.3;

/// Rolling spring with k_r = 2.25 k_n μ_r² R*², where k_n is the normal stiffness at this depth (Ai
/// et al. 2011, eq. (18)). Returns the torque and the new angle.
#[inline(always)]
fn roll_spring<N: Real>(
    mixed: &Mixed<N>,
    with: &Coefficients<N>,
    input: &ContactInput<N>,
    limit: N,
    angle: &Triple<N>,
    dt: f64,
) -> (Triple<N>, Triple<N>) {
    let arm = mixed.rolling / input.inverse_radius;
    let stiffness = arm * arm * ROLL_STIFFNESS * with.secant;
    let rate = roll_rate(input);
    let rolled = *angle + rate * limit.like(dt);
    let rolled = rolled - input.normal * rolled.dot(&input.normal);
    let torque = rolled * -stiffness;
    let size = torque.dot(&torque).root();
    let (slips, share) = (size.above(limit), limit / size);
    let damped = torque - rate * ((inertia(input) * stiffness).root() * (2.0 * ROLL_DAMPING));

    (
        Triple::choose(slips, torque * share, damped),
        Triple::choose(slips, rolled * share, rolled),
    )
}

/// Returns the effective moment of inertia for rolling, from the rotation of the spheres alone.
#[inline(always)]
fn inertia<N: Real>(input: &ContactInput<N>) -> N {
    input.depth.like(0.4) / (input.inverse_mass * input.inverse_radius * input.inverse_radius)
}

/// The springs of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stored {
    /// Energy of the normal and of the tangential spring.
    pub(crate) normal: f64,
    pub(crate) tangential: f64,
    /// Elastic normal force.
    pub(crate) force: f64,
}

/// Returns the energy in the normal and tangential springs of a contact, and the elastic force.
pub(crate) fn stored<const LAW: u8>(
    mixed: &Mixed,
    input: &ContactInput,
    spring: &Triple,
) -> Stored {
    let with = coefficients::<f64, LAW>(mixed, input, input.depth, false);
    let normal = match LAW {
        LINEAR => 0.5 * with.elastic * input.depth,
        JKR => {
            let s = jkr::root_of_radius(mixed.adhesion, input.inverse_radius, input.depth);
            jkr::energy(mixed.normal, mixed.adhesion, input.inverse_radius, s)
        }
        // Hertz's energy is 2/5 of his force times depth; the pull of DMT is constant.
        DMT => (0.4 * (with.elastic + with.grip) - with.grip) * input.depth,
        _ => 0.4 * with.elastic * input.depth,
    };

    Stored {
        normal,
        tangential: 0.5 * with.tangential * spring.dot(spring),
        force: with.elastic,
    }
}

/// Returns the energy that the springs give back when a contact ends in this step, as in
/// [`Push::returned`]. A contact that tears loses what its normal spring held.
pub(crate) fn returned_at_end<const LAW: u8>(
    mixed: &Mixed,
    input: &ContactInput,
    spring: &Triple,
    dt: f64,
) -> f64 {
    let approach = input.velocity.dot(&input.normal);
    let approach_then = approach + input.swing * dt;
    let depth = input.depth - 0.5 * (approach + approach_then) * dt;
    let least = -mixed.tear_gap(LAW, input.inverse_radius);
    let then = ContactInput {
        depth: depth.max(least),
        ..*input
    };
    let stored = stored::<LAW>(mixed, &then, spring);
    match LAW {
        JKR => stored.tangential + stored.normal,
        _ => stored.tangential - stored.force * approach_then * (0.5 * dt),
    }
}

#[cfg(test)]
mod tests;
