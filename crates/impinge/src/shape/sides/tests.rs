use super::*;
use crate::space::Random;

/// Compares all pairs of sides as sets: slow but obvious.
fn match_all_pairs(keys: &[SideKey]) -> Matching {
    let same = |i: usize| {
        (0..keys.len())
            .filter(|&j| keys[j] == keys[i])
            .collect::<Vec<_>>()
    };
    let mates = (0..keys.len()).map(|i| match *same(i) {
        [a, b] => (a + b - i) as u32,
        _ => NO_NEIGHBOUR,
    });
    let crowded = (0..keys.len())
        .filter(|&i| same(i).len() > 2 && same(i)[0] == i)
        .map(|i| i as u32);

    Matching {
        mates: mates.collect(),
        crowded: crowded.collect(),
    }
}

#[test]
fn random_sides_meet_as_in_all_pairs() {
    let mut random = Random::new(11);
    let (mut pairs, mut crowds) = (0, 0);
    for nodes in [4, 7, 10, 20] {
        for _ in 0..20 {
            let keys: Vec<SideKey> = (0..200)
                .map(|_| {
                    let mut corners: Vec<u32> = Vec::new();
                    let count = 2 + random.below(3);
                    while corners.len() < count {
                        let node = random.below(nodes) as u32;
                        if !corners.contains(&node) {
                            corners.push(node);
                        }
                    }
                    side_key(&corners)
                })
                .collect();
            let fast = match_sides(nodes, keys.len(), (0..).zip(keys.iter().copied()));
            let slow = match_all_pairs(&keys);
            assert_eq!((&fast.mates, &fast.crowded), (&slow.mates, &slow.crowded));

            pairs += fast
                .mates
                .iter()
                .filter(|&&mate| mate != NO_NEIGHBOUR)
                .count();

            crowds += fast.crowded.len();
        }
    }

    assert!(pairs > 1000 && crowds > 1000, "{pairs} {crowds}");
}

#[test]
fn opposite_sides_are_distinguished_from_equal_and_crossed_ones() {
    assert!(run_opposite(&[1, 2], &[2, 1]) && !run_opposite(&[1, 2], &[1, 2]));
    assert!(run_opposite(&[1, 2, 3], &[1, 3, 2]) && run_opposite(&[1, 2, 3], &[3, 2, 1]));
    assert!(!run_opposite(&[1, 2, 3], &[2, 3, 1]));
    assert!(run_opposite(&[1, 2, 3, 4], &[3, 2, 1, 4]));
    assert!(!run_opposite(&[1, 2, 3, 4], &[2, 3, 4, 1]));

    assert!(
        !run_opposite(&[1, 2, 3, 4], &[1, 3, 2, 4]),
        "the same corners, crossed"
    );
}
