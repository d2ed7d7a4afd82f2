use super::super::Random;
use super::*;
use num_rational::BigRational;

fn exact(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// The determinant of [b − a, c − a, d − a] in rational arithmetic: slow but obvious.
fn orient3_in_rationals(p: [&Point<3>; 4]) -> Sign {
    let [a, b, c, d] = p.map(|p| [exact(p.x), exact(p.y), exact(p.z)]);
    let minus = |p: &[BigRational; 3]| [&p[0] - &a[0], &p[1] - &a[1], &p[2] - &a[2]];
    let (u, v, w) = (minus(&b), minus(&c), minus(&d));
    let det = &w[0] * (&u[1] * &v[2] - &u[2] * &v[1])
        + &w[1] * (&u[2] * &v[0] - &u[0] * &v[2])
        + &w[2] * (&u[0] * &v[1] - &u[1] * &v[0]);

    match det.cmp(&exact(0.0)) {
        Ordering::Less => Sign::Negative,
        Ordering::Equal => Sign::Zero,
        Ordering::Greater => Sign::Positive,
    }
}

#[test]
fn nearly_coplanar_points_have_the_sign_of_rational_arithmetic() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let mut point = || Point::<3>::from([random.unit(), random.unit(), random.unit()]);
        let (a, b, c) = (point(), point(), point());
        let (s, t) = (random.unit(), random.unit());
        let d = a + (b - a) * s + (c - a) * t;
        assert_eq!(
            orient3(&a, &b, &c, &d),
            orient3_in_rationals([&a, &b, &c, &d])
        );
    }
}

#[test]
fn one_ulp_from_a_plane_through_the_origin_is_seen() {
    let [a, b, c] = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
    let ulp = 0.0f64.next_up();
    assert_eq!(
        orient3(&a, &b, &c, &Point::from([ulp, 0.3, 0.3])),
        Sign::Positive
    );
    assert_eq!(
        orient3(&a, &b, &c, &Point::from([-ulp, 0.3, 0.3])),
        Sign::Negative
    );

    assert_eq!(
        orient3(&a, &b, &c, &Point::from([0.0, 0.3, 0.3])),
        Sign::Zero
    );
    let [p, q] = [[0.0, 0.0], [1.0, 0.0]].map(Point::from);
    assert_eq!(orient2(&p, &q, &Point::from([0.25, -ulp])), Sign::Negative);

    // Tiny on every axis, too.
    let tiny = |p: &Point<3>| Point::from(p.coords * 1e-200);
    assert_eq!(
        orient3(
            &tiny(&a),
            &tiny(&b),
            &tiny(&c),
            &Point::from([1e-300, 1e-201, 1e-201])
        ),
        Sign::Positive
    );
}

#[test]
fn points_on_a_line_are_collinear_and_one_ulp_off_it_are_not() {
    let [a, b] = [Point::from([1.0, 2.0, 3.0]), Point::from([2.0, 4.0, 7.0])];
    let c = Point::from([3.0, 6.0, 11.0]);
    assert!(collinear(&a, &b, &c));
    assert!(!collinear(
        &a,
        &b,
        &Point::from([3.0f64.next_up(), 6.0, 11.0])
    ));
    assert!(collinear(&a, &a, &b));

    assert!(!collinear(
        &(a + Vector::repeat(1e12)),
        &(b + Vector::repeat(1e12)),
        &Point::from([1e12; 3])
    ));
}
