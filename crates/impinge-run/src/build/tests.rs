//! Worlds of every kind: start, step, save and resume.

use super::*;
use crate::frames;
use impinge_sim::world::State;
use impinge_sim::{BodyKind, BodyRef, Energy, StepError};
use std::path::PathBuf;

fn scenes() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let entries = std::fs::read_dir(folder)
        .expect("the scenes")
        .map(|entry| entry.expect("a scene").path());
    let mut scenes: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    scenes.sort();

    scenes
}

mod drives;

fn world(text: &str) -> World {
    super::world(
        &SceneSpec::parse(text).expect("a good scene"),
        Path::new(""),
    )
    .expect("a world")
}

fn advance(world: &mut World, steps: std::ops::Range<u64>, dt: f64) {
    for _ in steps {
        world.step(dt).expect("a good step");
    }
}

fn bytes(world: &World) -> Vec<u8> {
    postcard::to_stdvec(&world.save()).expect("encodes")
}

#[test]
fn every_shipped_scene_starts_steps_and_can_be_shown() {
    let scenes = scenes();
    assert!(scenes.len() >= 10, "{scenes:?}");
    for path in scenes {
        let text = std::fs::read_to_string(&path).expect("a file");
        let scene =
            SceneSpec::parse(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let folder = path.parent().expect("a folder");
        let made = super::world(&scene, folder);
        let mut world = made.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let dt = 0.9 * world.stable_step();
        assert!(dt > 0.0, "{}", path.display());
        advance(&mut world, 0..3, dt.min(1e-3));
        assert!(!frames::of(&world, 0).is_empty());

        assert!(world.energy().total().is_finite(), "{}", path.display());
    }
}

/// All kinds of bodies close together, so that all kinds of contacts occur soon.
const CROWD: &str = "\
gravity = [0, 0, -9.81]
[run]
duration = 1
[[material]]
young = 1e6
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
shape = { box = [0.1, 0.6, 0.1] }
position = [0.2, 0, 0.05]
motion = { surface_velocity = [0, 0.5, 0], acceleration = [0, 0, 0.2], from = 0.01 }
[[particles]]
count = 40
radius = { uniform = [0.01, 0.015] }
region = { box = { min = [-0.1, -0.1, 0.08], max = [0.1, 0.1, 0.16] } }
velocity = [0, 0, -1]
[[body]]
shape = { box = [0.2, 0.2, 0.03] }
position = [0, 0, 0.02]
[[body]]
shape = { box = [0.02, 0.2, 0.1] }
position = [-0.09, 0, 0.13]
hinge = { point = [-0.09, 0, 0.18], axis = [0, 1, 0] }
spin = [0, 2, 0]
[[body]]
shape = { polyhedron = { vertices = 10, radius = 0.04 } }
position = [0.2, 0.1, 0.16]
velocity = [0, 0, -1]
[[solid]]
shape = { brick = { cells = [3, 3, 2], size = [0.12, 0.12, 0.06] } }
young = 1e5
density = 800
position = [0.1, -0.06, 0.18]
velocity = [0, 0, -1]
";

#[test]
fn a_world_that_was_saved_goes_on_to_the_same_bytes() {
    let (mut straight, mut first) = (world(CROWD), world(CROWD));
    let dt = 0.9 * straight.stable_step();
    advance(&mut straight, 0..600, dt);
    advance(&mut first, 0..300, dt);
    let saved: State = postcard::from_bytes(&bytes(&first)).expect("decodes");
    let mut second = world(CROWD);
    second.restore(saved).expect("fits");
    advance(&mut second, 300..600, dt);
    assert!(bytes(&second) == bytes(&straight));
    let counts = straight.counts();

    assert!(
        counts.contacts > 10 && counts.solids == 1 && counts.bodies == 3,
        "{counts:?}"
    );
}

#[test]
fn the_bytes_of_a_crowd_do_not_depend_on_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| {
            let mut world = world(CROWD);
            let dt = 0.9 * world.stable_step();
            advance(&mut world, 0..400, dt);
            bytes(&world)
        })
    };
    let one = on(1);

    assert!(one == on(2) && one == on(7));
}

#[test]
fn particles_rest_on_a_body_that_rests_on_the_floor() {
    let text = "\
gravity = [0, 0, -9.81]
[run]
duration = 1
[[material]]
young = 1e6
restitution = 0.2
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
[[body]]
shape = { box = [0.3, 0.3, 0.05] }
position = [0, 0, 0.026]
[[particles]]
count = 1
radius = 0.02
region = { box = { min = [-0.021, -0.021, 0.06], max = [0.021, 0.021, 0.11] } }
";
    let mut world = world(text);
    let dt = 0.9 * world.stable_step();
    advance(&mut world, 0..(1.0 / dt) as u64, dt);
    let frames = frames::of(&world, 0);

    let grain = &frames
        .iter()
        .find(|frame| frame.kind == "particles")
        .expect("particles")
        .dataset
        .mesh
        .points[0];
    assert!((grain.z - 0.07).abs() < 1e-3, "{grain}");
    assert!(world.energy().kinetic < 1e-4, "{:?}", world.energy());

    // The force on the floor is the weight of both.
    let pressed: f64 = world
        .contacts()
        .iter()
        .filter(|contact| contact.bodies == [BodyRef::body(0), BodyRef::wall(0)])
        .map(|contact| contact.force.z.abs())
        .sum();
    let weight =
        9.81 * 2500.0 * (0.3 * 0.3 * 0.05 + 4.0 / 3.0 * std::f64::consts::PI * 0.02f64.powi(3));

    assert!((pressed / weight - 1.0).abs() < 0.02, "{pressed} {weight}");
}

#[test]
fn every_contact_names_both_objects_and_pushes_the_second_along_its_normal() {
    let mut world = world(CROWD);
    let dt = 0.9 * world.stable_step();
    let (mut pairs, mut seen) = (std::collections::BTreeSet::new(), 0);
    for _ in 0..1500 {
        world.step(dt).expect("a good step");
        let contacts = world.contacts();
        seen += contacts.len();
        for contact in &contacts {
            let [a, b] = contact.bodies;
            pairs.insert([(a.kind, a.index.min(1)), (b.kind, b.index.min(1))]);
            assert!((contact.normal.norm() - 1.0).abs() < 1e-9, "{contact:?}");
            assert!(
                a.kind != BodyKind::Wall && contact.depth >= 0.0,
                "{contact:?}"
            );
        }
    }

    let met = |a: BodyKind, b: (BodyKind, u32)| pairs.iter().any(|[x, y]| x.0 == a && *y == b);
    assert!(seen > 1000, "{seen}");
    assert!(met(BodyKind::Particle, (BodyKind::Body, 0)), "{pairs:?}");
    assert!(met(BodyKind::Body, (BodyKind::Wall, 0)), "{pairs:?}");
    assert!(met(BodyKind::Body, (BodyKind::Wall, 1)), "{pairs:?}");
    assert_eq!(world.name(BodyRef::wall(1)), "wall[1]");
}

