//! A settled bed of spheres beside LAMMPS: the same bed, law and time step, in one run.
//!
//! Spheres of diameter 1 and mass 1 under a weight of 1 lie on a frictional floor, periodic to the sides; linear springs with
//! damping, Coulomb friction with history (`gran/hooke/history`). The bed is settled by impinge, once, and kept as a file.
//! Both programs begin from it without springs, run warm, and then measure. What they say about the bed is compared: kinetic
//! energy, height of the centre of mass, contacts for each sphere.

use super::program;
use crate::study::{self, Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::space::Random;
use impinge_sim::law::{Law, Material, Normal, Rolling, Stiffness, damping_ratio};
use impinge_sim::{Grain, Matter, Obstacle, Particles, Setup};
use std::path::Path;

const STIFFNESS: f64 = 2e4;
const RESTITUTION: f64 = 0.5;
const FRICTION: f64 = 0.5;

/// A tenth of √(m/k).
const DT: f64 = 7e-4;

/// Steps before the measured ones, in which springs come about.
const WARM: usize = 200;

/// Layers of the lattice that the bed settles from.
const LAYERS: usize = 60;

/// What a program says of the bed, for each sphere, and what it took.
struct Answer {
    nanoseconds: f64,
    kinetic: f64,
    height: f64,
    contacts: f64,
}

pub(crate) fn run(quick: bool) -> Result<()> {
    let folder = study::folder("peers-dem")?;
    let (count, steps) = if quick { (2_000, 100) } else { (100_000, 300) };
    let side = (count as f64 / LAYERS as f64).sqrt().ceil();
    let bed = folder.join(format!("bed-{count}.bin"));
    let grains = settled(&bed, count, side)?;
    let (mut findings, mut table) =
        (Findings::default(), Table::new(&["program", "threads", "ns", "kinetic", "height", "contacts"]));
    println!("{:<12}{:>8}{:>10}{:>12}{:>12}{:>10}", "", "threads", "ns", "kinetic", "height", "contacts");
    let mut ours = Vec::new();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let (answer, notes) = pool.install(|| measured(&grains, side, steps))?;
        report(&mut table, "impinge", threads, &answer);
        println!("{notes}");
        ours.push(answer);
    }
    findings.timing(
        ours[0].nanoseconds > 1.6 * ours[1].nanoseconds,
        format!("two threads are {:.2} times as fast", ours[0].nanoseconds / ours[1].nanoseconds),
    );
    findings.check(ours[0].kinetic == ours[1].kinetic, "one and two threads give the same bytes");
    for (threads, ours) in [1, 2].into_iter().zip(&ours) {
        match lammps(&folder, &bed, threads, steps, side, grains.len()) {
            Ok(theirs) => {
                report(&mut table, "LAMMPS", threads, &theirs);
                compare(&mut findings, ours, &theirs, threads);
            }
            Err(reason) => println!("LAMMPS, {threads} rank(s): not measured: {reason:#}"),
        }
    }
    table.save(&folder.join("dem.csv"))?;
    println!("\nwritten: {}", folder.display());
    findings.finish()
}

fn compare(findings: &mut Findings, ours: &Answer, theirs: &Answer, threads: usize) {
    let ratio = theirs.nanoseconds / ours.nanoseconds;
    findings.timing(ratio > 1.5, format!("{threads} thread(s): {ratio:.2} times as fast as LAMMPS"));
    let near = |a: f64, b: f64, share: f64| (a - b).abs() <= share * a.abs().max(b.abs());
    findings.check(near(ours.height, theirs.height, 1e-6), "the same height of the centre of mass");
    findings.check(near(ours.contacts, theirs.contacts, 1e-3), "the same contacts, to one in a thousand");
    findings.check(near(ours.kinetic, theirs.kinetic, 0.02), "the same kinetic energy, to 2 %");
}

fn report(table: &mut Table, name: &str, threads: usize, answer: &Answer) {
    let Answer { nanoseconds, kinetic, height, contacts } = answer;
    println!("{name:<12}{threads:>8}{nanoseconds:>10.1}{kinetic:>12.4e}{height:>12.6}{contacts:>10.4}");
    table.row(&[&name, &threads, nanoseconds, kinetic, height, contacts]);
}

