//! Figures 1.5.4 to 1.5.7: time against size and against the number of intersections.

use super::{NAMES, Scene, depth_for, measure_all};
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent};
use anyhow::Result;
use impinge::shape::generate::Vee;
use std::path::Path;

pub(super) fn run(folder: &Path, sizes: &[usize], findings: &mut Findings) -> Result<()> {
    for scene in [Scene::Pair, Scene::Own] {
        for figure in figures_of(scene) {
            against_size(scene, figure, folder, sizes, findings)?;
        }
        against_hits(scene, folder, findings)?;
    }
    Ok(())
}

/// A figure of the paper: time against size, with a number of intersections within a band.
#[derive(Clone, Copy)]
struct Figure {
    name: &'static str,
    place: &'static str,
    band: [usize; 2],
}

impl Figure {
    fn file(&self) -> String {
        format!("figure_{}", self.name.replace(['.', ' '], "_"))
    }
}

/// The figures of the time against size.
fn figures_of(scene: Scene) -> &'static [Figure] {
    match scene {
        Scene::Pair => &[
            Figure {
                name: "1.5.4 A",
                place: "Figure 1.5.4 A",
                band: [800, 1200],
            },
            Figure {
                name: "1.5.4 B",
                place: "Figure 1.5.4 B",
                band: [3200, 4800],
            },
        ],
        Scene::Own => &[Figure {
            name: "1.5.6",
            place: "Figure 1.5.6",
            band: [800, 1200],
        }],
    }
}

/// Figures 1.5.4 and 1.5.6: time against size, at a number of intersections. Sizes that cannot have that
/// many are left out.
fn against_size(
    scene: Scene,
    figure: &Figure,
    folder: &Path,
    sizes: &[usize],
    findings: &mut Findings,
) -> Result<()> {
    let mut table = Table::new(&["method", "tetrahedra", "hits", "seconds"]);
    let mut curves = NAMES.map(|name| Curve {
        label: name.into(),
        points: Vec::new(),
    });
    let [fewest, most] = figure.band;

    for &size in sizes {
        let vee = Vee::new(size)?;
        let depth = depth_for(scene, &vee, (fewest + most) / 2)?;
        let (seconds, hits) = measure_all(scene, &vee, depth)?;
        if !(fewest..=most).contains(&hits) {
            println!("    {size} tetrahedra: {hits} intersections, outside of the figure");
            continue;
        }
        for k in 0..NAMES.len() {
            let tetrahedra = vee.tetrahedra().len();
            table.row(&[&NAMES[k], &tetrahedra, &hits, &seconds[k]]);
            curves[k].points.push((tetrahedra as f64, seconds[k] * 1e3));
        }
    }
    table.save(&folder.join(format!("{}.csv", figure.file())))?;
    if curves[0].points.len() < 2 {
        findings.skip(
            format!("Figure {}", figure.name),
            format!("fewer than two sizes have {fewest} to {most} intersections"),
        );
        return Ok(());
    }

    report_growth(scene, figure, &curves, findings);
    let with_fits = with_fits(curves, if scene == Scene::Pair { 2 } else { 1 });
    let title = format!(
        "Figure {}: time of a step, {}, {fewest} to {most} intersections",
        figure.name,
        scene.name()
    );
    let path = folder.join(format!("{}.svg", figure.file()));
    log_log(&path, &title, "tetrahedra", "ms", &with_fits)
}

fn report_growth(scene: Scene, figure: &Figure, curves: &[Curve; 3], findings: &mut Findings) {
    let place = format!("Figure {}", figure.name);
    for (curve, method) in curves.iter().zip(NAMES) {
        let [linear, quadratic] = [1, 2].map(|degree| 100.0 * fit_error(&curve.points, degree));
        println!(
            "  {place}, {method}: linear fit is off by {linear:.0} %, quadratic by {quadratic:.0} %"
        );
    }

    // A time that grows by the square of the size has the exponent 2; the fit's constant lowers it.
    let [paper, kept, contours] = curves
        .each_ref()
        .map(|curve| growth_exponent(&curve.points));
    let evidence = format!(
        "at a fixed number of intersections N^{paper:.2}; kept hierarchy N^{kept:.2}, contours N^{contours:.2}"
    );
    match scene {
        Scene::Pair => findings.claim(
            Claim::refuted(
                figure.place,
                "the time of two V-shapes is quadratic in their size",
            )
            .by_clock(),
            paper > 1.5,
            evidence,
        ),
        Scene::Own => findings.claim(
            Claim::held(
                figure.place,
                "the time of a self-intersecting V-shape is no worse than linear in its size",
            )
            .by_clock(),
            paper < 1.2,
            evidence,
        ),
    }
    findings.timing(
        kept < 1.2 && contours < 1.2,
        format!("{place}: our methods are no worse than about linear in size"),
    );
}

