//! A mesh: points and elements of any kind, and the structures built from it on first use.

use crate::arrays::{self, Indices, Table};
use crate::errors::{self, Checked};
use crate::threads::compute;
use impinge::inside::inward_part;
use impinge::narrow::meshes::{NearestPoint, TriangleTree};
use impinge::shape::{
    Block, Cells, ElementKind, Feature, Item, MeshReport, Problem, ProblemKind, Surface,
    WELD_TOLERANCE, connected_triangles, inspect,
};
use impinge::space::Point;
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// An immutable mesh. Structures built from it are cached and shared by all queries.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Mesh {
    pub(crate) mesh: impinge::shape::Mesh,
    closed: OnceLock<Result<Closed, Problem>>,
    tree: OnceLock<Result<Arc<Tree>, Problem>>,
}

/// A closed surface, and the changes that closed it.
#[derive(Clone)]
pub(crate) struct Closed {
    pub(crate) surface: Arc<Surface>,
    pub(crate) note: Option<String>,
}

/// The triangles in a tree, and a node of each connected part.
pub(crate) struct Tree {
    pub(crate) triangles: TriangleTree,
    /// The outermost points of each connected part, along each axis.
    pub(crate) extremes: Vec<[Point<3>; 6]>,
    around: OnceLock<Vec<Vec<u32>>>,
}

impl From<impinge::shape::Mesh> for Mesh {
    fn from(mesh: impinge::shape::Mesh) -> Self {
        Self {
            mesh,
            closed: OnceLock::new(),
            tree: OnceLock::new(),
        }
    }
}

impl Mesh {
    /// Returns the surface elements: those of the mesh, or the boundary of its solid elements.
    pub(crate) fn surface(&self) -> Result<Cow<'_, impinge::shape::Mesh>, Problem> {
        if self.mesh.count_of_dimension(3) == 0 {
            return Ok(Cow::Borrowed(&self.mesh));
        }
        let cells = Cells::<3>::from_mesh(&self.mesh)?;
        Ok(Cow::Owned(cells.boundary().faces.to_mesh()))
    }

    /// Returns the closed surface, or the reason why the mesh has none.
    pub(crate) fn closed(&self) -> Result<&Closed, Problem> {
        let closed = self.closed.get_or_init(|| close(&*self.surface()?));
        closed.as_ref().map_err(|problem| *problem)
    }

    /// Returns the tree of the surface, which has an inside if the surface is closed.
    pub(crate) fn tree(&self) -> Result<&Arc<Tree>, Problem> {
        let build = || -> Result<Arc<Tree>, Problem> {
            let triangles = match self.closed() {
                Ok(closed) => TriangleTree::new(&closed.surface),
                Err(_) => {
                    let surface = self.surface()?;
                    TriangleTree::of_triangles(&surface.points, &surface.triangles())?
                }
            };
            Ok(Arc::new(Tree::new(triangles)))
        };
        let tree = self.tree.get_or_init(build);
        tree.as_ref().map_err(|problem| *problem)
    }
}

impl Tree {
    pub(crate) fn new(triangles: TriangleTree) -> Self {
        let parts = connected_triangles(triangles.points().len(), triangles.triangles());
        let mut extremes: Vec<[Point<3>; 6]> = Vec::new();
        for (face, part) in parts.into_iter().enumerate() {
            let corners = triangles.corners(face);
            // Parts are numbered in the order of their first triangles.
            if part as usize == extremes.len() {
                extremes.push([corners[0]; 6]);
            }
            for (k, extreme) in extremes[part as usize].iter_mut().enumerate() {
                let (axis, sign) = (k / 2, if k % 2 == 0 { 1.0 } else { -1.0 });
                for corner in corners {
                    if sign * corner[axis] > sign * extreme[axis] {
                        *extreme = corner;
                    }
                }
            }
        }

        Self {
            triangles,
            extremes,
            around: OnceLock::new(),
        }
    }

