//! A square cantilever: deflection under a force at its end, and first frequency, beside
//! Timoshenko's beam. It bends under the force with critical damping, and then swings without.

use super::{KINDS, advance, listed, steps_until, weightless};
use crate::plot::{self, Curve};
use crate::study::{Findings, Table, growth_exponent};
use anyhow::{Context, Result};
use impinge::shape::{ElementKind, generate};
use impinge::space::Vector;
use impinge_sim::Matter;
use impinge_sim::solid::{ElasticMaterial, ElasticModel, SelfContact, SolidMesh, Solids};
use std::f64::consts::TAU;
use std::path::Path;

const HEIGHT: f64 = 0.1;
const LENGTH: f64 = 6.0 * HEIGHT;

/// Deflection in lengths: small enough for linear theory.
const DEFLECTION: f64 = 1e-3;

fn material() -> ElasticMaterial {
    ElasticMaterial {
        young: 1e7,
        density: 1000.0,
        poisson: 0.3,
        law: ElasticModel::SmallStrain,
        ..ElasticMaterial::default()
    }
}

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let sizes: &[usize] = if quick { &[1, 2] } else { &[1, 2, 4] };
    let beam = Beam::new(&material());
    let mut table = Table::new(&["cells", "through_height", "deflection", "frequency"]);
    let mut curves = Vec::new();

    for kind in KINDS {
        let mut errors = [Vec::new(), Vec::new()];
        for &cells in sizes {
            let [deflection, frequency] = measure(kind, cells, &beam)?;
            table.row(&[&kind.name(), &cells, &deflection, &frequency]);
            for (errors, ratio) in errors.iter_mut().zip([deflection, frequency]) {
                errors.push((HEIGHT / cells as f64, (ratio - 1.0).abs()));
            }
        }

        judge(kind, &errors, findings);
        for (errors, what) in errors.into_iter().zip(["deflection", "frequency"]) {
            let label = format!("{}, {what}", kind.name());
            curves.push(Curve {
                label,
                points: errors,
            });
        }
    }

    table.save(&folder.join("cantilever.csv"))?;
    plot::log_log(
        &folder.join("cantilever.svg"),
        "Cantilever beside Timoshenko's beam",
        "cell (m)",
        "relative error",
        &curves,
    )
}

fn judge(kind: ElementKind, errors: &[Vec<(f64, f64)>; 2], findings: &mut Findings) {
    // Linear cells converge to the beam; quadratic ones start within what a clamped solid differs
    // from a beam by, one or two percent.
    let most = match (kind.order(), errors[0].len()) {
        (2, _) => 0.03,
        (_, 3) => 0.1,
        _ => 0.25,
    };
    for (errors, what) in errors.iter().zip(["deflection", "first frequency"]) {
        let last = errors[errors.len() - 1].1;
        findings.check(
            last < most && (kind.order() == 2 || last < errors[0].1),
            format!(
                "a cantilever of {} has Timoshenko's {what} within {} %: off by {} through its height \
                 (order {:.1})",
                kind.name(),
                100.0 * most,
                listed(errors),
                growth_exponent(errors)
            ),
        );
    }
}

/// Returns deflection and frequency relative to the beam's.
fn measure(kind: ElementKind, cells: usize, beam: &Beam) -> Result<[f64; 2]> {
    let counts = [6 * cells, cells, cells];
    let mesh = generate::brick(counts, [LENGTH, HEIGHT, HEIGHT], kind)?;
    let mesh = SolidMesh::from_mesh(&mesh)?;
    let nodes = |at: f64| -> Vec<u32> {
        let nodes = (0..).zip(mesh.points());
        let there = nodes.filter(|(_, p)| (p.x - at).abs() < 1e-9);
        there.map(|(node, _)| node).collect()
    };
    let (root, tip) = (nodes(0.0), nodes(LENGTH));
    let period = TAU / beam.frequency;
    let clamped = |damping: f64| -> Result<Solids> {
        let mut solids = weightless()?;
        let material = ElasticMaterial {
            damping,
            ..material()
        };
        solids.add(mesh.clone(), &material, SelfContact::Ignored)?;
        solids.hold(0, &root, impinge_sim::Path::default())?;
        Ok(solids)
    };
    let height = |solids: &Solids| {
        let solid = solids.solid(0);
        let rise = |&n: &u32| solid.points()[n as usize].z - solid.rest_points()[n as usize].z;
        tip.iter().map(rise).sum::<f64>() / tip.len() as f64
    };

    let mut bent = clamped(2.0 * beam.frequency)?;
    let force = DEFLECTION * LENGTH / beam.compliance;
    let (steps, dt) = steps_until(2.0 * period, bent.stable_step());
    advance(&mut bent, dt, steps, |solids| {
        let share = Vector::<3>::new(0.0, 0.0, force / tip.len() as f64);
        tip.iter()
            .try_for_each(|&node| solids.apply(0, node, share))?;
        Ok(())
    })?;
    let deflection = height(&bent) / (DEFLECTION * LENGTH);

    let mut free = clamped(0.0)?;
    free.set_points(0, bent.solid(0).points())?;
    let measured = period_of(&mut free, 2.0 * period, height)?;
    Ok([deflection, period / measured])
}

