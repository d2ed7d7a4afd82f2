//! Tests of particles: physical laws, exact neighbour lists, bit-identical results.

use super::*;
use crate::law::{Normal, Rolling, Stiffness};
use crate::{BodyKind, BodyRef, Energy, Matter, Spread, StepError};
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, BruteForce};
use impinge::space::{Pose, Random};
use std::f64::consts::PI;

pub(super) fn linear(stiffness: f64) -> Law {
    let stiffness = Stiffness::Given(stiffness);
    Law {
        normal: Normal::Linear {
            stiffness,
            tangential: 2.0 / 7.0,
            tangential_damping: 0.5,
        },
        rolling: Rolling::None,
    }
}

pub(super) fn hertz() -> Law {
    Law {
        normal: Normal::HertzMindlin,
        rolling: Rolling::None,
    }
}

pub(super) fn setup(law: Law, restitution: f64, friction: f64) -> Setup {
    let material = Material {
        restitution,
        friction,
        rolling_friction: 0.1,
        ..Material::default()
    };
    Setup {
        law,
        materials: vec![material],
        ..Setup::default()
    }
}

pub(super) fn step(particles: &mut Particles, dt: f64) -> Result<(), StepError> {
    particles.begin(dt);
    particles.interact(dt)?;
    particles.finish(dt)
}

fn run(particles: &mut Particles, dt: f64, steps: usize) {
    (0..steps).for_each(|_| step(particles, dt).expect("the step is stable"));
}

fn ball(position: [f64; 3], velocity: [f64; 3]) -> Grain {
    Grain {
        position,
        velocity,
        radius: 1e-3,
        ..Grain::default()
    }
}

fn floor(particles: &mut Particles) {
    particles
        .add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 0).expect("a floor"))
        .expect("its material");
}

/// A crowd in a tray, half of it overlapping: contacts begin and end in every step.
fn crowd(setup: Setup, count: usize, radii: [f64; 2], seed: u64) -> Particles {
    let mut particles = Particles::new(setup).expect("a good setup");
    let mut random = Random::new(seed);
    let pitch = 0.99 * (radii[0] + radii[1]);
    let side = (count as f64).cbrt().ceil() as usize;
    let grains: Vec<Grain> = (0..count)
        .map(|n| {
            let cell = [n % side, n / side % side, n / (side * side)];
            let wobble = random.direction::<3>();
            Grain {
                position: cell.map(|k| (k as f64 + 0.6) * pitch),
                velocity: (wobble * 0.3).into(),
                spin: (wobble * 10.0).into(),
                radius: random.within(radii[0], radii[1]),
                species: 0,
                is_fixed: false,
            }
        })
        .collect();
    particles.add(&grains).expect("good grains");
    let size = (side as f64 + 0.5) * pitch;

    if particles.setup.period[0].is_none() {
        for (point, normal) in [
            ([0.0; 3], [1.0, 0.0, 0.0]),
            ([size; 3], [-1.0, 0.0, 0.0]),
            ([0.0; 3], [0.0, 1.0, 0.0]),
            ([size; 3], [0.0, -1.0, 0.0]),
        ] {
            particles
                .add_obstacle(Obstacle::half_space(point, normal, 0).expect("a wall"))
                .expect("its material");
        }
    }

    floor(&mut particles);
    particles
}

/// Returns the ratio of rebound speed to impact speed of a sphere on a floor, and the contact time.
fn rebound(law: Law, restitution: f64, dt_share: f64) -> (f64, f64) {
    let mut particles = Particles::new(Setup {
        gravity: [0.0; 3],
        ..setup(law, restitution, 0.3)
    })
    .expect("a good setup");
    particles
        .add(&[ball([0.0, 0.0, 1.01e-3], [0.0, 0.0, -1.0])])
        .expect("a ball");
    floor(&mut particles);
    let dt = particles.stable_step() * dt_share;
    let mut in_contact = 0;

    for _ in 0..100_000 {
        step(&mut particles, dt).expect("the step is stable");
        in_contact += usize::from(particles.contact_count() > 0);
        let grain = particles.grain_at(0);
        if grain.velocity[2] > 0.0 && particles.contact_count() == 0 {
            return (grain.velocity[2], in_contact as f64 * dt);
        }
    }

    panic!("it never comes back");
}

#[test]
fn a_sphere_leaves_a_wall_with_the_given_restitution() {
    for law in [linear(1e4), hertz()] {
        for wanted in [0.2, 0.5, 0.9, 1.0] {
            let (speed, _) = rebound(law, wanted, 0.02);
            assert!(
                (speed - wanted).abs() < 0.002,
                "{law:?}: {speed} instead of {wanted}"
            );
        }
    }
}

#[test]
fn a_hertzian_contact_lasts_as_long_as_hertz_says() {
    // 2.868 (m²/(R E*² v))^(1/5); against a wall of the same material 1/E* = 2(1 − ν²)/E.
    let (material, radius) = (Material::default(), 1e-3f64);
    let young = material.young / (2.0 * (1.0 - material.poisson.powi(2)));
    let mass = material.density * 4.0 / 3.0 * PI * radius.powi(3);
    let expected = 2.868 * (mass * mass / (radius * young * young)).powf(0.2);
    let (_, time) = rebound(hertz(), 1.0, 0.01);

    assert!(
        (time / expected - 1.0).abs() < 0.005,
        "{time:e} instead of {expected:e}"
    );
}

