//! Random polydisperse spheres in a box at a given volume fraction.
//!
//! Radii lie between 1/ratio and 1, log-uniformly distributed: equally many in every octave. The
//! box is a cube with one corner at the origin. Its edge is chosen so that the spheres' volumes
//! (areas in 2D) add up to the given fraction of its own. Overlaps between spheres count twice. All
//! spheres lie in the box. Without overlap they are placed by random sequential insertion, the
//! largest first, each at the first trial position that is free.

use super::InvalidArgument;
use super::argument::{MOST_ITEMS, check_count};
use super::placed::PlacedSpheres;
use crate::shape::Sphere;
use crate::space::{Aabb, Point, Random};

/// Whether random spheres may overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverlapPolicy {
    /// Every centre is drawn independently.
    #[default]
    Allowed,
    /// No two spheres overlap. Feasible up to a fraction of about 0.3 (3D) or 0.45 (2D) for equal
    /// spheres, more for mixed ones.
    Avoided,
}

/// Options of [`spheres`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpheresOptions {
    /// Number of spheres.
    pub count: usize,
    /// Ratio of the largest to the smallest radius, from 1 to a million; the largest is 1. With two
    /// spheres or more both occur.
    pub ratio: f64,
    /// Volume fraction: the volumes of the spheres over that of the box.
    pub fraction: f64,
    /// Whether spheres may overlap.
    pub overlap: OverlapPolicy,
    /// Seed of radii and positions.
    pub seed: u64,
}

impl Default for SpheresOptions {
    fn default() -> Self {
        Self {
            count: 1_000,
            ratio: 2.0,
            fraction: 0.2,
            overlap: OverlapPolicy::Allowed,
            seed: 0,
        }
    }
}

/// Spheres in a box.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Packing<const D: usize> {
    /// The centres.
    pub centres: Vec<Point<D>>,
    /// The radii.
    pub radii: Vec<f64>,
    /// The box that contains all spheres.
    pub bounds: Aabb<D>,
}

impl<const D: usize> Packing<D> {
    /// The spheres as shapes.
    pub fn spheres(&self) -> Vec<Sphere<D>> {
        let sphere = |(&centre, &radius)| {
            Sphere::new(centre, radius).expect("finite, with a positive radius")
        };
        self.centres.iter().zip(&self.radii).map(sphere).collect()
    }
}

/// Generates random spheres in `D` dimensions.
///
/// ```
/// use impinge::shape::generate::{Packing, SpheresOptions, spheres};
/// let grains: Packing<3> = spheres(&SpheresOptions { count: 500, ratio: 10.0, ..Default::default() })?;
/// let volume: f64 = grains.spheres().iter().map(|s| s.volume()).sum();
/// assert!((volume / grains.bounds.volume() - 0.2).abs() < 1e-12);
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn spheres<const D: usize>(options: &SpheresOptions) -> Result<Packing<D>, InvalidArgument> {
    check(options)?;
    let mut random = Random::new(options.seed);
    let radii = radii(options, &mut random);
    let edge = edge::<D>(&radii, options.fraction)?;
    let bounds = Aabb {
        min: Point::origin(),
        max: Point::from([edge; D]),
    };

    let centres = match options.overlap {
        OverlapPolicy::Allowed => radii
            .iter()
            .map(|&radius| place(&mut random, radius, edge))
            .collect(),
        OverlapPolicy::Avoided => apart(&radii, edge, &mut random).ok_or_else(|| {
            bad_fraction(
                options.fraction,
                "small enough to leave room for every sphere",
            )
        })?,
    };

    Ok(Packing {
        centres,
        radii,
        bounds,
    })
}

fn check(options: &SpheresOptions) -> Result<(), InvalidArgument> {
    check_count("count", options.count, 1, MOST_ITEMS)?;
    if !(1.0..=1e6).contains(&options.ratio) {
        return Err(InvalidArgument::new(
            "ratio",
            options.ratio,
            "between 1 and 1e6",
        ));
    }

    if !(1e-12..=1e6).contains(&options.fraction) {
        return Err(bad_fraction(options.fraction, "between 1e-12 and 1e6"));
    }

    Ok(())
}

fn bad_fraction(fraction: f64, must: &str) -> InvalidArgument {
    InvalidArgument::new("fraction", fraction, must)
}

/// The largest radius, the smallest, then ratio^−u with u uniform in [0, 1).
fn radii(options: &SpheresOptions, random: &mut Random) -> Vec<f64> {
    let least = 1.0 / options.ratio;
    // ratio^−½, ratio^−¼, …: their products over the binary digits of u are the powers, computed by
    // square roots alone, which every machine rounds identically.
    let roots: Vec<f64> = std::iter::successors(Some(least.sqrt()), |x| Some(x.sqrt()))
        .take(DIGITS)
        .collect();
    let mut power = || {
        let digits = random.bits();
        (0..DIGITS)
            .filter(|k| digits >> k & 1 == 1)
            .map(|k| roots[k])
            .product::<f64>()
            .max(least)
    };
    let ends = [1.0, least].into_iter();

    ends.chain(std::iter::repeat_with(&mut power))
        .take(options.count)
        .collect()
}

/// Number of binary digits of a drawn exponent.
const DIGITS: usize = 40;

/// The edge of the box.
fn edge<const D: usize>(radii: &[f64], fraction: f64) -> Result<f64, InvalidArgument> {
    let content: f64 = radii.iter().map(|&r| power(r, D)).sum::<f64>() * unit_ball(D);
    let edge = root(content / fraction, D);

    // The first sphere has radius 1.
    if edge < 2.0 {
        return Err(bad_fraction(
            fraction,
            "small enough for the largest sphere to fit in the box",
        ));
    }

    Ok(edge)
}

/// Volume of the unit ball, by V(d) = 2π/d · V(d − 2).
fn unit_ball(dimension: usize) -> f64 {
    match dimension {
        0 => 1.0,
        1 => 2.0,
        d => 2.0 * std::f64::consts::PI / d as f64 * unit_ball(d - 2),
    }
}

/// The d-th power by plain products; the rounding of `powi` may vary between compilers.
fn power(x: f64, d: usize) -> f64 {
    std::iter::repeat_n(x, d).product()
}

/// The d-th root by bisection, the same on every machine.
fn root(x: f64, d: usize) -> f64 {
    let (mut low, mut up) = (0.0, x.max(1.0));
    loop {
        let middle = 0.5 * (low + up);
        if middle <= low || middle >= up {
            return up;
        }
        if power(middle, d) < x {
            low = middle
        } else {
            up = middle
        }
    }
}

/// Draws a centre such that the sphere is in the box.
fn place<const D: usize>(random: &mut Random, radius: f64, edge: f64) -> Point<D> {
    let coordinate = |_| {
        random
            .within(radius, edge - radius)
            .clamp(radius, edge - radius)
    };
    Point::from(std::array::from_fn(coordinate))
}

/// Number of trials for one sphere before the box is considered full.
const TRIALS: usize = 20_000;

/// Centres of non-overlapping spheres; `None` if one cannot be placed.
fn apart<const D: usize>(radii: &[f64], edge: f64, random: &mut Random) -> Option<Vec<Point<D>>> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]).then(i.cmp(&j)));
    let mut room = PlacedSpheres::default();
    let mut centres = vec![Point::origin(); radii.len()];

    for i in order {
        let mut trials = std::iter::repeat_with(|| place(random, radii[i], edge)).take(TRIALS);
        centres[i] = trials.find(|centre| room.is_free(centre, radii[i]))?;
        room.insert(centres[i], radii[i]);
    }

    Some(centres)
}

#[cfg(test)]
mod tests;
