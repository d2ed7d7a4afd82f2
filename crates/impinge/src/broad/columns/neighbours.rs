//! Candidate pairs of the last build, and whether they overlap now.
//!
//! Everything is done in build order. The bodies are gathered once, in that order, and compared
//! with their positions at the build. Both bodies of a pair are then close together in memory, and
//! the test of each pair sets one bit. The sorted list of the same pairs then reads the bits. With
//! bodies in random order this takes a third of the time of a walk along the sorted list, which
//! accesses one body of every pair at random. A step of a million balls takes 63 to 68 ns per ball:
//! gathering takes six tenths and waits for memory in half of it; the simplest loop that reads as
//! many balls from random positions takes 12.

use super::frame::Frame;
use super::lanes::{Block, EMPTY_LANE, LANES, Lanes, Packed, body_of};
use super::plan::Plan;
use crate::broad::sort_pairs::{Found, Merger, Paired};
use crate::broad::{BodyId, BroadCounters, BroadScene, InvalidScene, Pair, Proxy, tasks};

/// If more than one body in this many is a stray, a rebuild is cheaper; a stray costs as much as
/// about a hundred other bodies.
const STRAYS: usize = 256;

/// Number of bodies prefetched before the first of them is used: they are scattered in memory, and
/// the cache misses of a short loop overlap. Without it gathering a million balls takes three times
/// as long.
const FETCHED: usize = 64;

/// Number of pairs whose bits share a word.
const BITS: usize = 64;

/// A pair on the sorted list, with the position of its bit.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    pair: Pair,
    bit: u32,
}

impl Paired for Slot {
    #[inline]
    fn pair(&self) -> Pair {
        self.pair
    }
}

/// Per-task working data of a step.
#[derive(Clone, Debug, Default)]
struct Share {
    strays: Vec<BodyId>,
    pairs: Vec<Pair>,
    exact_tests: u64,
    fault: Option<InvalidScene>,
}

/// Candidate pairs, kept from step to step.
#[derive(Clone, Debug)]
pub(super) struct Neighbours<const D: usize> {
    /// Positions of both bodies, in build order.
    places: Vec<Pair>,
    /// The same pairs by body index, sorted.
    slots: Vec<Slot>,
    bits: Vec<u64>,
    /// The bodies at their current positions, without margin, in build order.
    now: Lanes<D>,
    /// Bodies that were disabled at the build, and the number of bodies then.
    absent: Vec<BodyId>,
    bodies: usize,
    /// Bodies that left the margin or were added, and those in no level: looked up one by one,
    /// sorted.
    pub(super) strays: Vec<BodyId>,
    /// Scratch memory for their pairs.
    pub(super) extra: Vec<Pair>,
    shares: Vec<Share>,
    found: Vec<Found<Slot>>,
    merger: Merger<Slot>,
}

impl<const D: usize> Default for Neighbours<D> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            slots: Vec::new(),
            bits: Vec::new(),
            now: Lanes::default(),
            absent: Vec::new(),
            bodies: 0,
            strays: Vec::new(),
            extra: Vec::new(),
            shares: Vec::new(),
            found: Vec::new(),
            merger: Merger::default(),
        }
    }
}

