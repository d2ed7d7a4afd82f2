//! Elastic solids: bending, waves, contact pressure, conserved quantities. One file per case.

mod balls;
mod bar;
mod cantilever;
mod hertz;
mod meshes;
mod patch;
mod ring;
mod search_speed;

use crate::study::{self, Findings};
use anyhow::Result;
use impinge::shape::ElementKind;
use impinge_sim::Matter;
use impinge_sim::solid::{Solids, SolidsOptions};

/// The kinds of cells that every case compares.
const KINDS: [ElementKind; 3] = [ElementKind::Tet4, ElementKind::Tet10, ElementKind::Hex8];

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("validate-solids")?;
    let mut findings = Findings::default();
    cantilever::run(&folder, quick, &mut findings)?;
    bar::run(&folder, quick, &mut findings)?;
    ring::run(&folder, quick, &mut findings)?;
    patch::run(&folder, quick, &mut findings)?;
    balls::run(&folder, quick, &mut findings)?;
    hertz::run(&folder, quick, &mut findings)?;
    search_speed::run(&folder, quick, &mut findings)?;

    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

fn weightless() -> Result<Solids> {
    Ok(Solids::new(SolidsOptions {
        gravity: [0.0; 3],
        ..SolidsOptions::default()
    })?)
}

/// Takes steps, with the forces that `load` adds in each.
fn advance(
    solids: &mut Solids,
    dt: f64,
    steps: usize,
    mut load: impl FnMut(&mut Solids) -> Result<()>,
) -> Result<()> {
    for _ in 0..steps {
        solids.begin(dt);
        solids.interact(dt)?;
        load(solids)?;
        solids.finish(dt)?;
    }
    Ok(())
}

/// Lists errors by the number of cells, which doubles.
fn listed(errors: &[(f64, f64)]) -> String {
    let cells = |k: usize| format!("with {} cell{}", 1 << k, if k == 0 { "" } else { "s" });
    let each = (0..).zip(errors);
    let each = each.map(|(k, error)| format!("{:.2} % {}", 100.0 * error.1, cells(k)));
    each.collect::<Vec<String>>().join(", ")
}

/// Returns the number of equal steps up to a time, and their length.
fn steps_until(time: f64, longest: f64) -> (usize, f64) {
    let steps = (time / longest).ceil().max(1.0);
    (steps as usize, time / steps)
}
