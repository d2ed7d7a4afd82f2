//! Targets that impinge must reach by itself: growth with the number of bodies, second thread, list
//! steps, first step, memory, jumps, and the choice between list and rebuilding. They form one table,
//! each line with its bound. Beside it is the time that memory access alone takes for the same bodies
//! and pairs.

use super::memory::Memory;
use super::scenes::{Walk, balls};
use super::{Markdown, threads};
use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::broad::{Auto, BroadPhase, BroadScene, Columns, NeighbourList, Pair, Skin, Sweep};
use impinge::space::Random;
use std::path::Path;

/// Lines of the table.
struct Lines {
    markdown: Markdown,
    table: Table,
    findings: Findings,
}

impl Lines {
    fn new() -> Self {
        let header = ["", "bound", "measured", ""].map(str::to_owned);
        Self {
            markdown: Markdown::new(&header),
            table: Table::new(&["what", "bound", "measured"]),
            findings: Findings::default(),
        }
    }

    fn most(&mut self, what: &str, measured: f64, bound: f64) {
        self.line(what, measured, bound, measured <= bound, "≤");
    }

    fn least(&mut self, what: &str, measured: f64, bound: f64) {
        self.line(what, measured, bound, measured >= bound, "≥");
    }

    fn line(&mut self, what: &str, measured: f64, bound: f64, holds: bool, sign: &str) {
        let mark = if holds { "✓" } else { "✗" };
        self.findings
            .timing(holds, format!("{what}: {measured:.3} ({sign} {bound})"));
        self.markdown.row(
            what,
            &[
                format!("{sign} {bound}"),
                format!("{measured:.3}"),
                mark.to_owned(),
            ],
        );

        self.table
            .row(&[&what.replace(',', ";"), &bound, &measured]);
    }

    /// Adds a figure that explains others.
    fn note(&mut self, what: &str, measured: f64) {
        println!("    {what}: {measured:.3}");
        self.markdown.row(
            what,
            &[String::new(), format!("{measured:.3}"), String::new()],
        );
        self.table.row(&[&what.replace(',', ";"), &"", &measured]);
    }
}

pub(super) fn run(folder: &Path, quick: bool) -> Result<Findings> {
    let million = if quick { 10_000 } else { 1_000_000 };
    let mut lines = Lines::new();
    println!("\nimpinge alone");
    let (one, two) = (threads(1)?, threads(2)?);
    let memory = one.install(|| Memory::measure(million));
    one.install(|| sizes(million, &memory, &mut lines));
    one.install(|| growth(if quick { 20 } else { 1000 }, &mut lines));
    second_thread(million, &one, &two, &mut lines);
    let gain = memory.read / two.install(|| Memory::measure(million)).read;
    lines.note("second thread, reading balls from random places", gain);
    one.install(|| lists(million, &memory, &mut lines));
    one.install(|| first_step_and_memory(million, &mut lines));
    one.install(|| jumps(million / 10, &mut lines));
    one.install(|| choice(million / 10, &mut lines));
    println!("\n{}", lines.markdown.text);

    lines.table.save(&folder.join("reach.csv"))?;
    Ok(lines.findings)
}

