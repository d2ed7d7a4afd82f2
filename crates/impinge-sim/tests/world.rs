//! `World` as a program uses it: built in code, read, pushed, changed between steps, saved.

use impinge::broad::BroadMethod;
use impinge::shape::{ElementKind, Polygon, Polyhedron, Solid, generate::brick};
use impinge::space::{Point, Vector};
use impinge_sim::law::Material;
use impinge_sim::solid::ElasticMaterial;
use impinge_sim::world::{
    BodyDef, BodyShape, Dimension, SolidDef, State, WallDef, World, WorldOptions,
};
use impinge_sim::{BodyKind, BodyRef, Grain, Path, TriangleMesh};

const UP: [f64; 3] = [0.0, 0.0, 1.0];

fn world(gravity: f64) -> World {
    World::new(WorldOptions {
        gravity: [0.0, 0.0, -gravity],
        materials: vec![Material {
            young: 1e6,
            restitution: 0.2,
            ..Material::default()
        }],
        ..WorldOptions::default()
    })
    .expect("valid options")
}

fn cuboid([x, y, z]: [f64; 3]) -> BodyShape {
    let corners = (0..8).map(|corner| {
        let sign = |axis: usize| if corner >> axis & 1 == 0 { -0.5 } else { 0.5 };
        Point::from([sign(0) * x, sign(1) * y, sign(2) * z])
    });
    let corners: Vec<Point<3>> = corners.collect();
    BodyShape::Polyhedron(Polyhedron::hull(&corners).expect("a box"))
}

fn body(shape: BodyShape, position: [f64; 3]) -> BodyDef {
    BodyDef {
        position,
        ..BodyDef::new(shape)
    }
}

fn cube(at: [f64; 3]) -> SolidDef {
    let mut mesh = brick([2, 2, 2], [0.1; 3], ElementKind::Tet4).expect("a brick");
    let shift = Vector::from(at);
    mesh.points.iter_mut().for_each(|point| *point += shift);
    let elastic = ElasticMaterial {
        young: 1e5,
        density: 1000.0,
        ..ElasticMaterial::default()
    };
    SolidDef::new(Solid::from_mesh(&mesh).expect("a solid"), elastic)
}

fn ball(z: f64) -> Grain {
    Grain {
        position: [0.0, 0.0, z],
        radius: 0.01,
        ..Grain::default()
    }
}

fn advance(world: &mut World, seconds: f64) {
    let dt = 0.9 * world.stable_step().min(1e-3);
    for _ in 0..(seconds / dt).ceil() as usize {
        world.step(dt).expect("a good step");
    }
}

#[test]
fn a_sphere_and_a_body_come_to_rest_on_a_mesh_from_memory() {
    let mut world = world(9.81);
    let corners = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    let mesh = TriangleMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]);
    let table = world
        .add_wall(WallDef {
            name: "table".to_owned(),
            ..WallDef::surface(mesh)
        })
        .expect("a wall");
    world.add_particles(&[ball(0.012)]).expect("a sphere");
    let die = world
        .add_body(body(cuboid([0.1; 3]), [0.5, 0.1, 0.051]))
        .expect("a body");
    advance(&mut world, 0.5);

    let particles = world.particles().expect("there is one");
    let height = particles.grain_at(0).position[2];
    // Hertz: F = 4/3 E* √R δ^1.5, with E* = 533 kPa and the weight of 10.5 g.
    assert!((0.01 - height - 1.278e-4).abs() < 1e-6, "{height}");
    assert!((world.body(die).expect("there").pose.position().z - 0.05).abs() < 1e-3);
    assert_eq!(world.find(BodyKind::Wall, "table"), Some(table));

    let contacts = world.contacts();
    let on_table = |kind| {
        let is = move |b: &[BodyRef; 2]| b[0].kind == kind && b[1] == BodyRef::wall(table);
        contacts.iter().filter(move |contact| is(&contact.bodies))
    };
    let weight = particles.mass_at(0) * 9.81;
    let pressed: f64 = on_table(BodyKind::Particle).map(|c| c.force.z).sum();
    assert!((pressed / -weight - 1.0).abs() < 1e-2, "{pressed} {weight}");
    assert!(on_table(BodyKind::Body).count() > 0);
    assert!(contacts.iter().all(|c| c.force.dot(&c.normal) >= 0.0));
}

