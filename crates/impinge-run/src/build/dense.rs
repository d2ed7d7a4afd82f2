//! Dense random packings, up to a solid fraction of about 0.6.
//!
//! Spheres start at random places, as many as fit, and overlaps are then pushed apart: each pair moves by half of its overlap
//! to either side, all pairs at once, until the largest overlap is a thousandth of a radius (a force-biased packing,
//! Mościński et al. 1989, without its shrinking of radii). Random close packing at 0.64 is where this no longer
//! converges. A round visits every sphere and its neighbours once; some hundred rounds are needed at 0.6.

use super::placed::Placed;
use crate::scene::RegionSpec;
use impinge::space::{Aabb, Point, Random, Vector};
use rayon::prelude::*;

/// Largest overlap that is left, in radii of the smallest sphere.
const LEFT: f64 = 1e-3;

/// Rounds after which the packing is given up.
const ROUNDS: usize = 4000;

/// Share of an overlap by which each of the two spheres is pushed in a round, share of the last round's motion that it
/// keeps, and share of the reach by which spheres are pushed further apart than they need. Found by trial at 0.6: a hundred
/// rounds, where pushes without memory took eight hundred.
const PUSH: f64 = 0.3;
const KEEP: f64 = 0.9;
const SPARE: f64 = 0.008;

/// Spheres moved by one task.
const TASK: usize = 2048;

