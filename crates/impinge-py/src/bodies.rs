//! Two bodies: distance, closest points, penetration depth, common volume.

use crate::arrays::{self, Table};
use crate::errors::Checked;
use crate::mesh::{Mesh, Tree};
use crate::pose;
use crate::threads::{compute, lock};
use impinge::inside::winding_number;
use impinge::narrow::features3::{self, FeatureCache3};
use impinge::narrow::meshes::{self, PairHint, TriangleTree};
use impinge::narrow::{Closest, overlap3};
use impinge::shape::{Feature, Polyhedron, Problem};
use impinge::space::{Point, Pose};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, OnceLock};

/// The convex hull of points.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Convex {
    hull: Arc<Hull>,
}

struct Hull {
    polyhedron: Polyhedron,
    tree: OnceLock<Arc<Tree>>,
}

impl Hull {
    /// Returns the triangles of the facets, for pairs with bodies that are not convex.
    fn tree(&self) -> &Arc<Tree> {
        self.tree.get_or_init(|| {
            let triangles = fans(&self.polyhedron);
            let surface = impinge::shape::Surface::new(self.polyhedron.points(), &triangles);
            let tree = match surface {
                Ok(surface) => TriangleTree::new(&surface),
                // A facet may be thinner than the rounding of its corners.
                Err(_) => TriangleTree::of_triangles(
                    self.polyhedron.points(),
                    &without_slivers(&self.polyhedron, triangles),
                )
                .expect("a hull has facets with an area"),
            };
            Arc::new(Tree::new(tree))
        })
    }
}

/// Splits the facets into fans of triangles.
fn fans(polyhedron: &Polyhedron) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for face in 0..polyhedron.face_count() {
        let corners: Vec<u32> = polyhedron.face_corners(face).collect();
        triangles.extend(
            corners[1..]
                .windows(2)
                .map(|side| [corners[0], side[0], side[1]]),
        );
    }
    triangles
}

fn without_slivers(polyhedron: &Polyhedron, mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    let point = |n: u32| polyhedron.points()[n as usize];
    triangles.retain(|&[a, b, c]| !impinge::space::collinear(&point(a), &point(b), &point(c)));
    triangles
}

impl Convex {
    pub(crate) fn polyhedron(&self) -> &Polyhedron {
        &self.hull.polyhedron
    }
}

#[pymethods]
impl Convex {
    #[new]
    fn new(py: Python<'_>, points: Table<'_>) -> PyResult<Self> {
        let points = arrays::points(arrays::rows::<f64, 3>(&points)?);
        let polyhedron = compute(py, || Polyhedron::hull(points))?.checked(py)?;
        Ok(Self {
            hull: Arc::new(Hull {
                polyhedron,
                tree: OnceLock::new(),
            }),
        })
    }

    /// The corners.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = self.hull.polyhedron.points();
        arrays::table(py, points.iter().map(|&p| p.into()).collect())
    }

    /// The facets, split into triangles.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        arrays::node_table(py, fans(&self.hull.polyhedron).as_flattened(), 3)
    }

    /// The volume.
    fn volume(&self) -> f64 {
        self.hull.polyhedron.volume()
    }
}

/// A body of a pair.
#[derive(Clone)]
enum Body {
    Convex(Arc<Hull>),
    Surface(Arc<Tree>),
}

impl Body {
    fn of(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(convex) = object.cast::<Convex>() {
            return Ok(Self::Convex(convex.get().hull.clone()));
        }
        let mesh = object.cast::<Mesh>()?.get();
        let tree: Result<Arc<Tree>, Problem> = compute(py, || mesh.tree().cloned())?;
        Ok(Self::Surface(tree.checked(py)?))
    }

    fn tree(&self) -> &Tree {
        match self {
            Self::Convex(hull) => hull.tree(),
            Self::Surface(tree) => tree,
        }
    }
}

/// Two bodies and their warm-start data.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Pair {
    bodies: [Body; 2],
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    features: FeatureCache3,
    hint: PairHint,
}

/// Gap, normal, points, bounds of the gap, features.
pub(crate) type Found<'py> = (
    f64,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    [f64; 2],
    [Part; 2],
);

