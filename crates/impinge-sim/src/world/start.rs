//! Notes about probably unintended initial states: spheres overlapping obstacles, and rigid bodies
//! overlapping each other.

use super::Names;
use super::wall::Wall;
use crate::rigid::StartOverlap;
use crate::{BodyRef, Obstacle, Particles};
use impinge::bound::Ball;
use impinge::inside::{Inside, InsideOptions, Position};
use impinge::space::Aabb;

/// Depth, in radii, above which a sphere is reported as overlapping.
const DEEP: f64 = 0.01;

/// Ratio of wall size to the largest sphere's diameter that suggests a unit error (millimetres).
const SUSPICIOUS_SIZE: f64 = 5000.0;

/// Number of overlapping pairs of bodies that are named; the others are counted.
const NAMED: usize = 5;

/// Returns notes about rigid bodies that start overlapping each other or walls, deepest first.
pub(super) fn overlaps(found: &[StartOverlap], names: &Names) -> Vec<String> {
    let mut found = found.to_vec();
    found.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    let note = |overlap: &StartOverlap| {
        format!(
            "{} and {} overlap by {:.2e} m at the start; the initial overlap exerts no force, \
             only deeper penetration does",
            names.of(BodyRef::body(overlap.body)),
            names.of(overlap.other),
            overlap.depth
        )
    };
    let mut notes: Vec<String> = found.iter().take(NAMED).map(note).collect();

    if found.len() > NAMED {
        let more = found.len() - NAMED;
        notes.push(format!(
            "{more} more pairs of rigid bodies or walls overlap at the start"
        ));
    }

    notes
}

/// Returns notes about spheres that start overlapping something, and about walls of a suspicious
/// size. `owners` are those of the obstacles.
pub(super) fn notes(
    particles: &Particles,
    owners: &[BodyRef],
    walls: &[Wall],
    names: &Names,
) -> Vec<String> {
    let balls: Vec<Ball<3>> = particles
        .positions()
        .zip(particles.radii())
        .map(|(centre, radius)| Ball { centre, radius })
        .collect();

    if balls.is_empty() {
        return Vec::new();
    }

    let mut notes = Vec::new();
    for (&owner, obstacle) in owners.iter().zip(particles.obstacles()) {
        notes.extend(begin_in(&names.of(owner), obstacle, &balls));
    }

    for (number, wall) in walls.iter().enumerate() {
        let name = names.of(BodyRef::wall(number));
        notes.extend(another_size(&name, wall, &balls));
        notes.extend(begin_inside(&name, wall, &balls));
    }

    notes
}

/// Reports spheres that overlap the surface.
fn begin_in(name: &str, obstacle: &Obstacle, balls: &[Ball<3>]) -> Option<String> {
    let mut obstacle = obstacle.clone();
    obstacle.watch(balls, &vec![true; balls.len()], 0.0, 0.0);
    let (mut feet, mut depths) = (Vec::new(), Vec::new());

    for (n, &place) in obstacle.near.particles.iter().enumerate() {
        let Ball { centre, radius } = &balls[place as usize];
        obstacle.surface_points(centre, *radius, obstacle.near.faces_of(n), &mut feet);
        let deepest = feet
            .iter()
            .map(|foot| radius - foot.distance)
            .fold(0.0, f64::max);
        depths.extend((deepest > DEEP * radius).then_some(deepest));
    }

    let (count, deepest) = (depths.len(), depths.iter().copied().fold(0.0, f64::max));
    (count > 0).then(|| {
        let spheres = of(count, balls.len());
        format!("{spheres} start overlapping {name}, the deepest by {deepest:.2e} m, and will be ejected")
    })
}

/// Reports spheres inside a closed wall.
fn begin_inside(name: &str, wall: &Wall, balls: &[Ball<3>]) -> Option<String> {
    let inside = Inside::new(wall.closed.clone()?, &InsideOptions::default()).ok()?;
    let pose = wall.at(0.0).pose;
    let centres: Vec<_> = balls
        .iter()
        .map(|ball| pose.to_local(&ball.centre))
        .collect();
    let mut positions = Vec::new();
    inside.positions(&centres, &mut positions).ok()?;

    let count = positions
        .iter()
        .filter(|position| **position == Position::Inside)
        .count();
    (count > 0).then(|| {
        let spheres = of(count, balls.len());
        format!(
            "{spheres} start inside {name} and cannot leave it; if this is intended, set hollow \
             = true there"
        )
    })
}

/// Reports a wall whose size suggests other units.
fn another_size(name: &str, wall: &Wall, balls: &[Ball<3>]) -> Option<String> {
    let surface = wall.triangles.as_ref()?;
    let length = Aabb::of(surface.points.iter().copied()).longest_edge();
    let widest = 2.0 * balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
    let thinnest = 2.0
        * balls
            .iter()
            .map(|ball| ball.radius)
            .fold(f64::INFINITY, f64::min);

    if length > SUSPICIOUS_SIZE * widest {
        let times = (length / widest).round();
        Some(format!(
            "{name} is {length:.3} m long, {times} times as long as the widest sphere; lengths are metres, and a mesh in \
             millimetres needs scale = 0.001"
        ))
    } else {
        (length < thinnest).then(|| {
            format!(
                "{name} is {length:.3e} m long, smaller than every sphere; lengths are \
             metres, check its scale"
            )
        })
    }
}

fn of(count: usize, all: usize) -> String {
    if count == all {
        format!("all {all} spheres")
    } else {
        format!("{count} of {all} spheres")
    }
}
