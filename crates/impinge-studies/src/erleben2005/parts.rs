//! Where the time of the paper's method goes, which levels are best, and how buckets are found.

use super::{Measured, Scene, measure};
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, timed};
use anyhow::{Result, ensure};
use impinge::narrow::solids::SolidMethod;
use impinge::narrow::triangle_tetrahedron::{meet_by_gjk, relation};
use impinge::shape::{Solid, generate::Vee};
use impinge::tree::{BucketLevels, BucketMapping, BucketOptions, BucketTree};
use std::path::Path;

pub(super) fn run(count: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    shares(count, folder, findings)?;
    levels(count, folder, findings)?;
    mapping(count, folder, findings)
}

/// Breaks down the time of the paper's method, with GJK as in the paper and with the exact test.
fn shares(count: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    let solid = &Scene::Own.solids(&Vee::new(count)?, 0.7)?[0];
    let mut tree = BucketTree::new(solid, BucketOptions::default());
    tree.remap(solid);
    let ((), mapping) = timed(|| tree.remap(solid));
    let mut candidates = Vec::new();
    let ((), visiting) = timed(|| {
        tree.remap_visiting(solid, |new, old| {
            for (owner, t) in [(new, old), (old, new)] {
                let others = &solid.tetrahedra()[t as usize];
                let is_near = solid.tetrahedra()[owner as usize]
                    .iter()
                    .any(|node| others.contains(node));
                if !is_near {
                    candidates.extend(solid.boundary_of(owner as usize).map(|face| (face, t)));
                }
            }
        });
    });
    let corners =
        |face: usize| solid.boundary_triangles()[face].map(|n| solid.points()[n as usize]);

    let (by_gjk, gjk) = timed(|| {
        candidates
            .iter()
            .filter(|&&(face, t)| meet_by_gjk(&corners(face), &solid.corners(t as usize)))
            .count()
    });
    let (exactly, exact) = timed(|| {
        let apart = impinge::narrow::triangle_tetrahedron::Relation::Apart;
        candidates
            .iter()
            .filter(|&&(face, t)| relation(&corners(face), &solid.corners(t as usize)) != apart)
            .count()
    });
    let traversal = (visiting - mapping).max(0.0);
    let mut table = Table::new(&["tetrahedra", "part", "seconds"]);

    for (part, seconds) in [
        ("mapping", mapping),
        ("traversal", traversal),
        ("gjk", gjk),
        ("exact", exact),
    ] {
        table.row(&[&count, &part, &seconds]);
    }

    table.save(&folder.join("shares.csv"))?;
    let share = |test: f64| 100.0 * test / (mapping + traversal + test);
    println!(
        "  {count} tetrahedra, {} tests: mapping {:.1} ms, traversal {:.1} ms; GJK {:.1} ms ({:.0} %, {by_gjk} hits), \
         exact {:.1} ms ({:.0} %, {exactly} hits)",
        candidates.len(),
        mapping * 1e3,
        traversal * 1e3,
        gjk * 1e3,
        share(gjk),
        exact * 1e3,
        share(exact)
    );

    findings.claim(
        Claim::held(
            "Conclusion",
            "the major bottleneck is GJK: more than half of a step",
        )
        .by_clock(),
        share(gjk) > 50.0,
        format!("{:.0} % of a step", share(gjk)),
    );
    findings.timing(
        exact < gjk,
        format!("the exact test is {:.1} times as fast as GJK", gjk / exact),
    );

    Ok(())
}

/// Measures time against levels: is [Erleben2005, eq. (1.5.6)] the best choice?
fn levels(count: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    let vee = Vee::new(count)?;
    let solids = Scene::Own.solids(&vee, 0.7)?;
    let mut table = Table::new(&["tetrahedra", "levels", "seconds"]);
    let (mut points, mut expected) = (Vec::new(), None);

    for levels in 4..=8u32 {
        let options = BucketOptions {
            levels: BucketLevels::Given(levels),
            ..BucketOptions::default()
        };
        let Measured { seconds, hits, .. } =
            measure(Scene::Own, &vee, 0.7, SolidMethod::Buckets(options))?;
        ensure!(
            *expected.get_or_insert(hits.len()) == hits.len(),
            "the list depends on the levels"
        );
        table.row(&[&count, &levels, &seconds]);

        points.push((f64::from(levels), seconds * 1e3));
    }

    table.save(&folder.join("levels.csv"))?;
    let best = points
        .iter()
        .copied()
        .reduce(|a, b| if b.1 < a.1 { b } else { a })
        .expect("measured");
    let of = |n: f64| {
        let options = BucketOptions {
            levels: BucketLevels::Overlapped(n),
            ..BucketOptions::default()
        };
        BucketTree::new(&solids[0], options).levels()
    };
    let time = |levels: u32| points[(levels.clamp(4, 8) - 4) as usize].1;

    println!(
        "  levels: best {} ({:.1} ms); eq. (1.5.6) gives {} for n = 1 ({:.1} ms) and {} for n = 2 ({:.1} ms)",
        best.0,
        best.1,
        of(1.0),
        time(of(1.0)),
        of(2.0),
        time(of(2.0))
    );

    findings.claim(
        Claim::held(
            "eq. (1.5.6)",
            "gives levels with n = 2 that take at most 2.5 times as long as the best",
        )
        .by_clock(),
        time(of(2.0)) < 2.5 * best.1,
        format!("{:.1} and {:.1} ms", time(of(2.0)), best.1),
    );
    let curves = [Curve {
        label: format!("{count} tetrahedra, self"),
        points,
    }];

    log_log(
        &folder.join("levels.svg"),
        "Time of a step against levels",
        "levels",
        "ms",
        &curves,
    )
}

/// Compares sorted coordinates with eq. (1.5.7), over the steps of an oscillation. Both take each step in
/// turn, so that other programs disturb both alike.
fn mapping(count: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    let vee = Vee::new(count)?;
    let mut solid = Solid::new(&vee.points(0.5)?, vee.tetrahedra())?;
    let mut trees = [BucketMapping::Direct, BucketMapping::Sorted].map(|mapping| {
        let options = BucketOptions {
            mapping,
            ..BucketOptions::default()
        };
        BucketTree::new(&solid, options)
    });
    let mut best = [f64::INFINITY; 2];

    for step in 0..12 {
        solid.set_points(&vee.points(0.5 - 0.002 * f64::from(step))?)?;
        for (tree, best) in trees.iter_mut().zip(&mut best) {
            let ((), seconds) = timed(|| tree.remap(&solid));
            // The first step sorts from scratch.
            if step > 0 {
                *best = best.min(seconds);
            }
        }
    }

    let mut table = Table::new(&["tetrahedra", "mapping", "seconds", "exchanges"]);
    for (k, name) in ["direct", "sorted"].iter().enumerate() {
        table.row(&[&count, name, &best[k], &trees[k].counters().exchanges]);
    }
    table.save(&folder.join("mapping.csv"))?;

    findings.claim(
        Claim::refuted(
            "The Coordinate Sorting Strategy",
            "sorted coordinates make the mapping faster, by a tenth or more",
        )
        .by_clock(),
        best[1] < 0.9 * best[0],
        format!(
            "{:.1} ms sorted, {:.1} ms by eq. (1.5.7)",
            best[1] * 1e3,
            best[0] * 1e3
        ),
    );

    Ok(())
}
