//! Neighbour (Verlet) list: most steps only re-test the pairs that were close at the last rebuild.
//!
//! Growing each body by a margin gives a list of candidate pairs. While no body has moved by more
//! than the margin, the list contains every overlapping pair, and a step only tests the list. Close
//! cases are decided in f64, so the result is exact whatever the margin. Bodies that moved farther,
//! or were added, are looked up individually in the columns of the last rebuild, so a few runaways
//! do not invalidate the list. The margin is chosen from the motion (`skin.rs`).
//!
//! Cost: O(N + candidates) per step, plus one build of [`Columns`] per rebuild of the list.

use super::columns::Columns;
use super::motion::Motion;
use super::skin::Outlook;
use super::{BroadCounters, BroadPhase, BroadScene, InvalidScene, Pair, Period, Proxy, ProxyKind};

/// Assumed motion per step, in mean edges, while it is unknown: a list then lasts about ten steps.
const ASSUMED_MOTION: f64 = 0.005;
/// Largest factor by which lists are expected to outlive straight-line motion.
const MOST_PERSISTENCE: f64 = 16.0;

/// Skin thickness of a [`NeighbourList`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[doc(alias = "skin")]
#[doc(alias = "Verlet skin")]
#[doc(alias = "margin")]
pub enum Skin {
    /// Chosen from the observed motion.
    #[default]
    Auto,
    /// Grows every body by this length.
    Margin(f64),
}

/// Broad phase that reuses a neighbour (Verlet) list while bodies move little.
///
/// ```
/// use impinge::bound::Ball;
/// use impinge::broad::{BroadPhase, BroadScene, NeighbourList};
/// let mut balls: Vec<Ball<3>> =
///     (0..100).map(|n| Ball::new([f64::from(n), 0.0, 0.0], 0.5 + 1e-3)).collect();
/// let (mut list, mut pairs) = (NeighbourList::default(), Vec::new());
/// for _ in 0..20 {
///     list.find_pairs(&BroadScene::of(&balls), &mut pairs)?;
///     assert_eq!(pairs.len(), 99, "each touches the next");
///     balls.iter_mut().for_each(|ball| ball.centre.y += 1e-3);
/// }
/// # Ok::<(), impinge::broad::InvalidScene>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "neighbor list")]
#[doc(alias = "Verlet list")]
pub struct NeighbourList<const D: usize> {
    skin: Skin,
    pub(super) columns: Columns<D>,
    motion: Motion<D>,
    built_for: Option<BuiltFor<D>>,
    pub(super) memory: Memory,
    list_steps: u64,
}

/// The conditions under which the current list was built.
#[derive(Clone, Copy, Debug)]
struct BuiltFor<const D: usize> {
    kind: ProxyKind,
    period: Period<D>,
    bodies: usize,
    margin: f64,
    motion: f64,
    age: f64,
}

/// Statistics of past steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// Travel in the last step, if known.
    pub(super) motion: Option<f64>,
    /// Number of pairs found in the last step.
    pub(super) pairs: usize,
    persistence: f64,
}

impl<const D: usize> Default for NeighbourList<D> {
    fn default() -> Self {
        Self {
            skin: Skin::default(),
            columns: Columns::default(),
            motion: Motion::default(),
            built_for: None,
            memory: Memory {
                motion: None,
                pairs: 0,
                persistence: 1.0,
            },
            list_steps: 0,
        }
    }
}

impl<const D: usize> BroadPhase<D> for NeighbourList<D> {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        scene.check_frame()?;
        self.observe(scene);
        if !self.still_good(scene)? {
            let margin = match self.skin {
                Skin::Auto => self.outlook(scene).best_margin().0,
                Skin::Margin(margin) => margin,
            };
            self.rebuild(scene, margin)?;
        }

        self.step(scene, pairs);
        Ok(())
    }

    fn counters(&self) -> BroadCounters {
        BroadCounters {
            list_steps: self.list_steps,
            ..self.columns.counters()
        }
    }
}

impl<const D: usize> NeighbourList<D> {
    /// Creates a list with this skin; [`NeighbourList::default`] chooses it from the motion.
    pub fn with_skin(skin: Skin) -> Self {
        Self {
            skin,
            ..Self::default()
        }
    }

    /// Returns the memory in use in bytes, excluding lists of pairs.
    pub fn memory(&self) -> usize {
        self.columns.memory()
    }

    /// Records the motion since the last step.
    pub(super) fn observe<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>) {
        self.memory.motion = self.motion.observe(scene);
    }

    /// Returns the parameters of the cost model for the next list.
    pub(super) fn outlook<B: Proxy<D>>(&self, scene: &BroadScene<B, D>) -> Outlook {
        let edge = self.columns.mean_edge().unwrap_or(0.0);
        Outlook {
            motion: self.memory.motion.unwrap_or(ASSUMED_MOTION * edge),
            edge,
            pairs: self.memory.pairs as f64 / scene.bodies.len().max(1) as f64,
            persistence: self.memory.persistence,
            dimension: D as i32,
        }
    }

    /// Discards the list.
    pub(super) fn forget(&mut self) {
        self.built_for = None;
    }

    /// Checks the bodies and finds the strays; returns false if the list cannot be used for this
    /// scene.
    pub(super) fn still_good<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
    ) -> Result<bool, InvalidScene> {
        let Some(mut built_for) = self.built_for.take() else {
            return Ok(false);
        };
        built_for.age += 1.0;
        let same = built_for.kind == B::KIND
            && built_for.period == scene.period
            && built_for.bodies <= scene.bodies.len();

        if same && self.columns.follow_neighbours(scene)? {
            self.built_for = Some(built_for);
        } else if same {
            self.learn(&built_for);
        }

        Ok(self.built_for.is_some())
    }

    /// Compares the list's lifetime with that expected for straight-line motion.
    fn learn(&mut self, built_for: &BuiltFor<D>) {
        if built_for.motion > 0.0 && built_for.age > 1.0 {
            let ratio = ((built_for.age - 1.0) * built_for.motion / built_for.margin)
                .clamp(1.0, MOST_PERSISTENCE);
            self.memory.persistence = 0.5 * (self.memory.persistence + ratio);
        } else {
            self.memory.persistence = 1.0;
        }
    }

    /// Rebuilds the list with this margin.
    pub(super) fn rebuild<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        margin: f64,
    ) -> Result<(), InvalidScene> {
        self.columns.build(scene, margin)?;
        self.columns.list_neighbours(scene)?;
        let (motion, bodies) = (self.memory.motion.unwrap_or(0.0), scene.bodies.len());
        self.built_for = Some(BuiltFor {
            kind: B::KIND,
            period: scene.period,
            bodies,
            margin,
            motion,
            age: 0.0,
        });

        Ok(())
    }

    /// Tests the candidates of the list, and looks up the strays.
    pub(super) fn step<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>, pairs: &mut Vec<Pair>) {
        self.list_steps += 1;
        self.columns.test_neighbours(scene, pairs);
        self.memory.pairs = pairs.len();
    }
}

#[cfg(test)]
mod tests;
