use super::*;
use crate::space::Random;
use num_rational::BigRational;

type Rational = [BigRational; 3];

fn exact(p: &Point<3>) -> Rational {
    [p.x, p.y, p.z].map(|x| BigRational::from_float(x).expect("finite"))
}

fn minus(p: &Rational, q: &Rational) -> Rational {
    [0, 1, 2].map(|k| &p[k] - &q[k])
}

fn cross(p: &Rational, q: &Rational) -> Rational {
    [0, 1, 2].map(|k| &p[(k + 1) % 3] * &q[(k + 2) % 3] - &p[(k + 2) % 3] * &q[(k + 1) % 3])
}

fn dot(p: &Rational, q: &Rational) -> BigRational {
    (0..3).map(|k| &p[k] * &q[k]).sum()
}

/// Separating-axis test in rational arithmetic (slow). Convex figures are disjoint exactly if
/// they are separated along a normal, a product of two sides or, in a common plane, a product
/// of normal and side.
fn touch_in_rationals(first: &[Point<3>; 3], second: &[Point<3>; 3]) -> bool {
    let figures = [first, second].map(|t| t.map(|p| exact(&p)));
    let edges = figures
        .clone()
        .map(|t| [0, 1, 2].map(|k: usize| minus(&t[(k + 1) % 3], &t[k])));
    let normals = edges.clone().map(|e| cross(&e[0], &e[1]));
    let mut axes: Vec<Rational> = normals.to_vec();

    for i in 0..3 {
        axes.extend((0..3).map(|j| cross(&edges[0][i], &edges[1][j])));
        axes.extend((0..2).map(|k| cross(&normals[k], &edges[k][i])));
    }

    !axes.iter().any(|axis| {
        let span = |t: &[Rational; 3]| {
            let products = t.clone().map(|p| dot(axis, &p));
            (
                products.iter().min().cloned(),
                products.iter().max().cloned(),
            )
        };
        let ((low_a, up_a), (low_b, up_b)) = (span(&figures[0]), span(&figures[1]));
        up_a < low_b || up_b < low_a
    })
}

/// Triangle with corners on a small grid: most pairs are degenerate in some way.
fn grid_triangle(random: &mut Random, size: usize) -> [Point<3>; 3] {
    loop {
        let t = [0; 3].map(|_| Point::from([0; 3].map(|_| random.below(size) as f64)));
        if !crate::space::collinear(&t[0], &t[1], &t[2]) {
            return t;
        }
    }
}

#[test]
fn triangles_on_a_grid_touch_as_rational_arithmetic_says() {
    let mut random = Random::new(111);
    let mut touching = 0;
    for round in 0..6000 {
        let size = 2 + round % 4;
        let (a, mut b) = (
            grid_triangle(&mut random, size),
            grid_triangle(&mut random, size),
        );

        if round % 3 == 0 {
            // A common plane, not aligned with the axes.
            b = b.map(|p| a[0] + (a[1] - a[0]) * (p.x - 1.0) + (a[2] - a[0]) * (p.y - 1.0));
            if crate::space::collinear(&b[0], &b[1], &b[2]) {
                continue;
            }
        }

        let expected = touch_in_rationals(&a, &b);
        assert_eq!(
            (touch(&a, &b), touch(&b, &a)),
            (expected, expected),
            "{a:?} {b:?}"
        );

        touching += usize::from(expected);
    }

    assert!((1000..5000).contains(&touching), "{touching}");
}

#[test]
fn one_ulp_decides_between_touching_and_apart_also_far_away() {
    for far in [0.0, 1e9] {
        let at = |x: f64, y: f64, z: f64| Point::from([x + far, y, z]);
        let flat = [at(0.0, 0.0, 1.0), at(1.0, 0.0, 1.0), at(0.0, 1.0, 1.0)];
        let tip = |z: f64| [at(0.25, 0.25, z), at(0.25, 0.5, 3.0), at(0.5, 0.25, 3.0)];
        assert!(touch(&flat, &tip(1.0)) && !touch(&flat, &tip(1.0f64.next_up())));
        assert!(touch(&flat, &flat));
        let beside = [at(1.0, 0.0, 1.0), at(2.0, 0.0, 1.0), at(2.0, 1.0, 1.0)];
        assert!(touch(&flat, &beside), "a common corner");
    }
}
