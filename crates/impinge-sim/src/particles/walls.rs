//! Forces between particles and obstacles.
//!
//! The contacts of each obstacle are found in parallel and added in the order of particles and
//! features. The reaction of the obstacle is an exact sum, because its contacts may be divided among
//! ranks.

use super::arrays::{Arrays, Load, REMOVED};
use super::order::Seat;
use super::overlap::{OverlapPartner, ParticleOverlap, ParticleOverlaps};
use crate::law::{
    ContactInput, DMT, HERTZ, JKR, LINEAR, Mixed, Push, Rolling, Stored, Table, Triple, push,
    stored,
};
use crate::obstacle::{MeshFeature, Obstacle, Reaction, SurfacePoint, Touch};
use crate::order_free::VectorSum;
use crate::path::along;
use impinge::space::Vector;
use rayon::prelude::*;
use std::cell::RefCell;

/// Particles near an obstacle per task.
const TASK: usize = 512;

/// A contact with an obstacle in this step.
struct ObstacleContact {
    foot: SurfacePoint,
    touch: Touch,
    push: Push,
    /// The feature touched at the last step.
    from: Option<MeshFeature>,
    /// Whether the particle's centre crossed the surface in this step.
    crosses: bool,
}

/// The effect of a step's contacts on an obstacle.
pub(super) struct Response {
    /// Force, torque about the position of the pose, and the force along a surface that moves along
    /// itself.
    pub(super) sums: [VectorSum; 3],
    /// Forces on the nodes of a deforming mesh, in the order of seats.
    pub(super) on_nodes: Vec<NodeForce>,
}

/// A force on a deforming mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeForce {
    /// Seat and id of the particle.
    pub(super) from: (Seat, u32),
    pub(super) face: u32,
    pub(super) weights: [f64; 3],
    pub(super) force: Vector<3>,
}

/// Adds the forces of contacts with one obstacle to the particles; returns those on the obstacle.
/// Overlaps are recorded for the obstacle of this number.
pub(super) fn push_obstacle(
    obstacle: &mut Obstacle,
    arrays: &mut Arrays,
    table: &Table,
    path: f64,
    margin: f64,
    dt: f64,
    (number, overlaps): (u32, &mut ParticleOverlaps),
) -> Response {
    obstacle.watch(&arrays.balls, &arrays.own, path, margin);
    let near = obstacle.near.particles.len();
    let mut work = WORK.take();
    let Work { tasks, went_on } = &mut work;
    tasks.resize_with(near.div_ceil(TASK), Task::default);
    let found_by = |(number, task): (usize, &mut Task)| {
        let range = number * TASK..near.min((number + 1) * TASK);
        task.find(obstacle, arrays, table, range, dt);
    };
    tasks.par_iter_mut().enumerate().for_each(found_by);

    book_ended(obstacle, arrays, tasks, went_on, dt);
    obstacle.work = obstacle.half_work(dt);
    obstacle.touches.clear();
    let mut response = Response {
        sums: std::array::from_fn(|_| VectorSum::default()),
        on_nodes: Vec::new(),
    };

    for bump in tasks.iter().flat_map(|task| &task.found) {
        obstacle.touches.push(bump.touch);
        let (force, torque) = (
            Vector::from(bump.push.force),
            Vector::from(bump.push.torque),
        );
        let arm = bump.foot.point - obstacle.pose.position();
        response.sums[0].add(&-force);
        response.sums[1].add(&-(arm.cross(&force) + torque));
        if obstacle.surface != Vector::<3>::zeros() {
            response.sums[2].add(&-along(&force, &bump.foot.normal));
        }
        let place = bump.touch.particle as usize;
        if obstacle.deforms() {
            response.on_nodes.push(NodeForce {
                from: (arrays.seats[place], arrays.ids[place]),
                face: bump.foot.face,
                weights: bump.foot.weights,
                force: -force,
            });
        }

        let arm = -bump.foot.normal * bump.foot.distance;
        let damped = bump.push.damped * arrays.balls[place].radius;
        let mut load = Load::new(&force, &(arm.cross(&force) + torque), damped);
        load.force[3] = bump.push.returned;
        arrays.loads[place].add(&load);

        let (particle, radius) = (arrays.ids[place], arrays.balls[place].radius);
        overlaps.add(ParticleOverlap {
            share: (radius - bump.foot.distance) / (2.0 * radius),
            particle,
            partner: OverlapPartner::Obstacle(number),
        });

        if bump.crosses {
            overlaps.add_crossing(particle, number);
        }
    }

    WORK.set(work);
    response
}

