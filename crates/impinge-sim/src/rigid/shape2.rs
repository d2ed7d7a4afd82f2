//! Discs and convex polygons.

use super::shape::{Mass, OverlapRegion, RigidShape, facing};
use impinge::narrow::Overlap;
use impinge::narrow::features2::{FeatureCache2, closest};
use impinge::narrow::half_space::polygon_contact;
use impinge::narrow::{overlap_sphere, overlap2};
use impinge::shape::{HalfSpace, Polygon, Problem, Sphere};
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The shape of a 2D rigid body.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub enum RigidShape2 {
    /// A disc centred at the origin.
    Disc(Sphere<2>),
    /// A convex polygon.
    Polygon(Arc<Polygon>),
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
enum Plain {
    Disc(f64),
    Polygon(Vec<[f64; 2]>),
}

impl From<RigidShape2> for Plain {
    fn from(shape: RigidShape2) -> Self {
        match shape {
            RigidShape2::Disc(disc) => Self::Disc(disc.radius()),
            RigidShape2::Polygon(body) => {
                Self::Polygon(body.points().iter().map(|p| [p.x, p.y]).collect())
            }
        }
    }
}

impl TryFrom<Plain> for RigidShape2 {
    type Error = Problem;

    fn try_from(plain: Plain) -> Result<Self, Problem> {
        match plain {
            Plain::Disc(radius) => Self::disc(radius),
            Plain::Polygon(points) => {
                let points: Vec<Point<2>> = points.into_iter().map(Point::from).collect();
                Self::polygon(&points)
            }
        }
    }
}

impl RigidShape2 {
    /// Creates a disc with a positive radius.
    pub fn disc(radius: f64) -> Result<Self, Problem> {
        Ok(Self::Disc(Sphere::new([0.0; 2], radius)?))
    }

    /// Creates a convex polygon from counter-clockwise points.
    pub fn polygon(points: &[Point<2>]) -> Result<Self, Problem> {
        Ok(Self::Polygon(Arc::new(Polygon::new(points)?)))
    }
}

/// Placeholder: 2D has no triangle meshes. Walls in 2D are half-planes and fixed polygons.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum NoMesh {}

/// Cache of two polygons: closest features while they are separated.
#[derive(Clone, Debug, Default)]
pub struct PolygonCache {
    apart: Option<FeatureCache2>,
    touching: bool,
}

/// Gap, in body sizes, above which the intersection is not computed. It exceeds any rounding error, so
/// that the cache never affects a result.
const APART: f64 = 1e-9;

impl RigidShape<2> for RigidShape2 {
    type Kept = PolygonCache;
    type Mesh = NoMesh;

    fn mass(&self) -> Mass {
        let (measure, centre, polar) = match self {
            Self::Disc(disc) => (
                disc.area(),
                Point::origin(),
                0.5 * disc.area() * disc.radius() * disc.radius(),
            ),
            Self::Polygon(body) => (body.area(), body.centroid(), body.inertia()),
        };
        let centre = Vector::<3>::new(centre.x, centre.y, 0.0);

        // Rotation about in-plane axes never occurs in 2D; any positive number works.
        Mass {
            measure,
            centre,
            inertia: Matrix::from_diagonal_element(polar),
        }
    }

    fn reach(&self, from: &Vector<3>) -> f64 {
        let from = Vector::<2>::new(from.x, from.y);
        match self {
            Self::Disc(disc) => from.norm() + disc.radius(),
            Self::Polygon(body) => body
                .points()
                .iter()
                .map(|p| (p.coords - from).norm())
                .fold(0.0, f64::max),
        }
    }

    fn radius(&self) -> Option<f64> {
        match self {
            Self::Disc(disc) => Some(disc.radius()),
            Self::Polygon(_) => None,
        }
    }

    fn widest(&self) -> f64 {
        match self {
            Self::Disc(disc) => 2.0 * disc.radius(),
            Self::Polygon(body) => body.bounds().extent().norm(),
        }
    }

    fn bounds(&self, pose: &Pose<2>) -> Aabb<2> {
        match self {
            Self::Disc(disc) => Aabb::of([pose.position()]).grown(disc.radius()),
            Self::Polygon(body) => Aabb::of(body.points().iter().map(|p| pose.point(p))),
        }
    }

    fn meet(
        &self,
        pose: &Pose<2>,
        other: &Self,
        pose_other: &Pose<2>,
        kept: &mut PolygonCache,
        found: &mut Vec<OverlapRegion<2>>,
    ) {
        found.extend(self.overlap(pose, other, pose_other, kept).map(|overlap| {
            let depth = overlap.section.try_normalize(0.0).map_or(0.0, |mean| {
                let theirs = other.facets(pose_other).map(|facet| -facet);
                let normal = facing(mean, self.facets(pose).chain(theirs));
                self.height(pose, &normal) + other.height(pose_other, &-normal)
            });
            OverlapRegion::between(overlap, depth)
        }));
    }

    fn in_half_space(
        &self,
        pose: &Pose<2>,
        half: &HalfSpace<2>,
        found: &mut Vec<OverlapRegion<2>>,
    ) {
        found.extend(self.below(pose, half).map(|overlap| {
            let up = half.normal();
            let depth = self.height(pose, &-up) + up.dot(&half.point().coords);
            OverlapRegion::of(overlap, half, depth)
        }));
    }

    fn in_mesh(&self, _: &Pose<2>, mesh: &NoMesh, _: &Pose<2>, _: &mut Vec<OverlapRegion<2>>) {
        match *mesh {}
    }
}

impl RigidShape2 {
    /// Returns the outward normals of a polygon in the world.
    fn facets(&self, pose: &Pose<2>) -> impl Iterator<Item = Vector<2>> {
        let normals = match self {
            Self::Disc(_) => &[],
            Self::Polygon(body) => body.normals(),
        };
        normals.iter().map(|normal| pose.vector(normal))
    }

    /// Returns its extent along a world direction.
    fn height(&self, pose: &Pose<2>, direction: &Vector<2>) -> f64 {
        let base = direction.dot(&pose.position().coords);
        match self {
            Self::Disc(disc) => base + disc.radius(),
            Self::Polygon(body) => {
                let local = pose.vector_to_local(direction);
                let top = body.points()[body.support(&local, 0)];
                base + local.dot(&top.coords)
            }
        }
    }

    /// Computes the intersection of two bodies.
    fn overlap(
        &self,
        pose: &Pose<2>,
        other: &Self,
        pose_other: &Pose<2>,
        kept: &mut PolygonCache,
    ) -> Option<Overlap<2>> {
        let found = match (self, other) {
            (Self::Disc(a), Self::Disc(b)) => overlap_sphere::discs(a, pose, b, pose_other),
            (Self::Polygon(a), Self::Disc(b)) => {
                overlap_sphere::polygon_disc(a, pose, b, pose_other)
            }
            (Self::Disc(a), Self::Polygon(b)) => {
                overlap_sphere::polygon_disc(b, pose_other, a, pose).map(|found| found.swapped())
            }
            (Self::Polygon(a), Self::Polygon(b)) => polygons(a, pose, b, pose_other, kept),
        };
        found.map(Overlap::from)
    }

    /// Computes its part inside a half-space.
    fn below(&self, pose: &Pose<2>, half: &HalfSpace<2>) -> Option<Overlap<2>> {
        let world = Pose::identity();
        let found = match self {
            Self::Disc(disc) => overlap_sphere::disc_half_plane(disc, pose, half, &world),
            Self::Polygon(body) => {
                let is_apart = polygon_contact(body, pose, half, &world, 0).gap >= 0.0;
                if is_apart {
                    None
                } else {
                    overlap2::polygon_half_plane(body, pose, half, &world)
                }
            }
        };

        found.map(Overlap::from)
    }
}

/// Pairs that touched compute their intersection at once; the others first test for separation.
fn polygons(
    a: &Polygon,
    pose_a: &Pose<2>,
    b: &Polygon,
    pose_b: &Pose<2>,
    kept: &mut PolygonCache,
) -> Option<overlap2::Overlap2> {
    if !kept.touching {
        let features = kept.apart.get_or_insert_default();
        let size = a.bounds().longest_edge() + b.bounds().longest_edge();
        if closest(a, pose_a, b, pose_b, features).contact.gap > APART * size {
            return None;
        }
    }

    let found = overlap2::polygons(a, pose_a, b, pose_b);
    kept.touching = found.is_some();
    kept.apart = None;
    found
}
