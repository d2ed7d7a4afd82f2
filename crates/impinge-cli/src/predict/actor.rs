//! The objects of a scene as they move without contact.
//!
//! Everything is described in a frame that falls with gravity: what is free to fall moves at constant
//! velocity there, and what is held accelerates upwards. So nodes of deforming solids are on
//! straight lines, and a scene without gravity is not a special case. A solid that is held somewhere
//! and at rest stays as it is.

use super::itinerary::Itinerary;
use anyhow::{Context, ensure};
use impinge::bound::Ball;
use impinge::detect::forecast::{Forecast, ForecastId, Prepared};
use impinge::predict::MovingBall;
use impinge::shape::{Surface, generate};
use impinge::space::{Motion, Point, Pose, Vector};
use impinge::tree::Builder;
use impinge_run::scene::SceneSpec;
use impinge_sim::solid::ElasticSolid;
use impinge_sim::world::{Dimension, World};
use impinge_sim::{Path, TriangleMesh};
use std::collections::HashMap;

/// Maximum number of objects: every pair is planned.
const MOST_OBJECTS: usize = 10_000;

/// Subdivisions of the sphere of triangles that encloses a ball, and the number of objects up to
/// which it is so fine: a hierarchy takes 100 bytes per triangle.
const BALL_LEVELS: [(usize, usize); 3] = [(4, 100), (3, 1000), (2, MOST_OBJECTS)];

/// A moving object.
pub(super) struct Actor {
    pub(super) name: String,
    pub(super) triangles: Vec<[u32; 3]>,
    motion: ActorMotion,
    /// Its path, if the motion changes on the way.
    pub(super) itinerary: Option<Itinerary>,
    /// Whether it may touch itself.
    pub(super) folds: bool,
    /// Radius of a ball; its triangles enclose it.
    pub(super) radius: Option<f64>,
    /// Whether it is a half-space, shown as a block.
    pub(super) is_unbounded: bool,
}

enum ActorMotion {
    /// Points in the frame of the motion.
    Rigid(Vec<Point<3>>, Motion<3>),
    /// Points and velocities of the nodes.
    Nodes(Vec<Point<3>>, Vec<Vector<3>>),
}

impl Actor {
    /// Returns the points at a time, in the frame at rest.
    pub(super) fn points_at(&self, time: f64, gravity: &Vector<3>) -> Vec<Point<3>> {
        let fall = gravity * (0.5 * time * time);
        match &self.motion {
            ActorMotion::Rigid(points, motion) => {
                let (pose, fall) = match &self.itinerary {
                    Some(itinerary) => (itinerary.pose_at_rest(time), Vector::zeros()),
                    None => (motion.pose_at(time), fall),
                };
                points.iter().map(|p| pose.point(p) + fall).collect()
            }
            ActorMotion::Nodes(points, velocities) => {
                let nodes = points.iter().zip(velocities);
                nodes.map(|(point, v)| point + v * time + fall).collect()
            }
        }
    }

    /// Returns whether its nodes move and it may touch itself.
    pub(super) fn is_folding(&self) -> bool {
        self.folds && matches!(self.motion, ActorMotion::Nodes(..))
    }

    /// Returns the ball of a sphere.
    pub(super) fn ball(&self) -> Option<MovingBall<3>> {
        let (ActorMotion::Rigid(_, motion), Some(radius)) = (&self.motion, self.radius) else {
            return None;
        };
        let ball = Ball::new(motion.pose.position(), radius);
        Some(
            MovingBall::at_rest(ball)
                .with_velocity(motion.velocity)
                .with_acceleration(motion.acceleration),
        )
    }

