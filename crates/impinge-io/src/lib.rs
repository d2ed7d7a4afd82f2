//! File input and output of meshes, points and particles. No algorithms.
//!
//! Every reader is a function from bytes to a [`Dataset`] (or to points or particles). It fails with a
//! [`ParseError`], which has a location and a reason; [`read`] adds the file's name. Readers never trust a count in a
//! file: memory is allocated only if the file contains the bytes to fill it. Contents that a reader does not use are
//! reported.
//!
//! ```
//! use impinge_io::Format;
//! let dataset = Format::Obj.parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3\n").expect("a good file");
//! assert_eq!(dataset.mesh.triangles(), [[0, 1, 2]]);
//! assert_eq!(dataset.ignored[0].what, "vertex normals");
//!
//! let fault = Format::Obj.parse(b"v 0 0 nan\n").unwrap_err();
//! assert_eq!(fault.to_string(), "line 1: 'nan' is not finite");
//! ```

mod budget;
mod bytes;
mod cells;
mod columns;
mod cursor;
mod dataset;
mod error;
mod format;
mod marks;
mod mesh_files;
mod numbering;
mod output;
mod point_files;
mod points;
mod scalar;
mod sniff;
mod spheres;
mod surface;
mod table;
mod text;
mod vtkxml;
mod zip;

pub mod csv;
pub mod glb;
pub mod inp;
pub mod lammps;
pub mod msh;
pub mod npy;
pub mod obj;
pub mod off;
pub mod ply;
pub mod pvd;
pub mod stl;
pub mod threemf;
pub mod vtk;
pub mod vtp;
pub mod vtu;

pub use dataset::{Dataset, Field, Ignored, SIDE_AGAINST, SIDE_ALONG, Set, SetOf, Values};
pub use error::{Error, Location, ParseError};
pub use format::Format;
pub use mesh_files::{check_output, read, write, write_with};
pub use output::{Durability, remove_unfinished, sync, write_atomically, write_durably};
pub use point_files::{check_points_output, read_point_frames, read_points, write_points};
pub use points::{Bodies, Places, Points};
pub use spheres::{Spheres, read_spheres};
pub use table::{parse as parse_table, parse_xyz};
