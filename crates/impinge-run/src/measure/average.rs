//! Averages over a part of space.
//!
//! Stress by Love and Weber, σ = (Σ l ⊗ f + Σ m v' ⊗ v') / V over the contacts and particles in the part, compression
//! positive: l joins the centres, f is the force, v' the velocity relative to the mean. The solid fraction counts the
//! share of each sphere in the part, everything else whole particles by their centres, and whole contacts by their
//! points.

use super::columns;
use super::snapshot::{Bond, Measured, Snapshot};
use crate::output::quoted;
use crate::scene::AverageSpec;
use impinge::space::{Matrix, Point, Vector};
use impinge_sim::Region;
use std::f64::consts::PI;

pub(super) const HEADER: &str = "time,name,particles,mass,solid_fraction,coordination,temperature,velocity_x,velocity_y,\
                                 velocity_z,pressure,stress_xx,stress_yy,stress_zz,stress_xy,stress_xz,stress_yz";

/// Number of sample points per axis of a ball, used to measure its fraction in a region.
const POINTS: usize = 8;

/// Averages of a part of space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Average {
    pub(super) particles: usize,
    pub(super) mass: f64,
    pub(super) solid_fraction: f64,
    /// Mean number of contacts of a particle.
    pub(super) coordination: f64,
    /// A third of the mean square of the velocity relative to the mean, m²/s².
    pub(super) temperature: f64,
    pub(super) velocity: Vector<3>,
    pub(super) stress: Matrix<3>,
}

/// Sums over a part of space, from which averages follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    particles: usize,
    mass: f64,
    solid: f64,
    contacts: usize,
    momentum: Vector<3>,
    /// Σ m v ⊗ v.
    flux: Matrix<3>,
    /// Σ l ⊗ f.
    virial: Matrix<3>,
}

impl Sums {
    /// Adds a particle whose centre is in the part.
    pub(super) fn add(&mut self, particle: &Measured) {
        let velocity = Vector::from(particle.grain.velocity);
        self.particles += 1;
        self.mass += particle.mass;
        self.contacts += particle.contacts;
        self.momentum += velocity * particle.mass;
        self.flux += velocity * velocity.transpose() * particle.mass;
    }

    /// Adds volume of spheres, m³.
    pub(super) fn add_solid(&mut self, volume: f64) {
        self.solid += volume;
    }

    /// Adds a contact whose point is in the part.
    pub(super) fn add_bond(&mut self, bond: &Bond) {
        self.virial += bond.branch * bond.force.transpose();
    }

    /// Returns the averages of a part of this volume.
    pub(super) fn average(&self, volume: f64) -> Average {
        let has_mass = self.mass > 0.0;
        let velocity = if has_mass {
            self.momentum / self.mass
        } else {
            Vector::zeros()
        };
        let fluctuation = self.flux - velocity * velocity.transpose() * self.mass;
        Average {
            particles: self.particles,
            mass: self.mass,
            solid_fraction: self.solid / volume,
            coordination: self.contacts as f64 / self.particles.max(1) as f64,
            temperature: match has_mass {
                true => (fluctuation.trace() / (3.0 * self.mass)).max(0.0),
                false => 0.0,
            },
            velocity,
            stress: (self.virial + fluctuation) / volume,
        }
    }
}

/// Returns points that fill a unit ball evenly.
pub(super) fn points_of_a_ball() -> Vec<Vector<3>> {
    let at = |k: usize| (2.0 * k as f64 + 1.0) / POINTS as f64 - 1.0;
    let all = (0..POINTS.pow(3))
        .map(|n| Vector::from([n % POINTS, n / POINTS % POINTS, n / POINTS.pow(2)].map(at)));
    all.filter(|point| point.norm_squared() <= 1.0).collect()
}

/// Volume of a ball, m³.
pub(super) fn volume_of_a_ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// Returns the averages over a region.
pub(super) fn over(snapshot: &Snapshot, region: &Region) -> Average {
    let points = points_of_a_ball();
    let bounds = region.bounds();
    let mut sums = Sums::default();

    for particle in &snapshot.particles {
        let (centre, radius) = (Point::from(particle.grain.position), particle.grain.radius);
        if bounds.squared_distance(&centre) > radius * radius {
            continue;
        }

        let inside = points
            .iter()
            .filter(|point| region.contains(&(centre + **point * radius)));
        let share = inside.count() as f64 / points.len() as f64;
        sums.add_solid(volume_of_a_ball(radius) * share);
        if region.contains(&centre) {
            sums.add(particle);
        }
    }

    let bonds = snapshot.bonds.iter();
    bonds
        .filter(|bond| region.contains(&bond.point))
        .for_each(|bond| sums.add_bond(bond));
    sums.average(region.volume())
}

pub(super) fn row(snapshot: &Snapshot, number: usize, spec: &AverageSpec, time: f64) -> String {
    let average = over(snapshot, &(&spec.region).into());
    let name = spec.name.clone();
    let name = quoted(name.unwrap_or_else(|| format!("average[{number}]")));
    let Average { stress, .. } = average;
    let sheared = |i: usize, j: usize| 0.5 * (stress[(i, j)] + stress[(j, i)]);
    let [x, y, z] = average.velocity.into();
    let numbers = [
        average.mass,
        average.solid_fraction,
        average.coordination,
        average.temperature,
        x,
        y,
        z,
        stress.trace() / 3.0,
        stress[(0, 0)],
        stress[(1, 1)],
        stress[(2, 2)],
        sheared(0, 1),
        sheared(0, 2),
        sheared(1, 2),
    ];

    format!(
        "{time:?},{name},{}{}\n",
        average.particles,
        columns(&numbers)
    )
}
