//! One elastic solid: its elements, nodal state, and internal forces.
//!
//! Mass is lumped: a quarter of each linear tetrahedron at each of its nodes, and the scaled diagonal
//! of the mass matrix in other cells. Elements write their forces side by side; each node then sums
//! its corners, always in the same order, so that results do not depend on threads.

use super::cell::{Cell, green};
use super::clearance::Clearance;
use super::curved::CurvedSurface;
use super::element::Element;
use super::hold::Held;
use super::material::{ElasticMaterial, Elasticity, Parts, Stress, six_of};
use super::smooth::Smoothing;
use super::solid_mesh::cells_in;
use super::{InvalidSolid, SelfContact, SolidMesh};
use crate::Path;
use impinge::narrow::solids::{Depths, SolidContacts, SolidOptions};
use impinge::shape::{Block, ElementKind, Problem, Solid};
use impinge::space::{Aabb, Matrix, Point, Random, Vector, is_usable};
use impinge::tree::Bvh;
use rayon::prelude::*;

/// Minimum items per task: about ten microseconds of work.
const GRAIN: usize = 512;

/// The same for cells with several points of integration.
const CELL_GRAIN: usize = 16;

/// Power iterations to find the highest frequency, each as expensive as a step.
const POWER_ITERATIONS: usize = 60;

/// Strain of the displacements whose forces are K u: small enough for linearity, far above rounding.
const TINY_STRAIN: f64 = 1e-6;

/// Safety factor: the iteration ends a few percent too low.
const POWER_MARGIN: f64 = 1.1;

