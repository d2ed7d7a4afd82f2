//! How rarely the engine works: 1,000 bodies of 1,000 faces on ballistic paths for 100 s. Also a fast
//! thin plate that fixed steps miss, and a V whose fast translation adds no candidate for self-contact.

use crate::study::{Findings, Table, timed};
use anyhow::{Context, Result};
use impinge::bound::Ball;
use impinge::broad::{Auto, BroadPhase, BroadScene};
use impinge::detect::forecast::{Forecast, ForecastEventKind, Prepared, Settings};
use impinge::narrow::meshes::{TriangleTree, touches};
use impinge::shape::generate;
use impinge::space::{Aabb, Motion, Point, Pose, Random, Vector};
use impinge::tree::{Builder, Bvh};
use std::path::Path;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    ballistic(quick, findings)?;
    swarm(quick, findings)?;
    thin(folder, findings)?;
    common_motion(quick, findings)
}

/// Rings of 1,000 faces, thrown from random positions in a cube and spinning.
fn ballistic(quick: bool, findings: &mut Findings) -> Result<()> {
    const STEP: f64 = 0.01;
    const STEPS: u32 = 10_000;
    let (count, side) = if quick { (100, 200.0) } else { (1000, 800.0) };
    let (shape, build) =
        timed(|| generate::torus(0.75, 0.25, [25, 20]).map(|ring| Prepared::new(&ring)));
    let shape = shape?;
    let mut random = Random::new(7);
    let mut forecast = Forecast::new(Settings {
        tolerance: 1e-7,
        ..Settings::default()
    });

    let (added, planning) = timed(|| -> Result<()> {
        for _ in 0..count {
            let place: [f64; 3] = [0; 3].map(|_| random.within(0.0, side));
            let velocity = random.direction::<3>() * random.within(0.0, 10.0);
            let motion = Motion::at_rest(Pose::at(place))
                .with_velocity(velocity)
                .with_acceleration([0.0, 0.0, -9.81])
                .with_spin(random.direction::<3>() * random.within(0.0, 2.0));
            forecast.add(shape.clone(), motion)?;
        }
        Ok(())
    });
    added?;
    let (mut events, mut first, mut before, mut all) = (Vec::new(), None, 0, 0);

    let (done, running) = timed(|| -> Result<()> {
        for step in 1..=STEPS {
            let worked = forecast
                .advance(STEP * f64::from(step), &mut events)?
                .worked
                > 0;
            first = first.or_else(|| {
                events
                    .iter()
                    .any(|e| e.kind == ForecastEventKind::Contact)
                    .then_some(step)
            });
            before += u32::from(worked && first.is_none());

            all += u32::from(worked);
        }
        Ok(())
    });
    done?;

    // A hundred bodies may never meet.
    let first = first.unwrap_or(STEPS);
    let contacts = events
        .iter()
        .filter(|e| e.kind == ForecastEventKind::Contact)
        .count();
    let share = 100.0 * f64::from(before) / f64::from(first);
    println!(
        "\n{count} bodies of {} faces for 100 s in steps of {STEP} s: {contacts} contacts, none before step {first}",
        shape.triangles().len()
    );

    println!(
        "  hierarchy {:.1} ms, planning of {} pairs {planning:.2} s, run {running:.3} s",
        1e3 * build,
        count * (count - 1) / 2
    );
    println!("  steps with any work: {before} before the first contact, {all} of {STEPS} in all");
    findings.check(
        share < 1.0,
        format!("{share:.2} % of the steps before the first contact had work"),
    );

    Ok(())
}

/// Many small bodies on ballistic paths: planning all pairs once, against a broad phase at every step.
fn swarm(quick: bool, findings: &mut Findings) -> Result<()> {
    const STEP: f64 = 0.01;
    const STEPS: u32 = 10_000;
    /// Steps of the broad phase that are timed.
    const ASKED: u32 = 50;
    let count = if quick { 1000 } else { 10_000 };
    let side = 100.0 * f64::from(count).cbrt();
    let shape = Prepared::new(&generate::icosphere(1)?);
    let mut random = Random::new(11);
    let motions: Vec<Motion<3>> = (0..count)
        .map(|_| {
            let place: [f64; 3] = [0; 3].map(|_| random.within(0.0, side));
            Motion::at_rest(Pose::at(place))
                .with_velocity(random.direction::<3>() * random.within(0.0, 10.0))
                .with_acceleration([0.0, 0.0, -9.81])
        })
        .collect();
    let mut forecast = Forecast::new(Settings {
        tolerance: 1e-7,
        ..Settings::default()
    });
    let (added, planning) = timed(|| -> Result<()> {
        for motion in &motions {
            forecast.add(shape.clone(), *motion)?;
        }
        Ok(())
    });
    added?;

    let mut events = Vec::new();
    let (done, running) = timed(|| -> Result<()> {
        (1..=STEPS).try_for_each(|step| {
            forecast.advance(STEP * f64::from(step), &mut events)?;
            Ok(())
        })
    });
    done?;

    let (mut broad, mut pairs) = (Auto::default(), Vec::new());
    let (asked, asking) = timed(|| -> Result<()> {
        for step in 1..=ASKED {
            let ball = |motion: &Motion<3>| Ball::new(motion.position(STEP * f64::from(step)), 1.0);
            let balls: Vec<Ball<3>> = motions.iter().map(ball).collect();
            broad.find_pairs(&BroadScene::of(&balls), &mut pairs)?;
        }
        Ok(())
    });
    asked?;
    let every_step = asking * f64::from(STEPS) / f64::from(ASKED);
    let contacts = events
        .iter()
        .filter(|e| e.kind == ForecastEventKind::Contact);
    println!(
        "\n{count} bodies for 100 s in steps of {STEP} s: {} contacts; planned in {planning:.3} s, followed in {running:.3} s; a \
         broad phase at every step takes {every_step:.2} s",
        contacts.count()
    );
    findings.timing(
        planning <= 1.0,
        format!("{count} bodies are planned in {planning:.2} s"),
    );
    findings.timing(
        every_step >= 50.0 * running,
        format!(
            "following them beats a broad phase at every step by {:.0} times",
            every_step / running
        ),
    );
    Ok(())
}

