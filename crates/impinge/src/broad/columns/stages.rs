//! Scratch memory of the search: one for each thread, not for each task.

use super::search::SearchTask;
use std::sync::{Mutex, MutexGuard};

#[derive(Debug)]
pub(super) struct Stages<const D: usize>(Vec<Mutex<SearchTask<D>>>);

impl<const D: usize> Default for Stages<D> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A clone starts empty.
impl<const D: usize> Clone for Stages<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize> Stages<D> {
    /// Makes one for each thread.
    pub(super) fn resize(&mut self) {
        let threads = crate::parallel::current_num_threads();
        self.0.resize_with(threads, Mutex::default);
    }

    /// Returns that of the calling thread.
    pub(super) fn of_thread(&self) -> MutexGuard<'_, SearchTask<D>> {
        let thread = crate::parallel::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread].lock().expect("no search panics")
    }

    /// Returns all of them.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut SearchTask<D>> {
        self.0
            .iter_mut()
            .map(|stage| stage.get_mut().expect("no search panics"))
    }
}