impl<const D: usize> Neighbours<D> {
    /// Stores the pairs of positions that a search found.
    pub(super) fn list<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        lanes: &Lanes<D>,
        found: &mut [Found],
    ) {
        self.places.clear();
        self.found.resize_with(found.len(), Found::default);
        for (found, slots) in found.iter().zip(&mut self.found) {
            let first = self.places.len() as u32;
            self.places.extend_from_slice(&found.pairs);
            slots.pairs.clear();
            slots
                .pairs
                .extend((first..).zip(&found.pairs).map(|(bit, places)| {
                    let body = |place: u32| body_of(lanes.tags[place as usize]);
                    Slot {
                        pair: Pair::new(body(places.a), body(places.b)),
                        bit,
                    }
                }));
        }

        self.merger
            .merge(&mut self.found, scene.bodies.len(), &mut self.slots);
        self.bodies = scene.bodies.len();
        self.absent.clear();
        self.absent
            .extend((0..self.bodies as BodyId).filter(|&n| !scene.is_on(n as usize)));
    }

    /// Gathers the current positions and finds the strays, which moved by more than `margin`;
    /// returns false if there are too many.
    pub(super) fn follow<B: Proxy<D>, K: Block<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        frame: &Frame<D>,
        lanes: &Lanes<D>,
        huge: &[BodyId],
        margin: f64,
    ) -> Result<bool, InvalidScene> {
        self.newcomers(scene, huge)?;
        let blocks = K::all(lanes);
        self.now.resize_blocks::<K>(blocks.len());
        let tasks = tasks::count(blocks.len() * LANES);
        let most = (self.bodies / STRAYS).max(4);
        let size = blocks.len().div_ceil(tasks).max(1);
        self.shares
            .resize_with(self.shares.len().max(tasks), Share::default);
        let chunks = K::parts_mut(&mut self.now).0.chunks_mut(size);
        let mut jobs: Vec<_> = chunks.zip(&mut self.shares).collect();

        tasks::for_each(&mut jobs, |task, (now, share)| {
            let first = task * size;
            let (blocks, tags) = (
                &blocks[first..first + now.len()],
                &lanes.tags[first * LANES..],
            );
            share.gather(scene, frame, margin as f32, blocks, tags, now, most);
        });
        let jobs = jobs.len();

        self.shares[..jobs]
            .iter()
            .find_map(|share| share.fault)
            .map_or(Ok(()), Err)?;
        // Counted with their images: a share stops listing them when it has too many.
        let moved: usize = self.shares[..jobs]
            .iter()
            .map(|share| share.strays.len())
            .sum();
        self.shares[..jobs]
            .iter()
            .for_each(|share| self.strays.extend_from_slice(&share.strays));
        self.strays.sort_unstable();
        self.strays.dedup();

        Ok(moved <= most)
    }

    /// Starts the list of strays with bodies added since the build and those in no level.
    fn newcomers<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        huge: &[BodyId],
    ) -> Result<(), InvalidScene> {
        self.strays.clear();
        let new = self.bodies as BodyId..scene.bodies.len() as BodyId;
        for n in self.absent.iter().chain(huge).copied().chain(new) {
            scene.check_body(n as usize)?;
            if scene.is_on(n as usize) {
                self.strays.push(n);
            }
        }

        Ok(())
    }

    /// Replaces `pairs` with the candidates that overlap.
    pub(super) fn test<B: Proxy<D>, K: Block<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        plan: &Plan<D>,
        lanes: &Lanes<D>,
        pairs: &mut Vec<Pair>,
    ) -> BroadCounters {
        let words = self.places.len().div_ceil(BITS);
        self.bits.resize(words, 0);
        let tasks = tasks::count(self.places.len());
        let size = words.div_ceil(tasks).max(1);
        self.shares
            .resize_with(self.shares.len().max(tasks), Share::default);
        let (places, now, doubt) = (
            &self.places,
            K::all(&self.now),
            8.0 * plan.frame.slack as f32,
        );
        let mut jobs: Vec<_> = self.bits.chunks_mut(size).zip(&mut self.shares).collect();

        tasks::for_each(&mut jobs, |task, (bits, share)| {
            share.exact_tests = 0;
            for (word, places) in bits
                .iter_mut()
                .zip(places[task * size * BITS..].chunks(BITS))
            {
                *word = test_word(
                    scene,
                    now,
                    &lanes.tags,
                    places,
                    doubt,
                    &mut share.exact_tests,
                );
            }
        });
        let exact_tests = jobs.iter().map(|(_, share)| share.exact_tests).sum();
        self.pick(scene, tasks, pairs);

        BroadCounters {
            tests: self.places.len() as u64,
            exact_tests,
            ..BroadCounters::default()
        }
    }

    /// Collects the sorted pairs whose bits are set.
    fn pick<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>, tasks: usize, pairs: &mut Vec<Pair>) {
        let (slots, bits) = (&self.slots, &self.bits);
        if crate::parallel::current_num_threads() == 1 {
            pick_slots(scene, slots, bits, pairs);
            return;
        }

        tasks::for_each(&mut self.shares[..tasks], |task, share| {
            let begin = |task| tasks::begin(task, tasks, slots.len());
            pick_slots(
                scene,
                &slots[begin(task)..begin(task + 1)],
                bits,
                &mut share.pairs,
            );
        });
        pairs.clear();

        self.shares[..tasks]
            .iter()
            .for_each(|share| pairs.extend_from_slice(&share.pairs));
    }

    /// Returns the memory in use in bytes, excluding lists of pairs.
    pub(super) fn memory(&self) -> usize {
        self.now.memory()
    }
}

