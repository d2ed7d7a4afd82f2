//! The XML of a VTK file as a small tree, up to its appended data.
//!
//! Text is borrowed from the file. Document types are rejected, so no entity can expand; the depth and number of
//! elements are limited.

use crate::ParseError;
use crate::budget::Budget;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Maximum nesting depth; VTK's own files need 8.
const DEEPEST: usize = 32;
/// Maximum memory per element or attribute, apart from its text.
const COST: usize = 256;

/// One element.
#[derive(Debug, Default)]
pub(crate) struct Element<'a> {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Element<'a>>,
    text: &'a str,
    /// Number of separate, non-blank runs of text.
    texts: usize,
    /// Line on which it starts.
    pub(crate) line: usize,
}

/// The tree and the position of the appended data.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) root: Element<'a>,
    /// Offset of the contents of `AppendedData`.
    pub(crate) appended: Option<usize>,
}

impl<'a> Document<'a> {
    pub(crate) fn parse(bytes: &'a [u8], budget: &mut Budget) -> Result<Self, ParseError> {
        let mut reader = Reader::from_reader(bytes);
        let mut lines = LineCounter {
            bytes,
            at: 0,
            line: 1,
        };

        // The bottom of the stack is the document itself.
        let mut stack = vec![Element::default()];
        let appended = loop {
            let event = reader.read_event().map_err(|error| {
                ParseError::line(
                    lines.of(reader.error_position()),
                    format!("this is not well-formed XML: {error}"),
                )
            })?;
            let line = lines.of(reader.buffer_position());
            match event {
                Event::Start(tag) => {
                    let element = Element::of(&tag, line, budget)?;
                    let is_appended = element.name == "AppendedData";
                    stack.push(element);
                    if is_appended {
                        break Some(reader.buffer_position() as usize);
                    }
                    if stack.len() > DEEPEST {
                        return Err(ParseError::line(line, "the XML is nested too deeply"));
                    }
                }
                Event::Empty(tag) => add(&mut stack, Element::of(&tag, line, budget)?),
                Event::End(_) => close(&mut stack),
                Event::Text(text) => note(&mut stack, text.into_inner()),
                Event::CData(_) | Event::GeneralRef(_) => top(&mut stack).texts += 1,
                Event::DocType(_) => {
                    return Err(ParseError::line(line, "document types are not accepted"));
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof if stack.len() > 1 => {
                    return Err(ParseError::line(
                        line,
                        format!("<{}> is not closed", top(&mut stack).name),
                    ));
                }
                Event::Eof => break None,
            }
        };

        while stack.len() > 1 {
            close(&mut stack);
        }

        let mut children = stack.swap_remove(0).children;
        match children.len() {
            1 => Ok(Self {
                root: children.swap_remove(0),
                appended,
            }),
            n => Err(ParseError::whole(format!(
                "an XML file has one outermost element, this one has {n}"
            ))),
        }
    }
}

fn top<'s, 'a>(stack: &'s mut [Element<'a>]) -> &'s mut Element<'a> {
    stack
        .last_mut()
        .expect("the document itself is never closed")
}

fn add<'a>(stack: &mut [Element<'a>], element: Element<'a>) {
    top(stack).children.push(element);
}

fn close(stack: &mut Vec<Element>) {
    if stack.len() > 1 {
        let element = stack.pop().expect("more than one");
        add(stack, element);
    }
}

fn note<'a>(stack: &mut [Element<'a>], text: Cow<'a, str>) {
    // The reader borrows text from a slice; it would be owned only if it had to be decoded.
    if let Cow::Borrowed(text) = text
        && !text.trim_ascii().is_empty()
    {
        let element = top(stack);
        element.text = text.trim_ascii();
        element.texts += 1;
    }
}

impl<'a> Element<'a> {
    fn of(tag: &BytesStart<'a>, line: usize, budget: &mut Budget) -> Result<Self, ParseError> {
        let unsound = |reason: String| {
            ParseError::line(line, format!("this is not well-formed XML: {reason}"))
        };
        budget.take(1, COST)?;
        let mut element = Self {
            name: tag.name().as_ref().to_owned(),
            line,
            ..Self::default()
        };

        // The check for duplicate names compares all pairs, which a hostile tag makes slow.
        for attribute in tag.attributes().with_checks(false) {
            budget.take(1, COST)?;
            let attribute = attribute.map_err(|error| unsound(error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| unsound(error.to_string()))?;
            element
                .attributes
                .push((attribute.key.as_ref().to_owned(), value.trim().to_owned()));
        }

        Ok(element)
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Parses an attribute that is a count.
    pub(crate) fn count(&self, name: &str) -> Result<usize, ParseError> {
        let value = self.attribute(name).unwrap_or("0");
        value
            .parse()
            .map_err(|_| self.fault(format!("{name}=\"{value}\" is not a count")))
    }

    /// Returns the first child with that name.
    pub(crate) fn child(&self, name: &str) -> Option<&Element<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the text, which must be contiguous.
    pub(crate) fn text(&self) -> Result<&'a str, ParseError> {
        match self.texts {
            0 | 1 => Ok(self.text),
            _ => Err(self.fault("its text contains other elements")),
        }
    }

    pub(crate) fn fault(&self, reason: impl std::fmt::Display) -> ParseError {
        let name = self
            .attribute("Name")
            .map(|name| format!(" {name}"))
            .unwrap_or_default();
        ParseError::line(self.line, format!("<{}>{name}: {reason}", self.name))
    }
}

/// Computes the line numbers of ascending offsets in one pass over the file.
struct LineCounter<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    fn of(&mut self, place: u64) -> usize {
        let place = (place as usize).min(self.bytes.len());
        if place > self.at {
            self.line += self.bytes[self.at..place]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            self.at = place;
        }

        self.line
    }
}

#[cfg(test)]
mod tests;
