//! A deformable tetrahedral mesh with its face neighbours and its boundary.
//!
//! Neighbours and boundary faces do not depend on the deformation \[Erleben2005\]; they are found
//! once, in time linear in the number of tetrahedra. Deforming only moves points.

use super::check;
use super::sides::{Matching, run_opposite};
use super::tetrahedra::{FACES, check_size, examine, side_nodes, signs};
use super::{ElementKind, Item, Mesh, NO_NEIGHBOUR, Problem, ProblemKind, weld};
use crate::parallel::prelude::*;
use crate::space::{Aabb, Point, Sign, orient3};
use std::ops::Range;
use std::sync::OnceLock;

/// A solid body of tetrahedra.
///
/// At rest every tetrahedron has a positive volume, exactly. No face belongs to more than two
/// tetrahedra, and two that share a face lie on opposite sides of it. Faces and neighbours are
/// numbered by the opposite node.
///
/// ```
/// use impinge::shape::{NO_NEIGHBOUR, Solid};
/// let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
/// let solid = Solid::new(&points, &[[0, 1, 2, 3], [1, 4, 2, 3]])?;
/// assert_eq!(solid.neighbours()[0], [1, NO_NEIGHBOUR, NO_NEIGHBOUR, NO_NEIGHBOUR]);
/// assert_eq!(solid.boundary_triangles().len(), 6);
/// assert!((solid.volume() - 0.5).abs() < 1e-15);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "tetrahedral mesh")]
#[doc(alias = "tetmesh")]
pub struct Solid {
    points: Vec<Point<3>>,
    tetrahedra: Vec<[u32; 4]>,
    neighbours: Vec<[u32; 4]>,
    boundary: Vec<[u32; 3]>,
    owners: Vec<u32>,
    boundary_nodes: Vec<u32>,
    around: OnceLock<Around>,
    deformation: Deformation,
}

/// Result of [`Solid::repair`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SolidRepair {
    /// Number of points merged with an earlier one at the same coordinates.
    pub merged_points: usize,
    /// Number of tetrahedra removed because the merging left them with a repeated node.
    pub dropped_tetrahedra: usize,
    /// Number of tetrahedra reversed because all of them were inverted; all or none.
    pub flipped_tetrahedra: usize,
}

/// Exact counts of the tetrahedra that a deformation made invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Deformation {
    /// Number of tetrahedra with a negative volume.
    pub inverted: usize,
    /// Number of tetrahedra with zero volume.
    pub flat: usize,
    /// The first inverted or flat tetrahedron.
    pub first: Option<usize>,
}

impl Solid {
    /// Validates and takes ownership of the tetrahedra. The error names the first offending item
    /// and their number.
    pub fn new(
        points: &[impl Copy + Into<Point<3>>],
        tetrahedra: &[[u32; 4]],
    ) -> Result<Self, Problem> {
        Self::from_parts(
            points.iter().map(|&p| p.into()).collect(),
            tetrahedra.to_vec(),
        )
    }

