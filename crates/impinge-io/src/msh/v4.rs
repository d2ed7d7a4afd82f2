//! Entities, nodes and elements of version 4.1: blocks that belong to an entity.

use super::{DIMENSIONS, Key, Reader};
use crate::ParseError;
use crate::scalar::Scalar;
use impinge::shape::ElementKind;
use impinge::space::Point;

impl Reader<'_> {
    /// Reads the physical groups of each entity and skips its geometry.
    pub(super) fn entities(&mut self) -> Result<(), ParseError> {
        let counts = [self.size()?, self.size()?, self.size()?, self.size()?];
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = self.int()?;
                // A point has coordinates, the others have a bounding box.
                self.cursor
                    .skip(if dimension == 0 { 3 } else { 6 }, Scalar::F64)?;
                let mut groups = Vec::new();

                for _ in 0..self.size()? {
                    groups.push(self.int()?.abs());
                }

                if dimension > 0 {
                    let boundary = self.size()?;
                    let boundary = usize::try_from(boundary).unwrap_or(usize::MAX);
                    self.cursor.skip(boundary, Scalar::I32)?;
                }

                if !groups.is_empty() {
                    groups.sort_unstable();
                    groups.dedup();
                    self.entities.insert((dimension, tag), groups);
                }
            }
        }

        Ok(())
    }

    /// Reads the dimension and tag of the entity that a block belongs to.
    fn owner(&mut self) -> Result<Key, ParseError> {
        let dimension = self.int()?;
        let tag = self.int()?;
        match usize::try_from(dimension) {
            Ok(dimension) if dimension < DIMENSIONS.len() => Ok((dimension, tag)),
            _ => Err(self
                .cursor
                .fault(format!("an entity cannot have {dimension} dimensions"))),
        }
    }

    pub(super) fn nodes_4(&mut self) -> Result<(), ParseError> {
        let blocks = self.size()?;
        let count = self.size()?;

        // Skip the smallest and largest tag: they are redundant.
        self.cursor.skip(2, self.size)?;
        let room = self.cursor.room(Scalar::F64) / 3;
        let mut numbers: Vec<u64> =
            Vec::with_capacity(room.min(usize::try_from(count).unwrap_or(usize::MAX)));
        self.dataset.mesh.points.reserve(numbers.capacity());

        for _ in 0..blocks {
            let (dimension, _) = self.owner()?;
            let parameters = if self.int()? == 0 { 0 } else { dimension };
            let nodes = self.size()?;

            for _ in 0..nodes {
                numbers.push(self.size()?);
            }

            for _ in 0..nodes {
                let point = [self.real()?, self.real()?, self.real()?];
                self.dataset.mesh.points.push(Point::from(point));
                self.cursor.skip(parameters, Scalar::F64)?;
            }
        }

        if numbers.len() as u64 != count {
            return Err(self.cursor.fault(format!(
                "{count} nodes are declared, but there are {}",
                numbers.len()
            )));
        }

        self.number_nodes(&numbers)
    }

    pub(super) fn elements_4(&mut self) -> Result<(), ParseError> {
        let blocks = self.size()?;
        let announced = self.size()?;
        self.cursor.skip(2, self.size)?;
        let mut found = 0_u64;

        for _ in 0..blocks {
            let owner = self.owner()?;
            let id = self.int()?;
            let count = self.size()?;
            found = found.saturating_add(count);
            match u32::try_from(id).ok().and_then(ElementKind::from_gmsh_id) {
                Some(kind) => self.block(owner, kind, count)?,
                None => self.foreign_block(id, count)?,
            }
        }

        match found == announced {
            true => Ok(()),
            false => Err(self.cursor.fault(format!(
                "{announced} elements are declared, but there are {found}"
            ))),
        }
    }

    fn block(&mut self, owner: Key, kind: ElementKind, count: u64) -> Result<(), ParseError> {
        let order = kind.gmsh_to_vtk();
        let first = self.tags.len();
        for _ in 0..count {
            let number = self.size()?;
            self.element(kind, &order, self.size)?;
            self.tags.push(number);
        }

        let groups = self.entities.get(&owner).map_or(&[][..], Vec::as_slice);
        let added = self.tags.len() - first;
        for &group in groups {
            // An entity may belong to any number of groups, so the members can outgrow the file.
            self.budget.take(added, size_of::<u64>())?;
            let members = self.groups.entry((owner.0, group)).or_default();
            members.extend(first as u64..self.tags.len() as u64);
        }

        let group = groups.first().copied().unwrap_or_default();
        self.physical.resize(self.tags.len(), group);
        self.geometrical.resize(self.tags.len(), owner.1);
        Ok(())
    }

    fn foreign_block(&mut self, id: i64, count: u64) -> Result<(), ParseError> {
        for _ in 0..count {
            self.size()?;
            self.pass_over_element(id, self.size)?;
        }
        Ok(())
    }
}
