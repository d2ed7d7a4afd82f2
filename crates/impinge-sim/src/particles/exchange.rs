//! Messages between ranks in a step of a distributed run.
//!
//! A rank moves its own particles and stores copies of those neighbours that others own, its ghosts.
//! Both are in one set of arrays, ordered by seats, so that the forces on its own particles are
//! summed as in one process (`order.rs`). A pair of two ranks is computed on both: the law gives the
//! same bytes, and both store its spring. Nothing is sent back.
//!
//! In each step, the ghosts receive position, velocity, spin and damping, 80 bytes. When the
//! neighbour list is rebuilt, on all ranks at once, particles and ghosts change ranks
//! (`migration.rs`). Obstacles, inlets and outlets are the same on all ranks; only own particles touch
//! them.
//!
//! Ghosts travel while the pairs without them are computed.
//!
//! Quantities that the state of a single process depends on are reduced over all ranks: the largest
//! motion, the mean diameter, the lowest corner at a sort, and exact sums of energies and reactions.

use super::Particles;
use super::arrays::Arrays;
use super::record::{MOTION, Reader, read_motion, write_motion};
use super::walls::{NodeForce, Response};
use crate::obstacle::Reaction;
use crate::order_free::{VectorSum, WORDS};
use crate::ranks::{Bisection, Communicator, Message, bytes_of, words_of};
use crate::{StepError, Superaccumulator};
use impinge::space::{Point, Vector};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The connection of a set of particles with its other parts.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) ranks: Arc<dyn Communicator>,
    pub(super) division: Bisection,
    /// Number of particles on all ranks.
    pub(super) total: usize,
    /// Places of own particles that other ranks have as ghosts.
    pub(super) sends: Vec<Link>,
    /// Places of the ghosts.
    pub(super) receives: Vec<Link>,
    /// Whether the ghosts have not moved yet in this step.
    pub(super) is_stale: bool,
    /// Deepest overlap whose particles are known to all.
    pub(super) deepest: f64,
    pub(super) balance: Balance,
    pub(super) traffic: Traffic,
}

/// Load-balance measurements: space is divided again when waiting for the slowest rank costs more than
/// a division.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    /// Seconds that this rank computed since the last rebuild of the list.
    pub(super) busy: f64,
    /// Seconds that ranks waited on average, since the last division.
    pub(super) waited: f64,
    /// Seconds that the last division took here, with the migration.
    pub(super) took: f64,
    /// Whether the user wants a division.
    pub(super) asked: bool,
}

/// Particles shared with another rank, in the order in which they are sent.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) places: Vec<u32>,
    message: Message,
}

/// Communication statistics of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Steps without a rebuild of the neighbour list.
    pub steps: u64,
    /// Messages in these steps, and their bytes.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
    /// Bytes sent when lists were rebuilt: particles that moved to another rank, and new ghosts.
    pub rebuild_bytes: u64,
    /// Particles that moved to another rank.
    pub migrated: u64,
    /// Ghosts at the last rebuild.
    pub ghosts: usize,
    /// How often space was divided again.
    pub divisions: u64,
    /// Time to pack and unpack the messages of steps.
    pub packing: Duration,
    /// Time in which they were on their way and nothing was left to compute.
    pub waiting: Duration,
}

impl Exchange {
    /// Adds sums to those of all ranks.
    fn add_up(&self, sums: &mut [Superaccumulator]) {
        let mut words: Vec<i64> = sums.iter().flat_map(Superaccumulator::to_words).collect();
        self.ranks.sum(&mut words);
        for (sum, words) in sums.iter_mut().zip(words.as_chunks::<WORDS>().0) {
            *sum = Superaccumulator::from_words(words);
        }
    }

    /// Adds up forces and torques of obstacles over all ranks.
    fn add_up_responses(&self, sums: &mut [&mut [VectorSum; 3]]) {
        let axes = sums
            .iter()
            .flat_map(|three| three.iter())
            .flat_map(|sum| &sum.axes);
        let mut all: Vec<Superaccumulator> = axes.cloned().collect();
        self.add_up(&mut all);
        let axes = sums
            .iter_mut()
            .flat_map(|three| three.iter_mut())
            .flat_map(|sum| &mut sum.axes);
        axes.zip(all).for_each(|(axis, sum)| *axis = sum);
    }
}

/// Reductions, which in a single process are trivial.
impl Particles {
    /// Replaces each number by the largest on any rank.
    pub(super) fn largest_of_all(&self, numbers: &mut [f64]) {
        if let Some(exchange) = &self.exchange {
            exchange.ranks.max(numbers);
        }
    }

