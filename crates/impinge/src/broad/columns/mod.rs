//! Finds all overlapping pairs from scratch: rows sorted along one axis, on a grid over the others
//! \[Stratbuecker2003\].
//!
//! The idea is the paper's: sort along one axis, lay a grid of columns over the others, and scan
//! each sorted column only over the extent of the bodies. The differences are:
//!
//! - the search covers half of the neighbourhood of each column, so one pass finds all pairs (the
//!   paper's misses some);
//! - bodies of very different sizes get separate grids ([`Levels`]);
//! - infinite and very large bodies are looked up one by one, so they do not coarsen the grids;
//! - the sort is a distribution sort, linear whatever the motion since the last step;
//! - an f32 filter with an error bound decides all but the closest cases.
//!
//! Cost: O(N + pairs) for any mixture of sizes at bounded density; memory O(N), however sparse the
//! scene. A million balls of one size with two pairs each take 140 ns per ball at best, 200 ns in a
//! less favourable run: search 23 %, deciding its hits 11 %, partitioning and sorting the bodies 29 %,
//! sorting the pairs 21 %, the survey 7 %. Wider vectors (AVX2) gain nothing: the remaining cost is
//! scattered memory writes in both sorts.

mod frame;
mod grid;
mod hits;
mod lanes;
mod levels;
mod neighbours;
mod order;
mod plan;
mod search;
mod stages;
mod survey;
mod unsorted;

pub use levels::Levels;
pub use unsorted::UnsortedPairs;

use super::sort_pairs::{Found, Merger};
use super::{
    BodyId, BroadCounters, BroadPhase, BroadScene, InvalidScene, Pair, Proxy, ProxyKind, tasks,
};
use grid::RowStart;
use hits::Hits;
use lanes::{BallBlock, Block, BoxBlock, Lanes};
use neighbours::Neighbours;
use order::Order;
use plan::Plan;
use search::{Search, Wanted};
use stages::Stages;
use survey::Survey;

/// Broad phase that searches sorted rows on a hierarchy of grids.
///
/// ```
/// use impinge::bound::Ball;
/// use impinge::broad::{BroadPhase, BroadScene, Columns, Period};
/// let balls = [0.5, 4.0, 9.5].map(|x| Ball::new([x, 0.0, 0.0], 0.6));
/// let mut pairs = Vec::new();
/// let period = Period::cell([10.0; 3]);
/// Columns::default().find_pairs(&BroadScene { period, ..BroadScene::of(&balls) }, &mut pairs)?;
/// assert_eq!((pairs.len(), pairs[0].a, pairs[0].b), (1, 0, 2)); // across the boundary of the cell
/// # Ok::<(), impinge::broad::InvalidScene>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "uniform grid")]
#[doc(alias = "cell list")]
#[doc(alias = "spatial hashing")]
pub struct Columns<const D: usize> {
    levels: Levels,
    plan: Plan<D>,
    lanes: Lanes<D>,
    rows: Vec<RowStart>,
    /// Bodies in no level.
    huge: Vec<BodyId>,
    order: Order<D>,
    parts: Vec<Survey<D>>,
    found: Vec<Found>,
    stages: Stages<D>,
    /// Index of the first body of each search task.
    begins: Vec<usize>,
    merger: Merger,
    neighbours: Neighbours<D>,
    counters: BroadCounters,
}

impl<const D: usize> Default for Columns<D> {
    fn default() -> Self {
        const {
            assert!(
                D == 2 || D == 3,
                "rows are neighbours in two and three dimensions only"
            )
        };
        Self {
            levels: Levels::default(),
            plan: Plan::default(),
            lanes: Lanes::default(),
            rows: Vec::new(),
            huge: Vec::new(),
            order: Order::default(),
            parts: Vec::new(),
            found: Vec::new(),
            stages: Stages::default(),
            begins: Vec::new(),
            merger: Merger::default(),
            neighbours: Neighbours::default(),
            counters: BroadCounters::default(),
        }
    }
}

impl<const D: usize> BroadPhase<D> for Columns<D> {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        let unsorted = self.find_unsorted(scene)?;
        // Every element is overwritten, so the old contents need not be cleared.
        pairs.resize(unsorted.len(), Pair::default());
        unsorted.sort_into(pairs);
        Ok(())
    }

    fn counters(&self) -> BroadCounters {
        self.counters
    }
}

