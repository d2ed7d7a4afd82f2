//! Overlapping pairs of spheres or boxes, in two and three dimensions.

use crate::arrays::{self, Table};
use crate::errors;
use crate::threads::{compute, lock};
use impinge::bound::Ball;
use impinge::broad::{self, Auto, BroadPhase, BroadScene, Changes, Period, Proxy};
use impinge::space::Aabb;
use numpy::{PyArray2, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A broad phase that reuses its neighbour list from call to call.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Pairs {
    state: Mutex<State>,
    /// Memory of the structure that the last call searched, in bytes.
    memory: AtomicUsize,
}

enum State {
    Plane(Box<PairTracker<2>>),
    Space(Box<PairTracker<3>>),
}

struct PairTracker<const D: usize> {
    period: Period<D>,
    broad: Auto<D>,
    pairs: Vec<broad::Pair>,
    changes: Option<Changes>,
}

/// Pairs that overlap now, that began and that ended.
type Answer<'py> = (
    Bound<'py, PyArray2<i64>>,
    Option<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray2<i64>>)>,
);

#[pymethods]
impl Pairs {
    /// `lengths` has one entry for each axis; `None` for one that is not periodic.
    #[new]
    fn new(lengths: Vec<Option<f64>>, changes: bool) -> PyResult<Self> {
        let changes = || changes.then(Changes::default);
        let state = match lengths[..] {
            [x, y] => State::Plane(Box::new(PairTracker::new([x, y], changes()))),
            [x, y, z] => State::Space(Box::new(PairTracker::new([x, y, z], changes()))),
            _ => return Err(errors::value("there are two or three axes")),
        };
        Ok(Self {
            state: Mutex::new(state),
            memory: AtomicUsize::new(0),
        })
    }

    /// Memory of the sorted structure that the last call searched in bytes, without lists of pairs.
    fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    /// Finds the overlapping pairs of spheres.
    fn spheres<'py>(
        &self,
        py: Python<'py>,
        centres: Table<'py>,
        radii: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Answer<'py>> {
        let radii = radii.as_slice()?;
        if centres.shape()[0] != radii.len() {
            return Err(errors::value(format!(
                "{} radii for {} points",
                radii.len(),
                centres.shape()[0]
            )));
        }

        match centres.shape()[1] {
            2 => self.find(py, balls::<2>(&centres, radii)?),
            _ => self.find(py, balls::<3>(&centres, radii)?),
        }
    }

    /// Finds the overlapping pairs of boxes.
    fn boxes<'py>(
        &self,
        py: Python<'py>,
        min: Table<'py>,
        max: Table<'py>,
    ) -> PyResult<Answer<'py>> {
        if min.shape() != max.shape() {
            return Err(errors::value(
                "lower and upper corners differ in number or dimension",
            ));
        }
        match min.shape()[1] {
            2 => self.find(py, boxes::<2>(&min, &max)?),
            _ => self.find(py, boxes::<3>(&min, &max)?),
        }
    }
}

fn balls<const D: usize>(centres: &Table<'_>, radii: &[f64]) -> PyResult<Vec<Ball<D>>> {
    let centres = arrays::rows::<f64, D>(centres)?;
    let ball = |(&centre, &radius)| Ball::new(centre, radius);
    Ok(centres.iter().zip(radii).map(ball).collect())
}

fn boxes<const D: usize>(min: &Table<'_>, max: &Table<'_>) -> PyResult<Vec<Aabb<D>>> {
    let (min, max) = (arrays::rows::<f64, D>(min)?, arrays::rows::<f64, D>(max)?);
    Ok(min
        .iter()
        .zip(max)
        .map(|(&min, &max)| Aabb::new(min, max))
        .collect())
}

impl Pairs {
    fn find<'py, B: Proxy<D>, const D: usize>(
        &self,
        py: Python<'py>,
        bodies: Vec<B>,
    ) -> PyResult<Answer<'py>>
    where
        State: Of<D>,
    {
        let work = || {
            let mut state = lock(&self.state);
            let keeper = state.keeper()?;
            let scene = BroadScene {
                period: keeper.period,
                ..BroadScene::of(&bodies)
            };
            let mut pairs = std::mem::take(&mut keeper.pairs);
            let found = keeper.broad.find_pairs(&scene, &mut pairs);
            found.map_err(|error| error.to_string())?;
            self.memory.store(keeper.broad.memory(), Ordering::Relaxed);
            let Some(changes) = keeper.changes.as_mut() else {
                // Used once, so its memory is freed before the result is allocated.
                keeper.broad = Auto::default();
                return Ok((pairs, None));
            };
            changes.update(&pairs);
            let changes = (changes.began.clone(), changes.ended.clone());

            Ok::<_, String>((pairs, Some(changes)))
        };
        let (pairs, changes) = compute(py, work)?.map_err(errors::value)?;
        drop(bodies);
        py.check_signals()?;
        let table = columns(py, &pairs)?;
        let changes = match changes {
            Some((began, ended)) => {
                py.detach(|| lock(&self.state).keep(pairs));
                Some((columns(py, &began)?, columns(py, &ended)?))
            }
            None => None,
        };

        Ok((table, changes))
    }
}

fn columns<'py>(py: Python<'py>, pairs: &[broad::Pair]) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let rows = pairs.iter().map(|pair| [pair.a.into(), pair.b.into()]);
    let rows: Vec<[i64; 2]> = py.detach(|| rows.collect());
    arrays::table(py, rows)
}

impl State {
    /// Takes the list of pairs back, to be reused in the next step.
    fn keep(&mut self, pairs: Vec<broad::Pair>) {
        match self {
            Self::Plane(keeper) => keeper.pairs = pairs,
            Self::Space(keeper) => keeper.pairs = pairs,
        }
    }
}

impl<const D: usize> PairTracker<D> {
    fn new(lengths: [Option<f64>; D], changes: Option<Changes>) -> Self {
        Self {
            period: Period { lengths },
            broad: Auto::default(),
            pairs: Vec::new(),
            changes,
        }
    }
}

/// The broad phase of a dimension.
trait Of<const D: usize> {
    fn keeper(&mut self) -> Result<&mut PairTracker<D>, String>;
}

impl Of<2> for State {
    fn keeper(&mut self) -> Result<&mut PairTracker<2>, String> {
        match self {
            Self::Plane(keeper) => Ok(keeper),
            Self::Space(_) => Err("2D points, but three axes".to_owned()),
        }
    }
}

impl Of<3> for State {
    fn keeper(&mut self) -> Result<&mut PairTracker<3>, String> {
        match self {
            Self::Space(keeper) => Ok(keeper),
            Self::Plane(_) => Err("3D points, but two axes".to_owned()),
        }
    }
}
