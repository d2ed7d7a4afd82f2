//! Is the insertion sort ever the cheapest choice, what memory does it take, and does it run in parallel?
//!
//! Steps of balls at constant density in the plane and in space, against [`Auto`], which chooses
//! between brute force, columns and a neighbour list. Only steps are timed, not the first build.

use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, timed};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::broad::{Auto, BroadPhase, BroadScene, CellSweep, Columns, Pair, Sweep};
use impinge::narrow::features2::FeatureCache2;
use impinge::narrow::features3::FeatureCache3;
use impinge::space::Random;
use std::path::Path;

/// Step lengths, in diameters.
const LENGTHS: [f64; 3] = [1e-4, 1e-3, 1e-2];

const METHODS: [&str; 3] = ["Auto", "sweep", "sweep, cell by cell"];

/// A neighbour list lives for some tens of steps; fewer would leave out its builds.
const STEPS: usize = 60;

/// How much faster than [`Auto`] a sweep must be to count: less is noise.
const FASTER: f64 = 0.9;

/// Makes as many balls, in the plane and in space.
pub(crate) type Systems = (fn(usize) -> Vec<Ball<2>>, fn(usize) -> Vec<Ball<3>>);

/// One system and step length.
struct Case {
    name: String,
    seconds: [f64; 3],
}

pub(crate) fn run(
    folder: &Path,
    counts: &[usize],
    bodies: Systems,
    findings: &mut Findings,
) -> Result<()> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut cases = Vec::new();
    for &count in counts {
        for length in LENGTHS {
            let flat = one.install(|| case::<2>("plane", &bodies.0(count), length))?;
            let solid = one.install(|| case::<3>("space", &bodies.1(count), length))?;
            cases.extend([flat, solid]);
        }
    }
    save(folder, &cases)?;

    let [of_sweep, of_cells] = [1, 2].map(|k| winners(&cases, k));
    for (name, found) in METHODS[1..].iter().zip([&of_sweep, &of_cells]) {
        findings.timing(
            found.is_empty(),
            format!(
                "{name} is faster than Auto in {} of {} systems{}",
                found.len(),
                cases.len(),
                listed(found)
            ),
        );
    }

    let largest = counts[counts.len() - 1];
    memory(largest, &bodies.1(largest), findings)?;
    parallel(&bodies.1(largest), findings)
}

fn listed(found: &[String]) -> String {
    if found.is_empty() {
        return String::new();
    }
    format!(": {}", found.join(", "))
}

fn winners(cases: &[Case], method: usize) -> Vec<String> {
    let wins = |case: &&Case| case.seconds[method] < FASTER * case.seconds[0];
    let shown = |case: &Case| {
        format!(
            "{} {:.2}",
            case.name,
            case.seconds[method] / case.seconds[0]
        )
    };
    cases.iter().filter(wins).map(shown).collect()
}

fn save(folder: &Path, cases: &[Case]) -> Result<()> {
    let mut table = Table::new(&["system", "method", "seconds_per_step"]);
    for case in cases {
        for (method, seconds) in METHODS.iter().zip(case.seconds) {
            table.row(&[&case.name, &method.replace(',', ""), &seconds]);
        }
    }
    table.save(&folder.join("choice.csv"))?;

    let curve = |k: usize| {
        let points = (1..)
            .zip(cases)
            .map(|(n, case)| (f64::from(n), case.seconds[k] * 1e6));
        Curve {
            label: METHODS[k].into(),
            points: points.collect(),
        }
    };
    log_log(
        &folder.join("choice.svg"),
        "Time of a step, one thread, in the order of choice.csv",
        "system",
        "µs",
        &[0, 1, 2].map(curve),
    )
}

/// Measures all methods over the same steps. All must agree on the pairs of the last.
fn case<const D: usize>(name: &str, start: &[Ball<D>], length: f64) -> Result<Case> {
    let (auto, expected) = steps(Auto::<D>::default(), start, length)?;
    let (sweep, by_sweep) = steps(Sweep::<D>::default(), start, length)?;
    let (cells, by_cells) = steps(CellSweep::<D>::default(), start, length)?;
    anyhow::ensure!(
        by_sweep == expected && by_cells == expected,
        "the methods find different pairs"
    );
    Ok(Case {
        name: format!("{} in {name} by {length}", start.len()),
        seconds: [auto, sweep, cells],
    })
}

/// Returns the mean seconds of a step after two, and the pairs of the last.
fn steps<M: BroadPhase<D>, const D: usize>(
    mut method: M,
    start: &[Ball<D>],
    length: f64,
) -> Result<(f64, Vec<Pair>)> {
    let mut balls = start.to_vec();
    let mut random = Random::new(11);
    let ways: Vec<_> = balls
        .iter()
        .map(|_| random.direction::<D>() * length)
        .collect();
    let (mut pairs, mut seconds) = (Vec::new(), 0.0);

    for step in 0..STEPS + 2 {
        for (ball, way) in balls.iter_mut().zip(&ways) {
            ball.centre += way;
        }
        let (found, taken) = timed(|| method.find_pairs(&BroadScene::of(&balls), &mut pairs));
        found?;
        seconds += if step < 2 { 0.0 } else { taken };
    }
    Ok((seconds / STEPS as f64, pairs))
}

/// The paper's disadvantage: "needs a lot of memory".
fn memory(count: usize, balls: &[Ball<3>], findings: &mut Findings) -> Result<()> {
    let scene = BroadScene::of(balls);
    let mut pairs = Vec::new();
    let (mut sweep, mut cells) = (Sweep::<3>::default(), CellSweep::<3>::default());
    let (mut columns, mut auto) = (Columns::<3>::default(), Auto::<3>::default());
    for _ in 0..3 {
        sweep.find_pairs(&scene, &mut pairs)?;
        cells.find_pairs(&scene, &mut pairs)?;
        columns.find_pairs(&scene, &mut pairs)?;
        auto.find_pairs(&scene, &mut pairs)?;
    }

    let each = |bytes: usize| bytes as f64 / count as f64;
    let (sweep, cells) = (each(sweep.memory()), each(cells.memory()));
    let (columns, auto) = (each(columns.memory()), each(auto.memory()));
    findings.claim(
        Claim::held(
            "disadvantages",
            "the kept lists need a lot of memory: twice that of a search that keeps nothing",
        ),
        sweep > 2.0 * columns,
        format!(
            "bytes for each of {count} balls: sweep {sweep:.0}, cell by cell {cells:.0}, columns {columns:.0}, \
             Auto {auto:.0}; for each pair of polygons {}, of polyhedra {}, more while they overlap",
            size_of::<FeatureCache2>(),
            size_of::<FeatureCache3>()
        ),
    );
    Ok(())
}

/// The paper's advantage: "only local tests, parallel model for shared memory systems possible".
fn parallel(start: &[Ball<3>], findings: &mut Findings) -> Result<()> {
    let with = |threads: usize| -> Result<(f64, Vec<Pair>)> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        pool.install(|| steps(CellSweep::<3>::default(), start, 1e-3))
    };
    let ((one, pairs), (two, same), (_, again)) = (with(1)?, with(2)?, with(7)?);
    findings.check(
        pairs == same && pairs == again,
        "the sweep cell by cell gives the same list for 1, 2 and 7 threads",
    );
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        findings.skip("the sweep on two processors", "there is one");
        return Ok(());
    }
    findings.claim(
        Claim::held(
            "advantages",
            "the sweep can be made parallel on shared memory",
        )
        .by_clock(),
        one > 1.3 * two,
        format!("two threads are {:.2} times as fast as one", one / two),
    );
    Ok(())
}
