//! What a mesh file holds: the mesh, numbers on its points and elements, named sets, and what was passed over.

use impinge::shape::Mesh;

/// A mesh with everything that came, or should go, with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// Points and elements.
    pub mesh: Mesh,
    /// Numbers on the points.
    pub point_fields: Vec<Field>,
    /// Numbers on the elements, in the order of the mesh's blocks.
    pub cell_fields: Vec<Field>,
    /// Named sets of points or elements.
    pub sets: Vec<Set>,
    /// What the file holds that was not read, with how often: nothing is dropped in silence.
    pub ignored: Vec<Ignored>,
}

impl From<Mesh> for Dataset {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, ..Self::default() }
    }
}

impl Dataset {
    /// Counts one more item that was passed over.
    pub fn ignore(&mut self, what: &str, count: usize) {
        match self.ignored.iter_mut().find(|ignored| ignored.what == what) {
            Some(ignored) => ignored.count += count,
            None => self.ignored.push(Ignored { what: what.to_owned(), count }),
        }
    }
}

/// A named array with one or more numbers for each point or element.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name, as ParaView shows it.
    pub name: String,
    /// Numbers for each point or element.
    pub components: usize,
    /// The numbers, those of one item side by side.
    pub values: Values,
}

impl Field {
    /// One real number for each item.
    pub fn scalar(name: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), components: 1, values: Values::Real(values) }
    }

    /// One whole number for each item.
    pub fn whole(name: &str, values: Vec<i64>) -> Self {
        Self { name: name.to_owned(), components: 1, values: Values::Whole(values) }
    }

    /// Three real numbers for each item.
    pub fn vector(name: &str, values: &[[f64; 3]]) -> Self {
        Self { name: name.to_owned(), components: 3, values: Values::Real(values.as_flattened().to_vec()) }
    }
}

/// The numbers of a [`Field`].
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Real numbers.
    Real(Vec<f64>),
    /// Whole numbers.
    Whole(Vec<i64>),
}

impl Values {
    /// How many numbers.
    pub fn len(&self) -> usize {
        match self {
            Self::Real(values) => values.len(),
            Self::Whole(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a [`Set`] gathers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOf {
    /// Points.
    Points,
    /// Elements, numbered through the mesh's blocks.
    Elements,
    /// Sides of elements: element number × 8 + side, with sides as in `ElementKind::faces`.
    Sides,
}

/// A named set of points, elements or sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Name in the file.
    pub name: String,
    /// What the numbers are.
    pub of: SetOf,
    /// Ascending, from 0.
    pub members: Vec<u64>,
}

/// Something in a file that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// What: `pyramid14 elements`, `texture coordinates`.
    pub what: String,
    /// How many.
    pub count: usize,
}
