//! A spinning ring: angular momentum to rounding, and the hoop stress ρω²R².

use super::meshes::{block, joined};
use super::{KINDS, advance, steps_until, weightless};
use crate::plot::{self, Curve};
use crate::study::{Findings, Table};
use anyhow::Result;
use impinge::shape::ElementKind;
use impinge::space::{Point, Vector};
use impinge_sim::Matter;
use impinge_sim::solid::{ElasticMaterial, ElasticModel, ElasticSolid, SelfContact, SolidMesh};
use std::f64::consts::TAU;
use std::path::Path;

const RADIUS: f64 = 0.1;
const THICKNESS: f64 = 0.01;
/// Hoop strain.
const STRAIN: f64 = 0.01;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let turns = if quick { 0.1 } else { 1.0 };
    let mut table = Table::new(&["cells", "turn", "angular_momentum_error", "hoop_stress"]);
    let mut curves = Vec::new();
    for kind in KINDS {
        let Ring {
            samples,
            energy_error,
        } = spin(kind, turns)?;
        for &[turn, momentum, stress] in &samples {
            table.row(&[&kind.name(), &turn, &momentum, &stress]);
        }

        let count = samples.len() as f64;
        let stress = samples.iter().map(|s| s[2]).sum::<f64>() / count;
        let worst = samples.iter().map(|s| s[1]).fold(0.0, f64::max);
        findings.check(
            worst < 1e-11 && energy_error < 1e-3,
            format!(
                "a ring of {} keeps its angular momentum over {turns} turn(s) to {worst:.0e}, its \
                 energy to {energy_error:.0e}",
                kind.name()
            ),
        );
        findings.check(
            (stress - 1.0).abs() < 0.03,
            format!(
                "its hoop stress is ρω²R² within 3 %: {:.2} % off",
                100.0 * (stress - 1.0).abs()
            ),
        );
        curves.push(Curve {
            label: kind.name().to_owned(),
            points: samples.iter().map(|s| (s[0], s[2])).collect(),
        });
    }

    table.save(&folder.join("ring.csv"))?;
    plot::linear(
        &folder.join("ring.svg"),
        "Hoop stress of a spinning ring",
        "turns",
        "hoop stress / ρω²R²",
        &curves,
    )
}

fn ring(kind: ElementKind) -> Result<SolidMesh> {
    let bent = block(kind, [32, 1, 1], |p| {
        let (sin, cos) = (-TAU * p.x).sin_cos();
        let radius = RADIUS + (p.y - 0.5) * THICKNESS;
        Vector::<3>::new(radius * cos, radius * sin, p.z * THICKNESS)
    })?;
    joined(vec![bent], 1e-9)
}

struct Ring {
    /// Turns, error of the angular momentum, hoop stress over ρω²R².
    samples: Vec<[f64; 3]>,
    energy_error: f64,
}

fn spin(kind: ElementKind, turns: f64) -> Result<Ring> {
    let material = ElasticMaterial {
        young: 1e7,
        density: 1000.0,
        poisson: 0.3,
        law: ElasticModel::SmallStrain,
        ..ElasticMaterial::default()
    };
    let rate = (STRAIN * material.young / material.density).sqrt() / RADIUS;
    let mut solids = weightless()?;
    let mesh = ring(kind)?;
    solids.add(mesh.clone(), &material, SelfContact::Ignored)?;

    // Close to the stretched ring in equilibrium.
    let thinner = 1.0 - material.poisson * STRAIN;
    let stretched = |p: &Point<3>| {
        let radius = p.xy().coords.norm();
        let larger = (RADIUS * (1.0 + STRAIN) + (radius - RADIUS) * thinner) / radius;
        Point::from([p.x * larger, p.y * larger, p.z * thinner])
    };
    let points: Vec<Point<3>> = mesh.points().iter().map(stretched).collect();
    let spinning = |p: &Point<3>| Vector::<3>::new(-p.y, p.x, 0.0) * rate;
    solids.set_velocities(0, &points.iter().map(spinning).collect::<Vec<_>>())?;
    solids.set_points(0, &points)?;

    let start = angular_momentum(solids.solid(0));
    let energy = solids.energy().total();
    let (steps, dt) = steps_until(turns * TAU / rate, solids.stable_step());
    let (mut samples, mut stresses) = (Vec::new(), Vec::new());
    let parts = 40;
    for part in 1..=parts {
        advance(&mut solids, dt, steps / parts + 1, |_| Ok(()))?;
        let solid = solids.solid(0);
        solid.stresses(&mut stresses);
        let mean = stresses.iter().map(|s| s.von_mises).sum::<f64>() / stresses.len() as f64;
        let error = (angular_momentum(solid) - start).norm() / start.norm();
        let turn = turns * part as f64 / parts as f64;
        let expected = material.density * (rate * RADIUS * (1.0 + STRAIN)).powi(2);
        samples.push([turn, error, mean / expected]);
    }

    Ok(Ring {
        samples,
        energy_error: (solids.energy().total() / energy - 1.0).abs(),
    })
}

pub(super) fn angular_momentum(solid: &ElasticSolid) -> Vector<3> {
    let nodes = solid
        .masses()
        .iter()
        .zip(solid.points())
        .zip(solid.velocities());
    nodes.map(|((m, x), v)| x.coords.cross(v) * *m).sum()
}
