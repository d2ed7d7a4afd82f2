//! Bulk goods that are not convex: rings fall into a box and rest on each other.
//!
//! `cargo run --release -p impinge-examples --example bulk`

use impinge::shape::generate;
use impinge::space::Aabb;
use impinge_examples::{Picture, shade};
use impinge_sim::TriangleMesh;
use impinge_sim::law::Material;
use impinge_sim::world::{BodyDef, BodyShape, WallDef, World, WorldOptions};
use std::{error::Error, sync::Arc};

const RINGS: usize = 10;
const HALF: f64 = 0.075; // of the box, m

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // ANCHOR: build
    let mut steel = Material::default();
    (steel.young, steel.restitution, steel.density) = (2e7, 0.3, 7800.0);
    let mut options = WorldOptions::default();
    options.materials = vec![steel];
    let mut world = World::new(options)?;
    world.add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))?;
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let wall = WallDef::half_space([-HALF * x, -HALF * y, 0.0], [x, y, 0.0]);
        world.add_wall(wall)?;
    }

    // Any closed surface is a body: mass and inertia follow from it and the density.
    let ring = generate::torus(0.03, 0.012, [24, 12])?;
    let points: Vec<[f64; 3]> = ring.points().iter().map(|&p| p.into()).collect();
    let mesh = Arc::new(TriangleMesh::new(&points, ring.triangles()));
    for n in 0..RINGS {
        let mut body = BodyDef::new(BodyShape::Surface(mesh.clone()));
        let (turn, side) = (1.3 * n as f64, [-0.02, 0.02][n % 2]);
        body.position = [side, side, 0.06 + 0.05 * n as f64];
        body.orientation = [turn.sin(), 0.5 * turn.cos(), 0.0, 1.0];
        world.add_body(body)?;
    }
    // ANCHOR_END: build

    let dt = 0.9 * world.stable_step();
    while world.time() < 0.8 {
        world.step(dt)?; // an error if a ring passes through another
    }

    let mass: f64 = (0..RINGS).filter_map(|n| world.body_mass(n)).sum();
    let (contacts, kinetic) = (world.contacts().len(), world.energy().kinetic);
    println!("{contacts} contacts; kinetic energy {kinetic:.2e} J of {mass:.2} kg");
    assert!(contacts >= RINGS && kinetic < 0.02 * mass, "at rest");

    let mut picture = Picture::new(&Aabb::new([-HALF, -HALF, 0.0], [HALF, HALF, 0.17]));
    for n in 0..RINGS {
        let body = world.body(n).ok_or("the ring is there")?;
        picture = picture.placed(&ring, &body.pose, shade(n, RINGS));
    }
    picture.save("bulk")?;
    Ok(())
}