impl Share {
    /// Fills `now` with the bodies of the blocks; lanes of disabled bodies and strays are left
    /// empty.
    fn gather<B: Proxy<D>, K: Block<D>, const D: usize>(
        &mut self,
        scene: &BroadScene<B, D>,
        frame: &Frame<D>,
        margin: f32,
        blocks: &[K],
        tags: &[u32],
        now: &mut [K],
        most: usize,
    ) {
        self.strays.clear();
        self.fault = None;
        let Some(&any) = scene.bodies.first() else {
            return;
        };
        let mut bodies = [any; FETCHED];
        let chunks = now
            .chunks_mut(FETCHED / LANES)
            .zip(blocks.chunks(FETCHED / LANES));

        for ((now, blocks), tags) in chunks.zip(tags.chunks(FETCHED)) {
            for (body, &tag) in bodies.iter_mut().zip(tags) {
                *body = scene.bodies[(body_of(tag) as usize).min(scene.bodies.len() - 1)];
            }

            for (n, (&tag, body)) in tags
                .iter()
                .zip(&bodies)
                .enumerate()
                .take(blocks.len() * LANES)
            {
                let (block, lane) = (n / LANES, n % LANES);
                let packed = self.stay::<B, K, D>(
                    scene,
                    frame,
                    margin,
                    tag,
                    body,
                    &blocks[block].get(lane),
                    most,
                );

                now[block].set(lane, &packed);
            }

            if self.fault.is_some() {
                return;
            }
        }
    }

    /// Returns the body at its current position, or an empty lane if it is disabled or a stray.
    #[inline]
    fn stay<B: Proxy<D>, K: Block<D>, const D: usize>(
        &mut self,
        scene: &BroadScene<B, D>,
        frame: &Frame<D>,
        margin: f32,
        tag: u32,
        body: &B,
        anchor: &Packed<D>,
        most: usize,
    ) -> Packed<D> {
        let n = body_of(tag);
        if tag == EMPTY_LANE || !scene.is_on(n as usize) {
            return K::empty_lane(anchor);
        }

        if let Some(fault) = body.fault() {
            self.fault = self.fault.or(Some(InvalidScene::Body { body: n, fault }));
        }

        let grown = frame.nearest(&body.bounds(), &K::low(anchor));
        if K::stays(anchor, &K::pack(&grown, frame.slack), margin) {
            return K::pack(&grown.shrunk(frame.margin), frame.slack);
        }

        if self.strays.len() <= most {
            self.strays.push(n);
        }

        K::empty_lane(anchor)
    }
}

/// Tests up to 64 pairs.
#[inline]
fn test_word<B: Proxy<D>, K: Block<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    now: &[K],
    tags: &[u32],
    places: &[Pair],
    doubt: f32,
    exact_tests: &mut u64,
) -> u64 {
    let (mut word, mut unsure) = (0, 0);
    let body = |place: u32| now[place as usize / LANES].get(place as usize % LANES);
    for (bit, places) in places.iter().enumerate() {
        let (may, certain) = K::meets(&body(places.a), &body(places.b), doubt);
        word |= u64::from(certain) << bit;
        unsure |= u64::from(may && !certain) << bit;
    }

    while unsure != 0 {
        let bit = unsure.trailing_zeros();
        unsure &= unsure - 1;
        let Pair { a, b } = places[bit as usize];
        let pair = Pair::new(body_of(tags[a as usize]), body_of(tags[b as usize]));
        *exact_tests += 1;
        word |= u64::from(scene.shapes_overlap(pair.a, pair.b)) << bit;
    }

    word
}

/// Replaces `pairs` with those of the slots whose bits are set, without a branch: the bits are
/// essentially random.
fn pick_slots<B: Proxy<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    slots: &[Slot],
    bits: &[u64],
    pairs: &mut Vec<Pair>,
) {
    if pairs.len() < slots.len() {
        pairs.resize(slots.len(), Pair::default());
    }

    let mut kept = 0;
    for slot in slots {
        pairs[kept] = slot.pair;
        let overlaps = bits[slot.bit as usize / BITS] >> (slot.bit as usize % BITS) & 1 == 1;
        kept += usize::from(
            overlaps & (scene.filters.is_empty() || scene.allows(slot.pair.a, slot.pair.b)),
        );
    }

    pairs.truncate(kept);
}

/// Merges pairs, unsorted and possibly duplicated, into a sorted list, in place.
pub(super) fn merge_into(extra: &mut Vec<Pair>, pairs: &mut Vec<Pair>) {
    extra.sort_unstable();
    extra.dedup();
    extra.retain(|pair| pairs.binary_search(pair).is_err());
    let (mut old, mut new) = (pairs.len(), extra.len());
    pairs.resize(old + new, Pair::default());

    while new > 0 {
        if old > 0 && pairs[old - 1] > extra[new - 1] {
            pairs[old + new - 1] = pairs[old - 1];
            old -= 1;
        } else {
            pairs[old + new - 1] = extra[new - 1];
            new -= 1;
        }
    }
}

#[cfg(test)]
mod tests;
