//! A whole step of contact detection, compared with parry: convex bodies and meshes that move and turn in
//! a box. One thread each, the same bodies and poses; the touching pairs are compared.
//!
//! parry has no detector: its candidate pairs are those of boxes, all tested, and each is passed to
//! `query::contact`; two meshes to `query::intersection_test`, because it has no contact for them.

use crate::study::{self, Findings, Table, cpu_seconds};
use anyhow::Result;
use impinge::broad::Pair;
use impinge::detect::{Detector3, Options, Place, Scene3, Shape3, Want};
use impinge::narrow::SurfaceBody;
use impinge::shape::{Polyhedron, Surface, generate};
use impinge::space::{Point, Pose, Random, Vector};
use std::sync::Arc;

/// Number of convex bodies.
const CONVEX: usize = 200;

/// Half of the edge of the box that the bodies move in.
const ROOM: f64 = 4.5;

/// Bodies and their poses at each step.
struct Case {
    convex: Vec<Polyhedron>,
    meshes: Vec<Surface>,
    steps: Vec<Vec<Pose<3>>>,
}

/// CPU seconds and the touching pairs of each step.
struct Measured {
    seconds: f64,
    touching: Vec<Vec<Pair>>,
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-detect")?;
    let mut findings = Findings::default();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let case = case(if quick { 10 } else { 60 })?;
    let count = case.steps.len() as f64;
    let triangles: Vec<usize> = case
        .meshes
        .iter()
        .map(|mesh| mesh.triangles().len())
        .collect();
    println!("{CONVEX} convex bodies and meshes of {triangles:?} triangles; CPU ms a step");

    let mut table = Table::new(&["program", "ms_a_step", "touching_pairs"]);
    let mut report = |name: &str, measured: &Measured| {
        let (ms, pairs) = (measured.seconds / count * 1e3, total(measured));
        println!("  {name:<24}{ms:>10.3}{pairs:>10}");
        table.row(&[&name, &ms, &pairs]);
    };
    let touch = one_thread.install(|| ours(&case, Want::TOUCH))?;
    report("impinge, touch", &touch);
    let all = one_thread.install(|| ours(&case, Want::ALL))?;
    report("impinge, everything", &all);
    findings.check(
        touch.touching == all.touching,
        "what is computed of a contact does not change which bodies touch",
    );

    match parry(&case) {
        Ok(peer) => {
            report("parry3d-f64", &peer);
            let differ = different(&touch, &peer);
            findings.check(
                differ * 500 <= total(&peer),
                format!("parry agrees on the touching pairs but for {differ}"),
            );
            let ratio = peer.seconds / touch.seconds;
            findings.timing(
                ratio >= 2.0,
                format!("{ratio:.2} times parry's speed (2 asked)"),
            );
        }
        Err(reason) => findings.skip("parry3d-f64", format!("{reason:#}")),
    }

    table.save(&folder.join("detect.csv"))?;
    Ok(findings)
}

fn total(measured: &Measured) -> usize {
    measured.touching.iter().map(Vec::len).sum()
}

/// Counts pairs that touch for one program only.
fn different(a: &Measured, b: &Measured) -> usize {
    let only = |p: &[Pair], q: &[Pair]| p.iter().filter(|pair| !q.contains(pair)).count();
    let steps = a.touching.iter().zip(&b.touching);
    steps.map(|(p, q)| only(p, q) + only(q, p)).sum()
}

fn case(steps: usize) -> Result<Case> {
    let mut random = Random::new(17);
    let convex = (0..CONVEX)
        .map(|n| generate::polyhedron(12 + n % 9, n as u64))
        .collect::<Result<Vec<_>, _>>()?;
    // Thinner than the bodies, none of which can be inside.
    let meshes = [[50, 20], [100, 40], [160, 63]]
        .map(|cells| generate::torus(2.0, 0.4, cells))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;

    let count = CONVEX + meshes.len();
    let at: Vec<Vector<3>> = (0..count)
        .map(|_| Vector::from_fn(|_, _| random.within(-ROOM, ROOM)))
        .collect();
    let way: Vec<Vector<3>> = (0..count).map(|_| random.direction::<3>() * 0.02).collect();
    let axis: Vec<Vector<3>> = (0..count).map(|_| random.direction::<3>()).collect();
    let pose = |body: usize, step: usize| {
        let angle = 0.01 * step as f64 + body as f64;
        let turn = axis[body] * angle.sin();
        let place = Point::from(at[body] + way[body] * step as f64);
        Pose::from_quaternion([turn.x, turn.y, turn.z, angle.cos()], place)
    };
    let steps = (0..steps)
        .map(|step| (0..count).map(|body| pose(body, step)).collect())
        .collect::<Result<_, _>>()?;

    Ok(Case {
        convex,
        meshes,
        steps,
    })
}

