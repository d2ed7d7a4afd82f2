use super::*;
use crate::space::Random;

/// The distance is convex in both fractions, so a local minimum is global.
fn is_shortest(along: Along, gain: f64) -> bool {
    const ROUNDING: f64 = 4e-15;
    match along {
        Along::Start => gain <= ROUNDING,
        Along::Inside(_) => gain.abs() <= ROUNDING,
        Along::End => gain >= -ROUNDING,
    }
}

#[test]
fn no_step_along_either_segment_shortens_the_way_also_when_nearly_parallel() {
    let mut random = Random::new(31);
    for round in 0..10_000 {
        let first = random.direction::<3>();
        let turn = [1.0, 1e-3, 1e-9, 1e-13, 0.0][round % 5];
        let second = (first + random.direction::<3>() * turn) * random.within(0.2, 2.0);
        let start = random.direction::<3>() * random.within(0.0, 2.0);
        let (s, t, way) = segment_segment(&first, &start, &second);
        assert!((start + second * t.fraction() - first * s.fraction() - way).norm() < 1e-15);
        assert!(
            is_shortest(s, way.dot(&first)) && is_shortest(t, -way.dot(&second)),
            "{s:?} {t:?} {way}"
        );
    }
}
