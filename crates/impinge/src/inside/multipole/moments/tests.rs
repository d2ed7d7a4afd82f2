use super::*;
use crate::space::Random;

/// ∇R by central differences, integrated with a rule of much higher degree.
fn moments_by_differences(degree: usize, [a, b, c]: &[Vector<3>; 3]) -> Vec<f64> {
    let area = (b - a).cross(&(c - a)) * (0.5 * MINUS_QUARTER_PI);
    let step = 1e-5;
    let mut sum = vec![0.0; count(degree)];
    let mut value = vec![0.0; count(degree)];

    for node in triangle_rule(degree + 6) {
        let y = a + (b - a) * node.u + (c - a) * node.v;
        for axis in 0..3 {
            for side in [1.0, -1.0] {
                let mut moved = y;
                moved[axis] += side * step;
                regular(degree, &moved, &mut value);
                for k in 0..sum.len() {
                    sum[k] += node.weight * area[axis] * side * value[k] / (2.0 * step);
                }
            }
        }
    }

    sum
}

#[test]
fn moments_are_those_of_a_quadrature_of_higher_degree() {
    let mut random = Random::new(42);
    for degree in [1, 2, 4, 7, 12] {
        let corners: [Vector<3>; 3] =
            std::array::from_fn(|_| random.direction::<3>() * random.unit());
        let mut found = vec![0.0; count(degree)];
        Moments::new(degree).add(&corners, &mut found);
        let expected = moments_by_differences(degree, &corners);

        for k in 0..found.len() {
            assert!(
                (found[k] - expected[k]).abs() < 1e-10,
                "degree {degree}, entry {k}"
            );
        }
    }
}

#[test]
fn the_moments_of_a_closed_surface_are_those_of_nothing() {
    // J is 0 outside, so every coefficient of its expansion there vanishes.
    let corners = [
        [0.1, 0.0, 0.0],
        [1.0, 0.0, 0.2],
        [0.0, 1.0, 0.0],
        [0.0, 0.3, 1.0],
    ]
    .map(Vector::<3>::from);
    let mut sum = vec![0.0; count(6)];

    for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] {
        Moments::new(6).add(&face.map(|k| corners[k]), &mut sum);
    }

    assert!(sum.iter().all(|x| x.abs() < 1e-16), "{sum:?}");
}