fn ours(case: &Case, want: Want) -> Result<Measured> {
    let mut scene = Scene3::default();
    let convex = case
        .convex
        .iter()
        .map(|body| Ok(Shape3::Polyhedron(Arc::new(body.clone()))));
    let meshes = case.meshes.iter().map(|mesh| {
        let body = SurfaceBody::new(mesh).map_err(|problem| anyhow::anyhow!("{problem}"))?;
        Ok(Shape3::Surface(Arc::new(body)))
    });
    for shape in convex.chain(meshes) {
        let shape: Result<Shape3> = shape;
        scene.add(shape?, Place::Moved(Pose::identity()))?;
    }

    let mut detector = Detector3::new(Options {
        want,
        ..Options::default()
    })?;
    let (mut seconds, mut touching) = (0.0, Vec::new());
    for poses in &case.steps {
        let start = cpu_seconds();
        for (body, pose) in (0..).zip(poses) {
            scene.set_pose(body, *pose)?;
        }
        detector.step(&scene, 0.0)?;
        seconds += cpu_seconds() - start;

        let mut pairs: Vec<Pair> = detector
            .contacts()
            .iter()
            .map(|contact| contact.pair)
            .collect();
        pairs.dedup();
        touching.push(pairs);
    }

    Ok(Measured { seconds, touching })
}

#[cfg(feature = "parry")]
fn parry(case: &Case) -> Result<Measured> {
    use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
    use parry3d_f64::math::{Matrix, Pose as Placed, Rotation, Vector};
    use parry3d_f64::query;
    use parry3d_f64::shape::{ConvexPolyhedron, Shape, TriMesh};

    let point = |p: &Point<3>| Vector::new(p.x, p.y, p.z);
    let mut shapes: Vec<Box<dyn Shape>> = Vec::new();
    for body in &case.convex {
        let points: Vec<Vector> = body.points().iter().map(point).collect();
        let hull = ConvexPolyhedron::from_convex_hull(&points);
        shapes.push(Box::new(
            hull.ok_or_else(|| anyhow::anyhow!("it refuses a body"))?,
        ));
    }
    for mesh in &case.meshes {
        let points = mesh.points().iter().map(point).collect();
        let mesh = TriMesh::new(points, mesh.triangles().to_vec());
        shapes.push(Box::new(mesh.map_err(|e| anyhow::anyhow!("{e:?}"))?));
    }
    let place = |pose: &Pose<3>| {
        let columns: [[f64; 3]; 3] = (*pose.rotation()).into();
        let rotation = Rotation::from_mat3(&Matrix::from_cols_array_2d(&columns));
        Placed::from_parts(Vector::from_array(pose.position().into()), rotation)
    };

    let (mut seconds, mut touching) = (0.0, Vec::new());
    for poses in &case.steps {
        let start = cpu_seconds();
        let poses: Vec<Placed> = poses.iter().map(place).collect();
        let boxes: Vec<Aabb> = shapes
            .iter()
            .zip(&poses)
            .map(|(shape, pose)| shape.compute_aabb(pose))
            .collect();
        let mut pairs = Vec::new();
        for a in 0..shapes.len() {
            for b in a + 1..shapes.len() {
                if !boxes[a].intersects(&boxes[b]) {
                    continue;
                }
                let (p, q) = (&*shapes[a], &*shapes[b]);
                let is_touching = if a >= CONVEX {
                    query::intersection_test(&poses[a], p, &poses[b], q)
                        .map_err(|e| anyhow::anyhow!("{e:?}"))?
                        .intersecting
                } else {
                    query::contact(&poses[a], p, &poses[b], q, 0.0)
                        .map_err(|e| anyhow::anyhow!("{e:?}"))?
                        .is_some_and(|contact| contact.dist <= 0.0)
                };
                if is_touching {
                    pairs.push(Pair::new(a as u32, b as u32));
                }
            }
        }
        seconds += cpu_seconds() - start;
        touching.push(pairs);
    }

    Ok(Measured { seconds, touching })
}

#[cfg(not(feature = "parry"))]
fn parry(_: &Case) -> Result<Measured> {
    anyhow::bail!("it is built in with --features parry only")
}
