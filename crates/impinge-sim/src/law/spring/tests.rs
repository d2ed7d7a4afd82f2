use super::*;

#[test]
fn a_spring_turns_with_its_plane_and_keeps_its_energy() {
    let force = Vector::<3>::new(3.0, 4.0, 0.0);
    let spring = TangentSpring::exerting(&force, 10.0);
    assert!((spring.force() - force).norm() < 1e-15);
    assert!((spring.energy() - 1.25).abs() < 1e-15);

    let normal = Vector::<3>::new(0.1, 0.0, 1.0).normalize();
    let drawn = spring.drawn(&normal, &Vector::zeros());
    assert!(drawn.dot(&normal).abs() < 1e-15);
    assert!((drawn.norm() - 0.5).abs() < 1e-15);
    assert_eq!(at_most(force, 2.5), force * 0.5);
}
