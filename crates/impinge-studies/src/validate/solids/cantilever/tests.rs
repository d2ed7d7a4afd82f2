use super::*;

#[test]
fn a_slender_beam_in_shear_and_rotation_swings_as_bernoullis() {
    // Huge shear stiffness and no rotary inertia: ω = 1.8751² √(EI/ρA)/L².
    let frequency = 1.875_104_068_7f64.powi(2) / LENGTH.powi(2);
    let at = |factor: f64| free_end([1.0, 1e12, 1.0, 0.0], factor * frequency);
    assert!(at(0.9999) > 0.0 && at(1.0001) < 0.0);
}
