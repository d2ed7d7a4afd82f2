//! The MPI communicator.

use crate::{MpiError, Session};
use impinge_sim::ranks::{Communicator, Message};
use mpi::collective::SystemOperation;
use mpi::datatype::PartitionMut;
use mpi::environment::Threading;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives, Destination, Source};
use std::sync::Arc;

/// Exit code after a panic, the same as Rust's, and after an error, the same as the command's.
const PANIC: i32 = 101;
const ERROR: i32 = 2;

/// All processes of the run.
#[derive(Clone, Copy, Debug)]
struct World {
    rank: usize,
    size: usize,
}

/// Initialises MPI for calls from the main thread only; the other threads of a rank only compute.
pub(crate) fn start(processes: usize) -> Result<Session, MpiError> {
    let (universe, _) =
        mpi::initialize_with_threading(Threading::Funneled).ok_or(MpiError::NotStarted)?;
    let world = universe.world();
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    if size != processes {
        return Err(MpiError::NotConnected {
            processes,
            connected: size,
        });
    }

    end_all_after_a_panic(rank);
    Ok(Session {
        ranks: Arc::new(World { rank, size }),
        _universe: universe,
    })
}

/// Otherwise the other ranks would wait for the failed one forever.
fn end_all_after_a_panic(rank: usize) {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        eprintln!("impinge: rank {rank} failed; aborting all ranks");
        world().abort(PANIC);
    }));
}

fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

impl Communicator for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn abort(&self, reason: &str) -> ! {
        eprintln!("impinge: rank {}: {reason}; all ranks end", self.rank);
        world().abort(ERROR)
    }

    fn max(&self, numbers: &mut [f64]) {
        let own = numbers.to_vec();
        world().all_reduce_into(&own[..], numbers, SystemOperation::max());
    }

    fn sum(&self, numbers: &mut [i64]) {
        let own = numbers.to_vec();
        world().all_reduce_into(&own[..], numbers, SystemOperation::sum());
    }

    fn exchange(&self, sends: &[Message], receives: &mut [Message], meanwhile: &mut dyn FnMut()) {
        let world = world();
        let process = |rank: usize| world.process_at_rank(rank as i32);
        mpi::request::scope(|scope| {
            let receiving: Vec<_> = receives
                .iter_mut()
                .map(|message| {
                    process(message.rank).immediate_receive_into(scope, &mut message.words[..])
                })
                .collect();
            let sending: Vec<_> = sends
                .iter()
                .map(|message| process(message.rank).immediate_send(scope, &message.words[..]))
                .collect();
            meanwhile();

            receiving.into_iter().for_each(|request| {
                request.wait();
            });
            sending.into_iter().for_each(|request| {
                request.wait();
            });
        });
    }

    fn all_to_all(&self, mut sends: Vec<Message>) -> Vec<Message> {
        // Lengths plus one, to distinguish an empty message from none.
        let mut lengths = vec![0_u64; self.size];
        for message in &sends {
            lengths[message.rank] = 1 + message.words.len() as u64;
        }
        let mut expected = vec![0_u64; self.size];
        world().all_to_all_into(&lengths[..], &mut expected[..]);

        let own = sends.iter().position(|message| message.rank == self.rank);
        let own = own.map(|n| sends.swap_remove(n));
        let others = (0..self.size).filter(|&rank| rank != self.rank && expected[rank] > 0);
        let mut receives: Vec<Message> = others
            .map(|rank| Message {
                rank,
                words: vec![0; expected[rank] as usize - 1],
            })
            .collect();
        self.exchange(&sends, &mut receives, &mut || {});
        receives.extend(own);
        receives.sort_unstable_by_key(|message| message.rank);

        receives
    }

    fn all_gather(&self, words: Vec<u64>) -> Vec<Vec<u64>> {
        let mut counts = vec![0_i32; self.size];
        world().all_gather_into(&(words.len() as i32), &mut counts[..]);
        let starts: Vec<i32> = counts
            .iter()
            .scan(0, |end, count| {
                *end += count;
                Some(*end - count)
            })
            .collect();
        let total: usize = counts.iter().map(|&count| count as usize).sum();
        let mut all = vec![0_u64; total];
        {
            let mut parts = PartitionMut::new(&mut all[..], &counts[..], &starts[..]);
            world().all_gather_varcount_into(&words[..], &mut parts);
        }

        let ends = starts.iter().zip(&counts);
        ends.map(|(&start, &count)| all[start as usize..(start + count) as usize].to_vec())
            .collect()
    }
}
