//! Signed distance to a surface, on a slice through it.
//!
//! `cargo run --release -p impinge-examples --example signed_distance`

use impinge::narrow::projection::FaceTree;
use impinge::shape::{Faces, generate};
use impinge::space::Point;
use impinge_draw::Colour;
use impinge_examples::Picture;
use std::error::Error;

/// Cells of the slice along each side.
const CELLS: usize = 160;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let ring = generate::torus(1.0, 0.4, [96, 48])?;
    let bounds = ring.bounds().grown(0.3);

    let step = bounds.extent() / CELLS as f64;
    let middle = |k: usize| {
        let [i, j] = [k % CELLS, k / CELLS].map(|i| i as f64 + 0.5);
        Point::from([bounds.min.x + i * step.x, bounds.min.y + j * step.y, 0.0])
    };
    let points: Vec<Point<3>> = (0..CELLS * CELLS).map(middle).collect();

    // ANCHOR: ask
    // The sign is that of the surface, exact also on edges and vertices. Negative is inside.
    let surface = FaceTree::new(Faces::<3>::from_mesh(&ring.to_mesh())?);
    let mut nearest = Vec::new();
    surface.nearest_points(&points, &mut nearest)?;
    let distance: Vec<f64> = nearest.iter().map(|found| found.projection.gap).collect();
    // ANCHOR_END: ask

    // A torus has a closed formula; the triangles deviate from it by less than 1 %.
    for (point, distance) in points.iter().zip(&distance) {
        let exact = (point.x.hypot(point.y) - 1.0).hypot(point.z) - 0.4;
        assert!(
            (distance - exact).abs() < 0.01,
            "{point}: {distance} and {exact}"
        );
    }

    let value = |distance: &f64| Colour::scale((0.5 + distance).clamp(0.0, 1.0));
    let balls = points.iter().zip(&distance);
    Picture::new(&bounds)
        .balls(balls.map(|(point, distance)| (*point, 0.5 * step.x, value(distance))))
        .save("signed_distance")?;

    Ok(())
}
