//! The double-layer potential by the fast multipole method [Muth2006, section 2.1.2].
//!
//! The panels are gathered in the boxes of one octree, with multipole moments about the boxes'
//! centres. A second, independent octree divides the space of the evaluation points, without
//! knowing them; each of its cells has one local expansion for all panels that are far from it.
//! Evaluating a point takes only that expansion and the solid angles of the near panels:
//! O(triangles) once, in the body's own frame, then O(1) per point.
//!
//! J is approximate here, and rounded. A point is passed on to exact ray crossing if J is not close
//! to an integer, or if the point is so close to a triangle that rounding could decide; points on
//! the boundary always are. With a degree chosen for a tolerance below ¼ the results are therefore
//! exact. With degree 4 the largest errors measured are 0.03, far below ½.

mod bound;
mod convert;
mod cube;
mod domain;
mod harmonics;
mod moments;
mod near;
mod operators;
mod options;
mod panels;
mod quadrature;

pub use options::{Degree, Depth, FreeCells, InvalidMultipole, LevelOrder, MultipoleOptions};

use super::Position;
use super::potential::direct;
use super::ray::RayCrossing;
use super::report::{Locate, Report};
use crate::parallel::prelude::*;
use crate::shape::Surface;
use crate::space::{Aabb, Point, Vector};
use convert::Lowering;
use cube::Cube;
use domain::{Builder, Domain, Found};
use harmonics::{MOST_DEGREE, count};
use moments::Moments;
use near::NearPanels;
use operators::Shifts;
use options::{Accuracy, SEPARATION, SEPARATIONS};
use panels::{Panels, morton};
use std::f64::consts::TAU;
use std::sync::{Arc, OnceLock};

/// Distance of J from an integer beyond which it is not trusted.
const DOUBT: f64 = 0.2;

/// A surface prepared for the fast multipole method. Nested shells are handled by winding number: a
/// point is inside if J > ½.
#[derive(Clone, Debug)]
#[doc(alias = "FMM")]
#[doc(alias = "fast multipole method")]
pub struct Multipole {
    surface: Arc<Surface>,
    field: ClosedField,
    rays: OnceLock<RayCrossing>,
    seed: u64,
}

impl Multipole {
    /// Builds all expansions.
    ///
    /// ```
    /// use impinge::inside::{Multipole, MultipoleOptions};
    /// use impinge::shape::generate;
    /// let ball = Multipole::new(generate::sphere(4)?, &MultipoleOptions::default(), 1)?;
    /// let potential = ball.potential(&[0.1, 0.2, 0.3].into()).expect("far from all triangles");
    /// assert!((potential - 1.0).abs() <= ball.error_bound());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        surface: impl Into<Arc<Surface>>,
        options: &MultipoleOptions,
        seed: u64,
    ) -> Result<Self, InvalidMultipole> {
        Self::build(surface.into(), None, options, seed)
    }

    /// Builds the expansions only where the given points are: cells without points are left out, and
    /// cells with few are not divided. Other points are decided by rays.
    pub fn for_points(
        surface: impl Into<Arc<Surface>>,
        points: &[Point<3>],
        options: &MultipoleOptions,
        seed: u64,
    ) -> Result<Self, InvalidMultipole> {
        Self::build(surface.into(), Some(points), options, seed)
    }

    fn build(
        surface: Arc<Surface>,
        points: Option<&[Point<3>]>,
        options: &MultipoleOptions,
        seed: u64,
    ) -> Result<Self, InvalidMultipole> {
        let field = Field::with_points(
            surface.points(),
            surface.triangles(),
            surface.bounds(),
            options,
            points,
        )?;

        Ok(Self {
            surface,
            field: ClosedField::with_cells(field, options.free_cells),
            rays: OnceLock::new(),
            seed,
        })
    }

    /// Returns J at a point within the surface's bounding box, accurate to
    /// [`Multipole::error_bound`], or `None` if the point is on a triangle or too close to one.
    pub fn potential(&self, point: &Point<3>) -> Option<f64> {
        self.field.field.potential(point)
    }

    /// Returns J at a point within the bounding box, rounded to the integer that it must be, or its
    /// boundary value.
    pub(super) fn whole_potential(&self, row: usize, point: &Point<3>) -> f64 {
        match self
            .field
            .winding(point)
            .map_or_else(|| self.rays().winding(row, point), Ok)
        {
            Ok(winding) => winding as f64,
            Err(_) => direct(&self.surface, point).value,
        }
    }

    /// Returns the expansion degree.
    pub fn degree(&self) -> usize {
        self.field.field.degree
    }

    /// Returns the level of the evaluation tree's finest cells.
    pub fn depth(&self) -> usize {
        self.field.field.depth
    }

    /// Returns d of the near-field rule [Muth2006, eq. (16)].
    pub fn separation(&self) -> f64 {
        self.field.field.separation
    }

    /// Returns an error bound of J for the actual clusters, both truncations of [Muth2006, eq. (24)]
    /// included; large for small degrees.
    pub fn error_bound(&self) -> f64 {
        self.field.field.error_bound
    }

    /// Returns the memory of the prepared structure in bytes, excluding the surface.
    pub fn memory(&self) -> usize {
        self.field.field.memory() + self.field.labels.len() * size_of::<i32>()
    }

    /// Returns the size of the evaluation tree.
    pub fn statistics(&self) -> Statistics {
        self.field.field.statistics()
    }

    fn rays(&self) -> &RayCrossing {
        self.rays
            .get_or_init(|| RayCrossing::with_tree(self.surface.clone(), self.seed))
    }
}

