//! Distance and depth of convex bodies, compared with parry and coal: one thread each, the same bodies
//! and poses.
//!
//! Bodies are hulls of 32, 256 and 2,048 points on unit spheres. There are three courses: the second
//! body rotates by 0.01 per step at a gap of 0.01; the same at an overlap of 0.05; unrelated poses. In
//! the first two, each program may warm-start its queries. coal runs in all its variants, and the
//! fastest counts.

use super::program;
use crate::coherent::{Course, independent_poses, poses2, poses3, round_body, round_polygon};
use crate::study::{self, Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::narrow::features2::{self, FeatureCache2};
use impinge::narrow::features3::{self, FeatureCache3};
use impinge::shape::Polyhedron;
use impinge::space::{Pose, Random};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of repetitions of a case; the fastest counts.
const PASSES: usize = 5;

/// Width of an answer's bounds up to which it counts as certain. The bodies have a radius of one.
const CERTAIN: f64 = 1e-12;

/// Difference up to which two programs agree: the default tolerance of coal is 1e-6.
const SAME: f64 = 1e-5;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Apart,
    Overlapping,
    Independent,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Apart => "coherent apart",
            Self::Overlapping => "coherent overlapping",
            Self::Independent => "independent poses",
        }
    }
}

struct Case {
    kind: Kind,
    bodies: [Polyhedron; 2],
    poses: Vec<Pose<3>>,
}

/// Result of one program on a case.
struct Measured {
    /// Nanoseconds per query.
    each: f64,
    gaps: Vec<f64>,
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-distance")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["case", "vertices", "program", "ns_per_query", "different"]);
    let coal = compiled_coal(
        "coal_distance",
        include_str!("../../peers/coal_distance.cpp"),
        &folder,
    );

    for vertices in if quick {
        vec![32, 256]
    } else {
        vec![32, 256, 2_048]
    } {
        for kind in [Kind::Apart, Kind::Overlapping, Kind::Independent] {
            let case = case(kind, vertices, if quick { 200 } else { 4_000 });
            println!(
                "\n{}, {vertices} vertices: ns per query, answers that differ by more than {SAME:e}",
                kind.name()
            );
            let (ours, widest) = ours(&case);
            let (mut best, mut missing) = (f64::INFINITY, Vec::new());
            let mut enter = |name: &str, measured: Result<Measured>| match measured {
                Ok(Measured { each, gaps }) => {
                    let different = gaps
                        .iter()
                        .zip(&ours.gaps)
                        .filter(|(g, o)| (*g - *o).abs() > SAME)
                        .count();
                    println!("  {name:<14}{each:>10.0}{different:>8} of {}", gaps.len());
                    table.row(&[&kind.name(), &vertices, &name, &each, &different]);
                    best = best.min(each);
                    Some(different)
                }
                Err(reason) => {
                    missing.push((name.to_owned(), format!("{reason:#}")));
                    None
                }
            };
            // One peer may be wrong; both are wrong only where we are.
            let different = [
                enter("parry3d-f64", parry(&case)),
                enter("coal", by_coal(&coal, &folder, &case)),
            ]
            .into_iter()
            .flatten()
            .min();
            let each = ours.each;
            table.row(&[&kind.name(), &vertices, &"impinge", &each, &0]);

            println!(
                "  {:<14}{each:>10.0}, {:.1} times the best peer's speed",
                "impinge",
                best / each
            );
            findings.check(
                widest <= CERTAIN,
                format!("bounds meet within {widest:.1e}"),
            );

            if let Some(different) = different {
                findings.check(
                    different * 100 <= case.poses.len(),
                    format!("{different} answers differ from a peer's"),
                );
            }
            for (peer, reason) in missing {
                findings.skip(
                    format!("{}, {vertices} vertices, {peer}", kind.name()),
                    reason,
                );
            }
        }
    }

