//! The paper's method in a simulation, as section 2 intends it: overlapping spheres push each other
//! apart with a restoring force, so that no overlap lasts.
//!
//! Spheres fly in a closed box without gravity, at one solid fraction for all sizes of the system, as in
//! `scenes/gas.toml`. The simulator moves them. After a warm-up, each variant of the paper's grid searches every step.

use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent, timed};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns, Pair, PaperColumns, PaperGrid};
use impinge::space::Random;
use impinge_sim::law::{Law, Normal, Rolling};
use impinge_sim::{Grain, Matter, Obstacle, Particles, Setup};
use std::path::Path;

/// Solid fraction of the system: a dense gas in which collisions are frequent and brief.
const FRACTION: f64 = 0.2;

/// Largest radius, m. Only ratios matter.
const RADIUS: f64 = 1.0;

/// Initial speed, m/s.
const SPEED: f64 = 1.0;

/// Stiffness in units of the mass of the largest sphere over s²: a head-on collision of two of them is
/// as deep as a tenth of the radius.
const STIFFNESS: f64 = 200.0;

/// Number of steps before the measurement, in which the lattice dissolves, and of measured steps.
const WARM_UP: usize = 400;
const MEASURED: usize = 20;

const GRIDS: [PaperGrid; 3] = [PaperGrid::One, PaperGrid::Alternating, PaperGrid::Shifted];
const NAMES: [&str; 3] = ["one grid", "alternating grid", "shifted grid"];

/// Averages over the measured steps.
struct Outcome {
    /// For each variant: tests and all comparisons per particle, and the fraction of overlapping pairs
    /// that it misses.
    tests: [f64; 3],
    comparisons: [f64; 3],
    missed: [f64; 3],
    /// Fraction of the pairs that overlap in two consecutive steps and are found in neither by the
    /// alternating grid.
    missed_twice: f64,
    /// Steps of the simulation per second, without the paper's searches.
    steps_per_second: f64,
}

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let counts: &[usize] = if quick {
        &[500, 2_000, 8_000]
    } else {
        &[1_000, 4_000, 16_000, 50_000, 200_000]
    };
    figure_4(folder, counts, quick, findings)
}

/// Figure 4: tests and comparisons per particle against the number of particles.
fn figure_4(folder: &Path, counts: &[usize], quick: bool, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&[
        "particles",
        "grid",
        "tests_per_particle",
        "comparisons_per_particle",
        "missed",
        "steps_per_second",
    ]);
    let mut outcomes = Vec::new();

    for &count in counts {
        let outcome = measure(count)?;
        for k in 0..3 {
            table.row(&[
                &count,
                &NAMES[k],
                &outcome.tests[k],
                &outcome.comparisons[k],
                &outcome.missed[k],
                &outcome.steps_per_second,
            ]);
        }
        outcomes.push(outcome);
    }

    let points = |of: &dyn Fn(&Outcome) -> f64| -> Vec<(f64, f64)> {
        counts
            .iter()
            .zip(&outcomes)
            .map(|(&count, outcome)| (count as f64, of(outcome)))
            .collect()
    };
    let curves: Vec<Curve> = (0..3)
        .flat_map(|k| {
            [
                Curve {
                    label: format!("{}: tests", NAMES[k]),
                    points: points(&|outcome| outcome.tests[k]),
                },
                Curve {
                    label: format!("{}: comparisons", NAMES[k]),
                    points: points(&|outcome| outcome.comparisons[k]),
                },
            ]
        })
        .collect();
    log_log(
        &folder.join("figure4_simulation.svg"),
        "Figure 4 in a simulation with the restoring force, radii 1:2",
        "particles",
        "for each particle and step",
        &curves,
    )?;

    check_growth(&curves, findings);
    check_missed(outcomes.last().expect("there are counts"), findings);
    check_rate(counts, &outcomes, quick, findings)?;
    table.save(&folder.join("figure4_simulation.csv"))
}

