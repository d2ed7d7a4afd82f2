//! A surface prepared by any of the methods, and location of lists of points in it.

use super::order;
use super::potential::direct;
use super::report::{Locate, Report};
use super::{
    CellsOptions, InsideMethod, InsideOptions, InvalidMultipole, LabelledCells, Multipole,
    PointGrid, Position, Potential, RayCrossing,
};
use crate::parallel::prelude::*;
use crate::shape::Surface;
use crate::space::Point;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Points per task: a few hundred microseconds of work for the fast methods.
const CHUNK: usize = 1024;

/// Error: a row of the points contains a NaN or an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("point {row} has a coordinate that is NaN or infinite")]
#[non_exhaustive]
pub struct NotFinite {
    /// The first such row, counted from 0.
    pub row: usize,
}

/// A located point, and how it was decided.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Located {
    /// The position, with the feature that a boundary point is on.
    pub position: Position,
    /// J before rounding; `None` beyond the bounding box, with methods that do not compute it, and where
    /// the point is too close to a triangle for it.
    pub potential: Option<f64>,
    /// Whether ray crossing decided.
    pub decided_by_ray: bool,
}

impl Default for Located {
    fn default() -> Self {
        Self {
            position: Position::Outside,
            potential: None,
            decided_by_ray: false,
        }
    }
}

/// A closed surface, prepared to locate points. It is in the body's own frame: for a moving body,
/// transform the points with [`Pose::to_local`](crate::space::Pose::to_local) and reuse the
/// prepared surface.
///
/// ```
/// use impinge::inside::{Inside, InsideOptions, Position};
/// use impinge::shape::{Feature, Surface};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = Surface::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let inside = Inside::new(tetrahedron, &InsideOptions::default())?;
/// let points = [[0.1, 0.1, 0.1], [0.6, 0.6, 0.6], [0.5, 0.5, 0.0]].map(Into::into);
/// let mut positions = Vec::new();
/// let report = inside.positions(&points, &mut positions)?;
/// assert_eq!(positions, [Position::Inside, Position::Outside, Position::On(Feature::Edge([1, 2]))]);
/// assert_eq!((report.inside, report.outside, report.boundary), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "point in polyhedron")]
#[doc(alias = "point in polygon")]
#[doc(alias = "containment")]
#[doc(alias = "signed distance")]
pub struct Inside {
    surface: Arc<Surface>,
    prepared: Prepared,
    nodes: OnceLock<Vec<u32>>,
}

#[derive(Clone, Debug)]
enum Prepared {
    Cells(Box<LabelledCells>),
    Ray(RayCrossing),
    Potential(Potential),
    Multipole(Box<Multipole>),
}

impl Inside {
    /// Prepares the surface. Only the options of the multipole method can be invalid.
    pub fn new(
        surface: impl Into<Arc<Surface>>,
        options: &InsideOptions,
    ) -> Result<Self, InvalidMultipole> {
        let surface = surface.into();
        let prepared =
            match options.method {
                InsideMethod::Auto => Prepared::Cells(Box::new(LabelledCells::new(
                    surface.clone(),
                    CellsOptions::default(),
                ))),
                InsideMethod::Ray => {
                    Prepared::Ray(RayCrossing::with_tree(surface.clone(), options.seed))
                }
                InsideMethod::RayAll => {
                    Prepared::Ray(RayCrossing::over_all_faces(surface.clone(), options.seed))
                }
                InsideMethod::Potential => {
                    Prepared::Potential(Potential::new(surface.clone(), options.seed))
                }
                InsideMethod::Multipole(multipole) => Prepared::Multipole(Box::new(
                    Multipole::new(surface.clone(), &multipole, options.seed)?,
                )),
            };

        Ok(Self {
            surface,
            prepared,
            nodes: OnceLock::new(),
        })
    }

    /// Returns the surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Returns the indices of the points that triangles use, sorted.
    pub fn nodes(&self) -> &[u32] {
        self.nodes.get_or_init(|| {
            let mut used = vec![false; self.surface.points().len()];
            self.surface
                .triangles()
                .as_flattened()
                .iter()
                .for_each(|&n| used[n as usize] = true);
            (0..)
                .zip(used)
                .filter(|(_, used)| *used)
                .map(|(n, _)| n)
                .collect()
        })
    }

    /// Locates the points in parallel; the results do not depend on the number of threads. Points
    /// beyond the bounding box are immediately classified as outside.
    pub fn positions(
        &self,
        points: &[Point<3>],
        out: &mut Vec<Position>,
    ) -> Result<Report, NotFinite> {
        check_finite(points)?;
        if let Prepared::Cells(cells) = &self.prepared {
            cells.positions(points, out);
            return Ok(Report::of(out));
        }

        out.clear();
        out.resize(points.len(), Position::Outside);
        Ok(self.fill(points, out))
    }

