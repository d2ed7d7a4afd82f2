//! `[[particles]]`: spheres placed in a region.

use super::RegionSpec;
use super::number_or::number_or;
use super::spread::SpreadSpec;
use impinge::space::Random;
use impinge_sim::Spread;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Spheres placed in a region without overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParticlesSpec {
    /// Number of spheres.
    pub count: usize,
    /// Radius, m: a number or a distribution.
    pub radius: Radius,
    /// Region that contains the spheres at the start.
    pub region: RegionSpec,
    /// Placement: random or on a lattice.
    #[serde(default)]
    pub placement: Placement,
    /// Name of their material. Default: the first material.
    #[serde(default)]
    pub material: Option<String>,
    /// Velocity, m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Random velocity added to each component, uniform in ±spread, m/s.
    #[serde(default)]
    pub spread: f64,
}

/// Placement of spheres.
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
    /// One radius for all, m.
    Fixed(f64),
    /// Drawn from a distribution.
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
    /// Returns the radius as a distribution.
    pub fn spread(&self) -> Spread {
        match self {
            Self::Fixed(radius) => Spread::List(vec![*radius]),
            Self::Spread(spread) => spread.into(),
        }
    }

    /// Returns the smallest and largest radius that can be drawn.
    pub fn range(&self) -> [f64; 2] {
        self.spread().range()
    }

    /// Draws a radius.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Self::Fixed(radius) => *radius,
            Self::Spread(spread) => Spread::from(spread).draw(random),
        }
    }
}
