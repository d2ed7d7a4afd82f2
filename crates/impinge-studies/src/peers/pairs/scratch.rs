//! All overlapping pairs of spheres from scratch, for equal and unequal sizes; and of boxes in 2D.

use super::peer::{Found, REPEATS};
use super::scenes::balls;
use super::{Difference, Markdown, crates, program, threads};
use crate::study::{Findings, Table, timed};
use anyhow::{Context, Result, bail};
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, BruteForce, Columns, Pair, Proxy};
use impinge::space::Aabb;
use std::path::Path;

/// Ratios of the largest to the smallest radius.
const RATIOS: [f64; 3] = [1.0, 10.0, 100.0];

/// One program's results for each ratio: nanoseconds per body and the difference from the exact list.
type Row = Vec<Result<(f64, Difference)>>;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let count = if quick { 5_000 } else { 1_000_000 };
    let mut rows: Vec<(&str, Row)> = PROGRAMS.iter().map(|&name| (name, Row::new())).collect();
    let mut exact_pairs = Vec::new();

    for ratio in RATIOS {
        let balls = balls::<3>(count, ratio, 1);
        let exact = exact_pairs_of(&balls)?;
        write_bodies(folder, &balls)?;

        for (name, row) in &mut rows {
            let measured = measure(name, folder, &balls, &exact);
            let measured =
                measured.map(|(seconds, difference)| (seconds / count as f64 * 1e9, difference));
            if let Ok((each, _)) = &measured {
                println!("  1:{ratio} {name}: {each:.0} ns");
            }
            row.push(measured);
        }

        exact_pairs.push(exact.len());
    }

    let title = format!("All overlapping pairs of {count} spheres from scratch, ns per sphere");
    print(&title, folder, &rows, &exact_pairs, "scratch.csv")?;
    check(&rows, findings);
    plane(folder, count, findings)
}

const PROGRAMS: [&str; 8] = [
    "impinge, one thread",
    "impinge, two threads",
    "parry3d-f64, hierarchy",
    "kiddo, a query for each",
    "kiddo, join",
    "scipy cKDTree",
    "LAMMPS bin",
    "LAMMPS multi",
];

fn measure(
    name: &str,
    folder: &Path,
    balls: &[Ball<3>],
    exact: &[Pair],
) -> Result<(f64, Difference)> {
    match name {
        "impinge, one thread" => ours(balls, 1, exact),
        "impinge, two threads" => ours(balls, 2, exact),
        "parry3d-f64, hierarchy" => listed(crates::parry_scratch(balls)?, exact),
        "kiddo, a query for each" => listed(crates::kiddo_queries(one_size(balls)?)?, exact),
        "kiddo, join" => listed(crates::kiddo_join(one_size(balls)?)?, exact),
        "scipy cKDTree" => python(folder, "scipy", exact),
        "LAMMPS bin" if spread(balls) > 30.0 => bail!("cells as wide as the largest hold too many"),
        "LAMMPS bin" => python(folder, "lammps-bin", exact),
        _ => python(folder, "lammps-multi", exact),
    }
}

/// Our lists are those of the reference, and peers that were not measured are skipped.
fn check(rows: &[(&str, Row)], findings: &mut Findings) {
    let none = Difference {
        missing: 0,
        extra: 0,
    };
    for (name, row) in rows {
        let measured: Vec<Difference> = row.iter().flatten().map(|(_, d)| *d).collect();
        match row.iter().find_map(|cell| cell.as_ref().err()) {
            _ if name.starts_with("impinge") => findings.check(
                measured.len() == row.len() && measured.iter().all(|d| *d == none),
                format!("{name}: exactly the overlapping pairs"),
            ),
            Some(reason) if measured.is_empty() => findings.skip(name, format!("{reason:#}")),
            _ => {}
        }
    }
}

/// Number of bodies up to which brute force is the reference. Above it, our own method is: it has been
/// compared with brute force on fewer.
const BRUTE_FORCE: usize = 20_000;

fn exact_pairs_of<B: Proxy<D>, const D: usize>(bodies: &[B]) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    let scene = BroadScene::of(bodies);
    if bodies.len() <= BRUTE_FORCE {
        BruteForce::default().find_pairs(&scene, &mut pairs)?;
    } else {
        Columns::default().find_pairs(&scene, &mut pairs)?;
    }
    Ok(pairs)
}

/// Measures our method. It keeps its memory, as from step to step, but no cached knowledge.
fn ours<B: Proxy<D>, const D: usize>(
    bodies: &[B],
    thread_count: usize,
    exact: &[Pair],
) -> Result<(f64, Difference)> {
    threads(thread_count)?.install(|| {
        let (mut columns, mut pairs) = (Columns::default(), Vec::new());
        let mut seconds = f64::INFINITY;
        for _ in 0..=REPEATS {
            let (found, time) = timed(|| columns.find_pairs(&BroadScene::of(bodies), &mut pairs));
            found?;
            seconds = seconds.min(time);
        }
        Ok((seconds, Difference::of(&mut pairs, exact)))
    })
}

