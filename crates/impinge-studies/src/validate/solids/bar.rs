//! A pulse along a slender bar: its speed is √(E/ρ), less what sideways inertia takes.
//!
//! The pulse is a right-going solution of the wave equation, with the sideways motion that
//! Poisson's ratio asks for. Its place is the centre of kinetic energy. Sideways inertia slows a
//! wave of wavenumber k to the group velocity √(E/ρ) (1 − 3/2 ν²r²k²), with the polar radius of
//! gyration r (Love); the mean of k² over the energy of the pulse is 3/(2 width²).

use super::{KINDS, advance, listed, steps_until, weightless};
use crate::plot::{self, Curve};
use crate::study::{Findings, Table};
use anyhow::Result;
use impinge::shape::{ElementKind, generate};
use impinge::space::{Point, Vector};
use impinge_sim::Matter;
use impinge_sim::solid::{ElasticMaterial, ElasticModel, SelfContact, SolidMesh, Solids};
use std::path::Path;

const THICKNESS: f64 = 0.01;
const LENGTH: f64 = 40.0 * THICKNESS;
/// Where the pulse starts, how far it goes, and its standard deviation: long beside the thickness,
/// so that sideways inertia slows it by 0.4 % only.
const START: f64 = 10.0 * THICKNESS;
const WAY: f64 = 20.0 * THICKNESS;
const WIDTH: f64 = 3.0 * THICKNESS;
const POISSON: f64 = 0.3;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let sizes: &[usize] = if quick { &[1, 2] } else { &[1, 2, 4] };
    let allowed = if quick { 0.025 } else { 0.01 };
    // r² of a square is its thickness squared over 6.
    let expected = 1.0 - 1.5 * (POISSON * THICKNESS).powi(2) / 6.0 * 1.5 / WIDTH.powi(2);
    let mut table = Table::new(&["cells", "through_thickness", "speed"]);
    let mut curves = Vec::new();
    for kind in KINDS {
        let mut points = Vec::new();
        for &cells in sizes {
            let speed = speed(kind, cells)?;
            table.row(&[&kind.name(), &cells, &speed]);
            points.push((
                THICKNESS / cells as f64,
                (speed / expected - 1.0).abs().max(1e-6),
            ));
        }

        let last = points[points.len() - 1].1;
        findings.check(
            last < allowed && last < points[0].1,
            format!(
                "a pulse in a bar of {} moves at {expected:.4} √(E/ρ) within {} %: off by {}",
                kind.name(),
                100.0 * allowed,
                listed(&points)
            ),
        );
        curves.push(Curve {
            label: kind.name().to_owned(),
            points,
        });
    }

    table.save(&folder.join("bar.csv"))?;
    plot::log_log(
        &folder.join("bar.svg"),
        "Speed of a pulse in a bar",
        "cell (m)",
        "relative error of the speed",
        &curves,
    )
}

/// Returns the speed of the pulse relative to √(E/ρ).
fn speed(kind: ElementKind, cells: usize) -> Result<f64> {
    let material = ElasticMaterial {
        young: 1e9,
        density: 1000.0,
        poisson: POISSON,
        law: ElasticModel::SmallStrain,
        ..ElasticMaterial::default()
    };
    let wave = (material.young / material.density).sqrt();
    let counts = [40 * cells, cells, cells];
    let mesh = generate::brick(counts, [LENGTH, THICKNESS, THICKNESS], kind)?;
    let mut solids = weightless()?;
    solids.add(
        SolidMesh::from_mesh(&mesh)?,
        &material,
        SelfContact::Ignored,
    )?;

    let (points, velocities): (Vec<Point<3>>, Vec<Vector<3>>) = mesh
        .points
        .iter()
        .map(|p| pulse(p, wave, material.poisson))
        .unzip();
    solids.set_points(0, &points)?;
    solids.set_velocities(0, &velocities)?;

    let before = place(&solids);
    let time = WAY / wave;
    let (steps, dt) = steps_until(time, solids.stable_step());
    advance(&mut solids, dt, steps, |_| Ok(()))?;
    Ok((place(&solids) - before) / time / wave)
}

/// Returns position and velocity of a point of the bar: u(x − ct), and −ν u' y across.
fn pulse(p: &Point<3>, wave: f64, poisson: f64) -> (Point<3>, Vector<3>) {
    let s = (p.x - START) / WIDTH;
    let u = 1e-4 * WIDTH * (-0.5 * s * s).exp();
    let (slope, bend) = (-s / WIDTH * u, (s * s - 1.0) / WIDTH.powi(2) * u);
    let [y, z] = [p.y, p.z].map(|x| x - 0.5 * THICKNESS);
    let across = |of: f64| Vector::<3>::new(0.0, -poisson * of * y, -poisson * of * z);

    let motion = Vector::<3>::new(u, 0.0, 0.0) + across(slope);
    let rate = Vector::<3>::new(slope, 0.0, 0.0) + across(bend);
    (p + motion, rate * -wave)
}

fn place(solids: &Solids) -> f64 {
    let solid = solids.solid(0);
    let nodes = solid.masses().iter().zip(solid.velocities());
    let (mut sum, mut total) = (0.0, 0.0);
    for ((mass, v), p) in nodes.zip(solid.points()) {
        sum += mass * v.norm_squared() * p.x;
        total += mass * v.norm_squared();
    }
    sum / total
}