#[test]
fn an_undamped_bounce_keeps_its_energy() {
    for law in [
        linear(1e4),
        hertz(),
        Law {
            normal: Normal::Restoring { stiffness: 1e4 },
            ..Law::default()
        },
    ] {
        let mut particles = Particles::new(setup(law, 1.0, 0.0)).expect("a good setup");
        particles
            .add(&[ball([0.0, 0.0, 5e-3], [0.0; 3])])
            .expect("a ball");
        floor(&mut particles);
        let (dt, before) = (0.2 * particles.stable_step(), particles.energy().total());
        let mut bounces = 0;
        let mut falls = false;
        while bounces < 10 {
            step(&mut particles, dt).expect("the step is stable");
            let rises = particles.grain_at(0).velocity[2] > 0.0;
            bounces += usize::from(falls && rises);
            falls = !rises;
        }
        let drift = particles.energy().total() / before - 1.0;
        assert!(drift.abs() < 1e-3, "{law:?}: {drift:e}");
    }
}

#[test]
fn energy_that_friction_and_damping_take_is_booked() {
    for law in [
        linear(1e3),
        hertz(),
        Law {
            rolling: Rolling::Spring,
            ..hertz()
        },
    ] {
        let mut particles = crowd(setup(law, 0.6, 0.4), 200, [8e-4, 1e-3], 3);
        let dt = 0.5 * particles.stable_step();
        // Contacts are known after the first step.
        run(&mut particles, dt, 1);
        let before = particles.energy();
        while particles.time() < 0.08 {
            step(&mut particles, dt).expect("the step is stable");
        }
        let Energy {
            kinetic,
            dissipated,
            ..
        } = particles.energy();
        assert!(kinetic < 0.2 * dissipated && before.dissipated < 0.1 * dissipated);
        let drift = (particles.energy().total() - before.total()) / dissipated;
        assert!(drift.abs() < 0.01, "{law:?}: {drift:.4} of what was lost");
    }
}

#[test]
fn free_collisions_keep_momentum_to_rounding() {
    let law = Law {
        rolling: Rolling::Spring,
        ..hertz()
    };
    let mut setup = Setup {
        gravity: [0.0; 3],
        ..setup(law, 0.7, 0.5)
    };
    setup.period = [Some([0.0, 1.8e-2]); 3];
    let mut particles = crowd(setup, 1000, [8e-4, 1e-3], 5);
    particles.obstacles.clear();

    let scale: f64 = particles
        .grains()
        .map(|(_, g)| Vector::from(g.velocity).norm())
        .sum::<f64>()
        * particles.mass_at(0);
    let before = particles.momentum();
    let dt = particles.stable_step();
    let mut most = 0;

    for _ in 0..2000 {
        step(&mut particles, dt).expect("the step is stable");
        most = most.max(particles.contact_count());
    }

    assert!(most > 300, "{most} contacts");
    assert!((particles.momentum() - before).norm() < 1e-12 * scale);
}

#[test]
fn every_pair_that_brute_force_finds_is_in_contact_at_every_step() {
    for period in [[None; 3], [Some([0.0, 1.6e-2]), Some([0.0, 1.6e-2]), None]] {
        let setup = Setup {
            period,
            ..setup(linear(1e3), 0.8, 0.3)
        };
        let mut particles = crowd(setup, 800, [6e-4, 1e-3], 7);
        let dt = particles.stable_step();
        let mut pairs = Vec::new();
        let mut checked = 0;

        for _ in 0..600 {
            particles.begin(dt);
            particles.interact(dt).expect("the step is stable");
            let balls: Vec<Ball<3>> = particles.arrays.balls.clone();
            let scene = BroadScene {
                period: particles.cell.lengths(),
                ..BroadScene::of(&balls)
            };
            BruteForce::default()
                .find_pairs(&scene, &mut pairs)
                .expect("good balls");
            let kept: Vec<_> = particles.list.kept().iter().map(|kept| kept.pair).collect();
            assert_eq!(kept, pairs);
            checked += pairs.len();

            particles.finish(dt).expect("the step is stable");
        }

        assert!(
            checked > 50_000 && particles.list_counters().0 > 3,
            "{checked}, {:?}",
            particles.list_counters()
        );
    }
}

#[test]
fn radii_of_one_to_a_hundred_are_found_all() {
    let mut particles = Particles::new(setup(linear(1e2), 0.5, 0.5)).expect("a good setup");
    let mut random = Random::new(2);
    let mut grains = vec![Grain {
        position: [0.0, 0.0, 0.02],
        radius: 0.02,
        ..Grain::default()
    }];

    for _ in 0..3000 {
        let position = Vector::from([0.0, 0.0, 0.02])
            + random.direction::<3>() * random.within(0.0199, 0.0206);
        grains.push(Grain {
            position: position.into(),
            radius: 2e-4,
            ..Grain::default()
        });
    }

    particles.add(&grains).expect("good grains");
    let (dt, mut pairs) = (0.2 * particles.stable_step(), Vec::new());
    for _ in 0..100 {
        particles.begin(dt);
        particles.interact(dt).expect("the step is stable");
        BruteForce::default()
            .find_pairs(&BroadScene::of(&particles.arrays.balls), &mut pairs)
            .expect("good balls");
        assert_eq!(
            particles
                .list
                .kept()
                .iter()
                .map(|kept| kept.pair)
                .collect::<Vec<_>>(),
            pairs
        );

        particles.finish(dt).expect("the step is stable");
    }

    assert!(pairs.len() > 50);
}

