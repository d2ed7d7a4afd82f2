//! Gmsh MSH 2 and 4.1 (.msh), text and binary in either byte order; written as binary 4.1.
//!
//! Node numbers may be sparse and in any order. Physical groups become element sets, named as in the file or
//! `physical surface 3`. The first group of each element and its entity become the fields `gmsh:physical` and
//! `gmsh:geometrical`. Fields on nodes and elements are read; missing values are NaN.

mod data;
mod kinds;
mod v2;
mod v4;
mod write;

pub use write::{check, write};

use crate::budget::Budget;
use crate::bytes::Endian;
use crate::cursor::{Cursor, Encoding};
use crate::numbering::Numbering;
use crate::scalar::Scalar;
use crate::surface::MOST_POINTS;
use crate::text::{shown, whole, words};
use crate::{Dataset, Field, ParseError, Set, SetOf, marks};
use impinge::shape::ElementKind;
use std::collections::BTreeMap;

/// Field with the first physical group of each element, 0 for none.
const PHYSICAL: &str = "gmsh:physical";
/// Field with the geometrical entity of each element.
const GEOMETRICAL: &str = "gmsh:geometrical";
/// Gmsh's names for entities of dimension 0 to 3.
const DIMENSIONS: [&str; 4] = ["point", "curve", "surface", "volume"];

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut reader = Reader::new(bytes);
    reader.format()?;
    while let Some(line) = reader.cursor.filled_line() {
        let Some(name) = line.strip_prefix(b"$") else {
            return Err(reader.cursor.fault(format!(
                "expected the start of a section, found {}",
                shown(line)
            )));
        };
        reader.section(name)?;
    }

    reader.finish()
}

/// A dimension and a tag.
type Key = (usize, i64);

