//! The contact law of spheres, compared with LAMMPS: single collisions, and a bed that settles.
//!
//! Energy balances cannot show a wrong dashpot, because they count as lost what contacts take. The
//! same collisions are therefore run in both programs, at a step short enough for both to converge,
//! and the velocities and spins afterwards compared. LAMMPS gets the same damping coefficients.
//! Its contacts do not pull either (`limit_damping`). Where contacts slip there is no tangential
//! dashpot, because LAMMPS stretches the tangential spring backwards where spring and dashpot
//! together exceed Coulomb's limit: the friction of a sliding collision of restitution 0.3 is then
//! 0.58 of μ times the normal impulse. Its Hertz law always has that dashpot here, and is compared
//! where nothing slips.

use super::program;
use crate::study::{Findings, Table};
use anyhow::Result;
use impinge::space::Random;
use impinge_sim::law::{Law, Material, Normal, Rolling, Stiffness, damping_ratio};
use impinge_sim::{Grain, Matter, Obstacle, Particles, Setup};
use std::f64::consts::PI;
use std::path::Path;

const STIFFNESS: f64 = 2e4;
const POISSON: f64 = 0.3;
const FRICTION: f64 = 0.3;

/// Stiffness of single collisions: spheres overlap by less than a thousandth of their radius. LAMMPS takes the radii
/// as the arms of friction, impinge the distances to the contact, so that spins differ by the overlap.
const HARD: f64 = 2e6;
const YOUNG: f64 = 1e8;

/// Friction at which nothing slips.
const STICKS: f64 = 10.0;

/// Step and number of steps of a collision, which lasts some 0.002.
const DT: f64 = 1e-6;
const STEPS: usize = 20_000;

/// Width of the bed, periodic to the sides, its step and its duration.
const SIDE: f64 = 8.0;
const BED_DT: f64 = 7e-4;
const DURATION: f64 = 14.0;
const SAMPLES: usize = 10;

/// Number of random starts of a bed.
const STARTS: u64 = 5;

pub(super) fn run(findings: &mut Findings, folder: &Path, quick: bool) -> Result<()> {
    let mut table = Table::new(&["case", "restitution", "quantity", "impinge", "lammps"]);
    if let Err(reason) = collisions(findings, &mut table, folder) {
        findings.skip("collisions beside LAMMPS", format!("{reason:#}"));
    }

    let count = if quick { 512 } else { 4096 };
    for restitution in [0.1, 0.5, 0.9] {
        if let Err(reason) = bed(findings, &mut table, folder, count, restitution) {
            findings.skip(
                format!("bed of restitution {restitution} beside LAMMPS"),
                format!("{reason:#}"),
            );
        }
    }

    table.save(&folder.join("law.csv"))
}

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        young: YOUNG,
        poisson: POISSON,
        restitution,
        friction,
        density: 6.0 / PI,
        ..Material::default()
    }
}

/// Without a tangential dashpot.
fn linear(stiffness: f64) -> Law {
    Law {
        normal: Normal::Linear {
            stiffness: Stiffness::Given(stiffness),
            tangential: 2.0 / 7.0,
            tangential_damping: 0.0,
        },
        rolling: Rolling::None,
    }
}

/// Two spheres about to collide: obliquely, and one of them spinning.
fn pairs() -> [[Grain; 2]; 3] {
    let pair = |offset: f64, velocity: [f64; 3], spin: [f64; 3]| {
        let x = (1.0 - offset * offset).sqrt() + 1e-3;
        let ball = |position, velocity, spin| Grain {
            position,
            velocity,
            spin,
            radius: 0.5,
            species: 0,
            is_fixed: false,
        };
        [
            ball([0.0; 3], velocity, spin),
            ball([x, offset, 0.0], [-0.3, 0.0, 0.1], [0.0; 3]),
        ]
    };

    [
        pair(0.0, [1.0, 0.0, 0.0], [0.0; 3]),
        pair(0.3, [1.0, 0.5, 0.0], [0.0, 0.0, 3.0]),
        pair(0.0, [1.0, 0.1, 0.0], [0.5, 0.4, 1.0]),
    ]
}

