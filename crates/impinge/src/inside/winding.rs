//! The generalised winding number of a surface with holes.
//!
//! For a surface that is not closed J is no integer, but a fraction that falls off smoothly across the holes; inside is
//! where it is over ½. It is found to full accuracy from an approximate value: a cone from the middle of the bounding box
//! over the open edges closes the surface, so that with the cone's own J, summed directly over the few open edges,
//!     J(x) = round(J_multipole(x) + J_cone(x)) − J_cone(x),
//! and the rounding takes the error of the multipole method away. Beyond the bounding box the integer is 0, because
//! cone and surface lie within. Where the sum is not near an integer, or `x` too near a triangle, all triangles are
//! summed. Cost per point: a local expansion, the near triangles and the open edges.

use super::engine::{NotFinite, check_finite};
use super::multipole::{Field, integer};
use super::{MultipoleOptions, winding_number};
use crate::shape::{Problem, check_triangles, open_edges};
use crate::space::{Aabb, Point};
use rayon::prelude::*;

/// Any triangles, prepared for their winding number.
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
pub struct Winding {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    bounds: Aabb<3>,
    /// Triangles from each open edge to the middle of the bounding box, which is the last point.
    cone: Vec<[u32; 3]>,
    /// None where the cone has so many triangles that the direct sum is no slower.
    field: Option<Field>,
}

impl Winding {
    /// Checks the triangles (finite, existing and different corners) and makes the expansions.
    pub fn new(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<Self, Problem> {
        check_triangles(points, triangles)?;
        let bounds = Aabb::of(triangles.as_flattened().iter().map(|&n| points[n as usize]));
        let apex = points.len() as u32;
        let cone: Vec<[u32; 3]> =
            open_edges(points.len(), triangles).into_iter().map(|[a, b]| [b, a, apex]).collect();
        let options = MultipoleOptions::default();
        let field = (cone.len() < triangles.len())
            .then(|| Field::new(points, triangles, &options).expect("the default options are valid"));
        let points = points.iter().copied().chain([bounds.centre()]).collect();
        Ok(Self { points, triangles: triangles.to_vec(), bounds, cone, field })
    }

    /// The winding numbers at the points, in parallel; the same for any number of threads.
    pub fn windings(&self, points: &[Point<3>], out: &mut Vec<f64>) -> Result<(), NotFinite> {
        check_finite(points)?;
        points.par_iter().map(|point| self.winding(point)).collect_into_vec(out);
        Ok(())
    }

    fn winding(&self, point: &Point<3>) -> f64 {
        let Some(field) = &self.field else { return self.direct(point) };
        let cone = winding_number(&self.points, &self.cone, point);
        if !self.bounds.contains(point) {
            return -cone;
        }
        let closed = field.potential(point).and_then(|open| integer(open + cone));
        closed.map_or_else(|| self.direct(point), |whole| whole as f64 - cone)
    }

    fn direct(&self, point: &Point<3>) -> f64 {
        winding_number(&self.points, &self.triangles, point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::generate;
    use crate::space::Random;

    #[test]
    fn windings_of_a_torn_foam_are_those_of_the_direct_sum() {
        let foam = generate::foam(6_000, 1).expect("valid");
        let mut random = Random::new(8);
        let torn: Vec<[u32; 3]> = foam.triangles().iter().copied().filter(|_| random.unit() > 0.02).collect();
        let winding = Winding::new(foam.points(), &torn).expect("valid");
        let points: Vec<Point<3>> =
            (0..400).map(|_| Point::from([0; 3].map(|_| random.within(-1.4, 1.4)))).collect();
        let mut values = Vec::new();
        winding.windings(&points, &mut values).expect("finite");
        for (point, value) in points.iter().zip(&values) {
            let direct = winding_number(foam.points(), &torn, point);
            assert!((value - direct).abs() < 1e-9, "{point}: {value} {direct}");
        }
        assert!(values.iter().any(|w| *w > 0.9) && values.iter().any(|w| w.abs() < 0.1));
    }

    #[test]
    fn a_closed_surface_winds_an_integer_number_of_times() {
        let sphere = generate::sphere(3).expect("valid");
        let winding = Winding::new(sphere.points(), sphere.triangles()).expect("valid");
        let mut values = Vec::new();
        winding.windings(&[[0.1, 0.2, 0.3].into(), [2.0, 0.0, 0.0].into()], &mut values).expect("finite");
        assert_eq!(values, [1.0, 0.0]);
    }

    #[test]
    fn loose_triangles_are_summed_directly_and_bad_ones_refused() {
        let points: Vec<Point<3>> = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from).to_vec();
        let single = Winding::new(&points, &[[0, 1, 2]]).expect("valid");
        let mut values = Vec::new();
        single.windings(&[[0.25, 0.25, -1e-9].into()], &mut values).expect("finite");
        assert!((values[0] - 0.5).abs() < 1e-6);
        assert_eq!(single.windings(&[[f64::NAN; 3].into()], &mut values), Err(NotFinite { row: 0 }));
        assert!(Winding::new(&points, &[[0, 1, 7]]).is_err());
    }
}