    fn add(
        &self,
        forecast: &mut Forecast,
        known: &mut HashMap<u64, Prepared>,
    ) -> anyhow::Result<ForecastId> {
        let prepare = |points: &[Point<3>]| prepared(points, &self.triangles);
        Ok(match (&self.motion, self.radius) {
            // Balls of one radius share their hierarchy.
            (ActorMotion::Rigid(points, motion), Some(radius)) => {
                let shape = match known.get(&radius.to_bits()) {
                    Some(shape) => shape.clone(),
                    None => {
                        let shape = prepare(points)?;
                        known.insert(radius.to_bits(), shape.clone());
                        shape
                    }
                };
                forecast.add(shape, *motion)?
            }
            (ActorMotion::Rigid(points, motion), None) => {
                forecast.add(prepare(points)?, *motion)?
            }
            (ActorMotion::Nodes(points, velocities), _) => {
                let shape = Prepared::of_triangles(points, &self.triangles, Builder::Auto)?;
                forecast.add_deforming(shape, points, velocities)?
            }
        })
    }
}

/// Prepares a surface; others may start inside a closed one.
fn prepared(points: &[Point<3>], triangles: &[[u32; 3]]) -> anyhow::Result<Prepared> {
    let mesh = TriangleMesh {
        points: points.to_vec(),
        triangles: triangles.to_vec(),
    };
    Ok(match mesh.closed() {
        Ok(Some(surface)) => Prepared::new(&surface),
        _ => Prepared::of_triangles(points, triangles, Builder::Auto)?,
    })
}

/// Adds all objects to a forecast, in their order.
pub(super) fn add_all(actors: &[Actor], forecast: &mut Forecast) -> anyhow::Result<()> {
    let mut known = HashMap::new();
    for actor in actors {
        actor
            .add(forecast, &mut known)
            .with_context(|| format!("'{}'", actor.name))?;
    }
    Ok(())
}

/// Collects the objects of a world at its start.
pub(super) fn of_world(world: &World, scene: &SceneSpec, until: f64) -> anyhow::Result<Vec<Actor>> {
    let gravity = Vector::from(scene.weight::<3>());
    let count = world.body_count()
        + world.solids().len()
        + world.wall_count()
        + world.particles().map_or(0, |particles| particles.len());
    ensure!(
        count <= MOST_OBJECTS,
        "the scene has {count} objects; the times of at most {MOST_OBJECTS} are predicted"
    );
    let fine = |(_, most): &&(usize, usize)| count <= *most;
    let level = BALL_LEVELS.iter().find(fine).map_or(2, |(level, _)| *level);
    let unit = generate::icosphere(level)?;
    let mut actors = Vec::new();
    for body in 0..world.body_count() {
        let name = world.name(impinge_sim::BodyRef::body(body));
        let actor = of_body(world, (body, name.clone()), &unit, &gravity, until);
        actors.extend(actor.with_context(|| format!("'{name}'"))?);
    }

    for (number, solid) in world.solids().iter().enumerate() {
        actors.push(Actor {
            name: world.name(impinge_sim::BodyRef::solid(number)),
            triangles: solid.surface_triangles().to_vec(),
            motion: of_solid(solid, &gravity),
            itinerary: None,
            folds: solid.finds_self_contact(),
            radius: None,
            is_unbounded: false,
        });
    }

    if let Some(particles) = world.particles() {
        for place in 0..particles.len() {
            let grain = particles.grain_at(place);
            let pose = Pose::at(grain.position);
            let motion = Motion::at_rest(pose).with_velocity(grain.velocity);
            let name = format!("particle {}", particles.ids()[place]);
            actors.push(sphere(name, grain.radius, motion, &unit));
        }
    }

    let reach = reach(&actors, &gravity, until);
    for wall in 0..world.wall_count() {
        let name = world.name(impinge_sim::BodyRef::wall(wall));
        let actor = of_wall(world, wall, name.clone(), &gravity, reach, until);
        actors.push(actor.with_context(|| format!("'{name}'"))?);
    }
    Ok(actors)
}

fn of_solid(solid: &ElasticSolid, gravity: &Vector<3>) -> ActorMotion {
    let (points, velocities) = (solid.points().to_vec(), solid.velocities().to_vec());
    if solid.is_anywhere_held() && velocities.iter().all(|v| *v == Vector::<3>::zeros()) {
        let motion = Motion::at_rest(Pose::identity()).with_acceleration(-gravity);
        return ActorMotion::Rigid(points, motion);
    }
    ActorMotion::Nodes(points, velocities)
}

