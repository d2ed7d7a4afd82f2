//! Two convex bodies in the plane.

use crate::arrays::{self, Table};
use crate::bodies::{Found, part};
use crate::errors::Checked;
use crate::pose;
use crate::threads::{compute, lock};
use impinge::narrow::features2::{self, FeatureCache2};
use impinge::narrow::overlap2;
use impinge::shape;
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// The convex hull of points in the plane.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Polygon {
    polygon: Arc<shape::Polygon>,
}

#[pymethods]
impl Polygon {
    #[new]
    fn new(py: Python<'_>, points: Table<'_>) -> PyResult<Self> {
        let points = arrays::points(arrays::rows::<f64, 2>(&points)?);
        let polygon = compute(py, || shape::Polygon::hull(points))?.checked(py)?;
        Ok(Self {
            polygon: Arc::new(polygon),
        })
    }

    /// The corners, counter-clockwise.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = self.polygon.points();
        arrays::table(py, points.iter().map(|&p| p.into()).collect())
    }

    /// The area.
    fn area(&self) -> f64 {
        self.polygon.area()
    }
}

/// Two polygons and the features kept from call to call.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct PolygonPair {
    polygons: [Arc<shape::Polygon>; 2],
    cache: Mutex<FeatureCache2>,
}

#[pymethods]
impl PolygonPair {
    #[new]
    fn new(a: &Bound<'_, Polygon>, b: &Bound<'_, Polygon>) -> Self {
        Self {
            polygons: [a, b].map(|one| one.get().polygon.clone()),
            cache: Mutex::default(),
        }
    }

    /// Signed distance and closest points.
    fn closest<'py>(
        &self,
        py: Python<'py>,
        pose_a: Option<Table<'_>>,
        pose_b: Option<Table<'_>>,
    ) -> PyResult<Found<'py>> {
        let (pose_a, pose_b) = (pose::plane(pose_a)?, pose::plane(pose_b)?);
        let [a, b] = &self.polygons;
        let closest = || features2::closest(a, &pose_a, b, &pose_b, &mut lock(&self.cache));
        let found = py.detach(closest);
        let contact = &found.contact;
        let vector = |v: [f64; 2]| arrays::list(py, v.to_vec());

        Ok((
            contact.gap,
            vector(contact.normal.into()),
            vector(contact.on_a.into()),
            vector(contact.on_b.into()),
            found.bounds,
            [part(contact.feature_a), part(contact.feature_b)],
        ))
    }

    /// Whether the closed bodies share a point.
    fn touches(
        &self,
        py: Python<'_>,
        pose_a: Option<Table<'_>>,
        pose_b: Option<Table<'_>>,
    ) -> PyResult<bool> {
        let (pose_a, pose_b) = (pose::plane(pose_a)?, pose::plane(pose_b)?);
        let [a, b] = &self.polygons;
        let closest = || features2::closest(a, &pose_a, b, &pose_b, &mut lock(&self.cache));
        Ok(py.detach(closest).touches())
    }

    /// The common area.
    fn overlap_area(
        &self,
        py: Python<'_>,
        pose_a: Option<Table<'_>>,
        pose_b: Option<Table<'_>>,
    ) -> PyResult<f64> {
        let (pose_a, pose_b) = (pose::plane(pose_a)?, pose::plane(pose_b)?);
        let [a, b] = &self.polygons;
        let common = py.detach(|| overlap2::polygons(a, &pose_a, b, &pose_b));
        Ok(common.map_or(0.0, |common| common.area))
    }
}
