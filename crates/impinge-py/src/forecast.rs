//! Continuous collision detection of bodies on known motions: an event queue.

use crate::arrays::{self, Table};
use crate::errors::{self, Checked};
use crate::mesh::Mesh;
use crate::pose;
use crate::threads::{compute, lock};
use impinge::detect::forecast::{
    self, ForecastEvent, ForecastId, MotionUpdate, Prepared, Settings,
};
use impinge::space::{Point, Vector};
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::Mutex;

/// Bodies on known motions; idle until two of them can touch.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Forecast {
    engine: Mutex<forecast::Forecast>,
}

/// Kind, time, latest, certain, bodies, faces, point.
type Event = (
    &'static str,
    f64,
    f64,
    bool,
    [u32; 2],
    Option<[u32; 2]>,
    Option<[f64; 3]>,
);

#[pymethods]
impl Forecast {
    #[new]
    fn new(tolerance: f64, most_work: usize) -> PyResult<Self> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(errors::value("the tolerance must be a positive time"));
        }
        let settings = Settings {
            tolerance,
            most_work,
            ..Settings::default()
        };
        Ok(Self {
            engine: Mutex::new(forecast::Forecast::new(settings)),
        })
    }

    /// Adds a rigid body; returns its number.
    fn add(
        &self,
        py: Python<'_>,
        mesh: &Bound<'_, Mesh>,
        matrix: Table<'_>,
        rates: [[f64; 3]; 3],
    ) -> PyResult<u32> {
        let motion = pose::motion(&matrix, rates)?;
        let shape = prepared(py, mesh)?;
        let added = compute(py, || lock(&self.engine).add(shape, motion))?;
        Ok(added.map_err(errors::value)?.0)
    }

    /// Adds a body whose nodes move on their own; returns its number.
    fn add_deforming(
        &self,
        py: Python<'_>,
        mesh: &Bound<'_, Mesh>,
        positions: Table<'_>,
        velocities: Table<'_>,
    ) -> PyResult<u32> {
        let shape = prepared(py, mesh)?;
        let (positions, velocities) = nodes(&positions, &velocities)?;
        let add = || lock(&self.engine).add_deforming(shape, &positions, &velocities);
        Ok(compute(py, add)?.map_err(errors::value)?.0)
    }

    /// Sets the motion of a rigid body from now on. Returns whether it differs from the prediction.
    fn set_motion(
        &self,
        py: Python<'_>,
        body: u32,
        matrix: Table<'_>,
        rates: [[f64; 3]; 3],
    ) -> PyResult<bool> {
        let motion = pose::motion(&matrix, rates)?;
        let set = || lock(&self.engine).set_motion(ForecastId(body), motion);
        Ok(is_new(&compute(py, set)?.map_err(errors::value)?))
    }

    /// Sets positions and velocities of a deforming body. Returns whether they differ.
    fn set_nodes(
        &self,
        py: Python<'_>,
        body: u32,
        positions: Table<'_>,
        velocities: Table<'_>,
    ) -> PyResult<bool> {
        let (positions, velocities) = nodes(&positions, &velocities)?;
        let set = || lock(&self.engine).set_nodes(ForecastId(body), &positions, &velocities);
        Ok(is_new(&compute(py, set)?.map_err(errors::value)?))
    }

    /// Removes a body.
    fn remove(&self, py: Python<'_>, body: u32) -> PyResult<()> {
        let removed = compute(py, || lock(&self.engine).remove(ForecastId(body)))?;
        removed.map_err(errors::value)
    }

    /// Advances to a time; returns the events until then and the number of queue entries processed.
    fn advance(&self, py: Python<'_>, to: f64) -> PyResult<(Vec<Event>, usize)> {
        let mut events = Vec::new();
        let advance = compute(py, || lock(&self.engine).advance(to, &mut events))?;
        py.check_signals()?;
        let worked = advance.map_err(errors::value)?.worked;
        Ok((events.iter().map(event).collect(), worked))
    }

    /// The current time.
    fn time(&self) -> f64 {
        lock(&self.engine).time()
    }

    /// The time of the next queue entry.
    fn next_due(&self) -> Option<f64> {
        lock(&self.engine).next_due()
    }

    /// The pairs that touch.
    fn touching(&self, py: Python<'_>) -> PyResult<Py<PyArray2<i64>>> {
        let pairs = lock(&self.engine).touching();
        let rows = pairs.iter().map(|pair| pair.map(|id| i64::from(id.0)));
        Ok(arrays::table(py, rows.collect())?.unbind())
    }

    /// The undecided pairs, and since when.
    fn undecided(&self) -> Vec<([u32; 2], f64)> {
        let pairs = lock(&self.engine).undecided();
        pairs
            .iter()
            .map(|(pair, since)| (pair.map(|id| id.0), *since))
            .collect()
    }
}

fn prepared(py: Python<'_>, mesh: &Bound<'_, Mesh>) -> PyResult<Prepared> {
    let mesh = mesh.get();
    let tree = compute(py, || mesh.tree().map(|tree| tree.triangles.clone().into()))?;
    tree.checked(py)
}

fn nodes(
    positions: &Table<'_>,
    velocities: &Table<'_>,
) -> PyResult<(Vec<Point<3>>, Vec<Vector<3>>)> {
    let positions = arrays::points(arrays::rows::<f64, 3>(positions)?).to_vec();
    let velocities = arrays::rows::<f64, 3>(velocities)?.iter();
    Ok((positions, velocities.map(|&row| row.into()).collect()))
}

fn is_new(update: &MotionUpdate) -> bool {
    matches!(update, MotionUpdate::Replanned { .. })
}

fn event(event: &ForecastEvent) -> Event {
    (
        event.kind.name(),
        event.time,
        event.latest,
        event.certain,
        event.bodies.map(|id| id.0),
        event.faces,
        event.point.map(Into::into),
    )
}
