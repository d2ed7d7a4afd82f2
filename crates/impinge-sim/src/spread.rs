//! Distributions of radii, for spheres placed at the start and for those from inlets.

use impinge::space::Random;
use serde::{Deserialize, Serialize};

/// A distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Uniform between two radii, m.
    Uniform([f64; 2]),
    /// Log-normal.
    Lognormal(Lognormal),
    /// One of these radii with equal probability, m.
    List(Vec<f64>),
    /// Radii, each with its fraction of the total mass; fractions need not add up to 1.
    MassFractions(Vec<[f64; 2]>),
    /// A sieve curve: ascending radii, each with the fraction of the mass that is smaller. The curve
    /// is linear in between; mass below the first radius or above the last is ignored.
    Sieve(Vec<[f64; 2]>),
}

/// Log-normal radii, truncated at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lognormal {
    /// Median radius, m.
    pub median: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
    /// Smallest radius, m.
    pub min: f64,
    /// Largest radius, m.
    pub max: f64,
}

impl Spread {
    /// Returns the smallest and the largest radius that may be drawn.
    pub fn range(&self) -> [f64; 2] {
        match self {
            Self::Uniform(range) => *range,
            Self::Lognormal(law) => [law.min, law.max],
            Self::List(list) => [
                list.iter().copied().fold(f64::INFINITY, f64::min),
                list.iter().copied().fold(0.0, f64::max),
            ],
            Self::MassFractions(points) => [
                points.iter().map(|[r, _]| *r).fold(f64::INFINITY, f64::min),
                points.iter().map(|[r, _]| *r).fold(0.0, f64::max),
            ],
            Self::Sieve(points) => [
                points.first().map_or(f64::INFINITY, |[r, _]| *r),
                points.last().map_or(0.0, |[r, _]| *r),
            ],
        }
    }

    /// Draws a radius; lists must not be empty.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Self::MassFractions(points) => points[chosen(points.iter().map(number_of), random)][0],
            Self::Sieve(points) => {
                let bins = points
                    .windows(2)
                    .map(|ends| number_between(ends[0], ends[1]));
                let bin = chosen(bins, random);
                radius_between(points[bin][0], points[bin + 1][0], random.unit())
            }
            Self::Uniform([low, up]) => random.within(*low, *up),
            Self::Lognormal(law) => law.draw(random),
            Self::List(list) => list[random.below(list.len())],
        }
    }

    /// Returns whether every radius that can be drawn is positive and finite.
    pub fn is_valid(&self) -> bool {
        let [low, up] = self.range();
        let ordered = low > 0.0 && low <= up && up.is_finite();
        match self {
            Self::Uniform(_) => ordered,
            Self::Lognormal(law) => ordered && (low..=up).contains(&law.median) && law.sigma >= 0.0,
            Self::List(list) => ordered && list.iter().all(|radius| radius.is_finite()),
            Self::MassFractions(points) => ordered && self.has_valid_fractions(points),
            Self::Sieve(points) => {
                let ascends =
                    |ends: &[[f64; 2]]| ends[0][0] < ends[1][0] && ends[0][1] <= ends[1][1];
                ordered && self.has_valid_fractions(points) && points.windows(2).all(ascends)
            }
        }
    }

    /// Returns whether all numbers are finite, no fraction is negative and some mass is left.
    fn has_valid_fractions(&self, points: &[[f64; 2]]) -> bool {
        let is_sound = |[radius, share]: &[f64; 2]| {
            *radius > 0.0 && radius.is_finite() && *share >= 0.0 && share.is_finite()
        };
        let total: f64 = match self {
            Self::Sieve(_) => points.last().map_or(0.0, |up| up[1] - points[0][1]),
            _ => points.iter().map(|[_, share]| share).sum(),
        };
        points.iter().all(is_sound) && total > 0.0
    }

    /// Returns the mean cube of the radius, m³: the mean mass of a sphere up to a constant factor.
    pub fn mean_cube(&self) -> f64 {
        /// Intervals over which the log-normal density is integrated.
        const PARTS: usize = 1000;
        match self {
            Self::Uniform([low, up]) => (low + up) * (low * low + up * up) / 4.0,
            Self::List(list) => list.iter().map(|r| r.powi(3)).sum::<f64>() / list.len() as f64,
            Self::MassFractions(points) => {
                let mass: f64 = points.iter().map(|[_, share]| share).sum();
                mass / points.iter().map(number_of).sum::<f64>()
            }
            Self::Sieve(points) => {
                let bins = points
                    .windows(2)
                    .map(|ends| number_between(ends[0], ends[1]));
                (points[points.len() - 1][1] - points[0][1]) / bins.sum::<f64>()
            }
            Self::Lognormal(law) if law.sigma == 0.0 || law.min == law.max => law.median.powi(3),
            Self::Lognormal(law) => {
                let [low, up] = [law.min, law.max].map(|r| (r / law.median).ln() / law.sigma);
                let at = |n: usize| low + (up - low) * (n as f64 + 0.5) / PARTS as f64;
                let density = |x: f64| (-0.5 * x * x).exp();
                let cube = |x: f64| (law.median * (law.sigma * x).exp()).powi(3);
                let sum = |of: &dyn Fn(f64) -> f64| (0..PARTS).map(|n| of(at(n))).sum::<f64>();
                sum(&|x| density(x) * cube(x)) / sum(&density)
            }
        }
    }
}

/// Relative number of spheres of a radius that make up a fraction of the mass.
fn number_of([radius, share]: &[f64; 2]) -> f64 {
    share / radius.powi(3)
}

/// Relative number of spheres between two points of a sieve curve, ∫ r⁻³ dm with dm uniform in r.
fn number_between([low, below]: [f64; 2], [up, above]: [f64; 2]) -> f64 {
    (above - below) * (low + up) / (2.0 * low * low * up * up)
}

/// Radius below which a fraction of the spheres between two points of a sieve curve lies.
fn radius_between(low: f64, up: f64, fraction: f64) -> f64 {
    let [most, least] = [low, up].map(|r| 1.0 / (r * r));
    (1.0 / (most - fraction * (most - least)).sqrt()).clamp(low, up)
}

/// Draws an index with these relative probabilities.
fn chosen(weights: impl Iterator<Item = f64> + Clone, random: &mut Random) -> usize {
    let total: f64 = weights.clone().sum();
    let mut rest = random.unit() * total;
    let mut last = 0;
    for (n, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = n;
        rest -= weight;
        if rest < 0.0 {
            break;
        }
    }

    last
}

impl Lognormal {
    /// Number of draws outside the ends after which the median is used instead.
    const TRIALS: usize = 1000;

    fn draw(&self, random: &mut Random) -> f64 {
        let trial = |random: &mut Random| self.median * (self.sigma * normal(random)).exp();
        let fits = |radius: &f64| (self.min..=self.max).contains(radius);
        (0..Self::TRIALS)
            .map(|_| trial(random))
            .find(fits)
            .unwrap_or(self.median)
    }
}

/// Draws a normally distributed number, by Marsaglia's polar method.
fn normal(random: &mut Random) -> f64 {
    loop {
        let [u, v] = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
        let s = u * u + v * v;
        if s > 0.0 && s < 1.0 {
            return u * (-2.0 * s.ln() / s).sqrt();
        }
    }
}

#[cfg(test)]
mod tests;
