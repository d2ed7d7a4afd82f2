//! Tables of numbers with one point, sphere or box per row.
//!
//! Named columns are interpreted by their names (`columns.rs`); a table that lacks a required column is an error.
//! Unnamed columns are interpreted by their number. As points, two columns are x, y, and the first three of more are
//! x, y, z. As bodies, three columns are discs x, y, r, four are spheres x, y, z, r, and six are boxes
//! xmin, ymin, zmin, xmax, ymax, zmax.

use crate::columns::Meaning;
use crate::{Ignored, ParseError};
use impinge::bound::Ball;
use impinge::space::{Aabb, Point};

/// Maximum relative difference between a diameter and twice the radius in a consistent table: f32 precision.
const SAME: f64 = 1e-6;

/// Rows of finite numbers, all of the same width, which is at least 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Column names, or empty if the file has none.
    pub names: Vec<String>,
    /// Number of columns.
    pub columns: usize,
    /// All numbers, row by row.
    pub values: Vec<f64>,
    /// Contents of the file that were not read.
    pub ignored: Vec<Ignored>,
}

impl Points {
    /// Creates a table of 3D points with columns x, y, z.
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

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Iterates over the rows.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.columns.max(1))
    }

    /// Interprets the rows as points.
    pub fn places(&self) -> Result<Places, ParseError> {
        let axes = match self.names.is_empty() {
            true => (0..self.columns.min(3)).collect(),
            false => {
                let meaning = self.meaning()?;
                meaning
                    .axes()
                    .ok_or_else(|| meaning.missing_columns("x, y, z"))?
            }
        };
        Ok(match axes[..] {
            [x, y, z] => Places::Space(self.points(&[x, y, z])),
            _ => Places::Plane(self.points(&[axes[0], axes[1]])),
        })
    }

    /// Interprets the rows as points, which must be 3D.
    pub fn coordinates(&self) -> Result<Vec<Point<3>>, ParseError> {
        match self.places()? {
            Places::Space(points) => Ok(points),
            Places::Plane(_) => Err(ParseError::whole(
                "these are points x, y of the plane; points of space need a third column z",
            )),
        }
    }

    /// Interprets the rows as spheres, discs or boxes.
    pub fn bodies(&self) -> Result<Bodies, ParseError> {
        if self.names.is_empty() {
            return match self.columns {
                3 => Ok(Bodies::Discs(self.balls(&[0, 1], self.column(2)))),
                4 => Ok(Bodies::Spheres(self.balls(&[0, 1, 2], self.column(3)))),
                6 => Ok(Bodies::Boxes(self.boxes(&[0, 1, 2], &[3, 4, 5]))),
                n => Err(ParseError::whole(format!(
                    "rows of {n} numbers without names are neither spheres (x,y,z,r), discs (x,y,r) nor boxes \
                     (xmin,ymin,zmin,xmax,ymax,zmax)"
                ))),
            };
        }

        let meaning = self.meaning()?;
        let radii = self.radii(&meaning)?;
        match (meaning.axes().as_deref(), radii, meaning.ends().as_deref()) {
            (Some(&[x, y]), Some(radii), _) => Ok(Bodies::Discs(self.balls(&[x, y], radii))),
            (Some(&[x, y, z]), Some(radii), _) => {
                Ok(Bodies::Spheres(self.balls(&[x, y, z], radii)))
            }
            (.., Some(&[a, b, c, d])) => Ok(Bodies::Rectangles(self.boxes(&[a, b], &[c, d]))),
            (.., Some(&[a, b, c, d, e, f])) => {
                Ok(Bodies::Boxes(self.boxes(&[a, b, c], &[d, e, f])))
            }
            _ => {
                Err(meaning
                    .missing_columns("spheres (x, y, z, r), discs (x, y, r) or boxes (xmin, …)"))
            }
        }
    }

    /// Interprets the names; the fields are public, so there may be more names than columns.
    fn meaning(&self) -> Result<Meaning, ParseError> {
        Meaning::of(&self.names[..self.names.len().min(self.columns)])
    }

    pub(crate) fn column(&self, column: usize) -> Vec<f64> {
        self.rows().map(|row| row[column]).collect()
    }

    /// Returns the radii, or half of the diameters.
    fn radii(&self, meaning: &Meaning) -> Result<Option<Vec<f64>>, ParseError> {
        let (radius, diameter) = meaning.sizes();
        if let (Some(r), Some(d)) = (radius, diameter) {
            let differ = |row: &[f64]| (2.0 * row[r] - row[d]).abs() > SAME * row[d].abs();
            if let Some(n) = self.rows().position(differ) {
                return Err(ParseError::whole(format!(
                    "row {n}: the diameter is not twice the radius"
                )));
            }
        }

        let halved = |d: usize| self.rows().map(|row| 0.5 * row[d]).collect();
        Ok(radius
            .map(|r| self.column(r))
            .or_else(|| diameter.map(halved)))
    }

    fn points<const D: usize>(&self, axes: &[usize; D]) -> Vec<Point<D>> {
        self.rows()
            .map(|row| Point::from(axes.map(|axis| row[axis])))
            .collect()
    }

    fn balls<const D: usize>(&self, axes: &[usize; D], radii: Vec<f64>) -> Vec<Ball<D>> {
        let centres = self.points(axes).into_iter();
        centres
            .zip(radii)
            .map(|(centre, radius)| Ball { centre, radius })
            .collect()
    }

    fn boxes<const D: usize>(&self, low: &[usize; D], up: &[usize; D]) -> Vec<Aabb<D>> {
        let corners = self.points(low).into_iter().zip(self.points(up));
        corners.map(|(min, max)| Aabb { min, max }).collect()
    }

    /// Returns the rows for a format without names: the known columns in the order in which they are read back,
    /// and the names of the columns left out.
    pub(crate) fn in_order(&self) -> Result<(Self, Vec<String>), ParseError> {
        if self.names.is_empty() {
            return Ok((self.clone(), Vec::new()));
        }

        let meaning = self.meaning()?;
        let (radius, diameter) = meaning.sizes();
        let (mut columns, radii) = match (meaning.axes(), meaning.ends()) {
            (Some(axes), _) => (axes, self.radii(&meaning)?),
            (None, Some(ends)) if ends.len() == 6 => (ends, None),
            (None, Some(_)) => {
                return Err(ParseError::whole(
                    "rectangles need names for their columns, which only CSV has",
                ));
            }
            (None, None) => {
                return Err(meaning.missing_columns("points (x, y, z) or boxes (xmin, …)"));
            }
        };
        let mut values = Vec::with_capacity(self.len() * (columns.len() + 1));

        for (n, row) in self.rows().enumerate() {
            values.extend(columns.iter().map(|&column| row[column]));
            values.extend(radii.as_ref().map(|radii| radii[n]));
        }

        let width = columns.len() + usize::from(radii.is_some());
        if radii.is_some() {
            columns.extend(radius.into_iter().chain(diameter));
        }

        let kept = Self {
            names: Vec::new(),
            columns: width,
            values,
            ignored: Vec::new(),
        };

        Ok((kept, meaning.others(&columns)))
    }
}

/// Points in two or three dimensions.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// x, y.
    Plane(Vec<Point<2>>),
    /// x, y, z.
    Space(Vec<Point<3>>),
}

/// Bodies in two or three dimensions.
#[derive(Clone, Debug, PartialEq)]
pub enum Bodies {
    /// x, y, r.
    Discs(Vec<Ball<2>>),
    /// x, y, z, r.
    Spheres(Vec<Ball<3>>),
    /// xmin, ymin, xmax, ymax.
    Rectangles(Vec<Aabb<2>>),
    /// xmin, ymin, zmin, xmax, ymax, zmax.
    Boxes(Vec<Aabb<3>>),
}

impl Bodies {
    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        match self {
            Self::Discs(bodies) => bodies.len(),
            Self::Spheres(bodies) => bodies.len(),
            Self::Rectangles(bodies) => bodies.len(),
            Self::Boxes(bodies) => bodies.len(),
        }
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
