//! The private extension module `_impinge` below the Python package `impinge`.
//!
//! The Python layer validates types, converts arrays to contiguous `float64` and `int64`, and gives
//! results their names. This layer only passes data: one file for each noun, arrays and errors
//! converted in `arrays` and `errors`. Every call that computes releases the interpreter and runs in
//! `threads`; long ones check for Ctrl-C between chunks. Every object can be used from several
//! Python threads: it is either immutable or locked.

mod arrays;
mod bodies;
mod collisions;
mod command;
mod detect_shape;
mod errors;
mod files;
mod forecast;
mod impacts;
mod inside;
mod mesh;
mod nearest;
mod order;
mod pairs;
mod plane;
mod pose;
mod projection;
mod scene;
mod shapes;
mod solids;
mod threads;
mod world;

/// The extension module.
#[pyo3::pymodule]
mod _impinge {
    #[pymodule_export]
    use crate::bodies::{Convex, Pair};
    #[pymodule_export]
    use crate::collisions::Collisions;
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::detect_shape::Shape;
    #[pymodule_export]
    use crate::files::{read, read_points, write};
    #[pymodule_export]
    use crate::forecast::Forecast;
    #[pymodule_export]
    use crate::impacts::MovingMesh;
    #[pymodule_export]
    use crate::inside::Inside;
    #[pymodule_export]
    use crate::mesh::Mesh;
    #[pymodule_export]
    use crate::nearest::Nearest;
    #[pymodule_export]
    use crate::pairs::Pairs;
    #[pymodule_export]
    use crate::plane::{Polygon, PolygonPair};
    #[pymodule_export]
    use crate::projection::Projection;
    #[pymodule_export]
    use crate::scene::{Detector, Scene};
    #[pymodule_export]
    use crate::shapes::generate;
    #[pymodule_export]
    use crate::solids::Solids;
    #[pymodule_export]
    use crate::threads::{set_threads, start_over_after_fork, threads};
    #[pymodule_export]
    use crate::world::{World, run};
}