impl Locate for Multipole {
    fn locate(&self, row: usize, point: &Point<3>, report: &mut Report) -> Position {
        if let Some(winding) = self.field.winding(point) {
            return Position::of_winding(winding);
        }

        report.decided_by_rays += 1;
        self.rays()
            .winding(row, point)
            .map_or_else(Position::On, Position::of_winding)
    }
}

/// J of closed triangles: an integer everywhere off them.
#[derive(Clone, Debug)]
pub(super) struct ClosedField {
    field: Field,
    /// J in the leaves that contain no surface, where it is the same integer throughout the cell.
    labels: Vec<i32>,
}

/// Label in [`ClosedField::labels`] of a leaf that contains surface or is uncertain.
const NEAR: i32 = i32::MIN;

impl ClosedField {
    /// Labels the empty leaves by J at their centres, where the expansion's error is least.
    pub(super) fn new(field: Field) -> Self {
        Self::with_cells(field, FreeCells::Labelled)
    }

    fn with_cells(field: Field, free_cells: FreeCells) -> Self {
        let mut labels = vec![NEAR; field.domain.leaves()];
        if free_cells == FreeCells::Evaluated {
            return Self { field, labels };
        }

        labels.par_iter_mut().enumerate().for_each(|(leaf, label)| {
            let winding = field.at_centre_of_free(leaf).and_then(integer);
            *label = winding.map_or(NEAR, |winding| winding as i32);
        });
        Self { field, labels }
    }

    /// Returns J within the field's bounds, or `None` if it is uncertain.
    pub(super) fn winding(&self, point: &Point<3>) -> Option<i64> {
        let found = self.field.find(point);
        match self.labels[found.leaf] {
            NEAR => self.field.potential_in(&found, point).and_then(integer),
            label => Some(i64::from(label)),
        }
    }
}

/// Returns the integer that J represents, or `None` if it is not close to one.
fn integer(potential: f64) -> Option<i64> {
    let rounded = potential.round();
    ((potential - rounded).abs() <= DOUBT).then_some(rounded as i64)
}

/// The size of the evaluation tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Statistics {
    /// Undivided cells.
    pub leaves: usize,
    /// Leaves with near panels.
    pub near_leaves: usize,
    /// Total number of near panels over these leaves.
    pub near_panels: usize,
    /// Clusters of panels.
    pub clusters: usize,
    /// Conversions of moments to local expansions.
    pub conversions: usize,
    /// Cells of the evaluation tree: translations of local expansions.
    pub cells: usize,
}

/// J of any triangles, closed or not, within bounds that contain them.
#[derive(Clone, Debug)]
pub(super) struct Field {
    cube: Cube,
    degree: usize,
    separation: f64,
    depth: usize,
    error_bound: f64,
    clusters: usize,
    domain: Domain,
    near: NearPanels,
}

impl Field {
    pub(super) fn new(
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        bounds: &Aabb<3>,
        options: &MultipoleOptions,
    ) -> Result<Self, InvalidMultipole> {
        Self::with_points(points, triangles, bounds, options, None)
    }

