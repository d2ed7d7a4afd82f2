//! `impinge inside`: classifies points as inside or outside a body.

use crate::Answer;
use crate::common::Common;
use crate::destination;
use crate::memory;
use crate::mesh_file::{self, Weld};
use crate::progress;
use crate::terminal::{self, count, grouped, note_ignored, say};
use crate::view::{Exhibit, Role, ViewOption};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use impinge::inside::{
    Degree, Depth, InsideMethod, InsideOptions, Located, MultipoleOptions, PointGrid, Position,
    Report, Winding,
};
use impinge::shape::{ElementKind, Feature, Mesh};
use impinge::space::{Aabb, Point};
use impinge_io::csv::{self, Column};
use impinge_io::{Dataset, Field, ParseError, Places, Points, npy};
use serde::Serialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Classify points as inside a closed surface, outside, or exactly on it
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge inside part.stl probes.csv -o located.csv   x,y,z,position,potential
  impinge inside part.stl grid:80 -o located.vtu      80³ points, bounding cube
  impinge inside part.stl other.obj --json            the nodes of another mesh
  impinge inside part.stl probes.csv --method multipole --tolerance 0.01
  impinge inside part.stl probes.csv --details -o how.csv   how each was decided
  impinge inside scan.ply probes.npy --open -o w.npy  a surface with holes

A surface must be closed and oriented, except with --open: then a point is inside if its winding number exceeds ½. \
Positions in NPY files are 1 inside, 0 outside and 2 on the boundary (int8). For nested shells auto, ray and ray-all \
count crossings (parity), potential and multipole the winding number.")]
pub(crate) struct Inside {
    /// Surface (any mesh file)
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// Points: a CSV, XYZ or NPY file, a mesh (its nodes), or grid:N for N³ points in the bounding cube
    #[arg(value_name = "POINTS")]
    points: String,
    /// Method; all are exact except multipole with a low degree
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    method: MethodName,
    /// Expansion degree of the multipole method (default: 4)
    #[arg(
        long,
        value_name = "P",
        conflicts_with = "tolerance",
        help_heading = "Multipole method"
    )]
    degree: Option<usize>,
    /// Tree depth of the multipole method: a number, 'triangles' or 'both'
    #[arg(
        long,
        value_name = "L|triangles|both",
        default_value = "triangles",
        help_heading = "Multipole method"
    )]
    depth: String,
    /// Separation d of far clusters in the multipole method, from 1 to 4 (default: 1.1, or chosen for --tolerance)
    #[arg(long, value_name = "D", help_heading = "Multipole method")]
    separation: Option<f64>,
    /// Maximum error of the potential in the multipole method; chooses degree, separation and depth
    #[arg(long, value_name = "E", help_heading = "Multipole method")]
    tolerance: Option<f64>,
    /// Output file for the classified points: CSV, NPY (positions only) or VTU
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Also write how each point was classified: the feature of a boundary point, the potential before
    /// rounding, and whether ray crossing was used (CSV only)
    #[arg(long, requires = "output", conflicts_with = "open")]
    details: bool,
    /// Random seed for the ray directions; does not affect the results
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Accept a surface with open edges: a point is inside if its generalised winding number exceeds ½
    #[arg(long, conflicts_with_all = ["method", "degree", "depth", "separation", "tolerance"])]
    open: bool,
    #[command(flatten)]
    weld: Weld,
    #[command(flatten)]
    view: ViewOption,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MethodName {
    Auto,
    Ray,
    RayAll,
    Potential,
    Multipole,
}

impl MethodName {
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
    let formats: &[&str] = if inside.details {
        &["csv"]
    } else {
        &["csv", "npy", "vtu"]
    };
    destination::check(output, "located points", formats)?;

    let mut dataset = inside.weld.read(&inside.mesh, common)?;
    let source = Source::read(&inside.points, &dataset.mesh.bounds(), false, common)?;
    let mut locator = progress::during(common, "preparing", || {
        Locator::prepare(inside, &mut dataset.mesh, source.len())
    })?;

