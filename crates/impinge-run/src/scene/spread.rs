//! Distributions of radii.

use impinge_sim::{Lognormal, Spread};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Spread")]
pub enum SpreadSpec {
    /// Uniform between two radii, m.
    Uniform([f64; 2]),
    /// Log-normal.
    Lognormal(LognormalSpec),
    /// One of these radii with equal probability, m.
    List(Vec<f64>),
    /// Radii with mass fractions: pairs [radius, fraction], m and any unit of mass.
    MassFractions(Vec<[f64; 2]>),
    /// A sieve curve: ascending pairs [aperture, passing], with the aperture (diameter) in m and the mass that passes as
    /// a fraction or in per cent. Linear in between.
    Sieve(Vec<[f64; 2]>),
}

/// Log-normal radii, truncated at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Lognormal")]
pub struct LognormalSpec {
    /// Median radius, m.
    pub median: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
    /// Smallest radius, m.
    pub min: f64,
    /// Largest radius, m.
    pub max: f64,
}

impl From<&SpreadSpec> for Spread {
    fn from(spread: &SpreadSpec) -> Self {
        match spread {
            SpreadSpec::Uniform(range) => Self::Uniform(*range),
            SpreadSpec::List(list) => Self::List(list.clone()),
            SpreadSpec::MassFractions(points) => Self::MassFractions(points.clone()),
            SpreadSpec::Sieve(points) => {
                let radii = points
                    .iter()
                    .map(|[aperture, passing]| [0.5 * aperture, *passing]);
                Self::Sieve(radii.collect())
            }
            SpreadSpec::Lognormal(law) => Self::Lognormal(Lognormal {
                median: law.median,
                sigma: law.sigma,
                min: law.min,
                max: law.max,
            }),
        }
    }
}
