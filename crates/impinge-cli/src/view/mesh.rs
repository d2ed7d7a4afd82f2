//! A mesh file for the page, with its problems marked: open and non-manifold edges, edges whose triangles disagree
//! about the outside, and inverted elements.

use super::exhibit::Exhibit;
use super::manifest::Role;
use crate::common::Common;
use crate::progress;
use crate::terminal::count;
use impinge::shape::{ElementKind, Mesh, inspect};
use impinge::space::Point;
use impinge_io::{Dataset, Field};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a mesh, or points and spheres, to show it.
pub(super) fn exhibit(path: &Path, common: &Common) -> anyhow::Result<Exhibit> {
    let title = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let dataset = progress::during(common, "reading", || impinge_io::read(path))?;
    Ok(of_dataset(&title, dataset))
}

/// Shows a mesh with its problems.
pub(crate) fn of_dataset(title: &str, dataset: Dataset) -> Exhibit {
    let report = inspect(&dataset.mesh);
    let mut exhibit = Exhibit::new(title);
    for problem in &report.problems {
        exhibit = exhibit.with_note(format!("{problem}"));
    }
    let marks = Marks::of(&dataset.mesh);
    let exhibit = exhibit.with("mesh", "triangles", Role::Matter, dataset);
    marks.add_to(exhibit)
}

/// Highlighted edges and elements.
struct Marks {
    points: Vec<Point<3>>,
    open: Vec<[u32; 2]>,
    branching: Vec<[u32; 2]>,
    disagreeing: Vec<[u32; 2]>,
    inverted: Vec<[u32; 4]>,
}

impl Marks {
    fn of(mesh: &Mesh) -> Self {
        let mut marks = Self {
            points: mesh.points.clone(),
            open: Vec::new(),
            branching: Vec::new(),
            disagreeing: Vec::new(),
            inverted: inverted(mesh),
        };

        // Triangles that pass an edge in either direction.
        let mut edges: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
        for [a, b, c] in mesh.triangles() {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let passed = edges.entry([from.min(to), from.max(to)]).or_default();
                passed[usize::from(from > to)] += 1;
            }
        }

        for (edge, passed) in edges {
            match passed {
                [0, 1] | [1, 0] => marks.open.push(edge),
                [1, 1] => {}
                [0, 2] | [2, 0] => marks.disagreeing.push(edge),
                _ => marks.branching.push(edge),
            }
        }
        marks
    }

    fn add_to(self, mut exhibit: Exhibit) -> Exhibit {
        let kinds = [
            ("open-edges", "open edges", &self.open),
            ("non-manifold-edges", "non-manifold edges", &self.branching),
            (
                "inverted-edges",
                "edges with inconsistent orientation",
                &self.disagreeing,
            ),
        ];
        for (kind, label, edges) in kinds {
            if !edges.is_empty() {
                let label = count(edges.len(), label).replace("edgess", "edges");
                exhibit = exhibit.with(kind, &label, Role::Marks, self.lines(edges));
            }
        }

        if !self.inverted.is_empty() {
            let mesh = Mesh::of_tetrahedra(self.points.clone(), &self.inverted);
            let label = count(self.inverted.len(), "inverted tetrahedra")
                .replace("tetrahedras", "tetrahedra");
            exhibit = exhibit.with(
                "inverted-cells",
                &label,
                Role::Marks,
                mesh.compacted().into(),
            );
        }
        exhibit
    }

    fn lines(&self, edges: &[[u32; 2]]) -> Dataset {
        let mut mesh = Mesh {
            points: self.points.clone(),
            blocks: Vec::new(),
        };
        for edge in edges {
            mesh.push(ElementKind::Line2, edge);
        }
        let mut dataset = Dataset::from(mesh.compacted());
        let count = edges.len() as i64;
        dataset
            .cell_fields
            .push(Field::whole("edge", (0..count).collect()));
        dataset
    }
}

/// Returns the inverted or flat tetrahedra.
fn inverted(mesh: &Mesh) -> Vec<[u32; 4]> {
    let point = |node: u32| mesh.points[node as usize];
    let is_inverted = |&[a, b, c, d]: &[u32; 4]| {
        let [u, v, w] = [b, c, d].map(|node| point(node) - point(a));
        u.cross(&v).dot(&w) <= 0.0
    };
    mesh.blocks
        .iter()
        .filter(|block| matches!(block.kind, ElementKind::Tet4 | ElementKind::Tet10))
        .flat_map(|block| block.elements())
        .map(|nodes| [nodes[0], nodes[1], nodes[2], nodes[3]])
        .filter(is_inverted)
        .collect()
}

#[cfg(test)]
mod tests;
