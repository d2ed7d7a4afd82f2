//! Distributions of radii.

use impinge_sim::{Lognormal, Spread};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Spread")]
pub enum SpreadSpec {
    /// Evenly between two, m.
    Uniform([f64; 2]),
    /// Their logarithms are normal.
    Lognormal(LognormalSpec),
    /// One of these with equal chance, m.
    List(Vec<f64>),
}

/// Radii whose logarithms are normal, cut at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Lognormal")]
pub struct LognormalSpec {
    /// Half of the spheres are smaller, m.
    pub median: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
    /// Least radius, m.
    pub min: f64,
    /// Largest radius, m.
    pub max: f64,
}

impl From<&SpreadSpec> for Spread {
    fn from(spread: &SpreadSpec) -> Self {
        match spread {
            SpreadSpec::Uniform(range) => Self::Uniform(*range),
            SpreadSpec::List(list) => Self::List(list.clone()),
            SpreadSpec::Lognormal(law) => Self::Lognormal(Lognormal {
                median: law.median,
                sigma: law.sigma,
                min: law.min,
                max: law.max,
            }),
        }
    }
}