thread_local! {
    static WORK: RefCell<Work> = RefCell::default();
}

/// Memory reused from obstacle to obstacle.
#[derive(Default)]
struct Work {
    tasks: Vec<Task>,
    /// Contacts of the last step that continue, sorted.
    went_on: Vec<(u32, MeshFeature)>,
}

/// The contacts of some particles, and memory for the closest points of one.
#[derive(Default)]
struct Task {
    found: Vec<ObstacleContact>,
    surface_points: Vec<SurfacePoint>,
}

/// Sets the reaction of an obstacle.
pub(super) fn conclude(obstacle: &mut Obstacle, response: &Response, dt: f64) {
    obstacle.clear_reaction();
    for NodeForce {
        face,
        weights,
        force,
        ..
    } in &response.on_nodes
    {
        obstacle.receive(*face, *weights, force);
    }

    obstacle.reaction = Reaction::of(&response.sums);
    obstacle.last_pose = Some(obstacle.pose);
    obstacle.work += obstacle.half_work(dt);
}

/// Credits the energy that the springs of contacts ended in this step give back.
fn book_ended(
    obstacle: &Obstacle,
    arrays: &mut Arrays,
    tasks: &[Task],
    went_on: &mut Vec<(u32, MeshFeature)>,
    dt: f64,
) {
    let from = |bump: &ObstacleContact| bump.from.map(|spot| (bump.touch.particle, spot));
    went_on.clear();
    went_on.extend(tasks.iter().flat_map(|task| &task.found).filter_map(from));
    went_on.sort_unstable();

    for touch in &obstacle.touches {
        if went_on
            .binary_search(&(touch.particle, touch.spot))
            .is_err()
        {
            let place = touch.particle as usize;
            let arm = arrays.balls[place].centre - obstacle.pose.position();
            let of_obstacle = obstacle.velocity + obstacle.spin.cross(&arm);
            let parting = arrays.motions[place].velocity - of_obstacle;
            arrays.loads[place].force[3] +=
                touch.stored + 0.5 * dt * parting.dot(&Vector::from(touch.pressed));
        }
    }
}

impl Task {
    /// Finds the contacts of a range of the particles near an obstacle.
    fn find(
        &mut self,
        obstacle: &Obstacle,
        arrays: &Arrays,
        table: &Table,
        range: std::ops::Range<usize>,
        dt: f64,
    ) {
        let Self {
            found,
            surface_points,
        } = self;
        found.clear();
        for n in range {
            let place = obstacle.near.particles[n];
            let ball = &arrays.balls[place as usize];
            let curvature = 1.0 / ball.radius + obstacle.curvature();
            let held = table.tear_gap(arrays.species[place as usize], obstacle.material, curvature);
            obstacle.surface_points(
                &ball.centre,
                ball.radius + held,
                obstacle.near.faces_of(n),
                surface_points,
            );

            // Cohesion acts only after the surfaces have touched.
            let touched = |foot: &SurfacePoint| {
                let key = (place, foot.spot);
                let old = &obstacle.touches;
                old.binary_search_by_key(&key, |t| (t.particle, t.spot))
                    .is_ok()
            };
            surface_points.retain(|foot| foot.distance < ball.radius || touched(foot));

            if surface_points.is_empty() {
                continue;
            }

            let first = obstacle
                .touches
                .partition_point(|touch| touch.particle < place);
            let old = &obstacle.touches[first..];
            let old = &old[..old.partition_point(|touch| touch.particle == place)];

            // A fixed particle exerts no force on an obstacle that is immovable too.
            let gives_way = |foot: &&SurfacePoint| {
                !arrays.is_fixed(place as usize) || obstacle.inverse_masses_at(foot)[1] > 0.0
            };
            for foot in surface_points.iter().filter(gives_way) {
                let (mut touch, from) =
                    previous_contact(obstacle, place, foot, surface_points, old);
                let push = respond(
                    obstacle,
                    arrays,
                    table,
                    foot,
                    &mut touch,
                    from.is_none(),
                    dt,
                );
                let faces = obstacle.near.faces_of(n);
                let crosses = obstacle.is_crossed(arrays, place as usize, foot, faces, dt);
                found.push(ObstacleContact {
                    foot: *foot,
                    touch,
                    push,
                    from,
                    crosses,
                });
            }
        }
    }
}

