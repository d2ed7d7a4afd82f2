//! Rigid bodies: convex polygons and discs in 2D; balls, convex polyhedra and closed surfaces of any
//! shape in 3D.
//!
//! A step is half kick, drift, forces, half kick, as for all matter. Forces come from overlap
//! (`law.rs`), contacts from the broad phase and the intersections of pairs (`contacts.rs`); the
//! rotation is integrated without drift (`spin.rs`). Mass properties are exact from shape and
//! density, or given with the shape. Bodies may instead follow a [`PrescribedMotion`]. Walls are
//! half-spaces and, in 3D, triangle meshes, fixed or with prescribed motion.
//!
//! Other matter acts on a body through [`Rigid::apply`] between `begin` and `finish`, and reads it
//! through [`Rigid::pose`], [`Rigid::velocity`], [`Rigid::spin`], [`Rigid::centre`] and the surface
//! of its [`Rigid::shape`].
//!
//! ```
//! use impinge::space::Point;
//! use impinge_sim::Matter;
//! use impinge_sim::rigid::{ContactStiffness, RigidShape2, PrescribedMotion, NewBody, Rigid2, RigidLaw};
//! let law = RigidLaw { stiffness: ContactStiffness::Given(1e7), ..RigidLaw::default() };
//! let mut blocks = Rigid2::new(law, [0.0, -9.81, 0.0])?;
//! let square = RigidShape2::polygon(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(Point::from))?;
//! let square = blocks.add_shape(square);
//! blocks.add(&NewBody { shape: square, density: 1000.0, position: [0.0, 0.6, 0.0], ..NewBody::default() })?;
//! blocks.add_half_space([0.0; 3], [0.0, 1.0, 0.0], PrescribedMotion::default())?;
//! let dt = blocks.stable_step();
//! for _ in 0..(2.0 / dt) as usize {
//!     blocks.begin(dt);
//!     blocks.interact(dt)?;
//!     blocks.finish(dt)?;
//! }
//! assert!((blocks.centre(0).y - 0.5).abs() < 1e-3, "it has come to rest on the floor");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod contacts;
mod joint;
mod law;
mod overlapping;
mod patch;
mod plain;
mod shape;
mod shape2;
mod shape3;
mod spin;
mod step;
#[cfg(test)]
mod tests;

pub use body::PrescribedMotion;
pub(crate) use joint::Joint;
pub use law::{ContactStiffness, RigidLaw, RigidLaws};
pub use overlapping::StartOverlap;
pub use shape::{Mass, OverlapRegion, RigidShape};
pub use shape2::{NoMesh, PolygonCache, RigidShape2};
pub use shape3::{Convex, MeshWall, RigidShape3};

use crate::{BodyRef, ContactRecord, Mobility, Path};
use body::{Body, State};
use contacts::{History, Other, Work, point};
use impinge::broad::{AnyBroadPhase, BroadMethod, Pair};
use impinge::shape::HalfSpace;
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::{Deserialize, Serialize};
use shape::{PlainMass, lifted, lowered, pose};
use std::f64::consts::PI;
use thiserror::Error;

const NO_MATERIAL: &str = "the contact law has no material with this index";

/// A body to add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewBody {
    /// Index of its shape, as returned by [`Rigid::add_shape`].
    pub shape: usize,
    /// Density, kg/m³; in 2D kg/m².
    pub density: f64,
    /// Position of the shape's origin.
    pub position: [f64; 3],
    /// Orientation, a quaternion x, y, z, w of any non-zero length; in 2D about z.
    pub orientation: [f64; 4],
    /// Velocity of the centre of mass.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s; in 2D only the third component is used.
    pub spin: [f64; 3],
    /// A prescribed motion, which replaces the position and velocity above.
    pub guide: Option<PrescribedMotion>,
    /// Index of its material in the laws.
    pub material: usize,
}

/// Motion and material of a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotionPath {
    /// Its prescribed motion.
    pub guide: PrescribedMotion,
    /// Index of its material in the laws.
    pub material: usize,
    /// Index of the wall, in the order in which they were added; set when it is.
    pub wall: u32,
}

impl From<PrescribedMotion> for MotionPath {
    fn from(guide: PrescribedMotion) -> Self {
        Self {
            guide,
            ..Self::default()
        }
    }
}

impl Default for NewBody {
    fn default() -> Self {
        Self {
            shape: 0,
            density: 1000.0,
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
            velocity: [0.0; 3],
            spin: [0.0; 3],
            guide: None,
            material: 0,
        }
    }
}

