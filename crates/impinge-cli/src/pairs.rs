//! `impinge pairs`: broad-phase pairs of a list of bodies.

use crate::Answer;
use crate::common::Common;
use crate::mesh_file::weld_noise;
use crate::progress;
use crate::terminal::{self, count, note_ignored, say};
use anyhow::bail;
use clap::{Args, ValueEnum};
use impinge::broad::{
    Auto, BroadCounters, BroadPhase, BroadScene, BruteForce, Columns, Pair, Proxy, Sweep,
};
use impinge::shape::{Mesh, connected_triangles};
use impinge::space::Aabb;
use impinge_io::csv::{Column, write_csv};
use impinge_io::{Bodies, Format, npy};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// List all overlapping pairs of spheres or boxes
///
/// Touching counts as overlapping. Spheres are compared as spheres, not by their bounding boxes. Each pair is
/// listed once, with a < b, in sorted order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge pairs bed.csv -o pairs.csv             spheres x,y,z,r (or discs x,y,r), one to a row
  impinge pairs boxes.npy --method sweep         boxes xmin,ymin,zmin,xmax,ymax,zmax
  impinge pairs assembly.stl --json              the connected parts of a mesh, by their boxes

Columns are taken by name where the file names them, in any order, with or without units: x, y, z (or xu, pos_x, …) and
r, radius, d or diameter for spheres and discs; xmin, …, zmax (or xlo, …, zhi) for boxes and rectangles; others, as id or
vx, are not used. Without names their number decides: 3 discs, 4 spheres, 6 boxes. Whether two bodies touch is decided
exactly. Pairs are written as CSV (a,b) or NPY (uint32, two columns), rows counted
from 0. Exit code 1 where no two bodies overlap.")]
pub(crate) struct Pairs {
    /// Bodies: CSV, XYZ, NPY, LAMMPS, or a mesh of several connected parts
    #[arg(value_name = "BODIES")]
    bodies: PathBuf,
    /// Broad-phase method; all produce the same list
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    method: MethodName,
    /// Output file for the pairs: CSV or NPY
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Auto,
    Sweep,
    Columns,
    Brute,
}

impl MethodName {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sweep => "sweep",
            Self::Columns => "columns",
            Self::Brute => "brute",
        }
    }
}

pub(crate) fn run(pairs: &Pairs, common: &Common) -> anyhow::Result<Answer> {
    crate::destination::check(pairs.output.as_deref(), "pairs", &["csv", "npy"])?;
    let reading = format!("reading {}", pairs.bodies.display());
    let bodies = progress::during(common, &reading, || read(&pairs.bodies))?;
    let found = match &bodies {
        Bodies::Discs(discs) => find::<_, 2>(discs, pairs.method, common)?,
        Bodies::Spheres(spheres) => find::<_, 3>(spheres, pairs.method, common)?,
        Bodies::Rectangles(boxes) => find::<_, 2>(boxes, pairs.method, common)?,
        Bodies::Boxes(boxes) => find::<_, 3>(boxes, pairs.method, common)?,
    };

    if let Some(path) = &pairs.output {
        write(path, &found.pairs)?;
    }

    let facts = Facts::of(bodies.len(), pairs.method, &found);
    if common.json {
        terminal::json(&facts)?;
    } else {
        let (bodies, pairs) = (
            count(facts.bodies, "body").replace("bodys", "bodies"),
            count(facts.pairs, "pair"),
        );
        say!(
            common,
            "{bodies}: {pairs} in {:.1} ms ({})",
            1e3 * facts.seconds,
            facts.method
        )?;
    }

    Ok(if found.pairs.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn read(path: &Path) -> anyhow::Result<Bodies> {
    if Format::of(path).is_some() {
        let mut dataset = impinge_io::read(path)?;
        note_ignored(path, &dataset.ignored);
        weld_noise(path, &mut dataset.mesh);
        return parts(&dataset.mesh);
    }

    let points = impinge_io::read_points(path)?;
    note_ignored(path, &points.ignored);
    Ok(points.bodies().map_err(|fault| fault.in_file(path))?)
}

/// Returns one bounding box per connected part of the surface elements.
fn parts(mesh: &Mesh) -> anyhow::Result<Bodies> {
    let triangles = mesh.triangles();
    if triangles.is_empty() {
        bail!(
            "the mesh has no surface elements; 'impinge convert IN OUT --boundary' extracts the surface of a solid"
        );
    }

    let part = connected_triangles(mesh.points.len(), &triangles);
    let mut boxes = vec![Aabb::EMPTY; part.iter().max().map_or(0, |&last| last as usize + 1)];
    for (triangle, part) in triangles.iter().zip(part) {
        let bounds = Aabb::of(triangle.map(|n| mesh.points[n as usize]));
        boxes[part as usize] = boxes[part as usize].merged(&bounds);
    }

    Ok(Bodies::Boxes(boxes))
}

struct Found {
    pairs: Vec<Pair>,
    counters: BroadCounters,
    seconds: f64,
}

fn find<B: Proxy<D>, const D: usize>(
    bodies: &[B],
    way: MethodName,
    common: &Common,
) -> anyhow::Result<Found> {
    progress::during(common, "finding pairs", || match way {
        MethodName::Auto => find_with::<_, B, D>(Auto::default(), bodies),
        MethodName::Sweep => find_with::<_, B, D>(Sweep::default(), bodies),
        MethodName::Columns => find_with::<_, B, D>(Columns::default(), bodies),
        MethodName::Brute => find_with::<_, B, D>(BruteForce::default(), bodies),
    })
}

fn find_with<M: BroadPhase<D>, B: Proxy<D>, const D: usize>(
    mut method: M,
    bodies: &[B],
) -> anyhow::Result<Found> {
    let start = Instant::now();
    let mut pairs = Vec::new();
    method.find_pairs(&BroadScene::of(bodies), &mut pairs)?;
    Ok(Found {
        pairs,
        counters: method.counters(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn write(path: &Path, pairs: &[Pair]) -> anyhow::Result<()> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => {
            let column = |of: fn(&Pair) -> u32| {
                Column::Whole(pairs.iter().map(|pair| of(pair).into()).collect())
            };
            write_csv(
                path,
                &[
                    ("a".to_owned(), column(|pair| pair.a)),
                    ("b".to_owned(), column(|pair| pair.b)),
                ],
            )?;
        }
        Some("npy") => {
            let numbers: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
            impinge_io::write_atomically(path, |out| {
                npy::write_parts(&[pairs.len(), 2], npy::Part::Index(&numbers), out)
            })?;
        }
        _ => bail!("{}: pairs are written as .csv or .npy", path.display()),
    }
    Ok(())
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    bodies: usize,
    pairs: usize,
    method: &'static str,
    seconds: f64,
    counters: Counts,
}

#[derive(Serialize)]
struct Counts {
    comparisons: u64,
    exchanges: u64,
    tests: u64,
    exact_tests: u64,
    rebuilds: u64,
}

impl Facts {
    fn of(bodies: usize, way: MethodName, found: &Found) -> Self {
        let BroadCounters {
            comparisons,
            exchanges,
            tests,
            exact_tests,
            rebuilds,
            ..
        } = found.counters;

        let counters = Counts {
            comparisons,
            exchanges,
            tests,
            exact_tests,
            rebuilds,
        };

        Self {
            bodies,
            pairs: found.pairs.len(),
            method: way.name(),
            seconds: found.seconds,
            counters,
        }
    }
}