impl<const D: usize> Columns<D> {
    /// Creates columns with this choice of grids; [`Columns::default`] lets the cost model choose.
    pub fn with_levels(levels: Levels) -> Self {
        Self {
            levels,
            ..Self::default()
        }
    }

    /// Finds the pairs, to be sorted into memory of the caller's as soon as their number is known.
    pub fn find_unsorted<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
    ) -> Result<UnsortedPairs<'_>, InvalidScene> {
        self.build(scene, 0.0)?;
        self.search_by_kind(scene, Wanted::Pairs);
        Ok(UnsortedPairs {
            found: &self.found,
            merger: &mut self.merger,
            bodies: scene.bodies.len(),
        })
    }

    /// Sorts the bodies, each grown by `margin`.
    pub(super) fn build<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        margin: f64,
    ) -> Result<(), InvalidScene> {
        self.plan.survey.take(scene, margin, &mut self.parts)?;
        self.plan.make(self.levels, &scene.period, margin);
        let (order, lanes, huge) = (&mut self.order, &mut self.lanes, &mut self.huge);
        let comparisons = match B::KIND {
            ProxyKind::Box => order.fill::<B, BoxBlock<D>>(scene, &self.plan, lanes, huge),
            ProxyKind::Ball => order.fill::<B, BallBlock<D>>(scene, &self.plan, lanes, huge),
        };
        self.counters.comparisons += comparisons;
        self.counters.rebuilds += 1;
        self.list_rows();

        Ok(())
    }

    /// Finds where each row and each level begins.
    fn list_rows(&mut self) {
        self.rows.clear();
        let mut last = u32::MAX;
        for (start, &row) in self.lanes.rows.iter().enumerate() {
            if row != last {
                self.rows.push(RowStart {
                    row,
                    start: start as u32,
                });
                last = row;
            }
        }

        let bodies = self.lanes.tags.len();
        for level in &mut self.plan.levels {
            let end_row = level.first_row + level.row_count();
            let first = self.rows.partition_point(|row| row.row < level.first_row);
            let end = self.rows.partition_point(|row| row.row < end_row);
            let start_of = |at: usize| self.rows.get(at).map_or(bodies, |row| row.start as usize);
            level.rows = first..end;
            level.bodies = start_of(first)..start_of(end);
        }
    }

    /// Finds and stores all pairs that may overlap within the margin of the last build.
    pub(super) fn list_neighbours<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
    ) -> Result<(), InvalidScene> {
        self.search_by_kind(scene, Wanted::Places);
        self.neighbours.list(scene, &self.lanes, &mut self.found);
        // Right after a build no body can be a stray, however thin the margin.
        self.follow(scene, f64::INFINITY).map(drop)
    }

    /// Updates the current positions; returns false if too many bodies left their margin.
    pub(super) fn follow_neighbours<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
    ) -> Result<bool, InvalidScene> {
        // Both packed boxes may be off by the slack.
        self.follow(scene, self.plan.frame.margin - 4.0 * self.plan.frame.slack)
    }

    fn follow<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        margin: f64,
    ) -> Result<bool, InvalidScene> {
        let (frame, lanes, huge) = (&self.plan.frame, &self.lanes, &self.huge);
        let followed = match B::KIND {
            ProxyKind::Box => self
                .neighbours
                .follow::<B, BoxBlock<D>>(scene, frame, lanes, huge, margin),
            ProxyKind::Ball => self
                .neighbours
                .follow::<B, BallBlock<D>>(scene, frame, lanes, huge, margin),
        };

        // Bodies are visited in build order; the error to report is that of the lowest index.
        followed.map_err(|error| scene.check().err().unwrap_or(error))
    }

    /// Writes the overlapping pairs among the stored neighbours and the strays.
    pub(super) fn test_neighbours<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) {
        let (plan, lanes) = (&self.plan, &self.lanes);
        self.counters += match B::KIND {
            ProxyKind::Box => self
                .neighbours
                .test::<B, BoxBlock<D>>(scene, plan, lanes, pairs),
            ProxyKind::Ball => self
                .neighbours
                .test::<B, BallBlock<D>>(scene, plan, lanes, pairs),
        };

        if !self.neighbours.strays.is_empty() {
            let strays = std::mem::take(&mut self.neighbours.strays);
            let mut extra = std::mem::take(&mut self.neighbours.extra);
            extra.clear();
            self.look_up(scene, &strays, &mut extra);
            neighbours::merge_into(&mut extra, pairs);
            self.counters.strays += strays.len() as u64;
            (self.neighbours.strays, self.neighbours.extra) = (strays, extra);
        }
    }

    fn search_by_kind<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>, wanted: Wanted) {
        match B::KIND {
            ProxyKind::Box => self.search_blocks::<B, BoxBlock<D>>(scene, wanted),
            ProxyKind::Ball => self.search_blocks::<B, BallBlock<D>>(scene, wanted),
        }
    }

    fn search_blocks<B: Proxy<D>, K: Block<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        wanted: Wanted,
    ) {
        let tasks = tasks::count(self.lanes.tags.len());
        self.plan.share_out(tasks, &mut self.begins);
        self.found.resize_with(tasks, Found::default);
        self.stages.resize();
        let search = Search::<B, K, D>::new(scene, &self.plan, &self.lanes, &self.rows, wanted);
        let (huge, frame, begins) = (&self.huge, &self.plan.frame, &self.begins);
        let stages = &self.stages;

        tasks::for_each(&mut self.found, |number, found| {
            let mut task = stages.of_thread();
            task.hits.pairs.clear();
            search.range(begins[number]..begins[number + 1], &mut task);
            if wanted == Wanted::Places {
                return std::mem::swap(&mut found.pairs, &mut task.hits.pairs);
            }
            for n in
                tasks::begin(number, tasks, huge.len())..tasks::begin(number + 1, tasks, huge.len())
            {
                let span = frame.endless(&scene.bodies[huge[n] as usize].bounds());
                search.body(huge[n], &span, &mut task);
                among_huge(scene, huge[n], &huge[n + 1..], &mut task.hits);
            }
            found.take(&task.hits.pairs, scene.bodies.len());
        });

        for task in self.stages.all() {
            self.counters += std::mem::take(&mut task.hits.counters);
        }
    }

    /// Adds the pairs of individual bodies with those in the levels of the last build and with each
    /// other, using the exact test. The bodies may be anywhere.
    pub(super) fn look_up<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        bodies: &[BodyId],
        out: &mut Vec<Pair>,
    ) {
        match B::KIND {
            ProxyKind::Box => self.look_up_blocks::<B, BoxBlock<D>>(scene, bodies, out),
            ProxyKind::Ball => self.look_up_blocks::<B, BallBlock<D>>(scene, bodies, out),
        }
    }

    fn look_up_blocks<B: Proxy<D>, K: Block<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        bodies: &[BodyId],
        out: &mut Vec<Pair>,
    ) {
        let search =
            Search::<B, K, D>::new(scene, &self.plan, &self.lanes, &self.rows, Wanted::Pairs);
        self.stages.resize();
        let mut task = self.stages.of_thread();
        std::mem::swap(out, &mut task.hits.pairs);

        for &body in bodies {
            let bounds = scene.bodies[body as usize].bounds();
            self.plan
                .for_each_shift(scene, &bounds, |span| search.body(body, span, &mut task));
        }

        for (n, &body) in bodies.iter().enumerate() {
            among_huge(scene, body, &bodies[n + 1..], &mut task.hits);
        }

        std::mem::swap(out, &mut task.hits.pairs);
        let counters = std::mem::take(&mut task.hits.counters);
        drop(task);
        self.counters += counters;
    }

    /// Returns the mean edge of the bodies in the levels; `None` before the first build.
    pub(super) fn mean_edge(&self) -> Option<f64> {
        self.plan.mean_edge()
    }

    /// Returns the number of grids of the last build.
    #[cfg(test)]
    fn level_count(&self) -> usize {
        self.plan.levels.len()
    }

    /// Returns the memory in use in bytes, excluding lists of pairs: the part that grows with the
    /// number of bodies.
    pub fn memory(&self) -> usize {
        self.lanes.memory()
            + self.order.memory()
            + self.merger.memory()
            + self.rows.capacity() * size_of::<RowStart>()
            + self.neighbours.memory()
    }

    /// Returns the memory in bytes of intermediate lists of pairs.
    pub fn memory_of_pairs(&self) -> usize {
        self.found.iter().map(Found::memory).sum()
    }
}

/// Tests a body that is in no level against others that are in none.
fn among_huge<B: Proxy<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    body: BodyId,
    others: &[BodyId],
    hits: &mut Hits,
) {
    let meets = |&&other: &&BodyId| scene.pair_overlaps(body, other);
    hits.pairs.extend(
        others
            .iter()
            .filter(meets)
            .map(|&other| Pair::new(body, other)),
    );

    hits.counters.tests += others.len() as u64;
}

#[cfg(test)]
mod tests;
