//! Checks that given faces bound a convex body, up to the rounding of the file that they came from.

use super::topology::check_faces;
use crate::shape::double::{six_volumes, vector_area};
use crate::shape::{Polyhedron, Problem, ProblemKind};
use crate::space::Point;

/// Tolerance for corners off or above a face's plane, relative to the body's longest extent. Single
/// precision rounds to 6e-8 of the coordinates, which may be about ten times the extent.
const NEARLY: f64 = 1e-6;

/// Compares closed `faces` with the hull of their corners. Each face must lie in a plane that
/// touches the hull, and together they must cover it once, facing outward.
pub(super) fn check(
    body: &Polyhedron,
    points: &[Point<3>],
    faces: &[&[u32]],
) -> Result<(), Problem> {
    let corners =
        |face: &[u32]| -> Vec<Point<3>> { face.iter().map(|&i| points[i as usize]).collect() };
    check_faces(ProblemKind::ZeroArea, faces, |face| {
        vector_area(&corners(face)).amax() == 0.0
    })?;
    let apex = points[faces[0][0] as usize];

    // Number of times the faces cover the hull, counted with their orientation: an integer if they
    // all touch it.
    let cover = faces
        .iter()
        .map(|face| cone_volume(&apex, &corners(face)))
        .sum::<f64>()
        / body.volume();

    if cover < -0.5 {
        return Err(Problem::whole(ProblemKind::InsideOut));
    }

    let tolerance = NEARLY * body.bounds().longest_edge();
    let mut start = 0;
    check_faces(ProblemKind::NotConvex, faces, |face| {
        !touches(body, &corners(face), tolerance, &mut start)
    })?;

    if !(0.5..1.5).contains(&cover) {
        return Err(Problem::whole(ProblemKind::NotConvex));
    }

    Ok(())
}

/// Signed volume between a polygon's triangles and the apex; positive if the polygon faces away
/// from it.
fn cone_volume(apex: &Point<3>, corners: &[Point<3>]) -> f64 {
    let triangles = corners[1..].windows(2);
    triangles
        .map(|pair| six_volumes(apex, &corners[0], &pair[0], &pair[1]))
        .sum::<f64>()
        / 6.0
}

/// Returns whether all corners are near the face's plane and the body is below it. `start` is the
/// start of the climb to the body's highest vertex, and is updated for the next face.
fn touches(body: &Polyhedron, corners: &[Point<3>], tolerance: f64, start: &mut u32) -> bool {
    let area = vector_area(corners);
    let normal = (area / area.amax()).normalize();
    let height = |point: &Point<3>| normal.dot(&(point - corners[0]));
    *start = body.support(&normal, *start);
    height(&body.points[*start as usize]) <= tolerance
        && corners
            .iter()
            .all(|corner| height(corner).abs() <= tolerance)
}