/// Returns an object whose motion changes on its way, from its points now.
fn on_itinerary(
    name: String,
    path: Path,
    (points, triangles): (Vec<Point<3>>, Vec<[u32; 3]>),
    gravity: &Vector<3>,
    until: f64,
) -> anyhow::Result<Actor> {
    let frame = Pose::at(Point::from(path.centre.unwrap_or_default()));
    let itinerary = Itinerary::new(path, frame, gravity, until)?;
    let back = path.at(0.0).pose.inverse();
    let start = points.iter().map(|p| frame.to_local(&back.point(p)));
    Ok(Actor {
        name,
        triangles,
        motion: ActorMotion::Rigid(start.collect(), itinerary.motion(0.0)?),
        itinerary: Some(itinerary),
        folds: false,
        radius: None,
        is_unbounded: false,
    })
}

fn of_body(
    world: &World,
    (body, name): (usize, String),
    unit: &Surface,
    gravity: &Vector<3>,
    until: f64,
) -> anyhow::Result<Option<Actor>> {
    let Some(state) = world.body(body) else {
        return Ok(None);
    };
    let (origin, velocity, acceleration) = match world.body_path(body) {
        None => (
            world.body_centre(body),
            world.body_velocity(body),
            Vector::zeros(),
        ),
        Some(path) => {
            let centre = path.centre.map_or(state.pose.position(), Point::from);
            let path = Path {
                centre: Some(centre.coords.into()),
                ..path
            };
            if Itinerary::changes(&path, until) {
                let surface = surface_now(world, body, &state.pose)?;
                return on_itinerary(name, path, surface, gravity, until).map(Some);
            }
            (centre, Vector::from(path.velocity), -gravity)
        }
    };
    let frame = Pose::new(*state.pose.rotation(), origin)?;
    let motion = Motion::at_rest(frame)
        .with_velocity(velocity)
        .with_acceleration(acceleration)
        .with_spin(state.spin)
        .checked()?;
    if let Some(radius) = world.body_radius(body) {
        // A ball that rotates about another point is represented by its surface.
        let centre = world.body_centre(body);
        if (origin - centre).norm() == 0.0 || state.spin.norm() == 0.0 {
            let mut motion = motion;
            motion.pose = Pose::at(centre);
            return Ok(Some(sphere(name, radius, motion, unit)));
        }
    }

    let (points, triangles) = surface_now(world, body, &state.pose)?;
    let points = points.iter().map(|point| frame.to_local(point)).collect();
    Ok(Some(Actor {
        name,
        triangles,
        motion: ActorMotion::Rigid(points, motion),
        itinerary: None,
        folds: false,
        radius: None,
        is_unbounded: false,
    }))
}

/// Returns the points and triangles of a body where it is.
fn surface_now(
    world: &World,
    body: usize,
    pose: &Pose<3>,
) -> anyhow::Result<(Vec<Point<3>>, Vec<[u32; 3]>)> {
    Ok(match world.dimension() {
        Dimension::Plane => prism(&world.polygon(body).context("it has no polygon")?),
        Dimension::Space => {
            let surface = world.body_surface(body).context("it has no surface")?;
            let points = surface.points.iter().map(|point| pose.point(point));
            (points.collect(), surface.triangles.clone())
        }
    })
}

