//! The last line of Table 1 \[Aragon2013\]: the cost of a projection, mean and standard deviation over
//! 1,000 of them, for all kinds of faces. Also checks that none of them ends in the wrong minimum.

use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::narrow::projection::{brute, project};
use impinge::shape::{Face, FaceKind};
use impinge::space::{Point, Random};
use std::path::Path;

/// Mean and standard deviation in the paper, in nanoseconds, for a triangle by SQP with BFGS updates.
const PAPER: [f64; 2] = [20_457.0, 7_276.0];

/// Smallest and largest number of iterations in the paper.
const PAPER_RANGE: [u32; 2] = [5, 29];

/// Number of projections of one face timed together, because a single one is shorter than the clock's
/// resolution.
const REPEATS: usize = 64;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let count = if quick { 100 } else { 1000 };
    let header = [
        "kind",
        "mean_ns",
        "deviation_ns",
        "mean_steps",
        "least_steps",
        "most_steps",
    ];
    let mut table = Table::new(&header);
    println!("\nprojection     mean ns  deviation   Newton steps, range");
    println!(
        "{:<12}{:>10.0}{:>11.0}{:>15}  [{}, {}]",
        "the paper", PAPER[0], PAPER[1], 12, PAPER_RANGE[0], PAPER_RANGE[1]
    );

    for kind in FaceKind::ALL
        .into_iter()
        .filter(|kind| kind.dimension() == 2)
    {
        let mut random = Random::new(1);
        let cases: Vec<(Face<3>, Point<3>)> = (0..count).map(|_| case(kind, &mut random)).collect();
        let times: Vec<f64> = cases
            .iter()
            .map(|(face, point)| nanoseconds(face, point))
            .collect();
        let mean = times.iter().sum::<f64>() / count as f64;
        let variance = times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / count as f64;

        let steps: Vec<u32> = cases
            .iter()
            .filter_map(|(face, point)| project(face, point))
            .map(|p| p.iterations)
            .collect();
        let least = steps.iter().copied().min().unwrap_or(0);
        let most = steps.iter().copied().max().unwrap_or(0);
        let steps = f64::from(steps.iter().sum::<u32>()) / count as f64;
        println!(
            "{:<12}{mean:>10.0}{:>11.0}{steps:>15.1}  [{least}, {most}]",
            kind.name(),
            variance.sqrt()
        );
        table.row(&[&kind.name(), &mean, &variance.sqrt(), &steps, &least, &most]);
        findings.check(
            most <= PAPER_RANGE[1],
            format!(
                "{}: {least} to {most} iterations; the paper needs 5 to 29 on triangles",
                kind.name()
            ),
        );

        let wrong = cases
            .iter()
            .filter(|(face, point)| is_wrong(face, point))
            .count();
        findings.check(
            wrong == 0,
            format!("{}: {count} projections, all the oracle's", kind.name()),
        );
    }

    table.save(&folder.join("projection.csv"))
}

/// Creates a strongly curved face, each node moved by up to 15 % of the edge, and a point around it.
fn case(kind: FaceKind, random: &mut Random) -> (Face<3>, Point<3>) {
    let edge = if kind.corner_count() == 3 { 1.0 } else { 2.0 };
    let flat = kind
        .node_positions()
        .iter()
        .map(|x| Point::from([x[0], x[1], 0.0]));
    let nodes: Vec<Point<3>> = flat
        .map(|p| p + random.direction::<3>() * (0.15 * edge * random.unit()))
        .collect();
    let face = Face::new(kind, &nodes).expect("the kind's own nodes");
    let near = face.position(kind.domain().centre());

    (
        face,
        near + random.direction::<3>() * random.within(0.0, edge),
    )
}

fn nanoseconds(face: &Face<3>, point: &Point<3>) -> f64 {
    let work = || {
        (0..REPEATS)
            .filter_map(|_| project(std::hint::black_box(face), point))
            .map(|p| p.gap)
            .sum::<f64>()
    };
    let (_, seconds) = timed(|| std::hint::black_box(work()));

    seconds / REPEATS as f64 * 1e9
}

fn is_wrong(face: &Face<3>, point: &Point<3>) -> bool {
    let (fast, slow) = (project(face, point), brute::project(face, point));
    fast.zip(slow)
        .is_none_or(|(fast, slow)| (fast.gap.abs() - slow.gap.abs()).abs() > 1e-9)
}
