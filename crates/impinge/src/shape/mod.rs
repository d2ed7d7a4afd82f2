//! Shapes of bodies. Every shape is validated once, on construction; its invariants can then be
//! relied on.

mod cells;
pub(crate) mod check;
mod closing;
mod double;
mod edges;
mod element;
mod entry;
mod face;
mod face_kind;
mod faces;
mod feature;
pub mod generate;
mod half_space;
mod inspect;
mod layout;
mod mass;
mod mesh;
mod polygon;
mod polyhedron;
mod problem;
mod report;
mod round;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(feature = "serde")]
mod serial;
mod sides;
mod solid;
mod sphere;
mod split;
mod surface;
mod tetrahedra;
mod triangulate;
mod union;
mod weld;
mod weld_within;

pub use cells::{Boundary, Cells};
pub use closing::closing_weld;
pub use edges::NO_NEIGHBOUR;
pub(crate) use edges::{loops, open_edges, visit_edges};
pub use element::ElementKind;
pub use face::Face;
pub use face_kind::{Domain, FaceKind, MOST_FACE_NODES, PerNode};
pub use faces::Faces;
pub use feature::Feature;
pub use half_space::HalfSpace;
pub use inspect::{Quality, SurfaceReport, connected_triangles, inspect_triangles};
pub use mass::MassProperties;
pub use mesh::{Block, Mesh, Weld};
pub use polygon::Polygon;
pub use polyhedron::{HalfEdge, Plane, Polyhedron};
pub use problem::{Item, Problem, ProblemKind};
pub use report::{MeshReport, inspect};
pub(crate) use round::around as around_round;
pub use round::{Round, RoundKind};
pub use solid::{Deformation, Solid, SolidRepair};
pub use sphere::Sphere;
pub use split::SplitCells;
pub use surface::{Repair, Surface};
pub(crate) use surface::{check_triangles, zero_area};
pub use triangulate::{is_convex_quad, triangulate};
pub use weld::weld;
pub use weld_within::{WELD_TOLERANCE, weld_within};
