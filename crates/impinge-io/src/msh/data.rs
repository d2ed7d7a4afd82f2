//! Fields: `$NodeData` and `$ElementData`, identical in both versions.

use super::Reader;
use crate::numbering::Numbering;
use crate::scalar::Scalar;
use crate::text::{shown, whole};
use crate::{Field, ParseError, Values};

/// The kind of items that the values belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Nodes,
    Elements,
}

/// A field as read from the file.
pub(super) struct Raw {
    of: Of,
    name: String,
    components: usize,
    numbers: Vec<u64>,
    values: Vec<f64>,
}

impl Reader<'_> {
    pub(super) fn data(&mut self, of: Of) -> Result<(), ParseError> {
        let mut name = None;
        for _ in 0..self.head()? {
            let line = self.cursor.need_line("a name")?;
            name.get_or_insert_with(|| String::from_utf8_lossy(line).trim_matches('"').to_owned());
        }

        for _ in 0..self.head::<u64>()? {
            self.cursor.need_line("a time")?;
        }

        let mut tags: Vec<u64> = Vec::new();
        for _ in 0..self.head::<u64>()? {
            tags.push(self.head()?);
        }

        let &[step, components, count, ..] = &tags[..] else {
            return Err(self
                .cursor
                .fault("the step, the number of components and that of entries are needed"));
        };
        let components: usize = components
            .try_into()
            .map_err(|_| self.cursor.fault("too many components"))?;
        let name = self.free_name(of, name.unwrap_or_else(|| "unnamed".to_owned()), step);

        let mut raw = Raw {
            of,
            name,
            components,
            numbers: Vec::new(),
            values: Vec::new(),
        };

        for _ in 0..count {
            raw.numbers.push(self.cursor.number(Scalar::I32)?);
            for _ in 0..components {
                raw.values.push(self.cursor.number(Scalar::F64)?);
            }
        }

        self.waiting.push(raw);
        Ok(())
    }

    /// Reads a number of the header, which is text in binary files too.
    fn head<T: std::str::FromStr>(&mut self) -> Result<T, ParseError> {
        let line = self.cursor.need_line("a number")?;
        whole(line).ok_or_else(|| {
            self.cursor
                .fault(format!("{} is not a valid number", shown(line)))
        })
    }

    /// Returns the name of a field: later steps of the same field get the step number appended.
    fn free_name(&self, of: Of, name: String, step: u64) -> String {
        match self
            .waiting
            .iter()
            .any(|raw| raw.of == of && raw.name == name)
        {
            true => format!("{name} (step {step})"),
            false => name,
        }
    }

    /// Moves the pending fields to the dataset.
    pub(super) fn finish_data(&mut self) -> Result<(), ParseError> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }

        let elements = Numbering::new(&self.tags).map_err(|twice| {
            ParseError::whole(format!("element {twice} is listed twice and has fields"))
        })?;

        for raw in waiting {
            let (numbering, items) = match raw.of {
                Of::Nodes => (&self.nodes, self.dataset.mesh.points.len()),
                Of::Elements => (&elements, self.tags.len()),
            };
            let count = items.saturating_mul(raw.components);
            self.budget.take(count, size_of::<f64>())?;
            let mut values = vec![f64::NAN; count];

            for (i, &number) in raw.numbers.iter().enumerate() {
                let from = &raw.values[i * raw.components..][..raw.components];
                match numbering.get(number) {
                    Some(place) => values[place as usize * raw.components..][..raw.components]
                        .copy_from_slice(from),
                    None => self
                        .dataset
                        .ignore("values on nodes or elements that are not there", 1),
                }
            }

            let field = Field {
                name: raw.name,
                components: raw.components,
                values: Values::Real(values),
            };

            match raw.of {
                Of::Nodes => self.dataset.point_fields.push(field),
                Of::Elements => self.dataset.cell_fields.push(field),
            }
        }

        Ok(())
    }
}
