//! Every experiment of the papers, and the comparisons with peers: `cargo run --release -p impinge-studies -- NAME`.
//!
//! One module for each study. A study writes its CSV and SVG files to `out/studies/NAME/`, prints its findings, and
//! fails where a finding of the paper does not hold. `--quick` runs it small.

mod plot;
mod study;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand)]
enum Study {}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().study {}
}
