//! `[[particles]]`: spheres placed in a region, or read from a file.

use super::RegionSpec;
use super::number_or::number_or;
use super::spread::SpreadSpec;
use impinge::space::Random;
use impinge_sim::Spread;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::PathBuf;

/// Spheres placed in a region without overlap (`count`, `radius`, `region`), or read from a `file`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParticlesSpec {
    /// Number of spheres. Either this or `solid_fraction`.
    pub count: Option<usize>,
    /// Share of the region's volume that the spheres fill; up to 0.6 with the placement "dense".
    pub solid_fraction: Option<f64>,
    /// Radius, m: a number or a distribution. With a file: the radius of all spheres, if the file has no radii.
    pub radius: Option<Radius>,
    /// Region that contains the spheres at the start.
    pub region: Option<RegionSpec>,
    /// Placement: random or on a lattice.
    pub placement: Placement,
    /// File of spheres, in metres: CSV, XYZ, NPY, VTP, VTU, LAMMPS data, or the last frame of a LAMMPS dump. Columns or
    /// fields for radius or diameter, velocity (vx, …), spin (omegax, …) and type or material are found by name.
    pub file: Option<PathBuf>,
    /// Factor for lengths and velocities of the file: 0.001 for millimetres.
    pub scale: Option<f64>,
    /// Shift of the file's spheres, m, after scaling.
    pub position: [f64; 3],
    /// Name of their material. Default: the first material; with a file that has types or materials, these in the order
    /// of the scene's materials.
    pub material: Option<String>,
    /// Names of the materials of the file's types, in the order of types.
    pub materials: Vec<String>,
    /// Velocity, m/s; added to that of a file.
    pub velocity: [f64; 3],
    /// Random velocity added to each component, uniform in ±spread, m/s.
    pub spread: f64,
    /// Angular velocity, rad/s; added to that of a file.
    pub spin: [f64; 3],
    /// Whether the spheres are fixed, for example as a rough wall.
    pub fixed: bool,
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
    /// At random, then pushed apart; up to 60 % of the region's volume. Periodic on the axes on which
    /// the region is as long as the periodic box.
    Dense,
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
        let expected = "a number or a distribution: { uniform = [a, b] }, { lognormal = … }, { list = […] }, { mass-fractions = … } or \
             { sieve = … }";
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
