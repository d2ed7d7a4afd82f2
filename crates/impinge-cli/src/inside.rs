//! `impinge inside`: which points are in a body.

use crate::Answer;
use crate::arguments::Common;
use crate::convert::say_passed_over;
use crate::mesh_file::{self, Weld};
use crate::progress;
use crate::terminal::{self, count, grouped, say};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use impinge::inside::{
    Degree, Depth, Method, MultipoleOptions, Options, PointGrid, Position, Report, Winding,
};
use impinge::shape::{ElementKind, Mesh, Surface};
use impinge::space::{Aabb, Point};
use impinge_io::csv::{Column, write_csv};
use impinge_io::{Dataset, Field, npy};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Tell which points are inside a closed surface, outside, or exactly on it
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge inside part.stl probes.csv -o located.csv      x,y,z,position,potential
  impinge inside part.stl grid:80 -o located.vtu         80³ points over the bounding cube
  impinge inside part.stl other.obj --json               the nodes of another mesh
  impinge inside scan.ply probes.npy --open -o w.npy     a surface with holes: winding number over ½

A surface must be closed and oriented, except with --open. Positions in NPY files are 1 inside, 0 outside and 2 on the
boundary (int8). For nested shells auto, ray and ray-all count crossings (parity), potential and multipole the winding
number.")]
pub(crate) struct Inside {
    /// The surface (any mesh file)
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// Points: a CSV, XYZ or NPY file, any mesh for its nodes, or grid:N for N³ points over the bounding cube
    #[arg(value_name = "POINTS")]
    points: String,
    /// How the points are located; all methods but multipole with a low degree give the exact answer
    #[arg(long, value_enum, default_value_t = Way::Auto)]
    method: Way,
    /// Expansion degree of the multipole method (4 by default)
    #[arg(long, value_name = "P", conflicts_with = "tolerance")]
    degree: Option<usize>,
    /// Levels of the multipole method's trees: a number, 'triangles' or 'both'
    #[arg(long, value_name = "L|triangles|both", default_value = "triangles")]
    depth: String,
    /// Error of the potential that the multipole method may make; chooses the degree
    #[arg(long, value_name = "E")]
    tolerance: Option<f64>,
    /// Write the points with their positions: CSV, NPY (positions only), VTU
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Chooses the rays; the answers do not depend on it
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Take a surface with open edges: inside is where its generalised winding number is over ½
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    weld: Weld,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    Auto,
    Ray,
    RayAll,
    Potential,
    Multipole,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ray => "ray",
            Self::RayAll => "ray-all",
            Self::Potential => "potential",
            Self::Multipole => "multipole",
        }
    }
}

pub(crate) fn run(inside: &Inside, common: &Common) -> anyhow::Result<Answer> {
    let mut dataset = inside.weld.read(&inside.mesh, common)?;
    let source = Source::read(&inside.points, &dataset.mesh.bounds(), common)?;
    let located = if inside.open {
        locate_open(inside, &dataset.mesh, &source, common)?
    } else {
        let surface = mesh_file::close(&inside.mesh, &mut dataset.mesh)?.with_context(|| {
            format!(
                "{}: not a closed, oriented surface (--open takes one with holes)",
                inside.mesh.display()
            )
        })?;
        locate(inside, surface, &source, common)?
    };
    if let Some(path) = &inside.output {
        progress::during(common, "writing", || write(path, &source.points, &located))?;
    }
    report(inside, &source, &located, common)?;
    Ok(Answer::Yes)
}

/// The points, and the grid that they are where they are one.
pub(crate) struct Source {
    pub(crate) points: Vec<Point<3>>,
    grid: Option<PointGrid>,
}

