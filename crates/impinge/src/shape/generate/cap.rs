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
mod tests {
    use super::*;
    use crate::shape::{Cells, Solid};
    use ElementKind::*;

    #[test]
    fn caps_are_valid_and_their_nodes_lie_between_two_spheres() {
        for kind in [Tet4, Tet10, Hex8, Hex20, Hex27] {
            let mesh = cap(2.0, 0.25, 1.0, [8, 2], kind).expect("valid");
            Cells::<3>::from_mesh(&mesh).expect("valid cells");
            for point in &mesh.points {
                let radius = point.coords.norm();
                assert!((1.75 - 1e-12..=2.0 + 1e-12).contains(&radius), "{radius}");
                assert!(point.x.abs().atan2(point.z) <= 1.0 + 1e-12);
            }
        }
    }

    #[test]
    fn the_volume_tends_to_that_of_the_shell() {
        // An equiangular patch of half angle π/4 is a sixth of the sphere.
        let angle = std::f64::consts::FRAC_PI_4;
        let solid = Solid::from_mesh(&cap(2.0, 0.5, angle, [40, 4], Tet4).expect("valid"));
        let shell = 4.0 / 3.0 * std::f64::consts::PI * (8.0 - 1.5f64.powi(3)) / 6.0;
        let volume = solid.expect("positive").volume();
        assert!((volume / shell - 1.0).abs() < 2e-3, "{volume} {shell}");
    }

    #[test]
    fn bad_arguments_are_named() {
        let argument = |radius, thickness, angle, cells, kind| {
            cap(radius, thickness, angle, cells, kind)
                .unwrap_err()
                .argument
        };
        assert_eq!(argument(f64::NAN, 0.1, 0.5, [2, 1], Tet4), "radius");
        assert_eq!(argument(1.0, 0.0, 0.5, [2, 1], Tet4), "thickness");
        assert_eq!(argument(1.0, 1.0, 0.5, [2, 1], Tet4), "thickness");
        assert_eq!(argument(1.0, 0.1, 1.3, [2, 1], Tet4), "angle");
        assert_eq!(argument(1.0, 0.1, f64::NAN, [2, 1], Tet4), "angle");
        assert_eq!(argument(1.0, 0.1, 0.5, [0, 1], Tet4), "cells");
        assert_eq!(argument(1.0, 0.1, 0.5, [2, usize::MAX], Tet4), "cells");
        assert_eq!(argument(1.0, 0.1, 0.5, [2, 1], Wedge6), "element");
    }
}
