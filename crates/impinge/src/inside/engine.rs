//! A surface prepared by any of the methods, and lists of points located in it.

use super::potential::direct;
use super::{Method, Options, Position, Potential, RayCrossing};
use crate::shape::Surface;
use crate::space::Point;
use rayon::prelude::*;
use std::ops::AddAssign;
use std::sync::Arc;
use thiserror::Error;

/// Points that one task locates: some hundred microseconds of work for the fast methods.
const CHUNK: usize = 1024;

/// A row of the points has a NaN or an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("point {row} has a coordinate that is NaN or infinite")]
pub struct NotFinite {
    /// The first such row, from 0.
    pub row: usize,
}

/// What came out, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Points in the body.
    pub inside: usize,
    /// Points not in the body.
    pub outside: usize,
    /// Points on the surface.
    pub boundary: usize,
    /// Rays that met a degeneracy and were drawn again.
    pub rays_redrawn: u64,
    /// Points that an approximate method left to exact ray crossing.
    pub decided_by_rays: u64,
}

impl AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.inside += other.inside;
        self.outside += other.outside;
        self.boundary += other.boundary;
        self.rays_redrawn += other.rays_redrawn;
        self.decided_by_rays += other.decided_by_rays;
    }
}

/// A method, prepared for a surface.
pub(crate) trait Locate: Sync {
    /// Where a point is that lies within the surface's bounding box. `row` is its number in the list.
    fn locate(&self, row: usize, point: &Point<3>, report: &mut Report) -> Position;
}

/// A closed surface, prepared to locate points. It stands in the body's own frame: for a body that moves, bring the
/// points there by [`Pose::to_local`](crate::space::Pose::to_local) and keep what is prepared.
///
/// ```
/// use impinge::inside::{Inside, Options, Position};
/// use impinge::shape::{Feature, Surface};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = Surface::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let inside = Inside::new(tetrahedron, &Options::default());
/// let points = [[0.1, 0.1, 0.1], [0.6, 0.6, 0.6], [0.5, 0.5, 0.0]].map(Into::into);
/// let mut positions = Vec::new();
/// let report = inside.positions(&points, &mut positions)?;
/// assert_eq!(positions, [Position::Inside, Position::Outside, Position::On(Feature::Edge([1, 2]))]);
/// assert_eq!((report.inside, report.outside, report.boundary), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inside {
    surface: Arc<Surface>,
    prepared: Prepared,
}

#[derive(Clone, Debug)]
enum Prepared {
    Ray(RayCrossing),
    Potential(Potential),
}

impl Inside {
    /// Prepares the surface.
    pub fn new(surface: impl Into<Arc<Surface>>, options: &Options) -> Self {
        let surface = surface.into();
        let prepared = match options.method {
            Method::Auto | Method::Ray => {
                Prepared::Ray(RayCrossing::with_tree(surface.clone(), options.seed))
            }
            Method::RayAll => Prepared::Ray(RayCrossing::over_all_faces(surface.clone(), options.seed)),
            Method::Potential => Prepared::Potential(Potential::new(surface.clone(), options.seed)),
        };
        Self { surface, prepared }
    }

    /// The surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Locates the points, in parallel; the same answers for any number of threads. Points beyond the bounding box
    /// are outside at once.
    pub fn positions(&self, points: &[Point<3>], out: &mut Vec<Position>) -> Result<Report, NotFinite> {
        check_finite(points)?;
        out.clear();
        out.resize(points.len(), Position::Outside);
        Ok(self.fill(points, out))
    }

    fn fill(&self, points: &[Point<3>], out: &mut [Position]) -> Report {
        let bounds = self.surface.bounds();
        let chunks = out.par_chunks_mut(CHUNK).zip(points.par_chunks(CHUNK)).enumerate();
        let reports: Vec<Report> = chunks
            .map(|(chunk, (out, points))| {
                let mut report = Report::default();
                for (k, (position, point)) in out.iter_mut().zip(points).enumerate() {
                    if bounds.contains(point) {
                        *position = self.locate().locate(chunk * CHUNK + k, point, &mut report);
                    }
                    report.count(position);
                }
                report
            })
            .collect();
        reports.into_iter().fold(Report::default(), |mut sum, report| {
            sum += report;
            sum
        })
    }

    /// J at the points: of the methods that compute it, the computed one; of the exact ones 1 inside, 0 outside and
    /// the direct sum on the boundary.
    pub fn potentials(&self, points: &[Point<3>], out: &mut Vec<f64>) -> Result<(), NotFinite> {
        check_finite(points)?;
        points.par_iter().enumerate().map(|(row, point)| self.potential(row, point)).collect_into_vec(out);
        Ok(())
    }

    fn potential(&self, row: usize, point: &Point<3>) -> f64 {
        match &self.prepared {
            _ if !self.surface.bounds().contains(point) => 0.0,
            Prepared::Potential(potential) => potential.potential(point),
            Prepared::Ray(rays) => match rays.position(row, point).0 {
                Position::Outside => 0.0,
                Position::Inside => 1.0,
                Position::On(_) => direct(&self.surface, point).value,
            },
        }
    }

    fn locate(&self) -> &dyn Locate {
        match &self.prepared {
            Prepared::Ray(rays) => rays,
            Prepared::Potential(potential) => potential,
        }
    }
}

impl Report {
    fn count(&mut self, position: &Position) {
        match position {
            Position::Inside => self.inside += 1,
            Position::Outside => self.outside += 1,
            Position::On(_) => self.boundary += 1,
        }
    }
}

fn check_finite(points: &[Point<3>]) -> Result<(), NotFinite> {
    let bad = |point: &Point<3>| point.iter().any(|x| !x.is_finite());
    points.par_iter().position_first(bad).map_or(Ok(()), |row| Err(NotFinite { row }))
}
