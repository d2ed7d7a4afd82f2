//! A cell with several points of integration: tet10, hex8, hex20 or hex27.
//!
//! F at a point of integration is Σ xᵢ ⊗ ∇Nᵢ. All of the law but a part of λ acts there; that part
//! acts on the mean dilatation θ̄ of the cell, so that near incompressibility a cell has one
//! constraint instead of one at each point \[Malkus1978\]:
//!
//! ```text
//! energy  Σ_q V_q W(F_q) + V λ̄ θ̄²/2,   θ̄ = Σ_q V_q θ(F_q)/V
//! force   fᵢ = −Σ_q V_q (P(F_q) + λ̄ θ̄ ∂θ/∂F) ∇Nᵢ
//! ```
//!
//! Forces are the exact derivative of the energy. The masses of nodes are the diagonal of the
//! consistent mass matrix, scaled to the mass of the cell \[Hinton1976\]: a corner of a straight
//! tet10 has 1/36 of it, a mid node 4/27. Row sums would be negative at its corners.

use super::InvalidSolid;
use super::material::{Elasticity, Parts};
use super::shape_functions::{Sample, Table};
use impinge::shape::ElementKind;
use impinge::space::{Matrix, Point, Vector};

/// A cell in its rest shape.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Tet10(Box<Integrated<10, 4>>),
    Hex8(Box<Integrated<8, 8>>),
    Hex20(Box<Integrated<20, 27>>),
    Hex27(Box<Integrated<27, 27>>),
}

impl Cell {
    /// Creates a cell from nodes of a supported kind other than tet4.
    pub(super) fn new(kind: ElementKind, nodes: &[u32], rest: &[Point<3>]) -> Option<Self> {
        Some(match kind {
            ElementKind::Tet10 => Self::Tet10(Box::new(Integrated::new(kind, nodes, rest)?)),
            ElementKind::Hex8 => Self::Hex8(Box::new(Integrated::new(kind, nodes, rest)?)),
            ElementKind::Hex20 => Self::Hex20(Box::new(Integrated::new(kind, nodes, rest)?)),
            ElementKind::Hex27 => Self::Hex27(Box::new(Integrated::new(kind, nodes, rest)?)),
            _ => return None,
        })
    }

    /// Returns the interface common to all kinds of cells.
    #[inline]
    pub(super) fn of_any_kind(&self) -> &dyn Integral {
        match self {
            Self::Tet10(cell) => &**cell,
            Self::Hex8(cell) => &**cell,
            Self::Hex20(cell) => &**cell,
            Self::Hex27(cell) => &**cell,
        }
    }
}

/// The operations of a cell, for any number of nodes and integration points.
pub(super) trait Integral {
    fn nodes(&self) -> &[u32];

    /// Returns the rest volume.
    fn volume(&self) -> f64;

    /// Returns the share of the mass at each node; they add up to 1.
    fn mass_shares(&self) -> &[f64];

    /// Replaces `forces` by the forces on the nodes.
    fn forces(&self, points: &[Point<3>], laws: &Parts, forces: &mut [Vector<3>]);

    /// Replaces `forces` by the viscous ones, per second of β.
    fn viscous_forces(
        &self,
        points: &[Point<3>],
        velocities: &[Vector<3>],
        laws: &Parts,
        forces: &mut [Vector<3>],
    );

    /// Returns the strain energy.
    fn energy(&self, points: &[Point<3>], laws: &Parts) -> f64;

    /// Returns the mean Cauchy stress.
    fn stress(&self, points: &[Point<3>], laws: &Parts) -> Matrix<3>;

    /// Returns the mean of Green's strain.
    fn strain(&self, points: &[Point<3>]) -> Matrix<3>;

    /// Returns whether the volume is zero or negative at a point of integration.
    fn is_inverted(&self, points: &[Point<3>]) -> bool;

    /// Returns a bound on the square of its frequencies, from its own mass.
    fn squared_frequency(&self, points: &[Point<3>], laws: &Parts, density: f64) -> f64;
}

