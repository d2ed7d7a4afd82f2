//! Oriented boxes, aligned with the principal axes of inertia of the points [Aragon2013, eqs. (13)
//! to (15)].
//!
//! The tensors of inertia and of second moments have the same axes. The latter is summed, directly
//! about the mean, because the shift by the parallel-axis theorem (Huygens–Steiner) cancels digits
//! far from the origin. O(points).
//!
//! The overlap test ([`Obb::overlaps`]) starts with a quick check. Let p be the point of the first
//! box nearest to the centre of the other, and n the vector from p to that centre. If the other box
//! contains p, the boxes overlap. If the other box lies beyond the plane through p with normal n,
//! they are separate, because the first lies entirely before that plane. Both checks need n only in
//! the axes of the other box: 36 multiplications. They decide seven pairs of eight (of random
//! boxes, half of which overlap).
//!
//! The remaining pairs go to the separating-axis test. Two boxes are separate if and only if they
//! are separated along one of the axes of either or, in 3D, along the cross product of two
//! (Gottschalk 1996). Cross products of nearly parallel axes nearly vanish, and with them both
//! sides of the comparison: rounding must not decide there. All terms are products of sizes with
//! components of unit vectors. Their errors are therefore a few u = 2⁻⁵³ of the sum of distance and
//! half-lengths, however short the product. That fraction is added to one side as an absolute
//! slack. The quantities of the quick check are products of two lengths; their slack is the same
//! fraction of the square of that sum.
//!
//! A test takes 18 ns, or 24 ns if branches are unpredictable; with balls around and within the
//! boxes as the quick check it took 26 and 36 ns. Without branches, the axes take 117
//! multiplications and as many additions, at best 30 cycles of two-wide vectors: the 5 ns of other
//! bounds are out of reach. Four-wide vectors, selected at run time, gained nothing: the three rows
//! and columns do not fill them.

use super::Bound;
use super::eigen::principal_axes;
use crate::space::{Matrix, Point, Vector};

/// An oriented box: all points whose offsets from the centre, projected on the axes, do not exceed
/// the half-lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "oriented bounding box")]
pub struct Obb<const D: usize> {
    /// The centre.
    pub centre: Point<D>,
    /// The unit axes, as the columns of a rotation matrix.
    pub axes: Matrix<D>,
    /// Half of the edge length along each axis; negative for an empty box.
    pub half: Vector<D>,
}

/// Fraction of a box's extent by which it is rounded outward: 32u, where the product of a
/// difference and a unit vector has an error of 5u.
const OUTWARD: f64 = 16.0 * f64::EPSILON;

/// Slack of the overlap test as a fraction of distance and half-lengths: 128u, where the longest
/// comparison sums eight terms of 5u.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// Half-length of an empty box: negative enough that no other box compensates for it, and finite,
/// as −∞ · 0 is NaN.
const NOTHING: f64 = -1e300;

impl<const D: usize> Obb<D> {
    /// The tightest box with the given axes, the columns of a rotation matrix.
    pub fn with_axes(axes: Matrix<D>, points: &[Point<D>]) -> Self {
        let Some(&origin) = points.first() else {
            return Self::EMPTY;
        };
        Self::fitted(axes, origin, points.iter().map(|p| p - origin))
    }

    /// The box of triangles weighted by their areas: unlike [`Bound::of`], it does not depend on
    /// how finely a part of the surface is meshed. Panics if a triangle refers to a point that does
    /// not exist.
    pub fn of_triangles(points: &[Point<D>], triangles: &[[u32; 3]]) -> Self {
        let corners: Vec<Point<D>> = triangles
            .iter()
            .flatten()
            .map(|&i| points[i as usize])
            .collect();
        let Some(&origin) = corners.first() else {
            return Self::EMPTY;
        };
        let (mut area_sum, mut moment, mut second) = (0.0, Vector::zeros(), Matrix::zeros());

        for triangle in corners.chunks_exact(3) {
            let arms = [0, 1, 2].map(|k| triangle[k] - origin);
            let area = area(&arms);
            let sum = arms[0] + arms[1] + arms[2];
            area_sum += area;
            moment += sum * (area / 3.0);
            // ∫ x xᵀ over a triangle = area/12 (Σ xᵢ xᵢᵀ + (Σ xᵢ)(Σ xᵢ)ᵀ).
            second += arms
                .iter()
                .fold(sum * sum.transpose(), |all, x| all + x * x.transpose())
                * (area / 12.0);
        }

        if area_sum == 0.0 {
            return Self::of(&corners);
        }

        let axes = principal_axes(second - moment * moment.transpose() / area_sum);
        Self::with_axes(axes, &corners)
    }