/// Returns all numbers of a state as text: equal text means equal bytes.
fn fingerprint(particles: &Particles) -> String {
    format!("{:?}", particles.state())
}

#[test]
fn one_two_and_seven_threads_give_the_same_bytes() {
    let runs: Vec<String> = [1, 2, 7]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            pool.install(|| {
                let mut particles = crowd(setup(linear(1e3), 0.6, 0.5), 5000, [5e-4, 1e-3], 11);
                let dt = particles.stable_step();
                run(&mut particles, dt, 400);
                assert!(particles.contact_count() > 1000);
                fingerprint(&particles)
            })
        })
        .collect();
    assert!(runs[0] == runs[1] && runs[0] == runs[2]);
}

#[test]
fn a_resumed_run_goes_on_to_the_same_bytes() {
    let law = Law {
        rolling: Rolling::Spring,
        ..linear(1e3)
    };
    let mut going = crowd(setup(law, 0.6, 0.5), 2000, [5e-4, 1e-3], 13);
    going
        .add_inlet(Inlet {
            region: Region::Box {
                min: [2e-3, 2e-3, 0.035],
                max: [1.8e-2, 1.8e-2, 0.045],
            },
            rate: InletRate::Number(5e4),
            radii: Spread::Uniform([6e-4, 9e-4]),
            velocity: [0.0, 0.0, -0.5],
            scatter: 0.1,
            ..Inlet::default()
        })
        .expect("an inlet");

    going
        .add_outlet(Region::Box {
            min: [-1.0; 3],
            max: [5e-3, 5e-3, 5e-3],
        })
        .expect("an outlet");
    let dt = going.stable_step();
    run(&mut going, dt, 300);
    let mut resumed = Particles::resume(&going.state()).expect("a good state");
    assert_eq!(fingerprint(&going), fingerprint(&resumed));

    let contacts = going
        .list
        .kept()
        .iter()
        .filter(|kept| kept.spring.norm() > 0.0)
        .count();
    assert!(contacts > 500, "{contacts} springs");
    run(&mut going, dt, 300);
    run(&mut resumed, dt, 300);
    assert!(fingerprint(&going) == fingerprint(&resumed));

    assert!(going.len() != 2000 && going.next_id > 2000);
}

#[test]
fn springs_survive_new_lists_new_orders_and_the_removal_of_others() {
    let mut particles = crowd(setup(linear(1e3), 0.6, 0.5), 500, [9e-4, 1e-3], 17);
    let dt = particles.stable_step();
    run(&mut particles, dt, 50);
    let springs = |particles: &Particles| {
        let id = |place: u32| particles.arrays.ids[place as usize];
        let mut springs: Vec<([u32; 2], [f64; 3])> = (particles.list.kept().iter())
            .map(|kept| match (id(kept.pair.a), id(kept.pair.b)) {
                (a, b) if a < b => ([a, b], kept.spring.into()),
                (a, b) => ([b, a], (-kept.spring).into()),
            })
            .collect();
        springs.sort_by_key(|spring| spring.0);
        springs
    };
    let before = springs(&particles);
    assert!(before.len() > 150, "{} contacts", before.len());
    let mut order: Vec<u32> = (0..500).collect();
    order.reverse();
    particles.arrange(&order);
    particles.keep_list().expect("a list");
    assert!(springs(&particles) == before);
    let gone = particles.arrays.ids[7];
    particles.remove(&[gone]);
    particles.keep_list().expect("a list");

    let left: Vec<_> = before
        .into_iter()
        .filter(|spring| !spring.0.contains(&gone))
        .collect();
    assert!(springs(&particles) == left);
}

#[test]
fn a_blow_up_names_the_particle() {
    let mut particles = Particles::new(setup(linear(1e4), 0.9, 0.3)).expect("a good setup");
    let close = [1e-4, 0.0, 0.0];
    particles
        .add(&[
            ball([1.0, 0.0, 0.0], [0.0; 3]),
            ball([0.0; 3], [0.0; 3]),
            ball(close, [0.0; 3]),
        ])
        .expect("balls");
    let dt = 100.0 * particles.stable_step();
    let trouble = (0..100)
        .find_map(|_| step(&mut particles, dt).err())
        .expect("far too long a step");
    assert_eq!(trouble.body, "particle 1");

    assert!(
        trouble.cause.contains("of its radii in one step"),
        "{trouble}"
    );
}

