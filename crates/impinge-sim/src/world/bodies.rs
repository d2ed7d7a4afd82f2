//! The rigid bodies of a scene, and how other matter sees them.
//!
//! Spheres, convex polyhedra and closed surfaces (a mesh, a foam, a motorcycle) are exact to everything.
//! A surface that is convex is kept as its hull, which is cheaper.

use super::build::{self, BuiltWall, Draw};
use super::shapes::{self, Triangles};
use super::{WorldError, attach, start};
use crate::obstacle::Give;
use crate::rigid::{
    InvalidRigid, Mass, MeshWall, MotionPath, NewBody, Rigid3, RigidShape, RigidShape3,
    StartOverlap,
};
use crate::scene::{BodySpec, SceneSpec, ShapeSpec, Turn};
use crate::{Obstacle, Region};
use impinge::space::{Point, Random, Vector};
use std::path::Path;

/// Random positions tried for one body.
const TRIALS: usize = 20_000;

const NOT_TURNED: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// The rigid bodies of a scene.
pub(super) struct Bodies {
    pub(super) rigid: Rigid3,
    /// The surface of each as seen by particles and solids, in the frame of its shape.
    pub(super) surfaces: Vec<Triangles>,
    /// Indices of their materials.
    materials: Vec<usize>,
    /// Indices of the scene's walls that are half-spaces, and of those that are triangle meshes.
    floors: Vec<usize>,
    meshes: Vec<usize>,
    /// Overlaps at the start.
    overlaps: Vec<StartOverlap>,
}

/// A shape for bodies to share.
#[derive(Clone)]
struct Prototype {
    form: RigidShape3,
    surface: Triangles,
    /// Mass properties of the true body.
    mass: Mass,
}

/// A body to create.
struct Planned {
    mould: Prototype,
    new: NewBody,
    material: usize,
}

/// The context needed to add bodies.
struct Maker<'a> {
    scene: &'a SceneSpec,
    folder: &'a Path,
    random: Random,
    /// Bounding balls of the bodies placed so far.
    taken: Vec<(Point<3>, f64)>,
}

impl Bodies {
    /// Creates the bodies and their walls; `None` if the scene has no bodies.
    pub(super) fn new(
        scene: &SceneSpec,
        walls: &[BuiltWall],
        folder: &Path,
    ) -> Result<Option<Self>, WorldError> {
        if scene.body.is_empty() {
            return Ok(None);
        }

        let random = build::random(scene, Draw::Bodies);
        let mut maker = Maker {
            scene,
            folder,
            random,
            taken: Vec::new(),
        };
        let mut planned = Vec::new();

        for (i, body) in scene.body.iter().enumerate() {
            maker.plan(i, body, &mut planned)?;
        }

        let laws = build::rigid_laws(scene);
        let rigid = Rigid3::new(laws, scene.weight()).map_err(refused("body"))?;
        let mut bodies = Self {
            rigid,
            surfaces: Vec::new(),
            materials: Vec::new(),
            floors: Vec::new(),
            meshes: Vec::new(),
            overlaps: Vec::new(),
        };

        for Planned {
            mould,
            new,
            material,
            ..
        } in planned
        {
            let form = bodies.rigid.add_form_with_mass(mould.form, mould.mass);
            bodies
                .rigid
                .add(&NewBody {
                    form,
                    material,
                    ..new
                })
                .map_err(refused("body"))?;
            bodies.surfaces.push(mould.surface);

            bodies.materials.push(material);
        }

        for (i, wall) in walls.iter().enumerate() {
            bodies.add_wall(i, wall)?;
        }

        bodies.overlaps = bodies
            .rigid
            .forgive_overlaps()
            .map_err(|trouble| WorldError::unsuited("body", trouble.to_string()))?;
        Ok(Some(bodies))
    }

