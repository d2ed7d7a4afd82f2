//! Mass flow of particles through planes.
//!
//! A particle has passed when its centre changes sides in the direction of its velocity, which excludes
//! jumps to the other end of a periodic box. Sides are compared after every step.

use super::columns;
use crate::output::quoted;
use crate::scene::{FlowSpec, SceneSpec};
use impinge::space::{Point, Vector};
use impinge_sim::world::World;
use impinge_sim::{Particles, Region};
use serde::{Deserialize, Serialize};

/// Mass and number count from the start of the run, along the normal less against it; the rate is the mean since the
/// last row.
pub(super) const HEADER: &str = "time,name,mass,particles,rate";

/// Marks a particle that did not exist at the last step.
const UNKNOWN: u64 = u64::MAX;

/// Cumulative flow through a plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Passed {
    /// Net mass, kg.
    pub mass: f64,
    /// Net number of particles.
    pub particles: i64,
    /// Time and mass at the last row.
    last: (f64, f64),
}

/// Measures the flow through the planes of a scene.
#[derive(Clone, Debug, Default)]
pub struct FlowMeter {
    planes: Vec<Plane>,
    passed: Vec<Passed>,
    /// For each id a bit per plane: whether its centre is ahead; [`UNKNOWN`] if it was not there.
    sides: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Plane {
    name: String,
    point: Point<3>,
    normal: Vector<3>,
    region: Option<Region>,
}

impl Plane {
    fn new(number: usize, flow: &FlowSpec) -> Self {
        let name = flow.name.clone();
        Self {
            name: name.unwrap_or_else(|| format!("flow[{number}]")),
            point: flow.point.into(),
            normal: flow.normal.into(),
            region: flow.region.as_ref().map(Into::into),
        }
    }

    fn is_ahead(&self, centre: &Point<3>) -> bool {
        (centre - self.point).dot(&self.normal) > 0.0
    }
}

impl FlowMeter {
    /// Starts the measurement in a world, with the flow so far.
    pub fn start(scene: &SceneSpec, world: &World, passed: Vec<Passed>) -> Self {
        let planes = scene.flow.iter().enumerate();
        let planes: Vec<Plane> = planes.map(|(n, flow)| Plane::new(n, flow)).collect();
        let mut passed = passed;
        passed.resize(planes.len(), Passed::default());
        let mut meter = Self {
            planes,
            passed,
            sides: Vec::new(),
        };
        meter.follow(world);

        meter
    }

    /// Returns the flow so far, plane by plane.
    pub fn passed(&self) -> &[Passed] {
        &self.passed
    }

    /// Compares the sides after a step.
    pub fn follow(&mut self, world: &World) {
        let Some(particles) = world.particles().filter(|_| !self.planes.is_empty()) else {
            return;
        };
        let mut changes = Vec::new();

        for (place, (&id, centre)) in particles
            .ids()
            .iter()
            .zip(particles.positions())
            .enumerate()
        {
            let ahead = |bits: u64, (n, plane): (usize, &Plane)| {
                bits | u64::from(plane.is_ahead(&centre)) << n
            };
            let side = self.planes.iter().enumerate().fold(0, ahead);
            let id = id as usize;
            if id >= self.sides.len() {
                self.sides.resize(id + 1, UNKNOWN);
            }
            let before = std::mem::replace(&mut self.sides[id], side);
            if before != UNKNOWN && before != side {
                changes.push((id, place, side, side ^ before));
            }
        }

        // In the order of ids: sums do not depend on where particles are stored.
        changes.sort_unstable();
        for (_, place, side, changed) in changes {
            for n in (0..self.planes.len()).filter(|n| changed >> n & 1 != 0) {
                self.pass(n, particles, place, side >> n & 1 != 0);
            }
        }
    }

    fn pass(&mut self, n: usize, particles: &Particles, place: usize, forward: bool) {
        let (plane, grain) = (&self.planes[n], particles.grain_at(place));
        let along = Vector::from(grain.velocity).dot(&plane.normal) > 0.0;
        let inside = plane.region.as_ref();
        if along != forward
            || inside.is_some_and(|region| !region.contains(&Point::from(grain.position)))
        {
            return;
        }

        let sign = if forward { 1.0 } else { -1.0 };
        self.passed[n].mass += sign * particles.mass_at(place);
        self.passed[n].particles += sign as i64;
    }

    /// Returns the rows of a time, and starts the next interval of the mean rate.
    pub fn rows(&mut self, time: f64) -> String {
        let row = |(plane, passed): (&Plane, &mut Passed)| {
            let (then, mass) = passed.last;
            let rate = match time > then {
                true => (passed.mass - mass) / (time - then),
                false => 0.0,
            };
            passed.last = (time, passed.mass);
            let name = quoted(plane.name.clone());
            let [mass, rate] = [passed.mass, rate].map(|x| columns(&[x]));
            format!("{time:?},{name}{mass},{}{rate}\n", passed.particles)
        };
        self.planes.iter().zip(&mut self.passed).map(row).collect()
    }
}