    progress::during(common, "locating", || match output {
        None => source
            .batches()
            .try_for_each(|batch| locator.locate(&batch, false).map(|_| ())),
        Some(path) if inside.details => write_details(path, &source, &mut locator),
        Some(path) => write(path, &source, &mut locator),
    })?;
    report(inside, &source, &locator, common)?;
    inside.view.show(common, || {
        exhibit(inside, &source, &mut locator, dataset.mesh)
    })?;

    Ok(Answer::Yes)
}

/// Shows the points inside and outside, each in its own layer, in the translucent mesh.
fn exhibit(
    inside: &Inside,
    source: &Source,
    locator: &mut Locator,
    mesh: Mesh,
) -> anyhow::Result<Exhibit> {
    /// Maximum number of points shown; more are thinned out.
    const MOST: usize = 500_000;
    let stride = source.len().div_ceil(MOST).max(1);
    let mut points = [Dataset::default(), Dataset::default()];
    let mut number = 0;

    for batch in source.batches() {
        locator.locate(&batch, false)?;
        for (point, position) in batch.points().iter().zip(&locator.positions) {
            if number % stride == 0 {
                let is_outside = *position == Position::Outside;
                points[usize::from(is_outside)].mesh.points.push(*point);
            }
            number += 1;
        }
    }

    let title = format!("{} in {}", inside.points, inside.mesh.display());
    let [within, outside] = points;
    let mut exhibit = Exhibit::new(title)
        .with("mesh", "mesh", Role::Walls, mesh.into())
        .with("points", "points inside or on it", Role::Matter, within)
        .with("outside-points", "points outside", Role::Marks, outside);
    if stride > 1 {
        exhibit = exhibit.with_note(format!("Every {stride}th point is shown."));
    }
    Ok(exhibit)
}

/// Points from a file, or a grid whose points are generated on demand because there may be billions.
pub(crate) enum Source {
    List(Vec<Point<3>>),
    Grid(PointGrid),
}

/// A batch of points located together.
enum Batch<'a> {
    List(&'a [Point<3>]),
    /// One layer of a grid.
    Layer(PointGrid),
}

impl Source {
    /// Reads the points. 2D points get z = 0 if the mesh is 2D; otherwise they are an error.
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
        note_ignored(path, &points.ignored);
        let points = coordinates(&points, is_plane).map_err(|fault| fault.in_file(path))?;

        Ok(Self::List(points))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(points) => points.len(),
            Self::Grid(grid) => grid.len(),
        }
    }

    /// Returns all points at once.
    pub(crate) fn into_points(self) -> Vec<Point<3>> {
        match self {
            Self::List(points) => points,
            Self::Grid(grid) => grid.points().collect(),
        }
    }

    /// Splits the points, in order, into batches that fit in memory. A grid is split into layers one point thick,
    /// with exactly the coordinates of the whole grid.
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

/// A surface prepared for point location, with the timings and results so far.
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
    /// Generalised winding number, also defined for open surfaces: inside if it exceeds ½.
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
            let options = InsideOptions {
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

    /// Locates a batch of points, with potentials if requested. Results are valid until the next call.
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

    fn locate_in_detail(
        &mut self,
        points: &[Point<3>],
        located: &mut Vec<Located>,
    ) -> anyhow::Result<()> {
        let Prepared::Closed(surface) = &self.method else {
            bail!("--details needs a closed surface");
        };
        let start = Instant::now();
        self.report += surface.located(points, located)?;
        self.query_seconds += start.elapsed().as_secs_f64();
        Ok(())
    }

    /// Position codes: 1 inside, 0 outside, 2 on the boundary.
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

    Report::of(positions)
}

