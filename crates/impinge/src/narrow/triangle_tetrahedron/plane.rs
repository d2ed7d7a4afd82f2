//! A tetrahedron on one side of a triangle's plane, with corners in it.
//!
//! Coplanar parts of a surface, as when a solid slides along a wall, meet tetrahedra only in
//! corners, edges and faces of that plane. Whether a triangle touches those is decided in the
//! plane: about ten signs in 2D instead of up to thirty in 3D. For a V whose legs pass through each
//! other side by side, two thirds of the hits are of this kind.

use super::super::triangle::touch_in_plane;
use super::Relation;
use crate::space::{Point, Vector};

/// Fraction of a triangle's squared size below which its normal, with an error of 8 u, is not
/// trusted: without an area it may be a segment, and the planar test does not handle two collinear
/// segments.
const FLAT: f64 = 1e-14;

/// Triangles smaller than this are skipped, because their products may underflow.
const SMALLEST: f64 = 1e-90;

/// Returns the relation of a triangle normal to an axis to a tetrahedron that is on one side of its
/// plane and has corners in it: the sides follow from comparing one coordinate, without rounding.
/// `None` in all other cases.
pub(super) fn along_an_axis(
    triangle: &[Point<3>; 3],
    tetrahedron: &[Point<3>; 4],
    normal: &Vector<3>,
    size: f64,
) -> Option<Relation> {
    let axis = normal.iamax();
    let at = triangle[0][axis];
    let is_upright = triangle[1][axis] == at && triangle[2][axis] == at;

    if !is_upright || size < SMALLEST || normal[axis].abs() <= FLAT * size * size {
        return None;
    }

    let side = |corner: &Point<3>| (corner[axis] > at) as i8 - (corner[axis] < at) as i8;
    on_one_side(triangle, tetrahedron, &tetrahedron.each_ref().map(side))
}

/// The same for any triangle, given the sides of its plane on which the tetrahedron's corners are.
pub(super) fn on_one_side(
    triangle: &[Point<3>; 3],
    tetrahedron: &[Point<3>; 4],
    sides: &[i8; 4],
) -> Option<Relation> {
    let (mut corners, mut count, mut sum) = ([tetrahedron[0]; 4], 0, 0i8);
    for (corner, &side) in tetrahedron.iter().zip(sides) {
        sum += side;
        corners[count] = *corner;
        count += usize::from(side == 0);
    }

    match count {
        // All four are in the plane, or the triangle has no plane.
        4 => None,
        _ if sum.unsigned_abs() as usize + count != 4 => None,
        0 => Some(Relation::Apart),
        _ if touch_in_plane(&corners[..count], triangle) => Some(Relation::Touching),
        _ => Some(Relation::Apart),
    }
}
