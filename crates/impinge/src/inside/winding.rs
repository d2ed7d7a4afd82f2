//! The generalised winding number of a surface with holes.
//!
//! For an open surface J is not an integer, but a value that varies smoothly across the holes;
//! inside is where it exceeds ½. A lid over each loop of open edges, a fan around the loop's
//! centre, closes the surface. Therefore
//!     J(x) = J_closed(x) − J_lids(x),
//! where J_closed is an integer, so rounding removes the error of its multipole expansion. It is 0
//! beyond the bounding box, which contains the surface and the lids. J_lids is summed directly if
//! there are few lids. For many it is an expansion of high degree, and summed directly only if J is
//! too close to ½ to decide. If J_closed is uncertain, all triangles are summed.
//!
//! Errors of J: rounding only with few lids; at most 1.2e-5 measured with many. Cost per point: two
//! local expansions and the near triangles; see \[Muth2006\] for the expansions.

use super::engine::{NotFinite, check_finite};
use super::multipole::{ClosedField, Field};
use super::{Degree, Depth, MultipoleOptions, winding_number};
use crate::parallel::prelude::*;
use crate::shape::{Problem, check_triangles, loops, open_edges};
use crate::space::{self, Aabb, Point, Vector};

/// Number of lid triangles up to which their direct sum is no slower than an expansion of high
/// degree.
const FEW: usize = 100;

/// The expansion of many lids.
const LIDS: MultipoleOptions = MultipoleOptions {
    degree: Degree::Given(8),
    depth: Depth::Triangles,
    separation: Some(1.5),
    ..MultipoleOptions::DEFAULT
};

/// Distance of J from ½ within which the expansion of the lids is not trusted: about 800 times its
/// largest error seen.
const CLOSE: f64 = 0.01;

/// Arbitrary triangles, prepared for evaluation of their winding number.
///
/// ```
/// use impinge::inside::Winding;
/// use impinge::shape::generate;
/// let sphere = generate::sphere(4)?;
/// let bowl: Vec<[u32; 3]> = sphere.triangles()[..1024].to_vec();
/// let winding = Winding::new(sphere.points(), &bowl)?;
/// let mut values = Vec::new();
/// winding.windings(&[[0.0, 0.0, 0.0].into(), [9.0, 9.0, 9.0].into()], &mut values)?;
/// assert!((values[0] - 0.5).abs() < 1e-12 && values[1].abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "generalized winding number")]
pub struct Winding {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    bounds: Aabb<3>,
    /// Region in which the expansion of the lids is valid: queries often lie slightly beyond the
    /// bounding box.
    reach: Aabb<3>,
    /// Triangles from each open edge to its loop's centre; the centres come after the other points.
    lids: Vec<[u32; 3]>,
    /// `None` if there are few lids.
    lid_field: Option<Field>,
    /// J of triangles and lids. `None` if the lids are too many for it to beat the direct sum.
    closed: Option<ClosedField>,
}

impl Winding {
    /// Checks the triangles (finite coordinates, valid and distinct corners) and builds the
    /// expansions.
    pub fn new(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        let mut points = space::points(points);
        check_triangles(&points, triangles)?;
        let bounds = Aabb::of(triangles.as_flattened().iter().map(|&n| points[n as usize]));
        let lids = make_lids(&mut points, triangles);
        let reach = bounds.grown(bounds.longest_edge());
        let field = |triangles: &[[u32; 3]], within: &Aabb<3>, options: &MultipoleOptions| {
            Field::new(&points, triangles, within, options).expect("these options are valid")
        };

        let closed = (lids.len() < triangles.len()).then(|| {
            let all = [triangles, &lids].concat();
            ClosedField::new(field(&all, &bounds, &MultipoleOptions::default()))
        });
        let lid_field = (closed.is_some() && lids.len() > FEW).then(|| field(&lids, &reach, &LIDS));

        Ok(Self {
            points,
            triangles: triangles.to_vec(),
            bounds,
            reach,
            lids,
            lid_field,
            closed,
        })
    }

    /// Computes the winding numbers at the points in parallel; the results do not depend on the
    /// number of threads.
    pub fn windings(&self, points: &[Point<3>], out: &mut Vec<f64>) -> Result<(), NotFinite> {
        check_finite(points)?;
        points
            .par_iter()
            .map(|point| self.winding(point))
            .collect_into_vec(out);
        Ok(())
    }

    fn winding(&self, point: &Point<3>) -> f64 {
        let Some(field) = &self.closed else {
            return self.direct(point);
        };
        let closed = if self.bounds.contains(point) {
            field.winding(point)
        } else {
            Some(0)
        };
        let Some(closed) = closed else {
            return self.direct(point);
        };

        self.lids_quickly(point)
            .map(|lids| closed as f64 - lids)
            .filter(|open| (open - 0.5).abs() > CLOSE)
            .unwrap_or_else(|| closed as f64 - self.lids_directly(point))
    }

    fn lids_quickly(&self, point: &Point<3>) -> Option<f64> {
        self.lid_field
            .as_ref()
            .filter(|_| self.reach.contains(point))?
            .potential(point)
    }

    fn lids_directly(&self, point: &Point<3>) -> f64 {
        winding_number(&self.points, &self.lids, point)
    }

    fn direct(&self, point: &Point<3>) -> f64 {
        winding_number(&self.points, &self.triangles, point)
    }
}

/// Closes each loop of open edges with a fan, whose centre is added to the points.
fn make_lids(points: &mut Vec<Point<3>>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut lids = Vec::new();
    for nodes in loops(open_edges(points.len(), triangles)) {
        let middle = points.len() as u32;
        let sum: Vector<3> = nodes.iter().map(|&n| points[n as usize].coords).sum();
        points.push(Point::from(sum / nodes.len() as f64));
        let followers = nodes.iter().cycle().skip(1);
        lids.extend(nodes.iter().zip(followers).map(|(&a, &b)| [b, a, middle]));
    }

    lids
}

#[cfg(test)]
mod tests;