#[test]
fn momentum_is_kept_when_kinds_collide_without_weight() {
    let text = "\
[run]
duration = 1
[[material]]
young = 1e6
friction = 0
[[particles]]
count = 20
radius = 0.01
region = { box = { min = [-0.05, -0.05, 0.1], max = [0.05, 0.05, 0.2] } }
velocity = [0, 0, -1]
[[body]]
shape = { box = [0.12, 0.12, 0.05] }
position = [0, 0, 0.05]
[[solid]]
shape = { brick = { cells = [3, 3, 2], size = [0.12, 0.12, 0.05] } }
young = 1e5
density = 800
position = [-0.06, -0.06, -0.04]
";
    let mut world = world(text);
    let dt = 0.5 * world.stable_step();
    let [_, _, before] = world.momentum();
    advance(&mut world, 0..(0.15 / dt) as u64, dt);
    let [x, y, after] = world.momentum();
    assert!(before < -0.1);

    assert!(
        (after - before).abs() < 1e-9 * before.abs(),
        "{before} {after}"
    );
    assert!(x.abs().max(y.abs()) < 1e-9 * before.abs(), "{x} {y}");
}

#[test]
fn the_projectiles_of_the_paper_meet_after_14_98_seconds() {
    let text = include_str!("../../../../scenes/projectiles.toml");
    let mut world = world(text);
    let dt = 0.9 * world.stable_step();
    let meets = |_: &u64| {
        world.step(dt).expect("a good step");
        world.counts().contacts > 0
    };
    let step = (0..(16.0 / dt) as u64).find(meets).expect("they meet");
    let time = (step + 1) as f64 * dt;

    // [Aragon2013, figure 6]: 14.98 s; the last step is not cut short here.
    assert!((14.98 - 1e-6..14.98 + 1.1 * dt).contains(&time), "{time}");
}

/// Runs a scene; returns the error of its energy balance, relative to the energy converted.
fn imbalance(text: &str, seconds: f64) -> (f64, Energy, World) {
    let mut world = world(text);
    let dt = 0.9 * world.stable_step();
    let before = world.energy().total();
    advance(&mut world, 0..(seconds / dt) as u64, dt);
    let energy = world.energy();
    let turned_over = energy.kinetic + energy.dissipated.abs() + energy.work.abs();

    ((energy.total() - before) / turned_over, energy, world)
}

const WEIGHT: &str = "gravity = [0, 0, -9.81]\n[run]\nduration = 1\n";

#[test]
fn the_energy_of_rigid_bodies_that_pile_up_adds_up() {
    let text = format!(
        "{WEIGHT}[[material]]\nyoung = 5e5\nrestitution = 0.3\nfriction = 0.6\n\
         [[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n\
         [[wall]]\nshape = {{ lathe = {{ profile = [[0.0, 0.02], [0.15, 0.04], [0.3, 0.15]], sectors = 20 }} }}\nhollow = true\n\
         [[body]]\nshape = {{ polyhedron = {{ vertices = 12, radius = 0.04 }} }}\ncount = 12\n\
         region = {{ box = {{ min = [-0.15, -0.15, 0.2], max = [0.15, 0.15, 0.5] }} }}\n"
    );
    let (imbalance, energy, _) = imbalance(&text, 0.6);
    assert!(energy.dissipated > 4.0, "{energy:?}");
    assert!(imbalance.abs() < 0.01, "{imbalance} {energy:?}");

    let plane = "dimension = 2\ngravity = [0, -9.81]\n[run]\nduration = 1\n[[material]]\nyoung = 1e6\nrestitution = 0.3\n\
                 [[wall]]\npoint = [0, 0]\nnormal = [0, 1]\n[[wall]]\npoint = [-0.3, 0]\nnormal = [1, 0]\n\
                 [[wall]]\npoint = [0.3, 0]\nnormal = [-1, 0]\n[[body]]\ncount = 30\n\
                 shape = { polygon = { vertices = 6, radius = 0.04 } }\nregion = { box = { min = [-0.3, 0], max = [0.3, 1] } }\n";
    let (imbalance, energy, _) = self::imbalance(plane, 0.6);

    assert!(
        imbalance.abs() < 0.01 && energy.dissipated > 100.0,
        "{imbalance} {energy:?}"
    );
}

#[test]
fn the_energy_of_elastic_solids_that_collide_adds_up() {
    let text = format!(
        "{WEIGHT}[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n\
         [[solid]]\nshape = {{ vee = {{ tetrahedra = 200, angle = 0.9 }} }}\nscale = 0.05\nyoung = 1e5\ndensity = 900\n\
         position = [0, 0, 0.2]\nfriction = 0.4\n\
         [[solid]]\nshape = {{ brick = {{ cells = [3, 3, 2], size = [0.12, 0.12, 0.06] }} }}\nyoung = 1e5\ndensity = 900\n\
         position = [-0.06, 0.0, 0.4]\nspin = [3, 0, 1]\nvelocity = [0, 0, -1]\nfriction = 0.4\n"
    );
    let (imbalance, energy, _) = imbalance(&text, 0.5);
    assert!(energy.dissipated > 0.5, "{energy:?}");

    assert!(imbalance.abs() < 0.02, "{imbalance} {energy:?}");
}

#[test]
fn the_energy_of_spheres_and_bodies_that_hit_elastic_solids_adds_up() {
    // Lighter than a node, about as heavy, and heavier.
    let ball = |radius: f64| {
        format!(
            "[[body]]\nshape = {{ sphere = {radius} }}\nposition = [0.003, 0.004, {}]\nvelocity = [0.3, 0, -1]\n",
            radius + 1e-4
        )
    };
    let cube = "[[body]]\nshape = { box = [0.04, 0.04, 0.04] }\nposition = [0.003, 0.004, 0.0202]\n\
                velocity = [0.3, 0, -1]\nspin = [3, 5, 1]\n";
    let sphere = "[[particles]]\ncount = 1\nradius = 0.01\nvelocity = [0.3, 0, -1]\n\
                  region = { box = { min = [-0.011, -0.011, 0.0001], max = [0.011, 0.011, 0.0221] } }\n";
    let kinds = [
        ball(1e-3),
        ball(5e-3),
        ball(0.02),
        cube.into(),
        sphere.into(),
    ];

    for kind in kinds {
        for (restitution, friction) in [(1.0, 0.0), (0.5, 0.0), (0.3, 0.5)] {
            let text = format!(
                "[run]\nduration = 1\n[[material]]\nyoung = 1e7\nrestitution = {restitution}\nfriction = {friction}\n{kind}\
                 [[solid]]\nshape = {{ brick = {{ cells = [4, 4, 4], size = [0.1, 0.1, 0.1] }} }}\nyoung = 1e7\n\
                 density = 1000\nposition = [-0.05, -0.05, -0.1]\n"
            );
            let (imbalance, energy, _) = imbalance(&text, 0.02);
            assert!(imbalance.abs() < 0.02, "{imbalance} {text} {energy:?}");
        }
    }
}

