//! `impinge self` and `impinge collide`: face–tetrahedron intersections of deformed solids, or triangle–triangle
//! intersections of surfaces.

use crate::Answer;
use crate::common::Common;
use crate::destination;
use crate::mesh_file::{Weld, weld_noise};
use crate::progress;
use crate::terminal::{self, count, say};
use crate::view::{Exhibit, Role, ViewOption};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use impinge::narrow::solids::{
    Depths, FaceHit, Neighbours, SolidContacts, SolidCounters, SolidMethod, SolidOptions,
    penetrations,
};
use impinge::narrow::triangles::Triangles;
use impinge::shape::{ElementKind, Mesh, Problem, ProblemKind, Solid};
use impinge::tree::BucketOptions;
use impinge_io::csv::{Column, write_csv};
use impinge_io::{Dataset, Field};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find self-intersections of a deformed solid or a surface
///
/// For a mesh of solid cells: all intersecting pairs of a boundary face and a tetrahedron; hexahedra, wedges and
/// pyramids are split into tetrahedra that fit together. For a surface: all intersecting pairs of triangles. Exact;
/// touching counts. Exit code 1 if there are none.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge mesh v --tetrahedra 96000 --angle=-20 -o v.vtu
  impinge self v.vtu -o hits.csv         face,tetrahedron,depth
  impinge self v.vtu -o touched.vtu      the mesh, touched elements marked
  impinge self cloth.obj --json          a surface: pairs of triangles
  impinge self v.vtu --neighbours node   ignore pairs that share a node

A face of a solid is named by its three node numbers, sorted: 12-40-77. If cells were split, a column 'cell' has the number of the solid cell. In VTU files, 'touched' is 1 for elements that \
a face penetrates, 2 for those whose face penetrates another, 3 for both.")]
pub(crate) struct SelfHits {
    /// Mesh of solid cells (inverted ones allowed) or of surface elements
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// Adjacent pairs to ignore: sharing a face, sharing a node, or (exact) touching only at shared nodes
    #[arg(long, value_enum, default_value_t = NeighbourRule::Exact)]
    neighbours: NeighbourRule,
    #[command(flatten)]
    shared: SharedOptions,
}

/// Find intersections between two deformed solids or surfaces
///
/// For meshes of solid cells: the boundary faces of each against the tetrahedra of the other; hexahedra, wedges and
/// pyramids are split. Otherwise: all pairs of triangles, with solids represented by their boundary. Exact; touching counts. Exit code 1 if there are none.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge collide a.vtu b.vtu -o hits.csv         face,tetrahedron,depth,face_of
  impinge collide a.msh b.msh -o touched.vtu      both, touched elements marked
  impinge collide part.stl tool.stl -o pairs.csv  surfaces: face_a,face_b
  impinge collide a.vtu b.vtu --json")]
pub(crate) struct Collide {
    /// First mesh
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Second mesh
    #[arg(value_name = "B")]
    b: PathBuf,
    #[command(flatten)]
    shared: SharedOptions,
}

/// Options common to both commands.
#[derive(Args)]
struct SharedOptions {
    /// Search method for solids; all produce the same list
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    method: MethodName,
    #[command(flatten)]
    weld: Weld,
    /// Output file for the hits: CSV, or VTU (the mesh with the touched elements marked)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    view: ViewOption,
}

#[derive(Clone, Copy, ValueEnum)]
enum NeighbourRule {
    Face,
    Node,
    Exact,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Auto,
    Tree,
    Contours,
    Buckets,
    Brute,
}

impl NeighbourRule {
    fn neighbours(self) -> Neighbours {
        match self {
            Self::Face => Neighbours::Face,
            Self::Node => Neighbours::Node,
            Self::Exact => Neighbours::Exact,
        }
    }
}

impl SharedOptions {
    fn check(&self) -> anyhow::Result<()> {
        destination::check(self.output.as_deref(), "hits", &["csv", "vtu"])
    }

    fn options(&self, neighbours: Neighbours) -> SolidOptions {
        let method = match self.method {
            MethodName::Auto => SolidMethod::Auto,
            MethodName::Tree => SolidMethod::Tree,
            MethodName::Contours => SolidMethod::Contours,
            MethodName::Buckets => SolidMethod::Buckets(BucketOptions::default()),
            MethodName::Brute => SolidMethod::BruteForce,
        };
        SolidOptions { method, neighbours }
    }
}

