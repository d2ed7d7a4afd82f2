//! Point in polyhedron by the double-layer potential, summed directly: the reference for the fast
//! methods.
//!
//! For a closed surface with outward normal n, the potential
//!     J(x) = -1/(4π) ∫ n·∇_y 1/|x-y| ds_y                [Muth2006, eq. (6)]
//! is 1 inside, 0 outside and the interior angle's fraction of 4π on the boundary. For nested
//! shells, J counts how many of them wind around x. A flat triangle contributes its solid angle, in
//! closed form. O(points · triangles).
//!
//! Each solid angle has a rounding error bound, which grows near an edge like ε over the distance.
//! If the sum of the bounds leaves J uncertain, exact ray crossing computes the winding number.

use super::Position;
use super::crossing::locate_on;
use super::ray::RayCrossing;
use super::report::{Locate, Report};
use crate::shape::{Feature, Surface};
use crate::space::{Point, Sign, Vector, orient3};
use std::f64::consts::{PI, TAU};
use std::sync::{Arc, OnceLock};

/// Error of numerator and denominator, in units of |a||b||c|: four products of three rounded
/// factors, summed.
const FRACTION: f64 = 32.0 * f64::EPSILON;

/// Largest error of J for which it can safely be rounded to an integer.
const SURE: f64 = 0.25;

/// A surface prepared for direct summation. Nested shells are handled by winding number: a point is
/// inside if J > ½.
#[derive(Clone, Debug)]
pub struct Potential {
    surface: Arc<Surface>,
    seed: u64,
    /// Created when a point first needs it; most surfaces never do.
    rays: OnceLock<RayCrossing>,
}

/// A sum of solid angles as a fraction of 4π.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Direct {
    /// J, accurate to `error`.
    pub(crate) value: f64,
    pub(crate) error: f64,
    /// The lowest feature that the point lies on.
    pub(crate) on: Option<Feature>,
}

impl Potential {
    /// Stores the surface; the sum needs no further preparation.
    ///
    /// ```
    /// use impinge::inside::Potential;
    /// use impinge::shape::generate;
    /// let ball = Potential::new(generate::sphere(3)?, 1);
    /// assert!((ball.potential(&[0.1, 0.2, 0.3].into()) - 1.0).abs() < 1e-12);
    /// assert!(ball.potential(&[1.0, 2.0, 3.0].into()).abs() < 1e-12);
    /// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
    /// ```
    pub fn new(surface: impl Into<Arc<Surface>>, seed: u64) -> Self {
        Self {
            surface: surface.into(),
            seed,
            rays: OnceLock::new(),
        }
    }

    /// Returns J at the point: off the boundary an integer up to rounding, or the exact integer if
    /// rounding could obscure it.
    pub fn potential(&self, point: &Point<3>) -> f64 {
        let direct = direct(&self.surface, point);
        if direct.on.is_some() || direct.error <= SURE {
            return direct.value;
        }

        self.rays()
            .winding(0, point)
            .map_or(direct.value, |winding| winding as f64)
    }

    fn rays(&self) -> &RayCrossing {
        self.rays
            .get_or_init(|| RayCrossing::with_tree(self.surface.clone(), self.seed))
    }
}

impl Locate for Potential {
    fn locate(&self, row: usize, point: &Point<3>, report: &mut Report) -> Position {
        let direct = direct(&self.surface, point);
        if let Some(feature) = direct.on {
            return Position::On(feature);
        }

        if direct.error <= SURE {
            return Position::of_winding(direct.value.round() as i64);
        }

        report.decided_by_rays += 1;
        self.rays()
            .winding(row, point)
            .map_or_else(Position::On, Position::of_winding)
    }
}

/// Computes J as the sum over all triangles, with an error bound. Triangles whose plane contains
/// the point contribute nothing, which makes J the interior angle's fraction on the boundary.
pub(crate) fn direct(surface: &Surface, point: &Point<3>) -> Direct {
    let (mut sum, mut error, mut on) = (Sum::default(), 0.0, None);
    for triangle in 0..surface.triangles().len() {
        let [a, b, c] = surface.corners(triangle);
        match half_angle(point, &a, &b, &c) {
            Some(half) => {
                sum.add(half.value);
                error += half.error;
            }
            None => {
                on = [on, locate_on(surface, triangle, point)]
                    .into_iter()
                    .flatten()
                    .min()
            }
        }
    }

    Direct {
        value: sum.value() / TAU,
        error: error / TAU,
        on,
    }
}

