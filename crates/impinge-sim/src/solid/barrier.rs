//! Inelastic objects that solids press against: half-spaces, rigid bodies, triangle mesh walls.

use super::surface_material::SurfaceMaterial;
use impinge::inside::{Inside, InsideOptions, Position};
use impinge::narrow::meshes::TriangleTree;
use impinge::shape::{HalfSpace, Problem, ProblemKind, Surface};
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};

/// The penetration of a point into a barrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarrierPenetration {
    /// Penetration depth.
    pub depth: f64,
    /// Unit vector along the shortest way out.
    pub outward: Vector<3>,
    /// Velocity of the barrier there.
    pub velocity: Vector<3>,
}

/// An object with an interior: nodes of solids press into it, and its vertices press into solids.
pub trait Barrier {
    /// Returns its bounding box; points outside are not tested.
    fn bounds(&self) -> Aabb<3>;

    /// Replaces `dents` by the penetration of each point; `None` outside.
    fn dents(&self, points: &[Point<3>], dents: &mut Vec<Option<BarrierPenetration>>);

    /// Returns its vertices and their velocities; empty if no vertex can press.
    fn vertices(&self) -> Vec<(Point<3>, Vector<3>)> {
        Vec::new()
    }

    /// Returns the velocity of its material point at `point`.
    fn velocity_at(&self, point: &Point<3>) -> Vector<3>;

    /// Returns its response to forces; immovable by default.
    fn mobility(&self) -> Mobility {
        Mobility::default()
    }

    /// Returns the material of its surface.
    fn surface(&self) -> SurfaceMaterial {
        SurfaceMaterial::default()
    }
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
    pub(super) fn acceleration(
        &self,
        point: &Point<3>,
        force: &Vector<3>,
        torque: &Vector<3>,
    ) -> Vector<3> {
        force * self.inverse_mass + (self.inverse_inertia * torque).cross(&(point - self.centre))
    }

    /// Returns the acceleration of a point per newton applied to it: along a direction, and an
    /// upper bound over all directions.
    pub(super) fn at(&self, point: &Point<3>, direction: &Vector<3>) -> [f64; 2] {
        let arm = point - self.centre;
        let torque = arm.cross(direction);
        let turning = torque.dot(&(self.inverse_inertia * torque));
        let most = self.inverse_inertia.norm() * arm.norm_squared();
        [self.inverse_mass + turning, self.inverse_mass + most]
    }
}

/// A half-space that moves as a rigid body.
#[derive(Clone, Debug)]
pub struct MovingHalfSpace {
    half: HalfSpace<3>,
    pose: Pose<3>,
    velocity: Vector<3>,
    spin: Vector<3>,
    surface: SurfaceMaterial,
}

impl MovingHalfSpace {
    /// Creates a half-space at rest, in its own frame.
    pub fn new(half: HalfSpace<3>, surface: SurfaceMaterial) -> Self {
        Self {
            half,
            surface,
            pose: Pose::identity(),
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
        }
    }

    /// Sets its pose, the velocity of its origin, and its angular velocity about that, rad/s.
    pub fn place(&mut self, pose: Pose<3>, velocity: Vector<3>, spin: Vector<3>) {
        (self.pose, self.velocity, self.spin) = (pose, velocity, spin);
    }
}

impl Barrier for MovingHalfSpace {
    fn bounds(&self) -> Aabb<3> {
        Aabb {
            min: Point::from([f64::NEG_INFINITY; 3]),
            max: Point::from([f64::INFINITY; 3]),
        }
    }

    fn velocity_at(&self, point: &Point<3>) -> Vector<3> {
        self.velocity + self.spin.cross(&(point - self.pose.position()))
    }

    fn dents(&self, points: &[Point<3>], dents: &mut Vec<Option<BarrierPenetration>>) {
        let (outward, on) = (
            self.pose.vector(&self.half.normal()),
            self.pose.point(&self.half.point()),
        );
        dents.clear();

        dents.extend(points.iter().map(|point| {
            let velocity = self.velocity_at(point);
            let depth = outward.dot(&(on - point));
            (depth > 0.0).then_some(BarrierPenetration {
                depth,
                outward,
                velocity,
            })
        }));
    }

    fn surface(&self) -> SurfaceMaterial {
        self.surface
    }
}

/// A surface that moves as a rigid body: closed, with an interior, or open, with a thickness.
#[derive(Clone, Debug)]
pub struct MovingSurface {
    tree: TriangleTree,
    kind: Kind,
    pose: Pose<3>,
    velocity: Vector<3>,
    spin: Vector<3>,
    /// Mobility in its own frame.
    mobility: Mobility,
    surface: SurfaceMaterial,
}

#[derive(Clone, Debug)]
enum Kind {
    Closed(Box<Inside>),
    /// Points closer than this, on either side, are inside.
    Open(f64),
}

impl MovingSurface {
    /// Creates a closed body at rest, in its own frame.
    pub fn closed(surface: Surface) -> Result<Self, Problem> {
        let tree = TriangleTree::new(&surface);
        // Only options of the multipole method can be invalid, and the defaults are not.
        let inside = Inside::new(surface, &InsideOptions::default())
            .map_err(|_| Problem::whole(ProblemKind::Empty))?;
        Ok(Self::at_rest(tree, Kind::Closed(Box::new(inside))))
    }

