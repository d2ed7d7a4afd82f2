use super::*;

fn slab(direction: [f64; 3], up: f64) -> Slab {
    Slab {
        direction: direction.into(),
        low: -up,
        up,
    }
}

#[test]
fn a_cube_with_its_corners_cut_to_an_octahedron() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let diagonals = [
        [1.0, 1.0, 1.0],
        [1.0, 1.0, -1.0],
        [1.0, -1.0, 1.0],
        [1.0, -1.0, -1.0],
    ];
    let cube: Vec<Slab> = axes.iter().map(|&axis| slab(axis, 1.0)).collect();
    assert!((volume(&cube) - 8.0).abs() < 1e-14);

    let cut = |at: f64| -> Vec<Slab> {
        let corners = diagonals.iter().map(|&diagonal| slab(diagonal, at));
        axes.iter()
            .map(|&axis| slab(axis, 1.0))
            .chain(corners)
            .collect()
    };
    // |x| + |y| + |z| ≤ 1 has the volume 4/3; at 2, eight tetrahedra of 1/6 are missing from the cube.
    assert!((volume(&cut(1.0)) - 4.0 / 3.0).abs() < 1e-14);
    assert!((volume(&cut(2.0)) - (8.0 - 8.0 / 6.0)).abs() < 1e-14);

    assert!((volume(&cut(3.0)) - 8.0).abs() < 1e-14);
}

#[test]
fn an_octagon_has_its_area_and_a_segment_none() {
    let slabs = |up: [f64; 4]| -> Vec<Slab> {
        let directions = [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, -1.0, 0.0],
        ];
        directions
            .iter()
            .zip(up)
            .map(|(&direction, up)| slab(direction, up))
            .collect()
    };
    assert!((area(&slabs([1.0, 1.0, 1.5, 1.5])) - (4.0 - 4.0 * 0.125)).abs() < 1e-15);

    assert_eq!(area(&slabs([1.0, 0.0, 1.0, 1.0])), 0.0);
}
