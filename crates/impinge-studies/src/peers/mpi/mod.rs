//! The bed of `bed.rs` on MPI ranks, compared with LAMMPS on as many: speed, weak scaling, and what is sent.
//!
//! Each rank of impinge is this program, started by `mpirun`, with one thread. Weak scaling doubles
//! the bed with the ranks. Steps are measured in windows, and the fastest counts: ranks wait for each other, so
//! that a moment in which another program has one of the cores costs all of them. Two runs side by side that do not communicate show what the machine allows.
//! Ghosts of a packing of sizes 1:10 are compared in `ghosts.rs`.
//!
//! The feature `mpi` connects the ranks; without it the study is skipped.

mod ghosts;
mod measured;
pub(crate) mod rank;
mod sizes;

use super::bed::{Answer, Bed};
use crate::study::{self, Findings, Table};
use anyhow::Result;
use measured::{Measured, mpirun, started};
use std::process::Command;

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-mpi")?;
    let mut findings = Findings::default();
    if let Err(reason) = available() {
        findings.skip("runs on MPI ranks", reason);
        return Ok(findings);
    }

    let (tile, tiles, steps) = if quick {
        (500, [2, 2], [25, 4])
    } else {
        (6_250, [4, 4], [150, 4])
    };
    let bed = Bed::new(&folder, tile, tiles)?;
    let double = Bed::new(&folder, tile, [tiles[0], 2 * tiles[1]])?;
    let mut table = Table::new(&["program", "spheres", "ranks", "cundall"]);
    println!(
        "{:<12}{:>10}{:>8}{:>16}{:>12}{:>10}",
        "", "spheres", "ranks", "Cundall, 1e6/s", "kinetic", "contacts"
    );

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (bed, ranks) in [(&bed, 1), (&bed, 2), (&double, 2)] {
        let measured = on_ranks(mpirun(ranks), bed, steps)?;
        report(
            &mut table,
            "impinge",
            (bed, ranks),
            measured.elapsed,
            [measured.kinetic, measured.contacts],
        );
        ours.push(measured);
        match bed.lammps(&folder, ranks, steps) {
            Ok(answer) => {
                report(
                    &mut table,
                    "LAMMPS",
                    (bed, ranks),
                    answer.elapsed,
                    [answer.kinetic, answer.contacts],
                );
                theirs.push(answer);
            }
            Err(reason) => {
                findings.skip(format!("LAMMPS, {ranks} rank(s)"), format!("{reason:#}"));
            }
        }
    }
    table.save(&folder.join("cundall.csv"))?;

    findings.check(
        ours[0].kinetic == ours[1].kinetic,
        "one and two ranks give the same bytes",
    );
    compare(&mut findings, &ours, &theirs);
    scaling(&mut findings, &ours, &theirs, side_by_side(&bed, steps)?);
    traffic(&mut findings, &ours);
    ghosts::run(&mut findings, &folder, quick)?;
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

/// Why no ranks can be started.
fn available() -> Result<(), &'static str> {
    if !cfg!(feature = "mpi") {
        return Err("built without the feature mpi of impinge-studies");
    }
    match Command::new("mpirun").arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("mpirun is not installed (Debian: libopenmpi-dev openmpi-bin)"),
    }
}

fn on_ranks(launcher: Command, bed: &Bed, steps: [usize; 2]) -> Result<Measured> {
    started(launcher, &bed.path, steps, &bed.sides)
}

/// Runs the bed twice at the same time, without a connection. Returns the time per sphere and step, ns.
fn side_by_side(bed: &Bed, steps: [usize; 2]) -> Result<f64> {
    std::thread::scope(|scope| {
        let runs = ["0", "1"].map(|core| {
            scope.spawn(move || {
                let mut launcher = Command::new("taskset");
                launcher.args(["-c", core]);
                on_ranks(launcher, bed, steps)
            })
        });
        let mut sum = 0.0;
        for run in runs {
            sum += run.join().expect("it returns its errors")?.elapsed;
        }
        Ok(sum / 2.0)
    })
}

fn report(
    table: &mut Table,
    name: &str,
    (bed, ranks): (&Bed, usize),
    elapsed: f64,
    [kinetic, contacts]: [f64; 2],
) {
    let count = bed.grains.len();
    let cundall = 1e9 / elapsed;
    println!(
        "{name:<12}{count:>10}{ranks:>8}{:>16.2}{kinetic:>12.4e}{contacts:>10.4}",
        1e-6 * cundall,
    );
    table.row(&[&name, &count, &ranks, &cundall]);
}

fn compare(findings: &mut Findings, ours: &[Measured], theirs: &[Answer]) {
    for (ours, theirs) in ours.iter().zip(theirs).take(2) {
        let ratio = theirs.elapsed / ours.elapsed;
        findings.timing(
            ratio >= 1.0,
            format!(
                "{} rank(s): {ratio:.2} times LAMMPS' Cundall number",
                ours.ranks
            ),
        );
        findings.check(
            (ours.contacts - theirs.contacts).abs() <= 1e-3 * theirs.contacts,
            "the same contacts, to one in a thousand",
        );
    }
}

fn scaling(findings: &mut Findings, ours: &[Measured], theirs: &[Answer], alone: f64) {
    let [one, two, double] = ours else { return };
    // On two ranks a sphere takes half the time, if nothing is lost.
    let efficiency = |one: f64, two: f64| 50.0 * one / two;
    println!(
        "\ntwo runs side by side without a connection: {:.0} % of the speed of one alone",
        100.0 * one.elapsed / alone
    );
    println!(
        "strong scaling: {:.0} %",
        efficiency(one.elapsed, two.elapsed)
    );
    if let [one, two, double] = theirs {
        println!(
            "LAMMPS: weak scaling {:.0} %, strong {:.0} %",
            efficiency(one.elapsed, double.elapsed),
            efficiency(one.elapsed, two.elapsed)
        );
    }
    let weak = efficiency(one.elapsed, double.elapsed);
    findings.timing(
        weak >= 85.0,
        format!("weak scaling on 2 ranks: {weak:.0} %"),
    );
}

/// Prints what a rank sends in a step, and the constants of docs/scale.md.
fn traffic(findings: &mut Findings, ours: &[Measured]) {
    println!(
        "\nof a rank:        ghosts  6 (N/P)^(2/3)  messages/step  kB/step  kB/step at rebuilds  waiting"
    );
    for of in ours.iter().filter(|measured| measured.ranks > 1.0) {
        println!(
            "{:>8} on {:<4}{:>8.0}{:>15.0}{:>15.2}{:>9.1}{:>21.1}{:>7.1} %",
            of.count,
            of.ranks,
            of.ghosts,
            of.model(),
            of.messages,
            1e-3 * of.bytes,
            1e-3 * of.rebuild_bytes,
            100.0 * of.waiting
        );
        findings.check(
            of.ghosts <= of.model(),
            format!(
                "{} on {} ranks: {:.2} of the ghosts of the model 6 (N/P)^(2/3)",
                of.count,
                of.ranks,
                of.ghosts / of.model()
            ),
        );
    }

    let (one, of) = (&ours[0], &ours[ours.len() - 1]);
    println!(
        "constants: {:.0} ns per particle and step, {:.0} bytes of memory each; {:.0} ns to pack and unpack a ghost; lists last \
         {:.0} steps; {:.1} µs for a reduction, {:.1} µs for a message, {:.1} GB/s",
        one.elapsed,
        one.memory,
        of.packing,
        one.lasts,
        1e6 * of.reduction,
        1e6 * of.latency,
        1e-9 * of.bandwidth
    );
}
