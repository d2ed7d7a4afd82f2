//! Single impacts: the tests of Chung and Ooi (2011), and Coulomb's law in gross sliding.
//!
//! Tests 1 and 2 compare depth, force and duration with Hertz's theory, test 3 the restitution, test 4
//! oblique impacts with measured values. Tests 5 to 8 (tangential speed or spin, on a plane, between
//! equal and between unequal spheres) depend on the slip alone: they are compared with the analytic
//! sliding branch, and with Mindlin's law integrated on its own with two hundred thousand steps.

use super::grains::{add, add_plane, hertz, particles, step};
use crate::plot::{Curve, log_log_beside};
use crate::study::{Findings, Table, folder};
use anyhow::Result;
use impinge_sim::law::{Material, damping_ratio};
use impinge_sim::{Grain, Setup};
use std::f64::consts::PI;

/// Steps of a collision.
const FINE: f64 = 4000.0;

/// Young's modulus of a plane that does not give way, Pa.
const RIGID: f64 = 1e30;

/// A sphere that hits a plane or another sphere, both along z.
#[derive(Clone, Copy)]
struct Impact {
    material: Material,
    radius: f64,
    /// Radius of the partner; `None` is a rigid plane.
    partner: Option<f64>,
    /// Speed of approach.
    speed: f64,
    /// Tangential velocity of the first sphere along x, and its spin about y.
    along: f64,
    spin: f64,
    /// Steps of a collision.
    steps: f64,
}

/// The outcome of an impact.
#[derive(Clone, Copy, Debug)]
struct Bounce {
    depth: f64,
    force: f64,
    duration: f64,
    /// Velocity of the first sphere relative to that of the second, and its spin.
    velocity: [f64; 3],
    spin: [f64; 3],
    /// Impulse on the first sphere along x and along z.
    impulse: [f64; 2],
}

impl Impact {
    fn mass(&self, radius: f64) -> f64 {
        self.material.density * 4.0 / 3.0 * PI * radius.powi(3)
    }

    /// Returns E* and G*.
    fn moduli(&self) -> [f64; 2] {
        let Material { young, poisson, .. } = self.material;
        let sides = if self.partner.is_some() { 2.0 } else { 1.0 };
        let shear = young / (2.0 * (1.0 + poisson));
        [
            young / (1.0 - poisson * poisson) / sides,
            shear / (2.0 - poisson) / sides,
        ]
    }

    /// Returns 1/m* and 1/R*.
    fn reduced(&self) -> [f64; 2] {
        let other = |of: &dyn Fn(f64) -> f64| self.partner.map_or(0.0, |r| 1.0 / of(r));
        [
            1.0 / self.mass(self.radius) + other(&|r| self.mass(r)),
            1.0 / self.radius + other(&|r| r),
        ]
    }

    /// Returns Hertz's largest depth, largest force and duration without damping.
    fn hertz(&self) -> [f64; 3] {
        let ([young, _], [inverse_mass, curvature]) = (self.moduli(), self.reduced());
        let bend = young / curvature.sqrt();
        let depth = (15.0 / 16.0 * self.speed.powi(2) / (inverse_mass * bend)).powf(0.4);
        let force = 4.0 / 3.0 * bend * depth.powf(1.5);
        // 2.9432 = 4√π Γ(7/5) / (5 Γ(9/10)) · 2 …, the integral of dx / √(1 − x^(5/2)), twice.
        [depth, force, 2.943_275 * depth / self.speed]
    }

