//! Particles divided among ranks have the same bytes as in one process.

use super::tests::{hertz, linear, setup, step};
use super::*;
use crate::law::{Normal, Rolling};
use crate::ranks::run_on_threads;
use crate::{Matter, ObstacleState, Spread, StepError};
use impinge::space::{Pose, Random};

const RANKS: [usize; 5] = [1, 2, 3, 4, 7];

/// Everything that is read of particles at a time.
#[derive(Clone, Debug, PartialEq)]
struct Reading {
    state: Vec<u8>,
    reactions: Vec<ObstacleState>,
    energy: String,
    contacts: String,
    deepest: f64,
    count: usize,
}

impl Reading {
    fn of(particles: &Particles) -> Self {
        let mut contacts = Vec::new();
        particles.contacts(&mut contacts);
        Self {
            state: postcard::to_stdvec(&particles.state()).expect("plain data"),
            reactions: particles
                .obstacles()
                .iter()
                .map(Obstacle::state)
                .map(plain)
                .collect(),
            energy: format!("{:?} {:?}", particles.energy(), particles.momentum()),
            contacts: format!("{contacts:?}"),
            deepest: particles.overlaps().largest_share(),
            count: particles.contact_count(),
        }
    }
}

/// Leaves out the contacts, whose places are those of memory.
fn plain(state: ObstacleState) -> ObstacleState {
    Obstacle::resume(&state).map_or(state, |obstacle| obstacle.state_with(Vec::new()))
}

/// A run: the particles, how obstacles move, the step, and the steps between readings.
struct Case<M> {
    make: fn() -> Particles,
    moves: M,
    steps: usize,
    every: usize,
}

/// Runs a case; the set is read through `read`, on the ranks where that gives it.
fn run<M: Fn(&mut Particles, f64)>(
    case: &Case<M>,
    particles: &mut Particles,
    mut read: impl FnMut(&mut Particles) -> Option<Reading>,
) -> Result<Vec<Reading>, StepError> {
    let dt = 0.9 * particles.stable_step();
    let mut readings = Vec::new();
    for n in 0..case.steps {
        (case.moves)(particles, (n + 1) as f64 * dt);
        step(particles, dt)?;
        if (n + 1) % case.every == 0 {
            readings.extend(read(particles));
        }
    }
    Ok(readings)
}

/// Asserts that any number of ranks gives the readings of one process; returns the last traffic.
fn assert_same_on_all_ranks<M: Fn(&mut Particles, f64) + Sync>(case: &Case<M>) -> Traffic {
    let expected = run(case, &mut (case.make)(), |all| Some(Reading::of(all)));
    let expected = expected.expect("a good run");
    assert!(expected.len() > 1 && expected[0] != expected[1]);
    let mut traffic = Traffic::default();

    for count in RANKS {
        let results = run_on_threads(count, |ranks| {
            let mut particles = (case.make)();
            particles.distribute(ranks);
            let readings = run(case, &mut particles, |part| match part.is_distributed() {
                true => part.gather().map(|all| Reading::of(&all)),
                false => Some(Reading::of(part)),
            });
            (readings.expect("a good run"), particles.traffic())
        });
        for (n, (read, expected)) in results[0].0.iter().zip(&expected).enumerate() {
            assert_eq!(read.energy, expected.energy, "{count} ranks, reading {n}");
            assert!(read == expected, "{count} ranks, reading {n}");
        }
        assert_eq!(results[0].0.len(), expected.len());
        assert!(results[1..].iter().all(|(readings, _)| readings.is_empty()));
        traffic = results[0].1;
    }

    traffic
}

/// Spheres thrown into a box of half-spaces, or into a periodic one.
fn thrown(setup: Setup, count: usize, radii: [f64; 2], speed: f64) -> Particles {
    let mut random = Random::new(7);
    let mut particles = Particles::new(setup).expect("a good setup");
    let side = (count as f64).cbrt().ceil() as usize;
    let pitch = 2.05 * radii[1];
    let grains: Vec<Grain> = (0..count)
        .map(|n| {
            let cell = [n % side, n / side % side, n / (side * side)];
            let radius = match n % 11 {
                0 => radii[1],
                _ => radii[0] * random.within(1.0, 1.3),
            };
            let is_fixed = n % 97 == 5;
            let moves = if is_fixed { 0.0 } else { 1.0 };
            Grain {
                position: cell.map(|k| (k as f64 + 0.5) * pitch),
                velocity: (random.direction::<3>() * (moves * speed * random.unit())).into(),
                spin: (random.direction::<3>() * (moves * 20.0)).into(),
                radius,
                species: (n % particles.setup.materials.len()) as u16,
                is_fixed,
            }
        })
        .collect();
    particles.add(&grains).expect("good grains");
    let size = side as f64 * pitch;

    for axis in 0..3 {
        if particles.setup.period[axis].is_none() {
            for (point, sign) in [(0.0, 1.0), (size, -1.0)] {
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                let wall = Obstacle::half_space([point; 3], normal, 0).expect("a wall");
                particles.add_obstacle(wall).expect("its material");
            }
        }
    }

    particles
}