fn world(side: f64) -> Result<Particles> {
    let material = Material {
        restitution: RESTITUTION,
        friction: FRICTION,
        density: 6.0 / std::f64::consts::PI,
        ..Material::default()
    };
    let stiffness = Stiffness::Given(STIFFNESS);
    let normal = Normal::Linear { stiffness, tangential: 2.0 / 7.0, tangential_damping: 0.5 };
    let mut particles = Particles::new(Setup {
        law: Law { normal, rolling: Rolling::None },
        materials: vec![material],
        gravity: [0.0, 0.0, -1.0],
        period: [Some([0.0, side]), Some([0.0, side]), None],
        ..Setup::default()
    })?;
    particles.add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 0)?)?;
    Ok(particles)
}

fn step(particles: &mut Particles, dt: f64) -> Result<()> {
    particles.begin(dt);
    particles.interact(dt)?;
    Ok(particles.finish(dt)?)
}

/// The bed of the file, or a new one.
fn settled(path: &Path, count: usize, side: f64) -> Result<Vec<Grain>> {
    if let Ok(bytes) = std::fs::read(path)
        && bytes.len() == 8 + 72 * count
    {
        return Ok(read(&bytes));
    }
    let mut particles = world(side)?;
    let mut random = Random::new(1);
    let across = side as usize;
    let grains: Vec<Grain> = (0..count)
        .map(|n| {
            let cell = [n % across, n / across % across, n / (across * across)].map(|k| k as f64 + 0.5);
            let shift = random.direction::<3>() * 0.03;
            Grain {
                position: std::array::from_fn(|k| cell[k] * 0.999 + shift[k]),
                radius: 0.5,
                ..Grain::default()
            }
        })
        .collect();
    particles.add(&grains)?;
    let (_, seconds) = timed(|| -> Result<()> {
        // Long steps first; the collapse of the lattice takes some 30 time units.
        while particles.time() < 30.0 {
            step(&mut particles, 2.0 * DT)?;
        }
        Ok(())
    });
    println!("a bed of {count} settled in {seconds:.0} s, {} contacts", particles.contact_count());
    let grains: Vec<Grain> = particles.grains().map(|(_, grain)| grain).collect();
    let numbers = grains.iter().flat_map(|g| [g.position, g.velocity, g.spin]).flatten();
    let bytes = (count as u64).to_le_bytes().into_iter().chain(numbers.flat_map(f64::to_le_bytes));
    std::fs::write(path, bytes.collect::<Vec<u8>>()).with_context(|| path.display().to_string())?;
    Ok(grains)
}

fn read(bytes: &[u8]) -> Vec<Grain> {
    let numbers: Vec<f64> = bytes[8..].as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let grain = |n: &[f64; 9]| Grain {
        position: [n[0], n[1], n[2]],
        velocity: [n[3], n[4], n[5]],
        spin: [n[6], n[7], n[8]],
        radius: 0.5,
        species: 0,
    };
    numbers.as_chunks::<9>().0.iter().map(grain).collect()
}

/// The bed by impinge: the answer, and what its list did.
fn measured(grains: &[Grain], side: f64, steps: usize) -> Result<(Answer, String)> {
    let mut particles = world(side)?;
    particles.add(grains)?;
    (0..WARM).try_for_each(|_| step(&mut particles, DT))?;
    let mut seconds = Vec::new();
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
    seconds.sort_by(f64::total_cmp);
    let plain = seconds[steps / 2];
    let detection: f64 = building.iter().map(|took| (took - plain).max(0.0)).sum();
    let count = grains.len() as f64;
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
        nanoseconds: total / (steps as f64 * count) * 1e9,
        kinetic: particles.energy().kinetic / count,
        height: particles.centre_of_mass()[2],
        contacts: touching as f64 / count,
    };
    Ok((answer, notes))
}

fn lammps(folder: &Path, bed: &Path, ranks: usize, steps: usize, side: f64, count: usize) -> Result<Answer> {
    let zeta = damping_ratio(RESTITUTION);
    // Damping by reduced mass: 1/2 between spheres, 1 on the floor.
    let (damping, wall) = (2.0 * zeta * (2.0 * STIFFNESS).sqrt(), 2.0 * zeta * STIFFNESS.sqrt());
    let mut script = program::script("dem.py", include_str!("../../peers/dem.py"), folder)?;
    script.arg(bed).args([ranks, WARM, steps].map(|n| n.to_string()));
    script.args([DT, STIFFNESS, damping, wall, FRICTION, side].map(|x| x.to_string()));
    let numbers = program::numbers(&mut script)?;
    let [seconds, kinetic, height, contacts] = numbers[..] else {
        anyhow::bail!("it prints {} numbers instead of 4", numbers.len())
    };
    let nanoseconds = seconds / (steps * count) as f64 * 1e9;
    Ok(Answer { nanoseconds, kinetic, height, contacts })
}
