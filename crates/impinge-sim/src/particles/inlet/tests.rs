use super::*;

#[test]
fn room_among_balls_of_all_sizes_is_found_as_by_a_look_at_all_of_them() {
    let mut random = Random::new(5);
    let mut taken = Occupied::new(0.1);
    let (mut yes, mut no) = (0, 0);

    for _ in 0..3000 {
        let ball = Ball {
            centre: Point::from(Vector::from_fn(|_, _| random.within(-1.0, 1.0))),
            radius: random.within(0.02, 0.1),
        };
        let apart = |other: &Ball<3>| {
            (other.centre - ball.centre).norm_squared() > (other.radius + ball.radius).powi(2)
        };
        let expected = taken.balls.iter().all(apart);
        assert_eq!(taken.has_room_for(&ball), expected);
        *if expected { &mut yes } else { &mut no } += 1;

        // Existing balls may be of any size.
        if expected && yes % 3 == 0 {
            let radius = ball.radius * random.within(0.1, 12.0);
            taken.insert(&Ball { radius, ..ball });
        }
    }

    assert!(yes > 20 && no > 1000, "{yes} {no}");
}
