//! A tetrahedron of zero volume: its four faces, which may be segments or points.
//!
//! Coplanar cases are decided in the three coordinate planes. Two convex sets of one plane meet if
//! and only if their projections along every axis do, because the projection along at least one
//! axis is one-to-one.

use super::signs::Signs;
use super::{EDGES, Extremes, FACES, Relation};
use crate::space::{Point, Sign, orient2};

pub(super) fn relation(signs: &Signs, sides: &[i8; 4]) -> Relation {
    let mut found = Extremes::NONE;
    found.beyond |= EDGES.iter().any(|&edge| edge_passes(signs, edge, sides));
    for face in 0..4 {
        let outer = signs.outer(face);
        for edge in 0..3 {
            let ends = [outer[edge], outer[(edge + 1) % 3]];
            if ends[0] * ends[1] <= 0 && ends != [0, 0] {
                signs.through_face(edge, face, ends, &mut found);
            }
        }
        found.beyond |= triangle_corner_on(signs, face, &outer);
    }

    if found.beyond || tetrahedron_corner_on(signs, sides) || edges_meet(signs) {
        Relation::Touching
    } else {
        Relation::Apart
    }
}

/// Returns whether an edge of the tetrahedron crosses the triangle elsewhere than in the shared
/// node or edge, which may cross it.
fn edge_passes(signs: &Signs, [k, l]: [usize; 2], sides: &[i8; 4]) -> bool {
    let ends = [signs.tetrahedron[k], signs.tetrahedron[l]];
    let holds_shared = || match shared_nodes(signs)[..] {
        [] => false,
        [only] => segments_meet(&[only; 2], &ends),
        [first, second, ..] => segments_meet(&[first, second], &ends),
    };

    signs
        .through_triangle([k, l], sides)
        .is_some_and(|(_, is_shared)| !is_shared && !holds_shared())
}

/// Returns whether a corner of the triangle that is not a shared node lies on a face.
fn triangle_corner_on(signs: &Signs, face: usize, outer: &[i8; 3]) -> bool {
    let corners = FACES[face].map(|i| signs.tetrahedron[i]);
    (0..3).any(|corner| {
        let point = &signs.triangle[corner];
        let is_own = signs.shared.partner[corner].is_none();
        is_own
            && outer[corner] == 0
            && in_triangle(point, &corners)
            && !on_shared_edge(signs, point)
    })
}

/// Returns whether a corner of the tetrahedron that is not a shared node lies on the triangle.
fn tetrahedron_corner_on(signs: &Signs, sides: &[i8; 4]) -> bool {
    (0..4).any(|corner| {
        let point = &signs.tetrahedron[corner];
        let is_own = !signs.shared.has(corner);
        is_own
            && sides[corner] == 0
            && in_triangle(point, signs.triangle)
            && !on_shared_edge(signs, point)
    })
}

fn on_shared_edge(signs: &Signs, point: &Point<3>) -> bool {
    let shared = shared_nodes(signs);
    shared.len() == 2 && segments_meet(&[*point; 2], &[shared[0], shared[1]])
}

fn shared_nodes(signs: &Signs) -> Vec<Point<3>> {
    (0..3)
        .filter(|&i| signs.shared.partner[i].is_some())
        .map(|i| signs.triangle[i])
        .collect()
}

/// Returns whether edges without a common node meet, elsewhere than in a shared node.
fn edges_meet(signs: &Signs) -> bool {
    (0..3).any(|edge| EDGES.iter().any(|&ends| edge_meets(signs, edge, ends)))
}

fn edge_meets(signs: &Signs, edge: usize, [k, l]: [usize; 2]) -> bool {
    let corners = [edge, (edge + 1) % 3];
    let partners = corners.map(|corner| signs.shared.partner[corner]);
    let is_shared = partners.iter().all(Option::is_some);
    let has_common = partners
        .iter()
        .flatten()
        .any(|&p| p as usize == k || p as usize == l);

    if is_shared || has_common || signs.turn(edge, k, l) != 0 {
        return false;
    }

    let own = corners.map(|corner| signs.triangle[corner]);
    let other = [signs.tetrahedron[k], signs.tetrahedron[l]];
    let through_shared = shared_nodes(signs)
        .iter()
        .any(|&node| segments_meet(&[node; 2], &own) && segments_meet(&[node; 2], &other));

    segments_meet(&own, &other) && !through_shared
}

/// Returns whether two coplanar segments meet.
fn segments_meet(one: &[Point<3>; 2], other: &[Point<3>; 2]) -> bool {
    (0..3).all(|axis| segments_meet_in_plane(&seen(one, axis), &seen(other, axis)))
}

/// Returns whether a point of the triangle's plane lies in the triangle.
fn in_triangle(point: &Point<3>, triangle: &[Point<3>; 3]) -> bool {
    (0..3).all(|axis| in_flat_triangle(&seen(&[*point], axis)[0], &seen(triangle, axis)))
}

/// Returns the points without one coordinate.
fn seen<const N: usize>(points: &[Point<3>; N], axis: usize) -> [Point<2>; N] {
    points.map(|p| Point::from([p[(axis + 1) % 3], p[(axis + 2) % 3]]))
}

fn segments_meet_in_plane([p, q]: &[Point<2>; 2], [k, l]: &[Point<2>; 2]) -> bool {
    let of_other = [orient2(p, q, k) as i8, orient2(p, q, l) as i8];
    let of_one = [orient2(k, l, p) as i8, orient2(k, l, q) as i8];
    if of_other[0] * of_other[1] > 0 || of_one[0] * of_one[1] > 0 {
        return false;
    }

    let on_one_line = of_other == [0, 0] && of_one == [0, 0];
    !on_one_line
        || (0..2).all(|i| p[i].min(q[i]) <= k[i].max(l[i]) && k[i].min(l[i]) <= p[i].max(q[i]))
}

fn in_flat_triangle(point: &Point<2>, [a, b, c]: &[Point<2>; 3]) -> bool {
    let turns = [
        orient2(a, b, point),
        orient2(b, c, point),
        orient2(c, a, point),
    ];
    let one_way = turns.iter().all(|&t| t >= Sign::Zero) || turns.iter().all(|&t| t <= Sign::Zero);

    if !one_way || orient2(a, b, c) != Sign::Zero {
        return one_way;
    }

    [[a, b], [b, c], [c, a]]
        .iter()
        .any(|[u, v]| segments_meet_in_plane(&[*point; 2], &[**u, **v]))
}
