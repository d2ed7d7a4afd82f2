//! Intersection of two flat bodies for overlap-based force laws: area, centroid, contact line.
//!
//! The contact line joins the two points where the outlines cross. It has the length of
//! [`Overlap2::section`], and the force acts normal to it. If the outlines cross more than twice,
//! its ends are the extreme crossings along the section.

use super::clip::{Corner, Rim, area_and_centroid, common_part};
use super::{Relative, half_space};
use crate::shape::{HalfSpace, Polygon};
use crate::space::{Point, Pose, Vector};

/// The intersection of two flat bodies, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Overlap2 {
    /// Area of the intersection.
    pub area: f64,
    /// Its centroid.
    pub centroid: Point<2>,
    /// Sum of outward normal times length over the part of the first body's outline inside the
    /// second. It is normal to the contact line, as long as the line, and points from the first
    /// body to the second. Zero if one body contains the other.
    pub section: Vector<2>,
    /// The ends of the contact line; `None` if one body contains the other.
    pub line: Option<[Point<2>; 2]>,
}

impl Overlap2 {
    /// Returns the mean unit normal from the first body to the second, or `None` if the outlines do
    /// not cross.
    pub fn normal(&self) -> Option<Vector<2>> {
        self.section.try_normalize(0.0)
    }

    /// Returns the same overlap with the two bodies exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            section: -self.section,
            ..*self
        }
    }
}

/// Computes the intersection of two polygons; `None` if they are separated or only touch.
///
/// ```
/// use impinge::narrow::overlap2;
/// use impinge::{shape::Polygon, space::{Point, Pose}};
/// let square = Polygon::new(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Point::from))?;
/// let overlap = overlap2::polygons(&square, &Pose::identity(), &square, &Pose::at([0.5, 0.75])).expect("overlap");
/// assert_eq!((overlap.area, overlap.centroid), (0.125, Point::from([0.75, 0.875])));
/// assert_eq!(overlap.line, Some([[1.0, 0.75].into(), [0.5, 1.0].into()]));
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
pub fn polygons(a: &Polygon, pose_a: &Pose<2>, b: &Polygon, pose_b: &Pose<2>) -> Option<Overlap2> {
    let relative = Relative::of(pose_a, pose_b);
    let origin = a.points()[0];
    let first: Vec<Vector<2>> = a.points().iter().map(|p| p - origin).collect();
    let second: Vec<Vector<2>> = b
        .points()
        .iter()
        .map(|p| relative.seen_from(&origin, p))
        .collect();

    of_corners(&common_part(&first, &second), &origin, pose_a)
}

/// Computes the part of a polygon inside a half-plane; the contact line is the cut.
pub fn polygon_half_plane(
    a: &Polygon,
    pose_a: &Pose<2>,
    half: &HalfSpace<2>,
    pose_half: &Pose<2>,
) -> Option<Overlap2> {
    let origin = a.points()[0];
    let (normal, offset) = half_space::seen_from(half, &origin, pose_a, pose_half);
    let first: Vec<Vector<2>> = a.points().iter().map(|p| p - origin).collect();

    // A box below the line, larger than the polygon.
    let reach = 4.0 * first.iter().map(Vector::norm).fold(offset.abs(), f64::max);
    let along = Vector::<2>::new(-normal.y, normal.x) * reach;
    let top = normal * offset;
    let second = [
        top + along,
        top + along - normal * reach,
        top - along - normal * reach,
        top - along,
    ];

    of_corners(&common_part(&first, &second), &origin, pose_a)
}

fn of_corners(corners: &[Corner], origin: &Point<2>, pose: &Pose<2>) -> Option<Overlap2> {
    let (area, centroid) = area_and_centroid(corners);
    if area <= 0.0 {
        return None;
    }

    let next = |i: usize| &corners[(i + 1) % corners.len()];
    let of_first = |corner: &Corner| matches!(corner.rim, Rim::First(_));
    let along: Vector<2> = (0..corners.len())
        .filter(|&i| of_first(&corners[i]))
        .map(|i| next(i).at - corners[i].at)
        .sum();
    let crossings = (0..corners.len())
        .filter(|&i| of_first(&corners[i]) != of_first(next(i)))
        .map(|i| next(i).at);
    let line = ends(crossings.collect(), &along);
    let place = |at: Vector<2>| pose.point(&(origin + at));

    // If one body is inside the other, its outline there is closed and has no section.
    let section = if line.is_some() {
        Vector::<2>::new(along.y, -along.x)
    } else {
        Vector::zeros()
    };

    Some(Overlap2 {
        area,
        centroid: place(centroid),
        section: pose.vector(&section),
        line: line.map(|ends| ends.map(place)),
    })
}

/// Returns the two crossings that are furthest apart along the section, in its direction.
pub(super) fn ends(mut crossings: Vec<Vector<2>>, along: &Vector<2>) -> Option<[Vector<2>; 2]> {
    crossings.sort_by(|p, q| along.dot(p).total_cmp(&along.dot(q)));
    match crossings[..] {
        [first, .., last] => Some([first, last]),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
