//! Discharge of a flat-bottomed silo: Beverloo's law W = C ρ √g (D − k d)^(5/2).

use super::grains::{
    add, add_mesh, add_plane, advance, hertz, lattice, particles, ring, setup, step, tube,
};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Findings, Table, folder, growth_exponent};
use anyhow::Result;
use impinge_sim::law::Material;
use impinge_sim::{Matter, Region};

const RADIUS: f64 = 2.5e-3;
const DENSITY: f64 = 2500.0;

/// Fills a silo, opens an outlet of this diameter and returns the mass flow.
fn discharge(outlet: f64, wide: f64, count: usize) -> Result<f64> {
    let material = Material {
        young: 2e6,
        poisson: 0.3,
        restitution: 0.5,
        friction: 0.5,
        density: DENSITY,
        ..Material::default()
    };
    let inside = 0.94 * wide - RADIUS;
    let holds = |x: f64, y: f64| x * x + y * y < inside * inside;
    let grains = lattice(
        count,
        [0.9 * RADIUS, 1.1 * RADIUS],
        [2.0 * wide; 2],
        holds,
        4,
    );
    let height = grains
        .iter()
        .map(|grain| grain.position[2])
        .fold(0.0, f64::max);
    let mut all = particles(setup(hertz(), material))?;
    add(&mut all, &grains)?;
    let (points, triangles) = tube(wide, -0.1 * wide, height + wide);
    add_mesh(&mut all, &points, &triangles)?;
    let (points, triangles) = ring(0.5 * outlet, 1.05 * wide, 0.0);
    add_mesh(&mut all, &points, &triangles)?;
    // A lid just below the outlet, taken away once the bed has settled.
    let lid = add_plane(&mut all, [0.0; 3], [0.0, 0.0, 1.0], 0)?;
    all.add_outlet(Region::Box {
        min: [-wide, -wide, -20.0 * wide],
        max: [wide, wide, -4.0 * RADIUS],
    })
    .map_err(|fault| anyhow::anyhow!("{fault}"))?;

    let dt = all.stable_step();
    advance(&mut all, dt, 0.4)?;
    let away = impinge::space::Pose::at([0.0, 0.0, -1e3]);
    let rest = impinge::space::Vector::zeros();
    all.obstacles_mut()[lid].move_to(away, rest, rest);

    // From 15 % to 50 % of the filling: steady, and far from empty.
    let mass: f64 = (0..all.len()).map(|place| all.mass_at(place)).sum();
    let (mut time, mut first) = (0.0, None);
    loop {
        step(&mut all, dt)?;
        time += dt;
        let gone = all.drained_mass();
        if gone > 0.15 * mass && first.is_none() {
            first = Some((time, gone));
        }
        if gone > 0.5 * mass || time > 20.0 {
            let (from, less) = first.unwrap_or((0.0, 0.0));
            return Ok((gone - less) / (time - from));
        }
    }
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-beverloo")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["outlet/d", "flow", "beverloo"]);
    let d = 2.0 * RADIUS;
    let (wide, count) = if quick {
        (7.0 * d, 2200)
    } else {
        (13.0 * d, 9000)
    };
    let outlets: &[f64] = match quick {
        true => &[5.0, 6.25, 7.5],
        false => &[5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
    };
    let flows: Vec<f64> = outlets
        .iter()
        .map(|outlet| discharge(outlet * d, wide, count))
        .collect::<Result<_>>()?;

    // W^(2/5) is linear in D: slope (C ρ √g)^(2/5), zero at k d.
    let n = outlets.len() as f64;
    let roots: Vec<f64> = flows.iter().map(|flow| flow.powf(0.4)).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
    let (mx, my) = (mean(outlets), mean(&roots));
    let slope = (0..outlets.len())
        .map(|i| (outlets[i] - mx) * (roots[i] - my))
        .sum::<f64>()
        / outlets.iter().map(|x| (x - mx).powi(2)).sum::<f64>();
    let k = mx - my / slope;
    let bulk = 0.58 * DENSITY;
    let c = (slope / d).powf(2.5) / (bulk * 9.81_f64.sqrt());
    let law = |outlet: f64| c * bulk * 9.81_f64.sqrt() * ((outlet - k) * d).powf(2.5);
    let points: Vec<(f64, f64)> = (0..outlets.len())
        .map(|i| (outlets[i] - k, flows[i]))
        .collect();
    let exponent = growth_exponent(&points);
    for (outlet, flow) in outlets.iter().zip(&flows) {
        table.row(&[outlet, flow, &law(*outlet)]);
    }

    let worst = (0..outlets.len())
        .map(|i| (flows[i] / law(outlets[i]) - 1.0).abs())
        .fold(0.0, f64::max);
    let (allowed, near) = if quick { (0.25, 0.15) } else { (0.05, 0.05) };
    findings.check(
        (exponent - 2.5).abs() < allowed,
        format!("the flow grows as D − k d to the power of {exponent:.3} (2.5 ± {allowed}), k {k:.2}, C {c:.3}"),
    );
    findings.check(
        worst < near,
        format!(
            "each of {} outlets is within {near} of Beverloo's law ({worst:.3})",
            outlets.len()
        ),
    );
    findings.check(
        (0.4..0.75).contains(&c) && (0.5..3.0).contains(&k),
        format!("C and k are those of experiments, 0.55 to 0.65 and 1 to 2 ({c:.3}, {k:.2})"),
    );
    table.save(&folder.join("beverloo.csv"))?;
    log_log_beside(
        &folder.join("beverloo.svg"),
        "Discharge of a silo",
        "D/d − k",
        "flow / kg/s",
        &[Curve {
            label: "Beverloo".to_owned(),
            points: outlets
                .iter()
                .map(|outlet| (outlet - k, law(*outlet)))
                .collect(),
        }],
        &[Curve {
            label: "impinge".to_owned(),
            points,
        }],
    )?;
    Ok(findings)
}
