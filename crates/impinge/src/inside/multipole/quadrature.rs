//! Quadrature on a triangle, exact for polynomials of a given degree.
//!
//! The square [0, 1]² is collapsed onto the triangle, one side onto a corner. In the other
//! direction the Jacobian 1 − u is absorbed into the weights, which gives a Gauss–Radau rule: n²
//! points for degree 2n − 1.

/// Barycentric weights of the second and third corner, and the quadrature weight; the weights add
/// up to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) u: f64,
    pub(super) v: f64,
    pub(super) weight: f64,
}

/// Returns a rule that is exact up to `degree`.
pub(super) fn triangle_rule(degree: usize) -> Vec<Node> {
    let points = degree / 2 + 1;
    let (straight, folded) = (legendre(points), radau(points));
    let mut rule = Vec::with_capacity(points * points);

    for &(x, wx) in &folded {
        for &(y, wy) in &straight {
            // From [−1, 1]: u = (1 + x)/2 and v = (1 − u)(1 + y)/2; the weights add up to 2 · 2.
            let u = 0.5 * (1.0 + x);
            rule.push(Node {
                u,
                v: (1.0 - u) * 0.5 * (1.0 + y),
                weight: 0.25 * wx * wy,
            });
        }
    }

    rule
}

/// Returns the Gauss–Legendre nodes and weights on [−1, 1].
fn legendre(points: usize) -> Vec<(f64, f64)> {
    let n = points as f64;
    let weight = |x: f64| {
        // (1 − x²) P_n' = n (P_{n−1} − x P_n), and P_n vanishes.
        let [before, _] = polynomials(points, x);
        2.0 * (1.0 - x * x) / (n * before).powi(2)
    };

    roots(points, |x| polynomials(points, x)[1])
        .into_iter()
        .map(|x| (x, weight(x)))
        .collect()
}

/// Returns nodes and weights for ∫ f(x) (1 − x) dx on [−1, 1]: the inner nodes of the Radau rule
/// that includes x = 1.
fn radau(points: usize) -> Vec<(f64, f64)> {
    let difference = |x: f64| {
        let [last, next] = polynomials(points + 1, x);
        last - next
    };
    let weight = |x: f64| {
        let last = polynomials(points, x)[1];
        (1.0 + x) * (1.0 - x) / ((points + 1) as f64 * last).powi(2)
    };

    roots(points, difference)
        .into_iter()
        .map(|x| (x, weight(x)))
        .collect()
}

/// P_{n−1}(x) and P_n(x).
fn polynomials(n: usize, x: f64) -> [f64; 2] {
    (1..n).fold([1.0, x], |[before, last], k| {
        let k = k as f64;
        [last, ((2.0 * k + 1.0) * x * last - k * before) / (k + 1.0)]
    })
}

/// Finds the `expected` roots within (−1, 1), by bisection between sign changes on a mesh finer
/// than their spacing.
fn roots(expected: usize, f: impl Fn(f64) -> f64) -> Vec<f64> {
    // An even number of steps would put a mesh node on the root at zero.
    let steps = 20 * (expected + 1) * (expected + 1) + 1;
    let mesh = |k: usize| -1.0 + 2.0 * k as f64 / steps as f64;
    let mut found = Vec::with_capacity(expected);

    for k in 0..steps - 1 {
        let (mut low, mut up) = (mesh(k), mesh(k + 1));
        if (f(low) > 0.0) == (f(up) > 0.0) {
            continue;
        }

        for _ in 0..60 {
            let middle = 0.5 * (low + up);
            if (f(middle) > 0.0) == (f(low) > 0.0) {
                low = middle
            } else {
                up = middle
            }
        }

        found.push(0.5 * (low + up));
    }

    assert_eq!(
        found.len(),
        expected,
        "each root has a sign change of its own"
    );

    found
}

#[cfg(test)]
mod tests;
