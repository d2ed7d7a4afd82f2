//! Solid fraction of beds that settle: random close packing without friction, random loose packing
//! with much of it.

use super::grains::{add, add_plane, hertz, lattice, particles, setup, slice, step};
use crate::plot::{Curve, log_log};
use crate::study::{Findings, Table, folder};
use anyhow::Result;
use impinge_sim::law::Material;
use impinge_sim::{Matter, Setup};

const RADIUS: f64 = 5e-3;

/// Lets spheres fall in a box that is periodic to the sides; returns the solid fraction of its middle.
fn fraction(friction: f64, count: usize, time: f64) -> Result<f64> {
    let material = Material {
        young: 5e6,
        poisson: 0.3,
        restitution: 0.2,
        friction,
        density: 2500.0,
        ..Material::default()
    };
    let side = 2.0 * RADIUS * (count as f64 / 2.5).cbrt().round();
    let period = Some([-0.5 * side, 0.5 * side]);
    let mut all = particles(Setup {
        period: [period, period, None],
        ..setup(hertz(), material)
    })?;
    // Sizes of ±10 %: equal ones would crystallise on the floor.
    let radii = [0.9 * RADIUS, 1.1 * RADIUS];
    add(&mut all, &lattice(count, radii, [side; 2], |_, _| true, 5))?;
    add_plane(&mut all, [0.0; 3], [0.0, 0.0, 1.0], 0)?;

    let dt = all.stable_step();
    for _ in 0..(time / dt) as usize {
        step(&mut all, dt)?;
    }

    let top = all
        .grains()
        .map(|(_, grain)| grain.position[2])
        .fold(0.0, f64::max);
    let (low, up) = (0.25 * top, 0.75 * top);
    let solid: f64 = all.grains().map(|(_, grain)| slice(&grain, low, up)).sum();
    Ok(solid / (side * side * (up - low)))
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-packing")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["friction", "solid_fraction"]);
    let (count, time) = if quick { (600, 0.8) } else { (6000, 2.5) };
    let frictions: &[f64] = if quick {
        &[0.0, 1.0]
    } else {
        &[0.0, 0.05, 0.1, 0.2, 0.5, 1.0]
    };
    let mut points = Vec::new();
    for &friction in frictions {
        let found = fraction(friction, count, time)?;
        table.row(&[&friction, &found]);
        points.push((friction + 0.01, found));
    }

    let (close, loose) = (points[0].1, points[points.len() - 1].1);
    let allowed = if quick { 0.02 } else { 0.012 };
    findings.check(
        (close - 0.64).abs() < allowed,
        format!("without friction the bed is random close packed, 0.64 ({close:.4})"),
    );
    findings.check(
        (loose - 0.58).abs() < allowed,
        format!("with a friction of 1 it is loose, 0.58 ({loose:.4})"),
    );
    findings.check(
        points.windows(2).all(|two| two[1].1 < two[0].1 + 2e-3),
        "more friction never packs closer",
    );
    table.save(&folder.join("packing.csv"))?;
    log_log(
        &folder.join("packing.svg"),
        "Solid fraction of settled beds",
        "friction + 0.01",
        "solid fraction",
        &[Curve {
            label: "impinge".to_owned(),
            points,
        }],
    )?;
    Ok(findings)
}
