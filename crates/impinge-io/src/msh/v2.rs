//! Nodes and elements of version 2: 4-byte numbers, with tags on each element.

use super::{Key, Reader};
use crate::ParseError;
use crate::cursor::Encoding;
use crate::scalar::Scalar;
use crate::text::{shown, whole};
use impinge::shape::ElementKind;
use impinge::space::Point;

impl Reader<'_> {
    /// Reads the count that starts a section, on a line of its own even in binary files.
    fn count_2(&mut self) -> Result<usize, ParseError> {
        let line = self.cursor.need_line("a count")?;
        whole(line).ok_or_else(|| self.cursor.fault(format!("{} is not a count", shown(line))))
    }

    pub(super) fn nodes_2(&mut self) -> Result<(), ParseError> {
        let count = self.count_2()?;
        let mut numbers = Vec::with_capacity(count.min(self.cursor.room(Scalar::F64) / 3));
        self.dataset.mesh.points.reserve(numbers.capacity());

        for _ in 0..count {
            numbers.push(self.cursor.number(Scalar::I32)?);
            let point = [self.real()?, self.real()?, self.real()?];
            self.dataset.mesh.points.push(Point::from(point));
        }

        self.number_nodes(&numbers)
    }

    pub(super) fn elements_2(&mut self) -> Result<(), ParseError> {
        let count = self.count_2()?;
        let mut read = 0;

        // Consecutive elements often have the same type; in binary files they share a header.
        let mut order = (0, None, Vec::new());
        while read < count {
            let (mut id, mut run, mut tags) = (0, 1, 0);
            if self.cursor.encoding != Encoding::Text {
                (id, run, tags) = (self.int()?, self.int()?, self.int()?);
            }

            if run < 1 || run as u64 > (count - read) as u64 {
                return Err(self.cursor.fault(format!(
                    "a block of {run} elements where {} remain",
                    count - read
                )));
            }

            for _ in 0..run {
                let number = self.cursor.number(Scalar::I32)?;
                if self.cursor.encoding == Encoding::Text {
                    (id, tags) = (self.int()?, self.int()?);
                }

                if order.0 != id {
                    let kind = u32::try_from(id).ok().and_then(ElementKind::from_gmsh_id);
                    order = (
                        id,
                        kind,
                        kind.map(ElementKind::gmsh_to_vtk).unwrap_or_default(),
                    );
                }

                let (physical, geometrical) = self.tags_2(tags)?;
                match order.1 {
                    None => self.pass_over_element(id, Scalar::I32)?,
                    Some(kind) => {
                        self.element(kind, &order.2, Scalar::I32)?;
                        self.note_tags(number, (kind.dimension(), physical), geometrical);
                    }
                }

                read += 1;
            }
        }

        Ok(())
    }

    /// Reads the physical group and entity of an element; further tags are partitions.
    fn tags_2(&mut self, count: i64) -> Result<(i64, i64), ParseError> {
        if count < 0 {
            return Err(self
                .cursor
                .fault(format!("an element cannot have {count} tags")));
        }

        let mut known = [0, 0];
        for i in 0..count {
            let tag = self.int()?;
            if let Some(known) = known.get_mut(i as usize) {
                *known = tag;
            }
        }

        if count > 2 {
            self.dataset.ignore("elements' partitions", 1);
        }

        Ok((known[0], known[1]))
    }

    fn note_tags(&mut self, number: u64, physical: Key, geometrical: i64) {
        // A negative group means that the group contains the element with reversed orientation.
        let physical = (physical.0, physical.1.abs());
        if physical.1 != 0 {
            self.groups
                .entry(physical)
                .or_default()
                .push(self.tags.len() as u64);
        }

        self.tags.push(number);
        self.physical.push(physical.1);
        self.geometrical.push(geometrical);
    }
}
