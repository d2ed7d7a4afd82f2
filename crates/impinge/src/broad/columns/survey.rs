//! Survey of all bodies before sorting: the ranges of their positions and sizes.

use crate::broad::{BroadScene, InvalidScene, Proxy, tasks};
use crate::space::Aabb;
use std::ops::Range;

/// Largest edge of a body in periods for which no two bodies meet on both sides: below a half, with
/// room for rounding.
const FITS_PERIOD: f64 = 0.49;
/// One body in this many at each end of an axis may be an outlier.
const OUTLIERS: usize = 64;
/// Margin around the crowd, in its widths and in mean edges: bodies beyond it are outliers.
const AROUND: [f64; 2] = [4.0, 1000.0];

/// Number of size classes, two per factor of 2, from the largest downwards; the last takes all
/// smaller bodies.
pub(super) const BINS: usize = 48;

/// Width of the scene, in mean body edges, beyond which outliers far from the crowd are searched
/// for. f32 resolves positions to a sixteen-millionth of the scene, so one runaway would collapse
/// the crowd into a single cell.
const WIDE: f64 = 1e6;

/// Maximum number of outliers that may be looked up one by one.
const MOST_RUNAWAYS: u64 = 1024;

/// Sample size for locating the crowd.
const SAMPLE: usize = 4096;

/// Bodies of similar size.
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
            self.longest[axis] = larger(self.longest[axis], edge);
            self.total[axis] += edge;
            self.low[axis] = -larger(-self.low[axis], -centre);
            self.up[axis] = larger(self.up[axis], centre);
        }
    }

    /// Merges another bin into this one.
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
    /// Disabled.
    Off,
    /// Infinite, too long for its period, or far from the crowd: looked up separately.
    Huge,
    /// In this bin of the survey.
    Bin(usize),
}

/// Sizes and positions of all bodies.
#[derive(Clone, Debug)]
pub(super) struct Survey<const D: usize> {
    pub(super) bins: [Bin<D>; BINS],
    /// Code of the largest size, see [`size_code`].
    largest: u64,
    /// Number of bodies that are disabled, infinite or outliers.
    apart: u64,
    /// Bounds of the crowd, if outliers are to be looked up separately.
    crowd: Option<Aabb<D>>,
    fault: Option<InvalidScene>,
}

impl<const D: usize> Default for Survey<D> {
    fn default() -> Self {
        Self {
            bins: [Bin::EMPTY; BINS],
            largest: 0,
            apart: 0,
            crowd: None,
            fault: None,
        }
    }
}

/// Returns the larger of two numbers that are not NaN: one instruction, where `f64::max` takes
/// four.
#[inline]
fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// Returns the exponent and first mantissa bit of a size: codes grow by 2 with each factor of 2.
#[inline]
fn size_code(size: f64) -> u64 {
    size.to_bits() >> 51
}

/// Returns the longest edge; infinite for an infinite body or one that could meet itself across its
/// period.
#[inline]
fn size_of_body<B: Proxy<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    bounds: &Aabb<D>,
    margin: f64,
) -> f64 {
    let mut size = 0.0;
    for axis in 0..D {
        let edge = bounds.max[axis] - bounds.min[axis];
        size = larger(edge, size);
        if let Some(length) = scene.period.lengths[axis] {
            // Below half a period no two bodies can meet on both sides, so no pair is found twice.
            let fits = edge + 2.0 * margin < FITS_PERIOD * length;
            size = if fits { size } else { f64::INFINITY };
        }
    }

    size
}

