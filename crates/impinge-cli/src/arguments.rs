//! Command-line arguments (clap).

use crate::mesh_file::Weld;
use clap::{Args, Parser, Subcommand};
use std::num::NonZeroUsize;
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
  impinge convert part.msh part.vtu              any mesh format to any other; ParaView opens .vtu

Exit codes: 0 fine or found, 1 the answer is \"no\", 2 an error.
'impinge COMMAND --help' has examples for each command.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options common to all commands.
#[derive(Args)]
pub(crate) struct Common {
    /// Print the result as JSON (the schema is in docs/json.md)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print nothing but errors and JSON
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads (default: all cores). Results do not depend on it
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Info(Info),
    Mesh(crate::mesh::Mesh),
    Convert(Convert),
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
    Demo(Demo),
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

/// Inspect a mesh file: contents, quality and problems
///
/// Reports counts, bounds, area and volume; whether the surface (or the boundary of the solid) is closed, oriented
/// and manifold; its components and genus; element quality; and each problem with the first item affected.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge info part.stl
  impinge info part.stl --check && echo good     exit code 1 where there is a problem
  impinge info part.msh --json | jq .problems

Reads STL, OBJ, PLY, OFF, 3MF, GLB, Gmsh MSH 2.2 and 4.1, VTK, VTU, VTP and Abaqus INP.")]
pub(crate) struct Info {
    /// Mesh file
    #[arg(value_name = "MESH")]
    pub(crate) file: PathBuf,
    /// Exit with code 1 if the mesh has a problem
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) weld: Weld,
}

/// Convert a mesh or a point set to another format, chosen by the file extension
///
/// Fields and sets are kept if the output format supports them; anything dropped is reported.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge convert part.msh part.vtu
  impinge convert solid.inp skin.stl --boundary  the outside of a solid as triangles
  impinge convert scan.obj scan.ply --repair     equal points merged, an inside-out surface turned
  impinge convert part.stl part.ply --weld 1e-6  points up to 1e-6 apart merged
  impinge convert bed.csv bed.data               spheres x,y,z,r for LAMMPS and OVITO

Meshes: reads STL, OBJ, PLY, OFF, 3MF, GLB, MSH, VTK, VTU, VTP, INP; writes STL, OBJ, PLY, OFF, MSH 4.1, VTU, VTP.
Points and particles, both ways: CSV, XYZ, NPY, LAMMPS data and dump (spheres); reads the nodes of any mesh.")]
pub(crate) struct Convert {
    /// Input file
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Output file
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Write the boundary surface of the solid elements instead of the elements
    #[arg(long)]
    pub(crate) boundary: bool,
    /// Repair a surface first: merge equal points and flip it if inside out; fails if other problems remain
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) weld: Weld,
}

/// Run a self-contained demo in well under a minute
///
/// A hopper of spheres empties, and points are located inside a foam. Writes pictures, plots and ParaView files.
#[derive(Args)]
#[command(after_help = "Example:\n  impinge demo && xdg-open out/demo/demo.png")]
pub(crate) struct Demo {
    /// Output folder
    #[arg(short, long, value_name = "FOLDER", default_value = "out/demo")]
    pub(crate) output: PathBuf,
    /// Number of spheres in the hopper
    #[arg(long, value_name = "N", default_value_t = 6000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=6000))]
    pub(crate) spheres: u32,
}
