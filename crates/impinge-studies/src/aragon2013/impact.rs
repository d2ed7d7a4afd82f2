//! Section 5.1: the time of impact of two thrown spheres. The study compares the prediction of the
//! hierarchies' roots with the impact of ever finer meshes, counts the steps in which the engine
//! worked, and repeats the paper's run: finite-element nodes in explicit steps that are reduced when
//! the touch is near; the volumes of Figure 6.

use super::picture::{self, Scene};
use crate::study::{Findings, Table, growth_exponent, timed};
use anyhow::{Context, Result};
use impinge::bound::Ball;
use impinge::detect::forecast::{Forecast, ForecastEventKind, ForecastId, Prepared, Settings};
use impinge::predict::{MovingBall, first_touch};
use impinge::shape::{Surface, generate};
use impinge::space::{Aabb, Motion, Point, Pose, Vector};
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

/// The first prediction in the paper, s.
const PAPER: f64 = 14.9503;

/// Gravity, m/s².
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

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
    reduced_steps(quick, findings)?;
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

        // Both fall alike, so the gap closes at 2·50 m/s whatever gravity does.
        let closed_form = (APART - 2.0 * radius) / (2.0 * SPEED);
        findings.check(
            (time - closed_form).abs() < 1e-12 * closed_form,
            format!("eq. (12) for roots {name} is the closed form"),
        );
        times.push(time);
    }

    println!("  the paper's roots: t1* = {PAPER} s");
    findings.check(
        (times[0] - PAPER).abs() < 0.02,
        format!(
            "balls of balls wake at {:.4} s, near the paper's {PAPER} s",
            times[0]
        ),
    );
    findings.check(
        times[0] < times[1] && EXACT - times[1] < 1e-6,
        format!(
            "tighter roots sleep longer: until {:.6} s, where the contact is",
            times[1]
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

/// Nodes of a sphere in explicit steps, as a finite-element code has them.
struct Nodes {
    points: Vec<Point<3>>,
    velocities: Vec<Vector<3>>,
}

impl Nodes {
    fn step(&mut self, dt: f64) {
        let gravity = Vector::<3>::from(GRAVITY);
        for (point, velocity) in self.points.iter_mut().zip(&mut self.velocities) {
            *velocity += gravity * (0.5 * dt);
            *point += *velocity * dt;
            *velocity += gravity * (0.5 * dt);
        }
    }
}

/// Repeats the paper's run. Velocities and the acceleration come from the first two steps, as in its
/// section 4; the engine then sleeps, and a step ends where the queue wakes it.
fn reduced_steps(quick: bool, findings: &mut Findings) -> Result<()> {
    let body = generate::icosphere(if quick { 2 } else { 4 })?;
    let mut nodes: Vec<Nodes> = motions(ASKEW)?
        .iter()
        .map(|motion| Nodes {
            points: body.points().iter().map(|p| motion.pose.point(p)).collect(),
            velocities: vec![motion.velocity; body.points().len()],
        })
        .collect();
    let (mut places, mut time, mut steps) = (Vec::new(), 0.0, 0);
    for _ in 0..3 {
        places.push(nodes.iter().map(|n| n.points.clone()).collect::<Vec<_>>());
        nodes.iter_mut().for_each(|nodes| nodes.step(STEP));
        time += STEP;
        steps += 1;
    }

    // Second differences of three positions; the frame falls with them, so that nodes move straight.
    let second = |body: usize, node: usize| {
        let at = |k: usize| places[k][body][node].coords;
        (at(2) - 2.0 * at(1) + at(0)) / (STEP * STEP)
    };
    let acceleration = second(0, 0);
    let mut forecast = Forecast::new(Settings {
        tolerance: 1e-10,
        ..Settings::default()
    });
    for (number, nodes) in nodes.iter().enumerate() {
        let found = (0..nodes.points.len()).map(|node| {
            let way = places[2][number][node] - places[1][number][node];
            way / STEP + acceleration * (1.5 * STEP) - acceleration * time
        });
        let velocities: Vec<Vector<3>> = found.collect();
        let start = nodes.points.iter().zip(&velocities);
        let fall = acceleration * (0.5 * time * time);
        let start: Vec<Point<3>> = start.map(|(p, v)| p - fall - v * time).collect();
        forecast.add_deforming(&body, &start, &velocities)?;
    }

    let (mut events, mut woken) = (Vec::new(), 0);
    forecast.advance(time, &mut events)?;
    let contact = loop {
        let due = forecast.next_due().context("they meet")?;
        let next = (time + STEP).min(due.max(time + SHORTEST));
        steps += 1;
        woken += usize::from(forecast.advance(next, &mut events)?.worked > 0);
        if let Some(contact) = events.iter().find(|e| e.kind == ForecastEventKind::Contact) {
            // The last step is reduced to end at the contact.
            nodes
                .iter_mut()
                .for_each(|nodes| nodes.step(contact.time - time));
            break contact.time;
        }
        nodes.iter_mut().for_each(|nodes| nodes.step(next - time));
        time = next;
        anyhow::ensure!(steps < 100_000, "the spheres never meet");
    };

    let gap = {
        let front = |body: usize, side: f64| {
            let points = nodes[body].points.iter();
            points.map(|p| side * p.x).fold(f64::MIN, f64::max)
        };
        -front(1, -1.0) - front(0, 1.0)
    };
    println!(
        "\n  {} nodes each in explicit steps of {STEP} s, reduced near the touch: {steps} steps, the engine worked in \
         {woken}; contact at {contact:.6} s",
        body.points().len()
    );
    findings.check(
        (300..=400).contains(&steps),
        format!("the run takes {steps} steps; the paper's takes about 300"),
    );
    let late = 2.0 * sagitta(&body) / (2.0 * SPEED);
    findings.check(
        contact > EXACT - 1e-9 && contact <= EXACT + late,
        format!("it finds the contact at {contact:.6} s, by finite-element nodes"),
    );
    findings.check(
        gap.abs() < 2.0 * sagitta(&body) + 1e-6,
        format!("and the integrated nodes are {gap:.1e} m apart then"),
    );
    Ok(())
}

/// Shortest reduced step, s.
const SHORTEST: f64 = 1e-4;

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
