//! `impinge convert`: converts meshes and point sets between formats.

use crate::Answer;
use crate::common::Common;
use crate::destination;
use crate::mesh_file::{Weld, summary, weld_advice};
use crate::progress;
use crate::terminal::{count, note_ignored, say};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use impinge::shape::{Cells, ElementKind, Mesh, Repair, Surface, inspect};
use impinge_io::{Dataset, Format, Ignored, Points};
use std::path::{Path, PathBuf};

/// Convert a mesh or a point set to another format, chosen by the file extension
///
/// Fields and sets are kept if the output format supports them; anything dropped is reported.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge convert part.msh part.vtu
  impinge convert solid.inp skin.stl --boundary  boundary as triangles
  impinge convert scan.obj scan.ply --repair     merge points, turn outward
  impinge convert part.stl part.ply --weld 1e-6  merge points up to 1e-6 apart
  impinge convert bed.csv bed.data               spheres for LAMMPS and OVITO

Meshes: reads STL, OBJ, PLY, OFF, 3MF, GLB, MSH, VTK, VTU, VTP, INP; writes STL, OBJ, PLY, OFF, MSH 4.1, VTU, VTP.

Points and particles, read and written: CSV, XYZ, NPY, LAMMPS data and dump (spheres). The nodes of any mesh can be \
read as points.")]
pub(crate) struct Convert {
    /// Input file
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Output file
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Write the boundary surface of the solid elements instead of the elements
    #[arg(long)]
    boundary: bool,
    /// Repair a surface first: merge equal points and flip it if inside out; fails if other problems remain
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    weld: Weld,
}

pub(crate) fn run(convert: &Convert, common: &Common) -> anyhow::Result<Answer> {
    destination::check_folder(&convert.output)?;
    let is_mesh = |path: &Path| Format::of(path).is_some();
    if is_mesh(&convert.input) && is_mesh(&convert.output) {
        impinge_io::check_output(&convert.output)?;
        meshes(convert, common)?
    } else {
        impinge_io::check_points_output(&convert.output)?;
        points(convert, common)?
    }

    Ok(Answer::Yes)
}

/// Converts points or particles; a mesh contributes its nodes.
fn points(convert: &Convert, common: &Common) -> anyhow::Result<()> {
    if convert.boundary || convert.repair {
        bail!("--boundary and --repair are for meshes, but one of the files is a table of points");
    }

    let reading = format!("reading {}", convert.input.display());
    let points = progress::during(common, &reading, || match Format::of(&convert.input) {
        Some(_) => impinge_io::read(&convert.input).map(nodes),
        None => impinge_io::read_points(&convert.input),
    })?;
    note_ignored(&convert.input, &points.ignored);
    let lost = impinge_io::write_points(&convert.output, &points)?;
    note_ignored(&convert.output, &lost);

    say!(
        common,
        "{}: {}",
        convert.output.display(),
        count(points.len(), "row")
    )?;

    Ok(())
}

/// Returns the nodes of a mesh and notes on standard error what is dropped.
fn nodes(dataset: Dataset) -> Points {
    let mut ignored = dataset.ignored;
    let elements = ElementKind::ALL.into_iter().map(|kind| {
        (
            format!("{} elements", kind.name()),
            dataset.mesh.count(kind),
        )
    });
    let others = [
        ("point fields", dataset.point_fields.len()),
        ("cell fields", dataset.cell_fields.len()),
        ("sets", dataset.sets.len()),
    ];
    let others = others.map(|(what, count)| (what.to_owned(), count));

    for (what, count) in elements.chain(others).filter(|(_, count)| *count > 0) {
        ignored.push(Ignored { what, count });
    }

    Points {
        ignored,
        ..Points::of_space(&dataset.mesh.points)
    }
}

fn meshes(convert: &Convert, common: &Common) -> anyhow::Result<()> {
    let mut dataset = convert.weld.read(&convert.input, common)?;
    if convert.boundary {
        dataset = boundary(&dataset.mesh)
            .with_context(|| convert.input.display().to_string())?
            .into();
    }

    if convert.repair {
        let (mesh, repair) =
            repaired(&dataset.mesh).with_context(|| convert.input.display().to_string())?;
        say_repair(common, &repair)?;
        dataset = mesh.into();
    }

    refuse_solids(&convert.output, &dataset.mesh)?;
    let writing = format!("writing {}", convert.output.display());
    let lost = progress::during(common, &writing, || {
        impinge_io::write(&convert.output, &dataset)
    })?;
    note_ignored(&convert.output, &lost);
    say!(
        common,
        "{}: {}",
        convert.output.display(),
        summary(&dataset)
    )?;

    Ok(())
}

/// Returns an error if the output is a surface format and the mesh has only solid elements.
fn refuse_solids(output: &Path, mesh: &Mesh) -> anyhow::Result<()> {
    let holds_solids = matches!(Format::of(output), Some(Format::Msh | Format::Vtu));
    if !holds_solids && mesh.count_of_dimension(3) > 0 && mesh.count_of_dimension(2) == 0 {
        bail!(
            "{}: the format stores surfaces, but the mesh has only solid elements; --boundary writes their surface",
            output.display()
        );
    }

    Ok(())
}

/// Returns the boundary of the solid elements as a mesh with only the points it uses.
fn boundary(mesh: &Mesh) -> anyhow::Result<Mesh> {
    if mesh.count_of_dimension(3) == 0 {
        bail!("no solid elements: nothing to take the boundary of");
    }
    let faces = Cells::<3>::from_mesh(mesh)?.boundary().faces.to_mesh();
    Ok(faces.compacted())
}

fn repaired(mesh: &Mesh) -> anyhow::Result<(Mesh, Repair)> {
    if mesh.count_of_dimension(3) > 0 {
        bail!("--repair works on surfaces; extract the surface of a solid first with --boundary");
    }

    if let Some(problem) = mesh.uncut_quads() {
        bail!(problem);
    }

    // Points left without elements by an earlier weld are not part of the surface.
    let mesh = mesh.clone().compacted();
    let triangles = mesh.triangles();
    let (surface, repair) = Surface::repair(&mesh.points, &triangles).map_err(|problem| {
        let advice = weld_advice(&inspect(&mesh).surface);
        anyhow!("{problem}{advice}")
    })?;

    Ok((surface.to_mesh().compacted(), repair))
}

fn say_repair(common: &Common, repair: &Repair) -> std::io::Result<()> {
    say!(
        common,
        "repaired: {} merged, {} dropped, {} turned over",
        count(repair.merged_points, "point"),
        count(repair.dropped_triangles, "collapsed triangle"),
        count(repair.flipped_triangles, "triangle"),
    )
}
