//! The measurements of \[Erleben2005\] on V-shapes, Figures 1.5.4 to 1.5.7, and questions that it
//! leaves open: the breakdown of the time, the best number of levels, whether sorted coordinates still
//! pay, and its plan to follow contours.
//!
//! Two V-shapes are dragged through each other, and the legs of one pass through themselves. Each
//! measurement is made with the paper's method and with ours, while the bodies move. The lists of hits
//! are compared throughout.

mod contours;
mod counts;
mod figures;
mod parts;

use crate::study::{Findings, folder, timed};
use anyhow::{Result, ensure};
use impinge::narrow::solids::{FaceHit, SolidContacts, SolidMethod, SolidOptions};
use impinge::shape::{Solid, generate::Vee};
use impinge::space::{Point, Vector};
use impinge::tree::BucketOptions;

/// Changes of the depth from one repetition to the next, so that no search sees the same bodies twice.
/// The last has the wanted depth; the fastest counts.
const MOTION: [f64; 4] = [1e-3, -1e-3, 5e-4, 0.0];

/// Depths tried on each side of one that bisection found.
const BESIDE: i32 = 10;

const NAMES: [&str; 3] = ["BucketTree", "kept hierarchy", "contours"];

fn methods() -> [SolidMethod; 3] {
    [
        SolidMethod::Buckets(BucketOptions::default()),
        SolidMethod::Tree,
        SolidMethod::Contours,
    ]
}

/// Runs the study on one thread, like the paper.
pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("erleben2005")?;
    let mut findings = Findings::default();
    let sizes: &[usize] = if quick {
        &[600, 1_400, 6_000]
    } else {
        &[600, 1_000, 1_400, 3_000, 6_000, 15_000, 40_000, 100_000]
    };
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;

    one_thread.install(|| -> Result<()> {
        figures::run(&folder, sizes, &mut findings)?;
        counts::run(
            &folder,
            if quick { &sizes[..3] } else { &sizes[..6] },
            &mut findings,
        )?;
        let count = if quick { 6_000 } else { 100_000 };
        parts::run(count, &folder, &mut findings)?;
        contours::run(sizes, &folder, &mut findings)
    })?;

    Ok(findings)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scene {
    Pair,
    Own,
}

impl Scene {
    fn name(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Own => "self",
        }
    }

    /// Returns the points of one or two solids; `depth` is 0 for separated and 1 for deeply overlapping.
    fn places(self, vee: &Vee, depth: f64) -> Result<Vec<Vec<Point<3>>>> {
        let at = |angle: f64, shift: [f64; 3]| -> Result<Vec<Point<3>>> {
            let points = vee.points(angle)?;
            Ok(points.iter().map(|p| p + Vector::from(shift)).collect())
        };
        Ok(match self {
            Self::Pair => vec![
                at(0.6, [0.0; 3])?,
                at(0.6, [0.013, 4.7 - 4.2 * depth, 0.107])?,
            ],
            Self::Own => vec![at(-0.1 - 0.42 * depth, [0.0; 3])?],
        })
    }

    fn solids(self, vee: &Vee, depth: f64) -> Result<Vec<Solid>> {
        let places = self.places(vee, depth)?;
        let solid =
            |points: &Vec<Point<3>>| -> Result<Solid> { Ok(Solid::new(points, vee.tetrahedra())?) };
        places.iter().map(solid).collect()
    }
}

/// What a method took for a step, and found.
struct Measured {
    /// Seconds of update and search.
    seconds: f64,
    hits: Vec<FaceHit>,
    /// Tests of a face and a tetrahedron in a step.
    tests: u64,
}

/// Measures a method while the bodies move to a depth.
fn measure(scene: Scene, vee: &Vee, depth: f64, method: SolidMethod) -> Result<Measured> {
    let options = SolidOptions {
        method,
        ..SolidOptions::default()
    };
    let mut solids = scene.solids(vee, depth + 2e-3)?;
    let mut contacts: Vec<SolidContacts> = solids
        .iter()
        .map(|s| SolidContacts::new(s, options))
        .collect();
    let (mut hits, mut other, mut best) = (Vec::new(), Vec::new(), f64::INFINITY);
    let tests =
        |contacts: &[SolidContacts]| -> u64 { contacts.iter().map(|c| c.counters().tests).sum() };
    let mut before: u64 = 0;

    for motion in MOTION {
        for (solid, points) in solids.iter_mut().zip(scene.places(vee, depth + motion)?) {
            solid.set_points(&points)?;
        }
        before = tests(&contacts);
        let ((), seconds) = timed(|| find(&mut contacts, &solids, [&mut hits, &mut other]));
        best = best.min(seconds);
    }

    hits.extend(other);
    Ok(Measured {
        seconds: best,
        hits,
        tests: tests(&contacts) - before,
    })
}

/// Updates and searches.
fn find(contacts: &mut [SolidContacts], solids: &[Solid], [own, theirs]: [&mut Vec<FaceHit>; 2]) {
    for (contacts, solid) in contacts.iter_mut().zip(solids) {
        contacts.update(solid);
    }
    match (contacts, solids) {
        ([a, b], [one, two]) => a.find_between(one, b, two, [own, theirs]),
        (contacts, _) => contacts[0].find_self(&solids[0], own),
    }
}

/// Measures all methods, whose hits must agree; returns the seconds, and the number of hits.
fn measure_all(scene: Scene, vee: &Vee, depth: f64) -> Result<([f64; 3], usize)> {
    let [paper, kept, contours] = methods().map(|method| measure(scene, vee, depth, method));
    let (paper, kept, contours) = (paper?, kept?, contours?);
    ensure!(
        paper.hits == kept.hits && kept.hits == contours.hits,
        "the methods find different hits"
    );
    let seconds = [paper.seconds, kept.seconds, contours.seconds];
    Ok((seconds, kept.hits.len()))
}

/// Finds the depth at which a scene has about `wanted` hits, by bisection: hits increase with depth, apart
/// from depths at which layers of the two meshes fall into one plane. If the search ends at such a depth,
/// those beside it are tried.
fn depth_for(scene: Scene, vee: &Vee, wanted: usize) -> Result<f64> {
    let mut tried: Vec<(usize, f64)> = Vec::new();
    let has_more = |tried: &mut Vec<(usize, f64)>, depth: f64| -> Result<bool> {
        let hits = hits(&scene.solids(vee, depth)?);
        tried.push((hits.abs_diff(wanted), depth));
        Ok(hits > wanted)
    };

    let (mut low, mut up) = (0.0, 1.0);
    for _ in 0..10 {
        let middle = 0.5 * (low + up);
        match has_more(&mut tried, middle)? {
            true => up = middle,
            false => low = middle,
        }
    }
    for step in 1..=BESIDE {
        if tried.iter().any(|one| one.0 < wanted / 8) {
            break;
        }
        let away = f64::from(step) * 3e-3;
        has_more(&mut tried, (up + away).min(1.0))?;
        has_more(&mut tried, (up - away).max(0.0))?;
    }

    let best = tried.iter().min_by_key(|one| one.0);
    Ok(best.map_or(up, |one| one.1))
}

fn hits(solids: &[Solid]) -> usize {
    let options = SolidOptions {
        method: SolidMethod::Tree,
        ..SolidOptions::default()
    };
    let mut contacts: Vec<SolidContacts> = solids
        .iter()
        .map(|s| SolidContacts::new(s, options))
        .collect();
    let (mut own, mut other) = (Vec::new(), Vec::new());
    find(&mut contacts, solids, [&mut own, &mut other]);

    own.len() + other.len()
}
