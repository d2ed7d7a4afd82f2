//! Ghosts of a packing of sizes 1:10 on ranks, compared with LAMMPS' communication by size classes.
//!
//! Large spheres on a lattice among small ones, without periodic sides, so that both count copies of other
//! ranks' spheres only. Both lists have no skin worth mentioning. LAMMPS sends every small sphere that a large
//! one on the other side of a face might reach; impinge keeps those that are in a pair. With `reduce/multi`, where
//! the rank of the smaller sphere computes a pair for both, LAMMPS needs about as few.

use super::super::program;
use super::measured::{mpirun, started};
use super::sizes;
use crate::study::{Findings, Table};
use anyhow::{Context, Result};
use std::path::Path;

pub(super) fn run(findings: &mut Findings, folder: &Path, quick: bool) -> Result<()> {
    let path = folder.join("sizes.bin");
    let cells = if quick { 2 } else { 4 };
    let count = sizes::write(&path, cells)?;
    let mut table = Table::new(&["ranks", "spheres", "impinge", "lammps", "lammps_reduced"]);
    println!("\nghosts of a rank at sizes 1:10, {} spheres", count);
    println!(
        "{:>8}{:>12}{:>16}{:>26}",
        "ranks", "impinge", "LAMMPS, multi", "multi, reduced"
    );
    for ranks in [2, 4, 8] {
        let ours = started(mpirun(ranks), &path, [0, 0], &[])?.ghosts;
        let theirs = ["no", "yes"].map(|reduced| lammps(folder, &path, ranks, reduced));
        let [plain, reduced] = match theirs {
            [Ok(plain), Ok(reduced)] => [plain, reduced],
            [Err(reason), _] | [_, Err(reason)] => {
                findings.skip("ghosts of LAMMPS", format!("{reason:#}"));
                return Ok(());
            }
        };
        println!("{ranks:>8}{ours:>12.0}{plain:>16.0}{reduced:>26.0}");
        table.row(&[&ranks, &count, &ours, &plain, &reduced]);
        findings.check(
            3.0 * ours <= plain,
            format!(
                "{ranks} ranks, sizes 1:10: {:.2} of the ghosts of LAMMPS' multi",
                ours / plain
            ),
        );
    }

    table.save(&folder.join("ghosts.csv"))
}

/// Returns the ghosts of a rank of LAMMPS.
fn lammps(folder: &Path, path: &Path, ranks: usize, reduced: &str) -> Result<f64> {
    let source = include_str!("../../../peers/ghosts.py");
    let mut script = program::script("ghosts.py", source, folder)?;
    script.arg(path).args([&ranks.to_string(), reduced]);
    let numbers = program::numbers(&mut script)?;
    numbers.first().copied().context("it prints no number")
}
