//! Elastic solids by explicit finite elements, and their contacts.
//!
//! Solves M ü = f_int + f_ext + f_contact on cells of order 1 and 2 with lumped mass, by velocity
//! Verlet, which is the explicit Newmark scheme (β = 0, γ = ½) of [Aragon2013, eq. (3)]. Contacts
//! use penalty forces: points that the search of \[Erleben2005\] finds inside are pushed out along
//! the shortest direction, with equal and opposite forces on the nodes of the touched face.
//!
//! | file | what |
//! |---|---|
//! | `solid_mesh`, `subdivide` | the cells; their tetrahedra for the contact search |
//! | `material`, `element`, `smooth` | stress from strain; nodal forces of one tet4; means at nodes against locking |
//! | `cell`, `shape_functions` | nodal forces of a tet10, hex8, hex20 or hex27 |
//! | `body`, `hold` | one solid: masses, forces, motion; nodes that are held |
//! | `search`, `locate`, `clearance` | penetration search; point location; when a solid can touch itself |
//! | `curved` | contacts on curved faces |
//! | `penalty`, `side`, `booking` | the force of one contact; the point at which it acts; its energy |
//! | `overlap`, `coarse` | overlaps at the start; number of cells through a thickness |
//!
//! Cost of a step: O(elements). Measured with one thread: 70 ns per small-strain element, 90 ns per
//! neo-Hookean one, both about 0.6 of it with two threads; 1.1 µs in a step that searches
//! self-contact. Smoothed strains, the default, took 1.3 to 2.3 times as long on a loaded machine, for a step that is
//! 1.36 times as long.

mod body;
mod booking;
mod cell;
mod clearance;
mod coarse;
mod curved;
mod element;
mod hold;
mod locate;
mod material;
mod overlap;
mod penalty;
mod saved;
mod search;
mod self_contact;
mod shape_functions;
mod side;
mod smooth;
mod solid_mesh;
mod subdivide;
#[cfg(test)]
mod tests;

use crate::law::Pairing;
pub use crate::law::SurfaceMaterial;
use crate::matter::{BodyRef, ContactRecord, Energy, Matter, StepError};
use crate::{Collider, Path};
pub use body::ElasticSolid;
use impinge::broad::{AnyBroadPhase, BroadMethod, Pair};
use impinge::shape::{HalfSpace, Problem};
use impinge::space::{Point, Vector};
pub use material::{ElasticMaterial, ElasticModel, Strain, Stress};
pub use overlap::{SolidNeighbour, SolidOverlap};
pub use penalty::SolidContactOptions;
use penalty::{NodeContact, Other, PressWork, Pushed};
use rayon::prelude::*;
use saved::Saved;
use search::SearchWork;
use serde::{Deserialize, Serialize};
pub use solid_mesh::SolidMesh;
use thiserror::Error;

/// Recommended fraction of the longest stable step: the bound is that of the linear problem, and
/// close to it the energy of the fastest waves oscillates by more than a fifth.
const SAFETY: f64 = 0.7;

/// Node speed relative to the solid, in wave speeds, above which the result is unphysical.
const UNPHYSICAL_SPEED: f64 = 20.0;

