//! Pairs that sleep until they can touch: the same bytes as searching every pair at every step.

use impinge::shape::{ElementKind, Polygon, Polyhedron, Solid, generate::brick};
use impinge::space::{Point, Vector};
use impinge_sim::law::Material;
use impinge_sim::solid::{ElasticMaterial, SelfContact};
use impinge_sim::world::{BodyDef, BodyShape, Dimension, SolidDef, WallDef, World, WorldOptions};
use impinge_sim::{Grain, Path, TriangleMesh};

fn options(dimension: Dimension) -> WorldOptions {
    let gravity = match dimension {
        Dimension::Plane => [0.0, -9.81, 0.0],
        Dimension::Space => [0.0, 0.0, -9.81],
    };
    WorldOptions {
        dimension,
        gravity,
        materials: vec![Material {
            young: 5e7,
            restitution: 0.5,
            ..Material::default()
        }],
        ..WorldOptions::default()
    }
}

fn cuboid([x, y, z]: [f64; 3]) -> BodyShape {
    let corner = |k: usize| {
        let sign = |axis: usize| if k >> axis & 1 == 0 { -0.5 } else { 0.5 };
        Point::from([sign(0) * x, sign(1) * y, sign(2) * z])
    };
    let corners: Vec<Point<3>> = (0..8).map(corner).collect();
    BodyShape::Polyhedron(Polyhedron::hull(&corners).expect("a box"))
}

fn table(height: f64, path: Path) -> WallDef {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corners = corners.map(|[x, y]| [x, y, height]);
    WallDef {
        path,
        ..WallDef::surface(TriangleMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]))
    }
}

fn elastic_cube(at: [f64; 3], velocity: [f64; 3]) -> SolidDef {
    let mut mesh = brick([2, 2, 2], [0.1; 3], ElementKind::Tet4).expect("a brick");
    mesh.points
        .iter_mut()
        .for_each(|point| *point += Vector::from(at));
    let elastic = ElasticMaterial {
        young: 1e5,
        density: 1000.0,
        ..ElasticMaterial::default()
    };
    SolidDef {
        velocity,
        self_contact: SelfContact::Found,
        ..SolidDef::new(Solid::from_mesh(&mesh).expect("a solid"), elastic)
    }
}

/// Bodies fall on a floor and a table, spin, and hit each other; one is on a path.
fn bodies() -> World {
    let mut world = World::new(options(Dimension::Space)).expect("valid options");
    let floor = WallDef::half_space([0.0, 0.0, -0.5], [0.0, 0.0, 1.0]);
    world.add_wall(floor).expect("a floor");
    world
        .add_wall(table(0.0, Path::default()))
        .expect("a table");
    for k in 0..6 {
        let x = 0.3 * f64::from(k) - 0.8;
        let shape = if k % 2 == 0 {
            BodyShape::Sphere(0.05)
        } else {
            cuboid([0.1, 0.08, 0.02])
        };
        world
            .add_body(BodyDef {
                position: [x, 0.02 * f64::from(k), 0.12 + 0.05 * f64::from(k)],
                velocity: [2.0 - f64::from(k), 0.0, 0.5],
                spin: [3.0 * f64::from(k), 1.0, 0.0],
                ..BodyDef::new(shape)
            })
            .expect("a body");
    }
    let swing = Path {
        amplitude: [0.3, 0.0, 0.0],
        frequency: 4.0,
        ..Path::default()
    };
    world
        .add_body(BodyDef {
            position: [0.0, 0.0, 0.1],
            path: Some(swing),
            ..BodyDef::new(cuboid([0.05, 0.4, 0.1]))
        })
        .expect("a paddle");
    world
}

/// Solids fall on a floor, on a rigid body, on a moving table and on each other, with spheres.
fn solids() -> World {
    let mut world = World::new(options(Dimension::Space)).expect("valid options");
    let floor = WallDef::half_space([0.0, 0.0, -0.2], [0.0, 0.0, 1.0]);
    world.add_wall(floor).expect("a floor");
    let lift = Path {
        velocity: [0.0, 0.0, 0.4],
        ..Path::default()
    };
    world.add_wall(table(-0.15, lift)).expect("a table");
    world
        .add_body(BodyDef {
            position: [0.05, 0.05, 0.06],
            ..BodyDef::new(BodyShape::Sphere(0.05))
        })
        .expect("a body");
    for (at, velocity) in [
        ([0.0, 0.0, 0.15], [0.0, 0.0, -1.0]),
        ([0.02, 0.0, 0.4], [0.0, 0.0, -2.0]),
        ([0.5, 0.5, 0.0], [-1.5, -1.5, 0.0]),
    ] {
        world
            .add_solid(elastic_cube(at, velocity))
            .expect("a solid");
    }
    let grain = Grain {
        position: [0.05, 0.05, 0.8],
        radius: 0.01,
        velocity: [0.0, 0.0, -3.0],
        ..Grain::default()
    };
    world.add_particles(&[grain]).expect("a sphere");
    world
}

