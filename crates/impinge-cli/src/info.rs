//! `impinge info`: contents, quality and problems of a mesh file.

use crate::Answer;
use crate::common::Common;
use crate::mesh_file::{Weld, weld_advice};
use crate::progress;
use crate::terminal::{self, count, digits, grouped, note_ignored, say, shown};
use clap::Args;
use impinge::shape::{ElementKind, MeshReport, Problem, ProblemKind, Quality, inspect};
use impinge_io::Dataset;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Inspect a mesh file: contents, quality and problems
///
/// Reports counts, bounds, area and volume; whether the surface (or the boundary of the solid) is closed, oriented
/// and manifold; its components and genus; element quality; and each problem with the first item affected.
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge info part.stl
  impinge info part.stl --check && echo good     exit 1 if it has a problem
  impinge info part.msh --json | jq .problems

Reads STL, OBJ, PLY, OFF, 3MF, GLB, Gmsh MSH 2.2 and 4.1, VTK, VTU, VTP and Abaqus INP.")]
pub(crate) struct Info {
    /// Mesh file
    #[arg(value_name = "MESH")]
    file: PathBuf,
    /// Exit with code 1 if the mesh has a problem
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    weld: Weld,
}

pub(crate) fn run(info: &Info, common: &Common) -> anyhow::Result<Answer> {
    let dataset = info.weld.read_quietly(&info.file, common)?;
    let report = progress::during(common, "inspecting", || inspect(&dataset.mesh));
    let facts = Facts::of(info.file.display().to_string(), &dataset, &report);

    if common.json {
        terminal::json(&facts)?;
    } else {
        note_ignored(&info.file, &dataset.ignored);
        print(&facts, &report, common)?;
    }

    Ok(if info.check && !facts.problems.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    file: String,
    vertices: usize,
    triangles: usize,
    quadrilaterals: usize,
    tetrahedra: usize,
    hexahedra: usize,
    elements: BTreeMap<&'static str, usize>,
    order: usize,
    closed: bool,
    oriented: bool,
    manifold: bool,
    components: usize,
    genus: Option<usize>,
    area: f64,
    volume: Option<f64>,
    bounds: Option<Bounds>,
    edge_lengths: [f64; 2],
    quality: Option<Shape>,
    solid_quality: Option<Shape>,
    sets: Vec<NamedSet>,
    fields: Vec<String>,
    ignored: Vec<Counted>,
    welded: usize,
    closing_weld: Option<f64>,
    problems: Vec<Fault>,
}

#[derive(Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

#[derive(Serialize)]
struct Shape {
    least: f64,
    mean: f64,
}

#[derive(Serialize)]
struct NamedSet {
    name: String,
    of: &'static str,
    members: usize,
}

#[derive(Serialize)]
struct Counted {
    what: String,
    count: usize,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    count: usize,
    first: String,
}

impl Facts {
    fn of(file: String, dataset: &Dataset, report: &MeshReport) -> Self {
        let mesh = &dataset.mesh;
        let surface = &report.surface;
        let counts = |kinds: &[ElementKind]| kinds.iter().map(|&kind| mesh.count(kind)).sum();
        use ElementKind::*;
        let present = ElementKind::ALL
            .into_iter()
            .map(|kind| (kind.name(), mesh.count(kind)));

        Self {
            file,
            vertices: mesh.points.len(),
            triangles: counts(&[Tri3, Tri6]),
            quadrilaterals: counts(&[Quad4, Quad8, Quad9]),
            tetrahedra: counts(&[Tet4, Tet10]),
            hexahedra: counts(&[Hex8, Hex20, Hex27]),
            elements: present.filter(|(_, n)| *n > 0).collect(),
            order: mesh
                .blocks
                .iter()
                .map(|block| block.kind.order())
                .max()
                .unwrap_or(1),
            closed: surface.closed,
            oriented: surface.oriented,
            manifold: surface.manifold,
            components: surface.components,
            genus: surface.genus,
            area: surface.area,
            volume: report.volume,
            bounds: bounds(dataset),
            edge_lengths: surface.edge_lengths,
            quality: surface.quality.map(shape),
            solid_quality: report.solid_quality.map(shape),
            sets: sets(dataset),
            fields: fields(dataset),
            ignored: dataset
                .ignored
                .iter()
                .map(|i| Counted {
                    what: i.what.clone(),
                    count: i.count,
                })
                .collect(),
            welded: dataset.welded,
            closing_weld: surface.closing_weld,
            problems: report.problems.iter().map(fault).collect(),
        }
    }
}

fn bounds(dataset: &Dataset) -> Option<Bounds> {
    let bounds = dataset.mesh.bounds();
    (!bounds.is_empty()).then(|| Bounds {
        min: bounds.min.map(shown).into(),
        max: bounds.max.map(shown).into(),
    })
}

fn shape(quality: Quality) -> Shape {
    Shape {
        least: quality.least,
        mean: quality.mean,
    }
}

fn sets(dataset: &Dataset) -> Vec<NamedSet> {
    let of = |of| match of {
        impinge_io::SetOf::Points => "points",
        impinge_io::SetOf::Elements => "elements",
        impinge_io::SetOf::Sides => "sides",
    };
    dataset
        .sets
        .iter()
        .map(|s| NamedSet {
            name: s.name.clone(),
            of: of(s.of),
            members: s.members.len(),
        })
        .collect()
}

fn fields(dataset: &Dataset) -> Vec<String> {
    dataset
        .point_fields
        .iter()
        .chain(&dataset.cell_fields)
        .map(|field| field.name.clone())
        .collect()
}

fn fault(problem: &Problem) -> Fault {
    Fault {
        kind: problem.kind.name(),
        count: problem.count,
        first: problem.first.to_string(),
    }
}

fn print(facts: &Facts, report: &MeshReport, common: &Common) -> std::io::Result<()> {
    say!(common, "{}", facts.file)?;
    let elements = facts
        .elements
        .iter()
        .map(|(kind, n)| format!("{} {kind}", grouped(*n)));
    let contents = [count(facts.vertices, "point")]
        .into_iter()
        .chain(elements)
        .collect::<Vec<_>>()
        .join(", ");
    say!(common, "  contents    {contents}")?;

    if let Some(Bounds { min, max }) = &facts.bounds {
        say!(common, "  bounds      {} to {}", triple(min), triple(max))?;
    }

    let whose = if report.is_solid {
        "boundary"
    } else {
        "surface "
    };
    let yes = |holds: bool, word: &str| format!("{}{word}", if holds { "" } else { "not " });
    let words = [
        yes(facts.closed, "closed"),
        yes(facts.oriented, "oriented"),
        yes(facts.manifold, "manifold"),
    ];

    say!(
        common,
        "  {whose}    {}; {}{}",
        words.join(", "),
        count(facts.components, "component"),
        genus(facts.genus)
    )?;
    let volume = facts.volume.map_or("undefined".into(), digits);
    let area = digits(facts.area);
    say!(common, "  size        area {area}, volume {volume}")?;
    let [shortest, longest] = facts.edge_lengths.map(digits);
    say!(common, "  edges       {shortest} to {longest}")?;

    for (name, quality) in [
        ("quality ", &facts.quality),
        ("solid q.", &facts.solid_quality),
    ] {
        if let Some(q) = quality {
            say!(
                common,
                "  {name}    least {:.4}, mean {:.4} (1 is regular, 0 degenerate)",
                q.least,
                q.mean
            )?;
        }
    }

    for NamedSet { name, of, members } in &facts.sets {
        say!(common, "  set         {name}: {} {of}", grouped(*members))?;
    }

    if facts.welded > 0 {
        let merged = count(facts.welded, "point");
        say!(common, "  weld        {merged} merged with others nearby")?;
    }

    if !facts.fields.is_empty() {
        say!(common, "  fields      {}", facts.fields.join(", "))?;
    }

    print_problems(report, common)
}

fn print_problems(report: &MeshReport, common: &Common) -> std::io::Result<()> {
    if report.problems.is_empty() {
        return say!(common, "  problems    none");
    }
    report.problems.iter().try_for_each(|problem| {
        let advice = match problem.kind {
            ProblemKind::OpenEdge => weld_advice(&report.surface),
            _ => String::new(),
        };
        say!(common, "  problem     {}: {problem}{advice}", problem.kind)
    })
}

fn genus(genus: Option<usize>) -> String {
    genus.map_or(String::new(), |genus| format!(", genus {genus}"))
}

fn triple(numbers: &[f64; 3]) -> String {
    format!("({})", numbers.map(digits).join(", "))
}
