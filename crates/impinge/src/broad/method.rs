//! A broad phase chosen at run time.

use super::{
    Auto, BroadCounters, BroadPhase, BroadScene, BruteForce, Columns, InvalidScene, NeighbourList,
    Pair, Proxy, Sweep,
};

/// The methods that can be chosen. All give the same pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BroadMethod {
    /// The cheapest method, chosen at each step.
    #[default]
    Auto,
    /// Sweep and prune with a persistent list of pairs \[Schinner1997\].
    Sweep,
    /// Sorted columns \[Stratbuecker2003\].
    Columns,
    /// A neighbour list with a skin.
    List,
    /// All pairs.
    Brute,
}

impl BroadMethod {
    /// All methods.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Sweep,
        Self::Columns,
        Self::List,
        Self::Brute,
    ];

    /// Returns the name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sweep => "sweep",
            Self::Columns => "columns",
            Self::List => "list",
            Self::Brute => "brute",
        }
    }
}

/// A broad phase of any [`BroadMethod`], with its memory.
///
/// ```
/// use impinge::bound::Ball;
/// use impinge::broad::{AnyBroadPhase, BroadMethod, BroadPhase, BroadScene, Pair};
/// let balls = [[0.0, 0.0], [1.5, 0.0], [9.0, 9.0]].map(|c| Ball::new(c, 1.0));
/// for method in BroadMethod::ALL {
///     let mut pairs = Vec::new();
///     AnyBroadPhase::new(method).find_pairs(&BroadScene::of(&balls), &mut pairs)?;
///     assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// }
/// # Ok::<(), impinge::broad::InvalidScene>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyBroadPhase<const D: usize> {
    /// The cheapest method, chosen at each step.
    Auto(Box<Auto<D>>),
    /// Sweep and prune.
    Sweep(Box<Sweep<D>>),
    /// Sorted columns.
    Columns(Box<Columns<D>>),
    /// A neighbour list.
    List(Box<NeighbourList<D>>),
    /// All pairs.
    Brute(BruteForce),
}

impl<const D: usize> Default for AnyBroadPhase<D> {
    fn default() -> Self {
        Self::new(BroadMethod::Auto)
    }
}

impl<const D: usize> AnyBroadPhase<D> {
    /// Creates a broad phase of a method.
    pub fn new(method: BroadMethod) -> Self {
        match method {
            BroadMethod::Auto => Self::Auto(Box::default()),
            BroadMethod::Sweep => Self::Sweep(Box::default()),
            BroadMethod::Columns => Self::Columns(Box::default()),
            BroadMethod::List => Self::List(Box::default()),
            BroadMethod::Brute => Self::Brute(BruteForce::default()),
        }
    }
}

impl<const D: usize> BroadPhase<D> for AnyBroadPhase<D> {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        match self {
            Self::Auto(phase) => phase.find_pairs(scene, pairs),
            Self::Sweep(phase) => phase.find_pairs(scene, pairs),
            Self::Columns(phase) => phase.find_pairs(scene, pairs),
            Self::List(phase) => phase.find_pairs(scene, pairs),
            Self::Brute(phase) => phase.find_pairs(scene, pairs),
        }
    }

    fn counters(&self) -> BroadCounters {
        match self {
            Self::Auto(phase) => phase.counters(),
            Self::Sweep(phase) => phase.counters(),
            Self::Columns(phase) => phase.counters(),
            Self::List(phase) => phase.counters(),
            Self::Brute(phase) => <BruteForce as BroadPhase<D>>::counters(phase),
        }
    }
}
