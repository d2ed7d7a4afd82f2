//! Tables of numbers, one point (or sphere, or box) to a row: from CSV, XYZ, NPY, LAMMPS files or the nodes of any
//! mesh.

use crate::csv::{self, Column};
use crate::{Error, Fault, Format, Ignored, Values, lammps, npy, output, read, table};
use impinge::space::Point;
use std::path::Path;

/// Rows of finite numbers, all of the same width, which is 2 at least.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Names of the columns, where the file gives them; else none.
    pub names: Vec<String>,
    /// Numbers in a row.
    pub columns: usize,
    /// All numbers, those of a row side by side.
    pub values: Vec<f64>,
    /// What the file holds that was not read.
    pub ignored: Vec<Ignored>,
}

impl Points {
    /// Points of space, named x, y, z.
    pub fn of_space(points: &[Point<3>]) -> Self {
        let values = points
            .iter()
            .flat_map(|point| [point.x, point.y, point.z])
            .collect();
        Self {
            names: ["x", "y", "z"].map(str::to_owned).to_vec(),
            columns: 3,
            values,
            ignored: Vec::new(),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The rows.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.columns.max(1))
    }

    /// Which column has the name, whatever its case.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names
            .iter()
            .take(self.columns)
            .position(|other| other.eq_ignore_ascii_case(name))
    }

    /// The points themselves: the columns named x, y and z, or else the first three; without a third, z = 0.
    pub fn coordinates(&self) -> Vec<Point<3>> {
        let (x, y) = self.column("x").zip(self.column("y")).unwrap_or((0, 1));
        let by_name = (x, y) != (0, 1) || self.column("z").is_some();
        let z = if by_name {
            self.column("z")
        } else {
            (self.columns > 2).then_some(2)
        };
        self.rows()
            .map(|row| Point::from([row[x], row[y], z.map_or(0.0, |z| row[z])]))
            .collect()
    }
}

/// Extensions of what is written.
const WRITTEN: &str = "csv, tsv, txt, xyz, npy, data, dump";

/// What a points file may be.
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

/// Reads the points of any file that has some, by its extension.
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

