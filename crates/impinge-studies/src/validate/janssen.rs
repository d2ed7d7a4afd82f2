//! The load on the floor of a tube: Janssen's law.
//!
//! With the friction of the wall mobilised, by a floor that is lowered slowly, the floor carries
//! M∞ (1 − exp(−M/M∞)) of the filling M. M∞ follows from one filling and predicts the others.

use super::grains::{
    add, add_mesh, add_plane, advance, hertz, lattice, particles, setup, step, tube,
};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Findings, Table, folder};
use anyhow::Result;
use impinge::space::{Pose, Vector};
use impinge_sim::Matter;
use impinge_sim::law::Material;
use std::f64::consts::PI;

const RADIUS: f64 = 2.5e-3;

/// Fills a tube ten spheres wide and lowers its floor; returns the mass and what the floor carries.
fn carried(count: usize, settle: f64) -> Result<[f64; 2]> {
    let material = Material {
        young: 5e6,
        poisson: 0.3,
        restitution: 0.3,
        friction: 0.5,
        density: 2500.0,
        ..Material::default()
    };
    let wide = 10.0 * RADIUS;
    let inside = 0.93 * wide - RADIUS;
    let holds = |x: f64, y: f64| x * x + y * y < inside * inside;
    let grains = lattice(
        count,
        [0.9 * RADIUS, 1.1 * RADIUS],
        [2.0 * wide; 2],
        holds,
        8,
    );
    let height = grains
        .iter()
        .map(|grain| grain.position[2])
        .fold(0.0, f64::max);
    let mut all = particles(setup(hertz(), material))?;
    add(&mut all, &grains)?;
    let (points, triangles) = tube(wide, -0.5 * wide, height + wide);
    add_mesh(&mut all, &points, &triangles)?;
    let floor = add_plane(&mut all, [0.0; 3], [0.0, 0.0, 1.0], 0)?;

    let dt = all.stable_step();
    advance(&mut all, dt, settle)?;
    // Lowered by one diameter.
    let (speed, distance) = (0.02, 2.0 * RADIUS);
    let steps = (distance / speed / dt) as usize;
    let (mut sum, mut samples) = (0.0, 0);
    for n in 0..steps {
        let z = -speed * dt * (n + 1) as f64;
        let down = Vector::from([0.0, 0.0, -speed]);
        all.obstacles_mut()[floor].move_to(Pose::at([0.0, 0.0, z]), down, Vector::zeros());
        step(&mut all, dt)?;
        if n > steps / 2 {
            sum -= all.obstacles()[floor].reaction().force.z / 9.81;
            samples += 1;
        }
    }

    let mass = (0..all.len()).map(|place| all.mass_at(place)).sum();
    Ok([mass, sum / f64::from(samples.max(1))])
}

/// Returns M∞ such that a floor carries `load` of a filling `mass`, by bisection.
fn limit(mass: f64, load: f64) -> f64 {
    let (mut low, mut up) = (1e-3 * load, 1e3 * mass);
    for _ in 0..200 {
        let middle = 0.5 * (low + up);
        if middle * (1.0 - (-mass / middle).exp()) < load {
            low = middle;
        } else {
            up = middle;
        }
    }
    0.5 * (low + up)
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-janssen")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["mass", "carried", "janssen"]);
    let counts: &[usize] = if quick {
        &[500, 1500]
    } else {
        &[600, 1200, 2400, 4000]
    };
    let settle = if quick { 0.5 } else { 0.9 };
    let seen: Vec<[f64; 2]> = counts
        .iter()
        .map(|&count| carried(count, settle))
        .collect::<Result<_>>()?;

    let [mass, load] = seen[seen.len() - 1];
    let saturated = limit(mass, load);
    let law = |mass: f64| saturated * (1.0 - (-mass / saturated).exp());
    let mut worst: f64 = 0.0;
    for [mass, load] in &seen {
        table.row(&[mass, load, &law(*mass)]);
        worst = worst.max((load / law(*mass) - 1.0).abs());
    }

    // M∞ = ρ_b π R³ / (2 K μ); the ratio of stresses K lies between Rankine's active and passive.
    let bulk = 0.58 * 2500.0;
    let ratio = bulk * PI * (10.0 * RADIUS).powi(3) / (2.0 * saturated * 0.5);
    findings.check(
        load < 0.8 * mass,
        format!(
            "the floor carries {:.2} of the highest filling: the wall takes the rest",
            load / mass
        ),
    );
    findings.check(
        worst < 0.12,
        format!(
            "every filling follows Janssen's law within 12 % ({:.1} %)",
            100.0 * worst
        ),
    );
    findings.check(
        (0.3..1.2).contains(&ratio),
        format!("the ratio of horizontal to vertical stress is {ratio:.2} (0.3 to 1.2)"),
    );
    table.save(&folder.join("janssen.csv"))?;
    let points = |of: &dyn Fn(&[f64; 2]) -> f64| seen.iter().map(|row| (row[0], of(row))).collect();
    log_log_beside(
        &folder.join("janssen.svg"),
        "Load on the floor of a tube",
        "filling / kg",
        "carried by the floor / kg",
        &[Curve {
            label: "Janssen".to_owned(),
            points: points(&|row| law(row[0])),
        }],
        &[Curve {
            label: "impinge".to_owned(),
            points: points(&|row| row[1]),
        }],
    )?;
    Ok(findings)
}