    /// The same for known evaluation points.
    fn with_points(
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        bounds: &Aabb<3>,
        options: &MultipoleOptions,
        evaluated: Option<&[Point<3>]>,
    ) -> Result<Self, InvalidMultipole> {
        options.check()?;
        let keys = evaluated.map(|evaluated| keys_of(evaluated, &Cube::around(bounds)));
        let input = Input {
            points,
            triangles,
            bounds,
            options,
            keys: keys.as_deref(),
        };

        match options.degree {
            Degree::Given(degree) => Ok(input.field(
                Accuracy {
                    degree,
                    separation: options.separation.unwrap_or(SEPARATION),
                },
                Lowering::Typical,
            )),
            Degree::Tolerance(tolerance) => {
                Ok(input.field(input.accuracy_for(tolerance)?, Lowering::Proven))
            }
        }
    }

    fn find(&self, point: &Point<3>) -> Found {
        self.domain.find(self.cube.place(point))
    }

    pub(super) fn potential(&self, point: &Point<3>) -> Option<f64> {
        self.potential_in(&self.find(point), point)
    }

    /// Evaluates the local expansion and the near panels [Muth2006, eq. (20)].
    fn potential_in(&self, found: &Found, point: &Point<3>) -> Option<f64> {
        if !self.domain.known[found.leaf] {
            return None;
        }

        let half = self
            .near
            .half_angles(point, self.domain.stretches(found.leaf))?;
        Some(half / TAU + self.far(found, point))
    }

    /// Returns J at the centre of a leaf, or `None` if any triangle's bounding box reaches into the
    /// leaf.
    fn at_centre_of_free(&self, leaf: usize) -> Option<f64> {
        if !self.domain.known[leaf] {
            return None;
        }

        let (level, at) = self.domain.places[leaf];
        let (centre, half) = (
            self.cube.centre(level.into(), at),
            0.5 * self.cube.edge_at(level.into()),
        );
        let stretches = self.domain.stretches(leaf);
        let (low, up) = (centre - Vector::repeat(half), centre + Vector::repeat(half));

        if self.near.reach_into(&low, &up, stretches) {
            return None;
        }

        let half_angles = self.near.half_angles(&centre, stretches)?;
        Some(half_angles / TAU + self.domain.locals[leaf * count(self.degree)])
    }

    fn far(&self, found: &Found, point: &Point<3>) -> f64 {
        let width = count(self.degree);
        let local = &self.domain.locals[found.leaf * width..][..width];
        let x = (point - self.cube.centre(found.level, found.at)) / self.cube.edge_at(found.level);
        let mut r = [0.0; count(MOST_DEGREE)];
        harmonics::regular(self.degree, &x, &mut r);
        local.iter().zip(&r).map(|(l, r)| l * r).sum()
    }

    fn memory(&self) -> usize {
        self.domain.memory() + self.near.memory()
    }

    fn statistics(&self) -> Statistics {
        let domain = &self.domain;
        let panels = |leaf: usize| {
            domain
                .stretches(leaf)
                .iter()
                .map(|[a, b]| (b - a) as usize)
                .sum::<usize>()
        };

        let near: Vec<usize> = (0..domain.leaves())
            .map(panels)
            .filter(|&count| count > 0)
            .collect();
        Statistics {
            leaves: domain.leaves(),
            near_leaves: near.len(),
            near_panels: near.iter().sum(),
            clusters: self.clusters,
            conversions: domain.conversions,
            cells: domain.cells(),
        }
    }
}

/// Morton keys of the points within the cube, sorted.
fn keys_of(points: &[Point<3>], cube: &Cube) -> Vec<u64> {
    let mut keys: Vec<u64> = points.iter().map(|p| morton(cube.place(p))).collect();
    keys.sort_unstable();
    keys
}

/// What a field is built from.
struct Input<'a> {
    points: &'a [Point<3>],
    triangles: &'a [[u32; 3]],
    bounds: &'a Aabb<3>,
    options: &'a MultipoleOptions,
    keys: Option<&'a [u64]>,
}

