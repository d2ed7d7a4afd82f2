//! Rounding of positions, and the time needed to cover a distance.

/// Rounding of a corner's position, relative to the terms it is computed from.
pub(crate) const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the smallest t with speed t + ½ push t² = distance; infinite if none exists.
pub(crate) fn time_to_cover(distance: f64, speed: f64, push: f64) -> f64 {
    let discriminant = speed * speed + 2.0 * push * distance;
    // Without this test, rounding of a zero acceleration would give a contact in the distant
    // future.
    if discriminant < 0.0 || speed <= 0.0 && push <= 0.0 {
        return f64::INFINITY;
    }

    let root = discriminant.sqrt();
    let time = if speed >= 0.0 {
        2.0 * distance / (speed + root)
    } else {
        (root - speed) / push
    };

    if time.is_nan() { f64::INFINITY } else { time }
}
