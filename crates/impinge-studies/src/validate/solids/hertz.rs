//! Hertz's contact after Code_Aster V6.04.104: two balls of 50 mm, E = 20,000 MPa, ν = 0.3, are
//! brought 4 mm closer by their centre planes. Hertz has p₀ = 2798.3 MPa and a = 10 mm.
//!
//! Both domes have fine cells around the pole; the second is turned, so that they do not match.

use super::meshes::{DomeCells, dome, joined};
use super::{advance, steps_until, weightless};
use crate::plot::{self, Curve};
use crate::study::{Findings, Table};
use anyhow::Result;
use impinge::shape::ElementKind;
use impinge::space::Vector;
use impinge_sim::Matter;
use impinge_sim::solid::{ElasticMaterial, ElasticModel, ElasticSolid, SelfContact, Solids};
use std::path::Path;

const RADIUS: f64 = 0.05;
/// Half of the approach: by how much each centre plane moves.
const HALF_APPROACH: f64 = 0.002;
const PRESSURE: f64 = 2798.3e6;
const CONTACT_RADIUS: f64 = 0.01;
const YOUNG: f64 = 2e10;
const DENSITY: f64 = 8000.0;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let cells = match quick {
        true => DomeCells {
            across: 8,
            outward: 3,
            high: 5,
        },
        false => DomeCells {
            across: 16,
            outward: 5,
            high: 8,
        },
    };
    let mut table = Table::new(&["cells", "radius_m", "pressure_Pa"]);
    let mut curves = vec![Curve {
        label: "Hertz".to_owned(),
        points: (0..=100).map(|i| hertz(f64::from(i) / 100.0)).collect(),
    }];
    let allowed = if quick { 0.15 } else { 0.05 };
    let kind = ElementKind::Hex8;
    let solids = pressed(kind, cells)?;
    let profile = profile(&solids);
    for (radius, pressure) in &profile {
        table.row(&[&kind.name(), radius, pressure]);
    }

    let size = 2.0 * 1.2 * CONTACT_RADIUS / cells.across as f64;
    let centre = centre_pressure(&profile, size);
    findings.check(
        (centre / PRESSURE - 1.0).abs() < allowed,
        format!(
            "two balls of {} brought 4 mm closer press with Hertz's 2798.3 MPa in the middle within \
             {} %: {:.1} MPa",
            kind.name(),
            100.0 * allowed,
            centre / 1e6
        ),
    );
    let reach = contact_radius(&solids);
    findings.check(
        (reach - CONTACT_RADIUS).abs() < 1.5 * size,
        format!(
            "they touch up to Hertz's 10 mm within one and a half cells of {:.2} mm: {:.2} mm",
            1e3 * size,
            1e3 * reach
        ),
    );

    curves.push(Curve {
        label: format!("{}, cells at the surface", kind.name()),
        points: profile,
    });
    table.save(&folder.join("hertz.csv"))?;
    plot::linear(
        &folder.join("hertz.svg"),
        "Contact pressure of two balls",
        "distance from the axis (m)",
        "pressure (Pa)",
        &curves,
    )
}

fn hertz(share: f64) -> (f64, f64) {
    (
        share * CONTACT_RADIUS,
        PRESSURE * (1.0 - share * share).sqrt(),
    )
}