fn of_wall(
    world: &World,
    wall: usize,
    name: String,
    gravity: &Vector<3>,
    reach: f64,
    until: f64,
) -> anyhow::Result<Actor> {
    let (state, path) = (world.wall(wall), world.wall_path(wall));
    let (points, triangles, is_unbounded) = match world.wall_surface(wall) {
        Some(surface) => {
            let points = surface.points.iter().map(|point| state.pose.point(point));
            (points.collect(), surface.triangles.clone(), false)
        }
        None => {
            let (point, outward) = world.wall_plane(wall).context("it has no plane")?;
            let (points, triangles) = block_below(&point, &outward, reach);
            (points, triangles, true)
        }
    };
    if Itinerary::changes(&path, until) {
        let moving = on_itinerary(name, path, (points, triangles), gravity, until)?;
        return Ok(Actor {
            is_unbounded,
            ..moving
        });
    }

    let frame = Pose::at(Point::from(path.centre.unwrap_or_default()));
    let motion = Motion::at_rest(frame)
        .with_velocity(path.velocity)
        .with_acceleration(-gravity)
        .with_spin(path.spin)
        .checked()?;
    let points: Vec<Point<3>> = points;
    Ok(Actor {
        name,
        triangles,
        motion: ActorMotion::Rigid(points.iter().map(|p| frame.to_local(p)).collect(), motion),
        itinerary: None,
        folds: false,
        radius: None,
        is_unbounded,
    })
}

/// Returns a ball as triangles that enclose it: a touch is not predicted late.
fn sphere(name: String, radius: f64, motion: Motion<3>, unit: &Surface) -> Actor {
    let inner = unit.triangles().iter().map(|corners| {
        let [a, b, c] = corners.map(|node| unit.points()[node as usize].coords);
        let normal = (b - a).cross(&(c - a));
        normal.dot(&a).abs() / normal.norm()
    });
    let scale = radius / inner.fold(1.0, f64::min);
    Actor {
        name,
        triangles: unit.triangles().to_vec(),
        motion: ActorMotion::Rigid(unit.points().iter().map(|p| p * scale).collect(), motion),
        itinerary: None,
        folds: false,
        radius: Some(radius),
        is_unbounded: false,
    }
}

/// Returns a polygon of the plane as a prism as high as it is wide.
fn prism(corners: &[Point<2>]) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
    let count = corners.len() as u32;
    let from = |p: &Point<2>| (p - corners[0]).norm();
    let height = corners.iter().map(from).fold(0.0, f64::max);
    let at = |z: f64| corners.iter().map(move |p| Point::from([p.x, p.y, z]));
    let points = at(-height).chain(at(height)).collect();
    let sides = (0..count).flat_map(|k| {
        let next = (k + 1) % count;
        [[k, next, next + count], [k, next + count, k + count]]
    });
    let caps = (1..count - 1).flat_map(|k| [[0, k + 1, k], [count, count + k, count + k + 1]]);
    (points, sides.chain(caps).collect())
}

/// Returns a block below a plane, large enough for all objects within the time.
fn block_below(
    point: &Point<3>,
    outward: &Vector<3>,
    reach: f64,
) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
    let across = outward.cross(&smallest_axis(outward)).normalize();
    let along = outward.cross(&across);
    let corner = |k: u32| {
        let side = |bit: u32| if k >> bit & 1 == 0 { -reach } else { reach };
        let depth = if k >> 2 & 1 == 0 { -reach } else { 0.0 };
        point + across * side(0) + along * side(1) + outward * depth
    };
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = faces
        .into_iter()
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), triangles.collect())
}

fn smallest_axis(v: &Vector<3>) -> Vector<3> {
    let k = v.abs().imin();
    Vector::from_fn(|i, _| if i == k { 1.0 } else { 0.0 })
}

/// Returns the largest distance from the origin that any object can reach.
fn reach(actors: &[Actor], gravity: &Vector<3>, until: f64) -> f64 {
    let fall = 0.5 * gravity.norm() * until * until;
    let of = |actor: &Actor| match &actor.motion {
        ActorMotion::Rigid(points, motion) => {
            let size = points.iter().map(|p| p.coords.norm()).fold(0.0, f64::max);
            let way = match &actor.itinerary {
                Some(itinerary) => itinerary.longest_way(until),
                None => motion.velocity.norm() * until,
            };
            motion.pose.position().coords.norm() + size + way
        }
        ActorMotion::Nodes(points, velocities) => {
            let ways = points.iter().zip(velocities);
            ways.map(|(p, v)| p.coords.norm() + v.norm() * until)
                .fold(0.0, f64::max)
        }
    };
    2.0 * (actors.iter().map(of).fold(1.0, f64::max) + fall)
}
