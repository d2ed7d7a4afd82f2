//! Body against body: finds the nodes of X that lie in Y, and vice versa [Muth2006, section 2].
//!
//! The bounding box of the other body is the first filter (Figure 2): only nodes within it are
//! tested, and none if the two boxes are disjoint. The prepared data are in each body's own frame,
//! so bodies may move freely.

use super::{Inside, NotFinite, Position};
use crate::space::{Aabb, Point, Pose};

/// A prepared surface and its pose.
#[derive(Clone, Copy, Debug)]
pub struct PlacedBody<'a> {
    /// The surface, prepared in its own frame.
    pub inside: &'a Inside,
    /// Transform from its frame to the world.
    pub pose: Pose<3>,
}

/// A node of one body that lies in or on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NodeInBody {
    /// Index of the node.
    pub node: u32,
    /// Its position relative to the other body; never `Outside`.
    pub position: Position,
}

/// The nodes of each of two bodies that lie in or on the other, sorted by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NodesInBodies {
    /// Nodes of the first body in the second.
    pub a_in_b: Vec<NodeInBody>,
    /// Nodes of the second body in the first.
    pub b_in_a: Vec<NodeInBody>,
}

/// Finds the nodes of each body that lie in or on the other. The result is exact for the nodes'
/// coordinates as rounded in the other body's frame. A pose that is not finite is an error that
/// names a node.
///
/// ```
/// use impinge::inside::{Inside, InsideOptions, PlacedBody, nodes_in_bodies};
/// use impinge::shape::generate;
/// use impinge::space::Pose;
/// let ball = Inside::new(generate::sphere(2)?, &InsideOptions::default())?;
/// let at = |x: f64| PlacedBody { inside: &ball, pose: Pose::at([x, 0.0, 0.0]) };
/// let found = nodes_in_bodies(&at(0.0), &at(1.9))?;
/// assert_eq!((found.a_in_b.len(), found.b_in_a.len()), (1, 1));
/// assert_eq!(nodes_in_bodies(&at(0.0), &at(2.1))?, Default::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nodes_in_bodies(a: &PlacedBody, b: &PlacedBody) -> Result<NodesInBodies, NotFinite> {
    let mut found = NodesInBodies::default();
    nodes_in_body(a, b, &mut found.a_in_b)?;
    nodes_in_body(b, a, &mut found.b_in_a)?;
    Ok(found)
}

/// Writes the nodes of `x` that lie in or on `y`, sorted.
pub fn nodes_in_body(
    x: &PlacedBody,
    y: &PlacedBody,
    found: &mut Vec<NodeInBody>,
) -> Result<(), NotFinite> {
    found.clear();
    if boxes_are_apart(x, y) {
        return Ok(());
    }

    let bounds = y.inside.surface().bounds();
    let (mut nodes, mut points) = (Vec::new(), Vec::new());
    for &node in x.inside.nodes() {
        let point = seen_from(x, y, &x.inside.surface().points()[node as usize]);
        let is_finite = point.iter().all(|coordinate| coordinate.is_finite());
        if !is_finite {
            return Err(NotFinite { row: node as usize });
        }
        if bounds.contains(&point) {
            nodes.push(node);
            points.push(point);
        }
    }

    let mut positions = Vec::new();
    y.inside.positions(&points, &mut positions)?;
    let in_y = nodes
        .into_iter()
        .zip(positions)
        .filter(|(_, position)| *position != Position::Outside);
    found.extend(in_y.map(|(node, position)| NodeInBody { node, position }));

    Ok(())
}

/// Transforms a point of `x` to the frame of `y`; without rounding if both have the same pose.
fn seen_from(x: &PlacedBody, y: &PlacedBody, point: &Point<3>) -> Point<3> {
    if x.pose == y.pose {
        *point
    } else {
        y.pose.to_local(&x.pose.point(point))
    }
}

/// Returns whether the bounding box of `x`, in the frame of `y`, is separated from that of `y` by
/// more than rounding errors.
fn boxes_are_apart(x: &PlacedBody, y: &PlacedBody) -> bool {
    let bounds = x.inside.surface().bounds();
    let corner = |k: usize| {
        Point::from(std::array::from_fn::<f64, 3, _>(|axis| {
            if k >> axis & 1 == 1 {
                bounds.max[axis]
            } else {
                bounds.min[axis]
            }
        }))
    };
    let seen = Aabb::of((0..8).map(|k| seen_from(x, y, &corner(k))));

    // Coordinates pass through the world frame, where they may be large.
    let world = |p: &Point<3>| x.pose.point(p).coords.amax() + y.pose.position().coords.amax();
    let size = (0..8)
        .map(|k| world(&corner(k)))
        .fold(seen.max.coords.amax(), f64::max);
    !seen
        .grown(32.0 * f64::EPSILON * size)
        .overlaps(y.inside.surface().bounds())
        && size.is_finite()
}

#[cfg(test)]
mod tests;
