//! The neighbour (Verlet) list of the particles, with the springs of touching pairs.
//!
//! Pairs closer than a skin are listed once, sorted; a list stays valid until a particle has moved
//! by half the skin (Verlet). Each entry stores the spring of its contact, so a step needs no lookup;
//! one bit of the entry marks a touching pair. Springs are carried over to the next list. Entries name
//! both particles: a loop over rows would end with one branch misprediction per particle.
//!
//! Listed pairs that do not touch never change a result: forces are added in the order of places.
//!
//! The skin adapts to the motion. A rebuild costs as much as about two hundred tests of an entry.
//! In a bed of solid fraction 0.6 a skin of m diameters adds about 7 m entries per particle. For a
//! largest motion of v diameters per step the cost is therefore lowest near m = √(20 v).

use super::arrays::{Arrays, REMOVED};
use super::periodic::Box3;
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns, InvalidScene, Pair};
use impinge::space::{Point, Vector};
use rayon::prelude::*;

/// Fraction of the allowed motion up to which a list is kept after measuring the true displacement:
/// a list that is nearly used up would be measured again at every step.
const KEEP: f64 = 0.8;
/// Particles measured by one task.
const TASK: usize = 8192;

/// The bit of an entry that marks a touching pair.
pub(super) const TOUCHES: u32 = 1 << 31;

/// Fraction of the skin that a particle may move: half, less rounding.
const HALF: f64 = 0.4999;

/// Bounds of the skin, as fractions of the mean diameter.
const THINNEST: f64 = 0.004;
const THICKEST: f64 = 0.4;

/// Square of the skin divided by the motion, both in diameters; see the module documentation.
const MARGIN_BY_MOTION: f64 = 20.0;

/// A pair of neighbouring particles.
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

    /// Returns one if they touch, else zero.
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

/// A touching pair and the history of its contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SavedContact {
    pub(super) pair: Pair,
    pub(super) spring: Vector<3>,
    pub(super) rolled: Vector<3>,
}

/// The neighbour list.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// Sorted by pair.
    pub(super) entries: Vec<Entry>,
    pub(super) springs: Vec<Vector<3>>,
    /// Empty unless contacts store a rolling angle.
    pub(super) rolled: Vec<Vector<3>>,
    margin: f64,
    /// Distance of surfaces up to which contacts may hold.
    held: f64,
    /// Positions of the particles when the list was built.
    anchors: Vec<Point<3>>,
    /// Bound on the motion of any particle since then.
    moved: f64,
    /// Change of the periodic box since then.
    stretched: f64,
    steps: u64,
    pub(super) builds: u64,
    /// Whether the list is valid for the current particles.
    good: bool,
}

impl List {
    /// Records a step in which no particle moved by more than `motion`, and the periodic box changed by
    /// `stretch`. Returns whether the list is
    /// still valid.
    pub(super) fn follow(
        &mut self,
        arrays: &Arrays,
        period: &Box3,
        motion: f64,
        stretch: f64,
        largest_of_all: impl FnOnce(f64) -> f64,
    ) -> bool {
        self.steps += 1;
        self.moved += motion + stretch;
        self.stretched += stretch;
        if self.good && self.moved > HALF * self.margin {
            // The sum of the largest motions overestimates particles that oscillate, so measure the
            // true displacement.
            let largest = largest_of_all(self.largest_motion(arrays, period));
            self.moved = largest + self.stretched;
            self.good = self.moved <= KEEP * HALF * self.margin;
        }

        self.good
    }

    fn largest_motion(&self, arrays: &Arrays, period: &Box3) -> f64 {
        let motion = |((ball, anchor), own): ((&Ball<3>, &Point<3>), &bool)| match own {
            true => period.nearest(ball.centre - anchor).norm_squared(),
            false => 0.0,
        };
        let chunks = (
            arrays.balls.par_chunks(TASK),
            self.anchors.par_chunks(TASK),
            arrays.own.par_chunks(TASK),
        );
        let largest = chunks.into_par_iter().map(|(balls, anchors, own)| {
            let all = balls.iter().zip(anchors).zip(own);
            all.map(motion).fold(0.0, f64::max)
        });

        largest.reduce(|| 0.0, f64::max).sqrt()
    }