/// Why an item could not be added.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}: {cause}")]
pub struct InvalidRigid {
    /// The item, as users know it: `rigid body 3`, `half-space 0`.
    pub what: String,
    /// What is wrong with it.
    pub cause: &'static str,
}

/// A shape with data computed from it once.
#[derive(Clone, Debug)]
struct ShapeData<F> {
    shape: F,
    mass: Mass,
    /// Principal axes, as columns in the shape's frame, and the moments about them at unit density.
    axes: Matrix<3>,
    moments: Vector<3>,
    /// Largest distance of a point from the origin of the frame, and from the centre of mass.
    reach: f64,
    size: f64,
    /// Radius of the ball or disc of the same volume or area.
    stout: f64,
    /// About the largest cross-section.
    widest: f64,
}

impl<F> ShapeData<F> {
    fn new<const D: usize>(shape: F, mass: Mass) -> Self
    where
        F: RigidShape<D>,
    {
        let (axes, moments) = principal(&mass.inertia);
        let stout = match D {
            2 => (mass.measure / PI).sqrt(),
            _ => (0.75 * mass.measure / PI).cbrt(),
        };

        Self {
            mass,
            axes,
            moments,
            reach: shape.reach(&Vector::zeros()),
            size: shape.reach(&mass.centre),
            stout,
            widest: shape.widest(),
            shape,
        }
    }

    /// Returns rotation matrix and origin of the shape's frame.
    fn placed(&self, body: &Body) -> (Matrix<3>, Vector<3>) {
        let rotation = spin::matrix(&body.orientation) * self.axes.transpose();
        (rotation, body.position - rotation * self.mass.centre)
    }
}

/// Relative size of off-diagonal inertia that counts as rounding: a cube keeps its own axes.
const DIAGONAL: f64 = 1e-13;

/// Returns right-handed principal axes of a tensor, and its principal values.
fn principal(inertia: &Matrix<3>) -> (Matrix<3>, Vector<3>) {
    let off = [inertia[(0, 1)], inertia[(0, 2)], inertia[(1, 2)]].map(f64::abs);
    if off.iter().all(|x| *x <= DIAGONAL * inertia.trace()) {
        return (Matrix::identity(), inertia.diagonal());
    }

    let eigen = inertia.symmetric_eigen();
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }

    (axes, eigen.eigenvalues)
}

/// A half-space in its own frame, and its motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Floor {
    point: [f64; 3],
    normal: [f64; 3],
    mount: MotionPath,
}

impl Floor {
    fn now<const D: usize>(&self, time: f64) -> Option<HalfSpace<D>> {
        let State {
            rotation, origin, ..
        } = self.mount.guide.state(time);
        let at = rotation * Vector::from(self.point) + origin;
        HalfSpace::new(
            point::<D>(&at),
            lowered::<D>(&(rotation * Vector::from(self.normal))),
        )
        .ok()
    }
}

/// Rigid bodies and their walls. Serialisation includes everything that a restart needs and
/// excludes caches; a resumed run is bit-identical.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Saved<F, D>", into = "Saved<F, D>")]
#[serde(bound(serialize = "F: RigidShape<D>", deserialize = "F: RigidShape<D>"))]
pub struct Rigid<F: RigidShape<D>, const D: usize> {
    laws: RigidLaws,
    gravity: Vector<3>,
    time: f64,
    shapes: Vec<ShapeData<F>>,
    bodies: Vec<Body>,
    floors: Vec<Floor>,
    meshes: Vec<(F::Mesh, MotionPath)>,
    histories: Vec<History>,
    /// Energy dissipated, and work done by prescribed motions.
    dissipated: f64,
    work_done: f64,
    /// Contacts of the last step.
    contacts: Vec<ContactRecord>,
    /// The pairs to search in the next step; `None` for all.
    near: Option<Near>,
    /// Whether the owner guards against tunnelling within a step.
    is_guarded: bool,
    work: Work<F, D>,
}

/// Pairs that may touch; all others are known to be apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    /// Pairs of bodies, sorted.
    pub(crate) pairs: Vec<Pair>,
    /// Bodies with walls, sorted; walls are numbered in the order in which they were added.
    pub(crate) walls: Vec<[u32; 2]>,
}