/// A cell of `N` nodes and `G` points of integration.
#[derive(Clone, Debug)]
pub(super) struct Integrated<const N: usize, const G: usize> {
    nodes: [u32; N],
    order: usize,
    /// ∇Nᵢ at the points.
    gradients: [[Vector<3>; N]; G],
    /// V_q.
    volumes: [f64; G],
    /// V.
    volume: f64,
    mass_shares: [f64; N],
}

impl<const N: usize, const G: usize> Integrated<N, G> {
    fn new(kind: ElementKind, nodes: &[u32], rest: &[Point<3>]) -> Option<Self> {
        let nodes: [u32; N] = nodes.try_into().ok()?;
        let corners = nodes.map(|node| rest[node as usize].coords);
        let (mut gradients, mut volumes) = ([[Vector::zeros(); N]; G], [0.0; G]);

        for (q, sample) in Table::of(kind).integration.iter().enumerate() {
            let jacobian = jacobian(&corners, sample);
            let inverse = jacobian.try_inverse()?.transpose();
            gradients[q] = std::array::from_fn(|i| inverse * sample.functions[i].1);
            volumes[q] = sample.weight * jacobian.determinant();
        }

        let is_good = volumes
            .iter()
            .all(|&volume| volume > 0.0 && volume.is_finite());
        is_good.then(|| Self {
            nodes,
            order: kind.order(),
            gradients,
            volumes,
            volume: volumes.iter().sum(),
            mass_shares: mass_shares(kind, &corners),
        })
    }

    #[inline(always)]
    fn gathered(&self, points: &[Point<3>]) -> [Vector<3>; N] {
        // Relative to the first node: far from the origin, nothing cancels.
        let first = points[self.nodes[0] as usize];
        self.nodes.map(|node| points[node as usize] - first)
    }

    /// Returns F, or Ḟ of velocities.
    #[inline(always)]
    fn gradient(&self, q: usize, of: &[Vector<3>; N]) -> Matrix<3> {
        let mut sum = Matrix::zeros();
        for (value, gradient) in of.iter().zip(&self.gradients[q]) {
            sum += value * gradient.transpose();
        }
        sum
    }

    #[inline(always)]
    fn deformations(&self, points: &[Point<3>]) -> [Matrix<3>; G] {
        let gathered = self.gathered(points);
        std::array::from_fn(|q| self.gradient(q, &gathered))
    }

    /// Returns the volume-weighted mean of a number at each point.
    #[inline(always)]
    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        (0..G).map(|q| of(q) * self.volumes[q]).sum::<f64>() / self.volume
    }

    /// Replaces `forces` by those of a stress at each point.
    #[inline(always)]
    fn push(&self, stress: impl Fn(usize) -> Matrix<3>, forces: &mut [Vector<3>]) {
        let mut sums = [Vector::zeros(); N];
        for q in 0..G {
            let stress = stress(q) * -self.volumes[q];
            for (sum, gradient) in sums.iter_mut().zip(&self.gradients[q]) {
                *sum += stress * gradient;
            }
        }
        forces.copy_from_slice(&sums);
    }
}

impl<const N: usize, const G: usize> Integral for Integrated<N, G> {
    fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn mass_shares(&self) -> &[f64] {
        &self.mass_shares
    }

    fn forces(&self, points: &[Point<3>], laws: &Parts, forces: &mut [Vector<3>]) {
        let (law, over_cell) = laws.of_order(self.order);
        let f = self.deformations(points);
        let pressure = over_cell.lambda() * self.mean(|q| over_cell.dilatation(&f[q]));
        let stress = |q: usize| law.stress(&f[q]) + over_cell.dilatation_gradient(&f[q]) * pressure;
        self.push(stress, forces);
    }

    fn viscous_forces(
        &self,
        points: &[Point<3>],
        velocities: &[Vector<3>],
        laws: &Parts,
        forces: &mut [Vector<3>],
    ) {
        let (law, over_cell) = laws.of_order(self.order);
        let f = self.deformations(points);
        let first = velocities[self.nodes[0] as usize];
        let moving = self.nodes.map(|node| velocities[node as usize] - first);
        let rates: [Matrix<3>; G] = std::array::from_fn(|q| self.gradient(q, &moving));
        let pressure = over_cell.lambda() * self.mean(|q| f[q].dot(&rates[q]));

        let stress = |q: usize| law.viscous_stress(&f[q], &rates[q]) + f[q] * pressure;
        self.push(stress, forces);
    }

