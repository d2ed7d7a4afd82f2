//! Which tetrahedron of a deformed solid holds a point: boxes that are fitted to where the nodes are.

use super::ElasticSolid;
use impinge::shape::{Problem, Solid};
use impinge::space::{Aabb, Point, Sign, orient3};
use impinge::tree::Bvh;

/// The boxes of the tetrahedra at rest.
pub(super) fn boxes(shape: &Solid) -> Bvh<3> {
    let of_all: Vec<Aabb<3>> = (0..shape.tetrahedra().len())
        .map(|t| Aabb::of(shape.corners(t)))
        .collect();
    Bvh::new(&of_all)
}

impl ElasticSolid {
    /// Brings shape and boxes to where the points are.
    pub(super) fn fit_boxes(&mut self) -> Result<(), Problem> {
        self.shape.set_points(&self.points)?;
        let Self { boxes, shape, .. } = self;
        boxes.refit_with(|t| Aabb::of(shape.corners(t as usize)));
        Ok(())
    }

    /// The first tetrahedron that holds a point; the boxes must fit.
    pub(super) fn holder(&self, point: &Point<3>) -> Option<u32> {
        let mut first = None;
        let here = Aabb {
            min: *point,
            max: *point,
        };
        self.boxes.visit_overlapping(&here, |t| {
            if first.is_none_or(|found| t < found) && holds(&self.shape.corners(t as usize), point)
            {
                first = Some(t);
            }
        });

        first
    }
}

/// Whether a point lies in a tetrahedron that is not flat, or on it; exactly.
fn holds(&[a, b, c, d]: &[Point<3>; 4], p: &Point<3>) -> bool {
    let sides = [
        orient3(p, &b, &c, &d),
        orient3(&a, p, &c, &d),
        orient3(&a, &b, p, &d),
        orient3(&a, &b, &c, p),
    ];
    let whole = orient3(&a, &b, &c, &d);

    whole != Sign::Zero
        && sides
            .iter()
            .all(|&side| side == whole || side == Sign::Zero)
}
