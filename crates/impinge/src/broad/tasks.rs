//! Work in pieces, on the threads of the current rayon pool.

use rayon::prelude::*;

/// Bodies for one piece of work: their pairs and records stay within a core's own cache.
const BODIES_PER_TASK: usize = 1 << 14;

/// Most pieces. Each hands a segment to every bucket of the sorts; more pieces would make the segments short.
const MOST_TASKS: usize = 128;

/// Number of pieces for so many bodies; the same for any number of threads, so that counts are too.
pub(super) fn count(bodies: usize) -> usize {
    bodies.div_ceil(BODIES_PER_TASK).clamp(1, MOST_TASKS)
}

/// Where piece `task` of `tasks` begins among `items`.
pub(super) fn begin(task: usize, tasks: usize, items: usize) -> usize {
    task * items / tasks
}

/// Groups into which so many buckets go: some for each thread, because each holds memory of its own.
pub(super) fn groups(buckets: usize) -> usize {
    match rayon::current_num_threads() {
        1 => 1,
        threads => buckets.min(8 * threads),
    }
}

/// Does the work for each piece. Without rayon where there is nothing to share: waking threads costs some 10 µs.
pub(super) fn for_each<T: Send>(tasks: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    if tasks.len() == 1 || rayon::current_num_threads() == 1 {
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
