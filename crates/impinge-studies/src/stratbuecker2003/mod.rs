//! Figure 4 of \[Stratbuecker2003\]: tests and comparisons per particle against the number of
//! particles, for the paper's single grid, its shifted grid, and our method. Also the fraction of pairs
//! that each misses, and the depth of the paper's sort against the kinetic energy, which section 4.3
//! leaves open.

mod simulation;
mod smallest_radius;

use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, folder, growth_exponent};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns, Pair, PaperColumns, PaperGrid};
use impinge::space::{Random, Vector};
use std::path::Path;

/// Number of steps to average tests and comparisons over, after a first step that sorts from scratch.
const STEPS: usize = 3;

/// Motion per step for Figure 4, in units of the smallest diameter.
const STEP: f64 = 0.02;

const METHODS: [&str; 3] = ["one grid", "shifted grid", "ours"];

/// Runs the study.
pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("stratbuecker2003")?;
    let mut findings = Findings::default();
    let counts: &[usize] = if quick {
        &[1_000, 4_000, 16_000]
    } else {
        &[1_000, 4_000, 16_000, 64_000, 250_000, 1_000_000]
    };
    figure_4(&folder, counts, &mut findings)?;
    depth_of_the_sort(&folder, if quick { 10_000 } else { 200_000 }, &mut findings)?;
    simulation::run(&folder, quick, &mut findings)?;
    smallest_radius::run(&folder, if quick { 5_000 } else { 100_000 }, &mut findings)?;

    Ok(findings)
}

/// Creates balls of radius ½ to ratio/2 at constant density; equal-sized balls have two pairs each.
fn particles(count: usize, ratio: f64, seed: u64) -> Vec<Ball<3>> {
    let mut random = Random::new(seed);
    let radii: Vec<f64> = (0..count)
        .map(|_| 0.5 * random.within(1.0, ratio))
        .collect();
    let volume: f64 = radii.iter().map(|r| (2.0 * r).powi(3)).sum::<f64>() / 0.955;
    let width = volume.cbrt();
    let centre = |random: &mut Random| Vector::<3>::from_fn(|_, _| random.within(0.0, width));

    radii
        .iter()
        .map(|&radius| Ball {
            centre: centre(&mut random).into(),
            radius,
        })
        .collect()
}

fn move_all(balls: &mut [Ball<3>], step: f64, random: &mut Random) {
    balls
        .iter_mut()
        .for_each(|ball| ball.centre += random.direction::<3>() * (step * random.unit()));
}

/// Operations of a method per particle and step.
struct Cost {
    tests: f64,
    comparisons: f64,
    missed: f64,
}

/// Runs all three methods over the same steps.
fn costs(count: usize, ratio: f64) -> [Cost; 3] {
    let mut balls = particles(count, ratio, 1);
    let mut random = Random::new(2);
    let mut papers = [
        PaperColumns::new(PaperGrid::One),
        PaperColumns::new(PaperGrid::Shifted),
    ];
    let mut ours = Columns::<3>::default();
    let (mut some, mut all) = (Vec::new(), Vec::new());
    let mut found = [0usize; 3];
    let mut sum = [(0, 0); 3];

    for step in 0..=STEPS {
        let before = [papers[0].counters(), papers[1].counters(), ours.counters()];
        let mut pairs = [0; 3];
        for (paper, pairs) in papers.iter_mut().zip(&mut pairs) {
            paper.find_some_pairs(&balls, &mut some);
            *pairs = some.len();
        }

        ours.find_pairs(&BroadScene::of(&balls), &mut all)
            .expect("finite balls");
        pairs[2] = all.len();
        assert!(
            some.iter()
                .all(|pair: &Pair| all.binary_search(pair).is_ok()),
            "a pair that does not overlap"
        );
        let after = [papers[0].counters(), papers[1].counters(), ours.counters()];

        if step > 0 {
            for k in 0..3 {
                found[k] += pairs[k];
                sum[k].0 += after[k].tests - before[k].tests;
                sum[k].1 += after[k].comparisons - before[k].comparisons;
            }
        }

        move_all(&mut balls, STEP, &mut random);
    }

    let each = (STEPS * count) as f64;
    std::array::from_fn(|k| Cost {
        tests: sum[k].0 as f64 / each,
        comparisons: (sum[k].0 + sum[k].1) as f64 / each,
        missed: 1.0 - found[k] as f64 / found[2] as f64,
    })
}

