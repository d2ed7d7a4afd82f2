//! Restitution and damping.
//!
//! A head-on collision under a linear spring and dashpot that never pull ends when the force
//! reaches zero, not when the overlap does. With ζ the damping ratio, the ratio of the speeds after
//! and before is
//!     e = exp(−2 ζ arccos ζ / √(1 − ζ²)),        arccosh and √(ζ² − 1) beyond ζ = 1
//! (Schwager and Pöschel 2007, in this shorter form). A Hertz contact with the damping 2√(5/6) ζ
//! √(m* S), S = 2E*√(R*δ), has the same e. With z ∝ δ^(5/4) as the coordinate and time scaled by
//! δ^(1/4) it is the linear oscillator, and its force vanishes at the same moment. One function
//! therefore serves both laws.

/// Distance from critical damping within which both formulas lose their digits to 0/0.
const NEAR_CRITICAL: f64 = 1e-9;

/// Lower limit of the restitution. Zero would need infinite ζ: a contact that never pulls always
/// returns the energy of its spring. This value leaves a ten-thousandth of the energy, with ζ =
/// 4.8.
const LEAST_RESTITUTION: f64 = 0.01;

/// Returns the coefficient of restitution of a head-on collision with this damping ratio.
#[doc(alias = "coefficient of restitution")]
#[doc(alias = "COR")]
pub fn restitution(zeta: f64) -> f64 {
    // Near ζ = 1 both formulas are 0/0; the limit is exp(−2).
    let exponent = if (zeta - 1.0).abs() < NEAR_CRITICAL {
        1.0
    } else if zeta < 1.0 {
        zeta * zeta.acos() / (1.0 - zeta * zeta).sqrt()
    } else {
        zeta * zeta.acosh() / (zeta * zeta - 1.0).sqrt()
    };
    (-2.0 * exponent).exp()
}

/// Returns the damping ratio for this restitution (at least 0.01), by bisection: e decreases with
/// ζ.
pub fn damping_ratio(restitution_wanted: f64) -> f64 {
    let wanted = restitution_wanted.clamp(LEAST_RESTITUTION, 1.0);
    let (mut low, mut up) = (0.0, 1.0);
    while restitution(up) > wanted {
        up *= 2.0;
    }

    for _ in 0..100 {
        let middle = 0.5 * (low + up);
        if restitution(middle) > wanted {
            low = middle;
        } else {
            up = middle;
        }
    }

    // Exactly zero for e = 1, so that an elastic contact conserves energy.
    if wanted == 1.0 { 0.0 } else { 0.5 * (low + up) }
}

#[cfg(test)]
mod tests;
