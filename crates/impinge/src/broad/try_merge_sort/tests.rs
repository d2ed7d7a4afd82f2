use super::*;
use crate::space::Random;

#[test]
fn it_sorts() {
    let mut random = Random::new(1);
    for count in [0, 1, 2, 3, 100, 1000] {
        let mut list: Vec<f64> = (0..count).map(|_| random.unit()).collect();
        let mut expected = list.clone();
        expected.sort_by(f64::total_cmp);
        let done = try_merge_sort(&mut list, |&x| x);
        assert_eq!(list, expected);
        assert!(done.depth <= 11);
    }
}

#[test]
fn a_sorted_list_has_depth_one_and_neighbours_out_of_order_depth_two() {
    let mut list: Vec<f64> = (0..100).map(f64::from).collect();
    assert_eq!(
        try_merge_sort(&mut list, |&x| x),
        MergeSort {
            comparisons: 99,
            depth: 1
        }
    );
    list.swap(10, 11);
    list.swap(50, 51);

    assert_eq!(try_merge_sort(&mut list, |&x| x).depth, 2);
}