    /// Creates a solid from the tetrahedra of a mesh. Those of order 2 are reduced to their
    /// corners, which leaves their mid nodes as unused points. Surface elements are ignored; other
    /// solid elements are rejected, not subdivided.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, Problem> {
        Self::from_parts(mesh.points.clone(), tetrahedra_of(mesh)?)
    }

    /// Creates a solid that is already deformed: like [`Solid::new`], but inverted or flat
    /// tetrahedra are counted and kept, as by [`Solid::set_points`]. The order of their nodes must
    /// be consistent with their neighbours.
    pub fn deformed(
        points: &[impl Copy + Into<Point<3>>],
        tetrahedra: &[[u32; 4]],
    ) -> Result<(Self, Deformation), Problem> {
        let points: Vec<Point<3>> = points.iter().map(|&p| p.into()).collect();
        let (mut problems, matching) = examine(&points, tetrahedra);
        problems.retain(|problem| {
            !matches!(
                problem.kind,
                ProblemKind::ZeroVolume | ProblemKind::Inverted
            )
        });
        let mut solid = Self::unless(problems, points, tetrahedra.to_vec(), matching)?;
        solid.deformation = solid.count_deformed();

        let deformation = solid.deformation;
        Ok((solid, deformation))
    }

    fn from_parts(points: Vec<Point<3>>, tetrahedra: Vec<[u32; 4]>) -> Result<Self, Problem> {
        let (problems, matching) = examine(&points, &tetrahedra);
        Self::unless(problems, points, tetrahedra, matching)
    }

    fn unless(
        problems: Vec<Problem>,
        points: Vec<Point<3>>,
        tetrahedra: Vec<[u32; 4]>,
        matching: Option<Matching>,
    ) -> Result<Self, Problem> {
        match (problems.first(), matching) {
            (None, Some(matching)) => Ok(Self::trusted(points, tetrahedra, &matching.mates)),
            (problem, _) => Err(*problem.expect("without a problem, the sides were matched")),
        }
    }

    fn trusted(points: Vec<Point<3>>, tetrahedra: Vec<[u32; 4]>, mates: &[u32]) -> Self {
        let tetrahedron = |&mate: &u32| if mate == NO_NEIGHBOUR { mate } else { mate / 4 };
        let neighbours = mates
            .as_chunks()
            .0
            .iter()
            .map(|m: &[u32; 4]| m.each_ref().map(tetrahedron))
            .collect();
        let open = || {
            (0..)
                .zip(mates)
                .filter(|&(_, &mate)| mate == NO_NEIGHBOUR)
                .map(|(side, _): (u32, _)| side)
        };
        let boundary: Vec<[u32; 3]> = open().map(|side| side_nodes(&tetrahedra, side)).collect();
        let mut boundary_nodes = boundary.as_flattened().to_vec();
        boundary_nodes.sort_unstable();
        boundary_nodes.dedup();
        let owners = open().map(|side| side / 4).collect();

        Self {
            points,
            tetrahedra,
            neighbours,
            boundary,
            owners,
            boundary_nodes,
            around: OnceLock::new(),
            deformation: Deformation::default(),
        }
    }

    /// Returns all problems of a list of tetrahedra, one entry for each kind; empty if
    /// [`Solid::new`] accepts it. Problems that prevent further checks, such as nodes that do not
    /// exist, are reported alone.
    pub fn problems(points: &[Point<3>], tetrahedra: &[[u32; 4]]) -> Vec<Problem> {
        examine(points, tetrahedra).0
    }

    /// Repairs what can be repaired without guessing, then validates. Equal points are merged,
    /// tetrahedra that collapse as a result are removed, and if all tetrahedra are inverted, all
    /// are reversed.
    pub fn repair(
        points: &[impl Copy + Into<Point<3>>],
        tetrahedra: &[[u32; 4]],
    ) -> Result<(Self, SolidRepair), Problem> {
        let points: Vec<Point<3>> = points.iter().map(|&p| p.into()).collect();
        check_size(&points, tetrahedra)?;
        check::none(check::not_finite(&points))?;
        check::none(check::out_of_range(
            tetrahedra,
            points.len(),
            Item::Tetrahedron,
        ))?;
        let (distinct, number) = weld(&points);

        let mut kept: Vec<[u32; 4]> = tetrahedra
            .iter()
            .map(|t| t.map(|n| number[n as usize]))
            .collect();
        kept.retain(|t| !check::repeats(t));
        let mut repair = SolidRepair {
            merged_points: points.len() - distinct.len(),
            dropped_tetrahedra: tetrahedra.len() - kept.len(),
            flipped_tetrahedra: 0,
        };

        if signs(&distinct, &kept)
            .iter()
            .all(|&sign| sign == Sign::Negative)
        {
            kept.iter_mut().for_each(|t| t.swap(1, 2));
            repair.flipped_tetrahedra = kept.len();
        }
        Ok((Self::from_parts(distinct, kept)?, repair))
    }

    /// The points; some may not be used by any tetrahedron.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// The nodes of each tetrahedron: node 3 is on the side from which 0, 1, 2 appear
    /// counter-clockwise.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// For each tetrahedron and node, the tetrahedron across the opposite face; [`NO_NEIGHBOUR`] on
    /// the boundary.
    pub fn neighbours(&self) -> &[[u32; 4]] {
        &self.neighbours
    }

    /// The coordinates of a tetrahedron's nodes.
    #[inline]
    pub fn corners(&self, tetrahedron: usize) -> [Point<3>; 4] {
        self.tetrahedra[tetrahedron].map(|n| self.points[n as usize])
    }

    /// The face of a tetrahedron opposite its node `side`, counter-clockwise seen from outside.
    #[inline]
    pub fn face(&self, tetrahedron: usize, side: usize) -> [u32; 3] {
        FACES[side].map(|i| self.tetrahedra[tetrahedron][i])
    }

    /// The faces that belong to only one tetrahedron, counter-clockwise seen from outside, by
    /// ascending tetrahedron and side. They form a closed surface; where parts of it touch, an edge
    /// may have four of them.
    pub fn boundary_triangles(&self) -> &[[u32; 3]] {
        &self.boundary
    }

    /// The tetrahedron of each boundary triangle; ascending.
    pub fn boundary_owners(&self) -> &[u32] {
        &self.owners
    }

    /// The nodes of the boundary, ascending.
    pub fn boundary_nodes(&self) -> &[u32] {
        &self.boundary_nodes
    }

    /// The range of boundary triangles of a tetrahedron; O(log triangles).
    pub fn boundary_of(&self, tetrahedron: usize) -> Range<usize> {
        let before = |bound: usize| {
            self.owners
                .partition_point(|&owner| (owner as usize) < bound)
        };
        before(tetrahedron)..before(tetrahedron.saturating_add(1))
    }

    /// Returns whether a face of the tetrahedron is on the boundary.
    #[inline]
    pub fn is_on_boundary(&self, tetrahedron: usize) -> bool {
        self.neighbours[tetrahedron].contains(&NO_NEIGHBOUR)
    }

    /// The tetrahedra that contain a node, ascending; empty for a node that does not exist. The
    /// lists of all nodes are built on first use.
    pub fn tetrahedra_around(&self, node: usize) -> &[u32] {
        self.around
            .get_or_init(|| Around::of(self.points.len(), &self.tetrahedra))
            .list(node)
    }

    /// Total volume of the tetrahedra; inverted ones count as negative.
    pub fn volume(&self) -> f64 {
        (0..self.tetrahedra.len())
            .map(|t| volume(self.corners(t)))
            .sum()
    }

    /// The smallest box around the tetrahedra.
    pub fn bounds(&self) -> Aabb<3> {
        Aabb::of(
            self.tetrahedra
                .as_flattened()
                .iter()
                .map(|&n| self.points[n as usize]),
        )
    }

    /// Moves the points. Only their number and finiteness are checked, and on an error nothing
    /// changes. Tetrahedra that are now inverted or flat are counted and kept, because queries do
    /// not depend on it.
    pub fn set_points(&mut self, points: &[Point<3>]) -> Result<Deformation, Problem> {
        if points.len() != self.points.len() {
            return Err(Problem::whole(ProblemKind::WrongCount));
        }
        check::none(check::not_finite(points))?;
        self.points.copy_from_slice(points);
        self.deformation = self.count_deformed();
        Ok(self.deformation)
    }

    /// The number of tetrahedra that are inverted or flat in the current configuration.
    pub fn deformation(&self) -> Deformation {
        self.deformation
    }

    fn count_deformed(&self) -> Deformation {
        let is_bad = |&[a, b, c, d]: &[u32; 4]| {
            let [a, b, c, d] = [a, b, c, d].map(|n| &self.points[n as usize]);
            orient3(a, b, c, d) != Sign::Positive
        };
        if self.tetrahedra.par_iter().position_first(is_bad).is_none() {
            return Deformation::default();
        }

        let signs = signs(&self.points, &self.tetrahedra);
        let count = |which: Sign| signs.iter().filter(|&&sign| sign == which).count();
        Deformation {
            inverted: count(Sign::Negative),
            flat: count(Sign::Zero),
            first: signs.iter().position(|&sign| sign != Sign::Positive),
        }
    }

    /// Converts the solid to an unvalidated mesh, e.g. to write it to a file.
    pub fn to_mesh(&self) -> Mesh {
        Mesh::of_tetrahedra(self.points.clone(), &self.tetrahedra)
    }

    /// Panics if the structure is inconsistent.
    pub fn assert_valid(&self) {
        let mut boundary = self.boundary.iter().zip(&self.owners);
        for (t, sides) in self.neighbours.iter().enumerate() {
            for (k, &across) in sides.iter().enumerate() {
                let own = self.face(t, k);
                if across == NO_NEIGHBOUR {
                    assert_eq!(
                        boundary.next(),
                        Some((&own, &(t as u32))),
                        "boundary of tetrahedron {t}"
                    );
                    continue;
                }

                let back = self.neighbours[across as usize]
                    .iter()
                    .position(|&n| n as usize == t);
                let meets = (0..4).any(|j| run_opposite(&own, &self.face(across as usize, j)));
                assert!(
                    back.is_some() && meets,
                    "tetrahedron {across} does not lie across side {k} of {t}"
                );
            }
        }

        assert_eq!(
            boundary.next(),
            None,
            "every boundary triangle has an owner"
        );
    }
}

