//! Read a defective mesh, inspect it, repair it, and write it.
//!
//! `cargo run --release -p impinge-examples --example repair`

use impinge::shape::{Mesh, Surface, generate, inspect};
use impinge_examples::{BLUE, Picture};
use impinge_io::Dataset;
use std::error::Error;
use std::path::Path;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let broken = Path::new("out/examples/broken.obj");
    let repaired = Path::new("out/examples/repaired.stl");
    write_broken(broken)?;

    // ANCHOR: ask
    let mesh = impinge_io::read(broken)?.mesh;
    for problem in inspect(&mesh).problems {
        println!("{problem}");
    }

    // Merges points that only rounding separates, drops what collapses, turns the surface outward.
    let tolerance = 1e-9 * mesh.bounds().longest_edge();
    let (surface, repair) = Surface::repair_within(&mesh.points, &mesh.triangles(), tolerance)?;
    println!("{repair:?}; volume {:.4}", surface.volume());
    // ANCHOR_END: ask

    save(repaired, surface.to_mesh())?;
    assert_eq!(surface.points().len(), 48 * 24);
    let again = inspect(&impinge_io::read(repaired)?.mesh);
    assert!(again.problems.is_empty());
    Picture::new(surface.bounds())
        .surface(&surface, BLUE)
        .save("repair")?;

    Ok(())
}

/// A torus as written by poor exporters: no shared points, each off by rounding, and inside out.
fn write_broken(path: &Path) -> Result<(), Box<dyn Error>> {
    let ring = generate::torus(1.0, 0.3, [48, 24])?;
    let corner =
        |(k, &node): (usize, &u32)| ring.points()[node as usize] * (1.0 + 1e-13 * (k % 7) as f64);
    let nodes = ring.triangles().as_flattened();
    let points = nodes.iter().enumerate().map(corner).collect();
    let count = ring.triangles().len() as u32;
    let triangles: Vec<_> = (0..count).map(|t| [3 * t, 3 * t + 2, 3 * t + 1]).collect();
    std::fs::create_dir_all("out/examples")?;
    save(path, Mesh::of_triangles(points, &triangles))
}

fn save(path: &Path, mesh: Mesh) -> Result<(), Box<dyn Error>> {
    let mut dataset = Dataset::default();
    dataset.mesh = mesh;
    impinge_io::write(path, &dataset)?;
    Ok(())
}
