//! Memory checks that report an error before the allocator or the system kills the program.

use crate::terminal::grouped;
use anyhow::bail;

/// Returns an error if `items` of `bytes_each` bytes do not fit in memory.
pub(crate) fn ensure(items: usize, bytes_each: usize, what: &str) -> anyhow::Result<()> {
    let bytes = items.checked_mul(bytes_each);
    let fits = |bytes: usize| {
        available().is_none_or(|available| bytes <= available)
            && Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    };

    if bytes.is_some_and(fits) {
        return Ok(());
    }

    let gigabytes = items as f64 * bytes_each as f64 / 1e9;
    bail!(
        "{} {what} need {} GB of memory, more than is available",
        grouped(items),
        grouped(gigabytes.ceil() as usize)
    )
}

/// Available memory in bytes, without evicting other programs; known only on Linux.
fn available() -> Option<usize> {
    let table = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = table
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests;
