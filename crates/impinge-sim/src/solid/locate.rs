//! Point location in a deformed solid: a bounding-volume hierarchy refitted to the current nodes.

use super::ElasticSolid;
use impinge::shape::Problem;
use impinge::space::{Aabb, Point, Sign, orient3};

impl ElasticSolid {
    /// Refits shape and boxes to the current points.
    pub(super) fn fit_boxes(&mut self) -> Result<(), Problem> {
        self.shape.set_points(&self.points)?;
        let Self { boxes, shape, .. } = self;
        boxes.refit_with(|t| Aabb::of(shape.corners(t as usize)));
        Ok(())
    }

    /// Returns the first tetrahedron that contains a point; the boxes must be up to date.
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

/// Returns whether a point is inside or on a non-degenerate tetrahedron, with exact predicates.
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
