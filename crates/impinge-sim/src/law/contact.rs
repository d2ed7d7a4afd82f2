//! The force of a contact, the same for two spheres and for a sphere on an obstacle; of one, or of four at a time.

use super::real::{Real, Triple};
use super::table::Mixed;

/// A contact as its law sees it. Body a is pushed against the normal, body b along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting<N = f64> {
    /// Unit, from a to b.
    pub(crate) normal: Triple<N>,
    /// Overlap, positive.
    pub(crate) depth: N,
    /// Of a against b, at the place of contact.
    pub(crate) velocity: Triple<N>,
    /// How fast the approach changes because the normal turns as the centres pass each other: the square of their speed
    /// along the tangent, by their distance.
    pub(crate) swing: N,
    /// Spin of a less that of b.
    pub(crate) spin: Triple<N>,
    /// 1/m* = 1/m₁ + 1/m₂ of the bodies that collide.
    pub(crate) inverse_mass: N,
    /// The same of what a force moves at once: the nodes under the contact where a body deforms.
    pub(crate) inverse_mass_here: N,
    /// 1/R* = 1/R₁ + 1/R₂; not read by the linear law without rolling.
    pub(crate) inverse_radius: N,
    /// The larger sum of [`Push::damped`] of the two bodies at the last step.
    pub(crate) damped: N,
}

/// What the law answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push<N = f64> {
    /// On a; on b the opposite.
    pub(crate) force: Triple<N>,
    /// On a, against rolling; on b the opposite. That of the force's lever comes on top.
    pub(crate) torque: Triple<N>,
    /// Energy that the springs give back in the step, along the normal by their work, along the tangent by what they
    /// store. All that contacts take from the motion, and this, is lost.
    pub(crate) returned: N,
    /// Share of the relative velocity that the dashpots, unlimited, would take away in the step.
    pub(crate) damped: N,
}

/// Stiffness and damping at this depth.
struct Coefficients<N> {
    elastic: N,
    /// What the elastic force was at the last step.
    elastic_then: N,
    damping: N,
    tangential: N,
    /// What the tangential stiffness was at the last step.
    tangential_then: N,
    tangential_damping: N,
}

#[inline(always)]
fn coefficients<N: Real, const HERTZ: bool>(
    mixed: &Mixed<N>,
    meeting: &Meeting<N>,
    depth_then: N,
) -> Coefficients<N> {
    let mass = meeting.depth.like(1.0) / meeting.inverse_mass;
    if HERTZ {
        // The radius of the circle of contact.
        let a = (meeting.depth / meeting.inverse_radius).root();
        let a_then = (depth_then / meeting.inverse_radius).root();
        let root = (mass * a).root();
        Coefficients {
            elastic: mixed.normal * (4.0 / 3.0) * a * meeting.depth,
            elastic_then: mixed.normal * (4.0 / 3.0) * a_then * depth_then,
            damping: mixed.damping * root,
            tangential: mixed.tangential * 8.0 * a,
            tangential_then: mixed.tangential * 8.0 * a_then,
            tangential_damping: mixed.tangential_damping * root,
        }
    } else {
        let root = mass.root();
        Coefficients {
            elastic: mixed.normal * meeting.depth,
            elastic_then: mixed.normal * depth_then,
            damping: mixed.damping * root,
            tangential: mixed.tangential,
            tangential_then: mixed.tangential,
            tangential_damping: mixed.tangential_damping * root,
        }
    }
}

/// 1/m + R²/I of a sphere in parts of 1/m: how a force along the surface moves it there.
const YIELD: f64 = 3.5;