#[test]
fn bad_input_is_refused_by_name() {
    let mut particles = Particles::new(Setup::default()).expect("a good setup");
    let good = ball([0.0; 3], [0.0; 3]);
    let nan = Grain {
        velocity: [0.0, f64::NAN, 0.0],
        ..good
    };
    assert_eq!(
        particles.add(&[good, nan]),
        Err(InvalidParticles::NotFinite {
            grain: 1,
            what: "velocity"
        })
    );

    assert!(matches!(
        particles.add(&[Grain {
            radius: 0.0,
            ..good
        }]),
        Err(InvalidParticles::Radius { grain: 0, .. })
    ));
    let strange = Grain { species: 3, ..good };
    let fault = particles.add(&[good, good, strange]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "grain 2 refers to material 3, but there are only 1"
    );
    assert_eq!(particles.len(), 0);

    assert!(
        Particles::new(Setup {
            gravity: [0.0, f64::NAN, 0.0],
            ..Setup::default()
        })
        .is_err()
    );
    let flat = Setup {
        period: [None, Some([1.0, 1.0]), None],
        ..Setup::default()
    };

    assert_eq!(
        Particles::new(flat).unwrap_err().to_string(),
        "the period of axis 1: its ends must be finite and ascend"
    );
    let narrow = Setup {
        period: [Some([0.0, 4e-3]), None, None],
        ..Setup::default()
    };

    let fault = Particles::new(narrow)
        .expect("fine without particles")
        .add(&[good])
        .unwrap_err();
    assert!(
        matches!(
            fault,
            InvalidParticles::Period {
                grain: 0,
                axis: 0,
                ..
            }
        ),
        "{fault}"
    );

    let inlet = Inlet {
        radii: Spread::Uniform([0.0, 1.0]),
        ..Inlet::default()
    };
    assert!(
        particles
            .add_inlet(inlet)
            .unwrap_err()
            .to_string()
            .starts_with("inlet 0: the radii")
    );

    assert!(
        particles
            .add_outlet(Region::Ball {
                centre: [0.0; 3],
                radius: -1.0
            })
            .is_err()
    );
}

#[test]
fn an_empty_set_is_valid() {
    let mut particles = Particles::new(Setup::default()).expect("a good setup");
    floor(&mut particles);
    run(&mut particles, 1e-3, 3);
    assert_eq!(
        (particles.energy().total(), particles.stable_step()),
        (0.0, f64::INFINITY)
    );
    let mut lines = Vec::new();
    particles.contacts(&mut lines);

    assert!(lines.is_empty());
}

#[test]
fn a_pile_carries_its_weight_and_the_network_shows_it() {
    let mut particles = Particles::new(setup(hertz(), 0.3, 0.5)).expect("a good setup");
    particles
        .add(&[
            ball([0.0, 0.0, 1e-3], [0.0; 3]),
            ball([0.0, 0.0, 3e-3], [0.0; 3]),
        ])
        .expect("balls");
    floor(&mut particles);
    let dt = particles.stable_step();
    run(&mut particles, dt, 20_000);
    let weight = 9.81 * particles.mass_at(0);
    assert!((particles.obstacles()[0].reaction().force.z / (-2.0 * weight) - 1.0).abs() < 1e-3);
    let mut lines = Vec::new();
    particles.contacts(&mut lines);
    let bodies: Vec<[BodyRef; 2]> = lines.iter().map(|line| line.bodies).collect();
    let first = BodyRef::particle(0);
    assert_eq!(
        bodies,
        [[first, BodyRef::particle(1)], [first, BodyRef::wall(0)]]
    );
    assert!(lines.iter().all(|line| line.force.dot(&line.normal) > 0.0));

    assert!((lines[0].force.z / weight - 1.0).abs() < 1e-3 && lines[1].force.z < 0.0);
}

#[test]
fn friction_holds_a_sphere_on_a_slope_and_lets_it_roll_or_slide() {
    // Without rolling resistance a sphere rolls down at 5/7 g sin; with a rolling spring it stays.
    let tilted = |rolling, friction| {
        let mut setup = setup(
            Law {
                rolling,
                ..linear(1e4)
            },
            0.5,
            friction,
        );
        setup.gravity = [9.81 * 0.05f64.sin(), 0.0, -9.81 * 0.05f64.cos()];
        let mut particles = Particles::new(setup).expect("a good setup");
        particles
            .add(&[ball([0.0, 0.0, 1e-3], [0.0; 3])])
            .expect("a ball");
        floor(&mut particles);
        let dt = particles.stable_step();
        while particles.time() < 0.1 {
            step(&mut particles, dt).expect("the step is stable");
        }
        particles.grain_at(0).velocity[0] / (9.81 * 0.05f64.sin() * 0.1)
    };
    assert!((tilted(Rolling::None, 0.5) - 5.0 / 7.0).abs() < 0.01);
    assert!((tilted(Rolling::None, 0.0) - 1.0).abs() < 0.01);
    assert!(tilted(Rolling::Spring, 0.5).abs() < 0.01);

    assert!(tilted(Rolling::Constant, 0.5).abs() < 0.1);
}

#[test]
fn a_heap_has_an_angle_of_repose_of_grains() {
    // A flat column slumps: glass beads 22° to 27°, sands some 30° to 36° (literature). Single heaps
    // of so few grains differ by 1° (standard deviation).
    let angles = [23, 24, 25, 26].map(angle_of_repose);
    let mean = angles.iter().sum::<f64>() / angles.len() as f64;
    assert!((18.0..38.0).contains(&mean), "{angles:?}");
}

