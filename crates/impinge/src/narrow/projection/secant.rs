//! Fast proof that a local minimum ξ* is global, by a quadratic form in δ = ξ − ξ*.
//!
//! With g = J*ᵀr* and x(ξ) − x* = S(ξ) δ, where S contains divided differences of x (secants
//! instead of tangents),
//!     |r|² − |r*|² = 2 g·δ + 2 r*·(x − x* − J*δ) + |x − x*|² = 2 g·δ + δᵀ (A(ξ) + SᵀS) δ.
//! The first term is not negative on the face, as ξ* is a minimum with respect to the bounds.
//! If A + SᵀS is positive definite on the whole face, so is the rest, and ξ* is the only minimum. Its
//! entries are polynomials, bounded by their Bernstein coefficients. This condition is weaker than
//! convexity, and most curved faces satisfy it at once, without subdivision.

use super::bernstein::{greater, least};
use super::chart::{Square, Triangle};
use super::descent::Valley;
use crate::space::Vector;

/// Returns whether [[xx, xy], [xy, yy]] is positive definite for all entries within their bounds.
#[inline(always)]
fn is_definite(xx: f64, xy: f64, yy: f64, noise: f64) -> bool {
    let (xx, yy, xy) = (xx - noise, yy - noise, xy + noise);
    xx > 0.0 && yy > 0.0 && xx * yy > xy * xy
}

#[inline(always)]
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| greater(most, x.abs()))
}

/// Control points on [−1, 1] of the parabola with these monomials.
#[inline(always)]
fn controls<const D: usize>(m: [Vector<D>; 3]) -> [Vector<D>; 3] {
    [m[0] - m[1] + m[2], m[0] - m[2], m[0] + m[1] + m[2]]
}

impl<const D: usize, const N: usize> Square<D, N> {
    /// Returns whether the minimum is proven to be the only one. `noise` is the rounding error of a
    /// squared distance.
    ///
    /// x(ξ, η) − x(ξ*, η*) = p (ξ − ξ*) + q (η − η*) with p = p₀(η) + ξ p₁(η) and q = q₀ + η q₁, both in closed form.
    pub(super) fn is_surely_least(&self, valley: &Valley<D>, noise: f64) -> bool {
        // The search is as fast for a quad4, which is mostly convex.
        let Some(c) = self
            .0
            .as_flattened()
            .as_chunks::<3>()
            .0
            .get(..3)
            .filter(|_| N == 3)
        else {
            return false;
        };
        let (r, [a, b]) = (&valley.r, valley.local);
        let [mut p0, mut steep, mut across] = [[Vector::zeros(); 3]; 3];

        for j in 0..3 {
            p0[j] = c[1][j] + c[2][j] * a;
            steep[j] = c[1][j] + c[2][j] * (2.0 * a);
            across[j] = c[0][j] + p0[j] * a;
        }

        let (p0, p1) = (controls(p0), controls(c[2]));
        let [mut low, mut up] = [p0; 2];
        for j in 0..3 {
            low[j] -= p1[j];
            up[j] += p1[j];
        }

        let q = [
            across[1] + across[2] * (b - 1.0),
            across[1] + across[2] * (b + 1.0),
        ];
        let bend = 2.0 * r.dot(&across[2]);
        let yy = least(&[q[0].norm_squared(), q[0].dot(&q[1]), q[1].norm_squared()]) + bend;

        if yy <= noise {
            return false;
        }

        let twist = [
            r.dot(&(steep[1] + steep[2] * (b - 1.0))),
            r.dot(&(steep[1] + steep[2] * (b + 1.0))),
        ];
        let xy = greater(mixed(&low, &q, twist), mixed(&up, &q, twist));
        let xx = straight(&low, &up, [r.dot(&p1[0]), r.dot(&p1[1]), r.dot(&p1[2])]);

        is_definite(xx, xy, yy, noise)
    }
}

/// Returns the largest coefficient of a·q + t, with a a parabola and q and t lines.
#[inline(always)]
fn mixed<const D: usize>(a: &[Vector<D>; 3], q: &[Vector<D>; 2], t: [f64; 2]) -> f64 {
    let third = 1.0 / 3.0;
    largest(&[
        a[0].dot(&q[0]) + t[0],
        (a[0].dot(&q[1]) + 2.0 * a[1].dot(&q[0]) + 2.0 * t[0] + t[1]) * third,
        (2.0 * a[1].dot(&q[1]) + a[2].dot(&q[0]) + t[0] + 2.0 * t[1]) * third,
        a[2].dot(&q[1]) + t[1],
    ])
}

/// Returns the least coefficient of |p|² + 2w, where p goes from the parabola `low` to the parabola
/// `up`.
#[inline(always)]
fn straight<const D: usize>(low: &[Vector<D>; 3], up: &[Vector<D>; 3], w: [f64; 3]) -> f64 {
    // 2w, raised from degree 2 to 4.
    let w = [
        2.0 * w[0],
        w[0] + w[1],
        (w[0] + 4.0 * w[1] + w[2]) * (1.0 / 3.0),
        w[1] + w[2],
        2.0 * w[2],
    ];
    let row = |a: &[Vector<D>; 3], b: &[Vector<D>; 3]| {
        least(&[
            a[0].dot(&b[0]) + w[0],
            0.5 * (a[0].dot(&b[1]) + a[1].dot(&b[0])) + w[1],
            (a[0].dot(&b[2]) + a[2].dot(&b[0]) + 4.0 * a[1].dot(&b[1])) * (1.0 / 6.0) + w[2],
            0.5 * (a[1].dot(&b[2]) + a[2].dot(&b[1])) + w[3],
            a[2].dot(&b[2]) + w[4],
        ])
    };

    least(&[row(low, low), row(low, up), row(up, up)])
}

impl<const D: usize> Triangle<D> {
    /// As for the square. The secant of a quadratic face is its tangent at the midpoint, which is
    /// linear in ξ.
    pub(super) fn is_least(&self, valley: &Valley<D>, noise: f64) -> bool {
        use super::chart::Chart;
        let (r, [a, b]) = (&valley.r, valley.local);
        let half_way = [
            [0.5 * a, 0.5 * b],
            [0.5 * a + 0.5, 0.5 * b],
            [0.5 * a, 0.5 * b + 0.5],
        ];
        let second = self.jet(valley.local).second;
        let [mut x, mut y] = [[Vector::zeros(); 3]; 2];

        for i in 0..3 {
            [x[i], y[i]] = self.jet(half_way[i]).first;
        }

        let least_square = |v: &[Vector<D>; 3]| {
            let corners = [
                v[0].norm_squared(),
                v[1].norm_squared(),
                v[2].norm_squared(),
            ];
            least(&[
                corners[0],
                corners[1],
                corners[2],
                v[0].dot(&v[1]),
                v[1].dot(&v[2]),
                v[2].dot(&v[0]),
            ])
        };

        let (xx, yy) = (
            least_square(&x) + r.dot(&second[0]),
            least_square(&y) + r.dot(&second[2]),
        );

        if xx <= noise || yy <= noise {
            return false;
        }

        let twist = r.dot(&second[1]);
        let pair = |i: usize, j: usize| 0.5 * (x[i].dot(&y[j]) + x[j].dot(&y[i])) + twist;
        let xy = largest(&[
            pair(0, 0),
            pair(1, 1),
            pair(2, 2),
            pair(0, 1),
            pair(1, 2),
            pair(2, 0),
        ]);

        is_definite(xx, xy, yy, noise)
    }
}