fn collisions(findings: &mut Findings, table: &mut Table, folder: &Path) -> Result<()> {
    let hertz = Law {
        normal: Normal::HertzMindlin,
        rolling: Rolling::None,
    };
    // Hertz's law of LAMMPS has no damping ratio above 1, which 0.1 needs.
    for (name, law, friction, restitutions) in [
        ("linear", linear(HARD), FRICTION, &[0.1, 0.5, 0.9][..]),
        ("hertz", hertz, STICKS, &[0.3, 0.5, 0.9][..]),
    ] {
        for &restitution in restitutions {
            let mut worst: [f64; 2] = [0.0; 2];
            let mut seen = [0.0; 2];
            for (number, pair) in pairs().iter().enumerate() {
                let material = material(restitution, friction);
                let ours = collided(law, material, pair)?;
                let theirs = lammps(folder, name, &material, pair)?;
                let off = |range: std::ops::Range<usize>| {
                    let off = range.map(|k| (ours[k] - theirs[k]).abs());
                    off.fold(0.0, f64::max)
                };
                worst[0] = worst[0].max(off(0..3)).max(off(6..9));
                worst[1] = worst[1].max(off(3..6)).max(off(9..12));

                if number == 0 {
                    seen = [&ours, &theirs].map(|state| (state[6] - state[0]) / 1.3);
                }
                for (k, what) in ["vx", "vy", "vz", "wx", "wy", "wz"].iter().enumerate() {
                    let case = format!("{name} {number}");
                    table.row(&[&case, &restitution, what, &ours[k], &theirs[k]]);
                }
            }

            findings.check(
                worst[0] < 0.005 && worst[1] < 0.01,
                format!(
                    "{name} collisions of restitution {restitution}: head-on {:.4}, LAMMPS {:.4}; velocities within \
                     {:.1e}, spins within {:.1e} of LAMMPS'",
                    seen[0], seen[1], worst[0], worst[1]
                ),
            );
        }
    }

    Ok(())
}

/// Returns velocity and spin of both spheres after their collision.
fn collided(law: Law, material: Material, pair: &[Grain; 2]) -> Result<Vec<f64>> {
    let mut particles = Particles::new(Setup {
        law,
        materials: vec![material],
        gravity: [0.0; 3],
        ..Setup::default()
    })?;
    particles.add(pair)?;
    (0..STEPS).try_for_each(|_| step(&mut particles, DT))?;

    let grains = particles.grains().map(|(_, grain)| grain);
    Ok(grains
        .flat_map(|grain| [grain.velocity, grain.spin])
        .flatten()
        .collect())
}

fn lammps(folder: &Path, law: &str, material: &Material, pair: &[Grain; 2]) -> Result<Vec<f64>> {
    let zeta = damping_ratio(material.restitution);
    let (stiffness, damping) = match law {
        "linear" => (HARD, 2.0 * zeta * (2.0 * HARD).sqrt()),
        // LAMMPS' formula for contacts that pull, solved for the restitution of the same ratio.
        _ => (YOUNG, (-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp()),
    };

    let mut script = script(folder)?;
    script.args(["collision", law]);
    script.args([stiffness, POISSON, damping, material.friction, DT].map(|x| x.to_string()));
    script.arg(STEPS.to_string());
    let state = pair.iter().flat_map(|g| [g.position, g.velocity, g.spin]);
    script.args(state.flatten().map(|x| x.to_string()));

    let numbers = program::numbers(&mut script)?;
    anyhow::ensure!(
        numbers.len() == 12,
        "it prints {} numbers instead of 12",
        numbers.len()
    );
    Ok(numbers)
}

fn script(folder: &Path) -> Result<std::process::Command> {
    program::script("dem_law.py", include_str!("../../peers/dem_law.py"), folder)
}

fn step(particles: &mut Particles, dt: f64) -> Result<()> {
    particles.begin(dt);
    particles.interact(dt)?;
    Ok(particles.finish(dt)?)
}

/// Kinetic energy and height of the centre of mass over time, then contacts at the end; per sphere. Collisions are
/// chaotic: LAMMPS has to lie where beds from other random starts do.
fn bed(
    findings: &mut Findings,
    table: &mut Table,
    folder: &Path,
    count: usize,
    restitution: f64,
) -> Result<()> {
    let steps = (DURATION / BED_DT) as usize / SAMPLES * SAMPLES;
    let theirs = lammps_bed(folder, &lattice(count, 0), restitution, steps)?;
    let ours: Vec<Vec<f64>> = (0..STARTS)
        .map(|start| settled(&lattice(count, start), restitution, steps))
        .collect::<Result<_>>()?;

    let case = format!("bed of {count}");
    for k in 0..SAMPLES {
        for (what, at) in [("kinetic", 2 * k), ("height", 2 * k + 1)] {
            table.row(&[&case, &restitution, &what, &ours[0][at], &theirs[at]]);
        }
    }
    let last = 2 * SAMPLES;
    table.row(&[
        &case,
        &restitution,
        &"contacts",
        &ours[0][last],
        &theirs[last],
    ]);

    let peak = (0..SAMPLES).map(|k| theirs[2 * k]).fold(0.0, f64::max);
    let kinetic = (0..SAMPLES).map(|k| Off::new(&ours, &theirs, 2 * k, peak));
    let kinetic = kinetic.fold(Off::NONE, Off::worse);
    let height = Off::new(&ours, &theirs, last - 1, theirs[last - 1]);
    let contacts = Off::new(&ours, &theirs, last, theirs[last]);
    let all = [kinetic, height, contacts];
    findings.check(
        all.iter().all(Off::is_chance),
        format!(
            "a bed of {count} spheres of restitution {restitution} settles as in LAMMPS: off the mean of {STARTS} starts by \
             {kinetic} of the peak of the kinetic energy, {height} of the height, {contacts} of the contacts",
        ),
    );

    Ok(())
}

/// How far LAMMPS is from the mean of several starts, and their standard deviation; relative to a scale.
#[derive(Clone, Copy)]
struct Off {
    distance: f64,
    deviation: f64,
}

impl Off {
    const NONE: Self = Self {
        distance: 0.0,
        deviation: 0.0,
    };

    fn new(ours: &[Vec<f64>], theirs: &[f64], at: usize, scale: f64) -> Self {
        let count = ours.len() as f64;
        let mean = ours.iter().map(|of| of[at]).sum::<f64>() / count;
        let squares: f64 = ours.iter().map(|of| (of[at] - mean).powi(2)).sum();
        Self {
            distance: (theirs[at] - mean).abs() / scale,
            deviation: (squares / (count - 1.0)).sqrt() / scale,
        }
    }

    fn worse(self, other: Self) -> Self {
        match self.excess() > other.excess() {
            true => self,
            false => other,
        }
    }

    /// Four deviations, as there are few starts; and half a percent, which the step and the arms of friction explain.
    fn excess(&self) -> f64 {
        self.distance - 4.0 * self.deviation - 0.005
    }

    fn is_chance(&self) -> bool {
        self.excess() <= 0.0
    }
}

impl std::fmt::Display for Off {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [distance, deviation] = [self.distance, self.deviation].map(|x| 100.0 * x);
        write!(out, "{distance:.2} % (deviation {deviation:.2} %)")
    }
}

