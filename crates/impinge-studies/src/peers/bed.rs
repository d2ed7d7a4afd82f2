//! A settled bed of spheres as a file, and its steps by impinge and by LAMMPS.
//!
//! Spheres of diameter 1 and mass 1 under a weight of 1 lie on a smooth floor, periodic to the sides.
//! The law is linear springs with damping and Coulomb friction with history (`gran/hooke/history`). The
//! floor is smooth because the friction of LAMMPS' walls differs from that of its pairs.
//!
//! A tile is settled by impinge, and the bed consists of several tiles side by side. Both programs
//! start from it without tangential springs.

use super::program;
use anyhow::{Context, Result};
use impinge::space::Random;
use impinge_sim::law::{Law, Material, Normal, Rolling, Stiffness, damping_ratio};
use impinge_sim::{Grain, Matter, Obstacle, Particles, Setup};
use std::path::{Path, PathBuf};

const STIFFNESS: f64 = 2e4;
const RESTITUTION: f64 = 0.5;
const FRICTION: f64 = 0.5;

/// A tenth of √(m/k).
pub(super) const DT: f64 = 7e-4;

/// Number of warm-up steps, in which tangential springs develop.
pub(super) const WARM: usize = 200;

/// Duration of the settling.
const SETTLED: f64 = 20.0;

/// Width of a tile, periodic to the sides.
const TILE: f64 = 10.2;

/// A program's results per sphere, and its cost per sphere and step.
pub(super) struct Answer {
    /// CPU time.
    pub(super) nanoseconds: f64,
    /// Wall time.
    pub(super) elapsed: f64,
    pub(super) kinetic: f64,
    pub(super) height: f64,
    pub(super) contacts: f64,
}

/// A bed and its file.
pub(super) struct Bed {
    /// u64 count, then position, velocity and spin of each sphere.
    pub(super) path: PathBuf,
    pub(super) grains: Vec<Grain>,
    /// Widths, periodic.
    pub(super) sides: [f64; 2],
}

impl Bed {
    /// Builds a bed of tiles of some spheres each. The tile is settled once, and saved in the folder.
    pub(super) fn new(folder: &Path, tile: usize, tiles: [usize; 2]) -> Result<Self> {
        let settled = folder.join(format!("tile-{tile}.bin"));
        let one = match read(&settled) {
            Ok(grains) if grains.len() == tile => grains,
            _ => {
                let grains = settle(tile)?;
                write(&settled, &grains)?;
                grains
            }
        };
        let mut grains = Vec::new();
        for n in 0..tiles[0] * tiles[1] {
            let shift = [
                (n % tiles[0]) as f64 * TILE,
                (n / tiles[0]) as f64 * TILE,
                0.0,
            ];
            grains.extend(one.iter().map(|grain| Grain {
                position: std::array::from_fn(|k| grain.position[k] + shift[k]),
                ..*grain
            }));
        }

        let path = folder.join(format!("bed-{}.bin", grains.len()));
        write(&path, &grains)?;
        Ok(Self {
            path,
            grains,
            sides: tiles.map(|count| TILE * count as f64),
        })
    }

    /// Reads the file of a bed.
    pub(super) fn read(path: &Path, sides: [f64; 2]) -> Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            grains: read(path)?,
            sides,
        })
    }

    /// Returns the spheres at their places, at the start.
    pub(super) fn particles(&self) -> Result<Particles> {
        let mut particles = world(self.sides)?;
        particles.add(&self.grains)?;
        Ok(particles)
    }

    /// Simulates the bed with LAMMPS on some ranks: several runs of a number of steps; the fastest counts.
    pub(super) fn lammps(
        &self,
        folder: &Path,
        ranks: usize,
        [steps, windows]: [usize; 2],
    ) -> Result<Answer> {
        let count = self.grains.len();
        let zeta = damping_ratio(RESTITUTION);
        // Damping by reduced mass: 1/2 between spheres, 1 on the floor.
        let (damping, wall) = (
            2.0 * zeta * (2.0 * STIFFNESS).sqrt(),
            2.0 * zeta * STIFFNESS.sqrt(),
        );
        let mut script = program::script("dem.py", include_str!("../../peers/dem.py"), folder)?;
        script
            .arg(&self.path)
            .args([ranks, WARM, steps, windows].map(|n| n.to_string()));
        let numbers = [DT, STIFFNESS, damping, wall, FRICTION];
        script.args(numbers.iter().chain(&self.sides).map(f64::to_string));
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
}

fn world(sides: [f64; 2]) -> Result<Particles> {
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
        period: [Some([0.0, sides[0]]), Some([0.0, sides[1]]), None],
        ..Setup::default()
    })?;
    particles.add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 1)?)?;

    Ok(particles)
}

pub(super) fn step(particles: &mut Particles, dt: f64) -> Result<()> {
    particles.begin(dt);
    particles.interact(dt)?;
    Ok(particles.finish(dt)?)
}

fn settle(count: usize) -> Result<Vec<Grain>> {
    let mut particles = world([TILE; 2])?;
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

fn write(path: &Path, grains: &[Grain]) -> Result<()> {
    let numbers = grains
        .iter()
        .flat_map(|grain| [grain.position, grain.velocity, grain.spin])
        .flatten();
    let bytes = (grains.len() as u64)
        .to_le_bytes()
        .into_iter()
        .chain(numbers.flat_map(f64::to_le_bytes));
    std::fs::write(path, bytes.collect::<Vec<u8>>()).with_context(|| path.display().to_string())
}

fn read(path: &Path) -> Result<Vec<Grain>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let numbers: Vec<f64> = bytes
        .get(8..)
        .unwrap_or_default()
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

    Ok(numbers.as_chunks::<9>().0.iter().map(grain).collect())
}
