//! A settled bed of spheres, compared with LAMMPS: the same bed, law and time step, in one run.
//!
//! Both programs start from the settled bed of `bed.rs`, run warm-up steps, and then measure. The study
//! compares kinetic energy, height of the centre of mass, and contacts per sphere. After 500 steps the programs agree to 0.4 % in
//! kinetic energy, to four in a million in height, and to four in a hundred thousand in contacts.
//!
//! The law itself is compared in `dem_law.rs`.

use super::bed::{Answer, Bed, DT, WARM, step};
use super::dem_law;
use crate::study::{self, Findings, Table, timed};
use anyhow::Result;
use impinge_sim::Matter;

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-dem")?;
    let (tile, tiles, steps) = if quick {
        (500, 2, 100)
    } else {
        (6_250, 4, 300)
    };
    let bed = Bed::new(&folder, tile, [tiles; 2])?;

    let (mut findings, mut table) = (
        Findings::default(),
        Table::new(&[
            "program", "threads", "cpu_ns", "ns", "kinetic", "height", "contacts",
        ]),
    );
    println!(
        "{:<12}{:>8}{:>10}{:>10}{:>12}{:>12}{:>10}",
        "", "threads", "CPU ns", "ns", "kinetic", "height", "contacts"
    );
    let mut ours = Vec::new();

    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let (answer, notes) = pool.install(|| measured(&bed, steps))?;
        report(&mut table, "impinge", threads, &answer);
        println!("{notes}");
        ours.push(answer);
    }

    findings.timing(
        ours[0].elapsed > 1.6 * ours[1].elapsed,
        format!(
            "two threads are {:.2} times as fast",
            ours[0].elapsed / ours[1].elapsed
        ),
    );
    findings.check(
        ours[0].kinetic == ours[1].kinetic,
        "one and two threads give the same bytes",
    );

    for (threads, ours) in [1, 2].into_iter().zip(&ours) {
        match bed.lammps(&folder, threads, [steps, 1]) {
            Ok(theirs) => {
                report(&mut table, "LAMMPS", threads, &theirs);
                compare(&mut findings, ours, &theirs, threads);
            }
            Err(reason) => {
                findings.skip(format!("LAMMPS, {threads} rank(s)"), format!("{reason:#}"));
            }
        }
    }

    table.save(&folder.join("dem.csv"))?;
    dem_law::run(&mut findings, &folder, quick)?;
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

fn compare(findings: &mut Findings, ours: &Answer, theirs: &Answer, threads: usize) {
    let ratio = theirs.nanoseconds / ours.nanoseconds;
    findings.timing(
        ratio > 1.5,
        format!("{threads} thread(s): {ratio:.2} times as fast as LAMMPS"),
    );
    let near = |a: f64, b: f64, share: f64| (a - b).abs() <= share * a.abs().max(b.abs());
    findings.check(
        near(ours.height, theirs.height, 1e-5),
        "the same height of the centre of mass",
    );

    findings.check(
        near(ours.contacts, theirs.contacts, 1e-3),
        "the same contacts, to one in a thousand",
    );
    findings.check(
        near(ours.kinetic, theirs.kinetic, 0.02),
        "the same kinetic energy, to 2 %",
    );
}

fn report(table: &mut Table, name: &str, threads: usize, answer: &Answer) {
    let Answer {
        nanoseconds,
        elapsed,
        kinetic,
        height,
        contacts,
    } = answer;
    println!(
        "{name:<12}{threads:>8}{nanoseconds:>10.1}{elapsed:>10.1}{kinetic:>12.4e}{height:>12.6}{contacts:>10.4}"
    );

    table.row(&[
        &name,
        &threads,
        nanoseconds,
        elapsed,
        kinetic,
        height,
        contacts,
    ]);
}

/// Simulates the bed with impinge; returns the results and statistics of the neighbour list.
fn measured(bed: &Bed, steps: usize) -> Result<(Answer, String)> {
    let mut particles = bed.particles()?;
    (0..WARM).try_for_each(|_| step(&mut particles, DT))?;
    let mut seconds = Vec::new();
    let cpu = cpu_seconds();
    let mut building = Vec::new();

    for _ in 0..steps {
        let before = particles.list_counters().0;
        let (done, took) = timed(|| step(&mut particles, DT));
        done?;
        seconds.push(took);
        if particles.list_counters().0 > before {
            building.push(took);
        }
    }

    let total: f64 = seconds.iter().sum();
    let cpu = cpu_seconds()
        .zip(cpu)
        .map_or(total, |(now, then)| now - then);
    seconds.sort_by(f64::total_cmp);
    let plain = seconds[steps / 2];
    let detection: f64 = building.iter().map(|took| (took - plain).max(0.0)).sum();
    let count = bed.grains.len() as f64;
    let touching = particles.contact_count() - particles.obstacles()[0].contact_count();

    let notes = format!(
        "            {} lists in {steps} steps, {:.1} % of the time; median step {:.1} ns; {:.2} candidates and {:.0} bytes a sphere",
        building.len(),
        100.0 * detection / total,
        plain / count * 1e9,
        particles.list_counters().1 as f64 / count,
        particles.memory() as f64 / count,
    );

    let answer = Answer {
        nanoseconds: cpu / (steps as f64 * count) * 1e9,
        elapsed: total / (steps as f64 * count) * 1e9,
        kinetic: particles.energy().kinetic / count,
        height: particles.centre_of_mass()[2],
        contacts: touching as f64 / count,
    };

    Ok((answer, notes))
}

/// Returns the CPU time of all threads, if the system provides it.
fn cpu_seconds() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let nanoseconds = tasks.map(|task| {
        let times = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        times.split_whitespace().next()?.parse::<f64>().ok()
    });
    Some(nanoseconds.sum::<Option<f64>>()? * 1e-9)
}
