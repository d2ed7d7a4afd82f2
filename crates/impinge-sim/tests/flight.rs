//! Free flight: long, exact steps while nothing touches.

use impinge_sim::law::Material;
use impinge_sim::world::{BodyDef, BodyShape, WallDef, World, WorldOptions};
use impinge_sim::{Grain, Path};

const G: f64 = 9.81;

fn world() -> World {
    World::new(WorldOptions {
        gravity: [0.0, 0.0, -G],
        materials: vec![Material {
            young: 1e9,
            restitution: 0.8,
            ..Material::default()
        }],
        ..WorldOptions::default()
    })
    .expect("valid options")
}

fn thrown(position: [f64; 3], velocity: [f64; 3]) -> BodyDef {
    BodyDef {
        position,
        velocity,
        ..BodyDef::new(BodyShape::Sphere(1.0))
    }
}

/// The projectiles of [Aragon2013, section 5.1].
fn projectiles() -> World {
    let (mut world, up) = (world(), 50.0 * 3f64.sqrt());
    for side in [-1.0, 1.0] {
        let body = thrown([side * 750.0, 0.0, 0.0], [-side * 50.0, 0.0, up]);
        world.add_body(body).expect("a projectile");
    }
    world
}

#[test]
fn two_projectiles_fly_to_one_step_before_their_touch_at_once_and_exactly() {
    let (mut world, dt) = (projectiles(), 3e-4);
    let flown = world.advance(dt, 1_000_000).expect("a flight");
    assert_eq!(flown, (14.98f64 / dt).floor() as u64);
    let touch = world.next_touch().expect("they meet");
    assert!((touch.time - 14.98).abs() < 1e-9, "{touch:?}");
    assert_eq!(touch.bodies, ["rigid body 0", "rigid body 1"]);

    let t = flown as f64 * dt;
    assert_eq!(world.time(), t);
    let expected = [
        -750.0 + 50.0 * t,
        0.0,
        50.0 * 3f64.sqrt() * t - 0.5 * G * t * t,
    ];
    let centre = world.body_centre(0);
    for k in 0..3 {
        assert!(
            (centre[k] - expected[k]).abs() <= 1e-15 * 1300.0,
            "{centre} {expected:?}"
        );
    }
    let mut steps = 0;
    while world.body_velocity(0).x > 0.0 {
        steps += 1;
        world.advance(dt, 1_000_000).expect("a good step");
        assert!(steps < 1000);
    }
}

#[test]
fn there_is_no_flight_beside_contacts_gates_and_oscillating_walls() {
    let dt = 1e-4;
    let mut swinging = projectiles();
    let path = Path {
        amplitude: [0.1; 3],
        frequency: 1.0,
        ..Path::default()
    };
    swinging
        .add_wall(WallDef {
            path,
            ..WallDef::half_space([0.0, 0.0, -2000.0], [0.0, 0.0, 1.0])
        })
        .expect("a wall");
    assert_eq!(swinging.advance(dt, 1000).expect("a step"), 1);

    let mut resting = world();
    resting
        .add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))
        .expect("a floor");
    resting
        .add_body(thrown([0.0, 0.0, 0.9999], [0.0; 3]))
        .expect("a ball");
    resting
        .add_body(thrown([0.0, 100.0, 1000.0], [0.0; 3]))
        .expect("another in the air");
    let _ = resting.advance(dt, 1000).expect("a step");
    for _ in 0..100 {
        assert_eq!(resting.advance(dt, 1000).expect("a step"), 1);
    }
}

#[test]
fn a_sphere_and_a_particle_reach_the_floor_at_the_time_of_a_fall() {
    let mut world = world();
    world
        .add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))
        .expect("a floor");
    let grain = Grain {
        position: [0.0, 0.0, 50.01],
        radius: 0.01,
        ..Grain::default()
    };
    world.add_particles(&[grain]).expect("a sphere");
    let dt = 1e-5;
    let flown = world.advance(dt, 1_000_000_000).expect("a flight");
    let fall = (2.0 * 50.0 / G).sqrt();
    assert_eq!(flown, (fall / dt).floor() as u64);
    let height = world.particles().expect("one").grain_at(0).position[2];
    let t = flown as f64 * dt;
    assert!(
        (height - (50.01 - 0.5 * G * t * t)).abs() < 1e-13 * 50.0,
        "{height}"
    );
    let rises = |world: &World| world.particles().expect("one").grain_at(0).velocity[2] > 0.0;
    let mut steps = 0;
    while !rises(&world) {
        steps += world.advance(dt, 1).expect("a good step");
        assert!(steps < 200, "it bounces");
    }
}

#[test]
fn a_flight_resumed_at_its_start_ends_with_the_same_bytes() {
    let bytes = |world: &World| postcard::to_stdvec(&world.save()).expect("a state");
    let (mut world, dt) = (projectiles(), 3e-4);
    world.advance(dt, 800).expect("a flight");
    let saved = bytes(&world);
    let mut resumed = projectiles();
    let state = postcard::from_bytes(&saved).expect("a state");
    resumed.restore(state).expect("the same objects");
    let mut done = [0; 2];
    for (world, done) in [&mut world, &mut resumed].into_iter().zip(&mut done) {
        while *done < 60_000 {
            *done += world.advance(dt, 800 - *done % 800).expect("a good step");
        }
    }
    assert!(done[0] == done[1] && bytes(&world) == bytes(&resumed));
}
