//! Section 3 of \[Muth2006\]: point in polyhedron by ray crossing and by the fast multipole method, on
//! spheres and foams, and later methods. Times are measured against the numbers of triangles and of
//! points.
//!
//! The paper's ray crossing tests all faces (`ray-all`). The depth of its multipole method is chosen
//! for triangles and points (`multipole-wc`) or for triangles alone (`multipole-pc`). `multipole-plain` is
//! the latter with the expansion evaluated at every point, as the paper does; the other two look up the
//! label of a cell without surface. Times are for one thread: set-up plus query.

mod analysis;
mod crossover;
mod picture;

use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, folder, growth_exponent, timed};
use anyhow::{Context, Result};
use impinge::inside::{
    Depth, FreeCells, Inside, InsideMethod, InsideOptions, MultipoleOptions, PointGrid, Position,
};
use impinge::shape::{Surface, generate};
use impinge::space::Point;
use std::path::Path;
use std::sync::Arc;

/// The methods, in the order of the tables.
const METHODS: [&str; 6] = [
    "ray-all",
    "ray",
    "multipole-wc",
    "multipole-pc",
    "multipole-plain",
    "auto",
];

/// Size of the study.
struct Settings {
    sphere_levels: std::ops::RangeInclusive<usize>,
    foams: Vec<usize>,
    /// Number of points along an edge of each grid.
    grids: Vec<usize>,
    /// Number of face-point pairs above which `ray-all` locates only some of the points and its time is
    /// scaled.
    budget: usize,
}

/// Times of one method on one body and one grid.
struct Case {
    body: &'static str,
    triangles: usize,
    points: usize,
    method: &'static str,
    setup: f64,
    query: f64,
    /// Number of points located; fewer than all if the time is scaled.
    located: usize,
    inside: usize,
}

impl Case {
    fn total(&self) -> f64 {
        self.setup + self.query
    }

    fn is_measured(&self) -> bool {
        self.located == self.points
    }
}

/// Runs the study.
pub(crate) fn run(quick: bool) -> Result<Findings> {
    let settings = if quick {
        Settings {
            sphere_levels: 0..=6,
            foams: vec![7_000, 29_000],
            grids: vec![10, 20],
            budget: 300_000_000,
        }
    } else {
        Settings {
            sphere_levels: 0..=7,
            foams: vec![28_952, 120_868, 494_124],
            grids: vec![10, 20, 40, 80],
            budget: 4_000_000_000,
        }
    };
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;

    one_thread.install(|| study(&settings))
}

fn study(settings: &Settings) -> Result<Findings> {
    let folder = folder("muth2006")?;
    let mut findings = Findings::default();
    let mut cases = Vec::new();

    for level in settings.sphere_levels.clone() {
        measure(
            "sphere",
            generate::sphere(level)?,
            settings,
            &mut cases,
            &mut findings,
        )?;
    }

    for &triangles in &settings.foams {
        measure(
            "foam",
            generate::foam(triangles, 1)?,
            settings,
            &mut cases,
            &mut findings,
        )?;
    }

    save_table(&folder, &cases)?;
    save_evaluation(&folder, &cases)?;
    draw(
        &folder,
        "sphere",
        &cases,
        settings,
        ["figure7", "figure8", "figure9", "figure10"],
    )?;

    draw(
        &folder,
        "foam",
        &cases,
        settings,
        ["figure12", "figure13", "figure14", "figure15"],
    )?;
    picture::draw(&folder)?;
    check(&cases, settings, &mut findings);
    crossover::run(&folder, &cases, settings, &mut findings)?;
    analysis::run(&folder, &settings.sphere_levels, &mut findings)?;

    Ok(findings)
}

/// Returns the number of triangles of the sphere of a level.
fn sphere_size(level: usize) -> usize {
    8 << (2 * level)
}