fn check_growth(curves: &[Curve], findings: &mut Findings) {
    let (one, shifted) = (&curves[0].points, &curves[4].points);
    let exponent = growth_exponent(one).max(growth_exponent(shifted));
    findings.claim(
        Claim::held("Section 6", "overlap tests per particle do not grow with N"),
        exponent < 0.05,
        format!("N^{exponent:.3} in a simulation"),
    );

    // A value is fixed if it does not change by 2 % over the last factor of about four in N.
    let comparisons = &curves[1].points;
    let last = &comparisons[comparisons.len() - 2..];
    let growth = last[1].1 / last[0].1 - 1.0;
    let all: Vec<String> = comparisons.iter().map(|p| format!("{:.1}", p.1)).collect();
    findings.claim(
        Claim::refuted(
            "Section 6",
            "comparisons per particle settle to a fixed value at large N",
        ),
        growth.abs() < 0.02,
        format!(
            "{}; the last step grows by {:.1} %",
            all.join(", "),
            100.0 * growth
        ),
    );
}

fn check_missed(largest: &Outcome, findings: &mut Findings) {
    findings.claim(
        Claim::held("Section 5", "one grid does not find all collisions"),
        largest.missed[0] > 0.0,
        format!("misses {:.2} % of the pairs", 100.0 * largest.missed[0]),
    );
    findings.claim(
        Claim::refuted(
            "Section 5",
            "with the grid shifted in every second step, all collisions are found after two steps",
        ),
        largest.missed_twice == 0.0,
        format!(
            "{:.3} % of the pairs that overlap in two consecutive steps are found in neither",
            100.0 * largest.missed_twice
        ),
    );
    findings.claim(
        Claim::refuted(
            "Section 5",
            "sorting into both grids in every step finds all collisions",
        ),
        largest.missed[2] == 0.0,
        format!("misses {:.3} % of the pairs", 100.0 * largest.missed[2]),
    );
}

/// "Several ten thousand particles" at 25 to 30 Hz, on a computer of 2003 and with drawing: the 50,000
/// spheres of `settle.toml` and, in a full run, of the gas.
fn check_rate(
    counts: &[usize],
    outcomes: &[Outcome],
    quick: bool,
    findings: &mut Findings,
) -> Result<()> {
    let settling = rate_of_settle(if quick { 40 } else { 800 })?;
    let gas = counts.iter().position(|&count| count == 50_000);
    let gas = gas.map(|n| outcomes[n].steps_per_second);
    let shown = gas.map_or_else(String::new, |rate| format!(", of a gas {rate:.0}"));

    findings.claim(
        Claim::held(
            "Section 6",
            "several ten thousand particles run at 25 to 30 Hz",
        )
        .by_clock(),
        gas.is_none_or(|rate| rate >= 25.0) && settling >= 25.0,
        format!(
            "50,000 spheres, without drawing: {settling:.0} steps per second of settle.toml{shown}"
        ),
    );
    Ok(())
}

/// Returns the steps per second of `scenes/settle.toml`, without output.
fn rate_of_settle(steps: usize) -> Result<f64> {
    let text = include_str!("../../../../scenes/settle.toml");
    let scene = impinge_run::scene::SceneSpec::parse(text)?;
    let mut world = impinge_run::build::world(&scene, Path::new("."))?;
    let dt = 0.9 * world.stable_step();
    let (result, seconds) = timed(|| (0..steps).try_for_each(|_| world.step(dt)));
    result?;
    Ok(steps as f64 / seconds)
}

