//! Tests of the public API from outside, in the folders of the library's modules: one program, because
//! every program is linked on its own.

mod bound;
mod shape;
mod space;