    /// Returns the sum of numbers over all ranks, in any order.
    pub(super) fn sum_over_all(&self, numbers: impl Iterator<Item = f64>) -> f64 {
        let mut sum = Superaccumulator::default();
        numbers.for_each(|number| sum.add(number));
        if let Some(exchange) = &self.exchange {
            exchange.add_up(std::slice::from_mut(&mut sum));
        }
        sum.value()
    }

    /// Returns the number of particles on all ranks.
    pub(super) fn total(&self) -> usize {
        self.exchange
            .as_ref()
            .map_or(self.arrays.len(), |exchange| exchange.total)
    }

    /// Changes the number of particles on all ranks by the change on this one; returns the change on
    /// all.
    pub(super) fn change_total(&mut self, change: i64) -> i64 {
        let Some(exchange) = &mut self.exchange else {
            return change;
        };
        let mut changes = [change];
        exchange.ranks.sum(&mut changes);
        exchange.total = exchange.total.saturating_add_signed(changes[0] as isize);

        changes[0]
    }

    /// Returns whether this rank owns a point.
    pub(super) fn owns(&self, point: &Point<3>) -> bool {
        self.exchange
            .as_ref()
            .is_none_or(|exchange| exchange.division.owner(point) == exchange.ranks.rank())
    }

    /// Returns whether the set is divided among ranks.
    pub fn is_distributed(&self) -> bool {
        self.exchange.is_some()
    }

    /// Returns the number of ranks; 1 in a single process.
    pub fn rank_count(&self) -> usize {
        self.exchange
            .as_ref()
            .map_or(1, |exchange| exchange.ranks.size())
    }

    /// Returns the communication statistics of this rank; all zero in a single process.
    pub fn traffic(&self) -> Traffic {
        self.exchange
            .as_ref()
            .map_or_else(Traffic::default, |exchange| exchange.traffic)
    }

    /// Gathers words of all ranks.
    pub(super) fn gather_all(&self, words: Vec<u64>) -> Vec<Vec<u64>> {
        match &self.exchange {
            Some(exchange) => exchange.ranks.all_gather(words),
            None => vec![words],
        }
    }

    /// Adds the forces on obstacles, of the contacts on this rank, to those of the others, if the
    /// motion depends on them; those on others wait until they are read.
    pub(super) fn share_responses(&mut self, responses: &mut [Response]) {
        let Some(exchange) = &self.exchange else {
            return;
        };
        let both = self.obstacles.iter().zip(&mut *responses);
        let mut sums: Vec<&mut [VectorSum; 3]> = both
            .filter(|(obstacle, _)| obstacle.moves())
            .map(|(_, response)| &mut response.sums)
            .collect();
        if !sums.is_empty() {
            exchange.add_up_responses(&mut sums);
        }

        for (obstacle, response) in self.obstacles.iter_mut().zip(responses) {
            obstacle.partial = (!obstacle.moves()).then(|| Box::new(response.sums.clone()));
            if obstacle.deforms() {
                let words = node_words(&response.on_nodes);
                let all = exchange.ranks.all_gather(words);
                response.on_nodes = all.iter().flat_map(|words| node_forces(words)).collect();
                // The contacts of a particle are on one rank, in their order.
                response.on_nodes.sort_by_key(|node| node.from);
            }
        }
    }

    /// Adds up the reactions that are still split over the ranks, of the obstacles that move now, or of
    /// all.
    pub(super) fn complete_reactions(&mut self, all: bool) {
        let Some(exchange) = &self.exchange else {
            return;
        };
        let is_due = |obstacle: &&mut crate::Obstacle| {
            obstacle.partial.is_some() && (all || obstacle.moves())
        };
        let mut due: Vec<_> = self.obstacles.iter_mut().filter(is_due).collect();
        let mut sums: Vec<Box<[VectorSum; 3]>> = due
            .iter_mut()
            .filter_map(|obstacle| obstacle.partial.take())
            .collect();
        if sums.is_empty() {
            return;
        }

        let mut borrowed: Vec<&mut [VectorSum; 3]> =
            sums.iter_mut().map(|sum| &mut **sum).collect();
        exchange.add_up_responses(&mut borrowed);
        for (obstacle, sums) in due.into_iter().zip(&sums) {
            obstacle.reaction = Reaction::of(sums);
        }
    }