    /// The 2^D corners relative to the centre.
    fn corner_arms(&self) -> impl Iterator<Item = Vector<D>> + Clone + '_ {
        (0..1usize << D).map(|corner| {
            let signed = |axis, half: f64| if corner >> axis & 1 == 1 { half } else { -half };
            self.axes * Vector::<D>::from_fn(|axis, _| signed(axis, self.half[axis]))
        })
    }

    /// Quick check with the point of this box nearest to the other's centre. Returns whether the
    /// other box contains that point, and whether the plane there separates the boxes; in most
    /// cases one of the two is true. Empty boxes touch nothing.
    #[inline(always)]
    fn look_at(&self, other: &Self) -> (bool, bool) {
        let way = other.centre - self.centre;
        let (mut from_nearest, mut size) = (way, 0.0);
        for axis in 0..D {
            let (unit, half) = (self.axes.column(axis), self.half[axis]);
            let along = unit.dot(&way);
            let within = if along.abs() < half {
                along.abs()
            } else {
                half
            };
            from_nearest -= unit * within.copysign(along);
            size += along.abs() + half + other.half[axis];
        }

        let (mut meet, mut room) = (true, 0.0);
        for axis in 0..D {
            let along = other.axes.column(axis).dot(&from_nearest).abs();
            let beyond = along - other.half[axis];
            meet &= beyond <= 0.0;
            room += beyond * along;
        }

        // The smallest normal number covers underflow.
        (meet, room > SLACK * size * size + f64::MIN_POSITIVE)
    }

    /// Separating-axis test: first the axes of both, then their cross products, which separate few
    /// pairs.
    #[inline(never)]
    fn axes_overlap(&self, other: &Self) -> bool {
        let way = other.centre - self.centre;
        let (a, b) = (&self.half, &other.half);
        let turn = self.axes.tr_mul(&other.axes);
        let apart = self.axes.tr_mul(&way);
        let size = turn.abs();
        let least = -SLACK * (apart.abs().sum() + a.sum() + b.sum());
        let along_self = size * b + a - apart.abs();
        let along_other = size.tr_mul(a) + b - turn.tr_mul(&apart).abs();
        let mut both = true;

        for axis in 0..D {
            both &= (along_self[axis] >= least) & (along_other[axis] >= least);
        }

        both && (D != 3 || products_overlap(a, b, &turn, &size, &apart, least))
    }

    /// The box around origin + arm for all arms.
    fn fitted(
        axes: Matrix<D>,
        origin: Point<D>,
        arms: impl Iterator<Item = Vector<D>> + Clone,
    ) -> Self {
        let (mut low, mut up) = (
            Vector::<D>::repeat(f64::INFINITY),
            Vector::<D>::repeat(f64::NEG_INFINITY),
        );

        for arm in arms.clone() {
            let local = axes.tr_mul(&arm);
            low = low.inf(&local);
            up = up.sup(&local);
        }

        let centre = origin + axes * ((low + up) * 0.5);
        // The centre is rounded, much more than the arms if it is far away: measure again from the
        // rounded centre.
        let shift = centre - origin;
        let half = arms.fold(Vector::zeros(), |half: Vector<D>, arm| {
            half.sup(&axes.tr_mul(&(arm - shift)).abs())
        });
        let reach = half.sum() + shift.abs().sum();

        Self {
            centre,
            axes,
            half: half.add_scalar(OUTWARD * reach),
        }
    }
}

