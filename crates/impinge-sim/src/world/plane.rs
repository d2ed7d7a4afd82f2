//! The 2D world: rigid polygons and half-planes.

use super::build::{self, Draw};
use super::stages::{Stages, timed};
use super::watch::{Kind, Placed, Screen, Sight};
use super::{WorldError, attach, start};
use crate::output::{ContactRow, Counts, Frame};
use crate::rigid::{InvalidRigid, MotionPath, NewBody, Rigid2, RigidShape, RigidShape2};
use crate::scene::{BodySpec, ConvexSpec, MotionSpec, SceneSpec, ShapeSpec, Turn};
use crate::{Energy, ForceLine, Matter, StepError};
use impinge::shape::{ElementKind, Polygon, generate};
use impinge::space::{Matrix, Point, Pose, Random, Vector};
use impinge_io::{Dataset, Field, Format};

/// Random positions tried for one body.
const TRIALS: usize = 20_000;

/// The 2D world.
pub(super) struct Plane {
    rigid: Rigid2,
    walls: Vec<HalfPlane>,
    /// Sides of the bodies, which no centre may cross; `None` for invalid ones.
    sides: Vec<Option<Screen>>,
    notes: Vec<String>,
}

/// A wall.
struct HalfPlane {
    /// Its index in the scene.
    number: usize,
    screen: Screen,
    motion: MotionSpec,
}

/// A polygon with its position and motion.
struct Planned {
    points: Vec<Point<2>>,
    new: NewBody,
}

