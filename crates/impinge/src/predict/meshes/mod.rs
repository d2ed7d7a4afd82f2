//! Continuous collision detection (CCD) of triangle meshes whose vertices move on straight lines during a step.
//!
//! A mesh keeps a hierarchy of moving boxes: each node holds the box of its faces at the start of the step and at its end.
//! In between, the linear interpolation of the two boxes encloses the faces, so two nodes can touch only while every axis
//! overlaps: an interval of time from one division per axis. A motion that both meshes share cancels, where boxes swept
//! over the step would hold everything on the way.
//!
//! [`first_impact`] opens pairs of nodes in the order of their earliest possible time and stops when the next one is later
//! than the first impact found. Pairs of faces test the vertices and edges they own, so that each vertex–face and
//! edge–edge pair is tested once (representative triangles, Curtis et al. 2008). Before the exact primitives
//! [`vertex_face`](super::vertex_face) and [`edge_edge`](super::edge_edge), the sign of the coplanarity cubic on the
//! remaining interval excludes most pairs in plain f64 with an error bound (`filter.rs`).
//!
//! Cost: O(n) for [`MovingMesh::set_step`]; a search opens only nodes that come near before the first impact.

mod filter;
mod moving_box;
mod moving_mesh;
mod search;
mod separation;
#[cfg(test)]
mod tests;

pub use moving_mesh::MovingMesh;
pub use search::{first_impact, first_self_impact, impacts, self_impacts};

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ImpactOptions {
    /// Part of the step to search, from 0 to 1.
    pub until: f64,
    /// Minimum separation: two parts meet when they come as near as this. Zero is the exact test.
    pub separation: f64,
    /// Tolerance of a time, as a share of the step.
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

/// The parts of two meshes that meet; of one mesh with itself, both are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// An edge of each mesh, by its vertices in ascending order.
    EdgeEdge {
        /// The first mesh's edge.
        first: [u32; 2],
        /// The second mesh's edge.
        second: [u32; 2],
    },
    /// Two faces that touch or cross at the start of the step already.
    StartOverlap {
        /// The first mesh's face.
        first: u32,
        /// The second mesh's face.
        second: u32,
    },
}

/// A meeting of parts of meshes during a step whose time runs from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshImpact {
    /// Not later than the first meeting of the parts: moving to this time is safe.
    pub from: f64,
    /// If certain, the parts meet at this time or before.
    pub to: f64,
    /// Whether the meeting is proven. If not, the parts come as near as rounding can tell.
    pub certain: bool,
    /// The parts.
    pub parts: ImpactParts,
}

impl MeshImpact {
    /// Earliest first; equal times by parts, so that the order does not depend on the search.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.from
            .total_cmp(&other.from)
            .then_with(|| self.parts.cmp(&other.parts))
    }
}