/// Returns the slope of a column that slumped, in degrees.
fn angle_of_repose(seed: u64) -> f64 {
    let law = Law {
        rolling: Rolling::Spring,
        ..linear(500.0)
    };
    let mut rough = setup(law, 0.4, 0.6);
    rough.materials[0].rolling_friction = 0.2;
    let mut particles = Particles::new(rough).expect("a good setup");
    let mut random = Random::new(seed);
    let mut grains = Vec::new();

    for n in 0..1440 {
        let cell = [n % 12, n / 12 % 12, n / 144].map(|k| 2.02e-3 * (k as f64 + 0.6));
        let place = Vector::from(cell) + random.direction::<3>() * 2e-5;
        grains.push(Grain {
            radius: random.within(8e-4, 1e-3),
            ..ball(place.into(), [0.0; 3])
        });
    }

    particles.add(&grains).expect("good grains");
    floor(&mut particles);
    let dt = particles.stable_step();

    while particles.time() < 0.3 {
        step(&mut particles, dt).expect("the step is stable");
    }

    let Energy {
        kinetic, potential, ..
    } = particles.energy();
    assert!(kinetic < 5e-3 * potential, "{kinetic:e} of {potential:e}");

    slope(&particles).atan().to_degrees()
}

/// Returns the slope of a heap between 75 % and 35 % of its height. The surface of a ring is the
/// median over its sectors of their tops.
fn slope(particles: &Particles) -> f64 {
    const RING: f64 = 1.5e-3;
    let centre = Vector::from(particles.centre_of_mass());
    let mut tops = [[0.0f64; 12]; 40];

    for (_, g) in particles.grains() {
        let way = [g.position[0] - centre.x, g.position[1] - centre.y];
        let ring = (way[0].hypot(way[1]) / RING) as usize;
        let sector = ((way[1].atan2(way[0]) / PI + 1.0) * 6.0) as usize;
        let top = &mut tops[ring.min(39)][sector.min(11)];
        *top = top.max(g.position[2] + g.radius);
    }

    let tops = tops.map(|mut sectors| {
        sectors.sort_by(f64::total_cmp);
        sectors[6]
    });
    let height = tops.iter().copied().fold(0.0, f64::max);
    let radius = |share: f64| {
        let last = tops
            .iter()
            .rposition(|&top| top > share * height)
            .expect("a heap");
        // Between the centres of this ring and the next.
        let (inner, outer) = (tops[last], tops[last + 1]);
        RING * (last as f64 + 0.5 + (inner - share * height) / (inner - outer))
    };

    0.4 * height / (radius(0.35) - radius(0.75))
}

#[test]
fn an_inlet_repeats_with_its_seed_and_an_outlet_empties() {
    let run_with = |seed| {
        let mut particles = Particles::new(setup(linear(1e4), 0.5, 0.5)).expect("a good setup");
        let inlet = Inlet {
            region: Region::Cylinder {
                from: [0.0, 0.0, 0.02],
                to: [0.0, 0.0, 0.03],
                radius: 0.01,
            },
            rate: InletRate::Number(2e4),
            radii: Spread::Uniform([5e-4, 1e-3]),
            velocity: [0.0, 0.0, -1.0],
            most: 300,
            seed,
            ..Inlet::default()
        };
        particles.add_inlet(inlet).expect("an inlet");
        particles
            .add_outlet(Region::Box {
                min: [-1.0; 3],
                max: [1.0, 1.0, 0.0],
            })
            .expect("an outlet");
        let dt = particles.stable_step();
        let mut most = 0;
        while particles.time() < 0.08 {
            step(&mut particles, dt).expect("the step is stable");
            most = most.max(particles.len());
        }
        (
            most,
            particles.next_id,
            particles.len(),
            fingerprint(&particles),
        )
    };
    let (first, again, other) = (run_with(1), run_with(1), run_with(2));
    assert_eq!((first.1, first.2), (300, 0));

    assert!(first.0 > 50 && first == again && first.3 != other.3);
}

#[test]
fn a_moving_wall_pushes_and_carries() {
    let mut particles = Particles::new(Setup {
        gravity: [0.0; 3],
        ..setup(linear(1e4), 1.0, 0.0)
    })
    .expect("a good setup");
    particles
        .add(&[ball([0.0, 0.0, 2e-3], [0.0; 3])])
        .expect("a ball");
    floor(&mut particles);
    let (dt, speed) = (0.1 * particles.stable_step(), 0.5);

    for n in 1..20_000 {
        let height = speed * dt * n as f64;
        particles.obstacles_mut()[0].move_to(
            Pose::at([0.0, 0.0, height]),
            [0.0, 0.0, speed],
            [0.0; 3],
        );
        step(&mut particles, dt).expect("the step is stable");
    }

    // An elastic sphere at rest leaves a heavy wall with twice its speed.
    assert!(
        (particles.grain_at(0).velocity[2] - 2.0 * speed).abs() < 0.01,
        "{:?}",
        particles.grain_at(0)
    );
}

