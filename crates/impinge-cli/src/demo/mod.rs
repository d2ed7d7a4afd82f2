//! `impinge demo`: a self-contained demonstration that runs in well under a minute without any setup.

mod foam;
mod hopper;

use crate::Answer;
use crate::common::Common;
use crate::terminal::say;
use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};

/// Run a self-contained demo in well under a minute
///
/// A hopper of spheres empties, and points are located inside a foam. Writes pictures, plots and ParaView files.
#[derive(Args)]
#[command(after_help = "Example:\n  impinge demo && xdg-open out/demo/hopper.html")]
pub(crate) struct Demo {
    /// Output folder
    #[arg(short, long, value_name = "FOLDER", default_value = "out/demo")]
    output: PathBuf,
    /// Number of spheres in the hopper
    #[arg(long, value_name = "N", default_value_t = 6000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=6000))]
    spheres: u32,
}

/// The hopper as a page that plays it.
const PAGE: &str = "hopper.html";

pub(crate) fn run(demo: &Demo, common: &Common) -> anyhow::Result<Answer> {
    let folder = demo.output.as_path();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    if hopper::run(folder, demo.spheres, common)? == Answer::Interrupted {
        return Ok(Answer::Interrupted);
    }

    foam::run(folder, common)?;
    crate::view::write_run(&folder.join("hopper"), &folder.join(PAGE), common)?;
    list(folder, common)?;
    Ok(Answer::Yes)
}

fn list(folder: &Path, common: &Common) -> std::io::Result<()> {
    say!(
        common,
        "\nOpen {} in a browser to play the hopper; beside it are",
        folder.join(PAGE).display()
    )?;

    for (file, what) in [
        ("demo.png", "five moments of it"),
        ("history.svg", "how the hopper emptied"),
        ("foam.png", "a foam, and the points found in its lower half"),
        (
            "hopper/particles.pvd",
            "the spheres for ParaView; show as points scaled by 'radius'",
        ),
        (
            "hopper/contacts.pvd",
            "the contact network, with 'force' on its lines",
        ),
        ("hopper/walls.pvd", "the hopper and its gate"),
        ("hopper/history.csv", "energies, momentum and counts"),
        ("foam.vtp", "the foam"),
        ("points.vtu", "the points; colour by 'position' (1 inside)"),
    ] {
        say!(common, "  {file:<24}{what}")?;
    }

    Ok(())
}