#[test]
fn the_work_of_a_moving_wall_is_counted_for_every_kind() {
    let matters = [
        "[[particles]]\ncount = 5\nradius = 0.01\nregion = { box = { min = [-0.03, -0.03, 0.1], max = [0.03, 0.03, 0.15] } }\n",
        "[[body]]\nshape = { box = [0.05, 0.05, 0.05] }\nposition = [0, 0, 0.1]\n",
        "[[solid]]\nshape = { brick = { cells = [2, 2, 2], size = [0.05, 0.05, 0.05] } }\nyoung = 1e5\ndensity = 900\nposition = [0, 0, 0.08]\n",
    ];
    let walls = [
        "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmotion = { amplitude = [0, 0, 0.02], frequency = 4 }\n",
        "[[wall]]\nshape = { box = [0.4, 0.4, 0.1] }\nposition = [0, 0, -0.05]\nmotion = { velocity = [0, 0, 1], from = 0.02 }\n",
    ];

    for matter in matters {
        for wall in walls {
            let text =
                format!("{WEIGHT}[[material]]\nyoung = 1e6\nrestitution = 0.7\n{wall}{matter}");
            let (imbalance, energy, _) = imbalance(&text, 0.3);
            assert!(energy.work.abs() > 1e-3, "{wall}{matter}: {energy:?}");
            assert!(
                imbalance.abs() < 0.05,
                "{imbalance} {wall}{matter}: {energy:?}"
            );
        }
    }
}

#[test]
fn spheres_and_bodies_that_come_and_go_bring_and_take_their_energy() {
    let text = format!(
        "{WEIGHT}[[inlet]]\nrate = 300\nradius = {{ lognormal = {{ median = 0.005, sigma = 0.3, min = 0.003, max = 0.01 }} }}\n\
         region = {{ box = {{ min = [-0.02, -0.02, 0.2], max = [0.02, 0.02, 0.24] }} }}\n\
         [[outlet]]\nregion = {{ box = {{ min = [-9, -9, -9], max = [9, 9, -0.2] }} }}\n\
         [[body]]\nshape = {{ box = [0.05, 0.05, 0.05] }}\nposition = [0.5, 0, 0]\n\
         [[body]]\nshape = {{ box = [0.05, 0.05, 0.05] }}\nposition = [0.7, 0, 9]\n"
    );
    let (imbalance, energy, world) = imbalance(&text, 0.6);
    let counts = world.counts();

    assert!(
        counts.bodies == 1 && counts.particles > 20 && counts.particles < 180,
        "{counts:?}"
    );
    assert!(imbalance.abs() < 0.01, "{imbalance} {energy:?}");
    let shown = frames::of(&world, 0);
    let bodies = shown
        .iter()
        .find(|frame| frame.kind == "bodies")
        .expect("bodies");

    assert_eq!(bodies.dataset.mesh.points.len(), 8);
}

#[test]
fn bodies_of_different_materials_slide_differently_on_one_wall() {
    let text = "gravity = [3, 0, -9.81]\n[run]\nduration = 1\n[[material]]\nname = \"rough\"\nyoung = 1e6\nfriction = 0.9\n\
                [[material]]\nname = \"ice\"\nyoung = 1e6\nfriction = 0.01\n\
                [[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"rough\"\n\
                [[body]]\nshape = { box = [0.2, 0.2, 0.05] }\nposition = [0, 0, 0.0249]\nmaterial = \"rough\"\n\
                [[body]]\nshape = { box = [0.2, 0.2, 0.05] }\nposition = [0, 1, 0.0249]\nmaterial = \"ice\"\n";
    let mut world = world(text);
    let dt = 0.9 * world.stable_step();
    advance(&mut world, 0..(0.5 / dt) as u64, dt);
    let frames = frames::of(&world, 0);

    let points = &frames
        .iter()
        .find(|frame| frame.kind == "bodies")
        .expect("bodies")
        .dataset
        .mesh
        .points;
    let middle = |body: &[impinge::space::Point<3>]| body.iter().map(|p| p.x).sum::<f64>() / 8.0;
    let [rough, ice] = [middle(&points[..8]), middle(&points[8..])];

    // √(0.9 · 0.01) = 0.095 on ice: ½ (3 − 0.095 · 9.81) t² = 0.26 m.
    assert!(
        rough.abs() < 0.01 && (ice - 0.26).abs() < 0.02,
        "{rough} {ice}"
    );
}

const SOFT: &str = "[run]\nduration = 1\n[[material]]\nyoung = 1e3\nrestitution = 0.9\n";

/// Steps a soft world until a body passes through another.
fn trouble(bodies: &str, dt: f64) -> StepError {
    trouble_of(&format!("gravity = [0, 0, 0]\n{SOFT}{bodies}"), dt)
}

fn trouble_of(scene: &str, dt: f64) -> StepError {
    let mut world = world(scene);
    for _ in 0..2000 {
        if let Err(trouble) = world.step(dt) {
            return trouble;
        }
    }

    panic!("nothing happened: {:?}", world.overlap())
}

const PLATE: &str = "[[wall]]\nshape = { box = [1, 1, 0.002] }\nposition = [0, 0, 0]\n";
const FLOOR: &str = "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";

fn grain(z: f64, speed: f64) -> String {
    let (low, up) = (z - 0.0201, z + 0.0201);
    format!(
        "[[particles]]\ncount = 1\nradius = 0.02\nvelocity = [0, 0, {speed}]\n\
         region = {{ box = {{ min = [-0.0201, -0.0001, {low}], max = [0.0201, 0.0401, {up}] }} }}\n"
    )
}

#[test]
fn a_sphere_that_goes_through_a_wall_or_another_sphere_stops_the_run_with_its_name() {
    let pair = format!("{}{}", grain(0.0, 20.0), grain(0.1, -20.0));
    for (scene, dt) in [
        (format!("{PLATE}{}", grain(0.1, -20.0)), 1e-4),
        (format!("{PLATE}{}", grain(0.1, -20.0)), 9e-4),
        (format!("{FLOOR}{}", grain(0.1, -20.0)), 1e-4),
        (pair, 1e-4),
    ] {
        let trouble = trouble(&scene, dt);
        assert_eq!(trouble.body, "particle 0", "{scene}: {trouble}");
        assert!(
            trouble.cause.contains("through") || trouble.cause.contains("other side"),
            "{scene}: {trouble}"
        );
    }
}