    /// Creates a wall of arbitrary triangles at rest, in its own frame: points closer than half its
    /// thickness are pushed away, to the side where they are. Nodes must not move further than that
    /// in a step.
    pub fn open(
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        thickness: f64,
    ) -> Result<Self, Problem> {
        if !(thickness > 0.0 && thickness.is_finite()) {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }
        Ok(Self::at_rest(
            TriangleTree::of_triangles(points, triangles)?,
            Kind::Open(thickness / 2.0),
        ))
    }

    fn at_rest(tree: TriangleTree, kind: Kind) -> Self {
        let (velocity, spin) = (Vector::zeros(), Vector::zeros());
        Self {
            tree,
            kind,
            pose: Pose::identity(),
            velocity,
            spin,
            mobility: Mobility::default(),
            surface: SurfaceMaterial::default(),
        }
    }

    /// Makes the body free to move, with this mass distributed uniformly inside.
    #[must_use]
    pub fn with_mass(self, mass: f64) -> Self {
        let corners = (0..self.tree.len()).map(|face| self.tree.corners(face));
        let mobility = evenly_filled(corners, mass);
        Self { mobility, ..self }
    }

    /// Replaces the surface material.
    #[must_use]
    pub fn with_surface(self, surface: SurfaceMaterial) -> Self {
        Self { surface, ..self }
    }

    /// Sets its pose, the velocity of its origin, and its angular velocity about that, rad/s.
    pub fn place(&mut self, pose: Pose<3>, velocity: Vector<3>, spin: Vector<3>) {
        (self.pose, self.velocity, self.spin) = (pose, velocity, spin);
    }

    /// Returns the penetration at a world point; `outward` is in the surface's frame.
    fn dent(&self, world: &Point<3>, outward: Vector<3>, depth: f64) -> Option<BarrierPenetration> {
        let velocity = self.velocity_at(world);
        let length = outward.norm();
        (length > 0.0).then(|| BarrierPenetration {
            depth,
            outward: self.pose.vector(&(outward / length)),
            velocity,
        })
    }

    fn out_of_body(&self, world: &Point<3>, local: &Point<3>) -> Option<BarrierPenetration> {
        let nearest = self.tree.nearest(local);
        self.dent(world, nearest.point - local, nearest.distance)
    }

    fn off_wall(
        &self,
        world: &Point<3>,
        local: &Point<3>,
        reach: f64,
    ) -> Option<BarrierPenetration> {
        let nearest = self.tree.nearest_within(local, reach)?;
        let depth = reach - nearest.distance;
        self.dent(world, local - nearest.point, depth).or_else(|| {
            let [a, b, c] = self.tree.corners(nearest.face as usize);
            self.dent(world, (b - a).cross(&(c - a)), depth)
        })
    }
}

impl Barrier for MovingSurface {
    fn bounds(&self) -> Aabb<3> {
        let reach = if let Kind::Open(reach) = self.kind {
            reach
        } else {
            0.0
        };
        Aabb::of(self.tree.points().iter().map(|p| self.pose.point(p))).grown(reach)
    }

    fn dents(&self, points: &[Point<3>], dents: &mut Vec<Option<BarrierPenetration>>) {
        dents.clear();
        let local: Vec<Point<3>> = points.iter().map(|p| self.pose.to_local(p)).collect();
        let mut positions = Vec::new();

        match &self.kind {
            Kind::Open(reach) => dents.extend(
                points
                    .iter()
                    .zip(&local)
                    .map(|(world, p)| self.off_wall(world, p, *reach)),
            ),
            // Points that are not finite do not penetrate; the solid reports them.
            Kind::Closed(inside) => match inside.positions(&local, &mut positions) {
                Err(_) => dents.resize(points.len(), None),
                Ok(_) => dents.extend(points.iter().zip(&local).zip(positions).map(
                    |((world, p), position)| {
                        (position == Position::Inside)
                            .then(|| self.out_of_body(world, p))
                            .flatten()
                    },
                )),
            },
        }
    }

    /// Returns the vertices of a closed body; none for a wall, whose edges are as thick as the
    /// wall.
    fn vertices(&self) -> Vec<(Point<3>, Vector<3>)> {
        let vertex = |p: &Point<3>| {
            let world = self.pose.point(p);
            (world, self.velocity_at(&world))
        };
        match self.kind {
            Kind::Closed(_) => self.tree.points().iter().map(vertex).collect(),
            Kind::Open(_) => Vec::new(),
        }
    }

    fn velocity_at(&self, point: &Point<3>) -> Vector<3> {
        self.velocity + self.spin.cross(&(point - self.pose.position()))
    }

    fn mobility(&self) -> Mobility {
        let (own, turn) = (&self.mobility, self.pose.rotation());
        Mobility {
            inverse_mass: own.inverse_mass,
            inverse_inertia: turn * own.inverse_inertia * turn.transpose(),
            centre: self.pose.point(&own.centre),
        }
    }

    fn surface(&self) -> SurfaceMaterial {
        self.surface
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
