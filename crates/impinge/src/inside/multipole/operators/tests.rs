use super::super::harmonics::fold_for_evaluation;
use super::*;
use crate::space::Random;

const DEGREE: usize = 6;

/// Moments of unit charges: R itself.
fn moments_of(charges: &[Vector<3>], centre: &Vector<3>, degree: usize) -> Vec<f64> {
    let mut sum = vec![0.0; count(degree)];
    let mut r = vec![0.0; count(degree)];
    for y in charges {
        regular(degree, &(y - centre), &mut r);
        sum.iter_mut().zip(&r).for_each(|(s, r)| *s += r);
    }

    sum
}

fn evaluate(degree: usize, local: &[f64], x: &Vector<3>) -> f64 {
    let mut folded = local.to_vec();
    fold_for_evaluation(degree, &mut folded);
    let mut r = vec![0.0; count(degree)];
    regular(degree, x, &mut r);
    r.iter().zip(&folded).map(|(a, b)| a * b).sum()
}

fn charges(random: &mut Random, size: f64) -> Vec<Vector<3>> {
    (0..5)
        .map(|_| random.direction::<3>() * (size * random.unit()))
        .collect()
}

fn apply(matrix: &Matrix, degree: usize, from: &[f64]) -> Vec<f64> {
    let mut to = vec![0.0; count(degree)];
    Shifts::new(degree).apply(matrix, from, &mut to);
    to
}

#[test]
fn moments_moved_to_the_father_are_those_computed_there() {
    let mut random = Random::new(43);
    let shifts = Shifts::new(DEGREE);
    for son in 0..8 {
        let ys = charges(&mut random, 0.25);
        // In units of the child its moments of degree n are larger by 2^n for charges (and
        // 2^(n+1) for dipoles).
        let of_son = moments_of(
            &ys.iter().map(|y| y * 2.0).collect::<Vec<_>>(),
            &Vector::zeros(),
            DEGREE,
        );
        let mut moved = vec![0.0; count(DEGREE)];
        shifts.apply(&shifts.up[son], &of_son, &mut moved);
        let there: Vec<Vector<3>> = ys.iter().map(|y| y + son_centre(son)).collect();
        let expected = moments_of(&there, &Vector::zeros(), DEGREE);

        for (found, expected) in moved.iter().zip(&expected) {
            assert!((2.0 * found - expected).abs() < 1e-14);
        }
    }
}

#[test]
fn a_conversion_gives_the_potential_of_the_charges() {
    let mut random = Random::new(44);
    let degree = 16;
    let v = Vector::<3>::new(2.0, -3.0, 1.0);
    let ys = charges(&mut random, 0.5);
    let local = apply(
        &conversion_matrix(degree, &v),
        degree,
        &moments_of(&ys, &Vector::zeros(), degree),
    );

    for _ in 0..20 {
        let x = random.direction::<3>() * (0.5 * random.unit());
        let expected: f64 = ys.iter().map(|y| 1.0 / (v + x - y).norm()).sum();
        assert!((evaluate(degree, &local, &x) - expected).abs() < 1e-9);
    }
}

#[test]
fn a_local_expansion_moved_to_a_son_is_the_same_function() {
    let mut random = Random::new(45);
    let shifts = Shifts::new(DEGREE);
    let local: Vec<f64> = (0..count(DEGREE))
        .map(|_| random.within(-1.0, 1.0))
        .collect();

    for son in 0..8 {
        let mut moved = vec![0.0; count(DEGREE)];
        shifts.apply(&shifts.down[son], &local, &mut moved);
        for _ in 0..5 {
            let x = random.direction::<3>() * 0.5;
            let in_father = son_centre(son) + x * 0.5;
            assert!(
                (evaluate(DEGREE, &moved, &x) - evaluate(DEGREE, &local, &in_father)).abs() < 1e-13
            );
        }
    }
}

#[test]
fn conversions_through_a_symmetry_are_the_direct_ones() {
    let mut random = Random::new(46);
    let moments: Vec<f64> = (0..count(DEGREE))
        .map(|_| random.within(-1.0, 1.0))
        .collect();
    let mut seen = [0; SYMMETRIES];

    for offset in [[2, 1, 3], [1, 2, 3], [0, 3, -2], [-3, 0, 1], [2, 2, 2]] {
        for flips in 0..8 {
            let offset: [i32; 3] = std::array::from_fn(|axis| {
                if flips >> axis & 1 == 1 {
                    -offset[axis]
                } else {
                    offset[axis]
                }
            });
            let (stands_for, code) = canonical(offset);
            seen[code] += 1;
            let (there, back) = (of_moments(DEGREE, code), of_locals(DEGREE, code));
            let moved: Vec<f64> = (0..moments.len())
                .map(|k| there.sign[k] * moments[there.place[k] as usize])
                .collect();

            let local = apply(
                &conversion_matrix(DEGREE, &Vector::from(stands_for.map(f64::from))),
                DEGREE,
                &moved,
            );
            let found: Vec<f64> = (0..local.len())
                .map(|k| back.sign[k] * local[back.place[k] as usize])
                .collect();

            let expected = apply(
                &conversion_matrix(DEGREE, &Vector::from(offset.map(f64::from))),
                DEGREE,
                &moments,
            );

            for k in 0..found.len() {
                let error = (found[k] - expected[k]).abs();
                assert!(
                    error < 1e-12 * (1.0 + expected[k].abs()),
                    "{offset:?} entry {k}"
                );
            }
        }
    }

    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}
