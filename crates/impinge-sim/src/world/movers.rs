//! The objects of a 3D world, for the guard against tunnelling.

use super::guard::{GuardedStep, MOST_PARTS, Mover, MoverKind, Movers, SHARE};
use super::space::Space;
use super::watch::Screen;
use crate::rigid::RigidShape;
use crate::solid::ElasticSolid;
use crate::{BodyKind, BodyRef, StepError};
use impinge::broad::{Auto, BroadPhase, BroadScene, Pair};
use impinge::predict::{MovingBall, first_touch};
use impinge::space::{Aabb, Point, Pose};

/// Motion of a sphere in a step, in radii, below which it need not be examined.
const SLOW: f64 = SHARE;

impl Space {
    /// Returns whether any object may move far enough to pass through another within a step.
    pub(super) fn may_tunnel(&self, speed: f64, dt: f64) -> bool {
        2.0 * speed * dt > SHARE * self.thinnest()
    }

    /// Returns the smallest thickness of the objects that others can pass through.
    fn thinnest(&self) -> f64 {
        let bodies = self.passable.iter().flatten().chain(&self.folds);
        let walls = self.wall_thickness.iter();
        let walls = walls.map(|[to_bodies, to_solids]| match self.elastic.is_some() {
            true => to_bodies.min(*to_solids),
            false => *to_bodies,
        });
        bodies.copied().chain(walls).fold(f64::INFINITY, f64::min)
    }

    /// Returns the motion of each object in the next step.
    pub(super) fn movers(&self, time: f64, dt: f64) -> Vec<Mover> {
        let bodies = self.bodies.iter().flat_map(|bodies| {
            let there = (0..bodies.rigid.len()).filter(|&body| !bodies.rigid.is_gone(body));
            there.map(|body| self.body_mover(body, dt))
        });
        let solids = (0..).zip(self.solids());
        let solids = solids.map(|(number, solid)| self.solid_mover(number, solid, dt));
        let walls = (0..self.walls.len()).filter(|&wall| self.walls[wall].triangles.is_some());
        let walls = walls.map(|wall| self.wall_mover(wall, time, dt));
        bodies.chain(solids).chain(walls).collect()
    }

    fn body_mover(&self, body: usize, dt: f64) -> Mover {
        let rigid = &self.bodies.as_ref().expect("it has a body").rigid;
        let turn = rigid.spin(body).norm() * dt;
        let thickness = self.passable[0][body];
        Mover {
            object: BodyRef::body(body),
            centre: rigid.centre(body),
            shift: rigid.velocity(body) * dt,
            reach: rigid.reach(body),
            spread: turn * rigid.reach(body),
            turn,
            thickness: [thickness; 2],
            fold: f64::INFINITY,
            ball: rigid.shape(body).radius(),
            kind: match rigid.is_free(body) {
                true => MoverKind::Body,
                false => MoverKind::Prescribed,
            },
        }
    }

    fn solid_mover(&self, number: usize, solid: &ElasticSolid, dt: f64) -> Mover {
        let bounds = solid.bounds();
        let mean = solid.momentum() / solid.mass();
        let off = solid.velocities().iter().map(|v| (v - mean).norm());
        let thickness = self.passable[1][number];
        Mover {
            object: BodyRef::solid(number),
            centre: bounds.centre(),
            shift: mean * dt,
            reach: 0.5 * bounds.extent().norm(),
            spread: off.fold(0.0, f64::max) * dt,
            turn: 0.0,
            thickness: [thickness; 2],
            fold: self.folds[number],
            ball: None,
            kind: MoverKind::Solid,
        }
    }

    fn wall_mover(&self, number: usize, time: f64, dt: f64) -> Mover {
        let wall = &self.walls[number];
        let (middle, reach) = wall.ball();
        let (state, after) = (wall.at(time), wall.at(time + dt));
        let centre = state.pose.point(&middle);
        let turn = state.spin.norm().max(after.spin.norm()) * dt;
        Mover {
            object: BodyRef::wall(number),
            centre,
            shift: after.pose.point(&middle) - centre,
            reach: reach + wall.thickness,
            spread: turn * reach,
            turn,
            thickness: self.wall_thickness[number],
            fold: f64::INFINITY,
            ball: None,
            kind: MoverKind::Prescribed,
        }
    }

