use super::*;
use crate::space::Random;

#[test]
fn room_agrees_with_all_pairs() {
    let mut random = Random::new(11);
    let (mut room, mut placed) = (PlacedSpheres::<2>::default(), Vec::<(Point<2>, f64)>::new());
    let mut freed = 0;

    for _ in 0..3_000 {
        let radius = 2f64.powf(random.within(-6.0, 1.0));
        let centre = Point::from([random.within(-20.0, 20.0), random.within(-20.0, 20.0)]);
        let free = placed
            .iter()
            .all(|(c, r)| (c - centre).norm() >= r + radius);
        assert_eq!(room.is_free(&centre, radius), free);

        if free {
            freed += 1;
            room.insert(centre, radius);
            placed.push((centre, radius));
        }
    }

    assert!((200..2_800).contains(&freed), "{freed}");
}

#[test]
fn octaves_end_at_powers_of_two() {
    for (radius, octave) in [
        (1.0, 0),
        (0.75, 0),
        (0.5, -1),
        (1.5, 1),
        (2.0, 1),
        (0.126, -2),
        (0.125, -3),
    ] {
        assert_eq!(octave_of(radius), octave, "{radius}");
    }
}
