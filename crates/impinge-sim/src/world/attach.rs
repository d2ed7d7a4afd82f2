//! Conversion of torques to force couples.

use impinge::space::Vector;

/// Returns a torque as a force couple: an arm r and a force F, so that F at r and −F at −r produce the
/// torque.
pub(super) fn couple(torque: &Vector<3>) -> Option<[Vector<3>; 2]> {
    let size = torque.norm();
    if size == 0.0 || !size.is_finite() {
        return None;
    }

    // r × (τ × r) = τ for a unit vector r perpendicular to τ; the most nearly perpendicular world
    // axis gives one.
    let arm = torque
        .cross(&Vector::<3>::ith(torque.iamin(), 1.0))
        .normalize();
    Some([arm, torque.cross(&arm) * 0.5])
}

#[cfg(test)]
mod tests;