/// Simulates the system and searches the measured steps with all variants.
fn measure(count: usize) -> Result<Outcome> {
    let mut particles = system(count)?;
    let dt = 0.5 * particles.stable_step();
    let (result, seconds) = timed(|| (0..WARM_UP).try_for_each(|_| step(&mut particles, dt)));
    result?;

    let mut papers = GRIDS.map(PaperColumns::new);
    let mut ours = Columns::<3>::default();
    let (mut all, mut all_before): (Vec<Pair>, Vec<Pair>) = Default::default();
    let (mut some, mut alternating, mut alternating_before): (Vec<Pair>, Vec<Pair>, Vec<Pair>) =
        Default::default();
    let (mut overlapping, mut lasting, mut unseen) = (0, 0, 0);
    let (mut tests, mut comparisons, mut found) = ([0; 3], [0; 3], [0; 3]);

    for n in 0..=MEASURED {
        let balls = balls(&particles);
        std::mem::swap(&mut all, &mut all_before);
        std::mem::swap(&mut alternating, &mut alternating_before);
        ours.find_pairs(&BroadScene::of(&balls), &mut all)?;

        for k in 0..3 {
            let before = papers[k].counters();
            papers[k].find_some_pairs(&balls, &mut some);
            let after = papers[k].counters();
            // The first step sorts from scratch.
            if n > 0 {
                tests[k] += after.tests - before.tests;
                comparisons[k] += after.comparisons - before.comparisons;
                found[k] += some.len();
            }
            if GRIDS[k] == PaperGrid::Alternating {
                alternating.clone_from(&some);
            }
        }

        if n > 0 {
            overlapping += all.len();
            for pair in all.iter().filter(|p| all_before.binary_search(p).is_ok()) {
                lasting += 1;
                let is_found = |pairs: &[Pair]| pairs.binary_search(pair).is_ok();
                unseen += usize::from(!is_found(&alternating) && !is_found(&alternating_before));
            }
        }
        step(&mut particles, dt)?;
    }

    let each = (MEASURED * count) as f64;
    Ok(Outcome {
        tests: tests.map(|sum| sum as f64 / each),
        comparisons: std::array::from_fn(|k| (tests[k] + comparisons[k]) as f64 / each),
        missed: found.map(|found| 1.0 - found as f64 / overlapping.max(1) as f64),
        missed_twice: unseen as f64 / lasting.max(1) as f64,
        steps_per_second: WARM_UP as f64 / seconds,
    })
}

/// Spheres on a lattice in a closed box, with random velocities; radii are uniform from half of
/// the largest.
fn system(count: usize) -> Result<Particles> {
    let mut random = Random::new(5);
    let radii: Vec<f64> = (0..count)
        .map(|_| RADIUS * random.within(0.5, 1.0))
        .collect();
    let volume: f64 = radii
        .iter()
        .map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3))
        .sum();
    let width = (volume / FRACTION).cbrt();
    let cells = (count as f64).cbrt().ceil() as usize;
    let spacing = width / cells as f64;

    let grain = |n: usize| Grain {
        position: [n % cells, n / cells % cells, n / (cells * cells)]
            .map(|k| (k as f64 + 0.5) * spacing),
        velocity: (random.direction::<3>() * SPEED).into(),
        radius: radii[n],
        ..Grain::default()
    };
    let grains: Vec<Grain> = (0..count).map(grain).collect();

    let mut particles = Particles::new(Setup {
        law: Law {
            normal: Normal::Restoring {
                stiffness: STIFFNESS * mass(RADIUS),
            },
            rolling: Rolling::None,
        },
        gravity: [0.0; 3],
        ..Setup::default()
    })?;
    for axis in 0..3 {
        for (at, outward) in [(0.0, 1.0), (width, -1.0)] {
            let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
            (point[axis], normal[axis]) = (at, outward);
            particles.add_obstacle(Obstacle::half_space(point, normal, 0)?)?;
        }
    }
    particles.add(&grains)?;

    Ok(particles)
}

/// Mass of a sphere of the default material.
fn mass(radius: f64) -> f64 {
    let density = Setup::default().materials[0].density;
    density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)
}

fn balls(particles: &Particles) -> Vec<Ball<3>> {
    let places = particles.positions().zip(particles.radii());
    places
        .map(|(centre, radius)| Ball { centre, radius })
        .collect()
}

fn step(particles: &mut Particles, dt: f64) -> Result<()> {
    particles.begin(dt);
    particles.interact(dt)?;
    Ok(particles.finish(dt)?)
}