/// Figures 1.5.5 and 1.5.7: time against number of intersections, 600 to 1400 tetrahedra.
fn against_hits(scene: Scene, folder: &Path, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["method", "tetrahedra", "hits", "seconds"]);
    let mut curves = NAMES.map(|name| Curve {
        label: name.into(),
        points: Vec::new(),
    });

    for size in [600, 1_000, 1_400] {
        let vee = Vee::new(size)?;
        for step in 1..=8 {
            let (seconds, hits) = measure_all(scene, &vee, f64::from(step) / 8.0)?;
            if hits == 0 {
                continue;
            }
            for k in 0..NAMES.len() {
                table.row(&[&NAMES[k], &size, &hits, &seconds[k]]);
                curves[k].points.push((hits as f64, seconds[k] * 1e3));
            }
        }
    }

    let figure = if scene == Scene::Pair {
        "1.5.5"
    } else {
        "1.5.7"
    };
    table.save(&folder.join(format!("{}_against_hits.csv", scene.name())))?;

    let place = if scene == Scene::Pair {
        "Figure 1.5.5"
    } else {
        "Figure 1.5.7"
    };
    for (k, curve) in curves.iter_mut().enumerate() {
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [offset, slope, _] = fit(&curve.points, 1);
        let evidence = format!(
            "{:.0} µs and {:.2} µs for each intersection; the linear fit is off by {:.0} %, a quadratic one by {:.0} %",
            offset * 1e3,
            slope * 1e3,
            100.0 * fit_error(&curve.points, 1),
            100.0 * fit_error(&curve.points, 2)
        );
        let is_linear = slope > 0.0 && fit_error(&curve.points, 1) < 0.3;
        if k == 0 {
            let statement = "the time is linear in the intersections, for 600 to 1400 tetrahedra";
            findings.claim(
                Claim::held(place, statement).by_clock(),
                is_linear,
                evidence,
            );
        } else {
            println!("  {place}, {}: {evidence}", NAMES[k]);
        }
    }

    let with_fits = with_fits(curves, 1);
    let path = folder.join(format!("figure_{}.svg", figure.replace('.', "_")));
    let title = format!(
        "Figure {figure}: time of a step, {}, 600 to 1400 tetrahedra",
        scene.name()
    );

    log_log(&path, &title, "intersections", "ms", &with_fits)
}

/// Adds a polynomial fit of the given degree to each curve, and a line one standard deviation above and
/// below it, as in the paper's figures. Errors are relative, because the axes are logarithmic.
fn with_fits(curves: [Curve; 3], degree: usize) -> Vec<Curve> {
    let fitted = |curve: Curve| {
        let [a, b, c] = fit(&curve.points, degree);
        let sigma = fit_error(&curve.points, degree);
        let word = if degree == 2 { "quadratic" } else { "linear" };
        let line = |share: f64, what: &str| {
            let at = |x: f64| (share * (a + b * x + c * x * x)).max(1e-4);
            Curve {
                label: format!("{}, {word} fit{what}", curve.label),
                points: curve.points.iter().map(|&(x, _)| (x, at(x))).collect(),
            }
        };
        let lines = [
            line(1.0, ""),
            line(1.0 + sigma, " + σ"),
            line((1.0 - sigma).max(0.0), " − σ"),
        ];
        std::iter::once(curve).chain(lines)
    };
    curves.into_iter().flat_map(fitted).collect()
}

/// y ≈ a + b x + c x² by least squares of the relative error; c = 0 for degree 1.
fn fit(points: &[(f64, f64)], degree: usize) -> [f64; 3] {
    let n = degree + 1;
    let scale = points.iter().fold(1.0f64, |m, p| m.max(p.0));
    let mut rows = vec![vec![0.0; n + 1]; n];

    for &(x, y) in points {
        let powers: Vec<f64> = (0..n).map(|k| (x / scale).powi(k as i32) / y).collect();
        for i in 0..n {
            for j in 0..n {
                rows[i][j] += powers[i] * powers[j];
            }
            rows[i][n] += powers[i];
        }
    }

    for i in 0..n {
        let pivot = rows[i].clone();
        for j in (0..n).filter(|&j| j != i) {
            let factor = rows[j][i] / pivot[i];
            (i..=n).for_each(|k| rows[j][k] -= factor * pivot[k]);
        }
    }

    let coefficient = |k: usize| {
        if k < n {
            rows[k][n] / rows[k][k] / scale.powi(k as i32)
        } else {
            0.0
        }
    };

    [coefficient(0), coefficient(1), coefficient(2)]
}

/// Returns the root mean square of the relative error of the fit.
fn fit_error(points: &[(f64, f64)], degree: usize) -> f64 {
    let [a, b, c] = fit(points, degree);
    let squares = points
        .iter()
        .map(|&(x, y)| ((a + b * x + c * x * x) / y - 1.0).powi(2));
    (squares.sum::<f64>() / points.len() as f64).sqrt()
}

#[cfg(test)]
mod tests;
