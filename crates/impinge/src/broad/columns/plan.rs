//! The plan of a build: frame, levels, and the assignment of sizes to levels.

use super::frame::{Frame, Span};
use super::grid::Level;
use super::levels::{self, Cut, Levels};
use super::survey::{BINS, Bin, Class, Survey};
use crate::broad::{BroadScene, Period, Proxy};
use crate::space::Aabb;

/// No level: the bin's bodies are looked up separately.
const NO_LEVEL: u8 = u8::MAX;

/// Approximate time, in nanoseconds, for a body to search its own level.
const OWN_LEVEL_COST: f64 = 40.0;

/// Where a body is placed.
pub(super) enum Place<const D: usize> {
    /// Nowhere: it is disabled.
    None,
    /// In no level.
    Huge,
    /// In this level, with this box.
    At(usize, Span<D>),
}

/// The layout of a scene's bodies.
#[derive(Clone, Debug)]
pub(super) struct Plan<const D: usize> {
    pub(super) survey: Survey<D>,
    pub(super) frame: Frame<D>,
    /// Finest first.
    pub(super) levels: Vec<Level<D>>,
    level_of_bin: [u8; BINS],
    cut: Cut,
    /// Margin by which every body is grown, in world units.
    pub(super) margin: f64,
    repeats: bool,
    /// Whether all bodies are in one level.
    simple: bool,
}

impl<const D: usize> Default for Plan<D> {
    fn default() -> Self {
        Self {
            survey: Survey::default(),
            frame: Frame::default(),
            levels: Vec::new(),
            level_of_bin: [NO_LEVEL; BINS],
            cut: Cut::default(),
            margin: 0.0,
            repeats: false,
            simple: false,
        }
    }
}

impl<const D: usize> Plan<D> {
    /// Chooses levels and frame from the survey.
    pub(super) fn make(&mut self, levels: Levels, period: &Period<D>, margin: f64) {
        levels::cut(&self.survey.bins, levels, &mut self.cut);
        (self.margin, self.repeats) = (margin, period.repeats());
        self.level_of_bin = [NO_LEVEL; BINS];
        let mut all = Bin::EMPTY;

        for (level, bins) in self.cut.levels.iter().enumerate() {
            for bin in bins.clone() {
                self.level_of_bin[bin] = level as u8;
                all.merge(&self.survey.bins[bin]);
            }
        }

        self.simple = self.cut.levels.len() == 1 && self.cut.huge == 0 && self.survey.all_in_bins();
        self.levels.clear();
        if all.count == 0 {
            self.frame = Frame::default();
            return;
        }

        self.frame = Frame::of(&all, period, margin);
        let mut row = 0;
        for bins in &self.cut.levels {
            let mut bin = Bin::EMPTY;
            self.survey.bins[bins.clone()]
                .iter()
                .for_each(|other| bin.merge(other));
            let level = Level::of(&bin, margin, &self.frame, row);
            row += level.row_count();
            self.levels.push(level);
        }
    }

    /// Returns the mean edge of the bodies in the levels.
    pub(super) fn mean_edge(&self) -> Option<f64> {
        let levels = self
            .cut
            .levels
            .iter()
            .flat_map(|bins| &self.survey.bins[bins.clone()]);
        let (sum, count) = levels.fold((0.0, 0.0), |(sum, count), bin| {
            (
                sum + bin.total.iter().sum::<f64>() / D as f64,
                count + bin.count as f64,
            )
        });

        (count > 0.0).then(|| sum / count)
    }

    /// Calls `visit` with boxes that together meet every body in the levels that `bounds` or an
    /// image of it meets. Images of the bodies in the levels are not considered.
    pub(super) fn for_each_shift<B: Proxy<D>>(
        &self,
        scene: &BroadScene<B, D>,
        bounds: &Aabb<D>,
        mut visit: impl FnMut(&Span<D>),
    ) {
        if !self.repeats {
            return visit(&self.frame.span(bounds));
        }

        if !Survey::fits(scene, bounds, self.margin) {
            return visit(&self.frame.endless(bounds));
        }

        let wrapped = self.frame.wrapped(bounds);
        for mut shift in 0..3usize.pow(D as u32) {
            let mut span = wrapped;
            let mut wanted = true;
            for k in 0..D {
                let periods = (shift % 3) as f64 - 1.0;
                shift /= 3;
                wanted &= periods == 0.0 || self.frame.lengths[k].is_some();
                span.low[k] += periods * self.frame.lengths[k].unwrap_or(0.0);
                span.up[k] += periods * self.frame.lengths[k].unwrap_or(0.0);
            }

            if wanted {
                visit(&span);
            }
        }
    }

