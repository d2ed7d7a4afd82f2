//! `impinge mesh`: generates meshes and particles and writes them to a file.

use crate::Answer;
use crate::common::Common;
use crate::destination;
use crate::memory;
use crate::mesh_file::summary;
use crate::progress;
use crate::terminal::{count, note_ignored, say};
use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use impinge::shape::generate::{self, OverlapPolicy, Packing, SpheresOptions};
use impinge::shape::{ElementKind, Mesh as RawMesh, Polyhedron};
use impinge::space::Random;
use impinge_io::Points;
use std::path::{Path, PathBuf};

/// Generate a mesh or a set of particles
///
/// The same arguments produce identical bytes on every machine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge mesh sphere --level 7 -o sphere.stl         131,072 triangles
  impinge mesh foam --triangles 121000 --seed 1 -o foam.stl
  impinge mesh v --tetrahedra 6000 --angle 60 -o v.vtu
  impinge mesh brick --cells 8,4,4 --element hex --order 2 -o brick.vtu
  impinge mesh spheres --count 100000 --ratio 10 --fraction 0.4 -o bed.csv")]
pub(crate) struct Mesh {
    #[command(subcommand)]
    kind: Kind,
}

/// Output options.
#[derive(Args)]
struct Output {
    /// Output file; the extension selects the format
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Subcommand)]
enum Kind {
    /// Unit sphere by octahedron subdivision: 8·4^K triangles
    Sphere {
        /// Number of subdivisions, each splitting every triangle in four (0 to 8)
        #[arg(long, value_name = "K")]
        level: usize,
        #[command(flatten)]
        to: Output,
    },
    /// Unit sphere by icosahedron subdivision: 20·4^K triangles of nearly equal size
    Icosphere {
        /// Number of subdivisions, each splitting every triangle in four (0 to 8)
        #[arg(long, value_name = "K")]
        level: usize,
        #[command(flatten)]
        to: Output,
    },
    /// Open-cell foam: a closed, connected surface with many tunnels
    Foam {
        /// Approximate number of triangles
        #[arg(long, value_name = "N")]
        triangles: usize,
        /// Random seed
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        to: Output,
    },
    /// V-shaped tetrahedral solid with its legs bent to an angle
    V {
        /// Approximate number of tetrahedra
        #[arg(long, value_name = "N")]
        tetrahedra: usize,
        /// Angle between the legs, in degrees
        #[arg(long, value_name = "A", default_value_t = 60.0)]
        angle: f64,
        #[command(flatten)]
        to: Output,
    },
    /// Box of tetrahedra or hexahedra of order 1 or 2
    Brick {
        /// Cells along x, y and z
        #[arg(long, value_name = "X,Y,Z", value_parser = three::<usize>)]
        cells: Triple<usize>,
        /// Edge lengths in metres (default: one metre per cell)
        #[arg(long, value_name = "X,Y,Z", value_parser = three::<f64>)]
        size: Option<Triple<f64>>,
        #[command(flatten)]
        element: Element,
        #[command(flatten)]
        to: Output,
    },
    /// Plate in the y–z plane, one element thick
    Wall {
        /// Cells along y and z
        #[arg(long, value_name = "Y,Z", value_parser = two::<usize>, default_value = "12,12")]
        cells: Pair<usize>,
        /// Edge lengths in metres
        #[arg(long, value_name = "Y,Z", value_parser = two::<f64>, default_value = "3,3")]
        size: Pair<f64>,
        /// Thickness in metres
        #[arg(long, value_name = "T", default_value_t = 0.25)]
        thickness: f64,
        #[command(flatten)]
        element: Element,
        #[command(flatten)]
        to: Output,
    },
    /// Closed box of triangles
    Block {
        /// Cells along x, y and z
        #[arg(long, value_name = "X,Y,Z", value_parser = three::<usize>, default_value = "1,1,1")]
        cells: Triple<usize>,
        /// Edge lengths in metres
        #[arg(long, value_name = "X,Y,Z", value_parser = three::<f64>, default_value = "1,1,1")]
        size: Triple<f64>,
        #[command(flatten)]
        to: Output,
    },
    /// Torus around the z axis
    Torus {
        /// Major radius in metres: from the centre of the torus to the centre of its tube
        #[arg(long, value_name = "R", default_value_t = 1.0)]
        radius: f64,
        /// Radius of the tube in metres
        #[arg(long, value_name = "R", default_value_t = 0.3)]
        tube: f64,
        /// Cells around the ring and around the tube
        #[arg(long, value_name = "N,M", value_parser = two::<usize>, default_value = "64,24")]
        cells: Pair<usize>,
        #[command(flatten)]
        to: Output,
    },
    /// Random convex polyhedron: the hull of points on an ellipsoid
    Polyhedron {
        /// Number of vertices
        #[arg(long, value_name = "N")]
        vertices: usize,
        /// Random seed
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        to: Output,
    },
    /// Random convex polygon in 2D, as a list of points (CSV, NPY)
    Polygon {
        /// Number of vertices
        #[arg(long, value_name = "N")]
        vertices: usize,
        /// Random seed
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        to: Output,
    },
    /// Random polydisperse spheres at a packing fraction, as CSV, XYZ, NPY (x,y,z,r) or LAMMPS data
    Spheres {
        /// Number of spheres
        #[arg(long, value_name = "N")]
        count: usize,
        /// Ratio of the largest to the smallest radius
        #[arg(long, value_name = "R", default_value_t = 1.0)]
        ratio: f64,
        /// Packing fraction: sphere volume over box volume
        #[arg(long, value_name = "F", default_value_t = 0.3)]
        fraction: f64,
        /// Random seed
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// Place them without overlap (requires a low packing fraction)
        #[arg(long)]
        apart: bool,
        /// Generate 2D discs (x,y,r) instead
        #[arg(long)]
        flat: bool,
        #[command(flatten)]
        to: Output,
    },
    /// Random points in the unit cube, as CSV, XYZ or NPY
    Points {
        /// Number of points
        #[arg(long, value_name = "N")]
        count: usize,
        /// Random seed
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        to: Output,
    },
}