/// One elastic solid.
#[derive(Clone, Debug)]
#[doc(alias = "finite element method")]
#[doc(alias = "FEM")]
#[doc(alias = "deformable body")]
pub struct ElasticSolid {
    /// The tetrahedra in which contacts are searched. Its points are updated only for the search.
    pub(super) shape: Solid,
    pub(super) rest: Vec<Point<3>>,
    pub(super) points: Vec<Point<3>>,
    pub(super) velocities: Vec<Vector<3>>,
    pub(super) forces: Vec<Vector<3>>,
    pub(super) masses: Vec<f64>,
    /// Zero for held nodes.
    pub(super) inverse_masses: Vec<f64>,
    /// Each node's share of the surface area at rest.
    pub(super) areas: Vec<f64>,
    /// Mean area of the surface nodes.
    pub(super) mean_area: f64,
    pub(super) material: ElasticMaterial,
    pub(super) self_contact: SelfContact,
    pub(super) held: Vec<Held>,
    /// Contact search cache; never changes a result.
    pub(super) contacts: SolidContacts,
    /// Built from the rest shape: the closest surface point hardly changes as the solid deforms,
    /// and the search continues from there.
    pub(super) depths: Depths,
    /// Only with cells other than tet4.
    pub(super) curved: Option<CurvedSurface>,
    /// Only if self-contact is detected.
    pub(super) clearance: Option<Clearance>,
    /// Kept to find the tetrahedra that contain points.
    pub(super) boxes: Bvh<3>,
    /// Square of the highest frequency at rest, slightly overestimated.
    pub(super) rest_squared_frequency: f64,
    /// Its upper bound from single elements.
    rest_bound: f64,
    /// Mean edge of a cube of six elements.
    size: f64,
    laws: Parts,
    /// The nodes of all cells, by ascending kind.
    blocks: Vec<Block>,
    /// Those of tet4.
    elements: Vec<Element>,
    /// The others.
    cells: Vec<Cell>,
    /// The forces of each cell on its nodes: elements, then cells.
    corner_forces: Vec<Vector<3>>,
    /// Present if strains are averaged at nodes.
    smoothing: Option<Smoothing>,
    node_stresses: Vec<Matrix<3>>,
    /// Forces of the viscous stress alone; empty without one.
    viscous_forces: Vec<Vector<3>>,
    /// The corners of node n are `corners[starts[n]..starts[n + 1]]`, each a place in
    /// `corner_forces`, ascending.
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl ElasticSolid {
    pub(super) fn new(
        mesh: SolidMesh,
        material: &ElasticMaterial,
        self_contact: SelfContact,
    ) -> Result<Self, InvalidSolid> {
        material.check()?;
        let curved = CurvedSurface::new(&mesh);
        let (blocks, shape) = mesh.into_parts();
        let rest = shape.points().to_vec();
        let elements = elements_of(&blocks, &rest)?;
        let cells = cells_of(&blocks, &rest)?;
        let masses = lumped(&elements, &cells, rest.len(), material.density);
        let laws = material.parts();
        let (starts, corners) = corners_around(&blocks, rest.len());
        let areas = surface_areas(&shape);
        let mut solid = Self {
            contacts: SolidContacts::new(&shape, SolidOptions::default()),
            depths: Depths::new(&shape),
            clearance: match self_contact {
                SelfContact::Found => Some(Clearance::new(&shape)?),
                SelfContact::Ignored => None,
            },
            curved,
            boxes: boxes(&shape),
            points: rest.clone(),
            velocities: vec![Vector::zeros(); rest.len()],
            forces: vec![Vector::zeros(); rest.len()],
            inverse_masses: Vec::new(),
            mean_area: areas.iter().sum::<f64>() / shape.boundary_nodes().len() as f64,
            areas,
            size: mean_size(&elements, &cells, shape.tetrahedra().len()),
            material: *material,
            self_contact,
            held: Vec::new(),
            rest_squared_frequency: 0.0,
            rest_bound: 0.0,
            corner_forces: vec![Vector::zeros(); corners.len()],
            shape,
            rest,
            smoothing: laws
                .node
                .map(|_| Smoothing::new(&elements, &starts, &corners)),
            node_stresses: Vec::new(),
            viscous_forces: Vec::new(),
            masses,
            laws,
            blocks,
            elements,
            cells,
            starts,
            corners,
        };
        solid.refine_frequency();

        let loose: Vec<u32> = (0..)
            .zip(&solid.masses)
            .filter(|(_, m)| **m == 0.0)
            .map(|(n, _)| n)
            .collect();
        solid.hold(&loose, Path::default(), 0.0)?;

        Ok(solid)
    }

    /// Returns the current positions of the nodes.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// Returns the positions of the nodes in the undeformed shape.
    pub fn rest_points(&self) -> &[Point<3>] {
        &self.rest
    }

    /// Returns the velocities of the nodes.
    pub fn velocities(&self) -> &[Vector<3>] {
        &self.velocities
    }

    /// Returns the forces on the nodes.
    pub fn forces(&self) -> &[Vector<3>] {
        &self.forces
    }

    /// Returns whether a node is held.
    pub(crate) fn is_held(&self, node: u32) -> bool {
        self.held.iter().any(|held| held.node == node)
    }

    /// Returns whether any node is held.
    pub fn is_anywhere_held(&self) -> bool {
        !self.held.is_empty()
    }

    /// Returns the masses of the nodes; zero for a node without tetrahedra.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Returns the kind and the nodes of each cell, in the order of [`Self::stresses`].
    pub fn cells(&self) -> impl Iterator<Item = (ElementKind, &[u32])> {
        cells_in(&self.blocks)
    }

    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the tetrahedra in which contacts are searched: cells of tet4 themselves, others
    /// divided on their nodes.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        self.shape.tetrahedra()
    }

    /// Returns the surface triangles, counter-clockwise seen from outside, as indices of the
    /// solid's nodes. With [`Self::points`] and [`Self::velocities`] they form a deforming mesh.
    pub fn surface_triangles(&self) -> &[[u32; 3]] {
        self.shape.boundary_triangles()
    }

    /// Returns the nodes of the surface, ascending.
    pub fn surface_nodes(&self) -> &[u32] {
        self.shape.boundary_nodes()
    }

