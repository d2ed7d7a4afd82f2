//! The narrow phase compared with brute force over all pairs of features, on millions of small bodies
//! in positions that break distance algorithms. Required: no cycle, only finite results, no wrong sign,
//! the distance within 1e-12.
//!
//! The oracle also works in f64. Its rounding error is some 1e-15 of the coordinates, far below the
//! required accuracy. A sign is wrong only if both answers are farther from zero than that.

use super::pairs::{PLACINGS, Placing, body, box_of, place, place2, polygon};
use crate::study::Findings;
use anyhow::Result;
use impinge::narrow::features2::{self, FeatureCache2};
use impinge::narrow::features3::{self, FeatureCache3};
use impinge::narrow::{Closest, brute2, brute3};
use impinge::space::{Pose, Random};
use rayon::prelude::*;

/// Allowed error of a gap, relative to the gap and to the size of the bodies.
const PRECISE: f64 = 1e-12;

/// Gap, relative to the same, below which the sign is rounding.
const ROUNDING: f64 = 1e-14;

/// Number of tested feature pairs above which a walk is considered to cycle: the bodies have at most 30
/// features.
const CYCLE: u32 = 2_000;

/// Number of pairs of a full run.
pub(crate) const PAIRS: usize = 10_000_000;

/// Pairs per round: every placing with cached and with fresh features, and as many polygons.
const ROUND: usize = 3 * PLACINGS.len();

/// Results for one kind of pairs.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: usize,
    worst: f64,
    widest: f64,
    most_tests: u32,
    /// Number of wrong answers, and the round of the first.
    wrong: usize,
    first: Option<u64>,
}

impl Tally {
    fn enter<const D: usize>(&mut self, round: u64, found: &Closest<D>, gap: f64, size: f64) {
        let contact = &found.contact;
        let scale = size + gap.abs();
        let error = (contact.gap - gap).abs() / scale;
        let width = (found.bounds[1] - found.bounds[0]) / scale;
        let numbers = [contact.on_a.coords, contact.on_b.coords, contact.normal];
        let finite =
            numbers.iter().all(|v| v.iter().all(|x| x.is_finite())) && contact.gap.is_finite();
        let sign = gap.abs().min(contact.gap.abs()) <= ROUNDING * scale
            || (gap > 0.0) == (contact.gap > 0.0);
        let unit = (contact.normal.norm() - 1.0).abs() < 1e-14;

        // A comparison with NaN is false.
        let right = error <= PRECISE && (0.0..=PRECISE).contains(&width);
        let right = right && finite && sign && unit && found.tests < CYCLE;
        let first = (!right).then_some(round);
        let (worst, widest, most_tests) = (error, width, found.tests);
        self.add(&Self {
            pairs: 1,
            worst,
            widest,
            most_tests,
            wrong: usize::from(!right),
            first,
        });
    }

    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.worst = self.worst.max(other.worst);
        self.widest = self.widest.max(other.widest);
        self.most_tests = self.most_tests.max(other.most_tests);
        self.wrong += other.wrong;
        self.first = self.first.into_iter().chain(other.first).min();
    }
}

/// One tally for each placing, and one for polygons.
type Tallies = [Tally; PLACINGS.len() + 1];

/// Runs the comparison for about this many pairs.
pub(crate) fn run(pairs: usize) -> Result<Findings> {
    let rounds = pairs.div_ceil(ROUND) as u64;
    let mut tallies = Tallies::default();
    let batch = rounds.div_ceil(50).max(1);

    for start in (0..rounds).step_by(batch as usize) {
        let found: Vec<Tallies> = (start..rounds.min(start + batch))
            .into_par_iter()
            .map(round)
            .collect();
        found.iter().for_each(|found| {
            tallies
                .iter_mut()
                .zip(found)
                .for_each(|(sum, one)| sum.add(one))
        });

        eprint!("\r{:3} %", (start + batch).min(rounds) * 100 / rounds);
    }

    eprintln!();
    let names = PLACINGS
        .iter()
        .map(|placing| placing.name())
        .chain(["polygons"]);
    let mut findings = Findings::default();

    for (name, tally) in names.zip(&tallies) {
        let first = tally
            .first
            .map_or_else(String::new, |round| format!(", the first in round {round}"));
        findings.check(
            tally.wrong == 0 && tally.pairs > 0,
            format!(
                "{name}: {} pairs, {} wrong{first}; error up to {:.1e}, bounds up to {:.1e} wide, at most {} tests",
                tally.pairs, tally.wrong, tally.worst, tally.widest, tally.most_tests
            ),
        );
    }

    Ok(findings)
}

/// Tests two bodies in every placing, and two polygons in as many.
fn round(number: u64) -> Tallies {
    let mut random = Random::new(number);
    let mut tallies = Tallies::default();
    let (a, b) = (body(&mut random), body(&mut random));
    let boxes = [(); 2].map(|()| box_of([(); 3].map(|()| random.within(0.2, 1.0))));
    let (mut kept, mut kept_box, mut kept_twin) = (
        FeatureCache3::default(),
        FeatureCache3::default(),
        FeatureCache3::default(),
    );
    let rest = Pose::identity();

    for (tally, placing) in tallies.iter_mut().zip(PLACINGS) {
        let (a, b, kept) = match placing {
            Placing::FaceToFace => (&boxes[0], &boxes[1], &mut kept_box),
            Placing::Identical => (&a, &a, &mut kept_twin),
            _ => (&a, &b, &mut kept),
        };
        let pose = place(&mut random, placing, a, b);
        let (gap, _) = brute3::gap(a, &rest, b, &pose);
        let size = a.bounds().extent().norm() + b.bounds().extent().norm();

        for kept in [kept, &mut FeatureCache3::default()] {
            tally.enter(
                number,
                &features3::closest(a, &rest, b, &pose, kept),
                gap,
                size,
            );
        }
    }

    let (a, b, mut kept) = (
        polygon(&mut random),
        polygon(&mut random),
        FeatureCache2::default(),
    );
    let size = a.bounds().extent().norm() + b.bounds().extent().norm();
    let rest = Pose::identity();

    for _ in PLACINGS {
        let pose = place2(&mut random, &a, &b);
        let (gap, _) = brute2::gap(&a, &rest, &b, &pose);
        let found = features2::closest(&a, &rest, &b, &pose, &mut kept);
        tallies[PLACINGS.len()].enter(number, &found, gap, size);
    }

    tallies
}
