//! Nodal averaging of strains, against locking.
//!
//! A linear tetrahedron cannot bend, nor preserve its volume while it does: on its own it is too
//! stiff. The volume-weighted mean deformation at a node has fewer constraints than its tetrahedra
//! separately [Dohrmann2000]. With Vₙ = Σ Vₑ/4 and Fₙ = Σ Vₑ/4 Fₑ / Vₙ, the energy is
//!
//! ```text
//! Σₙ Vₙ (W − W̃)(Fₙ) + Σₑ Vₑ W̃(Fₑ)
//! ```
//!
//! where a small part W̃ of the law stays with the elements, to stabilise modes that the means do
//! not see [Puso2006]. Forces are its exact derivative, so that energy and momentum are conserved;
//! a homogeneous deformation has the energy of W alone. Means are convex: no frequency at rest
//! exceeds that of the plain elements.
//!
//! Fₙ = Σⱼ (xⱼ − xₙ) ⊗ Gₙⱼ / Vₙ and fₙ = −Σⱼ Pⱼ Gⱼₙ over the neighbours j, with Gₙⱼ = Σ Vₑ/4 ∇Nⱼ over the tetrahedra that
//! have both: O(nodes · neighbours), about 15 of them.

use super::element::Element;
use impinge::space::{Matrix, Vector};
use rayon::prelude::*;

/// Minimum items per task.
const GRAIN: usize = 128;

/// The averaging weights of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Smoothing {
    /// The links of node n are `links[starts[n]..starts[n + 1]]`, by ascending neighbour.
    starts: Vec<u32>,
    links: Vec<Link>,
    /// Vₙ; 0 for a node without linear tetrahedra.
    pub(super) volumes: Vec<f64>,
}

/// A node n and its neighbour j, which may be n itself.
#[derive(Clone, Copy, Debug)]
struct Link {
    neighbour: u32,
    /// Gₙⱼ.
    of_neighbour: Vector<3>,
    /// Gⱼₙ.
    of_node: Vector<3>,
}

impl Smoothing {
    /// Builds the weights; `starts` and `corners` list the corners around each node, as in the
    /// solid.
    pub(super) fn new(elements: &[Element], starts: &[u32], corners: &[u32]) -> Self {
        let mut smoothing = Self {
            starts: vec![0],
            links: Vec::new(),
            volumes: Vec::new(),
        };

        for around in starts.windows(2) {
            let corners = &corners[around[0] as usize..around[1] as usize];
            smoothing.add_node(elements, corners);
        }

        smoothing
    }

    fn add_node(&mut self, elements: &[Element], corners: &[u32]) {
        let mut links = Vec::new();
        let mut volume = 0.0;
        // Corners beyond those of the linear tetrahedra belong to other cells.
        let linear = corners
            .iter()
            .filter(|&&corner| (corner as usize) < 4 * elements.len());
        for &corner in linear {
            let (element, place) = (&elements[corner as usize / 4], corner as usize % 4);
            let quarter = element.volume / 4.0;
            let gradients = element.gradients().map(|gradient| gradient * quarter);
            let of_element = element.nodes.iter().zip(gradients);
            links.extend(of_element.map(|(&neighbour, of_neighbour)| Link {
                neighbour,
                of_neighbour,
                of_node: gradients[place],
            }));
            volume += quarter;
        }

        // Stable sort: equal neighbours stay in the order of their elements.
        links.sort_by_key(|link| link.neighbour);
        for equal in links.chunk_by(|a, b| a.neighbour == b.neighbour) {
            self.links.push(Link {
                neighbour: equal[0].neighbour,
                of_neighbour: equal.iter().map(|link| link.of_neighbour).sum(),
                of_node: equal.iter().map(|link| link.of_node).sum(),
            });
        }

        self.starts.push(self.links.len() as u32);
        self.volumes.push(volume);
    }

    fn links(&self, node: usize) -> &[Link] {
        &self.links[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Returns the mean gradient at a node of the nodal field `of`; `None` for a node without
    /// tetrahedra.
    #[inline(always)]
    pub(super) fn gradient(
        &self,
        node: usize,
        of: impl Fn(usize) -> Vector<3>,
    ) -> Option<Matrix<3>> {
        let own = of(node);
        let sum = self.links(node).iter().fold(Matrix::zeros(), |sum, link| {
            sum + (of(link.neighbour as usize) - own) * link.of_neighbour.transpose()
        });
        (self.volumes[node] > 0.0).then(|| sum / self.volumes[node])
    }

    /// Adds the forces of the nodal stresses.
    pub(super) fn push(&self, stresses: &[Matrix<3>], forces: &mut [Vector<3>]) {
        let nodes = forces.par_iter_mut().enumerate().with_min_len(GRAIN);
        nodes.for_each(|(node, force)| {
            for link in self.links(node) {
                *force -= stresses[link.neighbour as usize] * link.of_node;
            }
        });
    }
}