    /// Locates the points of a grid: the same result as [`Inside::positions`] of
    /// [`PointGrid::points`], but faster if the method can fill whole columns.
    pub fn grid(&self, grid: &PointGrid, out: &mut Vec<Position>) -> Result<Report, NotFinite> {
        let points: Vec<Point<3>> = match &self.prepared {
            Prepared::Cells(_) => [0, grid.len().saturating_sub(1)]
                .map(|n| grid.point(n))
                .to_vec(),
            _ => grid.points().collect(),
        };
        check_finite(&points)?;

        match &self.prepared {
            Prepared::Cells(cells) => {
                cells.grid(grid, out);
                Ok(Report::of(out))
            }
            _ => self.positions(&points, out),
        }
    }

    /// Locates the points in a spatially coherent order.
    fn fill(&self, points: &[Point<3>], out: &mut [Position]) -> Report {
        let Some(order) = order::along_curve(points, self.surface.bounds()) else {
            return self.fill_in_order(points, out, |place| place);
        };
        let mut sorted = vec![Position::Outside; points.len()];
        let report = self.fill_in_order(points, &mut sorted, |place| order[place] as usize);

        for (&row, position) in order.iter().zip(sorted) {
            out[row as usize] = position;
        }

        report
    }

    /// Locates point `row(k)` for each index k of `out`.
    fn fill_in_order(
        &self,
        points: &[Point<3>],
        out: &mut [Position],
        row: impl Fn(usize) -> usize + Sync,
    ) -> Report {
        let (bounds, method) = (self.surface.bounds(), self.locate());
        let locate_chunk = |(chunk, out): (usize, &mut [Position])| {
            let mut report = Report::default();
            for (k, position) in out.iter_mut().enumerate() {
                let row = row(chunk * CHUNK + k);
                if bounds.contains(&points[row]) {
                    *position = method.locate(row, &points[row], &mut report);
                }
                report.count(position);
            }
            report
        };

        let reports: Vec<Report> = out
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(locate_chunk)
            .collect();

        reports
            .into_iter()
            .fold(Report::default(), |mut sum, report| {
                sum += report;
                sum
            })
    }

    /// Computes J at the points: the winding number, or the interior angle's fraction of 4π on the
    /// boundary. `Potential` returns the sum as computed. The other methods return the integer that
    /// J must be off the boundary; for those based on parity it is 1 inside and 0 outside.
    pub fn potentials(&self, points: &[Point<3>], out: &mut Vec<f64>) -> Result<(), NotFinite> {
        check_finite(points)?;
        points
            .par_iter()
            .enumerate()
            .map(|(row, point)| self.potential(row, point))
            .collect_into_vec(out);

        Ok(())
    }

    /// Locates the points like [`Inside::positions`], and returns how each was decided.
    pub fn located(
        &self,
        points: &[Point<3>],
        out: &mut Vec<Located>,
    ) -> Result<Report, NotFinite> {
        check_finite(points)?;
        let located: Vec<(Located, Report)> = points
            .par_iter()
            .enumerate()
            .map(|(row, point)| self.located_one(row, point))
            .collect();

        out.clear();
        out.extend(located.iter().map(|(located, _)| *located));
        let mut sum = Report::default();
        located.into_iter().for_each(|(_, report)| sum += report);
        Ok(sum)
    }

    fn located_one(&self, row: usize, point: &Point<3>) -> (Located, Report) {
        let (mut report, mut located) = (Report::default(), Located::default());
        if self.surface.bounds().contains(point) {
            located.position = self.locate().locate(row, point, &mut report);
            located.potential = match &self.prepared {
                Prepared::Potential(potential) => Some(potential.potential(point)),
                Prepared::Multipole(multipole) => multipole.potential(point),
                Prepared::Cells(_) | Prepared::Ray(_) => None,
            };
            located.decided_by_ray =
                report.decided_by_rays > 0 || matches!(self.prepared, Prepared::Ray(_));
        }

        report.count(&located.position);
        (located, report)
    }

    fn potential(&self, row: usize, point: &Point<3>) -> f64 {
        match &self.prepared {
            _ if !self.surface.bounds().contains(point) => 0.0,
            Prepared::Potential(potential) => potential.potential(point),
            Prepared::Multipole(multipole) => multipole.whole_potential(row, point),
            Prepared::Cells(cells) => self.potential_at(cells.position(point), point),
            Prepared::Ray(rays) => self.potential_at(rays.position(row, point).0, point),
        }
    }

    fn potential_at(&self, position: Position, point: &Point<3>) -> f64 {
        match position {
            Position::Outside => 0.0,
            Position::Inside => 1.0,
            Position::On(_) => direct(&self.surface, point).value,
        }
    }

    fn locate(&self) -> &dyn Locate {
        match &self.prepared {
            Prepared::Cells(cells) => cells.as_ref(),
            Prepared::Ray(rays) => rays,
            Prepared::Potential(potential) => potential,
            Prepared::Multipole(multipole) => multipole.as_ref(),
        }
    }
}

impl Locate for LabelledCells {
    fn locate(&self, _row: usize, point: &Point<3>, _report: &mut Report) -> Position {
        self.position(point)
    }
}

pub(super) fn check_finite(points: &[Point<3>]) -> Result<(), NotFinite> {
    let bad = |point: &Point<3>| point.iter().any(|x| !x.is_finite());
    points
        .par_iter()
        .position_first(bad)
        .map_or(Ok(()), |row| Err(NotFinite { row }))
}
