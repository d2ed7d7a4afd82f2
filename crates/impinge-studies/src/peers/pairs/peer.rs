//! What a peer returns, and how it is driven.

#[cfg(any(feature = "parry", feature = "kiddo", feature = "broccoli"))]
use crate::study::timed;
#[cfg(any(feature = "parry", feature = "kiddo"))]
use impinge::bound::{Ball, Bound};
use impinge::broad::Pair;
use impinge::space::Aabb;

/// Number of repetitions of each search; the fastest counts.
pub(super) const REPEATS: usize = 3;

/// Seconds of one search, and its pairs.
pub(super) struct Found {
    pub(super) seconds: f64,
    pub(super) pairs: Vec<Pair>,
}

/// Returns the fastest of several searches.
#[cfg(any(feature = "parry", feature = "kiddo", feature = "broccoli"))]
pub(super) fn fastest(mut search: impl FnMut() -> Vec<Pair>) -> Found {
    let mut best = Found {
        seconds: f64::INFINITY,
        pairs: Vec::new(),
    };

    for _ in 0..REPEATS {
        let (pairs, seconds) = timed(&mut search);
        best = Found {
            seconds: seconds.min(best.seconds),
            pairs,
        };
    }

    best
}

/// Keeps a pair if it overlaps: `parry` and `kiddo` return centres or boxes within reach.
#[cfg(any(feature = "parry", feature = "kiddo"))]
pub(super) fn push_if_overlapping(pairs: &mut Vec<Pair>, balls: &[Ball<3>], a: u32, b: u32) {
    if balls[a as usize].overlaps(&balls[b as usize]) {
        pairs.push(Pair::new(a, b));
    }
}

/// A program that finds pairs of moving boxes.
pub(super) trait Mover {
    /// Passes the boxes to a program that stores its own bodies; not timed.
    fn place(&mut self, _boxes: &[Aabb<3>]) {}

    fn step(&mut self, boxes: &[Aabb<3>]);

    fn pairs(&mut self) -> Vec<Pair>;
}
