//! A tetrahedron with linear shape functions: constant strain, four nodal forces.
//!
//! With the edges from node 0 as columns, D at rest and d now, F = d D⁻¹. The rows of D⁻¹ are the
//! gradients ∇Nᵢ of the shape functions of nodes 1 to 3, and the nodal forces are fᵢ = −V P ∇Nᵢ.
//! The four add up to zero.

use super::material::Elasticity;
use impinge::space::{Matrix, Point, Vector};

/// A tetrahedron in its rest shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) nodes: [u32; 4],
    /// D⁻¹.
    inverse: Matrix<3>,
    /// V.
    pub(super) volume: f64,
}

impl Element {
    /// Creates an element; `None` if the tetrahedron has no volume.
    pub(super) fn new(nodes: [u32; 4], rest: &[Point<3>]) -> Option<Self> {
        let edges = edges(&nodes, rest);
        let inverse = edges
            .try_inverse()
            .filter(|inverse| inverse.iter().all(|x| x.is_finite()))?;
        Some(Self {
            nodes,
            inverse,
            volume: edges.determinant() / 6.0,
        })
    }

    /// Returns the deformation gradient F.
    #[inline(always)]
    pub(super) fn deformation(&self, points: &[Point<3>]) -> Matrix<3> {
        edges(&self.nodes, points) * self.inverse
    }

    /// Returns the forces on its nodes.
    #[inline(always)]
    pub(super) fn forces(&self, points: &[Point<3>], elasticity: &Elasticity) -> [Vector<3>; 4] {
        self.forces_of(&elasticity.stress(&self.deformation(points)))
    }

    /// Returns the viscous nodal forces per second of β.
    pub(super) fn viscous_forces(
        &self,
        points: &[Point<3>],
        velocities: &[Vector<3>],
        elasticity: &Elasticity,
    ) -> [Vector<3>; 4] {
        let [a, b, c, d] = self.nodes.map(|n| velocities[n as usize]);
        let rate = Matrix::from_columns(&[b - a, c - a, d - a]) * self.inverse;
        self.forces_of(&elasticity.viscous_stress(&self.deformation(points), &rate))
    }

    #[inline(always)]
    fn forces_of(&self, stress: &Matrix<3>) -> [Vector<3>; 4] {
        let forces = stress * self.inverse.transpose() * -self.volume;
        let [b, c, d] = [0, 1, 2].map(|k| forces.column(k).into_owned());
        [-(b + c + d), b, c, d]
    }

    /// Returns its strain energy.
    pub(super) fn energy(&self, points: &[Point<3>], elasticity: &Elasticity) -> f64 {
        elasticity.energy(&self.deformation(points)) * self.volume
    }

    /// Returns the shape function gradients ∇Nᵢ.
    pub(super) fn gradients(&self) -> [Vector<3>; 4] {
        let [b, c, d] = [0, 1, 2].map(|k| self.inverse.row(k).transpose());
        [-(b + c + d), b, c, d]
    }
}

#[inline(always)]
fn edges(nodes: &[u32; 4], points: &[Point<3>]) -> Matrix<3> {
    let [a, b, c, d] = nodes.map(|n| points[n as usize]);
    Matrix::from_columns(&[b - a, c - a, d - a])
}
