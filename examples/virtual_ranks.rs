//! How a bed of spheres is divided among thousands of ranks, on one machine: neighbours, ghosts and bytes of each, and a
//! check that every contact is seen by the owners of both spheres.
//!
//! `cargo run --release -p impinge-examples --example virtual_ranks -- 4096 10000000 10` takes ranks, spheres, and the
//! ratio of the largest radius to the smallest.

use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns, Pair, Period};
use impinge::space::{Point, Random};
use impinge_sim::ranks::{Bisection, Reach, reaches, select};
use std::error::Error;

/// Skin of the neighbour list, in diameters of the small spheres.
const SKIN: f64 = 0.05;

/// Bytes that a ghost receives in each step.
const BYTES: usize = 80;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // The test that runs all examples passes its own arguments.
    let numbers: Vec<usize> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    let [ranks, count, ratio] = numbers.try_into().unwrap_or([64, 40_000, 10]);
    let balls = bed(count, ratio as f64);
    let points: Vec<Point<3>> = balls.iter().map(|ball| ball.centre).collect();
    let division = Bisection::of_all(ranks, &points, &vec![1; count]);

    let mut owners = vec![0; count];
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); ranks];
    for (n, point) in points.iter().enumerate() {
        owners[n] = division.owner(point);
        parts[owners[n]].push(n as u32);
    }

    let margin = SKIN * 2.0;
    let pairs = pairs(&balls, margin)?;
    let links = ghosts(&balls, &parts, margin);
    let missing = pairs.iter().filter(|pair| {
        let [a, b] = [pair.a, pair.b];
        let [of_a, of_b] = [a, b].map(|n| owners[n as usize]);
        of_a != of_b && !(links.has(of_b, a) && links.has(of_a, b))
    });
    assert_eq!(missing.count(), 0, "every contact is seen by both owners");

    report(&parts, &links, &used(&pairs, &owners, ranks), count, ranks);
    migrate(&division, &points, &owners);
    Ok(())
}

/// A packed bed, a third as high as wide: spheres on a lattice, moved at random; one in a thousand is large.
fn bed(count: usize, ratio: f64) -> Vec<Ball<3>> {
    let mut random = Random::new(1);
    let side = (3.0 * count as f64).cbrt().ceil() as usize;
    (0..count)
        .map(|n| {
            let cell = [n % side, n / side % side, n / (side * side)];
            let centre = cell.map(|k| 1.9 * (k as f64 + 0.2 * random.unit()));
            let radius = if n % 1000 == 7 { ratio } else { 1.0 };
            Ball::new(centre, radius)
        })
        .collect()
}

fn pairs(balls: &[Ball<3>], margin: f64) -> Result<Vec<Pair>, Box<dyn Error>> {
    let grown: Vec<Ball<3>> = balls
        .iter()
        .map(|ball| Ball {
            radius: ball.radius + 0.5 * margin,
            ..*ball
        })
        .collect();
    let mut pairs = Vec::new();
    Columns::default().find_pairs(&BroadScene::of(&grown), &mut pairs)?;
    Ok(pairs)
}

/// The candidates that each rank receives, sorted, and the number of ranks that they come from.
struct Links {
    ghosts: Vec<Vec<u32>>,
    neighbours: Vec<usize>,
}

impl Links {
    fn has(&self, rank: usize, sphere: u32) -> bool {
        self.ghosts[rank].binary_search(&sphere).is_ok()
    }
}

fn ghosts(balls: &[Ball<3>], parts: &[Vec<u32>], margin: f64) -> Links {
    let of = |part: &[u32]| -> Vec<Ball<3>> { part.iter().map(|&n| balls[n as usize]).collect() };
    let extents: Vec<Vec<Reach>> = parts
        .iter()
        .map(|part| reaches(of(part).into_iter()))
        .collect();
    let mut links = Links {
        ghosts: vec![Vec::new(); parts.len()],
        neighbours: vec![0; parts.len()],
    };

    for (from, part) in parts.iter().enumerate() {
        let own = of(part);
        for to in (0..parts.len()).filter(|&to| to != from) {
            let sent = select(&own, &extents[from], &extents[to], margin, &Period::NONE);
            links.neighbours[to] += usize::from(!sent.is_empty());
            links.ghosts[to].extend(sent.iter().map(|&n| part[n as usize]));
        }
    }
    links
        .ghosts
        .iter_mut()
        .for_each(|ghosts| ghosts.sort_unstable());

    links
}

/// Returns the number of ghosts of each rank that are in one of its pairs: those that every step transfers.
fn used(pairs: &[Pair], owners: &[usize], ranks: usize) -> Vec<usize> {
    let mut used: Vec<(usize, u32)> = pairs
        .iter()
        .filter(|pair| owners[pair.a as usize] != owners[pair.b as usize])
        .flat_map(|pair| {
            let [of_a, of_b] = [pair.a, pair.b].map(|n| owners[n as usize]);
            [(of_a, pair.b), (of_b, pair.a)]
        })
        .collect();
    used.sort_unstable();
    used.dedup();

    let mut counts = vec![0; ranks];
    used.iter().for_each(|(rank, _)| counts[*rank] += 1);
    counts
}

fn report(parts: &[Vec<u32>], links: &Links, used: &[usize], count: usize, ranks: usize) {
    let line = |what: &str, numbers: &[usize]| {
        let mean = numbers.iter().sum::<usize>() as f64 / numbers.len().max(1) as f64;
        let largest = numbers.iter().max().copied().unwrap_or_default();
        println!("{what:<28} {mean:>12.1} {largest:>12}");
        mean
    };
    println!("{count} spheres on {ranks} ranks       mean      largest");
    let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
    let candidates: Vec<usize> = links.ghosts.iter().map(Vec::len).collect();
    let mean = line("spheres", &sizes);
    line("neighbouring ranks", &links.neighbours);
    line("ghosts, candidates", &candidates);
    let ghosts = line("ghosts, in a pair", used);
    let bytes: Vec<usize> = used.iter().map(|ghosts| BYTES * ghosts).collect();
    line("bytes received per step", &bytes);
    let model = 6.0 * (count as f64 / ranks as f64).powf(2.0 / 3.0);
    println!("ghosts / (6 (N/P)^(2/3)) = {:.2}", ghosts / model);

    let largest = sizes.iter().max().copied().unwrap_or_default() as f64;
    assert!(
        largest <= 1.05 * mean + 8.0,
        "balanced: {largest} of {mean}"
    );
}

/// Moves all spheres a little, and counts those that change their rank.
fn migrate(division: &Bisection, points: &[Point<3>], owners: &[usize]) {
    let mut random = Random::new(2);
    let moved = points.iter().zip(owners).filter(|(point, owner)| {
        let there = **point + random.direction::<3>() * (0.5 * SKIN);
        division.owner(&there) != **owner
    });
    println!("{} spheres migrate after half a skin", moved.count());
}
