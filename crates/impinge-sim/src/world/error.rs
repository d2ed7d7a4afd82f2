//! Errors in building a world.

use crate::{InvalidInside, InvalidParticles};
use impinge::shape::Problem;
use impinge::space::InvalidPose;
use thiserror::Error;

/// The reason why an object cannot be added to a world, or a state cannot be restored.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// A shape is invalid.
    #[error("{item}: {fault}")]
    Shape {
        /// Name of the object.
        item: String,
        /// What is wrong with it.
        fault: Problem,
    },
    /// A position or rotation is invalid.
    #[error("{item}: {fault}")]
    Pose {
        /// Name of the object.
        item: String,
        /// What is wrong with it.
        fault: InvalidPose,
    },
    /// Settings contradict each other or are out of range.
    #[error("{item}: {reason}")]
    Unsuited {
        /// Name of the object or option.
        item: String,
        /// What is wrong.
        reason: String,
    },
    /// The particles are invalid.
    #[error(transparent)]
    Particles(#[from] InvalidParticles),
    /// A saved state belongs to another world.
    #[error("the saved state does not fit the world")]
    State,
}

impl WorldError {
    pub(crate) fn unsuited(item: &str, reason: impl Into<String>) -> Self {
        Self::Unsuited {
            item: item.to_owned(),
            reason: reason.into(),
        }
    }

    pub(crate) fn shape(item: &str, fault: Problem) -> Self {
        Self::Shape {
            item: item.to_owned(),
            fault,
        }
    }

    pub(crate) fn inside(item: &str, fault: InvalidInside) -> Self {
        match fault {
            InvalidInside::Broken(fault) => Self::shape(item, fault),
            unclear => Self::unsuited(item, unclear.to_string()),
        }
    }

    pub(crate) fn pose(item: &str, fault: InvalidPose) -> Self {
        Self::Pose {
            item: item.to_owned(),
            fault,
        }
    }
}