fn figure_4(folder: &Path, counts: &[usize], findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&[
        "ratio",
        "particles",
        "method",
        "tests_per_particle",
        "comparisons_per_particle",
        "missed",
    ]);

    for ratio in [1.0, 3.0] {
        let mut curves: Vec<Curve> = Vec::new();
        for kind in ["tests", "comparisons"] {
            curves.extend(METHODS.map(|name| Curve {
                label: format!("{name}: {kind}"),
                points: Vec::new(),
            }));
        }

        let mut missed = [0.0f64; 3];
        for &count in counts {
            for (k, cost) in costs(count, ratio).iter().enumerate() {
                table.row(&[
                    &ratio,
                    &count,
                    &METHODS[k],
                    &cost.tests,
                    &cost.comparisons,
                    &cost.missed,
                ]);
                curves[k].points.push((count as f64, cost.tests));
                curves[3 + k].points.push((count as f64, cost.comparisons));

                missed[k] = cost.missed;
            }
        }

        let title = format!("Tests and comparisons for each particle, radii 1:{ratio}");
        let name = folder.join(format!("figure4_ratio{ratio}.svg"));
        log_log(
            &name,
            &title,
            "particles",
            "for each particle and step",
            &curves,
        )?;

        check_figure_4(ratio, &curves, &missed, findings);
    }

    table.save(&folder.join("figure4.csv"))
}

fn check_figure_4(ratio: f64, curves: &[Curve], missed: &[f64; 3], findings: &mut Findings) {
    for (k, name) in METHODS.iter().enumerate() {
        let exponent = growth_exponent(&curves[k].points);
        findings.check(
            exponent < 0.08,
            format!(
                "1:{ratio}, {name}: tests for each particle do not grow with N (N^{exponent:.3})"
            ),
        );
        let exponent = growth_exponent(&curves[3 + k].points);

        findings.check(
            exponent < 0.2,
            format!(
                "1:{ratio}, {name}: comparisons grow slower than any root seen in figure 4 (N^{exponent:.3})"
            ),
        );
    }

    findings.check(
        missed[0] > 0.01,
        format!(
            "1:{ratio}: one grid misses {:.2} % of the pairs (section 5)",
            100.0 * missed[0]
        ),
    );
    findings.check(
        missed[1] > 0.0 && missed[1] < 0.25 * missed[0],
        format!(
            "1:{ratio}: the shifted grid still misses {:.3} %",
            100.0 * missed[1]
        ),
    );

    findings.check(missed[2] == 0.0, format!("1:{ratio}: ours misses none"));
}

/// Measures R_sort against the kinetic energy: bodies move by steps of one length, and the energy is
/// proportional to its square.
fn depth_of_the_sort(folder: &Path, count: usize, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&[
        "step_in_diameters",
        "kinetic_energy",
        "depth",
        "comparisons_per_particle",
    ]);
    let mut depths = Vec::new();

    for exponent in -6..=2 {
        let step = 10f64.powf(f64::from(exponent) * 0.5 - 1.0);
        let mut balls = particles(count, 1.0, 3);
        let mut random = Random::new(4);
        let mut paper = PaperColumns::default();
        let mut pairs = Vec::new();
        paper.find_some_pairs(&balls, &mut pairs);
        let (mut depth, mut comparisons) = (0.0, 0.0);

        for _ in 0..STEPS {
            move_all(&mut balls, step, &mut random);
            paper.find_some_pairs(&balls, &mut pairs);
            depth += f64::from(paper.last_sort().depth) / STEPS as f64;
            comparisons += paper.last_sort().comparisons as f64 / (STEPS * count) as f64;
        }

        table.row(&[&step, &(0.5 * step * step), &depth, &comparisons]);
        depths.push((0.5 * step * step, depth));
    }

    let curve = |points: &[(f64, f64)]| {
        vec![Curve {
            label: format!("{count} particles"),
            points: points.to_vec(),
        }]
    };
    let name = folder.join("depth_of_sort.svg");
    log_log(
        &name,
        "Depth R_sort of tryMergeSort",
        "kinetic energy for each particle",
        "R_sort",
        &curve(&depths),
    )?;
    table.save(&folder.join("depth_of_sort.csv"))?;
    let most = f64::from(1 + count.ilog2());

    let (least, greatest) = (depths[0].1, depths[depths.len() - 1].1);
    findings.claim(
        Claim::held(
            "Section 4.3",
            "the depth R_sort of the sort depends on the kinetic energy, within 1 to log2 N",
        ),
        depths.windows(2).all(|two| two[0].1 <= two[1].1 + 0.5)
            && 1.0 <= least
            && least < greatest
            && greatest <= most + 1.0,
        format!("it grows with the energy from {least:.1} to {greatest:.1}; log2 N is {most:.0}"),
    );

    // A factor of 10 in the step, 100 in the energy, displaces entries 10 times farther: log2 10 more
    // levels.
    let slope = (greatest - least) / (depths.len() as f64 - 1.0) * 2.0;
    findings.check(
        (1.0..4.5).contains(&slope),
        format!("R_sort grows with the logarithm of the energy: by {slope:.2} for each factor of 10 in the step (log2 10 = 3.32)"),
    );

    Ok(())
}
