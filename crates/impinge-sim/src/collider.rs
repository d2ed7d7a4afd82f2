//! The contact interface of a wall or a rigid body for other matter.
//!
//! A collider has an owner, a shape, a pose and velocities, a surface material, and a mobility (its
//! response to forces). The owner moves it before each step.

use crate::law::SurfaceMaterial;
use crate::{BodyRef, PathState};
use impinge::inside::{Inside, InsideOptions, Position};
use impinge::narrow::SurfaceBody;
use impinge::narrow::meshes::TriangleTree;
use impinge::shape::{HalfSpace, Problem, ProblemKind, Surface};
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use std::cell::RefCell;
use std::sync::Arc;

/// The penetration of a point into a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointPenetration {
    /// Penetration depth.
    pub depth: f64,
    /// Unit vector along the shortest exit.
    pub outward: Vector<3>,
    /// Velocity of the collider's surface there.
    pub velocity: Vector<3>,
}

/// A rigid object that elastic solids are in contact with: their nodes against its surface, and its
/// vertices against theirs.
///
/// ```
/// use impinge::shape::HalfSpace;
/// use impinge::space::{Point, Pose, Vector};
/// use impinge_sim::{BodyRef, Collider, PathState};
/// let floor = HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0])?;
/// let mut floor = Collider::half_space(BodyRef::wall(0), floor);
/// let velocity = Vector::<3>::new(0.0, 0.0, 0.1);
/// floor.move_to(PathState { velocity, ..PathState::at_rest(Pose::at([0.0, 0.0, 1.0])) });
/// let mut found = Vec::new();
/// floor.penetrations(&[Point::from([0.0, 0.0, 0.7])], &mut found);
/// assert!((found[0].expect("it is inside").depth - 0.3).abs() < 1e-15);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collider {
    /// The owner.
    pub owner: BodyRef,
    shape: Shape,
    at: PathState,
    /// Mobility in its own frame.
    mobility: Mobility,
    surface: SurfaceMaterial,
}

#[derive(Clone, Debug)]
enum Shape {
    HalfSpace(HalfSpace<3>),
    Closed(Arc<SurfaceBody>, Box<Inside>),
    /// Points closer than this to the triangles, on either side, are inside.
    Open(Arc<SurfaceBody>, f64),
}

impl Collider {
    /// Creates a half-space at rest, in its own frame.
    pub fn half_space(owner: BodyRef, half: HalfSpace<3>) -> Self {
        Self::at_rest(owner, Shape::HalfSpace(half))
    }

    /// Creates a closed body at rest, in its own frame.
    pub fn closed(owner: BodyRef, surface: &Surface) -> Result<Self, Problem> {
        Self::of_surface(owner, Arc::new(SurfaceBody::new(surface)?), 0.0)
    }

    /// Creates a wall of arbitrary triangles at rest, in its own frame: points closer than half its
    /// thickness are pushed out on their own side. Nodes must not move further than that in a step.
    pub fn open(
        owner: BodyRef,
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        thickness: f64,
    ) -> Result<Self, Problem> {
        let body = SurfaceBody::wall(points, triangles)?;
        Self::of_surface(owner, Arc::new(body), thickness)
    }

    /// Creates a body at rest from a closed surface, or a wall of this thickness from an open one.
    pub fn of_surface(
        owner: BodyRef,
        body: Arc<SurfaceBody>,
        thickness: f64,
    ) -> Result<Self, Problem> {
        let tree = body.tree();
        let shape = if tree.is_closed() {
            let surface = Surface::new(tree.points(), tree.triangles())?;
            // Only options of the multipole method can be invalid, and the defaults are not.
            let inside = Inside::new(surface, &InsideOptions::default())
                .map_err(|_| Problem::whole(ProblemKind::Empty))?;
            Shape::Closed(body, Box::new(inside))
        } else if thickness > 0.0 && thickness.is_finite() {
            Shape::Open(body, thickness / 2.0)
        } else {
            return Err(Problem::whole(ProblemKind::NotPositive));
        };
        Ok(Self::at_rest(owner, shape))
    }

    fn at_rest(owner: BodyRef, shape: Shape) -> Self {
        Self {
            owner,
            shape,
            at: PathState::at_rest(Pose::identity()),
            mobility: Mobility::default(),
            surface: SurfaceMaterial::default(),
        }
    }

