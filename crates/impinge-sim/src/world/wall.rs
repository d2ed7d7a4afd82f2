//! A wall, and its contact interface for each kind of matter.

use super::{WallDef, WallShape, WorldError};
use crate::rigid::PrescribedMotion;
use crate::{Obstacle, Path, PathState, TriangleMesh};
use impinge::narrow::SurfaceBody;
use impinge::shape::Surface;
use impinge::space::{Aabb, Point, Pose};
use std::sync::{Arc, OnceLock};

/// Thickness of an open wall relative to its size, unless one is given.
const THICKNESS: f64 = 0.01;

/// A wall of a world.
pub(super) struct Wall {
    /// Its triangles in its own frame; `None` for a half-space.
    pub(super) triangles: Option<TriangleMesh>,
    /// A point of the half-space's plane and the outward direction.
    pub(super) half_space: Option<[[f64; 3]; 2]>,
    /// Its initial pose.
    pub(super) pose: Pose<3>,
    /// Its motion from there.
    pub(super) guide: PrescribedMotion,
    pub(super) path: Path,
    pub(super) material: usize,
    /// The closed body of the triangles, if they are closed and their inside is not free.
    pub(super) closed: Option<Surface>,
    /// Contact thickness for elastic solids, if the wall is open.
    pub(super) thickness: f64,
    ball: (Point<3>, f64),
    /// Its triangles with their search trees, once something asks for them.
    surface: OnceLock<Arc<SurfaceBody>>,
}

impl Wall {
    pub(super) fn new(name: &str, wall: WallDef) -> Result<Self, WorldError> {
        let pose = Pose::from_quaternion(wall.orientation, wall.position)
            .map_err(|fault| WorldError::pose(name, fault))?;
        if !wall.path.is_finite() {
            return Err(WorldError::unsuited(
                name,
                "a number of its motion is not finite",
            ));
        }

        let (triangles, half_space) = match wall.shape {
            WallShape::HalfSpace { point, normal } => (None, Some([point, normal])),
            WallShape::Surface(mesh) => (Some(mesh), None),
        };
        let closed = match triangles.as_ref().filter(|_| !wall.is_hollow) {
            Some(mesh) => mesh
                .closed()
                .map_err(|fault| WorldError::inside(name, fault))?,
            None => None,
        };
        let size = |mesh: &TriangleMesh| Aabb::of(mesh.points.iter().copied()).longest_edge();
        let thickness = wall
            .thickness
            .unwrap_or(THICKNESS * triangles.as_ref().map_or(1.0, size));

        Ok(Self {
            ball: ball(triangles.as_ref()),
            triangles,
            half_space,
            pose,
            guide: PrescribedMotion {
                position: wall.position,
                orientation: wall.orientation,
                // A body would turn about its position.
                path: Path {
                    centre: Some(wall.path.centre.unwrap_or_default()),
                    ..wall.path
                },
            },
            path: wall.path,
            material: wall.material,
            closed,
            thickness,
            surface: OnceLock::new(),
        })
    }

    /// Returns its triangles with their search trees, which rigid bodies and solids share: closed, if it
    /// is, and in its own frame. `None` for a half-space.
    pub(super) fn surface(&self, name: &str) -> Result<Option<Arc<SurfaceBody>>, WorldError> {
        let built = match (&self.closed, &self.triangles) {
            _ if self.surface.get().is_some() => return Ok(self.surface.get().cloned()),
            (Some(closed), _) => SurfaceBody::new(closed),
            (None, Some(TriangleMesh { points, triangles })) => {
                SurfaceBody::wall(points, triangles)
            }
            (None, None) => return Ok(None),
        };
        let built = built.map_err(|fault| WorldError::shape(name, fault))?;
        Ok(Some(Arc::clone(
            self.surface.get_or_init(|| Arc::new(built)),
        )))
    }

    /// Returns the wall as an obstacle for particles.
    pub(super) fn obstacle(&self, name: &str) -> Result<Obstacle, WorldError> {
        let made = match (&self.half_space, &self.triangles) {
            (Some([point, normal]), _) => Obstacle::half_space(*point, *normal, self.material),
            (None, Some(TriangleMesh { points, triangles })) => {
                let points: Vec<[f64; 3]> =
                    points.iter().map(|point| point.coords.into()).collect();
                Obstacle::mesh(&points, triangles, self.material)
            }
            (None, None) => unreachable!("a wall is a half-space or a surface"),
        };
        made.map_err(|fault| WorldError::shape(name, fault))
    }

    /// Returns pose and velocities at a time.
    pub(super) fn at(&self, time: f64) -> PathState {
        let moved = self.path.at(time);
        let pose = moved.pose.after(&self.pose);
        let arm = pose.position() - moved.pose.position();
        PathState {
            pose,
            velocity: moved.velocity + moved.spin.cross(&arm),
            spin: moved.spin,
            surface: moved.surface,
        }
    }

    /// Returns the centre of its box, in its own frame, and the largest distance of a point from it.
    pub(super) fn ball(&self) -> (Point<3>, f64) {
        self.ball
    }

    /// Returns the largest distance of a point from the origin of its motion; 0 for a half-space.
    pub(super) fn reach(&self) -> f64 {
        let points = self.triangles.iter().flat_map(|surface| &surface.points);
        points.map(|point| point.coords.norm()).fold(0.0, f64::max)
    }

    /// Returns whether it stays where it is; its surface may move along itself.
    pub(super) fn is_at_rest(&self) -> bool {
        self.path.is_rest()
    }
}

/// Returns the centre of a mesh's box, and the largest distance of a point from it.
fn ball(mesh: Option<&TriangleMesh>) -> (Point<3>, f64) {
    let points = || mesh.iter().flat_map(|mesh| &mesh.points);
    let bounds = Aabb::of(points().copied());
    if bounds.is_empty() {
        return (Point::origin(), 0.0);
    }
    let centre = bounds.centre();
    let radius = points().map(|point| (point - centre).norm());
    (centre, radius.fold(0.0, f64::max))
}
