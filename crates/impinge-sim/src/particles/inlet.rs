//! Inlets and outlets of particles.
//!
//! An inlet accumulates particles at its rate and inserts them into its region wherever they
//! overlap no other. Particles that do not fit remain due, up to the number that fills the region.
//! Positions, radii and velocities come from a seeded generator that is part of the state, so runs are
//! reproducible. Particles arrive in batches, because every arrival rebuilds the neighbour list.

use super::grain::{Grain, InvalidParticles};
use crate::Spread;
use impinge::bound::Ball;
use impinge::space::{Aabb, Point, Random, Vector, is_usable};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Volume of the spheres of a batch over that of the region: a tenth of a dense filling.
const BATCH_FRACTION: f64 = 0.06;
/// Maximum size of a batch, so that a large region does not insert in rare bursts.
const MOST_IN_BATCH: f64 = 2000.0;

/// A region of space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Region {
    /// An axis-aligned box.
    Box {
        /// Lower corner.
        min: [f64; 3],
        /// Upper corner.
        max: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Its centre.
        centre: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// A cylinder between the centres of its ends.
    Cylinder {
        /// Centre of one end.
        from: [f64; 3],
        /// Centre of the other.
        to: [f64; 3],
        /// Its radius.
        radius: f64,
    },
}

impl Region {
    /// Returns whether the region contains a point.
    pub fn contains(&self, point: &Point<3>) -> bool {
        match *self {
            Self::Box { min, max } => (0..3).all(|k| (min[k]..=max[k]).contains(&point[k])),
            Self::Ball { centre, radius } => (point - Point::from(centre)).norm() <= radius,
            Self::Cylinder { from, to, radius } => {
                let axis = Vector::from(to) - Vector::from(from);
                let way = point.coords - Vector::from(from);
                let along = way.dot(&axis) / axis.norm_squared();
                (0.0..=1.0).contains(&along) && (way - axis * along).norm() <= radius
            }
        }
    }

    /// Returns the bounding box.
    pub fn bounds(&self) -> Aabb<3> {
        match *self {
            Self::Box { min, max } => Aabb::new(min, max),
            Self::Ball { centre, radius } => Aabb::new(centre, centre).grown(radius),
            Self::Cylinder { from, to, radius } => Aabb::of([from.into(), to.into()]).grown(radius),
        }
    }

    /// Returns the volume, m³.
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Box { .. } => self.bounds().volume(),
            Self::Ball { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::Cylinder { from, to, radius } => {
                PI * radius * radius * (Vector::from(to) - Vector::from(from)).norm()
            }
        }
    }

    fn fault(&self) -> Option<&'static str> {
        let bounds = self.bounds();
        let round = match *self {
            Self::Ball { radius, .. } | Self::Cylinder { radius, .. } => radius,
            Self::Box { .. } => 1.0,
        };

        if !is_usable(&bounds.min) || !is_usable(&bounds.max) || !round.is_finite() {
            Some("the region is not finite")
        } else if bounds.is_empty()
            || round <= 0.0
            || self.volume().is_nan()
            || self.volume() <= 0.0
        {
            Some("the region is empty")
        } else {
            None
        }
    }
}

/// How fast an inlet inserts particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum InletRate {
    /// Particles per second.
    Number(f64),
    /// Mass per second, kg/s.
    Mass(f64),
}

impl InletRate {
    fn value(self) -> f64 {
        match self {
            Self::Number(rate) | Self::Mass(rate) => rate,
        }
    }
}

/// A source of particles over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inlet {
    /// Region for the centres.
    pub region: Region,
    /// Rate of insertion.
    pub rate: InletRate,
    /// Distribution of the radii.
    pub radii: Spread,
    /// Index of their material.
    pub species: u16,
    /// Mean velocity, m/s.
    pub velocity: [f64; 3],
    /// Largest deviation from the mean velocity, in any direction.
    pub scatter: f64,
    /// Opening and closing time, s.
    pub open: [f64; 2],
    /// Maximum total number of particles.
    pub most: u64,
    /// Seed of the random generator.
    pub seed: u64,
}

impl Default for Inlet {
    fn default() -> Self {
        Self {
            region: Region::Box {
                min: [0.0; 3],
                max: [1.0; 3],
            },
            rate: InletRate::Number(1000.0),
            radii: Spread::List(vec![1e-3]),
            species: 0,
            velocity: [0.0; 3],
            scatter: 0.0,
            open: [0.0, f64::MAX],
            most: u64::MAX,
            seed: 1,
        }
    }
}

