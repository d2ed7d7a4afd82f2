//! Sorted ends of a set of boxes on every axis, and the overlapping pairs, kept from step to step.

use super::items::Items;
use crate::broad::{BroadCounters, Pair};
use crate::space::Aabb;
use std::cmp::Ordering;

/// One end of a box on one axis.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f64,
    /// Twice the item index, plus one for an upper end.
    code: u32,
}

impl End {
    fn item(self) -> usize {
        (self.code >> 1) as usize
    }

    fn is_upper(self) -> bool {
        self.code & 1 == 1
    }

    /// Returns whether this end sorts after the other. Lower ends come first among equal values,
    /// because boxes are closed.
    fn is_after(self, other: End) -> bool {
        self.value > other.value
            || (self.value == other.value && self.is_upper() && !other.is_upper())
    }

    fn order(&self, other: &End) -> Ordering {
        self.value
            .total_cmp(&other.value)
            .then((self.code & 1).cmp(&(other.code & 1)))
    }
}

/// The boxes of this step and of the last; empty for items that did not exist.
#[derive(Clone, Copy)]
pub(in crate::broad) struct Moved<'a, const D: usize> {
    pub(in crate::broad) items: &'a Items<D>,
    pub(in crate::broad) before: &'a [Aabb<D>],
}

/// Scratch memory and counters of an update, shared by many lists.
#[derive(Clone, Debug, Default)]
pub(in crate::broad) struct Work {
    began: Vec<Pair>,
    ended: Vec<Pair>,
    merged: Vec<Pair>,
    pub(in crate::broad) counters: BroadCounters,
}

/// Counts the pairs that overlap on an axis, from its sorted ends.
fn overlaps_on(ends: &[End]) -> u64 {
    let (mut open, mut overlaps) = (0u64, 0);
    for end in ends {
        if end.is_upper() {
            open -= 1;
        } else {
            overlaps += open;
            open += 1;
        }
    }
    overlaps
}

/// Sorted ends of a set of items, and their overlapping pairs.
#[derive(Clone, Debug)]
pub(in crate::broad) struct Lists<const D: usize> {
    ends: [Vec<End>; D],
    /// Pairs of items whose boxes overlap, sorted.
    pub(in crate::broad) pairs: Vec<Pair>,
}

impl<const D: usize> Default for Lists<D> {
    fn default() -> Self {
        Self {
            ends: std::array::from_fn(|_| Vec::new()),
            pairs: Vec::new(),
        }
    }
}

impl<const D: usize> Lists<D> {
    /// Number of items.
    pub(in crate::broad) fn len(&self) -> usize {
        self.ends[0].len() / 2
    }

    /// Returns the memory in use in bytes.
    pub(in crate::broad) fn memory(&self) -> usize {
        let ends: usize = self.ends.iter().map(Vec::capacity).sum();
        ends * size_of::<End>() + self.pairs.capacity() * size_of::<Pair>()
    }

    /// Removes the items for which `leaves` is true, with their pairs.
    pub(in crate::broad) fn take_out(&mut self, leaves: impl Fn(usize) -> bool) {
        self.ends
            .iter_mut()
            .for_each(|ends| ends.retain(|end| !leaves(end.item())));
        self.pairs
            .retain(|pair| !leaves(pair.a as usize) && !leaves(pair.b as usize));
    }

    /// Appends new items; the next repair sorts them in and finds their pairs.
    pub(in crate::broad) fn append(&mut self, items: impl Iterator<Item = u32> + Clone) {
        for ends in &mut self.ends {
            let codes = items.clone().flat_map(|n| [2 * n, 2 * n + 1]);
            ends.extend(codes.map(|code| End { value: 0.0, code }));
        }
    }

    /// Finds the pairs from sorted lists, by one sweep along the axis on which the fewest boxes overlap.
    /// Returns false, without pairs, if more than `budget` do.
    pub(in crate::broad) fn sweep(
        &mut self,
        items: &Items<D>,
        budget: u64,
        counters: &mut BroadCounters,
    ) -> bool {
        let overlaps: [u64; D] = std::array::from_fn(|axis| overlaps_on(&self.ends[axis]));
        let axis = (0..D).min_by_key(|&axis| overlaps[axis]).unwrap_or(0);
        counters.comparisons += (2 * D * self.len()) as u64;
        self.pairs.clear();
        if overlaps[axis] > budget {
            return false;
        }

        // The boxes that the sweep is in, and the place of each among them.
        let mut open: Vec<u32> = Vec::new();
        let mut places = vec![0u32; items.boxes.len()];
        for &end in &self.ends[axis] {
            let item = end.item();
            if end.is_upper() {
                let place = places[item] as usize;
                open.swap_remove(place);
                if let Some(&moved) = open.get(place) {
                    places[moved as usize] = place as u32;
                }
                continue;
            }

            counters.tests += open.len() as u64;
            let meets = |&&other: &&u32| items.boxes[item].overlaps(&items.boxes[other as usize]);
            let pairs = open.iter().filter(meets);
            self.pairs
                .extend(pairs.map(|&other| Pair::new(item as u32, other)));
            places[item] = open.len() as u32;
            open.push(item as u32);
        }

        self.pairs
            .retain(|pair| items.may_pair(pair.a as usize, pair.b as usize));
        self.pairs.sort_unstable();
        true
    }

