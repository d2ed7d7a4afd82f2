//! The claim of \[Schinner1997\] that closest features cost O(const). The study counts feature pairs
//! tested per step against the number of corners and the rotation per step. Cached features are
//! compared with a cold start and with GJK.
//!
//! Cached features are confirmed by one test while the closest features stay the same. If a step
//! rotates the bodies by more than the angle between neighbouring edges, the walk passes several. The
//! claim thus has a range: a step takes one test, plus a number proportional to the rotation and to the
//! corners that it passes.

use crate::coherent::{Course, poses2, poses3, round_body, round_polygon};
use crate::film;
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, folder, growth_exponent, timed};
use anyhow::Result;
use impinge::narrow::features2::{self, FeatureCache2};
use impinge::narrow::features3::{self, FeatureCache3};
use impinge::narrow::gjk;
use impinge::shape::{Polygon, Polyhedron};
use impinge::space::{Matrix, Point, Pose, Random};
use std::path::Path;

/// Gap between the bodies, which have a radius of one.
const GAP: f64 = 0.01;

/// Rotation per step, in radians, when the number of corners varies: a sixth of the angle between the
/// edges of a polygon of 10,000 corners.
const TURN: f64 = 1e-4;

/// Methods to find the closest points, and what is counted for each.
const METHODS: [&str; 3] = [
    "kept features: pairs tested",
    "cold start: pairs tested",
    "GJK kept simplex: supports",
];

/// Means over the steps for each of the [`METHODS`].
#[derive(Clone, Copy)]
struct Cost {
    tests: [f64; 3],
    nanoseconds: [f64; 3],
}

/// Runs the study.
pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("schinner1997")?;
    let mut findings = Findings::default();
    let steps = if quick { 200 } else { 2_000 };
    let (flat, solid): (&[usize], &[usize]) = if quick {
        (&[3, 100, 10_000], &[4, 32, 512])
    } else {
        (
            &[3, 10, 30, 100, 300, 1_000, 3_000, 10_000],
            &[4, 10, 32, 100, 320, 1_000, 3_200, 10_000],
        )
    };

    against_corners(
        &folder,
        "polygons",
        flat,
        |n| of_polygons(n, TURN, steps),
        &mut findings,
    )?;
    against_corners(
        &folder,
        "polyhedra",
        solid,
        |n| of_polyhedra(n, TURN, steps),
        &mut findings,
    )?;

    against_turn(
        &folder,
        "polygons",
        |turn| of_polygons(100, turn, steps),
        &mut findings,
    )?;
    let vertices = if quick { 256 } else { 1_000 };
    against_turn(
        &folder,
        "polyhedra",
        |turn| of_polyhedra(vertices, turn, steps),
        &mut findings,
    )?;
    overlapping(&folder, flat, solid, steps, &mut findings)?;
    walk_on_film(&folder, &mut findings)?;
    println!("written: {}", folder.display());

    Ok(findings)
}

/// Returns the mean cost of the steps after the first.
fn mean<P>(poses: &[P], mut methods: [&mut dyn FnMut(&P) -> u32; 3]) -> Cost {
    let (tests, nanoseconds): (Vec<f64>, Vec<f64>) = methods
        .iter_mut()
        .map(|method| {
            method(&poses[0]);
            let (tests, seconds) = timed(|| {
                poses[1..]
                    .iter()
                    .map(|pose| u64::from(method(pose)))
                    .sum::<u64>()
            });
            let steps = (poses.len() - 1) as f64;
            (tests as f64 / steps, seconds / steps * 1e9)
        })
        .unzip();
    let array = |values: Vec<f64>| <[f64; 3]>::try_from(values).expect("three methods");

    Cost {
        tests: array(tests),
        nanoseconds: array(nanoseconds),
    }
}

fn of_polygons(corners: usize, turn: f64, steps: usize) -> Cost {
    let mut random = Random::new(corners as u64);
    let [a, b] = [(); 2].map(|()| round_polygon(&mut random, corners));
    let poses: Vec<(Pose<2>, Pose<3>)> = poses2(&a, &b, Course { turn, gap: GAP }, steps)
        .into_iter()
        .map(|pose| (pose, in_space(&pose)))
        .collect();
    let (rest, rest_in_space) = (Pose::identity(), Pose::identity());
    let (mut kept, mut simplex) = (FeatureCache2::default(), gjk::Simplex::default());

    mean(
        &poses,
        [
            &mut |(pose, _)| features2::closest(&a, &rest, &b, pose, &mut kept).tests,
            &mut |(pose, _)| {
                features2::closest(&a, &rest, &b, pose, &mut FeatureCache2::default()).tests
            },
            &mut |(_, pose)| gjk::distance(&a, &rest_in_space, &b, pose, &mut simplex).iterations,
        ],
    )
}