    /// Combines the overlaps and the largest speed of a step over all ranks; returns the error of any rank.
    pub(super) fn share_outcome(
        &mut self,
        failed: Option<(u32, StepError)>,
    ) -> Result<(), StepError> {
        let Some(exchange) = &mut self.exchange else {
            return failed.map_or(Ok(()), |(_, error)| Err(error));
        };
        let overlaps = &mut self.overlaps;
        let mut outcome = [
            f64::from(failed.is_some()),
            overlaps.largest_share(),
            f64::from(overlaps.has_deep()),
            self.rate.unwrap_or_default(),
        ];
        exchange.ranks.max(&mut outcome);
        let [has_failed, share, has_deep, rate] = outcome;
        self.rate = Some(rate);

        if has_failed > 0.0 {
            return Err(lowest_error(&*exchange.ranks, failed));
        }

        if share > exchange.deepest || has_deep > 0.0 {
            exchange.deepest = exchange.deepest.max(share);
            let all = exchange.ranks.all_gather(overlaps.to_words());
            overlaps.clear();
            all.iter().for_each(|words| overlaps.add_words(words));
            overlaps.dedup();
        }
        overlaps.set_share(share);
        Ok(())
    }
}

impl Exchange {
    /// Updates the ghosts after a drift. `meanwhile` runs the computations that do not need them.
    pub(super) fn update_ghosts(
        &mut self,
        arrays: &mut Arrays,
        mut meanwhile: impl FnMut(&mut Arrays),
    ) {
        let start = Instant::now();
        for link in &mut self.sends {
            link.message.words.clear();
            for &place in &link.places {
                write_motion(arrays, place as usize, &mut link.message.words);
            }
        }

        let take = |links: &mut [Link]| -> Vec<Message> {
            let messages = links
                .iter_mut()
                .map(|link| std::mem::take(&mut link.message));
            messages.collect()
        };
        let (sends, mut receives) = (take(&mut self.sends), take(&mut self.receives));
        let packed = Instant::now();
        let mut computed = Duration::ZERO;
        self.ranks.exchange(&sends, &mut receives, &mut || {
            let start = Instant::now();
            meanwhile(arrays);
            computed += start.elapsed();
        });
        let arrived = Instant::now();
        self.traffic.waiting += (arrived - packed).saturating_sub(computed);
        self.traffic.steps += 1;
        self.traffic.messages += sends.len() as u64;
        let words: usize = sends.iter().map(|message| message.words.len()).sum();
        self.traffic.bytes += 8 * words as u64;

        for (link, message) in self.sends.iter_mut().zip(sends) {
            link.message = message;
        }
        for (link, message) in self.receives.iter_mut().zip(receives) {
            for (&place, words) in link.places.iter().zip(message.words.chunks(MOTION)) {
                read_motion(words, arrays, place as usize);
            }
            link.message = message;
        }
        self.traffic.packing += (packed - start) + arrived.elapsed();
        self.is_stale = false;
    }
}

impl Link {
    pub(super) fn new(rank: usize, places: Vec<u32>) -> Self {
        let words = vec![0; MOTION * places.len()];
        Self {
            places,
            message: Message { rank, words },
        }
    }
}

/// Returns the error of the particle with the lowest id on any rank.
pub(super) fn lowest_error(
    ranks: &dyn Communicator,
    failed: Option<(u32, StepError)>,
) -> StepError {
    let words = failed.map_or_else(Vec::new, |(id, error)| {
        let mut words = vec![id.into()];
        let StepError { body, cause, hint } = error;
        for text in [body, cause, hint] {
            words.extend(words_of(text.as_bytes()));
        }
        words
    });
    let all = ranks.all_gather(words);
    let first = all
        .iter()
        .filter(|words| !words.is_empty())
        .min_by_key(|words| words[0]);
    let mut rest = &first.expect("one has failed")[1..];
    let mut text = || {
        let count = 1 + rest.first().map_or(0, |bytes| bytes.div_ceil(8) as usize);
        let (own, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        String::from_utf8_lossy(&bytes_of(own)).into_owned()
    };

    StepError {
        body: text(),
        cause: text(),
        hint: text(),
    }
}

fn node_words(forces: &[NodeForce]) -> Vec<u64> {
    let mut words = Vec::new();
    for node in forces {
        words.extend(node.from.0.to_words());
        words.extend([node.from.1, node.face].map(u64::from));
        let force: [f64; 3] = node.force.into();
        words.extend(node.weights.iter().chain(&force).map(|x| x.to_bits()));
    }

    words
}

fn node_forces(words: &[u64]) -> Vec<NodeForce> {
    let mut words = Reader(words);
    let mut forces = Vec::new();
    while !words.0.is_empty() {
        let seat = [(); 2].map(|()| words.next());
        forces.push(NodeForce {
            from: (super::order::Seat::from_words(seat), words.id()),
            face: words.id(),
            weights: words.numbers(),
            force: Vector::from(words.numbers::<3>()),
        });
    }

    forces
}
