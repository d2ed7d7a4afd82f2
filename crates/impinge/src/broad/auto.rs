//! Picks the cheapest broad phase at each step.
//!
//! Small scenes are tested by brute force. Otherwise the cost model of `skin.rs` decides whether a
//! neighbour list pays, from the number of pairs and the motion of a sample of bodies in the last
//! step. If it does not pay, the pairs are computed from scratch. A list that is still valid is
//! used whatever the motion. A step in which every body jumps costs one pass over the bodies more
//! than a rebuild.

use super::list::NeighbourList;
use super::{BroadCounters, BroadPhase, BroadScene, BruteForce, InvalidScene, Pair, Proxy};

/// Number of bodies up to which all pairs are tested: 1 ns per test, against some microseconds for
/// a build.
const FEW: usize = 40;

/// The predicted cost of a list must be below this fraction of a rebuild's, because the prediction
/// comes from a model.
const LIST_MUST_SAVE: f64 = 0.9;

/// Broad phase that uses brute force, a neighbour list or columns, whichever is cheapest.
///
/// ```
/// use impinge::broad::{Auto, BroadPhase, BroadScene, Pair};
/// use impinge::space::Aabb;
/// let mut boxes = [0.0, 2.0, 5.0].map(|x| Aabb::new([x, 0.0], [x + 1.0, 1.0]));
/// let (mut broad, mut pairs) = (Auto::default(), Vec::new());
/// for step in 0..3 {
///     broad.find_pairs(&BroadScene::of(&boxes), &mut pairs)?;
///     assert_eq!(pairs.len(), step / 2, "they touch in the last step");
///     boxes[0].min.x += 0.5;
///     boxes[0].max.x += 0.5;
/// }
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), impinge::broad::InvalidScene>(())
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "broad phase")]
pub struct Auto<const D: usize> {
    brute: BruteForce,
    list: NeighbourList<D>,
}

impl<const D: usize> BroadPhase<D> for Auto<D> {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        if scene.bodies.len() <= FEW {
            self.list.forget();
            return self.brute.find_pairs(scene, pairs);
        }

        scene.check_frame()?;
        self.list.observe(scene);
        if !self.list.still_good(scene)? {
            match self.margin(scene) {
                Some(margin) => self.list.rebuild(scene, margin)?,
                None => return self.build(scene, pairs),
            }
        }

        self.list.step(scene, pairs);
        Ok(())
    }

    fn counters(&self) -> BroadCounters {
        let mut all = <BruteForce as BroadPhase<D>>::counters(&self.brute);
        all += self.list.counters();
        all
    }
}

impl<const D: usize> Auto<D> {
    /// Returns the margin of a list if one pays. The motion is unknown before the second step.
    fn margin<B: Proxy<D>>(&self, scene: &BroadScene<B, D>) -> Option<f64> {
        self.list.memory.motion?;
        let outlook = self.list.outlook(scene);
        let (margin, cost) = outlook.best_margin();
        (cost < LIST_MUST_SAVE * outlook.cost_of_building()).then_some(margin)
    }

    fn build<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        self.list.forget();
        self.list.columns.find_pairs(scene, pairs)?;
        self.list.memory.pairs = pairs.len();
        Ok(())
    }

    /// Returns the memory in use in bytes, excluding lists of pairs.
    pub fn memory(&self) -> usize {
        self.list.memory()
    }
}
