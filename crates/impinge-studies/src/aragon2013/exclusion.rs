//! Table 1, upper part: nanoseconds per exclusion test. Half of the tests are positive.

use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::bound::{Ball, Bound, Dop14, Dop18, Dop26, Obb};
use impinge::space::{Aabb, Point, Random};
use std::hint::black_box;
use std::path::Path;

/// Number of tests in the paper's average.
const TESTS: usize = 1000;

/// Number of bounds to compare: few enough to stay in the L1 cache, like those of a traversal.
const BOUNDS: usize = 48;

/// A row: the bound, the paper's measurement, our measurement.
struct Row {
    name: &'static str,
    paper: Option<f64>,
    mean: f64,
    deviation: f64,
    positive: f64,
}

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let rounds = if quick { 20 } else { 2000 };
    let rows = [
        row::<Ball<3>>("ball", Some(39.0), rounds),
        row::<Aabb<3>>("box", Some(37.0), rounds),
        row::<Dop14>("14-DOP", Some(42.0), rounds),
        row::<Dop18>("18-DOP", None, rounds),
        row::<Dop26>("26-DOP", None, rounds),
        row::<Obb<3>>("oriented box", None, rounds),
    ];
    println!("\nTable 1: ns per exclusion test     paper      here   deviation   positive");
    let mut table = Table::new(&["bound", "paper_ns", "ns", "standard_deviation", "positive"]);

    for Row {
        name,
        paper,
        mean,
        deviation,
        positive,
    } in &rows
    {
        let paper = paper.map_or_else(|| "-".to_owned(), |ns| ns.to_string());
        println!("  {name:<28}{paper:>9}{mean:>10.2}{deviation:>12.2}{positive:>10.2}");
        table.row(&[name, &paper, mean, deviation, positive]);
    }
    table.save(&folder.join("table1_exclusion.csv"))?;
    let slowest = rows.iter().map(|row| row.mean).fold(0.0, f64::max);
    let halves = rows.iter().all(|row| (0.4..0.6).contains(&row.positive));
    findings.check(halves, "about half of the tests are positive");

    findings.timing(
        slowest < 37.0,
        format!("every test is faster than the paper's: {slowest:.1} ns at most"),
    );
    Ok(())
}

/// Measures one bound; the point clouds are moved together or apart until half of the pairs overlap.
fn row<B: Bound<3>>(name: &'static str, paper: Option<f64>, rounds: usize) -> Row {
    let (mut low, mut up) = (0.0, 20.0);
    for _ in 0..30 {
        let middle = 0.5 * (low + up);
        if Pool::<B>::new(middle).share() > 0.5 {
            low = middle
        } else {
            up = middle
        }
    }

    let pool = Pool::<B>::new(low);
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| timed(|| black_box(&pool).count()).1 / TESTS as f64 * 1e9)
        .collect();
    times.sort_by(f64::total_cmp);

    // Drop the slowest tenth, which interrupts may have disturbed.
    let kept = &times[..times.len() * 9 / 10];
    let mean = kept.iter().sum::<f64>() / kept.len() as f64;
    let variance = kept.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / kept.len() as f64;
    Row {
        name,
        paper,
        mean,
        deviation: variance.sqrt(),
        positive: pool.share(),
    }
}

/// Bounds, and the pairs of them to compare.
struct Pool<B> {
    bounds: [Vec<B>; 2],
    pairs: Vec<[u8; 2]>,
}

impl<B: Bound<3>> Pool<B> {
    /// Creates bounds of clouds of ten points; those of the second kind are shifted by up to `spread`.
    fn new(spread: f64) -> Self {
        let mut random = Random::new(1);
        let mut cloud = |spread: f64| {
            let shift = random.direction::<3>() * (spread * random.unit());
            let stretch = random.direction::<3>() * 2.0;
            let mut point =
                || Point::from(random.direction::<3>() + stretch * random.unit() + shift);
            B::of(&(0..10).map(|_| point()).collect::<Vec<_>>())
        };
        let bounds = [0.0, spread].map(|spread| (0..BOUNDS).map(|_| cloud(spread)).collect());
        let pairs = (0..TESTS)
            .map(|_| [0; 2].map(|_| random.below(BOUNDS) as u8))
            .collect();

        Self { bounds, pairs }
    }

    fn count(&self) -> usize {
        let [first, second] = &self.bounds;
        let overlap = |&[a, b]: &[u8; 2]| {
            usize::from(first[usize::from(a)].overlaps(&second[usize::from(b)]))
        };
        self.pairs.iter().map(overlap).sum()
    }

    fn share(&self) -> f64 {
        self.count() as f64 / TESTS as f64
    }
}