fn of_polyhedra(vertices: usize, turn: f64, steps: usize) -> Cost {
    let mut random = Random::new(vertices as u64);
    let [a, b]: [Polyhedron; 2] = [(); 2].map(|()| round_body(&mut random, vertices));
    let poses = poses3(&a, &b, Course { turn, gap: GAP }, steps);
    let rest = Pose::identity();
    let (mut kept, mut simplex) = (FeatureCache3::default(), gjk::Simplex::default());

    mean(
        &poses,
        [
            &mut |pose| features3::closest(&a, &rest, &b, pose, &mut kept).tests,
            &mut |pose| {
                features3::closest(&a, &rest, &b, pose, &mut FeatureCache3::default()).tests
            },
            &mut |pose| gjk::distance(&a, &rest, &b, pose, &mut simplex).iterations,
        ],
    )
}

fn in_space(pose: &Pose<2>) -> Pose<3> {
    let (r, p) = (pose.rotation(), pose.position());
    let rotation = Matrix::<3>::new(r.m11, r.m12, 0.0, r.m21, r.m22, 0.0, 0.0, 0.0, 1.0);
    Pose::new(rotation, [p.x, p.y, 0.0]).expect("a rotation")
}

/// Writes the table and figures of a cost against one parameter, and returns the tests of each method.
fn record(
    folder: &Path,
    name: &str,
    title: &str,
    variable: &str,
    costs: &[(f64, Cost)],
) -> Result<[Vec<(f64, f64)>; 3]> {
    let mut table = Table::new(&[variable, "method", "tests", "nanoseconds"]);
    for (x, cost) in costs {
        for (k, method) in METHODS.iter().enumerate() {
            table.row(&[
                x,
                &method.replace(':', ""),
                &cost.tests[k],
                &cost.nanoseconds[k],
            ]);
        }
    }

    table.save(&folder.join(format!("{name}.csv")))?;
    let tests = [0, 1, 2].map(|k| {
        costs
            .iter()
            .map(|(x, cost)| (*x, cost.tests[k]))
            .collect::<Vec<_>>()
    });
    let times = [0, 1, 2].map(|k| {
        costs
            .iter()
            .map(|(x, cost)| (*x, cost.nanoseconds[k]))
            .collect()
    });

    let curves = |points: [Vec<(f64, f64)>; 3]| {
        points
            .into_iter()
            .zip(METHODS)
            .map(|(points, label)| Curve {
                label: label.into(),
                points,
            })
            .collect::<Vec<_>>()
    };

    log_log(
        &folder.join(format!("{name}.svg")),
        title,
        variable,
        "in a step",
        &curves(tests.clone()),
    )?;
    log_log(
        &folder.join(format!("{name}_time.svg")),
        title,
        variable,
        "ns for a step",
        &curves(times),
    )?;

    Ok(tests)
}

fn against_corners(
    folder: &Path,
    bodies: &str,
    counts: &[usize],
    cost: impl Fn(usize) -> Cost,
    findings: &mut Findings,
) -> Result<()> {
    let costs: Vec<(f64, Cost)> = counts
        .iter()
        .map(|&count| (count as f64, cost(count)))
        .collect();
    let title = format!("Two {bodies} that turn by {TURN} in a step");
    let [kept, cold, _] = record(
        folder,
        &format!("features_{bodies}_corners"),
        &title,
        "corners",
        &costs,
    )?;
    let most = kept.iter().map(|(_, tests)| *tests).fold(0.0, f64::max);
    let range = format!("{} to {} corners", counts[0], counts[counts.len() - 1]);

    findings.claim(
        Claim::held(
            "advantages",
            format!(
                "the closest features of {bodies} cost O(const), here less than 1.5 tests in a step"
            ),
        ),
        most < 1.5,
        format!("{range}: at most {most:.2} tests in a step of {TURN} radians"),
    );
    let exponent = growth_exponent(&kept);
    findings.check(
        exponent.abs() < 0.05,
        format!("{bodies}: the tests of kept features grow as corners^{exponent:.3}"),
    );
    let last = costs[costs.len() - 1].1;

    findings.check(
        cold.iter().zip(&kept).all(|(cold, kept)| cold.1 >= kept.1),
        format!(
            "{bodies}: a cold start never tests less; at the most corners kept features take {:.0} ns, a cold start {:.0}, GJK {:.0}",
            last.nanoseconds[0], last.nanoseconds[1], last.nanoseconds[2]
        ),
    );

    Ok(())
}

