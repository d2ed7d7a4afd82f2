//! Particles divided among processes, the ranks of a distributed run.
//!
//! A [`Communicator`] connects the ranks: MPI in `impinge-mpi`, threads of one process here. Space is
//! divided by recursive coordinate bisection (`bisection.rs`); the ghosts of a rank follow from the
//! extents of its size classes (`reach.rs`). Both are functions of arrays and of sums over ranks. The
//! particles move themselves (`particles/migration.rs`, `particles/exchange.rs`).

mod bisection;
mod communicator;
mod reach;
mod threads;

pub use bisection::Bisection;
pub use communicator::{Communicator, Message, bytes_of, words_of};
pub use reach::{Reach, reaches, select};
pub use threads::run_on_threads;
