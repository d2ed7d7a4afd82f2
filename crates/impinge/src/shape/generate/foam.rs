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
mod tests {
    use super::super::test_support::{genus, hash_of_surface};
    use super::*;

    #[test]
    fn the_three_foams_of_the_paper_are_connected_and_have_over_100_handles() {
        for wanted in [28_952, 120_868, 494_124] {
            let foam = foam(wanted, 1).expect("valid");
            assert!((foam.triangles().len() as f64 / wanted as f64 - 1.0).abs() < 0.02);
            // `genus` also asserts that the foam is connected.
            let handles = genus(&foam);
            assert!((120..250).contains(&handles), "{handles}");
            foam.assert_valid();
        }
    }

    #[test]
    fn the_wanted_number_is_met_within_two_percent() {
        for wanted in [SMALLEST_FOAM, 7_999, 8_000, 12_345, 24_999, 25_000, 60_000] {
            for seed in 0..10 {
                let found = foam(wanted, seed).expect("valid").triangles().len();
                let miss = found as f64 / wanted as f64 - 1.0;
                assert!(miss.abs() < 0.02, "{found} for {wanted} with seed {seed}");
            }
        }
    }

    #[test]
    fn meshes_of_one_seed_are_meshes_of_one_body() {
        let [coarse, fine] = [29_000, 121_000].map(|n| foam(n, 4).expect("valid"));
        assert!((coarse.volume() / fine.volume() - 1.0).abs() < 0.1);
        assert!((coarse.area() / fine.area() - 1.0).abs() < 0.05);
        assert!(genus(&coarse).abs_diff(genus(&fine)) < 25);
    }

    #[test]
    fn no_triangle_is_a_sliver() {
        let foam = foam(29_000, 3).expect("valid");
        let shape_of = |t: usize| {
            let [a, b, c] = foam.corners(t);
            let squares = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
            // 1 for an equilateral triangle, 0 for a degenerate one.
            2.0 * 3f64.sqrt() * (b - a).cross(&(c - a)).norm() / squares
        };
        let shapes: Vec<f64> = (0..foam.triangles().len()).map(shape_of).collect();
        let least = shapes.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = shapes.iter().sum::<f64>() / shapes.len() as f64;

        assert!(least > 0.1 && mean > 0.8, "{least} {mean}");
    }

    #[test]
    fn the_bytes_are_known_for_any_number_of_threads() {
        for threads in [1, 7] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            let hash = pool.install(|| hash_of_surface(&foam(29_000, 1).expect("valid")));
            assert_eq!(hash, 0xe3b2_ad60_c10a_95a4);
        }
        assert_ne!(
            foam(29_000, 1).expect("valid").points(),
            foam(29_000, 2).expect("valid").points()
        );
    }

    #[test]
    fn the_number_of_triangles_is_checked() {
        for wanted in [0, SMALLEST_FOAM - 1, LARGEST_FOAM + 1, usize::MAX] {
            assert_eq!(foam(wanted, 1).unwrap_err().argument, "triangles");
        }
    }

    #[test]
    fn only_the_largest_part_is_kept() {
        let points: Vec<Point<3>> = (0..9)
            .map(|i| Point::from([f64::from(i), 0.0, 0.0]))
            .collect();
        let tetrahedron = |n: u32| {
            [
                [n, n + 2, n + 1],
                [n, n + 1, n + 3],
                [n + 1, n + 2, n + 3],
                [n + 2, n, n + 3],
            ]
        };

        let pyramid = [
            [4, 5, 8],
            [5, 6, 8],
            [6, 7, 8],
            [7, 4, 8],
            [4, 6, 5],
            [4, 7, 6],
        ];
        let (kept, triangles) =
            largest_part(&points, &[tetrahedron(0).as_slice(), &pyramid].concat());
        assert_eq!((kept.len(), triangles.len()), (5, 6));

        assert!(kept.iter().all(|p| p.x >= 4.0));
    }
}