/// Returns the generalised winding number of any triangles, closed or not: the fraction of the full
/// solid angle under which their back faces are seen from `x`. A triangle whose plane contains `x`
/// contributes nothing.
///
/// ```
/// use impinge::inside::winding_number;
/// let square = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]].map(Into::into);
/// let triangles = [[0, 1, 2], [0, 2, 3]];
/// // One side of a cube, seen from its middle.
/// assert!((winding_number(&square, &triangles, &[0.0, 0.0, -1.0].into()) - 1.0 / 6.0).abs() < 1e-15);
/// ```
#[doc(alias = "winding number")]
#[doc(alias = "solid angle")]
pub fn winding_number(points: &[Point<3>], triangles: &[[u32; 3]], x: &Point<3>) -> f64 {
    let mut sum = Sum::default();
    for [a, b, c] in triangles.iter().map(|t| t.map(|n| points[n as usize])) {
        sum.add(half_angle(x, &a, &b, &c).map_or(0.0, |half| half.value));
    }
    sum.value() / TAU
}

/// Returns the solid angle of the triangle `a`, `b`, `c` seen from `p`: positive if its back face
/// is seen, zero from its plane.
pub fn solid_angle(p: &Point<3>, a: &Point<3>, b: &Point<3>, c: &Point<3>) -> f64 {
    half_angle(p, a, b, c).map_or(0.0, |half| 2.0 * half.value)
}

/// Half a solid angle and its error bound.
struct HalfAngle {
    value: f64,
    error: f64,
}

// tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (a·c)|b| + (b·c)|a|)       (van Oosterom and Strackee 1983)
// atan2, not arctan: the denominator changes sign for Ω > π. There a wrong sign of the numerator
// would change Ω by 4π, so the exact predicate supplies the sign if rounding could affect it.
// `None` if the point is in the plane.
fn half_angle(p: &Point<3>, a: &Point<3>, b: &Point<3>, c: &Point<3>) -> Option<HalfAngle> {
    let [u, v, w] = [a, b, c].map(|corner| of_usual_length(corner - p));
    let (lu, lv, lw) = (u.norm(), v.norm(), w.norm());
    let size = lu * lv * lw;
    let mut above = u.dot(&v.cross(&w));

    if above.abs() <= FRACTION * size {
        let sign = orient3(p, a, b, c);
        if sign == Sign::Zero {
            return None;
        }
        above = above.abs().copysign(f64::from(sign as i8));
    }

    let below = size + u.dot(&v) * lw + u.dot(&w) * lv + v.dot(&w) * lu;
    let length = above.hypot(below);
    let error = if length > 0.0 {
        (FRACTION * size / length).min(PI)
    } else {
        PI
    };

    Some(HalfAngle {
        value: above.atan2(below),
        error: error + f64::EPSILON,
    })
}

/// Returns the vector, rescaled if the square of its length would underflow; the angle is
/// unchanged.
fn of_usual_length(vector: Vector<3>) -> Vector<3> {
    let largest = vector.amax();
    if largest >= SHORTEST || largest == 0.0 {
        return vector;
    }

    // In two steps, because the inverse of the smallest numbers is infinite.
    let longer = vector * ENLARGED;
    longer / longer.amax()
}

/// Lengths below this have squares, and products of three of them and of their rounding errors,
/// that underflow.
const SHORTEST: f64 = 1e-60;

/// Scales the smallest number, 2⁻¹⁰⁷⁴, to a range in which its inverse is finite.
const ENLARGED: f64 = (1u128 << 100) as f64;

/// Neumaier's compensated sum: the error does not grow with the number of terms.
#[derive(Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let total = self.sum + value;
        let (large, small) = if self.sum.abs() >= value.abs() {
            (self.sum, value)
        } else {
            (value, self.sum)
        };
        self.lost += (large - total) + small;

        self.sum = total;
    }

    fn value(&self) -> f64 {
        self.sum + self.lost
    }
}