/// Returns the contact's history: its own, or that of a neighbouring feature which the sphere has
/// just left; and that feature.
fn previous_contact(
    obstacle: &Obstacle,
    place: u32,
    foot: &SurfacePoint,
    surface_points: &[SurfacePoint],
    old: &[Touch],
) -> (Touch, Option<MeshFeature>) {
    let own = old.iter().find(|touch| touch.spot == foot.spot);
    let left = || {
        old.iter().find(|touch| {
            surface_points.iter().all(|foot| foot.spot != touch.spot)
                && obstacle.are_neighbours(touch.spot, foot.spot)
        })
    };
    let blank = Touch {
        particle: place,
        spot: foot.spot,
        spring: [0.0; 3],
        rolled: [0.0; 3],
        stored: 0.0,
        pressed: [0.0; 3],
    };

    own.or_else(left).map_or((blank, None), |touch| {
        let here = Touch {
            spot: foot.spot,
            ..*touch
        };
        (here, Some(touch.spot))
    })
}

/// Returns the law's input: the particle is body a, the obstacle body b with its own
/// curvature.
pub(super) fn meeting(
    obstacle: &Obstacle,
    arrays: &Arrays,
    place: usize,
    foot: &SurfacePoint,
) -> ContactInput {
    let (ball, motion) = (&arrays.balls[place], &arrays.motions[place]);
    let normal = -foot.normal;
    let turning = motion.spin.cross(&(normal * foot.distance));
    let [of_body, here] = obstacle.inverse_masses_at(foot);
    let inverse_mass_here = motion.inverse_mass + here;
    // A fixed particle in a solid that is held somewhere: only the nodes can move.
    let inverse_mass = match motion.inverse_mass + of_body {
        0.0 => inverse_mass_here,
        inverse_mass => inverse_mass,
    };

    ContactInput {
        normal: normal.into(),
        depth: ball.radius - foot.distance,
        velocity: (motion.velocity + turning - obstacle.velocity_at(foot)).into(),
        swing: swing(obstacle, motion, foot),
        spin: (motion.spin - obstacle.spin).into(),
        inverse_mass,
        inverse_mass_here,
        damped: motion.damped,
        begun: 0.0,
        inverse_radius: 1.0 / ball.radius + obstacle.curvature(),
    }
}

/// Returns the square of the tangential speed divided by the distance of the centres; zero for flat
/// faces, whose normal does not turn.
fn swing(obstacle: &Obstacle, motion: &super::arrays::Motion, foot: &SurfacePoint) -> f64 {
    let curvature = obstacle.curvature();
    if curvature == 0.0 {
        return 0.0;
    }

    let passing = motion.velocity - obstacle.velocity;
    let along = passing.dot(&foot.normal);
    let apart = 1.0 / curvature + foot.distance;
    if apart > 0.0 {
        (passing.norm_squared() - along * along).max(0.0) / apart
    } else {
        0.0
    }
}

