//! The 2D world: rigid polygons and half-planes.

use super::bodies::rail_of;
use super::materials;
use super::stages::{Stages, timed};
use super::watch::{Placed, Screen, Sight};
use super::{
    BodyDef, BodyShape, Counts, Names, WallDef, WallShape, WorldError, WorldOptions, start,
};
use crate::rigid::{
    InvalidRigid, MotionPath, NewBody, PrescribedMotion, Rigid2, RigidShape, RigidShape2,
    StartOverlap,
};
use crate::{BodyRef, ContactRecord, Energy, Matter, Path, PathState, StepError};
use impinge::space::{Matrix, Point, Pose, Vector};

/// The 2D world.
pub(super) struct Plane {
    pub(super) rigid: Rigid2,
    walls: Vec<HalfPlane>,
    /// Sides of the bodies, which no centre may cross; `None` for invalid ones.
    sides: Vec<Option<Screen>>,
    /// Overlaps at the start.
    overlaps: Vec<StartOverlap>,
}

/// A wall.
struct HalfPlane {
    screen: Screen,
    path: Path,
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
            overlaps: Vec::new(),
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
        let BodyShape::Polygon(polygon) = &body.shape else {
            return Err(WorldError::unsuited(
                name,
                format!("a {} is no polygon", body.shape.kind()),
            ));
        };

        let form = RigidShape2::polygon(polygon.points())
            .map_err(|fault| WorldError::shape(name, fault))?;
        let form = self.rigid.add_form(form);
        let guide = |path: Path| PrescribedMotion {
            position: body.position,
            orientation: body.orientation,
            path,
        };
        let new = NewBody {
            form,
            density: body.density.unwrap_or(density),
            position: body.position,
            orientation: body.orientation,
            velocity: body.velocity,
            spin: body.spin,
            guide: body.path.map(guide),
            material: body.material,
        };
        let rail = rail_of(name, body.rail, &body.force)?;
        let number = self.rigid.add(&new).map_err(refused(name))?;
        if let Some(axis) = rail {
            self.rigid.put_on_rail(number, &axis);
        }
        if body.path.is_none() {
            self.rigid.set_constant_force(number, &body.force.into());
        }
        self.sides.push(sides(self.rigid.form(number)));
        Ok(())
    }

    /// Accepts the overlaps of bodies and walls from a given index on: they exert no force.
    pub(super) fn start(&mut self, bodies: usize, walls: usize) -> Result<(), WorldError> {
        self.overlaps = self
            .rigid
            .forgive_new_overlaps(bodies, walls)
            .map_err(|fault| WorldError::unsuited("rigid bodies", fault.to_string()))?;
        Ok(())
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
        })
    }

    /// Returns the corners of a body in world coordinates.
    pub(super) fn polygon(&self, body: usize) -> Option<Vec<Point<2>>> {
        if self.rigid.is_gone(body) {
            return None;
        }
        match (self.rigid.pose(body), self.rigid.form(body)) {
            (Some(pose), RigidShape2::Polygon(polygon)) => {
                let corners = polygon.points().iter();
                Some(corners.map(|point| pose.point(point)).collect())
            }
            _ => None,
        }
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
    pub(super) fn begin(&mut self, dt: f64, stages: &mut Stages) -> Result<(), StepError> {
        timed(&mut stages.motion, || self.rigid.begin(dt));
        timed(&mut stages.bodies, || self.rigid.interact(dt))
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
    pub(super) fn sight<'a>(&'a self, names: &'a Names, time: f64) -> Sight<'a> {
        let bodies = (0..self.rigid.len()).filter(|&body| !self.rigid.is_gone(body));
        let thickness = (0..self.rigid.len())
            .map(|body| width(self.rigid.form(body)))
            .collect();
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

        Sight {
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
        Ok(())
    }
}

/// Returns the sides of a polygon, each as a rectangle perpendicular to the plane.
fn sides(form: &RigidShape2) -> Option<Screen> {
    let RigidShape2::Polygon(polygon) = form else {
        return None;
    };
    let corners = polygon.points();
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

/// Extends a 2D pose to 3D.
fn lifted(pose: &Pose<2>) -> Option<Pose<3>> {
    let (turn, at) = (pose.rotation(), pose.position());
    let mut rotation = Matrix::<3>::identity();
    rotation.fixed_view_mut::<2, 2>(0, 0).copy_from(turn);
    Pose::new(rotation, [at.x, at.y, 0.0]).ok()
}

/// Returns the smallest width of a polygon.
fn width(form: &RigidShape2) -> f64 {
    let RigidShape2::Polygon(polygon) = form else {
        return 2.0 * form.radius().unwrap_or(0.0);
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