impl<const D: usize> Survey<D> {
    /// Surveys all bodies; `parts` is scratch memory for the tasks. The error is that of the lowest
    /// index.
    pub(super) fn take<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        margin: f64,
        parts: &mut Vec<Survey<D>>,
    ) -> Result<(), InvalidScene> {
        scene.check_frame()?;
        self.take_within(None, scene, margin, parts)?;
        if let Some(crowd) = self.find_crowd(scene) {
            let apart = self.apart;
            self.take_within(Some(crowd), scene, margin, parts)?;
            if self.apart - apart > MOST_RUNAWAYS {
                self.take_within(None, scene, margin, parts)?;
            }
        }

        Ok(())
    }

    /// Returns a generous box around all but a few of the bodies, or `None` unless the scene is
    /// much wider than necessary.
    fn find_crowd<B: Proxy<D>>(&self, scene: &BroadScene<B, D>) -> Option<Aabb<D>> {
        let mut all = Bin::EMPTY;
        self.bins.iter().for_each(|bin| all.merge(bin));
        let edge = all.total.iter().sum::<f64>() / (D as f64 * all.count as f64);

        if all.count == 0 || (0..D).all(|k| all.up[k] - all.low[k] <= WIDE * edge) {
            return None;
        }

        let stride = scene.bodies.len().div_ceil(SAMPLE);
        let sample: Vec<Aabb<D>> = (0..scene.bodies.len())
            .step_by(stride)
            .filter(|&n| scene.is_on(n))
            .map(|n| scene.bodies[n].bounds())
            .collect();
        let mut crowd = Aabb {
            min: [f64::NEG_INFINITY; D].into(),
            max: [f64::INFINITY; D].into(),
        };

        for k in (0..D).filter(|&k| scene.period.lengths[k].is_none()) {
            let centres = sample
                .iter()
                .map(|bounds| 0.5 * bounds.min[k] + 0.5 * bounds.max[k]);
            let mut centres: Vec<f64> = centres.filter(|x| x.is_finite()).collect();
            let (few, last) = (centres.len() / OUTLIERS, centres.len().checked_sub(1)?);
            let low = *centres.select_nth_unstable_by(few, f64::total_cmp).1;
            let up = *centres.select_nth_unstable_by(last - few, f64::total_cmp).1;
            let around = AROUND[0] * (up - low) + AROUND[1] * edge;
            (crowd.min[k], crowd.max[k]) = (low - around, up + around);
        }

        let holds_all = (0..D).all(|k| crowd.min[k] <= all.low[k] && all.up[k] <= crowd.max[k]);
        (!holds_all).then_some(crowd)
    }

    fn take_within<B: Proxy<D>>(
        &mut self,
        crowd: Option<Aabb<D>>,
        scene: &BroadScene<B, D>,
        margin: f64,
        parts: &mut Vec<Survey<D>>,
    ) -> Result<(), InvalidScene> {
        let (bodies, tasks) = (scene.bodies.len(), tasks::count(scene.bodies.len()));
        parts.resize_with(tasks, Survey::default);
        tasks::for_each(parts, |task, part| {
            let range = tasks::begin(task, tasks, bodies)..tasks::begin(task + 1, tasks, bodies);
            part.look(crowd, scene, range, margin);
        });
        parts
            .iter()
            .find_map(|part| part.fault)
            .map_or(Ok(()), Err)?;

        *self = Self {
            crowd,
            ..Self::default()
        };

        for part in parts.iter_mut() {
            self.raise(part.largest);
            part.raise(self.largest);
            self.bins
                .iter_mut()
                .zip(&part.bins)
                .for_each(|(bin, other)| bin.merge(other));
            self.apart += part.apart;
        }

        Ok(())
    }

    fn look<B: Proxy<D>>(
        &mut self,
        crowd: Option<Aabb<D>>,
        scene: &BroadScene<B, D>,
        range: Range<usize>,
        margin: f64,
    ) {
        *self = Self {
            crowd,
            ..Self::default()
        };
        for n in range {
            if let Err(fault) = scene.check_body(n) {
                self.fault = Some(fault);
                return;
            }

            let bounds = scene.bodies[n].bounds();
            let size = self.size(scene, &bounds, margin);
            if size == f64::INFINITY || !scene.is_on(n) {
                self.apart += 1;
                continue;
            }

            let code = size_code(size);
            if code > self.largest {
                self.raise(code);
            }

            self.bins[self.bin(code)].add(&bounds);
        }
    }

    /// Returns the longest edge; infinite for bodies that are looked up separately.
    #[inline]
    fn size<B: Proxy<D>>(&self, scene: &BroadScene<B, D>, bounds: &Aabb<D>, margin: f64) -> f64 {
        match self.crowd {
            Some(crowd) if !crowd.contains(&bounds.centre()) => f64::INFINITY,
            _ => size_of_body(scene, bounds, margin),
        }
    }

    #[inline]
    fn bin(&self, code: u64) -> usize {
        ((self.largest - code) as usize).min(BINS - 1)
    }

    /// Shifts the bins to a new, larger maximum size; bins that fall off the end are merged into
    /// the last.
    fn raise(&mut self, largest: u64) {
        if largest <= self.largest {
            return;
        }

        let shift = (largest - self.largest).min(BINS as u64) as usize;
        self.largest = largest;
        let mut last = Bin::EMPTY;
        self.bins[BINS.saturating_sub(shift + 1)..]
            .iter()
            .for_each(|bin| last.merge(bin));
        self.bins.rotate_right(shift % BINS);
        self.bins[..shift].fill(Bin::EMPTY);

        self.bins[BINS - 1] = last;
    }

    /// Returns whether a body is finite and shorter than half of every period.
    pub(super) fn fits<B: Proxy<D>>(
        scene: &BroadScene<B, D>,
        bounds: &Aabb<D>,
        margin: f64,
    ) -> bool {
        size_of_body(scene, bounds, margin) < f64::INFINITY
    }

    /// Returns whether every body is in a bin.
    pub(super) fn all_in_bins(&self) -> bool {
        self.apart == 0
    }

    /// Returns how body `n` enters the columns.
    #[inline]
    pub(super) fn class<B: Proxy<D>>(
        &self,
        scene: &BroadScene<B, D>,
        n: usize,
        bounds: &Aabb<D>,
        margin: f64,
    ) -> Class {
        if !scene.is_on(n) {
            return Class::Off;
        }

        let size = self.size(scene, bounds, margin);
        if size == f64::INFINITY {
            return Class::Huge;
        }

        Class::Bin(self.bin(size_code(size)))
    }
}
