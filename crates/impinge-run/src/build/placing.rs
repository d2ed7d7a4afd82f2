//! Placement of spheres in a region, without overlaps.
//!
//! Random: largest first, each at the first random position clear of all previous ones, which are
//! looked up in a grid with cells as wide as the largest sphere. Lattice: row by row from below,
//! slightly perturbed, because columns of spheres exactly above each other would never topple. Dense:
//! see `dense.rs`.

use super::placed::Placed;
use super::{BuildError, dense};
use crate::scene::{ParticlesSpec, Placement, RegionSpec};
use impinge::space::{Point, Random};
use impinge_sim::Region;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Maximum number of random positions tried for one sphere.
const TRIALS: usize = 20_000;

/// Lattice spacing relative to the largest diameter, and the largest perturbation of a sphere, in
/// radii.
const SPACING: f64 = 1.02;
const SHAKE: f64 = 0.01;

/// All spheres placed so far.
pub(super) struct PlacedSpheres {
    cell: f64,
    placed: Vec<Placed>,
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl PlacedSpheres {
    /// Creates an empty set for spheres up to a radius.
    pub(super) fn new(largest: f64) -> Self {
        Self {
            cell: 2.0 * largest,
            placed: Vec::new(),
            cells: HashMap::new(),
        }
    }

    /// Places a group of spheres of the scene; returns them in the order of placement.
    pub(super) fn fill(
        &mut self,
        key: &str,
        group: &ParticlesSpec,
        period: [bool; 3],
        random: &mut Random,
    ) -> Result<Vec<Placed>, BuildError> {
        let (Some(size), Some(region)) = (&group.radius, &group.region) else {
            return Err(BuildError::unsuited(
                key,
                "needs a file, or count, radius and region",
            ));
        };
        let count = group.count.unwrap_or_else(|| {
            let one = 4.0 / 3.0 * PI * size.spread().mean_cube();
            let share = group.solid_fraction.unwrap_or(0.0);
            (share * Region::from(region).volume() / one).round() as usize
        });
        let mut radii: Vec<f64> = (0..count).map(|_| size.draw(random)).collect();
        let first = self.placed.len();

        match group.placement {
            Placement::Random => {
                radii.sort_by(|a, b| b.total_cmp(a));
                let all = radii
                    .iter()
                    .all(|&radius| self.put(region, radius, random).is_some());
                debug_assert!(all || self.placed.len() < first + count);
            }
            Placement::Lattice => self.stack(region, &radii, size.range()[1], random),
            Placement::Dense => {
                let packed = dense::pack(region, &radii, &self.placed, period, random);
                for sphere in packed.into_iter().flatten() {
                    self.take(sphere.centre, sphere.radius);
                }
            }
        }

        let placed = self.placed.len() - first;
        match placed == count {
            true => Ok(self.placed[first..].to_vec()),
            false if placed == 0 && self.placed.is_empty() => Err(BuildError::TooLarge {
                key: format!("{key}.radius"),
                radius: radii[0],
            }),
            false => Err(BuildError::NoSpace {
                key: format!("{key}.region"),
                placed,
                count,
            }),
        }
    }

    /// Finds a random position in a region for a ball; `None` if all trials overlap.
    pub(super) fn put(
        &mut self,
        region: &RegionSpec,
        radius: f64,
        random: &mut Random,
    ) -> Option<Point<3>> {
        let free = |room: &Self, centre: &Point<3>| room.is_free(centre, radius);
        let centre = (0..TRIALS).find_map(|_| {
            region
                .draw(radius, random)
                .filter(|centre| free(self, centre))
        })?;
        self.take(centre, radius);

        Some(centre)
    }

    fn stack(&mut self, region: &RegionSpec, radii: &[f64], largest: f64, random: &mut Random) {
        let bounds = region.bounds::<3>();
        let spacing = 2.0 * largest * SPACING;
        let sites = bounds
            .extent()
            .map(|extent| (extent / spacing).floor().max(0.0) as usize);
        let mut radii = radii.iter().peekable();

        for k in 0..sites.z {
            for j in 0..sites.y {
                for i in 0..sites.x {
                    let Some(&&radius) = radii.peek() else { return };
                    let shake = |random: &mut Random| SHAKE * largest * random.within(-1.0, 1.0);
                    let centre = Point::from([0, 1, 2].map(|axis| {
                        bounds.min[axis] + ([i, j, k][axis] as f64 + 0.5) * spacing + shake(random)
                    }));
                    if region.holds(&centre, radius) && self.is_free(&centre, radius) {
                        self.take(centre, radius);
                        radii.next();
                    }
                }
            }
        }
    }

    fn key(&self, centre: &Point<3>) -> [i64; 3] {
        [0, 1, 2].map(|axis| (centre[axis] / self.cell).floor() as i64)
    }

    fn is_free(&self, centre: &Point<3>, radius: f64) -> bool {
        let [x, y, z] = self.key(centre);
        let near = (x - 1..=x + 1).flat_map(|x| {
            (y - 1..=y + 1).flat_map(move |y| (z - 1..=z + 1).map(move |z| [x, y, z]))
        });
        near.filter_map(|key| self.cells.get(&key))
            .flatten()
            .all(|&other| {
                let other = &self.placed[other as usize];
                (other.centre - centre).norm_squared() > (other.radius + radius).powi(2)
            })
    }

    /// Marks the place of a sphere as taken.
    pub(super) fn take(&mut self, centre: Point<3>, radius: f64) {
        let number = self.placed.len() as u32;
        self.placed.push(Placed { centre, radius });
        self.cells
            .entry(self.key(&centre))
            .or_default()
            .push(number);
    }
}

#[cfg(test)]
mod tests;
