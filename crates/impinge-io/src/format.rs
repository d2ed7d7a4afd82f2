//! Mesh formats and their extensions.

use std::path::Path;

/// The mesh formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Self-explanatory names.
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
    ThreeMf,
    Glb,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 11] = [
        Self::Stl,
        Self::Obj,
        Self::Ply,
        Self::Off,
        Self::Msh,
        Self::Vtk,
        Self::Vtu,
        Self::Vtp,
        Self::Inp,
        Self::ThreeMf,
        Self::Glb,
    ];

    /// Returns the usual file extension.
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
            Self::ThreeMf => "3mf",
            Self::Glb => "glb",
        }
    }

    /// Returns the format for a path's extension.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.extension() == extension)
    }
}