fn lattice(count: usize, seed: u64) -> Vec<Grain> {
    let mut random = Random::new(seed);
    let across = (SIDE / 1.1) as usize;
    (0..count)
        .map(|n| {
            let cell = [n % across, n / across % across, n / (across * across)];
            let shift = random.direction::<3>() * 0.03;
            let pitch = SIDE / across as f64;
            Grain {
                position: std::array::from_fn(|k| (cell[k] as f64 + 0.5) * pitch + shift[k]),
                velocity: (random.direction::<3>() * 0.3).into(),
                radius: 0.5,
                ..Grain::default()
            }
        })
        .collect()
}

fn settled(grains: &[Grain], restitution: f64, steps: usize) -> Result<Vec<f64>> {
    let mut particles = Particles::new(Setup {
        law: linear(STIFFNESS),
        materials: vec![material(restitution, FRICTION), material(restitution, 0.0)],
        gravity: [0.0, 0.0, -1.0],
        period: [Some([0.0, SIDE]), Some([0.0, SIDE]), None],
        ..Setup::default()
    })?;
    particles.add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 1)?)?;
    particles.add(grains)?;

    let count = grains.len() as f64;
    let mut numbers = Vec::new();
    for _ in 0..SAMPLES {
        (0..steps / SAMPLES).try_for_each(|_| step(&mut particles, BED_DT))?;
        numbers.push(particles.energy().kinetic / count);
        numbers.push(particles.centre_of_mass()[2]);
    }
    let touching = particles.contact_count() - particles.obstacles()[0].contact_count();
    numbers.push(touching as f64 / count);

    Ok(numbers)
}

fn lammps_bed(folder: &Path, grains: &[Grain], restitution: f64, steps: usize) -> Result<Vec<f64>> {
    let file = folder.join("lattice.bin");
    let numbers = grains
        .iter()
        .flat_map(|g| [g.position, g.velocity, g.spin])
        .flatten();
    let bytes = (grains.len() as u64)
        .to_le_bytes()
        .into_iter()
        .chain(numbers.flat_map(f64::to_le_bytes));
    std::fs::write(&file, bytes.collect::<Vec<u8>>())?;

    // Damping per unit of reduced mass: 1/2 between spheres, 1 on the floor.
    let zeta = damping_ratio(restitution);
    let damping = [2.0, 1.0].map(|k| 2.0 * zeta * (k * STIFFNESS).sqrt());
    let mut script = script(folder)?;
    script.arg("bed").arg(&file);
    script.args([STIFFNESS, damping[0], damping[1], FRICTION, BED_DT].map(|x| x.to_string()));
    script.args([steps, SAMPLES].map(|n| n.to_string()));
    script.arg(SIDE.to_string());

    let numbers = program::numbers(&mut script)?;
    anyhow::ensure!(
        numbers.len() == 2 * SAMPLES + 1,
        "it prints {} numbers",
        numbers.len()
    );
    Ok(numbers)
}