/// The tetrahedra around each node: those of node n are `list[ends[n − 1]..ends[n]]`.
#[derive(Clone, Debug)]
struct Around {
    ends: Vec<u32>,
    list: Vec<u32>,
}

impl Around {
    fn of(node_count: usize, tetrahedra: &[[u32; 4]]) -> Self {
        let mut ends = vec![0u32; node_count + 1];
        tetrahedra
            .as_flattened()
            .iter()
            .for_each(|&node| ends[node as usize + 1] += 1);

        for i in 0..node_count {
            ends[i + 1] += ends[i];
        }

        let mut list = vec![0; 4 * tetrahedra.len()];
        for (t, &node) in (0..4 * tetrahedra.len()).zip(tetrahedra.as_flattened()) {
            let place = &mut ends[node as usize];
            list[*place as usize] = (t / 4) as u32;
            *place += 1;
        }

        Self { ends, list }
    }

    fn list(&self, node: usize) -> &[u32] {
        let Some(&end) = self.ends[..self.ends.len() - 1].get(node) else {
            return &[];
        };
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.list[start as usize..end as usize]
    }
}

fn volume([a, b, c, d]: [Point<3>; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

fn tetrahedra_of(mesh: &Mesh) -> Result<Vec<[u32; 4]>, Problem> {
    let solid = || {
        mesh.blocks
            .iter()
            .filter(|block| block.kind.dimension() == 3)
    };

    if solid().any(|block| block.nodes.len() % block.kind.node_count() != 0) {
        return Err(Problem::whole(ProblemKind::WrongCount));
    }

    let kinds = solid().flat_map(|block| std::iter::repeat_n(block.kind, block.len()));
    let strange = kinds
        .enumerate()
        .filter(|(_, kind)| !matches!(kind, ElementKind::Tet4 | ElementKind::Tet10));
    check::none(Problem::of(
        ProblemKind::WrongElement,
        strange.map(|(i, _)| Item::Cell(i)),
    ))?;

    Ok(solid()
        .flat_map(|block| block.elements())
        .map(|nodes| [nodes[0], nodes[1], nodes[2], nodes[3]])
        .collect())
}

#[cfg(test)]
mod tests;