/// Element type of a brick or wall.
#[derive(Args)]
struct Element {
    /// Element shape: tetrahedra or hexahedra
    #[arg(long, value_enum, default_value_t = Family::Hex)]
    element: Family,
    /// Geometric order: 1, or 2 with mid-side nodes
    #[arg(long, value_name = "1|2", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    order: u8,
    /// Second-order hexahedra without face or centre nodes (hex20 instead of hex27)
    #[arg(long)]
    serendipity: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Family {
    Tet,
    Hex,
}

impl Element {
    fn kind(&self) -> ElementKind {
        match (self.element, self.order, self.serendipity) {
            (Family::Tet, 1, _) => ElementKind::Tet4,
            (Family::Tet, _, _) => ElementKind::Tet10,
            (Family::Hex, 1, _) => ElementKind::Hex8,
            (Family::Hex, _, true) => ElementKind::Hex20,
            (Family::Hex, _, false) => ElementKind::Hex27,
        }
    }
}

pub(crate) fn run(mesh: &Mesh, common: &Common) -> anyhow::Result<Answer> {
    let path = mesh.kind.output();
    destination::check_folder(path)?;
    if mesh.kind.is_table() {
        impinge_io::check_points_output(path)?;
    } else {
        impinge_io::check_output(path)?;
    }

    match progress::during(common, "generating", || make(&mesh.kind))? {
        Generated::Mesh(mesh) => write_mesh(path, mesh, common)?,
        Generated::Rows(rows) => write_rows(path, &rows, common)?,
    }

    Ok(Answer::Yes)
}

/// Bytes per vertex, including its share of the convex hull.
const BYTES_PER_VERTEX: usize = 300;

/// Bytes per sphere: centre and radius, as generated and as a table row.
const BYTES_PER_SPHERE: usize = 64;

/// Maximum number of triangles, cells or tetrahedra that a generator makes.
const MOST_ITEMS: usize = 1_000_000_000;

/// Bytes per triangle of a closed surface, with its share of points and edges, through generation, check and output.
const BYTES_PER_TRIANGLE: usize = 200;

/// Bytes per brick cell, with its second-order nodes and elements.
const BYTES_PER_CELL: usize = 700;

/// Bytes per first-order tetrahedron, with its share of nodes.
const BYTES_PER_TETRAHEDRON: usize = 120;

/// Output of a generator.
enum Generated {
    Mesh(RawMesh),
    Rows(Points),
}

impl Kind {
    /// The output file.
    fn output(&self) -> &Path {
        match self {
            Self::Sphere { to, .. }
            | Self::Icosphere { to, .. }
            | Self::Foam { to, .. }
            | Self::V { to, .. }
            | Self::Brick { to, .. }
            | Self::Wall { to, .. }
            | Self::Block { to, .. }
            | Self::Torus { to, .. }
            | Self::Polyhedron { to, .. }
            | Self::Polygon { to, .. }
            | Self::Spheres { to, .. }
            | Self::Points { to, .. } => &to.output,
        }
    }

