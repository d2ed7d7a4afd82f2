//! What must be known of all bodies before they can be ordered: their range of places and sizes.

use crate::broad::{Body, InvalidScene, Scene, tasks};
use crate::space::Aabb;

/// Classes of size, two for each factor of 2, from the largest downwards; the last takes all that are smaller.
pub(super) const BINS: usize = 48;

/// Bodies of nearly one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin<const D: usize> {
    pub(super) count: u64,
    /// Longest edge on each axis.
    pub(super) longest: [f64; D],
    /// Sum of the edges on each axis.
    pub(super) total: [f64; D],
    /// Range of the centres.
    pub(super) low: [f64; D],
    pub(super) up: [f64; D],
}

impl<const D: usize> Bin<D> {
    pub(super) const EMPTY: Self = Self {
        count: 0,
        longest: [0.0; D],
        total: [0.0; D],
        low: [f64::INFINITY; D],
        up: [f64::NEG_INFINITY; D],
    };

    #[inline]
    fn add(&mut self, bounds: &Aabb<D>) {
        self.count += 1;
        for axis in 0..D {
            let (low, up) = (bounds.min[axis], bounds.max[axis]);
            let (edge, centre) = (up - low, low * 0.5 + up * 0.5);
            self.longest[axis] = self.longest[axis].max(edge);
            self.total[axis] += edge;
            self.low[axis] = self.low[axis].min(centre);
            self.up[axis] = self.up[axis].max(centre);
        }
    }

    /// Both together.
    pub(super) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for axis in 0..D {
            self.longest[axis] = self.longest[axis].max(other.longest[axis]);
            self.total[axis] += other.total[axis];
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.up[axis] = self.up[axis].max(other.up[axis]);
        }
    }
}

/// How a body enters the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Switched off.
    Off,
    /// Endless, or too long for its period: looked up apart.
    Huge,
    /// In this bin of the survey.
    Bin(usize),
}

/// Sizes and places of all bodies.
#[derive(Clone, Debug)]
pub(super) struct Survey<const D: usize> {
    pub(super) bins: [Bin<D>; BINS],
    /// Code of the largest size, see [`size_code`].
    largest: u64,
    /// Largest absolute coordinate of a finite body.
    pub(super) farthest: f64,
    fault: Option<InvalidScene>,
}

impl<const D: usize> Default for Survey<D> {
    fn default() -> Self {
        Self { bins: [Bin::EMPTY; BINS], largest: 0, farthest: 0.0, fault: None }
    }
}

/// Exponent and first binary digit of a size: codes grow by 2 with each factor of 2.
#[inline]
fn size_code(size: f64) -> u64 {
    size.to_bits() >> 51
}

/// Longest edge; infinite for an endless body or one that could meet itself around its period.
#[inline]
fn size_of_body<B: Body<D>, const D: usize>(scene: &Scene<B, D>, bounds: &Aabb<D>, margin: f64) -> f64 {
    let mut size = 0.0f64;
    for axis in 0..D {
        let edge = bounds.max[axis] - bounds.min[axis];
        // Below half a period no two bodies meet around both sides, so that no pair is found twice.
        let fits = scene.period.lengths[axis].is_none_or(|length| edge + 2.0 * margin < 0.49 * length);
        size = size.max(if fits { edge } else { f64::INFINITY });
    }
    size
}

impl<const D: usize> Survey<D> {
    /// Looks at all bodies; the parts are memory for the tasks. The error is that of the lowest body.
    pub(super) fn take<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        margin: f64,
        parts: &mut Vec<Survey<D>>,
    ) -> Result<(), InvalidScene> {
        scene.check_frame()?;
        let (bodies, tasks) = (scene.bodies.len(), tasks::count(scene.bodies.len()));
        parts.resize_with(tasks, Survey::default);
        let range = |task| tasks::begin(task, tasks, bodies)..tasks::begin(task + 1, tasks, bodies);
        tasks::for_each(parts, |task, part| part.measure(scene, range(task), margin));
        parts.iter().find_map(|part| part.fault).map_or(Ok(()), Err)?;
        self.largest = parts.iter().map(|part| part.largest).max().unwrap_or(0);
        self.farthest = parts.iter().map(|part| part.farthest).fold(0.0, f64::max);
        let largest = self.largest;
        tasks::for_each(parts, |task, part| part.sort_by_size(scene, range(task), margin, largest));
        self.bins = [Bin::EMPTY; BINS];
        for part in parts.iter() {
            self.bins.iter_mut().zip(&part.bins).for_each(|(bin, other)| bin.merge(other));
        }
        Ok(())
    }

    /// Checks the bodies and finds the largest.
    fn measure<B: Body<D>>(&mut self, scene: &Scene<B, D>, range: std::ops::Range<usize>, margin: f64) {
        *self = Self::default();
        for n in range {
            if let Err(fault) = scene.check_body(n) {
                self.fault = Some(fault);
                return;
            }
            let bounds = scene.bodies[n].bounds();
            let size = size_of_body(scene, &bounds, margin);
            if size < f64::INFINITY && scene.is_on(n) {
                self.largest = self.largest.max(size_code(size));
                for axis in 0..D {
                    self.farthest = self.farthest.max(bounds.min[axis].abs()).max(bounds.max[axis].abs());
                }
            }
        }
    }

    fn sort_by_size<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        range: std::ops::Range<usize>,
        margin: f64,
        largest: u64,
    ) {
        self.largest = largest;
        for n in range {
            let bounds = scene.bodies[n].bounds();
            if let Class::Bin(bin) = self.class(scene, n, &bounds, margin) {
                self.bins[bin].add(&bounds);
            }
        }
    }

    /// How body `n` enters.
    #[inline]
    pub(super) fn class<B: Body<D>>(
        &self,
        scene: &Scene<B, D>,
        n: usize,
        bounds: &Aabb<D>,
        margin: f64,
    ) -> Class {
        if !scene.is_on(n) {
            return Class::Off;
        }
        let size = size_of_body(scene, bounds, margin);
        if size == f64::INFINITY {
            return Class::Huge;
        }
        Class::Bin(((self.largest - size_code(size)) as usize).min(BINS - 1))
    }
}
