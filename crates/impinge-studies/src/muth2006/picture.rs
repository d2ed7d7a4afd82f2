//! Figure 11: the mesh of the foam.

use anyhow::Result;
use impinge::shape::{Surface, generate};
use impinge_draw::{Camera, Canvas, Colour};
use std::path::Path;

/// Triangles of the foam in the figure; the paper's has 28,952.
const TRIANGLES: usize = 28_952;

pub(super) fn draw(folder: &Path) -> Result<()> {
    let foam = generate::foam(TRIANGLES, 1)?;
    std::fs::write(folder.join("figure11.png"), picture(&foam))?;
    Ok(())
}

fn picture(foam: &Surface) -> Vec<u8> {
    let camera = Camera::looking_along([1.0, 2.0, -1.0], foam.bounds());
    let mut canvas = Canvas::new(560, 420, camera);
    for triangle in foam.triangles() {
        let corners = triangle.map(|node| foam.points()[node as usize]);
        canvas.triangle(&corners, Colour::rgb(200, 200, 205));
    }
    canvas.to_png()
}
