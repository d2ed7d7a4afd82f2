//! The complexity analysis of \[Muth2006, section 2.1.2\] by counting: the operators of Table 1, the degree
//! p ~ log N, the variable order of its references [29, 33], and what the degree costs at a point.
//!
//! Counts and errors do not depend on the machine. Spheres of 8·4^level triangles, and the points of
//! the paper's grids in their bounding cube.

use super::sphere_size;
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent, timed};
use anyhow::Result;
use impinge::inside::{
    Degree, FreeCells, Inside, InsideMethod, InsideOptions, LevelOrder, Multipole,
    MultipoleOptions, PointGrid, Position,
};
use impinge::shape::{Surface, generate};
use impinge::space::Point;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// Level of the coarsest sphere that has a cluster tree to speak of: 512 triangles.
const COARSEST: usize = 3;

/// Error of J above which rounding to an integer is in doubt.
const HALF: f64 = 0.5;

pub(super) fn run(
    folder: &Path,
    levels: &RangeInclusive<usize>,
    findings: &mut Findings,
) -> Result<()> {
    let last = *levels.end();
    operators(folder, COARSEST..=last, findings)?;
    degree_against_size(folder, COARSEST..=last.min(6), findings)?;
    variable_order(last.min(5), findings)?;
    cost_of_degree(folder, last.min(5), findings)
}

fn sphere(level: usize) -> Result<Arc<Surface>> {
    Ok(Arc::new(generate::sphere(level)?))
}

/// Table 1: how often each operator is applied, against the number of triangles.
fn operators(folder: &Path, levels: RangeInclusive<usize>, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&[
        "triangles",
        "clusters",
        "cells",
        "conversions",
        "near_panels_per_cell",
    ]);
    let mut curves =
        ["clusters", "cells", "conversions", "near panels of a cell"].map(|label| Curve {
            label: label.into(),
            points: Vec::new(),
        });

    for level in levels {
        let counts = Multipole::new(sphere(level)?, &MultipoleOptions::DEFAULT, 1)?.statistics();
        let near = counts.near_panels as f64 / counts.near_leaves.max(1) as f64;
        let n = sphere_size(level) as f64;
        table.row(&[
            &n,
            &counts.clusters,
            &counts.cells,
            &counts.conversions,
            &near,
        ]);
        let values = [counts.clusters, counts.cells, counts.conversions].map(|count| count as f64);
        for (curve, value) in curves.iter_mut().zip(values.into_iter().chain([near])) {
            curve.points.push((n, value));
        }
    }
    table.save(&folder.join("table1.csv"))?;
    let title = "Table 1: operators of the multipole method on spheres";
    log_log(
        &folder.join("table1.svg"),
        title,
        "triangles",
        "count",
        &curves,
    )?;

    let [clusters, cells, conversions, near] = curves.map(|curve| growth_exponent(&curve.points));
    // The tree about a small surface is not yet dominated by its finest level.
    let range = "up to these sizes";
    findings.claim(
        Claim::refuted(
            "Table 1",
            format!("{range}, the evaluation tree has at most c_d clusters for each of the mesh's"),
        ),
        cells < clusters + 0.05,
        format!("cells grow as N^{cells:.2}, clusters as N^{clusters:.2}"),
    );
    findings.claim(
        Claim::refuted(
            "Table 1",
            format!("{range}, the conversions of a cluster are bounded by a constant c_d"),
        ),
        conversions < clusters + 0.1,
        format!("conversions grow as N^{conversions:.2}, clusters as N^{clusters:.2}"),
    );
    findings.claim(
        Claim::held("Table 1", "the near field of a point is O(log² N) panels"),
        near < 0.25,
        format!("N^{near:.2}"),
    );
    Ok(())
}

/// Points with the exact value of J at each; points on the surface are left out.
fn points_of(surface: &Arc<Surface>) -> Result<Vec<(Point<3>, f64)>> {
    let points = grid_of(surface);
    let exact = Inside::new(surface.clone(), &InsideOptions::default())?;
    let mut positions = Vec::new();
    exact.positions(&points, &mut positions)?;

    let value = |position: &Position| match position {
        Position::Inside => Some(1.0),
        Position::Outside => Some(0.0),
        _ => None,
    };
    let known = points.into_iter().zip(&positions);
    Ok(known
        .filter_map(|(point, position)| Some((point, value(position)?)))
        .collect())
}

fn grid_of(surface: &Surface) -> Vec<Point<3>> {
    PointGrid::over_cube(surface.bounds(), 20)
        .points()
        .collect()
}

/// Returns the largest error of J over the points where it is computed.
fn largest_error(prepared: &Multipole, points: &[(Point<3>, f64)]) -> f64 {
    let error = |(point, exact): &(Point<3>, f64)| Some((prepared.potential(point)? - exact).abs());
    points.iter().filter_map(error).fold(0.0, f64::max)
}

fn evaluated(degree: usize, order: LevelOrder) -> MultipoleOptions {
    MultipoleOptions {
        degree: Degree::Given(degree),
        order,
        free_cells: FreeCells::Evaluated,
        ..MultipoleOptions::DEFAULT
    }
}