fn against_turn(
    folder: &Path,
    bodies: &str,
    cost: impl Fn(f64) -> Cost,
    findings: &mut Findings,
) -> Result<()> {
    let turns = [1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0];
    let costs: Vec<(f64, Cost)> = turns.iter().map(|&turn| (turn, cost(turn))).collect();
    let title = format!("Two {bodies} against the rotation in a step");
    let [kept, cold, _] = record(
        folder,
        &format!("features_{bodies}_turn"),
        &title,
        "radians in a step",
        &costs,
    )?;

    let extra: Vec<(f64, f64)> = kept[3..6]
        .iter()
        .map(|&(turn, tests)| (turn, tests - 1.0))
        .collect();
    let exponent = growth_exponent(&extra);
    findings.check(
        (exponent - 1.0).abs() < 0.3,
        format!(
            "{bodies}: tests beyond the first grow as rotation^{exponent:.2} (law: in proportion)"
        ),
    );

    let better = kept
        .iter()
        .zip(&cold)
        .take_while(|(kept, cold)| kept.1 < cold.1)
        .last();
    let up_to = better.map_or(0.0, |(kept, _)| kept.0);
    findings.check(
        up_to >= 0.03,
        format!(
            "{bodies}: kept features test less than a cold start up to {up_to} radians in a step"
        ),
    );

    Ok(())
}

/// Depth of the overlapping bodies, which have a radius of one.
const DEPTH: f64 = 0.05;

/// Does O(const) hold for overlapping bodies as well? Their depth is found on the Minkowski difference,
/// by a polytope that is kept.
fn overlapping(
    folder: &Path,
    flat: &[usize],
    solid: &[usize],
    steps: usize,
    findings: &mut Findings,
) -> Result<()> {
    let course = Course {
        turn: TURN,
        gap: -DEPTH,
    };
    let mean = |tests: u64| tests as f64 / (steps - 1) as f64;
    let mut curves = ["polygons", "polyhedra"].map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for &corners in flat {
        let mut random = Random::new(corners as u64);
        let [a, b] = [(); 2].map(|()| round_polygon(&mut random, corners));
        let mut kept = FeatureCache2::default();
        let poses = poses2(&a, &b, course, steps);
        let mut tests = |pose| features2::closest(&a, &Pose::identity(), &b, pose, &mut kept).tests;
        tests(&poses[0]);
        let sum = poses[1..].iter().map(|pose| u64::from(tests(pose))).sum();
        curves[0].points.push((corners as f64, mean(sum)));
    }
    for &vertices in solid {
        let mut random = Random::new(vertices as u64);
        let [a, b] = [(); 2].map(|()| round_body(&mut random, vertices));
        let mut kept = FeatureCache3::default();
        let poses = poses3(&a, &b, course, steps);
        let mut tests = |pose| features3::closest(&a, &Pose::identity(), &b, pose, &mut kept).tests;
        tests(&poses[0]);
        let sum = poses[1..].iter().map(|pose| u64::from(tests(pose))).sum();
        curves[1].points.push((vertices as f64, mean(sum)));
    }

    let title = format!("Two bodies that overlap by {DEPTH} and turn by {TURN} in a step");
    log_log(
        &folder.join("overlapping.svg"),
        &title,
        "corners",
        "tests in a step",
        &curves,
    )?;
    let expectations: [fn(&'static str, String) -> Claim; 2] = [
        |place, text| Claim::refuted(place, text),
        |place, text| Claim::held(place, text),
    ];
    for (curve, expected) in curves.iter().zip(expectations) {
        let exponent = growth_exponent(&curve.points);
        let means: Vec<String> = curve.points.iter().map(|p| format!("{:.1}", p.1)).collect();
        findings.claim(
            expected(
                "advantages",
                format!("O(const) also for overlapping {}", curve.label),
            ),
            exponent < 0.1,
            format!("tests grow as corners^{exponent:.2}: {}", means.join(", ")),
        );
    }
    Ok(())
}

/// Rotates a polygon so far in one step that the walk has to go around it: each pair of features tested
/// is a frame.
fn walk_on_film(folder: &Path, findings: &mut Findings) -> Result<()> {
    let mut random = Random::new(12);
    let [a, b]: [Polygon; 2] = [(); 2].map(|()| round_polygon(&mut random, 14));
    let (rest, before) = (Pose::identity(), Pose::from_angle(0.3, [2.6, 0.2])?);
    let after = Pose::from_angle(1.9, Point::from([0.6, 2.4]))?;
    let mut kept = FeatureCache2::default();
    features2::closest(&a, &rest, &b, &before, &mut kept);
    let mut pairs = Vec::new();
    let found = features2::closest_traced(&a, &rest, &b, &after, &mut kept, |first, second| {
        pairs.push((first, second))
    });

    let bodies = film::Bodies {
        polygons: [&a, &b],
        poses: [rest, after],
    };
    std::fs::write(
        folder.join("walk.svg"),
        film::strip(&bodies, &pairs, &found.contact),
    )?;

    findings.check(
        pairs.len() == found.tests as usize && pairs.len() > 4,
        format!(
            "the walk of walk.svg takes {} tests and ends at {:?} and {:?}",
            pairs.len(),
            found.contact.feature_a,
            found.contact.feature_b
        ),
    );

    Ok(())
}
