//! Time series for ParaView: a .pvd file that lists one .vtu or .vtp file per time.
//!
//! The .pvd is rewritten atomically at every step, so it can be opened while a simulation runs and is complete
//! after an interrupted one. It is not flushed to disk each time, because it can be reconstructed from its
//! files.

use crate::output::Durability;
use crate::text::shown;
use crate::{Dataset, Error, Format, Ignored, ParseError, output};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use std::path::{Path, PathBuf};

/// A file series that can be appended to.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    path: PathBuf,
    steps: Vec<SeriesStep>,
}

/// One time step of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesStep {
    /// Time.
    pub time: f64,
    /// Path of the file, relative to the folder of the series.
    pub file: String,
}

impl Series {
    /// Creates an empty series, replacing an existing file.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Self::of(path, Vec::new())
    }

    /// Creates a series of existing files, replacing an existing series file.
    pub fn of(path: &Path, steps: Vec<SeriesStep>) -> Result<Self, Error> {
        let series = Self {
            path: path.to_owned(),
            steps,
        };
        series.rewrite()?;
        Ok(series)
    }

    /// Opens a series to read or continue it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::system(path, source))?;
        let steps = parse(&bytes).map_err(|fault| fault.in_file(path))?;
        Ok(Self {
            path: path.to_owned(),
            steps,
        })
    }

    /// Returns the steps so far.
    pub fn steps(&self) -> &[SeriesStep] {
        &self.steps
    }

    /// Removes the steps from a time on, as needed by a run that resumes from a checkpoint. Their files remain
    /// until they are overwritten.
    pub fn cut(&mut self, time: f64) -> Result<(), Error> {
        self.steps.retain(|step| step.time < time);
        self.rewrite()
    }

    /// Writes a dataset next to the series as `NAME_000012.vtu` and adds it. Returns what the format could not
    /// represent.
    pub fn append(
        &mut self,
        time: f64,
        format: Format,
        dataset: &Dataset,
    ) -> Result<Vec<Ignored>, Error> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let file = format!("{stem}_{:06}.{}", self.steps.len(), format.extension());
        let left_out = crate::write(&self.path.with_file_name(&file), dataset)?;
        self.append_file(time, &file)?;
        Ok(left_out)
    }

    /// Adds an existing file, by its path relative to the folder of the series.
    pub fn append_file(&mut self, time: f64, file: &str) -> Result<(), Error> {
        if !time.is_finite() {
            return Err(
                ParseError::whole(format!("the time {time} is not finite")).in_file(&self.path)
            );
        }

        self.steps.push(SeriesStep {
            time,
            file: file.to_owned(),
        });
        self.rewrite()
    }

    fn rewrite(&self) -> Result<(), Error> {
        output::write_durably(&self.path, Durability::Program, |out| {
            writeln!(out, "<?xml version=\"1.0\"?>")?;
            writeln!(
                out,
                "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">"
            )?;
            writeln!(out, "  <Collection>")?;
            for SeriesStep { time, file } in &self.steps {
                let file = escape(file.as_str());
                writeln!(
                    out,
                    "    <DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>"
                )?;
            }
            writeln!(out, "  </Collection>\n</VTKFile>")
        })
    }
}

/// Parses the contents of a .pvd file.
pub fn parse(bytes: &[u8]) -> Result<Vec<SeriesStep>, ParseError> {
    let mut reader = Reader::from_reader(bytes);
    let mut steps = Vec::new();
    let mut is_collection = false;

    loop {
        let event = reader.read_event();
        let place = reader.buffer_position() as usize;
        let event = event.map_err(|error| {
            ParseError::byte(place, format!("this is not well-formed XML: {error}"))
        })?;

        match event {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                "Collection" => is_collection = true,
                "DataSet" => {
                    steps.push(step(&tag).map_err(|reason| ParseError::byte(place, reason))?)
                }
                _ => {}
            },
            Event::DocType(_) => {
                return Err(ParseError::byte(place, "document types are not accepted"));
            }
            Event::Eof if is_collection => return Ok(steps),
            Event::Eof => return Err(ParseError::whole("this is not a collection of time steps")),
            _ => {}
        }
    }
}

fn step(tag: &BytesStart) -> Result<SeriesStep, String> {
    let text = |name: &str| -> Result<String, String> {
        let attribute = tag
            .try_get_attribute(name)
            .map_err(|error| error.to_string())?;
        let attribute = attribute.ok_or_else(|| format!("a DataSet has no {name}"))?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| error.to_string())?;
        Ok(value.into_owned())
    };
    let time = text("timestep")?;

    let time = time
        .trim()
        .parse()
        .ok()
        .filter(|time: &f64| time.is_finite());
    let time = time.ok_or_else(|| {
        format!(
            "the time {} is not a number",
            shown(text("timestep").unwrap().as_bytes())
        )
    })?;

    Ok(SeriesStep {
        time,
        file: text("file")?,
    })
}

#[cfg(test)]
mod tests;