    /// Returns whether it finds contacts with itself.
    pub fn finds_self_contact(&self) -> bool {
        self.self_contact == SelfContact::Found
    }

    /// Returns its material.
    pub fn material(&self) -> &ElasticMaterial {
        &self.material
    }

    /// Returns the bounding box of the surface nodes.
    pub fn bounds(&self) -> Aabb<3> {
        Aabb::of(
            self.surface_nodes()
                .iter()
                .map(|&n| self.points[n as usize]),
        )
    }

    /// Returns the nodes in a box, ascending; for example to hold them.
    pub fn nodes_within(&self, region: &Aabb<3>) -> Vec<u32> {
        (0..)
            .zip(&self.points)
            .filter(|(_, p)| region.contains(p))
            .map(|(n, _)| n)
            .collect()
    }

    /// Returns the number of cells that are currently inverted or flat, wholly or in part. The
    /// neo-Hookean law restores them.
    pub fn inverted(&self) -> usize {
        let volume = |e: &Element| e.deformation(&self.points).determinant();
        let elements = self.elements.par_iter().filter(|e| volume(e) <= 0.0);
        let cells = self.cells.par_iter();

        elements.count()
            + cells
                .filter(|cell| cell.of_any_kind().is_inverted(&self.points))
                .count()
    }

    /// Replaces `strains` by the mean of Green's strain in each cell: xx, yy, zz, xy, yz, zx.
    pub fn strains(&self, strains: &mut Vec<[f64; 6]>) {
        let of_element = |e: &Element| six_of(&green(&e.deformation(&self.points)));
        let of_cell = |cell: &Cell| six_of(&cell.of_any_kind().strain(&self.points));

        let elements = self.elements.par_iter().map(of_element);
        let cells = self.cells.par_iter().map(of_cell);
        strains.clear();
        strains.par_extend(elements);
        strains.par_extend(cells);
    }

    /// Replaces `stresses` by the mean stress of each cell; with smoothed strains that of a tet4
    /// includes the nodal means.
    pub fn stresses(&self, stresses: &mut Vec<Stress>) {
        let of_nodes = |n: usize| self.at_node(n, |law, f, _| law.cauchy(f));
        let nodes: Vec<Matrix<3>> = match &self.smoothing {
            Some(_) => (0..self.points.len())
                .into_par_iter()
                .map(of_nodes)
                .collect(),
            None => Vec::new(),
        };

        let stress = |e: &Element| {
            let own = self.laws.element.cauchy(&e.deformation(&self.points));
            let of_nodes = e.nodes.iter().filter_map(|&n| nodes.get(n as usize));
            Stress::of(&(own + of_nodes.sum::<Matrix<3>>() / 4.0))
        };
        let of_cell =
            |cell: &Cell| Stress::of(&cell.of_any_kind().stress(&self.points, &self.laws));

        self.elements
            .par_iter()
            .map(stress)
            .collect_into_vec(stresses);
        stresses.par_extend(self.cells.par_iter().map(of_cell));
    }

    /// Evaluates the nodal part of the law for the mean deformation there and the node's volume;
    /// zero if there is none.
    #[inline(always)]
    fn at_node<T: Default>(
        &self,
        node: usize,
        of: impl Fn(&Elasticity, &Matrix<3>, f64) -> T,
    ) -> T {
        let found = self.laws.node.as_ref().zip(self.smoothing.as_ref());
        let found = found.and_then(|(law, smoothing)| {
            let f = smoothing.gradient(node, |n| self.points[n].coords)?;
            Some(of(law, &f, smoothing.volumes[node]))
        });
        found.unwrap_or_default()
    }