    /// Makes a surface free to move, with this mass distributed uniformly inside; a half-space stays
    /// immovable.
    #[must_use]
    pub fn with_mass(self, mass: f64) -> Self {
        let mobility = match self.tree() {
            Some(tree) => evenly_filled((0..tree.len()).map(|face| tree.corners(face)), mass),
            None => Mobility::default(),
        };
        Self { mobility, ..self }
    }

    /// Makes it respond to forces as given in world axes at a pose.
    #[must_use]
    pub(crate) fn with_mobility(self, at: &Mobility, pose: &Pose<3>) -> Self {
        let turn = pose.rotation();
        Self {
            mobility: Mobility {
                inverse_mass: at.inverse_mass,
                inverse_inertia: turn.transpose() * at.inverse_inertia * turn,
                centre: pose.to_local(&at.centre),
            },
            ..self
        }
    }

    /// Replaces the surface material.
    #[must_use]
    pub fn with_surface(self, surface: SurfaceMaterial) -> Self {
        Self { surface, ..self }
    }

    /// Sets its pose, the velocity of its origin, and its angular velocity about that.
    pub fn move_to(&mut self, at: PathState) {
        self.at = at;
    }

    /// Returns its pose and velocities.
    pub fn at(&self) -> &PathState {
        &self.at
    }

    /// Returns the material of its surface.
    pub fn surface(&self) -> &SurfaceMaterial {
        &self.surface
    }

    fn tree(&self) -> Option<&TriangleTree> {
        match &self.shape {
            Shape::HalfSpace(_) => None,
            Shape::Closed(body, _) | Shape::Open(body, _) => Some(body.tree()),
        }
    }

    /// Returns its bounding box; no point outside penetrates.
    pub fn bounds(&self) -> Aabb<3> {
        let reach = match self.shape {
            Shape::Open(_, reach) => reach,
            _ => 0.0,
        };
        match self.tree() {
            Some(tree) => {
                Aabb::of(tree.points().iter().map(|p| self.at.pose.point(p))).grown(reach)
            }
            None => Aabb {
                min: Point::from([f64::NEG_INFINITY; 3]),
                max: Point::from([f64::INFINITY; 3]),
            },
        }
    }

    /// Replaces `found` by the penetration of each point; `None` outside.
    pub fn penetrations(&self, points: &[Point<3>], found: &mut Vec<Option<PointPenetration>>) {
        found.clear();
        let pose = &self.at.pose;
        match &self.shape {
            Shape::HalfSpace(half) => {
                let (outward, on) = (pose.vector(&half.normal()), pose.point(&half.point()));
                found.extend(points.iter().map(|point| {
                    let depth = outward.dot(&(on - point));
                    (depth > 0.0).then(|| self.penetration(point, outward, depth))
                }));
            }
            Shape::Open(body, reach) => {
                let tree = body.tree();
                found.extend(
                    points
                        .iter()
                        .map(|point| self.off_wall(tree, point, *reach)),
                );
            }
            Shape::Closed(body, inside) => {
                let tree = body.tree();
                let mut work = WORK.take();
                let (local, positions) = &mut work;
                local.clear();
                local.extend(points.iter().map(|p| pose.to_local(p)));
                // Points that are not finite do not penetrate; the solid reports them.
                if inside.positions(local, positions).is_err() {
                    return found.resize(points.len(), None);
                }
                let all = points.iter().zip(&*local).zip(&*positions);
                found.extend(all.map(|((world, local), position)| {
                    let nearest = (*position == Position::Inside).then(|| tree.nearest(local))?;
                    self.along(world, nearest.point - local, nearest.distance)
                }));
                WORK.set(work);
            }
        }
    }

    fn penetration(&self, world: &Point<3>, outward: Vector<3>, depth: f64) -> PointPenetration {
        PointPenetration {
            depth,
            outward,
            velocity: self.at.surface_velocity_at(world, &outward),
        }
    }

    /// Returns the penetration along a direction of its own frame; `None` if that is zero.
    fn along(&self, world: &Point<3>, way: Vector<3>, depth: f64) -> Option<PointPenetration> {
        let outward = way.try_normalize(0.0)?;
        Some(self.penetration(world, self.at.pose.vector(&outward), depth))
    }

    fn off_wall(
        &self,
        tree: &TriangleTree,
        world: &Point<3>,
        reach: f64,
    ) -> Option<PointPenetration> {
        let local = self.at.pose.to_local(world);
        let nearest = tree.nearest_within(&local, reach)?;
        let depth = reach - nearest.distance;
        self.along(world, local - nearest.point, depth).or_else(|| {
            let [a, b, c] = tree.corners(nearest.face as usize);
            self.along(world, (b - a).cross(&(c - a)), depth)
        })
    }

