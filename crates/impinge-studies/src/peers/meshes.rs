//! Surfaces against surfaces, compared with coal and parry, and nearest points, compared with libigl,
//! CGAL and parry. One thread each, the same meshes, poses and points; the answers are compared.

use super::{distance, program};
use crate::study::{self, Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::narrow::meshes::{self, NearestPoint, PairHint, TriangleTree};
use impinge::shape::{Surface, generate};
use impinge::space::{Point, Pose, Random};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of repetitions of a case; the fastest counts.
const PASSES: usize = 5;

/// Difference of distances up to which two programs agree.
const SAME: f64 = 1e-9;

/// A surface against itself in several poses.
struct Case {
    name: &'static str,
    surface: Surface,
    poses: Vec<Pose<3>>,
}

/// Seconds and answers of three queries: whether the surfaces touch, the number of touching face pairs,
/// and the distance.
struct Measured {
    seconds: [f64; 3],
    answers: Vec<[f64; 3]>,
}

const QUESTIONS: [&str; 3] = ["touch", "all pairs", "distance"];

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-meshes")?;
    let mut findings = Findings::default();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let coal = distance::compiled_coal(
        "coal_meshes",
        include_str!("../../peers/coal_meshes.cpp"),
        &folder,
    );

    let mut table = Table::new(&[
        "case",
        "program",
        "touch_ms",
        "all_pairs_ms",
        "distance_ms",
        "different",
    ]);

    for case in cases(quick)? {
        println!(
            "\n{}: {} triangles each, {} poses; ms",
            case.name,
            case.surface.triangles().len(),
            case.poses.len()
        );
        println!(
            "  {:<14}{:>12}{:>12}{:>12}{:>12}",
            "", QUESTIONS[0], QUESTIONS[1], QUESTIONS[2], "different"
        );
        let ours = one_thread.install(|| ours(&case));
        report(&mut table, &case, "impinge", &ours, &ours);

        for (name, measured) in [
            ("coal", by_coal(&coal, &folder, &case)),
            ("parry3d-f64", parry(&case)),
        ] {
            match measured {
                Ok(peer) => {
                    report(&mut table, &case, name, &peer, &ours);
                    compare(&case, name, &ours, &peer, &mut findings);
                }
                Err(reason) => {
                    findings.skip(format!("{}, {name}", case.name), format!("{reason:#}"))
                }
            }
        }
    }

    table.save(&folder.join("meshes.csv"))?;
    one_thread.install(|| nearest(&folder, quick, &mut findings))?;
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

fn cases(quick: bool) -> Result<Vec<Case>> {
    let (level, count) = if quick { (3, 10) } else { (5, 100) };
    let ball = generate::icosphere(level)?;
    let mut random = Random::new(5);
    let mut poses = |distance: f64| {
        let mut pose = || {
            let turn = std::array::from_fn(|_| random.within(-1.0, 1.0));
            Pose::from_quaternion(turn, Point::from(random.direction::<3>() * distance))
        };
        (0..count).map(|_| pose()).collect::<Result<Vec<_>, _>>()
    };

    Ok(vec![
        Case {
            name: "balls, overlap 0.4",
            poses: poses(1.6)?,
            surface: ball.clone(),
        },
        Case {
            name: "balls, overlap 0.01",
            poses: poses(1.99)?,
            surface: ball.clone(),
        },
        Case {
            name: "balls, gap 0.1",
            poses: poses(2.1)?,
            surface: ball,
        },
        Case {
            name: "motorcycles",
            poses: poses(1.0)?,
            surface: generate::motorcycle(),
        },
        Case {
            name: "motorcycles apart",
            poses: poses(2.6)?,
            surface: generate::motorcycle(),
        },
    ])
}

fn fastest<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let mut best = timed(&mut work);
    for _ in 1..PASSES {
        let next = timed(&mut work);
        best = if next.1 < best.1 { next } else { best };
    }
    best
}

fn ours(case: &Case) -> Measured {
    let (tree, rest) = (TriangleTree::new(&case.surface), Pose::identity());
    let all = |ask: &mut dyn FnMut(&Pose<3>) -> f64| {
        let (answers, seconds) = fastest(|| case.poses.iter().map(&mut *ask).collect::<Vec<f64>>());
        (answers, seconds)
    };
    let mut pairs = Vec::new();
    let touch = all(&mut |pose| f64::from(u8::from(meshes::touches(&tree, &rest, &tree, pose))));

    let faces = all(&mut |pose| {
        meshes::touching_faces(&tree, &rest, &tree, pose, &mut pairs);
        pairs.len() as f64
    });
    let gap = all(&mut |pose| {
        meshes::distance(&tree, &rest, &tree, pose, &mut PairHint::default())
            .contact
            .gap
    });
    let answers = (0..case.poses.len())
        .map(|i| [touch.0[i], faces.0[i], gap.0[i]])
        .collect();

    Measured {
        seconds: [touch.1, faces.1, gap.1],
        answers,
    }
}

