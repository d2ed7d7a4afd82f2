//! The complete state of a run in one file, replaced atomically so that a valid one always exists.
//!
//! Layout: eight magic bytes, the [`Checkpoint`] in postcard format, an eight-byte checksum. The
//! file is written under a temporary name, synced to disk, and then renamed; a crash or a full disk
//! at any moment leaves the previous one.

use crate::measure::Passed;
use crate::output::Marks;
use impinge_io::Error;
use impinge_sim::world::State;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file in a run's folder.
pub const FILE: &str = "checkpoint.bin";

const MAGIC: &[u8; 8] = b"IMPINGE\x01";

/// The state of a run after a step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Version of the program that wrote it: another version may add numbers in a different order.
    pub version: String,
    /// [`hash`] of the scene.
    pub scene: u64,
    /// Number of steps done.
    pub step: u64,
    /// Number of steps computed; a free flight counts as one.
    pub computed: u64,
    /// Length of a step, s.
    pub dt: f64,
    /// Progress of the output files.
    pub marks: Marks,
    /// Flow through the planes of the scene so far.
    pub passed: Vec<Passed>,
    /// The state of the world.
    pub state: State,
}

/// Returns this program's version, as stored in checkpoints.
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

impl Checkpoint {
    /// Writes the checkpoint to a run's folder.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(FILE);
        let bytes = self.encode().map_err(|reason| invalid(&path, reason))?;
        impinge_io::write_atomically(&path, |out| out.write_all(&bytes))
    }

    /// Reads the checkpoint of a run's folder; `None` if there is none.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(FILE);
        match std::fs::read(&path) {
            Ok(bytes) => Self::decode(&bytes)
                .map(Some)
                .map_err(|reason| invalid(&path, reason)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::system(&path, error)),
        }
    }

    fn encode(&self) -> Result<Vec<u8>, String> {
        let mut bytes =
            postcard::to_extend(self, MAGIC.to_vec()).map_err(|error| error.to_string())?;
        let checksum = hash([&bytes[..]]);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        Ok(bytes)
    }

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        let body = bytes
            .strip_prefix(MAGIC)
            .ok_or("it is not a checkpoint of this version of impinge")?;
        let (body, checksum) = body.split_last_chunk().ok_or("it is truncated")?;

        if hash([&bytes[..bytes.len() - 8]]) != u64::from_le_bytes(*checksum) {
            return Err("its checksum is wrong, so it is damaged".to_owned());
        }

        postcard::from_bytes(body).map_err(|error| format!("it cannot be read: {error}"))
    }
}

fn invalid(path: &Path, reason: String) -> Error {
    Error::system(
        path,
        std::io::Error::new(std::io::ErrorKind::InvalidData, reason),
    )
}

/// FNV-1a over words of eight bytes: detects changes and corruption, not tampering.
pub fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    // Folds the high bits, where the product mixes best, back down; plain FNV never moves them.
    let mix = |state: u64, word: u64| {
        let product = (state ^ word).wrapping_mul(PRIME);
        product ^ (product >> 29)
    };
    let mut state = BASIS;

    for part in parts {
        let words = part.chunks_exact(8);
        let rest = words.remainder();
        state = words.fold(state, |s, word| {
            mix(s, u64::from_le_bytes(word.try_into().expect("eight bytes")))
        });
        state = rest.iter().fold(state, |s, &byte| mix(s, byte.into()));
        state = mix(state, part.len() as u64);
    }

    state
}

#[cfg(test)]
mod tests;