    /// Returns the strain energy.
    pub fn strain_energy(&self) -> f64 {
        let energy = |e: &Element| e.energy(&self.points, &self.laws.element);
        let of_elements: Vec<f64> = self
            .elements
            .par_chunks(GRAIN)
            .map(|part| part.iter().map(energy).sum())
            .collect();
        let of_node =
            |(node, _): (usize, &f64)| self.at_node(node, |law, f, volume| law.energy(f) * volume);
        let of_nodes: Vec<f64> = self.masses.par_iter().enumerate().map(of_node).collect();
        let of_cell = |cell: &Cell| cell.of_any_kind().energy(&self.points, &self.laws);
        let of_cells: Vec<f64> = self.cells.par_iter().map(of_cell).collect();

        of_elements.iter().chain(&of_nodes).chain(&of_cells).sum()
    }

    /// Returns the kinetic energy.
    pub fn kinetic_energy(&self) -> f64 {
        self.masses
            .iter()
            .zip(&self.velocities)
            .map(|(m, v)| 0.5 * m * v.norm_squared())
            .sum()
    }

    /// Returns the momentum.
    pub fn momentum(&self) -> Vector<3> {
        self.masses
            .iter()
            .zip(&self.velocities)
            .map(|(m, v)| v * *m)
            .sum()
    }

    /// Returns the angular momentum about the origin.
    pub fn angular_momentum(&self) -> Vector<3> {
        let nodes = self.points().iter().zip(&self.velocities).zip(&self.masses);
        nodes.map(|((x, v), m)| x.coords.cross(v) * *m).sum()
    }

    /// Returns the mass.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Returns Σ m x, relative to the origin of the coordinates.
    pub(super) fn moment(&self) -> Vector<3> {
        self.masses
            .iter()
            .zip(&self.points)
            .map(|(m, x)| x.coords * *m)
            .sum()
    }

    /// Returns the square of the current highest frequency, slightly overestimated: the elements'
    /// bound, times the ratio of true value to bound at rest. An element that the deformation
    /// singles out shares its stiffness with no other: for it that ratio tends to 1.
    pub(super) fn squared_frequency(&self) -> f64 {
        let bound = self.bound().max(self.rest_bound);
        bound * (self.rest_squared_frequency / self.rest_bound).powf(self.rest_bound / bound)
    }

    /// Returns the current longest stable step. Viscous forces use velocities half a step back:
    /// with the damping ratio ξ = βω/2 it is 2/ω (√(1 + ξ²) − ξ) [Belytschko2000, eq. (6.2.2)].
    pub fn stable_step(&self) -> f64 {
        let omega = self.squared_frequency().sqrt();
        let ratio = self.material.stiffness_damping * omega / 2.0;
        // The same formula, rewritten to avoid cancellation.
        2.0 / omega / (ratio + ratio.hypot(1.0))
    }

    /// Returns the largest of the elements' bounds. A mean over elements is no stiffer than they
    /// are with the law at the mean.
    fn bound(&self) -> f64 {
        let nodes: Vec<Matrix<3>> = match &self.smoothing {
            Some(_) => (0..self.points.len())
                .into_par_iter()
                .map(|n| self.at_node(n, |_, f, _| *f))
                .collect(),
            None => Vec::new(),
        };
        let of_element = |e: &Element| {
            let gradients = e.gradients();
            let own = (self.laws.element).stiffness(&e.deformation(&self.points), &gradients);
            let at_nodes = self.laws.node.map_or(0.0, |law| {
                let of_nodes = e
                    .nodes
                    .map(|n| law.stiffness(&nodes[n as usize], &gradients));
                of_nodes.iter().sum::<f64>() / 4.0
            });
            (own + at_nodes) * 4.0 / self.material.density
        };

        let of_cell = |cell: &Cell| {
            let cell = cell.of_any_kind();
            cell.squared_frequency(&self.points, &self.laws, self.material.density)
        };

        let elements = self.elements.par_iter().map(of_element);
        let cells = self.cells.par_iter().map(of_cell);
        f64::max(
            elements.reduce(|| 0.0, f64::max),
            cells.reduce(|| 0.0, f64::max),
        )
    }

