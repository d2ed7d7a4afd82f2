//! Who touches whom, where, how deep, and when.

pub mod bound;
pub mod broad;
pub mod inside;
pub mod shape;
pub mod space;
pub mod tree;