#[test]
fn a_rigid_body_that_goes_through_a_wall_or_another_body_stops_the_run_with_its_name() {
    let body = |z: f64, speed: f64| {
        format!(
            "[[body]]\nshape = {{ box = [0.1, 0.1, 0.03] }}\nposition = [0.02, 0.01, {z}]\nvelocity = [0, 0, {speed}]\n"
        )
    };
    for (scene, dt) in [
        (format!("{PLATE}{}", body(0.1, -50.0)), 1e-4),
        (format!("{PLATE}{}", body(0.1, -50.0)), 1.7e-3),
        (format!("{FLOOR}{}", body(0.1, -50.0)), 1e-4),
        (format!("{}{}", body(0.0, 50.0), body(0.1, -50.0)), 1e-4),
    ] {
        let trouble = trouble(&scene, dt);
        assert_eq!(trouble.body, "rigid body 0", "{scene}: {trouble}");
    }
}

#[test]
fn an_elastic_solid_that_goes_through_a_wall_or_another_solid_stops_the_run_with_its_name() {
    let brick = |z: f64, speed: f64| {
        format!(
            "[[solid]]\nshape = {{ brick = {{ size = [0.1, 0.1, 0.03], cells = [3, 3, 1] }} }}\nyoung = 1e3\n\
             density = 1000\nposition = [0.013, 0.017, {z}]\nvelocity = [0, 0, {speed}]\n"
        )
    };
    for (scene, dt) in [
        (format!("{PLATE}{}", brick(0.1, -50.0)), 1e-4),
        (format!("{PLATE}{}", brick(0.1, -50.0)), 3.1e-3),
        (format!("{FLOOR}{}", brick(0.1, -50.0)), 1e-4),
        (format!("{FLOOR}{}", brick(0.1, -50.0)), 3.1e-3),
        (format!("{}{}", brick(0.0, 50.0), brick(0.1, -50.0)), 1e-4),
        (format!("{}{}", brick(0.0, 50.0), brick(0.1, -50.0)), 1.7e-3),
    ] {
        let trouble = trouble(&scene, dt);
        assert!(trouble.body.starts_with("solid"), "{scene}: {trouble}");
    }
}

#[test]
fn a_sphere_that_goes_through_an_elastic_solid_stops_the_run_with_both_names() {
    let slab = "[[solid]]\nshape = { brick = { size = [1, 1, 0.02], cells = [6, 6, 1] } }\nyoung = 1e3\n\
                density = 1000\nposition = [-0.45, -0.47, 0]\n";
    for dt in [1e-4, 4.1e-3] {
        let trouble = trouble(&format!("{slab}{}", grain(0.1, -30.0)), dt);
        let text = trouble.to_string();
        // A sphere that moves by several radii in a step is stopped for that alone.
        assert!(
            text.contains("particle 0")
                && (text.contains("solid[0]") || text.contains("of its radii in one step")),
            "{dt}: {text}"
        );
    }
}

#[test]
fn a_polygon_that_goes_through_a_wall_or_another_polygon_stops_the_run_with_its_name() {
    let plank = |y: f64, speed: f64| {
        format!(
            "[[body]]\nshape = {{ box = [0.1, 0.03] }}\nposition = [0.02, {y}]\nvelocity = [0, {speed}]\n"
        )
    };
    let floor = "[[wall]]\npoint = [0, 0]\nnormal = [0, 1]\n";

    for (bodies, other, dt) in [
        (format!("{floor}{}", plank(0.1, -50.0)), "wall[0]", 1e-4),
        (format!("{floor}{}", plank(0.1, -50.0)), "wall[0]", 3e-3),
        (
            format!("{}{}", plank(0.0, 50.0), plank(0.1, -50.0)),
            "rigid body 1",
            1e-4,
        ),
        (
            format!("{}{}", plank(0.0, 50.0), plank(0.1, -50.0)),
            "rigid body 1",
            1.7e-3,
        ),
    ] {
        let trouble = trouble_of(
            &format!("dimension = 2\ngravity = [0, 0]\n{SOFT}{bodies}"),
            dt,
        );
        assert_eq!(trouble.body, "rigid body 0", "{bodies}: {trouble}");
        // A body that moves by more than its own size in a step is stopped for that alone.
        let too_fast = trouble.cause.contains("more than its own size in a step");
        assert!(
            too_fast || trouble.cause.contains(other),
            "{bodies}: {trouble}"
        );
    }
}

#[test]
fn a_contact_too_deep_in_a_wall_names_the_wall() {
    let second = "[[wall]]\nshape = { box = [1, 1, 0.1] }\nposition = [0, 0, -0.05]\n";
    let first = "[[wall]]\npoint = [0, 0, -5]\nnormal = [0, 0, 1]\n";
    let trouble = trouble(&format!("{first}{second}{}", grain(0.1, -20.0)), 1e-4);
    assert!(trouble.to_string().contains("wall[1]"), "{trouble}");
}

#[test]
fn the_largest_overlap_of_a_gentle_landing_is_small_and_known() {
    let mut world = world(&format!(
        "gravity = [0, 0, 0]\n[run]\nduration = 1\n[[material]]\nyoung = 1e6\n{FLOOR}{}",
        grain(0.021, -0.5)
    ));
    let dt = 0.5 * world.stable_step();
    let mut deepest: f64 = 0.0;

    for _ in 0..4000 {
        world.step(dt).expect("a good step");
        let depths = world.contacts().into_iter().map(|contact| contact.depth);
        deepest = deepest.max(depths.fold(0.0, f64::max) / 0.04);
    }

    let seen = world.overlap().clone();
    assert!(deepest > 0.01 && deepest < 0.3, "{deepest}");
    assert!(
        (seen.largest - deepest).abs() < 1e-12 * deepest,
        "{seen:?} {deepest}"
    );
    assert_eq!(seen.bodies, ["particle 0", "wall[0]"]);

    assert_eq!(world.take_recent_overlap(), seen.largest);
}

#[test]
fn light_rigid_bodies_leave_elastic_solids_no_faster_than_they_came() {
    for (edge, restitution) in [(1.7e-3, 0.5), (1.7e-3, 1.0), (6e-3, 0.9), (0.02, 0.9)] {
        let text = format!(
            "[run]\nduration = 1\n[[material]]\nyoung = 1e6\nrestitution = {restitution}\nfriction = 0\n\
             [[body]]\nshape = {{ box = [{edge}, {edge}, {edge}] }}\nposition = [0.013, 0.017, {}]\nvelocity = [0, 0, -1]\n\
             [[solid]]\nshape = {{ brick = {{ cells = [3, 3, 3], size = [0.1, 0.1, 0.1] }} }}\nyoung = 1e6\ndensity = 1000\n\
             position = [-0.05, -0.05, -0.1]\n",
            edge / 2.0 + 1e-3
        );
        let mut world = world(&text);
        let dt = world.stable_step().min(1e-4);
        let before = world.energy().kinetic;
        let momentum = world.momentum()[2];
        let mut most = 0.0f64;

        for _ in 0..(0.02 / dt) as u64 {
            world.step(dt).expect("a good step");
            most = most.max(world.energy().kinetic);
        }

        assert!(most < 1.02 * before, "{edge} m: {most} for {before}");
        assert!((world.momentum()[2] - momentum).abs() < 1e-9 * momentum.abs());
    }
}

