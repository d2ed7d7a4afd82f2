//! Mesh files: reading and writing in the format that the extension names.

use crate::output::Durability;
use crate::{
    Dataset, Error, Format, Ignored, ParseError, glb, inp, msh, obj, off, output, ply, sniff, stl,
    threemf, vtk, vtp, vtu,
};
use std::io::Write;
use std::path::Path;

/// The two steps of writing a format.
struct Writer {
    /// Returns what the format cannot represent, or an error if it cannot represent the mesh at all.
    check: fn(&Dataset) -> Result<Vec<Ignored>, ParseError>,
    /// Writes the bytes of a dataset that passed the check.
    write: fn(&Dataset, &mut dyn Write) -> std::io::Result<()>,
}

impl Format {
    /// Parses the contents of a file. Contents that clearly belong to another format are an error.
    pub fn parse(self, bytes: &[u8]) -> Result<Dataset, ParseError> {
        sniff::refuse_others(self, bytes)?;
        match self {
            Self::Stl => stl::parse(bytes),
            Self::Obj => obj::parse(bytes),
            Self::Ply => ply::parse(bytes),
            Self::Off => off::parse(bytes),
            Self::Msh => msh::parse(bytes),
            Self::Vtk => vtk::parse(bytes),
            Self::Vtu => vtu::parse(bytes),
            Self::Vtp => vtp::parse(bytes),
            Self::Inp => inp::parse(bytes),
            Self::ThreeMf => threemf::parse(bytes),
            Self::Glb => glb::parse(bytes),
        }
    }

    /// Whether the format is supported for writing.
    pub fn is_written(self) -> bool {
        self.writer().is_some()
    }

    fn writer(self) -> Option<Writer> {
        match self {
            Self::Stl => Some(Writer {
                check: stl::check,
                write: stl::write,
            }),
            Self::Obj => Some(Writer {
                check: obj::check,
                write: obj::write,
            }),
            Self::Ply => Some(Writer {
                check: ply::check,
                write: ply::write,
            }),
            Self::Off => Some(Writer {
                check: off::check,
                write: off::write,
            }),
            Self::Vtu => Some(Writer {
                check: vtu::check,
                write: vtu::write,
            }),
            Self::Vtp => Some(Writer {
                check: vtp::check,
                write: vtp::write,
            }),
            Self::Msh => Some(Writer {
                check: msh::check,
                write: msh::write,
            }),
            Self::Vtk | Self::Inp | Self::ThreeMf | Self::Glb => None,
        }
    }
}

/// Reads a mesh in any supported format, chosen by the extension.
pub fn read(path: &Path) -> Result<Dataset, Error> {
    let format = Format::of(path).ok_or_else(|| unknown(path, |_| true))?;
    let bytes = std::fs::read(path).map_err(|source| Error::system(path, source))?;
    format.parse(&bytes).map_err(|fault| fault.in_file(path))
}

/// Writes a mesh in the format given by the extension, atomically: the file appears complete or not at all. Returns
/// what the format could not represent.
pub fn write(path: &Path, dataset: &Dataset) -> Result<Vec<Ignored>, Error> {
    write_with(path, dataset, Durability::Power)
}

/// Like [`write()`], with a chosen durability.
pub fn write_with(
    path: &Path,
    dataset: &Dataset,
    durability: Durability,
) -> Result<Vec<Ignored>, Error> {
    let format = Format::of(path).and_then(Format::writer);
    let writer = format.ok_or_else(|| unknown(path, Format::is_written))?;
    let checked = dataset.check().and_then(|()| (writer.check)(dataset));
    let left_out = checked.map_err(|fault| fault.in_file(path))?;
    output::write_durably(path, durability, |out| (writer.write)(dataset, out))?;
    Ok(left_out)
}

/// Returns an error if the extension is not that of a mesh format supported for writing.
pub fn check_output(path: &Path) -> Result<(), Error> {
    match Format::of(path) {
        Some(format) if format.is_written() => Ok(()),
        _ => Err(unknown(path, Format::is_written)),
    }
}

fn unknown(path: &Path, serves: impl Fn(Format) -> bool) -> Error {
    let names = Format::ALL
        .into_iter()
        .filter(|&format| serves(format))
        .map(Format::extension);
    let names: Vec<&str> = names.collect();

    Error::Format {
        path: path.to_owned(),
        reason: format!("unsupported mesh format; supported: {}", names.join(", ")),
    }
}