    /// Returns, of the faces that contain a nearest point, the one that faces the query point most.
    pub(crate) fn facing(&self, found: &NearestPoint, point: &Point<3>) -> u32 {
        let (node, other) = match found.feature {
            Feature::Face(face) => return face,
            Feature::Vertex(node) => (node, node),
            Feature::Edge([node, other]) => (node, other),
        };
        let way = point - found.point;
        let height = |face: u32| {
            let [a, b, c] = self.triangles.corners(face as usize);
            let normal = (b - a).cross(&(c - a)).normalize();
            normal.dot(&way).abs()
        };
        let faces = self.around()[node as usize].iter().copied();
        let faces =
            faces.filter(|&face| self.triangles.triangles()[face as usize].contains(&other));
        let best = faces
            .map(|face| (height(face), face))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });

        best.map_or(found.face, |(_, face)| face)
    }

    /// Returns the faces of each node.
    fn around(&self) -> &[Vec<u32>] {
        self.around.get_or_init(|| {
            let mut around = vec![Vec::new(); self.triangles.points().len()];
            for (face, nodes) in (0..).zip(self.triangles.triangles()) {
                nodes
                    .iter()
                    .for_each(|&node| around[node as usize].push(face));
            }
            around
        })
    }
}

/// Closes a surface without guessing: merges points that differ only by rounding, and turns a
/// surface that faces inward as a whole. Faces keep their indices.
fn close(mesh: &impinge::shape::Mesh) -> Result<Closed, Problem> {
    let first = match Surface::from_mesh(mesh) {
        Ok(surface) => return whole(surface, None),
        Err(problem) => problem,
    };
    if !mesh.points.iter().all(impinge::space::is_usable) {
        return Err(first);
    }

    let mut mesh = mesh.clone();
    let weld = mesh.weld(WELD_TOLERANCE * mesh.bounds().longest_edge());
    if !weld.dropped_elements.is_empty() {
        return Err(first);
    }
    let mut notes = Vec::new();
    if weld.merged_points > 0 {
        notes.push(format!(
            "{} points equal to others were merged",
            weld.merged_points
        ));
    }

    let mut surface = Surface::from_mesh(&mesh);
    if surface
        .as_ref()
        .is_err_and(|p| p.kind == ProblemKind::InsideOut)
    {
        mesh.flip();
        notes.push("the surface faces inward and was flipped".to_owned());
        surface = Surface::from_mesh(&mesh);
    }

    whole(surface?, (!notes.is_empty()).then(|| notes.join("; ")))
}

/// Fails if a part faces inward without being a cavity of another.
fn whole(surface: Surface, note: Option<String>) -> Result<Closed, Problem> {
    match inward_part(&surface) {
        None => Ok(Closed {
            surface: Arc::new(surface),
            note,
        }),
        Some(triangle) => Err(Problem {
            kind: ProblemKind::InsideOut,
            first: Item::Triangle(triangle as usize),
            count: 1,
        }),
    }
}

/// Returns the kind of this name.
fn kind(name: &str) -> PyResult<ElementKind> {
    let known = ElementKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name);
    known.ok_or_else(|| {
        let names: Vec<&str> = ElementKind::ALL.iter().map(|kind| kind.name()).collect();
        errors::value(format!(
            "unknown element kind '{name}'; known: {}",
            names.join(", ")
        ))
    })
}

/// Returns how a problem names an element of this kind.
fn item(kind: ElementKind) -> fn(usize) -> Item {
    match (kind, kind.dimension()) {
        (ElementKind::Tri3, _) => Item::Triangle,
        (ElementKind::Tet4, _) => Item::Tetrahedron,
        (_, 2) => Item::Face,
        _ => Item::Cell,
    }
}

/// A kind of elements and their nodes.
type Elements<'py> = (&'static str, Bound<'py, PyArray2<i64>>);

