//! Nodes with prescribed motion: fixed, or moving on a path.

use crate::{Path, PathState};
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// A held node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Held {
    pub(super) node: u32,
    path: Path,
    /// Position at which it began.
    start: [f64; 3],
}

impl Held {
    /// Holds a node from a time on; its path begins no earlier.
    pub(super) fn new(node: u32, path: Path, start: &Point<3>, time: f64) -> Self {
        Self {
            node,
            path: Path {
                since: path.since.max(time),
                ..path
            },
            start: start.coords.into(),
        }
    }

    /// Returns the position of the node at a time.
    pub(super) fn position(&self, time: f64) -> Point<3> {
        self.path.at(time).pose.point(&Point::from(self.start))
    }

    /// Returns its velocity at a time.
    pub(super) fn velocity(&self, time: f64) -> Vector<3> {
        let PathState {
            pose,
            velocity,
            spin,
            ..
        } = self.path.at(time);
        let arm = pose.point(&Point::from(self.start)) - pose.position();
        velocity + spin.cross(&arm)
    }
}
