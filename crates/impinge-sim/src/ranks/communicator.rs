//! Communication between ranks.

use std::fmt::Debug;

/// Words sent to a rank, or received from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The other rank.
    pub rank: usize,
    /// Integers, or the bits of f64.
    pub words: Vec<u64>,
}

/// The connection of a rank with all others.
///
/// All calls but the first two and [`Self::abort`] are collective: every rank makes them, in the same
/// order.
pub trait Communicator: Debug + Send + Sync {
    /// Returns the number of this rank.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn size(&self) -> usize;

    /// Ends all ranks, because this one cannot go on and the others would wait for it.
    fn abort(&self, reason: &str) -> !;

    /// Replaces each number by the largest on any rank. No number is NaN.
    fn max(&self, numbers: &mut [f64]);

    /// Replaces each number by its sum over the ranks.
    fn sum(&self, numbers: &mut [i64]);

    /// Exchanges messages whose partners and lengths both sides already know. `meanwhile` runs while
    /// they are in transit.
    fn exchange(&self, sends: &[Message], receives: &mut [Message], meanwhile: &mut dyn FnMut());

    /// Sends messages to any ranks, at most one to each; returns those that arrived, sorted by
    /// sender.
    fn all_to_all(&self, sends: Vec<Message>) -> Vec<Message>;

    /// Returns the words of all ranks, in their order.
    fn all_gather(&self, words: Vec<u64>) -> Vec<Vec<u64>> {
        let sends = (0..self.size()).map(|rank| Message {
            rank,
            words: words.clone(),
        });
        let all = self.all_to_all(sends.collect());
        all.into_iter().map(|message| message.words).collect()
    }

    /// Returns the words of all ranks on rank 0, and nothing on the others.
    fn gather(&self, words: Vec<u64>) -> Vec<Vec<u64>> {
        let all = self.all_to_all(vec![Message { rank: 0, words }]);
        all.into_iter().map(|message| message.words).collect()
    }

    /// Returns the words of rank 0.
    fn broadcast(&self, words: Vec<u64>) -> Vec<u64> {
        let sends = match self.rank() {
            0 => (0..self.size())
                .map(|rank| Message {
                    rank,
                    words: words.clone(),
                })
                .collect(),
            _ => Vec::new(),
        };
        let mut arrived = self.all_to_all(sends);
        arrived.pop().map_or_else(Vec::new, |message| message.words)
    }
}

/// Packs bytes into words, the number of bytes first.
pub fn words_of(bytes: &[u8]) -> Vec<u64> {
    let word = |part: &[u8]| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(word)
    };
    let mut words = vec![bytes.len() as u64];
    words.extend(bytes.chunks(8).map(word));

    words
}

/// Unpacks the bytes of [`words_of`].
pub fn bytes_of(words: &[u64]) -> Vec<u8> {
    let Some((&count, words)) = words.split_first() else {
        return Vec::new();
    };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(count as usize);

    bytes
}

#[cfg(test)]
mod tests;
