//! The 2D world: rigid polygons and half-planes.

use super::bodies::{joint_of, near};
use super::crowd::{body_strays, body_trajectory};
use super::guard::{Guard, GuardedStep, Mover, MoverKind, Movers, SHARE};
use super::materials;
use super::queue::{Objects, TouchQueue};
use super::stages::{Stages, timed};
use super::trajectory::Trajectory;
use super::watch::{CheckInput, Placed, Screen};
use super::{
    BodyDef, BodyShape, Counts, Names, WallDef, WallShape, WorldError, WorldOptions, start,
};
use crate::rigid::{
    InvalidRigid, MotionPath, NewBody, PrescribedMotion, Rigid2, RigidShape, RigidShape2,
    StartOverlap,
};
use crate::{BodyKind, BodyRef, ContactRecord, Energy, Matter, Path, PathState, StepError};
use impinge::space::{Matrix, Point, Pose, Vector};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The 2D world.
pub(super) struct Plane {
    pub(super) rigid: Rigid2,
    walls: Vec<HalfPlane>,
    /// Sides of the bodies, which no centre may cross; `None` for invalid ones.
    sides: Vec<Option<Screen>>,
    /// Smallest widths of the bodies.
    widths: Vec<f64>,
    /// Overlaps at the start.
    overlaps: Vec<StartOverlap>,
    /// When pairs of bodies and walls can touch next.
    queue: TouchQueue,
    guard: Guard,
}

/// The bodies and walls at a time, after a drift: bodies, then walls.
struct Crowd2<'a> {
    rigid: &'a Rigid2,
    walls: &'a [HalfPlane],
    time: f64,
    dt: f64,
}

impl Crowd2<'_> {
    fn object(&self, number: usize) -> BodyRef {
        match number.checked_sub(self.rigid.len()) {
            Some(wall) => BodyRef::wall(wall),
            None => BodyRef::body(number),
        }
    }
}

impl Objects for Crowd2<'_> {
    fn count(&self) -> usize {
        self.rigid.len() + self.walls.len()
    }

    fn trajectory(&self, object: usize) -> Trajectory {
        let object = self.object(object);
        if object.kind == BodyKind::Body {
            return body_trajectory(self.rigid, object.index as usize, self.time, self.dt);
        }

        self.walls[object.index as usize].trajectory()
    }

    fn strays(&self, object: usize, known: &Trajectory) -> bool {
        let object = self.object(object);
        object.kind == BodyKind::Body
            && body_strays(self.rigid, object.index as usize, known, self.time)
    }

    fn interact(&self, a: usize, b: usize) -> bool {
        let is_free = |object: usize| object < self.rigid.len() && self.rigid.is_free(object);
        is_free(a) || is_free(b)
    }

    fn is_held(&self, _: usize, _: usize) -> bool {
        false
    }
}

/// The sides of the bodies as prisms, perpendicular to the plane.
impl Movers for Plane {
    fn triangles(&self, object: BodyRef) -> Option<&[[u32; 3]]> {
        match self.sides[object.index as usize].as_ref()? {
            Screen::Mesh(tree, _) => Some(tree.triangles()),
            Screen::HalfSpace(..) => None,
        }
    }

    fn points_after(&self, object: BodyRef, seconds: f64) -> Option<Vec<Point<3>>> {
        let body = object.index as usize;
        let pose = lifted(&self.rigid.pose_after(body, seconds)?)?;
        match self.sides[body].as_ref()? {
            Screen::Mesh(tree, _) => Some(tree.points().iter().map(|p| pose.point(p)).collect()),
            Screen::HalfSpace(..) => None,
        }
    }
}

/// A wall.
struct HalfPlane {
    screen: Screen,
    path: Path,
}

impl HalfPlane {
    /// Returns its region: all space if it moves.
    fn trajectory(&self) -> Trajectory {
        match (&self.screen, self.path.is_rest()) {
            (Screen::HalfSpace(point, normal), true) => match normal.try_normalize(0.0) {
                Some(normal) => Trajectory::HalfSpace {
                    normal,
                    offset: normal.dot(&point.coords),
                },
                None => Trajectory::Anywhere,
            },
            _ => Trajectory::Anywhere,
        }
    }
}

impl Plane {
    pub(super) fn new(options: &WorldOptions) -> Result<Self, WorldError> {
        let mut rigid = Rigid2::new(materials::rigid_laws(options), options.gravity)
            .map_err(refused("rigid bodies"))?;
        rigid.set_broad_phase(options.broad);
        Ok(Self {
            rigid,
            walls: Vec::new(),
            sides: Vec::new(),
            widths: Vec::new(),
            overlaps: Vec::new(),
            queue: TouchQueue::default(),
            guard: Guard::default(),
        })
    }

