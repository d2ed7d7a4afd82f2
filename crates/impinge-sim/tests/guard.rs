//! Nothing passes through anything silently: it is stopped, or the run stops with the pair.

use impinge::shape::{ElementKind, Polyhedron, Solid, generate::brick};
use impinge::space::{Point, Vector};
use impinge_sim::law::Material;
use impinge_sim::solid::{ElasticMaterial, SolidMesh};
use impinge_sim::world::{BodyDef, BodyShape, SolidDef, WallDef, World, WorldOptions};
use impinge_sim::{Grain, Path, StepError, TriangleMesh};

fn world(young: f64) -> World {
    World::new(WorldOptions {
        gravity: [0.0; 3],
        materials: vec![Material {
            young,
            density: 2000.0,
            restitution: 0.5,
            ..Material::default()
        }],
        ..WorldOptions::default()
    })
    .expect("valid options")
}

fn cuboid([x, y, z]: [f64; 3]) -> BodyShape {
    let corner = |k: usize| {
        let sign = |axis: usize| if k >> axis & 1 == 0 { -0.5 } else { 0.5 };
        Point::from([sign(0) * x, sign(1) * y, sign(2) * z])
    };
    let corners: Vec<Point<3>> = (0..8).map(corner).collect();
    BodyShape::Polyhedron(Polyhedron::hull(&corners).expect("a box"))
}

fn thrown(name: &str, shape: BodyShape, position: [f64; 3], velocity: [f64; 3]) -> BodyDef {
    BodyDef {
        name: name.to_owned(),
        position,
        velocity,
        ..BodyDef::new(shape)
    }
}

fn run(world: &mut World, dt: f64, steps: usize) -> Result<(), StepError> {
    (0..steps).try_for_each(|_| world.step(dt))
}

/// Asserts that an error names both objects of a pair.
fn names(error: &StepError, pair: [&str; 2]) {
    let text = error.to_string();
    assert!(pair.iter().all(|name| text.contains(name)), "{text}");
}

/// A plate of 1 mm at 900 m/s, 50 mm before another one.
fn plates(young: f64) -> World {
    let mut world = world(young);
    let plate = || cuboid([0.001, 0.1, 0.1]);
    let fast = thrown("fast", plate(), [-0.051, 0.0, 0.0], [900.0, 0.0, 0.0]);
    world.add_body(fast).expect("a plate");
    world
        .add_body(thrown("still", plate(), [0.0; 3], [0.0; 3]))
        .expect("a plate");
    world
}

#[test]
fn a_plate_of_1_mm_at_900_m_per_s_does_not_pass_another_silently() {
    // Stiff enough to bounce within a fraction of the thickness: E/ρ = (v/ε)².
    for (young, bounces) in [(1e16, true), (1e6, false)] {
        let mut world = plates(young);
        let dt = 1e-4f64.min(0.5 * world.stable_step());
        match run(&mut world, dt, (2e-4 / dt).ceil() as usize) {
            Ok(()) => {
                assert!(bounces);
                let [a, b] = [0, 1].map(|body| world.body_centre(body).x);
                assert!(a < b, "{a} {b}");
                assert!(world.body_velocity(1).x > 400.0);
            }
            Err(error) => names(&error, ["fast", "still"]),
        }
    }
}

#[test]
fn a_step_that_would_need_too_many_parts_is_an_error_with_pair_time_and_advice() {
    let error = run(&mut plates(1e6), 0.01, 1).expect_err("9 m in a step");
    names(&error, ["fast", "still"]);
    let text = error.to_string();
    // 50 mm at 900 m/s.
    assert!(text.contains("at 0.000055"), "{text}");
    assert!(text.contains("use a step of at most 2.8e-4 s"), "{text}");
}

