use super::*;
use fearless_simd::{Level, Simd, SimdFrom, dispatch, f64x4};
use impinge::space::Random;

fn random_meeting(random: &mut Random) -> (Mixed, ContactInput, Triple, Triple) {
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
        adhesion: [0.0, some(0.0, 1e-4)][usize::from(some(0.0, 1.0) > 0.2)],
    };

    let input = ContactInput {
        normal,
        velocity,
        swing: some(0.0, 100.0),
        spin: [Triple::all(0.0), spin][usize::from(some(0.0, 1.0) > 0.1)],
        depth: some(1e-6, 1e-4),
        inverse_mass: some(1e4, 1e6),
        inverse_mass_here: some(1e4, 1e6),
        damped: some(0.0, 3.0),
        inverse_radius: some(1e2, 1e4),
        begun: [0.0, 1.0][usize::from(some(0.0, 1.0) > 0.5)],
    };

    (mixed, input, spring, angle)
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
fn check<S: Simd, const LAW: u8, const ROLL: bool>(simd: S, keeps_angle: bool) {
    let mut random = Random::new(29);
    for _ in 0..500 {
        let given: [_; 4] = std::array::from_fn(|_| random_meeting(&mut random));
        let mixed = Mixed::side_by_side(simd, std::array::from_fn(|l| &given[l].0));
        let input = ContactInput {
            normal: triples(simd, |l| given[l].1.normal),
            velocity: triples(simd, |l| given[l].1.velocity),
            swing: four(simd, |l| given[l].1.swing),
            spin: triples(simd, |l| given[l].1.spin),
            depth: four(simd, |l| given[l].1.depth),
            inverse_mass: four(simd, |l| given[l].1.inverse_mass),
            inverse_mass_here: four(simd, |l| given[l].1.inverse_mass_here),
            damped: four(simd, |l| given[l].1.damped),
            inverse_radius: four(simd, |l| given[l].1.inverse_radius),
            begun: four(simd, |l| given[l].1.begun),
        };
        let (mut springs, mut angles) =
            (triples(simd, |l| given[l].2), triples(simd, |l| given[l].3));
        let kept = keeps_angle.then_some(&mut angles);
        let pushes = push::<_, LAW, ROLL>(&mixed, &input, &mut springs, kept, 1e-5);

        for (l, (mixed, input, mut spring, mut angle)) in given.into_iter().enumerate() {
            let kept = keeps_angle.then_some(&mut angle);
            let one = push::<f64, LAW, ROLL>(&mixed, &input, &mut spring, kept, 1e-5);
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
            check::<_, LINEAR, false>(simd, false);
            check::<_, LINEAR, true>(simd, false);
            check::<_, LINEAR, true>(simd, true);
            check::<_, HERTZ, false>(simd, false);
            check::<_, HERTZ, true>(simd, true);
            check::<_, DMT, true>(simd, true);
            check::<_, JKR, false>(simd, false);
            check::<_, JKR, true>(simd, true);
        });
    }
}