    fn run(&self) -> Result<Bounce> {
        let plane = Material {
            young: RIGID,
            ..self.material
        };
        let mut all = particles(Setup {
            law: hertz(),
            materials: vec![self.material, plane],
            gravity: [0.0; 3],
            ..Setup::default()
        })?;
        let dt = self.hertz()[2] / self.steps;
        let gap = 0.37 * self.speed * dt;
        let reach = self.radius + self.partner.unwrap_or(0.0);
        let first = Grain {
            position: [0.0, 0.0, reach + gap],
            velocity: [self.along, 0.0, -self.speed],
            spin: [0.0, self.spin, 0.0],
            radius: self.radius,
            ..Grain::default()
        };
        add(&mut all, &[first])?;
        match self.partner {
            None => drop(add_plane(&mut all, [0.0; 3], [0.0, 0.0, 1.0], 1)?),
            Some(radius) => add(
                &mut all,
                &[Grain {
                    radius,
                    ..Grain::default()
                }],
            )?,
        }

        let place_of = |all: &impinge_sim::Particles, id: u32| {
            all.ids().iter().position(|other| *other == id).unwrap_or(0)
        };
        let (mut depth, mut force, mut touching) = (0.0_f64, 0.0_f64, 0);
        let mut impulse = [0.0; 2];
        for n in 0..(8.0 * self.steps) as usize {
            step(&mut all, dt)?;
            let place = place_of(&all, 0);
            let one = all.grain_at(place);
            let other = self.partner.map(|_| all.grain_at(place_of(&all, 1)));
            let away = other.map_or([0.0; 3], |grain| grain.position);
            let apart = (0..3)
                .map(|k| (one.position[k] - away[k]).powi(2))
                .sum::<f64>()
                .sqrt();
            let apart = if other.is_some() {
                apart
            } else {
                one.position[2]
            };
            let [load, _] = all.load_at(place);
            depth = depth.max(reach - apart);
            force = force.max(load.norm());
            touching += usize::from(all.contact_count() > 0);
            impulse[0] += load.x * dt;
            impulse[1] += load.z * dt;
            if n > self.steps as usize / 2 && all.contact_count() == 0 {
                break;
            }
        }

        let one = all.grain_at(place_of(&all, 0));
        let other = match self.partner {
            Some(_) => all.grain_at(place_of(&all, 1)).velocity,
            None => [0.0; 3],
        };
        Ok(Bounce {
            depth,
            force,
            duration: touching as f64 * dt,
            velocity: std::array::from_fn(|k| one.velocity[k] - other[k]),
            spin: one.spin,
            impulse,
        })
    }

    /// Returns the tangential impulse by Mindlin's law with Coulomb's limit, in multiples of m* v: Hertz's
    /// force along the normal, a spring 8G*a along the tangent, and the dashpots of the restitution. A rigid
    /// plane stays where it is, so that the arm of its friction is shorter than the radius by the depth.
    fn mindlin(&self) -> f64 {
        const STEPS: usize = 200_000;
        let ([young, shear], [inverse_mass, curvature]) = (self.moduli(), self.reduced());
        let radius = (1.0 / curvature).sqrt();
        let damping = 2.0 * (5.0_f64 / 6.0).sqrt() * damping_ratio(self.material.restitution);
        let dt = 1.2 * self.hertz()[2] / STEPS as f64;
        let (mut depth, mut approach) = (0.0_f64, self.speed);
        let (mut along, mut spin) = (self.along, self.spin);
        let (mut stretch, mut impulse) = (0.0_f64, 0.0);

        for _ in 0..STEPS {
            depth += approach * dt;
            if depth <= 0.0 {
                break;
            }
            let arm = self.radius - self.partner.map_or(depth, |_| 0.0);
            let slip = along - spin * arm;
            stretch += slip * dt;
            let circle = radius * depth.sqrt();
            let stiffness = 8.0 * shear * circle;
            let dashpot = |stiffness: f64| damping * (stiffness / inverse_mass).sqrt();
            let elastic = 4.0 / 3.0 * young * circle * depth;
            let normal = (elastic + dashpot(2.0 * young * circle) * approach).max(0.0);
            let limit = self.material.friction * normal;
            stretch = stretch.clamp(-limit / stiffness, limit / stiffness);
            let pull = stiffness * stretch + dashpot(stiffness) * slip;
            let tangential = -pull.clamp(-limit, limit);
            approach -= normal * inverse_mass * dt;
            // R²/I = 2.5/m
            along += tangential * inverse_mass * dt;
            spin -= 2.5 * tangential * inverse_mass * arm / self.radius.powi(2) * dt;
            impulse += tangential * dt;
        }

        impulse * inverse_mass / self.speed
    }
}

fn material(young: f64, poisson: f64, density: f64, restitution: f64, friction: f64) -> Material {
    Material {
        young,
        poisson,
        density,
        restitution,
        friction,
        ..Material::default()
    }
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("validate-impact")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["test", "case", "quantity", "measured", "expected"]);
    elastic(&mut findings, &mut table)?;
    restitution(&mut findings, &mut table, quick)?;
    let curves = oblique(&mut findings, &mut table, quick)?;
    slips(&mut findings, &mut table, quick)?;
    gross_sliding(&mut findings, &mut table, quick)?;

    table.save(&folder.join("impact.csv"))?;
    log_log_beside(
        &folder.join("impact.svg"),
        "Tangential restitution of oblique impacts (test 4)",
        "angle of impact / degrees",
        "tangential restitution",
        &curves[..1],
        &curves[1..],
    )?;
    Ok(findings)
}