impl Inside {
    fn method(&self, points: usize) -> anyhow::Result<InsideMethod> {
        let is_set = [
            self.degree.is_some(),
            self.tolerance.is_some(),
            self.separation.is_some(),
        ];
        if self.method != MethodName::Multipole && is_set.contains(&true) {
            bail!("--degree, --separation and --tolerance are options of --method multipole");
        }
        Ok(match self.method {
            MethodName::Auto => InsideMethod::Auto,
            MethodName::Ray => InsideMethod::Ray,
            MethodName::RayAll => InsideMethod::RayAll,
            MethodName::Potential => InsideMethod::Potential,
            MethodName::Multipole => InsideMethod::Multipole(MultipoleOptions {
                degree: match (self.degree, self.tolerance) {
                    (Some(degree), _) => Degree::Given(degree),
                    (None, Some(tolerance)) => Degree::Tolerance(tolerance),
                    (None, None) => MultipoleOptions::default().degree,
                },
                depth: self.depth(points)?,
                separation: self.separation,
                ..MultipoleOptions::default()
            }),
        })
    }

    fn depth(&self, points: usize) -> anyhow::Result<Depth> {
        Ok(match self.depth.as_str() {
            "triangles" => Depth::Triangles,
            "both" => Depth::Both { points },
            number => Depth::Given(number.parse().with_context(|| {
                format!("'{number}' is not a depth: a number, 'triangles' or 'both'")
            })?),
        })
    }
}

/// Locates all points and writes them batch by batch; only VTU files are assembled in memory.
fn write(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => write_numbers(path, source, locator),
        Some("csv") => write_table(path, source, locator),
        _ => write_cloud(path, source, locator),
    }
}

fn write_numbers(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    impinge_io::write_atomically(path, |out| {
        // Write the header for the whole array, then append the numbers batch by batch.
        npy::write_parts(&[source.len()], npy::ArraySlice::Small(&[]), out)?;
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

/// Writes x, y, z, the position, the feature of boundary points, J before rounding, and whether a ray
/// decided.
fn write_details(path: &Path, source: &Source, locator: &mut Locator) -> anyhow::Result<()> {
    let mut located = Vec::new();
    impinge_io::write_atomically(path, |out| {
        for (number, batch) in source.batches().enumerate() {
            let points = batch.points();
            locator
                .locate_in_detail(&points, &mut located)
                .map_err(std::io::Error::other)?;
            let table = details(&points, &located);
            if number == 0 {
                csv::write_names(&table, out)?;
            }
            csv::write_rows(&table, out)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn details(points: &[Point<3>], located: &[Located]) -> Vec<(String, Column)> {
    let coordinate = |axis: usize| Column::Real(points.iter().map(|p| p[axis]).collect());
    let text = |of: &dyn Fn(&Located) -> String| Column::Text(located.iter().map(of).collect());
    let columns = [
        ("x", coordinate(0)),
        ("y", coordinate(1)),
        ("z", coordinate(2)),
        ("position", text(&|l| word(&l.position))),
        ("feature", text(&|l| feature(&l.position))),
        (
            "j",
            text(&|l| l.potential.map_or_else(String::new, |j| j.to_string())),
        ),
        ("by_ray", text(&|l| u8::from(l.decided_by_ray).to_string())),
    ];

    columns
        .map(|(name, column)| (name.to_owned(), column))
        .to_vec()
}

/// The feature that a boundary point is on, like "edge 3-7"; empty off the boundary.
fn feature(position: &Position) -> String {
    match position {
        Position::On(Feature::Vertex(i)) => format!("vertex {i}"),
        Position::On(Feature::Edge([i, j])) => format!("edge {i}-{j}"),
        Position::On(Feature::Face(i)) => format!("face {i}"),
        Position::Inside | Position::Outside => String::new(),
    }
}

fn word(position: &Position) -> String {
    let word = match position {
        Position::Outside => "outside",
        Position::Inside => "inside",
        Position::On(_) => "boundary",
    };
    word.to_owned()
}

fn table(points: &[Point<3>], locator: &Locator) -> Vec<(String, Column)> {
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
    /// Bytes per point: the point, its cell and two values, plus their copy packed for the file.
    const BYTES: usize = 120;
    if u32::try_from(source.len()).is_err() {
        bail!(
            "{}: {} are too many for a .vtu; .npy and .csv have no limit",
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

/// JSON output; the fields are documented in docs/json.md.
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