/// Returns the overlaps of the contact list: share, particle and partner.
fn listed_overlaps(particles: &Particles) -> Vec<(f64, u32, Option<u32>)> {
    let radii: std::collections::BTreeMap<u32, f64> = particles
        .grains()
        .map(|(id, grain)| (id, grain.radius))
        .collect();
    let mut lines = Vec::new();
    particles.contacts(&mut lines);

    lines
        .iter()
        .map(|line| {
            let [a, b] = line.bodies;
            let other = (b.kind == BodyKind::Particle).then_some(b.index);
            let of_other = other.map_or(f64::INFINITY, |b| radii[&b]);
            let thinner = radii[&a.index].min(of_other);
            (line.depth / (2.0 * thinner), a.index, other)
        })
        .collect()
}

#[test]
fn the_force_loops_find_the_deepest_overlaps_of_the_contact_list() {
    for (law, soft) in [
        (linear(2e3), 1.0),
        (linear(1.0), 0.1),
        (hertz(), 1.0),
        (linear(0.05), 0.05),
    ] {
        let mut particles = crowd(setup(law, 0.5, 0.3), 3000, [0.4e-3, 1e-3], 7);
        let dt = soft * particles.stable_step();

        for _ in 0..300 {
            step(&mut particles, dt).expect("a good step");
            let listed = listed_overlaps(&particles);
            let found = particles.overlaps().deepest().expect("a crowd");
            let other = match found.partner {
                OverlapPartner::Particle(id) => Some(id),
                OverlapPartner::Obstacle(_) => None,
            };

            let largest = listed.iter().map(|row| row.0).fold(0.0, f64::max);
            assert!((found.share - largest).abs() <= 1e-12 * largest);
            assert!(listed.contains(&(found.share, found.particle, other)));
            let deep = listed.iter().filter(|row| row.0 >= DEEP_OVERLAP).count();
            assert_eq!(particles.overlaps().deep().len(), deep);
        }
    }
}

#[test]
fn a_centre_that_crosses_a_moving_or_turning_plate_is_reported_in_that_step() {
    // A thin plate sweeps over a resting ball: along its normal, and about an edge.
    let corners = [
        [-0.05, -0.05, 0.0],
        [0.05, -0.05, 0.0],
        [0.05, 0.05, 0.0],
        [-0.05, 0.05, 0.0],
    ];
    let dt = 1e-4;
    for (velocity, spin) in [([0.0, 0.0, 5.0], 0.0), ([0.0; 3], 100.0)] {
        let mut particles = Particles::new(Setup {
            gravity: [0.0; 3],
            ..setup(linear(1e-6), 0.5, 0.0)
        })
        .expect("a good setup");
        particles
            .add(&[ball([0.03, 1e-4, 5.2e-3], [0.0; 3])])
            .expect("a ball");
        let plate = Obstacle::mesh(&corners, &[[0, 1, 2], [0, 2, 3]], 0).expect("a plate");
        particles.add_obstacle(plate).expect("its material");

        let side = |pose: &Pose<3>, particles: &Particles| {
            let centre = particles.positions().next().expect("a ball");
            pose.to_local(&centre).z > 0.0
        };
        let pose = |time: f64| {
            let turn = -spin * time;
            let rotation = impinge::space::Matrix::<3>::from_row_slice(&[
                turn.cos(),
                0.0,
                turn.sin(),
                0.0,
                1.0,
                0.0,
                -turn.sin(),
                0.0,
                turn.cos(),
            ]);
            let at = velocity.map(|v: f64| v * time);
            Pose::new(rotation, at).expect("a pose")
        };

        let mut crossings = 0;
        for n in 0..40 {
            let (before, after) = (pose(f64::from(n) * dt), pose(f64::from(n + 1) * dt));
            let was = side(&before, &particles);
            particles.obstacles_mut()[0].move_to(after, velocity, [0.0, -spin, 0.0]);
            step(&mut particles, dt).expect("a good step");
            let has_crossed = was != side(&after, &particles);
            let expected: &[(u32, u32)] = if has_crossed { &[(0, 0)] } else { &[] };
            assert_eq!(particles.overlaps().crossings(), expected, "step {n}");
            crossings += usize::from(has_crossed);
        }
        assert_eq!(crossings, 1);
    }
}

#[test]
fn particles_stored_without_those_far_away_get_the_same_bytes() {
    let law = Law {
        rolling: Rolling::Spring,
        ..hertz()
    };
    let mut all = crowd(setup(law, 0.5, 0.4), 3000, [1e-3, 1e-3], 12);
    let dt = 0.5 * all.stable_step();
    run(&mut all, dt, 60);

    // Fewer than an eighth leave: more would sort the others again.
    let mut by_x: Vec<(f64, u32)> = all
        .grains()
        .map(|(id, grain)| (grain.position[0], id))
        .collect();
    by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
    let cut = by_x.len() * 10 / 11;
    let mut far: Vec<u32> = by_x[cut..].iter().map(|&(_, id)| id).collect();
    far.sort_unstable();
    let (edge, steps) = (by_x[cut].0, 3);
    let mut part = all.clone();
    part.remove(&far);
    run(&mut all, dt, steps);
    run(&mut part, dt, steps);

    // What is missing acts on its neighbours in the first step, and on theirs in the next.
    let near = |grain: &Grain| grain.position[0] < edge - 2.5e-3 * (steps + 1) as f64;
    let (mut same, ids) = (0, part.places_by_id());
    let places = all.places_by_id();
    let in_all: Vec<u32> = places
        .iter()
        .filter(|place| far.binary_search(&all.ids()[**place as usize]).is_err())
        .copied()
        .collect();
    for (&one, &other) in in_all.iter().zip(&ids) {
        let (one, other) = (one as usize, other as usize);
        if near(&all.grain_at(one)) {
            assert_eq!(all.ids()[one], part.ids()[other]);
            assert_eq!(all.grain_at(one), part.grain_at(other));
            assert_eq!(all.load_at(one), part.load_at(other));
            assert_eq!(all.arrays.lost[one], part.arrays.lost[other]);
            same += 1;
        }
    }

    assert!(same > 1500, "{same} compared");
}

