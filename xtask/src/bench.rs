//! The kernels' times: measured by criterion, compared with those that are committed.
//!
//! Times of different machines, or of a busy one, are not comparable: the table names the machine.

use crate::test::cargo;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const TABLE: &str = "benchmarks/kernels.csv";

/// What to do with the measured times.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Compare,
    Save,
}

/// Median and its 95 % confidence interval, in nanoseconds.
#[derive(Clone, Copy)]
struct Time {
    median: f64,
    low: f64,
    high: f64,
}

pub(crate) fn run(mode: Mode) -> Result<()> {
    let root = crate::root();
    let results = root.join("target/criterion");
    let _ = std::fs::remove_dir_all(&results);
    // All of the workspace, as other builds select it, so that nothing is compiled twice with other features.
    cargo(
        &[
            "bench",
            "--workspace",
            "--bench",
            "kernels",
            "--",
            "--noplot",
        ],
        &root,
    )?;

    let measured = measured(&results)?;
    let committed = std::fs::read_to_string(root.join(TABLE)).unwrap_or_default();
    print_comparison(&measured, &medians(&committed));
    if mode == Mode::Save {
        std::fs::create_dir_all(root.join("benchmarks"))?;
        std::fs::write(root.join(TABLE), table(&measured)?)?;
        println!("written: {TABLE}");
    }
    Ok(())
}

/// Returns the time of each kernel, from criterion's files.
fn measured(results: &Path) -> Result<BTreeMap<String, Time>> {
    let mut times = BTreeMap::new();
    for entry in std::fs::read_dir(results).with_context(|| results.display().to_string())? {
        let folder = entry?.path().join("new");
        let Ok(about) = std::fs::read_to_string(folder.join("benchmark.json")) else {
            continue;
        };
        let about: Value = serde_json::from_str(&about)?;
        let name = about["full_id"]
            .as_str()
            .context("a benchmark without a name")?;
        let estimates = std::fs::read_to_string(folder.join("estimates.json"))?;
        let median = &serde_json::from_str::<Value>(&estimates)?["median"];
        let number = |value: &Value| value.as_f64().context("a time is no number");
        let interval = &median["confidence_interval"];
        let time = Time {
            median: number(&median["point_estimate"])?,
            low: number(&interval["lower_bound"])?,
            high: number(&interval["upper_bound"])?,
        };
        times.insert(name.to_owned(), time);
    }
    Ok(times)
}

fn table(times: &BTreeMap<String, Time>) -> Result<String> {
    let mut text = format!(
        "# {}; {}; {}; one thread\nkernel,median_ns,low_ns,high_ns\n",
        processor(),
        output("rustc", &["--version"]),
        output("date", &["-u", "+%Y-%m-%d"])
    );
    for (name, Time { median, low, high }) in times {
        writeln!(text, "\"{name}\",{median:.0},{low:.0},{high:.0}")?;
    }
    Ok(text)
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(": "));
    name.map_or_else(
        || "unknown processor".to_owned(),
        |(_, name)| name.to_owned(),
    )
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

/// Returns the medians of a table.
fn medians(table: &str) -> BTreeMap<String, f64> {
    let row = |line: &str| {
        let (name, numbers) = line.strip_prefix('"')?.split_once("\",")?;
        let median = numbers.split(',').next()?.parse().ok()?;
        Some((name.to_owned(), median))
    };
    table.lines().filter_map(row).collect()
}

fn print_comparison(measured: &BTreeMap<String, Time>, committed: &BTreeMap<String, f64>) {
    println!(
        "{:<58}{:>14}{:>14}{:>8}",
        "kernel", "now, ns", "committed, ns", "ratio"
    );
    for (name, time) in measured {
        let before = committed.get(name);
        let shown = before.map_or_else(|| "–".to_owned(), |before| format!("{before:.0}"));
        let ratio = before.map_or_else(
            || "–".to_owned(),
            |before| format!("{:.2}", time.median / before),
        );
        println!("{name:<58}{:>14.0}{shown:>14}{ratio:>8}", time.median);
    }
}

#[cfg(test)]
mod tests;
