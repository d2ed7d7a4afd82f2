//! No pair of overlapping boxes is lost, and no excluded pair is reported.

use super::*;
use crate::shape::generate::Vee;
use crate::space::Random;

fn solid_at(vee: &Vee, angle: f64, shift: Vector<3>) -> Solid {
    let points: Vec<Point<3>> = vee
        .points(angle)
        .expect("in range")
        .iter()
        .map(|p| p + shift)
        .collect();
    Solid::new(&points, vee.tetrahedra()).expect("good")
}

fn expected(a: &Solid, b: &Solid) -> Vec<(u32, u32)> {
    let boxes: Vec<Aabb<3>> = (0..b.tetrahedra().len())
        .map(|t| Aabb::of(b.corners(t)))
        .collect();
    let mut pairs = Vec::new();

    for (face, nodes) in a.boundary_triangles().iter().enumerate() {
        let bounds = Aabb::of(nodes.map(|n| a.points()[n as usize]));
        pairs.extend(
            (0..boxes.len())
                .filter(|&t| boxes[t].overlaps(&bounds))
                .map(|t| (face as u32, t as u32)),
        );
    }

    pairs
}

fn collected(tree: &SolidTree, find: impl Fn(usize, &mut Candidates)) -> Vec<(u32, u32)> {
    let (mut pairs, mut lists) = (Vec::new(), Candidates::default());
    for leaf in 0..tree.face_leaves() {
        find(leaf, &mut lists);
        for (&face, list) in tree.faces_of(leaf).iter().zip(&lists) {
            pairs.extend(list.iter().map(|&t| (face, t)));
        }
    }

    pairs.sort_unstable();
    pairs
}

fn found(tree: &SolidTree, other: &SolidTree) -> Vec<(u32, u32)> {
    collected(tree, |leaf, lists| tree.find(leaf, other, lists))
}

/// Outward rounding may add pairs whose boxes narrowly miss each other, but never loses one.
fn assert_all_shown(found: &[(u32, u32)], expected: &[(u32, u32)]) {
    assert!(found.windows(2).all(|w| w[0] < w[1]), "each pair once");
    assert!(
        expected
            .iter()
            .all(|pair| found.binary_search(pair).is_ok()),
        "none is lost"
    );

    assert!(
        found.len() < expected.len() * 3 / 2 + 100,
        "{} for {}",
        found.len(),
        expected.len()
    );
}

#[test]
fn all_overlapping_boxes_are_shown_as_a_solid_deforms_and_moves_far_away() {
    let vee = Vee::new(800).expect("valid");
    let mut tree = SolidTree::new(&solid_at(&vee, 1.0, Vector::<3>::zeros()));
    for (step, far) in [0.0, 1.0, -30.0, 1e6, 1e10].into_iter().enumerate() {
        let solid = solid_at(
            &vee,
            0.6 - 0.25 * step as f64,
            Vector::<3>::new(far, -far, 0.3 * far),
        );
        tree.refit(&solid);
        tree.assert_valid(&solid);
        assert_all_shown(&found(&tree, &tree), &expected(&solid, &solid));
        let other = solid_at(&vee, 0.7, Vector::<3>::new(far + 0.5, -far, 0.3 * far));
        let other_tree = SolidTree::new(&other);

        assert_all_shown(&found(&tree, &other_tree), &expected(&solid, &other));
    }
}

#[test]
fn excluded_pairs_are_left_out_and_no_others() {
    let vee = Vee::new(600).expect("valid");
    let solid = solid_at(&vee, -0.3, Vector::<3>::zeros());
    let tree = SolidTree::new(&solid);
    let is_excluded = |face: u32, t: u32| (face * 7 + t).is_multiple_of(3);
    let count = solid.tetrahedra().len() as u32;
    let excluded = Excluded::new(&tree, |face, list| {
        list.extend((0..count).filter(|&t| is_excluded(face, t)))
    });
    let pairs = collected(&tree, |leaf, lists| tree.find_self(leaf, &excluded, lists));
    let mut all = found(&tree, &tree);
    all.retain(|&(face, t)| !is_excluded(face, t));

    assert_eq!(pairs, all);
}

#[test]
fn a_strongly_deformed_solid_is_regrouped() {
    let vee = Vee::new(600).expect("valid");
    let still = solid_at(&vee, 1.0, Vector::<3>::zeros());
    let mut tree = SolidTree::new(&still);
    assert!(!tree.refit(&still));
    let mut random = Random::new(1);
    let points: Vec<Point<3>> = still
        .points()
        .iter()
        .map(|p| p + random.direction::<3>() * 3.0)
        .collect();
    let mut stirred = still.clone();
    stirred.set_points(&points).expect("finite");
    assert!(tree.refit(&stirred) && tree.regroupings() == 1);
    tree.assert_valid(&stirred);

    assert_all_shown(&found(&tree, &tree), &expected(&stirred, &stirred));
}
