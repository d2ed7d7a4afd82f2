use super::*;
use crate::space::{Point, Random};
use num_rational::BigRational;

fn exact(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// The first root by bisection with rational Bernstein coefficients: slow but accurate to 2⁻⁷⁰ of
/// `until`.
fn oracle<const D: usize>(a: &MovingBall<D>, b: &MovingBall<D>, until: f64) -> Option<f64> {
    let zero = || exact(0.0);
    let minus = |u: f64, v: f64| exact(u) - exact(v);
    let mut powers: Vec<BigRational> = vec![zero(); 5];
    let half = exact(0.5);
    let mut add = |x: BigRational, v: BigRational, a: BigRational, sign: f64| {
        let (h, s) = (&a * &half, exact(sign));
        powers[0] += &x * &x * &s;
        powers[1] += exact(2.0) * &x * &v * &s;
        powers[2] += (&v * &v + exact(2.0) * &x * &h) * &s;
        powers[3] += exact(2.0) * &v * &h * &s;
        powers[4] += &h * &h * &s;
    };

    for i in 0..D {
        add(
            minus(a.ball.centre[i], b.ball.centre[i]),
            minus(a.velocity[i], b.velocity[i]),
            minus(a.acceleration[i], b.acceleration[i]),
            1.0,
        );
    }

    let plus = |u: f64, v: f64| exact(u) + exact(v);
    add(
        plus(a.ball.radius, b.ball.radius),
        plus(a.growth, b.growth),
        plus(a.swelling, b.swelling),
        -1.0,
    );
    let over = [1.0, 4.0, 6.0, 4.0, 1.0].map(exact);
    let scaled: Vec<BigRational> = (0..5)
        .map(|k| &powers[k] * exact(until).pow(k as i32) / &over[k])
        .collect();
    let mut b = scaled;

    for round in 1..5 {
        for i in (round..5).rev() {
            let before = b[i - 1].clone();
            b[i] += before;
        }
    }

    first_root(&b, 70).map(|s| s * until)
}

fn first_root(b: &[BigRational], depth: u32) -> Option<f64> {
    let zero = exact(0.0);
    if b.iter().all(|b| *b > zero) {
        return None;
    }

    if b[0] <= zero || depth == 0 {
        return Some(0.0);
    }

    let (mut left, mut right, half) = (b.to_vec(), b.to_vec(), exact(0.5));
    for round in 1..5 {
        for i in 0..5 - round {
            right[i] = (&right[i] + &right[i + 1]) * &half;
        }
        left[round] = right[0].clone();
    }

    first_root(&left, depth - 1)
        .map(|s| 0.5 * s)
        .or_else(|| first_root(&right, depth - 1).map(|s| 0.5 + 0.5 * s))
}

/// Returns whether a touch is found if rational arithmetic finds one, not later, and earlier by at
/// most some ulps of `until`.
fn agrees<const D: usize>(a: &MovingBall<D>, b: &MovingBall<D>, until: f64, ulps: f64) -> bool {
    let (found, expected) = (first_touch(a, b, until), oracle(a, b, until));
    match (found, expected) {
        (None, None) => true,
        (Some(found), Some(expected)) => {
            let ulp = f64::EPSILON * until;
            found <= expected + 0.5 * ulp && expected - found <= ulps * ulp
        }
        _ => false,
    }
}

fn random_ball(random: &mut Random) -> MovingBall<3> {
    let vector =
        |random: &mut Random, size: f64| random.direction::<3>() * random.within(0.0, size);
    MovingBall {
        ball: Ball::new(Point::from(vector(random, 4.0)), random.within(0.0, 1.0)),
        velocity: vector(random, 3.0),
        acceleration: vector(random, 2.0),
        growth: if random.unit() < 0.3 {
            random.within(0.0, 0.2)
        } else {
            0.0
        },
        swelling: if random.unit() < 0.3 {
            random.within(0.0, 0.2)
        } else {
            0.0
        },
    }
}

#[test]
fn random_passes_touch_when_rational_arithmetic_says() {
    let mut random = Random::new(11);
    let mut hits = 0;
    for case in 0..900 {
        let (a, b) = (random_ball(&mut random), random_ball(&mut random));
        assert!(
            agrees(&a, &b, 3.0, 2.0),
            "case {case}: {:?} {:?}",
            first_touch(&a, &b, 3.0),
            oracle(&a, &b, 3.0)
        );
        hits += usize::from(first_touch(&a, &b, 3.0).is_some_and(|t| t > 0.0));
    }

    assert!(hits > 30, "{hits}");
}

#[test]
fn grazing_passes_a_few_ulps_off_are_distinguished_from_misses() {
    let mut random = Random::new(12);
    for case in 0..100 {
        let still = MovingBall::at_rest(Ball::new([0.0; 3], 0.75));
        let side = 1.0 + f64::EPSILON * (random.below(9) as f64 - 4.0);
        let passing = MovingBall::at_rest(Ball::new([random.within(-9.0, -2.0), side, 0.0], 0.25))
            .with_velocity([random.within(0.5, 4.0), 0.0, 0.0]);
        assert!(agrees(&still, &passing, 32.0, 64.0), "case {case}");
    }
}

#[test]
fn a_parabola_whose_top_just_reaches_is_distinguished_from_one_that_does_not() {
    let floor = MovingBall::at_rest(Ball::new([0.0, 0.0], 1.0));
    for (lift, touches) in [(0.0, true), (1e-14, false), (-1e-14, true)] {
        // y = 4 − 2t + ½t² has its minimum, 2, at t = 2.
        let thrown = MovingBall::at_rest(Ball::new([0.0, 4.0 + lift], 1.0))
            .with_velocity([0.0, -2.0])
            .with_acceleration([0.0, 1.0]);
        let found = first_touch(&floor, &thrown, f64::INFINITY);
        assert_eq!(found.is_some(), touches, "{lift}: {found:?}");
        assert!(found.is_none_or(|t| (t - 2.0).abs() < 2e-7));
    }
}

#[test]
fn balls_at_rest_touch_now_or_never() {
    let ball = |x: f64| MovingBall::at_rest(Ball::new([x, 0.0, 0.0], 1.0));
    assert_eq!(
        first_touch(&ball(0.0), &ball(1.0), f64::INFINITY),
        Some(0.0)
    );
    assert_eq!(
        first_touch(&ball(0.0), &ball(2.0), f64::INFINITY),
        Some(0.0)
    );

    assert_eq!(
        first_touch(&ball(0.0), &ball(2.0f64.next_up()), f64::INFINITY),
        None
    );
    // In contact but moving apart: they still touch at time zero.
    let leaving = ball(2.0).with_velocity([1.0, 0.0, 0.0]);

    assert_eq!(first_touch(&ball(0.0), &leaving, 1.0), Some(0.0));
}

#[test]
fn the_projectiles_of_section_5_1_meet_before_15_seconds() {
    let (speed, g) = (50.0, [0.0, 0.0, -9.81]);
    let thrown = |x: f64, side: f64| {
        MovingBall::at_rest(Ball::new([x, 0.0, 0.0], 1.0))
            .with_velocity([side * speed, 0.0, 3f64.sqrt() * speed])
            .with_acceleration(g)
    };
    let time =
        first_touch(&thrown(0.0, 1.0), &thrown(1500.0, -1.0), f64::INFINITY).expect("they meet");

    assert!((time - 14.98).abs() < 1e-12, "{time}");
}

#[test]
fn far_and_fast_extremes_give_a_time_or_none_and_never_nan() {
    let sizes = [0.0, 1e-300, 1e-9, 1.0, 1e9, 1e60];
    for x in sizes {
        for v in sizes {
            for a in sizes {
                let still = MovingBall::at_rest(Ball::new([0.0, 0.0], 1.0));
                let thrown = MovingBall::at_rest(Ball::new([x, 0.5], 1e-3))
                    .with_velocity([-v, 0.0])
                    .with_acceleration([a, -a]);
                let found = first_touch(&still, &thrown, f64::INFINITY);
                assert!(
                    found.is_none_or(|t| t >= 0.0 && t.is_finite()),
                    "{x} {v} {a} {found:?}"
                );
            }
        }
    }
}

#[test]
fn a_ball_with_a_fault_names_it() {
    let ball = MovingBall::at_rest(Ball::new([0.0, 0.0], -1.0));
    assert_eq!(ball.checked(), Err(InvalidMovingBall::Negative("radius")));
    let ball = MovingBall::at_rest(Ball::new([0.0, 0.0], 1.0)).with_velocity([f64::NAN, 0.0]);
    assert_eq!(
        ball.checked(),
        Err(InvalidMovingBall::NotFinite("velocity"))
    );
}

#[test]
fn the_quick_bound_is_never_late_and_hardly_early() {
    let mut random = Random::new(13);
    let (mut hits, mut misses) = (0, 0);
    for case in 0..20_000 {
        let [mut a, mut b] = [0; 2].map(|_| random_ball(&mut random));
        for ball in [&mut a, &mut b] {
            (ball.acceleration, ball.swelling) = (Vector::from([0.0, 0.0, -9.81]), 0.0);
            if case % 3 == 0 {
                ball.growth = 0.0;
            }
        }

        match (touch_bound(&a, &b), first_touch(&a, &b, f64::INFINITY)) {
            (Some(bound), Some(touch)) => {
                assert!(
                    bound <= touch && touch - bound <= 1e-7 * touch + 1e-10,
                    "{case}: {bound} {touch}"
                );
                hits += 1;
            }
            (None, Some(touch)) => panic!("{case}: {touch} is missed"),
            (Some(bound), None) => assert!(bound > 1e6, "{case}: {bound}"),
            (None, None) => misses += 1,
        }
    }

    assert!(hits > 2000 && misses > 2000, "{hits} {misses}");
}

#[test]
fn the_quick_bound_of_grazing_passes_is_never_late() {
    let mut random = Random::new(14);
    for case in 0..2000 {
        let still = MovingBall::at_rest(Ball::new([0.0; 3], 0.75));
        let side = 1.0 + f64::EPSILON * (random.below(9) as f64 - 4.0);
        let passing = MovingBall::at_rest(Ball::new([random.within(-9.0, -2.0), side, 0.0], 0.25))
            .with_velocity([random.within(0.5, 4.0), 0.0, 0.0]);
        let Some(touch) = first_touch(&still, &passing, f64::INFINITY) else {
            continue;
        };
        let bound = touch_bound(&still, &passing);

        assert!(
            bound.is_some_and(|bound| bound <= touch && touch - bound < 1e-5),
            "{case}: {bound:?} {touch}"
        );
    }
}
