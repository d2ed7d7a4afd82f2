//! The ten kernels that matter, one benchmark each, on one thread. `cargo xtask bench` runs them and compares with
//! `benchmarks/kernels.csv`.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns, NeighbourList, Sweep};
use impinge::inside::{Inside, InsideOptions};
use impinge::narrow::features3::{FeatureCache3, closest};
use impinge::narrow::meshes::{self, PairHint, TriangleTree};
use impinge::narrow::projection::FaceTree;
use impinge::narrow::solids::{SolidContacts, SolidOptions};
use impinge::predict::{ImpactOptions, MovingMesh, first_impact};
use impinge::shape::generate::{self, Packing, SpheresOptions, Vee, spheres};
use impinge::shape::{Cells, ElementKind, Solid};
use impinge::space::{Aabb, Point, Pose, Random, Vector};
use impinge_sim::Grain;
use impinge_sim::world::{World, WorldOptions};
use std::hint::black_box;
use std::time::Duration;

const VALID: &str = "the generators make valid input";

/// Number of poses or positions that a benchmark cycles through.
const PLACES: usize = 64;

fn random_points(count: usize, bounds: &Aabb<3>) -> Vec<Point<3>> {
    let (mut random, size) = (Random::new(1), bounds.extent());
    let mut at = |axis: usize| bounds.min[axis] + size[axis] * random.unit();
    (0..count)
        .map(|_| Point::from([at(0), at(1), at(2)]))
        .collect()
}

/// Spheres, and the same moved a little, to go back and forth between.
fn moving_balls(count: usize) -> [Vec<Ball<3>>; 2] {
    let packing: Packing<3> = spheres(&SpheresOptions {
        count,
        fraction: 0.3,
        ..Default::default()
    })
    .expect(VALID);
    let balls = packing.centres.iter().zip(&packing.radii);
    let before: Vec<Ball<3>> = balls
        .map(|(&centre, &radius)| Ball { centre, radius })
        .collect();

    let mut random = Random::new(2);
    let mut after = before.clone();
    for ball in &mut after {
        ball.centre += Vector::from([(); 3].map(|()| 0.02 * (random.unit() - 0.5)));
    }
    [before, after]
}

fn inside(c: &mut Criterion) {
    let foam = generate::foam(20_000, 1).expect(VALID);
    let points = random_points(10_000, foam.bounds());
    let inside = Inside::new(foam, &InsideOptions::default()).expect(VALID);
    let mut positions = Vec::new();
    c.bench_function("inside: 10,000 points, foam of 20,000 triangles", |b| {
        b.iter(|| inside.positions(black_box(&points), &mut positions));
    });
}

fn columns(c: &mut Criterion) {
    let [balls, _] = moving_balls(20_000);
    let mut pairs = Vec::new();
    c.bench_function("broad: columns, 20,000 spheres from scratch", |b| {
        b.iter(|| Columns::default().find_pairs(&BroadScene::of(black_box(&balls)), &mut pairs));
    });
}

fn neighbours(c: &mut Criterion) {
    let places = moving_balls(20_000);
    let (mut list, mut pairs, mut step) = (NeighbourList::default(), Vec::new(), 0);
    c.bench_function("broad: neighbour list, step of 20,000 spheres", |b| {
        b.iter(|| {
            step ^= 1;
            list.find_pairs(&BroadScene::of(&places[step]), &mut pairs)
        });
    });
}

fn sweep(c: &mut Criterion) {
    let places = moving_balls(2_000);
    let (mut sweep, mut pairs, mut step) = (Sweep::default(), Vec::new(), 0);
    c.bench_function("broad: sweep and prune, step of 2,000 spheres", |b| {
        b.iter(|| {
            step ^= 1;
            sweep.find_pairs(&BroadScene::of(&places[step]), &mut pairs)
        });
    });
}

/// Closest features of two polyhedra that turn about each other: apart, or overlapping.
fn convex(c: &mut Criterion, name: &str, distance: f64) {
    let [a, b] = [1, 2].map(|seed| generate::polyhedron(64, seed).expect(VALID));
    let pose = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / PLACES as f64;
        Pose::at([distance * angle.cos(), distance * angle.sin(), 0.1 * angle])
    };
    let poses: Vec<Pose<3>> = (0..PLACES).map(pose).collect();
    let (mut cache, mut step) = (FeatureCache3::default(), 0);
    c.bench_function(name, |bench| {
        bench.iter(|| {
            step = (step + 1) % PLACES;
            closest(&a, &Pose::identity(), &b, &poses[step], &mut cache)
                .contact
                .gap
        });
    });
}

