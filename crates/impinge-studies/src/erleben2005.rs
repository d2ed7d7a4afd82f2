//! The measurements of \[Erleben2005\] on V-shapes, Figures 1.5.4 to 1.5.7, and questions that it
//! leaves open: the breakdown of the time, the best number of levels, and whether sorted coordinates
//! still pay.
//!
//! Two V-shapes are dragged through each other, and the legs of one pass through themselves. Each
//! measurement is made with the paper's method and with the persistent hierarchy. The lists of hits are
//! compared throughout.

use crate::contour::{Faces, follow};
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, folder, growth_exponent, timed};
use anyhow::{Result, ensure};
use impinge::narrow::solids::{FaceHit, SolidContacts, SolidMethod, SolidOptions};
use impinge::narrow::triangle_tetrahedron::{meet_by_gjk, relation};
use impinge::shape::{Solid, generate::Vee};
use impinge::space::{Point, Vector};
use impinge::tree::{BucketLevels, BucketMapping, BucketOptions, BucketTree};
use std::path::Path;

/// Number of repetitions; the fastest counts.
const REPEATS: usize = 3;

const NAMES: [&str; 2] = ["BucketTree", "kept hierarchy"];

fn methods() -> [SolidMethod; 2] {
    [
        SolidMethod::Buckets(BucketOptions::default()),
        SolidMethod::Tree,
    ]
}

/// Runs the study on one thread, like the paper.
pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("erleben2005")?;
    let mut findings = Findings::default();
    let sizes: &[usize] = if quick {
        &[600, 1_400, 6_000]
    } else {
        &[600, 1_000, 1_400, 3_000, 6_000, 15_000, 40_000, 100_000]
    };
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;

    one_thread.install(|| -> Result<()> {
        for scene in [Scene::Pair, Scene::Own] {
            for figure in scene.figures() {
                against_size(scene, figure, &folder, sizes, &mut findings)?;
            }
            against_hits(scene, &folder, &mut findings)?;
        }
        counted(
            &folder,
            if quick { &sizes[..3] } else { &sizes[..6] },
            &mut findings,
        )?;
        let count = if quick { 6_000 } else { 100_000 };
        shares(count, &folder, &mut findings)?;
        levels(count, &folder, &mut findings)?;
        mapping(count, &folder, &mut findings)?;
        contours(count, &mut findings)
    })?;

    Ok(findings)
}

/// A figure of the paper: time against size, with a number of intersections within a band.
#[derive(Clone, Copy)]
struct Figure {
    name: &'static str,
    band: [usize; 2],
}