    pub(super) fn add_wall(&mut self, name: &str, wall: &WallDef) -> Result<(), WorldError> {
        let WallShape::HalfSpace { point, normal } = wall.shape else {
            return Err(WorldError::unsuited(
                name,
                "walls in the plane are half-planes, or bodies on a path",
            ));
        };

        let pose = Pose::<3>::from_quaternion(wall.orientation, wall.position)
            .map_err(|fault| WorldError::pose(name, fault))?;
        let point = pose.point(&Point::from(point)).coords.into();
        let normal = pose.vector(&Vector::from(normal)).into();
        let path = wall.path;
        let mount = MotionPath {
            guide: path.into(),
            material: wall.material,
            ..MotionPath::default()
        };
        self.rigid
            .add_half_space(point, normal, mount)
            .map_err(refused(name))?;
        self.walls.push(HalfPlane {
            screen: Screen::half_space([point, normal]),
            path,
        });
        Ok(())
    }

    /// Adds a body; `density` is that of its material.
    pub(super) fn add_body(
        &mut self,
        name: &str,
        body: &BodyDef,
        density: f64,
    ) -> Result<(), WorldError> {
        let shape = match &body.shape {
            BodyShape::Polygon(polygon) => RigidShape2::polygon(polygon.points()),
            BodyShape::Sphere(radius) => RigidShape2::disc(*radius),
            other => {
                return Err(WorldError::unsuited(
                    name,
                    format!("a {} is neither a polygon nor a disc", other.kind()),
                ));
            }
        };
        let shape = shape.map_err(|fault| WorldError::shape(name, fault))?;
        let shape = self.rigid.add_shape(shape);
        let guide = |path: Path| PrescribedMotion {
            position: body.position,
            orientation: body.orientation,
            path,
        };
        let new = NewBody {
            shape,
            density: body.density.unwrap_or(density),
            position: body.position,
            orientation: body.orientation,
            velocity: body.velocity,
            spin: body.spin,
            guide: body.path.map(guide),
            material: body.material,
        };
        let joint = joint_of(name, body)?;
        let number = self.rigid.add(&new).map_err(refused(name))?;
        self.rigid.put_on(number, joint);
        if body.path.is_none() {
            self.rigid.set_constant_force(number, &body.force.into());
        }
        self.sides.push(sides(self.rigid.shape(number)));
        self.widths.push(width(self.rigid.shape(number)));
        Ok(())
    }

    /// Accepts the overlaps of bodies and walls from a given index on: they exert no force.
    pub(super) fn start(&mut self, bodies: usize, walls: usize) -> Result<(), WorldError> {
        self.overlaps = self
            .rigid
            .exclude_new_overlaps(bodies, walls)
            .map_err(|fault| WorldError::unsuited("rigid bodies", fault.to_string()))?;
        self.queue.reset();
        Ok(())
    }

    /// Sets whether pairs that cannot touch sleep, or every pair is searched at every step.
    pub(super) fn queue_mut(&mut self) -> &mut TouchQueue {
        &mut self.queue
    }

    /// Finds the pairs that may touch at a time, and restricts the search to them.
    fn wake(&mut self, time: f64, dt: f64) {
        let crowd = Crowd2 {
            rigid: &self.rigid,
            walls: &self.walls,
            time,
            dt,
        };
        self.queue.update(&crowd, time, dt);
        let awake = self.queue.awake();
        let pairs: Vec<[BodyRef; 2]> = awake
            .map(|pair| pair.map(|object| crowd.object(object)))
            .collect();
        let list = near(self.rigid.take_near(), &pairs);
        self.rigid.set_near(Some(list));
    }

