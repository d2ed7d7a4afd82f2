//! Numbers read from a world: loads on walls and bodies, averages over regions and grids, mass flow through planes,
//! the distribution of contact forces.
//!
//! All of them read the contacts and particles of the last step, in the order of ids, so that tables have the same
//! bytes for any number of threads.

mod average;
mod cell;
mod flow;
mod grid;
mod histogram;
mod loads;
mod snapshot;
#[cfg(test)]
mod tests;

pub use flow::{FlowMeter, Passed};
pub(crate) use snapshot::Snapshot;

use crate::output::{Frame, Sheet};
use crate::scene::{Periodic, SceneSpec};
use impinge_sim::world::World;

/// Loads on walls and bodies.
pub const LOADS: Sheet = Sheet {
    file: "loads.csv",
    header: loads::HEADER,
};

/// Averages over regions.
pub const AVERAGES: Sheet = Sheet {
    file: "averages.csv",
    header: average::HEADER,
};

/// Mass flow through planes.
pub const FLOWS: Sheet = Sheet {
    file: "flow.csv",
    header: flow::HEADER,
};

/// Distribution of contact forces.
pub const FORCES: Sheet = Sheet {
    file: "forces.csv",
    header: histogram::HEADER,
};

/// The periodic box, if it changes its size.
pub const BOX: Sheet = Sheet {
    file: "box.csv",
    header: cell::HEADER,
};

/// Returns the tables that a scene requests, besides history and contacts.
pub fn sheets(scene: &SceneSpec) -> Vec<Sheet> {
    let wanted = [
        (LOADS, scene.run.loads.is_some()),
        (AVERAGES, !scene.average.is_empty()),
        (FLOWS, !scene.flow.is_empty()),
        (FORCES, scene.run.forces.is_some()),
        (BOX, is_box_deforming(scene)),
    ];
    let wanted = wanted.into_iter().filter(|(_, wanted)| *wanted);
    wanted.map(|(sheet, _)| sheet).collect()
}

/// Returns whether the periodic box of a scene changes its size.
pub fn is_box_deforming(scene: &SceneSpec) -> bool {
    scene.periodic.as_ref().is_some_and(Periodic::deforms)
}

/// Returns the row of the periodic box at a time; empty without particles.
pub fn periodic_box(world: &World, time: f64) -> String {
    world
        .particles()
        .map(|particles| cell::row(particles, time))
        .unwrap_or_default()
}

/// Returns the rows of the loads at a time.
pub fn loads(world: &World, time: f64) -> String {
    loads::rows(world, &world.contacts(), time)
}

/// Returns the rows of all averages of a scene at a time.
pub fn averages(world: &World, scene: &SceneSpec, time: f64) -> String {
    let snapshot = Snapshot::of(world);
    let rows = scene.average.iter().enumerate();
    rows.map(|(n, average)| average::row(&snapshot, n, average, time))
        .collect()
}

/// Returns the rows of the distribution of contact forces at a time.
pub fn forces(world: &World, time: f64) -> String {
    histogram::rows(&world.contacts(), time)
}

/// Returns the grid of a scene as a frame.
pub fn grid(world: &World, scene: &SceneSpec) -> Option<Frame> {
    let grid = scene.grid.as_ref()?;
    Some(grid::frame(&Snapshot::of(world), grid))
}

/// Formats numbers as further columns.
fn columns(numbers: &[f64]) -> String {
    // Adding zero turns −0 into 0.
    let columns = numbers.iter().map(|number| format!(",{:?}", number + 0.0));
    columns.collect()
}
