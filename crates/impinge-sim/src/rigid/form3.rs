//! Balls, convex polyhedra, and triangle mesh walls.

use super::form::{Dent, Mass, RigidShape};
use impinge::narrow::ball_surface::ball_surface;
use impinge::narrow::convex_surface::convex_surface;
use impinge::narrow::half_space::polyhedron_contact;
use impinge::narrow::separating_axis::{self, OverlapCache};
use impinge::narrow::{Overlap, PairContact, SurfaceBody, overlap_sphere, overlap3};
use impinge::shape::{HalfSpace, Polyhedron, Problem, Sphere, Surface, generate};
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The shape of a 3D rigid body.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub enum RigidShape3 {
    /// A ball centred at the origin.
    Sphere(Sphere<3>),
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
enum Plain {
    Sphere(f64),
    Polyhedron(Vec<[f64; 3]>),
}

impl From<RigidShape3> for Plain {
    fn from(form: RigidShape3) -> Self {
        match form {
            RigidShape3::Sphere(ball) => Self::Sphere(ball.radius()),
            RigidShape3::Polyhedron(body) => {
                Self::Polyhedron(body.points().iter().map(|p| p.coords.into()).collect())
            }
        }
    }
}

impl TryFrom<Plain> for RigidShape3 {
    type Error = Problem;

    fn try_from(plain: Plain) -> Result<Self, Problem> {
        match plain {
            Plain::Sphere(radius) => Self::sphere(radius),
            Plain::Polyhedron(points) => {
                let points: Vec<Point<3>> = points.into_iter().map(Point::from).collect();
                Ok(Self::Polyhedron(Arc::new(Polyhedron::hull(&points)?)))
            }
        }
    }
}

impl RigidShape3 {
    /// Creates a ball with a positive radius.
    pub fn sphere(radius: f64) -> Result<Self, Problem> {
        Ok(Self::Sphere(Sphere::new([0.0; 3], radius)?))
    }

    /// Creates the convex hull of points.
    pub fn polyhedron(points: &[Point<3>]) -> Result<Self, Problem> {
        // Rebuilt from its own vertices, so that facets have the same order as after
        // deserialisation.
        let body = Polyhedron::hull(Polyhedron::hull(points)?.points())?;
        Ok(Self::Polyhedron(Arc::new(body)))
    }

    /// Returns points and triangles of the surface in the shape's frame, counter-clockwise seen
    /// from outside, for contact with other matter. A ball is approximated by 320 triangles with
    /// their corners on it.
    pub fn surface(&self) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
        match self {
            Self::Sphere(ball) => {
                let unit = generate::sphere(2).expect("a ball of 320 triangles");
                let points = unit.points().iter().map(|p| p * ball.radius()).collect();
                (points, unit.triangles().to_vec())
            }
            Self::Polyhedron(body) => (body.points().to_vec(), fans(body)),
        }
    }
}

/// Splits each facet into a fan of triangles.
fn fans(body: &Polyhedron) -> Vec<[u32; 3]> {
    let fan = |face: usize| {
        let corners: Vec<u32> = body.face_corners(face).collect();
        corners[1..]
            .windows(2)
            .map(|pair| [corners[0], pair[0], pair[1]])
            .collect::<Vec<_>>()
    };
    (0..body.face_count()).flat_map(fan).collect()
}

/// A wall of triangles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "PlainMesh", into = "PlainMesh")]
pub struct MeshWall(Arc<SurfaceBody>);

/// The serialised form.
#[derive(Serialize, Deserialize)]
struct PlainMesh {
    closed: bool,
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl From<MeshWall> for PlainMesh {
    fn from(MeshWall(body): MeshWall) -> Self {
        let tree = body.tree();
        Self {
            closed: tree.is_closed(),
            points: tree.points().iter().map(|p| p.coords.into()).collect(),
            triangles: tree.triangles().to_vec(),
        }
    }
}

impl TryFrom<PlainMesh> for MeshWall {
    type Error = Problem;

