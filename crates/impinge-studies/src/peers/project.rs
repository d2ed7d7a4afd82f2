//! Closest points on finite-element faces, compared with Kraft's SLSQP, which \[Aragon2013\] used.
//! Contact search on bodies with known gaps, compared with Akantu, the paper's own code, and, on
//! quadratic faces, with NGSolve.
//!
//! Akantu is measured on the nodes of one face of a block, and so is our search beside it. Ours
//! includes the refit of the master's tree, because Akantu's search rebuilds its grid, and uses the
//! same kind of clock.
//!
//! Faces are strongly curved: each node of a face is moved at random by up to 15 % of its edge. The
//! reference is the nearest answer of all programs, because no point of the face is nearer than the
//! closest point.

use super::program;
use crate::study::{self, Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::narrow::projection::{
    ContactOptions, FaceTree, Status, brute, node_to_surface, project,
};
use impinge::shape::{Cells, ElementKind, Face, FaceKind, Faces, generate};
use impinge::space::{Point, Random, Vector};
use std::path::Path;

/// Nanoseconds of a projection on a triangle in Table 1 of the paper.
const PAPER: f64 = 20_457.0;

/// Number of repetitions of a search; the fastest counts.
const PASSES: usize = 5;

/// Difference of distances above which two answers differ.
const WRONG: f64 = 1e-9;

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-project")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["kind", "program", "faces", "ns_per_face", "wrong"]);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("{:<8}{:<16}{:>12}{:>10}", "", "", "ns per face", "wrong");

    for kind in [
        FaceKind::Tri3,
        FaceKind::Quad4,
        FaceKind::Tri6,
        FaceKind::Quad8,
        FaceKind::Quad9,
    ] {
        let cases = cases(kind, if quick { 400 } else { 20_000 });
        let (ours, seconds) = ours(&cases);
        let checked = checked_against_oracle(&cases, &ours, if quick { 50 } else { 400 });
        report(&mut table, kind, "impinge", cases.len(), seconds, checked);
        findings.check(
            checked == 0,
            format!("{}: every projection is that of the oracle", kind.name()),
        );
        let few = &cases[..if quick { 50 } else { 1000 }];
        match slsqp(&folder, kind, few) {
            Ok((distances, seconds)) => {
                let wrong = distances
                    .iter()
                    .zip(&ours)
                    .filter(|(d, o)| **d > **o + WRONG)
                    .count();
                let lost = distances
                    .iter()
                    .zip(&ours)
                    .filter(|(d, o)| **d < **o - WRONG)
                    .count();
                report(&mut table, kind, "SciPy SLSQP", few.len(), seconds, wrong);
                findings.check(lost == 0, format!("{}: SLSQP is never nearer", kind.name()));
            }
            Err(reason) => {
                findings.skip(format!("{}, SLSQP", kind.name()), format!("{reason:#}"));
            }
        }
    }

    println!("the paper's Table 1: {PAPER} ns on a triangle");
    table.save(&folder.join("project.csv"))?;
    one_thread.install(|| contacts(&folder, quick, &mut findings))?;
    one_thread.install(|| beside_ngsolve(&folder, quick, &mut findings));
    println!("\nwritten: {}", folder.display());

    Ok(findings)
}

/// Creates faces and points around them.
fn cases(kind: FaceKind, count: usize) -> Vec<(Face<3>, Point<3>)> {
    let mut random = Random::new(5);
    // The edge of the reference triangle is 1, that of the square 2.
    let edge = if kind.corner_count() == 3 { 1.0 } else { 2.0 };
    let moved = |local: &[f64; 2], random: &mut Random| {
        Point::from([local[0], local[1], 0.0])
            + random.direction::<3>() * (0.15 * edge * random.unit())
    };

    (0..count)
        .map(|_| {
            let nodes: Vec<Point<3>> = kind
                .node_positions()
                .iter()
                .map(|x| moved(x, &mut random))
                .collect();
            let face = Face::new(kind, &nodes).expect("the kind's own nodes");
            let local = kind.node_positions()[random.below(kind.node_count())];
            let near = face.position([0.6 * local[0], 0.6 * local[1]]);
            (
                face,
                near + random.direction::<3>() * random.within(0.0, 0.75 * edge),
            )
        })
        .collect()
}

