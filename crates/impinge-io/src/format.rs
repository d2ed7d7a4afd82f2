//! Which format a file has, and the one door for each direction.

use crate::{Dataset, Error, Fault};
use std::path::Path;

/// The mesh formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Each variant is the format of that name.
pub enum Format {
    Stl,
    Obj,
    Ply,
    Off,
    Msh,
    Vtk,
    Vtu,
    Vtp,
    Inp,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 9] =
        [Self::Stl, Self::Obj, Self::Ply, Self::Off, Self::Msh, Self::Vtk, Self::Vtu, Self::Vtp, Self::Inp];

    /// Its usual extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Stl => "stl",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Msh => "msh",
            Self::Vtk => "vtk",
            Self::Vtu => "vtu",
            Self::Vtp => "vtp",
            Self::Inp => "inp",
        }
    }

    /// The format that a path's extension names.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.extension() == extension)
    }

    /// The reader of the format, from bytes.
    pub fn parse(self, bytes: &[u8]) -> Result<Dataset, Fault> {
        let _ = bytes;
        Err(Fault::whole(format!("reading .{} is not built yet", self.extension())))
    }
}

/// Reads a mesh of any supported format, by its extension.
pub fn read(path: &Path) -> Result<Dataset, Error> {
    let format = Format::of(path).ok_or_else(|| unknown(path))?;
    let bytes = std::fs::read(path).map_err(|source| Error::system(path, source))?;
    format.parse(&bytes).map_err(|fault| fault.in_file(path))
}

/// Writes a mesh in the format that the extension names; the file appears complete or not at all.
pub fn write(path: &Path, dataset: &Dataset) -> Result<(), Error> {
    let _ = dataset;
    Err(unknown(path))
}

fn unknown(path: &Path) -> Error {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.extension()).collect();
    Error::Format {
        path: path.to_owned(),
        reason: format!("the extension names no mesh format; known are {}", known.join(", ")),
    }
}