pub(crate) fn run_self(arguments: &SelfHits, common: &Common) -> anyhow::Result<Answer> {
    arguments.shared.check()?;
    let mut mesh = arguments.shared.weld.read(&arguments.mesh, common)?.mesh;
    let neighbours = arguments.neighbours.neighbours();
    let found = if mesh.count_of_dimension(3) > 0 {
        let solid = solid(&arguments.mesh, &mesh)?;
        progress::during(common, "searching", || {
            Found::within(solid, &arguments.shared.options(neighbours))
        })
    } else {
        // Triangles are recognised as neighbours by their shared nodes.
        weld_noise(&arguments.mesh, &mut mesh);
        let triangles = triangles(&arguments.mesh, &mesh)?;
        let start = Instant::now();
        let mut pairs = Vec::new();
        progress::during(common, "searching", || {
            triangles.find_self(neighbours, &mut pairs)
        });
        Found::of_surfaces(vec![triangles], pairs, start)
    };

    finish(&found, &arguments.shared, common)
}

pub(crate) fn run_collide(arguments: &Collide, common: &Common) -> anyhow::Result<Answer> {
    arguments.shared.check()?;
    let weld = &arguments.shared.weld;
    let meshes = [
        weld.read(&arguments.a, common)?.mesh,
        weld.read(&arguments.b, common)?.mesh,
    ];
    let paths = [&arguments.a, &arguments.b];
    let found = if meshes.iter().all(|mesh| mesh.count_of_dimension(3) > 0) {
        let solids = [solid(paths[0], &meshes[0])?, solid(paths[1], &meshes[1])?];
        progress::during(common, "searching", || {
            Found::between(solids, &arguments.shared.options(Neighbours::default()))
        })
    } else {
        let [a, b] = [0, 1].map(|k| triangles(paths[k], &meshes[k]));
        let (a, b) = (a?, b?);
        let start = Instant::now();
        let mut pairs = Vec::new();
        progress::during(common, "searching", || a.find_between(&b, &mut pairs));
        Found::of_surfaces(vec![a, b], pairs, start)
    };

    finish(&found, &arguments.shared, common)
}

/// A solid, and the cells that its tetrahedra are parts of, if cells had to be split.
struct Body {
    solid: Solid,
    cells: Option<Vec<u32>>,
}

/// Reads a possibly deformed solid: inverted and flat tetrahedra are counted and accepted, other cells
/// split into tetrahedra.
fn solid(path: &Path, mesh: &Mesh) -> anyhow::Result<Body> {
    let name = || path.display().to_string();
    let split = mesh.split_cells().with_context(name)?;
    if split.split > 0 {
        terminal::note(format_args!(
            "note: {}: {} split into tetrahedra",
            path.display(),
            count(split.split, "cell")
        ));
    }

    let solid = match Solid::new(&mesh.points, &split.tetrahedra) {
        Err(Problem {
            kind: ProblemKind::Inverted | ProblemKind::ZeroVolume,
            ..
        }) => Solid::deformed(&mesh.points, &split.tetrahedra).map(|(solid, _)| solid),
        other => other,
    };

    Ok(Body {
        solid: solid.with_context(name)?,
        cells: (split.split > 0).then_some(split.cells),
    })
}

/// Returns the surface elements as triangles, or the boundary of a solid.
fn triangles(path: &Path, mesh: &Mesh) -> anyhow::Result<Triangles> {
    let name = || path.display().to_string();
    let triangles = if mesh.count_of_dimension(3) > 0 {
        solid(path, mesh)?.solid.boundary_triangles().to_vec()
    } else {
        if let Some(problem) = mesh.uncut_quads() {
            return Err(anyhow::Error::new(problem).context(name()));
        }
        mesh.triangles()
    };

    if triangles.is_empty() {
        bail!("{}: no solid cells or surface elements", name());
    }

    Triangles::new(&mesh.points, &triangles).with_context(name)
}

/// The hits and the statistics of the search.
struct Found {
    bodies: Bodies,
    seconds: f64,
    levels: u32,
    counters: SolidCounters,
}

enum Bodies {
    /// Lists of hits, each with the indices of the solids that its faces and its tetrahedra belong to.
    Solids {
        solids: Vec<Solid>,
        /// For each solid, the cells of its tetrahedra, if cells were split.
        cells: Vec<Option<Vec<u32>>>,
        lists: Vec<(usize, usize, Vec<FaceHit>)>,
    },
    Surfaces {
        surfaces: Vec<Triangles>,
        pairs: Vec<[u32; 2]>,
    },
}

impl Found {
    fn within(Body { solid, cells }: Body, options: &SolidOptions) -> Self {
        let start = Instant::now();
        let mut contacts = SolidContacts::new(&solid, *options);
        let mut hits = Vec::new();
        contacts.find_self(&solid, &mut hits);
        Self {
            seconds: start.elapsed().as_secs_f64(),
            levels: contacts.levels(),
            counters: contacts.counters(),
            bodies: Bodies::Solids {
                solids: vec![solid],
                cells: vec![cells],
                lists: vec![(0, 0, hits)],
            },
        }
    }