/// Measures all methods and grids on one body.
fn measure(
    body: &'static str,
    surface: Surface,
    settings: &Settings,
    cases: &mut Vec<Case>,
    findings: &mut Findings,
) -> Result<()> {
    let surface = Arc::new(surface);
    let triangles = surface.triangles().len();
    let mut apart = 0;

    for &grid in &settings.grids {
        let points: Vec<Point<3>> = PointGrid::over_cube(surface.bounds(), grid)
            .points()
            .collect();
        let mut reference: Vec<Position> = Vec::new();

        for name in METHODS.iter().rev() {
            let most = if *name == "ray-all" {
                (settings.budget / triangles).max(100)
            } else {
                points.len()
            };
            let stride = points.len().div_ceil(most);
            let some: Vec<Point<3>> = points.iter().copied().step_by(stride).collect();
            let (positions, mut case) = time(body, &surface, name, &some, points.len())?;
            case.query *= points.len() as f64 / some.len() as f64;

            if reference.is_empty() {
                reference.clone_from(&positions);
            }

            let expected = reference.iter().step_by(stride);
            apart += positions
                .iter()
                .zip(expected)
                .filter(|(found, expected)| found != expected)
                .count();

            cases.push(case);
        }
    }

    findings.check(
        apart == 0,
        format!("{body} of {triangles} triangles: all methods agree on every point"),
    );
    Ok(())
}

/// Times one method on one list of points; the better of two runs, because other programs interfere.
fn time(
    body: &'static str,
    surface: &Arc<Surface>,
    method: &'static str,
    points: &[Point<3>],
    all_points: usize,
) -> Result<(Vec<Position>, Case)> {
    let options = InsideOptions {
        method: method_of(method, all_points),
        seed: 1,
    };
    let mut positions = Vec::new();
    let (mut setup, mut query, mut inside) = (f64::INFINITY, f64::INFINITY, 0);

    for _ in 0..2 {
        let (prepared, seconds) = timed(|| Inside::new(surface.clone(), &options));
        let prepared = prepared?;
        setup = setup.min(seconds);
        let (report, seconds) = timed(|| prepared.positions(points, &mut positions));
        query = query.min(seconds);
        inside = report?.inside;
    }

    let triangles = surface.triangles().len();
    let located = points.len();
    let case = Case {
        body,
        triangles,
        points: all_points,
        method,
        setup,
        query,
        located,
        inside,
    };

    Ok((positions, case))
}

fn method_of(name: &str, points: usize) -> InsideMethod {
    let multipole = |depth: Depth| {
        InsideMethod::Multipole(MultipoleOptions {
            depth,
            ..MultipoleOptions::default()
        })
    };
    match name {
        "ray-all" => InsideMethod::RayAll,
        "ray" => InsideMethod::Ray,
        "multipole-wc" => multipole(Depth::Both { points }),
        "multipole-pc" => multipole(Depth::Triangles),
        "multipole-plain" => InsideMethod::Multipole(MultipoleOptions {
            free_cells: FreeCells::Evaluated,
            ..MultipoleOptions::default()
        }),
        _ => InsideMethod::Auto,
    }
}

fn save_table(folder: &Path, cases: &[Case]) -> Result<()> {
    let header = [
        "body",
        "triangles",
        "points",
        "method",
        "setup_seconds",
        "query_seconds",
        "located",
        "inside",
    ];
    let mut table = Table::new(&header);

    for case in cases {
        table.row(&[
            &case.body,
            &case.triangles,
            &case.points,
            &case.method,
            &case.setup,
            &case.query,
            &case.located,
            &case.inside,
        ]);
    }

    table.save(&folder.join("times.csv"))
}

/// Writes the counterpart of Table 2: seconds of the evaluation alone, multipole method with pre-chosen
/// depth, spheres.
fn save_evaluation(folder: &Path, cases: &[Case]) -> Result<()> {
    let mut table = Table::new(&["points", "triangles", "query_seconds"]);
    for case in cases
        .iter()
        .filter(|c| c.body == "sphere" && c.method == "multipole-plain")
    {
        if case.triangles >= 8192 {
            table.row(&[&case.points, &case.triangles, &case.query]);
        }
    }

    table.save(&folder.join("table2.csv"))
}

/// Returns total seconds against triangles, for one method and grid.
fn curve(cases: &[Case], body: &str, method: &str, points: usize) -> Vec<(f64, f64)> {
    let same = |c: &&Case| c.body == body && c.method == method && c.points == points;
    cases
        .iter()
        .filter(same)
        .map(|c| (c.triangles as f64, c.total()))
        .collect()
}

