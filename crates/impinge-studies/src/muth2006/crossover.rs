//! Where one method overtakes the other [Muth2006, Figures 10 and 15], and the evaluation part alone
//! [Table 2].

use super::{Case, Settings};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Claim, Findings, growth_exponent};
use anyhow::Result;
use std::path::Path;

/// Seconds of the evaluation part that Table 2 prints as numbers: triangles, and pairs of points and
/// seconds.
const TABLE_2: [(usize, [(f64, f64); 3]); 3] = [
    (8_192, [(8e3, 1.0), (64e3, 10.0), (512e3, 83.0)]),
    (32_768, [(8e3, 5.0), (64e3, 40.0), (512e3, 329.0)]),
    (131_072, [(8e3, 3.0), (64e3, 24.0), (512e3, 202.0)]),
];

pub(super) fn run(
    folder: &Path,
    cases: &[Case],
    settings: &Settings,
    findings: &mut Findings,
) -> Result<()> {
    evaluation(folder, cases, findings)?;

    let fewest = settings.grids[0].pow(3);
    let most = settings.grids[settings.grids.len() - 1].pow(3);
    for points in [fewest, most] {
        let ratios = ratios(cases, "sphere", "multipole-wc", points);
        let shown = shown(&ratios);
        findings.claim(
            Claim::held(
                "Section 3.1, Figure 10",
                format!("{points} points: ray crossing is faster on the coarsest sphere"),
            )
            .by_clock(),
            ratios.first().is_some_and(|first| first.1 < 1.0),
            &shown,
        );
        findings.claim(
            Claim::held(
                "Section 3.1, Figure 10",
                format!("{points} points: the multipole method is faster on the finest sphere"),
            )
            .by_clock(),
            ratios.last().is_some_and(|last| last.1 > 1.0),
            &shown,
        );
    }

    coarse_spheres(cases, findings);
    let foam = ratios(cases, "foam", "multipole-pc", fewest);
    findings.claim(
        Claim::refuted(
            "Section 3.2, Figure 15",
            format!("foam, {fewest} points: ray crossing is faster than the multipole method with pre-chosen depth"),
        )
        .by_clock(),
        foam.iter().all(|&(_, ratio)| ratio < 1.0),
        shown(&foam),
    );
    let foam = ratios(cases, "foam", "multipole-pc", most);
    findings.claim(
        Claim::held(
            "Section 3.2, Figure 15",
            format!("foam, {most} points: the multipole method is faster with either depth"),
        )
        .by_clock(),
        foam.iter().all(|&(_, ratio)| ratio > 1.0),
        shown(&foam),
    );
    Ok(())
}

/// "For the smallest scattered grid and the five coarsest discretizations of the sphere the RC method is
/// better, and even for the largest for the three smallest spheres."
fn coarse_spheres(cases: &[Case], findings: &mut Findings) {
    let conclusion = "Section 4";
    let all = [
        (
            10,
            5,
            Claim::refuted(
                conclusion,
                "10³ points: ray crossing is better for the five coarsest spheres",
            ),
        ),
        (
            80,
            3,
            Claim::held(
                conclusion,
                "80³ points: ray crossing is better for the three coarsest spheres",
            ),
        ),
    ];
    for (grid, spheres, claim) in all {
        let ratios = ratios(cases, "sphere", "multipole-wc", usize::pow(grid, 3));
        if ratios.is_empty() {
            findings.skip(format!("Section 4 with {grid}³ points"), "small version");
            continue;
        }
        let holds = ratios.iter().take(spheres).all(|&(_, ratio)| ratio < 1.0);
        findings.claim(claim.by_clock(), holds, shown(&ratios));
    }
}

/// Time of ray crossing over that of another method, by triangles.
fn ratios(cases: &[Case], body: &str, method: &str, points: usize) -> Vec<(usize, f64)> {
    let of = |method: &str, triangles: usize| {
        let mut same = cases
            .iter()
            .filter(|c| c.body == body && c.points == points);
        same.find(|c| c.method == method && c.triangles == triangles)
    };
    let rays = cases
        .iter()
        .filter(|c| c.body == body && c.points == points);
    rays.filter(|c| c.method == "ray-all")
        .filter_map(|c| Some((c.triangles, c.total() / of(method, c.triangles)?.total())))
        .collect()
}

fn shown(ratios: &[(usize, f64)]) -> String {
    let words: Vec<String> = ratios
        .iter()
        .map(|(triangles, ratio)| format!("{ratio:.2} at {triangles}"))
        .collect();
    format!("time of rays over multipole: {}", words.join(", "))
}

/// Table 2: the evaluation part against the points, at a depth that depends on the triangles alone.
fn evaluation(folder: &Path, cases: &[Case], findings: &mut Findings) -> Result<()> {
    let mut sizes: Vec<usize> = TABLE_2.iter().map(|row| row.0).collect();
    let of = |triangles: usize| -> Vec<(f64, f64)> {
        let mut same: Vec<(f64, f64)> = cases
            .iter()
            .filter(|c| c.body == "sphere" && c.method == "multipole-plain")
            .filter(|c| c.triangles == triangles)
            .map(|c| (c.points as f64, c.query))
            .collect();
        same.sort_by(|a, b| a.0.total_cmp(&b.0));
        same
    };
    sizes.retain(|&triangles| !of(triangles).is_empty());

    let curve = |label: String, points: &[(f64, f64)]| Curve {
        label,
        points: points.to_vec(),
    };
    let ours: Vec<Curve> = sizes
        .iter()
        .map(|&triangles| curve(format!("{triangles} triangles"), &of(triangles)))
        .collect();
    let of_paper: Vec<Curve> = TABLE_2
        .iter()
        .map(|(triangles, points)| curve(format!("{triangles}, the paper in 2006"), points))
        .collect();
    log_log_beside(
        &folder.join("table2.svg"),
        "Table 2: evaluation part on spheres, depth pre-chosen",
        "points",
        "seconds",
        &ours,
        &of_paper,
    )?;

    for curve in &ours {
        let exponent = growth_exponent(&curve.points);
        findings.claim(
            Claim::held(
                "Table 2",
                format!("{}: the evaluation part is linear in points", curve.label),
            )
            .by_clock(),
            (0.8..1.2).contains(&exponent),
            format!("exponent {exponent:.2}"),
        );
    }
    Ok(())
}