    fn energy(&self, points: &[Point<3>], laws: &Parts) -> f64 {
        let (law, over_cell) = laws.of_order(self.order);
        let f = self.deformations(points);
        let dilatation = self.mean(|q| over_cell.dilatation(&f[q]));
        let of_mean = 0.5 * over_cell.lambda() * dilatation * dilatation;

        self.volume * (self.mean(|q| law.energy(&f[q])) + of_mean)
    }

    fn stress(&self, points: &[Point<3>], laws: &Parts) -> Matrix<3> {
        let (law, over_cell) = laws.of_order(self.order);
        let f = self.deformations(points);
        let pressure = over_cell.lambda() * self.mean(|q| over_cell.dilatation(&f[q]));
        let mut sum = Matrix::zeros();
        for (f, volume) in f.iter().zip(&self.volumes) {
            let stress = law.stress(f) + over_cell.dilatation_gradient(f) * pressure;
            sum += Elasticity::cauchy_of(&stress, f) * (volume / self.volume);
        }
        sum
    }

    fn strain(&self, points: &[Point<3>]) -> Matrix<3> {
        let mut sum = Matrix::zeros();
        for (f, volume) in self.deformations(points).iter().zip(&self.volumes) {
            sum += green(f) * (volume / self.volume);
        }
        sum
    }

    fn is_inverted(&self, points: &[Point<3>]) -> bool {
        let f = self.deformations(points);
        f.iter().any(|f| f.determinant() <= 0.0)
    }

    fn squared_frequency(&self, points: &[Point<3>], laws: &Parts, density: f64) -> f64 {
        let (law, over_cell) = laws.of_order(self.order);
        let f = self.deformations(points);
        let mass = density * self.volume;
        let of_point = |q: usize| {
            let scaled: [Vector<3>; N] =
                std::array::from_fn(|i| self.gradients[q][i] / (mass * self.mass_shares[i]).sqrt());
            law.stiffness(&f[q], &scaled) + over_cell.stiffness(&f[q], &scaled)
        };

        self.volume * self.mean(of_point)
    }
}

/// Returns Green's strain ½(FᵀF − I).
pub(super) fn green(f: &Matrix<3>) -> Matrix<3> {
    (f.tr_mul(f) - Matrix::identity()) * 0.5
}

/// Returns ∂x/∂ξ.
fn jacobian(corners: &[Vector<3>], sample: &Sample) -> Matrix<3> {
    let parts = corners.iter().zip(&sample.functions);
    parts.fold(Matrix::zeros(), |sum, (x, (_, slope))| {
        sum + (x - corners[0]) * slope.transpose()
    })
}

fn mass_shares<const N: usize>(kind: ElementKind, corners: &[Vector<3>; N]) -> [f64; N] {
    let mut diagonal = [0.0; N];
    for sample in &Table::of(kind).fine {
        let volume = sample.weight * jacobian(corners, sample).determinant();
        for (sum, (value, _)) in diagonal.iter_mut().zip(&sample.functions) {
            *sum += volume * value * value;
        }
    }

    let total: f64 = diagonal.iter().sum();
    diagonal.map(|share| share / total)
}

/// Checks that the volume is positive where the cell is integrated, at its nodes, and at the points
/// of a finer rule.
pub(super) fn check_volume(
    kind: ElementKind,
    cell: usize,
    corners: &[Vector<3>],
) -> Result<(), InvalidSolid> {
    let Table {
        integration,
        fine,
        nodes,
    } = Table::of(kind);
    let samples = integration.iter().chain(fine).chain(nodes);
    let least = samples
        .map(|sample| jacobian(corners, sample).determinant())
        .fold(f64::INFINITY, f64::min);

    if least > 0.0 && least.is_finite() {
        return Ok(());
    }

    Err(InvalidSolid::Jacobian {
        cell,
        kind: kind.name(),
        value: least,
    })
}