    /// Replaces `found` by the vertices of a closed body and their velocities; none for a half-space, or
    /// for an open wall, whose edges are as thick as the wall.
    pub fn find_vertices(&self, found: &mut Vec<(Point<3>, Vector<3>)>) {
        found.clear();
        let vertex = |p: &Point<3>| {
            let world = self.at.pose.point(p);
            (world, self.velocity_at(&world))
        };
        if let Shape::Closed(body, _) = &self.shape {
            found.extend(body.tree().points().iter().map(vertex));
        }
    }

    /// Returns the velocity of its material point at `point`.
    pub fn velocity_at(&self, point: &Point<3>) -> Vector<3> {
        let PathState {
            pose,
            velocity,
            spin,
            ..
        } = &self.at;
        velocity + spin.cross(&(point - pose.position()))
    }

    /// Returns its response to forces.
    pub fn mobility(&self) -> Mobility {
        let (own, turn) = (&self.mobility, self.at.pose.rotation());
        Mobility {
            inverse_mass: own.inverse_mass,
            inverse_inertia: turn * own.inverse_inertia * turn.transpose(),
            centre: self.at.pose.point(&own.centre),
        }
    }
}

thread_local! {
    /// Points in the frame of a collider and whether they are inside, reused from call to call.
    static WORK: RefCell<(Vec<Point<3>>, Vec<Position>)> = RefCell::default();
}

/// The response of a rigid body to forces: its inverse mass and inverse inertia tensor. All zero
/// for an immovable one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// Inverse mass, 1/kg.
    pub inverse_mass: f64,
    /// Inverse inertia about the centre of mass, in world axes; 1/(kg m²).
    pub inverse_inertia: Matrix<3>,
    /// The centre of mass.
    pub centre: Point<3>,
}

impl Default for Mobility {
    fn default() -> Self {
        Self {
            inverse_mass: 0.0,
            inverse_inertia: Matrix::zeros(),
            centre: Point::origin(),
        }
    }
}

impl Mobility {
    /// Returns the acceleration of a point due to a force at the centre of mass and a torque about
    /// it.
    pub(crate) fn acceleration(
        &self,
        point: &Point<3>,
        force: &Vector<3>,
        torque: &Vector<3>,
    ) -> Vector<3> {
        force * self.inverse_mass + (self.inverse_inertia * torque).cross(&(point - self.centre))
    }

    /// Returns the acceleration of a point per newton applied to it: along a direction, and an
    /// upper bound over all directions.
    pub(crate) fn at(&self, point: &Point<3>, direction: &Vector<3>) -> [f64; 2] {
        let arm = point - self.centre;
        let torque = arm.cross(direction);
        let turning = torque.dot(&(self.inverse_inertia * torque));
        let most = self.inverse_inertia.norm() * arm.norm_squared();
        [self.inverse_mass + turning, self.inverse_mass + most]
    }
}

/// Returns the mobility of a body of this mass that fills a closed surface, from the tetrahedra
/// between the first corner and each face: ∫ x xᵀ of a tetrahedron with corners 0, a, b, c is its
/// volume/20 times Σ p pᵀ + s sᵀ with s = a + b + c.
fn evenly_filled(faces: impl Iterator<Item = [Point<3>; 3]>, mass: f64) -> Mobility {
    let mut faces = faces.peekable();
    let Some(origin) = faces.peek().map(|face| face[0]) else {
        return Mobility::default();
    };
    let (mut volume, mut moment, mut second) = (0.0, Vector::zeros(), Matrix::zeros());

    for face in faces {
        let [a, b, c] = face.map(|p| p - origin);
        let (part, sum) = (a.cross(&b).dot(&c) / 6.0, a + b + c);
        volume += part;
        moment += sum * (part / 4.0);
        let squares = [a, b, c, sum].map(|p| p * p.transpose());
        second += squares.iter().sum::<Matrix<3>>() * (part / 20.0);
    }

    let centre = moment / volume;
    let about_centre = second / volume - centre * centre.transpose();
    let inertia = Matrix::from_diagonal_element(about_centre.trace()) - about_centre;
    Mobility {
        inverse_mass: 1.0 / mass,
        // A body without extent does not rotate.
        inverse_inertia: inertia.try_inverse().unwrap_or_else(Matrix::zeros) / mass,
        centre: origin + centre,
    }
}
