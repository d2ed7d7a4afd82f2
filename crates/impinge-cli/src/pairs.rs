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
  impinge pairs bed.csv -o pairs.csv       spheres x,y,z,r or discs x,y,r
  impinge pairs boxes.npy --method sweep   boxes xmin,ymin,zmin,xmax,ymax,zmax
  impinge pairs assembly.stl --json        parts of a mesh, by their boxes
  impinge pairs run.dump --method sweep --json   all frames, with counters

Columns are identified by name if the file names them, in any order, with or without units: x, y, z (or xu, pos_x, …) \
and r, radius, d or diameter for spheres and discs; xmin, …, zmax (or xlo, …, zhi) for boxes and rectangles; others, \
such as id or vx, are ignored. Without names their number decides: 3 discs, 4 spheres, 6 boxes. Whether two bodies \
touch is decided exactly.

Pairs are written as CSV (a,b) or NPY (uint32, two columns), rows counted from 0; for several frames (a dump, a folder \
of files, an NPY of three dimensions) with the frame in a first column. A method keeps its lists from frame to frame, \
and its counters are the sum over all frames. Exit code 1 if no two bodies overlap.")]
pub(crate) struct Pairs {
    /// Bodies: CSV, XYZ, NPY, LAMMPS, a folder of such files, or a mesh of several connected parts
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
    let frames = progress::during(common, &reading, || read(&pairs.bodies))?;
    let found = find_all(&frames, pairs.method, common)?;

    if let Some(path) = &pairs.output {
        write(path, &found.frames)?;
    }

    let bodies = frames.iter().map(Bodies::len).max().unwrap_or(0);
    let facts = Facts::of(bodies, pairs.method, &found);
    if common.json {
        terminal::json(&facts)?;
    } else {
        let (bodies, pairs) = (
            count(facts.bodies, "body").replace("bodys", "bodies"),
            count(facts.pairs, "pair"),
        );
        let frames = match facts.frames {
            1 => String::new(),
            frames => format!(" in {frames} frames"),
        };
        say!(
            common,
            "{bodies}{frames}: {pairs} in {:.1} ms ({})",
            1e3 * facts.seconds,
            facts.method
        )?;
    }

    Ok(if found.frames.iter().all(Vec::is_empty) {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn read(path: &Path) -> anyhow::Result<Vec<Bodies>> {
    if Format::of(path).is_some() {
        let mut dataset = impinge_io::read(path)?;
        note_ignored(path, &dataset.ignored);
        weld_noise(path, &mut dataset.mesh);
        return Ok(vec![parts(&dataset.mesh)?]);
    }

    let frames = impinge_io::read_point_frames(path)?;
    let Some(first) = frames.first() else {
        bail!("{}: the folder contains no files of bodies", path.display());
    };
    note_ignored(path, &first.ignored);
    let bodies = frames.iter().map(|frame| frame.bodies());
    bodies
        .map(|bodies| Ok(bodies.map_err(|fault| fault.in_file(path))?))
        .collect()
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
    /// The pairs of each frame.
    frames: Vec<Vec<Pair>>,
    counters: BroadCounters,
    seconds: f64,
}

/// Finds the pairs of all frames, whose bodies must be of one kind.
fn find_all(frames: &[Bodies], way: MethodName, common: &Common) -> anyhow::Result<Found> {
    macro_rules! all {
        ($kind:ident, $d:literal) => {{
            let mut same = Vec::new();
            for (number, frame) in frames.iter().enumerate() {
                let Bodies::$kind(bodies) = frame else {
                    bail!("frame {number} has a different kind of bodies than frame 0");
                };
                same.push(bodies.as_slice());
            }
            find::<_, $d>(&same, way, common)
        }};
    }

    match frames.first() {
        Some(Bodies::Discs(_)) => all!(Discs, 2),
        Some(Bodies::Spheres(_)) => all!(Spheres, 3),
        Some(Bodies::Rectangles(_)) => all!(Rectangles, 2),
        Some(Bodies::Boxes(_)) => all!(Boxes, 3),
        None => bail!("the input has no frames"),
    }
}

fn find<B: Proxy<D>, const D: usize>(
    frames: &[&[B]],
    way: MethodName,
    common: &Common,
) -> anyhow::Result<Found> {
    progress::during(common, "finding pairs", || match way {
        MethodName::Auto => find_with::<_, B, D>(Auto::default(), frames),
        MethodName::Sweep => find_with::<_, B, D>(Sweep::default(), frames),
        MethodName::Columns => find_with::<_, B, D>(Columns::default(), frames),
        MethodName::Brute => find_with::<_, B, D>(BruteForce::default(), frames),
    })
}

fn find_with<M: BroadPhase<D>, B: Proxy<D>, const D: usize>(
    mut method: M,
    frames: &[&[B]],
) -> anyhow::Result<Found> {
    let start = Instant::now();
    let mut found = Vec::new();
    for bodies in frames {
        let mut pairs = Vec::new();
        method.find_pairs(&BroadScene::of(bodies), &mut pairs)?;
        found.push(pairs);
    }

    Ok(Found {
        frames: found,
        counters: method.counters(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Writes the pairs, with the frame in a first column if there are several.
fn write(path: &Path, frames: &[Vec<Pair>]) -> anyhow::Result<()> {
    let rows: Vec<[u32; 3]> = (0u32..)
        .zip(frames)
        .flat_map(|(frame, pairs)| pairs.iter().map(move |pair| [frame, pair.a, pair.b]))
        .collect();
    let first = usize::from(frames.len() == 1);
    let names = &["frame", "a", "b"][first..];

    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => {
            let column = |k: usize| Column::Whole(rows.iter().map(|row| row[k].into()).collect());
            let columns: Vec<(String, Column)> = (first..)
                .zip(names)
                .map(|(k, name)| ((*name).to_owned(), column(k)))
                .collect();
            write_csv(path, &columns)?;
        }
        Some("npy") => {
            let numbers: Vec<u32> = rows.iter().flat_map(|row| &row[first..]).copied().collect();
            impinge_io::write_atomically(path, |out| {
                npy::write_parts(
                    &[rows.len(), names.len()],
                    npy::ArraySlice::Index(&numbers),
                    out,
                )
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
    frames: usize,
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
            frames: found.frames.len(),
            pairs: found.frames.iter().map(Vec::len).sum(),
            method: way.name(),
            seconds: found.seconds,
            counters,
        }
    }
}