#[test]
fn a_bullet_does_not_pass_a_net_silently() {
    let mut world = world(1e9);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..21 {
        for across in [false, true] {
            let at = 0.002 * f64::from(k) - 0.02;
            let first = points.len() as u32;
            for (along, side) in [(-0.02, -1e-4), (0.02, -1e-4), (0.02, 1e-4), (-0.02, 1e-4)] {
                let [y, z] = if across {
                    [along, at + side]
                } else {
                    [at + side, along]
                };
                points.push([0.0, y, z]);
            }
            triangles.push([first, first + 1, first + 2]);
            triangles.push([first, first + 2, first + 3]);
        }
    }
    world
        .add_wall(WallDef {
            name: "net".to_owned(),
            ..WallDef::surface(TriangleMesh::new(&points, &triangles))
        })
        .expect("a net");
    let ball = BodyShape::Sphere(0.003);
    world
        .add_body(thrown("bullet", ball, [-0.1, 0.0, 0.0], [400.0, 0.0, 0.0]))
        .expect("a bullet");

    let outcome = run(&mut world, 1e-4, 10);
    match outcome {
        Ok(()) => assert!(world.body_centre(0).x < 0.0, "{}", world.body_centre(0)),
        Err(error) => names(&error, ["bullet", "net"]),
    }
    assert!(world.counters()["divided_steps"] > 0);
}

#[test]
fn an_elastic_sheet_at_300_m_per_s_does_not_pass_a_bar_silently() {
    let mut world = world(1e9);
    let mut mesh = brick([1, 8, 8], [0.001, 0.1, 0.1], ElementKind::Tet4).expect("a sheet");
    let shift = Vector::from([-0.01, -0.05, -0.05]);
    mesh.points.iter_mut().for_each(|point| *point += shift);
    let elastic = ElasticMaterial {
        young: 1e7,
        density: 1000.0,
        ..ElasticMaterial::default()
    };
    world
        .add_solid(SolidDef {
            name: "sheet".to_owned(),
            velocity: [300.0, 0.0, 0.0],
            ..SolidDef::new(Solid::from_mesh(&mesh).expect("a solid"), elastic)
        })
        .expect("a sheet");
    let bar = cuboid([0.004, 0.02, 0.2]);
    world
        .add_body(BodyDef {
            path: Some(Default::default()),
            ..thrown("bar", bar, [0.005, 0.03, 0.0], [0.0; 3])
        })
        .expect("a bar");

    let dt = 0.5 * world.stable_step();
    match run(&mut world, dt, (1e-4 / dt).ceil() as usize) {
        // The part of the sheet that meets the bar is still before it.
        Ok(()) => {
            let solid = &world.solids()[0];
            let rest = solid.rest_points().iter().zip(solid.points());
            let met = rest.filter(|(rest, _)| (rest.y - 0.03).abs() < 0.008);
            let farthest = met.map(|(_, point)| point.x).fold(f64::MIN, f64::max);
            assert!(farthest < 0.007, "{farthest}");
        }
        Err(error) => names(&error, ["sheet", "bar"]),
    }
}

#[test]
fn two_crossed_blades_do_not_pass_each_other_edge_on_edge() {
    let mut world = world(1e9);
    let upright = thrown(
        "upright",
        cuboid([0.02, 0.001, 0.2]),
        [-0.1, 0.0, 0.0],
        [500.0, 0.0, 0.0],
    );
    world.add_body(upright).expect("a blade");
    world
        .add_body(thrown(
            "flat",
            cuboid([0.02, 0.2, 0.001]),
            [0.0; 3],
            [0.0; 3],
        ))
        .expect("a blade");
    match run(&mut world, 5e-5, 20) {
        Ok(()) => assert!(
            world.body_velocity(1).x > 50.0,
            "{}",
            world.body_velocity(1)
        ),
        Err(error) => names(&error, ["upright", "flat"]),
    }
    assert!(world.counters()["divided_steps"] > 0);
}

#[test]
fn a_spinning_rod_does_not_pass_a_ball() {
    let mut world = world(1e9);
    let rod = BodyDef {
        spin: [0.0, 0.0, 1000.0],
        ..thrown("rod", cuboid([1.0, 0.01, 0.01]), [0.0; 3], [0.0; 3])
    };
    world.add_body(rod).expect("a rod");
    let at = [0.4 * 1.5f64.cos(), 0.4 * 1.5f64.sin(), 0.0];
    world
        .add_body(thrown("ball", BodyShape::Sphere(0.01), at, [0.0; 3]))
        .expect("a ball");

    // The rod turns by one radian in a step, and comes by the ball within the second.
    match run(&mut world, 1e-3, 3) {
        Ok(()) => assert!(
            world.body_velocity(1).norm() > 50.0,
            "{}",
            world.body_velocity(1)
        ),
        Err(error) => names(&error, ["rod", "ball"]),
    }
    assert!(world.counters()["divided_steps"] > 0);
}

