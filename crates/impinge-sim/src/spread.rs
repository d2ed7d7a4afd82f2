//! Distributions of radii, for spheres placed at the start and for those from inlets.

use impinge::space::Random;
use serde::{Deserialize, Serialize};

/// A distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Evenly between two, m.
    Uniform([f64; 2]),
    /// Their logarithms are normal.
    Lognormal(Lognormal),
    /// One of these with equal chance, m.
    List(Vec<f64>),
}

/// Radii whose logarithms are normal, cut at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lognormal {
    /// Half of the spheres are smaller, m.
    pub median: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
    /// Least radius, m.
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
        }
    }

    /// Draws a radius; the list must not be empty.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Self::Uniform([low, up]) => random.within(*low, *up),
            Self::Lognormal(law) => law.draw(random),
            Self::List(list) => list[random.below(list.len())],
        }
    }

    /// Returns whether every radius that can be drawn is positive and finite.
    pub fn is_sound(&self) -> bool {
        let [low, up] = self.range();
        let ordered = low > 0.0 && low <= up && up.is_finite();
        match self {
            Self::Uniform(_) => ordered,
            Self::Lognormal(law) => ordered && (low..=up).contains(&law.median) && law.sigma >= 0.0,
            Self::List(list) => ordered && list.iter().all(|radius| radius.is_finite()),
        }
    }
}

impl Lognormal {
    /// Trials after which the median is used: it lies between the ends.
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
mod tests {
    use super::*;

    #[test]
    fn radii_are_drawn_within_their_range_and_half_of_them_below_the_median() {
        let law = Lognormal {
            median: 2.0,
            sigma: 0.3,
            min: 1.0,
            max: 4.0,
        };
        let mut random = Random::new(3);

        for spread in [
            Spread::Uniform([1.0, 3.0]),
            Spread::Lognormal(law),
            Spread::List(vec![1.0, 3.0]),
        ] {
            let [low, up] = spread.range();
            let radii: Vec<f64> = (0..2000).map(|_| spread.draw(&mut random)).collect();
            assert!(spread.is_sound() && radii.iter().all(|r| (low..=up).contains(r)));
            let below = radii.iter().filter(|r| **r < 2.0).count();
            assert!((900..1100).contains(&below), "{spread:?}: {below}");
        }
    }

    #[test]
    fn radii_that_cannot_be_drawn_are_not_sound() {
        let law = Lognormal {
            median: 5.0,
            sigma: 0.3,
            min: 1.0,
            max: 4.0,
        };
        let bad = [
            Spread::Uniform([0.0, 1.0]),
            Spread::Uniform([2.0, 1.0]),
            Spread::List(vec![]),
        ];

        assert!(
            bad.iter()
                .chain([&Spread::Lognormal(law), &Spread::List(vec![f64::NAN])])
                .all(|s| !s.is_sound())
        );
    }
}