#[test]
fn fixed_particles_stay_and_carry_what_lies_on_them() {
    let mut particles = Particles::new(setup(hertz(), 0.5, 0.5)).expect("a good setup");
    let bumpy = (0..25).map(|n| Grain {
        position: [(n % 5) as f64 * 1.5e-3, (n / 5) as f64 * 1.5e-3, 0.0],
        radius: 1e-3,
        is_fixed: true,
        ..Grain::default()
    });
    let bumpy: Vec<Grain> = bumpy.collect();
    particles.add(&bumpy).expect("good grains");
    particles
        .add(&[ball([3.2e-3, 2.9e-3, 2.3e-3], [0.0; 3])])
        .expect("a good grain");
    floor(&mut particles);

    let before = particles.measure_energy().total();
    let dt = particles.stable_step();
    run(&mut particles, dt, 20_000);
    assert!(particles.list.entries.len() < 25, "no pairs of fixed ones");
    for (id, grain) in particles.grains() {
        match id {
            25 => assert!(grain.position[2] > 1.2e-3 && grain.velocity[2].abs() < 1e-3),
            id => assert_eq!(grain, bumpy[id as usize]),
        }
    }

    let weight = particles.mass_at(particles.len() - 1) * 9.81;
    let after = particles.measure_energy().total();
    assert!(
        (after - before).abs() < 0.01 * weight * 1e-3,
        "{before} {after}"
    );
    let moving = Grain {
        velocity: [1.0, 0.0, 0.0],
        ..bumpy[0]
    };
    let fault = particles.add(&[moving]).expect_err("a contradiction");
    assert_eq!(fault, InvalidParticles::Moves { grain: 0 });
}

#[test]
fn global_damping_slows_flight_at_its_rate_and_books_the_loss() {
    let mut particles = Particles::new(Setup {
        damping: 2.0,
        gravity: [0.0; 3],
        ..setup(hertz(), 0.5, 0.5)
    })
    .expect("a good setup");
    let flying = Grain {
        spin: [5.0, 0.0, 0.0],
        ..ball([0.0; 3], [1.0, 0.0, 0.0])
    };
    particles.add(&[flying]).expect("a good grain");
    let before = particles.measure_energy().total();
    run(&mut particles, 1e-4, 5000);

    let grain = particles.grain_at(0);
    let left = (-1.0f64).exp();
    assert!((grain.velocity[0] / left - 1.0).abs() < 1e-9, "{grain:?}");
    assert!((grain.spin[0] / (5.0 * left) - 1.0).abs() < 1e-9);
    assert!((particles.measure_energy().total() / before - 1.0).abs() < 1e-9);
}

/// Two spheres pulled apart slowly; returns the largest pull.
fn pulled_apart(normal: Normal) -> f64 {
    let material = Material {
        young: 1e6,
        restitution: 1.0,
        friction: 0.0,
        cohesion: 0.05,
        ..Material::default()
    };
    let mut particles = Particles::new(Setup {
        law: Law {
            normal,
            rolling: Rolling::None,
        },
        materials: vec![
            material,
            Material {
                density: 1e12,
                ..material
            },
        ],
        gravity: [0.0; 3],
        ..Setup::default()
    })
    .expect("a good setup");
    let fixed = Grain {
        is_fixed: true,
        ..ball([0.0; 3], [0.0; 3])
    };
    let heavy = Grain {
        species: 1,
        ..ball([0.0, 0.0, 1.998e-3], [0.0, 0.0, 1e-3])
    };
    particles.add(&[fixed, heavy]).expect("good grains");
    let mut largest: f64 = 0.0;
    while particles.time() < 0.2 {
        step(&mut particles, 2e-6).expect("the step is stable");
        let place = particles.arrays.ids.iter().position(|id| *id == 1);
        let [force, _] = particles.load_at(place.expect("it is there"));
        largest = largest.max(-force.z);
        if particles.contact_count() == 0 {
            break;
        }
    }
    assert_eq!(particles.contact_count(), 0, "they part");
    largest
}

#[test]
fn cohesive_contacts_pull_as_theory_says() {
    let unit = PI * 0.05 * 0.5e-3;
    assert!((pulled_apart(Normal::Jkr) / (1.5 * unit) - 1.0).abs() < 1e-3);
    assert!((pulled_apart(Normal::Dmt) / (2.0 * unit) - 1.0).abs() < 0.01);
    assert_eq!(pulled_apart(Normal::HertzMindlin), 0.0);
}

