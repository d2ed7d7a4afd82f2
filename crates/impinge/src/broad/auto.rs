//! The method for those who do not know: chosen anew at every step.
//!
//! Few bodies are tested all with all. Otherwise the motion of the last step, on a sample, and the number of pairs tell by
//! the cost model of `skin.rs` whether a kept list pays; if not, everything is built anew. A list that is good is
//! used whatever the motion, and a step in which everything jumps costs a look at the bodies more than a build.

use super::list::NeighbourList;
use super::{BroadCounters, BroadPhase, BroadScene, BruteForce, InvalidScene, Pair, Proxy};

/// Up to so many bodies all pairs are tested: 1 ns each, against some microseconds for a build of so few.
const FEW: usize = 40;

/// A list must promise to be cheaper by this factor: the promise is a model's.
const PROMISE: f64 = 0.9;

/// Brute force, kept list or columns, whichever is cheapest.
#[derive(Clone, Debug, Default)]
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
    /// The margin of a list that pays, if one does. Nothing is known of motion before the second step.
    fn margin<B: Proxy<D>>(&self, scene: &BroadScene<B, D>) -> Option<f64> {
        self.list.memory.motion?;
        let outlook = self.list.outlook(scene);
        let (margin, cost) = outlook.best_margin();
        (cost < PROMISE * outlook.cost_of_building()).then_some(margin)
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

    /// Bytes held, beside lists of pairs.
    pub fn memory(&self) -> usize {
        self.list.memory()
    }
}