impl Figure {
    fn file(&self) -> String {
        format!("figure_{}", self.name.replace(['.', ' '], "_"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scene {
    Pair,
    Own,
}

impl Scene {
    fn name(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Own => "self",
        }
    }

    /// The figures of the time against size.
    fn figures(self) -> &'static [Figure] {
        match self {
            Self::Pair => &[
                Figure {
                    name: "1.5.4 A",
                    band: [800, 1200],
                },
                Figure {
                    name: "1.5.4 B",
                    band: [3200, 4800],
                },
            ],
            Self::Own => &[Figure {
                name: "1.5.6",
                band: [800, 1200],
            }],
        }
    }

    /// Returns one or two solids; `depth` is 0 for separated and 1 for deeply overlapping.
    fn solids(self, vee: &Vee, depth: f64) -> Result<Vec<Solid>> {
        let at = |angle: f64, shift: [f64; 3]| -> Result<Solid> {
            let points: Vec<Point<3>> = vee
                .points(angle)?
                .iter()
                .map(|p| p + Vector::from(shift))
                .collect();
            Ok(Solid::new(&points, vee.tetrahedra())?)
        };
        Ok(match self {
            Self::Pair => vec![
                at(0.6, [0.0; 3])?,
                at(0.6, [0.013, 4.7 - 4.2 * depth, 0.107])?,
            ],
            Self::Own => vec![at(-0.1 - 0.42 * depth, [0.0; 3])?],
        })
    }
}

/// Returns the seconds of a step, update and search, and the hits.
fn measure(solids: &[Solid], method: SolidMethod) -> (f64, Vec<FaceHit>) {
    let options = SolidOptions {
        method,
        ..SolidOptions::default()
    };
    let mut contacts: Vec<SolidContacts> = solids
        .iter()
        .map(|s| SolidContacts::new(s, options))
        .collect();
    let (mut hits, mut other, mut best) = (Vec::new(), Vec::new(), f64::INFINITY);

    for _ in 0..=REPEATS {
        let ((), seconds) = timed(|| {
            contacts
                .iter_mut()
                .zip(solids)
                .for_each(|(contacts, solid)| contacts.update(solid));
            match (&mut contacts[..], solids) {
                ([a, b], [one, two]) => a.find_between(one, b, two, [&mut hits, &mut other]),
                _ => contacts[0].find_self(&solids[0], &mut hits),
            }
        });
        best = best.min(seconds);
    }

    hits.extend(other);
    (best, hits)
}

/// Measures both methods, whose hits must agree.
fn measure_both(solids: &[Solid]) -> Result<([f64; 2], usize)> {
    let [paper, kept] = methods().map(|method| measure(solids, method));
    ensure!(paper.1 == kept.1, "the two methods find different hits");
    Ok(([paper.0, kept.0], kept.1.len()))
}

/// Finds the depth at which a scene has about `wanted` hits, by bisection; hits increase with depth.
fn depth_for(scene: Scene, vee: &Vee, wanted: usize) -> Result<f64> {
    let (mut low, mut up) = (0.0, 1.0);
    for _ in 0..9 {
        let middle = 0.5 * (low + up);
        let hits = measure_hits(&scene.solids(vee, middle)?);
        if hits > wanted {
            up = middle
        } else {
            low = middle
        }
    }

    Ok(up)
}

fn measure_hits(solids: &[Solid]) -> usize {
    let options = SolidOptions {
        method: SolidMethod::Tree,
        ..SolidOptions::default()
    };
    let mut contacts: Vec<SolidContacts> = solids
        .iter()
        .map(|s| SolidContacts::new(s, options))
        .collect();
    let (mut hits, mut other) = (Vec::new(), Vec::new());

    match (&mut contacts[..], solids) {
        ([a, b], [one, two]) => a.find_between(one, b, two, [&mut hits, &mut other]),
        _ => contacts[0].find_self(&solids[0], &mut hits),
    }

    hits.len() + other.len()
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
        let solids = scene.solids(&vee, depth_for(scene, &vee, (fewest + most) / 2)?)?;
        let (seconds, hits) = measure_both(&solids)?;
        if !(fewest..=most).contains(&hits) {
            println!("    {size} tetrahedra: {hits} intersections, outside of the figure");
            continue;
        }
        for k in 0..2 {
            table.row(&[&NAMES[k], &solids[0].tetrahedra().len(), &hits, &seconds[k]]);
            curves[k]
                .points
                .push((solids[0].tetrahedra().len() as f64, seconds[k] * 1e3));
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

fn report_growth(scene: Scene, figure: &Figure, curves: &[Curve; 2], findings: &mut Findings) {
    for (curve, method) in curves.iter().zip(NAMES) {
        let exponent = growth_exponent(&curve.points);
        let [linear, quadratic] = [1, 2].map(|degree| 100.0 * fit_error(&curve.points, degree));
        println!(
            "  Figure {}, {method}: time grows as N^{exponent:.2}; linear fit is off by {linear:.0} %, quadratic by \
             {quadratic:.0} %",
            figure.name
        );
        findings.timing(
            exponent < 1.35,
            format!(
                "Figure {}, {} with {method}: no worse than about linear in size (N^{exponent:.2})",
                figure.name,
                scene.name()
            ),
        );
    }
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
            let solids = scene.solids(&vee, f64::from(step) / 8.0)?;
            let (seconds, hits) = measure_both(&solids)?;
            if hits == 0 {
                continue;
            }
            for k in 0..2 {
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

    for (k, curve) in curves.iter_mut().enumerate() {
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [offset, slope, _] = fit(&curve.points, 1);
        findings.timing(
            slope > 0.0,
            format!(
                "Figure {figure}, {}: {:.0} µs and {:.2} µs for each intersection",
                NAMES[k],
                offset * 1e3,
                slope * 1e3
            ),
        );
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
fn with_fits(curves: [Curve; 2], degree: usize) -> Vec<Curve> {
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

/// Compares methods by the tests of a face and a tetrahedron that each makes, which no machine disturbs,
/// and checks that both deserve the name of a broad phase. Neighbours are ignored alike.
fn counted(folder: &Path, sizes: &[usize], findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["tetrahedra", "hits", "buckets", "tree", "brute_force"]);
    let mut curves = [NAMES[0], NAMES[1], "brute force"].map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for &size in sizes {
        let vee = Vee::new(size)?;
        let scene = Scene::Own.solids(&vee, depth_for(Scene::Own, &vee, 1000)?)?;
        let [paper, tree] = methods();
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

    findings.timing(
        share(gjk) > 50.0,
        format!(
            "GJK is the bottleneck, as the paper says: {:.0} % of a step",
            share(gjk)
        ),
    );
    findings.timing(
        exact < gjk,
        format!("the exact test is {:.1} times as fast as GJK", gjk / exact),
    );

    Ok(())
}

/// Measures time against levels: is [Erleben2005, eq. (1.5.6)] the best choice?
fn levels(count: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    let solids = Scene::Own.solids(&Vee::new(count)?, 0.7)?;
    let mut table = Table::new(&["tetrahedra", "levels", "seconds"]);
    let (mut points, mut expected) = (Vec::new(), None);

    for levels in 4..=8u32 {
        let options = BucketOptions {
            levels: BucketLevels::Given(levels),
            ..BucketOptions::default()
        };
        let (seconds, hits) = measure(&solids, SolidMethod::Buckets(options));
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

    findings.timing(
        time(of(2.0)) < 2.5 * best.1,
        "eq. (1.5.6) with n = 2 is within a factor 2.5 of the best",
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

/// Compares sorted coordinates with eq. (1.5.7), over the steps of an oscillation.
fn mapping(count: usize, folder: &Path, findings: &mut Findings) -> Result<()> {
    let vee = Vee::new(count)?;
    let mut table = Table::new(&["tetrahedra", "mapping", "seconds", "exchanges"]);
    let mut best = [f64::INFINITY; 2];

    for (k, mapping) in [BucketMapping::Direct, BucketMapping::Sorted]
        .into_iter()
        .enumerate()
    {
        let mut solid = Solid::new(&vee.points(0.5)?, vee.tetrahedra())?;
        let mut tree = BucketTree::new(
            &solid,
            BucketOptions {
                mapping,
                ..BucketOptions::default()
            },
        );

        for step in 0..5 {
            solid.set_points(&vee.points(0.5 - 0.002 * f64::from(step))?)?;
            let ((), seconds) = timed(|| tree.remap(&solid));
            // The first step sorts from scratch.
            best[k] = if step > 0 {
                best[k].min(seconds)
            } else {
                best[k]
            };
        }

        table.row(&[
            &count,
            &["direct", "sorted"][k],
            &best[k],
            &tree.counters().exchanges,
        ]);
    }
    table.save(&folder.join("mapping.csv"))?;

    findings.timing(
        best[0] < best[1],
        format!(
            "mapping directly takes {:.1} ms, by sorted coordinates {:.1} ms: the multiplications that sorting saves \
             are no longer what costs",
            best[0] * 1e3,
            best[1] * 1e3
        ),
    );

    Ok(())
}

/// Tests the paper's outlook: neighbours of the last step's hits instead of a search, for two solids
/// after a small step.
fn contours(count: usize, findings: &mut Findings) -> Result<()> {
    let vee = Vee::new(count)?;
    let [before, now] = [0.5, 0.51].map(|depth| Scene::Pair.solids(&vee, depth));
    let (before, now) = (before?, now?);
    let last = of_first_faces(&before).0;
    let (hits, tests, searching) = of_first_faces(&now);
    let faces = Faces::of(&now[0]);
    let ((followed, steps), following) = timed(|| follow(&now[0], &faces, &now[1], &last));
    let is_hit = |pair: &(u32, u32)| {
        hits.binary_search_by_key(pair, |h| (h.face, h.tetrahedron))
            .is_ok()
    };

    findings.check(
        followed.iter().all(is_hit),
        "whatever is found by following contours is a hit",
    );
    let apart = of_first_faces(&Scene::Pair.solids(&vee, 0.0)?).0;
    let from_nothing = follow(&now[0], &faces, &now[1], &apart).0;
    findings.check(
        apart.is_empty() && from_nothing.is_empty(),
        "bodies that meet for the first time have no contour to follow, so a search is needed",
    );
    let share = 100.0 * followed.len() as f64 / hits.len().max(1) as f64;

    println!(
        "  contours: {share:.1} % of {} hits by {:.1} tests for each, {:.1} ms; the search takes {:.1} tests, {:.1} ms",
        hits.len(),
        steps as f64 / followed.len().max(1) as f64,
        following * 1e3,
        tests as f64 / hits.len().max(1) as f64,
        searching * 1e3
    );

    findings.timing(
        searching < following,
        format!(
            "searching all is {:.1} times as fast as following contours",
            following / searching
        ),
    );

    Ok(())
}

/// Returns the hits of the first solid's faces, the number of tests and the seconds of a step.
fn of_first_faces(solids: &[Solid]) -> (Vec<FaceHit>, u64, f64) {
    let mut contacts = [0, 1].map(|k| SolidContacts::new(&solids[k], SolidOptions::default()));
    let [a, b] = &mut contacts;
    let (mut hits, mut other, mut seconds) = (Vec::new(), Vec::new(), f64::INFINITY);
    let tests = |a: &SolidContacts| a.counters().tests;
    let mut last = 0;

    for _ in 0..=REPEATS {
        last = tests(a);
        let ((), taken) = timed(|| {
            a.update(&solids[0]);
            b.update(&solids[1]);
            a.find_between(&solids[0], b, &solids[1], [&mut hits, &mut other]);
        });
        seconds = seconds.min(taken);
    }

    let tests = tests(a) - last;
    // The search covers both surfaces; the flood covered one.
    let share = hits.len() as f64 / (hits.len() + other.len()).max(1) as f64;
    (hits, tests, seconds * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_give_back_polynomials() {
        let points: Vec<(f64, f64)> = (1..9)
            .map(|i| f64::from(i) * 100.0)
            .map(|x| (x, 3.0 + 0.5 * x + 1e-3 * x * x))
            .collect();
        let [a, b, c] = fit(&points, 2);
        assert!((a - 3.0).abs() < 1e-6 && (b - 0.5).abs() < 1e-8 && (c - 1e-3).abs() < 1e-10);

        assert!(fit_error(&points, 2) < 1e-9 && fit_error(&points, 1) > 1e-3);
    }
}
