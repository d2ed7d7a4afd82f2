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
mod tests {
    use super::*;
    use crate::shape::{Solid, inspect_triangles};

    fn six_volumes(points: &[Point<3>], t: &[u32; 4]) -> f64 {
        let [a, b, c, d] = t.map(|n| points[n as usize]);
        (b - a).dot(&(c - a).cross(&(d - a)))
    }

    #[test]
    fn all_tetrahedra_are_positive_at_every_angle_and_fill_the_bar() {
        for wanted in [FEWEST, 600, 1_400, 20_000] {
            let vee = Vee::new(wanted).expect("valid");
            for step in 0..=20 {
                let angle = Vee::LEAST_ANGLE
                    + (Vee::LARGEST_ANGLE - Vee::LEAST_ANGLE) * f64::from(step) / 20.0;
                let points = vee.points(angle.min(Vee::LARGEST_ANGLE)).expect("in range");
                let volumes: Vec<f64> = vee
                    .tetrahedra()
                    .iter()
                    .map(|t| six_volumes(&points, t))
                    .collect();
                assert!(volumes.iter().all(|&v| v > 0.0), "{wanted} at {angle}");
                let volume = volumes.iter().sum::<f64>() / 6.0;

                assert!(
                    (volume / LENGTH - 1.0).abs() < 0.1,
                    "{volume} for {wanted} at {angle}"
                );
            }
        }
    }

    #[test]
    fn a_v_is_a_solid_of_one_piece_open_or_crossed() {
        for angle in [1.0, 0.0, -0.5] {
            let mesh = vee(2_000, angle).expect("valid");
            let solid =
                Solid::from_mesh(&mesh).expect("positive tetrahedra that meet face to face");
            let boundary = inspect_triangles(solid.points(), solid.boundary_triangles());
            assert!(boundary.closed && boundary.manifold && boundary.oriented);
            assert_eq!((boundary.components, boundary.genus), (1, Some(0)));
        }
    }

    #[test]
    fn about_the_wanted_number_of_tetrahedra_comes_out() {
        for wanted in [
            72, 100, 333, 600, 800, 1_000, 1_200, 1_400, 5_000, 10_000, 30_000, 100_000,
        ] {
            let found = Vee::new(wanted).expect("valid").tetrahedra().len();
            let miss = (found as f64 / wanted as f64 - 1.0).abs();
            assert!(
                miss < if wanted < 600 { 0.04 } else { 0.02 },
                "{found} for {wanted}"
            );
        }
    }

    #[test]
    fn legs_stand_at_the_angle_and_cross_below_it() {
        let vee = Vee::new(1_000).expect("valid");
        let tips = |angle: f64| {
            let points = vee.points(angle).expect("in range");
            let n = vee.cells[0] as f64;
            let mean = |x: f64| {
                let end: Vec<_> = (0..points.len())
                    .filter(|&i| vee.bar.points[i].x == x)
                    .collect();
                end.iter()
                    .map(|&i| points[i].coords)
                    .sum::<crate::space::Vector<3>>()
                    / end.len() as f64
            };
            [mean(0.0), mean(n)]
        };
        let [left, right] = tips(1.0);
        assert!((left.x + right.x).abs() < 1e-12 && (left.y - right.y).abs() < 1e-12);
        let [_, wider] = tips(1.5);
        assert!(wider.x > right.x && wider.y < right.y);
        let [left, right] = tips(-0.4);
        assert!(left.x > 0.0 && right.x < 0.0);
        let [left, right] = tips(Vee::LARGEST_ANGLE);

        assert!((right - left).norm() > LENGTH - 1e-12);
    }

    #[test]
    fn the_oscillation_runs_from_end_to_end() {
        let vee = Vee::new(100).expect("valid");
        assert_eq!(vee.oscillating(0.2, 0.5, 0.0), vee.points(0.7));
        let half = vee.oscillating(0.2, 0.5, 0.5).expect("in range");
        let least = vee.points(-0.3).expect("in range");
        assert!(half.iter().zip(&least).all(|(a, b)| (a - b).norm() < 1e-12));
    }

    #[test]
    fn bad_arguments_are_named() {
        for wanted in [0, 71, usize::MAX] {
            assert_eq!(Vee::new(wanted).unwrap_err().argument, "tetrahedra");
        }
        for angle in [f64::NAN, 3.2, -0.6, f64::INFINITY] {
            assert_eq!(vee(600, angle).unwrap_err().argument, "angle");
        }
    }
}
