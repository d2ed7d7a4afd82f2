//! The levels of \[Schinner1997\] as a funnel: how many pairs of particles each level leaves to the next.
//!
//! All pairs; pairs whose boxes overlap on one axis; pairs whose boxes overlap; pairs that collide. The
//! paper's aim is to exclude as many as possible before the next, dearer level. Polygons of 14 corners
//! at constant density in the plane.

use crate::coherent::round_polygon;
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent};
use anyhow::Result;
use impinge::broad::{BroadPhase, BroadScene, Sweep};
use impinge::narrow::features2::{FeatureCache2, closest};
use impinge::shape::Polygon;
use impinge::space::{Aabb, Pose, Random};
use std::f64::consts::TAU;
use std::path::Path;

const LEVELS: [&str; 4] = [
    "all pairs",
    "boxes overlap on one axis",
    "boxes overlap",
    "particles collide",
];

/// Area for each particle, whose radius is 1.
const AREA: f64 = 8.0;

pub(crate) fn run(folder: &Path, counts: &[usize], findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["particles", "level", "pairs"]);
    let mut curves = LEVELS.map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for &count in counts {
        for (level, pairs) in survivors(count)?.into_iter().enumerate() {
            table.row(&[&count, &LEVELS[level], &pairs]);
            curves[level].points.push((count as f64, pairs as f64));
        }
    }
    table.save(&folder.join("funnel.csv"))?;
    let title = "Pairs that each level leaves";
    log_log(
        &folder.join("funnel.svg"),
        title,
        "particles",
        "pairs",
        &curves,
    )?;

    let last = curves
        .each_ref()
        .map(|curve| curve.points[curve.points.len() - 1].1);
    let growth = curves
        .each_ref()
        .map(|curve| growth_exponent(&curve.points));
    findings.claim(
        // The box of a round body is hardly larger than the body: about π/4 of the pairs that reach the
        // last level collide.
        Claim::refuted(
            "The steps of a simulation",
            "each level excludes most of the pairs that reach it",
        ),
        last.windows(2).all(|pair| pair[1] < 0.5 * pair[0]),
        format!(
            "{} particles: {}",
            counts[counts.len() - 1],
            last.map(|n| n.to_string()).join(", ")
        ),
    );
    findings.check(
        (growth[1] - 1.5).abs() < 0.1 && (growth[2] - 1.0).abs() < 0.1,
        format!(
            "one axis leaves N^{:.2} pairs, both leave N^{:.2}: one list alone is no broad phase",
            growth[1], growth[2]
        ),
    );
    Ok(())
}

/// Returns the number of pairs that survive each level.
fn survivors(count: usize) -> Result<[usize; 4]> {
    let mut random = Random::new(count as u64);
    let shapes: Vec<Polygon> = (0..8).map(|_| round_polygon(&mut random, 14)).collect();
    let width = (AREA * count as f64).sqrt();
    let mut place = || {
        let at = [(); 2].map(|()| random.within(0.0, width));
        Pose::from_angle(random.within(0.0, TAU), at)
    };
    let poses: Vec<Pose<2>> = (0..count).map(|_| place()).collect::<Result<_, _>>()?;
    let shape = |body: usize| &shapes[body % shapes.len()];
    let bounds = |body: usize| Aabb::of(shape(body).points().iter().map(|p| poses[body].point(p)));
    let boxes: Vec<Aabb<2>> = (0..count).map(bounds).collect();

    let mut pairs = Vec::new();
    Sweep::default().find_pairs(&BroadScene::of(&boxes), &mut pairs)?;
    let collide = |a: usize, b: usize| {
        let found = closest(
            shape(a),
            &poses[a],
            shape(b),
            &poses[b],
            &mut FeatureCache2::default(),
        );
        found.contact.gap <= 0.0
    };
    let colliding = pairs
        .iter()
        .filter(|pair| collide(pair.a as usize, pair.b as usize));

    Ok([
        count * (count - 1) / 2,
        on_one_axis(&boxes),
        pairs.len(),
        colliding.count(),
    ])
}

/// Counts the pairs of boxes that overlap on the first axis, by a sweep over their ends.
fn on_one_axis(boxes: &[Aabb<2>]) -> usize {
    // At equal coordinates a box begins before another ends: touching counts.
    let starts = boxes.iter().map(|b| (b.min.x, 0));
    let mut ends: Vec<(f64, u8)> = starts.chain(boxes.iter().map(|b| (b.max.x, 1))).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    let (mut open, mut pairs) = (0, 0);
    for (_, is_end) in ends {
        if is_end == 1 {
            open -= 1;
        } else {
            pairs += open;
            open += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests;
