//! Neighbours of every particle, with the springs of those that touch.
//!
//! Pairs nearer than a margin are listed once, sorted; a list lasts while no particle has moved by half of the margin
//! (Verlet). Each entry has room for the spring of its contact, so that no search is needed in a step; a bit of the entry
//! tells whether it touches. The springs go over to the next list. Entries name both particles: a loop over rows would be
//! left at a moment that the processor cannot foresee, once for every particle.
//!
//! Who is listed beside the pairs that touch never changes a result: forces are added in the order of places.
//!
//! The margin follows from the motion: a build costs as much as some two hundred tests of an entry, and in a bed of solid
//! fraction 0.6 a margin of m diameters brings some 7 m more entries for each particle, so that the least cost for a largest
//! motion of v diameters in a step is near m = √(20 v).

use super::arrays::{Arrays, GONE};
use super::periodic::Box3;
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns, InvalidScene, Pair};
use impinge::space::{Point, Vector};
use rayon::prelude::*;

/// The bit of an entry that says that the two touch.
pub(super) const TOUCHES: u32 = 1 << 31;

/// Share of the margin that a particle may move: half, less the rounding.
const HALF: f64 = 0.4999;

/// Bounds of the margin, as shares of the mean diameter.
const THINNEST: f64 = 0.004;
const THICKEST: f64 = 0.4;

/// Square of the margin by motion, both in diameters; see above.
const MARGIN_BY_MOTION: f64 = 20.0;

/// Two particles that are near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The lower place.
    pub(super) place: u32,
    /// The other place and the bit [`TOUCHES`].
    other: u32,
}

impl Entry {
    #[inline(always)]
    pub(super) fn other(self) -> u32 {
        self.other & !TOUCHES
    }

    /// One if they touch, else zero.
    #[inline(always)]
    pub(super) fn touches(self) -> u32 {
        self.other >> TOUCHES.trailing_zeros()
    }

    pub(super) fn turn(&mut self) {
        self.other ^= TOUCHES;
    }

    fn pair(self) -> Pair {
        Pair {
            a: self.place,
            b: self.other(),
        }
    }
}

/// A pair that touches, and the memory of its contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) pair: Pair,
    pub(super) spring: Vector<3>,
    pub(super) rolled: Vector<3>,
}

/// The neighbours.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// Sorted by pair.
    pub(super) entries: Vec<Entry>,
    pub(super) springs: Vec<Vector<3>>,
    /// Empty unless contacts keep an angle of rolling.
    pub(super) rolled: Vec<Vector<3>>,
    pub(super) margin: f64,
    /// Where the particles were.
    anchors: Vec<Point<3>>,
    /// Bound on the motion of any since then.
    moved: f64,
    steps: u64,
    pub(super) builds: u64,
    /// Whether it stands for the particles as they are.
    good: bool,
}

impl List {
    /// Takes notice of a step in which no particle moved by more than `motion`; whether the list is still good.
    pub(super) fn follow(&mut self, balls: &[Ball<3>], period: &Box3, motion: f64) -> bool {
        self.steps += 1;
        self.moved += motion;
        if self.good && self.moved > HALF * self.margin {
            // The sum of largest motions is a poor bound for particles that rock; now it pays to look.
            self.moved = self.largest_motion(balls, period);
            self.good = self.moved <= 0.8 * HALF * self.margin;
        }

        self.good
    }

    fn largest_motion(&self, balls: &[Ball<3>], period: &Box3) -> f64 {
        let motion = |(ball, anchor): (&Ball<3>, &Point<3>)| {
            period.nearest(ball.centre - anchor).norm_squared()
        };
        let chunks = balls.par_chunks(8192).zip(self.anchors.par_chunks(8192));
        let largest = chunks
            .map(|(balls, anchors)| balls.iter().zip(anchors).map(motion).fold(0.0, f64::max));

        largest.reduce(|| 0.0, f64::max).sqrt()
    }