#[test]
fn forces_of_the_program_accelerate_every_kind_as_newton_says() {
    let mut world = world(0.0);
    world.add_particles(&[ball(5.0)]).expect("a sphere");
    let free = world
        .add_body(body(BodyShape::Sphere(0.1), [0.0; 3]))
        .expect("a body");
    let solid = world.add_solid(cube([1.0, 1.0, 1.0])).expect("a solid");
    let nodes = world.solids()[solid].points().len() as u32;
    let (dt, steps) = (1e-4, 200);

    for _ in 0..steps {
        let stepped = world.step_with(dt, |forces| {
            let id = forces.particles().expect("there is one").ids()[0];
            forces.on_particle(id, [0.01, 0.0, 0.0], [0.0; 3])?;
            let at: [f64; 3] = forces
                .body(free)
                .expect("there")
                .pose
                .position()
                .coords
                .into();
            forces.on_body(free, [0.0, 2.0, 0.0], at, [0.0, 0.0, 0.5])?;
            (0..nodes).try_for_each(|node| forces.on_node(solid, node, [0.0, 0.0, 1e-3]))
        });
        stepped.expect("a good step");
    }

    // The forces act from the second half kick of the first step on.
    let seconds = (steps as f64 - 0.5) * dt;
    let particles = world.particles().expect("there is one");
    let grain = particles.grain_at(0);
    let close = |seen: f64, expected: f64| {
        assert!((seen / expected - 1.0).abs() < 1e-9, "{seen} {expected}");
    };
    close(grain.velocity[0], 0.01 * seconds / particles.mass_at(0));

    let mass = world.body_mass(free).expect("there");
    let state = world.body(free).expect("there");
    close(state.velocity.y, 2.0 * seconds / mass);
    close(state.spin.z, 0.5 * seconds / (0.4 * mass * 0.01));
    close(world.body_load(free).expect("there")[0].y, 2.0);

    let momentum = world.solids()[solid].momentum();
    close(momentum.z, f64::from(nodes) * 1e-3 * seconds);
}

#[test]
fn a_force_that_is_not_finite_or_on_nothing_is_an_error_with_the_name() {
    let mut world = world(0.0);
    world
        .add_body(body(BodyShape::Sphere(0.1), [0.0; 3]))
        .expect("a body");
    let zero = [0.0; 3];
    let mut refused = |body: usize, force: [f64; 3]| {
        let stepped = world.step_with(1e-4, |forces| forces.on_body(body, force, zero, zero));
        stepped.expect_err("refused").to_string()
    };
    assert!(refused(0, [f64::NAN, 0.0, 0.0]).contains("rigid body 0: a force"));
    assert!(refused(7, zero).contains("rigid body 7: no such object"));
    assert!(world.step(0.0).is_err() && world.step(f64::NAN).is_err());
}

