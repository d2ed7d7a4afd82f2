//! Piles of rigid bodies: what a whole step costs per touching pair, on one thread.
//!
//! Polyhedra of 16 corners, and rings of 1,000 triangles, fall from a lattice into a box. Once they lie on
//! each other, steps are measured in CPU time: contact search, forces and motion together.

use crate::study::{Findings, Table, cpu_seconds, folder};
use anyhow::{Result, anyhow};
use impinge::shape::generate;
use impinge::space::{Random, Vector};
use impinge_sim::law::Material;
use impinge_sim::world::{BodyDef, BodyShape, WallDef, World, WorldOptions};
use impinge_sim::{BodyKind, ContactRecord, TriangleMesh};
use std::sync::Arc;

/// Strong, so that the bodies soon lie on each other.
const GRAVITY: f64 = 40.0;

/// A pile, and the cost of a step that is asked for.
struct Case {
    name: &'static str,
    count: usize,
    /// Distance of the bodies of the lattice that they fall from.
    spacing: [f64; 3],
    /// Bodies of the lattice in a row.
    across: usize,
    /// Microseconds per touching pair.
    allowed: f64,
    shape: fn(u64) -> Result<BodyShape>,
}

fn polyhedron(seed: u64) -> Result<BodyShape> {
    let unit = generate::polyhedron(16, seed)?;
    let points: Vec<_> = unit.points().iter().map(|p| p * 0.05).collect();
    let body = impinge::shape::Polyhedron::hull(&points).map_err(|fault| anyhow!("{fault}"))?;
    Ok(BodyShape::Polyhedron(body))
}

fn ring(_: u64) -> Result<BodyShape> {
    let ring = generate::torus(0.075, 0.025, [50, 10])?;
    Ok(BodyShape::Surface(Arc::new(TriangleMesh::from(&ring))))
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = folder("piles")?;
    let mut findings = Findings::default();
    let mut table = Table::new(&["pile", "bodies", "touching_pairs", "us_a_pair"]);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let less = if quick { 10 } else { 1 };
    let cases = [
        Case {
            name: "polyhedra of 16 corners",
            count: 1000 / less,
            spacing: [0.11; 3],
            across: if quick { 5 } else { 10 },
            allowed: 2.5,
            shape: polyhedron,
        },
        Case {
            name: "rings of 1,000 triangles",
            count: 500 / less,
            spacing: [0.21; 3],
            across: if quick { 4 } else { 10 },
            allowed: 60.0,
            shape: ring,
        },
    ];

    for case in cases {
        let [pairs, cost] = one_thread.install(|| measured(&case, quick))?;
        println!(
            "  {:<28}{:>6} bodies{pairs:>10.0} touching pairs{cost:>8.2} µs each",
            case.name, case.count
        );
        table.row(&[&case.name, &case.count, &pairs, &cost]);
        findings.check(
            pairs > case.count as f64,
            format!("{}: they lie on each other", case.name),
        );
        findings.timing(
            cost <= case.allowed,
            format!(
                "{}: {cost:.2} µs a touching pair for the whole step ({} asked)",
                case.name, case.allowed
            ),
        );
    }

    table.save(&folder.join("piles.csv"))?;
    Ok(findings)
}

/// Returns the mean number of touching pairs, and the CPU time of a step per pair in µs.
fn measured(case: &Case, quick: bool) -> Result<[f64; 2]> {
    let mut world = falling(case)?;
    let dt = 0.9 * world.stable_step();
    let deep = case.spacing[2] * (case.count as f64 / (case.across * case.across) as f64);
    let settled = 1.3 * (2.0 * deep / GRAVITY).sqrt();
    let step = |world: &mut World| world.step(dt).map_err(|fault| anyhow!("{fault}"));
    for _ in 0..(settled / dt) as usize {
        step(&mut world)?;
    }

    let (mut pairs, mut seconds) = (0, 0.0);
    let steps = if quick { 20 } else { 100 };
    for _ in 0..steps {
        let start = cpu_seconds();
        step(&mut world)?;
        seconds += cpu_seconds() - start;
        pairs += touching(&world.contacts());
    }
    Ok([
        pairs as f64 / f64::from(steps),
        seconds / pairs.max(1) as f64 * 1e6,
    ])
}

/// Counts pairs of bodies, and of bodies with walls, that touch in at least one place.
fn touching(contacts: &[ContactRecord]) -> usize {
    let mut pairs: Vec<_> = contacts.iter().map(|contact| contact.bodies).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
        .iter()
        .filter(|[a, _]| a.kind == BodyKind::Body)
        .count()
}

/// Bodies over the floor of a box, with random orientations.
fn falling(case: &Case) -> Result<World> {
    let material = Material {
        young: 2e6,
        density: 2600.0,
        restitution: 0.1,
        friction: 0.5,
        ..Material::default()
    };
    let mut world = World::new(WorldOptions {
        gravity: [0.0, 0.0, -GRAVITY],
        materials: vec![material],
        ..WorldOptions::default()
    })?;
    let half = 0.5 * case.spacing[0] * case.across as f64;
    let walls = [
        ([0.0; 3], [0.0, 0.0, 1.0]),
        ([-half, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([half, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, -half, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, half, 0.0], [0.0, -1.0, 0.0]),
    ];
    for (point, normal) in walls {
        world.add_wall(WallDef::half_space(point, normal))?;
    }

    let mut random = Random::new(5);
    for n in 0..case.count {
        let cell = [n % case.across, n / case.across % case.across];
        let layer = n / (case.across * case.across);
        let place = |k: usize| case.spacing[k] * (cell[k] as f64 + 0.5) - half;
        let axis: Vector<3> = random.direction();
        let angle = random.within(0.0, std::f64::consts::PI);
        let turn = axis * angle.sin();
        world.add_body(BodyDef {
            position: [place(0), place(1), case.spacing[2] * (layer as f64 + 0.5)],
            orientation: [turn.x, turn.y, turn.z, angle.cos()],
            ..BodyDef::new((case.shape)(n as u64)?)
        })?;
    }
    Ok(world)
}
