//! Pairs at every step of unit cubes that move on straight lines: a neighbour list, a refitted tree,
//! events.

use super::peer::Mover;
use super::scenes::Walk;
use super::{Difference, Markdown, crates, threads};
use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::broad::{Auto, BroadPhase, BroadScene, BruteForce, Columns, Pair};
use impinge::space::Aabb;
use std::path::Path;

/// Step lengths, in edges of a cube.
const LENGTHS: [f64; 3] = [0.001, 0.01, 0.3];

/// Number of steps to average over, after two: the first has no history, and in the second a method
/// measures the motion. Averaging over the lifetime of our longest-lived neighbour list would take too
/// long with the slowest peers.
const STEPS: usize = 6;

/// Number of our own steps: a list is built every ten to forty of them, and its cost must be included.
const OUR_STEPS: usize = 60;

/// Number of boxes up to which brute force is the reference; above it, a search from scratch.
const BRUTE_FORCE: usize = 20_000;

#[derive(Default)]
struct Ours {
    auto: Auto<3>,
    pairs: Vec<Pair>,
}

impl Mover for Ours {
    fn step(&mut self, boxes: &[Aabb<3>]) {
        self.auto
            .find_pairs(&BroadScene::of(boxes), &mut self.pairs)
            .expect("finite boxes");
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

/// Milliseconds of the first step and of each later one, and the difference from the exact pairs at the
/// end.
struct Measured {
    first: f64,
    each: f64,
    pairs: usize,
    difference: Difference,
}

const PROGRAMS: [&str; 5] = [
    "impinge, one thread",
    "impinge, two threads",
    "parry3d-f64, refit",
    "parry3d-f64, rebuild",
    "rapier3d-f64, events",
];

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let counts: &[usize] = if quick {
        &[2_000]
    } else {
        &[100_000, 1_000_000]
    };
    let mut table = Table::new(&[
        "program",
        "boxes",
        "step",
        "ms_per_step",
        "ms_first",
        "pairs",
        "missing",
        "extra",
    ]);

    for &count in counts {
        let mut header = vec![String::new()];
        header.extend(LENGTHS.map(|length| format!("{length} d")));
        header.push("first step".to_owned());
        let mut markdown = Markdown::new(&header);

        for name in PROGRAMS {
            let (mut cells, mut first) = (Vec::new(), f64::INFINITY);
            for length in LENGTHS {
                cells.push(match measure(name, count, length) {
                    Ok(m) => {
                        let Difference { missing, extra } = m.difference;
                        let label = name.replace(',', "");
                        table.row(&[
                            &label, &count, &length, &m.each, &m.first, &m.pairs, &missing, &extra,
                        ]);
                        first = first.min(m.first);
                        if name.starts_with("impinge") {
                            findings.check(
                                missing + extra == 0,
                                format!("{name}, {count} boxes, {length} d: exactly the overlapping pairs"),
                            );
                        }
                        format!("{:.1}{}", m.each, m.difference.remark(m.pairs))
                    }
                    Err(reason) => {
                        findings.skip(format!("{name}, {count} boxes"), format!("{reason:#}"));
                        "–".to_owned()
                    }
                });
            }

            cells.push(if first.is_finite() {
                format!("{first:.0}")
            } else {
                "–".to_owned()
            });

            markdown.row(name, &cells);
        }

        println!(
            "\nPairs at every step of {count} moving boxes, ms per step\n\n{}",
            markdown.text
        );
    }

    table.save(&folder.join("moving.csv"))
}

fn measure(name: &str, count: usize, length: f64) -> Result<Measured> {
    let ours = || Ok(Box::<Ours>::default() as Box<dyn Mover>);
    match name {
        "impinge, one thread" => threads(1)?.install(|| follow(ours, count, length, OUR_STEPS)),
        "impinge, two threads" => threads(2)?.install(|| follow(ours, count, length, OUR_STEPS)),
        "parry3d-f64, refit" => follow(crates::parry_refit, count, length, STEPS),
        "parry3d-f64, rebuild" => follow(crates::parry_rebuild, count, length, STEPS),
        _ => follow(crates::rapier, count, length, STEPS),
    }
}

fn follow(
    program: impl FnOnce() -> Result<Box<dyn Mover>>,
    count: usize,
    length: f64,
    steps: usize,
) -> Result<Measured> {
    let mut program = program()?;
    let mut walk = Walk::new(count, length);
    let mut step = |walk: &Walk| {
        program.place(&walk.boxes);
        timed(|| program.step(&walk.boxes)).1 * 1e3
    };
    let first = step(&walk);
    walk.go();
    step(&walk);
    let mut sum = 0.0;

    for _ in 0..steps {
        walk.go();
        sum += step(&walk);
    }

    let mut exact = Vec::new();
    let scene = BroadScene::of(&walk.boxes);
    if count <= BRUTE_FORCE {
        BruteForce::default().find_pairs(&scene, &mut exact)?;
    } else {
        Columns::default().find_pairs(&scene, &mut exact)?;
    }

    let difference = Difference::of(&mut program.pairs(), &exact);
    Ok(Measured {
        first,
        each: sum / steps as f64,
        pairs: exact.len(),
        difference,
    })
}
