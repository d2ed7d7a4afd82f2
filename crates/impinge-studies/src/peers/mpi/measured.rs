//! What a rank measures, and how ranks are started.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// What rank 0 measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) count: f64,
    pub(super) ranks: f64,
    /// Ghosts, mean over the ranks.
    pub(super) ghosts: f64,
    /// Nanoseconds per particle and step.
    pub(super) elapsed: f64,
    /// Per particle, at the end.
    pub(super) kinetic: f64,
    pub(super) contacts: f64,
    /// Per step: messages, their bytes, and the bytes at rebuilds.
    pub(super) messages: f64,
    pub(super) bytes: f64,
    pub(super) rebuild_bytes: f64,
    /// Steps between two rebuilds of the list.
    pub(super) lasts: f64,
    /// Bytes per particle, ghosts counted.
    pub(super) memory: f64,
    /// Nanoseconds to pack and unpack a ghost.
    pub(super) packing: f64,
    /// Share of the time in which a step waits for ghosts.
    pub(super) waiting: f64,
    /// Seconds of a reduction and of a short message, and bytes per second of a long one.
    pub(super) reduction: f64,
    pub(super) latency: f64,
    pub(super) bandwidth: f64,
}

impl Measured {
    /// Ghosts of a rank by the model of docs/scale.md: the surface of a cube of its particles.
    pub(super) fn model(&self) -> f64 {
        6.0 * (self.count / self.ranks).powf(2.0 / 3.0)
    }
}

/// Returns `mpirun` with what OpenMPI needs where there are fewer cores than ranks.
pub(super) fn mpirun(ranks: usize) -> Command {
    let mut command = Command::new("mpirun");
    let version = Command::new("mpirun").arg("--version").output();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("Open MPI")) {
        command.args(["--allow-run-as-root", "--oversubscribe"]);
        command.args(["--bind-to", if ranks <= 2 { "core" } else { "none" }]);
    }
    command.args(["-n", &ranks.to_string()]);
    command
}

/// Runs this program as the ranks that a launcher starts.
pub(super) fn started(
    mut launcher: Command,
    path: &Path,
    [steps, windows]: [usize; 2],
    sides: &[f64],
) -> Result<Measured> {
    launcher.arg(std::env::current_exe()?);
    launcher.args(["peers", "mpi-rank"]).arg(path);
    launcher.args([steps, windows].map(|count| count.to_string()));
    launcher.args(sides.iter().map(f64::to_string));
    let output = launcher.output().context("ranks cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!(
            "ranks failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let line = text.lines().last().context("ranks print nothing")?;
    serde_json::from_str(line).with_context(|| format!("ranks print '{line}'"))
}
