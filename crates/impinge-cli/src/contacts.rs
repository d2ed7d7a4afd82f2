//! `impinge contacts`: node-to-surface contacts between two meshes, or within one.

use crate::Answer;
use crate::common::Common;
use crate::destination;
use crate::faces::{self, Body, Flat};
use crate::mesh_file::Weld;
use crate::progress;
use crate::terminal::{self, count, say, shown};
use crate::view::{Exhibit, Role, ViewOption};
use anyhow::bail;
use clap::Args;
use impinge::narrow::projection::{
    ContactOptions, FaceTree, NodeContact, ProjectedPoint, Status, node_to_surface, self_contact,
};
use impinge::shape::ElementKind;
use impinge::space::{Point, Vector};
use impinge_io::csv::{Column, write_csv};
use impinge_io::{Dataset, Field};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find node-to-surface contacts between two meshes, in both directions, or within one mesh
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge contacts punch.msh sheet.msh -o contacts.csv    touching or inside
  impinge contacts a.vtu b.vtu --within 0.01 -o near.vtu  also up to 0.01 away
  impinge contacts a.inp b.inp --json | jq .deepest
  impinge contacts folded.vtu --within 0.001              a mesh with itself

CSV columns: body,node,face,xi,eta,x,y,z,nx,ny,nz,gap,status. Body (a or b) owns the node; face, natural coordinates, \
closest point and outward normal belong to the other body. The gap is the signed distance, negative inside. Status is \
unique, several (another point is equally close) or unsure. Curved faces are treated as curved.

Within one mesh, the faces around a node and those that it looks away from are ignored. Nodes are found up to D behind a \
face too, so D must be less than the thinnest part.

Meshes at z = 0 are plane bodies. Exit code 1 if there is no contact.")]
pub(crate) struct Contacts {
    /// First body (any mesh file: solid elements, a surface, or 2D elements)
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Second body (default: A with itself)
    #[arg(value_name = "B")]
    b: Option<PathBuf>,
    /// Report contacts with a gap up to this, in the units of the files
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    within: f64,
    #[command(flatten)]
    weld: Weld,
    /// Output file for the contacts: CSV or VTU
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    view: ViewOption,
}