/// The serialised form.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "F: RigidShape<D>", deserialize = "F: RigidShape<D>"))]
struct Saved<F: RigidShape<D>, const D: usize> {
    laws: RigidLaws,
    gravity: [f64; 3],
    time: f64,
    forms: Vec<(F, PlainMass)>,
    bodies: Vec<Body>,
    floors: Vec<Floor>,
    meshes: Vec<(F::Mesh, MotionPath)>,
    histories: Vec<History>,
    dissipated: f64,
    work_done: f64,
}

impl<F: RigidShape<D>, const D: usize> From<Rigid<F, D>> for Saved<F, D> {
    fn from(rigid: Rigid<F, D>) -> Self {
        Self {
            laws: rigid.laws,
            gravity: rigid.gravity.into(),
            time: rigid.time,
            forms: rigid
                .shapes
                .into_iter()
                .map(|data| (data.shape, data.mass.into()))
                .collect(),
            bodies: rigid.bodies,
            floors: rigid.floors,
            meshes: rigid.meshes,
            histories: rigid.histories,
            dissipated: rigid.dissipated,
            work_done: rigid.work_done,
        }
    }
}

impl<F: RigidShape<D>, const D: usize> From<Saved<F, D>> for Rigid<F, D> {
    fn from(saved: Saved<F, D>) -> Self {
        Self {
            laws: saved.laws,
            gravity: saved.gravity.into(),
            time: saved.time,
            shapes: saved
                .forms
                .into_iter()
                .map(|(shape, mass)| ShapeData::new(shape, mass.into()))
                .collect(),
            bodies: saved.bodies,
            floors: saved.floors,
            meshes: saved.meshes,
            histories: saved.histories,
            dissipated: saved.dissipated,
            work_done: saved.work_done,
            contacts: Vec::new(),
            near: None,
            is_guarded: false,
            work: Work::default(),
        }
    }
}

/// Rigid bodies in 2D.
pub type Rigid2 = Rigid<RigidShape2, 2>;

/// Rigid bodies in 3D.
pub type Rigid3 = Rigid<RigidShape3, 3>;

impl<F: RigidShape<D>, const D: usize> Rigid<F, D> {
    /// Creates an empty set. In 2D the third component of the gravity must be zero.
    pub fn new(laws: impl Into<RigidLaws>, gravity: [f64; 3]) -> Result<Self, InvalidRigid> {
        let what = || "rigid bodies".to_string();
        let laws = laws.into();
        if let Some(cause) = laws.fault() {
            return Err(InvalidRigid {
                what: what(),
                cause,
            });
        }

        if !gravity.iter().all(|x| x.is_finite()) || gravity[D..].iter().any(|&x| x != 0.0) {
            return Err(InvalidRigid {
                what: what(),
                cause: "the gravity is not finite, or leaves the plane",
            });
        }

        Ok(Self {
            laws,
            gravity: gravity.into(),
            time: 0.0,
            shapes: Vec::new(),
            bodies: Vec::new(),
            floors: Vec::new(),
            meshes: Vec::new(),
            histories: Vec::new(),
            dissipated: 0.0,
            work_done: 0.0,
            contacts: Vec::new(),
            near: None,
            is_guarded: false,
            work: Work::default(),
        })
    }

    /// Adds a shape for bodies to use; returns its index.
    pub fn add_shape(&mut self, shape: F) -> usize {
        let mass = shape.mass();
        self.add_shape_with_mass(shape, mass)
    }

    /// Adds a shape with separate mass properties, such as a hollow body's.
    pub fn add_shape_with_mass(&mut self, shape: F, mass: Mass) -> usize {
        self.shapes.push(ShapeData::new(shape, mass));
        self.shapes.len() - 1
    }

