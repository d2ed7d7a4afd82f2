//! Sliding and twisting friction of a contact patch, with a common limit.
//!
//! Friction at each point of the patch opposes the local velocity. For a disc of radius a under
//! uniform pressure with resultant N, sliding with v and twisting with ω, force and torque follow
//! from ε = v/(aω) [Farkas2003, eqs. (5)–(8)]:
//!     F = μN 𝓕(ε),    T = μN a 𝓣(ε),    𝓕(0) = 0, 𝓣(0) = ⅔, 𝓕(∞) = 1, 𝓣(∞) = 0.
//! A spinning puck is braked less along its path, and both motions stop together. The pairs (𝓕, 𝓣)
//! bound what the patch can sustain at rest; springs beyond the bound slip along its normal. Other
//! patches are approximated by discs of their area.

use impinge::space::Vector;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::LazyLock;

/// Slide below which the series at zero is more accurate than the elliptic integrals, which cancel.
const SMALL_SLIDE: f64 = 1e-4;

/// Intervals of the table of the bound: force and torque between two entries are accurate to about
/// 1e-5.
const PARTS: usize = 256;

/// ε, 𝓕 and 𝓣 along the bound; the last ε is infinite.
static BOUND: LazyLock<Vec<[f64; 3]>> = LazyLock::new(|| {
    let entry = |i: usize| {
        let x = i as f64 / PARTS as f64;
        let slide = x / (1.0 - x);
        let [force, torque] = shares(slide);
        [slide, force, torque]
    };
    (0..PARTS)
        .map(entry)
        .chain([[f64::INFINITY, 1.0, 0.0]])
        .collect()
});

/// Computes 𝓕 and 𝓣 of a slide, by complete elliptic integrals.
fn shares(slide: f64) -> [f64; 2] {
    let squared = slide * slide;
    if slide < SMALL_SLIDE {
        [slide, 2.0 / 3.0]
    } else if slide == 1.0 {
        [8.0 / (3.0 * PI), 8.0 / (9.0 * PI)]
    } else if slide < 1.0 {
        let [k, e] = elliptic(squared);
        let force = ((squared + 1.0) * e + (squared - 1.0) * k) / slide;
        let torque = ((4.0 - 2.0 * squared) * e + (squared - 1.0) * k) / 3.0;
        [force, torque].map(|share| 4.0 / (3.0 * PI) * share)
    } else {
        let [k, e] = elliptic(1.0 / squared);
        let force = (squared + 1.0) * e - (squared - 1.0) * k;
        let torque =
            ((4.0 - 2.0 * squared) * e + (2.0 * squared - 5.0 + 3.0 / squared) * k) * slide / 3.0;
        [force, torque].map(|share| 4.0 / (3.0 * PI) * share)
    }
}

/// Computes K and E of a parameter m < 1, by the arithmetic-geometric mean.
fn elliptic(m: f64) -> [f64; 2] {
    let (mut a, mut b, mut weight) = (1.0, (1.0 - m).sqrt(), 0.5);
    let mut sum = weight * m;
    for _ in 0..8 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        weight *= 2.0;
        sum += weight * c * c;
    }

    let k = FRAC_PI_2 / a;
    [k, k * (1.0 - sum)]
}

/// The friction limit of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// μN.
    pub(super) force: f64,
    /// Radius of the disc with the patch's area.
    pub(super) radius: f64,
}

impl Limit {
    /// Limits a force along the patch and a torque about its normal to what remains after slipping.
    /// They come from springs, or dashpots, spread uniformly over the patch: the coefficients of
    /// the torque are a²/2 of those of the force.
    pub(super) fn on(&self, force: Vector<3>, torque: f64) -> (Vector<3>, f64) {
        let most = self.force * self.radius;
        let length = force.norm();
        if most <= 0.0 {
            // A patch without extent resists sliding only.
            let share = if length > self.force {
                self.force / length
            } else {
                1.0
            };
            return (force * share, 0.0);
        }

        let (f, t) = (length / self.force, torque.abs() / most);
        if f + 1.5 * t <= 1.0 || is_within(f, t) {
            return (force, torque);
        }

        let [f_left, t_left] = slipped(f, t);
        let share = if f > 0.0 { f_left / f } else { 1.0 };
        (force * share, (t_left * most).copysign(torque))
    }
}

/// Returns the index of the first entry from which a monotone condition holds, and at most the
/// last.
fn first(holds: impl Fn(&[f64; 3]) -> bool) -> usize {
    BOUND.partition_point(|entry| !holds(entry)).clamp(1, PARTS)
}

/// Returns whether shares of force and torque are within the bound.
fn is_within(f: f64, t: f64) -> bool {
    // The entries on both sides of its direction, and the chord between them.
    let end = first(|[_, force, torque]| force * t >= torque * f);
    let ([_, fa, ta], [_, fb, tb]) = (BOUND[end - 1], BOUND[end]);
    (fb - fa) * (t - ta) - (tb - ta) * (f - fa) <= 0.0
}

/// Returns the point of the bound that shares beyond it slip to. The springs yield by f − 𝓕 and t −
/// 𝓣, a displacement whose slide is that of the bound there, ε = ½ (f − 𝓕)/(t − 𝓣).
fn slipped(f: f64, t: f64) -> [f64; 2] {
    if t == 0.0 {
        return [1.0, 0.0];
    }

    let over = |[slide, force, torque]: &[f64; 3]| {
        if slide.is_infinite() {
            f64::NEG_INFINITY
        } else {
            f - force - 2.0 * slide * (t - torque)
        }
    };
    let end = first(|entry| over(entry) <= 0.0);
    let (before, after) = (BOUND[end - 1], BOUND[end]);
    let (low, up) = (over(&before), over(&after));

    let share = if up.is_finite() && low > up {
        (low / (low - up)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let at = |k: usize| before[k] + (after[k] - before[k]) * share;

    [at(1).min(f), at(2).min(t)]
}

#[cfg(test)]
mod tests;