fn by_coal(program: &Result<PathBuf>, folder: &Path, case: &Case) -> Result<Measured> {
    let program = program
        .as_ref()
        .map_err(|reason| anyhow::anyhow!("{reason:#}"))?;
    let files = ["case.bin", "answers.bin"].map(|name| folder.join(name));
    std::fs::write(&files[0], case_as_bytes(case))?;
    let numbers = program::numbers(Command::new(program).args(&files))?;
    let seconds: [f64; 3] = numbers
        .try_into()
        .map_err(|n: Vec<f64>| anyhow::anyhow!("{n:?}: not 3 numbers"))?;
    let answers: Vec<[f64; 3]> = numbers_of(&files[1])?.as_chunks().0.to_vec();

    anyhow::ensure!(
        answers.len() == case.poses.len(),
        "it answers {} of {}",
        answers.len(),
        case.poses.len()
    );

    Ok(Measured { seconds, answers })
}

fn numbers_of(file: &Path) -> Result<Vec<f64>> {
    let bytes = std::fs::read(file).context("it wrote no answers")?;
    Ok(bytes
        .as_chunks()
        .0
        .iter()
        .map(|&bytes| f64::from_le_bytes(bytes))
        .collect())
}

fn case_as_bytes(case: &Case) -> Vec<u8> {
    let mut bytes = Vec::new();
    let count = |n: usize| (n as u64).to_le_bytes();
    for _ in 0..2 {
        let (points, triangles) = (case.surface.points(), case.surface.triangles());
        bytes.extend(count(points.len()));
        bytes.extend(count(triangles.len()));
        bytes.extend(
            points
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

/// parry does not list contacts of single triangles, and its distance query is slow: two poses only.
#[cfg(feature = "parry")]
fn parry(case: &Case) -> Result<Measured> {
    use parry3d_f64::math::{Matrix, Pose as Placed, Rotation, Vector};
    use parry3d_f64::query;
    use parry3d_f64::shape::TriMesh;
    let vertices = case
        .surface
        .points()
        .iter()
        .map(|p| Vector::new(p.x, p.y, p.z))
        .collect();
    let mesh = TriMesh::new(vertices, case.surface.triangles().to_vec())
        .map_err(|e| anyhow::anyhow!("{e:?}"))?;

    let place = |pose: &Pose<3>| {
        let columns: [[f64; 3]; 3] = (*pose.rotation()).into();
        let rotation = Rotation::from_mat3(&Matrix::from_cols_array_2d(&columns));
        Placed::from_parts(Vector::from_array(pose.position().into()), rotation)
    };
    let (rest, few) = (Placed::identity(), &case.poses[..2]);
    let (mut answers, mut seconds) = (Vec::new(), [0.0, f64::NAN, 0.0]);

    for pose in few {
        let pose = place(pose);
        let (touch, in_touch) = timed(|| query::intersection_test(&rest, &mesh, &pose, &mesh));
        let (gap, in_gap) = timed(|| query::distance(&rest, &mesh, &pose, &mesh));
        let touch = touch.map_err(|e| anyhow::anyhow!("{e:?}"))?.intersecting;
        answers.push([
            f64::from(u8::from(touch)),
            f64::NAN,
            gap.map_err(|e| anyhow::anyhow!("{e:?}"))?.distance,
        ]);
        seconds = [seconds[0] + in_touch, f64::NAN, seconds[2] + in_gap];
    }

    Ok(Measured { seconds, answers })
}

#[cfg(not(feature = "parry"))]
fn parry(_: &Case) -> Result<Measured> {
    anyhow::bail!("it is built in with --features parry only")
}

/// Counts poses in which two programs differ: in a yes or no, by more than a hundredth of the pairs, or
/// in the distance.
fn different(ours: &Measured, peer: &Measured) -> usize {
    let differs = |(a, b): (&[f64; 3], &[f64; 3])| {
        (a[0] > 0.0) != (b[0] > 0.0)
            || (a[1] - b[1]).abs() > 2.0 + 0.01 * a[1]
            || (a[2] - b[2].max(0.0)).abs() > SAME
    };
    ours.answers
        .iter()
        .zip(&peer.answers)
        .filter(|&pair| differs(pair))
        .count()
}

fn report(table: &mut Table, case: &Case, name: &str, measured: &Measured, ours: &Measured) {
    let each = measured
        .seconds
        .map(|s| s / measured.answers.len() as f64 * 1e3);
    let different = different(ours, measured);
    println!(
        "  {name:<14}{:>12.4}{:>12.4}{:>12.4}{different:>12}",
        each[0], each[1], each[2]
    );

    table.row(&[
        &case.name.replace(',', ""),
        &name,
        &each[0],
        &each[1],
        &each[2],
        &different,
    ]);
}

fn compare(case: &Case, name: &str, ours: &Measured, peer: &Measured, findings: &mut Findings) {
    let [of_ours, of_peer] = [ours, peer].map(|m| m.seconds.map(|s| s / m.answers.len() as f64));
    for question in (0..3).filter(|&k| of_peer[k].is_finite()) {
        let ratio = of_peer[question] / of_ours[question];
        findings.timing(
            ratio > 1.0,
            format!(
                "{}, {}: {ratio:.1} times as fast as {name}",
                case.name, QUESTIONS[question]
            ),
        );
    }

    let allowed = case.poses.len() / 50;
    findings.check(
        different(ours, peer) <= allowed,
        format!("{}: the answers of {name} agree", case.name),
    );
}

/// Near points are within two edge lengths of the surface, far points anywhere in a cube of four times
/// its size.
fn nearest(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let surface = generate::icosphere(if quick { 4 } else { 6 })?;
    let count = if quick { 2_000 } else { 50_000 };
    let edge = (surface.area() / surface.triangles().len() as f64).sqrt() * 1.5;
    let mut random = Random::new(8);
    let near = (0..count)
        .map(|_| Point::from(random.direction::<3>() * (1.0 + edge * random.within(-2.0, 2.0))))
        .collect::<Vec<_>>();
    let far: Vec<Point<3>> = (0..count)
        .map(|_| {
            Point::from(std::array::from_fn::<f64, 3, _>(|_| {
                random.within(-4.0, 4.0)
            }))
        })
        .collect();

    let cgal = program::compiled(
        "cgal_nearest",
        include_str!("../../peers/cgal_nearest.cpp"),
        &["-lgmp", "-lmpfr"],
        folder,
    );
    let mut table = Table::new(&[
        "points",
        "program",
        "setup_s",
        "us_per_point",
        "largest_difference",
    ]);

    for (name, points) in [("near", &near), ("far", &far)] {
        println!(
            "\nnearest points, {name}, {} triangles: set-up s, µs per point",
            surface.triangles().len()
        );
        let (tree, setup) = timed(|| TriangleTree::new(&surface));
        let mut found: Vec<NearestPoint> = Vec::new();
        let ((), seconds) = fastest(|| tree.nearest_points(points, &mut found));
        let exact: Vec<f64> = found.iter().map(|nearest| nearest.distance).collect();
        let (_, single) = fastest(|| points.iter().map(|p| tree.nearest(p).distance).sum::<f64>());
        let each = |seconds: f64| seconds / count as f64 * 1e6;
        println!("  {:<14}{setup:>10.3}{:>12.3}", "impinge", each(seconds));

        println!(
            "  {:<14}{setup:>10.3}{:>12.3}",
            "one at a time",
            each(single)
        );
        table.row(&[&name, &"impinge", &setup, &each(seconds), &0.0]);
        write_points(folder, &surface, points)?;
        let files = files(folder);
        let script = program::script("nearest.py", include_str!("../../peers/nearest.py"), folder);

        let peers = [
            (
                "CGAL",
                cgal.as_ref()
                    .map_err(|e| anyhow::anyhow!("{e:#}"))
                    .map(Command::new),
            ),
            ("libigl", script),
        ];
        let mut best = f64::INFINITY;

        for (peer, command) in peers {
            let answered = command.and_then(|mut command| {
                let numbers = program::numbers(command.args(&files))?;
                let [setup, query] = numbers[..] else {
                    anyhow::bail!("it prints {numbers:?}")
                };
                Ok((setup, query, numbers_of(&files[2])?))
            });
            match answered {
                Ok((setup, query, answers)) => {
                    let differences = answers.iter().zip(&exact).map(|(a, e)| (a - e).abs());
                    let largest = differences.fold(0.0, f64::max);
                    println!(
                        "  {peer:<14}{setup:>10.3}{:>12.3}   largest difference {largest:.1e}",
                        each(query)
                    );
                    table.row(&[&name, &peer, &setup, &each(query), &largest]);
                    findings.check(
                        answers.len() == count && largest < SAME,
                        format!("{name}: the distances of {peer} agree"),
                    );
                    best = best.min(query);
                }
                Err(reason) => {
                    findings.skip(format!("{name} points, {peer}"), format!("{reason:#}"));
                }
            }
        }

        if best.is_finite() {
            let ratio = best / seconds;
            findings.timing(
                ratio > 3.0,
                format!("{name} points: {ratio:.1} times as fast as the best peer"),
            );
        }
    }

    table.save(&folder.join("nearest.csv"))
}

fn files(folder: &Path) -> [PathBuf; 3] {
    ["mesh.bin", "points.bin", "distances.bin"].map(|name| folder.join(name))
}

fn write_points(folder: &Path, surface: &Surface, points: &[Point<3>]) -> Result<()> {
    let (nodes, triangles) = (surface.points(), surface.triangles());
    let mut mesh: Vec<u8> = [nodes.len() as u64, triangles.len() as u64]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    mesh.extend(
        nodes
            .iter()
            .flat_map(|p| [p.x, p.y, p.z])
            .flat_map(f64::to_le_bytes),
    );

    mesh.extend(
        triangles
            .as_flattened()
            .iter()
            .flat_map(|n| n.to_le_bytes()),
    );
    let mut queries = (points.len() as u64).to_le_bytes().to_vec();
    queries.extend(
        points
            .iter()
            .flat_map(|p| [p.x, p.y, p.z])
            .flat_map(f64::to_le_bytes),
    );
    let [mesh_file, point_file, _] = files(folder);
    std::fs::write(mesh_file, mesh)?;
    std::fs::write(point_file, queries)?;

    Ok(())
}
