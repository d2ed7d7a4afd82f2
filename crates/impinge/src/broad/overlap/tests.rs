use super::*;
use crate::broad::Proxy;
use crate::space::{Aabb, Random};
use num_rational::BigRational;

fn exact(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// Signed distance to the nearest image.
fn exact_distance(a: f64, b: f64, length: Option<f64>) -> BigRational {
    let distance = exact(a) - exact(b);
    match length.map(exact) {
        Some(length) => &distance - (&distance / &length).round() * &length,
        None => distance,
    }
}

fn exact_overlap(one: &Ball<3>, other: &Ball<3>, period: &Period<3>) -> bool {
    let squared = (0..3)
        .map(|k| exact_distance(one.centre[k], other.centre[k], period.lengths[k]))
        .map(|d| &d * &d)
        .fold(exact(0.0), |sum, square| sum + square);
    let reach = exact(one.radius) + exact(other.radius);
    squared <= &reach * &reach
}

/// Two balls whose distance along (2, 3, 6)/7 is the sum of their radii, on a grid of spacing
/// `unit`; one radius is then enlarged by `off` units.
fn kiss(random: &mut Random, unit: f64, off: f64) -> [Ball<3>; 2] {
    let whole = |random: &mut Random, most: f64| random.within(0.0, most).floor();
    let (step, at) = (whole(random, 2f64.powi(48)), whole(random, 2f64.powi(50)));
    let radius = whole(random, 7.0 * step);
    let centre = [at, at + 1.0, at - 5.0];
    let other = [
        at + 2.0 * step,
        at + 1.0 - 3.0 * step,
        at - 5.0 + 6.0 * step,
    ];

    [
        Ball::new(centre.map(|x| x * unit), radius * unit),
        Ball::new(other.map(|x| x * unit), (7.0 * step - radius + off) * unit),
    ]
}

#[test]
fn balls_that_kiss_exactly_overlap_and_those_an_ulp_apart_do_not_at_all_scales() {
    let mut random = Random::new(1);
    for n in 0..3000 {
        let exponent = [0, -40, 100, -532, -585, -1074][n % 6];
        let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        for off in [-1.0, 0.0, 1.0] {
            let [a, b] = kiss(&mut random, unit, off);
            assert_eq!(a.overlaps(&b), off >= 0.0, "{a:?} {b:?}");
            assert_eq!(b.overlaps(&a), off >= 0.0, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_gap_far_below_the_last_digit_is_a_gap() {
    let one = Ball::new([0.0, 0.0, 0.0], 0.75);
    let beside = |y: f64| Ball::new([1.0, y, 0.0], 0.25);
    assert!(one.overlaps(&beside(0.0)));

    for gap in [1e-9, 1e-100, 1e-200, f64::from_bits(1)] {
        assert!(!one.overlaps(&beside(gap)), "{gap}");
    }

    // The sum of the radii lies between two floating-point numbers.
    let wide = Ball::new([0.0, 0.0, 0.0], 1.0 + f64::EPSILON);
    assert!(!wide.overlaps(&Ball::new([1.0 + 2.0 * f64::EPSILON, 0.0, 0.0], 1e-17)));
    assert!(wide.overlaps(&Ball::new([1.0 + f64::EPSILON, 0.0, 0.0], 1e-17)));
}

#[test]
fn periodic_balls_overlap_as_rational_arithmetic_says() {
    let mut random = Random::new(2);
    let mut touching = 0;
    for n in 0..4000 {
        let unit = [1.0, 2f64.powi(-30), 2f64.powi(-560), 2f64.powi(150)][n % 4];
        let [a, mut b] = kiss(&mut random, unit, [-1.0, 0.0, 1.0][n % 3]);

        // Some periods are a few steps long, some just fit both balls, and some are not on the
        // grid.
        let lengths = std::array::from_fn(|k| {
            let length = [3.0, 1e15, 0.3, 2f64.powi(51) + 1.0][random.below(4)] * unit;
            b.centre[k] += length * random.within(-3.0, 3.0).floor();
            (n % 5 != k).then_some(length)
        });
        let period = Period { lengths };
        let expected = exact_overlap(&a, &b, &period);
        touching += usize::from(expected);

        assert_eq!(
            a.overlaps_image(&b, &period),
            expected,
            "{a:?} {b:?} {period:?}"
        );

        assert_eq!(
            b.overlaps_image(&a, &period),
            expected,
            "{a:?} {b:?} {period:?}"
        );
    }

    assert!((500..3500).contains(&touching), "{touching}");
}

#[test]
fn periodic_boxes_overlap_as_rational_arithmetic_says() {
    let mut random = Random::new(3);
    let mut touching = 0;
    for n in 0..4000 {
        let unit = [1.0, 0.1, 2f64.powi(-1074), 1e40][n % 4];
        let length = [10.0, 7.0, 1e6 + 0.5][n % 3] * unit;
        let mut interval = || {
            let low = random.within(-40.0, 40.0).floor() * unit;
            (low, low + random.within(0.0, 6.0).floor() * unit)
        };
        let (one, other) = (interval(), interval());
        let of = |(low, up): (f64, f64)| Aabb::new([low, 0.0], [up, 1.0]);
        let period = Period {
            lengths: [Some(length), None],
        };
        let (low, up) = (exact(one.0) - exact(other.1), exact(one.1) - exact(other.0));
        let expected = (up / exact(length)).floor() >= (low / exact(length)).ceil();
        touching += usize::from(expected);

        assert_eq!(
            of(one).overlaps_image(&of(other), &period),
            expected,
            "{one:?} {other:?}"
        );

        assert_eq!(
            of(other).overlaps_image(&of(one), &period),
            expected,
            "{one:?} {other:?}"
        );
    }

    assert!((500..3500).contains(&touching), "{touching}");
}

#[test]
fn outer_bounds_hold_the_ball() {
    let mut random = Random::new(4);
    for _ in 0..1000 {
        let ball = Ball::new([random.within(-9.0, 9.0), 1e-320], random.unit() * 1e-3);
        let bounds = ball.outer_bounds();
        for k in 0..2 {
            let (centre, radius) = (exact(ball.centre[k]), exact(ball.radius));
            assert!(exact(bounds.min[k]) <= &centre - &radius);
            assert!(exact(bounds.max[k]) >= centre + radius);
        }
    }
}
