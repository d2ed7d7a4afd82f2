//! The contact patch test after Code_Aster V6.03.121: two blocks with cells that do not match,
//! pressed together. The stress should be uniform, 1e5 Pa; its spread in the cells at the interface
//! is what the contact adds.

use super::{KINDS, advance, steps_until, weightless};
use crate::plot::{self, Curve};
use crate::study::{Findings, Table};
use anyhow::Result;
use impinge::shape::{ElementKind, generate};
use impinge::space::Vector;
use impinge_sim::Matter;
use impinge_sim::solid::{ElasticMaterial, ElasticModel, SelfContact, SolidMesh, Solids};
use std::path::Path;

const PRESSURE: f64 = 1e5;
const YOUNG: f64 = 1e9;
const DENSITY: f64 = 1000.0;
/// Height of each block; they are as wide.
const SIZE: f64 = 1.0;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let finest = if quick { 1 } else { 2 };
    let mut table = Table::new(&["cells", "refinement", "mean", "least", "most", "deviation"]);
    let mut curves = Vec::new();
    for kind in KINDS {
        let mut points = Vec::new();
        for refinement in 1..=finest {
            let stresses = interface(&mut pressed(kind, refinement)?);
            let count = stresses.len() as f64;
            let mean = stresses.iter().sum::<f64>() / count;
            let (least, most) = stresses
                .iter()
                .fold((f64::INFINITY, 0.0f64), |(low, up), &s| {
                    (low.min(s), up.max(s))
                });
            let squares = stresses.iter().map(|s| (s - mean).powi(2)).sum::<f64>();
            let deviation = (squares / count).sqrt();
            table.row(&[&kind.name(), &refinement, &mean, &least, &most, &deviation]);
            points.push((1.0 / (4 * refinement) as f64, deviation / mean));

            if refinement == finest {
                findings.check(
                    (mean / PRESSURE - 1.0).abs() < 0.02 && deviation < 0.25 * mean,
                    format!(
                        "blocks of {} whose cells do not match press with 1e5 Pa: mean {mean:.4e}, \
                         in single cells from {least:.3e} to {most:.3e} Pa, standard deviation \
                         {:.1} %",
                        kind.name(),
                        100.0 * deviation / mean
                    ),
                );
            }
        }
        curves.push(Curve {
            label: kind.name().to_owned(),
            points,
        });
    }

    table.save(&folder.join("patch.csv"))?;
    plot::log_log(
        &folder.join("patch.svg"),
        "Contact patch test: deviation of the stress at the interface",
        "cell / block",
        "standard deviation / mean",
        &curves,
    )
}

/// Presses two blocks together and lets them come to rest.
fn pressed(kind: ElementKind, refinement: usize) -> Result<Solids> {
    let wave = (YOUNG / DENSITY).sqrt();
    let slowest = std::f64::consts::PI / 2.0 * wave / (2.0 * SIZE);
    let material = ElasticMaterial {
        young: YOUNG,
        density: DENSITY,
        poisson: 0.0,
        damping: 2.0 * slowest,
        law: ElasticModel::SmallStrain,
        ..ElasticMaterial::default()
    };
    let mut solids = weightless()?;
    for (number, across) in [(0, 4 * refinement), (1, 5 * refinement)] {
        let mut mesh = generate::brick([across, across, 3 * refinement], [SIZE; 3], kind)?;
        let lift = Vector::<3>::new(0.0, 0.0, number as f64 * SIZE);
        mesh.points.iter_mut().for_each(|p| *p += lift);
        solids.add(
            SolidMesh::from_mesh(&mesh)?,
            &material,
            SelfContact::Ignored,
        )?;
    }

    let at = |solids: &Solids, number: usize, z: f64| -> Vec<u32> {
        let nodes = (0..).zip(solids.solid(number).rest_points());
        let there = nodes.filter(|(_, p)| (p.z - z).abs() < 1e-9);
        there.map(|(node, _)| node).collect()
    };
    let (bottom, top) = (at(&solids, 0, 0.0), at(&solids, 1, 2.0 * SIZE));
    solids.hold(0, &bottom, impinge_sim::Path::default())?;

    let time = 10.0 * 2.0 * SIZE / wave;
    let way = PRESSURE / YOUNG * 2.0 * SIZE;
    let lowering = impinge_sim::Path {
        velocity: [0.0, 0.0, -way / time],
        spin: [0.0; 3],
        centre: Some([0.0; 3]),
        ..impinge_sim::Path::default()
    };
    solids.hold(1, &top, lowering)?;
    let (steps, dt) = steps_until(time, solids.stable_step());
    advance(&mut solids, dt, steps, |_| Ok(()))?;
    solids.hold(1, &top, impinge_sim::Path::default())?;
    advance(&mut solids, dt, 2 * steps, |_| Ok(()))?;

    Ok(solids)
}

/// Returns the pressures in the cells at the interface.
fn interface(solids: &mut Solids) -> Vec<f64> {
    let (mut found, mut stresses) = (Vec::new(), Vec::new());
    for solid in solids.solids() {
        solid.stresses(&mut stresses);
        let is_there = |nodes: &[u32]| {
            nodes
                .iter()
                .any(|&n| (solid.rest_points()[n as usize].z - SIZE).abs() < 1e-9)
        };
        let cells = solid.cells().zip(&stresses);
        let there = cells.filter(|((_, nodes), _)| is_there(nodes));
        found.extend(there.map(|(_, stress)| -stress.cauchy[2]));
    }
    found
}