#[test]
fn solids_of_different_materials_slide_differently_on_walls_of_different_materials() {
    let text = "gravity = [3, 0, -9.81]\n[run]\nduration = 1\n[[material]]\nname = \"rough\"\nyoung = 1e6\nfriction = 0.9\n\
                [[material]]\nname = \"ice\"\nyoung = 1e6\nfriction = 0.01\n\
                [[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"rough\"\n\
                [[solid]]\nshape = { brick = { cells = [2, 2, 1], size = [0.2, 0.2, 0.1] } }\nyoung = 1e6\ndensity = 1000\nmaterial = \"rough\"\n\
                [[solid]]\nshape = { brick = { cells = [2, 2, 1], size = [0.2, 0.2, 0.1] } }\nyoung = 1e6\ndensity = 1000\nposition = [0, 1, 0]\nmaterial = \"ice\"\n";
    let mut world = world(text);
    let dt = world.stable_step();
    advance(&mut world, 0..(0.5 / dt) as u64, dt);
    let frames = frames::of(&world, 0);

    let points = &frames
        .iter()
        .find(|frame| frame.kind == "solids")
        .expect("solids")
        .dataset
        .mesh
        .points;
    let (first, second) = points.split_at(points.len() / 2);
    let middle = |points: &[impinge::space::Point<3>]| {
        points.iter().map(|p| p.x).sum::<f64>() / points.len() as f64 - 0.1
    };
    let [rough, ice] = [middle(first), middle(second)];

    // √(0.9 · 0.01) = 0.095 on ice: ½ (3 − 0.095 · 9.81) t² = 0.26 m.
    assert!(
        rough.abs() < 0.01 && (ice - 0.26).abs() < 0.03,
        "{rough} {ice}"
    );
}

/// Builds a scene with a solid of a mesh.
fn world_of(mesh: impinge::shape::Mesh) -> Result<World, crate::build::BuildError> {
    let folder = tempfile::tempdir().expect("a folder");
    let dataset = impinge_io::Dataset {
        mesh,
        ..impinge_io::Dataset::default()
    };
    impinge_io::write(&folder.path().join("mesh.vtu"), &dataset).expect("written");
    let text = "[run]\nduration = 1\n[[solid]]\nshape = { mesh = \"mesh.vtu\" }\nyoung = 1e6\ndensity = 1000\n";
    let scene = SceneSpec::parse(text).expect("a good scene");
    super::world(&scene, folder.path())
}

#[test]
fn solids_keep_the_cells_of_their_mesh() {
    use impinge::shape::{ElementKind, generate::brick};
    for kind in ["tet4", "tet10", "hex8", "hex20", "hex27"] {
        let found = ElementKind::ALL.iter().find(|k| k.name() == kind);
        let mesh = brick([2, 1, 1], [1.0; 3], *found.expect("a kind")).expect("valid");
        let cells = mesh.blocks[0].clone();
        let from_file = world_of(mesh).expect("a good mesh");
        let of_file: Vec<u32> = from_file.solids()[0]
            .cells()
            .flat_map(|(_, nodes)| nodes.to_vec())
            .collect();
        assert_eq!(of_file, cells.nodes, "{kind}");

        let text = format!(
            "[run]\nduration = 1\n[[solid]]\nyoung = 1e6\ndensity = 1000\n\
             shape = {{ brick = {{ cells = [2, 1, 1], size = [1, 1, 1], kind = \"{kind}\" }} }}\n"
        );
        let scene = SceneSpec::parse(&text).expect("a good scene");
        let made = super::world(&scene, std::path::Path::new(".")).expect("a good scene");
        assert!(made.solids()[0].cells().all(|(k, _)| k.name() == kind));
    }
}

#[test]
fn frames_have_the_cells_of_solids_with_stress_and_strain() {
    use impinge::shape::ElementKind;
    let solid = |kind: &str, x: f64| {
        format!(
            "[[solid]]\nyoung = 1e6\ndensity = 1000\nposition = [{x}, 0, 0]\n\
             shape = {{ brick = {{ cells = [2, 1, 1], size = [1, 1, 1], kind = \"{kind}\" }} }}\n"
        )
    };
    let text = format!(
        "[run]\nduration = 1\n{}{}",
        solid("tet10", 0.0),
        solid("hex20", 5.0)
    );
    let scene = SceneSpec::parse(&text).expect("a good scene");
    let world = super::world(&scene, std::path::Path::new(".")).expect("a good scene");
    let frames = frames::of(&world, 0);
    let frame = frames.iter().find(|frame| frame.kind == "solids");
    let dataset = &frame.expect("a frame of solids").dataset;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("solids.vtu");
    impinge_io::write(&path, dataset).expect("written");
    let read = impinge_io::read(&path).expect("read again");
    assert_eq!(read.mesh.count(ElementKind::Tet10), 12);
    assert_eq!(read.mesh.count(ElementKind::Hex20), 2);
    for name in ["stress", "strain"] {
        let field = read.cell_fields.iter().find(|field| field.name == name);
        assert_eq!(field.map(|field| field.components), Some(6), "{name}");
    }
}

#[test]
fn cells_that_solids_do_not_support_are_refused_by_name() {
    use impinge::shape::{ElementKind, Mesh, generate::brick};
    let prism = Mesh {
        points: brick([1; 3], [1.0; 3], ElementKind::Hex8)
            .expect("valid")
            .points,
        blocks: vec![impinge::shape::Block {
            kind: ElementKind::Wedge6,
            nodes: vec![0, 1, 3, 4, 5, 7],
        }],
    };
    let fault = world_of(prism).err().expect("refused").to_string();
    assert!(
        fault.contains("wedge6") && fault.contains("solid[0]"),
        "{fault}"
    );

    let mut folded = brick([2, 1, 1], [1.0; 3], ElementKind::Tet10).expect("valid");
    let cell = folded.blocks[0].elements().nth(3).expect("a cell").to_vec();
    let [a, b] = [0, 1].map(|k| folded.points[cell[k] as usize]);
    // A mid node beyond its corner folds the cells at its edge.
    folded.points[cell[4] as usize] = a + (b - a) * 1.2;
    let fault = world_of(folded).err().expect("refused").to_string();
    assert!(fault.contains("element 2 is inverted"), "{fault}");

    let mut bulged = brick([2, 1, 1], [1.0; 3], ElementKind::Hex27).expect("valid");
    let middle = bulged.blocks[0].nodes[27 + 26];
    bulged.points[middle as usize].z += 0.45;
    let fault = world_of(bulged).err().expect("refused").to_string();
    assert!(
        fault.contains("cell 1 (hex27) is flat or inverted"),
        "{fault}"
    );
}

