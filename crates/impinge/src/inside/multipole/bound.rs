//! A bound of the error of J that includes both truncations.
//!
//! [Muth2006, eq. (26)] bounds the truncation of the local expansion. The conversion (24) truncates a
//! second time, because the multipole expansion ends at degree p as well, and (27) leaves out the
//! factor 1/(4π) of J. The following bound is rigorous for both truncations together, and sharper.
//!
//! Expand 1/|D + x − y| about the centres of a cell and of a cluster, D apart, with |x|, |y| ≤ r. The
//! part of degree N in x − y is at most |x − y|ᴺ/Dᴺ⁺¹. Its part of degree n in y and s in x, n + s = N, is
//! C(N, n) times a symmetric multilinear form of the same norm [Banach 1938], and a derivative in y is
//! at most n/|y| times as large. What is left out, n > p or s > p, sums to
//!
//! ```text
//! |∂/∂n_y (k − k_pp)| ≤ r⁻² Σ_N ρᴺ⁺¹ Σ_(n > p or s > p) n C(N, n),        ρ = r/D < 1/(d + 1).
//! ```
//!
//! For N ≤ 2p + 1 only one of n and s exceeds p, and the inner sum is N Σ_(k > p) C(N, k). For larger N
//! it is all of N 2ᴺ⁻¹, a geometric series that converges for ρ < ½, that is, d > 1.

use std::f64::consts::PI;

/// Returns the bound of |J − J̃| for a cluster with area/r² = 1, at ρ = r/D.
pub(super) fn remainder(degree: usize, ratio: f64) -> f64 {
    if ratio >= 0.5 {
        return f64::INFINITY;
    }

    let p = degree;
    let mut sum = 0.0;
    for total in p + 1..=2 * p + 1 {
        sum += total as f64 * upper_half(total, p) * ratio.powi(total as i32 + 1);
    }

    // Σ_(N ≥ M) N qᴺ = qᴹ (M − (M − 1) q)/(1 − q)², with q = 2ρ and M = 2p + 2.
    let (q, m) = (2.0 * ratio, (2 * p + 2) as f64);
    let rest = q.powf(m) * (m - (m - 1.0) * q) / ((1.0 - q) * (1.0 - q));

    (sum + 0.5 * ratio * rest) / (4.0 * PI)
}

/// Returns Σ_(k > p) C(N, k).
fn upper_half(total: usize, p: usize) -> f64 {
    let (mut binomial, mut sum) = (1.0, 0.0);
    for k in (p + 1..=total).rev() {
        sum += binomial;
        // C(N, k − 1) = C(N, k) k/(N − k + 1)
        binomial *= k as f64 / (total - k + 1) as f64;
    }
    sum
}

#[cfg(test)]
mod tests;