#[test]
fn what_lies_on_a_body_falls_when_the_body_is_removed() {
    let mut world = world(9.81);
    let shelf = world
        .add_body(BodyDef {
            path: Some(Path::default()),
            ..body(cuboid([1.0, 1.0, 0.1]), [0.0, 0.0, -0.05])
        })
        .expect("a shelf");
    let die = world
        .add_body(body(cuboid([0.1; 3]), [0.3, 0.0, 0.05]))
        .expect("a body");
    world.add_particles(&[ball(0.01)]).expect("a sphere");
    world.add_solid(cube([-0.3, 0.0, 0.0])).expect("a solid");
    advance(&mut world, 0.1);
    let touched = |world: &World, body: BodyRef| {
        let contacts = world.contacts();
        let kinds = contacts.iter().filter(|c| c.bodies.contains(&body));
        kinds
            .map(|c| c.bodies[0].kind)
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(touched(&world, BodyRef::body(shelf)).len(), 3);

    world.remove_body(shelf).expect("it is there");
    assert!(world.remove_body(shelf).is_err(), "it is gone");
    assert!(world.contacts().is_empty() && world.body(shelf).is_none());
    assert_eq!((world.body_count(), world.counts().bodies), (2, 1));
    let start = world.time();
    advance(&mut world, 0.1);

    let fallen = 9.81 * (world.time() - start);
    let speeds = [
        world.body_velocity(die).z,
        world.particles().expect("one").grain_at(0).velocity[2],
        world.solids()[0].momentum().z / world.solids()[0].mass(),
    ];
    for speed in speeds {
        assert!((speed / -fallen - 1.0).abs() < 0.05, "{speeds:?} {fallen}");
    }
}

#[test]
fn what_is_added_between_steps_joins_in_and_is_not_thrown_out() {
    let mut world = world(9.81);
    world
        .add_wall(WallDef::half_space([0.0; 3], UP))
        .expect("a floor");
    let first = world
        .add_body(body(cuboid([0.2, 0.2, 0.1]), [0.0, 0.0, 0.05]))
        .expect("a body");
    advance(&mut world, 0.05);

    // The second overlaps the first by a quarter of its height.
    let second = world
        .add_body(body(cuboid([0.1; 3]), [0.0, 0.0, 0.125]))
        .expect("a body");
    let beside = Grain {
        position: [0.5, 0.0, 0.3],
        ..ball(0.3)
    };
    world.add_particles(&[beside]).expect("a sphere");
    world.add_solid(cube([1.0, 1.0, 0.0])).expect("a solid");
    world
        .add_wall(WallDef::half_space([0.0, 0.0, -1.0], UP))
        .expect("another floor");
    world.start().expect("complete");
    assert!(
        world
            .notes()
            .iter()
            .any(|note| note.contains("rigid body 1"))
    );
    advance(&mut world, 0.2);

    for body in [first, second] {
        let speed = world.body_velocity(body).norm();
        assert!(speed < 0.05, "{body}: {speed}");
    }
    let resting = world.body(second).expect("there").pose.position().z;
    assert!((resting - 0.125).abs() < 5e-3, "{resting}");
    let falling = world.particles().expect("one").grain_at(0);
    assert!(falling.velocity[2] < -1.0, "{falling:?}");
    let kinds = world.counts();
    assert_eq!((kinds.bodies, kinds.particles, kinds.solids), (2, 1, 1));
}

#[test]
fn a_path_means_the_same_time_for_a_body_that_is_added_late() {
    let mut world = world(0.0);
    world.add_particles(&[ball(9.0)]).expect("a sphere");
    advance(&mut world, 0.01);
    let path = Path {
        velocity: [1.0, 0.0, 0.0],
        ..Path::default()
    };
    let late = world
        .add_body(BodyDef {
            path: Some(path),
            ..body(BodyShape::Sphere(0.1), [0.0; 3])
        })
        .expect("a body");
    advance(&mut world, 0.01);
    let x = world.body(late).expect("there").pose.position().x;
    assert!((x - world.time()).abs() < 1e-12, "{x} {}", world.time());
}

#[test]
fn a_body_that_is_added_late_starts_where_it_was_put() {
    let mut world = world(0.0);
    world.add_particles(&[ball(9.0)]).expect("a sphere");
    advance(&mut world, 0.01);
    let late = world
        .add_body(BodyDef {
            velocity: [3.0, 0.0, 0.0],
            spin: [0.0, 0.0, 5.0],
            ..body(cuboid([0.1, 0.2, 0.3]), [1.0, 2.0, 3.0])
        })
        .expect("a body");
    let pose = world.body(late).expect("there").pose;
    assert_eq!(pose.position(), Point::from([1.0, 2.0, 3.0]));
    assert_eq!(pose.rotation()[(0, 1)], 0.0);
}

#[test]
fn a_world_restored_in_another_program_goes_on_to_the_same_bytes() {
    let build = || {
        let mut world = world(9.81);
        world
            .add_wall(WallDef::half_space([0.0; 3], UP))
            .expect("a floor");
        world
            .add_body(body(cuboid([0.2, 0.2, 0.1]), [0.0, 0.0, 0.06]))
            .expect("a body");
        world
            .add_body(body(BodyShape::Sphere(0.05), [0.5, 0.0, 0.06]))
            .expect("a body");
        world.add_particles(&[ball(0.13)]).expect("a sphere");
        world.add_solid(cube([1.0, 1.0, 0.01])).expect("a solid");
        world
    };
    let bytes = |world: &World| postcard::to_stdvec(&world.save()).expect("encodes");
    let dt = 0.9 * build().stable_step();
    let run = |world: &mut World, steps: usize| {
        (0..steps).for_each(|_| world.step(dt).expect("a good step"));
    };

    let (mut straight, mut first, mut second) = (build(), build(), build());
    run(&mut straight, 300);
    straight.remove_body(1).expect("it is there");
    run(&mut straight, 300);
    run(&mut first, 300);
    first.remove_body(1).expect("it is there");
    let saved: State = postcard::from_bytes(&bytes(&first)).expect("decodes");
    second.restore(saved.clone()).expect("fits");
    assert_eq!(second.time(), first.time());
    run(&mut second, 300);
    assert!(bytes(&second) == bytes(&straight));

    let mut smaller = world(9.81);
    assert!(smaller.restore(saved).is_err(), "it has other objects");
}

#[test]
fn invalid_objects_are_refused_by_name_and_change_nothing() {
    let mut world = world(9.81);
    let named = |mut wall: WallDef, name: &str| {
        wall.name = name.to_owned();
        wall
    };
    let floor = || WallDef::half_space([0.0; 3], UP);
    let refusals = [
        world.add_wall(named(
            WallDef {
                material: 3,
                ..floor()
            },
            "lid",
        )),
        world.add_wall(WallDef::half_space([0.0; 3], [0.0; 3])),
        world.add_wall(WallDef {
            orientation: [0.0; 4],
            ..floor()
        }),
        world.add_body(body(BodyShape::Sphere(-1.0), [0.0; 3])),
        world.add_body(body(BodyShape::Sphere(1.0), [f64::NAN, 0.0, 0.0])),
        world.add_body(body(
            BodyShape::Surface(TriangleMesh::default().into()),
            [0.0; 3],
        )),
        world.add_solid(SolidDef {
            holds: vec![(vec![4000], Path::default())],
            ..cube([0.0; 3])
        }),
    ];
    let names = [
        "lid: no material 3",
        "wall 0:",
        "wall 0:",
        "rigid body 0:",
        "rigid body 0:",
        "rigid body 0:",
        "solid 0:",
    ];
    for (refusal, name) in refusals.iter().zip(names) {
        let text = refusal.as_ref().expect_err(name).to_string();
        assert!(text.starts_with(name), "{text}");
    }
    assert!(world.add_particles(&[ball(f64::NAN)]).is_err());
    let counts = world.counts();
    assert_eq!(
        (counts.bodies, counts.solids, world.wall_count()),
        (0, 0, 0)
    );
    world.step(1e-3).expect("an empty world");
}

#[test]
fn polygons_live_in_the_plane_and_can_be_pushed_and_removed() {
    let mut world = World::new(WorldOptions {
        dimension: Dimension::Plane,
        gravity: [0.0; 3],
        ..WorldOptions::default()
    })
    .expect("valid options");
    let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(Point::from);
    let square = || BodyShape::Polygon(Polygon::hull(&square).expect("a square"));
    let a = world.add_body(body(square(), [0.0; 3])).expect("a body");
    let b = world
        .add_body(body(square(), [0.99, 0.0, 0.0]))
        .expect("a body");
    assert!(world.add_particles(&[ball(0.0)]).is_err());
    let stepped = world.step_with(1e-4, |forces| {
        forces.on_body(a, [0.0, 10.0, 0.0], [0.0; 3], [0.0, 0.0, 1.0])
    });
    stepped.expect("a good step");
    assert!(world.body_velocity(a).y > 0.0 && world.body(a).expect("there").spin.z > 0.0);

    world.remove_body(b).expect("it is there");
    assert!(world.polygon(b).is_none() && world.contacts().is_empty());
    world.step(1e-4).expect("a good step");
    assert_eq!(world.counts().bodies, 1);
}

#[test]
fn every_broad_phase_gives_the_same_bytes_and_survives_a_restart() {
    let build = |broad: BroadMethod| {
        let mut world = World::new(WorldOptions {
            broad,
            ..WorldOptions::default()
        })
        .expect("valid options");
        world
            .add_wall(WallDef::half_space([0.0; 3], UP))
            .expect("a floor");
        for n in 0..12 {
            let [x, z] = [0.11 * f64::from(n % 4), 0.06 + 0.12 * f64::from(n / 4)];
            world
                .add_body(body(cuboid([0.1, 0.1, 0.1]), [x, 0.02 * x, z]))
                .expect("a body");
        }
        for n in 0..3 {
            world
                .add_solid(cube([
                    1.0 + 0.05 * f64::from(n),
                    0.0,
                    0.01 + 0.11 * f64::from(n),
                ]))
                .expect("a solid");
        }
        world
    };
    let dt = 0.9 * build(BroadMethod::Auto).stable_step();
    let bytes = |broad: BroadMethod| {
        let mut world = build(broad);
        (0..200).for_each(|_| world.step(dt).expect("a good step"));
        let saved = world.save();
        let mut resumed = build(broad);
        resumed.restore(saved).expect("fits");
        (0..200).for_each(|_| resumed.step(dt).expect("a good step"));
        postcard::to_stdvec(&resumed.save()).expect("encodes")
    };
    let auto = bytes(BroadMethod::Auto);
    for method in BroadMethod::ALL {
        assert!(bytes(method) == auto, "{}", method.name());
    }
}
