//! The IPC Toolkit's continuous collision detection, through its Python package.

use super::program;
use anyhow::{Result, bail};
use impinge::space::Point;
use std::path::Path;

/// Returns the CPU seconds of one search, and the fraction of the step before the first impact.
///
/// `method` is `tight` or `additive`; positions are those at the start and at the end of the step.
pub(super) fn first_impact(
    [start, end]: [&[Point<3>]; 2],
    triangles: &[[u32; 3]],
    method: &str,
    folder: &Path,
) -> Result<(f64, f64)> {
    let mut bytes: Vec<u8> = [start.len() as u64, triangles.len() as u64]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let coordinates = [start, end]
        .into_iter()
        .flatten()
        .flat_map(|p| [p.x, p.y, p.z]);
    bytes.extend(coordinates.flat_map(f64::to_le_bytes));

    bytes.extend(
        triangles
            .as_flattened()
            .iter()
            .flat_map(|n| n.to_le_bytes()),
    );

    let path = folder.join("step.bin");
    std::fs::write(&path, bytes)?;
    let mut script = program::script("predict.py", include_str!("../../peers/predict.py"), folder)?;
    let numbers = program::numbers(script.arg(method).arg(&path))?;
    let [seconds, share] = numbers[..] else {
        bail!("it prints {} numbers instead of 2", numbers.len())
    };

    Ok((seconds, share))
}