#[test]
fn spheres_faster_than_a_diameter_a_step_collide() {
    let mut world = world(1e9);
    let grain = |side: f64| Grain {
        position: [side * 0.5, 0.0, 0.0],
        velocity: [-side * 100.0, 0.0, 0.0],
        radius: 0.01,
        ..Grain::default()
    };
    let beside = Grain {
        position: [0.0, 1.0, 0.0],
        ..grain(-1.0)
    };
    world
        .add_particles(&[grain(-1.0), grain(1.0), beside])
        .expect("spheres");
    match run(&mut world, 1e-3, 10) {
        Ok(()) => {
            let particles = world.particles().expect("three");
            let grain = |place: usize| particles.grain_at(place);
            assert!(grain(0).velocity[0] < 0.0 && grain(1).velocity[0] > 0.0);
            assert_eq!(grain(2).velocity[0], 100.0, "nothing in its way");
        }
        Err(error) => names(&error, ["particle 0", "particle 1"]),
    }
    let counters = world.counters();
    assert_eq!(counters["divided_steps"], 1, "{counters:?}");
}

#[test]
fn a_fast_sphere_does_not_pass_a_thin_wall() {
    let mut world = world(1e9);
    let corners = [
        [0.0, -1.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 1.0, 1.0],
        [0.0, -1.0, 1.0],
    ];
    let mesh = TriangleMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]);
    world
        .add_wall(WallDef {
            name: "foil".to_owned(),
            ..WallDef::surface(mesh)
        })
        .expect("a wall");
    let grain = Grain {
        position: [-0.5, 0.1, 0.2],
        velocity: [100.0, 0.0, 0.0],
        radius: 0.01,
        ..Grain::default()
    };
    world.add_particles(&[grain]).expect("a sphere");
    match run(&mut world, 1e-3, 10) {
        Ok(()) => {
            let grain = world.particles().expect("one").grain_at(0);
            assert!(
                grain.position[0] < 0.0 && grain.velocity[0] < 0.0,
                "{grain:?}"
            );
        }
        Err(error) => names(&error, ["particle 0", "foil"]),
    }
}

#[test]
fn fast_objects_that_meet_nothing_are_not_examined_further() {
    let mut world = world(1e6);
    world
        .add_body(thrown(
            "one",
            cuboid([0.001, 0.1, 0.1]),
            [0.0; 3],
            [900.0, 0.0, 0.0],
        ))
        .expect("a plate");
    world
        .add_body(thrown(
            "two",
            cuboid([0.001, 0.1, 0.1]),
            [0.0, 1.0, 0.0],
            [-900.0, 0.0, 0.0],
        ))
        .expect("a plate");
    run(&mut world, 1e-2, 10).expect("they fly apart");
    assert_eq!(world.counters()["divided_steps"], 0);
    assert!((world.body_centre(0).x - 90.0).abs() < 1e-9);
}

#[test]
fn a_shell_is_as_thick_as_its_sheet() {
    // A rod passes the thin wall of a wide channel: 2 mm in a step, where the channel is 0.1 m wide.
    let mut world = world(1e9);
    let outline = [
        [-0.05, 0.05],
        [-0.05, -0.05],
        [0.05, -0.05],
        [0.05, 0.05],
        [0.049, 0.05],
        [0.049, -0.049],
        [-0.049, -0.049],
        [-0.049, 0.05],
    ];
    let count = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let points: Vec<[f64; 3]> = at(-0.05).chain(at(0.05)).collect();
    let sides = (0..count).flat_map(|k| {
        let next = (k + 1) % count;
        [[k, next, next + count], [k, next + count, k + count]]
    });
    let flat = [
        [0, 1, 6],
        [0, 6, 7],
        [1, 2, 5],
        [1, 5, 6],
        [2, 3, 4],
        [2, 4, 5],
    ];
    let caps = flat.into_iter().flat_map(|[a, b, c]| {
        let upper: [u32; 3] = [a, b, c].map(|n| n + count);
        [[a, c, b], upper]
    });
    let mesh = TriangleMesh::new(&points, &sides.chain(caps).collect::<Vec<_>>());
    world
        .add_wall(WallDef {
            name: "channel".to_owned(),
            ..WallDef::surface(mesh)
        })
        .expect("a channel");
    let rod = thrown(
        "rod",
        cuboid([0.02, 0.005, 0.005]),
        [-0.08, 0.0, 0.0],
        [200.0, 0.0, 0.0],
    );
    world.add_body(rod).expect("a rod");
    match run(&mut world, 1e-5, 40) {
        Ok(()) => assert!(world.body_centre(0).x < -0.05, "{}", world.body_centre(0)),
        Err(error) => names(&error, ["rod", "channel"]),
    }
    assert!(world.counters()["most_parts_of_a_step"] >= 8);
}

