//! Closest-point projection onto finite-element faces, and node-to-surface contacts.

use crate::arrays::{self, Table};
use crate::errors::{self, Checked};
use crate::mesh::Mesh;
use crate::threads::{compute, in_chunks, lock};
use impinge::narrow::projection::{
    ContactOptions, FaceTree, NearestFace, NodeContact, On, Status, node_to_surface, self_contact,
};
use impinge::shape::{Cells, Faces, Problem, ProblemKind};
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// The faces of a body, prepared for projections; they may move.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Projection {
    tree: Mutex<Tree>,
}

#[derive(Clone)]
enum Tree {
    Plane(Arc<FaceTree<2>>),
    Space(Arc<FaceTree<3>>),
}

/// Face, natural coordinates, point, normal, gap, part of the face (0 face, 1 edge, 2 vertex),
/// status (0 unique, 1 several, 2 unsure), error.
type Projected<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f64>>,
);

/// A row of [`Projected`].
struct Row<const D: usize> {
    face: u32,
    local: [f64; 2],
    point: [f64; D],
    normal: [f64; D],
    gap: f64,
    on: On,
    status: Status,
    error: f64,
}

#[pymethods]
impl Projection {
    /// `flat` says whether a mesh at z = 0 is a body of the plane.
    #[new]
    fn new(py: Python<'_>, mesh: &Bound<'_, Mesh>, flat: bool) -> PyResult<Self> {
        let mesh = &mesh.get().mesh;
        let tree = compute(py, || faces(mesh, flat))?.checked(py)?;
        Ok(Self {
            tree: Mutex::new(tree),
        })
    }

    /// 2 or 3.
    fn dimension(&self) -> usize {
        match *lock(&self.tree) {
            Tree::Plane(_) => 2,
            Tree::Space(_) => 3,
        }
    }

    /// The nodes of each face, each with its kind.
    fn faces(&self) -> Vec<(&'static str, Vec<u32>)> {
        fn list<const D: usize>(faces: &Faces<D>) -> Vec<(&'static str, Vec<u32>)> {
            let face = |n| (faces.kind(n).name(), faces.nodes(n).to_vec());
            (0..faces.len()).map(face).collect()
        }
        match &*lock(&self.tree) {
            Tree::Plane(tree) => list(tree.faces()),
            Tree::Space(tree) => list(tree.faces()),
        }
    }

    /// Moves the nodes.
    fn update(&self, py: Python<'_>, points: Table<'_>) -> PyResult<()> {
        match self.dimension() {
            2 => {
                let points = arrays::usable_points::<2>(py, &points)?;
                let work = || match &mut *lock(&self.tree) {
                    Tree::Plane(tree) => Arc::make_mut(tree).set_points(&points).map(|_| ()),
                    Tree::Space(_) => Err(Problem::whole(ProblemKind::OffPlane)),
                };
                compute(py, work)?.checked(py)
            }
            _ => {
                let points = arrays::usable_points::<3>(py, &points)?;
                let work = || match &mut *lock(&self.tree) {
                    Tree::Space(tree) => Arc::make_mut(tree).set_points(&points).map(|_| ()),
                    Tree::Plane(_) => Err(Problem::whole(ProblemKind::OffPlane)),
                };
                compute(py, work)?.checked(py)
            }
        }
    }

    /// Projects points.
    fn project<'py>(&self, py: Python<'py>, points: Table<'py>) -> PyResult<Projected<'py>> {
        match (&self.now(), points.shape()[1]) {
            (Tree::Plane(tree), 2) => project(py, tree, arrays::rows(&points)?),
            (Tree::Space(tree), 3) => project(py, tree, arrays::rows(&points)?),
            (_, given) => Err(errors::value(format!(
                "points have {given} coordinates, but the body has another dimension"
            ))),
        }
    }

    /// Nodes of `slave` on this body.
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        slave: &Bound<'py, Self>,
        within: f64,
        depth: f64,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Projected<'py>)> {
        let options = checked(within, depth)?;
        match (&slave.get().now(), &self.now()) {
            (Tree::Plane(slave), Tree::Plane(master)) => between(py, slave, master, &options),
            (Tree::Space(slave), Tree::Space(master)) => between(py, slave, master, &options),
            _ => Err(errors::value("one body is in the plane, the other is not")),
        }
    }

    /// Nodes of this body on itself.
    fn self_contacts<'py>(
        &self,
        py: Python<'py>,
        within: f64,
        depth: f64,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Projected<'py>)> {
        let options = checked(within, depth)?;
        match &self.now() {
            Tree::Plane(tree) => within_one(py, tree, &options),
            Tree::Space(tree) => within_one(py, tree, &options),
        }
    }
}

impl Projection {
    /// Returns the faces as they are now. No lock is held while a call works: it would be waited for by a thread that
    /// holds the interpreter, which the call needs at its end.
    fn now(&self) -> Tree {
        lock(&self.tree).clone()
    }
}

fn checked(within: f64, depth: f64) -> PyResult<ContactOptions> {
    if !(within >= 0.0 && within.is_finite() && depth >= 0.0) {
        return Err(errors::value(
            "'within' and 'depth' are lengths: not negative, and 'within' finite",
        ));
    }
    Ok(ContactOptions { within, depth })
}

