//! The experiments of the papers, and comparisons with peers: `cargo run --release -p impinge-studies
//! -- NAME`.
//!
//! Each study is a module. It writes its CSV and SVG files and the record of its findings to
//! `out/studies/NAME/`, prints its findings, and fails if one is not as expected. `--quick` runs a
//! small version. `all` runs every study, and `report` makes one page of the last records.

mod aragon2013;
mod coherent;
mod correct;
mod erleben2005;
mod film;
mod list;
mod muth2006;
mod peers;
mod piles;
mod plot;
mod report;
mod schinner1997;
mod schinner_choice;
mod schinner_features;
mod schinner_funnel;
mod schinner_voronoi;
mod stratbuecker2003;
mod study;
mod validate;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use study::{Findings, Record};

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand)]
enum Study {
    /// Every study, one after the other
    All(All),
    /// One HTML page of the last records of all studies: claims held or refuted, figures, machine, date
    Report {
        /// Folder of the page
        #[arg(long, value_name = "DIR", default_value = "docs/studies")]
        folder: PathBuf,
    },
    /// Bounding-volume hierarchies and times of impact: exclusion tests, projections, trees, two thrown
    /// spheres, a motorcycle against a wall
    Aragon2013(aragon2013::Aragon2013),
    /// Deforming solids: time against size and number of intersections, levels, sorting, breakdown of
    /// the time
    Erleben2005(Size),
    /// Comparison with oracles on more cases than tests have time for
    #[command(subcommand)]
    Correct(Correct),
    /// Point in polyhedron: ray crossing and the fast multipole method on spheres and foams
    Muth2006(Size),
    /// Comparisons with the programs that a user would pick instead
    #[command(subcommand)]
    Peers(Peers),
    /// Piles of polyhedra and of rings: what a step costs per touching pair
    Piles(Size),
    /// Sweep and prune by insertion sort, and closest features: exchanges and tests against the number
    /// of bodies, the number of corners and the step length
    Schinner1997(Size),
    /// Sorted columns: tests, comparisons and missed pairs against the number of particles; depth of the sort
    Stratbuecker2003(Size),
    /// The simulator beside closed forms and measured laws
    #[command(subcommand)]
    Validate(Validate),
}

#[derive(Subcommand)]
enum Validate {
    /// Elastic solids: cantilever, wave in a bar, spinning ring, contact patch test, two balls, Hertz's
    /// contact
    Solids(Size),
    /// Discharge of a silo: Beverloo's law
    Beverloo(Size),
    /// Flow down a rough incline: Bagnold's profile
    Chute(Size),
    /// Cooling of a granular gas: Haff's law with Enskog's rate
    Haff(Size),
    /// Single impacts: the tests of Chung and Ooi, Coulomb's law in gross sliding
    Impact(Size),
    /// Load on the floor of a tube: Janssen's law
    Janssen(Size),
    /// Cohesion: the largest pull of JKR and DMT
    Jkr(Size),
    /// Solid fraction of settled beds against friction
    Packing(Size),
    /// Beds that come to rest: the energy balance at every restitution
    Settle(Size),
    /// Stacks of rigid blocks that stand or fall, a block on an incline
    Tower(Size),
}

#[derive(Subcommand)]
enum Correct {
    /// Distance and depth of small convex bodies compared with brute force
    Narrow {
        /// Number of pairs
        #[arg(long, default_value_t = correct::narrow::PAIRS)]
        pairs: usize,
    },
}

#[derive(Subcommand)]
enum Peers {
    /// First impact of whole meshes between two positions, compared with the IPC Toolkit: two sheets, a
    /// folding sheet
    Ccd(Size),
    /// A whole step of contact detection, compared with parry: convex bodies and meshes
    Detect(Size),
    /// Distance and depth of convex bodies, compared with parry and coal
    Distance(Size),
    /// Point in polyhedron, compared with CGAL, Embree, libigl and Open3D
    Inside(Size),
    /// Surfaces against surfaces, compared with coal and parry; nearest points, compared with libigl
    /// and CGAL
    Meshes(Size),
    /// Faces of deforming solids in their tetrahedra, compared with parry and the IPC Toolkit
    Solids(Size),
    /// Overlapping pairs, compared with parry, rapier, kiddo, broccoli, scipy and LAMMPS
    Pairs(peers::pairs::Pairs),
    /// A settled bed of spheres, compared with LAMMPS: the same law and time step
    Dem(Size),
    /// A settled bed of spheres on MPI ranks, compared with LAMMPS; needs the feature mpi
    Mpi(Size),
    #[command(hide = true)]
    MpiRank(peers::mpi::rank::Rank),
    /// Time of impact of two thrown balls, compared with the IPC Toolkit and parry
    Predict(Size),
    /// Closest points on curved faces, compared with SLSQP; contact search on stretched faces and at
    /// depth
    Project(Size),
}