/// The running state of an inlet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenInlet {
    pub(super) inlet: Inlet,
    /// Particles, or mass, that are due.
    owed: f64,
    made: u64,
    /// Radius of the next particle, if the region had no room for it. Drawing a new radius would bias
    /// the distribution towards small particles.
    next: Option<f64>,
    /// Mean cube of the radii, m³.
    mean_cube: f64,
    /// Seed of the next batch.
    seed: u64,
}

/// Attempts to place one particle.
const ATTEMPTS: usize = 20;

impl OpenInlet {
    pub(super) fn new(
        inlet: Inlet,
        number: usize,
        materials: usize,
    ) -> Result<Self, InvalidParticles> {
        let item = format!("inlet {number}");
        let fault = inlet.region.fault().or_else(|| {
            let numbers = [inlet.rate.value(), inlet.scatter];
            if !numbers.iter().chain(&inlet.velocity).all(|x| x.is_finite())
                || inlet.open.iter().any(|t| t.is_nan())
            {
                Some("a number is not finite")
            } else if !inlet.radii.is_valid() {
                Some("the radii are not positive and ascending")
            } else if inlet.rate.value() < 0.0 || inlet.scatter < 0.0 {
                Some("the rate or the scatter is negative")
            } else {
                None
            }
        });

        if let Some(fault) = fault {
            return Err(InvalidParticles::Item {
                item,
                fault: fault.into(),
            });
        }

        if inlet.species as usize >= materials {
            return Err(InvalidParticles::NoMaterial {
                item,
                material: inlet.species.into(),
                count: materials,
            });
        }

        Ok(Self {
            owed: 0.0,
            made: 0,
            next: None,
            mean_cube: inlet.radii.mean_cube(),
            seed: inlet.seed,
            inlet,
        })
    }

    /// Returns the batch size: the number of particles that fit in a tenth of the region.
    fn batch(&self) -> f64 {
        let one = 4.0 / 3.0 * PI * self.mean_cube;
        (BATCH_FRACTION * self.inlet.region.volume() / one)
            .floor()
            .clamp(1.0, MOST_IN_BATCH)
    }

    /// Returns the contribution of a particle to the inlet's rate: 1, or its mass.
    fn cost(&self, radius: f64, density: f64) -> f64 {
        match self.inlet.rate {
            InletRate::Number(_) => 1.0,
            InletRate::Mass(_) => density * 4.0 / 3.0 * PI * radius.powi(3),
        }
    }

    /// Returns the number of particles of this density that are due in a step that ends at `time`,
    /// roughly; usually none.
    pub(super) fn due(&mut self, density: f64, time: f64, dt: f64) -> usize {
        let [from, until] = self.inlet.open;
        if time < from || time > until || self.made >= self.inlet.most {
            return 0;
        }

        let mean = self.cost(self.mean_cube.cbrt(), density);
        let batch = self.batch();
        self.owed = (self.owed + self.inlet.rate.value() * dt).min(10.0 * batch * mean);
        let left = (self.inlet.most - self.made) as f64;

        if self.owed < batch.min(left) * mean {
            return 0;
        }

        (self.owed / mean).ceil() as usize
    }

    /// Returns whether a ball may overlap particles that enter.
    pub(super) fn is_near(&self, ball: &Ball<3>) -> bool {
        let region = self.inlet.region.bounds();
        let reach = region.grown(self.inlet.radii.range()[1]);
        reach.squared_distance(&ball.centre) < ball.radius * ball.radius
    }

    /// Places the particles that are due, about `wanted`, as far as there is room among the balls near
    /// the inlet.
    pub(super) fn emit(&mut self, near: &[Ball<3>], density: f64, wanted: usize) -> Vec<Grain> {
        let left = (self.inlet.most - self.made) as f64;
        let mut random = Random::new(self.seed);
        let mut taken = Occupied::new(self.inlet.radii.range()[1]);
        near.iter().for_each(|ball| taken.insert(ball));
        let mut grains = Vec::new();
        let mut trials = wanted * ATTEMPTS;

        while (grains.len() as f64) < left {
            let drawn = self.next.take();
            let radius = drawn.unwrap_or_else(|| self.inlet.radii.draw(&mut random));
            let cost = self.cost(radius, density);
            let ball = (self.owed >= cost)
                .then(|| self.find_room(radius, &taken, &mut random, &mut trials))
                .flatten();
            let Some(ball) = ball else {
                self.next = Some(radius);
                break;
            };

            taken.insert(&ball);
            grains.push(self.grain(&ball, &mut random));
            self.owed -= cost;
        }

        self.seed = random.bits();
        self.made += grains.len() as u64;
        grains
    }