/// Returns the distances, and the shortest of several times.
fn ours(cases: &[(Face<3>, Point<3>)]) -> (Vec<f64>, f64) {
    let all = || {
        cases
            .iter()
            .map(|(face, point)| project(face, point).map_or(f64::NAN, |p| p.gap.abs()))
    };
    let seconds = (0..7)
        .map(|_| timed(|| all().sum::<f64>()).1)
        .fold(f64::INFINITY, f64::min);

    (all().collect(), seconds)
}

fn checked_against_oracle(cases: &[(Face<3>, Point<3>)], ours: &[f64], count: usize) -> usize {
    let differs = |((face, point), ours): (&(Face<3>, Point<3>), &f64)| {
        brute::project(face, point).is_none_or(|slow| (slow.gap.abs() - ours).abs() > WRONG)
    };
    cases
        .iter()
        .zip(ours)
        .take(count)
        .filter(|&case| differs(case))
        .count()
}

fn slsqp(folder: &Path, kind: FaceKind, cases: &[(Face<3>, Point<3>)]) -> Result<(Vec<f64>, f64)> {
    let [faces, points, answers] =
        ["faces.bin", "points.bin", "answers.bin"].map(|name| folder.join(name));
    let bytes = |points: &[Point<3>]| {
        points
            .iter()
            .flat_map(|p| [p.x, p.y, p.z])
            .collect::<Vec<f64>>()
    };

    let write = |path: &Path, numbers: Vec<f64>| {
        std::fs::write(
            path,
            numbers
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .collect::<Vec<u8>>(),
        )
    };

    write(
        &faces,
        cases
            .iter()
            .flat_map(|(face, _)| bytes(face.nodes()))
            .collect(),
    )?;
    write(
        &points,
        cases
            .iter()
            .flat_map(|(_, point)| bytes(&[*point]))
            .collect(),
    )?;
    let mut script = program::script("project.py", include_str!("../../peers/project.py"), folder)?;
    let numbers = program::numbers(script.arg(kind.name()).args([&faces, &points, &answers]))?;
    let [seconds] = numbers[..] else {
        anyhow::bail!("it prints {} numbers instead of 1", numbers.len())
    };
    let answers = std::fs::read(&answers).context("it wrote no answers")?;
    let (chunks, _) = answers.as_chunks::<8>();

    anyhow::ensure!(
        chunks.len() == cases.len(),
        "it answers {} of {} faces",
        chunks.len(),
        cases.len()
    );

    Ok((
        chunks
            .iter()
            .map(|chunk| f64::from_le_bytes(*chunk))
            .collect(),
        seconds,
    ))
}

fn report(table: &mut Table, kind: FaceKind, name: &str, faces: usize, seconds: f64, wrong: usize) {
    let each = seconds / faces as f64 * 1e9;
    println!("{:<8}{name:<16}{each:>12.0}{wrong:>10}", kind.name());
    table.row(&[&kind.name(), &name, &faces, &each, &wrong]);
}

/// Two blocks, the upper one pressed into the lower one, with stretched faces: gaps are known.
fn contacts(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let n = if quick { 6 } else { 24 };
    let mut table = Table::new(&[
        "order",
        "stretch",
        "depth_in_edges",
        "nodes",
        "us_per_node",
        "right",
    ]);

    println!(
        "\n{:<8}{:>8}{:>8}{:>8}{:>14}{:>8}",
        "order", "stretch", "depth", "nodes", "µs per node", "right"
    );

    for order in [1, 2] {
        for (stretch, depth) in [
            (1.0, 0.1),
            (10.0, 0.1),
            (20.0, 0.1),
            (1.0, 0.6),
            (1.0, 1.5),
            (20.0, 1.5),
        ] {
            let size = [n as f64 * stretch, n as f64, 4.0];
            let master = block([n, n, 4], size, [0.0; 3], order)?;
            let lift = [0.31 * stretch, 0.27, 4.0 - depth];
            let slave = block(
                [n - 1, n - 1, 3],
                [size[0] - 2.0 * stretch, size[1] - 2.0, 4.0],
                lift,
                order,
            )?;
            let mut found = Vec::new();
            let seconds = (0..3)
                .map(|_| {
                    timed(|| {
                        node_to_surface(&slave, &master, &ContactOptions::default(), &mut found)
                    })
                    .1
                })
                .fold(f64::INFINITY, f64::min);
            let expected = slave
                .nodes()
                .iter()
                .filter(|&&n| to_block(&slave, n, size) <= 1e-12)
                .count();
            let exact = |node: u32| to_block(&slave, node, size);
            let right = found
                .iter()
                .filter(|c| (c.touch.gap - exact(c.node)).abs() < 1e-10);
            let right = right.filter(|c| c.touch.status != Status::Unsure).count();
            let each = seconds / slave.nodes().len() as f64 * 1e6;
            println!(
                "{order:<8}{stretch:>8}{depth:>8}{:>8}{each:>14.2}{right:>8}",
                found.len()
            );
            table.row(&[&order, &stretch, &depth, &found.len(), &each, &right]);
            findings.check(
                right == found.len() && right == expected && right > 0,
                format!("order {order}, stretch {stretch}, depth {depth}: {right} of {expected} gaps right"),
            );
            if order == 1 {
                beside_akantu(folder, n, [stretch, depth], &slave, master, findings)?;
            }
        }
    }

    table.save(&folder.join("contacts.csv"))
}

