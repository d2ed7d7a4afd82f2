//! The claim of \[Schinner1997\] that finding the pairs of bounding boxes costs O(N). The study
//! measures exchanges and time per step against the number of bodies and the step length, and finds the
//! range of the claim.
//!
//! On one axis, a body meets within its step the ends of all bodies, whatever their distance on the
//! other axes. At constant density the list of N ends is N^(1/D) body lengths long. An end that moves
//! by s therefore passes of the order of s·N^(1 − 1/D) others. This makes N^(2 − 1/D) exchanges in a
//! step, N^(5/3) in 3D and N^(3/2) in 2D, with a small constant.
//!
//! In a chain, a system that grows along one axis only, the lists of the other axes contain ever more
//! ends in the same width, and the exchanges grow as N². Lists kept cell by cell ([`CellSweep`]) are as
//! crowded as the density makes them, whatever N: there the claim holds without a range.

use crate::plot::{Curve, log_log};
use crate::schinner_choice;
use crate::schinner_features;
use crate::schinner_funnel;
use crate::schinner_voronoi;
use crate::study::{Claim, Findings, Table, folder, growth_exponent, timed};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, CellSweep, Columns, Sweep};
use impinge::space::{Random, Vector};
use std::path::Path;

/// Number of steps to average over.
const STEPS: usize = 4;

/// Index of the system of [`against_number`] that is swept cell by cell, and the number of bodies above
/// which most of its cells have neighbours on all sides. Only there do bodies pass from cell to cell,
/// which takes most exchanges.
const CELL_BY_CELL: usize = 2;
const MANY_CELLS: f64 = 8_000.0;

/// Runs the study.
pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("schinner1997")?;
    let mut findings = Findings::default();
    let counts: &[usize] = if quick {
        &[500, 2_000, 8_000, 32_000]
    } else {
        &[500, 2_000, 8_000, 32_000, 128_000, 512_000]
    };
    against_number(&folder, counts, &mut findings)?;
    against_step(&folder, if quick { 2_000 } else { 20_000 }, &mut findings)?;
    when_everything_jumps(if quick { 20_000 } else { 100_000 }, &mut findings)?;

    let particles: &[usize] = if quick {
        &[250, 1_000, 4_000]
    } else {
        &[250, 1_000, 4_000, 16_000, 64_000]
    };
    schinner_funnel::run(&folder, particles, &mut findings)?;
    let chosen: &[usize] = if quick {
        &[100, 2_000]
    } else {
        &[100, 500, 2_000, 10_000, 50_000]
    };
    schinner_choice::run(
        &folder,
        chosen,
        (
            |count| bodies::<2>(count, 1.0, 1),
            |count| bodies::<3>(count, 1.0, 1),
        ),
        &mut findings,
    )?;
    schinner_voronoi::run(&folder, if quick { 2_000 } else { 20_000 }, &mut findings)?;
    findings.append(schinner_features::run(quick)?);
    Ok(findings)
}

/// Creates balls of diameter 1 at constant density in a world of these proportions.
fn bodies<const D: usize>(count: usize, longer: f64, seed: u64) -> Vec<Ball<D>> {
    let mut random = Random::new(seed);
    let width = (count as f64 / longer).powf(1.0 / D as f64);
    let at = |k: usize, random: &mut Random| {
        random.within(0.0, if k == 0 { width * longer } else { width })
    };

    (0..count)
        .map(|_| Ball {
            centre: Vector::<D>::from_fn(|k, _| at(k, &mut random)).into(),
            radius: 0.5,
        })
        .collect()
}

/// Returns the exchanges and seconds of a sweep per step.
fn step<M: BroadPhase<D> + Default, const D: usize>(
    balls: &mut [Ball<D>],
    length: f64,
) -> (f64, f64) {
    let (mut sweep, mut random, mut pairs) = (M::default(), Random::new(7), Vec::new());
    sweep
        .find_pairs(&BroadScene::of(balls), &mut pairs)
        .expect("finite balls");
    let before = sweep.counters();
    let mut seconds = 0.0;

    for _ in 0..STEPS {
        balls
            .iter_mut()
            .for_each(|ball| ball.centre += random.direction::<D>() * length);
        seconds += timed(|| sweep.find_pairs(&BroadScene::of(balls), &mut pairs)).1;
    }

    let after = sweep.counters();
    assert_eq!(
        after.rebuilds, before.rebuilds,
        "the step must be short enough for the insertion sort"
    );

    (
        (after.exchanges - before.exchanges) as f64 / STEPS as f64,
        seconds / STEPS as f64,
    )
}

