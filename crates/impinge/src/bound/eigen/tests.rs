use super::*;
use crate::space::{Random, Vector};

fn assert_diagonalises<const D: usize>(matrix: Matrix<D>) {
    let axes = principal_axes(matrix);
    assert!((axes.transpose() * axes - Matrix::identity()).amax() < 1e-14);
    let mut rest = axes.transpose() * matrix * axes;

    for i in 0..D {
        rest[(i, i)] = 0.0;
    }

    assert!(rest.amax() <= 1e-14 * matrix.amax(), "{matrix} {axes}");
}

#[test]
fn random_needle_and_degenerate_matrices_are_diagonalised() {
    let mut random = Random::new(21);
    for _ in 0..300 {
        let scale = 10f64.powi(random.below(200) as i32 - 100);
        let mut part = || random.direction::<3>() * random.unit().powi(6);
        let (u, v, w) = (part(), part(), part());
        assert_diagonalises((u * u.transpose() + v * v.transpose() + w * w.transpose()) * scale);
        assert_diagonalises(u * u.transpose() * scale);
        assert_diagonalises((u.xy() * v.xy().transpose() + v.xy() * u.xy().transpose()) * scale);
    }

    assert_diagonalises(Matrix::<3>::repeat(1.0));
    assert_eq!(
        principal_axes(Matrix::<3>::zeros()),
        Matrix::<3>::identity()
    );

    assert_eq!(
        principal_axes(Matrix::from_diagonal(&Vector::<2>::new(1.0, 2.0))),
        Matrix::<2>::identity()
    );
}
