//! `[[particles]]`: spheres, thrown or stacked into a region.

use super::Region;
use super::number_or::number_or;
use impinge::space::Random;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Spheres, thrown or stacked into a region, without overlaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Particles {
    /// How many.
    pub count: usize,
    /// m: a number, or a distribution.
    pub radius: Radius,
    /// Where they lie wholly at first.
    pub region: Region,
    /// Random places, or a lattice.
    #[serde(default)]
    pub placement: Placement,
    /// Name of their material; the first one unless given.
    #[serde(default)]
    pub material: Option<String>,
    /// m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Up to so much is added to each component of the velocity, either way, at random, m/s.
    #[serde(default)]
    pub spread: f64,
}

/// How spheres are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// At random, up to about 30 % of the region's volume.
    #[default]
    Random,
    /// Row by row from below, in a simple cubic lattice whose spacing is just above the largest diameter.
    Lattice,
}

/// A radius: a number, or a distribution.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Radius {
    /// All the same, m.
    Fixed(f64),
    /// Drawn.
    Spread(Spread),
}

/// A distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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

impl From<Spread> for Radius {
    fn from(spread: Spread) -> Self {
        Self::Spread(spread)
    }
}

impl<'de> Deserialize<'de> for Radius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected =
            "a number or a distribution: { uniform = [a, b] }, { lognormal = … } or { list = […] }";
        number_or::<_, _, Spread>(deserializer, expected, Self::Fixed)
    }
}

impl Radius {
    /// The least and the largest that may be drawn.
    pub fn range(&self) -> [f64; 2] {
        match self {
            Self::Fixed(radius) => [*radius; 2],
            Self::Spread(Spread::Uniform(range)) => *range,
            Self::Spread(Spread::Lognormal(law)) => [law.min, law.max],
            Self::Spread(Spread::List(list)) => {
                [list.iter().copied().fold(f64::INFINITY, f64::min), list.iter().copied().fold(0.0, f64::max)]
            }
        }
    }

    /// One radius.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Self::Fixed(radius) => *radius,
            Self::Spread(Spread::Uniform([low, up])) => random.within(*low, *up),
            Self::Spread(Spread::Lognormal(law)) => law.draw(random),
            Self::Spread(Spread::List(list)) => list[random.below(list.len())],
        }
    }
}

impl Lognormal {
    /// Trials after which the median is taken: it lies between the ends.
    const TRIALS: usize = 1000;

    fn draw(&self, random: &mut Random) -> f64 {
        let trial = |random: &mut Random| self.median * (self.sigma * normal(random)).exp();
        let fits = |radius: &f64| (self.min..=self.max).contains(radius);
        (0..Self::TRIALS).map(|_| trial(random)).find(fits).unwrap_or(self.median)
    }
}

/// A normal number, by Marsaglia's polar method.
fn normal(random: &mut Random) -> f64 {
    loop {
        let [u, v] = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
        let s = u * u + v * v;
        if s > 0.0 && s < 1.0 {
            return u * (-2.0 * s.ln() / s).sqrt();
        }
    }
}