/// Section 2.1.2: p ~ log N. J is an integer, so an error below one half decides; does the error at a
/// fixed degree grow with N?
fn degree_against_size(
    folder: &Path,
    levels: RangeInclusive<usize>,
    findings: &mut Findings,
) -> Result<()> {
    let mut table = Table::new(&["triangles", "degree", "largest_error"]);
    let label = |degree: usize| format!("degree {degree}");
    let log_degree = |level: usize| (sphere_size(level) as f64).ln().round() as usize;
    let mut curves: Vec<Curve> = [2, 4, 8]
        .map(label)
        .into_iter()
        .chain(["degree ln N".to_owned()])
        .map(|label| Curve {
            label,
            points: Vec::new(),
        })
        .collect();

    for level in levels.clone() {
        let surface = sphere(level)?;
        let points = points_of(&surface)?;
        for (curve, degree) in curves.iter_mut().zip([2, 4, 8, log_degree(level)]) {
            let prepared =
                Multipole::new(surface.clone(), &evaluated(degree, LevelOrder::Fixed), 1)?;
            let error = largest_error(&prepared, &points);
            table.row(&[&sphere_size(level), &degree, &error]);
            curve.points.push((sphere_size(level) as f64, error));
        }
    }
    table.save(&folder.join("degree_against_size.csv"))?;
    let title = "Largest error of J against triangles";
    log_log(
        &folder.join("degree_against_size.svg"),
        title,
        "triangles",
        "error",
        &curves,
    )?;

    let growth: Vec<f64> = curves
        .iter()
        .map(|curve| growth_exponent(&curve.points))
        .collect();
    let worst = |curve: &Curve| curve.points.iter().map(|p| p.1).fold(0.0, f64::max);
    findings.claim(
        Claim::refuted(
            "Section 2.1.2",
            "without a degree that grows as log N, J does not decide inside or outside",
        ),
        worst(&curves[1]) > HALF,
        format!(
            "at degree 4 the error grows as N^{:.2} and is at most {:.3}; at ln N as N^{:.2}",
            growth[1],
            worst(&curves[1]),
            growth[3]
        ),
    );
    findings.check(
        worst(&curves[2]) < worst(&curves[1]) && worst(&curves[1]) < worst(&curves[0]),
        format!(
            "a higher degree is more accurate: {:.3}, {:.3}, {:.4} at degrees 2, 4, 8",
            worst(&curves[0]),
            worst(&curves[1]),
            worst(&curves[2])
        ),
    );
    Ok(())
}

/// References [29, 33]: a degree that falls on finer levels saves most of the conversions' work.
fn variable_order(level: usize, findings: &mut Findings) -> Result<()> {
    let surface = sphere(level)?;
    let points = points_of(&surface)?;
    let build =
        |order: LevelOrder| timed(|| Multipole::new(surface.clone(), &evaluated(8, order), 1));
    let [(fixed, slow), (falling, fast)] = [LevelOrder::Fixed, LevelOrder::Falling].map(build);
    let [fixed, falling] = [fixed?, falling?].map(|prepared| largest_error(&prepared, &points));

    findings.check(
        falling < HALF && falling < 20.0 * fixed,
        format!(
            "variable order on {} triangles: error {falling:.1e}, at fixed degree 8 {fixed:.1e}",
            sphere_size(level)
        ),
    );
    findings.timing(
        fast < slow,
        format!(
            "variable order: set-up {:.0} ms, at fixed degree {:.0} ms",
            fast * 1e3,
            slow * 1e3
        ),
    );
    Ok(())
}

/// What a point costs against the degree: evaluated at every point, as in the paper, or looked up where
/// the cell is free of surface.
fn cost_of_degree(folder: &Path, level: usize, findings: &mut Findings) -> Result<()> {
    let surface = sphere(level)?;
    let points = grid_of(&surface);
    let mut curves = ["evaluated, as the paper", "free cells labelled"].map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for degree in [1, 2, 4, 8, 16] {
        let cells = [FreeCells::Evaluated, FreeCells::Labelled];
        for (curve, free_cells) in curves.iter_mut().zip(cells) {
            let method = InsideMethod::Multipole(MultipoleOptions {
                free_cells,
                ..evaluated(degree, LevelOrder::Fixed)
            });
            let inside = Inside::new(surface.clone(), &InsideOptions { method, seed: 1 })?;
            let mut positions = Vec::new();
            let times = (0..3).map(|_| timed(|| inside.positions(&points, &mut positions)).1);
            let seconds = times.fold(f64::INFINITY, f64::min);
            curve
                .points
                .push((degree as f64, seconds / points.len() as f64 * 1e9));
        }
    }
    let title = format!(
        "Time of a point against the degree, {} triangles",
        sphere_size(level)
    );
    log_log(
        &folder.join("degree.svg"),
        &title,
        "degree",
        "ns for a point",
        &curves,
    )?;

    let growth = curves.each_ref().map(|curve| {
        let ends = [curve.points[0].1, curve.points[curve.points.len() - 1].1];
        ends[1] / ends[0]
    });
    findings.claim(
        Claim::held(
            "Table 1",
            "a point costs O(p²) for its expansion, so more at a higher degree",
        )
        .by_clock(),
        growth[0] > 1.5,
        format!(
            "from degree 1 to 16: {:.1} times if evaluated, {:.1} if labelled",
            growth[0], growth[1]
        ),
    );
    Ok(())
}
