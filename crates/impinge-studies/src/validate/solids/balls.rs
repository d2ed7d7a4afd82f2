//! Two elastic balls collide head-on: momentum, energy, restitution, and the time in contact beside
//! Hertz's.

use super::meshes::graded_ball;
use super::{KINDS, advance, weightless};
use crate::plot::{self, Curve};
use crate::study::{Findings, Table};
use anyhow::Result;
use impinge::shape::ElementKind;
use impinge::space::Vector;
use impinge_sim::Matter;
use impinge_sim::solid::{ElasticMaterial, SelfContact, Solids};
use std::path::Path;

const RADIUS: f64 = 0.05;
/// Speed of each ball.
const SPEED: f64 = 0.5;
const GAP: f64 = 1e-4;

fn material() -> ElasticMaterial {
    ElasticMaterial {
        young: 1e7,
        density: 1000.0,
        poisson: 0.3,
        ..ElasticMaterial::default()
    }
}

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let kinds: &[ElementKind] = if quick { &[ElementKind::Tet10] } else { &KINDS };
    let mut table = Table::new(&["cells", "time", "kinetic", "elastic", "total"]);
    let mut curves = Vec::new();
    for &kind in kinds {
        let cells = if kind.order() == 2 { 3 } else { 6 };
        let impact = collide(kind, cells)?;
        for [time, kinetic, elastic, total] in &impact.history {
            table.row(&[&kind.name(), time, kinetic, elastic, total]);
        }

        let Impact {
            momentum_error,
            energy_error,
            restitution,
            contact_time,
            ..
        } = impact;
        findings.check(
            momentum_error < 1e-12 && energy_error < 0.01,
            format!(
                "two balls of {} keep their momentum to {momentum_error:.0e} and their energy to \
                 {:.2} %",
                kind.name(),
                100.0 * energy_error
            ),
        );
        findings.check(
            restitution > 0.9 && restitution < 1.0 && (contact_time - 1.0).abs() < 0.15,
            format!(
                "they part with {restitution:.3} of their speed, after {contact_time:.3} of Hertz's \
                 time in contact"
            ),
        );
        let start = impact.history[0][3];
        curves.push(Curve {
            label: format!("{}, kinetic", kind.name()),
            points: impact
                .history
                .iter()
                .map(|h| (h[0], h[1] / start))
                .collect(),
        });
        curves.push(Curve {
            label: format!("{}, total", kind.name()),
            points: impact
                .history
                .iter()
                .map(|h| (h[0], h[3] / start))
                .collect(),
        });
    }

    table.save(&folder.join("balls.csv"))?;
    plot::linear(
        &folder.join("balls.svg"),
        "Energy of two elastic balls that collide",
        "time (s)",
        "energy / energy at the start",
        &curves,
    )
}

struct Impact {
    /// Time, kinetic, elastic and total energy.
    history: Vec<[f64; 4]>,
    /// Relative to the momentum of one ball.
    momentum_error: f64,
    energy_error: f64,
    restitution: f64,
    /// Relative to Hertz's.
    contact_time: f64,
}

fn collide(kind: ElementKind, cells: usize) -> Result<Impact> {
    let mut solids = weightless()?;
    let centre = RADIUS + GAP / 2.0;
    for (number, side) in [(0, -1.0), (1, 1.0)] {
        let centre = Vector::<3>::new(side * centre, 0.0, 0.0);
        let mesh = graded_ball(kind, cells, RADIUS, centre, -side)?;
        solids.add(mesh, &material(), SelfContact::Ignored)?;
        solids.set_velocity(number, [-side * SPEED, 0.0, 0.0])?;
    }

    let mass = solids.solid(0).mass();
    let speed = |solids: &Solids| {
        let [a, b] = [0, 1].map(|n| solids.solid(n).momentum().x / mass);
        b - a
    };
    let (start, momentum) = (solids.energy(), solids.momentum());
    let dt = solids.stable_step();
    let expected = hertz_time(mass);
    let steps = ((1.6 * expected + GAP / (2.0 * SPEED)) / dt) as usize;
    let (mut history, mut touching) = (Vec::new(), 0);
    let mut contacts = Vec::new();
    for step in 0..steps {
        advance(&mut solids, dt, 1, |_| Ok(()))?;
        contacts.clear();
        solids.contacts(&mut contacts);
        touching += usize::from(contacts.iter().any(|c| c.force.norm() > 0.0));
        if step % (steps / 100).max(1) == 0 {
            let energy = solids.energy();
            history.push([
                solids.time(),
                energy.kinetic,
                energy.elastic,
                energy.total(),
            ]);
        }
    }

    Ok(Impact {
        momentum_error: (solids.momentum() - momentum).norm() / (mass * SPEED),
        energy_error: (solids.energy().total() / start.total() - 1.0).abs(),
        restitution: speed(&solids) / (2.0 * SPEED),
        contact_time: touching as f64 * dt / expected,
        history,
    })
}

/// Returns Hertz's time in contact, 2.868 (m²/(R E² v))^⅕ with the reduced mass, radius and modulus.
fn hertz_time(mass: f64) -> f64 {
    let ElasticMaterial { young, poisson, .. } = material();
    let modulus = young / (2.0 * (1.0 - poisson * poisson));
    let reduced = mass / 2.0;
    2.868 * (reduced.powi(2) / (RADIUS / 2.0 * modulus.powi(2) * 2.0 * SPEED)).powf(0.2)
}