#[derive(Args)]
struct Size {
    /// Run a small version, in seconds
    #[arg(long)]
    quick: bool,
}

#[derive(Args)]
struct All {
    /// Run small versions: everything in less than two minutes
    #[arg(long)]
    quick: bool,
    /// Run the studies of the papers only, without the comparisons
    #[arg(long)]
    papers: bool,
}

fn main() -> Result<()> {
    match Arguments::parse().study {
        Study::All(all) => list::run(all.quick, all.papers),
        Study::Report { folder } => report::write(&folder),
        Study::Aragon2013(arguments) => run("aragon2013", arguments.quick, |_| {
            aragon2013::run(&arguments)
        }),
        Study::Erleben2005(size) => run("erleben2005", size.quick, erleben2005::run),
        Study::Correct(Correct::Narrow { pairs }) => {
            run("correct-narrow", pairs < correct::narrow::PAIRS, |_| {
                correct::narrow::run(pairs)
            })
        }
        Study::Muth2006(size) => run("muth2006", size.quick, muth2006::run),
        Study::Peers(Peers::Ccd(size)) => run("peers-ccd", size.quick, peers::ccd::run),
        Study::Peers(Peers::Dem(size)) => run("peers-dem", size.quick, peers::dem::run),
        Study::Peers(Peers::Detect(size)) => run("peers-detect", size.quick, peers::detect::run),
        Study::Peers(Peers::Distance(size)) => {
            run("peers-distance", size.quick, peers::distance::run)
        }
        Study::Peers(Peers::Inside(size)) => run("peers-inside", size.quick, peers::inside::run),
        Study::Peers(Peers::Meshes(size)) => run("peers-meshes", size.quick, peers::meshes::run),
        Study::Peers(Peers::Mpi(size)) => run("peers-mpi", size.quick, peers::mpi::run),
        Study::Peers(Peers::MpiRank(rank)) => peers::mpi::rank::run(&rank),
        Study::Peers(Peers::Pairs(arguments)) => run("peers-pairs", arguments.quick, |_| {
            peers::pairs::run(&arguments)
        }),
        Study::Peers(Peers::Solids(size)) => run("peers-solids", size.quick, peers::solids::run),
        Study::Peers(Peers::Predict(size)) => run("peers-predict", size.quick, peers::predict::run),
        Study::Peers(Peers::Project(size)) => run("peers-project", size.quick, peers::project::run),
        Study::Piles(size) => run("piles", size.quick, piles::run),
        Study::Schinner1997(size) => run("schinner1997", size.quick, schinner1997::run),
        Study::Stratbuecker2003(size) => run("stratbuecker2003", size.quick, stratbuecker2003::run),
        Study::Validate(Validate::Solids(size)) => {
            run("validate-solids", size.quick, validate::solids::run)
        }
        Study::Validate(Validate::Beverloo(size)) => {
            run("validate-beverloo", size.quick, validate::beverloo::run)
        }
        Study::Validate(Validate::Chute(size)) => {
            run("validate-chute", size.quick, validate::chute::run)
        }
        Study::Validate(Validate::Haff(size)) => {
            run("validate-haff", size.quick, validate::haff::run)
        }
        Study::Validate(Validate::Impact(size)) => {
            run("validate-impact", size.quick, validate::impact::run)
        }
        Study::Validate(Validate::Janssen(size)) => {
            run("validate-janssen", size.quick, validate::janssen::run)
        }
        Study::Validate(Validate::Jkr(size)) => run("validate-jkr", size.quick, validate::jkr::run),
        Study::Validate(Validate::Packing(size)) => {
            run("validate-packing", size.quick, validate::packing::run)
        }
        Study::Validate(Validate::Settle(size)) => {
            run("validate-settle", size.quick, validate::settle::run)
        }
        Study::Validate(Validate::Tower(size)) => {
            run("validate-tower", size.quick, validate::tower::run)
        }
    }
}

/// Runs and records one study; fails if a finding is not as expected.
fn run(name: &str, quick: bool, study: impl FnOnce(bool) -> Result<Findings>) -> Result<()> {
    Record::of_run(name, quick, || study(quick))?.require_success()
}
