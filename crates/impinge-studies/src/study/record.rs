//! The record of a run of a study: what was found, on which machine, when and by which command.

use super::finding::{Finding, Findings, Outcome};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Name of the record in the folder of its study.
const FILE: &str = "findings.json";

/// Load average, per processor, above which the times of a run are marked as disturbed.
const BUSY: f64 = 0.3;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) study: String,
    pub(crate) command: String,
    /// UTC, like 2026-11-18 04:05.
    pub(crate) date: String,
    pub(crate) machine: String,
    pub(crate) processors: usize,
    /// Processes that wanted a processor in the minute before the run; `None` if unknown.
    pub(crate) load_before: Option<f64>,
    pub(crate) seconds: f64,
    pub(crate) is_quick: bool,
    pub(crate) findings: Vec<Finding>,
}

impl Record {
    /// Runs a study and records it in its folder. Figures of earlier runs are removed first.
    pub(crate) fn of_run(
        study: &str,
        is_quick: bool,
        run: impl FnOnce() -> Result<Findings>,
    ) -> Result<Self> {
        println!("\n{study}");
        let folder = super::folder(study)?;
        remove_figures(&folder)?;
        let load_before = load();
        let (findings, seconds) = super::timed(run);
        let record = Self {
            study: study.to_owned(),
            command: command(),
            date: date(SystemTime::now()),
            machine: machine(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            load_before,
            seconds,
            is_quick,
            findings: findings
                .with_context(|| format!("the study {study}"))?
                .into_all(),
        };

        std::fs::write(folder.join(FILE), serde_json::to_string_pretty(&record)?)?;
        println!("  {}", record.summary());
        Ok(record)
    }

    /// Reads the record of the last run.
    pub(crate) fn read(study: &str) -> Result<Self> {
        let path = super::folder(study)?.join(FILE);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{study} has not been run: {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Returns the number of findings that contradict what the study expects. A finding by the clock
    /// counts in a full run only: a quick one is too short to time.
    pub(crate) fn failures(&self) -> usize {
        let is_timed = |f: &Finding| !(self.is_quick && f.by_clock);
        let unexpected = self.findings.iter().filter(|f| !f.is_as_expected());
        unexpected.filter(|f| is_timed(f)).count()
    }

    fn count(&self, outcome: Outcome) -> usize {
        let same = |f: &&Finding| f.outcome == outcome;
        self.findings.iter().filter(same).count()
    }

    pub(crate) fn is_on_busy_machine(&self) -> bool {
        self.load_before
            .is_some_and(|load| load > BUSY * self.processors as f64)
    }

    pub(crate) fn summary(&self) -> String {
        format!(
            "{}: {} findings hold, {} are refuted, {} skipped; {} not as expected; {:.1} s",
            self.study,
            self.count(Outcome::Held),
            self.count(Outcome::Refuted),
            self.count(Outcome::Skipped),
            self.failures(),
            self.seconds
        )
    }

    /// Fails if a finding contradicts what the study expects.
    pub(crate) fn require_success(&self) -> Result<()> {
        if self.failures() > 0 {
            bail!("{}: {} finding(s) fail", self.study, self.failures());
        }
        Ok(())
    }
}

fn remove_figures(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "svg") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn command() -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    format!("impinge-studies {}", arguments.join(" "))
}

/// The processor's name, if the system reports it.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':'));
    name.map_or_else(|| "unknown".to_owned(), |(_, name)| name.trim().to_owned())
}

fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Formats a time in UTC, by the civil calendar: a year begins in March, so that the leap day is last.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);

    format!(
        "{year}-{month:02}-{day:02} {:02}:{:02}",
        second / 3_600,
        second / 60 % 60
    )
}

#[cfg(test)]
mod tests;