    /// Computes where each task begins among the sorted bodies. Tasks take about equally long,
    /// although a body of a coarse level searches all finer ones. With an equal number of bodies
    /// per task, the last task takes half of the time at a size ratio of 1:100.
    pub(super) fn share_out(&self, tasks: usize, begins: &mut Vec<usize>) {
        let cost = |n: usize| {
            let looks = self.levels[..n]
                .iter()
                .map(|f| self.levels[n].cost_of_looking(f, &self.frame.width));
            OWN_LEVEL_COST + looks.sum::<f64>()
        };
        let costs = || {
            self.levels
                .iter()
                .enumerate()
                .map(|(n, level)| (&level.bodies, cost(n)))
        };
        let total: f64 = costs()
            .map(|(bodies, cost)| bodies.len() as f64 * cost)
            .sum();
        begins.clear();
        begins.push(0);
        let mut before = 0.0;

        for (bodies, cost) in costs() {
            let end = before + bodies.len() as f64 * cost;
            while begins.len() < tasks && total * begins.len() as f64 / (tasks as f64) < end {
                let share = total * begins.len() as f64 / tasks as f64 - before;
                begins.push((bodies.start + (share / cost) as usize).min(bodies.end));
            }
            before = end;
        }

        let all = self.levels.last().map_or(0, |level| level.bodies.end);
        begins.resize(tasks + 1, all);
    }

    /// Returns the total number of rows of all levels.
    pub(super) fn row_count(&self) -> u32 {
        self.levels
            .last()
            .map_or(0, |level| level.first_row + level.row_count())
    }

    /// Returns the level of all bodies if there is only one, and there are no images.
    pub(super) fn only_level(&self) -> Option<&Level<D>> {
        self.levels.first().filter(|_| self.simple && !self.repeats)
    }

    /// Returns where body `n` of the scene is placed.
    #[inline]
    pub(super) fn place<B: Proxy<D>>(&self, scene: &BroadScene<B, D>, n: usize) -> Place<D> {
        let bounds = scene.bodies[n].bounds();
        match self.survey.class(scene, n, &bounds, self.margin) {
            Class::Off => Place::None,
            Class::Huge => Place::Huge,
            Class::Bin(bin) if self.level_of_bin[bin] == NO_LEVEL => Place::Huge,
            Class::Bin(bin) => {
                let span = if self.repeats {
                    self.frame.wrapped(&bounds)
                } else {
                    self.frame.span(&bounds)
                };
                Place::At(self.level_of_bin[bin] as usize, span)
            }
        }
    }

    /// Calls `visit` with the box and with those of its images one period up that others may touch.
    /// The first argument has one bit set for each local axis on which the image is shifted.
    ///
    /// Two images with no shifted axis in common represent one shift of a body relative to another.
    /// Every shift by −1, 0 or 1 period on each axis is one of these, so every pair is found
    /// exactly once.
    #[inline]
    pub(super) fn for_each_image(&self, span: Span<D>, mut visit: impl FnMut(u32, Span<D>)) {
        if !self.repeats {
            visit(0, span);
            return;
        }

        let mut may = 0u32;
        for k in 0..D {
            let shifts =
                self.frame.lengths[k].is_some() && span.low[k] <= self.frame.image_reach[k];
            may |= u32::from(shifts) << k;
        }

        for image in (0..1u32 << D).filter(|image| image & !may == 0) {
            let mut shifted = span;
            for k in (0..D).filter(|k| image >> k & 1 == 1) {
                let length = self.frame.lengths[k].expect("only periodic axes have images");
                shifted.low[k] += length;
                shifted.up[k] += length;
            }
            visit(image, shifted);
        }
    }
}
