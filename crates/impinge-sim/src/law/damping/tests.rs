use super::*;

#[test]
fn damping_gives_the_requested_restitution() {
    for e in [0.01, 0.05, (-2.0f64).exp(), 0.3, 0.7, 0.9, 0.999, 1.0] {
        assert!((restitution(damping_ratio(e)) - e).abs() < 1e-9, "{e}");
    }
    assert_eq!(damping_ratio(1.0), 0.0);
}

#[test]
fn weak_damping_agrees_with_the_formula_that_lets_contacts_pull() {
    let e = 0.99f64;
    let textbook = -e.ln() / (std::f64::consts::PI.powi(2) + e.ln().powi(2)).sqrt();
    assert!((damping_ratio(e) / textbook - 1.0).abs() < 0.01);
}
