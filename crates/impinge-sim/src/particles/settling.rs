//! Tests of settling beds at the recommended step: at any restitution they come to rest and
//! conserve energy.

use super::tests::{hertz, linear, setup, step};
use super::*;
use crate::Matter;
use crate::law::Rolling;
use impinge::space::Random;
use std::f64::consts::TAU;

/// The vessel that grains fall into.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Vessel {
    Box,
    Cylinder,
    Cell,
}

/// The outcome of a dropped bed.
#[derive(Clone, Copy, Debug)]
struct Settled {
    /// Remaining kinetic energy divided by the energy of the fall.
    moving: f64,
    /// Largest change of the total energy during the run, divided by the energy of the fall.
    worst: f64,
}

fn add_plane(particles: &mut Particles, point: [f64; 3], normal: [f64; 3]) {
    let plane = Obstacle::half_space(point, normal, 0).expect("a plane");
    particles.add_obstacle(plane).expect("its material");
}

/// A tube of sixteen sides, two triangles each.
fn tube(radius: f64, height: f64) -> Obstacle {
    const SIDES: u32 = 16;
    let corner = |n: u32| {
        let angle = TAU * f64::from(n / 2 % SIDES) / f64::from(SIDES);
        let z = if n.is_multiple_of(2) {
            -0.1 * height
        } else {
            height
        };
        [radius * angle.cos(), radius * angle.sin(), z]
    };
    let points: Vec<[f64; 3]> = (0..2 * SIDES).map(corner).collect();
    let triangles: Vec<[u32; 3]> = (0..2 * SIDES)
        .map(|n| [n, n + 1, n + 2].map(|k| k % (2 * SIDES)))
        .collect();

    Obstacle::mesh(&points, &triangles, 0).expect("a tube")
}

/// Creates a loose lattice above the floor of a vessel.
fn dropped(mut setup: Setup, vessel: Vessel, count: usize, radii: [f64; 2]) -> Particles {
    let mut random = Random::new(11);
    let pitch = 2.1 * radii[1];
    let across = ((count as f64 / 2.0).cbrt().ceil()).max(3.0);
    let half = 0.5 * across * pitch;

    if vessel == Vessel::Cell {
        setup.period = [Some([-half, half]), Some([-half, half]), None];
    }

    let mut particles = Particles::new(setup).expect("a good setup");
    let mut grains = Vec::new();
    for n in 0..count {
        let n = n as f64;
        let cell = [
            n % across,
            (n / across).floor() % across,
            (n / across / across).floor(),
        ];
        let place = [
            (cell[0] + 0.5) * pitch - half,
            (cell[1] + 0.5) * pitch - half,
            (cell[2] + 0.5) * pitch,
        ];

        grains.push(Grain {
            position: place,
            velocity: (random.direction::<3>() * 0.1).into(),
            // Log-uniform radii, so that all sizes take part.
            radius: radii[0] * (radii[1] / radii[0]).powf(random.within(0.0, 1.0)),
            ..Grain::default()
        });
    }

    particles.add(&grains).expect("good grains");
    add_plane(&mut particles, [0.0; 3], [0.0, 0.0, 1.0]);
    match vessel {
        Vessel::Cell => {}
        Vessel::Box => {
            add_plane(&mut particles, [-half; 3], [1.0, 0.0, 0.0]);
            add_plane(&mut particles, [half; 3], [-1.0, 0.0, 0.0]);
            add_plane(&mut particles, [-half; 3], [0.0, 1.0, 0.0]);
            add_plane(&mut particles, [half; 3], [0.0, -1.0, 0.0]);
        }
        Vessel::Cylinder => {
            let radius = half * 2.0f64.sqrt() / (TAU / 32.0).cos();
            let height = 10.0 * pitch * across;
            particles
                .add_obstacle(tube(radius, height))
                .expect("its material");
        }
    }

    particles
}

fn settle(mut particles: Particles, time: f64) -> Settled {
    let dt = particles.stable_step();
    let before = particles.energy();
    let mut worst = 0.0f64;

    for n in 0..(time / dt) as usize {
        step(&mut particles, dt).expect("the step is stable");
        if n % 50 == 0 {
            worst = worst.max((particles.energy().total() - before.total()).abs());
        }
    }

    let after = particles.energy();
    let fall = before.potential - after.potential;
    Settled {
        moving: after.kinetic / fall,
        worst: worst / fall,
    }
}

fn laws() -> [Law; 3] {
    let rolls = Law {
        rolling: Rolling::Spring,
        ..hertz()
    };
    [hertz(), linear(1e3), rolls]
}

fn soft(law: Law, restitution: f64) -> Setup {
    let mut setup = setup(law, restitution, 0.5);
    setup.materials[0].young = 3e6;
    setup
}