fn listed(mut found: Found, exact: &[Pair]) -> Result<(f64, Difference)> {
    Ok((found.seconds, Difference::of(&mut found.pairs, exact)))
}

/// Returns the ratio of the largest to the smallest radius.
fn spread(balls: &[Ball<3>]) -> f64 {
    let radii = || balls.iter().map(|ball| ball.radius);
    radii().fold(0.0, f64::max) / radii().fold(f64::INFINITY, f64::min)
}

fn one_size(balls: &[Ball<3>]) -> Result<&[Ball<3>]> {
    if balls.iter().any(|ball| ball.radius != balls[0].radius) {
        bail!("it knows one radius only");
    }
    Ok(balls)
}

fn files(folder: &Path) -> [std::path::PathBuf; 2] {
    ["bodies.bin", "answers.bin"].map(|name| folder.join(name))
}

fn write_bodies(folder: &Path, balls: &[Ball<3>]) -> Result<()> {
    let mut bytes = (balls.len() as u64).to_le_bytes().to_vec();
    let numbers = balls
        .iter()
        .flat_map(|b| [b.centre.x, b.centre.y, b.centre.z, b.radius]);
    bytes.extend(numbers.flat_map(f64::to_le_bytes));
    std::fs::write(&files(folder)[0], bytes).context("cannot write the bodies")
}

fn python(folder: &Path, peer: &str, exact: &[Pair]) -> Result<(f64, Difference)> {
    let [bodies, answers] = files(folder);
    let _ = std::fs::remove_file(&answers);
    let mut script = program::script("pairs.py", include_str!("../../../peers/pairs.py"), folder)?;
    let numbers = program::numbers(script.arg(peer).args([&bodies, &answers]))?;
    let [seconds, count] = numbers[..] else {
        bail!("it prints {} numbers instead of 2", numbers.len())
    };
    let Ok(bytes) = std::fs::read(&answers) else {
        return Ok((seconds, Difference::of_count(count as usize, exact.len())));
    };
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));

    let mut pairs = bytes
        .chunks_exact(8)
        .map(|two| Pair::new(number(&two[..4]), number(&two[4..])))
        .collect();
    Ok((seconds, Difference::of(&mut pairs, exact)))
}

fn print(
    title: &str,
    folder: &Path,
    rows: &[(&str, Row)],
    exact: &[usize],
    file: &str,
) -> Result<()> {
    let mut header = vec![String::new()];
    header.extend(
        RATIOS
            .iter()
            .take(exact.len())
            .map(|ratio| format!("1:{ratio}")),
    );
    let mut markdown = Markdown::new(&header);

    let mut table = Table::new(&[
        "program",
        "ratio",
        "ns_per_body",
        "pairs",
        "missing",
        "extra",
    ]);

    for (name, row) in rows {
        let mut cells = Vec::new();
        for (k, cell) in row.iter().enumerate() {
            cells.push(match cell {
                Ok((each, difference)) => {
                    let (missing, extra) = (difference.missing, difference.extra);
                    table.row(&[
                        &name.replace(',', ""),
                        &RATIOS[k],
                        each,
                        &exact[k],
                        &missing,
                        &extra,
                    ]);
                    format!("{each:.0}{}", difference.remark(exact[k]))
                }
                Err(reason) => format!("– ({reason:#})"),
            });
        }

        markdown.row(name, &cells);
    }

    println!("\n{title} ({exact:?} pairs)\n\n{}", markdown.text);
    table.save(&folder.join(file))
}

/// Measures rectangles around discs, the only shape that broccoli supports.
fn plane(folder: &Path, count: usize, findings: &mut Findings) -> Result<()> {
    let boxes: Vec<Aabb<2>> = balls::<2>(count, 1.0, 2)
        .iter()
        .map(Proxy::bounds)
        .collect();
    let exact = exact_pairs_of(&boxes)?;
    let each =
        |(seconds, difference): (f64, Difference)| (seconds / count as f64 * 1e9, difference);
    let rows = [
        (
            "impinge, one thread",
            vec![ours(&boxes, 1, &exact).map(each)],
        ),
        (
            "impinge, two threads",
            vec![ours(&boxes, 2, &exact).map(each)],
        ),
        (
            "broccoli",
            vec![
                crates::broccoli(&boxes)
                    .and_then(|found| listed(found, &exact))
                    .map(each),
            ],
        ),
    ];
    let title = format!(
        "All overlapping pairs of {count} squares in the plane from scratch, ns per square"
    );

    check(&rows, findings);
    print(&title, folder, &rows, &[exact.len()], "plane.csv")
}
