//! Options of the expansions: degree, depth, the near-field rule, and what is evaluated.

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
    /// Degree, separation and depth for which the error bound of J is at most this, at the lowest
    /// estimated cost. A given separation or depth is kept.
    Tolerance(f64),
}

/// Choice of the depth L of the cluster trees. Boxes with many more panels than the mean are
/// divided further, except with `Given`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Depth {
    /// From the number of triangles alone: the paper's pre-chosen depth, PC.
    Triangles,
    /// From the number of triangles, the expected number of points, the degree and the separation:
    /// the paper's well-chosen depth, WC.
    Both {
        /// Number of points that will be located.
        points: usize,
    },
    /// This many levels below the root at most.
    Given(usize),
}

/// Degree of the conversions on each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelOrder {
    /// The same on all levels.
    #[default]
    Fixed,
    /// One less for each level below the coarsest that converts, but at least half of it: most
    /// clusters are on fine levels, whose parts of the surface are small [Sauter 2000, Tausch 2004].
    Falling,
}

/// Evaluation of points in cells without surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreeCells {
    /// A look-up: J is one integer throughout the cell, computed once.
    #[default]
    Labelled,
    /// The expansion is evaluated at every point, as in the paper.
    Evaluated,
}

/// Options of the fast multipole method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultipoleOptions {
    /// The expansion degree.
    pub degree: Degree,
    /// The depth of the trees.
    pub depth: Depth,
    /// d of the near-field rule [Muth2006, eq. (16)], from 1 (exclusive) to 4. Errors fall like
    /// d^−p. `None` chooses it: 1.1 with a given degree.
    pub separation: Option<f64>,
    /// The degree on each level, if the degree is given; with a tolerance it is the same on all.
    pub order: LevelOrder,
    /// Evaluation in cells without surface.
    pub free_cells: FreeCells,
}

impl MultipoleOptions {
    /// d of the near-field rule with a given degree, if no separation is given.
    pub const SEPARATION: f64 = 1.1;

    /// The default options.
    pub const DEFAULT: Self = Self {
        degree: Degree::Given(4),
        depth: Depth::Triangles,
        separation: None,
        order: LevelOrder::Fixed,
        free_cells: FreeCells::Labelled,
    };
}

impl Default for MultipoleOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

pub(super) const SEPARATION: f64 = MultipoleOptions::SEPARATION;

/// Separations that are tried for a tolerance, if none is given.
pub(super) const SEPARATIONS: [f64; 6] = [1.25, 1.5, 2.0, 2.5, 3.0, 4.0];

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
        /// The lowest bound at the highest degree.
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
        match self.separation {
            Some(d) if !(d > 1.0 && d <= 4.0) => Err(InvalidMultipole::Separation(d)),
            _ => Ok(()),
        }
    }
}

/// Degree and separation, on which the cost depends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Accuracy {
    pub(super) degree: usize,
    pub(super) separation: f64,
}

/// Costs in nanoseconds: one conversion at degree 4, one solid angle, one coefficient of an expansion
/// at a point.
const CONVERSION: f64 = 60.0;
const SOLID_ANGLE: f64 = 12.0;
const COEFFICIENT: f64 = 2.0;

/// Conversions for each cell at separation 1.1.
const CONVERSIONS: f64 = 50.0;

/// Statistics of a surface at separation 1.1: cells per occupied box that have it in their near field
/// and are divided, cells per occupied box that contain it, and boxes near a cell.
const DIVIDED: f64 = 4.0;
const HOLDING: f64 = 1.5;
const NEAR_BOXES: f64 = 12.0;

impl Accuracy {
    /// Returns the radius of the near field, relative to that at separation 1.1.
    fn reach(&self) -> f64 {
        (self.separation + 1.0) / (SEPARATION + 1.0)
    }

    /// Estimates one conversion: a matrix of (p + 1)² by (p + 1)².
    fn conversion(&self) -> f64 {
        CONVERSION * ((self.degree + 1) as f64 / 5.0).powi(4)
    }

    fn expansion(&self) -> f64 {
        COEFFICIENT * ((self.degree + 1) as f64).powi(2)
    }

    /// Estimates the time of a built tree: its conversions, and the near panels of each point that lies
    /// in a cell with surface.
    pub(super) fn cost_of(&self, tree: &super::Statistics, points: usize) -> f64 {
        let near = tree.near_panels as f64 / tree.near_leaves.max(1) as f64;
        let share = (tree.near_leaves as f64 / tree.leaves.max(1) as f64).min(1.0);
        let each = self.expansion() + share * near * SOLID_ANGLE;
        tree.conversions as f64 * self.conversion() + points as f64 * each
    }
}

impl Depth {
    /// Returns the number of levels below the root, from the number of occupied boxes on each
    /// level.
    pub(super) fn level(&self, occupied: &[usize], panels: usize, accuracy: Accuracy) -> usize {
        match *self {
            Self::Given(level) => level.min(MOST_LEVELS),
            Self::Triangles => {
                let mean = |level: usize| panels as f64 / occupied[level] as f64;
                (0..MOST_LEVELS)
                    .find(|&level| mean(level) <= MEAN_PANELS)
                    .unwrap_or(MOST_LEVELS)
            }
            Self::Both { points } => (0..=MOST_LEVELS)
                .map(|level| {
                    let cost = cost(level, occupied, panels as f64, points as f64, accuracy);
                    (cost, level)
                })
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map_or(0, |(_, level)| level),
        }
    }

    /// Returns the number of points to weigh evaluation against set-up.
    pub(super) fn points(&self, triangles: usize) -> usize {
        match *self {
            Self::Both { points } => points,
            _ => triangles,
        }
    }
}

/// Estimates the time of set-up and evaluation for trees of a given depth. Cells that are divided
/// fill a layer about the surface as thick as the near field; the boxes near a cell, and its
/// conversions, cover the part of the surface within the near field.
fn cost(level: usize, occupied: &[usize], panels: f64, points: f64, accuracy: Accuracy) -> f64 {
    let boxes = |level: usize| occupied[level] as f64;
    let reach = accuracy.reach();
    let cells: f64 = (1..=level)
        .map(|l| (8.0 * DIVIDED * reach * boxes(l - 1)).min(8f64.powi(l as i32)))
        .sum();
    let conversions = CONVERSIONS * reach * reach;
    let near_share = (HOLDING * boxes(level) * 0.125f64.powi(level as i32)).min(1.0);
    let near_panels = (NEAR_BOXES * reach * reach * panels / boxes(level)).min(panels);
    let each = near_share * (near_panels * SOLID_ANGLE + accuracy.expansion());

    cells * conversions * accuracy.conversion() + points * each
}
