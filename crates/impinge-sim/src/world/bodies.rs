//! The rigid bodies of a scene, and their contact interface for other matter.
//!
//! Spheres, convex polyhedra and closed surfaces (a mesh, a foam, a motorcycle) are exact to everything.
//! A surface that is convex is kept as its hull, which is cheaper.

use super::materials;
use super::wall::Wall;
use super::{BodyDef, BodyShape, Names, WorldError, WorldOptions, attach, start};
use crate::obstacle::Compliance;
use crate::rigid::{
    InvalidRigid, Joint, Mass, MeshWall, MotionPath, Near, NewBody, PrescribedMotion, Rigid3,
    RigidShape, RigidShape3, StartOverlap,
};
use crate::{BodyKind, BodyRef, Obstacle, PathState, Region, TriangleMesh};
use impinge::broad::Pair;
use impinge::space::{Point, Vector};
use std::sync::Arc;

/// The rigid bodies of a world.
pub(super) struct Bodies {
    pub(super) rigid: Rigid3,
    /// The surface of each as seen by particles and solids, in the frame of its shape.
    pub(super) surfaces: Vec<TriangleMesh>,
    /// Indices of their materials.
    materials: Vec<usize>,
    /// The last surface that was added, for bodies that share it.
    shared: Option<(Arc<TriangleMesh>, Prototype)>,
    /// Overlaps at the start.
    overlaps: Vec<StartOverlap>,
}

/// A shape with its surface and mass properties.
#[derive(Clone)]
struct Prototype {
    shape: RigidShape3,
    surface: TriangleMesh,
    /// Mass properties of the true body.
    mass: Mass,
}

impl Prototype {
    fn new(name: &str, shape: BodyShape) -> Result<Self, WorldError> {
        let wrong = |fault| WorldError::shape(name, fault);
        match shape {
            BodyShape::Sphere(radius) => {
                let shape = RigidShape3::sphere(radius).map_err(wrong)?;
                Ok(Self {
                    mass: shape.mass(),
                    surface: TriangleMesh::ball(radius),
                    shape,
                })
            }
            BodyShape::Surface(mesh) => {
                let hull = RigidShape3::polyhedron(&mesh.points).map_err(wrong)?;
                let body = mesh
                    .enclosing()
                    .map_err(|fault| WorldError::inside(name, fault))?;
                let mass = Mass::of_surface(&body);
                let shape = if mass.measure < (1.0 - HOLLOW) * hull.mass().measure {
                    RigidShape3::closed(&body).map_err(wrong)?
                } else {
                    hull
                };
                Ok(Self {
                    shape,
                    surface: TriangleMesh::from(&body),
                    mass,
                })
            }
            BodyShape::Polyhedron(body) => {
                let shape = RigidShape3::polyhedron(body.points()).map_err(wrong)?;
                Ok(Self {
                    mass: shape.mass(),
                    surface: TriangleMesh::from(&body),
                    shape,
                })
            }
            BodyShape::Polygon(_) => Err(WorldError::unsuited(
                name,
                "a polygon needs a world of dimension 2",
            )),
        }
    }
}

/// Returns what holds a body; a direction, point or force that is invalid is an error.
pub(super) fn joint_of(name: &str, body: &BodyDef) -> Result<Joint, WorldError> {
    let refuse = |cause: &str| Err(WorldError::unsuited(name, cause));
    if !body.force.iter().all(|x| x.is_finite()) {
        return refuse("the force on it is not finite");
    }

    let unit = |axis: [f64; 3]| {
        let axis = Vector::<3>::from(axis);
        let is_direction = axis.norm() > 0.0 && axis.norm().is_finite();
        is_direction.then(|| axis.normalize().into())
    };
    match (body.rail, body.hinge) {
        (Some(_), Some(_)) => refuse("it cannot be both on a rail and on a hinge"),
        (Some(axis), None) => match unit(axis) {
            Some(axis) => Ok(Joint::Rail(axis)),
            None => refuse("the direction that it moves along is zero or not finite"),
        },
        (None, Some(hinge)) => match unit(hinge.axis) {
            Some(axis) if hinge.point.iter().all(|x| x.is_finite()) => Ok(Joint::Hinge {
                point: hinge.point,
                axis,
            }),
            _ => refuse("the axis of its hinge is zero or not finite"),
        },
        (None, None) => Ok(Joint::Free),
    }
}