    pub(super) fn counters(&self) -> BTreeMap<&'static str, u64> {
        let mut counters = BTreeMap::new();
        let [volumes, pairs] = self.rigid.search_counters();
        self.queue.write_counters(&mut counters);
        counters.insert("volume_tests", volumes);
        counters.insert("pair_searches", pairs);
        counters
    }

    pub(super) fn notes(&self, names: &Names) -> Vec<String> {
        start::overlaps(&self.overlaps, names)
    }

    /// Returns pose and velocities of a body.
    pub(super) fn body(&self, body: usize) -> Option<PathState> {
        let pose = lifted(&self.rigid.pose(body)?)?;
        let spin = self.rigid.spin(body);
        let [centre, velocity] = [self.rigid.centre(body).coords, self.rigid.velocity(body)]
            .map(|v| Vector::from([v.x, v.y, 0.0]));
        Some(PathState {
            pose,
            velocity: velocity + spin.cross(&(pose.position().coords - centre)),
            spin,
            surface: Vector::zeros(),
        })
    }

    /// Returns the corners of a body in world coordinates.
    pub(super) fn polygon(&self, body: usize) -> Option<Vec<Point<2>>> {
        if self.rigid.is_gone(body) {
            return None;
        }
        let pose = self.rigid.pose(body)?;
        let corners = outline(self.rigid.shape(body)).into_iter();
        Some(corners.map(|point| pose.point(&point)).collect())
    }

    pub(super) fn wall_path(&self, wall: usize) -> Path {
        self.walls[wall].path
    }

    /// Returns a point of a wall and its outward direction, before its motion.
    pub(super) fn plane(&self, wall: usize) -> Option<[[f64; 3]; 2]> {
        match &self.walls[wall].screen {
            Screen::HalfSpace(point, normal) => Some([point.coords.into(), (*normal).into()]),
            Screen::Mesh(..) => None,
        }
    }

    pub(super) fn wall_count(&self) -> usize {
        self.walls.len()
    }

    /// Returns the region of a wall: all space if it moves.
    pub(super) fn wall_trajectory(&self, wall: usize) -> Trajectory {
        self.walls[wall].trajectory()
    }

    /// Returns whether a wall ever moves.
    pub(super) fn is_wall_moving(&self, wall: usize) -> bool {
        !self.walls[wall].path.is_rest()
    }

    /// Returns pose and velocities of a wall at a time.
    pub(super) fn wall_at(&self, wall: usize, time: f64) -> PathState {
        self.walls[wall].path.at(time)
    }

    pub(super) fn stable_step(&self) -> f64 {
        self.rigid.stable_step()
    }

    /// Runs a step up to the forces.
    pub(super) fn begin(
        &mut self,
        time: f64,
        dt: f64,
        stages: &mut Stages,
    ) -> Result<(), StepError> {
        timed(&mut stages.motion, || self.rigid.begin(dt));
        timed(&mut stages.queue, || self.wake(time + dt, dt));
        let searched = timed(&mut stages.bodies, || self.rigid.interact(dt));
        self.rigid.take_near();
        self.queue.count_step(true);
        searched
    }

    /// Returns the number of parts of a step in which nothing passes anything; `speed` is the largest
    /// one of a body or wall.
    pub(super) fn parts(&mut self, speed: f64, step: &GuardedStep) -> Result<u32, StepError> {
        self.rigid.set_guarded(true);
        let thinnest = self.widths.iter().copied().fold(f64::INFINITY, f64::min);
        if speed.is_nan() || 2.0 * speed * step.dt <= SHARE * thinnest {
            return Ok(1);
        }

        let there = (0..self.rigid.len()).filter(|&body| !self.rigid.is_gone(body));
        let movers: Vec<Mover> = there.map(|body| self.mover(body, step.dt)).collect();
        let mut guard = std::mem::take(&mut self.guard);
        let parts = guard.parts(&movers, self, step);
        self.guard = guard;
        parts
    }

    fn mover(&self, body: usize, dt: f64) -> Mover {
        let (centre, velocity) = (self.rigid.centre(body), self.rigid.velocity(body));
        let turn = self.rigid.spin(body).norm() * dt;
        Mover {
            object: BodyRef::body(body),
            centre: Point::from([centre.x, centre.y, 0.0]),
            shift: Vector::from([velocity.x, velocity.y, 0.0]) * dt,
            reach: self.rigid.reach(body),
            spread: turn * self.rigid.reach(body),
            turn,
            thickness: [self.widths[body]; 2],
            fold: f64::INFINITY,
            ball: self.rigid.shape(body).radius(),
            kind: match self.rigid.is_free(body) {
                true => MoverKind::Body,
                false => MoverKind::Prescribed,
            },
        }
    }

    /// Completes a step.
    pub(super) fn finish(&mut self, dt: f64, stages: &mut Stages) -> Result<(), StepError> {
        timed(&mut stages.motion, || self.rigid.finish(dt))
    }

    /// Returns the largest displacement in the last step, plus the largest one of a wall.
    pub(super) fn motion(&self, time: f64, dt: f64) -> f64 {
        let present = (0..self.rigid.len()).filter(|&body| !self.rigid.is_gone(body));
        let bodies = present.map(|body| {
            let turning = self.rigid.spin(body).norm() * self.rigid.reach(body);
            (self.rigid.velocity(body).norm() + turning) * dt
        });
        let walls = self
            .walls
            .iter()
            .map(|wall| wall.path.at(time).velocity.norm() * dt);

        bodies.fold(0.0, f64::max) + walls.fold(0.0, f64::max)
    }

    /// Collects the data for the check whether bodies pass through each other.
    pub(super) fn check_input<'a>(&'a self, names: &'a Names, time: f64) -> CheckInput<'a> {
        let bodies = (0..self.rigid.len()).filter(|&body| !self.rigid.is_gone(body));
        let thickness = self.widths.clone();
        let centre = |body: usize| {
            let centre = self.rigid.centre(body);
            (BodyRef::body(body), Point::from([centre.x, centre.y, 0.0]))
        };

        let walls = self.walls.iter().enumerate().map(|(number, wall)| Placed {
            screen: &wall.screen,
            owner: BodyRef::wall(number),
            pose: Some(wall.path.at(time).pose),
        });
        let polygons = self.sides.iter().enumerate().filter_map(|(body, screen)| {
            Some(Placed {
                screen: screen.as_ref()?,
                owner: BodyRef::body(body),
                pose: self
                    .rigid
                    .pose(body)
                    .filter(|_| !self.rigid.is_gone(body))
                    .and_then(|pose| lifted(&pose)),
            })
        });

        CheckInput {
            names,
            time,
            contacts: self.contacts(),
            thickness: [thickness, Vec::new()],
            centres: bodies.map(centre).collect(),
            screens: walls.chain(polygons).collect(),
            deformed: Vec::new(),
        }
    }

    pub(super) fn energy(&self) -> Energy {
        self.rigid.energy()
    }

    pub(super) fn momentum(&self) -> [f64; 3] {
        let [x, y] = self.rigid.momentum().into();
        [x, y, 0.0]
    }

    pub(super) fn angular_momentum(&self) -> [f64; 3] {
        self.rigid.angular_momentum().into()
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            bodies: (0..self.rigid.len())
                .filter(|&body| !self.rigid.is_gone(body))
                .count(),
            contacts: self.contacts().len(),
            ..Counts::default()
        }
    }

    pub(super) fn contacts(&self) -> Vec<ContactRecord> {
        let mut contacts = Vec::new();
        self.rigid.contacts(&mut contacts);
        contacts
    }

    pub(super) fn save(&self) -> Rigid2 {
        self.rigid.clone()
    }

    pub(super) fn restore(&mut self, rigid: Rigid2) -> Result<(), WorldError> {
        if rigid.len() != self.rigid.len() {
            return Err(WorldError::State);
        }
        self.rigid = rigid;
        self.queue.reset();
        Ok(())
    }
}

