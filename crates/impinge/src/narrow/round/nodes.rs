//! Surface nodes of a capsule, cylinder or cone, for contact with solids and finite-element faces.
//!
//! Contact with those is node to surface. The nodes of a round body are points on its surface: rings of
//! [`SECTORS`] points, so that an arc between two nodes bulges by at most 2 % of the radius.

use super::super::nodes::{Exit, NodeBody};
use super::closest;
use crate::shape::{Round, RoundKind};
use crate::space::{Point, Pose};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// Number of nodes on a ring.
const SECTORS: u32 = 16;

/// Rings of a body: distance along the axis, and from it.
fn rings(body: &Round) -> ([[f64; 2]; 7], usize) {
    let (length, radius) = (body.length(), body.radius());
    let bulge = FRAC_1_SQRT_2 * radius;
    match body.kind() {
        RoundKind::Capsule => (
            [
                [-radius, 0.0],
                [-bulge, bulge],
                [0.0, radius],
                [0.5 * length, radius],
                [length, radius],
                [length + bulge, bulge],
                [length + radius, 0.0],
            ],
            7,
        ),
        RoundKind::Cylinder => (
            [
                [0.0, 0.0],
                [0.0, 0.5 * radius],
                [0.0, radius],
                [0.5 * length, radius],
                [length, radius],
                [length, 0.5 * radius],
                [length, 0.0],
            ],
            7,
        ),
        RoundKind::Cone => {
            let mut rings = [[length, 0.0]; 7];
            rings[..4].copy_from_slice(&[
                [0.0, 0.0],
                [0.0, 0.5 * radius],
                [0.0, radius],
                [0.5 * length, 0.5 * radius],
            ]);
            (rings, 5)
        }
    }
}

impl NodeBody<3> for Round {
    fn visit_nodes(&self, mut visit: impl FnMut(u32, &Point<3>)) {
        let across = self.across();
        let aside = self.axis().cross(&across);
        let (rings, count) = rings(self);
        for (ring, [along, radius]) in (0..).zip(&rings[..count]) {
            // An end on the axis is one node.
            let sectors = if *radius > 0.0 { SECTORS } else { 1 };
            for sector in 0..sectors {
                let (sin, cos) = (TAU * f64::from(sector) / f64::from(SECTORS)).sin_cos();
                let way = (across * cos + aside * sin) * *radius;
                visit(
                    ring * SECTORS + sector,
                    &(self.ends()[0] + self.axis() * *along + way),
                );
            }
        }
    }

    fn exit(&self, pose: &Pose<3>, point: &Point<3>, margin: f64) -> Option<Exit<3>> {
        closest::exit(self, pose, point, margin)
    }

    fn visit_face_nodes(&self, _: u32, _: impl FnMut(u32)) {}

    /// The cells of the grid of rings and sectors.
    fn visit_faces_around(&self, node: u32, mut visit: impl FnMut(u32)) {
        let (ring, sector) = (node / SECTORS, node % SECTORS);
        let (_, count) = rings(self);
        let is_end = ring == 0 || ring as usize == count - 1;
        for below in [ring.checked_sub(1), Some(ring)].into_iter().flatten() {
            if is_end {
                (0..SECTORS).for_each(|cell| visit(below * SECTORS + cell));
            } else {
                visit(below * SECTORS + sector);
                visit(below * SECTORS + (sector + SECTORS - 1) % SECTORS);
            }
        }
    }
}