/// Why a solid, or a request about one, is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InvalidSolid {
    /// A number of a material or of the options is out of range.
    #[error("{name} is {value}; it must be {wanted}")]
    Number {
        /// Name of the number.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The permitted range.
        wanted: &'static str,
    },
    /// A tetrahedron is flat or inverted at rest.
    #[error("tetrahedron {tetrahedron} has no volume at rest, or a negative one")]
    NoVolume {
        /// Index of the first such tetrahedron.
        tetrahedron: usize,
    },
    /// A cell of another kind than tet4 is flat or inverted at rest, at least in part.
    #[error(
        "cell {cell} ({kind}) is flat or inverted at rest: its Jacobian is as low as {value:.3e}"
    )]
    Jacobian {
        /// Index of the first such cell among the solid ones.
        cell: usize,
        /// Name of its kind.
        kind: &'static str,
        /// The lowest determinant of the Jacobian found.
        value: f64,
    },
    /// Cells of this kind are not supported.
    #[error("the mesh has {kind} cells, but solids support tet4, tet10, hex8, hex20 and hex27")]
    CellKind {
        /// Name of the kind.
        kind: &'static str,
    },
    /// Two cells meet at a face on which they do not have the same nodes.
    #[error(
        "cells {} ({}) and {} ({}) share a face but not all of its nodes; they would come apart",
        cells[0], kinds[0], cells[1], kinds[1]
    )]
    Nonconforming {
        /// Indices of the cells among the solid ones.
        cells: [usize; 2],
        /// Names of their kinds.
        kinds: [&'static str; 2],
    },
    /// The shape or its points are invalid.
    #[error(transparent)]
    Shape(#[from] Problem),
    /// No such solid.
    #[error("solid {solid} does not exist; there are {count}")]
    NoSuchSolid {
        /// The given index.
        solid: usize,
        /// Number of solids.
        count: usize,
    },
    /// No such node.
    #[error("node {node} does not exist; the solid has {count}")]
    NoSuchNode {
        /// The given index.
        node: u32,
        /// Number of nodes.
        count: usize,
    },
    /// The length of a list differs from the number of nodes.
    #[error("{given} values for the {count} nodes of the solid")]
    WrongCount {
        /// Length of the list.
        given: usize,
        /// Number of nodes.
        count: usize,
    },
    /// The position, velocity or force of a node is invalid.
    #[error("node {node} got a number that is NaN, infinite or larger than 1e60")]
    NotFinite {
        /// Index of the first such node.
        node: usize,
    },
    /// The motion of held nodes is invalid.
    #[error("the motion of the held nodes has a number that is not finite")]
    Hold,
}

/// Whether a solid can touch itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SelfContact {
    /// Self-contact is not searched.
    #[default]
    Ignored,
    /// Self-contact is detected, by searching its faces in its own tetrahedra.
    Found,
}

/// Options shared by all solids.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidsOptions {
    /// Gravitational acceleration, m/s².
    pub gravity: [f64; 3],
    /// Options of the contact forces.
    pub contact: SolidContactOptions,
}

impl Default for SolidsOptions {
    fn default() -> Self {
        Self {
            gravity: [0.0, 0.0, -9.81],
            contact: SolidContactOptions::default(),
        }
    }
}

/// The reaction on a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidReaction {
    /// Force on the barrier, N.
    pub force: Vector<3>,
    /// Torque on the barrier about the given centre, N m.
    pub torque: Vector<3>,
    /// Friction alone: the sum of the forces along the surface, N.
    pub friction: Vector<3>,
    /// Number of nodes in contact.
    pub touches: usize,
}

/// Elastic solids.
///
/// ```
/// use impinge::shape::HalfSpace;
/// use impinge::shape::{ElementKind, Solid, generate::brick};
/// use impinge_sim::Matter;
/// use impinge_sim::solid::{ElasticMaterial, SelfContact, Solids, SolidsOptions, SurfaceMaterial};
/// let mesh = brick([2, 2, 2], [0.1; 3], ElementKind::Tet4)?;
/// let mut solids = Solids::new(SolidsOptions::default())?;
/// let cube = solids.add(Solid::from_mesh(&mesh)?, &ElasticMaterial::default(), SelfContact::Ignored)?;
/// solids.add_half_space([0.0, 0.0, -0.01], [0.0, 0.0, 1.0], SurfaceMaterial::default())?;
/// let dt = solids.stable_step();
/// for _ in 0..2000 {
///     solids.begin(dt);
///     solids.interact(dt)?;
///     solids.finish(dt)?;
/// }
/// assert!(solids.solid(cube).points().iter().all(|p| p.z > -0.012));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct Solids {
    options: SolidsOptions,
    solids: Vec<ElasticSolid>,
    /// Properties of pairs of surface materials.
    pairings: Vec<Pairing>,
    half_spaces: Vec<Collider>,
    /// As given: normalising a normal again could change its last digit.
    half_space_arguments: Vec<([[f64; 3]; 2], SurfaceMaterial)>,
    time: f64,
    steps: u64,
    /// Friction history of the last step, sorted, and of this one.
    contacts_before: Vec<NodeContact>,
    contacts_now: Vec<NodeContact>,
    /// The objects that still overlap from the start, sorted; follows from the contacts of the last step.
    overlapping: Vec<(u32, Other)>,
    /// The contact forces of this step.
    pushed: Vec<Pushed>,
    /// Contacts of this step.
    contacts: Vec<ContactRecord>,
    dissipated: f64,
    /// Work of the contact forces in the half kick that begins the next step.
    due: f64,
    /// Work done by holds.
    work: f64,
    broad: AnyBroadPhase<3>,
    /// The pairs to search in the next step; `None` for all.
    near: Option<NearSolids>,
    counters: SearchCounters,
    search_work: SearchWork,
    press_work: PressWork,
}

