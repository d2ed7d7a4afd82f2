//! Contacts of deforming tetrahedral solids.

use crate::arrays::{self, Indices, Table};
use crate::errors::{self, Checked};
use crate::threads::{compute, lock};
use impinge::narrow::solids::{
    BodyHit, Depths, FaceHit, ManySolids, Neighbours, SolidOptions, penetrations,
};
use impinge::shape::{Item, Solid};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Mutex;

/// Solids that deform and are queried again.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Solids {
    state: Mutex<State>,
}

struct State {
    solids: Vec<Solid>,
    contacts: ManySolids,
}

/// Body and number of the face, body and number of the tetrahedron, whether it crosses.
type Hits<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<bool>>,
);

/// Deepest point, its depth, the unit vector out.
type Deep<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
);

#[pymethods]
impl Solids {
    #[new]
    fn new(
        py: Python<'_>,
        solids: Vec<(Table<'_>, Indices<'_>)>,
        neighbours: &str,
    ) -> PyResult<Self> {
        let neighbours = match neighbours {
            "exact" => Neighbours::Exact,
            "node" => Neighbours::Node,
            "face" => Neighbours::Face,
            _ => return Err(errors::value("neighbours: 'exact', 'node' or 'face'")),
        };
        let options = SolidOptions {
            neighbours,
            ..SolidOptions::default()
        };
        let solid = |(points, nodes): &(Table<'_>, Indices<'_>)| {
            let points = arrays::usable_points::<3>(py, points)?;
            let nodes = arrays::elements::<4>(py, nodes, points.len(), Item::Tetrahedron)?;
            let solid = compute(py, || Solid::deformed(&points, &nodes))?.checked(py)?;
            Ok(solid.0)
        };
        let solids: Vec<Solid> = solids.iter().map(solid).collect::<PyResult<_>>()?;
        let contacts = compute(py, || ManySolids::new(&solids, options))?;

        Ok(Self {
            state: Mutex::new(State { solids, contacts }),
        })
    }

    fn __len__(&self) -> usize {
        lock(&self.state).solids.len()
    }

    /// The boundary triangles of a solid.
    fn boundary<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let state = lock(&self.state);
        let solid = state.solids.get(body).ok_or_else(|| no_body(body))?;
        arrays::node_table(py, solid.boundary_triangles().as_flattened(), 3)
    }

    /// Moves the points of a solid; returns the numbers of inverted and of flat tetrahedra.
    fn update(&self, py: Python<'_>, body: usize, points: Table<'_>) -> PyResult<(usize, usize)> {
        let points = arrays::usable_points::<3>(py, &points)?;
        let work = || {
            let mut state = lock(&self.state);
            Some(state.solids.get_mut(body)?.set_points(&points))
        };
        let deformation = compute(py, work)?
            .ok_or_else(|| no_body(body))?
            .checked(py)?;

        Ok((deformation.inverted, deformation.flat))
    }

    /// All faces that meet tetrahedra, with the deepest points on request.
    fn hits<'py>(&self, py: Python<'py>, depths: bool) -> PyResult<(Hits<'py>, Option<Deep<'py>>)> {
        let work = || {
            let mut state = lock(&self.state);
            let State { solids, contacts } = &mut *state;
            let mut hits = Vec::new();
            contacts
                .find(solids, &mut hits)
                .map_err(|error| error.to_string())?;
            let deep = depths.then(|| deepest(solids, &hits));
            Ok::<_, String>((hits, deep))
        };
        let (hits, deep) = compute(py, work)?.map_err(errors::value)?;
        py.check_signals()?;

        let column = |of: fn(&BodyHit) -> u32| arrays::numbers(py, hits.iter().map(of));
        let columns = (
            column(|hit| hit.face_of),
            column(|hit| hit.hit.face),
            column(|hit| hit.tetrahedron_of),
            column(|hit| hit.hit.tetrahedron),
            arrays::list(py, hits.iter().map(|hit| hit.hit.crosses()).collect()),
        );
        let deep = match deep {
            None => None,
            Some(rows) => Some((
                arrays::table(py, rows.iter().map(|row| row.0).collect())?,
                arrays::list(py, rows.iter().map(|row| row.1).collect()),
                arrays::table(py, rows.iter().map(|row| row.2).collect())?,
            )),
        };

        Ok((columns, deep))
    }
}

fn no_body(body: usize) -> PyErr {
    errors::value(format!("no such body: {body}"))
}

/// Point, depth and direction of each hit.
fn deepest(solids: &[Solid], hits: &[BodyHit]) -> Vec<([f64; 3], f64, [f64; 3])> {
    let mut rows = Vec::with_capacity(hits.len());
    let mut depths: Vec<Option<Depths>> = vec![None; solids.len()];
    let mut found = Vec::new();
    let same =
        |a: &BodyHit, b: &BodyHit| (a.face_of, a.tetrahedron_of) == (b.face_of, b.tetrahedron_of);

    for group in hits.chunk_by(same) {
        let (a, b) = (group[0].face_of as usize, group[0].tetrahedron_of as usize);
        let depths = depths[b].get_or_insert_with(|| Depths::new(&solids[b]));
        let faces: Vec<FaceHit> = group.iter().map(|hit| hit.hit).collect();
        penetrations(&solids[a], &solids[b], &faces, depths, &mut found);
        rows.extend(found.iter().map(|deep| {
            (
                deep.deepest.into(),
                deep.out.depth,
                deep.out.direction.into(),
            )
        }));
    }

    rows
}
