//! `[[particles]]`: spheres, thrown or stacked into a region.

use super::RegionSpec;
use super::number_or::number_or;
use super::spread::SpreadSpec;
use impinge::space::Random;
use impinge_sim::Spread;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Spheres, thrown or stacked into a region, without overlaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParticlesSpec {
    /// How many.
    pub count: usize,
    /// m: a number, or a distribution.
    pub radius: Radius,
    /// Where they lie wholly at first.
    pub region: RegionSpec,
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
    Spread(SpreadSpec),
}

impl From<SpreadSpec> for Radius {
    fn from(spread: SpreadSpec) -> Self {
        Self::Spread(spread)
    }
}

impl<'de> Deserialize<'de> for Radius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected =
            "a number or a distribution: { uniform = [a, b] }, { lognormal = … } or { list = […] }";
        number_or::<_, _, SpreadSpec>(deserializer, expected, Self::Fixed)
    }
}

impl Radius {
    /// As a distribution, be it of one radius.
    pub fn spread(&self) -> Spread {
        match self {
            Self::Fixed(radius) => Spread::List(vec![*radius]),
            Self::Spread(spread) => spread.into(),
        }
    }

    /// The least and the largest that may be drawn.
    pub fn range(&self) -> [f64; 2] {
        self.spread().range()
    }

    /// One radius.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Self::Fixed(radius) => *radius,
            Self::Spread(spread) => Spread::from(spread).draw(random),
        }
    }
}
