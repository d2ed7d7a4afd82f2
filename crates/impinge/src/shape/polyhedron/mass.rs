//! Volume, centroid and inertia of convex polyhedra, for a density of one.
//!
//! The body is divided into tetrahedra from its first vertex. As it is convex, all their volumes
//! are positive and nothing cancels. The volumes themselves are computed in double-double
//! precision, so that plates and needles keep their digits.

use crate::shape::Polyhedron;
use crate::shape::double::six_volumes;
use crate::space::{Matrix, Point, Vector};

impl Polyhedron {
    /// Volume.
    pub fn volume(&self) -> f64 {
        self.tetrahedra().map(|(_, sixfold)| sixfold).sum::<f64>() / 6.0
    }

    /// Centre of mass.
    pub fn centroid(&self) -> Point<3> {
        let apex = self.points[0];
        let mut moment = Vector::<3>::zeros();
        let mut sum = 0.0;

        for (corners, sixfold) in self.tetrahedra() {
            moment += corners
                .iter()
                .map(|corner| corner - apex)
                .sum::<Vector<3>>()
                * (0.25 * sixfold);
            sum += sixfold;
        }

        // Zero only if coordinates of widely mixed magnitude cancel all the digits of the
        // double-double volumes.
        if sum > 0.0 {
            apex + moment / sum
        } else {
            self.bounds().centre()
        }
    }

    /// Inertia tensor about the centroid: ∫ (|x|² I − x xᵀ), with x relative to the centroid.
    pub fn inertia(&self) -> Matrix<3> {
        let centroid = self.centroid();
        let mut second = Matrix::<3>::zeros();
        for (corners, sixfold) in self.tetrahedra() {
            let arms = corners.map(|corner| corner - centroid);
            let sum: Vector<3> = arms.iter().sum();
            // ∫ x xᵀ over a tetrahedron = volume/20 (Σ xᵢ xᵢᵀ + (Σ xᵢ)(Σ xᵢ)ᵀ).
            let products = arms.iter().fold(sum * sum.transpose(), |products, x| {
                products + x * x.transpose()
            });
            second += products * (sixfold / 120.0);
        }

        Matrix::from_diagonal_element(second.trace()) - second
    }

    /// Tetrahedra from vertex 0 to the triangles of the facets that do not contain it, with six
    /// times their volumes.
    fn tetrahedra(&self) -> impl Iterator<Item = ([Point<3>; 4], f64)> + '_ {
        let point = |i: u32| self.points[i as usize];
        let facets = (0..self.face_count())
            .filter(|&face| self.face_corners(face).all(|corner| corner != 0));
        facets.flat_map(move |face| {
            let mut corners = self.face_corners(face);
            let [hub, mut from] =
                [(); 2].map(|()| point(corners.next().expect("a facet has three corners")));
            corners.map(move |corner| {
                let tetrahedron = [self.points[0], hub, from, point(corner)];
                from = point(corner);
                let [a, b, c, d] = &tetrahedron;
                (tetrahedron, six_volumes(a, b, c, d))
            })
        })
    }
}