#[test]
fn beds_of_any_restitution_settle_at_the_advised_step_and_close_their_energy() {
    for law in laws() {
        for vessel in [Vessel::Box, Vessel::Cylinder, Vessel::Cell] {
            for restitution in [0.0, 0.1, 0.4, 1.0] {
                let bed = dropped(soft(law, restitution), vessel, 150, [8e-4, 1e-3]);
                let done = settle(bed, 0.1);
                let what = format!("{law:?} {vessel:?} {restitution}: {done:?}");
                // Friction alone takes longer.
                let still = if restitution < 1.0 { 0.02 } else { 0.1 };
                assert!(done.moving < still, "{what}");
                assert!(done.worst < 0.01, "{what}");
            }
        }
    }
}

#[test]
fn a_bed_with_a_purely_elastic_law_keeps_its_energy_at_the_advised_step() {
    let law = Law {
        normal: crate::law::Normal::Restoring { stiffness: 1e3 },
        rolling: Rolling::None,
    };
    for vessel in [Vessel::Box, Vessel::Cylinder, Vessel::Cell] {
        let done = settle(dropped(soft(law, 0.5), vessel, 150, [8e-4, 1e-3]), 0.1);
        // Beds that bounce have more kinetic energy than they have fallen.
        assert!(
            done.worst < 0.01 * done.moving.max(1.0),
            "{vessel:?}: {done:?}"
        );
        assert!(done.moving > 0.1, "nothing damps it, {vessel:?}: {done:?}");
    }
}

#[test]
fn beds_of_radii_one_to_twenty_close_their_energy_at_the_advised_step() {
    for law in [hertz(), linear(1e3)] {
        for restitution in [0.0, 0.3] {
            let bed = dropped(soft(law, restitution), Vessel::Box, 60, [5e-5, 1e-3]);
            let done = settle(bed, 0.04);
            assert!(done.worst < 0.01, "{law:?} {restitution}: {done:?}");
        }
    }
}

/// Returns friction divided by μ times the normal impulse, in a collision that slides throughout.
fn sliding_friction(law: Law, restitution: f64, share: f64) -> f64 {
    let (friction, across) = (0.3, 5.0);
    let mut particles = Particles::new(Setup {
        gravity: [0.0; 3],
        ..setup(law, restitution, friction)
    })
    .expect("a good setup");
    let grain = Grain {
        position: [0.0, 0.0, 1.001e-3],
        velocity: [across, 0.0, -1.0],
        radius: 1e-3,
        ..Grain::default()
    };
    particles.add(&[grain]).expect("a ball");
    add_plane(&mut particles, [0.0; 3], [0.0, 0.0, 1.0]);
    let dt = share * particles.stable_step();
    let before = particles.energy();

    for _ in 0..(5e-4 / dt) as usize {
        step(&mut particles, dt).expect("the step is stable");
    }

    let (after, grain) = (particles.energy(), particles.grain_at(0));
    let drift = (after.total() - before.total()) / after.dissipated;
    assert!(drift.abs() < 0.01, "{law:?} {restitution} {share}: {drift}");
    (across - grain.velocity[0]) / (friction * (1.0 + grain.velocity[2]))
}

#[test]
fn the_push_of_sliding_friction_is_its_coefficient_times_the_normal_push() {
    for law in [hertz(), linear(1e4)] {
        for restitution in [0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
            for share in [1.0, 0.1, 0.01] {
                let found = sliding_friction(law, restitution, share);
                assert!(
                    (found - 1.0).abs() < 0.01,
                    "{law:?} {restitution} {share}: {found}"
                );
            }
        }
    }
}

#[test]
fn spheres_that_pass_each_other_without_friction_lose_nothing() {
    for law in [hertz(), linear(1e4)] {
        let mut setup = setup(law, 1.0, 0.0);
        setup.gravity = [0.0; 3];
        let mut particles = Particles::new(setup).expect("a good setup");
        let ball = |x: f64, y: f64, v: f64| Grain {
            position: [x, y, 0.0],
            velocity: [v, 0.0, 0.0],
            radius: 1e-3,
            ..Grain::default()
        };
        particles
            .add(&[ball(0.0, 0.0, 0.5), ball(2.003e-3, 1.4e-3, -0.5)])
            .expect("two balls");
        let (dt, before) = (particles.stable_step(), particles.energy().kinetic);

        for _ in 0..(3e-3 / dt) as usize {
            step(&mut particles, dt).expect("the step is stable");
        }

        let (after, grain) = (particles.energy(), particles.grain_at(0));
        assert!(grain.velocity[1] < -0.1, "they met: {grain:?}");
        let lost = after.dissipated / before;
        assert!(lost.abs() < 2e-4, "{law:?}: {lost}");
    }
}