#[test]
fn a_sphere_hangs_from_a_ceiling_by_cohesion_and_falls_if_it_is_too_weak() {
    // It weighs 1.03e-4 N; the largest pull of 0.05 J/m² is 2.4e-4 N, of 0.01 J/m² 4.7e-5 N.
    for (cohesion, holds) in [(0.05, true), (0.01, false)] {
        let material = Material {
            young: 1e6,
            restitution: 0.3,
            cohesion,
            ..Material::default()
        };
        let mut particles = Particles::new(Setup {
            law: Law {
                normal: Normal::Jkr,
                rolling: Rolling::None,
            },
            materials: vec![material],
            ..Setup::default()
        })
        .expect("a good setup");
        particles
            .add(&[ball([0.0, 0.0, -0.995e-3], [0.0; 3])])
            .expect("a good grain");
        let ceiling = Obstacle::half_space([0.0; 3], [0.0, 0.0, -1.0], 0).expect("a ceiling");
        particles.add_obstacle(ceiling).expect("its material");
        let dt = particles.stable_step();
        run(&mut particles, dt, (0.05 / dt) as usize);

        let height = particles.grain_at(0).position[2];
        assert_eq!(height > -1.1e-3, holds, "{cohesion}: {height}");
        assert_eq!(particles.contact_count(), usize::from(holds));
    }
}

/// Two spheres, or a sphere and a floor, that stick at a low speed and swing between pull and push.
struct Swinging {
    before: Energy,
    after: Energy,
    /// Depth of the well of cohesion.
    deepest: f64,
}

/// The work that dashpots took must never fall.
fn swinging(restitution: f64, on_wall: bool) -> Swinging {
    let material = Material {
        young: 1e6,
        restitution,
        friction: 0.0,
        cohesion: 0.05,
        ..Material::default()
    };
    let mut particles = Particles::new(Setup {
        law: Law {
            normal: Normal::Jkr,
            rolling: Rolling::None,
        },
        materials: vec![material],
        gravity: [0.0; 3],
        ..Setup::default()
    })
    .expect("a good setup");
    let gap = 1e-5;
    if on_wall {
        let floor = Obstacle::half_space([0.0, 0.0, -1e-3 - gap], [0.0, 0.0, 1.0], 0);
        particles
            .add_obstacle(floor.expect("a floor"))
            .expect("its material");
    } else {
        let other = ball([0.0, 0.0, -2e-3 - gap], [0.0, 0.0, 2.5e-3]);
        particles.add(&[other]).expect("a good grain");
    }
    let falling = ball([0.0; 3], [0.0, 0.0, -2.5e-3]);
    particles.add(&[falling]).expect("a good grain");

    let dt = particles.stable_step() / 10.0;
    let before = particles.measure_energy();
    let (mut taken, mut deepest, mut swings, mut was_pulled) = (0.0_f64, 0.0_f64, 0, false);
    for _ in 0..20_000 {
        step(&mut particles, dt).expect("nothing blows up");
        let pull = particles.load_at(0)[0].z * (particles.grain_at(0).position[2] + 1e-3);
        if particles.contact_count() > 0 && (pull < 0.0) != was_pulled {
            was_pulled = !was_pulled;
            swings += 1;
        }
        let energy = particles.measure_energy();
        assert!(energy.dissipated > taken - 0.01 * before.total());
        taken = energy.dissipated.max(taken);
        deepest = deepest.max(-energy.elastic);
    }
    assert_eq!(particles.contact_count(), 1, "they stick");
    assert!(swings > 20, "{swings}");
    Swinging {
        before,
        after: particles.measure_energy(),
        deepest,
    }
}

#[test]
fn contacts_that_swing_between_pull_and_push_keep_their_energy_or_lose_it_to_dashpots() {
    for on_wall in [false, true] {
        for restitution in [1.0, 0.5] {
            let Swinging {
                before,
                after,
                deepest,
            } = swinging(restitution, on_wall);
            // A contact begins with a pull, up to a step too late: that is 0.2 % of the well.
            let closed = (after.total() - before.total()) / deepest;
            assert!(closed.abs() < 0.003, "{on_wall}: {closed}");
            let lost = after.dissipated / before.total();
            if restitution == 1.0 {
                assert!(lost.abs() < 1e-6, "{on_wall}: {lost}");
            } else {
                // The dashpots also take what the pull of cohesion has given.
                assert!(lost > 1.0, "{on_wall}: {after:?}");
                assert!(after.kinetic < 1e-9 * before.total(), "{after:?}");
            }
        }
    }
}

#[test]
fn cohesive_crowds_are_the_same_for_any_number_of_threads_and_after_a_restart() {
    let law = Law {
        normal: Normal::Jkr,
        rolling: Rolling::Spring,
    };
    let mut cohesive = setup(law, 0.5, 0.4);
    cohesive.materials[0].cohesion = 0.05;
    cohesive.materials[0].young = 1e6;
    let run_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a pool").install(|| {
            let mut particles = crowd(cohesive.clone(), 1500, [5e-4, 1e-3], 13);
            let dt = particles.stable_step();
            run(&mut particles, dt, 200);
            let mut resumed = Particles::resume(&particles.state()).expect("a good state");
            run(&mut particles, dt, 200);
            run(&mut resumed, dt, 200);
            assert!(fingerprint(&particles) == fingerprint(&resumed));
            fingerprint(&particles)
        })
    };
    let one = run_on(1);
    assert!(run_on(2) == one && run_on(7) == one);
}
