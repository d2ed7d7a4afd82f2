//! What a caller tells the engine: accepted as known, as news, or refused.

use super::ForecastId;
use crate::space::InvalidMotion;
use thiserror::Error;

/// Why something was refused; nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InvalidInput {
    /// A motion that is not finite.
    #[error(transparent)]
    Motion(#[from] InvalidMotion),
    /// A body that was never added or is removed.
    #[error("there is no body {}", .0.0)]
    NoBody(ForecastId),
    /// A pose or motion for a body that deforms.
    #[error("body {} deforms: it has positions and velocities of its nodes instead of a pose", .0.0)]
    Deforms(ForecastId),
    /// Nodes for a body that is rigid.
    #[error("body {} is rigid: it has a motion instead of positions of its nodes", .0.0)]
    Rigid(ForecastId),
    /// Another number of positions or velocities than the shape has points.
    #[error("{given} {what} for a shape of {needed} points")]
    Count {
        /// What was given.
        what: &'static str,
        /// How many.
        given: usize,
        /// How many it should be.
        needed: usize,
    },
    /// A node whose position or velocity is NaN, infinite or beyond what the exact predicates take.
    #[error("the {what} of node {node} is not finite")]
    Node {
        /// `position` or `velocity`.
        what: &'static str,
        /// Its number.
        node: usize,
    },
}

/// What the engine made of what it was told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MotionUpdate {
    /// It is what was predicted: all plans stand.
    AsPredicted,
    /// It is not: everything about the body was planned anew.
    Replanned {
        /// How far the body, at its furthest, is from where it was predicted to be now.
        off: f64,
    },
}

/// A time that is NaN, infinite or before the present.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the time {asked} is not finite, or before the present time {now}")]
pub struct InvalidTime {
    /// What was asked for.
    pub asked: f64,
    /// The engine's time.
    pub now: f64,
}
