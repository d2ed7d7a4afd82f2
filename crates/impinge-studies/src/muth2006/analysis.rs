//! The complexity analysis of \[Muth2006, section 2.1.2\]: the operators of Table 1, the degree p ~ log N,
//! the variable order of its references [29, 33], what the degree costs at a point, the depth, and the
//! tree for known points.
//!
//! Counts and errors do not depend on the machine. Spheres of 8·4^level triangles, and the points of
//! the paper's grids in their bounding cube.

use super::sphere_size;
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent, timed};
use anyhow::Result;
use impinge::inside::{
    Degree, Depth, FreeCells, Inside, InsideMethod, InsideOptions, LevelOrder, Multipole,
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
    cost_of_degree(folder, last.min(5), findings)?;
    // Two levels below the finest: the direct sum and the deepest trees are slow.
    straight_forward(folder, COARSEST..=last - 2, findings)?;
    well_chosen_depth(folder, last - 2, findings)?;
    known_points(last.min(5), findings)
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

    let bound = nearfield_sons(MultipoleOptions::SEPARATION);
    let [clusters, cells, conversions, near] = curves;
    let most = |of: &Curve| {
        let each = of.points.iter().zip(&clusters.points);
        each.map(|(count, clusters)| count.1 / clusters.1)
            .fold(0.0, f64::max)
    };
    for (statement, most) in [
        (
            "the evaluation tree has at most c_d clusters for each of the mesh's",
            most(&cells),
        ),
        (
            "the conversions of a cluster are bounded by c_d",
            most(&conversions),
        ),
    ] {
        findings.claim(
            Claim::held("Table 1", statement),
            most <= bound as f64,
            format!(
                "at most {most:.1} for each cluster; c_d = {bound}, the sons of all boxes near one"
            ),
        );
    }

    let growth = growth_exponent(&clusters.points);
    findings.claim(
        Claim::held(
            "Section 2.1.3",
            "the mesh's tree has O(N) clusters or fewer",
        ),
        growth < 1.1,
        format!("N^{growth:.2}"),
    );
    let near = growth_exponent(&near.points);
    findings.claim(
        Claim::held("Table 1", "the near field of a point is O(log² N) panels"),
        near < 0.25,
        format!("N^{near:.2}"),
    );
    Ok(())
}

/// c_d: the sons of all boxes whose centres are within (d + 1) r of a box, r being half a diagonal.
fn nearfield_sons(separation: f64) -> usize {
    let reach = (separation + 1.0) * 0.75f64.sqrt();
    let steps = reach.floor() as i32;
    let offsets = || -steps..=steps;
    let squares = offsets()
        .flat_map(|x| offsets().flat_map(move |y| offsets().map(move |z| x * x + y * y + z * z)));
    8 * squares
        .filter(|&square| f64::from(square).sqrt() <= reach)
        .count()
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

/// Table 1: "computation straight forward", O(N M).
fn straight_forward(
    folder: &Path,
    levels: RangeInclusive<usize>,
    findings: &mut Findings,
) -> Result<()> {
    let mut table = Table::new(&["triangles", "points", "seconds"]);
    let (mut against_triangles, mut against_points) = (Vec::new(), Vec::new());
    let last = *levels.end();
    for level in levels {
        let surface = sphere(level)?;
        let method = InsideMethod::Potential;
        let inside = Inside::new(surface.clone(), &InsideOptions { method, seed: 1 })?;
        for stride in [16, 4, 1] {
            let points: Vec<Point<3>> = grid_of(&surface).into_iter().step_by(stride).collect();
            let mut positions = Vec::new();
            let times = (0..2).map(|_| timed(|| inside.positions(&points, &mut positions)).1);
            let seconds = times.fold(f64::INFINITY, f64::min);
            table.row(&[&sphere_size(level), &points.len(), &seconds]);
            if stride == 4 {
                against_triangles.push((sphere_size(level) as f64, seconds));
            }
            if level == last {
                against_points.push((points.len() as f64, seconds));
            }
        }
    }
    table.save(&folder.join("straight_forward.csv"))?;

    let [of_triangles, of_points] =
        [against_triangles, against_points].map(|points| growth_exponent(&points));
    findings.claim(
        Claim::held("Table 1", "the straight forward computation costs O(N M)").by_clock(),
        (0.8..1.2).contains(&of_triangles) && (0.8..1.2).contains(&of_points),
        format!("N^{of_triangles:.2} M^{of_points:.2}"),
    );
    Ok(())
}

/// Set-up plus evaluation of all points of a grid, in seconds.
fn total(surface: &Arc<Surface>, points: &[Point<3>], options: MultipoleOptions) -> Result<f64> {
    let method = InsideMethod::Multipole(options);
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let run = || -> Result<()> {
            let inside = Inside::new(surface.clone(), &InsideOptions { method, seed: 1 })?;
            inside.positions(points, &mut Vec::new())?;
            Ok(())
        };
        let (result, seconds) = timed(run);
        result?;
        best = best.min(seconds);
    }
    Ok(best)
}

/// The depth that is well chosen for triangles, points, degree and separation, beside the best one.
fn well_chosen_depth(folder: &Path, level: usize, findings: &mut Findings) -> Result<()> {
    let surface = sphere(level)?;
    let points = grid_of(&surface);
    let mut table = Table::new(&["degree", "depth", "seconds"]);
    for degree in [4, 12] {
        let with = |depth: Depth| MultipoleOptions {
            depth,
            ..evaluated(degree, LevelOrder::Fixed)
        };
        let chosen = total(
            &surface,
            &points,
            with(Depth::Both {
                points: points.len(),
            }),
        )?;
        table.row(&[&degree, &"chosen", &chosen]);
        let mut best = (f64::INFINITY, 0);
        for depth in 1..=level {
            let seconds = total(&surface, &points, with(Depth::Given(depth)))?;
            table.row(&[&degree, &depth, &seconds]);
            if seconds < best.0 {
                best = (seconds, depth);
            }
        }
        findings.timing(
            chosen < 1.6 * best.0,
            format!(
                "degree {degree}, {} triangles, {} points: the chosen depth takes {:.2} times as long as the best, {}",
                sphere_size(level),
                points.len(),
                chosen / best.0,
                best.1
            ),
        );
    }
    table.save(&folder.join("depth.csv"))
}

/// Section 2.1.2: "if the evaluation points were known at setup time, their distribution could be used
/// to build a suitable cluster tree".
fn known_points(level: usize, findings: &mut Findings) -> Result<()> {
    let surface = sphere(level)?;
    let all = grid_of(&surface);
    let corner: Vec<Point<3>> = all
        .iter()
        .filter(|p| p.iter().all(|&x| x > 0.3))
        .copied()
        .collect();
    let options = evaluated(4, LevelOrder::Fixed);
    let free = Multipole::new(surface.clone(), &options, 1)?.statistics();
    let fitted = Multipole::for_points(surface, &corner, &options, 1)?.statistics();
    findings.claim(
        Claim::held(
            "Section 2.1.2",
            "a tree for points that are known is smaller, by their share of the space",
        ),
        3 * fitted.cells < free.cells && fitted.conversions < free.conversions,
        format!(
            "{} points in a corner: {} cells and {} conversions, without knowing them {} and {}",
            corner.len(),
            fitted.cells,
            fitted.conversions,
            free.cells,
            free.conversions
        ),
    );
    Ok(())
}
