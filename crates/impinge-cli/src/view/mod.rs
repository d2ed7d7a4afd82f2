//! `impinge view`: shows a run or another result in the browser.
//!
//! The page is a TypeScript program in `viewer/`. It requests frames from a small server in this
//! process, or contains them as a self-contained file. Files are read and packed here, so that the page
//! supports only one format.

mod browser;
mod content;
mod exhibit;
mod html;
mod manifest;
mod mesh;
mod overview;
mod pack;
mod run_folder;
mod server;

pub(crate) use exhibit::Exhibit;
pub(crate) use manifest::Role;
pub(crate) use overview::Overview;

use crate::Answer;
use crate::common::Common;
use crate::terminal::say;
use anyhow::Context;
use clap::Args;
use content::Content;
use impinge::space::{Point, Vector};
use run_folder::RunFolder;
use server::Server;
use std::path::{Path, PathBuf};

/// Show a run or a mesh in the browser: rotate the view, play the run, click bodies
///
/// A run may still be computing: the page follows it. The address holds a token and works on this machine only.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge view out/bounce                        play a run, or watch it while it computes
  impinge view out/bounce --html bounce.html     one file to send: opens from disk, needs no network
  impinge view part.stl                          a mesh, with its problems marked
  impinge run scene.toml --view                  compute and watch

Press ? in the page for its keys. Ctrl-C ends the command.")]
pub(crate) struct View {
    /// Folder of a run, or a mesh file
    #[arg(value_name = "OUT")]
    what: PathBuf,
    /// Write one self-contained HTML file instead of serving
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    serving: Serving,
}

/// How a page is served.
#[derive(Args)]
pub(crate) struct Serving {
    /// Port to serve the page on (default: a free one)
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Print the address of the page, but do not open it
    #[arg(long)]
    no_open: bool,
}

/// The option `--view` of other commands.
#[derive(Args)]
pub(crate) struct ViewOption {
    /// Show the result in the browser, or write it to one self-contained HTML file
    #[arg(long, value_name = "FILE.html", num_args = 0..=1, require_equals = true)]
    view: Option<Option<PathBuf>>,
    #[command(flatten)]
    serving: Serving,
}

impl ViewOption {
    /// Shows a result if requested: serves it until Ctrl-C, or writes it to a file.
    pub(crate) fn show(
        &self,
        common: &Common,
        exhibit: impl FnOnce() -> anyhow::Result<Exhibit>,
    ) -> anyhow::Result<()> {
        match &self.view {
            None => Ok(()),
            Some(Some(file)) => write_html(&Content::Exhibit(exhibit()?), file, common),
            Some(None) => serve(Content::Exhibit(exhibit()?), &self.serving, common),
        }
    }

    /// Starts to serve a run that is about to begin, unless it goes to a file at the end.
    pub(crate) fn follow(&self, folder: &Path, common: &Common) -> anyhow::Result<()> {
        match &self.view {
            Some(None) => start(Content::Run(RunFolder::new(folder)), &self.serving, common),
            _ => Ok(()),
        }
    }

    /// After a run: writes the file, or goes on serving until Ctrl-C.
    pub(crate) fn finish(&self, folder: &Path, common: &Common) -> anyhow::Result<()> {
        match &self.view {
            None => Ok(()),
            Some(Some(file)) => write_run(folder, file, common),
            Some(None) => wait(common),
        }
    }
}

pub(crate) fn run(view: &View, common: &Common) -> anyhow::Result<Answer> {
    let what = view.what.as_path();
    let data = std::fs::metadata(what).with_context(|| what.display().to_string())?;
    let content = match data.is_dir() {
        true => Content::Run(RunFolder::new(what)),
        false => Content::Exhibit(mesh::exhibit(what, common)?),
    };

    match &view.html {
        Some(file) => write_html(&content, file, common)?,
        None => serve(content, &view.serving, common)?,
    }
    Ok(Answer::Yes)
}

/// Returns a point and the normal of each half-space in the scene of a run.
pub(crate) fn half_spaces(folder: &Path) -> Vec<(Point<3>, Vector<3>)> {
    let walls = RunFolder::new(folder).walls();
    let planes = walls
        .into_iter()
        .filter_map(|wall| wall.point.zip(wall.normal));
    planes
        .map(|(point, normal)| (point.into(), normal.into()))
        .collect()
}

/// Writes the run in a folder as one self-contained HTML file.
pub(crate) fn write_run(folder: &Path, file: &Path, common: &Common) -> anyhow::Result<()> {
    write_html(&Content::Run(RunFolder::new(folder)), file, common)
}

fn write_html(content: &Content, file: &Path, common: &Common) -> anyhow::Result<()> {
    let page = crate::progress::during(common, "packing frames", || html::page(content))?;
    impinge_io::write_atomically(file, |out| out.write_all(page.text.as_bytes()))?;
    for note in &page.notes {
        crate::terminal::note(format_args!("note: {note}"));
    }

    if !common.json {
        say!(
            common,
            "{}: {:.1} MB; open it in a browser",
            file.display(),
            page.text.len() as f64 / 1e6
        )?;
    }
    Ok(())
}

fn serve(content: Content, serving: &Serving, common: &Common) -> anyhow::Result<()> {
    start(content, serving, common)?;
    wait(common)
}

/// Starts the server, prints its address and opens it.
fn start(content: Content, serving: &Serving, common: &Common) -> anyhow::Result<()> {
    let server = Server::start(content, serving.port)?;
    let url = server.url();
    // The address is printed even with --json or --quiet.
    crate::terminal::print_stderr(format_args!("impinge: the page is at {url}"));
    if !serving.no_open && !common.quiet && !browser::open(&url) {
        crate::terminal::note(format_args!(
            "no browser was found; open the address manually"
        ));
    }
    Ok(())
}

/// Sleeps until Ctrl-C.
fn wait(common: &Common) -> anyhow::Result<()> {
    if crate::interrupt::is_stop_requested() {
        return Ok(());
    }
    crate::interrupt::stop_at_once();
    if !common.json && !common.quiet {
        crate::terminal::print_stderr(format_args!("impinge: press Ctrl-C to stop"));
    }
    loop {
        std::thread::park();
    }
}
