//! The threads that calls run on, and Ctrl-C.
//!
//! Calls run in a pool of this module, not in rayon's global one: the number of threads can be
//! changed, and a process forked from one that has used the pool gets its own. The threads of the
//! global pool would not exist in it, and the first call would wait forever.

use crate::errors;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Rows that are processed between two checks for Ctrl-C: some tenths of a second of the slowest
/// work.
const CHUNK: usize = 1 << 18;

/// Number of rows up to which waking another thread, some ten microseconds, does not pay.
pub(crate) const FEW: usize = 64;

static POOL: Mutex<Option<Arc<Pool>>> = Mutex::new(None);

/// Threads that serve one call at a time. A thread that waits for a part of its own call would otherwise start another
/// call, and wait forever if that one needs what the first has locked.
struct Pool {
    threads: ThreadPool,
    calls: Mutex<()>,
}

impl Pool {
    fn new(threads: usize) -> PyResult<Arc<Self>> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Arc::new(Self {
            threads: threads.map_err(errors::value)?,
            calls: Mutex::default(),
        }))
    }

    /// Runs work on the threads, after calls of other Python threads.
    fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let _turn = lock(&self.calls);
        self.threads.install(work)
    }
}

/// Locks, also after a panic: what is locked here is valid at all times.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool() -> PyResult<Arc<Pool>> {
    let mut pool = lock(&POOL);
    if let Some(pool) = &*pool {
        return Ok(pool.clone());
    }
    let made = Pool::new(0)?;
    *pool = Some(made.clone());
    Ok(made)
}

/// Returns a separate pool for work that other calls must not wait for.
pub(crate) fn own_pool() -> PyResult<ThreadPool> {
    let threads = pool()?.threads.current_num_threads();
    let made = ThreadPoolBuilder::new().num_threads(threads).build();
    made.map_err(errors::value)
}

/// Runs work in the pool, with the interpreter released.
pub(crate) fn compute<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool()?;
    Ok(py.detach(|| pool.run(work)))
}

/// Runs work over the rows in chunks, with the interpreter released, and stops at Ctrl-C. Few rows
/// run on the calling thread.
pub(crate) fn in_chunks<T: Sync>(
    py: Python<'_>,
    rows: &[T],
    mut work: impl FnMut(&[T]) + Send,
) -> PyResult<()> {
    if rows.len() <= FEW {
        py.detach(|| work(rows));
        return Ok(());
    }
    for chunk in rows.chunks(CHUNK) {
        compute(py, || work(chunk))?;
        py.check_signals()?;
    }
    Ok(())
}

/// Returns the number of threads.
#[pyfunction]
pub(crate) fn threads() -> PyResult<usize> {
    Ok(pool()?.threads.current_num_threads())
}

/// Sets the number of threads; 0 for one per core.
#[pyfunction]
pub(crate) fn set_threads(count: usize) -> PyResult<()> {
    let made = Pool::new(count)?;
    *lock(&POOL) = Some(made);
    Ok(())
}

/// Discards the pool, whose threads do not exist in a forked process.
#[pyfunction]
pub(crate) fn start_over_after_fork() {
    // Dropping it would wait for its threads.
    std::mem::forget(lock(&POOL).take());
}