    /// Returns the number of parts of a step in which no sphere passes through anything.
    pub(super) fn parts_for_particles(&self, step: &GuardedStep) -> Result<u32, StepError> {
        let Some(particles) = &self.particles else {
            return Ok(1);
        };
        let motion = particles.largest_rate() * step.dt;
        if !(motion > SLOW && motion.is_finite()) {
            return Ok(1);
        }

        // Images across a periodic boundary are not examined: every fast sphere divides the step.
        if particles.is_periodic() {
            return limited((motion / SLOW).ceil(), || {
                too_fast("a particle".to_owned(), "its own image", motion, step)
            });
        }

        let balls = particles.moving_balls();
        let parts = self.parts_for_pairs(&balls, step)?;
        Ok(parts.max(self.parts_for_obstacles(&balls, step)?))
    }

    fn parts_for_pairs(
        &self,
        balls: &[(MovingBall<3>, u32)],
        step: &GuardedStep,
    ) -> Result<u32, StepError> {
        let swept = |(ball, _): &(MovingBall<3>, u32)| {
            let way = ball.velocity * step.dt + ball.acceleration * (0.5 * step.dt * step.dt);
            Aabb::of([ball.ball.centre, ball.ball.centre + way]).grown(ball.ball.radius)
        };
        let boxes: Vec<Aabb<3>> = balls.iter().map(swept).collect();
        let (mut pairs, mut parts) = (Vec::new(), 1);
        if Auto::default()
            .find_pairs(&BroadScene::of(&boxes), &mut pairs)
            .is_err()
        {
            return Ok(1);
        }

        for Pair { a, b } in pairs {
            let [(a, id), (b, other)] = [&balls[a as usize], &balls[b as usize]];
            let radius = a.ball.radius.min(b.ball.radius);
            let motion = (a.velocity - b.velocity).norm() * step.dt / radius;
            let needed = (motion / (2.0 * SHARE)).ceil();
            if needed > f64::from(parts) && first_touch(a, b, step.dt).is_some() {
                parts = limited(needed, || {
                    too_fast(
                        step.names.of(BodyRef::particle(*id)),
                        &step.names.of(BodyRef::particle(*other)),
                        motion,
                        step,
                    )
                })?;
            }
        }
        Ok(parts)
    }

    /// Walls, bodies and solids: a fast sphere divides the step if it comes near a face.
    fn parts_for_obstacles(
        &self,
        balls: &[(MovingBall<3>, u32)],
        step: &GuardedStep,
    ) -> Result<u32, StepError> {
        let mut parts = 1;
        for owner in self.obstacle_owners() {
            let Some(obstacle) = self.moving_screen(owner, step) else {
                continue;
            };
            for (ball, id) in balls {
                let [from, to] = obstacle.way(ball, step.dt);
                let motion = (to - from).norm() / ball.ball.radius;
                let needed = (motion / (2.0 * SHARE)).ceil();
                if needed > f64::from(parts) && obstacle.is_near(&from, &to, ball.ball.radius) {
                    parts = limited(needed, || {
                        let name = step.names.of(BodyRef::particle(*id));
                        too_fast(name, &step.names.of(owner), motion, step)
                    })?;
                }
            }
        }
        Ok(parts)
    }

    /// Returns the surface of an obstacle with its poses at both ends of a step; `None` for
    /// half-spaces, which have no other side.
    fn moving_screen(&self, owner: BodyRef, step: &GuardedStep) -> Option<MovingScreen<'_>> {
        let index = owner.index as usize;
        let (screen, poses, spread) = match owner.kind {
            BodyKind::Wall => {
                let wall = &self.walls[index];
                let poses = [step.time, step.time + step.dt].map(|time| wall.at(time).pose);
                (
                    Surface::Cached(self.wall_screens[index].as_ref()?),
                    poses,
                    0.0,
                )
            }
            BodyKind::Body => {
                let rigid = &self.bodies.as_ref()?.rigid;
                if rigid.is_gone(index) {
                    return None;
                }
                let after = rigid.pose_after(index, step.dt)?;
                let poses = [rigid.pose(index)?, after];
                (
                    Surface::Cached(self.body_screens[index].as_ref()?),
                    poses,
                    0.0,
                )
            }
            BodyKind::Solid => {
                let solid = &self.solids()[index];
                let screen = Screen::mesh(solid.points(), solid.surface_triangles())?;
                let mean = solid.momentum() / solid.mass();
                let off = solid.velocities().iter().map(|v| (v - mean).norm());
                let spread = off.fold(0.0, f64::max) * step.dt;
                let after = Pose::at(Point::from(mean * step.dt));
                (
                    Surface::Built(Box::new(screen)),
                    [Pose::identity(), after],
                    spread,
                )
            }
            BodyKind::Particle => return None,
        };

