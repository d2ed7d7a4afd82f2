//! Spheres with sizes and motion, from tables, LAMMPS files or the points of a VTK file.
//!
//! Named columns and fields are found by name, in any case: `vx`, `v_x`, `velocity:0` for velocities; `omegax`, `wx`,
//! `spin_x`, `angular_velocity:0` for spins; `type`, `material` or `species` for kinds. Without names, rows are x y z,
//! x y z r, x y z r vx vy vz, or these ten with the spin.

use crate::columns::listed;
use crate::{
    Bodies, Dataset, Error, Field, Format, Ignored, ParseError, Points, Values, lammps, read,
    read_points,
};
use impinge::space::Point;
use std::path::Path;

/// Names of velocity, spin and kind, in lower case and without separators.
const VELOCITY: [&str; 4] = ["v", "vel", "velocity", "velocities"];
const SPIN: [&str; 6] = ["omega", "w", "spin", "spins", "angularvelocity", "angvel"];
const KIND: [&str; 4] = ["type", "material", "species", "kind"];

/// Spheres as read from a file. Lists that the file does not have are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spheres {
    /// Centres.
    pub centres: Vec<Point<3>>,
    /// Radii, positive.
    pub radii: Vec<f64>,
    /// Velocities.
    pub velocities: Vec<[f64; 3]>,
    /// Angular velocities.
    pub spins: Vec<[f64; 3]>,
    /// Kinds, as numbers from `first_kind` on.
    pub kinds: Vec<i64>,
    /// The number of the first kind: 1 for types, as in LAMMPS, 0 for materials.
    pub first_kind: i64,
    /// Contents of the file that were not read.
    pub ignored: Vec<Ignored>,
}

/// Reads spheres: CSV, XYZ or NPY tables, LAMMPS data files, the last frame of LAMMPS dumps, or the points of VTP, VTU
/// and VTK files with fields such as `radius` and `velocity`.
pub fn read_spheres(path: &Path) -> Result<Spheres, Error> {
    let spheres = if is_lammps(path) {
        of_frames(lammps::read_particles(path)?)
    } else if Format::of(path).is_some() {
        of_dataset(read(path)?)
    } else {
        of_table(read_points(path)?)
    };

    let spheres = spheres.and_then(Spheres::checked);
    spheres.map_err(|fault| fault.in_file(path))
}

fn is_lammps(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.map(str::to_ascii_lowercase);
    matches!(
        extension.as_deref(),
        Some("dump" | "lammpstrj" | "data" | "lmp")
    )
}

impl Spheres {
    /// Reports the first radius that is not positive.
    fn checked(self) -> Result<Self, ParseError> {
        let bad = self.radii.iter().position(|r| !(*r > 0.0 && r.is_finite()));
        match bad {
            Some(n) => Err(ParseError::whole(format!(
                "sphere {n} has the radius {}; it must be positive",
                self.radii[n]
            ))),
            None => Ok(self),
        }
    }
}

fn of_frames(frames: Vec<lammps::ParticleData>) -> Result<Spheres, ParseError> {
    let last = frames.into_iter().next_back();
    let frame = last.ok_or_else(|| ParseError::whole("the file contains no frame"))?;

    // Dumps need not be in the order of ids, which is that of the run that wrote them.
    let mut order: Vec<usize> = (0..frame.centres.len()).collect();
    order.sort_by_key(|&i| frame.ids[i]);
    let vectors = |name: &str| -> Vec<[f64; 3]> {
        let rows = frame.field(name).and_then(vectors_of).unwrap_or_default();
        if rows.is_empty() {
            return rows;
        }
        order.iter().map(|&i| rows[i]).collect()
    };

    Ok(Spheres {
        velocities: vectors("velocity"),
        spins: vectors("spin"),
        centres: order.iter().map(|&i| frame.centres[i]).collect(),
        radii: order.iter().map(|&i| frame.radii[i]).collect(),
        kinds: order.iter().map(|&i| frame.kinds[i].into()).collect(),
        first_kind: 1,
        ignored: frame.ignored,
    })
}

fn of_dataset(dataset: Dataset) -> Result<Spheres, ParseError> {
    let named = |names: &[&str]| {
        let fields = dataset.point_fields.iter();
        fields
            .filter(|field| names.contains(&plain(&field.name).as_str()))
            .collect::<Vec<_>>()
    };
    let scalars = |names: &[&str]| {
        let of = |field: &&Field| (field.components == 1).then(|| reals(&field.values));
        named(names).iter().find_map(of)
    };
    let vectors = |names: &[&str]| {
        named(names)
            .into_iter()
            .find_map(vectors_of)
            .unwrap_or_default()
    };

    let diameters = || {
        let diameters = scalars(&["diameter", "d"])?;
        Some(diameters.iter().map(|d| 0.5 * d).collect())
    };
    let kinds = named(&KIND).into_iter().find_map(|field| {
        let values = reals(&field.values);
        (field.components == 1).then(|| (plain(&field.name), values))
    });

    let (first_kind, kinds) = match kinds {
        Some((name, values)) => (first_kind(&name), whole(&values)?),
        None => (0, Vec::new()),
    };
    Ok(Spheres {
        radii: scalars(&["radius", "radii", "r"])
            .or_else(diameters)
            .unwrap_or_default(),
        velocities: vectors(&VELOCITY),
        spins: vectors(&SPIN),
        kinds,
        first_kind,
        centres: dataset.mesh.points,
        ignored: dataset.ignored,
    })
}