/// Pairs that may touch; all others are known to be apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearSolids {
    /// Pairs of solids, sorted.
    pub(crate) pairs: Vec<Pair>,
    /// Solids with half-spaces, and with barriers, sorted.
    pub(crate) half_spaces: Vec<[u32; 2]>,
    pub(crate) barriers: Vec<[u32; 2]>,
}

/// Work of the contact searches: the terms of [Aragon2013, eq. (19)].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchCounters {
    /// Hierarchies refitted to a deformed solid, N_u.
    pub(crate) updates: u64,
    /// Pairs of boxes tested, N_v.
    pub(crate) volumes: u64,
    /// Pairs searched, N_p.
    pub(crate) pairs: u64,
    /// Searches of a solid for contact with itself.
    pub(crate) folds: u64,
}

impl Solids {
    /// Creates an empty set of solids.
    pub fn new(options: SolidsOptions) -> Result<Self, InvalidSolid> {
        options.contact.check()?;
        if let Some(&value) = options.gravity.iter().find(|g| !g.is_finite()) {
            return Err(InvalidSolid::Number {
                name: "gravity",
                value,
                wanted: "finite",
            });
        }

        Ok(Self {
            options,
            solids: Vec::new(),
            pairings: Vec::new(),
            half_spaces: Vec::new(),
            half_space_arguments: Vec::new(),
            time: 0.0,
            steps: 0,
            contacts_before: Vec::new(),
            contacts_now: Vec::new(),
            overlapping: Vec::new(),
            pushed: Vec::new(),
            contacts: Vec::new(),
            dissipated: 0.0,
            due: 0.0,
            work: 0.0,
            broad: AnyBroadPhase::default(),
            near: None,
            counters: SearchCounters::default(),
            search_work: SearchWork::default(),
            press_work: PressWork::default(),
        })
    }

    /// Sets the properties of pairs of surface materials that were measured together.
    pub fn set_pairings(&mut self, pairings: &[Pairing]) {
        self.pairings = pairings.to_vec();
    }

    /// Chooses how pairs of solids whose boxes overlap are found; all methods give the same results. It
    /// is not part of the state; repeat the call after a restart.
    pub fn set_broad_phase(&mut self, method: BroadMethod) {
        self.broad = AnyBroadPhase::new(method);
    }

    /// Adds a solid in its undeformed shape; returns its index.
    pub fn add(
        &mut self,
        shape: impl Into<SolidMesh>,
        material: &ElasticMaterial,
        self_contact: SelfContact,
    ) -> Result<usize, InvalidSolid> {
        self.solids
            .push(ElasticSolid::new(shape.into(), material, self_contact)?);
        Ok(self.solids.len() - 1)
    }

    /// Adds an infinite floor or wall: the half-space below a point, against an outward direction.
    pub fn add_half_space(
        &mut self,
        point: [f64; 3],
        outward: [f64; 3],
        surface: SurfaceMaterial,
    ) -> Result<(), InvalidSolid> {
        check_surface(&surface)?;
        let owner = BodyRef::wall(self.half_spaces.len());
        let half = Collider::half_space(owner, HalfSpace::new(point, outward)?);
        self.half_spaces.push(half.with_surface(surface));
        self.half_space_arguments.push(([point, outward], surface));
        Ok(())
    }

    /// Sets the time of a set that was created later than others.
    pub(crate) fn start_at(&mut self, time: f64) {
        self.time = time;
    }

    /// Returns the number of solids.
    pub fn len(&self) -> usize {
        self.solids.len()
    }

    /// Returns whether there are no solids.
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// Returns a solid; panics if the index is out of range.
    pub fn solid(&self, solid: usize) -> &ElasticSolid {
        &self.solids[solid]
    }

    /// Returns all solids.
    pub fn solids(&self) -> &[ElasticSolid] {
        &self.solids
    }