fn rolling(law: Law) -> Law {
    Law {
        rolling: Rolling::Spring,
        ..law
    }
}

fn still(_: &mut Particles, _: f64) {}

#[test]
fn a_gas_that_sorts_itself_again_and_migrates_has_the_same_bytes_on_any_number_of_ranks() {
    let traffic = assert_same_on_all_ranks(&Case {
        make: || thrown(setup(linear(1e4), 0.8, 0.5), 1200, [1e-3, 1e-3], 8.0),
        moves: still,
        steps: 600,
        every: 150,
    });
    assert!(
        traffic.migrated > 100 && traffic.messages > traffic.steps,
        "{traffic:?}"
    );
}

#[test]
fn hertz_contacts_with_rolling_springs_of_two_species_have_the_same_bytes() {
    assert_same_on_all_ranks(&Case {
        make: || {
            let mut setup = setup(rolling(hertz()), 0.5, 0.4);
            let soft = Material {
                density: 1200.0,
                friction: 0.2,
                ..setup.materials[0]
            };
            setup.materials.push(soft);
            thrown(setup, 700, [1e-3, 1.2e-3], 1.0)
        },
        moves: still,
        steps: 300,
        every: 100,
    });
}

#[test]
fn cohesive_contacts_that_neck_have_the_same_bytes() {
    assert_same_on_all_ranks(&Case {
        make: || {
            let law = Law {
                normal: Normal::Jkr,
                rolling: Rolling::None,
            };
            let mut setup = setup(law, 0.5, 0.4);
            setup.materials[0].cohesion = 0.2;
            thrown(setup, 500, [1e-3, 1.2e-3], 0.5)
        },
        moves: still,
        steps: 300,
        every: 100,
    });
}

#[test]
fn a_periodic_box_with_gravity_along_a_periodic_axis_has_the_same_bytes() {
    assert_same_on_all_ranks(&Case {
        make: || {
            let size = 9.0 * 2.05e-3;
            let setup = Setup {
                period: [Some([0.0, size]), None, Some([0.0, size])],
                gravity: [3.0, 0.0, -9.81],
                ..setup(linear(1e4), 0.7, 0.5)
            };
            thrown(setup, 729, [1e-3, 1e-3], 5.0)
        },
        moves: still,
        steps: 500,
        every: 125,
    });
}

#[test]
fn radii_one_to_twenty_have_the_same_bytes() {
    assert_same_on_all_ranks(&Case {
        make: || thrown(setup(linear(1e4), 0.6, 0.5), 400, [2e-4, 4e-3], 1.0),
        moves: still,
        steps: 300,
        every: 100,
    });
}

/// Adds a box of triangles about a centre, open at the top.
fn tray(particles: &mut Particles) {
    let [low, up] = [-1e-3, 22e-3];
    let points = [
        [low, low, 4e-3],
        [up, low, 4e-3],
        [up, up, 5e-3],
        [low, up, 3e-3],
        [0.01, 0.01, 6e-3],
    ];
    let triangles = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let mesh = Obstacle::mesh(&points, &triangles, 0).expect("a mesh");
    particles.add_obstacle(mesh).expect("its material");
}

#[test]
fn a_mesh_that_shakes_and_rests_in_turns_has_the_same_bytes() {
    assert_same_on_all_ranks(&Case {
        make: || {
            let mut particles = thrown(setup(linear(1e4), 0.5, 0.5), 700, [1e-3, 1e-3], 0.5);
            particles.obstacles.clear();
            tray(&mut particles);
            let bed = Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 0).expect("a wall");
            particles.add_obstacle(bed).expect("its material");
            particles
        },
        moves: |particles: &mut Particles, time: f64| {
            // It starts to move with a reaction that no rank knew as a whole.
            let rests = ((time * 400.0) as u64).is_multiple_of(2);
            let speed = if rests { 0.0 } else { 0.05 };
            let tray = &mut particles.obstacles_mut()[0];
            let z = tray.pose().position().z;
            tray.move_to(
                Pose::at([0.0, 0.0, z + speed * 1e-6]),
                [0.0, 0.0, speed],
                [0.0; 3],
            );
        },
        steps: 800,
        every: 160,
    });
}

