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
    /// Spin of a less that of b.
    pub(crate) spin: Triple<N>,
    /// 1/m* = 1/m₁ + 1/m₂.
    pub(crate) inverse_mass: N,
    /// 1/R* = 1/R₁ + 1/R₂; not read by the linear law without rolling.
    pub(crate) inverse_radius: N,
}

/// What the law answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push<N = f64> {
    /// On a; on b the opposite.
    pub(crate) force: Triple<N>,
    /// On a, against rolling; on b the opposite. That of the force's lever comes on top.
    pub(crate) torque: Triple<N>,
    /// Energy lost in the step.
    pub(crate) lost: N,
}

/// Stiffness and damping at this depth.
struct Coefficients<N> {
    elastic: N,
    damping: N,
    tangential: N,
    /// What the tangential stiffness was at the last step.
    tangential_then: N,
    compliance: N,
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
        let root = (mass * a).root();
        Coefficients {
            elastic: mixed.normal * (4.0 / 3.0) * a * meeting.depth,
            damping: mixed.damping * root,
            tangential: mixed.tangential * 8.0 * a,
            tangential_then: mixed.tangential * 8.0 * (depth_then / meeting.inverse_radius).root(),
            compliance: meeting.depth.like(1.0) / (mixed.tangential * 8.0 * a),
            tangential_damping: mixed.tangential_damping * root,
        }
    } else {
        let root = mass.root();
        Coefficients {
            elastic: mixed.normal * meeting.depth,
            damping: mixed.damping * root,
            tangential: mixed.tangential,
            tangential_then: mixed.tangential,
            compliance: mixed.compliance,
            tangential_damping: mixed.tangential_damping * root,
        }
    }
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
    let approach = meeting.velocity.dot(&meeting.normal);
    let depth_then = (meeting.depth - approach * dt).or_more(approach.like(0.0));
    let with = coefficients::<N, HERTZ>(mixed, meeting, depth_then);
    let pressure = (with.elastic + with.damping * approach).or_more(approach.like(0.0));
    let slide = meeting.velocity - meeting.normal * approach;
    // What is lost is told for the velocity at the time of the force, half a step on; the force itself leads to it.
    let then = approach - pressure * meeting.inverse_mass * (0.5 * dt);
    let damped = (pressure - with.elastic) * then * dt;
    let (friction, rubbed) = rub(&with, mixed.friction, pressure, &slide, meeting, spring, dt);
    let force = friction - meeting.normal * pressure;
    let (torque, braked) = if ROLL {
        roll(mixed, &with, meeting, pressure, rolled, dt)
    } else {
        (Triple::all(approach.like(0.0)), approach.like(0.0))
    };
    Push {
        force,
        torque,
        lost: damped + rubbed + braked,
    }
}

/// 1/m + R²/I of a sphere in parts of 1/m: how a force along the surface moves it there.
const YIELD: f64 = 3.5;

/// Coulomb friction with a spring that is cut where it would pull harder than μN; the energy lost.
///
/// The work of the spring over a step is the mean of its pulls at both ends times the way, that of the dashpot is its pull
/// times the velocity at the time of the force, half a step on. What is not stored of it is lost.
#[inline(always)]
fn rub<N: Real>(
    with: &Coefficients<N>,
    friction: N,
    pressure: N,
    slide: &Triple<N>,
    meeting: &Meeting<N>,
    spring: &mut Triple<N>,
    dt: f64,
) -> (Triple<N>, N) {
    let normal = &meeting.normal;
    let (zero, limit) = (pressure.like(0.0), friction * pressure);
    let before = *spring;
    let stretched = before + *slide * zero.like(dt);
    // The contact has turned since the last step: what stands out of the tangent plane goes.
    let stretched = stretched - *normal * stretched.dot(normal);
    let drag = *slide * with.tangential_damping;
    let pull = stretched * with.tangential + drag;
    let squared = pull.dot(&pull);
    let slips = squared.above(limit * limit);
    let cut = pull * (limit / squared.root());
    let pull = Triple::choose(slips, cut, pull);
    // A law without a tangential spring has nothing to shorten.
    let springs = with.tangential.above(zero);
    let shortened = Triple::choose(springs, (cut - drag) * with.compliance, stretched);
    let after = Triple::choose(slips, shortened, stretched);
    let stored =
        (with.tangential * after.dot(&after) - with.tangential_then * before.dot(&before)) * 0.5;
    let spent = (before * with.tangential_then + after * with.tangential).dot(slide) * (0.5 * dt);
    let then = *slide - pull * (meeting.inverse_mass * (0.5 * YIELD * dt));
    let lost = spent - stored + drag.dot(&then) * dt;
    // Without friction nothing is stretched.
    let rubs = friction.above(zero);
    *spring = Triple::choose(rubs, after, before);
    (
        Triple::choose(rubs, -pull, Triple::all(zero)),
        N::choose(rubs, lost, zero),
    )
}

/// The torque against rolling and the energy lost to it.
#[inline(always)]
fn roll<N: Real>(
    mixed: &Mixed<N>,
    with: &Coefficients<N>,
    meeting: &Meeting<N>,
    pressure: N,
    rolled: Option<&mut Triple<N>>,
    dt: f64,
) -> (Triple<N>, N) {
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
    let torque = Triple::choose(rolls, torque, Triple::all(zero));
    (torque, -(torque.dot(&meeting.spin) * dt))
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

/// Energy that was in the tangential spring a step ago, for a contact that has ended since.
pub(crate) fn left_in<const HERTZ: bool>(
    mixed: &Mixed,
    meeting: &Meeting,
    spring: &Triple,
    dt: f64,
) -> f64 {
    let depth = (meeting.depth - meeting.velocity.dot(&meeting.normal) * dt).max(0.0);
    elastic_energy::<HERTZ>(mixed, &Meeting { depth, ..*meeting }, spring)[1]
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
            compliance: 1.0 / tangential,
            damping: some(0.0, 1.0),
            tangential_damping: some(0.0, 1.0),
            friction: [0.0, some(0.0, 1.0)][usize::from(some(0.0, 1.0) > 0.2)],
            rolling: [0.0, some(0.0, 0.5)][usize::from(some(0.0, 1.0) > 0.2)],
        };
        let meeting = Meeting {
            normal,
            velocity,
            spin: [Triple::all(0.0), spin][usize::from(some(0.0, 1.0) > 0.1)],
            depth: some(1e-6, 1e-4),
            inverse_mass: some(1e4, 1e6),
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
                spin: triples(simd, |l| given[l].1.spin),
                depth: four(simd, |l| given[l].1.depth),
                inverse_mass: four(simd, |l| given[l].1.inverse_mass),
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
                assert_eq!(one.lost, pushes.lost[l]);
                assert_eq!((spring, angle), (lane(&springs, l), lane(&angles, l)));
                assert!(one.lost.is_finite() && spring.dot(&spring).is_finite());
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