/// Two plates, a millimetre thick, that fly through each other at 900 m/s: they overlap for some
/// microseconds.
fn thin(folder: &Path, findings: &mut Findings) -> Result<()> {
    let plate = generate::block([4, 4, 1], [2.0, 2.0, 0.001])?;
    let motions = [
        Motion::at_rest(Pose::<3>::identity()),
        Motion::at_rest(Pose::at([0.3, 0.2, 123.456])).with_velocity([0.0, 0.0, -900.0]),
    ];
    let mut forecast = Forecast::new(Settings::default());

    for motion in motions {
        forecast.add(&plate, motion)?;
    }

    let mut events = Vec::new();
    let (_, seconds) = timed(|| forecast.advance(0.5, &mut events));
    let contact = events
        .iter()
        .find(|e| e.kind == ForecastEventKind::Contact)
        .context("the plates meet")?
        .time;
    println!(
        "\nA plate of 1 mm at 900 m/s through another: contact at {contact:.9} s, found in {:.3} ms",
        1e3 * seconds
    );
    let tree = TriangleTree::new(&plate);
    let mut table = Table::new(&["step_s", "steps", "found"]);
    let mut missed = 0;

    for step in [0.05, 0.01, 1e-3, 1e-4, 1e-5, 1e-6] {
        let steps = (0.2 / step) as usize;
        let sees = |k: &usize| {
            let [a, b] = motions.map(|motion| motion.pose_at(step * *k as f64));
            touches(&tree, &a, &tree, &b)
        };
        let found = (0..steps).find(sees);
        println!(
            "  steps of {step:e} s: {}",
            found.map_or("missed".to_owned(), |k| format!(
                "seen at {:.9} s",
                step * k as f64
            ))
        );
        table.row(&[&step, &steps, &found.is_some()]);

        missed += usize::from(found.is_none());
    }

    table.save(&folder.join("thin.csv"))?;
    let expected = (123.456 - 0.001) / 900.0;
    findings.check(
        (contact - expected).abs() < 1e-9 && contact <= expected,
        "the engine finds it, and is not late",
    );
    findings.check(missed >= 3, format!("{missed} of 6 fixed steps miss it"));

    Ok(())
}

/// Counts candidates for self-contact of a V with closing legs, at rest and translated by eighty times
/// its size in the step.
fn common_motion(quick: bool, findings: &mut Findings) -> Result<()> {
    let vee = generate::Vee::new(if quick { 1200 } else { 24_000 })?;
    let [start, end] = [vee.points(0.05)?, vee.points(-0.05)?];
    let solid = impinge::shape::Solid::new(&start, vee.tetrahedra())?;
    let shape = Prepared::of_triangles(&start, solid.boundary_triangles(), Builder::Auto)?;
    println!(
        "\nA V of {} faces whose legs close: pairs of faces without a common corner",
        shape.triangles().len()
    );
    let mut counts = Vec::new();

    for (name, wind) in [
        ("at rest", Vector::zeros()),
        ("translated", Vector::from([1024.0, -512.0, 256.0])),
    ] {
        let velocities: Vec<Vector<3>> =
            start.iter().zip(&end).map(|(a, b)| b - a + wind).collect();
        let mut forecast = Forecast::new(Settings::default());
        let body = forecast.add_deforming(shape.clone(), &start, &velocities)?;
        let mut pairs = Vec::new();
        let (found, seconds) = timed(|| forecast.self_candidates(body, 1.0, &mut pairs));
        found?;
        let swept = swept_pairs(&shape, &start, &velocities);
        println!(
            "  {name:<12}{:>10} by moving balls ({:.1} ms), {swept:>10} by swept boxes",
            pairs.len(),
            1e3 * seconds
        );
        counts.push((pairs.len(), swept));
    }

    findings.check(
        counts[0].0 == counts[1].0,
        "a common motion adds no candidate",
    );
    findings.check(
        counts[1].1 > 3 * counts[0].1,
        "under it swept boxes explode",
    );

    Ok(())
}

/// Counts pairs of faces without a common corner whose boxes swept over the step overlap.
fn swept_pairs(shape: &Prepared, points: &[Point<3>], velocities: &[Vector<3>]) -> usize {
    let faces = shape.triangles();
    let boxes: Vec<Aabb<3>> = faces
        .iter()
        .map(|t| {
            Aabb::of(t.iter().flat_map(|&n| {
                [
                    points[n as usize],
                    points[n as usize] + velocities[n as usize],
                ]
            }))
        })
        .collect();
    let mut count = 0;

    Bvh::new(&boxes).visit_self_pairs(Aabb::overlaps, |a, b| {
        let [one, two] = [a, b].map(|k| k as usize);
        let apart = !faces[one].iter().any(|n| faces[two].contains(n));
        count += usize::from(apart && boxes[one].overlaps(&boxes[two]));
    });

    count
}