    /// Returns the simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    fn solid_mut(&mut self, solid: usize) -> Result<&mut ElasticSolid, InvalidSolid> {
        let count = self.solids.len();
        self.solids
            .get_mut(solid)
            .ok_or(InvalidSolid::NoSuchSolid { solid, count })
    }

    /// Sets the node positions, for example to start from a deformed shape.
    pub fn set_points(&mut self, solid: usize, points: &[Point<3>]) -> Result<(), InvalidSolid> {
        let solid = self.solid_mut(solid)?;
        check_list(points.iter().map(|p| &p.coords), solid.points.len())?;
        solid.points.copy_from_slice(points);
        solid
            .clearance
            .iter_mut()
            .for_each(|clearance| clearance.left = 0.0);

        Ok(())
    }

    /// Sets the velocity of each node.
    pub fn set_velocities(
        &mut self,
        solid: usize,
        velocities: &[Vector<3>],
    ) -> Result<(), InvalidSolid> {
        let solid = self.solid_mut(solid)?;
        check_list(velocities.iter(), solid.points.len())?;
        solid.velocities.copy_from_slice(velocities);
        Ok(())
    }

    /// Sets one velocity for all nodes.
    pub fn set_velocity(
        &mut self,
        solid: usize,
        velocity: impl Into<Vector<3>>,
    ) -> Result<(), InvalidSolid> {
        let count = self.solid_mut(solid)?.points.len();
        self.set_velocities(solid, &vec![velocity.into(); count])
    }

    /// Holds nodes from now on, on a path that starts at their positions; a default path holds them in
    /// place.
    pub fn hold(&mut self, solid: usize, nodes: &[u32], path: Path) -> Result<(), InvalidSolid> {
        let time = self.time;
        self.solid_mut(solid)?.hold(nodes, path, time)
    }

    /// Releases held nodes.
    pub fn release(&mut self, solid: usize, nodes: &[u32]) -> Result<(), InvalidSolid> {
        self.solid_mut(solid)?.release(nodes);
        Ok(())
    }

    /// Adds a force on a node for this step; call it between [`Matter::begin`] and
    /// [`Matter::finish`].
    pub fn apply(
        &mut self,
        solid: usize,
        node: u32,
        force: impl Into<Vector<3>>,
    ) -> Result<(), InvalidSolid> {
        let solid = self.solid_mut(solid)?;
        let (force, count) = (force.into(), solid.points.len());
        let place = solid
            .forces
            .get_mut(node as usize)
            .ok_or(InvalidSolid::NoSuchNode { node, count })?;

        if !force.iter().all(|f| f.is_finite()) {
            return Err(InvalidSolid::NotFinite {
                node: node as usize,
            });
        }

        *place += force;
        Ok(())
    }

    /// Restricts the searches from now on to pairs that may touch; `None` searches all pairs.
    pub(crate) fn set_near(&mut self, near: Option<NearSolids>) {
        self.near = near;
    }

    /// Returns the list of [`Self::set_near`], to reuse its memory.
    pub(crate) fn take_near(&mut self) -> NearSolids {
        self.near.take().unwrap_or_default()
    }

    /// Returns the work of the searches so far.
    pub(crate) fn search_counters(&self) -> SearchCounters {
        self.counters
    }

    /// Returns whether a barrier may touch any solid.
    pub(crate) fn is_barrier_near(&self, barrier: u32) -> bool {
        let near = self.near.as_ref();
        near.is_none_or(|near| near.barriers.iter().any(|pair| pair[1] == barrier))
    }

    /// Returns whether a solid has a contact of the last step with another solid, a half-space or a
    /// barrier, by their numbers.
    pub(crate) fn is_gripped(&self, solid: u32, is_other: impl Fn(SolidNeighbour) -> bool) -> bool {
        let neighbour = |other: Other| match other {
            Other::Solid(number) => SolidNeighbour::Solid(number as usize),
            Other::HalfSpace(number) => SolidNeighbour::HalfSpace(number as usize),
            Other::Barrier(number) => SolidNeighbour::Barrier(number as usize),
        };
        let both = self.contacts_before.iter().chain(&self.contacts_now);
        both.map(NodeContact::key)
            .any(|key| key.solid == solid && is_other(neighbour(key.other)))
    }

    /// Returns whether contacts found now count as initial overlaps.
    fn is_first_step(&self) -> bool {
        self.steps <= 1
    }

    fn check(&self) -> Result<(), StepError> {
        let first = (0..)
            .zip(&self.solids)
            .find_map(|(i, solid)| Some((i, solid.first_unusable()?)));
        first.map_or(Ok(()), |(solid, node)| {
            Err(blown_up(
                solid,
                node,
                "its position or velocity is not finite",
            ))
        })
    }

    /// Checks for nodes that left their solid.
    fn check_speeds(&self) -> Result<(), StepError> {
        for (number, solid) in self.solids.iter().enumerate() {
            let mean = solid.momentum() / solid.mass();
            let most = UNPHYSICAL_SPEED * solid.material.wave_speed();
            let moves_with = |v: &Vector<3>| (v - mean).norm() <= most;
            let fast = |n: &usize| !moves_with(&solid.velocities[*n]) && solid.masses[*n] > 0.0;

            if let Some(node) = (0..solid.points.len()).find(fast) {
                let speed = (solid.velocities[node] - mean).norm();
                let cause = format!(
                    "it moves at {speed:.3e} m/s through its solid, whose waves move at {:.3e}",
                    most / UNPHYSICAL_SPEED
                );
                return Err(blown_up(number, node, &cause));
            }
        }
        Ok(())
    }
}

