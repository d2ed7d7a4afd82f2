//! Bytes from base64, a few at a time.
//!
//! VTK writes the length (or the table of compressed blocks) and the data behind it as one stretch of base64 or as
//! two, each with its own padding. Reading group by group, with padding allowed in any group, takes both.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Reads base64 from front to back.
#[derive(Clone, Debug)]
pub(crate) struct Encoded<'a> {
    text: &'a [u8],
    /// Bytes of the last group that were not asked for yet.
    spare: Vec<u8>,
}

impl<'a> Encoded<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            spare: Vec::new(),
        }
    }

    /// Largest number of bytes that may still come.
    pub(crate) fn left(&self) -> usize {
        self.text.len() / 4 * 3 + self.spare.len()
    }

    /// Fills `out`, or says why it cannot.
    pub(crate) fn fill(&mut self, mut out: &mut [u8]) -> Result<(), String> {
        while !out.is_empty() {
            if self.spare.is_empty() {
                let done = self.whole_groups(out)?;
                out = &mut out[done..];
                if !out.is_empty() {
                    self.spare = self.one_group()?;
                }
            }

            let count = self.spare.len().min(out.len());
            out[..count].copy_from_slice(&self.spare[..count]);
            self.spare.drain(..count);
            out = &mut out[count..];
        }
        Ok(())
    }

    /// Decodes the groups without padding that fit into `out` as a whole; returns how many bytes.
    fn whole_groups(&mut self, out: &mut [u8]) -> Result<usize, String> {
        let groups = (out.len() / 3).min(self.text.len() / 4);
        let run = &self.text[..4 * groups];
        let groups = run
            .iter()
            .position(|&b| b == b'=')
            .map_or(groups, |at| at / 4);
        let decoded = STANDARD.decode_slice(&run[..4 * groups], &mut out[..3 * groups]);
        decoded.map_err(|error| format!("the base64 is broken: {error}"))?;
        self.text = &self.text[4 * groups..];

        Ok(3 * groups)
    }

    fn one_group(&mut self) -> Result<Vec<u8>, String> {
        let (group, rest) = self
            .text
            .split_at_checked(4)
            .ok_or("the base64 ends too early")?;
        self.text = rest;

        STANDARD
            .decode(group)
            .map_err(|error| format!("the base64 is broken: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_with_their_own_padding_are_one_stream() {
        for cut in 0..12 {
            let bytes: Vec<u8> = (0..12).map(|i| i * 21).collect();
            let text = STANDARD.encode(&bytes[..cut]) + &STANDARD.encode(&bytes[cut..]);
            for step in 1..=12 {
                let mut encoded = Encoded::new(text.as_bytes());
                let mut out = vec![0; 12];
                out.chunks_mut(step)
                    .for_each(|chunk| encoded.fill(chunk).expect("sound"));
                assert_eq!(out, bytes, "cut at {cut}, read by {step}");
                assert!(encoded.fill(&mut [0]).is_err());
            }
        }
    }

    #[test]
    fn broken_base64_is_refused() {
        for text in ["AAA", "A*AA", "=AAA", "AA=A", "A===", "===="] {
            assert!(
                Encoded::new(text.as_bytes()).fill(&mut [0; 3]).is_err(),
                "{text}"
            );
        }
    }
}
