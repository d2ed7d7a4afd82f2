//! The experiments of the papers, and comparisons with peers: `cargo run --release -p impinge-studies
//! -- NAME`.
//!
//! Each study is a module. It writes its CSV and SVG files to `out/studies/NAME/`, prints its findings,
//! and fails if a finding of the paper does not hold. `--quick` runs a small version.

mod aragon2013;
mod coherent;
mod contour;
mod correct;
mod erleben2005;
mod film;
mod muth2006;
mod peers;
mod plot;
mod schinner1997;
mod schinner_features;
mod stratbuecker2003;
mod study;

use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand)]
enum Study {
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
    /// Sweep and prune by insertion sort, and closest features: exchanges and tests against the number
    /// of bodies, the number of corners and the step length
    Schinner1997(Size),
    /// Sorted columns: tests, comparisons and missed pairs against the number of particles; depth of the sort
    Stratbuecker2003(Size),
}

#[derive(Subcommand)]
enum Correct {
    /// Distance and depth of small convex bodies compared with brute force
    Narrow {
        /// Number of pairs
        #[arg(long, default_value_t = 10_000_000)]
        pairs: usize,
    },
}

#[derive(Subcommand)]
enum Peers {
    /// First impact of whole meshes between two positions, compared with the IPC Toolkit: two sheets, a
    /// folding sheet
    Ccd(Size),
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

fn main() -> anyhow::Result<()> {
    match Arguments::parse().study {
        Study::Aragon2013(arguments) => aragon2013::run(&arguments),
        Study::Erleben2005(size) => erleben2005::run(size.quick),
        Study::Correct(Correct::Narrow { pairs }) => correct::narrow::run(pairs),
        Study::Muth2006(size) => muth2006::run(size.quick),
        Study::Peers(Peers::Ccd(size)) => peers::ccd::run(size.quick),
        Study::Peers(Peers::Dem(size)) => peers::dem::run(size.quick),
        Study::Peers(Peers::Distance(size)) => peers::distance::run(size.quick),
        Study::Peers(Peers::Inside(size)) => peers::inside::run(size.quick),
        Study::Peers(Peers::Meshes(size)) => peers::meshes::run(size.quick),
        Study::Peers(Peers::Pairs(arguments)) => peers::pairs::run(&arguments),
        Study::Peers(Peers::Solids(size)) => peers::solids::run(size.quick),
        Study::Peers(Peers::Predict(size)) => peers::predict::run(size.quick),
        Study::Peers(Peers::Project(size)) => peers::project::run(size.quick),
        Study::Schinner1997(size) => {
            schinner1997::run(size.quick)?;
            schinner_features::run(size.quick)
        }
        Study::Stratbuecker2003(size) => stratbuecker2003::run(size.quick),
    }
}