/// Returns the seconds of the fastest of several searches of a scene.
fn search<M: BroadPhase<3>>(
    method: &mut M,
    balls: &[Ball<3>],
    pairs: &mut Vec<Pair>,
    times: usize,
) -> f64 {
    let mut once = || {
        timed(|| {
            method
                .find_pairs(&BroadScene::of(balls), pairs)
                .expect("finite balls")
        })
        .1
    };
    (0..times).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn from_scratch(count: usize, ratio: f64) -> f64 {
    searched(count, ratio)[0]
}

/// Returns nanoseconds, tests and pairs per sphere.
fn searched(count: usize, ratio: f64) -> [f64; 3] {
    let times = if count > 3_000_000 { 2 } else { 5 };
    let (mut columns, mut pairs) = (Columns::default(), Vec::new());
    let seconds = search(
        &mut columns,
        &balls::<3>(count, ratio, 1),
        &mut pairs,
        times,
    );
    let tests = columns.counters().tests as f64 / times as f64;

    [seconds * 1e9, tests, pairs.len() as f64].map(|sum| sum / count as f64)
}

fn sizes(count: usize, memory: &Memory, lines: &mut Lines) {
    let mut each = Vec::new();
    for (ratio, bound) in [(1, 150.0), (10, 300.0), (100, 400.0)] {
        let [nanoseconds, tests, pairs] = searched(count, f64::from(ratio));
        lines.most(
            &format!("from scratch, {count} spheres 1:{ratio}, ns per sphere"),
            nanoseconds,
            bound,
        );
        lines.note("tests for each sphere", tests);
        lines.note(
            "sorting as many bodies and pairs, ns",
            memory.sort_body + pairs * memory.sort_pair,
        );

        each.push(nanoseconds);
    }

    lines.most("1:100 over 1:1", each[2] / each[0], 3.0);
}

fn growth(factor: usize, lines: &mut Lines) {
    let (few, many) = (10_000, 10_000 * factor);
    let ratio = from_scratch(many, 1.0) / from_scratch(few, 1.0);
    lines.most(
        &format!("from {few} to {many} spheres, ratio per sphere"),
        ratio,
        2.5,
    );
}

fn second_thread(
    count: usize,
    one: &rayon::ThreadPool,
    two: &rayon::ThreadPool,
    lines: &mut Lines,
) {
    for ratio in [1.0, 100.0] {
        let gain =
            one.install(|| from_scratch(count, ratio)) / two.install(|| from_scratch(count, ratio));
        lines.least(&format!("second thread, from scratch 1:{ratio}"), gain, 1.6);
    }
    for length in [0.001, 0.01] {
        let steps = || walk(&mut Auto::default(), count, length, 30);
        let gain = one.install(steps) / two.install(steps);
        lines.least(
            &format!("second thread, boxes moving {length} d"),
            gain,
            1.6,
        );
    }
}

/// Returns the mean seconds of a step of moving boxes, after the first two.
fn walk<M: BroadPhase<3>>(method: &mut M, count: usize, length: f64, steps: usize) -> f64 {
    let (mut walk, mut pairs, mut sum) = (Walk::new(count, length), Vec::new(), 0.0);
    for step in 0..steps + 2 {
        let seconds = timed(|| {
            method
                .find_pairs(&BroadScene::of(&walk.boxes), &mut pairs)
                .expect("finite boxes")
        })
        .1;
        sum += if step > 1 { seconds } else { 0.0 };
        walk.go();
    }

    sum / steps as f64
}

/// Measures steps of 0.01 radii that only test the list, and all steps including the builds between
/// them.
fn lists(count: usize, memory: &Memory, lines: &mut Lines) {
    let (mut balls, mut random) = (balls::<3>(count, 1.0, 1), Random::new(5));
    let directions: Vec<_> = balls.iter().map(|_| random.direction::<3>()).collect();
    let (mut list, mut pairs) = (NeighbourList::default(), Vec::new());
    let (mut tested, mut candidates, mut kept, mut all, steps) = (0.0, 0, 0, 0.0, 60);

    for step in 0..steps + 2 {
        let before = list.counters();
        let seconds = search(&mut list, &balls, &mut pairs, 1);
        if step > 1 {
            let built = list.counters().rebuilds > before.rebuilds;
            if !built {
                (tested, kept) = (tested + seconds, kept + 1);
                candidates += list.counters().tests - before.tests;
            }
            all += seconds;
        }

        balls
            .iter_mut()
            .zip(&directions)
            .for_each(|(ball, way)| ball.centre += way * 0.005);
    }

    let each = |seconds: f64, steps: usize| seconds / (steps * count) as f64 * 1e9;
    lines.most(
        "list step at 0.01 r, ns per sphere",
        each(tested, kept),
        60.0,
    );
    let candidates = candidates as f64 / (kept * count) as f64;
    lines.note("candidates for each sphere", candidates);

    lines.note(
        "reading every ball once from a random place, ns",
        memory.read,
    );
    lines.most(
        "the same with the builds of the lists",
        each(all, steps),
        120.0,
    );
}

fn first_step_and_memory(count: usize, lines: &mut Lines) {
    let bodies = balls::<3>(count, 1.0, 1);
    let (mut auto, mut pairs) = (Auto::default(), Vec::new());
    let first = search(&mut auto, &bodies, &mut pairs, 1);
    lines.most(&format!("first step of {count} spheres, s"), first, 0.5);
    lines.most(
        "memory after it, bytes per sphere beside pairs",
        auto.memory() as f64 / count as f64,
        100.0,
    );
    search(&mut auto, &bodies, &mut pairs, 3);

    lines.most(
        "memory with a kept list",
        auto.memory() as f64 / count as f64,
        100.0,
    );
}

/// Measures a frame in which every body has jumped, after a frame at rest.
fn jump<M: BroadPhase<3> + Default>(count: usize) -> f64 {
    let (mut fresh, mut jumped, mut pairs) = (f64::INFINITY, f64::INFINITY, Vec::new());
    let mut method = M::default();
    for seed in 0..5 {
        let balls = balls::<3>(count, 1.0, seed);
        fresh = fresh.min(search(&mut M::default(), &balls, &mut pairs, 1));
        let seconds = search(&mut method, &balls, &mut pairs, 1);
        jumped = if seed > 0 {
            jumped.min(seconds)
        } else {
            jumped
        };
        search(&mut method, &balls, &mut pairs, 2);
    }

    jumped / fresh
}

fn jumps(count: usize, lines: &mut Lines) {
    lines.most(
        "everything jumps, sweep, builds from scratch",
        jump::<Sweep<3>>(count),
        2.0,
    );
    lines.most(
        "everything jumps, kept list",
        jump::<NeighbourList<3>>(count),
        2.0,
    );

    lines.most("everything jumps, auto", jump::<Auto<3>>(count), 2.0);
}

/// Compares Auto with the better of rebuilding and a neighbour list, over steps from a thousandth of an
/// edge to a whole edge. The list has the best of several skins, as chosen by a user who knows the
/// motion. All methods take every step in turn, so that disturbances of the machine affect all of them.
fn choice(count: usize, lines: &mut Lines) {
    let margins = [
        Skin::Auto,
        Skin::Margin(0.01),
        Skin::Margin(0.05),
        Skin::Margin(0.15),
    ];
    for length in [0.0, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0] {
        let (mut walk, mut pairs) = (Walk::new(count, length), Vec::new());
        let (mut auto, mut columns) = (Auto::default(), Columns::default());
        let mut lists = margins.map(NeighbourList::with_skin);
        let mut sums = [0.0; 2 + 4];

        for step in 0..42 {
            let scene = BroadScene::of(&walk.boxes);
            let mut seconds = [0.0; 2 + 4];
            seconds[0] = timed(|| auto.find_pairs(&scene, &mut pairs).expect("finite boxes")).1;
            seconds[1] = timed(|| {
                columns
                    .find_pairs(&scene, &mut pairs)
                    .expect("finite boxes")
            })
            .1;

            for (list, seconds) in lists.iter_mut().zip(&mut seconds[2..]) {
                *seconds = timed(|| list.find_pairs(&scene, &mut pairs).expect("finite boxes")).1;
            }

            // The first two steps have no history of the motion.
            if step > 1 {
                sums.iter_mut()
                    .zip(seconds)
                    .for_each(|(sum, seconds)| *sum += seconds);
            }

            walk.go();
        }

        let best = sums[1..].iter().copied().fold(f64::INFINITY, f64::min);
        lines.most(
            &format!("auto over the better of list and rebuild, {length} d"),
            sums[0] / best,
            1.2,
        );
    }
}