    /// Whether the generator produces a table of numbers rather than a mesh.
    fn is_table(&self) -> bool {
        matches!(
            self,
            Self::Polygon { .. } | Self::Spheres { .. } | Self::Points { .. }
        )
    }
}

/// Returns an error if the requested size exceeds the available memory.
fn ensure_memory(kind: &Kind) -> anyhow::Result<()> {
    let product = |counts: &[usize]| counts.iter().fold(1, |a: usize, &b| a.saturating_mul(b));
    let subdivided = |triangles: usize, level: usize| {
        let parts = u32::try_from(level).map_or(usize::MAX, |level| 4usize.saturating_pow(level));
        triangles.saturating_mul(parts)
    };

    // Above this limit the generators themselves report which argument is too large.
    let ensure = |count: usize, bytes_each: usize, what: &str| match count {
        0..=MOST_ITEMS => memory::ensure(count, bytes_each, what),
        _ => Ok(()),
    };
    let triangles = |count: usize| ensure(count, BYTES_PER_TRIANGLE, "triangles");

    match kind {
        Kind::Sphere { level, .. } => triangles(subdivided(8, *level)),
        Kind::Icosphere { level, .. } => triangles(subdivided(20, *level)),
        Kind::Foam {
            triangles: count, ..
        } => triangles(*count),
        Kind::Torus { cells, .. } => triangles(product(&[2, cells.0[0], cells.0[1]])),
        Kind::Block { cells, .. } => {
            let [x, y, z] = cells.0;
            let sides = [[x, y], [y, z], [z, x]].map(|side| product(&[4, side[0], side[1]]));
            triangles(sides.into_iter().fold(0, usize::saturating_add))
        }
        Kind::Brick { cells, .. } => ensure(product(&cells.0), BYTES_PER_CELL, "cells"),
        Kind::Wall { cells, .. } => ensure(product(&cells.0), BYTES_PER_CELL, "cells"),
        Kind::V { tetrahedra, .. } => ensure(*tetrahedra, BYTES_PER_TETRAHEDRON, "tetrahedra"),
        Kind::Polyhedron { vertices, .. } | Kind::Polygon { vertices, .. } => {
            memory::ensure(*vertices, BYTES_PER_VERTEX, "vertices")
        }
        Kind::Spheres { count, .. } => memory::ensure(*count, BYTES_PER_SPHERE, "spheres"),
        Kind::Points { count, .. } => memory::ensure(*count, size_of::<[f64; 3]>(), "points"),
    }
}

fn make(kind: &Kind) -> anyhow::Result<Generated> {
    ensure_memory(kind)?;
    let surface = |surface: impinge::shape::Surface| Generated::Mesh(surface.to_mesh());
    Ok(match kind {
        Kind::Sphere { level, .. } => surface(generate::sphere(*level)?),
        Kind::Icosphere { level, .. } => surface(generate::icosphere(*level)?),
        Kind::Foam {
            triangles, seed, ..
        } => surface(generate::foam(*triangles, *seed)?),
        Kind::V {
            tetrahedra, angle, ..
        } => Generated::Mesh(generate::vee(*tetrahedra, angle.to_radians())?),
        Kind::Brick {
            cells,
            size,
            element,
            ..
        } => {
            let size = size.map_or(cells.0.map(|n| n as f64), |size| size.0);
            Generated::Mesh(generate::brick(cells.0, size, element.kind())?)
        }
        Kind::Wall {
            cells,
            size,
            thickness,
            element,
            ..
        } => Generated::Mesh(generate::wall(cells.0, size.0, *thickness, element.kind())?),
        Kind::Block { cells, size, .. } => surface(generate::block(cells.0, size.0)?),
        Kind::Torus {
            radius,
            tube,
            cells,
            ..
        } => surface(generate::torus(*radius, *tube, cells.0)?),
        Kind::Polyhedron { vertices, seed, .. } => {
            Generated::Mesh(triangulated(&generate::polyhedron(*vertices, *seed)?))
        }
        Kind::Polygon { vertices, seed, .. } => {
            let polygon = generate::polygon(*vertices, *seed)?;
            let values = polygon.points().iter().flat_map(|p| [p.x, p.y]);
            Generated::Rows(rows(&["x", "y"], values))
        }
        Kind::Spheres {
            count,
            ratio,
            fraction,
            seed,
            apart,
            flat,
            ..
        } => {
            let overlap = if *apart {
                OverlapPolicy::Avoided
            } else {
                OverlapPolicy::Allowed
            };
            let options = SpheresOptions {
                count: *count,
                ratio: *ratio,
                fraction: *fraction,
                overlap,
                seed: *seed,
            };
            Generated::Rows(if *flat {
                discs(&options)?
            } else {
                spheres(&options)?
            })
        }
        Kind::Points { count, seed, .. } => {
            let mut random = Random::new(*seed);
            let values = (0..3 * count).map(|_| random.unit());
            Generated::Rows(rows(&["x", "y", "z"], values))
        }
    })
}

fn spheres(options: &SpheresOptions) -> anyhow::Result<Points> {
    let Packing { centres, radii, .. } = generate::spheres::<3>(options)?;
    Ok(rows(
        &["x", "y", "z", "r"],
        centres
            .iter()
            .zip(radii)
            .flat_map(|(c, r)| [c.x, c.y, c.z, r]),
    ))
}

fn discs(options: &SpheresOptions) -> anyhow::Result<Points> {
    let Packing { centres, radii, .. } = generate::spheres::<2>(options)?;
    Ok(rows(
        &["x", "y", "r"],
        centres.iter().zip(radii).flat_map(|(c, r)| [c.x, c.y, r]),
    ))
}

/// Triangulates every facet as a fan.
fn triangulated(body: &Polyhedron) -> RawMesh {
    let mut triangles = Vec::new();
    for face in 0..body.face_count() {
        let corners: Vec<u32> = body.face_corners(face).collect();
        triangles.extend(
            corners[1..]
                .windows(2)
                .map(|pair| [corners[0], pair[0], pair[1]]),
        );
    }

    RawMesh::of_triangles(body.points().to_vec(), &triangles)
}

fn rows(names: &[&str], values: impl Iterator<Item = f64>) -> Points {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    Points {
        columns: names.len(),
        names,
        values: values.collect(),
        ignored: Vec::new(),
    }
}

fn write_mesh(path: &Path, mesh: RawMesh, common: &Common) -> anyhow::Result<()> {
    let dataset = mesh.into();
    let writing = format!("writing {}", path.display());
    let lost = progress::during(common, &writing, || impinge_io::write(path, &dataset))?;
    note_ignored(path, &lost);
    say!(common, "{}: {}", path.display(), summary(&dataset))?;
    Ok(())
}

fn write_rows(path: &Path, points: &Points, common: &Common) -> anyhow::Result<()> {
    note_ignored(path, &impinge_io::write_points(path, points)?);
    say!(
        common,
        "{}: {} of {}",
        path.display(),
        count(points.len(), "row"),
        points.names.join(",")
    )?;

    Ok(())
}

/// Three comma-separated numbers.
#[derive(Clone, Copy, Debug)]
struct Triple<T>([T; 3]);

/// Two comma-separated numbers.
#[derive(Clone, Copy, Debug)]
struct Pair<T>([T; 2]);

fn three<T: std::str::FromStr + Copy>(text: &str) -> anyhow::Result<Triple<T>> {
    Ok(Triple(numbers(text)?))
}

fn two<T: std::str::FromStr + Copy>(text: &str) -> anyhow::Result<Pair<T>> {
    Ok(Pair(numbers(text)?))
}

fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> anyhow::Result<[T; N]> {
    let parsed: Vec<T> = text
        .split(',')
        .map(|part| {
            part.trim()
                .parse()
                .ok()
                .with_context(|| format!("'{part}' is not such a number"))
        })
        .collect::<Result<_, _>>()?;
    match parsed.try_into() {
        Ok(numbers) => Ok(numbers),
        Err(other) => bail!(
            "expected {N} comma-separated numbers, found {}",
            other.len()
        ),
    }
}
