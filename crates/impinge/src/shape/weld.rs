//! Merges coincident points.
//!
//! A hash table with open addressing stores the indices of distinct points and grows with them, so
//! that its size follows the output, not the input. O(points) except for input constructed to
//! collide; such input is detected by the number of probes and sorted instead, in O(points · log
//! points).

use crate::space::Point;

/// Merges points with equal coordinates (with −0 = 0), numbered in order of first appearance.
/// Returns the distinct points and the new number of each input point. Points with NaN coordinates
/// equal only points with the same bits.
///
/// ```
/// use impinge::{shape::weld, space::Point};
/// let points = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-0.0, 1.0, 0.0]].map(Point::from);
/// let (distinct, number) = weld(&points);
/// assert_eq!((distinct.len(), number), (2, vec![0, 1, 0]));
/// ```
pub fn weld(points: &[Point<3>]) -> (Vec<Point<3>>, Vec<u32>) {
    assert!(
        points.len() < u32::MAX as usize,
        "points are numbered with 32 bits"
    );
    weld_by_table(points, hash).unwrap_or_else(|| weld_by_sorting(points))
}

type Key = [u64; 3];

/// Marks an empty slot.
const EMPTY: u32 = u32::MAX;

/// Number of probes per point beyond which the points are considered hostile. At most half of the
/// slots are filled, for which a good hash needs 1.5 to 2.5 probes on average.
const MOST_PROBES: usize = 32;

/// Number of points whose first slots are fetched together: a batch of independent memory accesses
/// takes about the time of one, and these accesses are most of the cost.
const BATCH: usize = 64;

/// Number of slots of the smallest table.
const SMALLEST: usize = 1 << 10;

/// Welds with a hash table; `None` if the hash is unsuitable for these points.
fn weld_by_table(
    points: &[Point<3>],
    hash: impl Fn(Key) -> u64,
) -> Option<(Vec<Point<3>>, Vec<u32>)> {
    let mut distinct: Vec<Point<3>> = Vec::new();
    let mut number = Vec::with_capacity(points.len());
    let mut slots = vec![EMPTY; SMALLEST];
    let mut probes_left = MOST_PROBES * (points.len() + SMALLEST);
    let mut hashes = [0; BATCH];
    let mut guesses = [EMPTY; BATCH];

    for batch in points.chunks(BATCH) {
        for (i, point) in batch.iter().enumerate() {
            hashes[i] = hash(key(point));
            guesses[i] = slots[hashes[i] as usize & (slots.len() - 1)];
        }

        for (i, point) in batch.iter().enumerate() {
            let is_same = |other: u32| key(&distinct[other as usize]) == key(point);
            if guesses[i] != EMPTY && is_same(guesses[i]) {
                number.push(guesses[i]);
                continue;
            }

            let slot = find(&slots, hashes[i], &mut probes_left, is_same)?;
            if slots[slot] == EMPTY {
                slots[slot] = distinct.len() as u32;
                distinct.push(*point);
            }

            number.push(slots[slot]);
        }

        if (distinct.len() + BATCH) * 2 > slots.len() {
            slots = grown(slots.len() * 2, &distinct, &hash, &mut probes_left)?;
        }
    }

    Some((distinct, number))
}

/// A larger table of the same points.
fn grown(
    size: usize,
    distinct: &[Point<3>],
    hash: impl Fn(Key) -> u64,
    probes_left: &mut usize,
) -> Option<Vec<u32>> {
    let mut slots = vec![EMPTY; size];
    for (i, point) in distinct.iter().enumerate() {
        let slot = find(&slots, hash(key(point)), probes_left, |_| false)?;
        slots[slot] = i as u32;
    }
    Some(slots)
}

/// Returns the slot of the point, or the free one for it; `None` if the probes are used up.
fn find(
    slots: &[u32],
    hash: u64,
    probes_left: &mut usize,
    is_same: impl Fn(u32) -> bool,
) -> Option<usize> {
    let mask = slots.len() - 1;
    let mut slot = hash as usize & mask;
    while slots[slot] != EMPTY && !is_same(slots[slot]) {
        *probes_left = probes_left.checked_sub(1)?;
        slot = (slot + 1) & mask;
    }

    Some(slot)
}

fn key(point: &Point<3>) -> Key {
    // Adding 0 turns −0 into 0.
    [point.x, point.y, point.z].map(|x| (x + 0.0).to_bits())
}

/// Two folded multiplications: coordinates converted from 32 bits or on a grid differ only in their
/// high bits, which the products move to the low ones that select the slot.
fn hash([x, y, z]: Key) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    // The first digits of π.
    const A: u64 = 0x243f_6a88_85a3_08d3;
    const B: u64 = 0x1319_8a2e_0370_7344;
    const C: u64 = 0xa409_3822_299f_31d0;

    fold(fold(x ^ A, y ^ B) ^ z, C)
}

/// The slow and obvious method.
fn weld_by_sorting(points: &[Point<3>]) -> (Vec<Point<3>>, Vec<u32>) {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_key(|&i| (key(&points[i as usize]), i));

    // The first appearance of each point, then numbers in this order.
    let mut first = vec![0; points.len()];
    for same in order.chunk_by(|&i, &j| key(&points[i as usize]) == key(&points[j as usize])) {
        same.iter().for_each(|&i| first[i as usize] = same[0]);
    }

    let mut distinct = Vec::new();
    let mut number: Vec<u32> = Vec::with_capacity(points.len());
    for (i, &first) in first.iter().enumerate() {
        if first as usize == i {
            number.push(distinct.len() as u32);
            distinct.push(points[i]);
        } else {
            number.push(number[first as usize]);
        }
    }

    (distinct, number)
}

#[cfg(test)]
mod tests;