/// Returns the period of a swing from its first two zeros.
fn period_of(solids: &mut Solids, longest: f64, of: impl Fn(&Solids) -> f64) -> Result<f64> {
    let (steps, dt) = steps_until(longest, solids.stable_step());
    let mut zeros = Vec::new();
    let mut before = of(solids);
    for step in 0..steps {
        advance(solids, dt, 1, |_| Ok(()))?;
        let now = of(solids);
        if before * now < 0.0 {
            zeros.push(dt * (step as f64 + before / (before - now)));
        }
        if let [first, second] = zeros[..] {
            return Ok(2.0 * (second - first));
        }
        before = now;
    }

    None.context("the cantilever does not swing")
}

/// Timoshenko's cantilever.
struct Beam {
    /// Deflection per newton.
    compliance: f64,
    /// First circular frequency.
    frequency: f64,
}

impl Beam {
    fn new(material: &ElasticMaterial) -> Self {
        let ElasticMaterial {
            young,
            poisson,
            density,
            ..
        } = *material;
        let (area, inertia) = (HEIGHT.powi(2), HEIGHT.powi(4) / 12.0);
        // Cowper's shear coefficient of a rectangle.
        let coefficient = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
        let shear = coefficient * young / (2.0 * (1.0 + poisson)) * area;
        let bending = young * inertia;
        let compliance = LENGTH.powi(3) / (3.0 * bending) + LENGTH / shear;

        // Bernoulli's frequency is higher than Timoshenko's.
        let mut high = 1.8751f64.powi(2) * (bending / (density * area)).sqrt() / LENGTH.powi(2);
        let mut low = 0.5 * high;
        let section = [bending, shear, density * area, density * inertia];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if free_end(section, middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }

        Self {
            compliance,
            frequency: low,
        }
    }
}

/// Returns the determinant that vanishes at a natural frequency: moment and shear force at the free
/// end, of the two motions with a unit moment and a unit force at the clamped end.
fn free_end([bending, shear, mass, rotation]: [f64; 4], frequency: f64) -> f64 {
    const PARTS: usize = 400;
    let squared = frequency * frequency;
    // w' = φ + Q/κGA, φ' = M/EI, M' = −Q − ρIω²φ, Q' = −ρAω²w.
    let slope = |[w, turn, moment, force]: [f64; 4]| {
        [
            turn + force / shear,
            moment / bending,
            -force - rotation * squared * turn,
            -mass * squared * w,
        ]
    };
    let along = |mut state: [f64; 4]| {
        let h = LENGTH / PARTS as f64;
        let moved =
            |state: [f64; 4], by: [f64; 4], h: f64| std::array::from_fn(|i| state[i] + h * by[i]);
        for _ in 0..PARTS {
            let k1 = slope(state);
            let k2 = slope(moved(state, k1, h / 2.0));
            let k3 = slope(moved(state, k2, h / 2.0));
            let k4 = slope(moved(state, k3, h));
            state = std::array::from_fn(|i| {
                state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
            });
        }
        [state[2], state[3]]
    };

    let [of_moment, of_force] = [along([0.0, 0.0, 1.0, 0.0]), along([0.0, 0.0, 0.0, 1.0])];
    of_moment[0] * of_force[1] - of_moment[1] * of_force[0]
}

#[cfg(test)]
mod tests;
