//! A run on several ranks: rank 0 leads, the others follow.
//!
//! All ranks build the world of the scene and make sure that it is the same. Rank 0 alone handles the
//! folder, the clock and the signals, and sends commands to the others: run some steps, gather the
//! particles, restart from a state, or end. Only rank 0 reads and writes the folder, so the others need
//! not see it, and no file is written by two ranks.

use super::{Prepared, RunError, Source, make, prepare, read_scene, restore};
use crate::scene::SceneSpec;
use crate::{checkpoint, measure};
use impinge_sim::StepError;
use impinge_sim::ranks::{Communicator, bytes_of, words_of};
use impinge_sim::world::{State, World};
use std::path::Path;
use std::sync::Arc;

/// Number of advances between two checks of clock and signals by rank 0: a broadcast for each would
/// cost as much as one of its reductions.
const MOST_ADVANCES: u64 = 16;

/// A command from rank 0 to the others.
#[derive(Clone, Debug, PartialEq)]
enum Command {
    /// Build the world again, restore this state of it, if any, and divide the particles.
    Restart(Vec<u8>),
    /// Advance a number of times by steps of a length, up to a number of steps in all: a free flight is one
    /// advance over many.
    Advance {
        times: u64,
        most: u64,
        dt: f64,
    },
    /// Send the particles to rank 0.
    Gather,
    End,
}

impl Command {
    fn to_words(&self) -> Vec<u64> {
        match self {
            Self::Restart(state) => {
                let mut words = vec![0];
                words.extend(words_of(state));
                words
            }
            Self::Advance { times, most, dt } => vec![1, *times, *most, dt.to_bits()],
            Self::Gather => vec![2],
            Self::End => vec![3],
        }
    }

    fn from_words(words: &[u64]) -> Self {
        match *words {
            [0, ref state @ ..] => Self::Restart(bytes_of(state)),
            [1, times, most, dt] => Self::Advance {
                times,
                most,
                dt: f64::from_bits(dt),
            },
            [2] => Self::Gather,
            _ => Self::End,
        }
    }
}

/// Handle of rank 0 to the other ranks, which end when it is dropped.
pub(super) struct Team {
    ranks: Arc<dyn Communicator>,
    /// How often the others will advance without another command.
    announced: u64,
}

impl Team {
    /// Checks that all ranks have the same scene and program, or returns why one of them has not.
    pub(super) fn join(
        ranks: &Arc<dyn Communicator>,
        scene: Result<u64, String>,
    ) -> Result<Self, RunError> {
        let words = match &scene {
            Ok(hash) => vec![1, *hash, program()],
            Err(reason) => {
                let mut words = vec![0];
                words.extend(words_of(reason.as_bytes()));
                words
            }
        };
        let all = ranks.all_gather(words);
        let failed = |rank: usize, reason: &str| RunError::Rank {
            rank,
            reason: reason.to_owned(),
        };

        for (rank, words) in all.iter().enumerate() {
            match words[..] {
                [0, ref reason @ ..] => {
                    let reason = bytes_of(reason);
                    return Err(failed(rank, &String::from_utf8_lossy(&reason)));
                }
                [_, _, program] if program != all[0][2] => {
                    return Err(failed(rank, "its program differs from that of rank 0"));
                }
                [_, scene, _] if scene != all[0][1] => {
                    let reason = "its scene, or a file that it names, differs from that of rank 0";
                    return Err(failed(rank, reason));
                }
                _ => {}
            }
        }

        Ok(Self {
            ranks: Arc::clone(ranks),
            announced: 0,
        })
    }

    fn send(&self, command: &Command) {
        self.ranks.broadcast(command.to_words());
    }

    /// Restarts all ranks from a state, or from that of the scene, and divides the particles.
    pub(super) fn start(&mut self, world: &mut World, state: Option<&State>) {
        self.announced = 0;
        let bytes = state.map(|state| postcard::to_stdvec(state).expect("plain data"));
        self.send(&Command::Restart(bytes.unwrap_or_default()));
        world.distribute(&self.ranks);
    }

