use super::*;

fn tetrahedron(scale: f64, offset: f64) -> Surface {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let corners = corners.map(|c| c.map(|x| x * scale + offset));

    Surface::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).expect("closed")
}

#[test]
fn the_lattice_has_a_point_in_every_cell_at_every_scale() {
    for (scale, offset) in [
        (1.0, 0.0),
        (1e-9, 0.0),
        (1.0, 1e9),
        (1e-3, 1e12),
        (1e55, 0.0),
        (1e-90, 0.0),
    ] {
        let frame = Frame::of(&tetrahedron(scale, offset), 0.001);
        let lattice = Lattice::of(&frame);
        for axis in 0..3 {
            for (i, &value) in lattice.axis(axis).iter().enumerate() {
                let coordinate = frame.coordinate(axis, value);
                assert!(frame.reaches(axis, coordinate));
                assert_eq!(coordinate as usize, i, "{scale} {offset}");
            }
        }
    }
}

#[test]
fn the_box_of_the_surface_lies_well_within_the_grid() {
    let surface = tetrahedron(3.0, -7.0);
    let frame = Frame::of(&surface, 0.01);
    for corner in [surface.bounds().min, surface.bounds().max] {
        let u = frame.in_cells(&corner);
        assert!((0..3).all(
            |axis| frame.reaches(axis, u[axis] - 0.005) && frame.reaches(axis, u[axis] + 0.005)
        ));
    }

    assert!(!frame.reaches(0, f64::NAN));
}
