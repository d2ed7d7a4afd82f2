//! Continuous collision detection (CCD): from motions to times of impact. [Aragon2013, section 3.1]
//!
//! - [`first_touch`]: two balls on parabolas, eq. (12) of the paper; [`touch_bound`]: a fast lower
//!   bound of the same time.
//! - [`face_touch`]: two triangles of flying, spinning or deforming bodies, by conservative
//!   advancement.
//! - [`vertex_face`], [`edge_edge`]: primitive pairs of two meshes whose vertices move on straight
//!   lines during a step; [`straight_touch`]: the earliest of these for two triangles.
//! - [`first_impact`], [`impacts`]: whole meshes between two sets of positions;
//!   [`first_self_impact`], [`self_impacts`]: a mesh with itself.

mod apart;
mod ball;
mod bernstein;
mod course;
mod face;
mod impact;
mod meshes;
mod moving;
mod moving_face;
mod travel;

pub use ball::{InvalidMovingBall, MovingBall, first_touch, touch_bound};
pub use course::Course;
pub use face::{FaceTouch, face_touch, straight_touch};
pub use impact::{Impact, NotUsable, VertexStep, edge_edge, vertex_face};
pub use meshes::{
    ImpactOptions, ImpactParts, MeshImpact, MovingMesh, first_impact, first_self_impact, impacts,
    self_impacts,
};
pub use moving_face::{MovingFace, StraightFace};
pub(crate) use travel::{ROUNDING, time_to_cover};