impl Source {
    pub(crate) fn read(source: &str, bounds: &Aabb<3>, common: &Common) -> anyhow::Result<Self> {
        if let Some(side) = source.strip_prefix("grid:") {
            let side: usize = side
                .parse()
                .ok()
                .filter(|n| (1..=2000).contains(n))
                .with_context(|| {
                    format!("'{source}': grid:N needs a number from 1 to 2000, such as grid:80")
                })?;
            let grid = PointGrid::over_cube(bounds, side);
            return Ok(Self {
                points: grid.points().collect(),
                grid: Some(grid),
            });
        }
        let path = Path::new(source);
        let points = progress::during(common, &format!("reading {source}"), || {
            impinge_io::read_points(path)
        })?;
        say_passed_over(path, &points.ignored);
        Ok(Self {
            points: points.coordinates(),
            grid: None,
        })
    }
}

/// Where the points are, and what it took.
struct Located {
    positions: Vec<Position>,
    potentials: Vec<f64>,
    report: Report,
    setup_seconds: f64,
    query_seconds: f64,
}

fn locate(
    inside: &Inside,
    surface: Surface,
    source: &Source,
    common: &Common,
) -> anyhow::Result<Located> {
    let options = Options {
        method: inside.method(source.points.len())?,
        seed: inside.seed,
    };
    let start = Instant::now();
    let prepared = progress::during(common, "preparing", || {
        impinge::inside::Inside::new(surface, &options)
    })?;
    let setup_seconds = start.elapsed().as_secs_f64();
    let mut positions = Vec::new();
    let start = Instant::now();
    let report = progress::during(common, "locating", || match &source.grid {
        Some(grid) => prepared.grid(grid, &mut positions),
        None => prepared.positions(&source.points, &mut positions),
    })?;
    let query_seconds = start.elapsed().as_secs_f64();
    let mut potentials = Vec::new();
    if inside.writes_potentials() {
        prepared.potentials(&source.points, &mut potentials)?;
    }
    Ok(Located {
        positions,
        potentials,
        report,
        setup_seconds,
        query_seconds,
    })
}

/// By the generalised winding number, which an open surface has too: inside where it is over ½.
fn locate_open(
    inside: &Inside,
    mesh: &Mesh,
    source: &Source,
    common: &Common,
) -> anyhow::Result<Located> {
    let start = Instant::now();
    let triangles = mesh.triangles();
    let prepared = progress::during(common, "preparing", || {
        Winding::new(&mesh.points, &triangles)
    })
    .with_context(|| inside.mesh.display().to_string())?;
    let setup_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut potentials = Vec::new();
    progress::during(common, "locating", || {
        prepared.windings(&source.points, &mut potentials)
    })?;
    let query_seconds = start.elapsed().as_secs_f64();
    let position = |&w: &f64| {
        if w > 0.5 {
            Position::Inside
        } else {
            Position::Outside
        }
    };
    let positions: Vec<Position> = potentials.iter().map(position).collect();
    let within = positions
        .iter()
        .filter(|position| **position == Position::Inside)
        .count();
    let report = Report {
        inside: within,
        outside: positions.len() - within,
        ..Report::default()
    };
    Ok(Located {
        positions,
        potentials,
        report,
        setup_seconds,
        query_seconds,
    })
}

impl Inside {
    fn method(&self, points: usize) -> anyhow::Result<Method> {
        if self.method != Way::Multipole && (self.degree.is_some() || self.tolerance.is_some()) {
            bail!("--degree and --tolerance are options of --method multipole");
        }
        Ok(match self.method {
            Way::Auto => Method::Auto,
            Way::Ray => Method::Ray,
            Way::RayAll => Method::RayAll,
            Way::Potential => Method::Potential,
            Way::Multipole => Method::Multipole(MultipoleOptions {
                degree: match (self.degree, self.tolerance) {
                    (Some(degree), _) => Degree::Given(degree),
                    (None, Some(tolerance)) => Degree::Tolerance(tolerance),
                    (None, None) => MultipoleOptions::default().degree,
                },
                depth: self.depth(points)?,
                ..MultipoleOptions::default()
            }),
        })
    }

