//! Cost of the contact search between quadratic cells, per slave node: refit of both trees, faces in
//! tetrahedra, nodes inside with depth and exit, projection onto the curved faces. A smaller block
//! lies askew on a larger one, so that nothing but the two faces that press is in one plane.

use super::meshes::block;
use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::narrow::projection::project;
use impinge::narrow::solids::{Depths, SolidContacts, SolidOptions, node_penetrations};
use impinge::shape::{Cells, ElementKind, Face, FaceKind, Solid};
use impinge::space::{Point, Vector};
use impinge_sim::solid::SolidMesh;
use std::path::Path;

/// Microseconds per slave node.
const ALLOWED: f64 = 2.0;

/// By how much the blocks overlap, in their heights.
const OVERLAP: f64 = 0.01;

struct Side {
    shape: Solid,
    contacts: SolidContacts,
    depths: Depths,
    /// A quadratic face of the mesh, to project onto.
    face: Face<3>,
}

impl Side {
    fn new(cells: usize, width: f64, turn: f64, lift: f64) -> Result<Self> {
        let (sin, cos) = turn.sin_cos();
        let mesh = block(ElementKind::Tet10, [cells, cells, cells / 4], |p| {
            let [x, y] = [p.x - 0.5, p.y - 0.5].map(|x| width * x);
            Vector::<3>::new(cos * x - sin * y, sin * x + cos * y, 0.25 * p.z + lift)
        })?;
        let boundary = Cells::<3>::from_mesh(&mesh)?.boundary();
        let nodes: Vec<Point<3>> = boundary
            .faces
            .nodes(0)
            .iter()
            .map(|&n| mesh.points[n as usize])
            .collect();
        let shape = SolidMesh::from_mesh(&mesh)?.shape().clone();
        Ok(Self {
            contacts: SolidContacts::new(&shape, SolidOptions::default()),
            depths: Depths::new(&shape),
            shape,
            face: Face::new(FaceKind::Tri6, &nodes).expect("a face of tet10 has six nodes"),
        })
    }
}

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["cells_across", "nodes_inside", "microseconds_per_node"]);
    let sizes: &[usize] = if quick { &[8] } else { &[8, 16, 32] };
    let mut last = 0.0;
    for &cells in sizes {
        let mut one = Side::new(cells, 1.0, 0.0, 0.0)?;
        let mut two = Side::new(cells, 0.8, 0.3, 0.25 * (1.0 - OVERLAP))?;
        let mut hits = [Vec::new(), Vec::new()];
        let mut found = 0;
        let rounds = if quick { 3 } else { 10 };

        let (_, seconds) = timed(|| {
            for _ in 0..rounds {
                found = search(&mut one, &mut two, &mut hits);
            }
        });
        anyhow::ensure!(found > 0, "no node is inside");
        last = 1e6 * seconds / (rounds * found) as f64;
        table.row(&[&cells, &found, &last]);
    }

    table.save(&folder.join("search_speed.csv"))?;
    findings.timing(
        last <= ALLOWED,
        format!(
            "the contact search of tet10 takes at most {ALLOWED} µs per slave node, refit included: \
             {last:.2} µs"
        ),
    );
    Ok(())
}

fn search(
    one: &mut Side,
    two: &mut Side,
    hits: &mut [Vec<impinge::narrow::solids::FaceHit>; 2],
) -> usize {
    one.contacts.update(&one.shape);
    two.contacts.update(&two.shape);
    let [of_one, of_two] = hits;
    one.contacts
        .find_between(&one.shape, &mut two.contacts, &two.shape, [of_one, of_two]);

    let (mut found, mut nodes) = (0, Vec::new());
    for (own, other, hits) in [(&*one, &*two, &*of_one), (&*two, &*one, &*of_two)] {
        node_penetrations(
            (&own.shape, &own.depths),
            (&other.shape, &other.depths),
            hits,
            &mut nodes,
        );
        for node in &nodes {
            let point = own.shape.points()[node.node as usize];
            // Brought over the sample face: the cost is that of a point close to its face.
            let place = other.face.position([0.3, 0.3]) + (point - node.out.on);
            found += usize::from(project(&other.face, &place).is_some());
        }
    }
    found
}
