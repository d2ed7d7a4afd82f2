//! A V of tetrahedra whose legs open and close, the body of \[Erleben2005\]'s measurements.
//!
//! The V is a bar of square section, bent in its middle part to a circular arc, with straight legs.
//! The bend never closes on its inner side, so all tetrahedra stay positive at every angle. The
//! legs touch slightly below zero degrees and then pass through each other. Only the points depend
//! on the angle.

use super::InvalidArgument;
use super::argument::check_count;
use super::brick::{MOST_CELLS, brick, check_cells};
use crate::shape::{ElementKind, Mesh};
use crate::space::Point;
use std::f64::consts::PI;

/// Length of the bar; its section is a unit square.
const LENGTH: f64 = 12.5;

/// Length of the bent part. At [`Vee::LEAST_ANGLE`] the inner radius of the arc is still 0.18.
const BEND: f64 = 2.5;

/// Minimum number of tetrahedra: a bar of one cell across and twelve along.
const FEWEST: usize = 72;

/// A V-shaped tetrahedral mesh, apex at the origin, opening along y, with unit width in z; legs 5
/// long and 1 thick.
///
/// ```
/// use impinge::shape::generate::Vee;
/// let vee = Vee::new(600)?;
/// let (open, crossed) = (vee.points(1.0)?, vee.points(-0.3)?);
/// assert_eq!(vee.tetrahedra().len(), 600);
/// assert_eq!(open.len(), crossed.len());
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vee {
    /// The straight bar, with the corners of its cells as coordinates.
    bar: Mesh,
    tetrahedra: Vec<[u32; 4]>,
    cells: [usize; 3],
}

/// Generates a V of about the given number of tetrahedra at an angle between its legs, in radians;
/// see [`Vee`].
pub fn vee(tetrahedra: usize, angle: f64) -> Result<Mesh, InvalidArgument> {
    Vee::new(tetrahedra)?.mesh(angle)
}

impl Vee {
    /// Smallest angle between the legs, in radians: they then cross like an X.
    pub const LEAST_ANGLE: f64 = -PI / 6.0;

    /// Largest angle between the legs: a straight bar.
    pub const LARGEST_ANGLE: f64 = PI;

    /// Creates a V of about the given number of tetrahedra, six per nearly cubic cell: within 4 %
    /// of the number, for 600 and more within 2 %.
    pub fn new(tetrahedra: usize) -> Result<Self, InvalidArgument> {
        check_count("tetrahedra", tetrahedra, FEWEST, 6 * MOST_CELLS)?;
        let across =
            (1..).find(|&n| cells_along(tetrahedra, n + 1) < (n + 1) as f64 * LENGTH * 0.75);
        let across = across.unwrap_or(1);
        let cells = [
            cells_along(tetrahedra, across).round() as usize,
            across,
            across,
        ];
        check_cells(cells)?;
        let bar = brick(cells, cells.map(|n| n as f64), ElementKind::Tet4)?;

        let tetrahedra = bar.blocks[0]
            .nodes
            .chunks_exact(4)
            .map(|t| [t[0], t[1], t[2], t[3]])
            .collect();

        Ok(Self {
            bar,
            tetrahedra,
            cells,
        })
    }

    /// The nodes of each tetrahedron, positively oriented at every angle.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// The points at an angle between the legs, in radians, from [`Vee::LEAST_ANGLE`] to
    /// [`Vee::LARGEST_ANGLE`]. The legs touch at about −0.12 (−7°).
    pub fn points(&self, angle: f64) -> Result<Vec<Point<3>>, InvalidArgument> {
        if !(Self::LEAST_ANGLE..=Self::LARGEST_ANGLE).contains(&angle) {
            return Err(InvalidArgument::new("angle", angle, "between -pi/6 and pi"));
        }
        let share = |p: &Point<3>, axis: usize| p[axis] / self.cells[axis] as f64 - 0.5;
        let bent = |p: &Point<3>| bent(share(p, 0) * LENGTH, share(p, 1), share(p, 2), PI - angle);
        Ok(self.bar.points.iter().map(bent).collect())
    }

    /// The points at time `t` of an oscillation of the angle about `mean` with an `amplitude`,
    /// period 1:
    /// mean + amplitude·cos 2πt.
    pub fn oscillating(
        &self,
        mean: f64,
        amplitude: f64,
        t: f64,
    ) -> Result<Vec<Point<3>>, InvalidArgument> {
        self.points(mean + amplitude * (2.0 * PI * t).cos())
    }

    /// The mesh at an angle.
    pub fn mesh(&self, angle: f64) -> Result<Mesh, InvalidArgument> {
        Ok(Mesh {
            points: self.points(angle)?,
            blocks: self.bar.blocks.clone(),
        })
    }
}

/// Number of cells along the bar that yields the number of tetrahedra.
fn cells_along(tetrahedra: usize, across: usize) -> f64 {
    tetrahedra as f64 / (6 * across * across) as f64
}

/// The position of a point of the bar (`along` from its middle, `up` and `aside`) after bending the
/// bar by `turn` in total.
fn bent(along: f64, up: f64, aside: f64, turn: f64) -> Point<3> {
    let on_arc = along.clamp(-BEND / 2.0, BEND / 2.0);
    let psi = turn * on_arc / BEND;
    let (sin, cos) = psi.sin_cos();

    // The arc has the radius on_arc / ψ; the quotients tend to 1 and 0 as it becomes straight.
    let (ahead, above) = if psi == 0.0 {
        (1.0, 0.0)
    } else {
        (sin / psi, 2.0 * (psi / 2.0).sin().powi(2) / psi)
    };
    let straight = along - on_arc;

    Point::from([
        on_arc * ahead + straight * cos - up * sin,
        on_arc * above + straight * sin + up * cos,
        aside,
    ])
}

#[cfg(test)]
mod tests;