/// The mass of a sphere of 1 cm.
const STONE: f64 = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;

/// A sphere of 1 cm that falls at 1 m/s, and its law.
fn sphere_above([x, y]: [f64; 2], law: &str, restitution: f64) -> String {
    format!(
        "gravity = [0, 0, 0]\n[run]\nduration = 1\n[contact]\nlaw = {law}\n\
         [[material]]\nname = \"stone\"\nyoung = 1e6\nrestitution = {restitution}\nfriction = 0\n\
         [[particles]]\ncount = 1\nradius = 0.01\nvelocity = [0, 0, -1]\n\
         region = {{ sphere = {{ centre = [{x}, {y}, 0.0205], radius = 0.010001 }} }}\n"
    )
}

/// Returns the ratio of separation to approach speed of the sphere and a cube of 2 cm and given
/// mass, initially at rest, hit at a position.
fn seen_restitution(text: &str, mass: f64, [x, y]: [f64; 2]) -> f64 {
    let mut world = world(text);
    let dt = 0.9 * world.stable_step();
    let [.., momentum] = world.momentum();
    let before = world.energy().kinetic;
    advance(&mut world, 0..(0.02 / dt) as u64, dt);
    assert_eq!(world.counts().contacts, 0, "they have parted");
    assert!((world.momentum()[2] / momentum - 1.0).abs() < 1e-9);

    // A collision dissipates ½ μ (1 − e²) v², with 1/μ = 1/m + 1/M + a²/I; the common motion has no
    // part in it.
    let turn = (x * x + y * y) / (mass * 4e-4 / 6.0);
    let inverse = 1.0 / STONE + 1.0 / mass;
    let together = 0.5 * momentum * momentum / (STONE + mass);
    let lost = (before - world.energy().kinetic) / (before - together);
    (1.0 - lost * (inverse + turn) / inverse).sqrt()
}

/// Returns the restitution of a sphere that hits a cube of 2 cm at a position.
fn seen_on_body(place: [f64; 2], law: &str, ratio: f64, restitution: f64) -> f64 {
    let mass = ratio * STONE;
    let text = format!(
        "{}[[material]]\nname = \"box\"\nyoung = 1e6\nrestitution = {restitution}\nfriction = 0\n\
         density = {}\n[[body]]\nshape = {{ box = [0.02, 0.02, 0.02] }}\nposition = [0, 0, 0]\nmaterial = \"box\"\n",
        sphere_above(place, law, restitution),
        mass / 8e-6
    );

    seen_restitution(&text, mass, place)
}

#[test]
fn a_sphere_leaves_a_free_body_with_the_given_restitution() {
    for law in ["\"hertz\"", "{ linear = { stiffness = 1e4 } }"] {
        for ratio in [10.0, 1.0, 0.1, 0.01, 1e-4] {
            for restitution in [0.3, 0.5, 0.9] {
                // Within a face, and on the edge of its two triangles.
                for place in [[0.001, 0.0], [0.0, 0.0]] {
                    let seen = seen_on_body(place, law, ratio, restitution);
                    assert!(
                        (seen - restitution).abs() < 0.03,
                        "{law} {ratio} {restitution} {place:?}: {seen}"
                    );
                }
            }
        }
    }
}

#[test]
fn restitution_is_the_same_beside_and_on_the_edge_of_coplanar_triangles() {
    for restitution in [0.2, 0.5] {
        for ratio in [10.0, 1.0] {
            for beside in [0.0, 1e-17, 1e-10, 1e-9, 1e-8, 1e-7, 4e-7, 1e-6, 1e-5] {
                for place in [[beside, 0.0], [-beside, 0.0], [2e-3 + beside, 2e-3]] {
                    let seen = seen_on_body(place, "\"hertz\"", ratio, restitution);
                    assert!(
                        (seen - restitution).abs() < 0.02,
                        "{restitution} {ratio} {place:?}: {seen}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_sphere_leaves_a_stiff_free_solid_with_the_given_restitution() {
    // A node in the centre of a face; edges to it along an axis and a diagonal; within a face.
    let places = [[0.0, 0.0], [0.0, 0.001], [0.001, 0.001], [0.001, 0.0005]];
    let mut missed = String::new();
    for ratio in [10.0, 1.0, 0.1] {
        for place in places {
            let mass = ratio * STONE;
            let text = format!(
                "{}[[solid]]\nshape = {{ brick = {{ cells = [2, 2, 2], size = [0.02, 0.02, 0.02] }} }}\n\
                 position = [-0.01, -0.01, -0.01]\nyoung = 1e8\ndensity = {}\n",
                sphere_above(place, "\"hertz\"", 0.5),
                mass / 8e-6
            );
            let seen = seen_restitution(&text, mass, place);

            if (seen - 0.5).abs() > 0.03 {
                missed += &format!("{ratio} {place:?}: {seen}\n");
            }
        }
    }

    assert!(missed.is_empty(), "{missed}");
}

/// An L of two boxes, [0, 3] × [0, 1] and [0, 1] × [1, 3], one thick.
const ELL: &str = "\
v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0
v 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 3 1\nv 0 3 1
f 1 3 2\nf 1 4 3\nf 1 5 4\nf 1 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 11\nf 7 11 12
f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12
";

#[test]
fn a_body_that_is_not_convex_spins_about_its_own_centre_of_mass() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("ell.obj"), ELL).expect("a file");
    let text = "[run]\nduration = 1\n[[material]]\ndensity = 1000\n[[body]]\nshape = { mesh = \"ell.obj\" }\n\
                position = [0, 0, 0]\nspin = [0, 0, 2]\n";
    let scene = SceneSpec::parse(text).expect("a good scene");
    let made = super::world(&scene, folder.path()).expect("a world");

    // By the two boxes: 5 m³, centre (1.1, 1.1), and the moment about it.
    let boxes = [
        (3.0, [3.0, 1.0], [1.5f64, 0.5f64]),
        (2.0, [1.0, 2.0], [0.5, 2.0]),
    ];
    let moment: f64 = boxes
        .iter()
        .map(|(m, [x, y], [cx, cy])| {
            m * ((x * x + y * y) / 12.0 + (cx - 1.1).powi(2) + (cy - 1.1).powi(2))
        })
        .sum();
    let expected = 0.5 * 1000.0 * moment * 4.0;
    let kinetic = made.energy().kinetic;

    assert!(
        (kinetic / expected - 1.0).abs() < 1e-12,
        "{kinetic} {expected}"
    );
}

#[test]
fn bodies_that_overlap_at_the_start_are_noted_and_stay_where_they_are() {
    let space = "\
gravity = [0, 0, -9.81]
[run]
duration = 1
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
[[body]]
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.04]
[[body]]
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.12]
";

    let plane = space
        .replace("[0, 0, -9.81]", "[0, -9.81]")
        .replace("[0, 0, 0]", "[0, 0]")
        .replace("[0, 0, 1]", "[0, 1]")
        .replace("[0.1, 0.1, 0.1]", "[0.1, 0.1]")
        .replace("[0, 0, 0.04]", "[0, 0.04]")
        .replace("[0, 0, 0.12]", "[0, 0.12]");

    for text in [space.to_string(), format!("dimension = 2\n{plane}")] {
        let mut made = world(&text);
        let notes = made.notes();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].starts_with("rigid body 0 and rigid body 1 overlap by 2.00e-2 m"));
        assert!(notes[1].starts_with("rigid body 0 and wall[0] overlap by 1.00e-2 m"));

        let (dt, start) = (0.9 * made.stable_step(), made.energy().total());
        let mut fastest = 0.0f64;
        for _ in 0..(0.5 / dt) as u64 {
            made.step(dt).expect("a good step");
            fastest = fastest.max(made.energy().kinetic);
        }

        // An ejection would have about 100 times the potential energy.
        assert!(fastest < 0.01 * start, "{fastest} {start}");
    }
}

