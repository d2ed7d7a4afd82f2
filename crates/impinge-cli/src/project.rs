//! `impinge project`: closest-point projection onto a mesh.

use crate::Answer;
use crate::common::Common;
use crate::destination;
use crate::faces::{self, Body, Flat};
use crate::inside::Source;
use crate::memory;
use crate::mesh_file::Weld;
use crate::progress;
use crate::terminal::{self, count, grouped, say, shown};
use anyhow::{Context, bail};
use clap::Args;
use impinge::narrow::projection::{FaceTree, NearestFace, On, Projection, Status};
use impinge::space::{Point, Vector};
use impinge_io::csv::{Column, write_csv};
use impinge_io::npy;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Project points onto a mesh: find the closest points on its (curved) faces
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge project part.msh probes.csv -o closest.csv  x,y,z,face,xi,eta,...
  impinge project part.stl other.stl -o closest.npy   n × 3 closest points
  impinge project part.vtu grid:40 --json             40³ points, bounding cube

Faces are the boundary of solid elements, else the surface elements, else lines at z = 0. Quadratic faces are treated \
as curved. xi and eta are the face's natural coordinates; 'on' is face, edge or vertex.")]
pub(crate) struct Project {
    /// Mesh (any mesh file)
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// Points: a CSV, XYZ or NPY file, a mesh (its nodes), or grid:N for N³ points in the bounding cube
    #[arg(value_name = "POINTS")]
    points: String,
    #[command(flatten)]
    weld: Weld,
    /// Output file for the closest points: CSV, or NPY (coordinates only)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

pub(crate) fn run(project: &Project, common: &Common) -> anyhow::Result<Answer> {
    let output = project.output.as_deref();
    destination::check(output, "closest points", &["csv", "npy"])?;

    let start = Instant::now();
    let (body, bounds) = faces::read(&project.mesh, Flat::Surface, &project.weld, common)?;
    let setup_seconds = start.elapsed().as_secs_f64();
    let is_plane = matches!(body, Body::Plane(_));
    let points = Source::read(&project.points, &bounds, is_plane, common)?;
    let bytes_each = size_of::<Point<3>>() + size_of::<Row>();
    memory::ensure(points.len(), bytes_each, "closest points")?;
    let points = points.into_points();
    let start = Instant::now();

    let rows = progress::during(common, "projecting", || match &body {
        Body::Space(tree) => closest(tree, &points),
        Body::Plane(tree) => closest(tree, &points),
    })
    .with_context(|| project.points.clone())?;
    let query_seconds = start.elapsed().as_secs_f64();

    if let Some(path) = output {
        progress::during(common, "writing", || write(path, &rows))?;
    }

    report(&rows, setup_seconds, query_seconds, common)?;
    Ok(Answer::Yes)
}

/// A closest point in 3D coordinates.
struct Row {
    point: [f64; 3],
    face: u32,
    local: [f64; 2],
    distance: f64,
    on: On,
    status: Status,
}

fn closest<const D: usize>(tree: &FaceTree<D>, points: &[Point<3>]) -> anyhow::Result<Vec<Row>> {
    if let Some(i) = points
        .iter()
        .position(|p| (D..3).any(|axis| p[axis] != 0.0))
    {
        bail!("point {i} has z ≠ 0, but the mesh is a 2D body");
    }
    let points: Vec<Point<D>> = points
        .iter()
        .map(|p| Point::from(Vector::from_fn(|i, _| p[i])))
        .collect();
    let mut found = Vec::new();
    tree.nearest_points(&points, &mut found)?;

    Ok(found.iter().map(row).collect())
}

fn row<const D: usize>(nearest: &NearestFace<D>) -> Row {
    let Projection {
        local,
        point,
        gap,
        on,
        status,
        ..
    } = nearest.projection;
    let lifted = std::array::from_fn(|i| if i < D { point[i] } else { 0.0 });

    Row {
        point: lifted,
        face: nearest.face,
        local,
        distance: gap.abs(),
        on,
        status,
    }
}

fn write(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    match path.extension() {
        Some(extension) if extension == "npy" => impinge_io::write_atomically(path, |out| {
            let numbers: Vec<f64> = rows.iter().flat_map(|row| row.point).collect();
            npy::write_parts(&[rows.len(), 3], npy::ArraySlice::Real(&numbers), out)
        })?,
        _ => {
            let real = |of: &dyn Fn(&Row) -> f64| Column::Real(rows.iter().map(of).collect());
            let columns = [
                ("x", real(&|row| row.point[0])),
                ("y", real(&|row| row.point[1])),
                ("z", real(&|row| row.point[2])),
                (
                    "face",
                    Column::Whole(rows.iter().map(|row| row.face.into()).collect()),
                ),
                ("xi", real(&|row| row.local[0])),
                ("eta", real(&|row| row.local[1])),
                ("distance", real(&|row| row.distance)),
                (
                    "on",
                    Column::Text(rows.iter().map(|row| row.on.name().to_owned()).collect()),
                ),
            ];
            write_csv(
                path,
                &columns.map(|(name, column)| (name.to_owned(), column)),
            )?;
        }
    }
    Ok(())
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    points: usize,
    on_face: usize,
    on_edge: usize,
    on_vertex: usize,
    least_distance: f64,
    mean_distance: f64,
    most_distance: f64,
    several: usize,
    unsure: usize,
    setup_seconds: f64,
    query_seconds: f64,
    threads: usize,
}

fn report(
    rows: &[Row],
    setup_seconds: f64,
    query_seconds: f64,
    common: &Common,
) -> anyhow::Result<()> {
    let on = |name: &str| rows.iter().filter(|row| row.on.name() == name).count();
    let status = |status: Status| rows.iter().filter(|row| row.status == status).count();
    let distances = || rows.iter().map(|row| row.distance);
    let facts = Facts {
        points: rows.len(),
        on_face: on("face"),
        on_edge: on("edge"),
        on_vertex: on("vertex"),
        // JSON has no infinity, so the distance is 0 without points.
        least_distance: distances().reduce(f64::min).unwrap_or(0.0),
        mean_distance: distances().sum::<f64>() / rows.len().max(1) as f64,
        most_distance: distances().reduce(f64::max).unwrap_or(0.0),
        several: status(Status::Several),
        unsure: status(Status::Unsure),
        setup_seconds,
        query_seconds,
        threads: rayon::current_num_threads(),
    };

    if common.json {
        return terminal::json(&facts);
    }

    say!(
        common,
        "{}: {} on faces, {} on edges, {} on vertices",
        count(facts.points, "closest point"),
        grouped(facts.on_face),
        grouped(facts.on_edge),
        grouped(facts.on_vertex)
    )?;

    say!(
        common,
        "  distances {} to {}, mean {}",
        shown(facts.least_distance),
        shown(facts.most_distance),
        shown(facts.mean_distance)
    )?;
    say!(
        common,
        "  {query_seconds:.3} s after {setup_seconds:.3} s of set-up"
    )?;

    Ok(())
}
