//! Meshes of curved bodies: bricks, mapped and joined.

use anyhow::Result;
use impinge::shape::{ElementKind, Mesh, generate};
use impinge::space::{Point, Vector};
use impinge_sim::solid::SolidMesh;
use std::f64::consts::FRAC_PI_4;

/// A block of cells: the image of the unit cube.
pub(super) fn block(
    kind: ElementKind,
    cells: [usize; 3],
    place: impl Fn(Vector<3>) -> Vector<3>,
) -> Result<Mesh> {
    let mut mesh = generate::brick(cells, [1.0; 3], kind)?;
    for point in &mut mesh.points {
        *point = Point::from(place(point.coords));
    }
    Ok(mesh)
}

/// Joins blocks at points that coincide but for rounding.
pub(super) fn joined(blocks: Vec<Mesh>, tolerance: f64) -> Result<SolidMesh> {
    let mut mesh = Mesh::default();
    for block in blocks {
        let first = mesh.points.len() as u32;
        mesh.points.extend(block.points);
        for cells in block.blocks {
            for nodes in cells.elements() {
                let nodes: Vec<u32> = nodes.iter().map(|node| first + node).collect();
                mesh.push(cells.kind, &nodes);
            }
        }
    }
    mesh.weld(tolerance);

    Ok(SolidMesh::from_mesh(&mesh.compacted())?)
}

/// A ball with its centre at a point. Cells at its pole along x, towards `side`, are a third as
/// large as in the middle, and those at the other pole three times.
pub(super) fn graded_ball(
    kind: ElementKind,
    n: usize,
    radius: f64,
    centre: Vector<3>,
    side: f64,
) -> Result<SolidMesh> {
    let mut mesh = generate::ball(n, radius, kind)?;
    // A Möbius transformation of the unit ball onto itself; |a| = ½ scales by 3 at the poles.
    let a = Vector::<3>::new(0.5 * side, 0.0, 0.0);
    for point in &mut mesh.points {
        let x = point.coords / radius;
        let (xa, squared) = (x + a, a.norm_squared());
        let moved = xa * (1.0 - squared) + a * xa.norm_squared();
        let below = 1.0 + 2.0 * a.dot(&x) + x.norm_squared() * squared;
        *point = Point::from(centre + moved * (radius / below));
    }
    Ok(SolidMesh::from_mesh(&mesh)?)
}

/// Numbers of cells of a dome: across its fine square, from there to the rim, and in height.
#[derive(Clone, Copy)]
pub(super) struct DomeCells {
    pub(super) across: usize,
    pub(super) outward: usize,
    pub(super) high: usize,
}

/// A dome: the part of a ball below its centre plane and within a cylinder, with fine cells around
/// the pole. The pole is at the origin, the centre plane at z = `radius`. `grading` is the height
/// of the lowest cells relative to equal ones.
pub(super) fn dome(
    kind: ElementKind,
    cells: DomeCells,
    [radius, rim, fine]: [f64; 3],
    grading: f64,
    turn: f64,
) -> Result<Vec<Mesh>> {
    let DomeCells {
        across,
        outward,
        high,
    } = cells;
    let raised = |x: f64, y: f64, level: f64| {
        let bottom = radius - (radius * radius - x * x - y * y).sqrt();
        // Cells grow with the height, from the size of the fine ones.
        let level = grading * level + (1.0 - grading) * level.powi(3);
        let (sin, cos) = turn.sin_cos();
        Vector::<3>::new(
            cos * x - sin * y,
            sin * x + cos * y,
            bottom + (radius - bottom) * level,
        )
    };
    let mut blocks = vec![block(kind, [across, across, high], |p| {
        raised((2.0 * p.x - 1.0) * fine, (2.0 * p.y - 1.0) * fine, p.z)
    })?];

    for side in 0..4 {
        blocks.push(block(kind, [outward, across, high], |p| {
            let (t, out) = (2.0 * p.y - 1.0, 0.5 * p.x + 0.5 * p.x * p.x);
            let (sin, cos) = (t * FRAC_PI_4).sin_cos();
            let x = (1.0 - out) * fine + out * rim * cos;
            let y = (1.0 - out) * fine * t + out * rim * sin;
            let (x, y) = match side {
                0 => (x, y),
                1 => (-y, x),
                2 => (-x, -y),
                _ => (y, -x),
            };
            raised(x, y, p.z)
        })?);
    }

    Ok(blocks)
}
