//! Unit cubes and squares of every kind of element, for tests.

use super::{ElementKind, Mesh};
use crate::space::{Point, Random, Vector};
use ElementKind::*;
use std::collections::BTreeMap;

/// The unit cube (for flat kinds: the unit square) as n³ (n²) blocks, divided into elements of the
/// kind.
pub(crate) fn brick(kind: ElementKind, n: usize) -> Mesh {
    let flat = kind.dimension() == 2;
    let mut grid = Grid {
        kind,
        numbers: BTreeMap::new(),
        mesh: Mesh::default(),
    };

    for i in 0..n {
        for j in 0..n {
            for k in 0..if flat { 1 } else { n } {
                let corner = |a: usize| {
                    let [x, y, z] = HEX_CORNERS[a].map(|x| x as f64);
                    let z = if flat { 0.0 } else { (k as f64 + z) / n as f64 };
                    Point::from([(i as f64 + x) / n as f64, (j as f64 + y) / n as f64, z])
                };
                cut(kind, std::array::from_fn(corner))
                    .iter()
                    .for_each(|corners| grid.push(corners));
            }
        }
    }

    grid.mesh
}

/// The unit cube as 6 n³ tetrahedra, points and tetrahedra in random order.
pub(crate) fn cube(n: usize, seed: u64) -> (Vec<Point<3>>, Vec<[u32; 4]>) {
    let mesh = shuffled(&brick(Tet4, n), &mut Random::new(seed));
    (mesh.points, mesh.blocks[0].nodes.as_chunks().0.to_vec())
}

/// The same mesh with its points and elements in another order.
pub(crate) fn shuffled(mesh: &Mesh, random: &mut Random) -> Mesh {
    let number = permutation(mesh.points.len(), random);
    let mut points = mesh.points.clone();
    for (i, &to) in number.iter().enumerate() {
        points[to] = mesh.points[i];
    }

    let mut shuffled = Mesh {
        points,
        blocks: vec![],
    };

    for block in &mesh.blocks {
        let elements: Vec<&[u32]> = block.elements().collect();
        for i in permutation(elements.len(), random) {
            let nodes: Vec<u32> = elements[i]
                .iter()
                .map(|&node| number[node as usize] as u32)
                .collect();
            shuffled.push(block.kind, &nodes);
        }
    }

    shuffled
}

fn permutation(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    (1..count).for_each(|i| order.swap(i, random.below(i + 1)));
    order
}

const HEX_CORNERS: [[usize; 3]; 8] = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
];

/// The corners of the elements into which a block with corners c is divided.
fn cut(kind: ElementKind, c: [Point<3>; 8]) -> Vec<Vec<Point<3>>> {
    let pick = |places: &[&[usize]]| {
        places
            .iter()
            .map(|p| p.iter().map(|&i| c[i]).collect())
            .collect()
    };
    match kind {
        Tri3 | Tri6 => pick(&[&[0, 1, 2], &[0, 2, 3]]),
        Quad4 | Quad8 | Quad9 => pick(&[&[0, 1, 2, 3]]),
        // Six around the diagonal 0–6, the same in each block, so that neighbouring blocks conform.
        Tet4 | Tet10 => pick(&[
            &[0, 1, 2, 6],
            &[0, 2, 3, 6],
            &[0, 3, 7, 6],
            &[0, 7, 4, 6],
            &[0, 4, 5, 6],
            &[0, 5, 1, 6],
        ]),
        Wedge6 | Wedge15 | Wedge18 => pick(&[&[0, 1, 2, 4, 5, 6], &[0, 2, 3, 4, 6, 7]]),
        Pyramid5 | Pyramid13 => {
            let apex = mean(&c);
            let base = |face: &[u8]| {
                face.iter()
                    .rev()
                    .map(|&i| c[i as usize])
                    .chain([apex])
                    .collect()
            };
            Hex8.faces().iter().map(|(_, face)| base(face)).collect()
        }
        _ => pick(&[&[0, 1, 2, 3, 4, 5, 6, 7]]),
    }
}

fn mean(points: &[Point<3>]) -> Point<3> {
    Point::from(points.iter().map(|p| p.coords).sum::<Vector<3>>() / points.len() as f64)
}

/// A mesh builder that identifies points by their coordinates.
struct Grid {
    kind: ElementKind,
    numbers: BTreeMap<[i64; 3], u32>,
    mesh: Mesh,
}

impl Grid {
    /// Adds the element with these corners and its mid nodes at their means.
    fn push(&mut self, corners: &[Point<3>]) {
        let middles = self.kind.vtk_mid_nodes().iter().map(|between| {
            mean(
                &between
                    .iter()
                    .map(|&i| corners[i as usize])
                    .collect::<Vec<_>>(),
            )
        });
        let points: Vec<Point<3>> = corners.iter().copied().chain(middles).collect();
        let nodes: Vec<u32> = points.into_iter().map(|point| self.number(point)).collect();

        self.mesh.push(self.kind, &nodes);
    }

    fn number(&mut self, point: Point<3>) -> u32 {
        // Means of different corners at the same position may differ in their last digit.
        let key = std::array::from_fn(|i| (point[i] * 1e6).round() as i64);
        *self.numbers.entry(key).or_insert_with(|| {
            self.mesh.points.push(point);
            self.mesh.points.len() as u32 - 1
        })
    }
}
