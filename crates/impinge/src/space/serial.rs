//! Serialisation of poses (feature `serde`).

use super::{Matrix, Point, Pose};
use crate::serial::as_data;

as_data!(
    Pose<D> where const D,
    |pose| { rotation: Matrix<D> = *pose.rotation(), position: Point<D> = pose.position() },
    Pose::new(rotation, position)
);