/// Tests 1 and 2.
fn elastic(findings: &mut Findings, table: &mut Table) -> Result<()> {
    let glass = Impact {
        material: material(48e9, 0.2, 2800.0, 1.0, 0.35),
        radius: 0.01,
        partner: Some(0.01),
        speed: 20.0,
        along: 0.0,
        spin: 0.0,
        steps: FINE,
    };
    let aluminium = Impact {
        material: material(70e9, 0.3, 2699.0, 1.0, 0.0),
        radius: 0.1,
        partner: None,
        speed: 0.2,
        ..glass
    };
    let expected = [
        (1, glass, [274.1e-6, 10.70e3, 40.3e-6]),
        (2, aluminium, [49.7e-6, 11.37e3, 731.6e-6]),
    ];

    for (test, impact, wanted) in expected {
        let seen = impact.run()?;
        let seen = [seen.depth, seen.force, seen.duration];
        let theory = impact.hertz();
        for (k, what) in ["depth/m", "force/N", "duration/s"].into_iter().enumerate() {
            table.row(&[&test, &"elastic", &what, &seen[k], &wanted[k]]);
        }
        let off = (0..3)
            .map(|k| (seen[k] / wanted[k] - 1.0).abs())
            .fold(0.0, f64::max);
        let off_theory = (0..3)
            .map(|k| (seen[k] / theory[k] - 1.0).abs())
            .fold(0.0, f64::max);
        findings.check(
            off < 3e-3 && off_theory < 1e-3,
            format!(
                "test {test}: depth, force and duration within 0.3 % of the published ({:.2} %) and within 0.1 % of \
                 Hertz's ({:.3} %)",
                100.0 * off,
                100.0 * off_theory
            ),
        );
    }
    Ok(())
}

/// Test 3.
fn restitution(findings: &mut Findings, table: &mut Table, quick: bool) -> Result<()> {
    let mut worst: f64 = 0.0;
    for wanted in [0.05, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let seen = Impact {
            material: material(380e9, 0.23, 4000.0, wanted, 0.0),
            radius: 0.0025,
            partner: None,
            speed: 3.9,
            along: 0.0,
            spin: 0.0,
            steps: if quick { FINE } else { 10.0 * FINE },
        }
        .run()?;
        let seen = seen.velocity[2] / 3.9;
        table.row(&[&3, &wanted, &"restitution", &seen, &wanted]);
        worst = worst.max((seen - wanted).abs());
    }
    findings.check(
        worst < 1e-3,
        format!("test 3: six restitutions from 0.05 to 1 within 1e-3 ({worst:.1e})"),
    );
    Ok(())
}

/// Test 4: returns measured and published tangential restitutions by angle.
fn oblique(findings: &mut Findings, table: &mut Table, quick: bool) -> Result<[Curve; 2]> {
    const WANTED: [(f64, f64); 7] = [
        (5.0, 0.948),
        (10.0, 0.687),
        (20.0, 0.616),
        (30.0, 0.684),
        (50.0, 0.845),
        (70.0, 0.932),
        (85.0, 0.983),
    ];
    let at = |degrees: f64| {
        let angle = degrees.to_radians();
        let impact = Impact {
            material: material(380e9, 0.23, 4000.0, 0.98, 0.092),
            radius: 0.0025,
            partner: None,
            speed: 3.9 * angle.cos(),
            along: 3.9 * angle.sin(),
            spin: 0.0,
            steps: FINE,
        };
        impact.run().map(|bounce| (impact, bounce))
    };

    let mut seen = Vec::new();
    let (mut sticking, mut sliding, mut off_law) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (degrees, wanted) in WANTED {
        let (impact, bounce) = at(degrees)?;
        let ratio = bounce.velocity[0] / impact.along;
        let law = 1.0 + impact.mindlin() * impact.speed / impact.along;
        table.row(&[&4, &degrees, &"tangential restitution", &ratio, &wanted]);
        table.row(&[
            &4,
            &degrees,
            &"tangential restitution, law alone",
            &ratio,
            &law,
        ]);
        off_law = off_law.max((ratio - law).abs());
        let off = (ratio - wanted).abs();
        match degrees < 30.0 {
            true => sticking = sticking.max(off),
            false => sliding = sliding.max(off),
        }
        seen.push((degrees, ratio));
    }
    findings.check(
        off_law < 2e-3,
        format!("test 4: tangential restitution at seven angles within 0.002 of the law integrated alone ({off_law:.4})"),
    );
    findings.check(
        sliding < 4e-3 && sticking < 0.02,
        format!(
            "test 4: within 0.004 of the published values where the sphere slides ({sliding:.4}), within 0.02 where it \
             sticks at times ({sticking:.4})"
        ),
    );

    let (mut spin, mut rebound) = (0.0_f64, 0.0_f64);
    let angles = if quick { 18..=34 } else { 2..=88 };
    for degrees in angles {
        let (impact, bounce) = at(f64::from(degrees))?;
        spin = spin.max(bounce.spin[1].abs());
        // Velocity of the contact point after over normal velocity before.
        let slip = bounce.velocity[0] - bounce.spin[1] * impact.radius;
        let angle = (slip / bounce.velocity[2]).atan().to_degrees();
        rebound = rebound.min(angle);
    }
    table.row(&[&4, &"all", &"largest spin", &spin, &616.5]);
    table.row(&[&4, &"all", &"least rebound angle", &rebound, &-7.54]);
    findings.check(
        (spin / 616.5 - 1.0).abs() < 0.01 && (rebound + 7.54).abs() < 0.4,
        format!(
            "test 4: the largest spin is {spin:.1} rad/s (616.5), the contact point leaves at {rebound:.2}° at least \
             (-7.54°)"
        ),
    );

    Ok([
        Curve {
            label: "impinge".to_owned(),
            points: seen,
        },
        Curve {
            label: "Chung & Ooi".to_owned(),
            points: WANTED.to_vec(),
        },
    ])
}

