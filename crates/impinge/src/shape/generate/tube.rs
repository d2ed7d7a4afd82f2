//! The surface of a straight cylinder.

use super::InvalidArgument;
use super::argument::{MOST_ITEMS, check_count, check_length};
use super::brick::places;
use crate::shape::Surface;
use crate::space::{Point, Vector, is_usable};
use std::f64::consts::TAU;

/// Generates a cylinder with flat ends between two points: cells\[0\] around, cells\[1\] along and
/// two fans at the ends, in total 2·cells\[0\]·(cells\[1\] + 1) triangles.
///
/// ```
/// use impinge::{shape::generate, space::Point};
/// let rod = generate::tube(Point::origin(), Point::from([0.0, 0.0, 2.0]), 0.1, [12, 5])?;
/// assert_eq!(rod.triangles().len(), 144);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn tube(
    from: Point<3>,
    to: Point<3>,
    radius: f64,
    cells: [usize; 2],
) -> Result<Surface, InvalidArgument> {
    check_ends(&from, &to, radius)?;
    check_count("cells", cells[0], 3, MOST_ITEMS.isqrt())?;
    check_count("cells", cells[1], 1, MOST_ITEMS.isqrt())?;
    let [around, along] = cells;
    let [side, up] = across(&(to - from)).map(|axis| axis * radius);
    let mut points: Vec<Point<3>> = places([around, along + 1, 1])
        .map(|[i, j, _]| {
            let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
            from + (to - from) * (j as f64 / along as f64) + side * cos + up * sin
        })
        .collect();
    points.extend([from, to]);
    let node = |i: usize, j: usize| (j * around + i % around) as u32;
    let [first, last] = [0, 1].map(|end| (points.len() - 2 + end) as u32);
    let mut triangles = Vec::new();

    for [i, j, _] in places([around, along, 1]) {
        let [a, b, c, d] = [
            node(i, j),
            node(i + 1, j),
            node(i + 1, j + 1),
            node(i, j + 1),
        ];
        triangles.extend([[a, b, c], [a, c, d]]);
    }

    for i in 0..around {
        triangles.extend([
            [node(i + 1, 0), node(i, 0), first],
            [node(i, along), node(i + 1, along), last],
        ]);
    }

    Ok(Surface::new(&points, &triangles).expect("a cylinder with its ends closes"))
}

fn check_ends(from: &Point<3>, to: &Point<3>, radius: f64) -> Result<(), InvalidArgument> {
    for (name, end) in [("from", from), ("to", to)] {
        if !is_usable(end) {
            return Err(InvalidArgument::new(name, end, "finite"));
        }
    }

    check_length("length", (to - from).norm())?;
    check_length("radius", radius)?;

    // Far from the origin a thin bar would lose its shape to rounding of the coordinates.
    if radius < 1e-6 * (from.coords.amax() + to.coords.amax()) {
        return Err(InvalidArgument::new(
            "radius",
            radius,
            "at least 1e-6 of the ends' coordinates",
        ));
    }

    Ok(())
}

/// Two unit vectors that form a right-handed frame with the direction, which comes last.
fn across(direction: &Vector<3>) -> [Vector<3>; 2] {
    let along = direction.normalize();
    let least = along.iamin();
    let side = Vector::<3>::ith(least, 1.0).cross(&along).normalize();
    [side, along.cross(&side)]
}

#[cfg(test)]
mod tests;
