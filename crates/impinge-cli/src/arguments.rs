//! Command-line arguments (clap).

use crate::common::Common;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "impinge", version, about = "Who touches whom, where, how deep, and when", long_about = None)]
#[command(after_help = "\
Examples:
  impinge info part.stl                          is it closed? what is wrong with it?
  impinge mesh foam --triangles 121000 -o foam.stl
  impinge inside part.stl grid:80 -o located.vtu which points are in it?
  impinge pairs bed.csv -o pairs.csv             which spheres overlap?
  impinge distance a.stl b.stl --pose-b 2,0,0    how far apart, or how deep?
  impinge self tissue.vtu -o hits.csv            does a deformed solid pass through itself?
  impinge collide a.vtu b.vtu --json             do two solids, or two surfaces, meet?
  impinge contacts a.msh b.msh -o contacts.csv   which nodes touch or enter the other body?
  impinge project part.msh probes.csv            where is the closest point?
  impinge predict scene.toml --until 20          when will they touch?
  impinge run scene.toml -o out/scene            let them move, touch and push each other
  impinge view out/scene                         play the run in the browser
  impinge convert part.msh part.vtu              any mesh format to any other; ParaView opens .vtu

Exit codes: 0 fine or found, 1 the answer is \"no\", 2 an error.
'impinge COMMAND --help' has examples for each command.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Info(crate::info::Info),
    Mesh(crate::mesh::Mesh),
    Convert(crate::convert::Convert),
    Inside(crate::inside::Inside),
    Pairs(crate::pairs::Pairs),
    Distance(crate::distance::Distance),
    #[command(name = "self")]
    SelfHits(crate::solids::SelfHits),
    Collide(crate::solids::Collide),
    Contacts(crate::contacts::Contacts),
    Project(crate::project::Project),
    Predict(crate::predict::Predict),
    Run(crate::run::Run),
    View(crate::view::View),
    Demo(crate::demo::Demo),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  impinge completions bash > /etc/bash_completion.d/impinge")]
    Completions {
        /// Shell to generate the script for
        shell: clap_complete::Shell,
    },
    /// Write man pages for all commands to a folder
    #[command(hide = true)]
    Manual {
        /// Output folder
        folder: PathBuf,
    },
}
