//! Ranks as threads of one process, for tests and to model larger machines.

use super::communicator::{Communicator, Message};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Interval at which a waiting rank checks whether another has failed.
const LOOK: Duration = Duration::from_millis(50);

/// Stack of a rank: the work is done on the threads of rayon's pool and on the heap.
const STACK: usize = 2 << 20;

/// Runs a function on some ranks, each a thread; returns their results in the order of ranks. Panics
/// if one of them panics.
///
/// ```
/// use impinge_sim::ranks::{Communicator, run_on_threads};
/// let sums = run_on_threads(3, |ranks| {
///     let mut numbers = [ranks.rank() as i64];
///     ranks.sum(&mut numbers);
///     numbers[0]
/// });
/// assert_eq!(sums, [3, 3, 3]);
/// ```
pub fn run_on_threads<T: Send>(
    count: usize,
    run: impl Fn(Arc<dyn Communicator>) -> T + Sync,
) -> Vec<T> {
    let hub = Arc::new(Rendezvous::new(count));
    std::thread::scope(|scope| {
        let start = |rank: usize| {
            let (hub, run) = (Arc::clone(&hub), &run);
            let work = move || {
                let _failing = Failing(rank, Arc::clone(&hub));
                run(Arc::new(Thread { rank, hub }))
            };
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .expect("cannot start another thread")
        };
        let threads: Vec<_> = (0..count).map(start).collect();
        let mut results: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();

        // The panics of the others only report that one has failed.
        if let Some(&first) = hub.failed.get()
            && let Err(panic) = results.swap_remove(first)
        {
            std::panic::resume_unwind(panic);
        }

        let done = |result: std::thread::Result<T>| result.expect("no rank has failed");
        results.into_iter().map(done).collect()
    })
}

/// The rendezvous of the ranks.
#[derive(Debug)]
struct Rendezvous {
    meeting: Mutex<Collective>,
    complete: Condvar,
    inboxes: Vec<Inbox>,
    /// The first rank that panicked.
    failed: OnceLock<usize>,
}

/// A collective operation in progress, and the result of the last.
#[derive(Debug, Default)]
struct Collective {
    arrived: usize,
    round: u64,
    maxima: Vec<f64>,
    sums: Vec<i64>,
    result: (Vec<f64>, Vec<i64>),
}

/// Messages sent to each rank and not read yet.
#[derive(Debug, Default)]
struct Inbox {
    messages: Mutex<VecDeque<Message>>,
    arrival: Condvar,
}

/// Notifies the other ranks of a panic, so that none waits forever.
struct Failing(usize, Arc<Rendezvous>);

impl Drop for Failing {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.1.failed.set(self.0);
        }
    }
}

impl Rendezvous {
    fn new(count: usize) -> Self {
        Self {
            meeting: Mutex::default(),
            complete: Condvar::new(),
            inboxes: (0..count).map(|_| Inbox::default()).collect(),
            failed: OnceLock::new(),
        }
    }

    /// Waits until a condition holds.
    fn wait<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        on: &Condvar,
        done: impl Fn(&T) -> bool,
    ) -> MutexGuard<'a, T> {
        while !done(&guard) {
            assert!(self.failed.get().is_none(), "another rank has failed");
            let waited = on.wait_timeout(guard, LOOK);
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        guard
    }

    /// Adds a contribution; returns once all ranks have added theirs.
    fn meet(&self, contribute: impl FnOnce(&mut Collective)) -> MutexGuard<'_, Collective> {
        let mut meeting = lock(&self.meeting);
        let round = meeting.round;
        if meeting.arrived == 0 {
            meeting.maxima.clear();
            meeting.sums.clear();
        }
        contribute(&mut meeting);
        meeting.arrived += 1;

        if meeting.arrived == self.inboxes.len() {
            // The result is kept until the next rendezvous, which no rank can miss.
            let Collective { maxima, sums, .. } = &mut *meeting;
            meeting.result = (std::mem::take(maxima), std::mem::take(sums));
            meeting.arrived = 0;
            meeting.round += 1;
            self.complete.notify_all();
            return meeting;
        }

        self.wait(meeting, &self.complete, |meeting| meeting.round > round)
    }

    fn post(&self, to: usize, message: Message) {
        let inbox = &self.inboxes[to];
        lock(&inbox.messages).push_back(message);
        inbox.arrival.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A rank that is a thread.
#[derive(Debug)]
struct Thread {
    rank: usize,
    hub: Arc<Rendezvous>,
}

impl Thread {
    fn post(&self, to: usize, words: Vec<u64>) {
        let rank = self.rank;
        self.hub.post(to, Message { rank, words });
    }
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.hub.inboxes.len()
    }

    /// Panics, which the others notice.
    fn abort(&self, reason: &str) -> ! {
        panic!("rank {}: {reason}", self.rank)
    }

    fn max(&self, numbers: &mut [f64]) {
        let meeting = self.hub.meet(|meeting| {
            meeting.maxima.resize(numbers.len(), f64::NEG_INFINITY);
            for (largest, number) in meeting.maxima.iter_mut().zip(&*numbers) {
                *largest = largest.max(*number);
            }
        });
        numbers.copy_from_slice(&meeting.result.0);
    }

    fn sum(&self, numbers: &mut [i64]) {
        let meeting = self.hub.meet(|meeting| {
            meeting.sums.resize(numbers.len(), 0);
            for (sum, number) in meeting.sums.iter_mut().zip(&*numbers) {
                *sum += number;
            }
        });
        numbers.copy_from_slice(&meeting.result.1);
    }

    fn exchange(&self, sends: &[Message], receives: &mut [Message], meanwhile: &mut dyn FnMut()) {
        for message in sends {
            self.post(message.rank, message.words.clone());
        }
        meanwhile();

        let inbox = &self.hub.inboxes[self.rank];
        for expected in receives {
            let position = |messages: &VecDeque<Message>| {
                let mut all = messages.iter();
                all.position(|message| message.rank == expected.rank)
            };
            let messages = lock(&inbox.messages);
            let mut messages = self.hub.wait(messages, &inbox.arrival, |messages| {
                position(messages).is_some()
            });
            let found = position(&messages).and_then(|n| messages.remove(n));
            drop(messages);

            let words = found.map(|message| message.words).unwrap_or_default();
            assert_eq!(words.len(), expected.words.len(), "both know the length");
            expected.words = words;
        }
    }

    fn all_to_all(&self, sends: Vec<Message>) -> Vec<Message> {
        // No rank sends again before all have read.
        drop(self.hub.meet(|_| {}));
        for message in sends {
            self.post(message.rank, message.words);
        }
        drop(self.hub.meet(|_| {}));
        let mut arrived: Vec<Message> = lock(&self.hub.inboxes[self.rank].messages)
            .drain(..)
            .collect();
        drop(self.hub.meet(|_| {}));
        arrived.sort_unstable_by_key(|message| message.rank);

        arrived
    }
}

#[cfg(test)]
mod tests;
