//! WHICH PARTS MAY: hierarchies over the parts of a body, so that a query looks at few of them.

mod bvh;
mod bvh_build;
mod bvh_query;

pub use bvh::Bvh;
pub(crate) use bvh_query::Segment;
