//! WHICH PARTS MAY: hierarchies over the parts of a body, so that a query looks at few of them.

mod bucket;
mod bvh;
mod bvh_build;
mod bvh_query;
mod kept;

pub use bucket::{BucketCounters, BucketLevels, BucketMapping, BucketOptions, BucketRoot, BucketTree};
pub use bvh::Bvh;
pub(crate) use bvh_query::Segment;
pub use kept::{Excluded, SolidTree};
