//! Spheres for the studies: vessels, lattices to pour from, steps.

use anyhow::{Result, anyhow};
use impinge::space::Random;
use impinge_sim::law::{Law, Material, Normal, Rolling};
use impinge_sim::{Grain, Matter, Obstacle, Particles, Setup};

/// Returns Hertz–Mindlin contacts without rolling resistance.
pub(super) fn hertz() -> Law {
    Law {
        normal: Normal::HertzMindlin,
        rolling: Rolling::None,
    }
}

/// Creates spheres of one material, or of one and the walls'.
pub(super) fn particles(setup: Setup) -> Result<Particles> {
    Particles::new(setup).map_err(|fault| anyhow!("{fault}"))
}

/// Returns a setup under gravity along −z.
pub(super) fn setup(law: Law, material: Material) -> Setup {
    Setup {
        law,
        materials: vec![material],
        gravity: [0.0, 0.0, -9.81],
        ..Setup::default()
    }
}

pub(super) fn add(particles: &mut Particles, grains: &[Grain]) -> Result<()> {
    let added = particles.add(grains);
    added.map(|_| ()).map_err(|fault| anyhow!("{fault}"))
}

/// Adds a half-space of a material.
pub(super) fn add_plane(
    particles: &mut Particles,
    point: [f64; 3],
    normal: [f64; 3],
    material: usize,
) -> Result<usize> {
    let plane =
        Obstacle::half_space(point, normal, material).map_err(|fault| anyhow!("{fault}"))?;
    particles
        .add_obstacle(plane)
        .map_err(|fault| anyhow!("{fault}"))
}

/// Adds triangles of the first material.
pub(super) fn add_mesh(
    particles: &mut Particles,
    points: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> Result<usize> {
    let mesh = Obstacle::mesh(points, triangles, 0).map_err(|fault| anyhow!("{fault}"))?;
    particles
        .add_obstacle(mesh)
        .map_err(|fault| anyhow!("{fault}"))
}

/// Runs one step.
pub(super) fn step(particles: &mut Particles, dt: f64) -> Result<()> {
    particles.begin(dt);
    let pushed = particles.interact(dt);
    let moved = pushed.and_then(|()| particles.finish(dt));
    moved.map_err(|fault| anyhow!("{fault}"))
}

/// Runs for a time.
pub(super) fn advance(particles: &mut Particles, dt: f64, time: f64) -> Result<()> {
    let steps = (time / dt).ceil() as usize;
    (0..steps).try_for_each(|_| step(particles, dt))
}

/// Returns a loose lattice of `count` spheres above z = 0, `sides` wide, with small random velocities.
pub(super) fn lattice(
    count: usize,
    radii: [f64; 2],
    sides: [f64; 2],
    holds: impl Fn(f64, f64) -> bool,
    seed: u64,
) -> Vec<Grain> {
    let mut random = Random::new(seed);
    let pitch = 2.05 * radii[1];
    let columns = sides.map(|side| (side / pitch).floor().max(1.0) as usize);
    let sites = (0..).flat_map(|k| {
        (0..columns[0] * columns[1]).map(move |n| [n % columns[0], n / columns[0], k])
    });
    let place = |[i, j, k]: [usize; 3]| {
        let across = |n: usize, axis: usize| {
            (n as f64 + 0.5) * sides[axis] / columns[axis] as f64 - 0.5 * sides[axis]
        };
        [across(i, 0), across(j, 1), (k as f64 + 0.6) * pitch]
    };

    sites
        .map(place)
        .filter(|[x, y, _]| holds(*x, *y))
        .take(count)
        .map(|position| Grain {
            position,
            velocity: (random.direction::<3>() * 0.05).into(),
            radius: random.within(radii[0], radii[1]),
            ..Grain::default()
        })
        .collect()
}

/// Returns the volume of the part of a sphere between two heights.
pub(super) fn slice(grain: &Grain, low: f64, up: f64) -> f64 {
    let r = grain.radius;
    // Volume below a height h from the centre: π (r²h − h³/3 + 2r³/3).
    let below = |z: f64| {
        let h = (z - grain.position[2]).clamp(-r, r);
        std::f64::consts::PI * (r * r * h - h.powi(3) / 3.0 + 2.0 / 3.0 * r.powi(3))
    };
    below(up) - below(low)
}

/// Returns a tube about the z axis, open at both ends.
pub(super) fn tube(radius: f64, low: f64, up: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    const SIDES: u32 = 40;
    let corner = |n: u32| {
        let angle = std::f64::consts::TAU * f64::from(n / 2) / f64::from(SIDES);
        let z = if n.is_multiple_of(2) { low } else { up };
        [radius * angle.cos(), radius * angle.sin(), z]
    };
    let points = (0..2 * SIDES).map(corner).collect();
    let triangles = (0..2 * SIDES)
        .map(|n| [n, n + 1, n + 2].map(|k| k % (2 * SIDES)))
        .collect();
    (points, triangles)
}

/// Returns a flat ring about the z axis.
pub(super) fn ring(inner: f64, outer: f64, z: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    const SIDES: u32 = 40;
    let corner = |n: u32| {
        let angle = std::f64::consts::TAU * f64::from(n / 2) / f64::from(SIDES);
        let radius = if n.is_multiple_of(2) { inner } else { outer };
        [radius * angle.cos(), radius * angle.sin(), z]
    };
    let points = (0..2 * SIDES).map(corner).collect();
    let triangles = (0..2 * SIDES)
        .map(|n| [n, n + 1, n + 2].map(|k| k % (2 * SIDES)))
        .collect();
    (points, triangles)
}
