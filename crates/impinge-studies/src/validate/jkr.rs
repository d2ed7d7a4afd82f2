//! Cohesion: the largest pull of a contact, and a bed that clings.

use super::grains::{add, particles, step};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Findings, Table, folder};
use anyhow::Result;
use impinge_sim::law::{Law, Material, Normal, Rolling};
use impinge_sim::{Grain, Matter, Setup};
use std::f64::consts::PI;

/// Pulls a heavy sphere off a fixed one; returns the largest pull and the gap at which they part.
fn pull(normal: Normal, young: f64, cohesion: f64, radii: [f64; 2]) -> Result<[f64; 2]> {
    let light = Material {
        young,
        poisson: 0.3,
        restitution: 1.0,
        friction: 0.0,
        cohesion,
        ..Material::default()
    };
    // So heavy that its speed hardly changes.
    let heavy = Material {
        density: 1e12,
        ..light
    };
    let mut all = particles(Setup {
        law: Law {
            normal,
            rolling: Rolling::None,
        },
        materials: vec![light, heavy],
        gravity: [0.0; 3],
        ..Setup::default()
    })?;

    let (reach, smaller) = (radii[0] + radii[1], radii[0].min(radii[1]));
    let (speed, start) = (1e-3, 2e-3 * smaller);
    let fixed = Grain {
        radius: radii[0],
        is_fixed: true,
        ..Grain::default()
    };
    let pulled = Grain {
        position: [0.0, 0.0, reach - start],
        velocity: [0.0, 0.0, speed],
        radius: radii[1],
        species: 1,
        ..Grain::default()
    };
    add(&mut all, &[fixed, pulled])?;

    let dt = start / speed / 20_000.0;
    let mut largest: f64 = 0.0;
    loop {
        step(&mut all, dt)?;
        let place = all.ids().iter().position(|id| *id == 1).unwrap_or(0);
        largest = largest.max(-all.load_at(place)[0].z);
        let gap = all.grain_at(place).position[2] - reach;
        let parted = all.contact_count() == 0;
        if parted || gap > smaller {
            return Ok([largest, gap]);
        }
    }
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-jkr")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&[
        "law", "young", "cohesion", "r1", "r2", "pull", "theory", "gap",
    ]);
    let cases: &[(f64, f64, [f64; 2])] = match quick {
        true => &[(1e6, 0.05, [1e-3, 1e-3]), (1e7, 0.01, [2e-3, 5e-4])],
        false => &[
            (1e6, 0.05, [1e-3, 1e-3]),
            (1e7, 0.01, [2e-3, 5e-4]),
            (5e6, 0.2, [1e-3, 3e-3]),
            (1e9, 1.0, [1e-4, 1e-4]),
            (1e7, 0.5, [1e-2, 1e-3]),
        ],
    };

    let (mut seen, mut theory) = (Vec::new(), Vec::new());
    for (name, normal, factor) in [("JKR", Normal::Jkr, 1.5), ("DMT", Normal::Dmt, 2.0)] {
        let (mut worst, mut worst_gap) = (0.0_f64, 0.0_f64);
        for &(young, cohesion, radii) in cases {
            let reduced = radii[0] * radii[1] / (radii[0] + radii[1]);
            let wanted = factor * PI * cohesion * reduced;
            let [largest, gap] = pull(normal, young, cohesion, radii)?;
            table.row(&[
                &name, &young, &cohesion, &radii[0], &radii[1], &largest, &wanted, &gap,
            ]);
            worst = worst.max((largest / wanted - 1.0).abs());

            // The gap at which JKR's contact tears, (3/4) (2πw/E*)^⅔ (R*/4)^⅓; DMT's parts at none.
            let modulus = 0.5 * young / (1.0 - 0.3 * 0.3);
            let tear = 0.75 * (2.0 * PI * cohesion / modulus).powf(2.0 / 3.0);
            let tear = tear * (reduced / 4.0).cbrt();
            let expected = if factor < 2.0 { tear } else { 0.0 };
            worst_gap = worst_gap.max((gap - expected).abs() / tear);
            seen.push((cohesion * reduced, largest));
            theory.push((cohesion * reduced, wanted));
        }
        findings.check(
            worst < 0.01,
            format!(
                "{name}: the largest pull is {factor} π w R* within 1 % ({:.3} %)",
                100.0 * worst
            ),
        );
        findings.check(
            worst_gap < 0.02,
            format!(
                "{name}: contacts part at the gap of theory within 2 % of JKR's ({:.2} %)",
                100.0 * worst_gap
            ),
        );
    }
    energy(&mut findings, quick)?;

    table.save(&folder.join("jkr.csv"))?;
    log_log_beside(
        &folder.join("jkr.svg"),
        "Largest pull of a contact",
        "w R* / N",
        "pull / N",
        &[Curve {
            label: "theory".to_owned(),
            points: theory,
        }],
        &[Curve {
            label: "impinge".to_owned(),
            points: seen,
        }],
    )?;
    Ok(findings)
}

/// Head-on collisions: what the neck takes when it tears is booked, and slow spheres stick.
fn energy(findings: &mut Findings, quick: bool) -> Result<()> {
    let (radius, cohesion, young) = (1e-3, 0.05, 1e6);
    let material = Material {
        young,
        poisson: 0.3,
        restitution: 1.0,
        friction: 0.0,
        cohesion,
        ..Material::default()
    };
    let collide = |speed: f64, normal: Normal| -> Result<[f64; 4]> {
        let mut all = particles(Setup {
            law: Law {
                normal,
                rolling: Rolling::None,
            },
            materials: vec![material],
            gravity: [0.0; 3],
            ..Setup::default()
        })?;
        let ball = |x: f64, velocity: f64| Grain {
            position: [x, 0.0, 0.0],
            velocity: [velocity, 0.0, 0.0],
            radius,
            ..Grain::default()
        };
        add(
            &mut all,
            &[
                ball(-1.01 * radius, 0.5 * speed),
                ball(1.01 * radius, -0.5 * speed),
            ],
        )?;
        let dt = all.stable_step() / if quick { 20.0 } else { 100.0 };
        let before = all.energy().total();
        for _ in 0..(0.06 * radius / speed / dt) as usize + 200_000 {
            step(&mut all, dt)?;
        }
        let after = all.energy();
        let moved = (all.grain_at(0).velocity[0] - all.grain_at(1).velocity[0]).abs();
        Ok([
            (after.total() - before) / before,
            moved / speed,
            after.dissipated / before,
            all.contact_count() as f64,
        ])
    };

    let fast = collide(0.5, Normal::Jkr)?;
    let slow = collide(0.005, Normal::Jkr)?;
    let dmt = collide(0.5, Normal::Dmt)?;
    findings.check(
        fast[0].abs() < 1e-3 && dmt[0].abs() < 1e-3,
        format!(
            "an elastic collision closes its energy within 0.1 % (JKR {:.1e}, DMT {:.1e})",
            fast[0], dmt[0]
        ),
    );
    findings.check(
        fast[1] < 1.0 && (dmt[1] - 1.0).abs() < 1e-3 && fast[2] > 0.0,
        format!(
            "JKR's neck takes energy when it tears (restitution {:.4}), DMT's contact takes none ({:.4})",
            fast[1], dmt[1]
        ),
    );
    findings.check(
        slow[3] == 1.0 && slow[2].abs() < 0.02 && slow[0].abs() < 0.02,
        format!(
            "slow spheres stick and vibrate without loss ({:.1e} of the energy; the balance closes within {:.1e})",
            slow[2], slow[0]
        ),
    );
    Ok(())
}
