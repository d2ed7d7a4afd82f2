//! Contents of a mesh file: the mesh, fields on its points and elements, named sets, and what was not read.

use crate::ParseError;
use impinge::shape::{Block, Mesh, WELD_TOLERANCE};

/// A mesh with its fields and sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// Points and elements.
    pub mesh: Mesh,
    /// Fields on the points.
    pub point_fields: Vec<Field>,
    /// Fields on the elements, in the order of the mesh's blocks.
    pub cell_fields: Vec<Field>,
    /// Named sets of points or elements.
    pub sets: Vec<Set>,
    /// Contents of the file that were not read, with counts: nothing is dropped silently.
    pub ignored: Vec<Ignored>,
    /// Number of points merged with a nearby but not equal point; see [`Dataset::weld`].
    pub welded: usize,
}

impl From<Mesh> for Dataset {
    fn from(mesh: Mesh) -> Self {
        Self {
            mesh,
            ..Self::default()
        }
    }
}

impl Dataset {
    /// Checks consistency: finite coordinates, complete elements, fields of the right length, and node numbers
    /// and set members that exist. Every dataset returned by a reader passes; writers call this first.
    pub fn check(&self) -> Result<(), ParseError> {
        self.check_mesh()?;
        let points = self.mesh.points.len();
        let elements = self.mesh.blocks.iter().map(Block::len).sum();
        self.point_fields
            .iter()
            .try_for_each(|field| field.check(points))?;
        self.cell_fields
            .iter()
            .try_for_each(|field| field.check(elements))?;

        self.sets
            .iter()
            .try_for_each(|set| set.check(points, elements))
    }

    fn check_mesh(&self) -> Result<(), ParseError> {
        let points = &self.mesh.points;
        if let Some(i) = points
            .iter()
            .position(|point| !point.iter().all(|x| x.is_finite()))
        {
            return Err(ParseError::whole(format!(
                "point {i} has a coordinate that is not finite"
            )));
        }

        for block in &self.mesh.blocks {
            let name = block.kind.name();
            if block.nodes.len() % block.kind.node_count() != 0 {
                return Err(ParseError::whole(format!(
                    "the last {name} of a block has too few nodes"
                )));
            }

            if let Some(node) = block
                .nodes
                .iter()
                .find(|&&node| node as usize >= points.len())
            {
                let count = points.len();
                return Err(ParseError::whole(format!(
                    "a {name} has node {node}, but there are {count} points"
                )));
            }
        }

        Ok(())
    }

    /// Merges points up to `tolerance` apart. Elements refer to the first of the merged points; the others
    /// remain as unused points, so that point fields stay valid. Collapsed surface elements are removed and
    /// counted. The dataset must pass [`Dataset::check`].
    pub fn weld(&mut self, tolerance: f64) {
        let elements: usize = self.mesh.blocks.iter().map(Block::len).sum();
        let weld = self.mesh.weld(tolerance);
        self.welded += weld.merged_points;

        if weld.dropped_elements.is_empty() {
            return;
        }

        self.ignore("faces that a weld collapses", weld.dropped_elements.len());
        let dropped = &weld.dropped_elements;
        let is_kept = |element: u64| dropped.binary_search(&element).is_err();
        let kept: Vec<u64> = (0..elements as u64)
            .filter(|&element| is_kept(element))
            .collect();
        self.cell_fields
            .iter_mut()
            .for_each(|field| field.keep(&kept));

        for set in &mut self.sets {
            let per_item = match set.of {
                SetOf::Points => continue,
                SetOf::Elements => 1,
                SetOf::Sides => 8,
            };
            set.members.retain(|member| is_kept(member / per_item));
            for member in &mut set.members {
                let before = dropped.partition_point(|&element| element < *member / per_item);
                *member -= per_item * before as u64;
            }
        }
    }

    /// Merges points that differ only by rounding, for formats without shared points, and removes unused points. The
    /// dataset must not have point fields.
    pub(crate) fn weld_noise(&mut self) {
        self.weld(WELD_TOLERANCE * self.mesh.bounds().longest_edge());
        if self.welded > 0 {
            self.mesh = std::mem::take(&mut self.mesh).compacted();
        }
    }