    /// Chooses the skin of the next list. `motion` is the current largest motion per step; contacts
    /// may hold up to a distance `held` of the surfaces.
    pub(super) fn choose_margin(&mut self, diameter: f64, motion: f64, most: f64, held: f64) {
        self.held = held;
        let motion = if self.steps > 8 {
            self.moved / self.steps as f64
        } else {
            motion
        };
        self.margin = margin(diameter, motion).min(most);
    }

    /// Returns the distance of surfaces up to which pairs are listed.
    pub(super) fn reach(&self) -> f64 {
        self.margin + self.held
    }

    /// Finds the pairs closer than this, sorted.
    pub(super) fn find_pairs(
        &self,
        arrays: &Arrays,
        period: &Box3,
    ) -> Result<Vec<Pair>, InvalidScene> {
        let grow = |ball: &Ball<3>| Ball {
            centre: ball.centre,
            radius: ball.radius + 0.5 * self.reach(),
        };
        let balls: Vec<Ball<3>> = arrays.balls.iter().map(grow).collect();
        let mut pairs = Vec::new();

        let scene = BroadScene {
            period: period.lengths(),
            ..BroadScene::of(&balls)
        };
        // Constructed for each build, so that its memory is released: builds are rare.
        Columns::default().find_pairs(&scene, &mut pairs)?;

        // Two fixed particles exert no force, and have no reduced mass.
        pairs
            .retain(|pair| !(arrays.is_fixed(pair.a as usize) && arrays.is_fixed(pair.b as usize)));
        Ok(pairs)
    }

    /// Rebuilds the list from sorted pairs and the contacts among them.
    pub(super) fn build(
        &mut self,
        pairs: &[Pair],
        kept: &[SavedContact],
        balls: &[Ball<3>],
        keeps_rolling: bool,
    ) {
        self.fill(pairs, keeps_rolling);
        self.restore(kept);
        make_room(&mut self.anchors, balls.len());
        self.anchors.extend(balls.iter().map(|ball| ball.centre));
        (self.moved, self.stretched) = (0.0, 0.0);
        (self.steps, self.good) = (0, true);
        self.builds += 1;
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

    /// Returns the touching pairs, sorted.
    pub(super) fn kept(&self) -> Vec<SavedContact> {
        let touching = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.touches() != 0);
        let kept = touching.map(|(n, entry)| SavedContact {
            pair: entry.pair(),
            spring: self.springs[n],
            rolled: self.rolled.get(n).copied().unwrap_or_default(),
        });

        kept.collect()
    }

    /// Copies springs, sorted by pair, to the entries of their pairs. Pairs that are not listed
    /// have separated.
    pub(super) fn restore(&mut self, kept: &[SavedContact]) {
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

    /// Renumbers the contacts after particles changed places; other entries are dropped.
    pub(super) fn renumber(&mut self, places: &[u32]) {
        let mut kept = self.kept();
        kept.retain_mut(|kept| kept.moved(places));
        kept.sort_unstable_by_key(|kept| kept.pair);
        self.hold(&kept, !self.rolled.is_empty());
    }

    /// Fills the list with these contacts alone; it must be rebuilt before use.
    pub(super) fn hold(&mut self, kept: &[SavedContact], keeps_rolling: bool) {
        let pairs: Vec<Pair> = kept.iter().map(|kept| kept.pair).collect();
        self.fill(&pairs, keeps_rolling);
        self.restore(kept);
        self.good = false;
    }

    /// Marks the list for a rebuild after particles were added.
    pub(super) fn forget(&mut self) {
        self.good = false;
    }

    /// Returns the memory used, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + (self.springs.capacity() + self.rolled.capacity() + self.anchors.capacity()) * 24
    }
}

impl SavedContact {
    /// Moves the contact to the new places of its particles; returns false if one was removed. If
    /// the order of the pair flips, its springs are reversed.
    fn moved(&mut self, places: &[u32]) -> bool {
        let (a, b) = (places[self.pair.a as usize], places[self.pair.b as usize]);
        if a == REMOVED || b == REMOVED {
            return false;
        }

        if a > b {
            (self.spring, self.rolled) = (-self.spring, -self.rolled);
        }

        self.pair = Pair::new(a, b);
        true
    }
}

/// Clears the vector and reserves slightly more than `count`: a vector that grows by itself
/// doubles.
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
