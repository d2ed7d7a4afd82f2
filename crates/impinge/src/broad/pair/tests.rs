use super::*;

#[test]
fn a_pair_has_the_lower_number_first() {
    assert_eq!(Pair::new(7, 3), Pair { a: 3, b: 7 });
    assert!(Pair::new(3, 7) < Pair::new(4, 5));
}

#[test]
fn changes_are_the_two_differences_of_the_lists() {
    let list =
        |pairs: &[(u32, u32)]| -> Vec<Pair> { pairs.iter().map(|&(a, b)| Pair { a, b }).collect() };
    let mut changes = Changes::default();
    changes.update(&list(&[(0, 1), (2, 3), (2, 9)]));
    assert_eq!((changes.began.len(), changes.ended.len()), (3, 0));
    changes.update(&list(&[(0, 4), (2, 3), (5, 6)]));
    assert_eq!(changes.began, list(&[(0, 4), (5, 6)]));

    assert_eq!(changes.ended, list(&[(0, 1), (2, 9)]));
}
