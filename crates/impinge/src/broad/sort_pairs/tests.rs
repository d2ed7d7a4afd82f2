use super::*;
use crate::space::Random;

#[test]
fn merged_pairs_are_those_of_a_comparison_sort() {
    let mut random = Random::new(8);
    let mut merger = Merger::default();
    for (bodies, count) in [(2, 1), (50, 400), (30_000, 100_000), (6_000_000, 10_000)] {
        let mut found = vec![Found::<Pair>::default(); 5];
        let mut expected: Vec<Pair> = (0..count)
            .map(|_| (random.below(bodies - 1) as u32, random.below(bodies) as u32))
            .map(|(a, b)| Pair::new(a, if a == b { b + 1 } else { b }))
            .collect();
        expected
            .iter()
            .enumerate()
            .for_each(|(n, &pair)| found[n * n % 5].pairs.push(pair));
        expected.sort_unstable();
        let mut pairs = vec![Pair { a: 1, b: 2 }; 7];
        merger.merge(&mut found, bodies, &mut pairs);

        assert_eq!(pairs, expected);
    }
}
