//! Scene files: TOML in SI units, checked, with errors that name line and key.
//!
//! ```toml
//! gravity = [0, 0, -9.81]
//!
//! [run]
//! duration = 2.0
//!
//! [[wall]]
//! shape = { mesh = "part.stl" }        # relative to the scene file
//!
//! [[particles]]
//! count = 2000
//! radius = { uniform = [0.004, 0.006] }
//! region = { box = { min = [-0.1, -0.1, 0.2], max = [0.1, 0.1, 0.6] } }
//! ```
//!
//! The types below define the layout of the file and, through `schemars`, its JSON schema ([`schema`]). `check` tests what
//! types cannot express: radii are positive, regions are not empty. [`SceneSpec::parse`] returns a scene that passed both.

mod body;
mod check;
mod explain;
mod fault;
mod inlet;
mod material;
mod measure;
mod motion;
mod number_or;
mod particles;
mod place;
mod region;
mod shape;
mod solid;
mod spread;
mod timing;
mod wall;

pub use body::{BodySpec, HingeSpec};
pub use fault::SceneError;
pub use inlet::{InletSpec, Outlet};
pub use material::{BroadSpec, ContactSpec, LawSpec, MaterialSpec, PairSpec, RollingSpec};
pub use measure::{AverageSpec, FlowSpec, GridSpec};
pub use motion::{MotionSpec, Turn};
pub use particles::{ParticlesSpec, Placement, Radius};
use place::Places;
pub use region::{BallRegion, BoxRegion, CylinderRegion, RegionSpec};
pub use shape::{ConvexSpec, Foam, Lathe, Motorcycle, ShapeSpec};
pub use solid::{
    BallSpec, Brick, CapSpec, CellKind, Element, Model, Push, SolidBody, SolidShape, VeeSpec,
};
pub use spread::{LognormalSpec, SpreadSpec};
pub use timing::{Run, StepSpec, StepWord};
pub use wall::Wall;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A simulation scene: its contents and how long it runs. SI units throughout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Scene")]
pub struct SceneSpec {
    /// Number of dimensions: 3, or 2 for polygons in the plane.
    #[serde(default = "three")]
    pub dimension: usize,
    /// Gravitational acceleration, m/s². Default: zero.
    #[serde(default)]
    pub gravity: Vec<f64>,
    /// Global damping of spheres, 1/s: the rate at which velocities and spins decay, in contact or not.
    #[serde(default)]
    pub damping: f64,
    /// Duration, time step and output intervals.
    pub run: Run,
    /// Contact law and contact stiffness.
    #[serde(default)]
    pub contact: ContactSpec,
    /// Materials, referred to by name.
    #[serde(default)]
    pub material: Vec<MaterialSpec>,
    /// Coefficients for specific pairs of materials.
    #[serde(default)]
    pub pair: Vec<PairSpec>,
    /// Walls: half-spaces and meshes, at rest or on a prescribed motion.
    #[serde(default)]
    pub wall: Vec<Wall>,
    /// Spheres placed in a region, or read from a file.
    #[serde(default)]
    pub particles: Vec<ParticlesSpec>,
    /// Inlets that insert spheres over time.
    #[serde(default)]
    pub inlet: Vec<InletSpec>,
    /// Outlets that remove spheres and rigid bodies.
    #[serde(default)]
    pub outlet: Vec<Outlet>,
    /// Periodic box for spheres.
    #[serde(default)]
    pub periodic: Option<Periodic>,
    /// Regions over which spheres are averaged.
    #[serde(default)]
    pub average: Vec<AverageSpec>,
    /// Grid on which spheres are averaged.
    #[serde(default)]
    pub grid: Option<GridSpec>,
    /// Planes through which the flow of spheres is measured.
    #[serde(default)]
    pub flow: Vec<FlowSpec>,
    /// Rigid bodies.
    #[serde(default)]
    pub body: Vec<BodySpec>,
    /// Elastic solids.
    #[serde(default)]
    pub solid: Vec<SolidBody>,
}

/// A periodic box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Periodic {
    /// Lower corner, m.
    pub min: [f64; 3],
    /// Upper corner, m.
    pub max: [f64; 3],
    /// Axes that are periodic.
    #[serde(default = "all_axes")]
    pub axes: [bool; 3],
    /// Rates of strain of the axes, 1/s: the box and everything in it are stretched, or compressed by negative rates.
    /// Velocities are relative to this flow.
    #[serde(default)]
    pub rate: [f64; 3],
    /// Pressures that the axes are brought to, Pa; 0 for an axis that keeps its length or its rate. Box, rates, pressures
    /// and solid fraction are in box.csv, with each row of the history.
    #[serde(default)]
    pub pressure: [f64; 3],
    /// Largest rate of strain on the way to a pressure, 1/s.
    #[serde(default)]
    pub largest_rate: Option<f64>,
}

impl Periodic {
    /// Returns whether the box changes its size.
    pub fn deforms(&self) -> bool {
        self.rate != [0.0; 3] || self.pressure != [0.0; 3]
    }
}

fn three() -> usize {
    3
}

fn all_axes() -> [bool; 3] {
    [true; 3]
}

impl SceneSpec {
    /// Reads and checks the text of a scene file.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let places = Places::of(text)?;
        let scene: Self =
            toml::from_str(text).map_err(|error| explain::explain(&error, &places))?;
        check::scene(&scene).map_err(|fault| places.error(&fault))?;
        Ok(scene)
    }

    /// Returns the files that the scene refers to, as written and in order.
    pub fn files(&self) -> Vec<&std::path::Path> {
        let walls = self.wall.iter().filter_map(|wall| wall.shape.as_ref());
        let shapes = walls
            .chain(self.body.iter().map(|body| &body.shape))
            .filter_map(ShapeSpec::file);
        let spheres = self
            .particles
            .iter()
            .filter_map(|group| group.file.as_deref());
        spheres
            .chain(shapes)
            .chain(self.solid.iter().filter_map(|solid| solid.shape.file()))
            .collect()
    }

    /// Returns gravity in the scene's dimension.
    pub fn weight<const D: usize>(&self) -> [f64; D] {
        std::array::from_fn(|axis| self.gravity.get(axis).copied().unwrap_or(0.0))
    }
}

/// Returns the line of a key in a scene's text, or of the table that would contain it.
pub(crate) fn line_of(text: &str, key: &str) -> Option<usize> {
    Places::of(text).ok()?.line_of(key)
}

/// Returns the JSON schema of scene files, for editors.
pub fn schema() -> String {
    let schema = schemars::schema_for!(SceneSpec);
    let mut text =
        serde_json::to_string_pretty(&schema).expect("a schema has only strings as keys");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
