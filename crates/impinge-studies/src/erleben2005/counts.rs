//! Work counted, which no machine disturbs: tests of a face and a tetrahedron, and the complexity that the
//! paper states.

use super::{NAMES, Scene, depth_for, methods};
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent};
use anyhow::{Result, ensure};
use impinge::narrow::solids::{SolidContacts, SolidMethod, SolidOptions};
use impinge::shape::{Solid, generate::Vee};
use impinge::tree::{BucketLevels, BucketOptions, BucketTree};
use std::path::Path;

pub(super) fn run(folder: &Path, sizes: &[usize], findings: &mut Findings) -> Result<()> {
    against_brute_force(folder, sizes, findings)?;
    against_levels(sizes[sizes.len() - 1], folder, findings)
}

/// Compares methods by the tests of a face and a tetrahedron that each makes, which no machine disturbs,
/// and checks that both deserve the name of a broad phase. Neighbours are ignored alike.
fn against_brute_force(folder: &Path, sizes: &[usize], findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["tetrahedra", "hits", "buckets", "tree", "brute_force"]);
    let mut curves = [NAMES[0], NAMES[1], "brute force"].map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for &size in sizes {
        let vee = Vee::new(size)?;
        let scene = Scene::Own.solids(&vee, depth_for(Scene::Own, &vee, 1000)?)?;
        let [paper, tree, _] = methods();
        let counts =
            [paper, tree, SolidMethod::BruteForce].map(|method| tests_of(&scene[0], method));
        let hits = counts[0].1;
        ensure!(
            counts.iter().all(|count| count.1 == hits),
            "the methods find different hits"
        );
        let [buckets, tree, brute] = counts.map(|count| count.0);
        let n = scene[0].tetrahedra().len();
        table.row(&[&n, &hits, &buckets, &tree, &brute]);
        for (curve, count) in curves.iter_mut().zip([buckets, tree, brute]) {
            curve.points.push((n as f64, count as f64));
        }
    }
    table.save(&folder.join("tests.csv"))?;
    let title = "Tests of a face and a tetrahedron in a step, about 1000 intersections";
    log_log(
        &folder.join("tests.svg"),
        title,
        "tetrahedra",
        "tests",
        &curves,
    )?;

    let last = curves
        .each_ref()
        .map(|curve| curve.points[curve.points.len() - 1].1);
    findings.check(
        last[0] <= last[2] && last[1] <= last[2],
        format!(
            "both methods make no more tests than brute force after comparing all boxes: {}, {} and {}",
            last[0], last[1], last[2]
        ),
    );
    let growth = curves
        .each_ref()
        .map(|curve| growth_exponent(&curve.points));
    findings.claim(
        Claim::held(
            "Performance",
            "with levels by eq. (1.5.6), O(n²/8^l) is about linear in the tetrahedra",
        ),
        growth[0] < 1.3,
        format!(
            "tests grow as N^{:.2}, of the kept hierarchy as N^{:.2}, of brute force as N^{:.2}",
            growth[0], growth[1], growth[2]
        ),
    );
    Ok(())
}

/// Returns the number of tests of a first step, and of its hits.
fn tests_of(solid: &Solid, method: SolidMethod) -> (u64, usize) {
    let options = SolidOptions {
        method,
        ..SolidOptions::default()
    };
    let (mut contacts, mut hits) = (SolidContacts::new(solid, options), Vec::new());
    contacts.find_self(solid, &mut hits);
    (contacts.counters().tests, hits.len())
}

/// The paper's complexity O(n²/8^l), with n for all tetrahedra: pairs of tetrahedra that come together in a bucket, against the
/// number of buckets. Beyond the level at which buckets are as large as tetrahedra, each tetrahedron is
/// in more of them, and pairs come together more than once.
fn against_levels(size: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    let vee = Vee::new(size)?;
    let solids = Scene::Pair.solids(&vee, 0.7)?;
    let fitting = BucketTree::new(&solids[0], BucketOptions::default()).levels();
    let mut table = Table::new(&["tetrahedra", "levels", "meetings_self", "meetings_between"]);
    let mut curves = ["within one", "between two"].map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for levels in 2..=fitting + 1 {
        let options = BucketOptions {
            levels: BucketLevels::Given(levels),
            ..BucketOptions::default()
        };
        let [mut a, mut b] = [0, 1].map(|k| BucketTree::new(&solids[k], options));
        a.remap(&solids[0]);
        b.remap(&solids[1]);
        let own = a.counters().meetings;
        a.visit_pairs(&b, |_, _| ());
        let between = a.counters().meetings - own;
        table.row(&[&size, &levels, &own, &between]);
        let buckets = 8f64.powi(levels as i32 - 1);
        for (curve, meetings) in curves.iter_mut().zip([own, between]) {
            curve.points.push((buckets, meetings as f64));
        }
    }

    table.save(&folder.join("meetings.csv"))?;
    log_log(
        &folder.join("meetings.svg"),
        "Pairs of tetrahedra that come together in a bucket",
        "buckets",
        "pairs",
        &curves,
    )?;
    let growth = curves.each_ref().map(|curve| {
        let coarse = &curve.points[..fitting as usize - 1];
        growth_exponent(coarse)
    });
    for (statement, growth) in [
        (
            "self-intersection falls as the number of buckets, O(n/8^l) on average",
            growth[0],
        ),
        (
            "collision falls at least as the number of buckets, O(n²/8^l)",
            growth[1],
        ),
    ] {
        findings.claim(
            Claim::refuted("Computational Complexity", statement),
            growth < -0.8,
            format!("{size} tetrahedra, 2 to {fitting} levels: buckets^{growth:.2}"),
        );
    }
    Ok(())
}
