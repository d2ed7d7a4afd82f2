//! Section 5.2: a motorcycle-like body at 120 km/h against a wall 100 m ahead. The study records the
//! sequence of predicted times, the steps in which the engine worked, and their cost by eq. (19), for
//! rigid bodies and for deforming ones, whose hierarchies are updated whenever the engine works;
//! Figure 7.

use super::picture::{self, Scene};
use crate::study::{Claim, Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::detect::forecast::{Forecast, ForecastEventKind, ForecastId, Prepared, Settings};
use impinge::shape::{Surface, generate};
use impinge::space::{Aabb, Motion, Point, Pose, Vector};
use std::path::Path;

/// 120 km/h in m/s.
const SPEED: f64 = 120.0 / 3.6;

/// Distance from the foremost point to the wall, m; they meet at 3 s.
const AHEAD: f64 = 100.0;

/// Time step of the paper's integration, s.
const STEP: f64 = 0.05;

struct Crash {
    bodies: [Surface; 2],
    forecast: Forecast,
    /// Seconds to build the hierarchies.
    build: f64,
}

impl Crash {
    fn new() -> Result<Self> {
        let rider = generate::motorcycle();
        let wall = generate::block([2, 3, 6], [0.4, 4.0, 2.5])?;
        let at = rider.bounds().max.x + AHEAD;
        let (shapes, build) = timed(|| [&rider, &wall].map(Prepared::new));
        let mut forecast = Forecast::new(Settings::default());
        let [rider_shape, wall_shape] = shapes;
        forecast.add(
            rider_shape,
            Motion::at_rest(Pose::identity()).with_velocity([SPEED, 0.0, 0.0]),
        )?;
        forecast.add(wall_shape, Motion::at_rest(Pose::at([at, -2.0, 0.0])))?;

        Ok(Self {
            bodies: [rider, wall],
            forecast,
            build,
        })
    }
}

pub(super) fn run(folder: &Path, findings: &mut Findings) -> Result<()> {
    let mut crash = Crash::new()?;
    let [rider, wall] = &crash.bodies;
    println!(
        "\nSection 5.2: {} faces at 120 km/h against a wall of {} faces, {AHEAD} m ahead",
        rider.triangles().len(),
        wall.triangles().len()
    );
    sequence(folder, &mut crash.forecast.clone(), findings)?;
    steps(folder, &mut crash, findings)?;
    deforming(folder, &crash.bodies, findings)?;

    figure(folder, crash)
}

/// Records the predicted times, one after the other.
fn sequence(folder: &Path, forecast: &mut Forecast, findings: &mut Findings) -> Result<()> {
    let times = picture::moments(forecast)?;
    let mut table = Table::new(&["time_s"]);
    times.iter().for_each(|time| table.row(&[time]));
    table.save(&folder.join("crash_times.csv"))?;
    let shown: Vec<String> = (0..6)
        .map(|k| format!("{:.4}", times[k * (times.len() - 1) / 5]))
        .collect();
    println!(
        "  {} predicted times; some of them: {} s (the paper: 2.8, 2.88, 2.9, 2.95, 3)",
        times.len(),
        shown.join(", ")
    );
    let last = times.last().copied().context("they meet")?;

    findings.check(
        times.is_sorted() && (2.7..3.0).contains(&times[0]),
        "the roots touch some tenths before the bodies",
    );
    findings.check(
        (last - 3.0).abs() < 1e-8,
        format!("the contact is at {last:.9} s, not later"),
    );

    Ok(())
}

/// Runs in steps and records which of them needed work, and its cost.
fn steps(folder: &Path, crash: &mut Crash, findings: &mut Findings) -> Result<()> {
    let forecast = &mut crash.forecast;
    let planning: f64 = forecast
        .counters()
        .terms()
        .iter()
        .map(|(_, term)| term.seconds)
        .sum();
    let (mut events, mut worked, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    let mut table = Table::new(&["time_s", "entries", "seconds"]);

    for step in 1..=60 {
        let time = STEP * f64::from(step);
        let (done, spent) = timed(|| forecast.advance(time, &mut events));
        let done = done?;
        if done.worked > 0 {
            worked.push(time);
            seconds.push(spent);
            table.row(&[&time, &done.worked, &spent]);
        }
    }

    table.save(&folder.join("crash_steps.csv"))?;
    let all: f64 = planning + seconds.iter().sum::<f64>();
    println!(
        "  the engine worked in {} of 60 steps (the paper: 6), with the share of its time:",
        worked.len()
    );
    println!("    planned at 0 s: {:.1} %", 100.0 * planning / all);

    for (time, spent) in worked.iter().zip(&seconds) {
        println!("    {time:.2} s: {:.1} %", 100.0 * spent / all);
    }

    let terms = forecast.counters().terms();
    let sum: f64 = terms.iter().map(|(_, term)| term.seconds).sum();
    for (name, term) in terms {
        let each = if term.count > 0 {
            1e9 * term.seconds / term.count as f64
        } else {
            0.0
        };
        println!(
            "    {name:<14} N = {:>8}, C = {each:>6.0} ns, {:>5.1} % of T",
            term.count,
            100.0 * term.seconds / sum
        );
    }

    println!(
        "  hierarchies built in {:.1} ms, {:.1} % of all (the paper: 99 %)",
        1e3 * crash.build,
        100.0 * crash.build / (crash.build + all)
    );
    let contact = events
        .iter()
        .find(|event| event.kind == ForecastEventKind::Contact)
        .context("they meet")?;

    findings.check(
        contact.faces.is_some(),
        format!("the faces that meet are known: {:?}", contact.faces),
    );
    findings.check(
        worked.len() <= 6,
        format!("idle in {} of 60 steps", 60 - worked.len()),
    );

    Ok(())
}

/// Runs the example with bodies that deform: the motorcycle stretches by a hundredth in the three
/// seconds, and nodes are updated whenever the engine works, as in a finite-element code.
fn deforming(folder: &Path, [rider, wall]: &[Surface; 2], findings: &mut Findings) -> Result<()> {
    /// Stretching per second.
    const RATE: f64 = 0.01 / 3.0;
    let front = rider.bounds().max.x;
    let at = front + AHEAD;
    let at_time = |body: usize, time: f64| -> Vec<Point<3>> {
        let stretch = |p: &Point<3>| {
            let off = Vector::from([RATE * time * (p.x - front), 0.0, RATE * time * (p.z - 1.0)]);
            p + Vector::from([SPEED * time, 0.0, 0.0]) + off
        };
        match body {
            0 => rider.points().iter().map(stretch).collect(),
            _ => wall
                .points()
                .iter()
                .map(|p| p + Vector::from([at, -2.0, 0.0]))
                .collect(),
        }
    };
    // Any rounding counts as news, so that every working step updates both hierarchies.
    let mut forecast = Forecast::new(Settings {
        drift: 0.0,
        ..Settings::default()
    });
    let mut known = [at_time(0, 0.0), at_time(1, 0.0)];
    for (surface, points) in [rider, wall].into_iter().zip(&known) {
        forecast.add_deforming(surface, points, &vec![Vector::zeros(); points.len()])?;
    }

    let (mut events, mut worked) = (Vec::new(), Vec::new());
    let mut table = Table::new(&["time_s", "entries", "seconds", "update_s"]);
    let mut due = Some(0.0);
    for step in 1..=60 {
        let time = STEP * f64::from(step);
        // The first two steps give the velocities.
        if step > 2 && due.is_none_or(|due| due > time) {
            forecast.advance(time, &mut events)?;
            continue;
        }

        let before = forecast.counters().updates.seconds;
        let (done, spent) = timed(|| -> Result<usize> {
            let done = forecast.advance(time, &mut events)?;
            for body in 0..2 {
                let now = at_time(body, time);
                let ways = now.iter().zip(&known[body]);
                let passed = time - f64::from(step - 1) * STEP;
                let velocities: Vec<Vector<3>> = match worked.len() {
                    0 | 1 => ways.map(|(to, from)| (to - from) / passed).collect(),
                    _ => {
                        let soon = at_time(body, time + STEP);
                        let ways = soon.iter().zip(&now);
                        ways.map(|(to, from)| (to - from) / STEP).collect()
                    }
                };
                known[body] = now;
                forecast.set_nodes(ForecastId(body as u32), &known[body], &velocities)?;
            }
            Ok(done.worked)
        });
        let entries = done?;
        let update = forecast.counters().updates.seconds - before;
        worked.push((time, spent, update));
        table.row(&[&time, &entries, &spent, &update]);
        due = forecast.next_due();
    }
    table.save(&folder.join("crash_deforming.csv"))?;

    let all: f64 = worked.iter().map(|(_, spent, _)| spent).sum();
    let updates: f64 = worked.iter().map(|(_, _, update)| update).sum();
    println!(
        "  deforming bodies: the engine worked in {} of 60 steps; {} hierarchy updates, {:.1} % of its time",
        worked.len(),
        forecast.counters().updates.count,
        100.0 * updates / all
    );
    let shares: Vec<f64> = worked
        .iter()
        .map(|(_, spent, _)| 100.0 * spent / all)
        .collect();
    for ((time, _, update), share) in worked.iter().zip(&shares) {
        println!(
            "    {time:.2} s: {share:.1} %, of it updates {:.1} %",
            100.0 * update / all
        );
    }

    let contact = events.iter().find(|e| e.kind == ForecastEventKind::Contact);
    let contact = contact.context("they meet")?.time;
    findings.check(
        (contact - 3.0).abs() < 1e-6,
        format!("the deforming motorcycle touches at {contact:.7} s, when its front arrives"),
    );
    findings.check(
        worked.len() <= 8,
        format!(
            "idle in {} of 60 steps with deforming bodies too",
            60 - worked.len()
        ),
    );
    let [least, most] = shares
        .iter()
        .fold([f64::INFINITY, 0.0], |[low, up], &share| {
            [low.min(share), f64::max(up, share)]
        });
    findings.claim(
        Claim::refuted(
            "Section 5.2",
            "each step in which the engine works takes the same share of its time, 16 to 17 %, because nearly all of it \
             is for updates of the hierarchies",
        )
        .by_clock(),
        most < 1.5 * least,
        format!(
            "{least:.0} to {most:.0} %; updates take {:.0} % of the time",
            100.0 * updates / all
        ),
    );
    Ok(())
}

fn figure(folder: &Path, crash: Crash) -> Result<()> {
    let forecast = Crash::new()?.forecast;
    let triangles = crash.bodies.map(|body| body.triangles().to_vec());
    let strip = picture::strip(&forecast, 4, |forecast, balls| {
        let points = [
            forecast.points(ForecastId(0))?,
            forecast.points(ForecastId(1))?,
        ];
        let end = points[1].iter().map(|p| p.x).fold(0.0, f64::max);
        Ok(Scene {
            look: Vector::from([0.3, 1.0, -0.35]),
            window: Aabb::new([end - 5.2, -0.6, -0.1], [end, 0.6, 2.1]),
            bodies: points.into_iter().zip(triangles.clone()).collect(),
            balls: vec![balls[0]],
        })
    })?;
    std::fs::write(folder.join("figure7.png"), strip)?;

    Ok(())
}
