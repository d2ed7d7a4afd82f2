//! Lower bound of the penetration depth from balls inscribed in the bodies.
//!
//! Let a ball of radius r around p lie in A and one of radius s around p in B. For any shift x of B
//! shorter than r + s the point p + x·r/(r + s) is in A and in the shifted B. No shorter
//! translation therefore separates the bodies, whatever their shapes. For a point of B's surface s
//! is 0, and the bound is its depth in A. The bound is sharp if flat or round parts penetrate each
//! other; for crossing edges it is lower, 0.71 of the depth for right angles.

use super::super::Relative;
use super::overlap::winding_of;
use super::tree::TriangleTree;
use crate::space::{Point, Vector};

/// Maximum number of nodes inside the other body whose depth is computed, evenly spaced in their
/// list.
const NODES: usize = 256;

/// Maximum number of ascent steps, each 3/2 or 1/2 of the last one's length.
const CLIMB: usize = 80;

/// Step, relative to the required bound, below which the ascent ends.
const SHORTEST: f64 = 1e-6;

/// Two bodies, the second in the first one's frame.
pub(super) struct Inscribed<'a> {
    pub(super) a: &'a TriangleTree,
    pub(super) b: &'a TriangleTree,
    pub(super) relative: Relative<3>,
}

impl Inscribed<'_> {
    /// Returns for each body its deepest node inside the other: its depth, and the shift of the
    /// second body that moves it to the surface. The nodes must be known to be inside.
    pub(super) fn deepest_nodes(&self, inside: &[Vec<u32>; 2]) -> [(f64, Vector<3>); 2] {
        let of_a = inside[0]
            .iter()
            .step_by(inside[0].len().div_ceil(NODES).max(1))
            .map(|&node| {
                let point = self.in_b(&self.a.points()[node as usize]);
                let nearest = self.b.nearest(&point);
                (
                    nearest.distance,
                    self.relative.vector(&(point - nearest.point)),
                )
            });

        let of_b = inside[1]
            .iter()
            .step_by(inside[1].len().div_ceil(NODES).max(1))
            .map(|&node| {
                let point = self.in_a(&self.b.points()[node as usize]);
                let nearest = self.a.nearest(&point);
                (nearest.distance, nearest.point - point)
            });

        [
            of_a.fold((0.0, Vector::zeros()), deeper),
            of_b.fold((0.0, Vector::zeros()), deeper),
        ]
    }

    /// Returns the best bound near a point in the first body's frame; 0 if the point is not in both
    /// bodies.
    pub(super) fn around(&self, start: &Point<3>, enough: f64) -> f64 {
        let within = |tree: &TriangleTree, point: &Point<3>| {
            winding_of(point, (0..tree.len()).map(|face| tree.corners(face))) > 0
        };

        if !(within(self.a, start) && within(self.b, &self.in_b(start))) {
            return 0.0;
        }

        self.climb(start, enough)
    }

    /// Moves from point to point while the sum of the two radii grows.
    fn climb(&self, start: &Point<3>, enough: f64) -> f64 {
        let (mut point, mut best) = (*start, self.radii(start));
        let mut step = enough;
        for _ in 0..CLIMB {
            if best >= enough || step < SHORTEST * enough {
                break;
            }

            let ways = (0..6).map(|k| Vector::<3>::ith(k % 3, if k < 3 { step } else { -step }));
            let there = ways
                .map(|way| point + way)
                .map(|p| (self.radii(&p), p))
                .filter(|(radii, p)| *radii > best && self.is_free(&point, p))
                .max_by(|p, q| p.0.total_cmp(&q.0));

            match there {
                Some((radii, p)) => (best, point, step) = (radii, p, 1.5 * step),
                None => step *= 0.5,
            }
        }

        best
    }

    fn radii(&self, point: &Point<3>) -> f64 {
        self.a.nearest(point).distance + self.b.nearest(&self.in_b(point)).distance
    }

    /// Returns whether no surface lies between two points.
    fn is_free(&self, from: &Point<3>, to: &Point<3>) -> bool {
        self.a.first_hit(from, to).is_none()
            && self.b.first_hit(&self.in_b(from), &self.in_b(to)).is_none()
    }

    fn in_b(&self, point: &Point<3>) -> Point<3> {
        Point::from(
            self.relative
                .vector_in_b(&(point.coords - self.relative.shift)),
        )
    }

    fn in_a(&self, point: &Point<3>) -> Point<3> {
        Point::from(self.relative.vector(&point.coords) + self.relative.shift)
    }
}

fn deeper(best: (f64, Vector<3>), next: (f64, Vector<3>)) -> (f64, Vector<3>) {
    if next.0 > best.0 { next } else { best }
}