    fn try_from(plain: PlainMesh) -> Result<Self, Problem> {
        let points: Vec<Point<3>> = plain.points.into_iter().map(Point::from).collect();
        if plain.closed {
            Self::closed(&points, &plain.triangles)
        } else {
            Self::open(&points, &plain.triangles)
        }
    }
}

impl MeshWall {
    /// Creates a wall from a closed surface; the outside is free.
    pub fn closed(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<Self, Problem> {
        Ok(Self(Arc::new(SurfaceBody::new(&Surface::new(
            points, triangles,
        )?)?)))
    }

    /// Creates a wall from triangles that need not be closed and push to either side.
    pub fn open(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<Self, Problem> {
        Ok(Self(Arc::new(SurfaceBody::wall(points, triangles)?)))
    }

    /// Returns the triangles.
    pub fn body(&self) -> &SurfaceBody {
        &self.0
    }
}

impl RigidShape<3> for RigidShape3 {
    type Kept = OverlapCache;
    type Mesh = MeshWall;

    fn mass(&self) -> Mass {
        match self {
            Self::Sphere(ball) => {
                let moment = 0.4 * ball.volume() * ball.radius() * ball.radius();
                let inertia = Matrix::from_diagonal_element(moment);
                Mass {
                    measure: ball.volume(),
                    centre: Vector::zeros(),
                    inertia,
                }
            }
            Self::Polyhedron(body) => Mass {
                measure: body.volume(),
                centre: body.centroid().coords,
                inertia: body.inertia(),
            },
        }
    }

    fn reach(&self, from: &Vector<3>) -> f64 {
        match self {
            Self::Sphere(ball) => from.norm() + ball.radius(),
            Self::Polyhedron(body) => body
                .points()
                .iter()
                .map(|p| (p.coords - from).norm())
                .fold(0.0, f64::max),
        }
    }

    fn radius(&self) -> Option<f64> {
        match self {
            Self::Sphere(ball) => Some(ball.radius()),
            Self::Polyhedron(_) => None,
        }
    }

    fn height(&self, pose: &Pose<3>, direction: &Vector<3>) -> f64 {
        let base = direction.dot(&pose.position().coords);
        match self {
            Self::Sphere(ball) => base + ball.radius(),
            Self::Polyhedron(body) => {
                let local = pose.vector_to_local(direction);
                let top = body.points()[body.support(&local, 0) as usize];
                base + local.dot(&top.coords)
            }
        }
    }

    fn widest(&self) -> f64 {
        match self {
            Self::Sphere(ball) => std::f64::consts::PI * ball.radius() * ball.radius(),
            Self::Polyhedron(body) => {
                let mut edges: [f64; 3] = body.bounds().extent().into();
                edges.sort_by(f64::total_cmp);
                edges[1] * edges[2]
            }
        }
    }

    fn bounds(&self, pose: &Pose<3>) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => Aabb::of([pose.position()]).grown(ball.radius()),
            Self::Polyhedron(body) => Aabb::of(body.points().iter().map(|p| pose.point(p))),
        }
    }

    fn overlap(
        &self,
        pose: &Pose<3>,
        other: &Self,
        pose_other: &Pose<3>,
        kept: &mut OverlapCache,
    ) -> Option<Overlap<3>> {
        let found = match (self, other) {
            (Self::Sphere(a), Self::Sphere(b)) => overlap_sphere::balls(a, pose, b, pose_other),
            (Self::Polyhedron(a), Self::Sphere(b)) => {
                overlap_sphere::polyhedron_ball(a, pose, b, pose_other)
            }
            (Self::Sphere(a), Self::Polyhedron(b)) => {
                overlap_sphere::polyhedron_ball(b, pose_other, a, pose).map(|found| found.swapped())
            }
            (Self::Polyhedron(a), Self::Polyhedron(b)) => {
                separating_axis::overlap(a, pose, b, pose_other, kept)
            }
        };
        found.map(Overlap::from)
    }

    fn in_half_space(&self, pose: &Pose<3>, half: &HalfSpace<3>) -> Option<Overlap<3>> {
        let world = Pose::identity();
        let found = match self {
            Self::Sphere(ball) => overlap_sphere::ball_half_space(ball, pose, half, &world),
            Self::Polyhedron(body) => {
                let is_apart = polyhedron_contact(body, pose, half, &world, 0).gap >= 0.0;
                if is_apart {
                    None
                } else {
                    overlap3::polyhedron_half_space(body, pose, half, &world)
                }
            }
        };

        found.map(Overlap::from)
    }

