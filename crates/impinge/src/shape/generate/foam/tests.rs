use super::super::test_support::{genus, hash_of_surface};
use super::*;

#[test]
fn the_three_foams_of_the_paper_are_connected_and_have_over_100_handles() {
    for wanted in [28_952, 120_868, 494_124] {
        let foam = foam(wanted, 1).expect("valid");
        assert!((foam.triangles().len() as f64 / wanted as f64 - 1.0).abs() < 0.02);
        // `genus` also asserts that the foam is connected.
        let handles = genus(&foam);
        assert!((120..250).contains(&handles), "{handles}");
        foam.assert_valid();
    }
}

#[test]
fn the_wanted_number_is_met_within_two_percent() {
    for wanted in [SMALLEST_FOAM, 7_999, 8_000, 12_345, 24_999, 25_000, 60_000] {
        for seed in 0..10 {
            let found = foam(wanted, seed).expect("valid").triangles().len();
            let miss = found as f64 / wanted as f64 - 1.0;
            assert!(miss.abs() < 0.02, "{found} for {wanted} with seed {seed}");
        }
    }
}

#[test]
fn meshes_of_one_seed_are_meshes_of_one_body() {
    let [coarse, fine] = [29_000, 121_000].map(|n| foam(n, 4).expect("valid"));
    assert!((coarse.volume() / fine.volume() - 1.0).abs() < 0.1);
    assert!((coarse.area() / fine.area() - 1.0).abs() < 0.05);
    assert!(genus(&coarse).abs_diff(genus(&fine)) < 25);
}

#[test]
fn no_triangle_is_a_sliver() {
    let foam = foam(29_000, 3).expect("valid");
    let shape_of = |t: usize| {
        let [a, b, c] = foam.corners(t);
        let squares = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
        // 1 for an equilateral triangle, 0 for a degenerate one.
        2.0 * 3f64.sqrt() * (b - a).cross(&(c - a)).norm() / squares
    };
    let shapes: Vec<f64> = (0..foam.triangles().len()).map(shape_of).collect();
    let least = shapes.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = shapes.iter().sum::<f64>() / shapes.len() as f64;

    assert!(least > 0.1 && mean > 0.8, "{least} {mean}");
}

#[test]
fn the_bytes_are_known_for_any_number_of_threads() {
    for threads in [1, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let hash = pool.install(|| hash_of_surface(&foam(29_000, 1).expect("valid")));
        assert_eq!(hash, 0xe3b2_ad60_c10a_95a4);
    }
    assert_ne!(
        foam(29_000, 1).expect("valid").points(),
        foam(29_000, 2).expect("valid").points()
    );
}

#[test]
fn the_number_of_triangles_is_checked() {
    for wanted in [0, SMALLEST_FOAM - 1, LARGEST_FOAM + 1, usize::MAX] {
        assert_eq!(foam(wanted, 1).unwrap_err().argument, "triangles");
    }
}

#[test]
fn only_the_largest_part_is_kept() {
    let points: Vec<Point<3>> = (0..9)
        .map(|i| Point::from([f64::from(i), 0.0, 0.0]))
        .collect();
    let tetrahedron = |n: u32| {
        [
            [n, n + 2, n + 1],
            [n, n + 1, n + 3],
            [n + 1, n + 2, n + 3],
            [n + 2, n, n + 3],
        ]
    };

    let pyramid = [
        [4, 5, 8],
        [5, 6, 8],
        [6, 7, 8],
        [7, 4, 8],
        [4, 6, 5],
        [4, 7, 6],
    ];
    let (kept, triangles) = largest_part(&points, &[tetrahedron(0).as_slice(), &pyramid].concat());
    assert_eq!((kept.len(), triangles.len()), (5, 6));

    assert!(kept.iter().all(|p| p.x >= 4.0));
}
