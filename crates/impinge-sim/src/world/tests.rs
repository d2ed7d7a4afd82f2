//! Worlds of every kind: they start, step, save and go on.

use super::*;
use crate::scene::Scene;
use std::path::PathBuf;

fn scenes() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let entries = std::fs::read_dir(folder).expect("the scenes").map(|entry| entry.expect("a scene").path());
    let mut scenes: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    scenes.sort();
    scenes
}

fn world(text: &str) -> World {
    World::new(&Scene::parse(text).expect("a good scene"), Path::new("")).expect("a world")
}

fn advance(world: &mut World, steps: std::ops::Range<u64>, dt: f64) {
    for step in steps {
        world.step(step as f64 * dt, dt).expect("a good step");
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
        let scene = Scene::parse(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let folder = path.parent().expect("a folder");
        let made = World::new(&scene, folder);
        let mut world = made.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let dt = 0.9 * world.stable_step();
        assert!(dt > 0.0, "{}", path.display());
        advance(&mut world, 0..3, dt.min(1e-3));
        assert!(!world.frames(0, 0.0).is_empty());
        assert!(world.energy().total().is_finite(), "{}", path.display());
    }
}

/// Every kind of body close together, so that all kinds of contacts happen soon.
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
[[particles]]
count = 40
radius = { uniform = [0.01, 0.015] }
region = { box = { min = [-0.1, -0.1, 0.08], max = [0.1, 0.1, 0.16] } }
velocity = [0, 0, -1]
[[body]]
shape = { box = [0.2, 0.2, 0.03] }
position = [0, 0, 0.02]
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
    assert!(counts.contacts > 10 && counts.solids == 1 && counts.bodies == 2, "{counts:?}");
}

#[test]
fn the_bytes_of_a_crowd_do_not_depend_on_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
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
    let frames = world.frames(0, 0.0);
    let grain =
        &frames.iter().find(|frame| frame.kind == "particles").expect("particles").dataset.mesh.points[0];
    assert!((grain.z - 0.07).abs() < 1e-3, "{grain}");
    assert!(world.energy().kinetic < 1e-4, "{:?}", world.energy());
    // What presses on the floor is the weight of both.
    let pressed: f64 =
        world.touches().iter().filter(|touch| touch.kind == "bodies").map(|t| t.line.force.z.abs()).sum();
    let weight = 9.81 * 2500.0 * (0.3 * 0.3 * 0.05 + 4.0 / 3.0 * std::f64::consts::PI * 0.02f64.powi(3));
    assert!((pressed / weight - 1.0).abs() < 0.02, "{pressed} {weight}");
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
    assert!((after - before).abs() < 1e-9 * before.abs(), "{before} {after}");
    assert!(x.abs().max(y.abs()) < 1e-9 * before.abs(), "{x} {y}");
}

#[test]
fn the_projectiles_of_the_paper_meet_after_14_98_seconds() {
    let text = include_str!("../../../../scenes/projectiles.toml");
    let mut world = world(text);
    let dt = 0.9 * world.stable_step();
    let meets = |step: &u64| {
        world.step(*step as f64 * dt, dt).expect("a good step");
        world.counts().contacts > 0
    };
    let step = (0..(16.0 / dt) as u64).find(meets).expect("they meet");
    let time = (step + 1) as f64 * dt;
    // [Aragon2013, figure 6]: 14.98 s; the last step is not cut short here.
    assert!((14.98 - 1e-6..14.98 + 1.1 * dt).contains(&time), "{time}");
}
