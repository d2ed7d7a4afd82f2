//! WHEN: motions in, times of first touch out. [Aragon2013, section 3.1]
//!
//! - [`first_touch`]: two balls on parabolas, eq. (12) of the paper.
//! - [`face_touch`]: two triangles of rigid bodies that fly and spin, by conservative advancement.
//! - [`vertex_face`], [`edge_edge`]: the parts of two meshes whose vertices move on straight lines during a step.

mod ball;
mod bernstein;
mod course;
mod impact;

pub use ball::{InvalidMovingBall, MovingBall, first_touch};
pub use course::{Course, FaceTouch, face_touch};
pub use impact::{Impact, NotUsable, Step, edge_edge, vertex_face};