        let is_mesh = matches!(screen.get(), Screen::Mesh(..));
        is_mesh.then_some(MovingScreen {
            screen,
            poses,
            spread,
        })
    }
}

/// An obstacle of the particles in a step.
struct MovingScreen<'a> {
    screen: Surface<'a>,
    poses: [Pose<3>; 2],
    /// Largest displacement of a point relative to the poses.
    spread: f64,
}

enum Surface<'a> {
    Cached(&'a Screen),
    Built(Box<Screen>),
}

impl Surface<'_> {
    fn get(&self) -> &Screen {
        match self {
            Self::Cached(screen) => screen,
            Self::Built(screen) => screen,
        }
    }
}

impl MovingScreen<'_> {
    /// Returns the ends of a ball's way in the frame of the obstacle.
    fn way(&self, ball: &MovingBall<3>, dt: f64) -> [Point<3>; 2] {
        let end = ball.ball.centre + ball.velocity * dt + ball.acceleration * (0.5 * dt * dt);
        [
            self.poses[0].to_local(&ball.ball.centre),
            self.poses[1].to_local(&end),
        ]
    }

    /// Returns whether a face lies in the ball around a way.
    fn is_near(&self, from: &Point<3>, to: &Point<3>, radius: f64) -> bool {
        let Screen::Mesh(tree, _) = self.screen.get() else {
            return false;
        };
        let (middle, half) = (nalgebra::center(from, to), 0.5 * (to - from).norm());
        let mut faces = Vec::new();
        tree.faces_within(&middle, half + radius + self.spread, &mut faces);
        !faces.is_empty()
    }
}

impl Movers for Space {
    fn triangles(&self, object: BodyRef) -> Option<&[[u32; 3]]> {
        let index = object.index as usize;
        match object.kind {
            BodyKind::Body => Some(&self.bodies.as_ref()?.surfaces[index].triangles),
            BodyKind::Wall => Some(&self.walls[index].triangles.as_ref()?.triangles),
            BodyKind::Solid => Some(self.solids()[index].surface_triangles()),
            BodyKind::Particle => None,
        }
    }

    fn points_after(&self, object: BodyRef, seconds: f64) -> Option<Vec<Point<3>>> {
        let index = object.index as usize;
        let (pose, points) = match object.kind {
            BodyKind::Body => {
                let bodies = self.bodies.as_ref()?;
                let pose = bodies.rigid.pose_after(index, seconds)?;
                (pose, &bodies.surfaces[index].points)
            }
            BodyKind::Wall => {
                let wall = &self.walls[index];
                let pose = wall.at(self.guarded_time + seconds).pose;
                (pose, &wall.triangles.as_ref()?.points)
            }
            BodyKind::Solid => {
                let solid = &self.solids()[index];
                return Some(solid.points_after(seconds, self.guarded_time));
            }
            BodyKind::Particle => return None,
        };
        Some(points.iter().map(|point| pose.point(point)).collect())
    }
}

/// Returns a number of parts, or the error if there are too many.
fn limited(needed: f64, error: impl FnOnce() -> StepError) -> Result<u32, StepError> {
    if needed <= MOST_PARTS {
        Ok(needed as u32)
    } else {
        Err(error())
    }
}

fn too_fast(body: String, other: &str, radii: f64, step: &GuardedStep) -> StepError {
    let advised = MOST_PARTS * 2.0 * SHARE / radii * step.dt;
    StepError {
        body,
        cause: format!(
            "would pass through {other} in the step from {:.9} s on: they move by {radii:.1} of its radii in {:.3e} s",
            step.time, step.dt
        ),
        hint: format!("use a step of at most {advised:.1e} s"),
    }
}