/// Packs spheres of these radii into a region, clear of others that stay where they are; `None` if they do not fit.
pub(super) fn pack(
    region: &RegionSpec,
    radii: &[f64],
    others: &[Placed],
    period: [bool; 3],
    random: &mut Random,
) -> Option<Vec<Placed>> {
    let bounds = region.bounds::<3>();
    let largest = radii
        .iter()
        .copied()
        .chain(others.iter().map(|other| other.radius))
        .fold(0.0, f64::max);
    let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let mut placed: Vec<Placed> = radii
        .iter()
        .map(|&radius| {
            start(region, radius, period, random).map(|centre| Placed { centre, radius })
        })
        .collect::<Option<_>>()?;
    let near: Vec<Placed> = others
        .iter()
        .filter(|other| bounds.squared_distance(&other.centre) < (other.radius + largest).powi(2))
        .copied()
        .collect();

    let mut motions = vec![Vector::<3>::zeros(); placed.len()];

    for _ in 0..ROUNDS {
        let cells = Cells::of(&bounds, 2.0 * largest, &placed, &near, period);
        let pushes: Vec<(Vector<3>, f64)> = placed
            .par_chunks(TASK)
            .flat_map_iter(|chunk| chunk.iter().map(|sphere| cells.pushed(sphere)))
            .collect();
        let worst = pushes
            .iter()
            .map(|(_, overlap)| *overlap)
            .fold(0.0, f64::max);
        if worst < LEFT * least {
            return Some(placed);
        }

        for ((sphere, motion), (push, _)) in placed.iter_mut().zip(&mut motions).zip(pushes) {
            *motion = *motion * KEEP + push;
            let centre = sphere.centre + *motion;
            sphere.centre = inside(region, &centre, sphere.radius, period);
        }
    }

    None
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

/// All spheres sorted into cells as wide as the largest diameter.
struct Cells {
    low: Point<3>,
    size: Vector<3>,
    counts: [usize; 3],
    period: [bool; 3],
    lengths: Vector<3>,
    /// Start of each cell among the spheres, and behind them the end.
    starts: Vec<u32>,
    spheres: Vec<Placed>,
}

impl Cells {
    fn of(
        bounds: &Aabb<3>,
        width: f64,
        placed: &[Placed],
        near: &[Placed],
        period: [bool; 3],
    ) -> Self {
        let lengths = bounds.extent();
        let counts = [0, 1, 2].map(|k| (lengths[k] / width).floor().clamp(1.0, 1e3) as usize);
        let mut cells = Self {
            low: bounds.min,
            size: Vector::from([0, 1, 2].map(|k| lengths[k] / counts[k] as f64)),
            counts,
            period,
            lengths,
            starts: vec![0; counts.iter().product::<usize>() + 1],
            spheres: Vec::new(),
        };
        let numbers: Vec<usize> = placed
            .iter()
            .chain(near)
            .map(|sphere| cells.number(cells.cell(&sphere.centre)))
            .collect();
        numbers.iter().for_each(|&n| cells.starts[n + 1] += 1);
        for n in 1..cells.starts.len() {
            cells.starts[n] += cells.starts[n - 1];
        }

        let mut next = cells.starts.clone();
        let blank = Placed {
            centre: Point::origin(),
            radius: 0.0,
        };
        cells.spheres = vec![blank; numbers.len()];
        for (sphere, n) in placed.iter().chain(near).zip(numbers) {
            cells.spheres[next[n] as usize] = *sphere;
            next[n] += 1;
        }

        cells
    }

    fn cell(&self, centre: &Point<3>) -> [usize; 3] {
        [0, 1, 2].map(|k| {
            let place = ((centre[k] - self.low[k]) / self.size[k]).floor();
            place.clamp(0.0, self.counts[k] as f64 - 1.0) as usize
        })
    }

    fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.counts[0] * (j + self.counts[1] * k)
    }

    /// Returns the cells beside one on an axis, each once.
    fn beside(&self, axis: usize, cell: usize) -> impl Iterator<Item = usize> + Clone {
        let count = self.counts[axis];
        let (low, up) = match self.period[axis] && count > 2 {
            true => (cell + count - 1, cell + count + 1),
            false => (cell.saturating_sub(1), (cell + 1).min(count - 1)),
        };
        (low..=up).map(move |n| n % count)
    }

    /// Returns the push on a sphere, and its deepest overlap.
    fn pushed(&self, sphere: &Placed) -> (Vector<3>, f64) {
        let [i, j, k] = self.cell(&sphere.centre);
        let (mut shift, mut worst) = (Vector::<3>::zeros(), 0.0_f64);

        for z in self.beside(2, k) {
            for y in self.beside(1, j) {
                for x in self.beside(0, i) {
                    let n = self.number([x, y, z]);
                    let range = self.starts[n] as usize..self.starts[n + 1] as usize;
                    for other in &self.spheres[range] {
                        let way = self.nearest(sphere.centre - other.centre);
                        let (squared, reach) = (way.norm_squared(), sphere.radius + other.radius);
                        let wanted = reach * (1.0 + SPARE);
                        // The sphere itself is at no distance.
                        if squared < wanted * wanted && squared > 0.0 {
                            let distance = squared.sqrt();
                            shift += way * (PUSH * (wanted - distance) / distance);
                            worst = worst.max(reach - distance);
                        }
                    }
                }
            }
        }

        (shift, worst)
    }

    fn nearest(&self, way: Vector<3>) -> Vector<3> {
        let mut way = way;
        for k in (0..3).filter(|&k| self.period[k]) {
            way[k] -= self.lengths[k] * (way[k] / self.lengths[k]).round();
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BoxRegion, CylinderRegion};

    fn check(region: &RegionSpec, placed: &[Placed], period: [bool; 3]) {
        let lengths = region.bounds::<3>().extent();
        for (n, a) in placed.iter().enumerate() {
            assert!(period != [false; 3] || region.holds(&a.centre, 0.999_999 * a.radius));
            for b in &placed[..n] {
                let mut way = a.centre - b.centre;
                for k in (0..3).filter(|&k| period[k]) {
                    way[k] -= lengths[k] * (way[k] / lengths[k]).round();
                }
                let overlap = a.radius + b.radius - way.norm();
                assert!(overlap < 1.01 * LEFT * a.radius.min(b.radius), "{overlap}");
            }
        }
    }

    #[test]
    fn spheres_fill_0_60_of_a_periodic_box_and_0_52_of_a_tube() {
        let unit = RegionSpec::Box(BoxRegion {
            min: vec![0.0; 3],
            max: vec![1.0; 3],
        });
        let count = (0.6 / (4.0 / 3.0 * std::f64::consts::PI * 0.04_f64.powi(3))) as usize;
        let mut random = Random::new(1);
        let placed = pack(&unit, &vec![0.04; count], &[], [true; 3], &mut random).expect("room");
        assert!(placed.len() > 2200);
        check(&unit, &placed, [true; 3]);

        let tube = RegionSpec::Cylinder(CylinderRegion {
            from: [0.0; 3],
            to: [0.0, 0.0, 1.0],
            radius: 0.5,
        });
        let radii: Vec<f64> = (0..1450)
            .map(|n| if n % 2 == 0 { 0.035 } else { 0.045 })
            .collect();
        let placed = pack(&tube, &radii, &[], [false; 3], &mut random).expect("room");
        check(&tube, &placed, [false; 3]);
    }

    #[test]
    fn what_does_not_fit_is_given_up() {
        let unit = RegionSpec::Box(BoxRegion {
            min: vec![0.0; 3],
            max: vec![1.0; 3],
        });
        let radii = vec![0.2; 25];
        assert_eq!(
            pack(&unit, &radii, &[], [false; 3], &mut Random::new(1)),
            None
        );
    }
}