    /// Finds the highest frequency at rest by power iteration on M⁻¹K, whose products are forces of
    /// tiny displacements.
    fn refine_frequency(&mut self) {
        let bound = self.bound();
        let tiny = TINY_STRAIN * self.material.wave_speed() / bound.sqrt();
        let mut random = Random::new(1);
        let mut mode: Vec<Vector<3>> = self.rest.iter().map(|_| random.direction()).collect();
        let mut found = 0.0;

        for _ in 0..POWER_ITERATIONS {
            let size = mode.iter().map(|u| u.amax()).fold(0.0, f64::max);
            mode.iter_mut().for_each(|u| *u *= tiny / size);
            let before = self.norm(&mode);
            self.points
                .iter_mut()
                .zip(&self.rest)
                .zip(&mode)
                .for_each(|((x, rest), u)| *x = rest + u);
            self.forces.fill(Vector::zeros());
            self.strain();
            let accelerations = self.forces.iter().zip(&self.masses);
            mode = accelerations
                .map(|(f, m)| if *m > 0.0 { f / -m } else { Vector::zeros() })
                .collect();

            found = self.norm(&mode) / before;
        }

        self.points.copy_from_slice(&self.rest);
        self.forces.fill(Vector::zeros());
        self.rest_bound = bound;
        self.rest_squared_frequency = (POWER_MARGIN * found).min(bound);
    }

    /// Returns √(u·M u).
    fn norm(&self, mode: &[Vector<3>]) -> f64 {
        mode.iter()
            .zip(&self.masses)
            .map(|(u, m)| m * u.norm_squared())
            .sum::<f64>()
            .sqrt()
    }

    pub(super) fn hold(
        &mut self,
        nodes: &[u32],
        path: Path,
        time: f64,
    ) -> Result<(), InvalidSolid> {
        let count = self.points.len();
        if let Some(&node) = nodes.iter().find(|&&n| n as usize >= count) {
            return Err(InvalidSolid::NoSuchNode { node, count });
        }

        if !path.is_finite() {
            return Err(InvalidSolid::Hold);
        }

        self.forget(nodes);
        self.held.extend(
            nodes
                .iter()
                .map(|&n| Held::new(n, path, &self.points[n as usize], time)),
        );
        self.held.sort_by_key(|held| held.node);
        self.invert_masses();

        Ok(())
    }

    pub(super) fn invert_masses(&mut self) {
        let inverse = |m: &f64| if *m > 0.0 { 1.0 / m } else { 0.0 };
        self.inverse_masses = self.masses.iter().map(inverse).collect();
        for held in &self.held {
            self.inverse_masses[held.node as usize] = 0.0;
        }
    }

    /// Returns the pressure that compresses a layer of elements by one metre, (λ + 2μ)/h.
    pub(super) fn layer_stiffness(&self) -> f64 {
        self.material.density * self.material.wave_speed().powi(2) / self.size
    }

