use super::*;
use crate::space::Aabb;

#[test]
fn a_row_of_boxes_has_a_balanced_tree_whose_levels_enclose_it() {
    let boxes: Vec<Aabb<2>> = (0..64)
        .map(f64::from)
        .map(|x| Aabb::new([x, 0.0], [x + 1.0, 1.0]))
        .collect();
    let tree = Bvh::new(&boxes);
    let depths = tree.depths();
    assert!(
        depths.least >= 4 && depths.largest <= 5 && depths.mean >= 4.0,
        "{depths:?}"
    );

    for depth in 0..7 {
        let around = tree
            .level(depth)
            .iter()
            .fold(Aabb::EMPTY, |all, bounds| all.merged(bounds));
        assert_eq!(around, tree.bounds());
    }

    assert_eq!(tree.level(3).len(), 8);
    assert_eq!(Bvh::<2>::new(&[]).depths(), LeafDepths::default());
}
