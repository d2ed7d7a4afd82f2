//! A layer on a ball, such as the cartilage of a joint.

use super::InvalidArgument;
use super::argument::{check_count, check_length};
use super::brick::{MOST_CELLS, brick};
use crate::shape::{ElementKind, Mesh};
use crate::space::{Point, Vector};

/// Largest half angle: the cells at the corners of the patch are still of good shape.
const WIDEST: f64 = 1.2;

/// Generates a patch of a spherical shell around the origin, symmetric about the z axis, which it
/// crosses at `radius`; its inner radius is smaller by `thickness`. In x and y it reaches the `angle`
/// from that axis. It has cells\[0\]² cells over its surface, of equal angles, and cells\[1\] through its
/// thickness: a hexahedron or six tetrahedra each.
///
/// ```
/// use impinge::shape::{ElementKind, generate};
/// let cartilage = generate::cap(0.01, 0.001, 0.8, [12, 2], ElementKind::Tet4)?;
/// assert_eq!(cartilage.count(ElementKind::Tet4), 6 * 12 * 12 * 2);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn cap(
    radius: f64,
    thickness: f64,
    angle: f64,
    cells: [usize; 2],
    kind: ElementKind,
) -> Result<Mesh, InvalidArgument> {
    check_length("radius", radius)?;
    check_length("thickness", thickness)?;
    if thickness >= radius {
        return Err(InvalidArgument::new(
            "thickness",
            thickness,
            "less than the radius",
        ));
    }
    if !(angle > 0.0 && angle <= WIDEST) {
        let must = format!("more than 0 and at most {WIDEST}");
        return Err(InvalidArgument::new("angle", angle, must));
    }
    let [across, through] = cells;
    check_count("cells", across, 1, MOST_CELLS.isqrt())?;
    check_count("cells", through, 1, MOST_CELLS)?;

    let mut mesh = brick([across, across, through], [1.0; 3], kind)?;
    for point in &mut mesh.points {
        let [u, v] = [point.x, point.y].map(|x| ((2.0 * x - 1.0) * angle).tan());
        let way = Vector::<3>::new(u, v, 1.0).normalize();
        *point = Point::from(way * (radius - thickness * (1.0 - point.z)));
    }

    Ok(mesh)
}

#[cfg(test)]
mod tests;