#[test]
fn the_given_restitution_is_measured_at_the_advised_step() {
    // The beginning of the contact within a step differs from gap to gap.
    for law in [hertz(), linear(1e4)] {
        for (restitution, gap) in [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]
            .into_iter()
            .flat_map(|restitution| (0..20).map(move |n| (restitution, 3e-6 + 1e-7 * f64::from(n))))
        {
            let mut setup = setup(law, restitution, 0.0);
            setup.gravity = [0.0; 3];
            let mut particles = Particles::new(setup).expect("a good setup");
            let ball = |x: f64, v: f64| Grain {
                position: [x, 0.0, 0.0],
                velocity: [v, 0.0, 0.0],
                radius: 1e-3,
                ..Grain::default()
            };
            particles
                .add(&[ball(0.0, 0.5), ball(2e-3 + gap, -0.5)])
                .expect("two balls");
            let dt = particles.stable_step();

            for _ in 0..(2e-3 / dt) as usize {
                step(&mut particles, dt).expect("the step is stable");
            }

            let seen = particles.grain_at(1).velocity[0] - particles.grain_at(0).velocity[0];
            // A dashpot that leaves nothing would have to stop the pair within a step.
            let limit = if restitution > 0.0 { 0.02 } else { 0.085 };
            assert!(
                (seen - restitution).abs() < limit,
                "{law:?} {restitution} {gap}: {seen}"
            );
        }
    }
}

#[test]
fn free_collisions_keep_angular_momentum_to_rounding() {
    let law = Law {
        rolling: Rolling::Spring,
        ..hertz()
    };
    let mut setup = setup(law, 0.6, 0.5);
    setup.gravity = [0.0; 3];
    setup.materials[0].young = 1e5;
    let mut particles = Particles::new(setup).expect("a good setup");
    let mut random = Random::new(41);

    let grains: Vec<Grain> = (0..27)
        .map(|n| {
            let cell = [n % 3, n / 3 % 3, n / 9].map(|k| 2.2e-3 * (k as f64 - 1.0));
            let inwards = Vector::from(cell) * -100.0;
            Grain {
                position: cell,
                velocity: (inwards + random.direction::<3>() * 0.1).into(),
                spin: (random.direction::<3>() * 50.0).into(),
                radius: random.within(5e-4, 1e-3),
                species: 0,
                is_fixed: false,
            }
        })
        .collect();
    particles.add(&grains).expect("good grains");

    let momentum = |particles: &Particles| {
        (0..particles.len())
            .map(|place| {
                let (grain, mass) = (particles.grain_at(place), particles.mass_at(place));
                let own = Vector::from(grain.spin) * (0.4 * grain.radius * grain.radius);
                (Vector::from(grain.position).cross(&Vector::from(grain.velocity)) + own) * mass
            })
            .sum::<Vector<3>>()
    };
    let (before, dt) = (momentum(&particles), particles.stable_step());
    let mut most = 0;

    for _ in 0..1000 {
        step(&mut particles, dt).expect("the step is stable");
        most = most.max(particles.contact_count());
    }

    let scale = particles.mass_at(0) * 1e-3 * 0.3;
    assert!(most > 20, "{most} contacts");
    assert!((momentum(&particles) - before).norm() < 1e-11 * scale);
}

#[test]
fn energy_closes_with_weight_along_an_axis_that_repeats() {
    let mut setup = soft(hertz(), 0.5);
    setup.gravity = [3.0, 0.0, -9.81];
    setup.period = [Some([-6e-3, 6e-3]), None, Some([0.0, 2e-2])];
    let mut particles = Particles::new(setup).expect("a good setup");
    let mut random = Random::new(4);
    let grains: Vec<Grain> = (0..40)
        .map(|n| Grain {
            position: [n % 5, n / 5 % 4, n / 20].map(|k| 2.2e-3 * k as f64 - 4e-3),
            velocity: (random.direction::<3>() * 0.2).into(),
            radius: 1e-3,
            ..Grain::default()
        })
        .collect();
    particles.add(&grains).expect("good grains");
    let (dt, before) = (particles.stable_step(), particles.energy());

    while particles.time() < 0.3 {
        step(&mut particles, dt).expect("the step is stable");
    }

    let after = particles.energy();
    assert!(
        after.work > 10.0 * before.kinetic,
        "they fell round: {after:?}"
    );
    let drift = (after.total() - before.total()) / after.work;

    assert!(drift.abs() < 0.01, "{drift} {after:?}");
}

#[test]
fn the_advised_step_is_short_enough_for_the_speed() {
    let mut setup = setup(hertz(), 0.5, 0.5);
    setup.materials[0].young = 1e3;
    let mut particles = Particles::new(setup).expect("a good setup");
    let grain = Grain {
        position: [0.0, 0.0, 2e-3],
        velocity: [0.0, 0.0, -1.0],
        radius: 1e-3,
        ..Grain::default()
    };
    particles.add(&[grain]).expect("a ball");
    let dt = particles.stable_step();
    assert!(dt <= 1.0001e-4, "{dt}");
    step(&mut particles, dt).expect("a step that was advised");

    // After a step that was too long, the advice must be a different step.
    let trouble = step(&mut particles, 2e-3).expect_err("two radii in a step");
    assert!(
        trouble.hint.contains("to 9.8e-5 s at this speed"),
        "{trouble}"
    );
}
