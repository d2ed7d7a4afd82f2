//! The header: the elements, their counts and their properties.

use super::body::Body;
use super::element::{Element, Kind, Property};
use crate::ParseError;
use crate::bytes::{Bytes, Endian};
use crate::text::{Lines, shown, whole, words};

/// Limits that keep the cost of a hostile header linear; no mesh needs more.
const MOST_ELEMENTS: usize = 64;
const MOST_PROPERTIES: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) elements: Vec<Element>,
}

impl Header {
    /// Returns the number of elements with that name.
    pub(super) fn count(&self, name: &str) -> u64 {
        self.elements
            .iter()
            .find(|element| element.name == name)
            .map_or(0, |element| element.count)
    }

    /// Counts the list properties of vertices and faces that are not corners.
    pub(super) fn lists_passed_over(&self) -> usize {
        let read = self
            .elements
            .iter()
            .filter(|element| ["vertex", "face"].contains(&element.name.as_str()));
        let lists = |element: &Element| {
            let corners = |property: &Property| element.name == "face" && property.is_corners();
            element
                .properties
                .iter()
                .filter(|property| property.list.is_some() && !corners(property))
                .count()
        };

        read.map(lists).sum()
    }

    fn declare_element<'a>(
        &mut self,
        mut words: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), String> {
        let name = words.next().ok_or("an element needs a name")?;
        let count = words.next().ok_or("an element needs a count")?;
        let count =
            whole(count).ok_or_else(|| format!("{} is not a number of elements", shown(count)))?;

        if self.elements.len() == MOST_ELEMENTS {
            return Err(format!("more than {MOST_ELEMENTS} elements are declared"));
        }

        let name = String::from_utf8_lossy(name).into_owned();
        if self.elements.iter().any(|element| element.name == name) {
            return Err(format!(
                "element {} is declared twice",
                shown(name.as_bytes())
            ));
        }

        self.elements.push(Element {
            name,
            count,
            properties: Vec::new(),
        });

        Ok(())
    }

    fn declare_property<'a>(
        &mut self,
        mut words: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), String> {
        let element = self
            .elements
            .last_mut()
            .ok_or("a property appears before the first element")?;
        let kind = |word: Option<&[u8]>| {
            let word = word.ok_or("a property needs a type and a name")?;
            Kind::of(word).ok_or_else(|| format!("{} is not a type", shown(word)))
        };
        let first = words.next();

        let (list, kind) = match first {
            Some(b"list") => (Some(kind(words.next())?), kind(words.next())?),
            _ => (None, kind(first)?),
        };

        if list.is_some_and(|list| !list.is_whole()) {
            return Err("the length of a list is not a whole number".to_owned());
        }

        let name = words.next().ok_or("a property needs a name")?;
        let name = String::from_utf8_lossy(name).into_owned();
        if element
            .properties
            .iter()
            .any(|property| property.name == name)
        {
            return Err(format!(
                "property {} is declared twice",
                shown(name.as_bytes())
            ));
        }

        if element.properties.len() == MOST_PROPERTIES {
            return Err(format!(
                "an element has more than {MOST_PROPERTIES} properties"
            ));
        }

        element.properties.push(Property { name, kind, list });
        Ok(())
    }
}

/// Parses the header and returns it with the body after it.
pub(super) fn parse(bytes: &[u8]) -> Result<(Header, Body<'_>), ParseError> {
    let mut lines = Lines::new(bytes);
    if lines.next_line().map(<[u8]>::trim_ascii_end) != Some(b"ply") {
        return Err(ParseError::line(1, "a PLY file begins with the line 'ply'"));
    }

    let mut header = Header::default();
    let mut endian = None;
    loop {
        let line = lines
            .next_filled()
            .ok_or_else(|| lines.fault("the file ends within the header"))?;
        let mut words = words(line);
        let declared = match words.next() {
            Some(b"format") => encoding(words.next()).map(|encoding| endian = Some(encoding)),
            Some(b"comment" | b"obj_info") => Ok(()),
            Some(b"element") => header.declare_element(words),
            Some(b"property") => header.declare_property(words),
            Some(b"end_header") => break,
            _ => Err(format!(
                "{} is not a statement of a PLY header",
                shown(line)
            )),
        };

        declared.map_err(|reason| lines.fault(reason))?;
    }

    let body = match endian.ok_or_else(|| lines.fault("the header has no format"))? {
        None => Body::text(lines),
        Some(endian) => {
            let mut reader = Bytes::new(bytes, endian);
            reader.skip(bytes.len() - lines.rest().len())?;
            Body::Binary(reader)
        }
    };

    Ok((header, body))
}

/// Parses the encoding: text (`None`), or binary with its byte order.
fn encoding(word: Option<&[u8]>) -> Result<Option<Endian>, String> {
    match word.unwrap_or_default() {
        b"ascii" => Ok(None),
        b"binary_little_endian" => Ok(Some(Endian::Little)),
        b"binary_big_endian" => Ok(Some(Endian::Big)),
        other => Err(format!("{} is not a format of PLY", shown(other))),
    }
}
