//! Loads on walls and rigid bodies, with their motion.

use super::columns;
use crate::output::quoted;
use impinge::space::{Matrix, Point, Vector};
use impinge_sim::world::World;
use impinge_sim::{BodyKind, BodyRef, ContactRecord};

/// Torques are about the given position: the origin of a wall's frame, the centre of mass of a body.
pub(super) const HEADER: &str = "time,kind,id,name,x,y,z,qx,qy,qz,qw,velocity_x,velocity_y,velocity_z,spin_x,spin_y,\
                                 spin_z,force_x,force_y,force_z,torque_x,torque_y,torque_z,power";

/// The motion of a wall or body, and the load of all its contacts.
struct Load {
    body: BodyRef,
    position: Point<3>,
    rotation: Matrix<3>,
    velocity: Vector<3>,
    spin: Vector<3>,
    /// Velocity of its surface along itself, and the power of friction with it.
    surface: Vector<3>,
    rubbed: f64,
    force: Vector<3>,
    torque: Vector<3>,
}

pub(super) fn rows(world: &World, contacts: &[ContactRecord], time: f64) -> String {
    let mut loads: Vec<Load> = (0..world.wall_count())
        .map(|wall| at_wall(world, wall))
        .chain((0..world.body_count()).filter_map(|body| at_body(world, body)))
        .collect();
    loads.sort_by_key(|load| load.body);

    for contact in contacts {
        for (body, force) in contact
            .bodies
            .into_iter()
            .zip([-contact.force, contact.force])
        {
            if let Ok(n) = loads.binary_search_by_key(&body, |load| load.body) {
                let load = &mut loads[n];
                load.force += force;
                load.torque += (contact.point - load.position).cross(&force);
                let normal = contact.normal;
                load.rubbed += (force - normal * normal.dot(&force)).dot(&load.surface);
            }
        }
    }

    loads.iter().map(|load| row(world, load, time)).collect()
}

fn at_wall(world: &World, wall: usize) -> Load {
    let state = world.wall(wall);
    Load {
        body: BodyRef::wall(wall),
        position: state.pose.position(),
        rotation: *state.pose.rotation(),
        velocity: state.velocity,
        spin: state.spin,
        surface: state.surface,
        rubbed: 0.0,
        force: Vector::zeros(),
        torque: Vector::zeros(),
    }
}

fn at_body(world: &World, body: usize) -> Option<Load> {
    let state = world.body(body)?;
    Some(Load {
        body: BodyRef::body(body),
        position: world.body_centre(body),
        rotation: *state.pose.rotation(),
        velocity: world.body_velocity(body),
        spin: state.spin,
        surface: Vector::zeros(),
        rubbed: 0.0,
        force: Vector::zeros(),
        torque: Vector::zeros(),
    })
}

fn row(world: &World, load: &Load, time: f64) -> String {
    let kind = match load.body.kind {
        BodyKind::Wall => "wall",
        _ => "body",
    };
    let name = quoted(world.name(load.body));
    let rigid = load.force.dot(&load.velocity) + load.torque.dot(&load.spin);
    let power = rigid + load.rubbed;
    let mut numbers: Vec<f64> = load.position.iter().copied().collect();
    numbers.extend(quaternion(&load.rotation));
    for vector in [load.velocity, load.spin, load.force, load.torque] {
        numbers.extend(vector.iter());
    }
    numbers.push(power);

    format!(
        "{time:?},{kind},{},{name}{}\n",
        load.body.index,
        columns(&numbers)
    )
}

/// Returns the quaternion x, y, z, w of a rotation, with w not negative.
fn quaternion(rotation: &Matrix<3>) -> [f64; 4] {
    let r = |i: usize, j: usize| rotation[(i, j)];
    // By the largest component, so that the divisor is never small (Shepperd 1978).
    let squares = [
        1.0 + r(0, 0) - r(1, 1) - r(2, 2),
        1.0 - r(0, 0) + r(1, 1) - r(2, 2),
        1.0 - r(0, 0) - r(1, 1) + r(2, 2),
        1.0 + r(0, 0) + r(1, 1) + r(2, 2),
    ];
    let largest = (0..4)
        .max_by(|&a, &b| squares[a].total_cmp(&squares[b]))
        .expect("four");
    let twice = squares[largest].max(0.0).sqrt();
    let (sums, turns) = (
        [r(2, 1) + r(1, 2), r(0, 2) + r(2, 0), r(1, 0) + r(0, 1)],
        [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)],
    );
    let quaternion = match largest {
        0 => [squares[0], sums[2], sums[1], turns[0]],
        1 => [sums[2], squares[1], sums[0], turns[1]],
        2 => [sums[1], sums[0], squares[2], turns[2]],
        _ => [turns[0], turns[1], turns[2], squares[3]],
    };

    let sign = if quaternion[3] < 0.0 { -0.5 } else { 0.5 };
    quaternion.map(|x| x * sign / twice)
}

#[cfg(test)]
mod tests;
