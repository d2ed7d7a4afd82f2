//! Files of points, spheres or boxes: CSV, XYZ, NPY, LAMMPS files, or the nodes of any mesh.

use crate::columns::listed;
use crate::csv::{self, Column};
use crate::surface::note;
use crate::{
    Bodies, Error, Format, Ignored, ParseError, Points, Values, lammps, npy, output, read, table,
};
use std::path::Path;

/// Extensions supported for writing.
const WRITTEN: &str = "csv, tsv, txt, xyz, npy, data, dump";

/// The kinds of points files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Table,
    Xyz,
    Npy,
    Lammps,
    Nodes,
}

fn source(path: &Path) -> Option<Source> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "csv" | "tsv" | "txt" | "dat" => Some(Source::Table),
        "xyz" => Some(Source::Xyz),
        "npy" => Some(Source::Npy),
        "dump" | "lammpstrj" | "data" | "lmp" => Some(Source::Lammps),
        _ => Format::of(path).map(|_| Source::Nodes),
    }
}

/// Reads points from any supported file, chosen by the extension.
pub fn read_points(path: &Path) -> Result<Points, Error> {
    let source = source(path)
        .ok_or_else(|| unknown(path, "csv, tsv, txt, xyz, npy, dump, data, or a mesh's"))?;
    if source == Source::Nodes {
        let dataset = read(path)?;
        return Ok(Points {
            ignored: dataset.ignored,
            ..Points::of_space(&dataset.mesh.points)
        });
    }

    let bytes = std::fs::read(path).map_err(|source| Error::system(path, source))?;
    let points = match source {
        Source::Table => table::parse(&bytes),
        Source::Xyz => table::parse_xyz(&bytes),
        Source::Npy => npy::parse(&bytes).and_then(from_array),
        Source::Lammps | Source::Nodes => lammps::parse(&bytes).and_then(from_frames),
    };

    points.map_err(|fault| fault.in_file(path))
}

/// Reads the frames of a file or folder, in order: a LAMMPS dump, an NPY array of three dimensions
/// (frame, row, column), or the files of a folder by name. Any other file is one frame.
pub fn read_point_frames(path: &Path) -> Result<Vec<Points>, Error> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|source| Error::system(path, source))?;
        let mut files = Vec::new();
        for entry in entries {
            let file = entry.map_err(|source| Error::system(path, source))?.path();
            files.extend((file.is_file() && source(&file).is_some()).then_some(file));
        }
        files.sort();
        return files.iter().map(|file| read_points(file)).collect();
    }

    let frames = match source(path) {
        Some(Source::Npy) => {
            bytes_of(path).map(|bytes| npy::parse(&bytes).and_then(frames_of_array))?
        }
        Some(Source::Lammps) => bytes_of(path).map(|bytes| {
            lammps::parse(&bytes).and_then(|frames| {
                let one = |frame| from_frames(vec![frame]);
                frames.into_iter().map(one).collect()
            })
        })?,
        _ => return Ok(vec![read_points(path)?]),
    };

    frames.map_err(|fault| fault.in_file(path))
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::system(path, source))
}

/// Splits an array of three dimensions into its frames.
fn frames_of_array(array: npy::Array) -> Result<Vec<Points>, ParseError> {
    let &[frames, rows, columns] = array.shape.as_slice() else {
        return Ok(vec![from_array(array)?]);
    };
    let shape = vec![frames * rows, columns];
    let all = from_array(npy::Array {
        shape,
        values: array.values,
    })?;
    let each = rows * columns;
    let frame = |k: usize| Points {
        values: all.values[k * each..(k + 1) * each].to_vec(),
        ..all.clone()
    };

    Ok((0..frames).map(frame).collect())
}

