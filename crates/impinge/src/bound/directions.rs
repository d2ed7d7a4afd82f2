//! The directions on which k-DOPs and extremal-point spheres project.
//!
//! In space: the 3 axes, the 4 diagonals of the cube (towards corners) and the 6 diagonals of its faces (towards
//! edges) [Aragon2013, section 2]. The plane's are those with z = 0. Left at length 1, √2 or √3: all components are
//! −1, 0 or 1, so that a projection takes at most two additions.

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

/// Which of all directions the K in D dimensions are, with the axes first.
const fn chosen<const D: usize, const K: usize>() -> [usize; K] {
    let mut indices = [0; K];
    let mut k = 0;
    while k < K {
        indices[k] = match (D, K) {
            // The plane's diagonals, and the 18-DOP's, are those towards edges.
            (2, _) if k >= 2 => k + AXES_AND_CORNERS - 2,
            (3, 9) if k >= 3 => k + AXES_AND_CORNERS - 3,
            _ => k,
        };
        k += 1;
    }
    indices
}

/// Stops the compiler where there is no set of K directions in D dimensions.
pub(super) const fn assert_exist<const D: usize, const K: usize>() {
    let exist = matches!((D, K), (2, 2 | 4) | (3, 3 | 7 | 9 | 13));
    assert!(
        exist,
        "there are 2 or 4 directions in the plane and 3, 7, 9 or 13 in space"
    );
}

/// The K directions in D dimensions, with z = 0 in the plane.
pub(super) fn directions<const D: usize, const K: usize>() -> [Vector<3>; K] {
    const { assert_exist::<D, K>() }
    chosen::<D, K>().map(|i| Vector::from(ALL[i]))
}

/// The products of a point with the K directions, for which [`assert_exist`]. Those with the axes are exact.
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
mod tests {
    use super::*;

    fn assert_projections_are_products<const D: usize, const K: usize>(point: Point<D>) {
        let mut padded = Vector::<3>::zeros();
        padded
            .iter_mut()
            .zip(point.iter())
            .for_each(|(to, from)| *to = *from);
        let products = directions::<D, K>().map(|direction| direction.dot(&padded));
        assert_eq!(project::<D, K>(&point), products);
    }

    #[test]
    fn projections_are_products_with_the_directions() {
        assert_projections_are_products::<2, 2>([3.0, 50.0].into());
        assert_projections_are_products::<2, 4>([3.0, 50.0].into());
        assert_projections_are_products::<3, 3>([3.0, 50.0, 700.0].into());
        assert_projections_are_products::<3, 7>([3.0, 50.0, 700.0].into());
        assert_projections_are_products::<3, 9>([3.0, 50.0, 700.0].into());
        assert_projections_are_products::<3, 13>([3.0, 50.0, 700.0].into());
    }

    #[test]
    fn the_18_dop_cuts_edges_and_the_14_dop_corners() {
        let lengths = |squares: &[Vector<3>]| squares.iter().map(|d| d.norm_squared()).sum::<f64>();
        assert_eq!(lengths(&directions::<3, 9>()), 3.0 + 6.0 * 2.0);
        assert_eq!(lengths(&directions::<3, 7>()), 3.0 + 4.0 * 3.0);
        assert_eq!(lengths(&directions::<2, 4>()), 2.0 + 2.0 * 2.0);
    }
}
