use super::*;

#[test]
fn a_couple_has_its_torque_and_no_force() {
    let torque = Vector::<3>::from([0.3, -2.0, 0.7]);
    let [arm, force] = couple(&torque).expect("a torque");
    let made = arm.cross(&force) + (-arm).cross(&-force);
    assert!((made - torque).norm() < 1e-15);
    assert!(couple(&Vector::zeros()).is_none());
}