/// Number and name of a test, and its impact of a slip.
type Case<'a> = (usize, &'a str, &'a dyn Fn(f64) -> Impact);

/// Tests 5 to 8.
fn slips(findings: &mut Findings, table: &mut Table, quick: bool) -> Result<()> {
    const SPEED: f64 = 0.2;
    let steel = material(210e9, 0.3, 7850.0, 1.0, 0.4);
    let base = Impact {
        material: steel,
        radius: 0.1,
        partner: None,
        speed: SPEED,
        along: 0.0,
        spin: 0.0,
        steps: FINE,
    };
    let turned = |slip: f64| Impact {
        spin: -slip / base.radius,
        ..base
    };
    let cases: [Case; 4] = [
        (5, "tangential speed on a plane", &|slip| Impact {
            along: slip,
            ..base
        }),
        (6, "spin on a plane", &turned),
        (7, "spin against an equal sphere", &|slip| Impact {
            partner: Some(0.1),
            ..turned(slip)
        }),
        (8, "spin against a sphere five times as large", &|slip| {
            Impact {
                partner: Some(0.5),
                ..turned(slip)
            }
        }),
    ];
    let slips: &[f64] = match quick {
        true => &[0.1, 0.5, 2.0, 20.0],
        false => &[
            0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0,
        ],
    };

    for (test, what, impact) in cases {
        let mut worst: f64 = 0.0;
        let mut sliding: f64 = 0.0;
        for &ratio in slips {
            let impact = impact(ratio * SPEED);
            let bounce = impact.run()?;
            let seen = bounce.impulse[0] * impact.reduced()[0] / SPEED;
            let wanted = impact.mindlin();
            table.row(&[&test, &ratio, &"tangential impulse/(m* v)", &seen, &wanted]);
            // Δv = μ (1 + e) v bounds the impulse; 0.8 here.
            worst = worst.max((seen - wanted).abs() / 0.8);
            if ratio == 20.0 {
                sliding = (seen.abs() / (0.4 * 2.0) - 1.0).abs();
            }
        }
        findings.check(
            worst < 5e-3 && sliding < 2e-3,
            format!(
                "test {test}, {what}: within 0.5 % of Mindlin's law ({:.2} %), gross sliding within 0.2 % of μ(1+e)v \
                 ({:.3} %)",
                100.0 * worst,
                100.0 * sliding
            ),
        );
    }
    Ok(())
}

/// Friction impulse over normal impulse when a sphere slides throughout.
fn gross_sliding(findings: &mut Findings, table: &mut Table, quick: bool) -> Result<()> {
    let steps: &[f64] = if quick {
        &[12.0, 400.0]
    } else {
        &[12.0, 50.0, 400.0, FINE]
    };
    let mut worst: f64 = 0.0;
    for restitution in [0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
        for &steps in steps {
            let impact = Impact {
                material: material(1e8, 0.3, 2500.0, restitution, 0.3),
                radius: 0.01,
                partner: None,
                speed: 0.5,
                along: 20.0,
                spin: 0.0,
                steps,
            };
            let [along, up] = impact.run()?.impulse;
            let ratio = -along / (0.3 * up);
            table.row(&[
                &"sliding",
                &restitution,
                &format!("{steps} steps"),
                &ratio,
                &1.0,
            ]);
            worst = worst.max((ratio - 1.0).abs());
        }
    }
    findings.check(
        worst < 0.01,
        format!(
            "gross sliding at restitutions from 0.1 to 1, coarse and fine steps: the friction impulse is μ times the \
             normal one within 1 % ({:.2} %)",
            100.0 * worst
        ),
    );
    Ok(())
}
