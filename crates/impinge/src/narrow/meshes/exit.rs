//! Exit of a triangle from another under translation along a straight line.
//!
//! Triangles a and b, with b moved by s, share a point if s is in the convex polytope a ⊖ b = {p −
//! q}. Its facets have the normals of the two triangles or of pairs of their sides, and in a common
//! plane those of the sides. For any unit vector u the shift obeys u·s ≤ h(u) = max u·p − min u·q.
//! The least h(u) / (u·d) is therefore the exit of a motion along d, and the least h(u) is the
//! penetration depth of the two.

use crate::space::{Point, Vector};

/// Separation of two triangles under translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    /// The length of the shortest shift of the second, in any direction, that separates them;
    /// negative if they are apart.
    pub(super) depth: f64,
    /// Length of the motion along the direction until they separate.
    pub(super) length: f64,
    /// Normal of the plane between them at that moment, from the first to the second.
    pub(super) normal: Vector<3>,
}

impl Exit {
    /// Computes the exit of the second triangle, moving along a unit vector.
    pub(super) fn new(a: &[Point<3>; 3], b: &[Point<3>; 3], direction: &Vector<3>) -> Self {
        let seen = |p: &Point<3>| p - a[0];
        let (a, b) = (a.each_ref().map(seen), b.each_ref().map(seen));
        let sides = [&a, &b].map(|t| [t[1] - t[0], t[2] - t[1], t[0] - t[2]]);
        let normals = sides.map(|side| side[0].cross(&side[1]));
        let mut exit = Self {
            depth: f64::INFINITY,
            length: f64::INFINITY,
            normal: *direction,
        };

        for k in 0..2 {
            exit.cut(&a, &b, &normals[k], direction);
            for side in &sides[k] {
                exit.cut(&a, &b, &normals[k].cross(side), direction);
            }
        }

        for side in &sides[0] {
            for other in &sides[1] {
                exit.cut(&a, &b, &side.cross(other), direction);
            }
        }

        exit
    }

    /// Applies an axis in both directions. Any axis gives a bound; one of zero length is skipped.
    #[inline]
    fn cut(
        &mut self,
        a: &[Vector<3>; 3],
        b: &[Vector<3>; 3],
        axis: &Vector<3>,
        direction: &Vector<3>,
    ) {
        let Some(axis) = axis.try_normalize(0.0) else {
            return;
        };
        let ([low_a, up_a], [low_b, up_b]) = (span(a, &axis), span(b, &axis));
        let speed = axis.dot(direction);
        let (ahead, behind) = (up_a - low_b, up_b - low_a);
        self.depth = self.depth.min(ahead).min(behind);

        let (room, normal) = if speed > 0.0 {
            (ahead, axis)
        } else {
            (behind, -axis)
        };
        let way = room / speed.abs();

        if way < self.length {
            (self.length, self.normal) = (way, normal);
        }
    }
}

fn span(triangle: &[Vector<3>; 3], axis: &Vector<3>) -> [f64; 2] {
    let [p, q, r] = triangle.each_ref().map(|corner| axis.dot(corner));
    [p.min(q).min(r), p.max(q).max(r)]
}