fn against_number(folder: &Path, counts: &[usize], findings: &mut Findings) -> Result<()> {
    let length = 0.001;
    // A chain is N/16 times as long as wide; longer ones exceed the budget of exchanges.
    let (chain, longest_chain) = (16.0, 32_000);
    let names = ["space", "plane", "space, cell by cell", "chain"];
    let mut table = Table::new(&["system", "bodies", "exchanges", "seconds"]);
    let mut exchanges = names.map(|name| Curve {
        label: name.into(),
        points: Vec::new(),
    });

    let mut times = names.map(|name| Curve {
        label: name.into(),
        points: Vec::new(),
    });

    for &count in counts {
        let n = count as f64;
        let mut measured = vec![
            step::<Sweep<3>, 3>(&mut bodies(count, 1.0, 1), length),
            step::<Sweep<2>, 2>(&mut bodies(count, 1.0, 1), length),
            step::<CellSweep<3>, 3>(&mut bodies(count, 1.0, 1), length),
        ];

        if count <= longest_chain {
            measured.push(step::<Sweep<3>, 3>(
                &mut bodies(count, n / chain, 1),
                length,
            ));
        }

        for (k, (swaps, seconds)) in measured.into_iter().enumerate() {
            table.row(&[&names[k].replace(',', ""), &count, &swaps, &seconds]);
            exchanges[k].points.push((n, swaps.max(1.0)));
            times[k].points.push((n, seconds / n * 1e9));
        }
    }

    table.save(&folder.join("against_number.csv"))?;
    log_log(
        &folder.join("exchanges.svg"),
        "Exchanges in a step of 0.001 diameters",
        "bodies",
        "exchanges",
        &exchanges,
    )?;

    log_log(
        &folder.join("time.svg"),
        "Time of a step",
        "bodies",
        "ns for each body",
        &times,
    )?;

    for (k, law) in [5.0 / 3.0, 1.5, 1.0, 2.0].into_iter().enumerate() {
        let name = names[k];
        let least = if k == CELL_BY_CELL { MANY_CELLS } else { 0.0 };
        let points: Vec<(f64, f64)> = exchanges[k]
            .points
            .iter()
            .copied()
            .filter(|p| p.0 >= least)
            .collect();
        let exponent = growth_exponent(&points);

        findings.check(
            (exponent - law).abs() < 0.2,
            format!("{name}: exchanges grow as N^{exponent:.2} (law: N^{law:.2})"),
        );
    }

    report_range(&exchanges, findings);
    Ok(())
}

/// Reports where the claim holds: where exchanges are few compared with the N comparisons of each list,
/// which the sort takes anyway.
fn report_range(exchanges: &[Curve; 4], findings: &mut Findings) {
    let linear = |curve: &Curve| {
        let few = curve
            .points
            .iter()
            .take_while(|(n, swaps)| *swaps < 2.0 * n);
        few.last().map_or(0.0, |point| point.0)
    };
    let small = exchanges[0].points[0];

    let [space, plane] = [0, 1].map(|k| growth_exponent(&exchanges[k].points));
    findings.claim(
        Claim::refuted(
            "advantages",
            "the total cost for the bounding box algorithm is O(N), with one list for each axis",
        ),
        space.max(plane) < 1.2,
        format!("exchanges grow as N^{space:.2} in space and N^{plane:.2} in the plane"),
    );
    findings.check(
        small.1 < small.0,
        format!(
            "{:.0} bodies in space: {:.0} exchanges, fewer than bodies, so that small systems cost O(N)",
            small.0, small.1
        ),
    );
    println!(
        "    at 0.001 diameters a step, O(N) holds up to {:.0} bodies in space",
        linear(&exchanges[0])
    );
    println!("    and up to {:.0} in the plane", linear(&exchanges[1]));

    let large = exchanges[CELL_BY_CELL]
        .points
        .iter()
        .filter(|point| point.0 >= MANY_CELLS);
    let each: Vec<f64> = large.map(|(n, swaps)| swaps / n).collect();
    let (first, last) = (each[0], each[each.len() - 1]);

    findings.check(
        last < 2.0 * first,
        format!("cell by cell, exchanges for each body stay flat in N: {first:.3} to {last:.3}"),
    );
}

fn against_step(folder: &Path, count: usize, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["step_in_diameters", "exchanges", "seconds"]);
    let mut points = Vec::new();
    for exponent in 0..5 {
        let length = 1e-4 * 3f64.powi(exponent);
        let (swaps, seconds) = step::<Sweep<3>, 3>(&mut bodies(count, 1.0, 2), length);
        table.row(&[&length, &swaps, &seconds]);
        points.push((length, swaps));
    }

    table.save(&folder.join("against_step.csv"))?;
    let exponent = growth_exponent(&points);
    let curves = [Curve {
        label: format!("{count} bodies in space"),
        points,
    }];
    let name = folder.join("against_step.svg");
    log_log(
        &name,
        "Exchanges against the step length",
        "step in diameters",
        "exchanges",
        &curves,
    )?;

    findings.check(
        (exponent - 1.0).abs() < 0.1,
        format!("exchanges grow in proportion to the step length (exponent {exponent:.2})"),
    );
    Ok(())
}

/// Checks that a step beyond its budget of exchanges rebuilds from scratch.
fn when_everything_jumps(count: usize, findings: &mut Findings) -> Result<()> {
    let (mut sweep, mut pairs) = (Sweep::<3>::default(), Vec::new());
    let mut fresh = f64::INFINITY;
    let mut jumped = f64::INFINITY;

    for seed in 0..5 {
        let balls = bodies::<3>(count, 1.0, seed);
        fresh = fresh
            .min(timed(|| Sweep::<3>::default().find_pairs(&BroadScene::of(&balls), &mut pairs)).1);
        let seconds = timed(|| sweep.find_pairs(&BroadScene::of(&balls), &mut pairs)).1;
        jumped = if seed > 0 {
            jumped.min(seconds)
        } else {
            jumped
        };
        let mut expected = Vec::new();
        Columns::<3>::default().find_pairs(&BroadScene::of(&balls), &mut expected)?;

        anyhow::ensure!(pairs == expected, "the sweep lost pairs");
    }

    let ratio = jumped / fresh;
    // Wide, because times on a busy machine vary: the bound is 2 on a quiet one.
    findings.check(
        ratio < 4.0,
        format!("{count} bodies that all jump cost {ratio:.2} builds from scratch"),
    );

    Ok(())
}