    polygons(quick, &mut table);
    table.save(&folder.join("distance.csv"))?;
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

fn case(kind: Kind, vertices: usize, queries: usize) -> Case {
    let mut random = Random::new(vertices as u64);
    let bodies = [
        round_body(&mut random, vertices),
        round_body(&mut random, vertices),
    ];
    let gap = if kind == Kind::Apart { 0.01 } else { -0.05 };
    let poses = match kind {
        Kind::Independent => independent_poses(&mut random, queries),
        _ => poses3(&bodies[0], &bodies[1], Course { turn: 0.01, gap }, queries),
    };

    Case {
        kind,
        bodies,
        poses,
    }
}

/// Returns the fastest of several passes.
fn fastest(queries: usize, mut pass: impl FnMut() -> Vec<f64>) -> Measured {
    let mut best = Measured {
        each: f64::INFINITY,
        gaps: Vec::new(),
    };

    for _ in 0..PASSES {
        let (gaps, seconds) = timed(&mut pass);
        best.each = best.each.min(seconds / queries as f64 * 1e9);
        best.gaps = gaps;
    }

    best
}

/// Measures our library; also returns the largest width of its bounds.
fn ours(case: &Case) -> (Measured, f64) {
    let ([a, b], rest) = (&case.bodies, Pose::identity());
    let mut widest = 0.0f64;
    let measured = fastest(case.poses.len(), || {
        let mut kept = FeatureCache3::default();
        let answer = |pose| {
            if case.kind == Kind::Independent {
                kept = FeatureCache3::default();
            }
            let found = features3::closest(a, &rest, b, pose, &mut kept);
            widest = widest.max(found.bounds[1] - found.bounds[0]);
            found.contact.gap
        };
        case.poses.iter().map(answer).collect()
    });

    (measured, widest)
}

/// Measures polygons of 100 corners; these peers have no 2D.
fn polygons(quick: bool, table: &mut Table) {
    let mut random = Random::new(2);
    let [a, b] = [(); 2].map(|()| round_polygon(&mut random, 100));
    let rest = Pose::identity();
    println!("\npolygons of 100 corners: ns per query");

    for (kind, gap) in [(Kind::Apart, 0.01), (Kind::Overlapping, -0.05)] {
        let poses = poses2(
            &a,
            &b,
            Course { turn: 0.01, gap },
            if quick { 200 } else { 4_000 },
        );
        let measured = fastest(poses.len(), || {
            let mut kept = FeatureCache2::default();
            poses
                .iter()
                .map(|pose| {
                    features2::closest(&a, &rest, &b, pose, &mut kept)
                        .contact
                        .gap
                })
                .collect()
        });
        println!("  {:<22}{:>6.0}", kind.name(), measured.each);

        table.row(&[
            &kind.name(),
            &100,
            &"impinge in the plane",
            &measured.each,
            &0,
        ]);
    }
}

/// GJK from the last direction, and EPA if the bodies overlap.
#[cfg(feature = "parry")]
fn parry(case: &Case) -> Result<Measured> {
    use parry3d_f64::math::{Matrix, Pose as Placed, Rotation, Vector};
    use parry3d_f64::query::details::contact_support_map_support_map_with_params;
    use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
    use parry3d_f64::shape::ConvexPolyhedron;
    let body = |body: &Polyhedron| {
        let points = body
            .points()
            .iter()
            .map(|p| Vector::new(p.x, p.y, p.z))
            .collect();
        ConvexPolyhedron::from_convex_mesh(points, &triangles(body)).context("it refuses the body")
    };
    let (a, b) = (body(&case.bodies[0])?, body(&case.bodies[1])?);

    let place = |pose: &Pose<3>| {
        let columns: [[f64; 3]; 3] = (*pose.rotation()).into();
        let rotation = Rotation::from_mat3(&Matrix::from_cols_array_2d(&columns));
        Placed::from_parts(Vector::from_array(pose.position().into()), rotation)
    };
    let poses: Vec<Placed> = case.poses.iter().map(place).collect();

    Ok(fastest(poses.len(), || {
        let (mut simplex, mut last) = (VoronoiSimplex::new(), None);
        let answer = |pose| {
            let start = last.filter(|_| case.kind != Kind::Independent);
            let found = contact_support_map_support_map_with_params(
                pose,
                &a,
                &b,
                f64::MAX,
                &mut simplex,
                start,
            );
            let GJKResult::ClosestPoints(on_a, on_b, normal) = found else {
                return f64::NAN;
            };
            last = Some(normal);
            (on_b - on_a).dot(normal)
        };
        poses.iter().map(answer).collect()
    }))
}

#[cfg(not(feature = "parry"))]
fn parry(_: &Case) -> Result<Measured> {
    anyhow::bail!("it is built in with --features parry only")
}

fn triangles(body: &Polyhedron) -> Vec<[u32; 3]> {
    let facets = (0..body.face_count()).map(|face| body.face_corners(face).collect::<Vec<_>>());
    facets
        .flat_map(|c| (2..c.len()).map(move |k| [c[0], c[k - 1], c[k]]))
        .collect()
}

/// Compiles a program with coal, whose headers and library come from its Python wheel.
pub(super) fn compiled_coal(name: &str, source: &str, folder: &Path) -> Result<PathBuf> {
    let find = "import coal, pathlib; print(pathlib.Path(coal.__file__).parents[4])";
    let output = program::python()
        .args(["-c", find])
        .output()
        .context("there is no Python")?;
    anyhow::ensure!(
        output.status.success(),
        "there is none (pip: coal; Debian: libeigen3-dev)"
    );
    let prefix = String::from_utf8(output.stdout)?.trim().to_owned();

    let options = [
        "-std=c++17".to_owned(),
        format!("-I{prefix}/include"),
        "-I/usr/include/eigen3".to_owned(),
        format!("-L{prefix}/lib"),
        format!("-Wl,-rpath,{prefix}/lib"),
        "-lcoal".to_owned(),
    ];
    let options: Vec<&str> = options.iter().map(String::as_str).collect();

    program::compiled(name, source, &options, folder)
}

fn by_coal(program: &Result<PathBuf>, folder: &Path, case: &Case) -> Result<Measured> {
    let program = program
        .as_ref()
        .map_err(|reason| anyhow::anyhow!("{reason:#}"))?;
    let files = ["case.bin", "answers.bin"].map(|name| folder.join(name));
    std::fs::write(&files[0], case_as_bytes(case))?;
    let numbers = program::numbers(Command::new(program).args(&files))?;
    let [seconds] = numbers[..] else {
        anyhow::bail!("it prints {} numbers instead of 1", numbers.len())
    };
    let answers = std::fs::read(&files[1]).context("it wrote no answers")?;

    let gaps: Vec<f64> = answers
        .as_chunks()
        .0
        .iter()
        .map(|&bytes| f64::from_le_bytes(bytes))
        .collect();
    anyhow::ensure!(
        gaps.len() == case.poses.len(),
        "it answers {} of {}",
        gaps.len(),
        case.poses.len()
    );

    Ok(Measured {
        each: seconds / gaps.len() as f64 * 1e9,
        gaps,
    })
}

fn case_as_bytes(case: &Case) -> Vec<u8> {
    let mut bytes = Vec::new();
    let count = |n: usize| (n as u64).to_le_bytes();
    bytes.extend(count(usize::from(case.kind != Kind::Independent)));

    for body in &case.bodies {
        let triangles = triangles(body);
        bytes.extend(count(body.vertex_count()));
        bytes.extend(count(triangles.len()));
        bytes.extend(
            body.points()
                .iter()
                .flat_map(|p| [p.x, p.y, p.z])
                .flat_map(f64::to_le_bytes),
        );

        bytes.extend(
            triangles
                .as_flattened()
                .iter()
                .flat_map(|&i| count(i as usize)),
        );
    }

    bytes.extend(count(case.poses.len()));
    for pose in &case.poses {
        // The columns of the transpose are the rows.
        let rows: [[f64; 3]; 3] = pose.rotation().transpose().into();
        let position: [f64; 3] = pose.position().into();
        bytes.extend(
            rows.as_flattened()
                .iter()
                .chain(&position)
                .flat_map(|x| x.to_le_bytes()),
        );
    }

    bytes
}

#[cfg(test)]
mod tests;