    /// Announces an advance, and with it more of them, up to an output that is due after some steps.
    pub(super) fn announce(&mut self, due: u64, dt: f64) {
        if self.announced == 0 {
            self.announce_some(MOST_ADVANCES, due, dt);
        }
        self.announced -= 1;
    }

    /// Announces a single advance, by at most some steps.
    pub(super) fn announce_one(&mut self, most: u64, dt: f64) {
        self.announce_some(1, most, dt);
        self.announced = 0;
    }

    fn announce_some(&mut self, times: u64, most: u64, dt: f64) {
        self.announced = times;
        self.send(&Command::Advance { times, most, dt });
    }

    /// Returns whether the others wait for a command.
    pub(super) fn is_waiting(&self) -> bool {
        self.announced == 0
    }

    /// Has all ranks send their particles.
    pub(super) fn gather(&self) {
        self.send(&Command::Gather);
    }

    /// Records that an output is due, or that a step failed: the others advance no further.
    pub(super) fn end_steps(&mut self) {
        self.announced = 0;
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // After a panic no rank receives commands any more.
        if self.ranks.rank() == 0 && !std::thread::panicking() {
            self.send(&Command::End);
        }
    }
}

/// Returns a hash of the program.
fn program() -> u64 {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    checkpoint::hash([
        &bytes.unwrap_or_default()[..],
        checkpoint::version().as_bytes(),
    ])
}

/// Returns a prepared scene if several ranks can run it.
pub(super) fn suited(prepared: Prepared) -> Result<Prepared, RunError> {
    match measure::is_box_deforming(&prepared.scene) {
        false => Ok(prepared),
        true => Err(RunError::Rank {
            rank: 0,
            reason: "a periodic box that changes its size runs on one rank".to_owned(),
        }),
    }
}

/// Participates in the run of a scene on a rank other than 0, until rank 0 ends it. All ranks get an error
/// that it returns; what fails later on this rank alone aborts all of them.
pub fn follow(path: &Path, ranks: &Arc<dyn Communicator>) -> Result<(), RunError> {
    let prepared = read_scene(path)
        .and_then(|text| Ok((suited(prepare(Source { path, text: &text })?)?, text)));
    let hash = match &prepared {
        Ok((prepared, _)) => Ok(prepared.hash),
        Err(error) => Err(error.to_string()),
    };
    let team = Team::join(ranks, hash)?;
    let (prepared, text) = prepared?;
    let source = Source { path, text: &text };
    let mut world = prepared.world;

    loop {
        match Command::from_words(&team.ranks.broadcast(Vec::new())) {
            Command::Restart(state) => {
                let made = restart(&prepared.scene, source, &state);
                world = made.unwrap_or_else(|error| ranks.abort(&error.to_string()));
                world.distribute(ranks);
            }
            // Rank 0 gets the same error and handles it.
            Command::Advance { times, most, dt } => {
                let _ = advance(&mut world, times, most, dt);
            }
            Command::Gather => {
                world.gather();
            }
            Command::End => return Ok(()),
        }
    }
}

/// Builds the world again, in a state, if there is one.
fn restart(scene: &SceneSpec, source: Source<'_>, state: &[u8]) -> Result<World, RunError> {
    let mut world = make(scene, source)?;
    if !state.is_empty() {
        let state = postcard::from_bytes(state).expect("rank 0 sends a state");
        restore(&mut world, source.path, state)?;
    }
    Ok(world)
}

/// Advances a number of times, up to a number of steps in all.
fn advance(world: &mut World, times: u64, most: u64, dt: f64) -> Result<(), StepError> {
    let mut left = most;
    for _ in 0..times {
        if left > 0 {
            left -= world.advance(dt, left)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