/// More bodies than are paired with all others, in a cloud that collapses.
fn cloud() -> World {
    let mut world = World::new(options(Dimension::Space)).expect("valid options");
    for k in 0..120 {
        let [i, j, l] = [k % 5, k / 5 % 5, k / 25].map(f64::from);
        let position = [0.3 * i - 0.6, 0.3 * j - 0.6, 0.3 * l + 1.0];
        let velocity = [
            -2.0 * position[0],
            -2.0 * position[1],
            2.0 * (1.6 - position[2]),
        ];
        let shape = if k % 3 == 0 {
            cuboid([0.12, 0.1, 0.08])
        } else {
            BodyShape::Sphere(0.06)
        };
        world
            .add_body(BodyDef {
                position,
                velocity,
                spin: [0.0, 0.0, f64::from(k % 7)],
                ..BodyDef::new(shape)
            })
            .expect("a body");
    }
    world
}

/// Polygons of the plane on a half-plane.
fn polygons() -> World {
    let mut world = World::new(options(Dimension::Plane)).expect("valid options");
    let floor = WallDef::half_space([0.0; 3], [0.1, 1.0, 0.0]);
    world.add_wall(floor).expect("a floor");
    let corners = [
        [0.1, 0.0],
        [0.03, 0.09],
        [-0.08, 0.06],
        [-0.08, -0.06],
        [0.03, -0.09],
    ];
    let polygon = Polygon::new(&corners.map(Point::from)).expect("a polygon");
    for k in 0..8 {
        world
            .add_body(BodyDef {
                position: [0.25 * f64::from(k % 4), 0.4 + 0.3 * f64::from(k / 4), 0.0],
                velocity: [1.0 - 0.4 * f64::from(k), 0.0, 0.0],
                spin: [0.0, 0.0, f64::from(k)],
                ..BodyDef::new(BodyShape::Polygon(polygon.clone()))
            })
            .expect("a polygon");
    }
    world
}

/// A name, a world, and a duration.
type Case = (&'static str, fn() -> World, f64);

const SCENES: [Case; 4] = [
    ("bodies", bodies, 0.3),
    ("solids", solids, 0.15),
    ("cloud", cloud, 0.4),
    ("polygons", polygons, 0.5),
];

fn bytes(world: &World) -> Vec<u8> {
    postcard::to_stdvec(&world.save()).expect("a state")
}

/// Runs a world to a time; returns its state at ten times.
fn states(mut world: World, seconds: f64) -> (Vec<Vec<u8>>, World) {
    let steps = (seconds / (0.5 * world.stable_step())).ceil() as usize;
    let dt = seconds / steps as f64;
    let mut states = Vec::new();
    for step in 1..=steps {
        world.step(dt).expect("a good step");
        if step % (steps / 10).max(1) == 0 {
            states.push(bytes(&world));
        }
    }
    (states, world)
}

#[test]
fn sleeping_pairs_change_no_byte() {
    for (name, scene, seconds) in SCENES {
        let mut always = scene();
        always.search_always(true);
        let (expected, searched) = states(always, seconds);
        let (found, slept) = states(scene(), seconds);
        assert!(expected == found, "{name}: states differ");

        let count = |world: &World, key: &str| world.counters()[key];
        // The moving table is as large as the scene of solids: one pair with it is always awake.
        let sleeps = name != "solids";
        assert_eq!(count(&slept, "detection_slept") > 0, sleeps, "{name}");
        assert_eq!(count(&searched, "detection_slept"), 0, "{name}");
        let key = "volume_tests";
        assert!(count(&slept, key) < count(&searched, key), "{name}");
        assert!(slept.overlap().largest > 0.0, "{name}: nothing touched");
    }
}

#[test]
fn sleeping_pairs_change_no_byte_on_any_number_of_threads() {
    for (name, scene, seconds) in SCENES {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a pool");
            pool.install(|| states(scene(), seconds).0)
        };
        let one = on(1);
        assert!(one == on(2) && one == on(7), "{name}");
    }
}

#[test]
fn a_run_resumed_in_its_middle_sleeps_on_to_the_same_bytes() {
    for (name, scene, seconds) in SCENES {
        let mut world = scene();
        let steps = (seconds / (0.5 * world.stable_step())).ceil() as usize;
        let dt = seconds / steps as f64;
        (0..steps / 3).for_each(|_| world.step(dt).expect("a good step"));
        let saved = bytes(&world);
        (steps / 3..steps).for_each(|_| world.step(dt).expect("a good step"));

        let mut resumed = scene();
        let state = postcard::from_bytes(&saved).expect("a state");
        resumed.restore(state).expect("the same objects");
        (steps / 3..steps).for_each(|_| resumed.step(dt).expect("a good step"));
        assert!(bytes(&world) == bytes(&resumed), "{name}");
    }
}

#[test]
fn nothing_is_searched_while_two_bodies_fly_towards_each_other() {
    let mut world = World::new(WorldOptions {
        gravity: [0.0, 0.0, -9.81],
        ..options(Dimension::Space)
    })
    .expect("valid options");
    for side in [-1.0, 1.0] {
        world
            .add_body(BodyDef {
                position: [side * 10.0, 0.0, 0.0],
                velocity: [-side * 5.0, 0.0, 10.0],
                ..BodyDef::new(cuboid([0.5; 3]))
            })
            .expect("a body");
    }
    for _ in 0..1800 {
        world.step(1e-3).expect("a good step");
    }
    let counters = world.counters();
    assert_eq!(counters["pair_searches"], 0);
    assert_eq!(counters["detection_slept"], counters["detection_steps"]);
    assert!(counters["trajectory_tests"] <= 2, "{counters:?}");
}
