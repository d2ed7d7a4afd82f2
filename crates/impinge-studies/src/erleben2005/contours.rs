//! The paper's plan: find initial penetrating primitives by the tree, then search their neighbours.
//!
//! Two V-shapes apart, with about 1000 intersections, and deep inside each other. The lists of hits are
//! the same, since each patch has a seed where the surfaces meet.

use super::{Measured, Scene, depth_for, measure};
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table};
use anyhow::{Result, ensure};
use impinge::narrow::solids::SolidMethod;
use impinge::shape::generate::Vee;
use std::path::Path;

const NAMES: [&str; 3] = ["kept hierarchy", "contours", "chosen"];

const METHODS: [SolidMethod; 3] = [SolidMethod::Tree, SolidMethod::Contours, SolidMethod::Auto];

const PLACES: [&str; 3] = ["apart", "1000 intersections", "deep"];

/// Seconds of each method, by place and size.
struct Case {
    place: usize,
    seconds: [f64; 3],
}

pub(super) fn run(sizes: &[usize], folder: &Path, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["tetrahedra", "place", "hits", "method", "tests", "seconds"]);
    let mut curves: Vec<Curve> = Vec::new();
    let mut cases = Vec::new();

    for (place, name) in PLACES.iter().enumerate() {
        let mut of_place = NAMES.map(|method| Curve {
            label: format!("{name}, {method}"),
            points: Vec::new(),
        });
        for &size in sizes {
            let vee = Vee::new(size)?;
            let depth = match place {
                0 => 0.05,
                1 => depth_for(Scene::Pair, &vee, 1000)?,
                _ => 0.8,
            };
            let [tree, contours, auto] =
                METHODS.map(|method| measure(Scene::Pair, &vee, depth, method));
            let all = [tree?, contours?, auto?];
            ensure!(
                all.iter().all(|one| one.hits == all[0].hits),
                "the methods find different hits"
            );
            for (
                k,
                Measured {
                    seconds,
                    hits,
                    tests,
                },
            ) in all.iter().enumerate()
            {
                table.row(&[&size, name, &hits.len(), &NAMES[k], tests, seconds]);
                of_place[k].points.push((size as f64, seconds * 1e3));
            }
            let seconds = all.map(|one| one.seconds);
            cases.push(Case { place, seconds });
        }
        curves.extend(of_place);
    }

    table.save(&folder.join("contours.csv"))?;
    log_log(
        &folder.join("contours.svg"),
        "Time of a step between two V-shapes",
        "tetrahedra",
        "ms",
        &curves,
    )?;
    report(&cases, findings);
    Ok(())
}

fn report(cases: &[Case], findings: &mut Findings) {
    let ratios = |place: usize| -> Vec<f64> {
        let same = cases.iter().filter(|case| case.place == place);
        same.map(|case| case.seconds[0] / case.seconds[1]).collect()
    };
    let range = |values: &[f64]| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        format!("{least:.2} to {most:.2}")
    };
    for (place, claim) in [
        Claim::held(
            "Conclusion",
            "to follow neighbours is more effective, for bodies apart",
        ),
        Claim::held(
            "Conclusion",
            "to follow neighbours is more effective, with small penetrations",
        ),
        Claim::refuted(
            "Conclusion",
            "to follow neighbours is more effective, deep inside each other",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let ratios = ratios(place);
        let middle = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
        findings.claim(
            claim.by_clock(),
            2 * middle > ratios.len(),
            format!("{} times as fast as the kept hierarchy", range(&ratios)),
        );
    }

    let worst = cases.iter().map(|case| {
        let [tree, contours, chosen] = case.seconds;
        chosen / tree.min(contours)
    });
    let worst: Vec<f64> = worst.collect();
    findings.timing(
        worst.iter().all(|&ratio| ratio < 1.5),
        format!(
            "the chosen method takes {} times as long as the better one",
            range(&worst)
        ),
    );
}
