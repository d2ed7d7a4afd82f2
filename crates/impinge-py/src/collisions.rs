//! Moving objects that are tested against each other, with warm-start data of their pairs.

use crate::arrays::{self, Table};
use crate::bodies::contains_part;
use crate::errors::{self, Checked};
use crate::mesh::{Mesh, Tree};
use crate::pose;
use crate::threads::{compute, lock};
use impinge::broad::{Auto, BroadPhase, BroadScene};
use impinge::narrow::meshes::{self, PairHint};
use impinge::space::{Aabb, Point, Pose, Vector};
use numpy::PyArray2;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// Error of a bounding box that is turned, relative to its largest coordinate.
const ROUNDING: f64 = 1e-12;

/// Numbered objects: surfaces and their poses.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Collisions {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// `None` for a number that is not in use.
    objects: Vec<Option<Object>>,
    broad: Auto<3>,
    /// Pairs whose boxes overlapped at the last test, sorted.
    hints: Vec<([u32; 2], PairHint)>,
}

#[derive(Clone)]
struct Object {
    tree: Arc<Tree>,
    pose: Pose<3>,
    bounds: Aabb<3>,
}

impl Object {
    fn new(tree: Arc<Tree>, pose: Pose<3>) -> Self {
        let local = tree.triangles.boxes().bounds();
        let (centre, half) = (pose.point(&local.centre()), local.extent() * 0.5);
        let reach = pose.rotation().abs() * half;
        let rounding = ROUNDING * (centre.coords.amax() + reach.amax());
        let reach = reach + Vector::repeat(rounding);
        let bounds = Aabb::new(centre - reach, centre + reach);
        Self { tree, pose, bounds }
    }

    fn touches(&self, other: &Self, hint: &mut PairHint) -> bool {
        let (a, b) = (&self.tree, &other.tree);
        meshes::touches_again(&a.triangles, &self.pose, &b.triangles, &other.pose, hint)
            || contains_part(a, &self.pose, b, &other.pose)
            || contains_part(b, &other.pose, a, &self.pose)
    }
}

/// Lower and upper corners of boxes.
type Bounds<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

#[pymethods]
impl Collisions {
    #[new]
    fn new() -> Self {
        Self {
            state: Mutex::default(),
        }
    }

    /// Adds an object, or replaces the one of this number.
    fn set(
        &self,
        py: Python<'_>,
        number: usize,
        mesh: &Bound<'_, Mesh>,
        matrix: Option<Table<'_>>,
    ) -> PyResult<()> {
        let pose = matrix.map_or(Ok(Pose::identity()), |matrix| pose::nearly(&matrix))?;
        let mesh = mesh.get();
        let tree = compute(py, || mesh.tree().cloned())?.checked(py)?;

        let mut state = lock(&self.state);
        if number > state.objects.len() {
            return Err(errors::value(format!("object {number}: no such object")));
        }
        if number == state.objects.len() {
            state.objects.push(None);
        }
        state.forget(number);
        state.objects[number] = Some(Object::new(tree, pose));
        Ok(())
    }

    /// Moves an object.
    fn place(&self, number: usize, matrix: Table<'_>) -> PyResult<()> {
        let pose = pose::nearly(&matrix)?;
        let mut state = lock(&self.state);
        let object = state.object(number)?;
        *object = Object::new(object.tree.clone(), pose);
        Ok(())
    }

    /// Removes an object. Its number may be used again.
    fn remove(&self, number: usize) -> PyResult<()> {
        let mut state = lock(&self.state);
        state.object(number)?;
        state.forget(number);
        state.objects[number] = None;
        Ok(())
    }

    /// The pose of an object as a 4 × 4 matrix.
    fn pose<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = lock(&self.state).object(number)?.pose;
        arrays::table(py, pose::rows(&pose).to_vec())
    }

    /// The boxes around objects.
    fn bounds<'py>(&self, py: Python<'py>, numbers: Vec<usize>) -> PyResult<Bounds<'py>> {
        let mut state = lock(&self.state);
        let bounds = numbers.iter().map(|&n| Ok(state.object(n)?.bounds));
        let bounds: Vec<Aabb<3>> = bounds.collect::<PyResult<_>>()?;
        let corners = |of: fn(&Aabb<3>) -> Point<3>| bounds.iter().map(|b| of(b).into()).collect();
        Ok((
            arrays::table(py, corners(|bounds| bounds.min))?,
            arrays::table(py, corners(|bounds| bounds.max))?,
        ))
    }

    /// The pairs of objects that share a point.
    fn touching<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let found = compute(py, || lock(&self.state).touching())?;
        py.check_signals()?;
        arrays::table(py, found.map_err(errors::value)?)
    }

    /// The pairs of an object of this and one of another collection that share a point.
    fn touching_other<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Self>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        // Copies the data, so that no two locks are held at once.
        let [own, others] = [self, other.get()].map(|one| lock(&one.state).numbered());
        let found = compute(py, || {
            let touches = |(i, a): &(i64, Object), (j, b): &(i64, Object)| {
                let is_near = a.bounds.overlaps(&b.bounds);
                (is_near && a.touches(b, &mut PairHint::default())).then_some([*i, *j])
            };

            let rows = own.par_iter();
            let rows = rows.flat_map_iter(|a| others.iter().filter_map(move |b| touches(a, b)));
            rows.collect::<Vec<[i64; 2]>>()
        })?;

        py.check_signals()?;
        arrays::table(py, found)
    }
}

impl State {
    fn object(&mut self, number: usize) -> PyResult<&mut Object> {
        let object = self.objects.get_mut(number).and_then(Option::as_mut);
        object.ok_or_else(|| errors::value(format!("object {number}: no such object")))
    }

    fn numbered(&self) -> Vec<(i64, Object)> {
        let objects = self.objects.iter().zip(0..);
        objects
            .filter_map(|(object, n)| Some((n, object.clone()?)))
            .collect()
    }

    /// Drops the warm-start data of an object's pairs.
    fn forget(&mut self, number: usize) {
        self.hints
            .retain(|(pair, _)| !pair.contains(&(number as u32)));
    }

    fn touching(&mut self) -> Result<Vec<[i64; 2]>, String> {
        let used = self.objects.iter().enumerate();
        let used: Vec<(u32, &Object)> = used
            .filter_map(|(n, object)| Some((n as u32, object.as_ref()?)))
            .collect();
        let bounds: Vec<Aabb<3>> = used.iter().map(|(_, object)| object.bounds).collect();
        let mut pairs = Vec::new();
        self.broad
            .find_pairs(&BroadScene::of(&bounds), &mut pairs)
            .map_err(|error| error.to_string())?;

        // Both lists are sorted.
        let mut known = self.hints.iter().peekable();
        let mut tasks = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let [a, b] = [pair.a, pair.b].map(|n| used[n as usize]);
            let numbers = [a.0, b.0];
            while known.next_if(|(before, _)| *before < numbers).is_some() {}
            let hint = known.next_if(|(before, _)| *before == numbers);
            let hint = hint.map_or_else(PairHint::default, |(_, hint)| *hint);
            tasks.push((numbers, [a.1, b.1], hint, false));
        }
        tasks
            .par_iter_mut()
            .with_min_len(16)
            .for_each(|(_, [a, b], hint, touches)| *touches = a.touches(b, hint));

        let touching = tasks.iter().filter(|task| task.3);
        let touching = touching.map(|task| task.0.map(i64::from)).collect();
        self.hints = tasks.into_iter().map(|task| (task.0, task.2)).collect();
        Ok(touching)
    }
}