impl<const D: usize> Bound<D> for Obb<D> {
    const EMPTY: Self = Self {
        centre: Point {
            coords: Vector::from_array_storage(nalgebra::ArrayStorage([[0.0; D]; 1])),
        },
        axes: Matrix::from_array_storage(nalgebra::ArrayStorage(identity())),
        half: Vector::from_array_storage(nalgebra::ArrayStorage([[NOTHING; D]; 1])),
    };

    fn of(points: &[Point<D>]) -> Self {
        let Some(&origin) = points.first() else {
            return Self::EMPTY;
        };
        let mean = points.iter().map(|p| p - origin).sum::<Vector<D>>() / points.len() as f64;
        let second = points.iter().fold(Matrix::zeros(), |second, p| {
            let arm = p - origin - mean;
            second + arm * arm.transpose()
        });

        Self::with_axes(principal_axes(second), points)
    }

    /// Keeps the axes.
    fn refit(&mut self, points: &[Point<D>]) {
        *self = Self::with_axes(self.axes, points);
    }

    /// The box of smallest volume among those along the axes of either box and along the principal
    /// axes of all corners.
    fn merged(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { *other } else { *self };
        }

        let apart = other.centre - self.centre;
        let arms = || {
            self.corner_arms()
                .chain(other.corner_arms().map(move |arm| apart + arm))
        };
        let middle = apart * 0.5;
        let second = arms().fold(Matrix::zeros(), |second, arm| {
            let arm: Vector<D> = arm - middle;
            second + arm * arm.transpose()
        });
        let fitted = |axes| Self::fitted(axes, self.centre, arms());
        let mut best = fitted(self.axes);

        for axes in [other.axes, principal_axes(second)] {
            let candidate = fitted(axes);
            if candidate.volume() < best.volume() {
                best = candidate;
            }
        }

        best
    }

    /// Not branch-free like the other bounds: a quick check decides most pairs, the separating-axis
    /// test the rest.
    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        let (meet, apart) = self.look_at(other);
        // One branch on either answer: which of the two it is would be unpredictable.
        if meet | apart {
            meet
        } else {
            self.axes_overlap(other)
        }
    }

    #[inline]
    fn contains(&self, point: &Point<D>) -> bool {
        let local = self.axes.tr_mul(&(point - self.centre));
        let mut inside = true;
        for axis in 0..D {
            inside &= local[axis].abs() <= self.half[axis];
        }
        inside
    }

    fn volume(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            self.half.iter().map(|half| 2.0 * half).product()
        }
    }

    fn is_empty(&self) -> bool {
        self.half[0] < 0.0
    }
}

/// Returns whether none of the nine cross products of two axes separates the boxes. Indices are
/// those of 3D.
#[inline]
fn products_overlap<const D: usize>(
    a: &Vector<D>,
    b: &Vector<D>,
    turn: &Matrix<D>,
    size: &Matrix<D>,
    apart: &Vector<D>,
    least: f64,
) -> bool {
    let mut both = true;
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let reach = a[i1] * size[(i2, j)] + a[i2] * size[(i1, j)];
            let reach = reach + b[j1] * size[(i, j2)] + b[j2] * size[(i, j1)];
            let distance = (apart[i2] * turn[(i1, j)] - apart[i1] * turn[(i2, j)]).abs();
            both &= reach - distance >= least;
        }
    }

    both
}

const fn identity<const D: usize>() -> [[f64; D]; D] {
    let mut entries = [[0.0; D]; D];
    let mut i = 0;
    while i < D {
        entries[i][i] = 1.0;
        i += 1;
    }

    entries
}

/// Area of a triangle in any dimension, by the Gram determinant.
fn area<const D: usize>([a, b, c]: &[Vector<D>; 3]) -> f64 {
    let (u, v) = (b - a, c - a);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    0.5 * (uu * vv - uv * uv).max(0.0).sqrt()
}

#[cfg(test)]
mod tests;
