//! A packing of sizes 1:10: large spheres on a lattice among small ones.

use anyhow::{Context, Result};
use impinge::space::Random;
use impinge_sim::{Grain, Particles, Setup};
use std::path::Path;

/// Diameter of the large spheres; that of the small ones is 1.
const LARGE: f64 = 10.0;

/// Distance between large spheres, and between small ones.
const APART: f64 = 14.0;
const SMALL_APART: f64 = 0.99;

/// Distance of a small centre from a large one, at least: they overlap, so that a large sphere touches some 200.
const CLEAR: f64 = 4.9;

/// Writes a packing of some large spheres along each edge; returns the number of spheres.
pub(super) fn write(path: &Path, cells: usize) -> Result<usize> {
    let spheres = packing(cells);
    let bytes = (spheres.len() as u64).to_le_bytes().into_iter();
    let numbers = spheres.as_flattened().iter().flat_map(|x| x.to_le_bytes());
    let bytes: Vec<u8> = bytes.chain(numbers).collect();
    std::fs::write(path, bytes).with_context(|| path.display().to_string())?;
    Ok(spheres.len())
}

/// Position and radius of each sphere.
fn packing(cells: usize) -> Vec<[f64; 4]> {
    let mut random = Random::new(3);
    let side = cells as f64 * APART;
    let mut large = Vec::new();
    for n in 0..cells * cells * cells {
        let cell = [n % cells, n / cells % cells, n / (cells * cells)];
        large.push(cell.map(|k| (k as f64 + 0.5) * APART + 3.0 * (random.unit() - 0.5)));
    }

    let across = (side / SMALL_APART) as usize;
    let mut spheres = Vec::new();
    for n in 0..across * across * across {
        let cell = [n % across, n / across % across, n / (across * across)];
        let centre = cell.map(|k| (k as f64 + 0.5) * SMALL_APART);
        let is_free = |other: &[f64; 3]| {
            let squares = (0..3).map(|k| (centre[k] - other[k]).powi(2));
            squares.sum::<f64>().sqrt() >= CLEAR
        };
        if large.iter().all(is_free) {
            spheres.push([centre[0], centre[1], centre[2], 0.5]);
        }
    }
    spheres.extend(large.iter().map(|&[x, y, z]| [x, y, z, 0.5 * LARGE]));
    spheres
}

/// Reads the packing, for a rank.
pub(super) fn particles(path: &Path) -> Result<Particles> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let numbers = bytes.get(8..).unwrap_or_default().as_chunks::<8>().0.iter();
    let numbers: Vec<f64> = numbers.map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let grains = numbers
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&[x, y, z, radius]| Grain {
            position: [x, y, z],
            radius,
            ..Grain::default()
        });
    let mut particles = Particles::new(Setup::default())?;
    particles.add(&grains.collect::<Vec<_>>())?;
    Ok(particles)
}