/// Plots well-chosen, pre-chosen, ray crossing, and all methods on the smallest and the largest grid.
fn draw(
    folder: &Path,
    body: &str,
    cases: &[Case],
    settings: &Settings,
    figures: [&str; 4],
) -> Result<()> {
    let [well, pre, ray, all] = figures;
    for (figure, method) in [
        (well, "multipole-wc"),
        (pre, "multipole-pc"),
        (ray, "ray-all"),
    ] {
        let curves: Vec<Curve> = settings
            .grids
            .iter()
            .map(|&grid| Curve {
                label: format!("{grid}³ points"),
                points: curve(cases, body, method, grid.pow(3)),
            })
            .collect();
        let path = folder.join(format!("{figure}.svg"));
        log_log(
            &path,
            &format!("{body}, {method}"),
            "triangles",
            "seconds",
            &curves,
        )?;
    }

    let ends = [settings.grids.first(), settings.grids.last()]
        .into_iter()
        .flatten();
    let curves: Vec<Curve> = ends
        .flat_map(|&grid| METHODS.iter().map(move |method| (grid, *method)))
        .map(|(grid, method)| Curve {
            label: format!("{method}, {grid}³ points"),
            points: curve(cases, body, method, grid.pow(3)),
        })
        .collect();
    let path = folder.join(format!("{all}.svg"));

    log_log(
        &path,
        &format!("{body}, all methods"),
        "triangles",
        "seconds",
        &curves,
    )
}

/// Checks the findings of section 3. Bounds are wide, because times on a busy machine vary.
fn check(cases: &[Case], settings: &Settings, findings: &mut Findings) {
    let fewest = settings.grids[0].pow(3);
    let most = settings.grids[settings.grids.len() - 1].pow(3);
    let well = growth_exponent(&curve(cases, "sphere", "multipole-wc", most));
    findings.claim(
        Claim::held(
            "Section 3.1, Figure 7",
            "with a well-chosen depth the time grows less than linearly in triangles",
        )
        .by_clock(),
        well < 0.9,
        format!("exponent {well:.2} at {most} points"),
    );
    let rays = growth_exponent(&measured(
        cases,
        |c| c.triangles >= 128 && c.points == fewest,
        |c| c.triangles,
    ));

    findings.claim(
        Claim::held("Figure 9", "ray crossing is linear in triangles").by_clock(),
        (0.6..1.4).contains(&rays),
        format!("exponent {rays:.2}"),
    );
    let middle = measured(cases, |c| c.triangles == 2048, |c| c.points);
    let rays = growth_exponent(&middle);
    findings.claim(
        Claim::held("Figure 9", "ray crossing is linear in points").by_clock(),
        (0.6..1.4).contains(&rays),
        format!("exponent {rays:.2}"),
    );

    if let Err(error) = compare_ends(cases, settings, findings) {
        findings.check(false, format!("a case is missing: {error}"));
    }
}

/// Returns total seconds of ray crossing over all faces on spheres against a chosen quantity, where not
/// scaled.
fn measured(
    cases: &[Case],
    which: impl Fn(&Case) -> bool,
    against: impl Fn(&Case) -> usize,
) -> Vec<(f64, f64)> {
    let chosen =
        |c: &&Case| c.body == "sphere" && c.method == "ray-all" && c.is_measured() && which(c);
    cases
        .iter()
        .filter(chosen)
        .map(|c| (against(c) as f64, c.total()))
        .collect()
}

fn compare_ends(cases: &[Case], settings: &Settings, findings: &mut Findings) -> Result<()> {
    let total = |method: &str, triangles: usize, grid: usize| {
        let same = |c: &&Case| {
            c.body == "sphere"
                && c.method == method
                && c.triangles == triangles
                && c.points == grid.pow(3)
        };
        cases
            .iter()
            .find(same)
            .map(Case::total)
            .with_context(|| format!("{method} {triangles} {grid}"))
    };
    let size = sphere_size;

    let (small, large) = (
        size(*settings.sphere_levels.start()),
        size(*settings.sphere_levels.end()),
    );
    let [coarse, finer] = [settings.grids[0], settings.grids[1]];
    let ratio = total("multipole-pc", large, finer)? / total("multipole-pc", large, coarse)?;
    findings.check(
        ratio < 3.0,
        format!(
            "multipole-pc nearly the same for {coarse}³ and {finer}³ points on {large} triangles: {ratio:.2}"
        ),
    );
    let grid = settings.grids[settings.grids.len() - 1];
    let at_first = total("ray-all", small, coarse)? / total("multipole-wc", small, coarse)?;
    let at_last = total("ray-all", large, grid)? / total("multipole-wc", large, grid)?;

    findings.check(
        at_first < at_last && at_last > 1.0,
        format!(
            "multipole-wc overtakes ray-all as both grow: {at_first:.2} times its speed, then {at_last:.1}"
        ),
    );

    Ok(())
}