#[pymethods]
impl Mesh {
    #[new]
    fn new(
        py: Python<'_>,
        points: Table<'_>,
        blocks: Vec<(String, Indices<'_>)>,
    ) -> PyResult<Self> {
        let mut mesh = impinge::shape::Mesh {
            points: arrays::usable_points(py, &points)?,
            blocks: Vec::new(),
        };
        for (name, nodes) in blocks {
            let kind = kind(&name)?;
            if nodes.shape()[1] != kind.node_count() {
                return Err(errors::value(format!(
                    "{name} elements have {} nodes, not {}",
                    kind.node_count(),
                    nodes.shape()[1]
                )));
            }
            let nodes = arrays::nodes(py, &nodes, mesh.points.len(), item(kind))?;
            mesh.blocks.push(Block { kind, nodes });
        }

        Ok(mesh.into())
    }

    /// The coordinates.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::table(py, self.mesh.points.iter().map(|&p| p.into()).collect())
    }

    /// The elements, block by block.
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Elements<'py>>> {
        let block = |block: &Block| {
            let nodes = arrays::node_table(py, &block.nodes, block.kind.node_count())?;
            Ok((block.kind.name(), nodes))
        };
        self.mesh.blocks.iter().map(block).collect()
    }

    /// The triangles of the surface elements, or of the boundary of the solid elements.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let triangles = compute(py, || self.surface().map(|surface| surface.triangles()))?;
        arrays::node_table(py, triangles.checked(py)?.as_flattened(), 3)
    }

    /// Why the surface is not closed: `None` if it is; otherwise the error.
    fn open_reason(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match compute(py, || self.closed().err())? {
            None => Ok(None),
            Some(problem) => Ok(Some(errors::mesh(py, &problem).into_value(py).into_any())),
        }
    }

    /// The changes that closed the surface.
    fn closing_note(&self, py: Python<'_>) -> PyResult<Option<String>> {
        compute(py, || {
            self.closed().ok().and_then(|closed| closed.note.clone())
        })
    }

    /// Properties and problems.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = compute(py, || inspect(&self.mesh))?;
        described(py, &report)
    }

    /// The same elements with points up to `tolerance` apart merged; the numbers of merged points
    /// and dropped elements.
    fn welded(&self, py: Python<'_>, tolerance: f64) -> PyResult<(Self, usize, usize)> {
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(errors::value(
                "a tolerance is a length: not negative and finite",
            ));
        }
        let work = || {
            let mut mesh = self.mesh.clone();
            let weld = mesh.weld(tolerance);
            (mesh.compacted(), weld)
        };
        let (mesh, weld) = compute(py, work)?;

        Ok((mesh.into(), weld.merged_points, weld.dropped_elements.len()))
    }

    /// The same points with all surface elements flipped.
    fn flipped(&self) -> Self {
        let mut mesh = self.mesh.clone();
        mesh.flip();
        mesh.into()
    }
}

fn described<'py>(py: Python<'py>, report: &MeshReport) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    let surface = &report.surface;
    facts.set_item("is_solid", report.is_solid)?;
    facts.set_item("is_closed", surface.closed)?;
    facts.set_item("is_oriented", surface.oriented)?;
    facts.set_item("is_manifold", surface.manifold)?;
    facts.set_item("components", surface.components)?;
    facts.set_item("genus", surface.genus)?;
    facts.set_item("area", surface.area)?;
    facts.set_item("volume", report.volume)?;
    facts.set_item("shortest_edge", surface.edge_lengths[0])?;
    facts.set_item("longest_edge", surface.edge_lengths[1])?;
    facts.set_item("closing_weld", surface.closing_weld)?;
    let problems: Vec<Py<PyAny>> = report
        .problems
        .iter()
        .map(|problem| errors::mesh(py, problem).into_value(py).into_any())
        .collect();
    facts.set_item("problems", problems)?;

    Ok(facts)
}