    /// Updates the lists and the pairs. Returns false if the exchanges exceeded the budget; the
    /// lists must then be sorted from scratch.
    pub(in crate::broad) fn repair(
        &mut self,
        moved: &Moved<D>,
        budget: u64,
        work: &mut Work,
    ) -> bool {
        let most_exchanges = work.counters.exchanges + budget;
        work.began.clear();
        work.ended.clear();

        for axis in 0..D {
            self.move_ends(axis, moved.items);
            if !self.insertion_sort(axis, moved, most_exchanges, work) {
                return false;
            }
        }

        self.apply_events(work);
        true
    }

    fn move_ends(&mut self, axis: usize, items: &Items<D>) {
        for end in &mut self.ends[axis] {
            let bounds = &items.boxes[end.item()];
            end.value = if end.is_upper() {
                bounds.max[axis]
            } else {
                bounds.min[axis]
            };
        }
    }

    fn insertion_sort(
        &mut self,
        axis: usize,
        moved: &Moved<D>,
        most_exchanges: u64,
        work: &mut Work,
    ) -> bool {
        let ends = &mut self.ends[axis];
        for i in 1..ends.len() {
            let end = ends[i];
            let mut j = i;
            while j > 0 && ends[j - 1].is_after(end) {
                ends[j] = ends[j - 1];
                work.exchange(moved, ends[j - 1], end);
                j -= 1;
            }

            ends[j] = end;
            work.counters.comparisons += (i - j) as u64 + u64::from(j > 0);
            work.counters.exchanges += (i - j) as u64;

            if work.counters.exchanges > most_exchanges {
                return false;
            }
        }

        true
    }

    /// Updates the pairs from the recorded events. A pair may begin or end on several axes at once.
    fn apply_events(&mut self, work: &mut Work) {
        if work.began.is_empty() && work.ended.is_empty() {
            return;
        }

        for events in [&mut work.began, &mut work.ended] {
            events.sort_unstable();
            events.dedup();
        }

        work.merged.clear();
        let (mut began, mut ended) = (work.began.iter().peekable(), work.ended.iter().peekable());
        for &pair in &self.pairs {
            while let Some(&new) = began.next_if(|&&new| new < pair) {
                work.merged.push(new);
            }
            while ended.next_if(|&&old| old < pair).is_some() {}
            if ended.next_if_eq(&&pair).is_none() {
                work.merged.push(pair);
            }
        }

        work.merged.extend(began);
        self.pairs.clear();
        self.pairs.extend_from_slice(&work.merged);
    }

    /// Sorts the ends of these items from scratch; does not update the pairs.
    pub(in crate::broad) fn sort(
        &mut self,
        active: impl Iterator<Item = u32> + Clone,
        items: &Items<D>,
    ) {
        self.ends.iter_mut().for_each(Vec::clear);
        self.append(active);
        self.sort_again(items);
    }

    fn sort_again(&mut self, items: &Items<D>) {
        for axis in 0..D {
            self.move_ends(axis, items);
            self.ends[axis].sort_unstable_by(End::order);
        }
    }

    /// Sorts all ends from scratch and finds the pairs by a sweep along the first axis.
    pub(in crate::broad) fn sort_and_sweep(
        &mut self,
        items: &Items<D>,
        counters: &mut BroadCounters,
    ) {
        self.sort_again(items);
        self.pairs.clear();
        let mut open: Vec<usize> = Vec::new();

        for end in &self.ends[0] {
            let n = end.item();
            if end.is_upper() {
                open.retain(|&other| other != n);
                continue;
            }

            counters.tests += open.len() as u64;
            let meets = |&&other: &&usize| {
                items.may_pair(n, other) && items.boxes[n].overlaps(&items.boxes[other])
            };
            self.pairs.extend(
                open.iter()
                    .filter(meets)
                    .map(|&other| Pair::new(n as u32, other as u32)),
            );

            open.push(n);
        }

        self.pairs.sort_unstable();
    }

    /// # Panics
    /// Panics if a list is not sorted.
    pub(in crate::broad) fn assert_sorted(&self) {
        for (axis, ends) in self.ends.iter().enumerate() {
            assert_eq!(
                ends.len(),
                self.ends[0].len(),
                "axis {axis} does not contain all boxes"
            );
            assert!(
                ends.windows(2).all(|two| !two[0].is_after(two[1])),
                "axis {axis} is not sorted"
            );
        }
    }
}

impl Work {
    /// Returns the memory in use in bytes.
    pub(in crate::broad) fn memory(&self) -> usize {
        let pairs = self.began.capacity() + self.ended.capacity() + self.merged.capacity();
        pairs * size_of::<Pair>()
    }

    /// Applies the paper's table of overlap status: `passed` was before `end` and is now behind it.
    fn exchange<const D: usize>(&mut self, moved: &Moved<D>, passed: End, end: End) {
        let (a, b) = (passed.item(), end.item());
        let (boxes, events) = match (passed.is_upper(), end.is_upper()) {
            (true, false) => (moved.items.boxes.as_slice(), &mut self.began),
            (false, true) => (moved.before, &mut self.ended),
            _ => return,
        };
        self.counters.tests += 1;

        if moved.items.may_pair(a, b) && boxes[a].overlaps(&boxes[b]) {
            events.push(Pair::new(a as u32, b as u32));
        }
    }
}