    fn depth(&self, points: usize) -> anyhow::Result<Depth> {
        Ok(match self.depth.as_str() {
            "triangles" => Depth::Triangles,
            "both" => Depth::Both { points },
            number => Depth::Given(number.parse().with_context(|| {
                format!("'{number}' is no depth: a number, 'triangles' or 'both'")
            })?),
        })
    }

    /// NPY files hold positions only.
    fn writes_potentials(&self) -> bool {
        self.output
            .as_ref()
            .is_some_and(|path| path.extension().is_none_or(|extension| extension != "npy"))
    }
}

fn write(path: &Path, points: &[Point<3>], located: &Located) -> anyhow::Result<()> {
    let number = |position: &Position| match position {
        Position::Outside => 0i8,
        Position::Inside => 1,
        Position::On(_) => 2,
    };
    let numbers: Vec<i8> = located.positions.iter().map(number).collect();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => impinge_io::write_atomically(path, |out| {
            npy::write_parts(&[numbers.len()], npy::Part::Small(&numbers), out)
        })?,
        Some("csv") => write_table(path, points, located)?,
        Some("vtu") => write_cloud(path, points, located, &numbers)?,
        _ => bail!(
            "{}: located points are written as .csv, .npy or .vtu",
            path.display()
        ),
    }
    Ok(())
}

fn write_table(path: &Path, points: &[Point<3>], located: &Located) -> anyhow::Result<()> {
    let word = |position: &Position| match position {
        Position::Outside => "outside".to_owned(),
        Position::Inside => "inside".to_owned(),
        Position::On(_) => "boundary".to_owned(),
    };
    let coordinate = |axis: usize| Column::Real(points.iter().map(|p| p[axis]).collect());
    let columns = [
        ("x", coordinate(0)),
        ("y", coordinate(1)),
        ("z", coordinate(2)),
        (
            "position",
            Column::Text(located.positions.iter().map(word).collect()),
        ),
        ("potential", Column::Real(located.potentials.clone())),
    ];
    write_csv(
        path,
        &columns.map(|(name, column)| (name.to_owned(), column)),
    )?;
    Ok(())
}

fn write_cloud(
    path: &Path,
    points: &[Point<3>],
    located: &Located,
    numbers: &[i8],
) -> anyhow::Result<()> {
    let mut cloud = Dataset::default();
    cloud.mesh.points = points.to_vec();
    (0..points.len() as u32).for_each(|n| cloud.mesh.push(ElementKind::Vertex, &[n]));
    cloud.point_fields.push(Field::whole(
        "position",
        numbers.iter().map(|&n| n.into()).collect(),
    ));
    cloud
        .point_fields
        .push(Field::scalar("potential", located.potentials.clone()));
    impinge_io::write(path, &cloud)?;
    Ok(())
}

/// The result as JSON has it; docs/json.md explains the fields.
#[derive(Serialize)]
struct Facts {
    points: usize,
    inside: usize,
    outside: usize,
    boundary: usize,
    method: &'static str,
    setup_seconds: f64,
    query_seconds: f64,
    rays_redrawn: u64,
    threads: usize,
}

fn report(
    inside: &Inside,
    source: &Source,
    located: &Located,
    common: &Common,
) -> anyhow::Result<()> {
    let Report {
        inside: within,
        outside,
        boundary,
        rays_redrawn,
        ..
    } = located.report;
    let facts = Facts {
        points: source.points.len(),
        inside: within,
        outside,
        boundary,
        method: if inside.open {
            "winding"
        } else {
            inside.method.name()
        },
        setup_seconds: located.setup_seconds,
        query_seconds: located.query_seconds,
        rays_redrawn,
        threads: rayon::current_num_threads(),
    };
    if common.json {
        return terminal::json(&facts);
    }
    say!(
        common,
        "{}: {} inside, {} outside, {} on the boundary",
        count(facts.points, "point"),
        grouped(within),
        grouped(outside),
        grouped(boundary)
    )?;
    say!(
        common,
        "  {} in {:.3} s after {:.3} s of set-up",
        facts.method,
        facts.query_seconds,
        facts.setup_seconds
    )?;
    Ok(())
}