impl Bodies {
    /// Creates an empty set at a time.
    pub(super) fn new(options: &WorldOptions, time: f64) -> Result<Self, WorldError> {
        let laws = materials::rigid_laws(options);
        let mut rigid = Rigid3::new(laws, options.gravity).map_err(refused("rigid bodies"))?;
        rigid.set_broad_phase(options.broad);
        rigid.start_at(time);
        Ok(Self {
            rigid,
            surfaces: Vec::new(),
            materials: Vec::new(),
            shared: None,
            overlaps: Vec::new(),
        })
    }

    /// Adds a body; `density` is that of its material.
    pub(super) fn add(
        &mut self,
        name: &str,
        body: BodyDef,
        density: f64,
    ) -> Result<(), WorldError> {
        let joint = joint_of(name, &body)?;
        let is_free = body.path.is_none();
        let prototype = self.prototype(name, body.shape)?;
        let shape = self
            .rigid
            .add_shape_with_mass(prototype.shape, prototype.mass);
        let new = NewBody {
            shape,
            density: body.density.unwrap_or(density),
            position: body.position,
            orientation: body.orientation,
            velocity: body.velocity,
            spin: body.spin,
            guide: body.path.map(|path| PrescribedMotion {
                position: body.position,
                orientation: body.orientation,
                path,
            }),
            material: body.material,
        };
        let number = self.rigid.add(&new).map_err(refused(name))?;
        self.rigid.put_on(number, joint);
        if is_free {
            self.rigid.set_constant_force(number, &body.force.into());
        }

        self.surfaces.push(prototype.surface);
        self.materials.push(body.material);
        Ok(())
    }

    /// Returns the prototype of a shape; bodies that follow each other share that of a surface.
    fn prototype(&mut self, name: &str, shape: BodyShape) -> Result<Prototype, WorldError> {
        let BodyShape::Surface(mesh) = &shape else {
            return Prototype::new(name, shape);
        };
        let mesh = Arc::clone(mesh);
        match &self.shared {
            Some((known, prototype)) if Arc::ptr_eq(known, &mesh) => Ok(prototype.clone()),
            _ => {
                let prototype = Prototype::new(name, shape)?;
                self.shared = Some((mesh, prototype.clone()));
                Ok(prototype)
            }
        }
    }

    /// Accepts the overlaps of bodies and walls from a given index on: they exert no force.
    pub(super) fn start(&mut self, bodies: usize, walls: usize) -> Result<(), WorldError> {
        self.overlaps = self
            .rigid
            .exclude_new_overlaps(bodies, walls)
            .map_err(|fault| WorldError::unsuited("rigid bodies", fault.to_string()))?;
        Ok(())
    }

    /// Restricts the searches to pairs that may touch; the first of each is a body.
    pub(super) fn set_near(&mut self, pairs: &[[BodyRef; 2]]) {
        let list = near(self.rigid.take_near(), pairs);
        self.rigid.set_near(Some(list));
    }

    /// Adds the next wall.
    pub(super) fn add_wall(&mut self, name: &str, wall: &Wall) -> Result<(), WorldError> {
        let mount = MotionPath {
            guide: wall.guide,
            material: wall.material,
            ..MotionPath::default()
        };
        if let Some([point, normal]) = wall.half_space {
            self.rigid
                .add_half_space(point, normal, mount)
                .map_err(refused(name))?;
        }
        if let Some(surface) = wall.surface(name)? {
            self.rigid
                .add_mesh(MeshWall::of(surface), mount)
                .map_err(refused(name))?;
        }

        Ok(())
    }