    /// Makes the list anew. `motion` is the largest motion in a step now.
    pub(super) fn build(
        &mut self,
        arrays: &Arrays,
        period: &Box3,
        diameter: f64,
        motion: f64,
        keeps_rolling: bool,
    ) -> Result<(), InvalidScene> {
        let kept = self.kept();
        let motion = if self.steps > 8 {
            self.moved / self.steps as f64
        } else {
            motion
        };
        self.margin = margin(diameter, motion).min(period.most_margin(&arrays.balls));
        let grow = |ball: &Ball<3>| Ball {
            centre: ball.centre,
            radius: ball.radius + 0.5 * self.margin,
        };
        let balls: Vec<Ball<3>> = arrays.balls.iter().map(grow).collect();
        let mut pairs = Vec::new();

        let scene = BroadScene {
            period: period.lengths(),
            ..BroadScene::of(&balls)
        };
        // Made anew each time, so that its memory does not stay: a build is rare.
        Columns::default().find_pairs(&scene, &mut pairs)?;
        drop(balls);
        self.fill(&pairs, keeps_rolling);
        self.restore(&kept);
        make_room(&mut self.anchors, arrays.len());
        self.anchors
            .extend(arrays.balls.iter().map(|ball| ball.centre));
        (self.moved, self.steps, self.good) = (0.0, 0, true);
        self.builds += 1;

        Ok(())
    }

    fn fill(&mut self, pairs: &[Pair], keeps_rolling: bool) {
        make_room(&mut self.entries, pairs.len());
        self.entries.extend(pairs.iter().map(|pair| Entry {
            place: pair.a,
            other: pair.b,
        }));
        make_room(&mut self.springs, pairs.len());
        self.springs.resize(pairs.len(), Vector::zeros());
        let rolled = if keeps_rolling { pairs.len() } else { 0 };
        make_room(&mut self.rolled, rolled);

        self.rolled.resize(rolled, Vector::zeros());
    }

    /// The pairs that touch, sorted.
    pub(super) fn kept(&self) -> Vec<Kept> {
        let touching = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.touches() != 0);
        let kept = touching.map(|(n, entry)| Kept {
            pair: entry.pair(),
            spring: self.springs[n],
            rolled: self.rolled.get(n).copied().unwrap_or_default(),
        });

        kept.collect()
    }

    /// Puts springs, sorted by pair, to the entries of their pairs. Those of pairs that are not listed touch no longer.
    pub(super) fn restore(&mut self, kept: &[Kept]) {
        let mut n = 0;
        for kept in kept {
            while n < self.entries.len() && self.entries[n].pair() < kept.pair {
                n += 1;
            }
            if n < self.entries.len() && self.entries[n].pair() == kept.pair {
                self.entries[n].turn();
                self.springs[n] = kept.spring;
                if let Some(rolled) = self.rolled.get_mut(n) {
                    *rolled = kept.rolled;
                }
                n += 1;
            }
        }
    }

    /// The list as it was, for particles that have new places: only its contacts.
    pub(super) fn renumber(&mut self, places: &[u32]) {
        let mut kept = self.kept();
        kept.retain_mut(|kept| kept.moved(places));
        kept.sort_unstable_by_key(|kept| kept.pair);
        self.hold(&kept, !self.rolled.is_empty());
    }

    /// A list of these contacts alone; to be made anew.
    pub(super) fn hold(&mut self, kept: &[Kept], keeps_rolling: bool) {
        let pairs: Vec<Pair> = kept.iter().map(|kept| kept.pair).collect();
        self.fill(&pairs, keeps_rolling);
        self.restore(kept);
        self.good = false;
    }

    /// Particles came; the list is to be made anew.
    pub(super) fn forget(&mut self) {
        self.good = false;
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + (self.springs.capacity() + self.rolled.capacity() + self.anchors.capacity()) * 24
    }
}

impl Kept {
    /// Follows its particles to their new places; false if one is gone. A pair seen from the other side has its springs
    /// turned round.
    fn moved(&mut self, places: &[u32]) -> bool {
        let (a, b) = (places[self.pair.a as usize], places[self.pair.b as usize]);
        if a == GONE || b == GONE {
            return false;
        }

        if a > b {
            (self.spring, self.rolled) = (-self.spring, -self.rolled);
        }

        self.pair = Pair::new(a, b);
        true
    }
}

/// Empties, with room for so many and a few more: a vector that grows by itself doubles.
fn make_room<T>(values: &mut Vec<T>, count: usize) {
    values.clear();
    if values.capacity() < count {
        values.reserve_exact(count + count / 16);
    }
}

fn margin(diameter: f64, motion: f64) -> f64 {
    diameter
        * (MARGIN_BY_MOTION * motion / diameter)
            .sqrt()
            .clamp(THINNEST, THICKEST)
}