#[test]
fn inlets_and_outlets_have_the_same_bytes_and_ids() {
    assert_same_on_all_ranks(&Case {
        make: || {
            let mut particles = thrown(setup(linear(1e4), 0.5, 0.5), 60, [1e-3, 1e-3], 0.5);
            let region = Region::Box {
                min: [1e-3; 3],
                max: [9e-3; 3],
            };
            let inlet = Inlet {
                region,
                rate: InletRate::Number(3e5),
                radii: Spread::List(vec![5e-4, 1e-3]),
                velocity: [0.0, 0.0, -2.0],
                scatter: 0.5,
                ..Inlet::default()
            };
            particles.add_inlet(inlet).expect("an inlet");
            let sink = Region::Ball {
                centre: [3e-3, 3e-3, 0.0],
                radius: 3e-3,
            };
            particles.add_outlet(sink).expect("an outlet");
            particles
        },
        moves: still,
        steps: 600,
        every: 100,
    });
}

#[test]
fn more_ranks_than_particles_and_all_particles_in_one_corner_have_the_same_bytes() {
    let make = || {
        let mut particles = Particles::new(setup(linear(1e4), 0.9, 0.5)).expect("a setup");
        let corner = [[0.0; 3], [1.9e-3, 0.0, 0.0], [0.0, 1.9e-3, 0.0]];
        let grain = |position: [f64; 3]| Grain {
            position,
            // Farther in a step than the ranks are wide.
            velocity: [8.0, 1.0, position[0] * 1e3],
            radius: 1e-3,
            ..Grain::default()
        };
        particles.add(&corner.map(grain)).expect("grains");
        let far = Obstacle::half_space([0.02; 3], [-1.0, 0.0, 0.0], 0).expect("a wall");
        particles.add_obstacle(far).expect("its material");
        particles
    };
    assert_same_on_all_ranks(&Case {
        make,
        moves: still,
        steps: 300,
        every: 50,
    });
}

#[test]
fn space_divided_again_at_every_tenth_step_changes_no_byte() {
    let traffic = assert_same_on_all_ranks(&Case {
        make: || {
            thrown(
                setup(rolling(linear(1e4)), 0.6, 0.5),
                900,
                [1e-3, 1.5e-3],
                4.0,
            )
        },
        moves: |particles: &mut Particles, _: f64| {
            if particles.steps.is_multiple_of(10) {
                particles.rebalance();
            }
        },
        steps: 200,
        every: 100,
    });
    assert!(traffic.divisions >= 19, "{traffic:?}");
}

#[test]
fn an_empty_set_steps_on_any_number_of_ranks() {
    let times = run_on_threads(3, |ranks| {
        let mut particles = Particles::new(Setup::default()).expect("a setup");
        particles.distribute(ranks);
        step(&mut particles, 1e-3).expect("nothing happens");
        particles.gather().map(|all| (all.len(), all.time()))
    });
    assert_eq!(times, [Some((0, 1e-3)), None, None]);
}

#[test]
fn all_ranks_end_with_the_error_of_the_lowest_id() {
    let make = || {
        let mut particles = thrown(setup(linear(1e4), 0.8, 0.5), 300, [1e-3, 1e-3], 1.0);
        for place in [17, 200] {
            particles.arrays.motions[place].velocity = [0.0, 1e7, 0.0].into();
        }
        particles
    };
    let expected = step(&mut make(), 1e-6).expect_err("too fast");
    let errors = run_on_threads(4, |ranks| {
        let mut particles = make();
        particles.distribute(ranks);
        step(&mut particles, 1e-6).expect_err("too fast")
    });
    assert!(errors.iter().all(|error| *error == expected));
}

#[test]
fn a_checkpoint_of_three_ranks_goes_on_with_two() {
    let case = Case {
        make: || {
            thrown(
                setup(rolling(linear(1e4)), 0.6, 0.5),
                600,
                [1e-3, 1.5e-3],
                3.0,
            )
        },
        moves: still,
        steps: 200,
        every: 200,
    };
    let mut one = (case.make)();
    run(&case, &mut one, |_| None).expect("a good run");
    let expected = run(&case, &mut one, |all| Some(Reading::of(all))).expect("a good run");
    let half = |count: usize, start: &(dyn Fn() -> Particles + Sync)| {
        let mut states = run_on_threads(count, |ranks| {
            let mut particles = start();
            particles.distribute(ranks);
            run(&case, &mut particles, |_| None).expect("a good run");
            particles.gather()
        });
        states.swap_remove(0).expect("rank 0 has all")
    };

    let saved = half(3, &case.make).state();
    let resumed = half(2, &|| Particles::resume(&saved).expect("a good state"));
    assert_eq!(Reading::of(&resumed).state, expected[0].state);
}
