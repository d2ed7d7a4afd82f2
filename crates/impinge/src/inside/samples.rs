//! Surfaces and points shared by the tests of this module.

use crate::shape::Surface;
use crate::space::{Point, Random, Vector};
use rustc_hash::FxHashMap;

/// An octahedron whose triangles are quartered `level` times and projected onto the unit sphere:
/// 8·4^level triangles.
pub(super) fn sphere(level: u32) -> Surface {
    let (points, triangles) = sphere_parts(level);
    Surface::new(&points, &triangles).expect("a closed sphere")
}

pub(super) fn sphere_parts(level: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut points = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];

    let mut triangles = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];

    for _ in 0..level {
        triangles = quartered(&mut points, &triangles);
    }

    (points, triangles)
}

fn quartered(points: &mut Vec<[f64; 3]>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let sum = Vector::from(points[a as usize]) + Vector::from(points[b as usize]);
            points.push(sum.normalize().into());
            points.len() as u32 - 1
        })
    };

    let quarter = |&[a, b, c]: &[u32; 3]| {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    triangles.iter().flat_map(quarter).collect()
}

/// Corners and faces of the cube between `low` and `low + size`.
pub(super) fn cube_parts(low: [f64; 3], size: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let corner =
        |i: usize| std::array::from_fn(|k| low[k] + if i >> k & 1 == 1 { size } else { 0.0 });
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];

    let faces = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    ((0..8).map(corner).collect(), faces)
}

pub(super) fn cube(low: [f64; 3], size: f64) -> Surface {
    let (points, faces) = cube_parts(low, size);
    Surface::new(&points, &faces).expect("a closed cube")
}

/// A cube within a cube, the inner one oriented outward (`1`) or inward (`-1`).
pub(super) fn nested_cubes(inner_turn: i32) -> Surface {
    let (mut points, mut faces) = cube_parts([0.0; 3], 4.0);
    let (inner_points, inner_faces) = cube_parts([1.0; 3], 2.0);
    points.extend(inner_points);
    faces.extend(inner_faces.iter().map(|&[a, b, c]| {
        let [a, b, c] = [a + 8, b + 8, c + 8];
        if inner_turn > 0 { [a, b, c] } else { [a, c, b] }
    }));

    Surface::new(&points, &faces).expect("closed shells")
}

/// A tetrahedron all of whose faces have an aspect ratio of about 1e8.
pub(super) fn needle() -> Surface {
    let points = [
        [0.0, 0.0, 0.0],
        [1e8, 0.3, 0.1],
        [0.0, 1.0, 0.0],
        [0.2, 0.1, 1.0],
    ];
    Surface::new(&points, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).expect("a closed needle")
}

/// Spheres of five sizes side by side, each ten times smaller: triangle sizes span four orders of
/// magnitude.
pub(super) fn mixed_scales() -> Surface {
    let (ball, faces) = sphere_parts(3);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let mut x = 0.0;

    for scale in [1.0, 0.1, 0.01, 1e-3, 1e-4] {
        let start = points.len() as u32;
        x += 1.1 * scale;
        points.extend(
            ball.iter()
                .map(|p| [x + scale * p[0], scale * p[1], scale * p[2]]),
        );
        triangles.extend(faces.iter().map(|f| f.map(|n| n + start)));
        x += 1.1 * scale;
    }

    Surface::new(&points, &triangles).expect("closed spheres")
}

/// Difficult points for a surface: its corners and the midpoints of edges and faces, their
/// neighbours at one ulp and at 1e-9 and 1e-12 of the size, a grid over the box, and random points
/// around it.
pub(super) fn hard_points(surface: &Surface, seed: u64) -> Vec<Point<3>> {
    let mut random = Random::new(seed);
    let bounds = *surface.bounds();
    let mut points: Vec<Point<3>> = Vec::new();

    for _ in 0..40 {
        let triangle = random.below(surface.triangles().len());
        let [a, b, c] = surface.corners(triangle);
        let middle = |p: &Point<3>, q: &Point<3>| Point::from(p.coords * 0.5 + q.coords * 0.5);

        for place in [
            a,
            middle(&a, &b),
            Point::from((a.coords + b.coords + c.coords) / 3.0),
        ] {
            points.push(place);
            let axis = random.below(3);
            let size = bounds.longest_edge();
            let moves: [&dyn Fn(f64) -> f64; 6] = [
                &|x| ulp_from(x, 1.0),
                &|x| ulp_from(x, -1.0),
                &|x| x + 1e-9 * size,
                &|x| x - 1e-9 * size,
                &|x| x + 1e-12 * size,
                &|x| x - 1e-12 * size,
            ];
            points.extend(moves.iter().map(|step| {
                let mut moved = place;
                moved[axis] = step(moved[axis]);
                moved
            }));
        }
    }

    points.extend((0..125).map(|i| {
        let t = [i % 5, i / 5 % 5, i / 25].map(|k| f64::from(k) / 4.0);
        bounds.min + Vector::from(t).component_mul(&bounds.extent())
    }));
    points.extend((0..200).map(|_| {
        let t = Vector::from(std::array::from_fn::<f64, 3, _>(|_| {
            random.within(-0.1, 1.1)
        }));
        bounds.min + t.component_mul(&bounds.extent())
    }));

    points
}

/// Returns the next floating-point number in a direction; from zero a step of 1e-150, because
/// products of subnormal numbers underflow even in the exact predicates.
fn ulp_from(x: f64, direction: f64) -> f64 {
    match (x == 0.0, direction > 0.0) {
        (true, _) => 1e-150 * direction,
        (false, true) => x.next_up(),
        (false, false) => x.next_down(),
    }
}

/// All sample surfaces on which parity and winding number agree.
pub(super) fn surfaces() -> Vec<(&'static str, Surface)> {
    let moved = |offset: f64, scale: f64| {
        let (points, faces) = sphere_parts(2);
        let points: Vec<[f64; 3]> = points
            .iter()
            .map(|p| p.map(|x| offset + scale * x))
            .collect();
        Surface::new(&points, &faces).expect("closed")
    };
    vec![
        ("cube", cube([0.0; 3], 1.0)),
        ("cube at 1e9", cube([1e9, -1e9, 1e9], 4.0)),
        ("cube of 1e-9", cube([0.0; 3], 1e-9)),
        ("sphere", sphere(3)),
        ("sphere at 1e9", moved(1e9, 1.0)),
        ("sphere of 1e-9", moved(0.0, 1e-9)),
        ("needle", needle()),
        ("hollow cube", nested_cubes(-1)),
        ("mixed scales", mixed_scales()),
    ]
}
