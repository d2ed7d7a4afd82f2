//! Splits work into tasks on the threads of the current rayon pool.

use crate::parallel::prelude::*;

/// Bodies per task: their pairs and records stay within one core's cache.
const BODIES_PER_TASK: usize = 1 << 14;

/// Maximum number of tasks. Each passes a segment to every bucket of the sorts; more tasks would
/// make the segments short.
const MOST_TASKS: usize = 128;

/// Returns the number of tasks for a number of bodies. It does not depend on the number of threads,
/// so the counters do not either.
pub(super) fn count(bodies: usize) -> usize {
    bodies.div_ceil(BODIES_PER_TASK).clamp(1, MOST_TASKS)
}

/// Returns the index of the first of `items` that belongs to task `task` of `tasks`.
pub(super) fn begin(task: usize, tasks: usize, items: usize) -> usize {
    task * items / tasks
}

/// Returns the number of groups to divide the buckets into: a few per thread, because each group
/// needs scratch memory.
pub(super) fn groups(buckets: usize) -> usize {
    match crate::parallel::current_num_threads() {
        1 => 1,
        threads => buckets.min(8 * threads),
    }
}

/// Runs the work for each task. Bypasses rayon if there is nothing to share: waking threads costs
/// about 10 µs.
pub(super) fn for_each<T: Send>(tasks: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    if tasks.len() == 1 || crate::parallel::current_num_threads() == 1 {
        tasks
            .iter_mut()
            .enumerate()
            .for_each(|(n, task)| work(n, task));
    } else {
        tasks
            .par_iter_mut()
            .enumerate()
            .for_each(|(n, task)| work(n, task));
    }
}