    /// Replaces the bodies by those of a saved state. The walls stay: a state has copies of them.
    pub(super) fn restore(&mut self, state: Rigid3) {
        let walls = self.rigid.take_meshes();
        self.rigid = state;
        self.rigid.share_meshes(walls);
    }

    /// Returns the index of a body's material.
    pub(super) fn material(&self, body: usize) -> usize {
        self.materials[body]
    }

    /// Returns a body as an obstacle for particles.
    pub(super) fn obstacle(&self, name: &str, body: usize) -> Result<Obstacle, WorldError> {
        let wrong = |fault| WorldError::shape(name, fault);
        if let Some(radius) = self.rigid.shape(body).radius() {
            return Obstacle::sphere(radius, self.materials[body]).map_err(wrong);
        }

        let TriangleMesh { points, triangles } = &self.surfaces[body];
        let points: Vec<[f64; 3]> = points.iter().map(|point| point.coords.into()).collect();
        Obstacle::mesh(&points, triangles, self.materials[body]).map_err(wrong)
    }

    /// Returns notes about unexpected properties of the bodies.
    pub(super) fn notes(&self, names: &Names) -> Vec<String> {
        start::overlaps(&self.overlaps, names)
    }

    /// Removes the bodies whose centres of mass lie in an outlet; returns their mass.
    pub(super) fn drain(&mut self, outlets: &[Region]) -> f64 {
        let mut drained = 0.0;
        for body in 0..self.rigid.len() {
            let centre = self.rigid.centre(body);
            if !self.rigid.is_gone(body) && outlets.iter().any(|outlet| outlet.contains(&centre)) {
                drained += self.rigid.mass(body);
                self.rigid.remove(body);
            }
        }

        drained
    }

    /// Returns the number of bodies not yet removed.
    pub(super) fn count(&self) -> usize {
        (0..self.rigid.len())
            .filter(|&body| !self.rigid.is_gone(body))
            .count()
    }

    /// Returns position, velocity and rotation of a body; `None` if it was removed.
    pub(super) fn at(&self, body: usize) -> Option<PathState> {
        let pose = self
            .rigid
            .pose(body)
            .filter(|_| !self.rigid.is_gone(body))?;
        let spin = self.rigid.spin(body);
        let arm = pose.position() - self.rigid.centre(body);

        Some(PathState {
            pose,
            velocity: self.rigid.velocity(body) + spin.cross(&arm),
            spin,
            surface: Vector::zeros(),
        })
    }

    /// Returns how a body responds to the force of a particle.
    pub(super) fn compliance(&self, body: usize) -> Compliance {
        match self.rigid.mobility(body) {
            Some(mobility) => Compliance::Body {
                inverse_mass: mobility.inverse_mass,
                inverse_inertia: mobility.inverse_inertia,
                centre: mobility.centre,
            },
            None => Compliance::Fixed,
        }
    }

    /// Applies a force at a point and a torque about it.
    pub(super) fn push(
        &mut self,
        body: usize,
        force: &Vector<3>,
        torque: &Vector<3>,
        at: &Point<3>,
    ) {
        self.rigid.apply(body, force, at);
        if let Some([arm, half]) = attach::couple(torque) {
            self.rigid.apply(body, &half, &(at + arm));
            self.rigid.apply(body, &-half, &(at - arm));
        }
    }
}

/// Sorts pairs of bodies and walls into a list for the search.
pub(super) fn near(mut near: Near, pairs: &[[BodyRef; 2]]) -> Near {
    near.pairs.clear();
    near.walls.clear();
    for [a, b] in pairs {
        match b.kind {
            BodyKind::Wall => near.walls.push([a.index, b.index]),
            _ => near.pairs.push(Pair {
                a: a.index,
                b: b.index,
            }),
        }
    }
    near.pairs.sort_unstable();
    near.walls.sort_unstable();
    near
}

/// Missing fraction of the hull's volume above which a body counts as non-convex.
const HOLLOW: f64 = 1e-6;

fn refused(key: &str) -> impl Fn(InvalidRigid) -> WorldError + '_ {
    move |fault| WorldError::unsuited(key, fault.cause)
}
