//! The surface of a box, divided into equal cells.

use super::InvalidArgument;
use super::argument::check_length;
use super::brick::{check_cells, places};
use crate::shape::Surface;
use crate::space::Point;
use rustc_hash::FxHashMap;

/// Generates the surface of the box from the origin to `size`. Each side is divided into `cells`
/// along its axes and each cell into two triangles: 4·(xy + yz + zx) in total.
///
/// ```
/// use impinge::shape::generate;
/// let block = generate::block([1, 2, 3], [1.0, 2.0, 3.0])?;
/// assert_eq!(block.triangles().len(), 44);
/// assert!((block.volume() - 6.0).abs() < 1e-15);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn block(cells: [usize; 3], size: [f64; 3]) -> Result<Surface, InvalidArgument> {
    check_cells(cells)?;
    size.into_iter()
        .try_for_each(|length| check_length("size", length))?;
    let coordinate = |i: usize, axis: usize| size[axis] * (i as f64 / cells[axis] as f64);
    let mut numbers: FxHashMap<[usize; 3], u32> = FxHashMap::default();
    let mut points = Vec::new();
    let mut number = |place: [usize; 3]| {
        *numbers.entry(place).or_insert_with(|| {
            points.push(Point::from([0, 1, 2].map(|k| coordinate(place[k], k))));
            points.len() as u32 - 1
        })
    };

    let triangles: Vec<[u32; 3]> = quads(cells)
        .map(|quad| quad.map(&mut number))
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    Ok(Surface::new(&points, &triangles).expect("the sides of a box close"))
}

/// The corners of all cells of the six sides, counter-clockwise seen from outside.
fn quads(cells: [usize; 3]) -> impl Iterator<Item = [[usize; 3]; 4]> {
    (0..3).flat_map(move |axis| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        places([cells[u], cells[v], 2]).map(move |[i, j, side]| {
            let corner = |di: usize, dj: usize| {
                let mut place = [0; 3];
                (place[axis], place[u], place[v]) = (side * cells[axis], i + di, j + dj);
                place
            };
            match side {
                0 => [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)],
                _ => [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)],
            }
        })
    })
}

#[cfg(test)]
mod tests;
