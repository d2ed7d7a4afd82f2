//! Mesh input shared by all commands.

use crate::common::Common;
use crate::progress;
use crate::terminal::{count, grouped, note_ignored};
use anyhow::bail;
use clap::Args;
use impinge::inside::inward_part;
use impinge::shape::{
    ElementKind, Mesh, ProblemKind, Surface, SurfaceReport, WELD_TOLERANCE, inspect,
};
use impinge_io::Dataset;
use std::path::Path;

/// Weld tolerance.
#[derive(Args)]
pub(crate) struct Weld {
    /// Merge mesh points up to this distance apart, in the units of the file
    #[arg(long, value_name = "TOLERANCE", value_parser = tolerance)]
    weld: Option<f64>,
}

fn tolerance(text: &str) -> anyhow::Result<f64> {
    match text.parse() {
        Ok(tolerance) if (0.0..f64::INFINITY).contains(&tolerance) => Ok(tolerance),
        _ => bail!("expected a non-negative length, such as 1e-6"),
    }
}

impl Weld {
    /// Reads a mesh and notes on standard error what was dropped or merged.
    pub(crate) fn read(&self, path: &Path, common: &Common) -> anyhow::Result<Dataset> {
        let dataset = self.read_quietly(path, common)?;
        note_ignored(path, &dataset.ignored);
        if dataset.welded > 0 {
            let merged = count(dataset.welded, "point");
            note(path, &format!("{merged} merged with others nearby"));
        }

        Ok(dataset)
    }

    /// Like [`Weld::read`], without the notes.
    pub(crate) fn read_quietly(&self, path: &Path, common: &Common) -> anyhow::Result<Dataset> {
        let reading = format!("reading {}", path.display());
        let mut dataset = progress::during(common, &reading, || impinge_io::read(path))?;
        if let Some(tolerance) = self.weld {
            dataset.weld(tolerance);
        }
        Ok(dataset)
    }
}

/// Closes the surface elements of a mesh into a surface; shared by all commands that need an inside.
///
/// Merges points that are equal or within 1e-12 of the size, and flips a surface that faces inward, with a note.
/// Returns `None`, with a note, for a surface that has open edges or encloses nothing, because it has no inside.
/// A surface that seems closed but does not define an inside is an error.
pub(crate) fn close(path: &Path, mesh: &mut Mesh) -> anyhow::Result<Option<Surface>> {
    if let Ok(surface) = Surface::from_mesh(mesh) {
        return whole(path, surface).map(Some);
    }

    weld_noise(path, mesh);
    let mut taken = Surface::from_mesh(mesh);
    if taken
        .as_ref()
        .is_err_and(|problem| problem.kind == ProblemKind::InsideOut)
    {
        mesh.flip();
        note(path, "the surface faces inward and was flipped");
        taken = Surface::from_mesh(mesh);
    }

    let problem = match taken {
        Ok(surface) => return whole(path, surface).map(Some),
        Err(problem) => problem,
    };
    let report = inspect(mesh).surface;

    // Several parts without a volume in all may face opposite ways.
    let is_flat = problem.kind == ProblemKind::ZeroVolume && report.components == 1;
    if !report.closed || is_flat {
        let advice = weld_advice(&report);
        note(
            path,
            &format!("an open surface, which has no inside: {problem}{advice}"),
        );
        return Ok(None);
    }

    let advice = match problem.kind {
        ProblemKind::NonManifoldEdge => {
            "remove faces inside the body, or put parts that touch along an edge into separate files"
        }
        ProblemKind::InconsistentOrientation => "orient its faces consistently first",
        ProblemKind::ZeroVolume => {
            "flip the parts that face inward, or put flat parts into files of their own"
        }
        _ => "'impinge info' lists what is wrong",
    };

    bail!(
        "{}: the inside is ambiguous: {problem}; {advice}",
        path.display()
    )
}

/// Returns the surface, or an error if a part of it faces inward without being a cavity.
fn whole(path: &Path, surface: Surface) -> anyhow::Result<Surface> {
    if let Some(triangle) = inward_part(&surface) {
        bail!(
            "{}: the inside is ambiguous: the part with triangle {triangle} faces inward and is not a cavity of \
             another; flip its faces first",
            path.display()
        );
    }
    Ok(surface)
}

/// Merges points that differ only by rounding or by the precision of the format.
pub(crate) fn weld_noise(path: &Path, mesh: &mut Mesh) {
    let weld = mesh.weld(WELD_TOLERANCE * mesh.bounds().longest_edge());
    if weld.merged_points > 0 {
        let merged = count(weld.merged_points, "point");
        note(
            path,
            &format!("{merged} equal to others, within 1e-12 of the size, merged"),
        );
    }
}

/// Advice, to end a sentence, on open edges that welding would close.
pub(crate) fn weld_advice(report: &SurfaceReport) -> String {
    match report.closing_weld {
        None => String::new(),
        Some(0.0) => "; merging equal points closes it ('impinge convert --repair')".to_owned(),
        Some(tolerance) => format!("; --weld {tolerance:e} closes it"),
    }
}

fn note(path: &Path, what: &str) {
    eprintln!("impinge: note: {}: {what}", path.display());
}

/// One-line summary, such as `8,232 points, 26,790 tet4`.
pub(crate) fn summary(dataset: &Dataset) -> String {
    let kinds = ElementKind::ALL
        .into_iter()
        .map(|kind| (kind, dataset.mesh.count(kind)));
    let kinds = kinds
        .filter(|(_, n)| *n > 0)
        .map(|(kind, n)| format!("{} {}", grouped(n), kind.name()));

    [count(dataset.mesh.points.len(), "point")]
        .into_iter()
        .chain(kinds)
        .collect::<Vec<_>>()
        .join(", ")
}
