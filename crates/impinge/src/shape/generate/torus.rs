//! The surface of a torus.

use super::InvalidArgument;
use super::argument::{MOST_ITEMS, check_count, check_length};
use super::brick::places;
use crate::shape::Surface;
use crate::space::Point;
use std::f64::consts::TAU;

/// Generates a torus around the z axis: a tube of radius `tube` around the circle of `radius`, with
/// cells\[0\] around the axis and cells\[1\] around the tube, two triangles each.
///
/// ```
/// use impinge::shape::generate;
/// let ring = generate::torus(1.0, 0.25, [64, 16])?;
/// assert_eq!((ring.triangles().len(), ring.points().len()), (2048, 1024));
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn torus(radius: f64, tube: f64, cells: [usize; 2]) -> Result<Surface, InvalidArgument> {
    check_length("radius", radius)?;
    check_length("tube", tube)?;

    // A tube too thin for the precision of the circle's coordinates would collapse.
    if !(1e-6 * radius..radius).contains(&tube) {
        return Err(InvalidArgument::new(
            "tube",
            tube,
            "less than the radius and at least 1e-6 of it",
        ));
    }

    cells
        .into_iter()
        .try_for_each(|n| check_count("cells", n, 3, MOST_ROUND))?;
    let [n, m] = cells;
    let points: Vec<Point<3>> = places([m, n, 1])
        .map(|[j, i, _]| {
            let (sin, cos) = (TAU * i as f64 / n as f64).sin_cos();
            let (up, out) = (TAU * j as f64 / m as f64).sin_cos();
            let r = radius + tube * out;
            Point::from([r * cos, r * sin, tube * up])
        })
        .collect();
    let node = |i: usize, j: usize| ((i % n) * m + j % m) as u32;

    let triangles: Vec<[u32; 3]> = places([m, n, 1])
        .flat_map(|[j, i, _]| {
            let [a, b, c, d] = [
                node(i, j),
                node(i + 1, j),
                node(i + 1, j + 1),
                node(i, j + 1),
            ];
            [[a, b, c], [a, c, d]]
        })
        .collect();

    Ok(Surface::new(&points, &triangles).expect("a ring of cells closes"))
}

/// Maximum number of cells around: limits their product.
const MOST_ROUND: usize = MOST_ITEMS.isqrt();

#[cfg(test)]
mod tests;
