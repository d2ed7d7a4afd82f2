//! The projection directions of k-DOPs and extremal-point spheres.
//!
//! In 3D: the 3 axes, the 4 diagonals of the cube (towards corners) and the 6 diagonals of its
//! faces (towards edges) [Aragon2013, section 2]. The 2D directions are those with z = 0. Their
//! lengths remain 1, √2 or √3: all components are −1, 0 or 1, so that a projection takes at most
//! two additions.

use crate::space::{Point, Vector};

const AXES_AND_CORNERS: usize = 7;
const COUNT: usize = 13;

const ALL: [[f64; 3]; COUNT] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
];

/// Indices of the K directions in D dimensions among all directions; the axes come first.
const fn chosen<const D: usize, const K: usize>() -> [usize; K] {
    let mut indices = [0; K];
    let mut k = 0;
    while k < K {
        indices[k] = match (D, K) {
            // The diagonals in 2D, and those of the 18-DOP, are those towards edges.
            (2, _) if k >= 2 => k + AXES_AND_CORNERS - 2,
            (3, 9) if k >= 3 => k + AXES_AND_CORNERS - 3,
            _ => k,
        };
        k += 1;
    }

    indices
}

/// Fails compilation if there is no set of K directions in D dimensions.
pub(super) const fn assert_exist<const D: usize, const K: usize>() {
    let exist = matches!((D, K), (2, 2 | 4) | (3, 3 | 7 | 9 | 13));
    assert!(
        exist,
        "there are 2 or 4 directions in the plane and 3, 7, 9 or 13 in space"
    );
}

/// The K directions in D dimensions, with z = 0 in 2D.
pub(super) fn directions<const D: usize, const K: usize>() -> [Vector<3>; K] {
    const { assert_exist::<D, K>() }
    chosen::<D, K>().map(|i| Vector::from(ALL[i]))
}

/// The projections of a point on the K directions, which must satisfy [`assert_exist`]. Those on
/// the axes are exact.
#[inline]
pub(super) fn project<const D: usize, const K: usize>(point: &Point<D>) -> [f64; K] {
    let [x, y, z] = [point[0], point[1], if D > 2 { point[2] } else { 0.0 }];
    let (sum, difference) = (x + y, x - y);
    let all: [f64; COUNT] = [
        x,
        y,
        z,
        sum + z,
        sum - z,
        difference + z,
        difference - z,
        sum,
        difference,
        x + z,
        x - z,
        y + z,
        y - z,
    ];

    const { chosen::<D, K>() }.map(|i| all[i])
}

#[cfg(test)]
mod tests;