fn pressed(kind: ElementKind, cells: DomeCells) -> Result<Solids> {
    let wave = (YOUNG / DENSITY).sqrt();
    let material = ElasticMaterial {
        young: YOUNG,
        density: DENSITY,
        poisson: 0.3,
        damping: wave / RADIUS,
        law: ElasticModel::SmallStrain,
        ..ElasticMaterial::default()
    };
    let mut solids = weightless()?;
    let sizes = [RADIUS, 0.8 * RADIUS, 1.2 * CONTACT_RADIUS];
    // 10 to 30 waves through the balls: slow beside them.
    let time = 30.0 * RADIUS / wave;

    for (number, side) in [(0, 1.0), (1, -1.0)] {
        let mut blocks = dome(kind, cells, sizes, 0.3 * number as f64)?;
        for point in blocks.iter_mut().flat_map(|block| &mut block.points) {
            // The second is turned over about the x-axis.
            (point.y, point.z) = (side * point.y, side * point.z);
        }
        solids.add(joined(blocks, 1e-9)?, &material, SelfContact::Ignored)?;
        let plane: Vec<u32> = (0..)
            .zip(solids.solid(number).rest_points())
            .filter(|(_, p)| (p.z - side * RADIUS).abs() < 1e-9)
            .map(|(node, _)| node)
            .collect();
        let approach = impinge_sim::Path {
            velocity: [0.0, 0.0, -side * HALF_APPROACH / time],
            spin: [0.0; 3],
            centre: Some([0.0; 3]),
            ..impinge_sim::Path::default()
        };
        solids.hold(number, &plane, approach)?;
    }

    let (steps, dt) = steps_until(time, solids.stable_step());
    advance(&mut solids, dt, steps, |_| Ok(()))?;
    for number in 0..2 {
        let side = [1.0, -1.0][number];
        let nodes = (0..).zip(solids.solid(number).rest_points());
        let plane: Vec<u32> = nodes
            .filter(|(_, p)| (p.z - side * RADIUS).abs() < 1e-9)
            .map(|(node, _)| node)
            .collect();
        solids.hold(number, &plane, impinge_sim::Path::default())?;
    }
    advance(&mut solids, dt, steps / 3, |_| Ok(()))?;
    Ok(solids)
}

/// Returns the distance from the axis and the pressure of the cells at the contact.
fn profile(solids: &Solids) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    for solid in solids.solids() {
        let mut stresses = Vec::new();
        solid.stresses(&mut stresses);
        let cells = solid.cells().zip(&stresses);
        found.extend(cells.filter_map(|((_, nodes), stress)| {
            let centre = centre_at_pole(solid, nodes)?;
            Some((centre.xy().norm(), -stress.cauchy[2]))
        }));
    }
    found.retain(|(radius, _)| *radius < 1.3 * CONTACT_RADIUS);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Returns the centre of a cell if it has a face on the curved surface around the pole.
fn centre_at_pole(solid: &ElasticSolid, nodes: &[u32]) -> Option<Vector<3>> {
    let is_outside = |&&n: &&u32| {
        let p = solid.rest_points()[n as usize];
        let centre = RADIUS * solid_side(solid);
        let out = (p.coords - Vector::<3>::new(0.0, 0.0, centre)).norm();
        out > RADIUS * (1.0 - 1e-9) && p.xy().coords.norm() < 2.0 * CONTACT_RADIUS
    };
    let points = || nodes.iter().map(|&n| solid.points()[n as usize].coords);
    (nodes.iter().filter(is_outside).count() >= 4)
        .then(|| points().sum::<Vector<3>>() / nodes.len() as f64)
}

/// Returns 1 for the upper dome, −1 for the lower one.
fn solid_side(solid: &ElasticSolid) -> f64 {
    solid
        .rest_points()
        .iter()
        .map(|p| p.z)
        .sum::<f64>()
        .signum()
}

/// Returns p₀ from the cells in the middle, with Hertz's profile.
fn centre_pressure(profile: &[(f64, f64)], size: f64) -> f64 {
    let scaled = profile.iter().filter(|(radius, _)| *radius < 1.5 * size);
    let scaled: Vec<f64> = scaled
        .map(|(radius, pressure)| pressure / (1.0 - (radius / CONTACT_RADIUS).powi(2)).sqrt())
        .collect();
    scaled.iter().sum::<f64>() / scaled.len() as f64
}

/// Returns the largest distance from the axis at which a force acts.
fn contact_radius(solids: &Solids) -> f64 {
    let mut contacts = Vec::new();
    solids.contacts(&mut contacts);
    let pressing = contacts.iter().filter(|c| c.force.norm() > 0.0);
    pressing
        .map(|c| c.point.xy().coords.norm())
        .fold(0.0, f64::max)
}