impl Matter<3> for Solids {
    /// Returns 2/ω of the fastest element, with a safety factor; contacts do not limit it.
    /// O(elements).
    fn stable_step(&self) -> f64 {
        let longest = self.solids.iter().map(ElasticSolid::stable_step);
        SAFETY * longest.fold(f64::INFINITY, f64::min)
    }

    fn begin(&mut self, dt: f64) {
        let (time, gravity) = (self.time, Vector::from(self.options.gravity));
        for solid in &mut self.solids {
            self.work += solid.work_of_holds(dt / 2.0, time);
            self.dissipated += solid.kick(dt / 2.0, time);
            solid.drift(dt, time + dt);
            solid.weigh(&gravity);
        }

        self.time += dt;
        self.steps += 1;
        std::mem::swap(&mut self.contacts_before, &mut self.contacts_now);
        self.contacts_before.sort_unstable_by_key(NodeContact::key);
        self.list_overlapping();
        self.contacts_now.clear();
        self.pushed.clear();

        self.contacts.clear();
    }

    fn interact(&mut self, dt: f64) -> Result<(), StepError> {
        self.check()?;
        self.solids.par_iter_mut().for_each(ElasticSolid::strain);
        self.press_half_spaces(dt)?;
        self.push_solids_apart(dt)
    }

    fn finish(&mut self, dt: f64) -> Result<(), StepError> {
        let time = self.time;
        for solid in &mut self.solids {
            self.work += solid.work_of_holds(dt / 2.0, time);
            self.dissipated += solid.kick(dt / 2.0, time) + solid.viscous_loss(dt);
        }

        self.book(dt);
        self.check()?;
        self.check_speeds()
    }

    fn energy(&self) -> Energy {
        let gravity = Vector::from(self.options.gravity);
        let of_solid = |solid: &ElasticSolid| Energy {
            kinetic: solid.kinetic_energy(),
            potential: -gravity.dot(&solid.moment()),
            elastic: solid.strain_energy(),
            ..Energy::default()
        };
        let contacts = Energy {
            elastic: self
                .contacts_now
                .iter()
                .map(NodeContact::energy)
                .sum::<f64>()
                + self.due,
            dissipated: self.dissipated,
            work: self.work,
            ..Energy::default()
        };

        self.solids
            .iter()
            .map(of_solid)
            .fold(contacts, |sum, part| sum.plus(&part))
    }

    fn momentum(&self) -> Vector<3> {
        self.solids.iter().map(ElasticSolid::momentum).sum()
    }

    fn angular_momentum(&self) -> Vector<3> {
        self.solids.iter().map(ElasticSolid::angular_momentum).sum()
    }

    fn contacts(&self, contacts: &mut Vec<ContactRecord>) {
        let first = contacts.len();
        contacts.extend_from_slice(&self.contacts);
        contacts[first..].sort_by_key(|contact| contact.bodies);
    }
}

fn check_surface(surface: &SurfaceMaterial) -> Result<(), InvalidSolid> {
    let wrong = |(name, value, wanted)| InvalidSolid::Number {
        name,
        value,
        wanted,
    };
    surface.fault().map_or(Ok(()), |fault| Err(wrong(fault)))
}

fn blown_up(solid: usize, node: usize, cause: &str) -> StepError {
    StepError {
        body: format!("solid {solid}, node {node}"),
        cause: cause.to_string(),
        hint: "take a shorter step, a softer contact or a slower impact".to_string(),
    }
}

fn check_list<'a>(
    list: impl ExactSizeIterator<Item = &'a Vector<3>>,
    count: usize,
) -> Result<(), InvalidSolid> {
    let given = list.len();
    if given != count {
        return Err(InvalidSolid::WrongCount { given, count });
    }

    let mut list = list;
    let bad = list.position(|v| !impinge::space::is_usable(&Point::from(*v)));
    bad.map_or(Ok(()), |node| Err(InvalidSolid::NotFinite { node }))
}
