//! Section 5.1: the time of impact of two thrown spheres. The study compares the prediction of the
//! hierarchies' roots with the impact of ever finer meshes, and counts the steps in which the engine
//! worked; the volumes of Figure 6.

use super::picture::{self, Scene};
use crate::study::{Findings, Table, growth_exponent, timed};
use anyhow::{Context, Result};
use impinge::bound::Ball;
use impinge::detect::forecast::{Forecast, ForecastEventKind, ForecastId, Prepared, Settings};
use impinge::predict::{MovingBall, first_touch};
use impinge::shape::{Surface, generate};
use impinge::space::{Aabb, Motion, Pose, Vector};
use impinge::tree::BallTree;
use std::path::Path;

/// Distance between the spheres' centres at time zero, m.
const APART: f64 = 1500.0;

/// Their speed along the line between them, m/s.
const SPEED: f64 = 50.0;

/// Time step of the paper's integration, s.
const STEP: f64 = 0.05;

/// Time of impact of exact spheres of radius one: gravity acts on both, so they approach at 2·50 m/s.
const EXACT: f64 = (APART - 2.0) / (2.0 * SPEED);

/// The first prediction in the paper, and the radius of the root spheres that it implies.
const PAPER: [f64; 2] = [14.9503, (APART - 2.0 * SPEED * 14.9503) / 2.0];

/// Returns the motions of the two spheres; the first is rotated by `turn`, the second in the opposite
/// direction.
pub(crate) fn motions(turn: [f64; 4]) -> Result<[Motion<3>; 2]> {
    let thrown = |x: f64, side: f64, turn: [f64; 4]| -> Result<Motion<3>> {
        Ok(Motion::at_rest(Pose::from_quaternion(turn, [x, 0.0, 0.0])?)
            .with_velocity([side * SPEED, 0.0, 3f64.sqrt() * SPEED])
            .with_acceleration([0.0, 0.0, -9.81]))
    };
    let [x, y, z, w] = turn;

    Ok([thrown(0.0, 1.0, turn)?, thrown(APART, -1.0, [y, z, -x, w])?])
}

/// A rotation after which no vertex, edge or face of a mesh points straight ahead.
pub(crate) const ASKEW: [f64; 4] = [0.24, 0.36, 0.48, 0.76315135];

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    predictions(findings)?;
    refined(folder, quick, findings)?;
    figure(folder)
}

/// Compares the predictions of bounding spheres of different tightness.
fn predictions(findings: &mut Findings) -> Result<()> {
    let body = generate::icosphere(3)?;
    let leaves: Vec<Ball<3>> = (0..body.triangles().len())
        .map(|t| Ball::smallest(&body.corners(t)))
        .collect();
    println!("\nSection 5.1: predictions of the first touch of the hierarchies' roots");
    let roots = [
        ("the paper's (14.9503 s)", PAPER[1]),
        (
            "balls of balls",
            BallTree::bottom_up(&leaves).bounds().radius,
        ),
        (
            "fitted to the corners",
            Prepared::new(&body).bounds().radius,
        ),
    ];
    let mut times = Vec::new();

    for (name, radius) in roots {
        let [a, b] = motions([0.0, 0.0, 0.0, 1.0])?.map(|motion| {
            MovingBall::at_rest(Ball::new(motion.pose.position(), radius))
                .with_velocity(motion.velocity)
                .with_acceleration(motion.acceleration)
        });
        let time = first_touch(&a, &b, f64::INFINITY).context("they meet")?;
        println!("  root sphere {name:<26} radius {radius:>9.6} m, t1* = {time:.6} s");
        times.push(time);
    }

    findings.check(
        (times[0] - PAPER[0]).abs() < 1e-6,
        "eq. (12) gives the paper's t1* for its root spheres",
    );
    findings.check(
        times[1] < times[2] && EXACT - times[2] < 1e-6,
        format!(
            "tighter roots sleep longer: until {:.6} s, where the contact is",
            times[2]
        ),
    );

    Ok(())
}

