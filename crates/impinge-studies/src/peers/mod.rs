//! Comparisons with the programs that a user would pick instead, in one run and on the same input.
//!
//! Peers are not dependencies: a study uses those that are installed, and reports which are missing and
//! how to install them. `IMPINGE_PYTHON` names the Python to use (with numpy and the peers' packages),
//! `python3` by default. C++ peers are compiled on the spot with `c++`.

mod bed;
pub(crate) mod ccd;
pub(crate) mod dem;
mod dem_law;
pub(crate) mod detect;
pub(crate) mod distance;
pub(crate) mod inside;
pub(crate) mod meshes;
pub(crate) mod mpi;
pub(crate) mod pairs;
pub(crate) mod predict;
mod program;
pub(crate) mod project;
pub(crate) mod solids;
mod toolkit;