/// The faces of a body: the boundary of its solid or flat elements, its surface elements, or its
/// lines.
fn faces(mesh: &impinge::shape::Mesh, flat: bool) -> Result<Tree, Problem> {
    let is_flat = flat && mesh.points.iter().all(|p| p.z == 0.0);
    let has = [1, 2, 3].map(|dimension| mesh.count_of_dimension(dimension) > 0);
    let plane = |faces: Faces<2>| Tree::Plane(Arc::new(FaceTree::new(faces)));
    let space = |faces: Faces<3>| Tree::Space(Arc::new(FaceTree::new(faces)));

    Ok(match has {
        [_, _, true] => space(Cells::<3>::from_mesh(mesh)?.boundary().faces),
        [_, true, _] if is_flat => plane(Cells::<2>::from_mesh(mesh)?.boundary().faces),
        [_, true, _] => space(Faces::<3>::from_mesh(mesh)?),
        [true, ..] if is_flat => plane(Faces::<2>::from_mesh(mesh)?),
        [true, ..] => return Err(Problem::whole(ProblemKind::OffPlane)),
        _ => return Err(Problem::whole(ProblemKind::Empty)),
    })
}

fn project<'py, const D: usize>(
    py: Python<'py>,
    tree: &FaceTree<D>,
    rows: &[[f64; D]],
) -> PyResult<Projected<'py>> {
    arrays::check_usable(rows)?;
    let mut columns = Columns::with_capacity(rows.len());
    let (mut some, mut result) = (Vec::new(), Ok(()));

    in_chunks(py, rows, |chunk| {
        let points = arrays::points(chunk);
        result = result.and_then(|()| tree.nearest_points(points, &mut some));
        for NearestFace {
            face, projection, ..
        } in some.drain(..)
        {
            columns.push(Row {
                face,
                local: projection.local,
                point: projection.point.into(),
                normal: projection.normal.into(),
                gap: projection.gap,
                on: projection.on,
                status: projection.status,
                error: projection.error,
            });
        }
    })?;

    result.checked(py)?;
    columns.into_arrays(py)
}

fn between<'py, const D: usize>(
    py: Python<'py>,
    slave: &FaceTree<D>,
    master: &FaceTree<D>,
    options: &ContactOptions,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Projected<'py>)> {
    let mut found = Vec::new();
    compute(py, || node_to_surface(slave, master, options, &mut found))?;
    nodes(py, &found)
}

fn within_one<'py, const D: usize>(
    py: Python<'py>,
    body: &FaceTree<D>,
    options: &ContactOptions,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Projected<'py>)> {
    let mut found = Vec::new();
    compute(py, || self_contact(body, options, &mut found))?;
    nodes(py, &found)
}

fn nodes<'py, const D: usize>(
    py: Python<'py>,
    found: &[NodeContact<D>],
) -> PyResult<(Bound<'py, PyArray1<i64>>, Projected<'py>)> {
    let row = |contact: &NodeContact<D>| Row {
        face: contact.touch.face,
        local: contact.touch.local,
        point: contact.touch.point.into(),
        normal: contact.touch.normal.into(),
        gap: contact.touch.gap,
        on: contact.touch.on,
        status: contact.touch.status,
        error: contact.touch.error,
    };
    let numbers = arrays::numbers(py, found.iter().map(|contact| contact.node));
    let mut columns = Columns::with_capacity(found.len());
    found.iter().for_each(|contact| columns.push(row(contact)));

    Ok((numbers, columns.into_arrays(py)?))
}

/// The columns of [`Projected`], filled row by row.
struct Columns<const D: usize> {
    face: Vec<i64>,
    local: Vec<[f64; 2]>,
    point: Vec<[f64; D]>,
    normal: Vec<[f64; D]>,
    gap: Vec<f64>,
    on: Vec<i8>,
    status: Vec<i8>,
    error: Vec<f64>,
}

impl<const D: usize> Columns<D> {
    fn with_capacity(rows: usize) -> Self {
        Self {
            face: Vec::with_capacity(rows),
            local: Vec::with_capacity(rows),
            point: Vec::with_capacity(rows),
            normal: Vec::with_capacity(rows),
            gap: Vec::with_capacity(rows),
            on: Vec::with_capacity(rows),
            status: Vec::with_capacity(rows),
            error: Vec::with_capacity(rows),
        }
    }

    fn push(&mut self, row: Row<D>) {
        self.face.push(row.face.into());
        self.local.push(row.local);
        self.point.push(row.point);
        self.normal.push(row.normal);
        self.gap.push(row.gap);
        self.on.push(match row.on {
            On::Face => 0,
            On::Edge(_) => 1,
            On::Vertex(_) => 2,
        });
        self.status.push(match row.status {
            Status::Unique => 0,
            Status::Several => 1,
            Status::Unsure => 2,
        });
        self.error.push(row.error);
    }

    fn into_arrays(self, py: Python<'_>) -> PyResult<Projected<'_>> {
        Ok((
            arrays::list(py, self.face),
            arrays::table(py, self.local)?,
            arrays::table(py, self.point)?,
            arrays::table(py, self.normal)?,
            arrays::list(py, self.gap),
            arrays::list(py, self.on),
            arrays::list(py, self.status),
            arrays::list(py, self.error),
        ))
    }
}