#[test]
fn solids_that_overlap_at_the_start_are_noted_and_stay_where_they_are() {
    let mut made = world(
        "\
gravity = [0, 0, 0]
[run]
duration = 1
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
shape = { box = [1, 1, 0.1] }
position = [0, 0, 0.34]
[[body]]
shape = { box = [0.1, 0.1, 0.1] }
position = [0.135, 0.05, 0.15]
[[solid]]
shape = { brick = { cells = [3, 3, 3], size = [0.1, 0.1, 0.1] } }
position = [0, 0, -0.01]
young = 1e6
density = 1000
[[solid]]
shape = { brick = { cells = [2, 2, 4], size = [0.09, 0.08, 0.24] } }
position = [0.003, 0.004, 0.07]
young = 1e6
density = 1000
",
    );
    let notes = made.notes();

    let expected = [
        "solid[0] and solid[1] overlap by 2.00e-2 m",
        "solid[1] and wall[1] overlap by 2.00e-2 m",
        "solid[0] and wall[0] overlap by 1.00e-2 m",
        "solid[1] and rigid body 0 overlap by 8.00e-3 m",
    ];

    for expected in expected {
        let found = notes.iter().any(|note| note.starts_with(expected));
        assert!(found, "{expected}: {notes:?}");
    }

    let dt = 0.9 * made.stable_step();
    for _ in 0..500 {
        made.step(dt).expect("a good step");
    }

    // At the contact stiffness, the overlaps would store some joules.
    let energy = made.energy();
    assert!(energy.kinetic < 1e-9 && energy.elastic < 1e-9, "{energy:?}");
}

#[test]
fn slender_solids_with_few_cells_are_noted() {
    let beam = |cells: usize, element: &str| {
        let made = world(&format!(
            "\
gravity = [0, 0, 0]
[run]
duration = 1
[[solid]]
shape = {{ brick = {{ cells = [10, {cells}, {cells}], size = [1, 0.1, 0.1] }} }}
young = 1e6
density = 1000
element = \"{element}\"
"
        ));
        made.notes()
    };
    assert!(beam(3, "smoothed").is_empty());

    for (cells, element) in [(2, "smoothed"), (3, "standard")] {
        let notes = beam(cells, element);
        assert_eq!(notes.len(), 1, "{notes:?}");
        let start = format!("solid[0] has {cells} cells through its thickness");
        assert!(notes[0].starts_with(&start), "{notes:?}");
    }
}

/// Slides an object of one material over a wall of another; returns its speed after 0.2 s.
fn sliding(object: &str, pair: &str) -> f64 {
    let mut world = world(&format!(
        "gravity = [0, 0, -9.81]\n[run]\nduration = 1\n\
         [[material]]\nname = \"steel\"\nyoung = 1e6\nfriction = 0.5\nrestitution = 0.1\n\
         [[material]]\nname = \"ice\"\nyoung = 1e6\nfriction = 0.5\nrestitution = 0.1\n\
         {pair}[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"ice\"\n{object}"
    ));
    let start = world.momentum()[0];
    let dt = 0.9 * world.stable_step();
    advance(&mut world, 0..(0.2 / dt) as u64, dt);
    world.momentum()[0] / start
}

#[test]
fn the_coefficients_of_a_pair_hold_for_spheres_bodies_and_solids() {
    let slippery = "[[pair]]\nmaterials = [\"ice\", \"steel\"]\nfriction = 0\n";
    let objects = [
        "[[particles]]\ncount = 1\nradius = 0.02\nvelocity = [3, 0, 0]\n\
         region = { box = { min = [-0.0201, -0.0201, 0], max = [0.0201, 0.0201, 0.0401] } }\n",
        "[[body]]\nshape = { box = [0.1, 0.1, 0.1] }\nposition = [0, 0, 0.05]\nvelocity = [3, 0, 0]\n",
        "[[solid]]\nshape = { brick = { cells = [3, 3, 2], size = [0.2, 0.2, 0.05] } }\nyoung = 1e5\n\
         density = 1000\nmaterial = \"steel\"\nvelocity = [3, 0, 0]\n",
    ];

    for object in objects {
        let (usual, paired) = (sliding(object, ""), sliding(object, slippery));
        assert!(usual < 0.9, "{object}: {usual}");
        assert!((paired - 1.0).abs() < 1e-6, "{object}: {paired}");
    }
}

