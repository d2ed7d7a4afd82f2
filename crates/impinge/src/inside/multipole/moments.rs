//! Multipole moments of triangles, exact up to rounding [Muth2006, eq. (22)].
//!
//! The derivatives of R are R of one degree less,
//!     ∂_z R_n^m = R_{n−1}^m,   (∂_x + i∂_y) R_n^m = −R_{n−1}^{m+1},   (∂_x − i∂_y) R_n^m = R_{n−1}^{m−1},
//! so a triangle with the vector area N contributes N·∇R_n^m, with R_{n−1} averaged over the
//! triangle. This is a polynomial, for which the quadrature is exact.

use super::harmonics::{MOST_DEGREE, count, index, regular};
use super::quadrature::{Node, triangle_rule};
use crate::space::Vector;
use std::f64::consts::PI;

/// The factor of the potential [Muth2006, eq. (6)].
const MINUS_QUARTER_PI: f64 = -0.25 / PI;

/// Integrates moments of triangles up to a given degree.
pub(super) struct Moments {
    degree: usize,
    rule: Vec<Node>,
}

impl Moments {
    pub(super) fn new(degree: usize) -> Self {
        Self {
            degree,
            rule: triangle_rule(degree.saturating_sub(1)),
        }
    }

    /// Adds −1/(4π) ∫ n·∇R_n^m ds of the triangle to `out`. Corners are relative to the expansion's
    /// centre.
    pub(super) fn add(&self, corners: &[Vector<3>; 3], out: &mut [f64]) {
        if self.degree == 0 {
            return;
        }

        let [a, b, c] = corners;
        let area = (b - a).cross(&(c - a)) * (0.5 * MINUS_QUARTER_PI);
        let mut mean = [0.0; count(MOST_DEGREE)];
        let mut value = [0.0; count(MOST_DEGREE)];
        let used = count(self.degree - 1);

        for node in &self.rule {
            regular(
                self.degree - 1,
                &(a + (b - a) * node.u + (c - a) * node.v),
                &mut value,
            );
            for k in 0..used {
                mean[k] += node.weight * value[k];
            }
        }

        for n in 1..=self.degree {
            add_degree(n, &area, &mean, out);
        }
    }
}

/// Adds the moments of one degree, given the means of R one degree below.
fn add_degree(n: usize, area: &Vector<3>, mean: &[f64], out: &mut [f64]) {
    let get = |m: usize| match m {
        _ if m >= n => (0.0, 0.0),
        0 => (mean[index(n - 1, 0)], 0.0),
        _ => (mean[index(n - 1, m)], mean[index(n - 1, m) + 1]),
    };
    // R_{n−1}^{−1} = −conj(R_{n−1}^1): for order 0 the two lateral terms are conjugates of each
    // other.
    out[index(n, 0)] += area.z * get(0).0 - (area.x * get(1).0 + area.y * get(1).1);

    for m in 1..=n {
        let (below, same, above) = (get(m - 1), get(m), get(m + 1));
        let up_re = area.x * above.0 + area.y * above.1;
        let up_im = area.x * above.1 - area.y * above.0;
        let down_re = area.x * below.0 - area.y * below.1;
        let down_im = area.x * below.1 + area.y * below.0;
        out[index(n, m)] += area.z * same.0 + 0.5 * (down_re - up_re);
        out[index(n, m) + 1] += area.z * same.1 + 0.5 * (down_im - up_im);
    }
}

#[cfg(test)]
mod tests;
