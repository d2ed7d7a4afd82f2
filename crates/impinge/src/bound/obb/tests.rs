use super::*;
use crate::space::Random;

/// A box of a few points, often flat or a needle, on a grid of sixteenths: many touch exactly.
fn random_box<const D: usize>(random: &mut Random) -> Obb<D> {
    let thin = random.below(D + 1);
    let centre: [f64; D] = std::array::from_fn(|_| random.below(17) as f64 / 16.0 - 0.5);
    let mut point = || {
        let arm: [f64; D] = std::array::from_fn(|_| random.below(9) as f64 / 8.0 - 0.5);
        Point::from(std::array::from_fn(|i| {
            centre[i] + if i < thin { 0.0 } else { arm[i] }
        }))
    };

    Obb::of(&(0..4).map(|_| point()).collect::<Vec<Point<D>>>())
}

fn look_agrees<const D: usize>() {
    let mut random = Random::new(61);
    let mut decided = [0; 2];
    for _ in 0..40_000 {
        let (a, b) = (random_box::<D>(&mut random), random_box::<D>(&mut random));
        let (meet, apart) = a.look_at(&b);
        assert!(!(meet && apart), "{a:?} {b:?}");
        assert!(!meet || a.axes_overlap(&b), "{a:?} {b:?}");
        assert!(!apart || !a.axes_overlap(&b), "{a:?} {b:?}");
        decided = [
            decided[0] + usize::from(meet),
            decided[1] + usize::from(apart),
        ];
    }

    assert!(decided[0] > 1_000 && decided[1] > 1_000, "{decided:?}");
}

#[test]
fn a_look_from_box_to_box_never_contradicts_the_axes() {
    look_agrees::<2>();
    look_agrees::<3>();
}