    fn in_mesh(
        &self,
        pose: &Pose<3>,
        mesh: &MeshWall,
        pose_mesh: &Pose<3>,
        found: &mut Vec<Dent<3>>,
    ) {
        match self {
            Self::Sphere(ball) => ball_in_mesh(ball, pose, mesh, pose_mesh, found),
            Self::Polyhedron(body) => {
                let mut faces = Vec::new();
                convex_surface(body, pose, &mesh.0, pose_mesh, &mut faces);
                let dent = |flat: &Flat| flat.dent(|half| self.in_half_space(pose, half));
                found.extend(flats(&faces).iter().filter_map(dent));
            }
        }
    }
}

/// Computes the contacts of a ball with a wall: at each closest point it acts like a plane.
fn ball_in_mesh(
    ball: &Sphere<3>,
    pose: &Pose<3>,
    mesh: &MeshWall,
    pose_mesh: &Pose<3>,
    found: &mut Vec<Dent<3>>,
) {
    let mut places = Vec::new();
    ball_surface(ball, pose, &mesh.0, pose_mesh, &mut places);
    found.extend(places.iter().filter_map(|place| {
        let plane = HalfSpace::new(place.touch.on_b, -place.touch.normal).ok()?;
        let overlap = overlap_sphere::ball_half_space(ball, pose, &plane, &Pose::identity())?;
        Some(Dent::of(Overlap::from(overlap), &plane))
    }));
}

/// Cosine of the largest angle between wall faces that push as one.
const SAME_WALL: f64 = 0.99;

/// Largest ratio of the body's thickness below a face to the distance to its nearest facet: its
/// facets are then within 75° of the wall. Across the side face at a wall's edge the body is as
/// thick as it is wide, but it must be pushed out along the shortest direction.
const THICKER: f64 = 4.0;

/// Wall faces that push in one direction.
#[derive(Clone, Copy, Debug)]
struct Flat {
    /// Intersections of the faces with the body, weighted by the distance to its nearest facet.
    overlap: Overlap<3>,
    normal: Vector<3>,
    /// Area-weighted sum of the faces' points.
    middle: Vector<3>,
    area: f64,
}

impl Flat {
    /// Returns the part of the body below the plane of the faces, limited to what they cover. On a
    /// flat wall this equals the intersection with a half-space.
    fn dent(&self, below: impl Fn(&HalfSpace<3>) -> Option<Overlap<3>>) -> Option<Dent<3>> {
        let plane = HalfSpace::new(Point::from(self.middle / self.area), -self.normal).ok()?;
        let Some(whole) = below(&plane) else {
            let lever = 0.5 * self.overlap.measure / self.area;
            let overlap = self.overlap;
            return Some(Dent { overlap, lever });
        };
        let covered = (self.area / whole.section.norm()).min(1.0);
        let share = (THICKER * self.overlap.measure / whole.measure).min(covered);
        let way: Vector<3> = whole.centroid - self.overlap.centroid;

        let overlap = Overlap {
            measure: share * whole.measure,
            centroid: self.overlap.centroid + way * covered,
            section: self.overlap.section,
        };

        Some(Dent {
            overlap,
            ..Dent::of(whole, &plane)
        })
    }

    fn add(&mut self, face: &Self) {
        let measure = self.overlap.measure + face.overlap.measure;
        let way: Vector<3> = face.overlap.centroid - self.overlap.centroid;
        self.overlap.centroid += way * (face.overlap.measure / measure);
        self.overlap.section += face.overlap.section;
        self.overlap.measure = measure;
        self.middle += face.middle;

        self.area += face.area;
    }
}

/// Groups wall faces by the direction in which they push; each is compared with the first of its
/// group.
fn flats(faces: &[PairContact<3>]) -> Vec<Flat> {
    let mut flats: Vec<Flat> = Vec::new();
    for face in faces {
        let Some(overlap) = face.overlap.filter(|overlap| overlap.measure > 0.0) else {
            continue;
        };
        let Some(normal) = overlap.section.try_normalize(0.0) else {
            continue;
        };
        let area = overlap.section.norm();
        let flat = Flat {
            overlap,
            normal,
            middle: face.touch.on_b.coords * area,
            area,
        };
        let same = |other: &&mut Flat| other.normal.dot(&normal) > SAME_WALL;

        match flats.iter_mut().find(same) {
            None => flats.push(flat),
            Some(other) => other.add(&flat),
        }
    }

    flats
}
