//! The public queries of continuous collision detection with exact answers (Wang et al. 2021): false
//! answers and times.
//!
//! The folder contains, for each scene, `vertex-face` and `edge-edge` with CSV files. A query has eight
//! rows, each with three fractions of integers and the answer.

use crate::study::{Findings, Table, timed};
use anyhow::{Context, Result, bail, ensure};
use impinge::predict::{VertexStep, edge_edge, vertex_face};
use impinge::space::Point;
use std::path::{Path, PathBuf};

/// Tolerance, as a fraction of the step; finer than a contact needs.
const TOLERANCE: f64 = 1e-6;

/// Number of repetitions of a query; the fastest counts, because interrupts may disturb the others.
const REPEATS: usize = 3;

/// False positives of Tight-Inclusion over all queries.
const PEER: usize = 220;

struct Query {
    step: VertexStep,
    meets: bool,
}

pub(super) fn run(folder: &Path, queries: &Path, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&[
        "scene", "kind", "queries", "meetings", "missed", "false", "p50_us", "p99_us", "max_us",
    ]);
    println!(
        "\nPublic queries                               queries  meetings  missed  false    p50     p99     max µs"
    );
    let (mut all, mut missed, mut false_hits, mut times) = (0, 0, 0, Vec::new());

    for scene in folders(queries)? {
        for kind in ["vertex-face", "edge-edge"] {
            let mut list = Vec::new();
            for file in files(&scene.join(kind))? {
                read(&file, &mut list).with_context(|| file.display().to_string())?;
            }

            let mut seconds = Vec::new();
            let mut wrong = [0, 0];
            for query in &list {
                let ask = || match kind {
                    "vertex-face" => vertex_face(&query.step, TOLERANCE),
                    _ => edge_edge(&query.step, TOLERANCE),
                };
                let spent = (0..REPEATS)
                    .map(|_| timed(ask).1)
                    .fold(f64::INFINITY, f64::min);
                let found = ask()?.is_some();
                wrong[0] += usize::from(query.meets && !found);
                wrong[1] += usize::from(!query.meets && found);

                seconds.push(spent * 1e6);
            }

            let name = scene
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let meetings = list.iter().filter(|query| query.meets).count();
            let [p50, p99, max] = quantiles(&mut seconds);
            println!(
                "  {name:<30}{kind:<12}{:>8}{meetings:>10}{:>8}{:>7}{p50:>7.1}{p99:>8.1}{max:>8.1}",
                list.len(),
                wrong[0],
                wrong[1]
            );

            table.row(&[
                &name,
                &kind,
                &list.len(),
                &meetings,
                &wrong[0],
                &wrong[1],
                &p50,
                &p99,
                &max,
            ]);
            all += list.len();
            missed += wrong[0];
            false_hits += wrong[1];

            times.extend(seconds);
        }
    }

    ensure!(all > 0, "{} holds no queries", queries.display());
    let [p50, p99, max] = quantiles(&mut times);
    println!("  all {all}: p50 {p50:.1} µs, p99 {p99:.1} µs, max {max:.1} µs");
    table.save(&folder.join("queries.csv"))?;
    findings.check(missed == 0, format!("{missed} of {all} queries missed"));
    findings.check(
        false_hits <= PEER,
        format!("{false_hits} false meetings; Tight-Inclusion has {PEER}"),
    );

    findings.timing(
        p99 <= 200.0 && max <= 5000.0,
        "p99 of 200 µs and 5 ms at most",
    );
    Ok(())
}

fn folders(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    folders.retain(|folder| folder.is_dir());
    folders.sort();

    Ok(folders)
}

fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(Vec::new());
    }

    let mut files: Vec<PathBuf> = std::fs::read_dir(path)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "csv"));
    files.sort();

    Ok(files)
}

fn read(path: &Path, list: &mut Vec<Query>) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let rows: Vec<(Point<3>, bool)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| row(line).with_context(|| format!("line {}", number + 1)))
        .collect::<Result<_>>()?;
    let (queries, rest) = rows.as_chunks::<8>();
    ensure!(rest.is_empty(), "{} rows are no whole queries", rows.len());

    list.extend(queries.iter().map(|rows| Query {
        step: [0, 4].map(|first| std::array::from_fn(|k| rows[first + k].0)),
        meets: rows[0].1,
    }));
    Ok(())
}

/// Parses a vertex and the answer. Numerators come from doubles and denominators are powers of two, so
/// the fractions are exact.
fn row(line: &str) -> Result<(Point<3>, bool)> {
    let words: Vec<&str> = line.split(',').map(str::trim).collect();
    let [a, b, c, d, e, f, answer] = words[..] else {
        bail!("{} columns instead of 7", words.len())
    };
    let fraction = |above: &str, below: &str| -> Result<f64> {
        Ok(above.parse::<f64>()? / below.parse::<f64>()?)
    };

    Ok((
        Point::from([fraction(a, b)?, fraction(c, d)?, fraction(e, f)?]),
        answer == "1",
    ))
}

/// Returns the median, the 99th percentile and the maximum.
fn quantiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        values
            .get(((values.len() as f64 * share) as usize).min(values.len().saturating_sub(1)))
            .copied()
    };

    [0.5, 0.99, 1.0].map(|share| at(share).unwrap_or(0.0))
}

#[cfg(test)]
mod tests;