/// Runs the same blocks in Akantu, whose slave is the lower face of the upper block, and in ours with
/// that slave.
fn beside_akantu(
    folder: &Path,
    n: usize,
    [stretch, depth]: [f64; 2],
    slave: &FaceTree<3>,
    mut master: FaceTree<3>,
    findings: &mut Findings,
) -> Result<()> {
    let (slave, points) = (lower_face(slave)?, master.faces().points().to_vec());
    let (mut found, mut seconds) = (Vec::new(), f64::INFINITY);
    for _ in 0..PASSES {
        let (moved, step) = timed(|| {
            let moved = master.set_points(&points);
            node_to_surface(&slave, &master, &ContactOptions::default(), &mut found);
            moved
        });
        moved?;
        seconds = seconds.min(step);
    }

    let ours = seconds / slave.nodes().len() as f64 * 1e6;
    println!("    on the nodes of the lower face: {ours:.2} µs, with the refit of the master");
    let source = include_str!("../../peers/akantu_contacts.py");
    let numbers = program::script("akantu_contacts.py", source, folder).and_then(|mut script| {
        program::numbers(script.args([n.to_string(), stretch.to_string(), depth.to_string()]))
    });

    match numbers.as_deref() {
        Ok([seconds, nodes, right]) => {
            let each = seconds / nodes * 1e6;
            let (ratio, share) = (each / ours, right / nodes * 100.0);
            println!(
                "    Akantu: {each:.1} µs per node ({ratio:.0} times ours), {share:.0} % of gaps right"
            );
        }
        Ok(other) => println!("    Akantu: prints {} numbers instead of 3", other.len()),
        Err(reason) => findings.skip("Akantu", format!("{reason:#}")),
    }

    Ok(())
}

/// Returns the faces of a block whose nodes are all at its lowest height.
fn lower_face(block: &FaceTree<3>) -> Result<FaceTree<3>> {
    let (faces, low) = (block.faces(), block.bounds().min.z);
    let is_low = |&face: &usize| {
        faces
            .nodes(face)
            .iter()
            .all(|&n| faces.points()[n as usize].z == low)
    };
    let kept: Vec<usize> = (0..faces.len()).filter(is_low).collect();
    let kinds = kept.iter().map(|&face| faces.kind(face)).collect();

    let nodes = kept
        .iter()
        .flat_map(|&face| faces.nodes(face))
        .copied()
        .collect();

    Ok(FaceTree::new(Faces::new(
        faces.points().to_vec(),
        kinds,
        nodes,
    )?))
}

