//! A periodic box that changes its size.

use super::columns;
use impinge_sim::Particles;

pub(super) const HEADER: &str = "time,length_x,length_y,length_z,rate_x,rate_y,rate_z,pressure_x,pressure_y,\
                                 pressure_z,solid_fraction";

/// Lengths, solid fraction and pressures of axes that are not periodic are 0.
pub(super) fn row(particles: &Particles, time: f64) -> String {
    let lengths = particles
        .period()
        .map(|ends| ends.map_or(0.0, |[low, up]| up - low));
    let volume: f64 = lengths.iter().product();
    let cubes: f64 = particles.radii().map(|radius| radius.powi(3)).sum();
    let solid = 4.0 / 3.0 * std::f64::consts::PI * cubes;
    let fraction = if volume > 0.0 { solid / volume } else { 0.0 };

    let mut numbers = lengths.to_vec();
    numbers.extend(particles.strain_rate());
    numbers.extend(particles.pressure());
    numbers.push(fraction);
    format!("{time:?}{}\n", columns(&numbers))
}
