//! Time of impact of the two thrown balls of [Aragon2013, section 5.1], compared with the IPC Toolkit's
//! Tight-Inclusion and additive CCD and with parry's shape casts: one thread.
//!
//! The balls are meshes of 1,280 faces, rotated so that none of their features points straight ahead.
//! The reference is the earliest time over all pairs of faces. The peers support no acceleration.
//! Gravity acts on both balls and is left out for the peers, which changes no time. The IPC Toolkit is
//! given a step of 15.5 s.

use super::toolkit;
use crate::aragon2013::impact::{ASKEW, motions};
use crate::study::{self, Findings, Table, timed};
use anyhow::{Context, Result, ensure};
use impinge::detect::forecast::{Forecast, ForecastEventKind, Prepared, Settings};
use impinge::predict::{Course, FaceTouch, MovingFace, face_touch};
use impinge::shape::{Surface, generate};
use impinge::space::{Motion, Point};
use impinge::tree::Builder;
use std::path::Path;

/// Step given to the peers, s.
const STEP: f64 = 15.5;

/// Difference above which a time is wrong, s.
const WRONG: f64 = 1e-6;

/// Number of runs of ours; the fastest counts.
const PASSES: usize = 9;

struct Case {
    body: Surface,
    motions: [Motion<3>; 2],
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-predict")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["faces", "program", "ms", "time_s", "off_s"]);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;

    for level in if quick { vec![2] } else { vec![2, 3, 4] } {
        let case = Case {
            body: generate::icosphere(level)?,
            motions: motions(ASKEW)?,
        };
        one_thread.install(|| compare(&case, &folder, &mut table, &mut findings))?;
    }

