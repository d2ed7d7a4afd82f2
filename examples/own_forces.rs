//! A simulation from code with forces of your own: grains sink in oil, by buoyancy and Stokes' drag.
//!
//! `cargo run --release -p impinge-examples --example own_forces`

use impinge::space::Aabb;
use impinge_examples::{Picture, speed_colour};
use impinge_sim::Grain;
use impinge_sim::world::{WallDef, World, WorldOptions};
use std::{error::Error, f64::consts::PI};

const RADIUS: f64 = 1e-3; // m
const VISCOSITY: f64 = 0.5; // Pa s
const OIL: f64 = 900.0; // kg/m³

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let options = WorldOptions::default();
    let (density, gravity) = (options.materials[0].density, -options.gravity[2]);

    let mut world = World::new(options)?;
    world.add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))?;
    let grain = |n: u32| {
        let across = [n / 4 % 4, n % 4].map(|k| 2.6e-3 * f64::from(k));
        let height = 4e-3 + 2.5e-3 * f64::from(n / 16);
        let mut grain = Grain::default();
        grain.radius = RADIUS;
        grain.position = [across[0] + 0.01 * height, across[1] - 0.01 * height, height];
        grain
    };
    world.add_particles(&(0..400).map(grain).collect::<Vec<_>>())?;

    // ANCHOR: step
    let volume = 4.0 / 3.0 * PI * RADIUS.powi(3);
    let dt = 0.9 * world.stable_step();
    while world.time() < 1.5 {
        world.step_with(dt, |forces| {
            forces.on_each_particle(|_, grain| {
                let mut force = grain.velocity.map(|v| -6.0 * PI * VISCOSITY * RADIUS * v);
                force[2] += OIL * volume * gravity;
                [force, [0.0; 3]]
            })
        })?;
    }
    // ANCHOR_END: step

    // Grains that touch nothing sink at Stokes' velocity: v = 2/9 (ρ − ρ_oil) g R² / μ.
    let stokes = 2.0 / 9.0 * (density - OIL) * gravity * RADIUS.powi(2) / VISCOSITY;
    let particles = world.particles().ok_or("there are particles")?;
    let grains = (0..particles.len()).map(|place| particles.grain_at(place));
    let sinking = grains
        .clone()
        .fold(0.0, |v, grain| f64::max(v, -grain.velocity[2]));
    println!("the fastest grain sinks at {sinking:.5} m/s; Stokes: {stokes:.5} m/s");
    assert!((sinking / stokes - 1.0).abs() < 0.01);
    let bounds = Aabb::new([-0.006, -0.006, 0.0], [0.014, 0.014, 0.05]);
    let ball = |g: Grain| (g.position.into(), RADIUS, speed_colour(&g.velocity, stokes));
    let picture = Picture::new(&bounds).balls(grains.map(ball));
    picture.save("own_forces")?;
    Ok(())
}
