//! External forces that the caller adds in a step.

use super::plane::Plane;
use super::space::Space;
use super::{AnyWorld, WorldError, attach};
use crate::solid::ElasticSolid;
use crate::{BodyRef, Grain, Particles, PathState};
use impinge::space::{Point, Vector};
use rustc_hash::FxHashMap;

/// The world in the middle of a step, as the callback of
/// [`World::step_with`](super::World::step_with) sees it: everything has moved, contact forces are
/// known, and forces and torques can be added.
pub struct Forces<'a> {
    inner: &'a mut AnyWorld,
    time: f64,
    /// Places of the particles by id, once needed.
    places: Option<FxHashMap<u32, u32>>,
}

impl<'a> Forces<'a> {
    pub(super) fn new(inner: &'a mut AnyWorld, time: f64) -> Self {
        Self {
            inner,
            time,
            places: None,
        }
    }

    /// Returns the time at the end of the step, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the particles; `None` if none were ever added.
    pub fn particles(&self) -> Option<&Particles> {
        self.inner.particles()
    }

    /// Returns pose and velocities of a rigid body's shape frame; `None` if it was removed.
    pub fn body(&self, body: usize) -> Option<PathState> {
        self.inner.body(body)
    }

    /// Returns the elastic solids.
    pub fn solids(&self) -> &[ElasticSolid] {
        self.inner.solids()
    }

    /// Adds a force (N) and a torque (N m) on each particle, as computed from its id and state.
    pub fn on_each_particle(
        &mut self,
        mut force: impl FnMut(u32, &Grain) -> [[f64; 3]; 2],
    ) -> Result<(), WorldError> {
        let Some(particles) = self.inner.particles_mut() else {
            return Ok(());
        };

        for place in 0..particles.len() {
            let id = particles.ids()[place];
            let [force, torque] = force(id, &particles.grain_at(place));
            check("particle", id as usize, &[force, torque])?;
            particles.apply(place, &force.into(), &torque.into());
        }
        Ok(())
    }

    /// Adds a force (N) and a torque (N m) on the particle with an id.
    pub fn on_particle(
        &mut self,
        id: u32,
        force: [f64; 3],
        torque: [f64; 3],
    ) -> Result<(), WorldError> {
        check("particle", id as usize, &[force, torque])?;
        let particles = self.inner.particles_mut();
        let places = self.places.get_or_insert_with(|| {
            let ids = particles.as_ref().map(|all| all.ids()).unwrap_or_default();
            ids.iter().copied().zip(0..).collect()
        });

        match (particles, places.get(&id)) {
            (Some(particles), Some(&place)) => {
                particles.apply(place as usize, &force.into(), &torque.into());
                Ok(())
            }
            _ => Err(missing_object("particle", id as usize)),
        }
    }

    /// Adds a force (N) at a world point and a torque (N m) on a rigid body. In the plane, only what
    /// lies in it acts.
    pub fn on_body(
        &mut self,
        body: usize,
        force: [f64; 3],
        at: [f64; 3],
        torque: [f64; 3],
    ) -> Result<(), WorldError> {
        check("rigid body", body, &[force, at, torque])?;
        if !self.inner.has_body(body) {
            return Err(missing_object("rigid body", body));
        }

        let (force, at, torque) = (Vector::from(force), Point::from(at), Vector::from(torque));
        match self.inner {
            AnyWorld::Plane(plane) => push_polygon(plane, body, &force, &at, &torque),
            AnyWorld::Space(space) => push_body(space, body, &force, &at, &torque),
        }
        Ok(())
    }

    /// Adds a force (N) on a node of an elastic solid.
    pub fn on_node(&mut self, solid: usize, node: u32, force: [f64; 3]) -> Result<(), WorldError> {
        let AnyWorld::Space(space) = &mut *self.inner else {
            return Err(missing_object("solid", solid));
        };
        match &mut space.elastic {
            Some(elastic) => elastic.solids.apply(solid, node, force).map_err(|fault| {
                WorldError::unsuited(&format!("solid {solid}"), fault.to_string())
            }),
            None => Err(missing_object("solid", solid)),
        }
    }
}

