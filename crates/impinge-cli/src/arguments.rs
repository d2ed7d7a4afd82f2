//! Command-line arguments (clap).

use crate::common::Common;
use clap::{CommandFactory, Parser, Subcommand};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "impinge", version, about = "Who touches whom, where, how deep, and when", long_about = None)]
#[command(after_help = "\
Examples:
  impinge demo                                 a hopper of spheres and a foam
  impinge info part.stl                        is it closed? what is wrong with it?
  impinge inside part.stl grid:80 -o in.vtu    which points are in it?
  impinge distance a.stl b.stl                 how far apart, or how deep?
  impinge run scene.toml -o out/scene --view   simulate, and watch

Exit codes: 0 success or found, 1 the answer is \"no\", 2 an error. 'impinge COMMAND --help' has examples for each \
command.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The commands of the overview, grouped by purpose.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Mesh files", &["info", "mesh", "convert"]),
    ("Points and meshes", &["inside", "project"]),
    (
        "Pairs of bodies",
        &["pairs", "distance", "contacts", "collide", "self"],
    ),
    ("Bodies in motion", &["predict", "run"]),
    ("Visualisation", &["view", "demo"]),
];

impl Arguments {
    /// Returns the parser, whose overview lists the commands in groups; clap has headings for options
    /// only.
    pub(crate) fn grouped() -> clap::Command {
        let command = Self::command();
        let mut list = String::new();
        for (heading, names) in GROUPS {
            let _ = writeln!(list, "{heading}:");
            for name in names {
                let about = command
                    .find_subcommand(name)
                    .and_then(clap::Command::get_about);
                let about = about.map(ToString::to_string).unwrap_or_default();
                let _ = writeln!(list, "  {name:9} {about}");
            }
            list.push('\n');
        }

        command.help_template(format!(
            "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
        ))
    }
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

#[cfg(test)]
mod tests;