impl Input<'_> {
    fn panels(&self, accuracy: Accuracy) -> Panels {
        let depth = &self.options.depth;
        Panels::new(self.points, self.triangles, self.bounds, depth, accuracy)
    }

    fn domain(&self, panels: &Panels, accuracy: Accuracy, lowering: Lowering) -> Domain {
        let moments = upward(panels, accuracy.degree);
        Builder {
            panels,
            moments: &moments,
            degree: accuracy.degree,
            separation: accuracy.separation,
            lowering,
            order: self.order(),
            bounds: *self.bounds,
            points: self.keys,
        }
        .build()
    }

    fn field(&self, accuracy: Accuracy, lowering: Lowering) -> Field {
        let panels = self.panels(accuracy);
        let domain = self.domain(&panels, accuracy, lowering);
        Field::of(&panels, domain, accuracy)
    }

    /// Returns the degree and separation with the lowest estimated cost among those whose error bound is
    /// within the tolerance. For each separation, trees without expansions give the clusters that are
    /// far from one leaf, on which the bound depends.
    fn accuracy_for(&self, tolerance: f64) -> Result<Accuracy, InvalidMultipole> {
        let given = self.options.separation.map(|d| [d]);
        let separations = given.as_ref().map_or(&SEPARATIONS[..], |d| &d[..]);
        let points = self.options.depth.points(self.triangles.len());
        let mut best: Option<(f64, Accuracy)> = None;
        let mut reachable = f64::INFINITY;

        for &separation in separations {
            let bound = |load: f64, degree: usize| {
                load * bound::remainder(degree, 1.0 / (separation + 1.0))
            };
            let lowest = |load: f64| (1..=MOST_DEGREE).find(|&p| bound(load, p) <= tolerance);
            let Some(degree) = lowest(TYPICAL_LOAD) else {
                reachable = reachable.min(bound(TYPICAL_LOAD, MOST_DEGREE));
                continue;
            };

            // The depth depends on the degree, and the degree on the trees' load: one guess, one check.
            let panels = self.panels(Accuracy { degree, separation });
            let without = Accuracy {
                degree: 0,
                separation,
            };
            let trees = self.domain(&panels, without, Lowering::Proven);
            let load = trees.load;
            let Some(degree) = lowest(load) else {
                reachable = reachable.min(bound(load, MOST_DEGREE));
                continue;
            };

            let accuracy = Accuracy { degree, separation };
            let cost = accuracy.cost_of(&Field::of(&panels, trees, without).statistics(), points);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, accuracy));
            }
        }

        best.map(|(_, accuracy)| accuracy)
            .ok_or(InvalidMultipole::Unreachable { reachable })
    }

    /// Returns the order; a tolerance has one degree on all levels.
    fn order(&self) -> LevelOrder {
        match self.options.degree {
            Degree::Given(_) => self.options.order,
            Degree::Tolerance(_) => LevelOrder::Fixed,
        }
    }
}

/// Σ area/r² over the far clusters of a leaf on a typical surface, to guess the degree.
const TYPICAL_LOAD: f64 = 30.0;

impl Field {
    fn of(panels: &Panels, domain: Domain, accuracy: Accuracy) -> Self {
        let cube = panels.cube;
        Self {
            cube,
            degree: accuracy.degree,
            separation: accuracy.separation,
            depth: panels.levels.len() - 1,
            error_bound: domain.error,
            clusters: panels.levels.iter().map(Vec::len).sum(),
            domain,
            near: NearPanels::new(&panels.corners, cube.centre(0, [0; 3]), cube.edge),
        }
    }
}

/// Computes the moments of all clusters: of the panels that stay in a box (22), and of its
/// children, translated (23).
fn upward(panels: &Panels, degree: usize) -> Vec<Vec<f64>> {
    let (width, shifts, integrals) = (count(degree), Shifts::new(degree), Moments::new(degree));
    let mut moments: Vec<Vec<f64>> = panels
        .levels
        .iter()
        .map(|level| vec![0.0; level.len() * width])
        .collect();

    for level in (0..panels.levels.len()).rev() {
        let (coarse, fine) = moments.split_at_mut(level + 1);
        let (clusters, edge) = (&panels.levels[level], panels.cube.edge_at(level));
        coarse[level]
            .par_chunks_mut(width)
            .zip(clusters)
            .for_each(|(to, cluster)| {
                let centre = panels.cube.centre(level, cluster.at);
                for corners in &panels.corners[cluster.first as usize..cluster.own_end as usize] {
                    integrals.add(&corners.map(|p| (p - centre) / edge), to);
                }
                for son in cluster.sons[0]..cluster.sons[1] {
                    let at = panels.levels[level + 1][son as usize].at;
                    let which =
                        (0..3).fold(0, |which, axis| which | ((at[axis] & 1) as usize) << axis);
                    let from = &fine[0][son as usize * width..][..width];
                    shifts.apply(&shifts.up[which], from, to);
                }
            });
    }

    moments
}

#[cfg(test)]
mod tests;