/// `vertex`, `edge` or `face`, and its numbers.
pub(crate) type Part = (&'static str, Vec<u32>);

#[pymethods]
impl Pair {
    #[new]
    fn new(py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bodies = [Body::of(py, a)?, Body::of(py, b)?];
        let is_convex = |body: &Body| matches!(body, Body::Convex(_));
        if !bodies.iter().all(is_convex) {
            // Built here, in the pool: what follows runs on the calling thread.
            compute(py, || bodies.iter().for_each(|body| _ = body.tree()))?;
        }

        Ok(Self {
            bodies,
            cache: Mutex::default(),
        })
    }

    /// Signed distance and closest points.
    fn closest<'py>(
        &self,
        py: Python<'py>,
        pose_a: Option<Table<'_>>,
        pose_b: Option<Table<'_>>,
    ) -> PyResult<Found<'py>> {
        let (pose_a, pose_b) = (pose::optional(pose_a)?, pose::optional(pose_b)?);
        let found = py.detach(|| self.find(&pose_a, &pose_b, &mut lock(&self.cache)));
        let contact = &found.contact;
        let vector = |v: [f64; 3]| arrays::list(py, v.to_vec());

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
        let (pose_a, pose_b) = (pose::optional(pose_a)?, pose::optional(pose_b)?);
        Ok(py.detach(|| self.touch(&pose_a, &pose_b, &mut lock(&self.cache))))
    }

    /// The common volume; `None` if a surface is not closed.
    fn overlap_volume(
        &self,
        py: Python<'_>,
        pose_a: Option<Table<'_>>,
        pose_b: Option<Table<'_>>,
    ) -> PyResult<Option<f64>> {
        let (pose_a, pose_b) = (pose::optional(pose_a)?, pose::optional(pose_b)?);
        let volume = || match &self.bodies {
            [Body::Convex(a), Body::Convex(b)] => {
                let common = overlap3::polyhedra(&a.polyhedron, &pose_a, &b.polyhedron, &pose_b);
                Some(common.map_or(0.0, |common| common.volume))
            }
            [a, b] => {
                let (a, b) = (&a.tree().triangles, &b.tree().triangles);
                meshes::overlap(a, &pose_a, b, &pose_b).map(|common| common.volume)
            }
        };

        compute(py, volume)
    }

    /// The pairs of faces that share a point.
    fn touching_faces<'py>(
        &self,
        py: Python<'py>,
        pose_a: Option<Table<'_>>,
        pose_b: Option<Table<'_>>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (pose_a, pose_b) = (pose::optional(pose_a)?, pose::optional(pose_b)?);
        let [a, b] = &self.bodies;
        let mut pairs = Vec::new();
        compute(py, || {
            let (a, b) = (&a.tree().triangles, &b.tree().triangles);
            meshes::touching_faces(a, &pose_a, b, &pose_b, &mut pairs);
        })?;

        arrays::table(py, pairs.iter().map(|pair| pair.map(i64::from)).collect())
    }
}

impl Pair {
    fn find(&self, pose_a: &Pose<3>, pose_b: &Pose<3>, cache: &mut Cache) -> Closest<3> {
        match &self.bodies {
            [Body::Convex(a), Body::Convex(b)] => features3::closest(
                &a.polyhedron,
                pose_a,
                &b.polyhedron,
                pose_b,
                &mut cache.features,
            ),
            [a, b] => {
                let (a, b) = (&a.tree().triangles, &b.tree().triangles);
                meshes::closest(a, pose_a, b, pose_b, &mut cache.hint)
            }
        }
    }

    fn touch(&self, pose_a: &Pose<3>, pose_b: &Pose<3>, cache: &mut Cache) -> bool {
        if let [Body::Convex(_), Body::Convex(_)] = &self.bodies {
            return self.find(pose_a, pose_b, cache).touches();
        }
        let [a, b] = self.bodies.each_ref().map(Body::tree);
        let hint = &mut cache.hint;
        meshes::touches_again(&a.triangles, pose_a, &b.triangles, pose_b, hint)
            || contains_part(a, pose_a, b, pose_b)
            || contains_part(b, pose_b, a, pose_a)
    }
}

/// Returns whether a part of the inner body lies in the outer one, given that their surfaces do not
/// touch: then one point of each part decides.
pub(crate) fn contains_part(
    outer: &Tree,
    pose_outer: &Pose<3>,
    inner: &Tree,
    pose_inner: &Pose<3>,
) -> bool {
    if !outer.triangles.is_closed() {
        return false;
    }

    let bounds = outer.triangles.boxes().bounds();
    let bounds = bounds.grown(1e-9 * bounds.longest_edge());
    let is_inside = |extremes: &[Point<3>; 6]| {
        let seen = extremes.map(|point| pose_outer.to_local(&pose_inner.point(&point)));
        let (points, faces) = (outer.triangles.points(), outer.triangles.triangles());
        // A part that extends beyond the box is not inside; the winding number takes far longer.
        seen.iter().all(|point| bounds.contains(point))
            && winding_number(points, faces, &seen[0]) > 0.5
    };

    inner.extremes.iter().any(is_inside)
}

/// Names the feature that contains a point.
pub(crate) fn part(feature: Feature) -> Part {
    match feature {
        Feature::Vertex(v) => ("vertex", vec![v]),
        Feature::Edge(ends) => ("edge", ends.to_vec()),
        Feature::Face(f) => ("face", vec![f]),
    }
}
