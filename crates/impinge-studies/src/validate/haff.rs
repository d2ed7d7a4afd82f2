//! Cooling of a granular gas: Haff's law with Enskog's collision rate.
//!
//! T(t) = T₀ / (1 + t/τ)² with 1/τ = (1 − e²) ω₀ / 6, where ω₀ = 4 n d² χ √(π T₀) is the collision rate
//! of a sphere, n the number density and χ = (1 − φ/2)/(1 − φ)³ the contact value of the pair
//! correlation at the solid fraction φ (Carnahan and Starling 1969). T is a third of ⟨v²⟩.

use super::grains::{add, particles, step};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Findings, Table, folder};
use anyhow::Result;
use impinge::space::Random;
use impinge_sim::law::{Law, Material, Normal, Rolling, Stiffness};
use impinge_sim::{Grain, Particles, Setup};
use std::f64::consts::PI;

const RADIUS: f64 = 5e-3;

fn normal(random: &mut Random) -> f64 {
    let [u, v] = [1.0 - random.unit(), random.unit()];
    (-2.0 * u.ln()).sqrt() * (2.0 * PI * v).cos()
}

/// Spheres on a lattice in a periodic cube, with velocities of T = 1 and no mean motion.
fn gas(count: usize, fraction: f64, restitution: f64) -> Result<Particles> {
    let side = (count as f64 * 4.0 / 3.0 * PI * RADIUS.powi(3) / fraction).cbrt();
    let columns = (count as f64).cbrt().ceil() as usize;
    let mut random = Random::new(9);
    let mut grains: Vec<Grain> = (0..count)
        .map(|n| Grain {
            position: [n % columns, n / columns % columns, n / (columns * columns)]
                .map(|k| (k as f64 + 0.5) * side / columns as f64),
            velocity: std::array::from_fn(|_| normal(&mut random)),
            radius: RADIUS,
            ..Grain::default()
        })
        .collect();
    for k in 0..3 {
        let mean = grains.iter().map(|g| g.velocity[k]).sum::<f64>() / count as f64;
        grains.iter_mut().for_each(|g| g.velocity[k] -= mean);
    }
    let squares = |grains: &[Grain]| {
        let all = grains.iter().flat_map(|g| g.velocity);
        all.map(|v| v * v).sum::<f64>() / (3.0 * count as f64)
    };
    let scale = squares(&grains).sqrt();
    grains
        .iter_mut()
        .for_each(|g| g.velocity = g.velocity.map(|v| v / scale));

    let mut all = particles(Setup {
        law: Law {
            normal: Normal::Linear {
                // A collision at v = 1 lasts a thousandth of the time between two.
                stiffness: Stiffness::Given(2e5),
                tangential: 0.0,
                tangential_damping: 0.0,
            },
            rolling: Rolling::None,
        },
        materials: vec![Material {
            restitution,
            friction: 0.0,
            density: 2500.0,
            ..Material::default()
        }],
        gravity: [0.0; 3],
        period: [Some([0.0, side]); 3],
        ..Setup::default()
    })?;
    add(&mut all, &grains)?;
    Ok(all)
}

fn temperature(all: &Particles) -> f64 {
    all.velocities().map(|v| v.norm_squared()).sum::<f64>() / (3.0 * all.len() as f64)
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-haff")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&[
        "solid_fraction",
        "restitution",
        "time/tau",
        "measured",
        "haff",
    ]);
    let (count, units) = if quick { (800, 1.0) } else { (8000, 3.0) };
    let cases: &[(f64, f64)] = if quick {
        &[(0.05, 0.9)]
    } else {
        &[(0.02, 0.9), (0.05, 0.9), (0.1, 0.95)]
    };
    let (mut seen, mut law) = (Vec::new(), Vec::new());

    for &(fraction, restitution) in cases {
        let mut all = gas(count, fraction, restitution)?;
        let density = fraction / (4.0 / 3.0 * PI * RADIUS.powi(3));
        let correlation = (1.0 - 0.5 * fraction) / (1.0 - fraction).powi(3);
        let rate = 4.0 * density * (2.0 * RADIUS).powi(2) * correlation * PI.sqrt();
        let tau = 6.0 / ((1.0 - restitution * restitution) * rate);
        // A fortieth of a collision, which a spring of m*/k lasts π √(m*/k).
        let mass = 2500.0 * 4.0 / 3.0 * PI * RADIUS.powi(3);
        let dt = PI * (0.5 * mass / 2e5).sqrt() / 40.0;

        // The first collisions are not those of a gas: the lattice melts within a few of them, so τ is
        // fitted between two later times.
        let start = 0.3 * tau;
        let mut time = 0.0;
        let mut first = None;
        let mut last = (0.0, 1.0);
        for n in 0..(units * tau / dt) as usize {
            step(&mut all, dt)?;
            time += dt;
            if n % 500 == 0 {
                let t = temperature(&all);
                last = (time, t);
                if time > start && first.is_none() {
                    first = Some(last);
                }
            }
            if n % ((units * tau / dt) as usize / 12) == 0 && n > 0 {
                let (now, wanted) = (temperature(&all), (1.0 + time / tau).powi(-2));
                table.row(&[&fraction, &restitution, &(time / tau), &now, &wanted]);
                seen.push((time / tau, now));
                law.push((time / tau, wanted));
            }
        }

        // 1/√T grows by 1/τ in a unit of time.
        let (from, hot) = first.unwrap_or((0.0, 1.0));
        let slope = (last.1.powf(-0.5) - hot.powf(-0.5)) / (last.0 - from);
        let ratio = slope * tau;
        let allowed = if quick { 0.08 } else { 0.03 };
        findings.check(
            (ratio - 1.0).abs() < allowed,
            format!(
                "at a solid fraction of {fraction} and restitution {restitution}, the gas cools at {ratio:.3} of Enskog's \
                 rate (within {allowed})"
            ),
        );
    }

    table.save(&folder.join("haff.csv"))?;
    log_log_beside(
        &folder.join("haff.svg"),
        "Cooling of a granular gas",
        "time / τ",
        "temperature / initial temperature",
        &[Curve {
            label: "Haff, Enskog".to_owned(),
            points: law,
        }],
        &[Curve {
            label: "impinge".to_owned(),
            points: seen,
        }],
    )?;
    Ok(findings)
}
