//! Code shared by .vtu and .vtp: the XML around the pieces, points, fields, sets.
//!
//! Sets are stored as fields: `set:NAME` is 1 on the members of a set of points or elements; `sides:NAME` has
//! bit k set if side k of the element belongs to a set of sides. ParaView shows them; the readers convert them
//! back to sets.

mod array;
mod encoded;
mod tree;
pub(crate) mod write;

use crate::budget::Budget;
use crate::bytes::Endian;
use crate::cells::{Lists, follow};
use crate::marks;
use crate::scalar::{BEYOND_53_BITS, Scalar};
use crate::text::shown;
use crate::{Dataset, Field, ParseError};
use array::{Appended, Encoding};
use impinge::space::Point;
use tree::{Document, Element};

/// Parses a file of the given type; `take_cells` reads the cells of each piece.
pub(crate) fn parse(
    bytes: &[u8],
    grid_type: &str,
    take_cells: fn(&mut Piece) -> Result<(), ParseError>,
) -> Result<Dataset, ParseError> {
    let mut budget = Budget::of(bytes);
    let document = Document::parse(bytes, &mut budget)?;
    let encoding = encoding(&document, bytes)?;
    let grid = grid(&document.root, grid_type)?;
    let mut dataset = Dataset::default();
    let fields = count_fields(&document.root) + count_fields(grid);

    if fields > 0 {
        dataset.ignore("field data arrays", fields);
    }

    for (number, element) in grid
        .children
        .iter()
        .filter(|child| child.name == "Piece")
        .enumerate()
    {
        let first = dataset.mesh.points.len();
        let mut piece = Piece {
            element,
            encoding: &encoding,
            budget: &mut budget,
            dataset: &mut dataset,
            first,
            origin: Vec::new(),
            cells: 0,
        };
        piece.take_points()?;
        let points = piece.dataset.mesh.points.len() - first;
        take_cells(&mut piece)?;

        piece.take_fields(number, points)?;
    }
    marks::to_sets(&mut dataset, &mut budget)?;

    Ok(dataset)
}

/// Returns the element that contains the pieces.
fn grid<'d, 'a>(root: &'d Element<'a>, grid_type: &str) -> Result<&'d Element<'a>, ParseError> {
    if root.name != "VTKFile" {
        return Err(root.fault("this is not a VTK file"));
    }
    match root.attribute("type") {
        Some(found) if found == grid_type => root
            .child(grid_type)
            .ok_or_else(|| root.fault(format!("<{grid_type}> is missing"))),
        Some(found) => {
            let found = shown(found.as_bytes());
            Err(root.fault(format!(
                "the file contains {found}, not '{grid_type}'; only that type is supported"
            )))
        }
        None => Err(root.fault("it does not declare the type of its data")),
    }
}

fn count_fields(element: &Element) -> usize {
    element
        .child("FieldData")
        .map_or(0, |fields| fields.children.len())
}

fn encoding<'a>(document: &Document<'a>, bytes: &'a [u8]) -> Result<Encoding<'a>, ParseError> {
    let root = &document.root;
    let endian = match root.attribute("byte_order") {
        None | Some("LittleEndian") => Endian::Little,
        Some("BigEndian") => Endian::Big,
        Some(other) => {
            return Err(root.fault(format!(
                "the byte order {} is unknown",
                shown(other.as_bytes())
            )));
        }
    };

    let header = match root.attribute("header_type") {
        None | Some("UInt32") => Scalar::U32,
        Some("UInt64") => Scalar::U64,
        Some(other) => {
            return Err(root.fault(format!(
                "headers of type {} are not supported",
                shown(other.as_bytes())
            )));
        }
    };

    let compressed = match root.attribute("compressor") {
        None | Some("") => false,
        Some("vtkZLibDataCompressor") => true,
        Some(other) => {
            let other = shown(other.as_bytes());
            return Err(root.fault(format!(
                "the compressor {other} is not supported; save the file with ZLib or none"
            )));
        }
    };

    Ok(Encoding {
        endian,
        header,
        compressed,
        appended: appended(document, bytes)?,
    })
}

/// Returns the data after the underscore in `AppendedData`.
fn appended<'a>(
    document: &Document<'a>,
    bytes: &'a [u8],
) -> Result<Option<Appended<'a>>, ParseError> {
    let (Some(element), Some(start)) = (document.root.child("AppendedData"), document.appended)
    else {
        return Ok(None);
    };
    let blank = bytes[start..]
        .iter()
        .take_while(|b| b.is_ascii_whitespace())
        .count();
    let start = start + blank + 1;

    if bytes.get(start - 1) != Some(&b'_') {
        return Err(element.fault("appended data begin with an underscore"));
    }

    let rest = &bytes[start..];
    match element.attribute("encoding") {
        Some("raw") => Ok(Some(Appended {
            bytes: rest,
            start,
            is_base64: false,
        })),
        None | Some("base64") => {
            let end = rest.iter().position(|&b| b == b'<').unwrap_or(rest.len());
            Ok(Some(Appended {
                bytes: rest[..end].trim_ascii_end(),
                start,
                is_base64: true,
            }))
        }
        Some(other) => Err(element.fault(format!(
            "the encoding {} is unknown",
            shown(other.as_bytes())
        ))),
    }
}

