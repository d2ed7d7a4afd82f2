//! Beds that fall into a box and come to rest, at the advised step.
//!
//! Whatever the restitution, friction, sizes and law: the bed comes to rest (unless nothing takes
//! energy), and the energy balance closes within 1 % of the energy of the fall.

use super::grains::{add, add_plane, hertz, lattice, particles, setup, step};
use crate::plot::{Curve, log_log};
use crate::study::{Findings, Table, folder};
use anyhow::Result;
use impinge_sim::Matter;
use impinge_sim::law::{Law, Material, Normal, Rolling, Stiffness};

/// The outcome of a fall.
struct Settled {
    /// Kinetic energy left, and largest error of the balance, both over the energy of the fall.
    moving: f64,
    error: f64,
}

fn fall(law: Law, material: Material, radii: [f64; 2], count: usize, time: f64) -> Result<Settled> {
    let mut all = particles(setup(law, material))?;
    let side = 2.05 * radii[1] * (count as f64 / 2.0).cbrt().ceil();
    let grains = lattice(count, radii, [side; 2], |_, _| true, 3);
    let mass = |r: f64| material.density * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    add(&mut all, &grains)?;
    let half = 0.5 * side;
    for (point, normal) in [
        ([0.0; 3], [0.0, 0.0, 1.0]),
        ([-half, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([half, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, -half, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, half, 0.0], [0.0, -1.0, 0.0]),
    ] {
        add_plane(&mut all, point, normal, 0)?;
    }

    // The lattice is a fifth looser than the bed.
    let total: f64 = grains.iter().map(|grain| mass(grain.radius)).sum();
    let height = grains
        .iter()
        .map(|grain| grain.position[2])
        .fold(0.0, f64::max);
    let fallen = total * 9.81 * 0.2 * height;
    let before = all.energy().total();
    let dt = all.stable_step();
    let mut error: f64 = 0.0;
    for n in 0..(time / dt) as usize {
        step(&mut all, dt)?;
        if n % 200 == 0 {
            error = error.max((all.energy().total() - before).abs() / fallen);
        }
    }

    Ok(Settled {
        moving: all.energy().kinetic / fallen,
        error,
    })
}

/// Returns the pairs of restitution and friction to run.
fn cases(quick: bool, equal: bool) -> Vec<(f64, f64)> {
    let restitutions = [0.05, 0.3, 0.6, 0.9, 1.0];
    match (quick, equal) {
        (true, true) => vec![(0.05, 0.4), (0.3, 1.0), (0.6, 0.0), (1.0, 0.4)],
        (true, false) => vec![(0.05, 0.4)],
        (false, false) => restitutions.map(|e| (e, 0.4)).to_vec(),
        (false, true) => {
            let all = restitutions.iter();
            all.flat_map(|&e| [0.0, 0.4, 1.0].map(|friction| (e, friction)))
                .collect()
        }
    }
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-settle")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["law", "sizes", "restitution", "friction", "moving", "error"]);
    let (count, time) = if quick { (150, 0.6) } else { (1500, 1.5) };
    let linear = Law {
        normal: Normal::Linear {
            stiffness: Stiffness::Given(2e4),
            tangential: 2.0 / 7.0,
            tangential_damping: 0.5,
        },
        rolling: Rolling::None,
    };
    let rolling = Law {
        rolling: Rolling::Spring,
        ..hertz()
    };
    let equal = ("1:1", [5e-3, 5e-3]);
    let spread = ("1:20", [5e-4, 1e-2]);
    // Beds of unequal sizes need twenty times as many steps; linear springs, which small spheres find stiff, more.
    let beds = [
        ("hertz", hertz(), equal),
        ("linear", linear, equal),
        ("rolling", rolling, equal),
        ("hertz", hertz(), spread),
        ("rolling", rolling, spread),
    ];
    let (mut curves, mut worst, mut restless) = (Vec::new(), 0.0_f64, 0.0_f64);

    for (name, law, (ratio, radii)) in beds {
        let mut points = Vec::new();
        for (restitution, friction) in cases(quick, ratio == "1:1") {
            let material = Material {
                young: 3e6,
                poisson: 0.3,
                restitution,
                friction,
                rolling_friction: 0.1,
                density: 2500.0,
                ..Material::default()
            };
            let Settled { moving, error } = fall(law, material, radii, count, time)?;
            table.row(&[&name, &ratio, &restitution, &friction, &moving, &error]);
            worst = worst.max(error);
            if restitution < 0.95 {
                restless = restless.max(moving);
            }
            points.push((restitution, error.max(1e-6)));
        }
        curves.push(Curve {
            label: format!("{name}, sizes {ratio}"),
            points,
        });
    }

    findings.check(
        worst < 0.01,
        format!(
            "the energy balance closes within 1 % of the fall in every bed ({:.2} %)",
            100.0 * worst
        ),
    );
    findings.check(
        restless < if quick { 0.02 } else { 1e-3 },
        format!("every bed with a restitution up to 0.9 comes to rest ({restless:.1e} of the fall is left)"),
    );
    table.save(&folder.join("settle.csv"))?;
    log_log(
        &folder.join("settle.svg"),
        "Error of the energy balance of beds that settle",
        "restitution",
        "error / energy of the fall",
        &curves,
    )?;
    Ok(findings)
}
