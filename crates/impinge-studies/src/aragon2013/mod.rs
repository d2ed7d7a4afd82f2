//! Three levels of contact detection \[Aragon2013\]. There is one file per table: the cost of exclusion
//! tests and projections, the hierarchies of section 3.2, volume adaptivity. Others cover the examples
//! of section 5, how rarely the engine works, and the public queries of continuous collision detection.

mod crash;
mod exclusion;
mod idle;
pub(crate) mod impact;
mod picture;
mod projection;
mod queries;
mod refinement;
mod trees;

use crate::study::{self, Findings};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Default)]
pub(crate) struct Aragon2013 {
    /// Run a small version, in seconds
    #[arg(long)]
    pub(crate) quick: bool,
    /// Folder of the public queries of continuous collision detection, with exact answers
    #[arg(long, value_name = "DIR")]
    pub(crate) queries: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Aragon2013) -> Result<Findings> {
    let quick = arguments.quick;
    let folder = study::folder("aragon2013")?;
    let mut findings = Findings::default();
    exclusion::run(&folder, quick, &mut findings)?;
    projection::run(&folder, quick, &mut findings)?;
    trees::run(&folder, quick, &mut findings)?;
    refinement::run(&folder, quick, &mut findings)?;
    impact::run(&folder, quick, &mut findings)?;
    crash::run(&folder, &mut findings)?;
    idle::run(&folder, quick, &mut findings)?;

    if let Some(queries) = &arguments.queries {
        queries::run(&folder, queries, &mut findings)?;
    }

    println!("\nwritten: {}", folder.display());
    Ok(findings)
}
