//! LAMMPS files of spheres: `data` with atom style sphere, and `dump custom`. OVITO opens both.

mod data;
mod dump;

pub use data::{parse_data, write_data};
pub use dump::{parse_dump, write_frame};

use crate::text::{Lines, finite, shown, whole};
use crate::{Error, Field, Ignored, ParseError, Values, output};
use impinge::space::Point;
use std::path::Path;

/// Spheres at one time step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleData {
    /// Time step number.
    pub step: u64,
    /// Lower corner of the box.
    pub low: [f64; 3],
    /// Upper corner of the box.
    pub up: [f64; 3],
    /// Which axes are periodic; stored only in dumps.
    pub periodic: [bool; 3],
    /// Ids of the spheres, from 1.
    pub ids: Vec<u64>,
    /// Atom types of the spheres, from 1.
    pub kinds: Vec<u32>,
    /// Centres.
    pub centres: Vec<Point<3>>,
    /// Radii, non-negative.
    pub radii: Vec<f64>,
    /// Additional fields: `velocity`, `spin`, `force`, `torque` (three each), `density`, or a column by its name.
    pub fields: Vec<Field>,
    /// Contents of the file that were not read.
    pub ignored: Vec<Ignored>,
}

/// Vectors whose components have standard names in LAMMPS and OVITO.
const VECTORS: [(&str, [&str; 3]); 4] = [
    ("velocity", ["vx", "vy", "vz"]),
    ("spin", ["omegax", "omegay", "omegaz"]),
    ("force", ["fx", "fy", "fz"]),
    ("torque", ["tqx", "tqy", "tqz"]),
];

impl ParticleData {
    /// Creates spheres of one type, numbered from 1, in their bounding box.
    pub fn of_spheres(centres: Vec<Point<3>>, radii: Vec<f64>) -> Self {
        let ends = |axis: usize| {
            let spheres = || centres.iter().zip(&radii);
            let low = spheres()
                .map(|(centre, radius)| centre[axis] - radius)
                .fold(f64::INFINITY, f64::min);
            let up = spheres()
                .map(|(centre, radius)| centre[axis] + radius)
                .fold(f64::NEG_INFINITY, f64::max);
            if low <= up { (low, up) } else { (0.0, 0.0) }
        };
        let ends = [0, 1, 2].map(ends);
        let (low, up) = (ends.map(|(low, _)| low), ends.map(|(_, up)| up));
        let (ids, kinds) = ((1..=centres.len() as u64).collect(), vec![1; centres.len()]);

        Self {
            low,
            up,
            ids,
            kinds,
            centres,
            radii,
            ..Self::default()
        }
    }

    /// Returns a field by name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Checks that all lists have the same length and all numbers are finite.
    pub fn check(&self) -> Result<(), ParseError> {
        let count = self.centres.len();
        let lengths = [
            ("ids", self.ids.len()),
            ("kinds", self.kinds.len()),
            ("radii", self.radii.len()),
        ];

        if let Some((name, length)) = lengths.into_iter().find(|&(_, length)| length != count) {
            return Err(ParseError::whole(format!(
                "there are {length} {name} for {count} centres"
            )));
        }

        self.fields
            .iter()
            .try_for_each(|field| field.check(count))?;
        let is_good = |i: &usize| {
            self.centres[*i].iter().all(|x| x.is_finite())
                && self.radii[*i] >= 0.0
                && self.radii[*i].is_finite()
        };

        match (0..count).find(|i| !is_good(i)) {
            Some(i) => Err(ParseError::whole(format!(
                "sphere {i} has no finite centre and radius"
            ))),
            None => Ok(()),
        }
    }

    /// Combines columns such as vx, vy, vz into vector fields.
    fn join_vectors(&mut self) {
        for (name, parts) in VECTORS {
            let places = parts.map(|part| self.fields.iter().position(|field| field.name == part));
            let [Some(x), Some(y), Some(z)] = places else {
                continue;
            };
            let part = |place: usize| match &self.fields[place].values {
                Values::Real(values) => values.clone(),
                Values::Whole(values) => values.iter().map(|&x| x as f64).collect(),
            };
            let (xs, ys, zs) = (part(x), part(y), part(z));
            let rows: Vec<[f64; 3]> = (0..xs.len()).map(|i| [xs[i], ys[i], zs[i]]).collect();
            self.fields[x] = Field::vector(name, &rows);

            self.fields
                .retain(|field| !parts.contains(&field.name.as_str()));
        }
    }
}

/// Parses a file of either kind: all frames of a dump, or the single one of a data file.
pub fn parse(bytes: &[u8]) -> Result<Vec<ParticleData>, ParseError> {
    match bytes.trim_ascii_start().starts_with(b"ITEM:") {
        true => parse_dump(bytes),
        false => parse_data(bytes).map(|particles| vec![particles]),
    }
}

/// Reads the spheres of a dump (all frames) or a data file.
pub fn read_particles(path: &Path) -> Result<Vec<ParticleData>, Error> {
    let bytes = std::fs::read(path).map_err(|source| Error::system(path, source))?;
    parse(&bytes).map_err(|fault| fault.in_file(path))
}

/// Writes frames: a data file (one frame) if the extension is `data` or `lmp`, otherwise a dump.
pub fn write_particles(path: &Path, frames: &[ParticleData]) -> Result<(), Error> {
    frames
        .iter()
        .try_for_each(ParticleData::check)
        .map_err(|fault| fault.in_file(path))?;
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();

    match (
        ["data", "lmp"].contains(&extension.to_ascii_lowercase().as_str()),
        frames,
    ) {
        (true, [frame]) => output::write_atomically(path, |out| write_data(frame, out)),
        (true, _) => Err(ParseError::whole(format!(
            "a data file contains one frame, not {}",
            frames.len()
        ))
        .in_file(path)),

        (false, _) => output::write_atomically(path, |out| {
            frames.iter().try_for_each(|frame| write_frame(frame, out))
        }),
    }
}

/// Returns the next non-empty line, or an error that says what is missing.
fn next_line<'a>(lines: &mut Lines<'a>, what: &str) -> Result<&'a [u8], ParseError> {
    lines
        .next_filled()
        .ok_or_else(|| lines.fault(format!("the file ends where {what} should be")))
}

fn number(lines: &Lines, word: Option<&[u8]>, what: &str) -> Result<f64, ParseError> {
    let word = word.ok_or_else(|| lines.fault(format!("{what} is missing")))?;
    finite(word).map_err(|reason| lines.fault(format!("{what}: {reason}")))
}

fn count<T: std::str::FromStr>(
    lines: &Lines,
    word: Option<&[u8]>,
    what: &str,
) -> Result<T, ParseError> {
    let word = word.ok_or_else(|| lines.fault(format!("{what} is missing")))?;
    whole(word).ok_or_else(|| lines.fault(format!("{} is not a valid {what}", shown(word))))
}

/// Returns an error if the file is too short for the number of rows.
fn announce(lines: &Lines, rows: u64, words: usize) -> Result<(), ParseError> {
    let held = lines.rest().len() as u64 + 1;
    match rows.checked_mul(2 * words as u64) {
        Some(needed) if needed <= held => Ok(()),
        _ => Err(lines.fault(format!(
            "{rows} atoms are declared, but only {} bytes follow",
            held - 1
        ))),
    }
}

#[cfg(test)]
mod tests;
