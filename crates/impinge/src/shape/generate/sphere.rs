//! The unit sphere by subdivision of a regular solid.
//!
//! Each level splits every triangle into four at the midpoints of its sides and moves these onto
//! the sphere. The octahedron yields 8·4ᵏ triangles, the sequence of [Muth2006, section 3.1]; the
//! icosahedron 20·4ᵏ, of more even size.

use super::InvalidArgument;
use super::argument::check_count;
use crate::shape::Surface;
use crate::space::Point;
use rustc_hash::FxHashMap;

/// Finest level of [`sphere`] (524,288 triangles) and [`icosphere`] (1,310,720).
pub const FINEST_LEVEL: usize = 8;

/// Generates the unit sphere as an octahedron subdivided `level` times: 8·4^level triangles.
///
/// ```
/// use impinge::shape::generate;
/// let ball = generate::sphere(3)?;
/// assert_eq!((ball.triangles().len(), ball.points().len()), (512, 258));
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn sphere(level: usize) -> Result<Surface, InvalidArgument> {
    let points = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let around = [[0, 1], [1, 2], [2, 3], [3, 0]];

    let triangles = around
        .iter()
        .flat_map(|&[a, b]| [[a, b, 4], [b, a, 5]])
        .collect();
    subdivided(points.map(Point::from).to_vec(), triangles, level)
}

/// Generates the unit sphere as an icosahedron subdivided `level` times: 20·4^level triangles.
pub fn icosphere(level: usize) -> Result<Surface, InvalidArgument> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut points: Vec<Point<3>> = Vec::new();
    for long in [-golden, golden] {
        for short in [-1.0, 1.0] {
            points.extend(
                [[0.0, short, long], [short, long, 0.0], [long, 0.0, short]].map(Point::from),
            );
        }
    }

    let triangles = neighbouring_triples(&points);
    points.iter_mut().for_each(|p| *p = onto_sphere(*p));
    subdivided(points, triangles, level)
}

/// The outward triangles of points at distance 2 from each other, which are the edges of the
/// icosahedron.
fn neighbouring_triples(points: &[Point<3>]) -> Vec<[u32; 3]> {
    let near = |a: usize, b: usize| (points[a] - points[b]).norm() < 2.1;
    let mut triples = Vec::new();
    for a in 0..points.len() {
        for b in (a + 1..points.len()).filter(|&b| near(a, b)) {
            for c in (b + 1..points.len()).filter(|&c| near(a, c) && near(b, c)) {
                let [p, q, r] = [a, b, c].map(|i| points[i].coords);
                let outward = p.dot(&q.cross(&r)) > 0.0;
                triples.push(if outward { [a, b, c] } else { [a, c, b] }.map(|i| i as u32));
            }
        }
    }

    triples
}

fn subdivided(
    mut points: Vec<Point<3>>,
    mut triangles: Vec<[u32; 3]>,
    level: usize,
) -> Result<Surface, InvalidArgument> {
    check_count("level", level, 0, FINEST_LEVEL)?;
    for _ in 0..level {
        triangles = split(&mut points, &triangles);
    }
    Ok(Surface::new(&points, &triangles).expect("a subdivided closed surface is closed"))
}

/// Splits each triangle into four and appends the new points.
fn split(points: &mut Vec<Point<3>>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            points.push(onto_sphere(
                (points[a as usize] + points[b as usize].coords) / 2.0,
            ));
            points.len() as u32 - 1
        })
    };

    let quarters = |&[a, b, c]: &[u32; 3]| {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    triangles.iter().flat_map(quarters).collect()
}

fn onto_sphere(p: Point<3>) -> Point<3> {
    Point::from(p.coords / p.coords.norm())
}

#[cfg(test)]
mod tests;