    /// Returns a place for a particle; `None` once all trials are used up.
    fn find_room(
        &self,
        radius: f64,
        taken: &Occupied,
        random: &mut Random,
        trials: &mut usize,
    ) -> Option<Ball<3>> {
        let region = self.inlet.region.bounds();
        while *trials > 0 {
            *trials -= 1;
            let centre = Point::from(Vector::from_fn(|k, _| {
                random.within(region.min[k], region.max[k])
            }));
            let ball = Ball { centre, radius };
            if self.inlet.region.contains(&centre) && taken.has_room_for(&ball) {
                return Some(ball);
            }
        }

        None
    }

    fn grain(&self, ball: &Ball<3>, random: &mut Random) -> Grain {
        let deviation = random.direction::<3>() * (self.inlet.scatter * random.unit());
        Grain {
            position: ball.centre.coords.into(),
            velocity: (Vector::from(self.inlet.velocity) + deviation).into(),
            spin: [0.0; 3],
            radius: ball.radius,
            species: self.inlet.species,
            is_fixed: false,
        }
    }
}

/// Balls in and around an inlet's region, hashed by cell. A full region is queried again at every
/// step and must answer without testing every ball.
struct Occupied {
    /// Diameter of the largest incoming ball, which overlaps 8 cells at most.
    cell: f64,
    balls: Vec<Ball<3>>,
    /// Indices of the balls that overlap each cell.
    cells: FxHashMap<[i64; 3], Vec<u32>>,
    /// Balls that overlap too many cells to be listed there.
    large: Vec<u32>,
}

impl Occupied {
    /// Diameter in cells from which a ball is listed separately.
    const WIDE: i64 = 8;

    fn new(radius: f64) -> Self {
        Self {
            cell: 2.0 * radius,
            balls: Vec::new(),
            cells: FxHashMap::default(),
            large: Vec::new(),
        }
    }

    /// Returns the first and the last cell on each axis that a ball overlaps.
    fn range(&self, ball: &Ball<3>) -> [[i64; 2]; 3] {
        let place = |x: f64| (x / self.cell).floor() as i64;
        std::array::from_fn(|axis| {
            let (centre, radius) = (ball.centre[axis], ball.radius);
            [place(centre - radius), place(centre + radius)]
        })
    }

    fn insert(&mut self, ball: &Ball<3>) {
        let number = self.balls.len() as u32;
        self.balls.push(*ball);
        let range = self.range(ball);

        if range
            .iter()
            .any(|[low, up]| up.saturating_sub(*low) >= Self::WIDE)
        {
            self.large.push(number);
            return;
        }

        for cell in cells_of(range) {
            self.cells.entry(cell).or_default().push(number);
        }
    }

    /// Returns whether a ball, no larger than the incoming ones, overlaps no other.
    fn has_room_for(&self, ball: &Ball<3>) -> bool {
        let apart = |number: &u32| {
            let other = &self.balls[*number as usize];
            (other.centre - ball.centre).norm_squared() > (other.radius + ball.radius).powi(2)
        };
        let mut near = cells_of(self.range(ball)).filter_map(|cell| self.cells.get(&cell));
        self.large.iter().all(apart) && near.all(|numbers| numbers.iter().all(apart))
    }
}

/// Iterates over all cells of a range.
fn cells_of([x, y, z]: [[i64; 2]; 3]) -> impl Iterator<Item = [i64; 3]> {
    (x[0]..=x[1])
        .flat_map(move |x| (y[0]..=y[1]).flat_map(move |y| (z[0]..=z[1]).map(move |z| [x, y, z])))
}

/// Checks the region of an outlet.
pub(crate) fn check_outlet(region: &Region, number: usize) -> Result<(), InvalidParticles> {
    match region.fault() {
        Some(fault) => Err(InvalidParticles::Item {
            item: format!("outlet {number}"),
            fault: fault.into(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
