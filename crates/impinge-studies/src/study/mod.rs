//! Utilities of the studies: output folder, CSV tables, timing, findings.

mod finding;
mod record;

pub(crate) use finding::{Claim, Finding, Findings, Kind, Outcome};
pub(crate) use record::Record;

use anyhow::{Context, Result};
use std::fmt::Display;
use std::path::PathBuf;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Returns the folder of a study's files, created if needed.
pub(crate) fn folder(name: &str) -> Result<PathBuf> {
    let folder = PathBuf::from("out/studies").join(name);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A table, saved as a CSV file.
pub(crate) struct Table {
    text: String,
    columns: usize,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self {
            text: header.join(",") + "\n",
            columns: header.len(),
        }
    }

    pub(crate) fn row(&mut self, cells: &[&dyn Display]) {
        assert_eq!(
            cells.len(),
            self.columns,
            "a row has one cell for each column"
        );
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();

        self.text += &(cells.join(",") + "\n");
    }

    pub(crate) fn save(&self, path: &std::path::Path) -> Result<()> {
        std::fs::write(path, &self.text).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Runs once and returns the result with the seconds it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// Returns the CPU time of this thread, or the time of the clock if the system does not provide it: the
/// machine may be busy with other work.
pub(crate) fn cpu_seconds() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let own = times
        .split_whitespace()
        .next()
        .and_then(|text| text.parse::<f64>().ok());
    let clock = || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(0.0, |since| since.as_secs_f64())
    };
    own.map_or_else(clock, |nanoseconds| nanoseconds * 1e-9)
}

/// Returns the exponent b of y ≈ a·xᵇ, by least squares in logarithms.
pub(crate) fn growth_exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = logs
        .iter()
        .fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / n, sy + y / n));
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();

    covariance / variance
}
