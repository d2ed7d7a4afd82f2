//! Ranks that are processes connected by MPI.
//!
//! The feature `mpi` builds the connection; it needs an MPI library (OpenMPI or MPICH) and libclang.
//! Without it, this crate only detects that `mpirun` or `srun` started several processes, which is an
//! error: each of them would compute the whole run.

#[cfg(feature = "mpi")]
mod connection;

use impinge_sim::ranks::Communicator;
use std::sync::Arc;
use thiserror::Error;

/// Variables in which launchers announce the number of processes: OpenMPI, MPICH and Intel MPI, Slurm.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// The reason why the ranks are not connected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MpiError {
    /// The program was built without MPI.
    #[error(
        "this impinge was started as one of {processes} processes, but it was built without MPI; build it with \
         'cargo install --path crates/impinge-cli --features mpi' (needs an MPI library and libclang; on Debian: \
         libopenmpi-dev openmpi-bin libclang-dev), or start it without mpirun"
    )]
    NotBuilt {
        /// Number of processes that were started.
        processes: usize,
    },
    /// MPI could not be initialised, or was already initialised.
    #[error("MPI could not be initialised")]
    NotStarted,
    /// The launcher started several processes that MPI does not connect.
    #[error(
        "the launcher started {processes} processes, but MPI connects {connected}: it belongs to \
         a different MPI library than impinge was built with"
    )]
    NotConnected {
        /// Number of processes that were started.
        processes: usize,
        /// Number of processes that MPI sees.
        connected: usize,
    },
}

/// The connection, which ends when it is dropped.
pub struct Session {
    ranks: Arc<dyn Communicator>,
    #[cfg(feature = "mpi")]
    _universe: mpi::environment::Universe,
}

impl Session {
    /// Returns the ranks.
    pub fn ranks(&self) -> &Arc<dyn Communicator> {
        &self.ranks
    }
}

/// Connects this process with the others that were started with it; `None` if it is alone.
///
/// A panic on any rank then ends all of them.
pub fn connect() -> Result<Option<Session>, MpiError> {
    match processes(|name| std::env::var(name).ok()) {
        0 | 1 => Ok(None),
        processes => start(processes).map(Some),
    }
}

/// Returns the number of processes that were started together.
fn processes(variable: impl Fn(&str) -> Option<String>) -> usize {
    let sizes = SIZES.iter().filter_map(|name| variable(name)?.parse().ok());
    sizes.max().unwrap_or(1)
}

#[cfg(feature = "mpi")]
use connection::start;

#[cfg(not(feature = "mpi"))]
fn start(processes: usize) -> Result<Session, MpiError> {
    Err(MpiError::NotBuilt { processes })
}

#[cfg(test)]
mod tests;