/// Compares gaps of a ball in a spherical hollow, both of tri6, with NGSolve, on the same faces and
/// points.
fn beside_ngsolve(folder: &Path, quick: bool, findings: &mut Findings) {
    match gaps_by_ngsolve(folder, quick) {
        Ok(Gaps {
            ours,
            theirs,
            seconds,
        }) => {
            let each = seconds.map(|s| s / ours.len() as f64 * 1e6);
            let off = |limit: f64| {
                let differ = ours
                    .iter()
                    .zip(&theirs)
                    .filter(|(a, b)| (*a - *b).abs() > limit)
                    .count();
                100.0 * differ as f64 / ours.len() as f64
            };
            println!(
                "\n{} gaps between tri6, a ball in a hollow: {:.2} µs each",
                ours.len(),
                each[0]
            );
            let ratio = each[1] / each[0];
            println!(
                "    NGSolve: {:.0} µs each ({ratio:.0} times ours), off",
                each[1]
            );
            println!(
                "    by more than 1e-6: {:.0} %, by more than 1e-9: {:.0} %",
                off(1e-6),
                off(1e-9)
            );
            let lost = ours
                .iter()
                .zip(&theirs)
                .filter(|(a, b)| **a > **b + WRONG)
                .count();
            findings.check(
                lost == 0,
                format!(
                    "tri6: no gap of NGSolve is less than ours, of {}",
                    ours.len()
                ),
            );
        }
        Err(reason) => findings.skip("gaps between tri6, NGSolve", format!("{reason:#}")),
    }
}

/// Gaps of both programs, and the total seconds of each, ours first.
struct Gaps {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    seconds: [f64; 2],
}

fn gaps_by_ngsolve(folder: &Path, quick: bool) -> Result<Gaps> {
    let files = [
        "ngsolve_faces.bin",
        "ngsolve_points.bin",
        "ngsolve_gaps.bin",
    ]
    .map(|name| folder.join(name));
    let source = include_str!("../../peers/ngsolve_gaps.py");
    let mut script = program::script("ngsolve_gaps.py", source, folder)?;
    let numbers = program::numbers(script.arg(if quick { "0.5" } else { "0.15" }).args(&files))?;
    let [in_ngsolve, _] = numbers[..] else {
        anyhow::bail!("it prints {numbers:?}")
    };

    let read = |path: &Path| -> Result<Vec<f64>> {
        let bytes = std::fs::read(path).context("it wrote no answers")?;
        Ok(bytes
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| f64::from_le_bytes(bytes))
            .collect())
    };

    let places = |numbers: &[f64]| {
        numbers
            .as_chunks::<3>()
            .0
            .iter()
            .map(|&p| p.into())
            .collect::<Vec<Point<3>>>()
    };

    let (nodes, points, theirs) = (
        places(&read(&files[0])?),
        places(&read(&files[1])?),
        read(&files[2])?,
    );
    anyhow::ensure!(
        points.len() == theirs.len(),
        "it answers {} of {}",
        theirs.len(),
        points.len()
    );
    let kinds = vec![FaceKind::Tri6; nodes.len() / 6];
    let numbers = (0..nodes.len() as u32).collect();
    let mut tree = FaceTree::new(Faces::new(nodes.clone(), kinds, numbers)?);
    let (mut found, mut seconds) = (Vec::new(), f64::INFINITY);

    for _ in 0..PASSES {
        let (done, pass) = timed(|| {
            tree.set_points(&nodes)?;
            tree.nearest_points(&points, &mut found)
        });
        done?;
        seconds = seconds.min(pass);
    }

    let ours = found
        .iter()
        .map(|nearest| nearest.projection.gap.abs())
        .collect();
    Ok(Gaps {
        ours,
        theirs,
        seconds: [seconds, in_ngsolve],
    })
}

/// Creates the surface of a block of hexahedra.
fn block(cells: [usize; 3], size: [f64; 3], at: [f64; 3], order: usize) -> Result<FaceTree<3>> {
    let mut mesh = generate::brick(
        cells,
        size,
        if order == 1 {
            ElementKind::Hex8
        } else {
            ElementKind::Hex27
        },
    )?;
    mesh.points.iter_mut().for_each(|p| *p += Vector::from(at));

    Ok(FaceTree::new(
        Cells::<3>::from_mesh(&mesh)?.boundary().faces,
    ))
}

/// Returns the signed distance of a node to the block between zero and `size`.
fn to_block(slave: &FaceTree<3>, node: u32, size: [f64; 3]) -> f64 {
    let p = slave.faces().points()[node as usize];
    let off = [0, 1, 2].map(|i| (-p[i]).max(p[i] - size[i]));
    let outside = off.iter().map(|x| x.max(0.0).powi(2)).sum::<f64>().sqrt();

    if outside > 0.0 {
        outside
    } else {
        off.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}
