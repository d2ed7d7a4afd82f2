//! Towers and leaning stacks of rigid blocks: they stand and fall where statics says.
//!
//! A stack whose blocks each overhang the one below stands while every part above a block has its
//! centre of mass above that block. With blocks of length L, the largest overhangs from the top are
//! L/2, L/4, L/6 and so on. A block on an incline slides from an angle of arctan μ on.

use crate::plot::{Curve, log_log};
use crate::study::{Findings, Table, folder};
use anyhow::{Result, anyhow};
use impinge::shape::Polyhedron;
use impinge::space::Point;
use impinge_sim::law::Material;
use impinge_sim::world::{BodyDef, BodyShape, WallDef, World, WorldOptions};

const LENGTH: f64 = 0.2;
const HEIGHT: f64 = 0.05;
const WIDTH: f64 = 0.1;

/// Stiff enough that a stack at 93 % of its overhangs does not tilt by its own compression: at 1e7 three blocks fall over.
const YOUNG: f64 = 1e9;

fn block() -> Result<BodyShape> {
    let half = [0.5 * LENGTH, 0.5 * WIDTH, 0.5 * HEIGHT];
    let corner = |n: usize| {
        let side = |k: usize| if n >> k & 1 == 1 { half[k] } else { -half[k] };
        Point::from([side(0), side(1), side(2)])
    };
    let corners: Vec<Point<3>> = (0..8).map(corner).collect();
    let shape = Polyhedron::hull(&corners).map_err(|fault| anyhow!("{fault}"))?;
    Ok(BodyShape::Polyhedron(shape))
}

fn world(gravity: [f64; 3], friction: f64) -> Result<World> {
    let material = Material {
        young: YOUNG,
        poisson: 0.3,
        restitution: 0.1,
        friction,
        density: 2000.0,
        ..Material::default()
    };
    let mut world = World::new(WorldOptions {
        gravity,
        materials: vec![material],
        ..WorldOptions::default()
    })?;
    world.add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))?;
    Ok(world)
}

fn advance(world: &mut World, time: f64) -> Result<()> {
    let dt = 0.9 * world.stable_step();
    for _ in 0..(time / dt) as usize {
        world.step(dt).map_err(|fault| anyhow!("{fault}"))?;
    }
    Ok(())
}

/// Returns how far the top of a leaning stack has sunk after a time, in block heights. Overhangs are a
/// share of the largest.
fn leaning(blocks: usize, share: f64, time: f64) -> Result<f64> {
    let mut world = world([0.0, 0.0, -9.81], 0.6)?;
    let mut x = 0.0;
    for n in 0..blocks {
        let body = BodyDef {
            position: [x, 0.0, (n as f64 + 0.5) * HEIGHT],
            ..BodyDef::new(block()?)
        };
        world.add_body(body)?;
        // The one above overhangs by L/2k, with k blocks above this one.
        x += share * LENGTH / (2.0 * (blocks - 1 - n).max(1) as f64);
    }

    let top = blocks - 1;
    let before = world.body_centre(top).z;
    advance(&mut world, time)?;
    Ok((before - world.body_centre(top).z) / HEIGHT)
}

/// Returns how far a block slides on an incline in a time, and how far theory says.
fn sliding(degrees: f64, friction: f64, time: f64) -> Result<[f64; 2]> {
    let angle = degrees.to_radians();
    let gravity = [9.81 * angle.sin(), 0.0, -9.81 * angle.cos()];
    let mut world = world(gravity, friction)?;
    let body = BodyDef {
        position: [0.0, 0.0, 0.5 * HEIGHT],
        ..BodyDef::new(block()?)
    };
    world.add_body(body)?;
    advance(&mut world, time)?;
    let pull = (angle.sin() - friction * angle.cos()).max(0.0) * 9.81;
    Ok([world.body_centre(0).x, 0.5 * pull * time * time])
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-tower")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["case", "parameter", "measured", "theory"]);
    let time = if quick { 0.4 } else { 1.5 };
    let counts: &[usize] = if quick { &[2, 3] } else { &[2, 3, 4, 6] };
    let (mut stands, mut falls) = (0.0_f64, f64::INFINITY);
    for &blocks in counts {
        for (share, is_stable) in [(0.93, true), (1.07, false)] {
            let sunk = leaning(blocks, share, time)?;
            table.row(&[&format!("{blocks} blocks"), &share, &sunk, &is_stable]);
            match is_stable {
                true => stands = stands.max(sunk),
                false => falls = falls.min(sunk),
            }
        }
    }
    findings.check(
        stands < 0.02,
        format!("stacks with 93 % of the largest overhangs stand ({stands:.4} block heights)"),
    );
    findings.check(
        falls > 0.05,
        format!("stacks with 107 % of them fall ({falls:.3} block heights)"),
    );

    let straight = leaning(if quick { 5 } else { 10 }, 0.0, time)?;
    table.row(&[&"straight tower", &0.0, &straight, &0.0]);
    findings.check(
        straight.abs() < 0.02,
        format!("a straight tower stands ({straight:.4} block heights)"),
    );

    let mut points = Vec::new();
    let (mut worst, mut crept) = (0.0_f64, 0.0_f64);
    for degrees in [15.0, 20.0, 21.0, 23.0, 26.0, 32.0] {
        // arctan 0.4 = 21.8°.
        let [seen, wanted] = sliding(degrees, 0.4, time)?;
        table.row(&[&"incline", &degrees, &seen, &wanted]);
        match wanted > 0.0 {
            true => worst = worst.max((seen / wanted - 1.0).abs()),
            false => crept = crept.max(seen / LENGTH),
        }
        points.push((degrees, seen.max(1e-6)));
    }
    findings.check(
        crept < 0.01 && worst < 0.05,
        format!("a block rests below arctan μ ({crept:.4} lengths) and slides as theory says above it ({worst:.3})"),
    );
    table.save(&folder.join("tower.csv"))?;
    log_log(
        &folder.join("tower.svg"),
        "A block on an incline, μ = 0.4",
        "angle / degrees",
        "distance / m",
        &[Curve {
            label: "impinge".to_owned(),
            points,
        }],
    )?;
    Ok(findings)
}
