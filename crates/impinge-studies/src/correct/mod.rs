//! Comparison with oracles on more cases than tests have time for.

pub(crate) mod narrow;
mod pairs;