/// Limits the dashpots to what a step can take; returns what they would take without a limit, as a share of the velocity.
///
/// A dashpot c takes x = c Δt/m of the velocity in a step; beyond 1 it would turn it round, beyond 2 it feeds the motion. A
/// lone contact takes nearly 1 − exp(−x) instead, which is at most 1 and is the restitution that was asked for also where a
/// collision has few steps. Beside others, of the sum y at the body that has more of them, it takes less: no mode of the
/// contacts is damped by more than max_i Σ_j x_ij (Gershgorin), Verlet's steps stay stable while (ωΔt)² + 2x < 4, and
/// contacts lie around a body in all directions, so that half of their sum bounds what adds up in one of them.
#[inline(always)]
fn limit_damping<N: Real>(with: &mut Coefficients<N>, meeting: &Meeting<N>, dt: f64) -> N {
    let normal = with.damping * meeting.inverse_mass_here * dt;
    let tangential = with.tangential_damping * meeting.inverse_mass_here * (YIELD * dt);
    let own = normal.or_more(tangential);
    let others = (meeting.damped - own).or_more(own.like(0.0)) * 0.5;
    let unit = own.like(1.0);

    // x/(1 − exp(−x)) is 1 + 2x/3 + x²/6 over 1 + x/6, to the third order.
    let share = |x: N| {
        let upper = unit + x * (1.0 / 6.0);
        upper / (unit + x * (2.0 / 3.0) + x * x * (1.0 / 6.0) + others * upper)
    };
    with.damping = with.damping * share(normal);
    with.tangential_damping = with.tangential_damping * share(tangential);

    own
}

/// The force of a contact; advances its tangential spring and, if it has one, its angle of rolling by a step. Whether the law
/// is Hertz's and whether anything rolls are known when compiled: the plainest contact costs half of the full one.
#[inline(always)]
pub(crate) fn push<N: Real, const HERTZ: bool, const ROLL: bool>(
    mixed: &Mixed<N>,
    meeting: &Meeting<N>,
    spring: &mut Triple<N>,
    rolled: Option<&mut Triple<N>>,
    dt: f64,
) -> Push<N> {
    let zero = meeting.depth.like(0.0);
    let approach = meeting.velocity.dot(&meeting.normal);
    let approach_then = approach + meeting.swing * dt;
    let depth_then = (meeting.depth - (approach + approach_then) * (0.5 * dt)).or_more(zero);
    let mut with = coefficients::<N, HERTZ>(mixed, meeting, depth_then);
    let damped = limit_damping(&mut with, meeting, dt);

    let pressure = (with.elastic + with.damping * approach).or_more(zero);
    let slide = meeting.velocity - meeting.normal * approach;
    let (friction, unloaded) = rub(
        &with,
        mixed.friction,
        pressure,
        &slide,
        &meeting.normal,
        spring,
        dt,
    );

    let torque = if ROLL {
        roll(mixed, &with, meeting, pressure, rolled, dt)
    } else {
        Triple::all(zero)
    };

    Push {
        force: friction - meeting.normal * pressure,
        torque,
        returned: unloaded
            - (with.elastic_then * approach_then + with.elastic * approach) * (0.5 * dt),
        damped,
    }
}

/// Coulomb friction: a spring that is cut where it would pull harder than μN, then a dashpot as far as μN allows. The
/// spring is cut by itself: shortened by what the dashpot takes of the limit, it would be stretched backwards wherever the
/// dashpot alone passes the limit, and friction would be too small. Returns the energy that the spring stores less.
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

    // The contact has turned since the last step: what stands out of the tangent plane goes.
    let stretched = stretched - *normal * stretched.dot(normal);
    let held = within(stretched * with.tangential, limit);
    let after = stretched * held;
    let pull = after * with.tangential + *slide * with.tangential_damping;
    let pull = pull * within(pull, limit);

    let stored_then = with.tangential_then * before.dot(&before);
    let unloaded = (stored_then - with.tangential * after.dot(&after)) * 0.5;

    // Without friction nothing is stretched.
    let rubs = friction.above(zero);
    *spring = Triple::choose(rubs, after, before);
    (
        Triple::choose(rubs, -pull, Triple::all(zero)),
        N::choose(rubs, unloaded, zero),
    )
}

/// The factor that shortens a vector to a limit; one where it is shorter.
#[inline(always)]
fn within<N: Real>(pull: Triple<N>, limit: N) -> N {
    let squared = pull.dot(&pull);
    let too_long = squared.above(limit * limit);
    N::choose(too_long, limit / squared.root(), limit.like(1.0))
}

/// The torque against rolling.
#[inline(always)]
fn roll<N: Real>(
    mixed: &Mixed<N>,
    with: &Coefficients<N>,
    meeting: &Meeting<N>,
    pressure: N,
    rolled: Option<&mut Triple<N>>,
    dt: f64,
) -> Triple<N> {
    let zero = pressure.like(0.0);
    let rolls = mixed.rolling.above(zero);
    let limit = mixed.rolling * pressure / meeting.inverse_radius;
    let torque = match rolled {
        Some(angle) => {
            let (torque, after) = roll_spring(mixed, with, meeting, limit, angle, dt);
            *angle = Triple::choose(rolls, after, *angle);
            torque
        }
        None => roll_constant(meeting, limit, dt),
    };

    Triple::choose(rolls, torque, Triple::all(zero))
}