fn refined(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    println!(
        "\n  faces each   contact s     late by   at most   idle steps   build ms     run ms   tests of eq. (19)"
    );
    let header = [
        "faces",
        "contact_s",
        "late_s",
        "bound_s",
        "idle_share",
        "build_ms",
        "run_ms",
    ];
    let mut table = Table::new(&header);
    let (mut errors, mut bounded, mut least_idle) = (Vec::new(), true, 1.0f64);

    for level in 1..=if quick { 3 } else { 6 } {
        let body = generate::icosphere(level)?;
        let (shape, build) = timed(|| Prepared::new(&body));
        let start = std::time::Instant::now();
        let mut forecast = Forecast::new(Settings {
            tolerance: 1e-10,
            ..Settings::default()
        });

        for motion in motions(ASKEW)? {
            forecast.add(shape.clone(), motion)?;
        }

        let (mut events, mut steps, mut idle) = (Vec::new(), 0, 0);
        let contact = loop {
            steps += 1;
            idle += usize::from(
                forecast
                    .advance(STEP * f64::from(steps), &mut events)?
                    .worked
                    == 0,
            );
            if let Some(contact) = events
                .iter()
                .find(|event| event.kind == ForecastEventKind::Contact)
            {
                break contact.time;
            }
            anyhow::ensure!(f64::from(steps) * STEP < 20.0, "the spheres never meet");
        };
        let queue = start.elapsed().as_secs_f64();
        let (late, bound) = (contact - EXACT, 2.0 * sagitta(&body) / (2.0 * SPEED));
        let share = idle as f64 / f64::from(steps);
        let counts = forecast.counters().terms().map(|(_, term)| term.count);
        let faces = body.triangles().len();

        println!(
            "  {faces:>10} {contact:>11.7} {late:>11.2e} {bound:>9.2e} {:>10.2} % {:>9.2} {:>10.3}   {counts:?}",
            100.0 * share,
            1e3 * build,
            1e3 * queue
        );
        table.row(&[
            &faces,
            &contact,
            &late,
            &bound,
            &share,
            &(1e3 * build),
            &(1e3 * queue),
        ]);
        bounded &= late > -1e-9 && late <= bound;
        least_idle = least_idle.min(share);

        errors.push((faces as f64, late));
    }

    table.save(&folder.join("impact.csv"))?;
    let exponent = growth_exponent(&errors);
    findings.check(
        bounded,
        "every mesh touches after the exact spheres, and by no more than it is inside of them",
    );
    findings.check(
        (-1.6..-0.5).contains(&exponent),
        format!("refined meshes converge to {EXACT} s as faces^{exponent:.2}"),
    );

    findings.check(
        least_idle > 0.98,
        format!("idle in {:.1} % of the steps at least", 100.0 * least_idle),
    );
    Ok(())
}

/// Returns the largest distance between a mesh inscribed in the unit sphere and that sphere.
fn sagitta(body: &Surface) -> f64 {
    let depth = |face: usize| {
        let [a, b, c] = body.corners(face);
        let normal: Vector<3> = (b - a).cross(&(c - a)).normalize();
        1.0 - normal.dot(&a.coords)
    };
    (0..body.triangles().len()).map(depth).fold(0.0, f64::max)
}

/// Draws the bounding volumes with the highest priority: when the roots touch, on approach, and at
/// contact.
fn figure(folder: &Path) -> Result<()> {
    let body = generate::icosphere(2)?;
    let mut forecast = Forecast::new(Settings::default());
    for motion in motions(ASKEW)? {
        forecast.add(&body, motion)?;
    }

    let strip = picture::strip(&forecast, 3, |forecast, balls| {
        let points = [
            forecast.points(ForecastId(0))?,
            forecast.points(ForecastId(1))?,
        ];
        let window = Aabb::of(points.iter().flatten().copied()).grown(0.05);
        Ok(Scene {
            look: Vector::from([0.25, 1.0, -0.3]),
            window,
            bodies: points
                .map(|points| (points, body.triangles().to_vec()))
                .into(),
            balls: balls.to_vec(),
        })
    })?;
    std::fs::write(folder.join("figure6.png"), strip)?;

    Ok(())
}
