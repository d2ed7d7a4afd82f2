//! Scenes of bodies of every shape, and their contacts step after step.

use crate::arrays::{self, Indices, Table};
use crate::detect_shape::Shape;
use crate::errors::{self, Checked};
use crate::pose;
use crate::threads::{compute, lock};
use impinge::detect::{self, Contact, Detector3, EventKind, Options, Place, Scene3, Shape3, Want};
use impinge::shape::{HalfSpace, Item, Solid};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// Bodies and their poses or motions.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Scene {
    scene: Mutex<Scene3>,
}

/// The rates of a motion and the time at which it starts.
type Rates = ([[f64; 3]; 3], f64);

/// Builds the place of a body: fixed, moved by the user, or on a motion.
fn place(matrix: Option<Table<'_>>, rates: Option<Rates>, fixed: bool) -> PyResult<Place<3>> {
    let Some((rates, since)) = rates else {
        let pose = pose::optional(matrix)?;
        return Ok(if fixed {
            Place::Fixed(pose)
        } else {
            Place::Moved(pose)
        });
    };
    if fixed {
        return Err(errors::value("a fixed body has no motion"));
    }
    let motion = pose::moving(pose::optional(matrix)?, rates)?;
    Ok(Place::Given { motion, since })
}

#[pymethods]
impl Scene {
    #[new]
    fn new() -> Self {
        Self {
            scene: Mutex::new(Scene3::default()),
        }
    }

    /// Adds a body.
    fn add_shape(
        &self,
        shape: &Bound<'_, Shape>,
        matrix: Option<Table<'_>>,
        rates: Option<Rates>,
        fixed: bool,
    ) -> PyResult<u32> {
        self.add(shape.get().shape.clone(), place(matrix, rates, fixed)?)
    }

    /// Adds an infinite floor or wall.
    fn add_half_space(&self, py: Python<'_>, point: [f64; 3], normal: [f64; 3]) -> PyResult<u32> {
        let half = HalfSpace::new(point, normal).checked(py)?;
        self.add(Shape3::HalfSpace(half), place(None, None, true)?)
    }

    /// Adds a tetrahedral solid that may deform.
    fn add_solid(&self, py: Python<'_>, points: Table<'_>, nodes: Indices<'_>) -> PyResult<u32> {
        let points = arrays::usable_points::<3>(py, &points)?;
        let nodes = arrays::elements::<4>(py, &nodes, points.len(), Item::Tetrahedron)?;
        let solid = compute(py, || Solid::deformed(&points, &nodes))?.checked(py)?;
        self.add(Shape3::Solid(Arc::new(solid.0)), place(None, None, false)?)
    }

    /// Removes a body. Its number is not used again.
    fn remove(&self, body: u32) -> PyResult<()> {
        lock(&self.scene).remove(body).map_err(errors::value)
    }

    /// Sets the pose of a body, which then stays there.
    fn set_pose(&self, body: u32, matrix: Table<'_>) -> PyResult<()> {
        let pose = pose::pose(&matrix)?;
        lock(&self.scene)
            .set_pose(body, pose)
            .map_err(errors::value)
    }

    /// Sets the motion of a body.
    fn set_motion(&self, body: u32, matrix: Option<Table<'_>>, rates: Rates) -> PyResult<()> {
        let place = place(matrix, Some(rates), false)?;
        lock(&self.scene)
            .set_place(body, place)
            .map_err(errors::value)
    }

    /// Deforms a body.
    fn set_points(&self, py: Python<'_>, body: u32, points: Table<'_>) -> PyResult<()> {
        let points = arrays::usable_points::<3>(py, &points)?;
        let set = compute(py, || lock(&self.scene).set_points(body, &points))?;
        set.map_err(errors::value)
    }

    /// Excludes a pair of bodies.
    fn ignore(&self, a: u32, b: u32) -> PyResult<()> {
        lock(&self.scene).ignore(a, b).map_err(errors::value)
    }

    /// The pose of a body at a time, as a 4 × 4 matrix.
    fn pose<'py>(
        &self,
        py: Python<'py>,
        body: u32,
        time: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = lock(&self.scene).pose(body, time).map_err(errors::value)?;
        let (rotation, position) = (pose.rotation(), pose.position());
        let row = |i: usize| {
            let [x, y, z] = [0, 1, 2].map(|j| rotation[(i, j)]);
            [x, y, z, position[i]]
        };
        arrays::table(py, vec![row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
    }

    /// The numbers of the bodies.
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let ids: Vec<u32> = lock(&self.scene).ids().collect();
        arrays::numbers(py, ids.into_iter())
    }
}

impl Scene {
    fn add(&self, shape: Shape3, place: Place<3>) -> PyResult<u32> {
        lock(&self.scene).add(shape, place).map_err(errors::value)
    }
}

/// Finds the contacts of a scene, with caches kept from step to step.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Detector {
    detector: Mutex<Detector3>,
}

/// Bodies and place, gap, normal, points, volume, centroid of the intersection.
type Contacts<'py> = (
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
);

/// Pairs, and whether they began.
type Events<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<bool>>);

#[pymethods]
impl Detector {
    #[new]
    fn new(margin: f64, depth: bool, overlap: bool) -> PyResult<Self> {
        let want = Want {
            depth,
            overlap,
            ..Want::default()
        };
        let options = Options {
            margin,
            want,
            ..Options::default()
        };
        let detector = detect::Detector::new(options).map_err(errors::value)?;
        Ok(Self {
            detector: Mutex::new(detector),
        })
    }

    /// Finds the contacts at a time; returns the number of candidate pairs.
    fn step(&self, py: Python<'_>, scene: &Bound<'_, Scene>, time: f64) -> PyResult<usize> {
        // A copy of the scene would not share its stamps: both are locked, always in this order.
        let scene = scene.get();
        let work = || lock(&self.detector).step(&lock(&scene.scene), time);
        let summary = compute(py, work)?.map_err(errors::value)?;
        py.check_signals()?;
        Ok(summary.pairs)
    }

    /// The contacts of the last step, sorted by bodies and place.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Contacts<'py>> {
        let detector = lock(&self.detector);
        let contacts = detector.contacts();
        let table = |of: &dyn Fn(&Contact<3>) -> [f64; 3]| {
            arrays::table(py, contacts.iter().map(of).collect())
        };
        let bodies =
            |contact: &Contact<3>| [contact.pair.a, contact.pair.b, contact.place].map(i64::from);
        let volume = |contact: &Contact<3>| contact.overlap.map_or(0.0, |common| common.measure);
        let nowhere = [f64::NAN; 3];

        Ok((
            arrays::table(py, contacts.iter().map(bodies).collect())?,
            arrays::list(
                py,
                contacts.iter().map(|contact| contact.touch.gap).collect(),
            ),
            table(&|contact| contact.touch.normal.into())?,
            table(&|contact| contact.touch.on_a.into())?,
            table(&|contact| contact.touch.on_b.into())?,
            arrays::list(py, contacts.iter().map(volume).collect()),
            table(&|contact| {
                contact
                    .overlap
                    .map_or(nowhere, |common| common.centroid.into())
            })?,
        ))
    }

    /// The pairs that began and ceased to touch in the last step.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Events<'py>> {
        let detector = lock(&self.detector);
        let events = detector.events();
        let pairs = events
            .iter()
            .map(|event| [event.pair.a, event.pair.b].map(i64::from));
        let began = events.iter().map(|event| event.kind == EventKind::Began);
        Ok((
            arrays::table(py, pairs.collect())?,
            arrays::list(py, began.collect()),
        ))
    }
}