    table.save(&folder.join("predict.csv"))?;
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

fn compare(case: &Case, folder: &Path, table: &mut Table, findings: &mut Findings) -> Result<()> {
    let faces = case.body.triangles().len();
    let right = brute_force(case)?;
    println!("\ntwo balls of {faces} faces meet at {right:.9} s      ms        time s       off s");
    let mut enter = |name: &str, (seconds, time): (f64, f64)| {
        let (ms, off) = (1e3 * seconds, time - right);
        println!("  {name:<40}{ms:>12.3}{time:>14.7}{off:>12.1e}");
        table.row(&[&faces, &name, &ms, &time, &off]);
        off
    };

    // A hierarchy that serves a single query is built with the fast builder.
    let (points, triangles) = (case.body.points(), case.body.triangles());
    let quick = || Prepared::of_triangles(points, triangles, Builder::TopDown);
    let scratch = best(|| ours(case, [quick()?, quick()?]))?;
    let off = enter("impinge, from the points on", scratch);
    findings.check(
        off.abs() < WRONG && off < 1e-9,
        "right to 1e-6 s, and not late",
    );
    let trees = Prepared::new(&case.body);
    let standing = best(|| ours(case, [trees.clone(), trees.clone()]))?;
    enter("impinge, hierarchies standing", standing);

    if faces == 1280 {
        findings.timing(
            scratch.0 < 10e-3,
            format!("from scratch in {:.2} ms, less than 10", 1e3 * scratch.0),
        );
        findings.timing(
            standing.0 < 1e-3,
            format!(
                "with hierarchies in {:.3} ms, less than 1",
                1e3 * standing.0
            ),
        );
    }

    for (name, method) in [
        ("IPC Toolkit, Tight-Inclusion", "tight"),
        ("IPC Toolkit, additive", "additive"),
    ] {
        match toolkit(case, method, folder) {
            Ok(answer) => drop(enter(name, answer)),
            Err(reason) => findings.skip(format!("{faces} faces, {name}"), format!("{reason:#}")),
        }
    }

    for (name, linear) in [
        ("parry, nonlinear cast", Cast::Nonlinear),
        ("parry, linear cast", Cast::Linear),
    ] {
        match parry(case, linear) {
            Ok(answer) => drop(enter(name, answer)),
            Err(reason) => findings.skip(format!("{faces} faces, {name}"), format!("{reason:#}")),
        }
    }

    Ok(())
}

/// Returns the fastest of several runs.
fn best(run: impl Fn() -> Result<f64>) -> Result<(f64, f64)> {
    let mut quickest = (f64::INFINITY, f64::NAN);
    for _ in 0..PASSES {
        let (time, seconds) = timed(&run);
        quickest = (quickest.0.min(seconds), time?);
    }
    Ok(quickest)
}

fn ours(case: &Case, shapes: [Prepared; 2]) -> Result<f64> {
    let mut forecast = Forecast::new(Settings::default());
    for (shape, motion) in shapes.into_iter().zip(case.motions) {
        forecast.add(shape, motion)?;
    }

    let mut events = Vec::new();
    // Stop at the contact: what the balls do inside each other is not measured.
    while !events
        .iter()
        .any(|event: &impinge::detect::forecast::ForecastEvent| {
            event.kind == ForecastEventKind::Contact
        })
    {
        let next = forecast.next_due().context("they meet")?;
        forecast.advance(next, &mut events)?;
    }
    Ok(forecast.time())
}

/// Returns the earliest time of impact over all pairs of faces with a corner facing the other ball.
fn brute_force(case: &Case) -> Result<f64> {
    let courses = case.motions.map(|motion| Course { motion, since: 0.0 });
    let faces = |k: usize| {
        let ahead = if k == 0 { 1.0 } else { -1.0 };
        let looks = move |corners: &[Point<3>; 3]| {
            let pose = &case.motions[k].pose;
            corners
                .iter()
                .any(|p| ahead * pose.vector(&p.coords).x > 0.8)
        };
        (0..case.body.triangles().len())
            .map(|t| case.body.corners(t))
            .filter(looks)
            .collect::<Vec<_>>()
    };
    let (of_a, of_b) = (faces(0), faces(1));
    let mut first = f64::INFINITY;

    for a in &of_a {
        for b in &of_b {
            let a = MovingFace::Rigid {
                corners: *a,
                course: &courses[0],
            };
            let b = MovingFace::Rigid {
                corners: *b,
                course: &courses[1],
            };
            let mut from = 14.9;

            loop {
                match face_touch([&a, &b], from, 1e-10, &mut 0) {
                    FaceTouch::NotBefore(time) if time < first => from = time,
                    FaceTouch::At { time, .. } => break first = first.min(time),
                    _ => break,
                }
            }
        }
    }

    ensure!(first.is_finite(), "no faces meet");
    Ok(first)
}

/// Runs the Toolkit on both bodies in one mesh, at the start and end of the peers' step, in the falling
/// frame.
fn toolkit(case: &Case, method: &str, folder: &Path) -> Result<(f64, f64)> {
    let count = case.body.points().len() as u32;
    let at = |time: f64| -> Vec<Point<3>> {
        let placed = |motion: &Motion<3>| {
            let shift = motion.velocity * time;
            let pose = motion.pose;
            (case.body.points().iter())
                .map(move |p| pose.point(p) + shift)
                .collect::<Vec<_>>()
        };
        case.motions.iter().flat_map(placed).collect()
    };
    let second = case.body.triangles().iter().map(|t| t.map(|n| n + count));

    let triangles: Vec<[u32; 3]> = case
        .body
        .triangles()
        .iter()
        .copied()
        .chain(second)
        .collect();

    let (seconds, share) =
        toolkit::first_impact([&at(0.0), &at(STEP)], &triangles, method, folder)?;
    Ok((seconds, share * STEP))
}

#[derive(Clone, Copy, PartialEq)]
enum Cast {
    Nonlinear,
    Linear,
}

#[cfg(feature = "parry")]
fn parry(case: &Case, cast: Cast) -> Result<(f64, f64)> {
    use parry3d_f64::math::{Matrix, Pose, Rotation, Vector};
    use parry3d_f64::query::{self, NonlinearRigidMotion, ShapeCastOptions};
    use parry3d_f64::shape::TriMesh;
    let vertices = case
        .body
        .points()
        .iter()
        .map(|p| Vector::new(p.x, p.y, p.z))
        .collect();
    let mesh = TriMesh::new(vertices, case.body.triangles().to_vec())
        .map_err(|e| anyhow::anyhow!("{e:?}"))?;

    let pose = |motion: &Motion<3>| {
        let columns: [[f64; 3]; 3] = (*motion.pose.rotation()).into();
        let rotation = Rotation::from_mat3(&Matrix::from_cols_array_2d(&columns));
        Pose::from_parts(Vector::from_array(motion.pose.position().into()), rotation)
    };
    let velocity = |motion: &Motion<3>| Vector::from_array(motion.velocity.into());
    let [a, b] = &case.motions;
    let (hit, seconds) = match cast {
        Cast::Nonlinear => {
            let motion = |m: &Motion<3>| {
                NonlinearRigidMotion::new(pose(m), Vector::ZERO, velocity(m), Vector::ZERO)
            };
            timed(|| {
                query::cast_shapes_nonlinear(&motion(a), &mesh, &motion(b), &mesh, 0.0, STEP, true)
            })
        }
        Cast::Linear => {
            let options = ShapeCastOptions::with_max_time_of_impact(STEP);
            timed(|| {
                query::cast_shapes(
                    &pose(a),
                    velocity(a),
                    &mesh,
                    &pose(b),
                    velocity(b),
                    &mesh,
                    options,
                )
            })
        }
    };
    let hit = hit
        .map_err(|e| anyhow::anyhow!("{e:?}"))?
        .context("it finds no contact")?;

    Ok((seconds, hit.time_of_impact))
}

#[cfg(not(feature = "parry"))]
fn parry(_: &Case, cast: Cast) -> Result<(f64, f64)> {
    let kind = if cast == Cast::Linear {
        "linear"
    } else {
        "nonlinear"
    };
    anyhow::bail!("its {kind} cast is built in with --features parry only")
}
