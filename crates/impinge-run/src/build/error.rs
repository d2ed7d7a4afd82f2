//! Errors in building the world of a scene.

use impinge::shape::Problem;
use impinge::shape::generate::InvalidArgument;
use impinge::space::InvalidPose;
use impinge_sim::world::WorldError;
use thiserror::Error;

/// The reason why a world cannot be built from a scene.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file cannot be used.
    #[error("{key}: {fault}")]
    File {
        /// The scene key that names it.
        key: String,
        /// What is wrong with it.
        fault: impinge_io::Error,
    },
    /// A shape is invalid.
    #[error("{key}: {fault}")]
    Shape {
        /// The scene key.
        key: String,
        /// What is wrong with it.
        fault: Problem,
    },
    /// A parameter of a shape is invalid.
    #[error("{key}: {fault}")]
    Argument {
        /// The scene key.
        key: String,
        /// What is wrong with it.
        fault: InvalidArgument,
    },
    /// A position or rotation is invalid.
    #[error("{key}: {fault}")]
    Pose {
        /// The scene key.
        key: String,
        /// What is wrong with it.
        fault: InvalidPose,
    },
    /// Settings contradict each other.
    #[error("{key}: {reason}")]
    Unsuited {
        /// The scene key.
        key: String,
        /// The contradiction.
        reason: String,
    },
    /// A region is too small for a single sphere.
    #[error(
        "{key}: a sphere of radius {radius:.3} m does not fit into the region; lengths are in metres"
    )]
    TooLarge {
        /// The scene key.
        key: String,
        /// Radius of the sphere that was tried.
        radius: f64,
    },
    /// A region is too small for all its objects.
    #[error(
        "{key}: only {placed} of {count} fit in the region; enlarge it, or use fewer or smaller ones"
    )]
    NoSpace {
        /// The scene key.
        key: String,
        /// Number of objects placed.
        placed: usize,
        /// Number of objects requested.
        count: usize,
    },
    /// The world rejects an object.
    #[error("{fault}")]
    World {
        /// The scene key.
        key: Option<String>,
        /// What is wrong with it.
        fault: WorldError,
    },
}

impl BuildError {
    /// Returns the scene key that the error refers to.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::File { key, .. }
            | Self::Shape { key, .. }
            | Self::Argument { key, .. }
            | Self::Pose { key, .. }
            | Self::Unsuited { key, .. }
            | Self::TooLarge { key, .. }
            | Self::NoSpace { key, .. } => Some(key),
            Self::World { key, .. } => key.as_deref(),
        }
    }

    pub(super) fn unsuited(key: &str, reason: impl Into<String>) -> Self {
        Self::Unsuited {
            key: key.to_owned(),
            reason: reason.into(),
        }
    }

    pub(super) fn shape(key: &str) -> impl Fn(Problem) -> Self + '_ {
        |fault| Self::Shape {
            key: key.to_owned(),
            fault,
        }
    }

    pub(super) fn argument(key: &str) -> impl Fn(InvalidArgument) -> Self + '_ {
        |fault| Self::Argument {
            key: key.to_owned(),
            fault,
        }
    }

    pub(super) fn pose(key: &str) -> impl Fn(InvalidPose) -> Self + '_ {
        |fault| Self::Pose {
            key: key.to_owned(),
            fault,
        }
    }

    /// Returns the error of the world about an entry of the scene.
    pub(super) fn world(key: &str) -> impl Fn(WorldError) -> Self + '_ {
        |fault| Self::World {
            key: Some(key.to_owned()),
            fault,
        }
    }
}

impl From<WorldError> for BuildError {
    fn from(fault: WorldError) -> Self {
        Self::World { key: None, fault }
    }
}
