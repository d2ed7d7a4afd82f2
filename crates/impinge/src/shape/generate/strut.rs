//! An open-cell foam as an implicit function: struts along the edges of a Voronoi diagram in a box.
//!
//! Let d₁ ≤ d₂ ≤ d₃ … be the distances of a point to the seeds of the diagram; d₁ = d₂ = d₃ on the
//! edges. Around them g² = ½ ((d₁ − d₂)² + (d₂ − d₃)² + (d₃ − d₁)²) grows equally in all
//! directions, with a slope near 3/2. It is smooth, since it does not depend on which of the three
//! seeds is the nearest: {g < 3/2 · radius} is a round strut.
//!
//! The seeds are mirrored at the sides of a box, which thus become faces of the diagram with struts
//! of their own. No strut has a free end, and all are connected. What the mirrored seeds add beyond
//! the box is cut off where the struts on its sides end.
//!
//! The seeds are those of Kelvin's foam (1887), a body-centred cubic lattice, displaced at random.
//! Its edges all have the same length, so that struts of uniform width leave all windows open.

use super::brick::places;
use crate::space::{Aabb, Point, Random};

/// Maximum displacement of a seed on each axis, in unit cells.
const JITTER: f64 = 0.1;

/// Radius of the struts, in unit cells.
const RADIUS: f64 = 0.11;

/// Slope of g away from an edge with the three seeds evenly spaced around it.
const SLOPE: f64 = 1.5;

/// Number of subdivisions of a unit cell's edge, each with a list of relevant seeds: about a dozen
/// seeds per list.
const PARTS: usize = 5;

/// The struts of a foam in the box [−1, 1]³.
pub(super) struct Struts {
    radius: f64,
    /// Number of subdivisions of each edge of the box.
    parts: usize,
    /// For each of these equal parts of the box, the first axis fastest, the seeds that may be
    /// among the three nearest.
    near: Vec<Vec<Point<3>>>,
}

impl Struts {
    /// Creates the struts of `cells` unit cells of the seed lattice along each edge of the box,
    /// with two seeds in each.
    pub(super) fn new(cells: usize, seed: u64) -> Self {
        let (edge, radius) = edge_and_radius(cells);
        let seeds = seeds(cells, edge, seed);
        let parts = PARTS * cells;
        let near = places([parts; 3])
            .map(|part| seeds_that_matter(&seeds, part, parts))
            .collect();

        Self {
            radius,
            parts,
            near,
        }
    }

    pub(super) fn bounds(&self) -> Aabb<3> {
        Aabb::new([-1.0; 3], [1.0; 3])
    }

    /// Positive in a strut, negative outside.
    pub(super) fn depth(&self, p: &Point<3>) -> f64 {
        let in_box = 1.0 - p.coords.amax();
        if in_box <= 0.0 {
            return in_box;
        }

        let [d1, d2, d3] = three_nearest(self.near(p), p);
        let squares = (d1 - d2) * (d1 - d2) + (d2 - d3) * (d2 - d3) + (d3 - d1) * (d3 - d1);
        smooth_min(
            self.radius - (0.5 * squares).sqrt() / SLOPE,
            in_box,
            self.radius,
        )
    }

    fn near(&self, p: &Point<3>) -> &[Point<3>] {
        let scale = 0.5 * self.parts as f64;
        let [x, y, z] = [p.x, p.y, p.z].map(|x| (((x + 1.0) * scale) as usize).min(self.parts - 1));
        &self.near[x + self.parts * (y + self.parts * z)]
    }
}

/// The edge of a unit cell and the radius of the struts, such that the cells and the struts on
/// their outside fill [−1, 1].
fn edge_and_radius(cells: usize) -> (f64, f64) {
    let edge = 2.0 / (cells as f64 + 2.0 * RADIUS);
    (edge, RADIUS * edge)
}

/// The minimum of two numbers, smoothed where they differ by less than `width` (Quilez's quadratic
/// polynomial).
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let h = (1.0 - (a - b).abs() / width).max(0.0);
    a.min(b) - h * h * width / 4.0
}

/// The seeds and their mirror images at the sides of the box of all cells.
fn seeds(cells: usize, edge: f64, seed: u64) -> Vec<Point<3>> {
    let mut random = Random::new(seed);
    let side = 0.5 * edge * cells as f64;
    let mut seeds = Vec::new();

    for cell in places([cells; 3]) {
        for corner in [0.25, 0.75] {
            let mut coordinate =
                |i: usize| (i as f64 + corner + random.within(-JITTER, JITTER)) * edge - side;
            seeds.push(Point::from(cell.map(&mut coordinate)));
        }
    }

    seeds.iter().flat_map(|seed| mirrored(seed, side)).collect()
}

/// Seeds that are among the three nearest of any point of the part. Distances change by at most the
/// distance to the part's centre, both for the third nearest seed and for the seed in question.
fn seeds_that_matter(seeds: &[Point<3>], part: [usize; 3], parts: usize) -> Vec<Point<3>> {
    let edge = 2.0 / parts as f64;
    let centre = Point::from(part.map(|i| (i as f64 + 0.5) * edge - 1.0));
    let radius = edge * 0.75f64.sqrt() * (1.0 + 1e-9);
    let reach = three_nearest(seeds, &centre)[2] + 2.0 * radius;
    seeds
        .iter()
        .copied()
        .filter(|s| (s - centre).norm() <= reach)
        .collect()
}

/// The distances to the three nearest seeds, ascending.
fn three_nearest(seeds: &[Point<3>], p: &Point<3>) -> [f64; 3] {
    let mut squares = [f64::INFINITY; 3];
    for seed in seeds {
        let square = (p - seed).norm_squared();
        if square < squares[2] {
            squares[2] = square;
            if squares[2] < squares[1] {
                squares.swap(1, 2);
            }
            if squares[1] < squares[0] {
                squares.swap(0, 1);
            }
        }
    }

    squares.map(f64::sqrt)
}

/// The seed and its mirror images at the sides of the box [−side, side]³.
fn mirrored(seed: &Point<3>, side: f64) -> impl Iterator<Item = Point<3>> {
    let images = seed.coords.map(|x| [-2.0 * side - x, x, 2.0 * side - x]);
    places([3; 3]).map(move |[i, j, k]| Point::from([images.x[i], images.y[j], images.z[k]]))
}

#[cfg(test)]
mod tests;