/// State of the parser.
struct Reader<'a> {
    cursor: Cursor<'a>,
    /// Whether the version is 4.1 rather than 2.
    is_4: bool,
    /// Number type of counts and tags in binary files of version 4.1.
    size: Scalar,
    budget: Budget,
    dataset: Dataset,
    nodes: Numbering,
    has_nodes: bool,
    has_elements: bool,
    /// Names of physical groups.
    names: BTreeMap<Key, String>,
    /// Physical groups of entities.
    entities: BTreeMap<Key, Vec<i64>>,
    /// Elements in physical groups.
    groups: BTreeMap<Key, Vec<u64>>,
    tags: Vec<u64>,
    physical: Vec<i64>,
    geometrical: Vec<i64>,
    /// Fields pending until all nodes and elements are known.
    waiting: Vec<data::Raw>,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            cursor: Cursor::new(bytes),
            is_4: false,
            size: Scalar::U64,
            budget: Budget::of(bytes),
            dataset: Dataset::default(),
            nodes: Numbering::Sparse(Vec::new()),
            has_nodes: false,
            has_elements: false,
            names: BTreeMap::new(),
            entities: BTreeMap::new(),
            groups: BTreeMap::new(),
            tags: Vec::new(),
            physical: Vec::new(),
            geometrical: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Reads `$MeshFormat`; only comments may precede it.
    fn format(&mut self) -> Result<(), ParseError> {
        loop {
            match self.cursor.need_line("$MeshFormat")? {
                b"$MeshFormat" => break,
                b"$Comments" => self.pass_over(b"Comments")?,
                b"$NOD" => {
                    return Err(self
                        .cursor
                        .fault("MSH 1 is not supported; save the file as MSH 2.2 or 4.1"));
                }
                other => {
                    return Err(self
                        .cursor
                        .fault(format!("an MSH file does not begin with {}", shown(other))));
                }
            }
        }

        let line = self.cursor.need_line("the version")?;
        let mut words = words(line);
        let version = words.next().unwrap_or_default();
        self.is_4 = match version {
            b"2" | b"2.0" | b"2.1" | b"2.2" => false,
            b"4.1" => true,
            other => {
                let other = shown(other);
                return Err(self.cursor.fault(format!(
                    "MSH version {other} is not supported; save it as 2.2 or 4.1"
                )));
            }
        };
        let binary = words.next().unwrap_or_default();

        self.size = match words.next() {
            Some(b"8") => Scalar::U64,
            Some(b"4") if self.is_4 => Scalar::U32,
            _ => {
                return Err(self.cursor.fault("unknown size of numbers"));
            }
        };

        match binary {
            b"0" => {}
            b"1" => self.byte_order()?,
            other => {
                return Err(self.cursor.fault(format!(
                    "{} is neither text (0) nor binary (1)",
                    shown(other)
                )));
            }
        }

        self.end(b"MeshFormat")
    }

    /// Determines the byte order of a binary file, which encodes it as the integer 1.
    fn byte_order(&mut self) -> Result<(), ParseError> {
        let endian = match self.cursor.take(4)? {
            [1, 0, 0, 0] => Endian::Little,
            [0, 0, 0, 1] => Endian::Big,
            _ => {
                return Err(self
                    .cursor
                    .fault("the binary number after the version is not 1"));
            }
        };
        self.cursor.encoding = Encoding::Binary(endian);

        Ok(())
    }

    fn section(&mut self, name: &[u8]) -> Result<(), ParseError> {
        self.has_elements |= name == b"Elements";
        match (name, self.is_4) {
            (b"PhysicalNames", _) => self.physical_names()?,
            (b"Entities", true) => self.entities()?,
            (b"Nodes", false) => self.nodes_2()?,
            (b"Nodes", true) => self.nodes_4()?,
            (b"Elements", false) => self.elements_2()?,
            (b"Elements", true) => self.elements_4()?,
            (b"NodeData", _) => self.data(data::Of::Nodes)?,
            (b"ElementData", _) => self.data(data::Of::Elements)?,
            _ => {
                self.dataset.ignore(&format!("sections {}", shown(name)), 1);
                return self.pass_over(name);
            }
        }

        self.end(name)
    }

    fn end(&mut self, name: &[u8]) -> Result<(), ParseError> {
        let text = shown(name);
        let line = self
            .cursor
            .need_line(&format!("the end of the section {text}"))?;

        match line.strip_prefix(b"$End") {
            Some(rest) if rest == name => Ok(()),
            _ => Err(self.cursor.fault(format!(
                "expected the end of the section {text}, found {}",
                shown(line)
            ))),
        }
    }

    /// Skips a section that is not used.
    fn pass_over(&mut self, name: &[u8]) -> Result<(), ParseError> {
        let mark = [b"$End", name].concat();
        loop {
            // After binary data, too, the end mark must be on a line of its own.
            match self.cursor.line() {
                Some(line) if line == mark => return Ok(()),
                Some(_) => {}
                None => {
                    return Err(self
                        .cursor
                        .fault(format!("the section {} does not end", shown(name))));
                }
            }
        }
    }

    fn physical_names(&mut self) -> Result<(), ParseError> {
        let line = self.cursor.need_line("the number of names")?;
        let count: usize = whole(line)
            .ok_or_else(|| self.cursor.fault(format!("{} is not a count", shown(line))))?;

        for _ in 0..count {
            let line = self.cursor.need_line("a physical name")?;
            let unsound = || format!("{} is not a physical name", shown(line));
            let (key, name) = physical_name(line).ok_or_else(|| self.cursor.fault(unsound()))?;
            self.names.insert(key, name);
        }

        Ok(())
    }

    /// Reads a count or tag of version 4.1.
    fn size(&mut self) -> Result<u64, ParseError> {
        self.cursor.number(self.size)
    }

    /// Reads a 4-byte integer.
    fn int(&mut self) -> Result<i64, ParseError> {
        self.cursor.number(Scalar::I32)
    }

    fn real(&mut self) -> Result<f64, ParseError> {
        self.cursor.coordinate(Scalar::F64)
    }

    /// Stores the numbers of all nodes; allowed only once.
    fn number_nodes(&mut self, numbers: &[u64]) -> Result<(), ParseError> {
        if self.has_nodes {
            return Err(self.cursor.fault("nodes are listed twice"));
        }

        if numbers.len() as u64 > MOST_POINTS {
            return Err(self.cursor.fault("more than 4 billion nodes"));
        }

        self.has_nodes = true;
        let numbering = Numbering::new(numbers);
        self.nodes = numbering
            .map_err(|twice| self.cursor.fault(format!("node {twice} is listed twice")))?;
        Ok(())
    }

    /// Reads the nodes of an element, which have type `scalar` in binary files.
    fn element(
        &mut self,
        kind: ElementKind,
        order: &[usize],
        scalar: Scalar,
    ) -> Result<(), ParseError> {
        let mut gmsh = [0; 27];
        for node in &mut gmsh[..order.len()] {
            let number = self.cursor.number(scalar)?;
            let place = self.nodes.get(number);
            *node = place.ok_or_else(|| {
                self.cursor.fault(format!(
                    "element {} has node {number}, which does not exist",
                    self.tags.len()
                ))
            })?;
        }

        let mut vtk = [0; 27];
        for (to, &from) in vtk.iter_mut().zip(order) {
            *to = gmsh[from];
        }

        let blocks = self.dataset.mesh.blocks.len();
        self.dataset.mesh.push(kind, &vtk[..order.len()]);
        self.budget.take(
            self.dataset.mesh.blocks.len() - blocks,
            crate::cells::BLOCK_COST,
        )
    }

    /// Skips the nodes of an unsupported element; in text files they are the rest of the line.
    fn pass_over_element(&mut self, id: i64, scalar: Scalar) -> Result<(), ParseError> {
        let foreign = u32::try_from(id).ok().and_then(kinds::foreign);
        match (self.cursor.encoding, foreign) {
            (Encoding::Text, _) => drop(self.cursor.line()),
            (Encoding::Binary(_), Some((_, nodes))) => self.cursor.skip(nodes, scalar)?,
            (Encoding::Binary(_), None) => {
                return Err(self
                    .cursor
                    .fault(format!("unknown element type {id} of unknown length")));
            }
        }

        match foreign {
            Some((shape, nodes)) => self.dataset.ignore(&format!("{shape}{nodes} elements"), 1),
            None => self
                .dataset
                .ignore(&format!("elements of Gmsh type {id}"), 1),
        }

        Ok(())
    }

    fn finish(mut self) -> Result<Dataset, ParseError> {
        for (has, name) in [(self.has_nodes, "Nodes"), (self.has_elements, "Elements")] {
            if !has {
                return Err(ParseError::whole(format!(
                    "the file has no section '{name}'; it may have been cut short"
                )));
            }
        }

        self.finish_data()?;
        for key in self.names.keys() {
            self.groups.entry(*key).or_default();
        }

        for ((dimension, tag), members) in std::mem::take(&mut self.groups) {
            let name = self.names.remove(&(dimension, tag));
            let name = name.unwrap_or_else(|| unnamed(dimension, tag));
            self.dataset.sets.push(Set {
                name,
                of: SetOf::Elements,
                members,
            });
        }

        for (name, values) in [(PHYSICAL, self.physical), (GEOMETRICAL, self.geometrical)] {
            if values.iter().any(|&value| value != 0) {
                self.dataset.cell_fields.push(Field::whole(name, values));
            }
        }

        marks::to_sets(&mut self.dataset, &mut self.budget)?;
        Ok(self.dataset)
    }
}

/// Default name of a physical group without a name.
fn unnamed(dimension: usize, tag: i64) -> String {
    format!("physical {} {tag}", DIMENSIONS[dimension])
}

/// Parses dimension, tag and name from a line such as `2 7 "left"`.
fn physical_name(line: &[u8]) -> Option<(Key, String)> {
    let open = line.iter().position(|&b| b == b'"')?;
    let close = line
        .iter()
        .rposition(|&b| b == b'"')
        .filter(|&close| close > open)?;
    let mut words = words(&line[..open]);
    let dimension = whole(words.next()?).filter(|&dimension| dimension < DIMENSIONS.len())?;
    let tag = whole(words.next()?)?;

    Some((
        (dimension, tag),
        String::from_utf8_lossy(&line[open + 1..close]).into_owned(),
    ))
}