/// Returns the sides of a polygon, each as a rectangle perpendicular to the plane.
fn sides(shape: &RigidShape2) -> Option<Screen> {
    let corners = &outline(shape);
    let count = corners.len() as u32;
    let height = reach(corners);
    let points: Vec<Point<3>> = [-height, height]
        .iter()
        .flat_map(|&z| corners.iter().map(move |p| Point::from([p.x, p.y, z])))
        .collect();

    let triangles: Vec<[u32; 3]> = (0..count)
        .flat_map(|k| {
            let [a, b] = [k, (k + 1) % count];
            [[a, b, b + count], [a, b + count, a + count]]
        })
        .collect();

    Screen::mesh(&points, &triangles)
}

/// Returns the corners of a body, counter-clockwise; a disc is a polygon of 48 corners on it.
fn outline(form: &RigidShape2) -> Vec<Point<2>> {
    const CORNERS: u32 = 48;
    match form {
        RigidShape2::Polygon(polygon) => polygon.points().to_vec(),
        RigidShape2::Disc(disc) => {
            let corner = |k: u32| {
                let (sin, cos) = (TAU * f64::from(k) / f64::from(CORNERS)).sin_cos();
                Point::from([disc.radius() * cos, disc.radius() * sin])
            };
            (0..CORNERS).map(corner).collect()
        }
    }
}

/// Extends a 2D pose to 3D.
fn lifted(pose: &Pose<2>) -> Option<Pose<3>> {
    let (turn, at) = (pose.rotation(), pose.position());
    let mut rotation = Matrix::<3>::identity();
    rotation.fixed_view_mut::<2, 2>(0, 0).copy_from(turn);
    Pose::new(rotation, [at.x, at.y, 0.0]).ok()
}

/// Returns the smallest width of a polygon.
fn width(shape: &RigidShape2) -> f64 {
    let RigidShape2::Polygon(polygon) = shape else {
        return 2.0 * shape.radius().unwrap_or(0.0);
    };
    let points = polygon.points();
    (0..points.len())
        .filter_map(|k| {
            let side = points[(k + 1) % points.len()] - points[k];
            let across = Vector::from([-side.y, side.x]).try_normalize(0.0)?;
            let heights = points.iter().map(|point| across.dot(&(point - points[k])));
            Some(heights.fold(0.0, |most: f64, height| most.max(height.abs())))
        })
        .fold(f64::INFINITY, f64::min)
}

fn reach(points: &[Point<2>]) -> f64 {
    points
        .iter()
        .map(|point| point.coords.norm())
        .fold(0.0, f64::max)
}

fn refused(key: &str) -> impl Fn(InvalidRigid) -> WorldError + '_ {
    move |fault| WorldError::unsuited(key, fault.cause)
}
