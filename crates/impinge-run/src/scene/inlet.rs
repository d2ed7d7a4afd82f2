//! `[[inlet]]` and `[[outlet]]`: spheres that come and go.

use super::{Radius, RegionSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where spheres come in as time goes on. One that finds no room waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InletSpec {
    /// Spheres per second.
    pub rate: f64,
    /// m: a number, or a distribution.
    pub radius: Radius,
    /// Where their centres appear.
    pub region: RegionSpec,
    /// Name of their material; the first one unless given.
    #[serde(default)]
    pub material: Option<String>,
    /// m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Up to so much is added to the velocity, in a random direction, m/s.
    #[serde(default)]
    pub spread: f64,
    /// When it opens, s.
    #[serde(default)]
    pub from: f64,
    /// When it closes, s; never unless given.
    #[serde(default)]
    pub until: Option<f64>,
    /// Spheres after which it closes.
    #[serde(default)]
    pub limit: Option<u64>,
}

/// Where spheres and rigid bodies are taken out: those whose centre lies in the region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outlet {
    /// Where.
    pub region: RegionSpec,
}
