//! `[[average]]`, `[grid]` and `[[flow]]`: measurements of the spheres.

use super::RegionSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A region over which spheres and their contacts are averaged, a row of averages.csv with each row of the history:
/// solid fraction, coordination number, granular temperature (m²/s²), mean velocity (m/s), pressure and stress (Pa).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AverageSpec {
    /// Name in the table. Default: `average[0]` and so on.
    #[serde(default)]
    pub name: Option<String>,
    /// Region.
    pub region: RegionSpec,
}

/// A grid on which spheres and their contacts are averaged, a VTU file with each frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridSpec {
    /// Lower corner, m.
    pub min: [f64; 3],
    /// Upper corner, m.
    pub max: [f64; 3],
    /// Number of cells along each axis.
    pub cells: [usize; 3],
}

/// A plane through which the flow of spheres is measured, a row of flow.csv with each row of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowSpec {
    /// Name in the table. Default: `flow[0]` and so on.
    #[serde(default)]
    pub name: Option<String>,
    /// A point of the plane, m.
    pub point: [f64; 3],
    /// Direction in which flow counts as positive.
    pub normal: [f64; 3],
    /// Region to which the plane is limited. Default: none.
    #[serde(default)]
    pub region: Option<RegionSpec>,
}
