use super::*;

#[test]
fn items_are_grouped_by_number_and_keep_their_order() {
    let lists = Lists::of(
        4,
        &[vec![(2, 7), (0, 5), (2, 3)], vec![], vec![(3, 1), (2, 9)]],
    );
    assert_eq!(lists.get(0), [5]);
    assert_eq!(lists.get(1), [0u32; 0]);
    assert_eq!(lists.get(2), [7, 3, 9]);
    assert_eq!(lists.get(3), [1]);

    assert_eq!(lists.len(), 5);
}
