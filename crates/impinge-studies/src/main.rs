//! Every experiment of the papers, and the comparisons with peers: `cargo run --release -p impinge-studies -- NAME`.
//!
//! One module for each study. A study writes its CSV and SVG files to `out/studies/NAME/`, prints its findings, and
//! fails where a finding of the paper does not hold. `--quick` runs it small.

mod peers;
mod plot;
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
    /// Comparisons with the programs that a user would pick instead
    #[command(subcommand)]
    Peers(Peers),
}

#[derive(Subcommand)]
enum Peers {
    /// Point in polyhedron beside CGAL, Embree, libigl and Open3D
    Inside(Size),
}

#[derive(Args)]
struct Size {
    /// Small, in seconds
    #[arg(long)]
    quick: bool,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().study {
        Study::Peers(Peers::Inside(size)) => peers::inside::run(size.quick),
    }
}