pub(crate) fn run(contacts: &Contacts, common: &Common) -> anyhow::Result<Answer> {
    if !(contacts.within >= 0.0 && contacts.within.is_finite()) {
        bail!(
            "--within {} is not a finite, non-negative distance",
            contacts.within
        );
    }

    destination::check(contacts.output.as_deref(), "contacts", &["csv", "vtu"])?;

    let start = Instant::now();
    let (a, _) = faces::read(&contacts.a, Flat::Body, &contacts.weld, common)?;
    let b = match &contacts.b {
        Some(path) => Some(faces::read(path, Flat::Body, &contacts.weld, common)?.0),
        None => None,
    };
    let setup_seconds = start.elapsed().as_secs_f64();
    let options = ContactOptions {
        within: contacts.within,
        ..ContactOptions::default()
    };
    let start = Instant::now();

    let rows = progress::during(common, "searching", || match (&a, &b) {
        (Body::Space(a), Some(Body::Space(b))) => Ok(both_ways(a, b, &options)),
        (Body::Plane(a), Some(Body::Plane(b))) => Ok(both_ways(a, b, &options)),
        (Body::Space(a), None) => Ok(with_itself(a, &options)),
        (Body::Plane(a), None) => Ok(with_itself(a, &options)),
        _ => bail!("one mesh is a 2D body (z = 0), the other is not"),
    })?;
    let query_seconds = start.elapsed().as_secs_f64();

    if let Some(path) = &contacts.output {
        progress::during(common, "writing", || write(path, &rows))?;
    }

    report(&rows, setup_seconds, query_seconds, contacts, common)?;
    contacts.view.show(common, || exhibit(contacts, &rows))?;
    Ok(if rows.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// Shows the closest points with their gaps on both translucent bodies.
fn exhibit(contacts: &Contacts, rows: &[Row]) -> anyhow::Result<Exhibit> {
    let a = &contacts.a;
    let title = match &contacts.b {
        Some(b) => format!("{} and {}", a.display(), b.display()),
        None => a.display().to_string(),
    };
    let mut exhibit = Exhibit::new(title).with("a", "body A", Role::Walls, impinge_io::read(a)?);
    if let Some(b) = &contacts.b {
        exhibit = exhibit.with("b", "body B", Role::Walls, impinge_io::read(b)?);
    }
    Ok(exhibit.with("points", "closest points", Role::Matter, cloud(rows)))
}

/// A contact in 3D coordinates; 2D contacts have z = 0.
struct Row {
    body: &'static str,
    node: u32,
    face: u32,
    local: [f64; 2],
    point: Point<3>,
    normal: Vector<3>,
    gap: f64,
    status: Status,
}

fn both_ways<const D: usize>(
    a: &FaceTree<D>,
    b: &FaceTree<D>,
    options: &ContactOptions,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut found = Vec::new();
    for (body, slave, master) in [("a", a, b), ("b", b, a)] {
        node_to_surface(slave, master, options, &mut found);
        rows.extend(found.iter().map(|contact| row(body, contact)));
    }

    rows
}

fn with_itself<const D: usize>(a: &FaceTree<D>, options: &ContactOptions) -> Vec<Row> {
    let mut found = Vec::new();
    // Beyond the requested gap, a node behind a face may belong there, as in a thin wall.
    let options = ContactOptions {
        depth: options.within,
        ..*options
    };
    self_contact(a, &options, &mut found);
    found.iter().map(|contact| row("a", contact)).collect()
}

fn row<const D: usize>(body: &'static str, contact: &NodeContact<D>) -> Row {
    let ProjectedPoint {
        face,
        local,
        point,
        normal,
        gap,
        status,
        ..
    } = contact.touch;
    let lifted = |v: Vector<D>| Vector::<3>::from_fn(|i, _| if i < D { v[i] } else { 0.0 });
    let (point, normal) = (Point::from(lifted(point.coords)), lifted(normal));

    Row {
        body,
        node: contact.node,
        face,
        local,
        point,
        normal,
        gap,
        status,
    }
}

fn write(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    match path.extension() {
        Some(extension) if extension == "csv" => write_table(path, rows),
        _ => write_cloud(path, rows),
    }
}

fn write_table(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let real = |of: &dyn Fn(&Row) -> f64| Column::Real(rows.iter().map(of).collect());
    let whole =
        |of: &dyn Fn(&Row) -> u32| Column::Whole(rows.iter().map(|row| of(row).into()).collect());
    let text = |of: &dyn Fn(&Row) -> &'static str| {
        Column::Text(rows.iter().map(|row| of(row).to_owned()).collect())
    };
    let columns = [
        ("body", text(&|row| row.body)),
        ("node", whole(&|row| row.node)),
        ("face", whole(&|row| row.face)),
        ("xi", real(&|row| row.local[0])),
        ("eta", real(&|row| row.local[1])),
        ("x", real(&|row| row.point.x)),
        ("y", real(&|row| row.point.y)),
        ("z", real(&|row| row.point.z)),
        ("nx", real(&|row| row.normal.x)),
        ("ny", real(&|row| row.normal.y)),
        ("nz", real(&|row| row.normal.z)),
        ("gap", real(&|row| row.gap)),
        ("status", text(&|row| row.status.name())),
    ];

    write_csv(
        path,
        &columns.map(|(name, column)| (name.to_owned(), column)),
    )?;
    Ok(())
}

fn write_cloud(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    impinge_io::write(path, &cloud(rows))?;
    Ok(())
}

/// Returns the closest points as a point cloud: `body` is 0 for A's nodes and 1 for B's; `status` is 0 unique,
/// 1 several, 2 unsure.
fn cloud(rows: &[Row]) -> Dataset {
    let mut cloud = Dataset::default();
    cloud.mesh.points = rows.iter().map(|row| row.point).collect();
    (0..rows.len() as u32).for_each(|n| cloud.mesh.push(ElementKind::Vertex, &[n]));
    let whole =
        |name: &str, of: &dyn Fn(&Row) -> i64| Field::whole(name, rows.iter().map(of).collect());
    let scalar =
        |name: &str, of: &dyn Fn(&Row) -> f64| Field::scalar(name, rows.iter().map(of).collect());
    let normals: Vec<[f64; 3]> = rows.iter().map(|row| row.normal.into()).collect();

    cloud.point_fields = vec![
        whole("body", &|row| i64::from(row.body == "b")),
        whole("node", &|row| row.node.into()),
        whole("face", &|row| row.face.into()),
        scalar("xi", &|row| row.local[0]),
        scalar("eta", &|row| row.local[1]),
        Field::vector("normal", &normals),
        scalar("gap", &|row| row.gap),
        whole("status", &|row| match row.status {
            Status::Unique => 0,
            Status::Several => 1,
            Status::Unsure => 2,
        }),
    ];
    cloud
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    contacts: usize,
    nodes_of_a: usize,
    nodes_of_b: usize,
    deepest: Option<f64>,
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
    contacts: &Contacts,
    common: &Common,
) -> anyhow::Result<()> {
    let of = |body: &str| rows.iter().filter(|row| row.body == body).count();
    let status = |status: Status| rows.iter().filter(|row| row.status == status).count();
    let facts = Facts {
        contacts: rows.len(),
        nodes_of_a: of("a"),
        nodes_of_b: of("b"),
        deepest: rows.iter().map(|row| shown(row.gap)).reduce(f64::min),
        several: status(Status::Several),
        unsure: status(Status::Unsure),
        setup_seconds,
        query_seconds,
        threads: rayon::current_num_threads(),
    };

    if common.json {
        return terminal::json(&facts);
    }

    let found = count(facts.contacts, "contact");
    let of_a = count(facts.nodes_of_a, "node");
    match &contacts.b {
        Some(_) => {
            let of_b = count(facts.nodes_of_b, "node");
            say!(common, "{found}: {of_a} of A on B, {of_b} of B on A")?;
        }
        None => say!(common, "{found} of A with itself")?,
    }

    if let Some(deepest) = facts.deepest {
        say!(common, "  least gap {deepest}")?;
    }

    say!(
        common,
        "  {query_seconds:.3} s after {setup_seconds:.3} s of set-up"
    )?;
    Ok(())
}