/// The part of a relative spin that rolls; the rest twists.
#[inline(always)]
fn roll_rate<N: Real>(meeting: &Meeting<N>) -> Triple<N> {
    meeting.spin - meeting.normal * meeting.spin.dot(&meeting.normal)
}

/// At most half of what would stop the rolling within a step.
#[inline(always)]
fn roll_constant<N: Real>(meeting: &Meeting<N>, limit: N, dt: f64) -> Triple<N> {
    let rate = roll_rate(meeting);
    let speed = rate.dot(&rate).root();
    let (brake, most) = (limit / speed, inertia(meeting) * (0.5 / dt));
    let brake = N::choose(brake.above(most), most, brake);
    let zero = limit.like(0.0);
    Triple::choose(speed.above(zero), rate * -brake, Triple::all(zero))
}

/// Damping of the rolling spring as a share of the critical one: without it a heap at rest would rock for ever.
const ROLL_DAMPING: f64 = 0.3;

/// k_r = 2.25 k_n μ_r² R*² with the normal stiffness k_n at this depth (Ai et al. 2011, eq. (18)). The torque and the new
/// angle.
#[inline(always)]
fn roll_spring<N: Real>(
    mixed: &Mixed<N>,
    with: &Coefficients<N>,
    meeting: &Meeting<N>,
    limit: N,
    angle: &Triple<N>,
    dt: f64,
) -> (Triple<N>, Triple<N>) {
    let arm = mixed.rolling / meeting.inverse_radius;
    let stiffness = arm * arm * 2.25 * with.elastic / meeting.depth;
    let rate = roll_rate(meeting);
    let rolled = *angle + rate * limit.like(dt);
    let rolled = rolled - meeting.normal * rolled.dot(&meeting.normal);
    let torque = rolled * -stiffness;
    let size = torque.dot(&torque).root();
    let (slips, share) = (size.above(limit), limit / size);
    let damped = torque - rate * ((inertia(meeting) * stiffness).root() * (2.0 * ROLL_DAMPING));

    (
        Triple::choose(slips, torque * share, damped),
        Triple::choose(slips, rolled * share, rolled),
    )
}

/// Of the rolling of both about the contact, as far as a sphere's spin goes.
#[inline(always)]
fn inertia<N: Real>(meeting: &Meeting<N>) -> N {
    meeting.depth.like(0.4)
        / (meeting.inverse_mass * meeting.inverse_radius * meeting.inverse_radius)
}

/// Energy in the springs of a contact: normal and tangential.
pub(crate) fn elastic_energy<const HERTZ: bool>(
    mixed: &Mixed,
    meeting: &Meeting,
    spring: &Triple,
) -> [f64; 2] {
    let with = coefficients::<f64, HERTZ>(mixed, meeting, meeting.depth);
    let share = if HERTZ { 0.4 } else { 0.5 };
    [
        share * with.elastic * meeting.depth,
        0.5 * with.tangential * spring.dot(spring),
    ]
}

