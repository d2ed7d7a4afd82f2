//! Incremental base64 decoder.
//!
//! VTK encodes the length (or the table of compressed blocks) and the data after it as one base64 string or as two,
//! each with its own padding. Decoding group by group, with padding allowed in any group, handles both.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Decodes base64 from front to back.
#[derive(Clone, Debug)]
pub(crate) struct Encoded<'a> {
    text: &'a [u8],
    /// Decoded bytes of the last group that have not been requested yet.
    spare: Vec<u8>,
}

impl<'a> Encoded<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            spare: Vec::new(),
        }
    }

    /// Upper bound on the number of bytes left.
    pub(crate) fn left(&self) -> usize {
        self.text.len() / 4 * 3 + self.spare.len()
    }

    /// Fills `out`, or returns why it cannot.
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

    /// Decodes the groups without padding that fit completely into `out`; returns the number of bytes.
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
mod tests;
