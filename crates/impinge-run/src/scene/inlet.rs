//! `[[inlet]]` and `[[outlet]]`: insertion and removal of spheres.

use super::{Radius, RegionSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An inlet that inserts spheres over time. A sphere that would overlap another waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InletSpec {
    /// Spheres per second. Either this or `mass_rate`.
    #[serde(default)]
    pub rate: Option<f64>,
    /// Mass flow, kg/s.
    #[serde(default)]
    pub mass_rate: Option<f64>,
    /// Radius, m: a number or a distribution.
    pub radius: Radius,
    /// Region in which sphere centres appear.
    pub region: RegionSpec,
    /// Name of their material. Default: the first material.
    #[serde(default)]
    pub material: Option<String>,
    /// Velocity, m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Largest random velocity added in a random direction, m/s.
    #[serde(default)]
    pub spread: f64,
    /// Opening time, s.
    #[serde(default)]
    pub from: f64,
    /// Closing time, s. Default: never.
    #[serde(default)]
    pub until: Option<f64>,
    /// Total number of spheres after which the inlet closes.
    #[serde(default)]
    pub limit: Option<u64>,
}

/// An outlet: spheres and rigid bodies are removed once their centre enters the region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outlet {
    /// Region of the outlet.
    pub region: RegionSpec,
}
