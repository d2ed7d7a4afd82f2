//! Continuous collision detection (CCD) of triangle meshes whose vertices move on straight lines during a step.
//!
//! A mesh keeps a bounding-volume hierarchy of moving boxes: each node stores the box of its faces
//! at the start and at the end of the step. In between, the linear interpolation of the two boxes
//! encloses the faces. Two nodes can therefore touch only while they overlap on every axis: an
//! interval of time that costs one division per axis. A motion common to both meshes cancels,
//! whereas boxes swept over the step would cover the whole path.
//!
//! [`first_impact`] descends pairs of nodes in the order of their earliest possible time and stops
//! when the next one is later than the first impact found. Pairs of faces test the vertices and
//! edges they own, so that each vertex–face and edge–edge pair is tested once (representative
//! triangles, Curtis et al. 2008). Before the exact primitives [`vertex_face`](super::vertex_face)
//! and [`edge_edge`](super::edge_edge), a filter checks the sign of the coplanarity cubic on the
//! remaining interval. It excludes most pairs in plain f64 with an error bound (`filter.rs`).
//!
//! Cost: O(n) for [`MovingMesh::set_step`]; a search descends only into nodes that approach before
//! the first impact.

mod filter;
mod moving_box;
mod moving_mesh;
mod search;
mod separation;
#[cfg(test)]
mod tests;

pub(super) use filter::never_meet;
pub use moving_mesh::MovingMesh;
pub use search::{first_impact, first_self_impact, impacts, self_impacts};

pub(super) use separation::Parts;

/// Options of an impact search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactOptions {
    /// End of the search, as a fraction of the step from 0 to 1.
    pub until: f64,
    /// Minimum separation: two parts meet when their distance falls to this value. Zero is the
    /// exact test.
    pub separation: f64,
    /// Tolerance of times, as a fraction of the step.
    pub tolerance: f64,
}

impl Default for ImpactOptions {
    fn default() -> Self {
        Self {
            until: 1.0,
            separation: 0.0,
            tolerance: 1e-9,
        }
    }
}

/// The mesh parts that meet. For self-impacts both belong to the same mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ImpactParts {
    /// A vertex of the first mesh and a face of the second.
    VertexFace {
        /// The vertex.
        vertex: u32,
        /// The face.
        face: u32,
    },
    /// A face of the first mesh and a vertex of the second.
    FaceVertex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// An edge of each mesh, as its vertices in ascending order.
    EdgeEdge {
        /// The first mesh's edge.
        first: [u32; 2],
        /// The second mesh's edge.
        second: [u32; 2],
    },
    /// Two faces that already touch or cross at the start of the step.
    StartOverlap {
        /// The first mesh's face.
        first: u32,
        /// The second mesh's face.
        second: u32,
    },
}

/// An impact of mesh parts during a step whose time runs from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshImpact {
    /// Lower bound of the time of impact: it is safe to advance to this time.
    pub from: f64,
    /// Upper bound of the time of impact, if `certain`.
    pub to: f64,
    /// Whether the impact is proven. If not, the distance falls below the rounding error.
    pub certain: bool,
    /// The parts that meet.
    pub parts: ImpactParts,
}

impl MeshImpact {
    /// Orders by time, then by parts, so that the order does not depend on the search.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.from
            .total_cmp(&other.from)
            .then_with(|| self.parts.cmp(&other.parts))
    }
}
