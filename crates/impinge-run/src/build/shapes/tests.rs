use super::*;
use impinge::shape::Surface;

#[test]
fn a_closed_profile_encloses_the_volume_of_its_cylinder() {
    let lathe = Lathe {
        profile: vec![[0.0, 0.0], [0.5, 0.0], [0.5, 2.0], [0.0, 2.0]],
        sectors: 200,
    };
    let TriangleMesh { points, triangles } = turned(&lathe);
    let closed = Surface::repair(&points, &triangles).expect("closed").0;

    assert!((closed.volume() - std::f64::consts::FRAC_PI_2).abs() < 1e-3);
}

#[test]
fn a_box_has_twelve_triangles_about_its_centre() {
    let cuboid = ShapeSpec::Box(vec![1.0, 2.0, 3.0]);
    let made = triangles("wall[0]", &cuboid, Path::new(""), &mut Random::new(0)).expect("a box");
    assert_eq!((made.points.len(), made.triangles.len()), (8, 12));
    assert!(
        made.points
            .iter()
            .all(|p| (p.x.abs(), p.y.abs(), p.z.abs()) == (0.5, 1.0, 1.5))
    );
}
