use super::*;
use crate::narrow::projection::chart::{Chart, Line, Square, Triangle};
use crate::space::Random;

fn random_vectors<const N: usize>(random: &mut Random) -> [Vector<3>; N] {
    std::array::from_fn(|_| random.direction::<3>() * random.within(0.5, 2.0))
}

fn value1<const M: usize>(f: &Net1<M>, t: f64) -> f64 {
    let mut w = *f;
    for k in 1..M {
        (0..M - k).for_each(|i| w[i] = (1.0 - t) * w[i] + t * w[i + 1]);
    }
    w[0]
}

fn value2<const M: usize>(f: &Net2<M>, s: f64, t: f64) -> f64 {
    value1(&f.map(|row| value1(&row, t)), s)
}

fn value3(f: &Net3, [a, b, c]: [f64; 3]) -> f64 {
    let mut sum = 0.0;
    let factorial = |n: usize| (1..=n).product::<usize>() as f64;
    for k in 0..5 {
        for i in 0..5 - k {
            let j = 4 - k - i;
            let count = 24.0 / (factorial(i) * factorial(j) * factorial(k));
            sum += count
                * f[NET3_ROWS[k] + i]
                * a.powi(j as i32)
                * b.powi(i as i32)
                * c.powi(k as i32);
        }
    }

    sum
}

#[test]
fn nets_are_the_squared_distance() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let (s, t) = (random.unit(), random.unit());
        let local = [2.0 * s - 1.0, 2.0 * t - 1.0];
        let n: [Vector<3>; 3] = random_vectors(&mut random);
        let exact = Line::of(&n).jet(local).r.norm_squared();
        assert!((value1(&squared1(&Line::controls(&n)), s) - exact).abs() < 1e-12);
        let n: [[Vector<3>; 3]; 3] = std::array::from_fn(|_| random_vectors(&mut random));
        let exact = Square::of(&n).jet(local).r.norm_squared();
        assert!((value2::<5>(&squared2(&Square::controls(&n)), s, t) - exact).abs() < 1e-12);
        let n: [[Vector<3>; 2]; 2] = std::array::from_fn(|_| random_vectors(&mut random));
        let exact = Square::of(&n).jet(local).r.norm_squared();
        assert!((value2::<3>(&squared2(&Square::controls(&n)), s, t) - exact).abs() < 1e-12);
        let n: [Vector<3>; 6] = random_vectors(&mut random);
        let (b, c) = (0.5 * s, 0.5 * t);
        let exact = Triangle::of(&n).jet([b, c]).r.norm_squared();

        assert!(
            (value3(&squared3(&Triangle::controls(&n)), [1.0 - b - c, b, c]) - exact).abs() < 1e-12
        );
    }
}

#[test]
fn halves_are_the_same_polynomial() {
    let mut random = Random::new(4);
    let mut x = || random.within(-1.0, 1.0);
    let f: Net2<5> = std::array::from_fn(|_| std::array::from_fn(|_| x()));
    let t: Net3 = std::array::from_fn(|_| x());
    let [left, right] = halves1(&f[0]);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-14);
    close(value1(&left, 0.4), value1(&f[0], 0.2));
    close(value1(&right, 0.4), value1(&f[0], 0.7));

    for axis in [0, 1] {
        let [left, right] = halves2(&f, axis);
        let at = |s: f64| if axis == 0 { (s, 0.3) } else { (0.3, s) };
        let (half, low, up) = (at(0.4), at(0.2), at(0.7));
        close(value2(&left, half.0, half.1), value2(&f, low.0, low.1));
        close(value2(&right, half.0, half.1), value2(&f, up.0, up.1));
    }

    // (c, a, m): the point p c + q a + r m has a: q + r/2, b: r/2, c: p.
    let [first, second] = halves3(&t);
    let (p, q, r) = (0.2, 0.3, 0.5);
    close(
        value3(&first, [p, q, r]),
        value3(&t, [q + r / 2.0, r / 2.0, p]),
    );

    // (b, c, m).
    close(
        value3(&second, [p, q, r]),
        value3(&t, [r / 2.0, p + r / 2.0, q]),
    );
}