    /// Adds a body; returns its index.
    pub fn add(&mut self, new: &NewBody) -> Result<usize, InvalidRigid> {
        let number = self.bodies.len();
        let refuse = |cause| InvalidRigid {
            what: format!("rigid body {number}"),
            cause,
        };
        let data = self
            .shapes
            .get(new.shape)
            .ok_or_else(|| refuse("there is no shape with this index"))?;

        if !(new.density > 0.0 && new.density.is_finite()) {
            return Err(refuse("the density is not a positive number"));
        }

        if new.material >= self.laws.materials() {
            return Err(refuse(NO_MATERIAL));
        }

        let own = PrescribedMotion {
            position: new.position,
            orientation: new.orientation,
            path: Path {
                velocity: new.velocity,
                spin: new.spin,
                since: self.time,
                ..Path::default()
            },
        };

        if !own.is_usable() || !new.guide.is_none_or(|guide| guide.is_usable()) {
            return Err(refuse("a number is not finite, or the orientation is zero"));
        }

        let mass = new.density * data.mass.measure;
        let moments = data.moments * new.density;
        if !(mass > 0.0 && moments.iter().all(|&moment| moment > 0.0)) {
            return Err(refuse("it is so thin that it has no mass or inertia"));
        }

        let mut body = Body {
            shape: new.shape as u32,
            material: new.material as u32,
            gone: false,
            mass,
            moments,
            guide: new.guide,
            joint: Joint::Free,
            applied: Vector::zeros(),
            position: Vector::zeros(),
            orientation: [0.0, 0.0, 0.0, 1.0],
            velocity: Vector::zeros(),
            momentum: Vector::zeros(),
            force: Vector::zeros(),
            torque: Vector::zeros(),
        };
        follow(&mut body, data, &new.guide.unwrap_or(own).state(self.time));

        if new.guide.is_none() {
            body.velocity = new.velocity.into();
            body.force = self.gravity * mass;
        }

        self.bodies.push(body);
        Ok(number)
    }

    /// Chooses how pairs of bodies whose boxes overlap are found; all methods give the same results. It
    /// is not part of the state; repeat the call after a restart.
    pub fn set_broad_phase(&mut self, method: BroadMethod) {
        self.work.broad = Some(AnyBroadPhase::new(method));
    }

    /// Adds the half-space below a point, against an outward direction, in the frame of its motion.
    pub fn add_half_space(
        &mut self,
        point: [f64; 3],
        normal: [f64; 3],
        mount: impl Into<MotionPath>,
    ) -> Result<usize, InvalidRigid> {
        let (number, mount) = (self.floors.len(), self.numbered(mount.into()));
        let floor = Floor {
            point,
            normal,
            mount,
        };
        let refuse = |cause| InvalidRigid {
            what: format!("half-space {number}"),
            cause,
        };

        if !mount.guide.is_usable() || floor.now::<D>(self.time).is_none() {
            return Err(refuse("a number is not finite, or a direction is zero"));
        }

        if mount.material >= self.laws.materials() {
            return Err(refuse(NO_MATERIAL));
        }

        self.floors.push(floor);
        Ok(number)
    }

    /// Gives a wall its index: half-spaces and meshes are counted together.
    fn numbered(&self, mount: MotionPath) -> MotionPath {
        MotionPath {
            wall: (self.floors.len() + self.meshes.len()) as u32,
            ..mount
        }
    }

    /// Returns the other object of a contact.
    fn other_of(&self, other: Other) -> BodyRef {
        let wall = match other {
            Other::HalfSpace(floor) => self.floors[floor as usize].mount.wall,
            Other::Mesh(mesh) => self.meshes[mesh as usize].1.wall,
            Other::Body(body) => return BodyRef::body(body as usize),
        };
        BodyRef::wall(wall as usize)
    }

    /// Adds a triangle mesh wall with prescribed motion.
    pub fn add_mesh(
        &mut self,
        mesh: F::Mesh,
        mount: impl Into<MotionPath>,
    ) -> Result<usize, InvalidRigid> {
        let (number, mount) = (self.meshes.len(), self.numbered(mount.into()));
        let refuse = |cause| InvalidRigid {
            what: format!("mesh wall {number}"),
            cause,
        };

        if !mount.guide.is_usable() {
            return Err(refuse(
                "a number of its path is not finite, or its orientation is zero",
            ));
        }

        if mount.material >= self.laws.materials() {
            return Err(refuse(NO_MATERIAL));
        }

        self.meshes.push((mesh, mount));
        Ok(number)
    }

    /// Sets the time of a set that was created later than others.
    pub(crate) fn start_at(&mut self, time: f64) {
        self.time = time;
    }

    /// Returns force and torque about the centre of mass of the last step, N and N m.
    pub fn load(&self, body: usize) -> [Vector<3>; 2] {
        [self.bodies[body].force, self.bodies[body].torque]
    }

    /// Removes a body. Its index stays reserved, and its energy leaves the world with it.
    pub fn remove(&mut self, body: usize) {
        let body = &mut self.bodies[body];
        if body.is_free() {
            self.work_done -= body.kinetic() + body.potential(&self.gravity);
        }
        body.gone = true;
    }