    /// Returns the mean edge of a cube of six elements.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// Returns the rest volume of a tetrahedron of the contact search.
    pub(super) fn rest_volume(&self, tetrahedron: usize) -> f64 {
        let nodes = self.tetrahedra()[tetrahedron];
        let [a, b, c, d] = nodes.map(|n| self.rest[n as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    }

    /// Releases held nodes. A node without mass stays held, because nothing else determines its
    /// position.
    pub(super) fn release(&mut self, nodes: &[u32]) {
        let free: Vec<u32> = nodes
            .iter()
            .copied()
            .filter(|&n| self.masses.get(n as usize) > Some(&0.0))
            .collect();
        self.forget(&free);

        self.invert_masses();
    }

    fn forget(&mut self, nodes: &[u32]) {
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        self.held
            .retain(|held| sorted.binary_search(&held.node).is_err());
    }

    /// Returns the work done by holds during the half step that begins or ends at `time`: the
    /// energy gained by their nodes, minus the work of the forces on these. Call it before the
    /// kick.
    pub(super) fn work_of_holds(&self, half: f64, time: f64) -> f64 {
        let of_node = |held: &Held| {
            let node = held.node as usize;
            let (before, after) = (self.velocities[node], held.velocity(time));
            0.5 * self.masses[node] * (after.norm_squared() - before.norm_squared())
                - 0.5 * half * self.forces[node].dot(&(before + after))
        };
        self.held.iter().map(of_node).sum()
    }

    /// Applies forces and damping to the velocities for the half step that begins or ends at
    /// `time`; returns the energy lost to damping.
    pub(super) fn kick(&mut self, half: f64, time: f64) -> f64 {
        let nodes = self
            .velocities
            .par_iter_mut()
            .zip(&self.forces)
            .zip(&self.masses)
            .with_min_len(GRAIN);
        nodes.for_each(|((v, f), m)| *v += f * (half / m));
        self.obey_holds(time);

        if self.material.damping == 0.0 {
            return 0.0;
        }

        // The exact decay of v' = −rate·v, which is stable for any rate.
        let before = self.kinetic_energy();
        let decay = (-self.material.damping * half).exp();
        self.velocities
            .par_iter_mut()
            .with_min_len(GRAIN)
            .for_each(|v| *v *= decay);
        self.obey_holds(time);

        before - self.kinetic_energy()
    }

    fn obey_holds(&mut self, time: f64) {
        for held in &self.held {
            self.velocities[held.node as usize] = held.velocity(time);
        }
    }

    /// Moves the nodes to `time`.
    pub(super) fn drift(&mut self, dt: f64, time: f64) {
        let points = self
            .points
            .par_iter_mut()
            .zip(&self.velocities)
            .with_min_len(GRAIN);
        points.for_each(|(x, v)| *x += v * dt);

        for held in &self.held {
            self.points[held.node as usize] = held.position(time);
        }
    }

    /// Returns the positions of the nodes after a part of the next step, which begins at `time`.
    pub(crate) fn points_after(&self, seconds: f64, time: f64) -> Vec<Point<3>> {
        let half = 0.5 * seconds;
        let decay = (-self.material.damping * half).exp();
        let nodes = self.points.iter().zip(&self.velocities).zip(&self.forces);
        let mut points: Vec<Point<3>> = nodes
            .zip(&self.masses)
            .map(|(((x, v), f), m)| match *m > 0.0 {
                true => x + (v + f * (half / m)) * (decay * seconds),
                false => x + v * seconds,
            })
            .collect();
        for held in &self.held {
            points[held.node as usize] = held.position(time + seconds);
        }
        points
    }

    /// Resets the forces to the weight.
    pub(super) fn weigh(&mut self, gravity: &Vector<3>) {
        self.forces
            .iter_mut()
            .zip(&self.masses)
            .for_each(|(f, m)| *f = gravity * *m);
    }

    /// Adds the elastic and viscous forces of the elements.
    pub(super) fn strain(&mut self) {
        let mut forces = std::mem::take(&mut self.forces);
        let law = self.laws.element;
        self.add_stress(
            &mut forces,
            |solid, e| e.forces(&solid.points, &law),
            |solid, cell, forces| {
                let cell = cell.of_any_kind();
                cell.forces(&solid.points, &solid.laws, forces);
            },
            |solid, n| solid.at_node(n, |law, f, _| law.stress(f)),
        );
        self.forces = forces;

        if self.material.stiffness_damping > 0.0 {
            self.add_viscous_forces();
        }
    }

    /// Adds the forces of the viscous stress.
    fn add_viscous_forces(&mut self) {
        let mut viscous = std::mem::take(&mut self.viscous_forces);
        viscous.clear();
        viscous.resize(self.points.len(), Vector::zeros());
        let (law, beta) = (self.laws.element, self.material.stiffness_damping);
        self.add_stress(
            &mut viscous,
            |solid, e| {
                e.viscous_forces(&solid.points, &solid.velocities, &law)
                    .map(|f| f * beta)
            },
            |solid, cell, forces| {
                let (points, velocities) = (&solid.points, &solid.velocities);
                let cell = cell.of_any_kind();
                cell.viscous_forces(points, velocities, &solid.laws, forces);
                forces.iter_mut().for_each(|f| *f *= beta);
            },
            |solid, n| solid.at_node(n, |law, f, _| law.viscous_stress(f, &solid.rate(n)) * beta),
        );

        self.forces
            .iter_mut()
            .zip(&viscous)
            .for_each(|(force, viscous)| *force += viscous);
        self.viscous_forces = viscous;
    }

    /// Returns the mean velocity gradient at a node.
    fn rate(&self, node: usize) -> Matrix<3> {
        let smoothing = self.smoothing.as_ref();
        smoothing
            .and_then(|smoothing| smoothing.gradient(node, |n| self.velocities[n]))
            .unwrap_or_else(Matrix::zeros)
    }

    /// Returns the energy dissipated by the viscous stress in a step, with the mid-step velocities.
    pub(super) fn viscous_loss(&self, dt: f64) -> f64 {
        let pairs = self.viscous_forces.iter().zip(&self.velocities);
        -dt * pairs
            .map(|(force, velocity)| force.dot(velocity))
            .sum::<f64>()
    }

    /// Adds the forces of elements, cells and nodes.
    fn add_stress(
        &mut self,
        forces: &mut [Vector<3>],
        of_element: impl Fn(&Self, &Element) -> [Vector<3>; 4] + Sync,
        of_cell: impl Fn(&Self, &Cell, &mut [Vector<3>]) + Sync,
        of_node: impl Fn(&Self, usize) -> Matrix<3> + Sync,
    ) {
        let mut corner_forces = std::mem::take(&mut self.corner_forces);
        let (of_elements, mut of_cells) = corner_forces.split_at_mut(4 * self.elements.len());
        let pairs = of_elements
            .par_chunks_exact_mut(4)
            .zip(&self.elements)
            .with_min_len(GRAIN);
        pairs.for_each(|(out, element)| out.copy_from_slice(&of_element(self, element)));

        let mut cells = self.cells.as_slice();
        for block in self.blocks.iter().filter(|b| b.kind != ElementKind::Tet4) {
            let (of_block, others) = of_cells.split_at_mut(block.nodes.len());
            let (cells_of_block, other_cells) = cells.split_at(block.len());
            (of_cells, cells) = (others, other_cells);
            let pairs = of_block
                .par_chunks_exact_mut(block.kind.node_count())
                .zip(cells_of_block)
                .with_min_len(CELL_GRAIN);
            pairs.for_each(|(out, cell)| of_cell(self, cell, out));
        }

        let (flat, starts, corners) = (&corner_forces, &self.starts, &self.corners);
        forces
            .par_iter_mut()
            .enumerate()
            .with_min_len(GRAIN)
            .for_each(|(node, force)| {
                for &corner in &corners[starts[node] as usize..starts[node + 1] as usize] {
                    *force += flat[corner as usize];
                }
            });
        self.corner_forces = corner_forces;

        let mut stresses = std::mem::take(&mut self.node_stresses);
        if let Some(smoothing) = &self.smoothing {
            (0..forces.len())
                .into_par_iter()
                .with_min_len(GRAIN)
                .map(|node| of_node(self, node))
                .collect_into_vec(&mut stresses);
            smoothing.push(&stresses, forces);
        }

        self.node_stresses = stresses;
    }

    /// Returns the first node whose position or velocity is not usable.
    pub(super) fn first_unusable(&self) -> Option<usize> {
        let is_good =
            |(x, v): (&Point<3>, &Vector<3>)| is_usable(x) && v.iter().all(|c| c.is_finite());
        self.points
            .iter()
            .zip(&self.velocities)
            .position(|node| !is_good(node))
    }

    /// Updates the shape to the current points, for the contact search.
    pub(super) fn follow(&mut self) -> Result<(), Problem> {
        self.shape.set_points(&self.points)?;
        self.contacts.update(&self.shape);
        Ok(())
    }
}

/// Builds the boxes of the tetrahedra at rest.
fn boxes(shape: &Solid) -> Bvh<3> {
    let of_all: Vec<Aabb<3>> = (0..shape.tetrahedra().len())
        .map(|t| Aabb::of(shape.corners(t)))
        .collect();
    Bvh::new(&of_all)
}

fn elements_of(blocks: &[Block], rest: &[Point<3>]) -> Result<Vec<Element>, InvalidSolid> {
    let linear = blocks
        .iter()
        .filter(|block| block.kind == ElementKind::Tet4);
    let nodes = linear.flat_map(|block| block.nodes.as_chunks().0);
    let element = |(tetrahedron, &nodes): (usize, &[u32; 4])| {
        let found = Element::new(nodes, rest).filter(|e| e.volume > 0.0);
        found.ok_or(InvalidSolid::NoVolume { tetrahedron })
    };
    nodes.enumerate().map(element).collect()
}

fn cells_of(blocks: &[Block], rest: &[Point<3>]) -> Result<Vec<Cell>, InvalidSolid> {
    let others = cells_in(blocks).filter(|(kind, _)| *kind != ElementKind::Tet4);
    let cell = |(cell, (kind, nodes)): (usize, (ElementKind, &[u32]))| {
        Cell::new(kind, nodes, rest).ok_or(InvalidSolid::Jacobian {
            cell,
            kind: kind.name(),
            value: 0.0,
        })
    };
    others.enumerate().map(cell).collect()
}

fn lumped(elements: &[Element], cells: &[Cell], nodes: usize, density: f64) -> Vec<f64> {
    let mut masses = vec![0.0; nodes];
    for element in elements {
        element
            .nodes
            .iter()
            .for_each(|&n| masses[n as usize] += element.volume * density / 4.0);
    }

    for cell in cells.iter().map(Cell::of_any_kind) {
        let mass = cell.volume() * density;
        for (&node, share) in cell.nodes().iter().zip(cell.mass_shares()) {
            masses[node as usize] += mass * share;
        }
    }

    masses
}

fn corners_around(blocks: &[Block], nodes: usize) -> (Vec<u32>, Vec<u32>) {
    let of_all = || blocks.iter().flat_map(|block| block.nodes.iter().copied());
    let mut starts = vec![0u32; nodes + 2];
    of_all().for_each(|n| starts[n as usize + 2] += 1);
    (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
    let mut corners = vec![0; of_all().count()];

    for (corner, node) in (0..).zip(of_all()) {
        let place = &mut starts[node as usize + 1];
        corners[*place as usize] = corner;
        *place += 1;
    }

    starts.pop();
    (starts, corners)
}

/// Assigns a third of each boundary triangle to each of its nodes.
fn surface_areas(shape: &Solid) -> Vec<f64> {
    let mut areas = vec![0.0; shape.points().len()];
    for nodes in shape.boundary_triangles() {
        let [a, b, c] = nodes.map(|n| shape.points()[n as usize]);
        let third = (b - a).cross(&(c - a)).norm() / 6.0;
        nodes.iter().for_each(|&n| areas[n as usize] += third);
    }

    areas
}

fn mean_size(elements: &[Element], cells: &[Cell], tetrahedra: usize) -> f64 {
    let of_elements = elements.iter().map(|e| e.volume);
    let of_cells = cells.iter().map(|cell| cell.of_any_kind().volume());
    let volume: f64 = of_elements.chain(of_cells).sum();
    (6.0 * volume / tetrahedra as f64).cbrt()
}