    fn between([a, b]: [Body; 2], options: &SolidOptions) -> Self {
        let (solids, cells) = ([a.solid, b.solid], vec![a.cells, b.cells]);
        let start = Instant::now();
        let [mut a, mut b] =
            [&solids[0], &solids[1]].map(|solid| SolidContacts::new(solid, *options));
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        a.find_between(&solids[0], &mut b, &solids[1], [&mut of_a, &mut of_b]);
        let (mut counters, other) = (a.counters(), b.counters());
        counters.tests += other.tests;
        counters.entries += other.entries;

        Self {
            seconds: start.elapsed().as_secs_f64(),
            levels: a.levels().max(b.levels()),
            counters,
            bodies: Bodies::Solids {
                solids: solids.into(),
                cells,
                lists: vec![(0, 1, of_a), (1, 0, of_b)],
            },
        }
    }

    fn of_surfaces(surfaces: Vec<Triangles>, pairs: Vec<[u32; 2]>, start: Instant) -> Self {
        Self {
            seconds: start.elapsed().as_secs_f64(),
            levels: 0,
            counters: SolidCounters::default(),
            bodies: Bodies::Surfaces { surfaces, pairs },
        }
    }
}

fn finish(found: &Found, shared: &SharedOptions, common: &Common) -> anyhow::Result<Answer> {
    let facts = Facts::of(found);
    if let Some(path) = &shared.output {
        progress::during(common, "writing", || write(path, found))?;
    }

    if common.json {
        terminal::json(&facts)?;
    } else {
        say!(
            common,
            "{} of {} in {:.1} ms",
            count(facts.hits, "hit"),
            match &found.bodies {
                Bodies::Solids { .. } => format!(
                    "{} and {}",
                    count(facts.faces, "face"),
                    count_of(facts.tetrahedra, "tetrahedron", "tetrahedra")
                ),
                Bodies::Surfaces { .. } => count(facts.faces, "triangle"),
            },
            1e3 * facts.seconds
        )?;
        if facts.inverted > 0 {
            say!(
                common,
                "  {} inverted or flat",
                count_of(facts.inverted, "tetrahedron", "tetrahedra")
            )?;
        }
    }

    shared.view.show(common, || {
        let title = count(facts.hits, "hit");
        Ok(Exhibit::new(title).with("mesh", "elements", Role::Matter, marked(&found.bodies)))
    })?;

    Ok(if facts.hits == 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn count_of(number: usize, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        terminal::grouped(number),
        if number == 1 { one } else { many }
    )
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    hits: usize,
    faces: usize,
    tetrahedra: usize,
    inverted: usize,
    levels: u32,
    seconds: f64,
    counters: Counts,
}

#[derive(Serialize)]
struct Counts {
    tests: u64,
    folded_nodes: u64,
    regroupings: u64,
    entries: u64,
    node_pairs: u64,
}

impl Facts {
    fn of(found: &Found) -> Self {
        let SolidCounters {
            tests,
            folded_nodes,
            regroupings,
            entries,
            node_pairs,
            ..
        } = found.counters;

        let counters = Counts {
            tests,
            folded_nodes,
            regroupings,
            entries,
            node_pairs,
        };
        let (levels, seconds) = (found.levels, found.seconds);

        match &found.bodies {
            Bodies::Solids { solids, lists, .. } => {
                let distinct = |of: fn(&FaceHit) -> u32| -> usize {
                    lists
                        .iter()
                        .map(|(_, _, hits)| distinct(hits.iter().map(of).collect()))
                        .sum()
                };
                let deformations = solids.iter().map(Solid::deformation);
                Self {
                    hits: lists.iter().map(|(_, _, hits)| hits.len()).sum(),
                    faces: distinct(|hit| hit.face),
                    tetrahedra: distinct(|hit| hit.tetrahedron),
                    inverted: deformations.map(|d| d.inverted + d.flat).sum(),
                    levels,
                    seconds,
                    counters,
                }
            }
            Bodies::Surfaces { surfaces, pairs } => {
                let of = |k: usize| pairs.iter().map(|pair| pair[k]).collect::<Vec<u32>>();
                let faces = if surfaces.len() == 1 {
                    distinct([of(0), of(1)].concat())
                } else {
                    distinct(of(0)) + distinct(of(1))
                };
                Self {
                    hits: pairs.len(),
                    faces,
                    tetrahedra: 0,
                    inverted: 0,
                    levels,
                    seconds,
                    counters,
                }
            }
        }
    }
}

fn distinct(mut numbers: Vec<u32>) -> usize {
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

fn write(path: &Path, found: &Found) -> anyhow::Result<()> {
    match (path.extension().and_then(|e| e.to_str()), &found.bodies) {
        (
            Some("csv"),
            Bodies::Solids {
                solids,
                cells,
                lists,
            },
        ) => write_hits(path, solids, cells, lists),
        (Some("csv"), Bodies::Surfaces { pairs, .. }) => write_pairs(path, pairs),
        (_, bodies) => write_marked(path, bodies),
    }
}

fn write_hits(
    path: &Path,
    solids: &[Solid],
    cells: &[Option<Vec<u32>>],
    lists: &[(usize, usize, Vec<FaceHit>)],
) -> anyhow::Result<()> {
    let (mut faces, mut tetrahedra, mut depth, mut face_of) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut in_cell, mut deepest) = (Vec::new(), Vec::new());
    for (of, within, hits) in lists {
        let (own, other) = (&solids[*of], &solids[*within]);
        penetrations(own, other, hits, &Depths::new(other), &mut deepest);
        for found in &deepest {
            let mut nodes = own.boundary_triangles()[found.hit.face as usize];
            nodes.sort_unstable();
            faces.push(format!("{}-{}-{}", nodes[0], nodes[1], nodes[2]));
            let tetrahedron = found.hit.tetrahedron;
            tetrahedra.push(i64::from(tetrahedron));
            let cells = cells[*within].as_ref();
            in_cell.push(cells.map_or(tetrahedron, |cells| cells[tetrahedron as usize]));
            depth.push(found.out.depth);
            face_of.push(["a", "b"][*of].to_owned());
        }
    }

    let mut columns = vec![
        ("face".to_owned(), Column::Text(faces)),
        ("tetrahedron".to_owned(), Column::Whole(tetrahedra)),
        ("depth".to_owned(), Column::Real(depth)),
    ];

    if cells.iter().any(Option::is_some) {
        let in_cell = in_cell.into_iter().map(i64::from).collect();
        columns.push(("cell".to_owned(), Column::Whole(in_cell)));
    }
    if solids.len() == 2 {
        columns.push(("face_of".to_owned(), Column::Text(face_of)));
    }

    Ok(write_csv(path, &columns)?)
}

fn write_pairs(path: &Path, pairs: &[[u32; 2]]) -> anyhow::Result<()> {
    let column = |k: usize| Column::Whole(pairs.iter().map(|pair| i64::from(pair[k])).collect());
    Ok(write_csv(
        path,
        &[
            ("face_a".to_owned(), column(0)),
            ("face_b".to_owned(), column(1)),
        ],
    )?)
}

fn write_marked(path: &Path, bodies: &Bodies) -> anyhow::Result<()> {
    impinge_io::write(path, &marked(bodies))?;
    Ok(())
}

/// Returns all bodies in one mesh, with the touched elements marked.
fn marked(bodies: &Bodies) -> Dataset {
    let mut mesh = Mesh::default();
    let (mut touched, mut body) = (Vec::new(), Vec::new());
    match bodies {
        Bodies::Solids { solids, lists, .. } => {
            for (number, solid) in solids.iter().enumerate() {
                append(
                    &mut mesh,
                    ElementKind::Tet4,
                    solid.points(),
                    solid.tetrahedra(),
                );
                let mut marks = vec![0i64; solid.tetrahedra().len()];

                for (of, within, hits) in lists {
                    for hit in hits {
                        if *within == number {
                            marks[hit.tetrahedron as usize] |= 1;
                        }
                        if *of == number {
                            marks[solid.boundary_owners()[hit.face as usize] as usize] |= 2;
                        }
                    }
                }

                body.resize(body.len() + marks.len(), number as i64);
                touched.extend(marks);
            }
        }
        Bodies::Surfaces { surfaces, pairs } => {
            for (number, surface) in surfaces.iter().enumerate() {
                append(
                    &mut mesh,
                    ElementKind::Tri3,
                    surface.points(),
                    surface.triangles(),
                );
                let mut marks = vec![0i64; surface.triangles().len()];
                let sides = if surfaces.len() == 1 {
                    0..2
                } else {
                    number..number + 1
                };
                pairs
                    .iter()
                    .for_each(|pair| sides.clone().for_each(|k| marks[pair[k] as usize] = 1));
                body.resize(body.len() + marks.len(), number as i64);

                touched.extend(marks);
            }
        }
    }

    let cell_fields = vec![Field::whole("touched", touched), Field::whole("body", body)];
    Dataset {
        mesh,
        cell_fields,
        ..Dataset::default()
    }
}

fn append<const N: usize>(
    mesh: &mut Mesh,
    kind: ElementKind,
    points: &[impinge::space::Point<3>],
    elements: &[[u32; N]],
) {
    let shift = mesh.points.len() as u32;
    mesh.points.extend_from_slice(points);
    elements
        .iter()
        .for_each(|nodes| mesh.push(kind, &nodes.map(|node| node + shift)));
}
