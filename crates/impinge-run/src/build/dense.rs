//! Dense random packings, up to a solid fraction of about 0.6.
//!
//! Spheres start at random places, as many as fit, and overlaps are then pushed apart: each pair moves by a part of its
//! overlap to either side, all pairs at once, until the largest overlap is a thousandth of a radius (a force-biased packing,
//! Mościński et al. 1989, without its shrinking of radii). Motions have Nesterov's memory, which is dropped whenever they
//! lead uphill (O'Donoghue and Candès 2015). Random close packing at 0.64 is where this no longer converges; walls
//! order the spheres beside them, so that 0.6 of a small box is closer to it than 0.6 of a large one.
//!
//! Neighbours are kept in a list until a sphere has moved by half of the list's skin: 40 lists for 250 to 700 rounds at 0.6.

use super::neighbours::Neighbours;
use super::placed::Placed;
use crate::scene::RegionSpec;
use impinge::space::{Point, Random, Vector};
use rayon::prelude::*;

/// Largest overlap that is left, in radii of the smallest sphere.
const LEFT: f64 = 1e-3;

/// Rounds after which the packing is given up.
const ROUNDS: usize = 6000;

/// Share of an overlap by which each of the two spheres is pushed in a round, largest share of the last round's motion that
/// it keeps, and share of the reach by which spheres are pushed further apart than they need. Found by trial on 5,000 to
/// 100,000 spheres at 0.6; with a push of 0.5 the motion of many contacts at once no longer decays.
const PUSH: f64 = 0.2;
const KEEP: f64 = 0.97;
const SPARE: f64 = 0.003;

/// Skin of the list of neighbours, in mean radii.
const SKIN: f64 = 0.5;

/// Spheres moved by one task.
const TASK: usize = 1024;

/// Packs spheres of these radii into a region, clear of others that stay where they are; `None` if they do not fit.
pub(super) fn pack(
    region: &RegionSpec,
    radii: &[f64],
    others: &[Placed],
    period: [bool; 3],
    random: &mut Random,
) -> Option<Vec<Placed>> {
    let bounds = region.bounds::<3>();
    let all = || {
        others
            .iter()
            .map(|other| other.radius)
            .chain(radii.iter().copied())
    };
    let largest = all().fold(0.0, f64::max);
    let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let near =
        |other: &&Placed| bounds.squared_distance(&other.centre) < (other.radius + largest).powi(2);

    let mut spheres: Vec<Placed> = radii
        .iter()
        .map(|&radius| {
            start(region, radius, period, random).map(|centre| Placed { centre, radius })
        })
        .collect::<Option<_>>()?;
    // Neighbours in space are neighbours in memory.
    let layer = |sphere: &Placed, axis: usize| (sphere.centre[axis] / (4.0 * largest)).floor();
    spheres.sort_by(|a, b| {
        let along = |axis: usize| layer(a, axis).total_cmp(&layer(b, axis));
        along(2).then(along(1)).then(along(0))
    });
    spheres.extend(others.iter().filter(near));

    let skin = SKIN * all().sum::<f64>() / all().count().max(1) as f64;
    let mut packing = Packing {
        free: radii.len(),
        motions: vec![Vector::zeros(); radii.len()],
        neighbours: Neighbours::new(bounds, period, SPARE, skin),
        spheres,
        age: 0.0,
    };
    (0..ROUNDS)
        .any(|_| packing.round(region, period) < LEFT * least)
        .then(|| packing.spheres[..packing.free].to_vec())
}

/// Spheres on their way to a packing.
struct Packing {
    /// The first ones move, the others stay where they are.
    free: usize,
    spheres: Vec<Placed>,
    motions: Vec<Vector<3>>,
    neighbours: Neighbours,
    /// Rounds since the memory of motions was dropped.
    age: f64,
}

