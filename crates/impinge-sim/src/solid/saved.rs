//! The state saved for a restart, as plain arrays. Caches are rebuilt.

use super::hold::Held;
use super::penalty::NodeContact;
use super::{
    ElasticMaterial, ElasticSolid, InvalidSolid, SelfContact, SolidMesh, Solids, SolidsOptions,
    SurfaceMaterial, check_list,
};
use crate::law::Pairing;
use impinge::shape::{Block, ElementKind, Mesh};
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Saved {
    options: SolidsOptions,
    pairings: Vec<Pairing>,
    solids: Vec<SavedSolid>,
    half_spaces: Vec<([[f64; 3]; 2], SurfaceMaterial)>,
    time: f64,
    steps: u64,
    contacts_now: Vec<NodeContact>,
    dissipated: f64,
    due: f64,
    work: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedSolid {
    rest: Vec<[f64; 3]>,
    /// VTK's number of each kind of cells, and their nodes.
    cells: Vec<(u8, Vec<u32>)>,
    material: ElasticMaterial,
    self_contact: SelfContact,
    clearance: f64,
    points: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
    forces: Vec<[f64; 3]>,
    held: Vec<Held>,
}

impl From<Solids> for Saved {
    fn from(solids: Solids) -> Self {
        Self {
            options: solids.options,
            pairings: solids.pairings,
            solids: solids.solids.iter().map(SavedSolid::of).collect(),
            half_spaces: solids.half_space_arguments,
            time: solids.time,
            steps: solids.steps,
            contacts_now: solids.contacts_now,
            dissipated: solids.dissipated,
            due: solids.due,
            work: solids.work,
        }
    }
}

impl TryFrom<Saved> for Solids {
    type Error = InvalidSolid;

    fn try_from(saved: Saved) -> Result<Self, InvalidSolid> {
        let mut solids = Self::new(saved.options)?;
        solids.set_pairings(&saved.pairings);
        for solid in &saved.solids {
            solids.solids.push(solid.restored()?);
        }

        for &([point, outward], surface) in &saved.half_spaces {
            solids.add_half_space(point, outward, surface)?;
        }

        let Saved {
            time,
            steps,
            contacts_now,
            dissipated,
            due,
            work,
            ..
        } = saved;

        Ok(Self {
            time,
            steps,
            contacts_now,
            dissipated,
            due,
            work,
            ..solids
        })
    }
}

impl SavedSolid {
    fn of(solid: &ElasticSolid) -> Self {
        let arrays = |list: &[Vector<3>]| list.iter().map(|&v| v.into()).collect();
        let places = |list: &[Point<3>]| list.iter().map(|p| p.coords.into()).collect();
        Self {
            rest: places(&solid.rest),
            cells: solid
                .blocks()
                .iter()
                .map(|block| (block.kind.vtk_id(), block.nodes.clone()))
                .collect(),
            material: solid.material,
            self_contact: solid.self_contact,
            clearance: solid
                .clearance
                .as_ref()
                .map_or(0.0, |clearance| clearance.left),
            points: places(&solid.points),
            velocities: arrays(&solid.velocities),
            forces: arrays(&solid.forces),
            held: solid.held.clone(),
        }
    }

    fn mesh(&self) -> Result<SolidMesh, InvalidSolid> {
        let block = |(id, nodes): &(u8, Vec<u32>)| {
            let kind =
                ElementKind::from_vtk_id(*id).ok_or(InvalidSolid::CellKind { kind: "unknown" })?;
            let nodes = nodes.clone();
            Ok(Block { kind, nodes })
        };
        let blocks: Result<Vec<Block>, InvalidSolid> = self.cells.iter().map(block).collect();
        SolidMesh::from_mesh(&Mesh {
            points: self.rest.iter().map(|&point| point.into()).collect(),
            blocks: blocks?,
        })
    }

    fn restored(&self) -> Result<ElasticSolid, InvalidSolid> {
        let mut solid = ElasticSolid::new(self.mesh()?, &self.material, self.self_contact)?;
        let vectors = |list: &[[f64; 3]]| list.iter().map(|&v| Vector::from(v)).collect::<Vec<_>>();
        let count = solid.points.len();

        for list in [&self.points, &self.velocities, &self.forces] {
            check_list(vectors(list).iter(), count)?;
        }

        if let Some(held) = self.held.iter().find(|held| held.node as usize >= count) {
            return Err(InvalidSolid::NoSuchNode {
                node: held.node,
                count,
            });
        }

        solid.points = vectors(&self.points).into_iter().map(Point::from).collect();
        solid.velocities = vectors(&self.velocities);
        solid.forces = vectors(&self.forces);
        solid.held = self.held.clone();
        solid.invert_masses();
        solid
            .clearance
            .iter_mut()
            .for_each(|clearance| clearance.left = self.clearance);

        Ok(solid)
    }
}
