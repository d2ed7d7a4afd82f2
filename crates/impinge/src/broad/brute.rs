//! Brute force over all pairs: O(N²), and the reference that every other method is tested against.

use super::{BodyId, BroadCounters, BroadPhase, BroadScene, InvalidScene, Pair, Proxy};

/// Broad phase that tests every pair.
#[derive(Clone, Debug, Default)]
#[doc(alias = "all pairs")]
pub struct BruteForce {
    counters: BroadCounters,
}

impl<const D: usize> BroadPhase<D> for BruteForce {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        scene.check()?;
        pairs.clear();
        let count = scene.bodies.len() as BodyId;

        for a in (0..count).filter(|&a| scene.is_on(a as usize)) {
            for b in a + 1..count {
                if scene.pair_overlaps(a, b) {
                    pairs.push(Pair { a, b });
                }
            }
            self.counters.tests += u64::from(count - 1 - a);
        }

        Ok(())
    }

    fn counters(&self) -> BroadCounters {
        self.counters
    }
}
