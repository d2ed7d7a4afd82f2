//! Two flat sets of one plane: do they meet?
//!
//! Parts of a surface that lie in one plane, as where a solid slides along a wall, meet tetrahedra in corners, edges and
//! faces of that plane alone. Whether a triangle meets those is asked of the projection along the axis on which the
//! plane is steepest, which is one to one: some ten signs in the plane instead of up to thirty in space. Of two V-shapes'
//! legs that pass through each other side by side, two thirds of the hits are of this kind.

use super::Relation;
use crate::space::{Point, Vector, orient2};

/// Share of the squared size of a triangle below which a component of its normal is not trusted to be other than zero:
/// it is wrong by 8 u.
const FLAT: f64 = 1e-14;

/// Triangles smaller than this are left aside, because their products may underflow.
const SMALLEST: f64 = 1e-90;

/// How a triangle upright on an axis lies to a tetrahedron that is on one side of its plane and has corners in it: the
/// sides are those of a coordinate, without any rounding. `None` in all other cases.
pub(super) fn along_an_axis(
    triangle: &[Point<3>; 3],
    tetrahedron: &[Point<3>; 4],
    normal: &Vector<3>,
    size: f64,
) -> Option<Relation> {
    let axis = normal.iamax();
    let at = triangle[0][axis];
    if triangle[1][axis] != at || triangle[2][axis] != at {
        return None;
    }
    let side = |corner: &Point<3>| (corner[axis] > at) as i8 - (corner[axis] < at) as i8;
    on_one_side(triangle, tetrahedron, &tetrahedron.each_ref().map(side), normal, size)
}

/// The same for any triangle, by the sides of its plane on which the tetrahedron's corners are.
pub(super) fn on_one_side(
    triangle: &[Point<3>; 3],
    tetrahedron: &[Point<3>; 4],
    sides: &[i8; 4],
    normal: &Vector<3>,
    size: f64,
) -> Option<Relation> {
    let (mut corners, mut count, mut sum) = ([tetrahedron[0]; 4], 0, 0i8);
    for (corner, &side) in tetrahedron.iter().zip(sides) {
        sum += side;
        corners[count] = *corner;
        count += usize::from(side == 0);
    }
    match count {
        // All four are in the plane, or the triangle has none.
        4 => None,
        _ if sum.unsigned_abs() as usize + count != 4 => None,
        0 => Some(Relation::Apart),
        _ => {
            let meets = meets(triangle, &corners[..count], normal, size)?;
            Some(if meets { Relation::Touching } else { Relation::Apart })
        }
    }
}

/// Whether the hull of up to three points of a triangle's plane meets the triangle; `None` for a triangle so thin that
/// its plane is in doubt.
fn meets(triangle: &[Point<3>; 3], points: &[Point<3>], normal: &Vector<3>, size: f64) -> Option<bool> {
    let axis = normal.iamax();
    if normal[axis].abs() <= FLAT * size * size || size < SMALLEST {
        return None;
    }
    let seen = |p: &Point<3>| Point::from([p[(axis + 1) % 3], p[(axis + 2) % 3]]);
    let own = triangle.each_ref().map(seen);
    let mut theirs = [own[0]; 3];
    points.iter().zip(&mut theirs).for_each(|(point, place)| *place = seen(point));
    let theirs = &theirs[..points.len()];
    Some(!parts(&own, theirs) && !parts(theirs, &own))
}

/// Whether the line of an edge of one has the other strictly on its outer side. Of two convex sets that are apart, an
/// edge of one or the other does.
fn parts(one: &[Point<2>], other: &[Point<2>]) -> bool {
    let edges = match one.len() {
        1 => 0,
        2 => 1,
        _ => 3,
    };
    (0..edges).any(|edge| {
        let (a, b) = (&one[edge], &one[(edge + 1) % one.len()]);
        let side = orient2(a, b, &other[0]) as i8;
        side != 0
            && other[1..].iter().all(|p| orient2(a, b, p) as i8 == side)
            && (one.len() < 3 || orient2(a, b, &one[(edge + 2) % 3]) as i8 != side)
    })
}