    /// Adds to the count of a kind of ignored item. After a hundred different kinds the rest are counted together, so
    /// that a hostile file cannot make the list long.
    pub fn ignore(&mut self, what: &str, count: usize) {
        const MOST: usize = 100;
        let known = self.ignored.iter().any(|ignored| ignored.what == what);
        let what = if known || self.ignored.len() < MOST {
            what
        } else {
            "other things"
        };

        match self.ignored.iter_mut().find(|ignored| ignored.what == what) {
            Some(ignored) => ignored.count += count,
            None => self.ignored.push(Ignored {
                what: what.to_owned(),
                count,
            }),
        }
    }
}

/// A named array with one or more values per point or element.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name, as shown by ParaView.
    pub name: String,
    /// Number of values per point or element.
    pub components: usize,
    /// The values, contiguous per item.
    pub values: Values,
}

impl Field {
    /// Keeps only the values of the given items.
    fn keep(&mut self, items: &[u64]) {
        fn chosen<T: Copy>(values: &[T], components: usize, items: &[u64]) -> Vec<T> {
            let rows = items
                .iter()
                .map(|&item| &values[item as usize * components..][..components]);
            rows.flatten().copied().collect()
        }
        match &mut self.values {
            Values::Real(values) => *values = chosen(values, self.components, items),
            Values::Whole(values) => *values = chosen(values, self.components, items),
        }
    }

    pub(crate) fn check(&self, items: usize) -> Result<(), ParseError> {
        let (name, held) = (&self.name, self.values.len());
        match items.checked_mul(self.components) == Some(held) {
            true => Ok(()),
            false => Err(ParseError::whole(format!(
                "field {name} has {held} numbers for {items} items of {} components",
                self.components
            ))),
        }
    }

    /// Counts the integers that an `f64` cannot represent exactly.
    pub(crate) fn count_beyond_53_bits(&self) -> usize {
        // Reals represent some integers beyond 2⁵³; i128, because from i64::MAX on a cast back to i64 would saturate.
        let is_rounded = |&&x: &&i64| (x as f64) as i128 != i128::from(x);
        match &self.values {
            Values::Whole(values) => values.iter().filter(is_rounded).count(),
            Values::Real(_) => 0,
        }
    }

    /// Creates a field with one real per item.
    pub fn scalar(name: &str, values: Vec<f64>) -> Self {
        Self {
            name: name.to_owned(),
            components: 1,
            values: Values::Real(values),
        }
    }

    /// Creates a field with one integer per item.
    pub fn whole(name: &str, values: Vec<i64>) -> Self {
        Self {
            name: name.to_owned(),
            components: 1,
            values: Values::Whole(values),
        }
    }

    /// Creates a field with three reals per item.
    pub fn vector(name: &str, values: &[[f64; 3]]) -> Self {
        Self {
            name: name.to_owned(),
            components: 3,
            values: Values::Real(values.as_flattened().to_vec()),
        }
    }
}

/// The values of a [`Field`].
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Real numbers.
    Real(Vec<f64>),
    /// Integers.
    Whole(Vec<i64>),
}

impl Values {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Real(values) => values.len(),
            Self::Whole(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The side of a flat element that its normal points to.
pub const SIDE_ALONG: u64 = 6;
/// The side of a flat element that its normal points away from.
pub const SIDE_AGAINST: u64 = 7;

/// The kind of members of a [`Set`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOf {
    /// Points.
    Points,
    /// Elements, numbered consecutively through the mesh's blocks.
    Elements,
    /// Sides of elements: element number × 8 + side, with sides as in `ElementKind::faces`. The sides of a flat
    /// element are its edges; its two faces are [`SIDE_ALONG`] and [`SIDE_AGAINST`].
    Sides,
}

/// A named set of points, elements or sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Name in the file.
    pub name: String,
    /// The kind of its members.
    pub of: SetOf,
    /// Indices from 0, ascending.
    pub members: Vec<u64>,
}

impl Set {
    fn check(&self, points: usize, elements: usize) -> Result<(), ParseError> {
        let (count, per_item) = match self.of {
            SetOf::Points => (points, 1),
            SetOf::Elements => (elements, 1),
            SetOf::Sides => (elements, 8),
        };

        match self
            .members
            .iter()
            .find(|&&member| member / per_item >= count as u64)
        {
            None => Ok(()),
            Some(member) => Err(ParseError::whole(format!(
                "set {} has member {member}, which does not exist",
                self.name
            ))),
        }
    }
}

/// A kind of content that was not read, with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Description, such as `pyramid14 elements` or `texture coordinates`.
    pub what: String,
    /// Number of items.
    pub count: usize,
}

#[cfg(test)]
mod tests;
