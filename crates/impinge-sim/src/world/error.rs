//! Why what a scene describes cannot be made.

use crate::InvalidParticles;
use impinge::shape::Problem;
use impinge::shape::generate::InvalidArgument;
use impinge::space::InvalidPose;
use thiserror::Error;

/// Why what a scene describes cannot be made.
#[derive(Debug, Error)]
pub enum WorldError {
    /// A file.
    #[error("{key}: {fault}")]
    File {
        /// The key that names it.
        key: String,
        /// What is wrong with it.
        fault: impinge_io::Error,
    },
    /// A shape.
    #[error("{key}: {fault}")]
    Shape {
        /// Whose.
        key: String,
        /// What is wrong with it.
        fault: Problem,
    },
    /// A number that a shape is made with.
    #[error("{key}: {fault}")]
    Argument {
        /// Whose.
        key: String,
        /// What is wrong with it.
        fault: InvalidArgument,
    },
    /// A position and rotation.
    #[error("{key}: {fault}")]
    Pose {
        /// Whose.
        key: String,
        /// What is wrong with it.
        fault: InvalidPose,
    },
    /// Something that does not go together.
    #[error("{key}: {reason}")]
    Unsuited {
        /// What.
        key: String,
        /// Why.
        reason: String,
    },
    /// A region is too small for any.
    #[error(
        "{key}: a sphere of radius {radius:.3} m does not fit into the region; lengths are metres"
    )]
    TooLarge {
        /// Whose.
        key: String,
        /// The sphere that was tried.
        radius: f64,
    },
    /// A region is too small.
    #[error(
        "{key}: {placed} of {count} found room in the region; enlarge it, or take fewer or smaller ones"
    )]
    Room {
        /// Whose.
        key: String,
        /// How many were placed.
        placed: usize,
        /// How many there should be.
        count: usize,
    },
    /// The particles.
    #[error(transparent)]
    Particles(#[from] InvalidParticles),
    /// The state in a checkpoint does not fit the scene.
    #[error("the checkpoint does not fit the scene")]
    State,
}

impl WorldError {
    /// The key of the scene that it is about.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::File { key, .. }
            | Self::Shape { key, .. }
            | Self::Argument { key, .. }
            | Self::Pose { key, .. }
            | Self::Unsuited { key, .. }
            | Self::TooLarge { key, .. }
            | Self::Room { key, .. } => Some(key),
            Self::Particles(_) | Self::State => None,
        }
    }

    pub(crate) fn unsuited(key: &str, reason: impl Into<String>) -> Self {
        Self::Unsuited {
            key: key.to_owned(),
            reason: reason.into(),
        }
    }

    pub(crate) fn shape(key: &str, fault: Problem) -> Self {
        Self::Shape {
            key: key.to_owned(),
            fault,
        }
    }

    pub(crate) fn argument(key: &str, fault: InvalidArgument) -> Self {
        Self::Argument {
            key: key.to_owned(),
            fault,
        }
    }

    pub(crate) fn pose(key: &str, fault: InvalidPose) -> Self {
        Self::Pose {
            key: key.to_owned(),
            fault,
        }
    }
}