#[test]
fn bodies_that_touch_at_time_zero_and_part_or_press_need_no_further_care() {
    for speed in [-500.0, 500.0] {
        let mut world = world(1e12);
        let plate = || cuboid([0.001, 0.1, 0.1]);
        let moving = thrown("moving", plate(), [-0.001, 0.0, 0.0], [speed, 0.0, 0.0]);
        world.add_body(moving).expect("a plate");
        world
            .add_body(thrown("still", plate(), [0.0; 3], [0.0; 3]))
            .expect("a plate");
        match run(&mut world, 1e-5, 10) {
            Ok(()) => {
                let [a, b] = [0, 1].map(|body| world.body_centre(body).x);
                assert!(a < b, "{speed}: {a} {b}");
            }
            Err(error) => {
                let text = error.to_string();
                assert!(speed > 0.0 && text.contains("moving"), "{text}");
            }
        }
    }
}

#[test]
fn a_ball_that_comes_to_rest_takes_no_more_steps_than_time_has() {
    let mut world = World::new(WorldOptions {
        gravity: [0.0, 0.0, -9.81],
        materials: vec![Material {
            young: 1e7,
            density: 1000.0,
            restitution: 0.5,
            ..Material::default()
        }],
        ..WorldOptions::default()
    })
    .expect("valid options");
    world
        .add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))
        .expect("a floor");
    let ball = BodyShape::Sphere(0.05);
    world
        .add_body(thrown("ball", ball, [0.0, 0.0, 0.3], [0.0; 3]))
        .expect("a ball");

    // Infinitely many bounces in theory; a flight takes whole steps, so none is shorter than one.
    let dt = 0.5 * world.stable_step();
    let total = (2.0 / dt).ceil() as u64;
    let (mut done, mut calls) = (0, 0);
    while done < total {
        done += world.advance(dt, total - done).expect("it rests");
        calls += 1;
    }
    assert!(calls <= total && world.counters()["divided_steps"] == 0);
    assert!(world.counters()["free_flights"] > 1);
    assert!(
        world.body_velocity(0).norm() < 1e-2,
        "{}",
        world.body_velocity(0)
    );
}

#[test]
fn numbers_that_are_not_finite_in_a_path_and_cells_turned_inside_out_are_named() {
    let mut world = world(1e9);
    let path = Path {
        amplitude: [0.0, f64::NAN, 0.0],
        frequency: 1.0,
        ..Path::default()
    };
    let floor = WallDef {
        name: "floor".to_owned(),
        path,
        ..WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0])
    };
    let said = world.add_wall(floor).expect_err("NaN").to_string();
    assert!(said.contains("floor") && said.contains("motion"), "{said}");
    let paddle = BodyDef {
        path: Some(path),
        ..thrown("paddle", BodyShape::Sphere(1.0), [0.0; 3], [0.0; 3])
    };
    let said = world.add_body(paddle).expect_err("NaN").to_string();
    assert!(
        said.contains("paddle") && said.contains("not finite"),
        "{said}"
    );

    for kind in [ElementKind::Tet10, ElementKind::Hex20, ElementKind::Hex27] {
        let mut mesh = brick([2, 1, 1], [2.0, 1.0, 1.0], kind).expect("a brick");
        // A mid-side node of the last cell, pushed beyond a corner.
        let cell = mesh.blocks[0]
            .elements()
            .last()
            .expect("two cells")
            .to_vec();
        let corners = kind.corner_count();
        let [middle, corner] = [cell[corners], cell[0]].map(|node| node as usize);
        let beyond = mesh.points[corner] - mesh.points[middle];
        mesh.points[middle] += beyond * 1.5;
        let made = SolidMesh::from_mesh(&mesh).map_err(|error| error.to_string());
        let added = made.and_then(|shape| {
            let def = SolidDef::new(shape, ElasticMaterial::default());
            world.add_solid(def).map_err(|error| error.to_string())
        });
        let said = added.expect_err("turned inside out");
        assert!(
            said.contains("inverted") && said.contains("element"),
            "{}: {said}",
            kind.name()
        );
    }
}
