//! What bodies are. Every shape is checked once, where it enters; what it holds can then be relied on.

mod element;
mod mesh;
mod problem;
mod weld;

pub use element::ElementKind;
pub use mesh::{Block, Mesh};
pub use problem::{Item, Problem, ProblemKind};
pub use weld::weld;
