//! Results of updating a forecast: as predicted, replanned, or an error.

use super::ForecastId;
use crate::space::InvalidMotion;
use thiserror::Error;

/// Error for invalid input; the forecast is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidInput {
    /// The motion is not finite.
    #[error(transparent)]
    Motion(#[from] InvalidMotion),
    /// The body was never added or has been removed.
    #[error("no such body: {}", .0.0)]
    NoBody(ForecastId),
    /// A pose or motion was given for a deforming body.
    #[error("body {} is deforming; set the positions and velocities of its nodes instead of a pose", .0.0)]
    Deforms(ForecastId),
    /// Nodes were given for a rigid body.
    #[error("body {} is rigid; set its motion instead of the positions of its nodes", .0.0)]
    Rigid(ForecastId),
    /// The number of positions or velocities differs from the number of points of the shape.
    #[error("{given} {what} for a shape of {needed} points")]
    Count {
        /// `positions` or `velocities`.
        what: &'static str,
        /// Number given.
        given: usize,
        /// Number required.
        needed: usize,
    },
    /// The position or velocity of a node is NaN, infinite or outside the range of the exact
    /// predicates.
    #[error("the {what} of node {node} is not finite")]
    Node {
        /// `position` or `velocity`.
        what: &'static str,
        /// Index of the node.
        node: usize,
    },
}

/// Result of a motion update.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MotionUpdate {
    /// The motion equals the prediction; the update was redundant.
    AsPredicted,
    /// The motion differs; the pairs of the body were planned again.
    Replanned {
        /// Upper bound of the distance of the body's points from their predicted positions.
        off: f64,
    },
}

/// Error for a time that is NaN, infinite or in the past.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the time {asked} is not finite, or before the present time {now}")]
#[non_exhaustive]
pub struct InvalidTime {
    /// The requested time.
    pub asked: f64,
    /// The current time.
    pub now: f64,
}