impl Plane {
    pub(super) fn new(scene: &SceneSpec) -> Result<Self, WorldError> {
        let mut random = build::random(scene, Draw::Bodies);
        let mut taken = Vec::new();
        let mut planned = Vec::new();

        for (i, body) in scene.body.iter().enumerate() {
            plan(
                &format!("body[{i}]"),
                body,
                scene,
                &mut random,
                &mut taken,
                &mut planned,
            )?;
        }

        let [x, y] = scene.weight();
        let mut rigid =
            Rigid2::new(build::rigid_laws(scene), [x, y, 0.0]).map_err(refused("body"))?;

        for body in planned {
            let form = RigidShape2::polygon(&body.points)
                .map_err(|fault| WorldError::shape("body", fault))?;
            let form = rigid.add_form(form);
            rigid
                .add(&NewBody { form, ..body.new })
                .map_err(refused("body"))?;
        }

        let mut walls = Vec::new();
        for (i, wall) in scene.wall.iter().enumerate() {
            if let Some((point, normal)) = wall.point.as_ref().zip(wall.normal.as_ref()) {
                let [point, normal] = [point, normal].map(|v| [v[0], v[1], 0.0]);
                let motion = wall.motion.clone().unwrap_or_default();
                let guide = attach::guide(&motion, [0.0; 3], [0.0, 0.0, 0.0, 1.0]);
                let mount = MotionPath {
                    guide,
                    material: build::material(scene, wall.material.as_ref()),
                };
                rigid
                    .add_half_space(point, normal, mount)
                    .map_err(refused(&format!("wall[{i}]")))?;

                walls.push(HalfPlane {
                    number: i,
                    screen: Screen::half_space([point, normal]),
                    motion,
                });
            }
        }

        let overlaps = rigid
            .forgive_overlaps()
            .map_err(|trouble| WorldError::unsuited("body", trouble.to_string()))?;
        let floors: Vec<usize> = walls.iter().map(|wall| wall.number).collect();
        let notes = start::overlaps(&overlaps, &floors, &[]);
        let sides = (0..rigid.len())
            .map(|body| sides(rigid.form(body)))
            .collect();

        Ok(Self {
            rigid,
            walls,
            sides,
            notes,
        })
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    pub(super) fn stable_step(&self) -> f64 {
        self.rigid.stable_step()
    }

    pub(super) fn step(&mut self, dt: f64, stages: &mut Stages) -> Result<(), StepError> {
        timed(&mut stages.motion, || self.rigid.begin(dt));
        timed(&mut stages.bodies, || self.rigid.interact(dt))?;
        timed(&mut stages.motion, || self.rigid.finish(dt))
    }

    /// Returns the largest displacement in the last step, plus the largest one of a wall.
    pub(super) fn motion(&self, time: f64, dt: f64) -> f64 {
        let bodies = (0..self.rigid.len()).map(|body| {
            let turning = self.rigid.spin(body).norm() * self.rigid.reach(body);
            (self.rigid.velocity(body).norm() + turning) * dt
        });
        let walls = self
            .walls
            .iter()
            .map(|wall| wall.motion.at(time).velocity.norm() * dt);

        bodies.fold(0.0, f64::max) + walls.fold(0.0, f64::max)
    }

    /// Collects the data for the check whether bodies pass through each other.
    pub(super) fn sight(&self, time: f64) -> Sight<'_> {
        let bodies = 0..self.rigid.len();
        let thickness = bodies
            .clone()
            .map(|body| width(self.rigid.form(body)))
            .collect();
        let who = |body: usize| (Kind::Bodies, body as u32);
        let centre = |body: usize| {
            let centre = self.rigid.centre(body);
            (who(body), Point::from([centre.x, centre.y, 0.0]))
        };

        let walls = self.walls.iter().map(|wall| Placed {
            screen: &wall.screen,
            name: format!("wall[{}]", wall.number),
            owner: None,
            pose: Some(wall.motion.at(time).pose),
        });
        let polygons = self.sides.iter().enumerate().filter_map(|(body, screen)| {
            Some(Placed {
                screen: screen.as_ref()?,
                name: format!("rigid body {body}"),
                owner: Some(who(body)),
                pose: self.rigid.pose(body).and_then(|pose| lifted(&pose)),
            })
        });

        Sight {
            time,
            contacts: self.touches(),
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

    pub(super) fn counts(&self) -> Counts {
        Counts {
            bodies: self.rigid.len(),
            contacts: self.lines().len(),
            ..Counts::default()
        }
    }

    fn lines(&self) -> Vec<ForceLine<2>> {
        let mut lines = Vec::new();
        self.rigid.contacts(&mut lines);
        lines
    }

    pub(super) fn touches(&self) -> Vec<ContactRow> {
        let lifted = |line: ForceLine<2>| ForceLine {
            bodies: line.bodies,
            point: Point::from([line.point.x, line.point.y, 0.0]),
            force: Vector::from([line.force.x, line.force.y, 0.0]),
            depth: line.depth,
        };
        self.lines()
            .into_iter()
            .map(|line| ContactRow {
                kind: "bodies",
                line: lifted(line),
            })
            .collect()
    }

    pub(super) fn frames(&self) -> Vec<Frame> {
        let centres = (0..self.rigid.len()).map(|body| self.rigid.centre(body));
        let centres: Vec<Point<3>> = centres.map(|c| Point::from([c.x, c.y, 0.0])).collect();
        let lines: Vec<ForceLine<3>> = self.touches().into_iter().map(|touch| touch.line).collect();
        let centre_of = |body: u32| ((body as usize) < centres.len()).then_some(body);
        vec![
            self.bodies(),
            super::frames::network(&[("bodies", lines)], &centres, |_, body, _| centre_of(body)),
        ]
    }

    /// Returns the polygons as fans of triangles, in the plane z = 0.
    fn bodies(&self) -> Frame {
        let mut dataset = Dataset::default();
        let (mut numbers, mut speeds) = (Vec::new(), Vec::new());
        for body in 0..self.rigid.len() {
            let (Some(pose), RigidShape2::Polygon(polygon)) =
                (self.rigid.pose(body), self.rigid.form(body))
            else {
                continue;
            };
            let first = dataset.mesh.points.len() as u32;
            let points = polygon.points().iter().map(|point| pose.point(point));
            dataset
                .mesh
                .points
                .extend(points.map(|point| Point::from([point.x, point.y, 0.0])));

            for corner in 2..polygon.corner_count() as u32 {
                dataset.mesh.push(
                    ElementKind::Tri3,
                    &[first, first + corner - 1, first + corner],
                );
                numbers.push(body as i64);
                speeds.push(self.rigid.velocity(body).norm());
            }
        }

        dataset.cell_fields = vec![
            Field::whole("body", numbers),
            Field::scalar("speed", speeds),
        ];
        Frame {
            kind: "bodies",
            format: Format::Vtp,
            dataset,
        }
    }

    pub(super) fn save(&self) -> Rigid2 {
        self.rigid.clone()
    }

    pub(super) fn restore(&mut self, rigid: Rigid2) {
        self.rigid = rigid;
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

fn plan(
    key: &str,
    body: &BodySpec,
    scene: &SceneSpec,
    random: &mut Random,
    taken: &mut Vec<(Point<2>, f64)>,
    planned: &mut Vec<Planned>,
) -> Result<(), WorldError> {
    let material = build::material(scene, body.material.as_ref());
    let density = build::materials(scene)[material].density;
    let number = |numbers: &[f64], i: usize| numbers.get(i).copied().unwrap_or(0.0);

    for placed in 0..body.count {
        let points = polygon(key, &body.shape, random)?;
        let (at, angle) = match &body.region {
            None => (
                Point::from([body.position[0], body.position[1]]),
                angle(body.rotation),
            ),
            Some(_) => {
                place(body, reach(&points), random, taken).ok_or_else(|| WorldError::Room {
                    key: key.to_owned(),
                    placed,
                    count: body.count,
                })?
            }
        };
        let (sin, cos) = (0.5 * angle).sin_cos();

        let mut new = NewBody {
            density,
            material,
            position: [at.x, at.y, 0.0],
            orientation: [0.0, 0.0, sin, cos],
            velocity: [number(&body.velocity, 0), number(&body.velocity, 1), 0.0],
            spin: [0.0, 0.0, number(&body.spin, 0)],
            ..NewBody::default()
        };

        if body.fixed || body.motion.is_some() {
            let motion = body.motion.clone().unwrap_or_default();
            new.guide = Some(attach::guide(&motion, new.position, new.orientation));
        }

        planned.push(Planned { points, new });
    }

    Ok(())
}

fn place(
    body: &BodySpec,
    reach: f64,
    random: &mut Random,
    taken: &mut Vec<(Point<2>, f64)>,
) -> Option<(Point<2>, f64)> {
    let region = body.region.as_ref()?;
    for _ in 0..TRIALS {
        let Some(centre) = region.draw::<2>(reach, random) else {
            continue;
        };
        if taken
            .iter()
            .all(|(other, radius)| (other - centre).norm() > radius + reach)
        {
            taken.push((centre, reach));
            return Some((centre, random.within(0.0, std::f64::consts::TAU)));
        }
    }

    None
}

fn polygon(key: &str, shape: &ShapeSpec, random: &mut Random) -> Result<Vec<Point<2>>, WorldError> {
    let hull =
        |points: &[Point<2>]| Polygon::hull(points).map_err(|fault| WorldError::shape(key, fault));
    let made = match shape {
        ShapeSpec::Box(edges) => {
            let [x, y] = [0.5 * edges[0], 0.5 * edges[1]];
            hull(&[[-x, -y], [x, -y], [x, y], [-x, y]].map(Point::from))?
        }
        ShapeSpec::Points(points) => hull(
            &points
                .iter()
                .map(|point| Point::from([point[0], point[1]]))
                .collect::<Vec<_>>(),
        )?,
        ShapeSpec::Polygon(ConvexSpec { vertices, radius }) => {
            let size = radius.draw(random);
            let unit = generate::polygon(*vertices, random.bits());
            let unit = unit.map_err(|fault| WorldError::argument(key, fault))?;
            hull(
                &unit
                    .points()
                    .iter()
                    .map(|point| point * size)
                    .collect::<Vec<_>>(),
            )?
        }
        other => {
            return Err(WorldError::unsuited(
                key,
                format!("a {} is no polygon", other.kind()),
            ));
        }
    };

    Ok(made.points().to_vec())
}

fn reach(points: &[Point<2>]) -> f64 {
    points
        .iter()
        .map(|point| point.coords.norm())
        .fold(0.0, f64::max)
}

fn angle(rotation: Option<Turn>) -> f64 {
    match rotation {
        Some(Turn::Angle(angle)) => angle,
        _ => 0.0,
    }
}

fn refused(key: &str) -> impl Fn(InvalidRigid) -> WorldError + '_ {
    move |fault| WorldError::unsuited(key, fault.to_string())
}
