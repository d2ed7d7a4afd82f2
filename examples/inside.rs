//! Porosity of a foam: which of 200,000 random points lie in the material?
//!
//! `cargo run --release -p impinge-examples --example inside`

use impinge::inside::{Inside, InsideOptions, Position};
use impinge::shape::generate;
use impinge::space::{Point, Random};
use impinge_examples::{GREY, ORANGE, Picture};
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let foam = generate::foam(20_000, 1)?;
    let (bounds, volume) = (*foam.bounds(), foam.volume());

    let mut random = Random::new(7);
    let mut coordinate = |axis: usize| random.within(bounds.min[axis], bounds.max[axis]);
    let points: Vec<Point<3>> = (0..200_000)
        .map(|_| Point::from([coordinate(0), coordinate(1), coordinate(2)]))
        .collect();

    // ANCHOR: ask
    // Preparing takes a moment; each point then costs some ten nanoseconds, and the answer is exact.
    let inside = Inside::new(foam, &InsideOptions::default())?;
    let mut positions = Vec::new();
    inside.positions(&points, &mut positions)?;

    let is_inside = |position: &&Position| **position == Position::Inside;
    let count = positions.iter().filter(is_inside).count();
    // ANCHOR_END: ask

    let porosity = 1.0 - count as f64 / points.len() as f64;
    let exact = 1.0 - volume / bounds.volume();
    println!("porosity {porosity:.4}; from the volume of the surface {exact:.4}");
    assert!((porosity - exact).abs() < 0.01);

    // The lower half of the points: the cut through the middle shows the material.
    let shown = points.iter().zip(&positions);
    let shown = shown.filter(|(point, _)| point.z < bounds.centre().z);
    let ball = |(point, position): (&Point<3>, &Position)| {
        let colour = [GREY, ORANGE][usize::from(*position == Position::Inside)];
        (*point, 0.008 * bounds.longest_edge(), colour)
    };
    Picture::new(&bounds)
        .balls(shown.map(ball))
        .save("inside")?;

    Ok(())
}
