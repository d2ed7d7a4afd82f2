//! Volume adaptivity: how many pairs of faces with overlapping bounding spheres, but without contact,
//! each tighter bound removes, and whether that pays.

use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::narrow::triangle::touch;
use impinge::shape::generate;
use impinge::space::Pose;
use impinge::tree::{BallTree, Refinement};
use std::path::Path;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let body = if quick {
        generate::sphere(4)?
    } else {
        generate::motorcycle()
    };
    let corners = |face: u32| body.corners(face as usize);
    let balls: Vec<Ball<3>> = (0..body.triangles().len() as u32)
        .map(|t| Ball::smallest(&corners(t)))
        .collect();
    let tree = BallTree::bottom_up(&balls);
    let pose = Pose::from_quaternion([0.05, 0.1, 0.6, 0.8], [0.3, 0.1, 0.05])?;
    let moved = |face: u32| corners(face).map(|p| pose.point(&p));
    let mut pairs = Vec::new();
    let loose = tree.find_refined_pairs(corners, &tree, corners, &pose, &[], &mut pairs);

    let is_touching = |[a, b]: &[u32; 2]| touch(&corners(*a), &moved(*b));
    let true_pairs: Vec<[u32; 2]> = pairs.iter().copied().filter(is_touching).collect();
    let touching = true_pairs.len();
    let false_pairs = loose.overlapping - touching;
    println!(
        "\nVolume adaptivity: {} tests of balls, {} pairs of leaves overlap, {touching} faces touch; false pairs removed",
        loose.ball_tests, loose.overlapping
    );
    let mut table = Table::new(&["bound", "alone", "in_order"]);
    let in_order = tree
        .find_refined_pairs(corners, &tree, corners, &pose, &Refinement::ALL, &mut pairs)
        .removed;
    let share = |removed: usize| 100.0 * removed as f64 / false_pairs as f64;
    let mut best = 0.0f64;

    for (k, refinement) in Refinement::ALL.into_iter().enumerate() {
        let alone = tree
            .find_refined_pairs(corners, &tree, corners, &pose, &[refinement], &mut pairs)
            .removed[0];
        println!(
            "  {:<10}{:>7.1} % alone{:>7.1} % after those above",
            format!("{refinement:?}"),
            share(alone),
            share(in_order[k])
        );

        table.row(&[
            &format!("{refinement:?}"),
            &share(alone),
            &share(in_order[k]),
        ]);

        best = best.max(share(alone));
    }

    let all = share(in_order.iter().sum());
    println!("  together  {all:>7.1} %");
    table.save(&folder.join("refinement.csv"))?;
    findings.check(
        all > best - 1e-9 && best > 30.0,
        format!("tighter bounds remove {all:.1} % of the false pairs"),
    );
    tree.find_refined_pairs(corners, &tree, corners, &pose, &Refinement::ALL, &mut pairs);
    pairs.sort_unstable();
    let kept = true_pairs
        .iter()
        .all(|pair| pairs.binary_search(pair).is_ok());
    findings.check(
        kept,
        "every pair of faces that touches is still among the rest",
    );

    let total = |refinements: &[Refinement], pairs: &mut Vec<[u32; 2]>| {
        let work = || {
            tree.find_refined_pairs(corners, &tree, corners, &pose, refinements, pairs);
            pairs.iter().filter(|pair| is_touching(pair)).count()
        };
        timed(work).1
    };
    let mut fastest = [f64::INFINITY; 2];
    for _ in 0..5 {
        fastest[0] = fastest[0].min(total(&[], &mut pairs));
        fastest[1] = fastest[1].min(total(&Refinement::ALL, &mut pairs));
    }
    let [plain, refined] = fastest.map(|seconds| 1e3 * seconds);
    println!(
        "  with the tests of faces: {plain:.2} ms from balls alone, {refined:.2} ms with all bounds between"
    );
    findings.timing(
        refined > plain,
        format!(
            "volume adaptivity does not pay: {refined:.2} ms instead of {plain:.2} ms, because the exact test of two \
             triangles costs less than building their bounds"
        ),
    );

    Ok(())
}
