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
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_holds_is_refused_with_its_size() {
        assert!(ensure(1000, 24, "points").is_ok());
        let refused = ensure(1_000_000_000_000, 24, "points").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "1,000,000,000,000 points need 24,000 GB of memory, more than is available"
        );

        assert!(ensure(usize::MAX, 24, "points").is_err());
    }
}
