//! Options of the expansions: degree, depth, and the near-field rule.

use super::cube::MOST_LEVELS;
use super::harmonics::MOST_DEGREE;
use thiserror::Error;

/// Mean number of panels per box of the finest level that [`Depth::Triangles`] aims at.
const MEAN_PANELS: f64 = 12.0;

/// Choice of the expansion degree p.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Degree {
    /// This degree, at most 20.
    Given(usize),
    /// The lowest degree for which the error bound of J [Muth2006, eq. (27)] is at most this.
    Tolerance(f64),
}

/// Choice of the depth L of the cluster trees. Boxes with many more panels than the mean are
/// divided further, except with `Given`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Depth {
    /// From the number of triangles alone: the paper's pre-chosen depth, PC.
    Triangles,
    /// From the number of triangles and the expected number of points: the paper's well-chosen
    /// depth, WC.
    Both {
        /// Number of points that will be located.
        points: usize,
    },
    /// At most this many levels below the root.
    Given(usize),
}

/// Options of the fast multipole method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultipoleOptions {
    /// The expansion degree.
    pub degree: Degree,
    /// The depth of the trees.
    pub depth: Depth,
    /// d of the near-field rule [Muth2006, eq. (16)], from 1 (exclusive) to 4. Errors fall like
    /// d^−p.
    pub separation: f64,
}

impl Default for MultipoleOptions {
    fn default() -> Self {
        Self {
            degree: Degree::Given(4),
            depth: Depth::Triangles,
            separation: 1.1,
        }
    }
}

/// The reason why the multipole method cannot be prepared.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidMultipole {
    /// The degree is too high.
    #[error("degree {0} is more than {MOST_DEGREE}")]
    Degree(usize),
    /// d is out of range.
    #[error("the separation {0} is not greater than 1 and at most 4")]
    Separation(f64),
    /// The tolerance is not positive.
    #[error("the tolerance {0} is not greater than 0")]
    Tolerance(f64),
    /// No degree up to the maximum is high enough.
    #[error(
        "the error bound at degree {MOST_DEGREE} is {reachable:.1e}; a larger separation lowers it"
    )]
    Unreachable {
        /// The bound at the highest degree.
        reachable: f64,
    },
}

impl MultipoleOptions {
    pub(super) fn check(&self) -> Result<(), InvalidMultipole> {
        match self.degree {
            Degree::Given(degree) if degree > MOST_DEGREE => {
                return Err(InvalidMultipole::Degree(degree));
            }
            // A NaN is not greater than 0.
            Degree::Tolerance(e) if e.is_nan() || e <= 0.0 => {
                return Err(InvalidMultipole::Tolerance(e));
            }
            _ => {}
        }
        if self.separation > 1.0 && self.separation <= 4.0 {
            Ok(())
        } else {
            Err(InvalidMultipole::Separation(self.separation))
        }
    }
}

/// Returns the error bound [Muth2006, eqs. (26) and (27)] for Σ area/r² = `load` over the far
/// clusters.
pub(super) fn error_bound(load: f64, separation: f64, degree: usize) -> f64 {
    let (d, p) = (separation, degree as f64);
    load * (1.0 + std::f64::consts::PI) / (d - 1.0) * (p + 1.0 + d / (d - 1.0)) * d.powf(-p - 2.0)
}

/// Returns the lowest degree whose bound is within the tolerance.
pub(super) fn degree_for(
    tolerance: f64,
    load: f64,
    separation: f64,
) -> Result<usize, InvalidMultipole> {
    let bound = |degree: usize| error_bound(load, separation, degree);
    (1..=MOST_DEGREE)
        .find(|&degree| bound(degree) <= tolerance)
        .ok_or(InvalidMultipole::Unreachable {
            reachable: bound(MOST_DEGREE),
        })
}

/// Costs measured at degree 4, in nanoseconds: building the expansion of one cell with its
/// conversions, and one solid angle.
const CELL: f64 = 3000.0;
const SOLID_ANGLE: f64 = 12.0;

/// Statistics of a surface: cells per occupied box that have it in their near field and are
/// divided, cells per occupied box that contain it, and boxes near a cell.
const DIVIDED: f64 = 4.0;
const HOLDING: f64 = 1.5;
const NEAR_BOXES: f64 = 12.0;

impl Depth {
    /// Returns the number of levels below the root, from the number of occupied boxes on each
    /// level.
    pub(super) fn level(&self, occupied: &[usize], panels: usize) -> usize {
        match *self {
            Self::Given(level) => level.min(MOST_LEVELS),
            Self::Triangles => {
                let mean = |level: usize| panels as f64 / occupied[level] as f64;
                (0..MOST_LEVELS)
                    .find(|&level| mean(level) <= MEAN_PANELS)
                    .unwrap_or(MOST_LEVELS)
            }
            Self::Both { points } => (0..=MOST_LEVELS)
                .map(|level| (cost(level, occupied, panels as f64, points as f64), level))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map_or(0, |(_, level)| level),
        }
    }
}

/// Estimates the time of set-up and evaluation for trees of a given depth.
fn cost(level: usize, occupied: &[usize], panels: f64, points: f64) -> f64 {
    let boxes = |level: usize| occupied[level] as f64;
    let cells: f64 = (1..=level)
        .map(|l| (8.0 * DIVIDED * boxes(l - 1)).min(8f64.powi(l as i32)))
        .sum();
    let near_share = (HOLDING * boxes(level) * 0.125f64.powi(level as i32)).min(1.0);
    let near_panels = (NEAR_BOXES * panels / boxes(level)).min(panels);

    cells * CELL + points * near_share * near_panels * SOLID_ANGLE
}
