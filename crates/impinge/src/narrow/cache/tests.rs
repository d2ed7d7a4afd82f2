use super::*;
use crate::broad::Changes;
use crate::space::Random;

#[test]
fn values_stay_with_their_pairs_and_none_outlives_its_pair() {
    let mut random = Random::new(81);
    let (mut cache, mut replaced) = (
        PairCache::<Option<u64>>::default(),
        PairCache::<Option<u64>>::default(),
    );
    let mut changes = Changes::default();
    let mut expected: Vec<(Pair, u64)> = Vec::new();

    for _ in 0..200 {
        let mut pairs: Vec<Pair> = (0..30)
            .map(|_| (random.below(8) as u32, random.below(8) as u32))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| Pair::new(a, b))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        changes.update(&pairs);
        cache.follow(&changes.began, &changes.ended);
        replaced.replace(&pairs);

        assert_eq!(
            cache.iter().map(|(pair, _)| pair).collect::<Vec<_>>(),
            pairs
        );
        expected.retain(|(pair, _)| pairs.binary_search(pair).is_ok());

        for &pair in &pairs {
            let old = expected
                .iter()
                .find(|(other, _)| *other == pair)
                .map(|(_, value)| *value);

            for cache in [&mut cache, &mut replaced] {
                assert_eq!(*cache.get_mut(pair).expect("in the list"), old);
            }

            if old.is_none() {
                let value = random.bits();
                expected.push((pair, value));
                *cache.get_mut(pair).expect("in the list") = Some(value);
                *replaced.get_mut(pair).expect("in the list") = Some(value);
            }
        }
    }

    cache.replace(&[]);
    assert!(cache.is_empty() && cache.get_mut(Pair::new(0, 1)).is_none());
}