/// What the springs of a contact that has ended in this step give back, as in [`Push::returned`].
pub(crate) fn returned_at_end<const HERTZ: bool>(
    mixed: &Mixed,
    meeting: &Meeting,
    spring: &Triple,
    dt: f64,
) -> f64 {
    let approach = meeting.velocity.dot(&meeting.normal);
    let approach_then = approach + meeting.swing * dt;
    let depth = (meeting.depth - 0.5 * (approach + approach_then) * dt).max(0.0);
    let then = Meeting { depth, ..*meeting };
    let with = coefficients::<f64, HERTZ>(mixed, &then, depth);
    elastic_energy::<HERTZ>(mixed, &then, spring)[1] - with.elastic * approach_then * (0.5 * dt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, Simd, SimdFrom, dispatch, f64x4};
    use impinge::space::Random;

    fn random_meeting(random: &mut Random) -> (Mixed, Meeting, Triple, Triple) {
        let mut triple = |size: f64| Triple::from(random.direction::<3>() * size);
        let (normal, velocity, spin) = (triple(1.0), triple(0.3), triple(20.0));
        let (spring, angle) = (triple(1e-5), triple(1e-3));
        let mut some = |low, up| random.within(low, up);
        let tangential = [0.0, some(1e3, 1e5)][usize::from(some(0.0, 1.0) > 0.1)];
        let mixed = Mixed {
            normal: some(1e3, 1e5),
            tangential,
            damping: some(0.0, 1.0),
            tangential_damping: some(0.0, 1.0),
            friction: [0.0, some(0.0, 1.0)][usize::from(some(0.0, 1.0) > 0.2)],
            rolling: [0.0, some(0.0, 0.5)][usize::from(some(0.0, 1.0) > 0.2)],
        };

        let meeting = Meeting {
            normal,
            velocity,
            swing: some(0.0, 100.0),
            spin: [Triple::all(0.0), spin][usize::from(some(0.0, 1.0) > 0.1)],
            depth: some(1e-6, 1e-4),
            inverse_mass: some(1e4, 1e6),
            inverse_mass_here: some(1e4, 1e6),
            damped: some(0.0, 3.0),
            inverse_radius: some(1e2, 1e4),
        };

        (mixed, meeting, spring, angle)
    }

    #[inline(always)]
    fn four<S: Simd>(simd: S, of: impl Fn(usize) -> f64) -> f64x4<S> {
        f64x4::simd_from(simd, std::array::from_fn(of))
    }

    #[inline(always)]
    fn triples<S: Simd>(simd: S, of: impl Fn(usize) -> Triple) -> Triple<f64x4<S>> {
        Triple {
            x: four(simd, |l| of(l).x),
            y: four(simd, |l| of(l).y),
            z: four(simd, |l| of(l).z),
        }
    }

    fn lane<S: Simd>(values: &Triple<f64x4<S>>, l: usize) -> Triple {
        Triple {
            x: values.x[l],
            y: values.y[l],
            z: values.z[l],
        }
    }

    #[inline(always)]
    fn check<S: Simd, const HERTZ: bool, const ROLL: bool>(simd: S, keeps_angle: bool) {
        let mut random = Random::new(29);
        for _ in 0..500 {
            let given: [_; 4] = std::array::from_fn(|_| random_meeting(&mut random));
            let mixed = Mixed::side_by_side(simd, std::array::from_fn(|l| &given[l].0));
            let meeting = Meeting {
                normal: triples(simd, |l| given[l].1.normal),
                velocity: triples(simd, |l| given[l].1.velocity),
                swing: four(simd, |l| given[l].1.swing),
                spin: triples(simd, |l| given[l].1.spin),
                depth: four(simd, |l| given[l].1.depth),
                inverse_mass: four(simd, |l| given[l].1.inverse_mass),
                inverse_mass_here: four(simd, |l| given[l].1.inverse_mass_here),
                damped: four(simd, |l| given[l].1.damped),
                inverse_radius: four(simd, |l| given[l].1.inverse_radius),
            };
            let (mut springs, mut angles) =
                (triples(simd, |l| given[l].2), triples(simd, |l| given[l].3));
            let kept = keeps_angle.then_some(&mut angles);
            let pushes = push::<_, HERTZ, ROLL>(&mixed, &meeting, &mut springs, kept, 1e-5);

            for (l, (mixed, meeting, mut spring, mut angle)) in given.into_iter().enumerate() {
                let kept = keeps_angle.then_some(&mut angle);
                let one = push::<f64, HERTZ, ROLL>(&mixed, &meeting, &mut spring, kept, 1e-5);
                assert_eq!(one.force, lane(&pushes.force, l));
                assert_eq!(one.torque, lane(&pushes.torque, l));
                assert_eq!(
                    (one.returned, one.damped),
                    (pushes.returned[l], pushes.damped[l])
                );
                assert_eq!((spring, angle), (lane(&springs, l), lane(&angles, l)));
                assert!(one.returned.is_finite() && spring.dot(&spring).is_finite());
            }
        }
    }

    #[test]
    fn four_contacts_at_a_time_have_the_bytes_of_each_alone() {
        for level in [Level::new(), Level::baseline()] {
            dispatch!(level, simd => {
                check::<_, false, false>(simd, false);
                check::<_, false, true>(simd, false);
                check::<_, false, true>(simd, true);
                check::<_, true, false>(simd, false);
                check::<_, true, true>(simd, true);
            });
        }
    }
}
