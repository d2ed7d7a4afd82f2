//! A list of the neighbours of each sphere, valid until one has moved by half of its skin.

use super::placed::Placed;
use impinge::space::{Aabb, Point, Vector};
use rayon::prelude::*;

/// Spheres listed by one task.
const TASK: usize = 1024;

/// Neighbours of spheres in a box, which may be periodic.
pub(super) struct Neighbours {
    low: Point<3>,
    lengths: Vector<3>,
    period: [bool; 3],
    /// Share of the reach by which neighbours may be further apart than they touch, and a distance on top.
    spare: f64,
    skin: f64,
    /// Centres at the last update.
    then: Vec<Point<3>>,
    /// Start of each sphere's neighbours, and behind them the end.
    starts: Vec<usize>,
    others: Vec<u32>,
}

impl Neighbours {
    pub(super) fn new(bounds: Aabb<3>, period: [bool; 3], spare: f64, skin: f64) -> Self {
        Self {
            low: bounds.min,
            lengths: bounds.extent(),
            period,
            spare,
            skin,
            then: Vec::new(),
            starts: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Returns the neighbours of a sphere, each once.
    pub(super) fn of(&self, sphere: usize) -> &[u32] {
        &self.others[self.starts[sphere]..self.starts[sphere + 1]]
    }

    /// Returns the difference of two centres, to the nearest periodic image.
    #[inline]
    pub(super) fn nearest(&self, way: Vector<3>) -> Vector<3> {
        let mut way = way;
        for k in (0..3).filter(|&k| self.period[k]) {
            let half = 0.5 * self.lengths[k];
            if way[k] > half {
                way[k] -= self.lengths[k];
            } else if way[k] < -half {
                way[k] += self.lengths[k];
            }
        }
        way
    }

    /// Builds the list again if a sphere may have come to another that is not in it.
    pub(super) fn update(&mut self, spheres: &[Placed]) {
        let moved = spheres.iter().zip(&self.then);
        let moved = moved.map(|(sphere, then)| self.nearest(sphere.centre - then).norm_squared());
        let is_valid =
            self.then.len() == spheres.len() && 2.0 * moved.fold(0.0, f64::max).sqrt() <= self.skin;
        if is_valid {
            return;
        }

        self.then = spheres.iter().map(|sphere| sphere.centre).collect();
        let cells = Cells::of(self, spheres);
        let parts: Vec<(Vec<u32>, Vec<u32>)> = (0..spheres.len().div_ceil(TASK))
            .into_par_iter()
            .map(|task| {
                let (mut counts, mut others) = (Vec::new(), Vec::new());
                for n in task * TASK..spheres.len().min((task + 1) * TASK) {
                    let before = others.len();
                    cells.visit(&spheres[n].centre, |other| {
                        if other as usize != n
                            && self.are_near(&spheres[n], &spheres[other as usize])
                        {
                            others.push(other);
                        }
                    });
                    counts.push((others.len() - before) as u32);
                }
                (counts, others)
            })
            .collect();

        (self.starts, self.others) = (vec![0], Vec::new());
        for (counts, others) in parts {
            for count in counts {
                self.starts
                    .push(self.starts[self.starts.len() - 1] + count as usize);
            }
            self.others.extend(others);
        }
    }

    fn are_near(&self, one: &Placed, other: &Placed) -> bool {
        let reach = (one.radius + other.radius) * (1.0 + self.spare) + self.skin;
        self.nearest(one.centre - other.centre).norm_squared() < reach * reach
    }
}

/// Spheres sorted into cells at least as wide as the largest reach.
struct Cells {
    low: Point<3>,
    size: Vector<3>,
    counts: [usize; 3],
    period: [bool; 3],
    /// Start of each cell among the spheres, and behind them the end.
    starts: Vec<u32>,
    spheres: Vec<u32>,
}

impl Cells {
    fn of(list: &Neighbours, spheres: &[Placed]) -> Self {
        /// Cells along an axis at most.
        const MOST: f64 = 300.0;
        let largest = spheres
            .iter()
            .fold(0.0, |most: f64, one| most.max(one.radius));
        let width = 2.0 * largest * (1.0 + list.spare) + list.skin;
        let counts = [0, 1, 2].map(|k| (list.lengths[k] / width).floor().clamp(1.0, MOST) as usize);
        let mut cells = Self {
            low: list.low,
            size: Vector::from([0, 1, 2].map(|k| list.lengths[k] / counts[k] as f64)),
            counts,
            period: list.period,
            starts: vec![0; counts.iter().product::<usize>() + 1],
            spheres: vec![0; spheres.len()],
        };
        let numbers: Vec<usize> = spheres
            .iter()
            .map(|sphere| cells.number(cells.cell(&sphere.centre)))
            .collect();
        numbers.iter().for_each(|&n| cells.starts[n + 1] += 1);
        for n in 1..cells.starts.len() {
            cells.starts[n] += cells.starts[n - 1];
        }

        let mut next = cells.starts.clone();
        for (sphere, n) in (0..).zip(numbers) {
            cells.spheres[next[n] as usize] = sphere;
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

    /// Visits the spheres in the cells around a point.
    fn visit(&self, centre: &Point<3>, mut visit: impl FnMut(u32)) {
        let [i, j, k] = self.cell(centre);
        for z in self.beside(2, k) {
            for y in self.beside(1, j) {
                for x in self.beside(0, i) {
                    let n = self.number([x, y, z]);
                    let range = self.starts[n] as usize..self.starts[n + 1] as usize;
                    self.spheres[range].iter().for_each(|&other| visit(other));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
