//! `impinge inside`: which points are in a body.

use crate::Answer;
use crate::arguments::Common;
use crate::convert::say_passed_over;
use crate::destination;
use crate::memory;
use crate::mesh_file::{self, Weld};
use crate::progress;
use crate::terminal::{self, count, grouped, say};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use impinge::inside::{
    Degree, Depth, InsideMethod, MultipoleOptions, Options, PointGrid, Position, Report, Winding,
};
use impinge::shape::{ElementKind, Mesh};
use impinge::space::{Aabb, Point};
use impinge_io::csv::{self, Column};
use impinge_io::{Dataset, Field, ParseError, Places, Points, npy};
use serde::Serialize;
use std::borrow::Cow;
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
    #[arg(long, conflicts_with_all = ["method", "degree", "depth", "tolerance"])]
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
    let output = inside.output.as_deref();
    destination::check(output, "located points", &["csv", "npy", "vtu"])?;

    let mut dataset = inside.weld.read(&inside.mesh, common)?;
    let source = Source::read(&inside.points, &dataset.mesh.bounds(), false, common)?;
    let mut locator = progress::during(common, "preparing", || {
        Locator::prepare(inside, &mut dataset.mesh, source.len())
    })?;

    progress::during(common, "locating", || match output {
        None => source
            .batches()
            .try_for_each(|batch| locator.locate(&batch, false).map(|_| ())),
        Some(path) => write(path, &source, &mut locator),
    })?;
    report(inside, &source, &locator, common)?;

    Ok(Answer::Yes)
}

/// Points of a file, or a grid, whose points are made as they are needed: there may be billions.
pub(crate) enum Source {
    List(Vec<Point<3>>),
    Grid(PointGrid),
}

/// Points that are located together.
enum Batch<'a> {
    List(&'a [Point<3>]),
    /// One layer of a grid.
    Layer(PointGrid),
}

impl Source {
    /// Points of the plane are taken at z = 0 where the mesh is one of the plane, else refused.
    pub(crate) fn read(
        source: &str,
        bounds: &Aabb<3>,
        is_plane: bool,
        common: &Common,
    ) -> anyhow::Result<Self> {
        if let Some(side) = source.strip_prefix("grid:") {
            let side: usize = side
                .parse()
                .ok()
                .filter(|n| (1..=2000).contains(n))
                .with_context(|| {
                    format!("'{source}': grid:N needs a number from 1 to 2000, such as grid:80")
                })?;
            return Ok(Self::Grid(PointGrid::over_cube(bounds, side)));
        }

        let path = Path::new(source);
        let points = progress::during(common, &format!("reading {source}"), || {
            impinge_io::read_points(path)
        })?;
        say_passed_over(path, &points.ignored);
        let points = coordinates(&points, is_plane).map_err(|fault| fault.in_file(path))?;

        Ok(Self::List(points))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(points) => points.len(),
            Self::Grid(grid) => grid.len(),
        }
    }

    /// All points at once.
    pub(crate) fn into_points(self) -> Vec<Point<3>> {
        match self {
            Self::List(points) => points,
            Self::Grid(grid) => grid.points().collect(),
        }
    }

    /// The points in order, in parts that are small enough to be held. Layers one point thick have the very coordinates
    /// of the whole grid.
    fn batches(&self) -> Box<dyn Iterator<Item = Batch<'_>> + '_> {
        match self {
            Self::List(points) => Box::new(std::iter::once(Batch::List(points))),
            Self::Grid(grid) => Box::new((0..grid.count[0]).map(|i| {
                let [_, y, z] = grid.count;
                Batch::Layer(PointGrid {
                    min: Point::from([grid.coordinate(0, i), grid.min.y, grid.min.z]),
                    step: grid.step,
                    count: [1, y, z],
                })
            })),
        }
    }
}

impl Batch<'_> {
    fn points(&self) -> Cow<'_, [Point<3>]> {
        match self {
            Self::List(points) => Cow::Borrowed(points),
            Self::Layer(grid) => Cow::Owned(grid.points().collect()),
        }
    }
}

/// A surface ready for points, and what it took and found so far.
struct Locator {
    method: Prepared,
    report: Report,
    setup_seconds: f64,
    query_seconds: f64,
    positions: Vec<Position>,
    potentials: Vec<f64>,
}

enum Prepared {
    Closed(impinge::inside::Inside),
    /// By the generalised winding number, which an open surface has too: inside where it is over ½.
    Open(Box<Winding>),
}

impl Locator {
    fn prepare(inside: &Inside, mesh: &mut Mesh, points: usize) -> anyhow::Result<Self> {
        let start = Instant::now();
        let method = if inside.open {
            let winding = Winding::new(&mesh.points, &mesh.triangles());
            Prepared::Open(Box::new(
                winding.with_context(|| inside.mesh.display().to_string())?,
            ))
        } else {
            let surface = mesh_file::close(&inside.mesh, mesh)?.with_context(|| {
                format!(
                    "{}: not a closed, oriented surface (--open takes one with holes)",
                    inside.mesh.display()
                )
            })?;
            let options = Options {
                method: inside.method(points)?,
                seed: inside.seed,
            };

            Prepared::Closed(impinge::inside::Inside::new(surface, &options)?)
        };

        Ok(Self {
            method,
            report: Report::default(),
            setup_seconds: start.elapsed().as_secs_f64(),
            query_seconds: 0.0,
            positions: Vec::new(),
            potentials: Vec::new(),
        })
    }

