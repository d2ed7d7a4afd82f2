//! Every pair of overlapping boxes is reported exactly once.

use super::*;
use crate::shape::generate::Vee;
use crate::space::Vector;

const OPTIONS: [BucketOptions; 5] = {
    let paper = BucketOptions {
        levels: BucketLevels::Overlapped(1.0),
        root: BucketRoot::Fitted,
        mapping: BucketMapping::Direct,
    };
    let fixed = BucketRoot::Fixed(Aabb {
        min: Point {
            coords: Vector::<3>::new(-1.0, -2.0, -0.3),
        },
        max: Point {
            coords: Vector::<3>::new(2.0, 2.0, 0.3),
        },
    });
    [
        paper,
        BucketOptions {
            mapping: BucketMapping::Sorted,
            ..paper
        },
        BucketOptions {
            levels: BucketLevels::Given(1),
            ..paper
        },
        BucketOptions {
            root: fixed,
            ..paper
        },
        BucketOptions {
            root: fixed,
            mapping: BucketMapping::Sorted,
            levels: BucketLevels::Given(4),
        },
    ]
};

fn solid_at(vee: &Vee, angle: f64, shift: f64) -> Solid {
    let points = vee.points(angle).expect("in range");
    let points: Vec<Point<3>> = points
        .iter()
        .map(|p| p + Vector::<3>::new(shift, 0.3 * shift, 0.1))
        .collect();
    Solid::new(&points, vee.tetrahedra()).expect("good")
}

fn boxes(solid: &Solid) -> Vec<Aabb<3>> {
    (0..solid.tetrahedra().len())
        .map(|t| Aabb::of(solid.corners(t)))
        .collect()
}

#[test]
fn mapping_shows_every_overlapping_pair_with_surface_once_as_legs_oscillate() {
    let vee = Vee::new(600).expect("valid");
    let mut trees: Vec<BucketTree> = OPTIONS
        .iter()
        .map(|&options| BucketTree::new(&solid_at(&vee, 1.0, 0.0), options))
        .collect();
    assert!(trees[0].levels() >= 4);

    for step in 0..6 {
        let solid = solid_at(&vee, 0.5 - 0.2 * f64::from(step), 0.0);
        let boxes = boxes(&solid);
        let surface = |t: u32| solid.is_on_boundary(t as usize);
        let mut expected = Vec::new();

        for b in 0..boxes.len() as u32 {
            expected.extend(
                (0..b)
                    .filter(|&a| surface(a) || surface(b))
                    .filter(|&a| boxes[a as usize].overlaps(&boxes[b as usize]))
                    .map(|a| (a, b)),
            );
        }

        expected.sort_unstable();
        for (tree, options) in trees.iter_mut().zip(OPTIONS) {
            let mut found = Vec::new();
            tree.remap_visiting(&solid, |new, old| found.push((new.min(old), new.max(old))));
            tree.assert_valid();
            found.sort_unstable();
            assert_eq!(found, expected, "{options:?}");
        }
    }

    // Persistent lists are cheap: after the first step they are nearly sorted.
    assert!(trees[1].counters().exchanges > 0 && trees[0].counters().exchanges == 0);
}

#[test]
fn two_trees_show_every_overlapping_pair_with_surface_once() {
    let (vee, other) = (Vee::new(600).expect("valid"), Vee::new(300).expect("valid"));
    for (k, &options) in OPTIONS.iter().enumerate() {
        let (a, b) = (
            solid_at(&vee, 0.8, 0.0),
            solid_at(&other, 0.9, 0.4 * k as f64),
        );
        let (mut tree_a, mut tree_b) = (
            BucketTree::new(&a, options),
            BucketTree::new(&b, OPTIONS[(k + 1) % 5]),
        );
        tree_a.remap(&a);
        tree_b.remap(&b);
        let mut found = Vec::new();
        tree_a.visit_pairs(&tree_b, |one, two| found.push((one, two)));
        found.sort_unstable();
        let (boxes_a, boxes_b) = (boxes(&a), boxes(&b));
        let mut expected = Vec::new();

        for one in 0..boxes_a.len() {
            for two in 0..boxes_b.len() {
                let surface = a.is_on_boundary(one) || b.is_on_boundary(two);
                if surface && boxes_a[one].overlaps(&boxes_b[two]) {
                    expected.push((one as u32, two as u32));
                }
            }
        }

        assert!(expected.len() > 100);
        assert_eq!(found, expected, "{options:?}");
    }
}

#[test]
fn levels_are_those_of_equation_1_5_6() {
    // A bar of 12.5 × 1 × 1: V = 12.5 / 600, 2 r̄ = 0.3415, 12.5 / 0.3415 = 36.6, so 1 + log₂ is 6.19.
    let vee = Vee::new(600).expect("valid");
    let solid = solid_at(&vee, std::f64::consts::PI, 0.0);
    let with = |n| BucketOptions {
        levels: BucketLevels::Overlapped(n),
        ..BucketOptions::default()
    };
    assert_eq!(levels_of(&solid, &solid.bounds(), 1.0), 6);
    assert_eq!(BucketTree::new(&solid, with(2.0)).levels(), 5);
    assert_eq!(BucketTree::new(&solid, with(1e9)).levels(), 1);

    assert_eq!(BucketTree::new(&solid, with(f64::NAN)).levels(), 1);
}

#[test]
fn codes_and_places_are_inverse() {
    for place in [[0, 0, 0], [1, 2, 3], [127, 0, 64], [5, 127, 99]] {
        assert_eq!(nodes::place(nodes::code(place)), place);
    }
    assert_eq!(
        nodes::code([1, 0, 0]) | nodes::code([0, 1, 0]) | nodes::code([0, 0, 1]),
        7
    );
}
