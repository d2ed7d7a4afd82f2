//! A closed, connected, complex surface: an open-cell foam with a chosen number of triangles,
//! similar to the foam meshes of [Muth2006, section 3.2].
//!
//! The struts of [`Struts`](super::strut::Struts) depend only on the seed; the number of triangles
//! determines how finely they are meshed. It grows as the inverse square of the lattice spacing, so
//! a few iterations of
//! spacing ← spacing · √(triangles / wanted) reach the target.

use super::InvalidArgument;
use super::argument::check_count;
use super::marching::marching;
use super::strut::Struts;
use crate::shape::{Surface, connected_triangles};
use crate::space::Point;
use std::cmp::Reverse;

/// Minimum number of triangles of a [`foam`]: with fewer the lattice is too coarse for the struts.
pub const SMALLEST_FOAM: usize = 5_000;

/// Maximum number of triangles of a [`foam`]; its lattice then takes 1.5 GB.
pub const LARGEST_FOAM: usize = 4_000_000;

/// Lattice spacing that gives about one triangle, from the surface area: 13 triangles per spacing².
const SPACING_OF_ONE: f64 = 26.0;

/// Relative error of the number of triangles at which the search ends.
const GOOD: f64 = 0.01;

/// Number of iterations after which the best result so far is used. Nearly all foams need two or
/// three.
const ROUNDS: usize = 30;

/// Generates an open-cell foam that fills the box [−1, 1]³. It is closed and connected and, from
/// 25,000 triangles on, has 150 to 200 handles (fewer cells and handles below). The number of
/// triangles is met within 2 %. Foams with the same seed and different numbers of triangles from
/// 25,000 on are meshes of the same body.
///
/// ```
/// use impinge::shape::generate;
/// let foam = generate::foam(29_000, 1)?;
/// assert!(foam.triangles().len().abs_diff(29_000) < 580);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn foam(triangles: usize, seed: u64) -> Result<Surface, InvalidArgument> {
    check_count("triangles", triangles, SMALLEST_FOAM, LARGEST_FOAM)?;
    let struts = Struts::new(cells(triangles), seed);
    let mut spacing = SPACING_OF_ONE / (triangles as f64).sqrt();
    let mut best = (f64::INFINITY, (Vec::new(), Vec::new()));

    for round in 0..ROUNDS {
        let shell = shell(&struts, spacing);
        let ratio = shell.1.len() as f64 / triangles as f64;
        let miss = (ratio - 1.0).abs();

        if miss < best.0 {
            best = (miss, shell);
        }

        if miss < GOOD {
            break;
        }

        // Coarse foams lose or gain a strut from one spacing to the next; decreasing steps find a
        // spacing in between.
        spacing *= 1.0 + (ratio.sqrt() - 1.0) / (1 + round / 3) as f64;
    }

    let (points, triangles) = best.1;
    Ok(Surface::new(&points, &triangles).expect("marching tetrahedra give a closed surface"))
}

/// Number of unit cells of the foam along an edge of its box, low enough for the lattice to resolve
/// the struts.
fn cells(triangles: usize) -> usize {
    match triangles {
        ..8_000 => 1,
        8_000..25_000 => 2,
        _ => 3,
    }
}

/// The largest connected component of the surface of the struts.
fn shell(struts: &Struts, spacing: f64) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
    let (points, triangles) = marching(&|p: &Point<3>| struts.depth(p), &struts.bounds(), spacing);
    largest_part(&points, &triangles)
}

/// The edge-connected component with the most triangles, with only its own points.
fn largest_part(points: &[Point<3>], triangles: &[[u32; 3]]) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
    let part = connected_triangles(points.len(), triangles);
    let mut sizes = vec![0; triangles.len()];
    part.iter().for_each(|&p| sizes[p as usize] += 1);
    let largest = (0..)
        .zip(&sizes)
        .max_by_key(|&(p, size)| (size, Reverse(p)))
        .map_or(0, |(p, _)| p);
    let mut number = vec![u32::MAX; points.len()];
    let mut kept_points = Vec::new();

    let mut renumbered = |n: u32| {
        let number = &mut number[n as usize];
        if *number == u32::MAX {
            *number = kept_points.len() as u32;
            kept_points.push(points[n as usize]);
        }
        *number
    };
    let kept = part.iter().zip(triangles).filter(|&(&p, _)| p == largest);
    let kept_triangles = kept.map(|(_, t)| t.map(&mut renumbered)).collect();

    (kept_points, kept_triangles)
}

#[cfg(test)]
mod tests;