    /// Returns whether a body was removed.
    pub fn is_gone(&self, body: usize) -> bool {
        self.bodies[body].gone
    }

    /// Returns the number of bodies, including removed ones.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns whether no body was ever added.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Returns the simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the shape of a body.
    pub fn shape(&self, body: usize) -> &F {
        &self.shapes[self.bodies[body].shape as usize].shape
    }

    /// Returns the largest distance of a point of a body from its centre of mass.
    pub fn reach(&self, body: usize) -> f64 {
        self.shapes[self.bodies[body].shape as usize].size
    }

    /// Returns the mass of a body.
    pub fn mass(&self, body: usize) -> f64 {
        self.bodies[body].mass
    }

    /// Returns whether a body has prescribed motion.
    pub fn is_guided(&self, body: usize) -> bool {
        self.bodies[body].guide.is_some()
    }

    /// Returns the pose of a body's shape frame; `None` if its numbers are not finite.
    pub fn pose(&self, body: usize) -> Option<Pose<D>> {
        let body = &self.bodies[body];
        let (rotation, origin) = self.shapes[body.shape as usize].placed(body);
        pose(&rotation, &origin)
    }

    /// Returns a body's centre of mass.
    pub fn centre(&self, body: usize) -> Point<D> {
        point(&self.bodies[body].position)
    }

    /// Returns the velocity of a body's centre of mass.
    pub fn velocity(&self, body: usize) -> Vector<D> {
        lowered(&self.bodies[body].velocity)
    }

    /// Returns the angular velocity of a body, rad/s; in 2D only the third component is non-zero.
    pub fn spin(&self, body: usize) -> Vector<3> {
        self.bodies[body].spin()
    }

    /// Restricts the searches from now on to pairs that may touch; `None` searches all pairs.
    pub(crate) fn set_near(&mut self, near: Option<Near>) {
        self.near = near;
    }

    /// Returns the list of [`Self::set_near`], to reuse its memory.
    pub(crate) fn take_near(&mut self) -> Near {
        self.near.take().unwrap_or_default()
    }

    /// Returns the numbers of box tests and of pair searches so far.
    pub(crate) fn search_counters(&self) -> [u64; 2] {
        self.work.counters
    }

    /// Sets whether a motion of more than a body's size in a step is an error.
    pub(crate) fn set_guarded(&mut self, is_guarded: bool) {
        self.is_guarded = is_guarded;
    }

    /// Returns whether anything touched in the last step.
    pub(crate) fn touches(&self) -> bool {
        !self.histories.is_empty() || !self.contacts.is_empty()
    }

    /// Moves bodies that nothing touches by a time, however long: on parabolas, exactly.
    pub(crate) fn fly(&mut self, seconds: f64) {
        self.time += seconds;
        for body in &mut self.bodies {
            body.force = match body.is_free() {
                true => self.gravity * body.mass + body.applied,
                false => Vector::zeros(),
            };
            body.torque = Vector::zeros();
            body.kick(0.5 * seconds);
            body.drift_far(seconds);
            body.kick(0.5 * seconds);
            if let Some(guide) = body.guide {
                let data = &self.shapes[body.shape as usize];
                follow(body, data, &guide.state(self.time));
            }
        }
    }

    /// Returns the pose of a body's shape frame after a part of the next step; `None` if its numbers
    /// are not finite.
    pub(crate) fn pose_after(&self, body: usize, seconds: f64) -> Option<Pose<D>> {
        let mut moved = self.bodies[body].clone();
        let data = &self.shapes[moved.shape as usize];
        moved.kick(0.5 * seconds);
        moved.drift(seconds);
        if let Some(guide) = moved.guide {
            follow(&mut moved, data, &guide.state(self.time + seconds));
        }
        let (rotation, origin) = data.placed(&moved);
        pose(&rotation, &origin)
    }

    /// Returns whether forces move a body.
    pub(crate) fn is_free(&self, body: usize) -> bool {
        self.bodies[body].is_free()
    }

    /// Returns the prescribed motion of a body, if it has one.
    pub(crate) fn guide(&self, body: usize) -> Option<PrescribedMotion> {
        self.bodies[body].guide
    }