/// An array with one row for each point.
fn from_array(array: npy::Array) -> Result<Points, Fault> {
    let &[_, columns] = array.shape.as_slice() else {
        return Err(Fault::whole(format!(
            "the array has {} dimensions; points need 2",
            array.shape.len()
        )));
    };
    if columns < 2 {
        return Err(Fault::whole("points need 2 columns at least"));
    }
    let values = match array.values {
        Values::Real(values) => values,
        Values::Whole(values) => values.into_iter().map(|x| x as f64).collect(),
    };
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Fault::whole(format!(
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

/// The spheres of the first frame: x, y, z, radius.
fn from_frames(frames: Vec<lammps::Particles>) -> Result<Points, Fault> {
    let further = frames.len().saturating_sub(1);
    let frame = frames
        .into_iter()
        .next()
        .ok_or_else(|| Fault::whole("the file holds no frame"))?;
    let spheres = frame.centres.iter().zip(&frame.radii);
    let values = spheres
        .flat_map(|(centre, &radius)| [centre.x, centre.y, centre.z, radius])
        .collect();
    let mut ignored = frame.ignored;
    crate::surface::note(&mut ignored, "frames after the first", further);
    Ok(Points {
        names: ["x", "y", "z", "radius"].map(str::to_owned).to_vec(),
        columns: 4,
        values,
        ignored,
    })
}

/// Writes rows as CSV (with the names as header), XYZ (the numbers alone), NPY or, where they are spheres x, y, z,
/// radius, a LAMMPS data file or dump, by the extension.
pub fn write_points(path: &Path, points: &Points) -> Result<(), Error> {
    match source(path) {
        Some(Source::Table) => {
            output::write_atomically(path, |out| csv::write(&columns_of(points), out))
        }
        Some(Source::Xyz) => output::write_atomically(path, |out| {
            points.rows().try_for_each(|row| {
                let words: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
                writeln!(out, "{}", words.join(" "))
            })
        }),
        Some(Source::Npy) => output::write_atomically(path, |out| {
            npy::write_parts(
                &[points.len(), points.columns],
                npy::Part::Real(&points.values),
                out,
            )
        }),
        Some(Source::Lammps) => {
            let particles = spheres_of(points).map_err(|fault| fault.in_file(path))?;
            lammps::write_particles(path, &[particles])
        }
        _ => Err(unknown(path, WRITTEN)),
    }
}

/// Refuses a path whose extension names no format of points that is written.
pub fn check_points_output(path: &Path) -> Result<(), Error> {
    match source(path) {
        None | Some(Source::Nodes) => Err(unknown(path, WRITTEN)),
        Some(_) => Ok(()),
    }
}

/// The rows as spheres: the column named r or radius, or else the fourth of four, is the radius.
fn spheres_of(points: &Points) -> Result<lammps::Particles, Fault> {
    let named = points.column("radius").or(points.column("r"));
    let radius = named.or((points.columns == 4).then_some(3));
    let radius = radius
        .ok_or_else(|| Fault::whole("spheres need a radius: a column named r, or x,y,z,r"))?;
    let radii = points.rows().map(|row| row[radius]).collect();
    Ok(lammps::Particles::of_spheres(points.coordinates(), radii))
}

fn columns_of(points: &Points) -> Vec<(String, Column)> {
    let name = |i: usize| {
        points
            .names
            .get(i)
            .cloned()
            .unwrap_or_else(|| format!("c{i}"))
    };
    let values = |i: usize| points.rows().map(|row| row[i]).collect();
    (0..points.columns)
        .map(|i| (name(i), Column::Real(values(i))))
        .collect()
}

fn unknown(path: &Path, known: &str) -> Error {
    Error::Format {
        path: path.to_owned(),
        reason: format!(
            "the extension names no format of points that will do here; these do: {known}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spheres() -> Points {
        Points {
            names: ["x", "y", "z", "r"].map(str::to_owned).to_vec(),
            columns: 4,
            values: vec![0.1, -2.0, 1e-300, 1.0, 0.30000000000000004, 5.0, 1e300, 2.0],
            ignored: Vec::new(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, named) in [
            ("a.csv", true),
            ("a.tsv", true),
            ("a.xyz", false),
            ("a.NPY", false),
        ] {
            let path = folder.path().join(name);
            write_points(&path, &spheres()).expect("writes");
            let read = read_points(&path).expect("reads");
            assert_eq!(read.values, spheres().values, "{name}");
            assert_eq!(
                read.names,
                if named { spheres().names } else { Vec::new() },
                "{name}"
            );
        }
    }

    #[test]
    fn the_nodes_of_a_mesh_are_points() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.obj");
        std::fs::write(&path, "v 0 0 0\nv 1 2 3\nvn 0 0 1\n").expect("writes");
        let points = read_points(&path).expect("reads");
        assert_eq!((points.len(), points.columns), (2, 3));
        assert_eq!(points.ignored[0].what, "vertex normals");
        assert_eq!(points.coordinates()[1], Point::from([1.0, 2.0, 3.0]));
    }

    #[test]
    fn spheres_go_through_lammps_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let spheres = Points {
            values: vec![0.1, -2.0, 3.0, 1.0, 0.3, 5.0, 7.0, 2.0],
            ..spheres()
        };
        for name in ["bed.data", "bed.dump"] {
            let path = folder.path().join(name);
            write_points(&path, &spheres).expect("writes");
            assert_eq!(
                read_points(&path).expect("reads").values,
                spheres.values,
                "{name}"
            );
        }
        let flat = Points {
            columns: 2,
            ..spheres
        };
        assert!(write_points(&folder.path().join("flat.data"), &flat).is_err());
    }

    #[test]
    fn coordinates_are_found_by_name_or_place() {
        let mut points = spheres();
        assert_eq!(points.coordinates()[0], Point::from([0.1, -2.0, 1e-300]));
        points.names = ["id", "X", "Y", "Z"].map(str::to_owned).to_vec();
        assert_eq!(points.coordinates()[0], Point::from([-2.0, 1e-300, 1.0]));
        points.names = ["x", "y", "r", "s"].map(str::to_owned).to_vec();
        assert_eq!(
            points.coordinates()[0].z,
            1e-300,
            "the third column, as no name says z"
        );
    }

    #[test]
    fn an_unknown_extension_is_told_what_would_do() {
        let error = read_points(Path::new("a.bin")).unwrap_err().to_string();
        assert!(error.contains("these do: csv"), "{error}");
    }
}