/// A piece of a file being read into the dataset.
pub(crate) struct Piece<'p, 'a> {
    pub(crate) element: &'p Element<'a>,
    encoding: &'p Encoding<'a>,
    pub(crate) budget: &'p mut Budget,
    pub(crate) dataset: &'p mut Dataset,
    /// Index of the piece's first point.
    pub(crate) first: usize,
    /// The source cell of each element.
    pub(crate) origin: Vec<u32>,
    /// Number of cells.
    pub(crate) cells: usize,
}

impl Piece<'_, '_> {
    fn take_points(&mut self) -> Result<(), ParseError> {
        let count = self.element.count("NumberOfPoints")?;
        if count == 0 {
            return Ok(());
        }

        let group = self
            .element
            .child("Points")
            .ok_or_else(|| self.element.fault("<Points> is missing"))?;
        let array = group
            .child("DataArray")
            .ok_or_else(|| group.fault("it contains no array"))?;

        if array.attribute("NumberOfComponents") != Some("3") {
            return Err(array.fault("points have 3 components"));
        }

        let numbers = count
            .checked_mul(3)
            .ok_or_else(|| self.element.fault("too many points"))?;
        let flat: Vec<f64> = self.encoding.numbers(array, numbers, self.budget)?;

        if let Some(i) = flat.iter().position(|x| !x.is_finite()) {
            return Err(array.fault(format!(
                "point {} has a coordinate that is not finite",
                i / 3
            )));
        }

        if u32::try_from(self.first + count).is_err() {
            return Err(array.fault("more than 4 billion points"));
        }

        self.budget.take(count, size_of::<Point<3>>())?;
        self.dataset.mesh.points.extend(
            flat.as_chunks::<3>()
                .0
                .iter()
                .map(|&point| Point::from(point)),
        );
        self.budget.give_back(numbers, size_of::<f64>());

        Ok(())
    }

    /// Reads `offsets` and `connectivity` of a group of cells.
    pub(crate) fn lists(&mut self, group: &Element, count: usize) -> Result<Lists, ParseError> {
        let ends: Vec<u64> = self
            .encoding
            .numbers(named(group, "offsets")?, count, self.budget)?;
        let array = named(group, "connectivity")?;
        let length = usize::try_from(ends.last().copied().unwrap_or(0));
        let length = length.map_err(|_| array.fault("the offsets are too large"))?;
        let nodes = self.encoding.numbers(array, length, self.budget)?;

        Ok(Lists { ends, nodes })
    }

    /// Reads `types` of a group of cells.
    pub(crate) fn types(&mut self, group: &Element, count: usize) -> Result<Vec<u8>, ParseError> {
        self.encoding
            .numbers(named(group, "types")?, count, self.budget)
    }

    fn take_fields(&mut self, number: usize, points: usize) -> Result<(), ParseError> {
        let fields = self.fields("PointData", points)?;
        append(&mut self.dataset.point_fields, fields, number)?;
        let fields = self.fields("CellData", self.cells)?;
        let followed: Result<Vec<Field>, ParseError> = fields
            .into_iter()
            .map(|field| follow(field, &self.origin, self.cells, self.budget))
            .collect();

        append(&mut self.dataset.cell_fields, followed?, number)
    }

    fn fields(&mut self, group: &str, items: usize) -> Result<Vec<Field>, ParseError> {
        let mut fields = Vec::new();
        let Some(group) = self.element.child(group) else {
            return Ok(fields);
        };

        for array in &group.children {
            if array.name != "DataArray" || array.attribute("type") == Some("String") {
                self.dataset.ignore("arrays of text", 1);
                continue;
            }

            let components = match array.attribute("NumberOfComponents") {
                None => 1,
                Some(_) => array.count("NumberOfComponents")?,
            };
            let count = items
                .checked_mul(components)
                .ok_or_else(|| array.fault("too many components"))?;
            let (values, rounded) = self.encoding.values(array, count, self.budget)?;

            if rounded > 0 {
                self.dataset.ignore(BEYOND_53_BITS, rounded);
            }

            let name = array.attribute("Name").unwrap_or("unnamed").to_owned();
            fields.push(Field {
                name,
                components,
                values,
            });
        }

        Ok(fields)
    }
}

fn named<'e, 'a>(group: &'e Element<'a>, name: &str) -> Result<&'e Element<'a>, ParseError> {
    let found = group
        .children
        .iter()
        .find(|array| array.attribute("Name") == Some(name));
    found.ok_or_else(|| group.fault(format!("the array '{name}' is missing")))
}

/// Appends the fields of a piece to those of the previous pieces, which must have the same fields.
fn append(all: &mut Vec<Field>, mut fields: Vec<Field>, piece: usize) -> Result<(), ParseError> {
    use crate::Values::{Real, Whole};
    if piece == 0 {
        *all = fields;
        return Ok(());
    }

    let differ = || {
        ParseError::whole(format!(
            "piece {piece} has other fields than the previous pieces"
        ))
    };

    if all.len() != fields.len() {
        return Err(differ());
    }

    for (field, more) in all.iter_mut().zip(&mut fields) {
        if field.name != more.name || field.components != more.components {
            return Err(differ());
        }
        match (&mut field.values, &mut more.values) {
            (Real(values), Real(more)) => values.append(more),
            (Whole(values), Whole(more)) => values.append(more),
            _ => return Err(differ()),
        }
    }

    Ok(())
}