    fn add_wall(&mut self, number: usize, wall: &BuiltWall) -> Result<(), WorldError> {
        let key = &format!("wall[{number}]");
        // Its points are in world coordinates; the motion moves the world's origin.
        let guide = attach::guide(&wall.motion, [0.0; 3], NOT_TURNED);
        let mount = MotionPath {
            guide,
            material: wall.material,
        };
        let moved = |point: &Point<3>| wall.pose.point(point);

        if let Some([point, normal]) = wall.half_space {
            let point = moved(&Point::from(point)).coords.into();
            let normal = wall.pose.vector(&Vector::from(normal)).into();
            self.rigid
                .add_half_space(point, normal, mount)
                .map_err(refused(key))?;
            self.floors.push(number);
        }

        let mesh = match (&wall.closed, &wall.triangles) {
            (Some(surface), _) => {
                let points: Vec<Point<3>> = surface.points().iter().map(moved).collect();
                MeshWall::closed(&points, surface.triangles())
            }
            (None, Some(Triangles { points, triangles })) => {
                let points: Vec<Point<3>> = points.iter().map(moved).collect();
                MeshWall::open(&points, triangles)
            }
            (None, None) => return Ok(()),
        };
        let mesh = mesh.map_err(|fault| WorldError::shape(key, fault))?;
        self.rigid.add_mesh(mesh, mount).map_err(refused(key))?;
        self.meshes.push(number);

        Ok(())
    }

    /// Returns the index of a body's material.
    pub(super) fn material(&self, body: usize) -> usize {
        self.materials[body]
    }

    /// Returns a body as an obstacle for particles.
    pub(super) fn obstacle(&self, body: usize) -> Result<Obstacle, WorldError> {
        let wrong = |fault| WorldError::shape(&format!("rigid body {body}"), fault);
        if let Some(radius) = self.rigid.form(body).radius() {
            return Obstacle::sphere(radius, self.materials[body]).map_err(wrong);
        }

        let Triangles { points, triangles } = &self.surfaces[body];
        let points: Vec<[f64; 3]> = points.iter().map(|point| point.coords.into()).collect();
        Obstacle::mesh(&points, triangles, self.materials[body]).map_err(wrong)
    }

    /// Returns notes about unexpected properties of the scene.
    pub(super) fn notes(&self) -> Vec<String> {
        start::overlaps(&self.overlaps, &self.floors, &self.meshes)
    }

    /// Removes the bodies whose centres of mass lie in an outlet.
    pub(super) fn drain(&mut self, outlets: &[Region]) {
        for body in 0..self.rigid.len() {
            let centre = self.rigid.centre(body);
            if !self.rigid.is_gone(body) && outlets.iter().any(|outlet| outlet.contains(&centre)) {
                self.rigid.remove(body);
            }
        }
    }

    /// Returns the number of bodies not yet removed.
    pub(super) fn count(&self) -> usize {
        (0..self.rigid.len())
            .filter(|&body| !self.rigid.is_gone(body))
            .count()
    }

    /// Returns position, velocity and rotation of a body; `None` if it was removed.
    pub(super) fn carried(&self, body: usize) -> Option<crate::scene::Carried> {
        let pose = self
            .rigid
            .pose(body)
            .filter(|_| !self.rigid.is_gone(body))?;
        let spin = self.rigid.spin(body);
        let arm = pose.position() - self.rigid.centre(body);

        Some(crate::scene::Carried {
            pose,
            velocity: self.rigid.velocity(body) + spin.cross(&arm),
            spin,
        })
    }

