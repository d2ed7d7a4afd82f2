//! All overlapping pairs, compared with parry, rapier, kiddo, broccoli, scipy and LAMMPS: the same
//! bodies, one thread each, then two for ours. Also the targets that impinge must reach by itself.
//!
//! Our pairs are sorted, those of the peers unsorted. Every list is compared with the exact one: a peer
//! that misses pairs or reports too many is shown with their number.

mod crates;
mod memory;
mod moving;
mod peer;
mod reach;
mod scenes;
mod scratch;

use super::program;
use crate::study::{self, Findings};
use anyhow::Result;
use clap::{Args, ValueEnum};
use impinge::broad::Pair;
use rayon::ThreadPool;

#[derive(Args)]
pub(crate) struct Pairs {
    /// Run a small version, in seconds
    #[arg(long)]
    pub(crate) quick: bool,
    /// Run only this table; all by default
    #[arg(long, value_enum)]
    table: Option<Part>,
}

impl Pairs {
    /// All tables.
    pub(crate) fn all(quick: bool) -> Self {
        Self { quick, table: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// All pairs from scratch, radii 1:1, 1:10 and 1:100
    Scratch,
    /// Pairs at every step of moving boxes
    Moving,
    /// Growth, threads, memory, jumps and the choice of method, for impinge alone
    Reach,
}

pub(crate) fn run(arguments: &Pairs) -> Result<Findings> {
    let folder = study::folder("peers-pairs")?;
    let mut findings = Findings::default();
    let wanted = |part: Part| arguments.table.is_none_or(|table| table == part);
    if wanted(Part::Scratch) {
        scratch::run(&folder, arguments.quick, &mut findings)?;
    }

    if wanted(Part::Moving) {
        moving::run(&folder, arguments.quick, &mut findings)?;
    }

    if wanted(Part::Reach) {
        findings.append(reach::run(&folder, arguments.quick)?);
    }

    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

fn threads(count: usize) -> Result<ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(count).build()?)
}

/// Difference between a peer's list and the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Difference {
    missing: usize,
    extra: usize,
}

impl Difference {
    /// Compares a list in any order.
    fn of(found: &mut Vec<Pair>, exact: &[Pair]) -> Self {
        found.sort_unstable();
        found.dedup();
        let extra = found
            .iter()
            .filter(|pair| exact.binary_search(pair).is_err())
            .count();

        Self {
            missing: exact.len() - (found.len() - extra),
            extra,
        }
    }

    /// Compares a list given only its length.
    fn of_count(found: usize, exact: usize) -> Self {
        Self {
            missing: exact.saturating_sub(found),
            extra: found.saturating_sub(exact),
        }
    }

    /// Returns a remark for a table.
    fn remark(self, exact: usize) -> String {
        let share = |n: usize| 100.0 * n as f64 / exact.max(1) as f64;
        match self {
            Self {
                missing: 0,
                extra: 0,
            } => String::new(),
            Self { missing: 0, extra } => format!(" (+{:.1} % pairs)", share(extra)),
            Self { missing, .. } => format!(" (misses {:.2} %)", share(missing)),
        }
    }
}

/// A Markdown table, with one row for each program.
struct Markdown {
    text: String,
}

impl Markdown {
    fn new(header: &[String]) -> Self {
        let rule = "|---".repeat(header.len());
        Self {
            text: format!("| {} |\n{rule}|\n", header.join(" | ")),
        }
    }

    fn row(&mut self, name: &str, cells: &[String]) {
        self.text += &format!("| {name} | {} |\n", cells.join(" | "));
    }
}

#[cfg(test)]
mod tests;
