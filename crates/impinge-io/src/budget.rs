//! Limits the memory that reading a file can allocate.
//!
//! Most arrays cannot outgrow their file, because every number takes at least one byte of it. Three things can:
//! compressed blocks, sets and parts that are used many times, and strips whose single value applies to many
//! triangles. Readers charge those to a budget that is a multiple of the file's size.

use crate::ParseError;

/// Remaining memory that one file may use.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// Bytes of memory allowed per byte of the file.
    const TIMES: usize = 16;
    /// Bytes of memory allowed for any file, so that small and highly compressed files can be read.
    const FREE: usize = 64 << 20;

    pub(crate) fn of(file: &[u8]) -> Self {
        Self {
            left: file
                .len()
                .saturating_mul(Self::TIMES)
                .saturating_add(Self::FREE),
        }
    }

    /// Charges `count` items of `size` bytes to the budget, or fails if it is exhausted.
    pub(crate) fn take(&mut self, count: usize, size: usize) -> Result<(), ParseError> {
        match count
            .checked_mul(size)
            .and_then(|bytes| self.left.checked_sub(bytes))
        {
            Some(left) => self.left = left,
            None => {
                return Err(ParseError::whole(format!(
                    "the contents expand beyond {} times the file's size + {} MB of memory",
                    Self::TIMES,
                    Self::FREE >> 20
                )));
            }
        }

        Ok(())
    }

    /// Returns memory that was charged and has been freed.
    pub(crate) fn give_back(&mut self, count: usize, size: usize) {
        self.left += count * size;
    }
}

#[cfg(test)]
mod tests;