impl Packing {
    /// Pushes all overlapping spheres apart, unless none overlaps by much; returns the deepest overlap.
    fn round(&mut self, region: &RegionSpec, period: [bool; 3]) -> f64 {
        self.neighbours.update(&self.spheres);
        let pushes: Vec<(Vector<3>, f64)> = (0..self.free)
            .into_par_iter()
            .with_min_len(TASK)
            .map(|n| self.pushed(n))
            .collect();
        let deepest = pushes.iter().fold(0.0, |most: f64, push| most.max(push.1));

        // Momentum that leads back against the pushes only delays.
        let pairs = || self.motions.iter().zip(&pushes);
        let downhill: f64 = pairs().map(|(motion, (push, _))| motion.dot(push)).sum();
        self.age = if downhill < 0.0 { 0.0 } else { self.age + 1.0 };
        let keep = (self.age / (self.age + 3.0)).min(KEEP);
        let moved = self.spheres[..self.free].iter_mut().zip(&mut self.motions);
        for ((sphere, motion), (push, _)) in moved.zip(&pushes) {
            *motion = *motion * keep + push;
            let centre = sphere.centre + *motion;
            sphere.centre = inside(region, &centre, sphere.radius, period);
        }

        deepest
    }

    /// Returns the push on a sphere, and its deepest overlap.
    fn pushed(&self, n: usize) -> (Vector<3>, f64) {
        let sphere = &self.spheres[n];
        let (mut shift, mut deepest) = (Vector::<3>::zeros(), 0.0_f64);
        for &other in self.neighbours.of(n) {
            let other = &self.spheres[other as usize];
            let way = self.neighbours.nearest(sphere.centre - other.centre);
            let (squared, reach) = (way.norm_squared(), sphere.radius + other.radius);
            let wanted = reach * (1.0 + SPARE);
            if squared < wanted * wanted && squared > 0.0 {
                let distance = squared.sqrt();
                shift += way * (PUSH * (wanted - distance) / distance);
                deepest = deepest.max(reach - distance);
            }
        }

        (shift, deepest)
    }
}

/// Draws a first place; in a periodic box, anywhere.
fn start(
    region: &RegionSpec,
    radius: f64,
    period: [bool; 3],
    random: &mut Random,
) -> Option<Point<3>> {
    const TRIALS: usize = 1000;
    if period != [false; 3] {
        let bounds = region.bounds::<3>();
        let drawn = Point::from([0, 1, 2].map(|k| random.within(bounds.min[k], bounds.max[k])));
        return Some(inside(region, &drawn, radius, period));
    }
    (0..TRIALS).find_map(|_| region.draw(radius, random))
}

/// Returns the nearest place at which a ball is within the region.
fn inside(region: &RegionSpec, centre: &Point<3>, radius: f64, period: [bool; 3]) -> Point<3> {
    match region {
        RegionSpec::Box(_) => {
            let bounds = region.bounds::<3>();
            Point::from([0, 1, 2].map(|k| {
                let (low, up) = (bounds.min[k], bounds.max[k]);
                match period[k] {
                    true => low + (centre[k] - low).rem_euclid(up - low),
                    false => centre[k].clamp(low + radius, (up - radius).max(low + radius)),
                }
            }))
        }
        RegionSpec::Sphere(ball) => {
            let middle = Point::from(ball.centre);
            let arm = centre - middle;
            let farthest = (ball.radius - radius).max(0.0);
            match arm.norm() > farthest {
                true => middle + arm * (farthest / arm.norm()),
                false => *centre,
            }
        }
        RegionSpec::Cylinder(cylinder) => {
            let (from, to) = (Point::from(cylinder.from), Point::from(cylinder.to));
            let length = (to - from).norm();
            let axis = (to - from) / length;
            let along = (centre - from).dot(&axis);
            let across = centre - from - axis * along;
            let farthest = (cylinder.radius - radius).max(0.0);
            let across = match across.norm() > farthest {
                true => across * (farthest / across.norm()),
                false => across,
            };
            from + axis * along.clamp(radius, (length - radius).max(radius)) + across
        }
    }
}

#[cfg(test)]
mod tests;