fn push_body(space: &mut Space, body: usize, force: &Vector<3>, at: &Point<3>, torque: &Vector<3>) {
    if let Some(bodies) = &mut space.bodies {
        bodies.push(body, force, torque, at);
    }
}

fn push_polygon(
    plane: &mut Plane,
    body: usize,
    force: &Vector<3>,
    at: &Point<3>,
    torque: &Vector<3>,
) {
    let at = Point::from([at.x, at.y]);
    plane.rigid.apply(body, &force.xy(), &at);
    if let Some([arm, half]) = attach::couple(&Vector::from([0.0, 0.0, torque.z])) {
        plane.rigid.apply(body, &half.xy(), &(at + arm.xy()));
        plane.rigid.apply(body, &-half.xy(), &(at - arm.xy()));
    }
}

fn check(kind: &str, index: usize, vectors: &[[f64; 3]]) -> Result<(), WorldError> {
    match vectors.as_flattened().iter().all(|x| x.is_finite()) {
        true => Ok(()),
        false => Err(WorldError::unsuited(
            &format!("{kind} {index}"),
            "a force, torque or point is not finite",
        )),
    }
}

pub(super) fn missing_object(kind: &str, index: usize) -> WorldError {
    WorldError::unsuited(
        &format!("{kind} {index}"),
        "no such object, or it was removed",
    )
}

impl AnyWorld {
    pub(super) fn particles(&self) -> Option<&Particles> {
        match self {
            Self::Plane(_) => None,
            Self::Space(space) => space.particles.as_ref(),
        }
    }

    pub(super) fn particles_mut(&mut self) -> Option<&mut Particles> {
        match self {
            Self::Plane(_) => None,
            Self::Space(space) => space.particles.as_mut(),
        }
    }

    pub(super) fn body(&self, body: usize) -> Option<PathState> {
        if !self.has_body(body) {
            return None;
        }
        match self {
            Self::Plane(plane) => plane.body(body),
            Self::Space(space) => space.bodies.as_ref()?.at(body),
        }
    }

    /// Returns whether a rigid body exists and was not removed.
    pub(super) fn has_body(&self, body: usize) -> bool {
        match self {
            Self::Plane(plane) => body < plane.rigid.len() && !plane.rigid.is_gone(body),
            Self::Space(space) => space
                .bodies
                .as_ref()
                .is_some_and(|bodies| body < bodies.rigid.len() && !bodies.rigid.is_gone(body)),
        }
    }

    pub(super) fn solids(&self) -> &[ElasticSolid] {
        match self {
            Self::Plane(_) => &[],
            Self::Space(space) => space.solids(),
        }
    }

    /// Returns force and torque about the centre of mass of a rigid body in the last step.
    pub(super) fn load(&self, body: usize) -> Option<[Vector<3>; 2]> {
        if !self.has_body(body) {
            return None;
        }
        match self {
            Self::Plane(plane) => Some(plane.rigid.load(body)),
            Self::Space(space) => Some(space.bodies.as_ref()?.rigid.load(body)),
        }
    }

    pub(super) fn mass(&self, body: usize) -> Option<f64> {
        if !self.has_body(body) {
            return None;
        }
        match self {
            Self::Plane(plane) => Some(plane.rigid.mass(body)),
            Self::Space(space) => Some(space.bodies.as_ref()?.rigid.mass(body)),
        }
    }

    /// Removes a rigid body.
    pub(super) fn remove_body(&mut self, body: usize) {
        match self {
            Self::Plane(plane) => plane.rigid.remove(body),
            Self::Space(space) => space.remove_body(body),
        }
    }

    /// Returns whether an object was removed.
    pub(super) fn is_gone(&self, object: BodyRef) -> bool {
        object.kind == crate::BodyKind::Body && !self.has_body(object.index as usize)
    }
}
