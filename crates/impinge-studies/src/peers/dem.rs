//! A settled bed of spheres, compared with LAMMPS: the same bed, law and time step, in one run.
//!
//! Spheres of diameter 1 and mass 1 under a weight of 1 lie on a smooth floor, periodic to the sides.
//! The law is linear springs with damping and Coulomb friction with history (`gran/hooke/history`). The
//! floor is smooth because the friction of LAMMPS' walls differs from that of its pairs.
//!
//! The bed is settled by impinge, once, and saved as a file. Both programs start from it without
//! tangential springs, run warm-up steps, and then measure. The study compares kinetic energy, height
//! of the centre of mass, and contacts per sphere. After 500 steps the programs agree to 0.4 % in
//! kinetic energy, to four in a million in height, and to four in a hundred thousand in contacts.
//!
//! The law itself is compared in `dem_law.rs`.

use super::{dem_law, program};
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

/// Number of warm-up steps, in which tangential springs develop.
const WARM: usize = 200;

/// Duration of the settling.
const SETTLED: f64 = 20.0;

/// Width of the tile that settles, periodic to the sides; the bed consists of several tiles side by
/// side.
const TILE: f64 = 10.2;

/// A program's results per sphere, and its cost per sphere and step.
struct Answer {
    /// CPU time.
    nanoseconds: f64,
    /// Wall time.
    elapsed: f64,
    kinetic: f64,
    height: f64,
    contacts: f64,
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-dem")?;
    let (tile, tiles, steps) = if quick {
        (500, 2, 100)
    } else {
        (6_250, 4, 300)
    };
    let side = TILE * tiles as f64;
    let bed = folder.join(format!("bed-{}.bin", tile * tiles * tiles));
    let grains = settled(&bed, tile, tiles)?;

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
        let (answer, notes) = pool.install(|| measured(&grains, side, steps))?;
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
        match lammps(&folder, &bed, threads, steps, side, grains.len()) {
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

fn world(side: f64) -> Result<Particles> {
    let material = Material {
        restitution: RESTITUTION,
        friction: FRICTION,
        density: 6.0 / std::f64::consts::PI,
        ..Material::default()
    };
    let stiffness = Stiffness::Given(STIFFNESS);
    let normal = Normal::Linear {
        stiffness,
        tangential: 2.0 / 7.0,
        tangential_damping: 0.5,
    };

    let floor = Material {
        friction: 0.0,
        ..material
    };
    let mut particles = Particles::new(Setup {
        law: Law {
            normal,
            rolling: Rolling::None,
        },
        materials: vec![material, floor],
        gravity: [0.0, 0.0, -1.0],
        period: [Some([0.0, side]), Some([0.0, side]), None],
        ..Setup::default()
    })?;
    particles.add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 1)?)?;

    Ok(particles)
}

fn step(particles: &mut Particles, dt: f64) -> Result<()> {
    particles.begin(dt);
    particles.interact(dt)?;
    Ok(particles.finish(dt)?)
}

/// Reads the bed from the file, or settles a new one.
fn settled(path: &Path, tile: usize, tiles: usize) -> Result<Vec<Grain>> {
    let count = tile * tiles * tiles;
    if let Ok(bytes) = std::fs::read(path)
        && bytes.len() == 8 + 72 * count
    {
        return Ok(read(&bytes));
    }
    let one = settled_tile(tile)?;
    let mut grains = Vec::new();

    for n in 0..tiles * tiles {
        let shift = [(n % tiles) as f64 * TILE, (n / tiles) as f64 * TILE, 0.0];
        let moved = |g: &Grain| Grain {
            position: std::array::from_fn(|k| g.position[k] + shift[k]),
            ..*g
        };
        grains.extend(one.iter().map(moved));
    }

    let numbers = grains
        .iter()
        .flat_map(|g| [g.position, g.velocity, g.spin])
        .flatten();
    let bytes = (count as u64)
        .to_le_bytes()
        .into_iter()
        .chain(numbers.flat_map(f64::to_le_bytes));
    std::fs::write(path, bytes.collect::<Vec<u8>>()).with_context(|| path.display().to_string())?;

    Ok(grains)
}

fn settled_tile(count: usize) -> Result<Vec<Grain>> {
    let mut particles = world(TILE)?;
    let mut random = Random::new(1);
    let across = TILE as usize;
    let grains: Vec<Grain> = (0..count)
        .map(|n| {
            let cell =
                [n % across, n / across % across, n / (across * across)].map(|k| k as f64 + 0.5);
            let shift = random.direction::<3>() * 0.03;
            let position = std::array::from_fn(|k| cell[k] * 1.01 + shift[k]);
            Grain {
                position,
                radius: 0.5,
                ..Grain::default()
            }
        })
        .collect();
    particles.add(&grains)?;

    // The lattice collapses within some 10 time units.
    while particles.time() < SETTLED {
        step(&mut particles, 2.0 * DT)?;
    }

    println!(
        "a tile of {count} spheres has settled, {} contacts",
        particles.contact_count()
    );
    Ok(particles.grains().map(|(_, grain)| grain).collect())
}

fn read(bytes: &[u8]) -> Vec<Grain> {
    let numbers: Vec<f64> = bytes[8..]
        .as_chunks::<8>()
        .0
        .iter()
        .map(|b| f64::from_le_bytes(*b))
        .collect();
    let grain = |n: &[f64; 9]| Grain {
        position: [n[0], n[1], n[2]],
        velocity: [n[3], n[4], n[5]],
        spin: [n[6], n[7], n[8]],
        radius: 0.5,
        species: 0,
        is_fixed: false,
    };

    numbers.as_chunks::<9>().0.iter().map(grain).collect()
}

/// Simulates the bed with impinge; returns the results and statistics of the neighbour list.
fn measured(grains: &[Grain], side: f64, steps: usize) -> Result<(Answer, String)> {
    let mut particles = world(side)?;
    particles.add(grains)?;
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
        nanoseconds: cpu / (steps as f64 * count) * 1e9,
        elapsed: total / (steps as f64 * count) * 1e9,
        kinetic: particles.energy().kinetic / count,
        height: particles.centre_of_mass()[2],
        contacts: touching as f64 / count,
    };

    Ok((answer, notes))
}

fn lammps(
    folder: &Path,
    bed: &Path,
    ranks: usize,
    steps: usize,
    side: f64,
    count: usize,
) -> Result<Answer> {
    let zeta = damping_ratio(RESTITUTION);
    // Damping by reduced mass: 1/2 between spheres, 1 on the floor.
    let (damping, wall) = (
        2.0 * zeta * (2.0 * STIFFNESS).sqrt(),
        2.0 * zeta * STIFFNESS.sqrt(),
    );
    let mut script = program::script("dem.py", include_str!("../../peers/dem.py"), folder)?;
    script
        .arg(bed)
        .args([ranks, WARM, steps].map(|n| n.to_string()));
    script.args([DT, STIFFNESS, damping, wall, FRICTION, side].map(|x| x.to_string()));
    let numbers = program::numbers(&mut script)?;
    let [seconds, share, kinetic, height, contacts] = numbers[..] else {
        anyhow::bail!("it prints {} numbers instead of 5", numbers.len())
    };
    let elapsed = seconds / (steps * count) as f64 * 1e9;

    Ok(Answer {
        nanoseconds: elapsed * share,
        elapsed,
        kinetic,
        height,
        contacts,
    })
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
