//! Maps the numbers of points and elements in a file to list indices.
//!
//! Numbers may be in any order and have gaps. If they fill most of their range, the map is a table; otherwise it is a
//! sorted list.

use std::ops::Range;

/// Index of each number.
#[derive(Clone, Debug)]
pub(crate) enum Numbering {
    /// The smallest number, and a table of indices starting there; gaps contain `NONE`.
    Dense(u64, Vec<u32>),
    /// Numbers and indices, ascending.
    Sparse(Vec<(u64, u32)>),
}

const NONE: u32 = u32::MAX;

/// Maximum table slots per number: 16 bytes, the same as the sorted list takes.
const SLOTS: u64 = 4;

impl Numbering {
    /// Builds the map from the numbers in list order; fails with a number that occurs twice.
    pub(crate) fn new(numbers: &[u64]) -> Result<Self, u64> {
        let (Some(&low), Some(&high)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Ok(Self::Sparse(Vec::new()));
        };
        match high - low < SLOTS * numbers.len() as u64 {
            true => Self::dense(numbers, low, high),
            false => Self::sparse(numbers),
        }
    }

    fn dense(numbers: &[u64], low: u64, high: u64) -> Result<Self, u64> {
        let mut places = vec![NONE; (high - low) as usize + 1];
        for (place, &number) in numbers.iter().enumerate() {
            let slot = &mut places[(number - low) as usize];
            if *slot != NONE {
                return Err(number);
            }
            *slot = place as u32;
        }

        Ok(Self::Dense(low, places))
    }

    fn sparse(numbers: &[u64]) -> Result<Self, u64> {
        let mut sorted: Vec<(u64, u32)> = numbers
            .iter()
            .enumerate()
            .map(|(place, &number)| (number, place as u32))
            .collect();
        sorted.sort_unstable();

        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(pair[0].0),
            None => Ok(Self::Sparse(sorted)),
        }
    }

    /// Returns the index of a number.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> Option<u32> {
        match self {
            Self::Dense(low, places) => {
                let slot = usize::try_from(number.checked_sub(*low)?).ok()?;
                places.get(slot).copied().filter(|&place| place != NONE)
            }
            Self::Sparse(sorted) => {
                let at = sorted
                    .binary_search_by_key(&number, |&(number, _)| number)
                    .ok()?;
                Some(sorted[at].1)
            }
        }
    }

    /// Returns the slots that contain the numbers from `low` to `high`.
    pub(crate) fn slots(&self, low: u64, high: u64) -> Range<usize> {
        let (start, end) = match self {
            Self::Dense(first, places) => {
                let slot = |number: u64| {
                    usize::try_from(number)
                        .unwrap_or(usize::MAX)
                        .min(places.len())
                };
                let end = high
                    .checked_sub(*first)
                    .map_or(0, |last| slot(last.saturating_add(1)));
                (slot(low.saturating_sub(*first)), end)
            }
            Self::Sparse(sorted) => (
                sorted.partition_point(|&(number, _)| number < low),
                sorted.partition_point(|&(number, _)| number <= high),
            ),
        };
        start..end.max(start)
    }

    /// Returns the number in a slot and its index, if the slot is in use.
    pub(crate) fn slot(&self, slot: usize) -> Option<(u64, u32)> {
        match self {
            Self::Dense(first, places) => Some((first + slot as u64, places[slot])),
            Self::Sparse(sorted) => Some(sorted[slot]),
        }
        .filter(|&(_, place)| place != NONE)
    }
}

#[cfg(test)]
mod tests;
