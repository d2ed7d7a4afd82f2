//! VTK legacy format (.vtk), versions 1 to 5.1, text and binary: unstructured grids and surfaces with their fields.

mod data;

use crate::budget::Budget;
use crate::bytes::Endian;
use crate::cells::{Cells, Lists, POLY_LINE, POLY_VERTEX, POLYGON, STRIP, follow};
use crate::cursor::{Cursor, Encoding};
use crate::scalar::{Number, Scalar};
use crate::surface::MOST_POINTS;
use crate::text::{shown, whole, words};
use crate::{Dataset, Field, ParseError};
use impinge::space::Point;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut reader = Reader::new(bytes);
    reader.head()?;
    while let Some(line) = reader.cursor.filled_line() {
        reader.keyword(line)?;
    }
    reader.finish()
}

/// Cell groups of a surface, in the order in which fields number them.
const GROUPS: [(&[u8], u8); 4] = [
    (b"VERTICES", POLY_VERTEX),
    (b"LINES", POLY_LINE),
    (b"POLYGONS", POLYGON),
    (b"TRIANGLE_STRIPS", STRIP),
];

/// The kind of items that values belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// The dataset as a whole.
    Whole,
    Points,
    Cells,
}

/// State of the parser.
struct Reader<'a> {
    cursor: Cursor<'a>,
    budget: Budget,
    dataset: Dataset,
    is_surface: Option<bool>,
    has_points: bool,
    /// The cells of an unstructured grid.
    cells: Option<Lists>,
    types: Option<Vec<u8>>,
    /// The cells of a surface, as in `GROUPS`.
    groups: [Option<Lists>; 4],
    target: Target,
    cell_fields: Vec<Field>,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            cursor: Cursor::new(bytes),
            budget: Budget::of(bytes),
            dataset: Dataset::default(),
            is_surface: None,
            has_points: false,
            cells: None,
            types: None,
            groups: Default::default(),
            target: Target::Whole,
            cell_fields: Vec::new(),
        }
    }

    fn fault(&self, reason: impl Into<String>) -> ParseError {
        self.cursor.fault(reason)
    }

    /// Reads the first three lines: version, title, encoding.
    fn head(&mut self) -> Result<(), ParseError> {
        let line = self.cursor.line().unwrap_or_default();
        let version = line
            .strip_prefix(b"# vtk DataFile Version")
            .unwrap_or_default()
            .trim_ascii();
        let major: Option<u32> = version.split(|&b| b == b'.').next().and_then(whole);

        match major {
            Some(1..=5) => {}
            Some(_) => {
                return Err(self.fault(format!("version {} is not supported", shown(version))));
            }
            None => {
                return Err(
                    self.fault("the first line is not '# vtk DataFile Version' with a version")
                );
            }
        }

        self.cursor.line();
        let form = self.cursor.need_line("ASCII or BINARY")?;
        match form.to_ascii_uppercase().as_slice() {
            b"ASCII" => Ok(()),
            b"BINARY" => {
                self.cursor.encoding = Encoding::Binary(Endian::Big);
                Ok(())
            }
            _ => Err(self.fault(format!(
                "the file is neither ASCII nor BINARY but {}",
                shown(form)
            ))),
        }
    }

    fn keyword(&mut self, line: &[u8]) -> Result<(), ParseError> {
        let mut words = words(line);
        let first = words.next().unwrap_or_default().to_ascii_uppercase();
        let rest: Vec<&[u8]> = words.take(MOST_WORDS).collect();

        if let Some(group) = GROUPS.iter().position(|(name, _)| *name == first) {
            self.groups[group] = Some(self.lists(&rest)?);
            return Ok(());
        }

        match first.as_slice() {
            b"DATASET" => self.dataset_type(&rest),
            b"POINTS" => self.points(&rest),
            b"CELLS" => {
                self.cells = Some(self.lists(&rest)?);
                Ok(())
            }
            b"CELL_TYPES" => {
                let count = self.count(&rest, 0)?;
                self.types = Some(self.numbers(Scalar::I32, count)?);
                Ok(())
            }
            b"POINT_DATA" => self.attributes(Target::Points, self.count(&rest, 0)?),
            b"CELL_DATA" => self.attributes(Target::Cells, self.count(&rest, 0)?),
            b"METADATA" => {
                self.pass_over_metadata();
                Ok(())
            }
            other => self.data(other, &rest),
        }
    }

    fn dataset_type(&mut self, rest: &[&[u8]]) -> Result<(), ParseError> {
        let name = rest.first().copied().unwrap_or_default();
        self.is_surface = Some(match name.to_ascii_uppercase().as_slice() {
            b"UNSTRUCTURED_GRID" => false,
            b"POLYDATA" => true,
            _ => {
                let name = shown(name);
                return Err(self.fault(format!(
                    "dataset {name} is not supported; supported: UNSTRUCTURED_GRID and POLYDATA"
                )));
            }
        });

        Ok(())
    }

    /// Parses a count among the words after a keyword.
    fn count(&self, rest: &[&[u8]], at: usize) -> Result<usize, ParseError> {
        let word = rest.get(at).copied().unwrap_or_default();
        whole(word).ok_or_else(|| self.fault(format!("{} is not a count", shown(word))))
    }

    /// Reads `count` numbers, or fails if the rest of the file is too short.
    fn numbers<T: Number>(&mut self, scalar: Scalar, count: usize) -> Result<Vec<T>, ParseError> {
        if count > self.cursor.room(scalar) {
            return Err(self.fault(format!(
                "{count} numbers are declared, but the file ends first"
            )));
        }

        self.budget.take(count, size_of::<T>())?;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(self.cursor.number(scalar)?);
        }

        Ok(numbers)
    }

    fn points(&mut self, rest: &[&[u8]]) -> Result<(), ParseError> {
        let count = self.count(rest, 0)?;
        let scalar = self.scalar(rest.get(1).copied().unwrap_or_default())?;
        if self.has_points {
            return Err(self.fault("points are listed twice"));
        }

        self.has_points = true;
        if count > self.cursor.room(scalar) / 3 || count as u64 > MOST_POINTS {
            return Err(self.fault(format!(
                "{count} points are declared, but the file ends first"
            )));
        }

        self.dataset.mesh.points.reserve_exact(count);
        for _ in 0..count {
            let mut point = [0.0; 3];
            for x in &mut point {
                *x = self.cursor.coordinate(scalar)?;
            }
            self.dataset.mesh.points.push(Point::from(point));
        }

        Ok(())
    }

    /// Reads node lists: one array with the length before each list or, since version 5, offsets and connectivity.
    fn lists(&mut self, rest: &[&[u8]]) -> Result<Lists, ParseError> {
        let (count, size) = (self.count(rest, 0)?, self.count(rest, 1)?);
        // Only version 5 has this line, and no older list begins with that word.
        let ahead = &self.cursor.rest()[..self.cursor.rest().len().min(OFFSETS.len() + 8)];
        match ahead
            .trim_ascii_start()
            .to_ascii_uppercase()
            .starts_with(OFFSETS)
        {
            true => self.offsets(count, size),
            false => self.counted_lists(count, size),
        }
    }

    fn counted_lists(&mut self, count: usize, size: usize) -> Result<Lists, ParseError> {
        let room = self.cursor.room(Scalar::I32);
        let too_few =
            format!("{size} numbers of {count} cells are declared, but the file ends first");
        let nodes = size
            .checked_sub(count)
            .filter(|_| size <= room)
            .ok_or_else(|| self.fault(too_few))?;
        self.budget.take(count, size_of::<u64>())?;

        let mut lists = Lists {
            ends: Vec::with_capacity(count),
            nodes: Vec::with_capacity(nodes),
        };

        for cell in 0..count {
            let length: usize = self.cursor.number::<u32>(Scalar::I32)? as usize;
            if length > nodes - lists.nodes.len() {
                return Err(self.fault(format!(
                    "cell {cell} has {length} nodes, more than the list has left"
                )));
            }
            for _ in 0..length {
                lists.nodes.push(self.cursor.number(Scalar::I32)?);
            }
            lists.ends.push(lists.nodes.len() as u64);
        }

        match lists.nodes.len() == nodes {
            true => Ok(lists),
            false => Err(self.fault(format!(
                "{size} numbers are declared, but the cells end before"
            ))),
        }
    }

    fn offsets(&mut self, count: usize, size: usize) -> Result<Lists, ParseError> {
        let scalar = self.array_head(OFFSETS)?;
        let mut ends: Vec<u64> = self.numbers(scalar, count)?;
        let scalar = self.array_head(b"CONNECTIVITY")?;
        let nodes = self.numbers(scalar, size)?;
        if ends.first().is_some_and(|&first| first != 0)
            || ends.last().is_some_and(|&last| last != size as u64)
        {
            return Err(
                self.fault("the offsets do not begin with 0 and end with the number of nodes")
            );
        }

        if count > 0 {
            ends.remove(0);
        }

        Ok(Lists { ends, nodes })
    }

    /// Reads a line with a keyword and a number type.
    fn array_head(&mut self, name: &[u8]) -> Result<Scalar, ParseError> {
        let line = self.cursor.need_line("OFFSETS or CONNECTIVITY")?;
        let mut words = words(line);
        match words.next() {
            Some(word) if word.eq_ignore_ascii_case(name) => {
                self.scalar(words.next().unwrap_or_default())
            }
            _ => Err(self.fault(format!("expected {}, found {}", shown(name), shown(line)))),
        }
    }

    /// Skips lines up to a blank one.
    fn pass_over_metadata(&mut self) {
        while self.cursor.line().is_some_and(|line| !line.is_empty()) {}
    }

    fn cell_count(&self) -> usize {
        self.cells
            .iter()
            .chain(self.groups.iter().flatten())
            .map(Lists::len)
            .sum()
    }

    fn finish(mut self) -> Result<Dataset, ParseError> {
        let is_surface = self
            .is_surface
            .ok_or_else(|| ParseError::whole("the file has no DATASET"))?;

        if !self.has_points {
            return Err(ParseError::whole("the file has no POINTS"));
        }

        let types = self.types.unwrap_or_default();
        let mut cells = Cells::new(&mut self.dataset, 0);
        if is_surface {
            for (lists, (_, id)) in self.groups.iter().zip(GROUPS) {
                lists
                    .iter()
                    .try_for_each(|lists| cells.take_all(lists, |_| id, &mut self.budget))?;
            }
        } else {
            let missing = || ParseError::whole("the file has no CELLS; it may have been cut short");
            let lists = self.cells.as_ref().ok_or_else(missing)?;
            if lists.len() != types.len() {
                let (cells, types) = (lists.len(), types.len());
                return Err(ParseError::whole(format!(
                    "there are {cells} cells but {types} cell types"
                )));
            }
            cells.take_all(lists, |i| types[i], &mut self.budget)?;
        }

        let (origin, count) = cells.finish();
        for field in self.cell_fields {
            let followed = follow(field, &origin, count, &mut self.budget)?;
            self.dataset.cell_fields.push(followed);
        }

        Ok(self.dataset)
    }
}

const OFFSETS: &[u8] = b"OFFSETS";

/// Maximum number of significant words after a keyword.
const MOST_WORDS: usize = 8;
