//! Intersection of two convex polygons in one plane, with the origin of each of its corners.
//!
//! The first polygon is clipped against each edge of the second (Sutherland and Hodgman 1974).
//! O(corners · corners).

use crate::space::Vector;

/// Origin of a corner of the intersection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A corner of the first polygon.
    First(usize),
    /// A corner of the second polygon.
    Second(usize),
    /// The intersection of an edge of the first and an edge of the second.
    Crossing(usize, usize),
}

/// An edge of the first or second polygon, given by its start corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rim {
    First(usize),
    Second(usize),
}

/// A corner of the intersection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) at: Vector<2>,
    pub(super) origin: Origin,
    /// The edge that starts here.
    pub(super) rim: Rim,
}

/// Returns the corners of the intersection of two counter-clockwise convex polygons; empty if they
/// are disjoint.
pub(super) fn common_part(first: &[Vector<2>], second: &[Vector<2>]) -> Vec<Corner> {
    let corner = |(i, &at)| Corner {
        at,
        origin: Origin::First(i),
        rim: Rim::First(i),
    };
    let mut kept: Vec<Corner> = first.iter().enumerate().map(corner).collect();
    let mut cut = Vec::with_capacity(kept.len() + second.len());

    for edge in 0..second.len() {
        cut_along(&kept, second, edge, &mut cut);
        std::mem::swap(&mut kept, &mut cut);
    }

    kept
}

/// Keeps the part to the left of one edge.
fn cut_along(polygon: &[Corner], second: &[Vector<2>], edge: usize, kept: &mut Vec<Corner>) {
    kept.clear();
    let (from, to) = (second[edge], second[(edge + 1) % second.len()]);
    let height = |corner: &Corner| (to - from).perp(&(corner.at - from));

    for (i, corner) in polygon.iter().enumerate() {
        let next = &polygon[(i + 1) % polygon.len()];
        let (here, there) = (height(corner), height(next));
        if here >= 0.0 {
            kept.push(*corner);
        }
        if (here >= 0.0) != (there >= 0.0) {
            let leaves = here >= 0.0;
            let at = corner.at + (next.at - corner.at) * (here / (here - there));
            kept.push(crossing(corner.rim, second, edge, leaves, at));
        }
    }
}

/// Returns the corner where an edge of the polygon crosses the clipping edge.
fn crossing(rim: Rim, second: &[Vector<2>], edge: usize, leaves: bool, at: Vector<2>) -> Corner {
    let onward = if leaves { Rim::Second(edge) } else { rim };
    match rim {
        Rim::First(i) => Corner {
            at,
            origin: Origin::Crossing(i, edge),
            rim: onward,
        },
        // Two edges of the second polygon meet in one of its corners.
        Rim::Second(other) => {
            let corner = if leaves { edge } else { other };
            let neighbours =
                (other + 1) % second.len() == edge || (edge + 1) % second.len() == other;
            Corner {
                at: if neighbours { second[corner] } else { at },
                origin: Origin::Second(corner),
                rim: onward,
            }
        }
    }
}

/// Area and centroid of a counter-clockwise polygon; the centroid is a corner if the area vanishes.
pub(super) fn area_and_centroid(corners: &[Corner]) -> (f64, Vector<2>) {
    let Some(root) = corners.first() else {
        return (0.0, Vector::zeros());
    };
    let (mut area, mut moment) = (0.0, Vector::<2>::zeros());

    for pair in corners[1..].windows(2) {
        let (u, v) = (pair[0].at - root.at, pair[1].at - root.at);
        let part = 0.5 * u.perp(&v);
        area += part;
        moment += (u + v) * (part / 3.0);
    }

    (
        area,
        if area > 0.0 {
            root.at + moment / area
        } else {
            root.at
        },
    )
}