    /// Returns the weight of a body plus its constant force, N; on a rail, only the component along it.
    pub(crate) fn weight(&self, body: usize) -> Vector<3> {
        let body = &self.bodies[body];
        let force = self.gravity * body.mass + body.applied;
        if !body.is_free() {
            return Vector::zeros();
        }
        match (body.joint, body.hinge()) {
            (_, Some(hinge)) => {
                let angular = hinge.acceleration(&force, &Vector::zeros());
                hinge.of_centre(angular) * body.mass
            }
            (Joint::Rail(axis), _) => {
                let axis = Vector::from(axis);
                axis * axis.dot(&force)
            }
            _ => force,
        }
    }

    /// Returns whether a body turns about a hinge.
    pub(crate) fn is_hinged(&self, body: usize) -> bool {
        matches!(self.bodies[body].joint, Joint::Hinge { .. })
    }

    /// Returns the orientation of a body's principal axes, a unit quaternion x, y, z, w.
    pub(crate) fn orientation(&self, body: usize) -> [f64; 4] {
        self.bodies[body].orientation
    }

    /// Returns the bounding box of a body; `None` if its numbers are not finite.
    pub(crate) fn bounds(&self, body: usize) -> Option<Aabb<D>> {
        Some(self.shape(body).bounds(&self.pose(body)?))
    }

    /// Returns how a body responds to forces, in world axes: a hinged one about its hinge. `None` if
    /// forces do not move it.
    pub(crate) fn mobility(&self, body: usize) -> Option<Mobility> {
        let body = &self.bodies[body];
        let axes = spin::matrix(&body.orientation);
        let inverse = Matrix::from_diagonal(&body.moments.map(|moment| 1.0 / moment));
        let (centre, inverse_mass) = (body.position.into(), 1.0 / body.mass);
        let mobility = match (body.joint, body.hinge()) {
            (Joint::Hinge { point, .. }, Some(hinge)) => Mobility {
                inverse_mass: 0.0,
                inverse_inertia: hinge.inverse_inertia(),
                centre: point.into(),
            },
            (Joint::Rail(_), _) => Mobility {
                inverse_mass,
                inverse_inertia: Matrix::zeros(),
                centre,
            },
            _ => Mobility {
                inverse_mass,
                inverse_inertia: axes * inverse * axes.transpose(),
                centre,
            },
        };
        body.is_free().then_some(mobility)
    }

    /// Holds a free body by a joint, from its present place.
    pub(crate) fn put_on(&mut self, body: usize, joint: Joint) {
        self.bodies[body].hold(joint);
    }

    /// Sets the constant force at the centre of mass of a free body.
    pub(crate) fn set_constant_force(&mut self, body: usize, force: &Vector<3>) {
        let body = &mut self.bodies[body];
        body.force += force - body.applied;
        body.applied = *force;
    }

    /// Adds a force at a world point to a body, until the next `begin`.
    pub fn apply(&mut self, body: usize, force: &Vector<D>, at: &Point<D>) {
        let body = &mut self.bodies[body];
        let force = lifted(force);
        body.force += force;
        body.torque += (lifted(&at.coords) - body.position).cross(&force);
    }

    /// Takes the shapes of all mesh walls, for a set with the same walls.
    pub(crate) fn take_meshes(&mut self) -> Vec<F::Mesh> {
        self.meshes.drain(..).map(|(mesh, _)| mesh).collect()
    }

    /// Replaces the shapes of the mesh walls by equal ones that others use, too.
    pub(crate) fn share_meshes(&mut self, meshes: Vec<F::Mesh>) {
        let own = self.meshes.iter_mut().map(|(mesh, _)| mesh);
        own.zip(meshes).for_each(|(own, mesh)| *own = mesh);
    }

    /// Iterates over the triangle mesh walls with their current poses.
    pub fn mesh_walls(&self) -> impl Iterator<Item = (&F::Mesh, Option<Pose<D>>)> + '_ {
        self.meshes.iter().map(|(mesh, mount)| {
            let state = mount.guide.state(self.time);
            (mesh, pose(&state.rotation, &state.origin))
        })
    }
}

/// Moves a body to a point of its prescribed motion, given as that of the shape's frame.
fn follow<F>(body: &mut Body, data: &ShapeData<F>, state: &State) {
    let arm = state.rotation * data.mass.centre;
    body.position = state.origin + arm;
    body.velocity = state.velocity + state.spin.cross(&arm);
    let axes = state.rotation * data.axes;
    body.orientation = spin::of_matrix(&axes);
    body.momentum = axes * axes.tr_mul(&state.spin).component_mul(&body.moments);
}
