//! Section 4.3: at constant density, the smallest radius decides how many candidates a particle has on
//! the sorted axis, because the largest radius sets the size of the cells.

use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table, growth_exponent};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::broad::{PaperColumns, PaperGrid};
use impinge::space::{Random, Vector};
use std::path::Path;

/// Solid fraction of the system.
const FRACTION: f64 = 0.2;

/// Smallest radius over largest.
const RATIOS: [f64; 4] = [1.0, 0.5, 0.25, 0.125];

pub(super) fn run(folder: &Path, count: usize, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&["smallest_over_largest", "tests_per_particle"]);
    let mut points = Vec::new();

    for smallest in RATIOS {
        let mut paper = PaperColumns::new(PaperGrid::One);
        paper.find_some_pairs(&two_sizes(count, smallest), &mut Vec::new());
        let tests = paper.counters().tests as f64 / count as f64;
        table.row(&[&smallest, &tests]);
        points.push((smallest, tests));
    }

    let exponent = growth_exponent(&points);
    findings.claim(
        Claim::held(
            "Section 4.3",
            "at constant density, tests per particle grow as the smallest radius shrinks",
        ),
        points.windows(2).all(|two| two[1].1 > 1.2 * two[0].1),
        format!(
            "{:.2} to {:.2} tests from 1:1 to 1:8, (r_min/r_max)^{exponent:.2}",
            points[0].1,
            points[RATIOS.len() - 1].1
        ),
    );

    log_log(
        &folder.join("smallest_radius.svg"),
        "Tests for each particle against the smallest radius, one grid",
        "smallest radius over largest",
        "tests for each particle",
        &[Curve {
            label: format!("{count} particles"),
            points,
        }],
    )?;
    table.save(&folder.join("smallest_radius.csv"))
}

/// Random balls of radius 1 and `smallest`, half of the solid volume each.
fn two_sizes(count: usize, smallest: f64) -> Vec<Ball<3>> {
    let mut random = Random::new(6);
    let share_of_large = 1.0 / (1.0 + smallest.powi(-3));
    let radii: Vec<f64> = (0..count)
        .map(|_| match random.unit() < share_of_large {
            true => 1.0,
            false => smallest,
        })
        .collect();

    let solid: f64 =
        radii.iter().map(|r| r.powi(3)).sum::<f64>() * 4.0 / 3.0 * std::f64::consts::PI;
    let width = (solid / FRACTION).cbrt();
    radii
        .iter()
        .map(|&radius| Ball {
            centre: Vector::<3>::from_fn(|_, _| random.within(0.0, width)).into(),
            radius,
        })
        .collect()
}