    /// Returns how a body responds to the force of a particle.
    pub(super) fn give(&self, body: usize) -> Give {
        match self.rigid.inverse_inertia(body) {
            Some((inverse_mass, inverse_inertia)) => Give::Body {
                inverse_mass,
                inverse_inertia,
                centre: self.rigid.centre(body),
            },
            None => Give::Fixed,
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

/// Missing fraction of the hull's volume above which a body counts as non-convex.
const HOLLOW: f64 = 1e-6;

impl Maker<'_> {
    /// Plans shapes, positions and velocities of one scene entry.
    fn plan(
        &mut self,
        entry: usize,
        body: &BodySpec,
        planned: &mut Vec<Planned>,
    ) -> Result<(), WorldError> {
        let key = &format!("body[{entry}]");
        let material = build::material(self.scene, body.material.as_ref());
        let density = build::materials(self.scene)[material].density;
        let three =
            |numbers: &[f64]| std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0.0));

        // Only random shapes differ; the others share their surface and its tree.
        let is_random = matches!(body.shape, ShapeSpec::Polyhedron(_));
        let mut shared: Option<Prototype> = None;

        for placed in 0..body.count {
            let mould = match &shared {
                Some(mould) => mould.clone(),
                None => self.mould(key, &body.shape)?,
            };
            if !is_random {
                shared = Some(mould.clone());
            }
            let (position, orientation) = match &body.region {
                None => (three(&body.position), turn(body.rotation)),
                Some(_) => self
                    .place(body, mould.form.reach(&Vector::zeros()))
                    .ok_or_else(|| WorldError::Room {
                        key: key.to_owned(),
                        placed,
                        count: body.count,
                    })?,
            };

            let mut new = NewBody {
                density,
                position,
                orientation,
                velocity: three(&body.velocity),
                spin: three(&body.spin),
                ..NewBody::default()
            };

            if body.fixed || body.motion.is_some() {
                let motion = body.motion.clone().unwrap_or_default();
                new.guide = Some(attach::guide(&motion, position, orientation));
            }

            planned.push(Planned {
                mould,
                new,
                material,
            });
        }

        Ok(())
    }

    /// Finds a random position and orientation in the body's region, clear of all previous ones.
    fn place(&mut self, body: &BodySpec, reach: f64) -> Option<([f64; 3], [f64; 4])> {
        let region = body.region.as_ref()?;
        for _ in 0..TRIALS {
            let Some(centre) = region.draw::<3>(reach, &mut self.random) else {
                continue;
            };
            let free = |(other, radius): &(Point<3>, f64)| (other - centre).norm() > radius + reach;
            if self.taken.iter().all(free) {
                self.taken.push((centre, reach));
                let [x, y, z, w] = self.random.direction::<4>().into();
                return Some((centre.coords.into(), [x, y, z, w]));
            }
        }

        None
    }

    fn mould(&mut self, key: &str, shape: &ShapeSpec) -> Result<Prototype, WorldError> {
        let wrong = |fault| WorldError::shape(key, fault);
        match shape {
            ShapeSpec::Sphere(radius) => {
                let surface = shapes::triangles(key, shape, self.folder, &mut self.random)?;
                let form = RigidShape3::sphere(*radius).map_err(wrong)?;
                let mass = form.mass();
                Ok(Prototype {
                    form,
                    surface,
                    mass,
                })
            }
            ShapeSpec::Mesh(_)
            | ShapeSpec::Foam(_)
            | ShapeSpec::Motorcycle(_)
            | ShapeSpec::Lathe(_) => {
                let surface = shapes::triangles(key, shape, self.folder, &mut self.random)?;
                let hull = RigidShape3::polyhedron(&surface.points).map_err(wrong)?;
                let body = shapes::enclosing(key, &surface)?;
                let mass = Mass::of_surface(&body);
                let form = if mass.measure < (1.0 - HOLLOW) * hull.mass().measure {
                    RigidShape3::closed(&body).map_err(wrong)?
                } else {
                    hull
                };
                Ok(Prototype {
                    form,
                    surface: Triangles::of(&body),
                    mass,
                })
            }
            _ => {
                let body = shapes::polyhedron(key, shape, self.folder, &mut self.random)?;
                let form = RigidShape3::polyhedron(body.points()).map_err(wrong)?;
                let mass = form.mass();
                Ok(Prototype {
                    form,
                    surface: Triangles::of_polyhedron(&body),
                    mass,
                })
            }
        }
    }
}

fn turn(rotation: Option<Turn>) -> [f64; 4] {
    match rotation {
        Some(Turn::Quaternion(quaternion)) => quaternion,
        _ => NOT_TURNED,
    }
}

fn refused(key: &str) -> impl Fn(InvalidRigid) -> WorldError + '_ {
    move |fault| WorldError::unsuited(key, fault.to_string())
}
