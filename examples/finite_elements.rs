//! Contact search for a finite-element code: a curved body of ten-node tetrahedra pressed into a
//! block.
//!
//! `cargo run --release -p impinge-examples --example finite_elements`

use impinge::narrow::projection::{ContactOptions, FaceTree, node_to_surface, surface_to_surface};
use impinge::shape::{Cells, ElementKind, Mesh, generate};
use impinge::space::{Point, Vector};
use impinge_examples::{BLUE, GREY, ORANGE, Picture};
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let block = generate::brick([4, 4, 2], [2.0, 2.0, 0.5], ElementKind::Tet10)?;

    // The punch has a round lower side: its faces are curved, with nodes between the corners.
    let mut punch = generate::brick([4, 4, 2], [1.0, 1.0, 0.5], ElementKind::Tet10)?;
    for point in &mut punch.points {
        let bulge =
            0.4 * ((point.x - 0.5).powi(2) + (point.y - 0.5).powi(2)) * (1.0 - 2.0 * point.z);
        *point += Point::from([0.5, 0.5, 0.49 + bulge.max(0.0)]).coords;
    }

    // ANCHOR: ask
    let surface = |mesh: &Mesh| -> Result<_, impinge::shape::Problem> {
        Ok(FaceTree::new(Cells::<3>::from_mesh(mesh)?.boundary().faces))
    };
    let (master, slave) = (surface(&block)?, surface(&punch)?);

    // For each node: the face, natural coordinates, normal, tangents and the signed gap.
    let mut nodes = Vec::new();
    node_to_surface(&slave, &master, &ContactOptions::default(), &mut nodes);

    // The same at quadrature points, with the area of each, to integrate a pressure.
    let mut points = Vec::new();
    surface_to_surface(&slave, &master, &ContactOptions::default(), &mut points);
    // ANCHOR_END: ask

    let deepest = nodes.iter().map(|node| node.touch.gap).fold(0.0, f64::min);
    let area: f64 = points.iter().map(|point| point.weight).sum();
    println!(
        "{} nodes in contact, {deepest:.4} at most; contact area {area:.4}",
        nodes.len()
    );
    assert!((deepest + 0.01).abs() < 1e-12, "pressed in by 0.01");

    let normals = nodes
        .iter()
        .map(|node| [node.touch.point, node.touch.point + node.touch.normal * 0.2]);
    let outside = |tree: &FaceTree<3>| tree.faces().to_mesh().triangles();
    let raised: Vec<_> = punch.points.iter().map(|p| p + Vector::z() * 0.3).collect();
    Picture::new(&block.bounds().grown(0.2))
        .triangles(&block.points, &outside(&master), |_| GREY)
        .triangles(&raised, &outside(&slave), |_| BLUE)
        .lines(normals, ORANGE)
        .save("finite_elements")?;

    Ok(())
}