fn of_table(table: Points) -> Result<Spheres, ParseError> {
    if table.names.is_empty() {
        return of_plain_rows(&table);
    }

    let centres = table.coordinates()?;
    let radii = match table.bodies() {
        Ok(Bodies::Spheres(balls)) => balls.iter().map(|ball| ball.radius).collect(),
        _ => Vec::new(),
    };
    let kind = (0..table.names.len()).find(|&n| KIND.contains(&plain(&table.names[n]).as_str()));
    let kinds = kind.map_or_else(|| Ok(Vec::new()), |n| whole(&table.column(n)))?;

    Ok(Spheres {
        velocities: columns(&table, &VELOCITY)?,
        spins: columns(&table, &SPIN)?,
        first_kind: kind.map_or(0, |n| first_kind(&plain(&table.names[n]))),
        kinds,
        centres,
        radii,
        ignored: table.ignored,
    })
}

fn of_plain_rows(table: &Points) -> Result<Spheres, ParseError> {
    if !matches!(table.columns, 3 | 4 | 7 | 10) {
        return Err(ParseError::whole(format!(
            "rows of {} unnamed numbers are not spheres; supported rows: x y z, x y z r, x y z r \
             vx vy vz, or these and the spin",
            table.columns
        )));
    }

    let three = |first: usize| -> Vec<[f64; 3]> {
        let rows = table.rows().filter(|row| row.len() >= first + 3);
        rows.map(|row| [row[first], row[first + 1], row[first + 2]])
            .collect()
    };
    Ok(Spheres {
        centres: three(0).into_iter().map(Point::from).collect(),
        radii: match table.columns {
            3 => Vec::new(),
            _ => table.column(3),
        },
        velocities: three(4),
        spins: three(7),
        ignored: table.ignored.clone(),
        ..Spheres::default()
    })
}

/// Returns three columns whose names are one of these with an axis; empty if there are none.
fn columns(table: &Points, names: &[&str]) -> Result<Vec<[f64; 3]>, ParseError> {
    let axis_of = |name: &String| {
        let name = plain(name);
        let last = name.chars().next_back()?;
        let axis = "xyz".find(last).or_else(|| "012".find(last))?;
        names
            .contains(&&name[..name.len() - last.len_utf8()])
            .then_some(axis)
    };
    let mut found = [None; 3];
    for (column, name) in table.names.iter().enumerate() {
        if let Some(axis) = axis_of(name)
            && found[axis].replace(column).is_some()
        {
            return Err(ParseError::whole(format!(
                "two columns mean the same as '{name}'"
            )));
        }
    }

    match found {
        [None, None, None] => Ok(Vec::new()),
        [Some(x), Some(y), Some(z)] => {
            Ok(table.rows().map(|row| [row[x], row[y], row[z]]).collect())
        }
        _ => Err(ParseError::whole(format!(
            "a velocity or spin lacks one of its components; the columns are {}",
            listed(&table.names)
        ))),
    }
}

/// Returns a name in lower case, without separators and unit.
fn plain(name: &str) -> String {
    let name = name.split(['[', '(', '/']).next().unwrap_or_default();
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Types count from 1, as in LAMMPS; materials from 0, as in the frames of a run.
fn first_kind(name: &str) -> i64 {
    i64::from(name == "type")
}

fn vectors_of(field: &Field) -> Option<Vec<[f64; 3]>> {
    let values = reals(&field.values);
    (field.components == 3).then(|| values.as_chunks::<3>().0.to_vec())
}

fn reals(values: &Values) -> Vec<f64> {
    match values {
        Values::Real(values) => values.clone(),
        Values::Whole(values) => values.iter().map(|&x| x as f64).collect(),
    }
}

fn whole(values: &[f64]) -> Result<Vec<i64>, ParseError> {
    let bad = values.iter().find(|x| x.fract() != 0.0 || x.abs() > 1e9);
    match bad {
        Some(x) => Err(ParseError::whole(format!(
            "the type or material {x} is not a whole number"
        ))),
        None => Ok(values.iter().map(|x| *x as i64).collect()),
    }
}

#[cfg(test)]
mod tests;
