//! Answers against oracles, in numbers that no test has the time for.

pub(crate) mod narrow;
mod pairs;
