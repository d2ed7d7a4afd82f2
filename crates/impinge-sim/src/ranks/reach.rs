//! Selects the particles of other ranks that a rank needs: its ghosts.
//!
//! A particle is needed by a rank if it may be in its neighbour list. Ranks publish the extent of
//! their particles, one box for each octave of radii, with the largest radius in it. A particle is
//! sent if it comes within the skin of a sphere of that radius anywhere in the box. A small particle
//! is therefore sent across a face as far as the large ones on the other side reach, and large ones do
//! not widen the ghost layer where they are absent. The receiver then builds its list and returns the
//! particles that are in no pair, so that each step transfers only neighbours.

use impinge::bound::Ball;
use impinge::broad::Period;
use impinge::space::{Aabb, Point};
use std::collections::BTreeMap;

/// Relative tolerance for rounding.
const ROUNDING: f64 = 1e-9;

/// The extent of a rank's particles of one size class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Box of their centres.
    pub bounds: Aabb<3>,
    /// Largest radius.
    pub radius: f64,
}

/// Returns the extents of particles, one for each octave of radii.
pub fn reaches(balls: impl Iterator<Item = Ball<3>>) -> Vec<Reach> {
    let mut classes: BTreeMap<i32, Reach> = BTreeMap::new();
    for ball in balls {
        let octave = ball.radius.log2().floor() as i32;
        let reach = classes.entry(octave).or_insert(Reach {
            bounds: Aabb {
                min: ball.centre,
                max: ball.centre,
            },
            radius: 0.0,
        });
        reach.radius = reach.radius.max(ball.radius);
        for axis in 0..3 {
            let (min, max) = (&mut reach.bounds.min, &mut reach.bounds.max);
            min[axis] = min[axis].min(ball.centre[axis]);
            max[axis] = max[axis].max(ball.centre[axis]);
        }
    }

    classes.into_values().collect()
}

/// Returns which of a rank's particles another one may need, by their indices. `mine` are the extents
/// of these particles, `theirs` those of the other rank.
pub fn select(
    balls: &[Ball<3>],
    mine: &[Reach],
    theirs: &[Reach],
    margin: f64,
    period: &Period<3>,
) -> Vec<u32> {
    let near: Vec<&Reach> = theirs
        .iter()
        .filter(|their| {
            mine.iter().any(|own| {
                gap(&own.bounds, &their.bounds, period) < limit(own.radius, their, margin)
            })
        })
        .collect();
    if near.is_empty() {
        return Vec::new();
    }

    let is_needed = |ball: &Ball<3>| {
        let at = Aabb {
            min: ball.centre,
            max: ball.centre,
        };
        near.iter()
            .any(|their| gap(&at, &their.bounds, period) < limit(ball.radius, their, margin))
    };
    (0..)
        .zip(balls)
        .filter(|(_, ball)| is_needed(ball))
        .map(|(place, _)| place)
        .collect()
}

/// Returns the distance of centres below which a sphere may be a neighbour of others.
fn limit(radius: f64, of: &Reach, margin: f64) -> f64 {
    (radius + of.radius + margin) * (1.0 + ROUNDING)
}

/// Returns the distance of two boxes, through the faces of a periodic domain if that is shorter.
fn gap(one: &Aabb<3>, other: &Aabb<3>, period: &Period<3>) -> f64 {
    let along = |axis: usize| {
        let apart = |shift: f64| {
            let (below, above) = (
                other.min[axis] - (one.max[axis] + shift),
                (one.min[axis] + shift) - other.max[axis],
            );
            below.max(above).max(0.0)
        };
        match period.lengths[axis] {
            Some(length) => apart(0.0).min(apart(length)).min(apart(-length)),
            None => apart(0.0),
        }
    };

    Point::from([along(0), along(1), along(2)]).coords.norm()
}

#[cfg(test)]
mod tests;
