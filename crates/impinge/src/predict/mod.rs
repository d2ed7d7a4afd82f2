//! WHEN: motions in, times of first touch out. [Aragon2013, section 3.1]
//!
//! - [`first_touch`]: two balls on parabolas, eq. (12) of the paper; [`touch_bound`]: a quick lower bound of it.
//! - [`face_touch`]: two triangles of bodies that fly, spin or deform, by conservative advancement.
//! - [`vertex_face`], [`edge_edge`]: the parts of two meshes whose vertices move on straight lines during a step;
//!   [`straight_touch`]: the first of those of two triangles.
//! - [`first_impact`], [`impacts`]: continuous collision detection of whole meshes between two sets of positions;
//!   [`first_self_impact`], [`self_impacts`]: of a mesh with itself.

mod apart;
mod ball;
mod bernstein;
mod course;
mod face;
mod impact;
mod meshes;

pub use ball::{InvalidMovingBall, MovingBall, first_touch, touch_bound};
pub use course::Course;
pub use face::{FaceTouch, MovingFace, StraightFace, face_touch, straight_touch};
pub(crate) use face::{ROUNDING, time_to_cover};
pub use impact::{Impact, NotUsable, VertexStep, edge_edge, vertex_face};
pub use meshes::{
    ImpactOptions, ImpactParts, MeshImpact, MovingMesh, first_impact, first_self_impact, impacts,
    self_impacts,
};
