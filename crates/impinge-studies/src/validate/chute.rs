//! Steady flow down a rough incline: Bagnold's profile.
//!
//! The floor is a layer of fixed spheres. In steady flow the shear rate grows as the square root of the
//! depth below the surface, which makes the velocity 1 − (1 − z/h)^(3/2) (Silbert et al. 2001).

use super::grains::{add, hertz, lattice, particles, setup, step};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Findings, Table, folder, growth_exponent};
use anyhow::Result;
use impinge::space::Random;
use impinge_sim::law::Material;
use impinge_sim::{Grain, Matter, Setup};

const RADIUS: f64 = 5e-3;

/// Returns mean velocities along the incline in layers one diameter thick, from the floor up, at the
/// end of the flow.
fn flow(degrees: f64, columns: usize, layers: usize, time: f64) -> Result<Vec<f64>> {
    let material = Material {
        young: 1e7,
        poisson: 0.3,
        restitution: 0.6,
        friction: 0.5,
        density: 2500.0,
        ..Material::default()
    };
    let angle = degrees.to_radians();
    let side = 2.1 * RADIUS * columns as f64;
    let period = Some([-0.5 * side, 0.5 * side]);
    let mut all = particles(Setup {
        gravity: [9.81 * angle.sin(), 0.0, -9.81 * angle.cos()],
        period: [period, period, None],
        ..setup(hertz(), material)
    })?;

    // A rough floor: spheres a diameter apart at random heights, fixed. Closer ones let the flow slip.
    let mut random = Random::new(2);
    let sites = columns;
    let fixed: Vec<Grain> = (0..sites * sites)
        .map(|n| Grain {
            position: [
                ((n % sites) as f64 + 0.5) * side / sites as f64 - 0.5 * side,
                ((n / sites) as f64 + 0.5) * side / sites as f64 - 0.5 * side,
                -RADIUS * random.within(0.5, 1.5),
            ],
            radius: RADIUS,
            is_fixed: true,
            ..Grain::default()
        })
        .collect();
    add(&mut all, &fixed)?;
    let radii = [0.9 * RADIUS, 1.1 * RADIUS];
    let count = columns * columns * layers;
    let mut grains = lattice(count, radii, [side; 2], |_, _| true, 6);
    grains
        .iter_mut()
        .for_each(|grain| grain.position[2] += 1.2 * RADIUS);
    add(&mut all, &grains)?;

    let dt = all.stable_step();
    let steps = (time / dt) as usize;
    let (mut speeds, mut counts) = (vec![0.0; 2 * layers], vec![0_usize; 2 * layers]);
    for n in 0..steps {
        step(&mut all, dt)?;
        if n > 7 * steps / 10 && n % 50 == 0 {
            for (_, grain) in all.grains().filter(|(_, grain)| !grain.is_fixed) {
                let layer = (grain.position[2] / (2.0 * RADIUS)).max(0.0) as usize;
                if layer < speeds.len() {
                    speeds[layer] += grain.velocity[0];
                    counts[layer] += 1;
                }
            }
        }
    }

    // Layers at the surface are half empty and saltate.
    let full = counts.iter().copied().max().unwrap_or(0) / 2;
    let bulk = counts.iter().take_while(|count| **count > full).count();
    Ok((0..bulk).map(|k| speeds[k] / counts[k] as f64).collect())
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-chute")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["angle", "layer", "velocity", "bagnold"]);
    let (columns, layers, time) = if quick { (6, 20, 8.0) } else { (10, 20, 10.0) };
    let speeds = flow(24.0, columns, layers, time)?;
    let height = speeds.len() as f64;
    let surface = speeds.last().copied().unwrap_or(0.0);
    let law = |k: usize| {
        let z = (k as f64 + 0.5) / height;
        1.0 - (1.0 - z).powf(1.5)
    };
    // The scale by least squares.
    let scale = (0..speeds.len()).map(|k| speeds[k] * law(k)).sum::<f64>()
        / (0..speeds.len()).map(|k| law(k).powi(2)).sum::<f64>();
    let off = |k: &usize| (speeds[*k] / (scale * law(*k)) - 1.0).abs();
    let inner = 2..speeds.len().saturating_sub(1).max(3);
    let worst = inner.clone().map(|k| off(&k)).fold(0.0, f64::max);

    let rates: Vec<(f64, f64)> = (2..speeds.len().saturating_sub(2))
        .map(|k| {
            (
                height - k as f64 - 1.0,
                (speeds[k + 1] - speeds[k]).max(1e-9),
            )
        })
        .collect();
    let exponent = growth_exponent(&rates);
    for (k, speed) in speeds.iter().enumerate() {
        table.row(&[&24.0, &k, speed, &(scale * law(k))]);
    }
    findings.check(
        surface > 0.2,
        format!("at 24° the grains flow ({surface:.2} m/s at the surface)"),
    );
    let (allowed, near) = if quick { (0.35, 0.25) } else { (0.15, 0.1) };
    findings.check(
        (exponent - 0.5).abs() < allowed,
        format!(
            "the shear rate grows as the depth to the power of {exponent:.2} (0.5 ± {allowed})"
        ),
    );
    findings.check(
        worst < near,
        format!("velocities follow Bagnold's profile within {near} ({worst:.3})"),
    );

    if !quick {
        let stopped = flow(15.0, columns, layers, 0.5 * time)?;
        let left = stopped.last().copied().unwrap_or(0.0);
        table.row(&[&15.0, &0, &left, &0.0]);
        findings.check(
            left.abs() < 0.02,
            format!("at 15° they come to rest ({left:.4} m/s)"),
        );
    }

    table.save(&folder.join("chute.csv"))?;
    let at = |k: usize| k as f64 + 0.5;
    log_log_beside(
        &folder.join("chute.svg"),
        "Velocity in a flow down a rough incline of 24°",
        "height / diameters",
        "velocity / m/s",
        &[Curve {
            label: "Bagnold".to_owned(),
            points: (0..speeds.len()).map(|k| (at(k), scale * law(k))).collect(),
        }],
        &[Curve {
            label: "impinge".to_owned(),
            points: (0..speeds.len())
                .map(|k| (at(k), speeds[k].max(1e-4)))
                .collect(),
        }],
    )?;
    Ok(findings)
}
