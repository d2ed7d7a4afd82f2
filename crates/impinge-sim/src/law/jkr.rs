//! Cohesion by Johnson, Kendall and Roberts (1971).
//!
//! With w the work of adhesion and k = √(2πw/E*), depth and force follow from the contact radius a = s²:
//!     δ = s⁴/R* − k s,        F = 4E*s⁶/3R* − 2E*k s³.
//! A contact tears where δ is least, at s_c = (kR*/4)^⅓ and δ_c = −¾ k s_c. The largest pull is
//! ¾ E*k²R* = 1.5πwR*. The depth gives s as the largest root of a quartic, by Newton's method from a
//! start that is right to a percent: the leading terms at the fold for δ < 0, the fourth root for
//! δ ≥ 0. Three steps reduce the error below 1e-6 and give a smooth force.

use super::real::Real;

/// Returns s_c, to rounding: near the point of tearing, an error of s is the square root of one of s_c.
#[inline(always)]
fn tear_root<N: Real>(k: N, inverse_radius: N) -> N {
    // Without cohesion the root is zero; here it is too small to matter, and not 0/0.
    let cube = (k * 0.25 / inverse_radius).or_more(k.like(1e-250));
    let mut root = cube.rough_cube_root();
    // Halley's iteration, which converges cubically.
    for _ in 0..2 {
        let third = root * root * root;
        root = root * (third + cube * 2.0) / (third * 2.0 + cube);
    }

    root
}

/// Returns the distance −δ_c between the surfaces at which a contact tears.
#[inline(always)]
pub(super) fn tear_gap<N: Real>(k: N, inverse_radius: N) -> N {
    k * tear_root(k, inverse_radius) * 0.75
}

/// Returns s, the root of the contact radius, at a depth of at least δ_c.
#[inline(always)]
pub(super) fn root_of_radius<N: Real>(k: N, inverse_radius: N, depth: N) -> N {
    let (zero, unit) = (depth.like(0.0), depth.like(1.0));
    let least = tear_root(k, inverse_radius);
    let (product, scaled) = (k / inverse_radius, depth / inverse_radius);

    // In units of (kR*)^⅓ = 4^⅓ s_c: δ − δ_c = 2.381 t² + 2.52 t³ + … with s = s_c + t.
    let scale = least * 1.587_401_051_968_2;
    let beyond = (depth + k * least * 0.75).or_more(zero) / (k * scale * 2.381_1);
    let t = beyond.root();
    let near_fold = least + scale * t / (unit + t * 0.529);
    let square = scale * scale;
    let pressed = (scaled + square * square).or_more(zero).root().root();
    let mut s = N::choose(depth.above(zero), pressed, near_fold);

    let flattest = product * 1e-6;
    for _ in 0..3 {
        let cube = s * s * s;
        let slope = (cube * 4.0 - product).or_more(flattest);
        s = (s - (cube * s - product * s - scaled) / slope).or_more(least);
    }

    s
}

/// Returns the normal force at a root of the contact radius, pushing positive.
#[inline(always)]
pub(super) fn force<N: Real>(young: N, k: N, inverse_radius: N, s: N) -> N {
    let cube = s * s * s;
    young * cube * (cube * inverse_radius * (4.0 / 3.0) - k * 2.0)
}

/// Returns the largest pull, 1.5πwR*.
#[inline(always)]
pub(super) fn pull_off<N: Real>(young: N, k: N, inverse_radius: N) -> N {
    young * k * k / inverse_radius * 0.75
}

/// Returns the work of the force from depth zero to the depth of s.
pub(super) fn energy(young: f64, k: f64, inverse_radius: f64, s: f64) -> f64 {
    let product = k / inverse_radius;
    let start = product.powi(3) * product.cbrt();
    let sum = 0.4 * s.powi(10) - product * s.powi(7)
        + 0.375 * product * product * s.powi(4)
        + 0.225 * start;
    4.0 / 3.0 * young * inverse_radius * inverse_radius * sum
}

#[cfg(test)]
mod tests;