fn mesh_distance(c: &mut Criterion) {
    let ball = TriangleTree::new(&generate::icosphere(5).expect(VALID));
    let pose = |k: usize| Pose::at([2.1, 0.01 * k as f64, 0.0]);
    let poses: Vec<Pose<3>> = (0..PLACES).map(pose).collect();
    let (mut hint, mut step) = (PairHint::default(), 0);
    c.bench_function("meshes: distance of two balls of 20,480 triangles", |b| {
        b.iter(|| {
            step = (step + 1) % PLACES;
            meshes::distance(&ball, &Pose::identity(), &ball, &poses[step], &mut hint).tests
        });
    });
}

fn projection(c: &mut Criterion) {
    let brick = generate::brick([8, 8, 8], [1.0; 3], ElementKind::Tet10).expect(VALID);
    let faces = Cells::<3>::from_mesh(&brick).expect(VALID).boundary().faces;
    let points = random_points(1_000, &brick.bounds().grown(0.1));
    let (tree, mut nearest) = (FaceTree::new(faces), Vec::new());
    c.bench_function("projection: 1,000 points on 768 six-node triangles", |b| {
        b.iter(|| tree.nearest_points(black_box(&points), &mut nearest));
    });
}

fn self_contact(c: &mut Criterion) {
    let vee = Vee::new(6_000).expect(VALID);
    let places = [-0.2, -0.19].map(|angle| vee.points(angle).expect(VALID));
    let mut tissue = Solid::new(&places[0], vee.tetrahedra()).expect(VALID);
    let mut contacts = SolidContacts::new(&tissue, SolidOptions::default());
    let (mut hits, mut step) = (Vec::new(), 0);
    c.bench_function("solids: self-contact of 6,000 tetrahedra", |b| {
        b.iter(|| {
            step ^= 1;
            tissue.set_points(&places[step]).expect(VALID);
            contacts.update(&tissue);
            contacts.find_self(&tissue, &mut hits)
        });
    });
}

fn impact(c: &mut Criterion) {
    let ball = generate::icosphere(4).expect(VALID);
    let moved = |z: f64| -> Vec<Point<3>> {
        let up = Vector::from([0.1, 0.2, z]);
        ball.points().iter().map(|point| point + up).collect()
    };
    let (before, after) = (moved(3.0), moved(-3.0));
    let mut falling = MovingMesh::new(&before, ball.triangles()).expect(VALID);
    let resting = MovingMesh::new(ball.points(), ball.triangles()).expect(VALID);
    c.bench_function(
        "predict: first impact of two balls of 5,120 triangles",
        |b| {
            b.iter(|| {
                falling.set_step(&before, &after).expect(VALID);
                first_impact(&falling, &resting, &ImpactOptions::default())
            });
        },
    );
}

fn dem(c: &mut Criterion) {
    let options = WorldOptions {
        gravity: [0.0; 3],
        ..WorldOptions::default()
    };
    let mut world = World::new(options).expect(VALID);
    // A lattice whose spheres overlap a little: six contacts each.
    let grain = |n: u32| Grain {
        radius: 1e-3,
        position: [n % 20, n / 20 % 20, n / 400].map(|k| 1.999e-3 * f64::from(k)),
        ..Grain::default()
    };
    let grains: Vec<Grain> = (0..8_000).map(grain).collect();
    world.add_particles(&grains).expect(VALID);
    let dt = 0.5 * world.stable_step();
    c.bench_function("sim: step of 8,000 spheres with 22,800 contacts", |b| {
        b.iter(|| world.step(dt).expect("a step"));
    });
}

fn all(c: &mut Criterion) {
    // One thread: the kernel is measured, not the scheduler.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global();
    inside(c);
    columns(c);
    neighbours(c);
    sweep(c);
    convex(c, "convex: distance of two polyhedra of 64 vertices", 2.5);
    convex(c, "convex: depth of two polyhedra of 64 vertices", 1.2);
    mesh_distance(c);
    projection(c);
    self_contact(c);
    impact(c);
    dem(c);
}

criterion_group! {
    name = kernels;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = all
}
criterion_main!(kernels);