    /// Locates points, with their potentials where wanted; what it finds is there until the next call.
    fn locate(&mut self, batch: &Batch, wants_potentials: bool) -> anyhow::Result<()> {
        let start = Instant::now();
        self.report += match &self.method {
            Prepared::Closed(surface) => match batch {
                Batch::List(points) => surface.positions(points, &mut self.positions)?,
                Batch::Layer(grid) => surface.grid(grid, &mut self.positions)?,
            },
            Prepared::Open(winding) => {
                winding.windings(&batch.points(), &mut self.potentials)?;
                by_winding(&self.potentials, &mut self.positions)
            }
        };
        self.query_seconds += start.elapsed().as_secs_f64();

        if let (Prepared::Closed(surface), true) = (&self.method, wants_potentials) {
            surface.potentials(&batch.points(), &mut self.potentials)?;
        }

        Ok(())
    }

    /// 1 inside, 0 outside, 2 on the boundary.
    fn numbers(&self) -> impl Iterator<Item = i8> + '_ {
        self.positions.iter().map(|position| match position {
            Position::Outside => 0,
            Position::Inside => 1,
            Position::On(_) => 2,
        })
    }
}

fn coordinates(points: &Points, is_plane: bool) -> Result<Vec<Point<3>>, ParseError> {
    match points.places()? {
        Places::Plane(points) if is_plane => Ok(points
            .iter()
            .map(|p| Point::from([p.x, p.y, 0.0]))
            .collect()),
        _ => points.coordinates(),
    }
}

fn by_winding(windings: &[f64], positions: &mut Vec<Position>) -> Report {
    let position = |&winding: &f64| match winding > 0.5 {
        true => Position::Inside,
        false => Position::Outside,
    };
    positions.clear();
    positions.extend(windings.iter().map(position));
    let inside = positions.iter().filter(|p| **p == Position::Inside).count();

    Report {
        inside,
        outside: positions.len() - inside,
        ..Report::default()
    }
}

impl Inside {
    fn method(&self, points: usize) -> anyhow::Result<InsideMethod> {
        if self.method != Way::Multipole && (self.degree.is_some() || self.tolerance.is_some()) {
            bail!("--degree and --tolerance are options of --method multipole");
        }
        Ok(match self.method {
            Way::Auto => InsideMethod::Auto,
            Way::Ray => InsideMethod::Ray,
            Way::RayAll => InsideMethod::RayAll,
            Way::Potential => InsideMethod::Potential,
            Way::Multipole => InsideMethod::Multipole(MultipoleOptions {
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
}

/// Locates all points and writes them as they come; VTU files alone are put together in memory.
fn write(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => write_numbers(path, source, locator),
        Some("csv") => write_table(path, source, locator),
        _ => write_cloud(path, source, locator),
    }
}

fn write_numbers(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    impinge_io::write_atomically(path, |out| {
        // The header of the whole array, and its numbers as they come.
        npy::write_parts(&[source.len()], npy::Part::Small(&[]), out)?;
        source.batches().try_for_each(|batch| {
            locator
                .locate(&batch, false)
                .map_err(std::io::Error::other)?;
            let numbers: Vec<u8> = locator.numbers().map(|number| number as u8).collect();
            out.write_all(&numbers)
        })
    })?;
    Ok(())
}

fn write_table(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    impinge_io::write_atomically(path, |out| {
        for (number, batch) in source.batches().enumerate() {
            locator
                .locate(&batch, true)
                .map_err(std::io::Error::other)?;
            let table = table(&batch.points(), locator);
            if number == 0 {
                csv::write_names(&table, out)?;
            }
            csv::write_rows(&table, out)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn table(points: &[Point<3>], locator: &Locator) -> Vec<(String, Column)> {
    let word = |position: &Position| match position {
        Position::Outside => "outside".to_owned(),
        Position::Inside => "inside".to_owned(),
        Position::On(_) => "boundary".to_owned(),
    };
    let coordinate = |axis: usize| Column::Real(points.iter().map(|p| p[axis]).collect());
    let words = locator.positions.iter().map(word).collect();
    let columns = [
        ("x", coordinate(0)),
        ("y", coordinate(1)),
        ("z", coordinate(2)),
        ("position", Column::Text(words)),
        ("potential", Column::Real(locator.potentials.clone())),
    ];

    columns
        .map(|(name, column)| (name.to_owned(), column))
        .to_vec()
}

fn write_cloud(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    /// A point with its cell, its two numbers, and all of them once more as packed for the file.
    const BYTES: usize = 120;
    if u32::try_from(source.len()).is_err() {
        bail!(
            "{}: {} are too many for a .vtu; .npy and .csv take any number",
            path.display(),
            count(source.len(), "point")
        );
    }

    memory::ensure(source.len(), BYTES, "points in a .vtu")?;

    let mut cloud = Dataset::default();
    let (mut positions, mut potentials) = (Vec::new(), Vec::new());
    for batch in source.batches() {
        locator.locate(&batch, true)?;
        cloud.mesh.points.extend_from_slice(&batch.points());
        positions.extend(locator.numbers().map(i64::from));
        potentials.extend_from_slice(&locator.potentials);
    }

    (0..source.len() as u32).for_each(|n| cloud.mesh.push(ElementKind::Vertex, &[n]));
    cloud.point_fields = vec![
        Field::whole("position", positions),
        Field::scalar("potential", potentials),
    ];
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
    located: &Locator,
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
        points: source.len(),
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
