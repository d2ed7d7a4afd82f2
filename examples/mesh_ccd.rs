//! Continuous collision detection of two meshes: when and where does a falling sheet first touch a
//! ball within a step, and how far may the step go?
//!
//! `cargo run --release -p impinge-examples --example mesh_ccd`

use impinge::predict::{ImpactOptions, MovingMesh, first_impact};
use impinge::shape::generate;
use impinge::space::{Aabb, Point, Vector};
use impinge_examples::{BLUE, GREY, Picture};
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let ball = generate::icosphere(4)?;

    // A sheet that hangs through in waves.
    let flat = generate::block([60, 60, 1], [4.0, 4.0, 0.02])?;
    let wave = |point: &Point<3>| {
        let [x, y] = [point.x - 2.0, point.y - 2.0];
        let height = 2.0 + 0.1 * (3.0 * x).sin() * (2.0 * y).cos();
        Point::from([x, y, point.z + height])
    };
    let sheet: Vec<Point<3>> = flat.points().iter().map(wave).collect();

    // ANCHOR: ask
    // In one step the sheet moves by more than the diameter of the ball: a test at the end of the step
    // finds nothing.
    let step = Vector::<3>::new(0.3, 0.0, -6.0);
    let after: Vec<Point<3>> = sheet.iter().map(|point| point + step).collect();
    let mut falling = MovingMesh::new(&sheet, flat.triangles())?;
    falling.set_step(&sheet, &after)?;
    let resting = MovingMesh::new(ball.points(), ball.triangles())?;

    let impact = first_impact(&falling, &resting, &ImpactOptions::default()).ok_or("no impact")?;
    println!("{:?} meet at {} of the step", impact.parts, impact.from);
    // ANCHOR_END: ask

    // `from` is a lower bound: up to it the step is safe.
    let safe: Vec<_> = sheet.iter().map(|p| p + step * impact.from).collect();
    let heights = safe.iter().map(|point| point.coords.norm() - 1.0);
    let nearest = heights.fold(f64::INFINITY, f64::min);
    println!("the nearest node of the sheet is then {nearest:.4} from the sphere");
    assert!(nearest.abs() < 0.005, "the ball has flat faces");

    Picture::new(&ball.bounds().merged(&Aabb::of(safe.iter().copied())))
        .surface(&ball, GREY)
        .triangles(&safe, flat.triangles(), |_| BLUE)
        .save("mesh_ccd")?;

    Ok(())
}
