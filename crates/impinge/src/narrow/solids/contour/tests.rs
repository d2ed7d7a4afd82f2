//! No patch is missed: the lists are those of brute force.

use super::super::tests::{at, pair_hits};
use super::super::{SolidContacts, SolidMethod, SolidOptions};
use crate::shape::generate::{self, Vee};
use crate::shape::{ElementKind, Solid};
use crate::space::{Point, Random, Vector};

/// A brick of tetrahedra with its lowest corner at a point.
fn brick(cells: [usize; 3], edge: f64, low: [f64; 3]) -> Solid {
    let size = cells.map(|n| n as f64 * edge);
    let mesh = generate::brick(cells, size, ElementKind::Tet4).expect("valid");
    let points: Vec<Point<3>> = mesh
        .points
        .iter()
        .map(|p| p + Vector::<3>::from(low))
        .collect();
    let (tetrahedra, _) = mesh.blocks[0].nodes.as_chunks::<4>();
    Solid::new(&points, tetrahedra).expect("good")
}

/// Both solids as one.
fn together(a: &Solid, b: &Solid) -> Solid {
    let points = [a.points(), b.points()].concat();
    let first = a.points().len() as u32;
    let shifted = b.tetrahedra().iter().map(|t| t.map(|n| n + first));
    let tetrahedra: Vec<[u32; 4]> = a.tetrahedra().iter().copied().chain(shifted).collect();
    Solid::new(&points, &tetrahedra).expect("good")
}

#[test]
fn a_solid_that_is_wholly_within_another_has_the_hits_of_brute_force() {
    let big = brick([5, 5, 5], 1.0, [0.0; 3]);
    for low in [[1.1, 1.2, 1.3], [4.6, 1.2, 1.3], [6.0, 1.2, 1.3], [4.1; 3]] {
        let small = brick([2, 2, 2], 0.23, low);
        let [of_big, of_small] = pair_hits(&big, &small);
        assert_eq!(of_small.is_empty(), low[0] == 6.0);
        assert_eq!(of_big.is_empty(), low[0] != 4.6, "{low:?}");

        // Two parts: one within, one that crosses the surface; and a hole around the small one.
        let pair = together(&small, &brick([2, 2, 2], 0.3, [-0.3, 2.0, 2.1]));
        pair_hits(&big, &pair);
    }
}

#[test]
fn contours_are_followed_over_steps_of_a_motion_and_through_inversion() {
    let vee = Vee::new(1500).expect("valid");
    let still = at(&vee, 0.6, [0.0; 3]);
    let mut solids = [still.clone(), at(&vee, 0.6, [0.013, 4.7, 0.107])];
    let start = solids[1].points().to_vec();
    let methods = [
        SolidMethod::Contours,
        SolidMethod::Auto,
        SolidMethod::BruteForce,
    ];
    let [mut follow, mut auto, mut brute] = methods.map(|method| {
        let options = SolidOptions {
            method,
            ..SolidOptions::default()
        };
        [0, 1].map(|k| SolidContacts::new(&solids[k], options))
    });
    let mut random = Random::new(9);
    let mut most = 0;

    for step in 0..14 {
        // Some steps shake the second solid so much that elements invert.
        let shake = if step % 5 == 4 { 0.5 } else { 0.0 };
        let moved: Vec<Point<3>> = start
            .iter()
            .map(|p| {
                p - Vector::<3>::y() * (0.35 * f64::from(step)) + random.direction::<3>() * shake
            })
            .collect();
        let deformation = solids[1].set_points(&moved).expect("finite");
        assert_eq!(deformation.inverted > 0, shake > 0.0);
        let lists = [&mut follow, &mut auto, &mut brute].map(|[a, b]| {
            let mut hits = [Vec::new(), Vec::new()];
            let [own, theirs] = &mut hits;
            a.update(&solids[0]);
            b.update(&solids[1]);
            a.find_between(&solids[0], b, &solids[1], [own, theirs]);
            hits
        });
        assert_eq!(lists[0], lists[2], "step {step}");
        assert_eq!(lists[1], lists[2], "step {step}");
        most = most.max(lists[0][0].len());
    }
    assert!(most > 300, "{most}");
    let tests = [&follow, &brute].map(|of| of[0].counters().tests + of[1].counters().tests);
    assert!(tests[0] < tests[1], "{tests:?}");
}
