//! First impact of whole meshes whose vertices move on straight lines, compared with the IPC Toolkit:
//! one thread.
//!
//! Two wavy sheets of 25,600 triangles fall on each other, and one sheet folds onto itself. The Toolkit
//! returns a collision-free fraction of the step, slightly before the impact. Our answer must be at
//! least as late as its Tight-Inclusion answer, and not later than the earliest impact of all candidate
//! pairs tested one by one.

use super::toolkit;
use crate::study::{self, Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::predict::{ImpactOptions, MovingMesh, first_impact, first_self_impact, impacts};
use impinge::space::Point;
use std::path::Path;

/// Number of runs of ours; the fastest counts.
const PASSES: usize = 5;

/// Largest fraction of a step by which a conservative answer may be early.
const EARLY: f64 = 1e-2;

struct Sheet {
    start: Vec<Point<3>>,
    end: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-ccd")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["case", "triangles", "program", "ms", "share"]);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;

    for n in if quick { vec![20] } else { vec![40, 113] } {
        one_thread.install(|| {
            two_sheets(n, &folder, &mut table, &mut findings)?;
            folding(n, &folder, &mut table, &mut findings)
        })?;
    }

    table.save(&folder.join("ccd.csv"))?;
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

/// Creates a square of n by n cells, each split into two triangles, with start and end positions.
fn sheet(
    n: usize,
    start: impl Fn(f64, f64) -> [f64; 3],
    end: impl Fn(f64, f64) -> [f64; 3],
) -> Sheet {
    let at = |k: usize| k as f64 / n as f64 - 0.5;
    let grid = || (0..=n).flat_map(move |i| (0..=n).map(move |j| (at(i), at(j))));
    let number = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));

    Sheet {
        start: grid().map(|(x, y)| start(x, y).into()).collect(),
        end: grid().map(|(x, y)| end(x, y).into()).collect(),
        triangles: cells
            .flat_map(|(i, j)| {
                let [a, b, c, d] =
                    [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| number(i, j));
                [[a, b, c], [a, c, d]]
            })
            .collect(),
    }
}

impl Sheet {
    fn moving(&self) -> Result<MovingMesh> {
        let mut mesh = MovingMesh::new(&self.start, &self.triangles)?;
        mesh.set_step(&self.start, &self.end)?;
        Ok(mesh)
    }
}

fn two_sheets(n: usize, folder: &Path, table: &mut Table, findings: &mut Findings) -> Result<()> {
    let low = |x: f64, y: f64| 0.05 * (13.0 * x).sin() * (11.0 * y).cos();
    let high = |x: f64, y: f64| 0.3 + 0.04 * (9.0 * x + 1.0).cos() * (17.0 * y).sin();
    let below = sheet(
        n,
        |x, y| [x, y, low(x, y)],
        |x, y| [x, y, 0.9 * low(x, y) + 0.1],
    );
    let above = sheet(
        n,
        |x, y| [x, y, high(x, y)],
        |x, y| [x + 0.1, y, 1.1 * high(x, y) - 0.6],
    );

    let (found, seconds) = best(|| {
        let (a, b) = (below.moving()?, above.moving()?);
        Ok(first_impact(&a, &b, &ImpactOptions::default()))
    })?;
    let found = found.context("the sheets meet")?;
    let mut all = Vec::new();
    impacts(
        &below.moving()?,
        &above.moving()?,
        &ImpactOptions::default(),
        &mut all,
    );

    findings.check(
        all.first().is_some_and(|first| first.from == found.from),
        "the first impact is the earliest of all impacts",
    );

    let count = below.start.len() as u32;
    let both = Sheet {
        start: [&below.start[..], &above.start].concat(),
        end: [&below.end[..], &above.end].concat(),
        triangles: (below.triangles.iter().copied())
            .chain(above.triangles.iter().map(|t| t.map(|k| k + count)))
            .collect(),
    };

    compare(
        "two sheets",
        &both,
        (seconds, found.from),
        folder,
        table,
        findings,
    );

    Ok(())
}

fn folding(n: usize, folder: &Path, table: &mut Table, findings: &mut Findings) -> Result<()> {
    let wave = |x: f64, y: f64| 0.01 * (40.0 * x).sin() * (31.0 * y).sin();
    let folded = |x: f64, y: f64| match x < 0.0 {
        true => [-0.9 * x, y, 0.3 * x],
        false => [x, y, wave(x, y)],
    };
    let raised = |x: f64, y: f64| [x, y, wave(x, y) - 0.4 * x.min(0.0)];
    let sheet = sheet(n, raised, folded);

    let (found, seconds) = best(|| {
        Ok(first_self_impact(
            &sheet.moving()?,
            &ImpactOptions::default(),
        ))
    })?;
    let found = found.context("the sheet meets itself")?;
    compare(
        "a folding sheet",
        &sheet,
        (seconds, found.from),
        folder,
        table,
        findings,
    );

    Ok(())
}

/// Prints our answer beside the Toolkit's.
fn compare(
    case: &str,
    sheet: &Sheet,
    ours: (f64, f64),
    folder: &Path,
    table: &mut Table,
    findings: &mut Findings,
) {
    let count = sheet.triangles.len();
    println!("\n{case}, {count} triangles                       ms       share of the step");
    let mut enter = |name: &str, (seconds, share): (f64, f64)| {
        let ms = 1e3 * seconds;
        println!("  {name:<40}{ms:>12.2}{share:>16.9}");
        table.row(&[&case, &count, &name, &ms, &share]);
    };
    enter("impinge, from the points on", ours);

    for (name, method) in [
        ("IPC Toolkit, Tight-Inclusion", "tight"),
        ("IPC Toolkit, additive", "additive"),
    ] {
        match toolkit::first_impact([&sheet.start, &sheet.end], &sheet.triangles, method, folder) {
            Ok(peer) => {
                enter(name, peer);
                let ratio = peer.0 / ours.0;
                findings.timing(ratio >= 3.0, format!("{ratio:.1} times as fast as {name}"));
                let near =
                    peer.1 <= ours.1 + 1e-9 && (method != "tight" || peer.1 >= ours.1 - EARLY);
                findings.check(
                    near,
                    format!("{name} stops {:.1e} earlier", ours.1 - peer.1),
                );
            }
            Err(reason) => findings.skip(format!("{case}, {name}"), format!("{reason:#}")),
        }
    }
}

/// Returns the answer and the time of the fastest of several runs.
fn best<T>(run: impl Fn() -> Result<T>) -> Result<(T, f64)> {
    let (first, mut quickest) = timed(&run);
    let answer = first?;
    for _ in 1..PASSES {
        let (again, seconds) = timed(&run);
        again?;
        quickest = quickest.min(seconds);
    }

    Ok((answer, quickest))
}