fn respond(
    obstacle: &Obstacle,
    arrays: &Arrays,
    table: &Table,
    foot: &SurfacePoint,
    touch: &mut Touch,
    is_new: bool,
    dt: f64,
) -> Push {
    let place = touch.particle as usize;
    let mut meeting = meeting(obstacle, arrays, place, foot);
    meeting.begun = f64::from(is_new);
    let mixed = table.mixed(arrays.species[place], obstacle.material);
    let mixed = &mixed.part(foot.share);
    let (mut spring, mut angle) = (triple(touch.spring), triple(touch.rolled));
    let rolled = table.keeps_rolling().then_some(&mut angle);
    let rolls = table.law.rolling != Rolling::None;
    let (push, stored) = match (table.kind(), rolls) {
        (JKR, false) => (push::<f64, JKR, false> as LawOf, stored::<JKR> as EnergyOf),
        (JKR, true) => (push::<f64, JKR, true> as LawOf, stored::<JKR> as EnergyOf),
        (DMT, false) => (push::<f64, DMT, false> as LawOf, stored::<DMT> as EnergyOf),
        (DMT, true) => (push::<f64, DMT, true> as LawOf, stored::<DMT> as EnergyOf),
        (HERTZ, false) => (
            push::<f64, HERTZ, false> as LawOf,
            stored::<HERTZ> as EnergyOf,
        ),
        (HERTZ, true) => (
            push::<f64, HERTZ, true> as LawOf,
            stored::<HERTZ> as EnergyOf,
        ),
        (_, false) => (
            push::<f64, LINEAR, false> as LawOf,
            stored::<LINEAR> as EnergyOf,
        ),
        (_, true) => (
            push::<f64, LINEAR, true> as LawOf,
            stored::<LINEAR> as EnergyOf,
        ),
    };
    let push = push(mixed, &meeting, &mut spring, rolled, dt);
    let stored = stored(mixed, &meeting, &spring);

    // A contact that tears dissipates all the energy of its springs; any other returns the normal part.
    (touch.stored, touch.pressed) = match table.kind() {
        JKR => (stored.normal + stored.tangential, [0.0; 3]),
        _ => (stored.tangential, (foot.normal * stored.force).into()),
    };
    (touch.spring, touch.rolled) = ([spring.x, spring.y, spring.z], [angle.x, angle.y, angle.z]);
    push
}

type LawOf = fn(&Mixed, &ContactInput, &mut Triple, Option<&mut Triple>, f64) -> Push;
type EnergyOf = fn(&Mixed, &ContactInput, &Triple) -> Stored;

fn triple([x, y, z]: [f64; 3]) -> Triple {
    Triple { x, y, z }
}

/// Updates the contact history after particles changed places.
pub(super) fn renumber(obstacle: &mut Obstacle, places: &[u32]) {
    obstacle.near.forget();
    obstacle.touches.retain_mut(|touch| {
        touch.particle = places[touch.particle as usize];
        touch.particle != REMOVED
    });

    obstacle
        .touches
        .sort_unstable_by_key(|touch| (touch.particle, touch.spot));
}

/// Visits the current closest points of a particle's contacts, for queries outside a step.
pub(super) fn surface_points_now(
    obstacle: &Obstacle,
    arrays: &Arrays,
    table: &Table,
    mut visit: impl FnMut(&Touch, &SurfacePoint),
) {
    let mut surface_points = Vec::new();
    for n in 0..obstacle.near.particles.len() {
        let place = obstacle.near.particles[n];
        let ball = &arrays.balls[place as usize];
        let curvature = 1.0 / ball.radius + obstacle.curvature();
        let held = table.tear_gap(arrays.species[place as usize], obstacle.material, curvature);
        obstacle.surface_points(
            &ball.centre,
            ball.radius + held,
            obstacle.near.faces_of(n),
            &mut surface_points,
        );

        for foot in &surface_points {
            let at = obstacle
                .touches
                .binary_search_by_key(&(place, foot.spot), |t| (t.particle, t.spot));
            if let Ok(at) = at {
                visit(&obstacle.touches[at], foot);
            }
        }
    }
}

impl Obstacle {
    /// Returns whether two features share a node, so that a sphere passes continuously between
    /// them.
    fn are_neighbours(&self, one: MeshFeature, other: MeshFeature) -> bool {
        let [one, other] = [one, other].map(|spot| self.nodes_of(spot));
        one.iter()
            .flatten()
            .any(|node| other.contains(&Some(*node)))
    }
}
