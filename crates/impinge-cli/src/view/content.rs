//! Content of the page: the folder of a run, or the result of another command in memory.

use super::exhibit::Exhibit;
use super::manifest::Manifest;
use super::pack::{Packed, Precision};
use super::run_folder::RunFolder;
use std::path::Path;

pub(super) enum Content {
    Run(RunFolder),
    Exhibit(Exhibit),
}

impl Content {
    pub(super) fn manifest(&self) -> Manifest {
        match self {
            Self::Run(folder) => folder.manifest(),
            Self::Exhibit(exhibit) => exhibit.manifest(),
        }
    }

    /// Packs a frame by its path in the manifest.
    pub(super) fn packed(&self, path: &str, precision: Precision) -> anyhow::Result<Packed> {
        match self {
            Self::Run(folder) => folder.packed(path, precision),
            Self::Exhibit(exhibit) => exhibit.packed(path, precision),
        }
    }

    /// Returns the folder whose files may be read.
    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Run(folder) => Some(folder.path()),
            Self::Exhibit(_) => None,
        }
    }
}
