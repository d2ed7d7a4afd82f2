//! Random convex bodies: polygons in an ellipse, polyhedra in an ellipsoid, every vertex on the
//! hull.
//!
//! Vertices on a strictly convex curve or surface are all extreme. They remain so after rounding as
//! long as their distances are large compared with the square root of the unit roundoff. The curve
//! is therefore divided into equal intervals, and one polygon vertex is drawn from the middle half
//! of each. Random points on a sphere are far enough apart without such care.

use super::InvalidArgument;
use super::argument::check_count;
use crate::shape::{Polygon, Polyhedron};
use crate::space::{Matrix, Point, Random, Vector};

/// Maximum number of vertices of a random [`polygon`] or [`polyhedron`].
pub const MOST_VERTICES: usize = 100_000;

/// Shortest semi-axis of the ellipse or ellipsoid; the longest is 1.
const SHORTEST_AXIS: f64 = 0.5;

/// Generates a convex polygon with the given number of vertices on an ellipse about the origin. The
/// ellipse has random proportions (up to 2 : 1) and direction, and fits in the unit circle.
///
/// ```
/// use impinge::shape::generate;
/// assert_eq!(generate::polygon(7, 1)?.corner_count(), 7);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn polygon(vertices: usize, seed: u64) -> Result<Polygon, InvalidArgument> {
    check_count("vertices", vertices, 3, MOST_VERTICES)?;
    let mut random = Random::new(seed);
    let short = random.within(SHORTEST_AXIS, 1.0);
    let [cos, sin] = random.direction::<2>().into();
    let mut vertex = |i: usize| {
        let stretch = (i as f64 + random.within(0.25, 0.75)) / vertices as f64;
        let [x, y]: [f64; 2] = on_circle(stretch).into();
        Point::from([cos * x - sin * short * y, sin * x + cos * short * y])
    };
    let points: Vec<Point<2>> = (0..vertices).map(&mut vertex).collect();

    Ok(Polygon::new(&points).expect("distant points on an ellipse are in convex position"))
}

/// Generates a convex polyhedron with the given number of random vertices on an ellipsoid about the
/// origin. The ellipsoid has random proportions (up to 2 : 1) and orientation, and fits in the unit
/// sphere.
///
/// ```
/// use impinge::shape::generate;
/// let stone = generate::polyhedron(40, 1)?;
/// assert_eq!((stone.vertex_count(), stone.edge_count(), stone.face_count()), (40, 114, 76));
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn polyhedron(vertices: usize, seed: u64) -> Result<Polyhedron, InvalidArgument> {
    check_count("vertices", vertices, 4, MOST_VERTICES)?;
    let mut random = Random::new(seed);
    let axes = Vector::<3>::new(
        1.0,
        random.within(SHORTEST_AXIS, 1.0),
        random.within(SHORTEST_AXIS, 1.0),
    );
    let map = rotation(random.direction()) * Matrix::<3>::from_diagonal(&axes);

    let mut draw = || {
        let points: Vec<Point<3>> = (0..vertices)
            .map(|_| Point::from(map * random.direction()))
            .collect();
        Polyhedron::hull(&points)
            .ok()
            .filter(|hull| hull.vertex_count() == vertices)
    };

    // A draw fails only if two of the directions agree in seven digits.
    Ok((0..DRAWS)
        .find_map(|_| draw())
        .expect("random points on an ellipsoid are in convex position"))
}

/// Maximum number of draws of a polyhedron; more would indicate a numerical error.
const DRAWS: usize = 8;

/// A point on the unit circle, which is traversed once for 0 ≤ stretch < 1. It is mapped from the
/// square with its corners on the axes, without trigonometry, which machines round differently.
fn on_circle(stretch: f64) -> Vector<2> {
    let quarter = 4.0 * stretch;
    let (x, y) = match quarter {
        ..1.0 => (1.0 - quarter, quarter),
        1.0..2.0 => (1.0 - quarter, 2.0 - quarter),
        2.0..3.0 => (quarter - 3.0, 2.0 - quarter),
        _ => (quarter - 3.0, quarter - 4.0),
    };

    Vector::<2>::new(x, y).normalize()
}

/// The rotation of a unit quaternion (w, x, y, z).
fn rotation(q: Vector<4>) -> Matrix<3> {
    let [w, x, y, z]: [f64; 4] = q.into();
    Matrix::<3>::new(
        w * w + x * x - y * y - z * z,
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        w * w - x * x + y * y - z * z,
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        w * w - x * x - y * y + z * z,
    )
}

#[cfg(test)]
mod tests;
