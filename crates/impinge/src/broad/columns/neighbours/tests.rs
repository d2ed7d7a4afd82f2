use super::*;

#[test]
fn extra_pairs_are_merged_in_place() {
    let pair = |n: u32| Pair {
        a: n / 10,
        b: n % 10,
    };
    let mut pairs: Vec<Pair> = [3, 14, 25].map(pair).to_vec();
    merge_into(&mut [29, 14, 2, 29, 18].map(pair).to_vec(), &mut pairs);

    assert_eq!(pairs, [2, 3, 14, 18, 25, 29].map(pair));
}
