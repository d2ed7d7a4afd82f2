use super::super::test_support::{genus, hash_of_surface};
use super::*;
use std::f64::consts::PI;

#[test]
fn every_level_has_four_times_the_triangles_and_genus_zero() {
    for level in 0..=FINEST_LEVEL {
        let ball = sphere(level).expect("level in range");
        assert_eq!(ball.triangles().len(), 8 << (2 * level));
        assert_eq!(genus(&ball), 0);
    }
    for (level, triangles) in [(0, 20), (3, 1_280), (5, 20_480), (6, 81_920)] {
        let ball = icosphere(level).expect("level in range");
        assert_eq!(ball.triangles().len(), triangles);
        assert_eq!(genus(&ball), 0);
    }
}

#[test]
fn points_lie_on_the_unit_sphere_to_the_last_bits() {
    for ball in [sphere(6), icosphere(5)] {
        let ball = ball.expect("level in range");
        assert!(
            ball.points()
                .iter()
                .all(|p| (p.coords.norm() - 1.0).abs() <= 2.0 * f64::EPSILON)
        );
    }
}

#[test]
fn volume_and_area_converge_to_the_spheres_with_the_square_of_the_edge() {
    for make in [sphere, icosphere] {
        let error = |level| {
            let ball = make(level).expect("level in range");
            [4.0 * PI / 3.0 - ball.volume(), 4.0 * PI - ball.area()]
        };
        let (coarse, fine) = (error(4), error(5));

        for (coarse, fine) in coarse.into_iter().zip(fine) {
            assert!(
                fine > 0.0 && (coarse / fine - 4.0).abs() < 0.05,
                "{coarse} {fine}"
            );
        }
    }
}

#[test]
fn the_bytes_are_known() {
    assert_eq!(
        hash_of_surface(&sphere(4).expect("level in range")),
        0x9821_240c_3ebd_7be1
    );
    assert_eq!(
        hash_of_surface(&icosphere(3).expect("level in range")),
        0x8d73_c3fe_4046_bf49
    );
}

#[test]
fn too_fine_a_level_is_refused() {
    for make in [sphere, icosphere] {
        for level in [9, 99, usize::MAX] {
            assert_eq!(make(level).unwrap_err().argument, "level");
        }
    }
}
