use super::super::generate;
use super::*;

#[test]
fn a_block_as_a_surface_and_as_two_halves_has_the_mass_of_a_box() {
    let block = generate::block([2, 3, 4], [2.0, 1.0, 0.5]).expect("a block");
    let whole = MassProperties::of_surface(block.points(), block.triangles());
    let cuboid = Polyhedron::cuboid([2.0, 1.0, 0.5]).expect("a box");
    let expected = cuboid.mass_properties();
    assert!((whole.volume - 1.0).abs() < 1e-14 && (expected.volume - 1.0).abs() < 1e-14);
    assert!((whole.inertia - expected.inertia).norm() < 1e-14);

    let half = Polyhedron::cuboid([1.0, 1.0, 0.5])
        .expect("a box")
        .mass_properties();
    let turn = Pose::from_quaternion([1.0, 2.0, -1.0, 0.5], [1.0, 2.0, 3.0]).expect("finite");
    let halves = [-0.5, 0.5].map(|x| half.moved(&turn.after(&Pose::at([x, 0.0, 0.0]))));
    let both = MassProperties::sum(&halves).expect("two");
    let expected = expected.moved(&turn);
    assert!((both.centroid - expected.centroid).norm() < 1e-14);
    assert!((both.inertia - expected.inertia).norm() < 1e-14);
    assert_eq!(MassProperties::sum(&[]), None);
}