/// Converts an array with one row per point.
fn from_array(array: npy::Array) -> Result<Points, ParseError> {
    let &[_, columns] = array.shape.as_slice() else {
        return Err(ParseError::whole(format!(
            "the array has {} dimensions; points need 2",
            array.shape.len()
        )));
    };

    if columns < 2 {
        return Err(ParseError::whole("points need at least 2 columns"));
    }

    let values = match array.values {
        Values::Real(values) => values,
        Values::Whole(values) => values.into_iter().map(|x| x as f64).collect(),
    };

    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(ParseError::whole(format!(
            "row {}, column {}: not finite",
            i / columns,
            i % columns
        ))),
        None => Ok(Points {
            names: Vec::new(),
            columns,
            values,
            ignored: Vec::new(),
        }),
    }
}

/// Returns the spheres of the first frame: x, y, z, radius.
fn from_frames(frames: Vec<lammps::ParticleData>) -> Result<Points, ParseError> {
    let further = frames.len().saturating_sub(1);
    let frame = frames
        .into_iter()
        .next()
        .ok_or_else(|| ParseError::whole("the file contains no frame"))?;
    let spheres = frame.centres.iter().zip(&frame.radii);
    let values = spheres
        .flat_map(|(centre, &radius)| [centre.x, centre.y, centre.z, radius])
        .collect();
    let mut ignored = frame.ignored;
    note(&mut ignored, "frames after the first", further);

    Ok(Points {
        names: ["x", "y", "z", "radius"].map(str::to_owned).to_vec(),
        columns: 4,
        values,
        ignored,
    })
}

/// Writes rows in the format given by the extension: CSV (with a header of names), XYZ or NPY (only the
/// numbers, in the order in which they are read back), or, for spheres, a LAMMPS data file or dump. Returns
/// what was left out.
pub fn write_points(path: &Path, points: &Points) -> Result<Vec<Ignored>, Error> {
    let ordered = || points.in_order().map_err(|fault| fault.in_file(path));
    let lost = match source(path) {
        Some(Source::Table) => {
            output::write_atomically(path, |out| csv::write(&columns_of(points), out))?;
            Vec::new()
        }
        Some(Source::Xyz) => {
            let (points, lost) = ordered()?;
            output::write_atomically(path, |out| {
                points.rows().try_for_each(|row| {
                    let words: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
                    writeln!(out, "{}", words.join(" "))
                })
            })?;
            lost
        }
        Some(Source::Npy) => {
            let (points, lost) = ordered()?;
            let shape = [points.len(), points.columns];
            output::write_atomically(path, |out| {
                npy::write_parts(&shape, npy::ArraySlice::Real(&points.values), out)
            })?;
            lost
        }
        Some(Source::Lammps) => {
            let particles = spheres_of(points).map_err(|fault| fault.in_file(path))?;
            lammps::write_particles(path, &[particles])?;
            ordered()?.1
        }
        _ => return Err(unknown(path, WRITTEN)),
    };

    let mut ignored = Vec::new();
    let what = format!("columns ({})", listed(&lost));
    note(&mut ignored, &what, lost.len());
    Ok(ignored)
}

/// Returns an error if the extension is not that of a points format supported for writing.
pub fn check_points_output(path: &Path) -> Result<(), Error> {
    match source(path) {
        None | Some(Source::Nodes) => Err(unknown(path, WRITTEN)),
        Some(_) => Ok(()),
    }
}

fn spheres_of(points: &Points) -> Result<lammps::ParticleData, ParseError> {
    let Bodies::Spheres(spheres) = points.bodies()? else {
        return Err(ParseError::whole(
            "LAMMPS files contain spheres: x, y, z and r",
        ));
    };
    let radii = spheres.iter().map(|sphere| sphere.radius).collect();
    let centres = spheres.iter().map(|sphere| sphere.centre).collect();

    Ok(lammps::ParticleData::of_spheres(centres, radii))
}

fn columns_of(points: &Points) -> Vec<(String, Column)> {
    let name = |i: usize| {
        points
            .names
            .get(i)
            .cloned()
            .unwrap_or_else(|| table::number_name(i))
    };
    (0..points.columns)
        .map(|i| (name(i), Column::Real(points.column(i))))
        .collect()
}

fn unknown(path: &Path, known: &str) -> Error {
    Error::Format {
        path: path.to_owned(),
        reason: format!("unsupported points format; supported: {known}"),
    }
}

#[cfg(test)]
mod tests;