#[test]
fn spheres_of_a_file_keep_their_motion_and_take_the_materials_of_their_types() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = "x,y,z,d,vx,vy,vz,omegax,omegay,omegaz,type\n1,2,3,4,5,6,7,8,9,10,2\n11,12,13,2,0,0,0,0,0,0,1\n";
    std::fs::write(folder.path().join("bed.csv"), table).expect("writes");
    let scene = "[run]\nduration = 1\n[[material]]\nname = 'glass'\n[[material]]\nname = 'steel'\n\
                 [[particles]]\nfile = 'bed.csv'\nscale = 0.001\nposition = [0, 0, 1]\nspin = [0, 0, 1]\n";
    let built = |more: &str| {
        let scene = SceneSpec::parse(&format!("{scene}{more}")).expect("a scene");
        super::world(&scene, folder.path())
    };

    let world = built("").expect("a world");
    let grains: Vec<_> = world.particles().expect("spheres").grains().collect();
    let (_, first) = grains[0];
    assert_eq!(first.position, [0.001, 0.002, 1.003]);
    assert_eq!((first.radius, first.species), (0.002, 1));
    assert_eq!(first.velocity, [0.005, 0.006, 0.007]);
    assert_eq!(first.spin, [8.0, 9.0, 11.0]);
    assert_eq!(grains[1].1.species, 0);

    let swapped = built("materials = ['steel', 'glass']\n").expect("a world");
    let all = swapped.particles().expect("spheres").grains();
    assert_eq!(all.map(|(_, g)| g.species).collect::<Vec<_>>(), [0, 1]);

    for (more, said) in [
        (
            "materials = ['steel']\n",
            "particles[0].materials: the file has the type 2, for which there is no material",
        ),
        (
            "radius = 0.1\n",
            "particles[0].radius: the file has radii already",
        ),
    ] {
        let fault = built(more).map(|_| ()).expect_err("a fault").to_string();
        assert_eq!(fault, said);
    }
}

#[test]
fn random_spheres_avoid_those_from_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("one.xyz"), "0.5 0.5 0.5 0.3\n").expect("writes");
    let scene = "[run]\nduration = 1\n\
        [[particles]]\ncount = 200\nradius = 0.03\nregion = { box = { min = [0, 0, 0], max = [1, 1, 1] } }\n\
        [[particles]]\nfile = 'one.xyz'\nfixed = true\n";
    let scene = SceneSpec::parse(scene).expect("a scene");
    let world = super::world(&scene, folder.path()).expect("a world");
    let grains: Vec<_> = world.particles().expect("spheres").grains().collect();

    assert_eq!(grains.len(), 201);
    assert!(grains[200].1.is_fixed && !grains[0].1.is_fixed);
    for (_, grain) in &grains[..200] {
        let apart: f64 = grain.position.iter().map(|x| (x - 0.5).powi(2)).sum();
        assert!(apart.sqrt() > 0.33);
    }
}

#[test]
fn an_inlet_by_mass_flow_gives_the_sieve_curve_and_the_mass() {
    let mut world = world(
        "gravity = [0, 0, -9.81]\n[run]\nduration = 1\n[[material]]\nname = 'a'\ndensity = 2000\nyoung = 1e6\n\
         [[inlet]]\nmass_rate = 0.5\nradius = { sieve = [[0.004, 0], [0.008, 50], [0.012, 100]] }\n\
         region = { box = { min = [-0.1, -0.1, 0], max = [0.1, 0.1, 0.1] } }\nvelocity = [0, 0, -2]\n",
    );
    let dt = world.stable_step();
    let steps = (1.0 / dt) as u64;
    advance(&mut world, 0..steps, dt);

    let particles = world.particles().expect("spheres");
    let masses = (0..particles.len()).map(|place| particles.mass_at(place));
    let mass: f64 = masses.sum();
    let fine = (0..particles.len()).filter(|&place| particles.grain_at(place).radius < 0.004);
    let fine: f64 = fine.map(|place| particles.mass_at(place)).sum();
    assert!((mass - 0.5).abs() < 0.05, "{mass} kg after a second");
    assert!((fine / mass - 0.5).abs() < 0.08, "{} passes", fine / mass);
}

#[test]
fn a_dense_placement_fills_the_wanted_share_of_a_periodic_box() {
    let world = world(
        "[run]\nduration = 1\n[periodic]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
         [[particles]]\nsolid_fraction = 0.6\nplacement = 'dense'\nradius = { uniform = [0.045, 0.055] }\n\
         region = { box = { min = [0, 0, 0], max = [1, 1, 1] } }\n",
    );
    let particles = world.particles().expect("spheres");
    let volumes = particles
        .radii()
        .map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3));
    let filled: f64 = volumes.sum();
    assert!((filled - 0.6).abs() < 0.01, "{filled}");

    let fault = SceneSpec::parse(
        "[run]\nduration = 1\n[[particles]]\nsolid_fraction = 0.7\nradius = 0.1\n\
         region = { box = { min = [0, 0, 0], max = [1, 1, 1] } }\n",
    );
    let said = fault.expect_err("too dense").to_string();
    assert!(
        said.contains("particles[0].solid_fraction: must be above 0"),
        "{said}"
    );
}

#[test]
fn a_piston_presses_with_its_force_moves_along_its_axis_and_closes_its_energy() {
    let mut world = world(
        "gravity = [0, 0, -9.81]\n[run]\nduration = 1\n[[material]]\nyoung = 1e6\nrestitution = 0.3\nfriction = 0.3\n\
         [[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n\
         [[wall]]\npoint = [-0.02, 0, 0]\nnormal = [1, 0, 0]\n[[wall]]\npoint = [0.02, 0, 0]\nnormal = [-1, 0, 0]\n\
         [[wall]]\npoint = [0, -0.02, 0]\nnormal = [0, 1, 0]\n[[wall]]\npoint = [0, 0.02, 0]\nnormal = [0, -1, 0]\n\
         [[particles]]\ncount = 150\nradius = { uniform = [0.0018, 0.0022] }\nplacement = 'lattice'\n\
         region = { box = { min = [-0.02, -0.02, 0], max = [0.02, 0.02, 0.03] } }\n\
         [[body]]\nshape = { box = [0.038, 0.038, 0.01] }\nposition = [0.0003, 0, 0.04]\nalong = [0, 0, 2]\nforce = [3, 0, -2]\n",
    );
    let start = world.energy().total();
    let dt = 0.9 * world.stable_step();
    advance(&mut world, 0..(0.5 / dt) as u64, dt);

    let (centre, velocity) = (world.body_centre(0), world.body_velocity(0));
    assert!((centre.x - 0.0003).abs() < 1e-12 && centre.y.abs() < 1e-12);
    assert!(
        centre.z < 0.035 && velocity.norm() < 2e-3,
        "{centre} {velocity}"
    );
    let pose = world.body(0).expect("a body").pose;
    assert!((pose.rotation().trace() - 3.0).abs() < 1e-9);

    // The spheres carry its weight and the force along its axis.
    let weight = world.body_mass(0).expect("a mass") * 9.81;
    let carried: f64 = world
        .contacts()
        .iter()
        .filter(|contact| contact.bodies[1] == BodyRef::body(0))
        .map(|contact| contact.force.z)
        .sum();
    assert!(
        (carried / (weight + 2.0) - 1.0).abs() < 0.05,
        "{carried} of {}",
        weight + 2.0
    );
    let fallen = (weight + 2.0) * (0.04 - centre.z);
    let off = (world.energy().total() - start) / fallen;
    assert!(off.abs() < 0.02, "{off}");
}
