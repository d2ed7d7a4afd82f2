use super::*;

/// A cube of spheres above z = 0; some have run far away.
fn cube_at(time: f64, runaways: usize) -> Moment {
    let place = |i: usize| [i % 4, i / 4 % 4, i / 16].map(|k| 0.5 + k as f64);
    let mut centres: Vec<[f64; 3]> = (0..64).map(place).collect();
    centres.extend((0..runaways).map(|_| [1e5 * time, 0.0, 50.0]));
    let count = centres.len();
    let mut dataset = Dataset::default();
    dataset.mesh.points = centres.into_iter().map(Point::from).collect();
    dataset.point_fields = vec![
        Field::scalar("radius", vec![0.5; count]),
        Field::vector("velocity", &vec![[0.0, 0.0, time]; count]),
    ];
    Moment {
        time,
        particles: Some(dataset),
        bodies: None,
        solids: None,
        walls: None,
    }
}

#[test]
fn a_runaway_changes_no_picture_and_a_floor_is_a_grid() {
    let floor = [(Point::origin(), Vector::z())];
    let moments = |runaways| [0.0, 1.0].map(|time| cube_at(time, runaways));
    let pixels = |canvas: &Canvas| -> Vec<[u8; 3]> {
        let places = (0..HEIGHT).flat_map(|row| (0..240).map(move |column| (column, row)));
        places.map(|(x, y)| canvas.pixel(x, y)).collect()
    };
    let plain = draw(&moments(0), &floor).expect("pictures");
    let with_runaway = draw(&moments(1), &floor).expect("pictures");
    assert_eq!(pixels(&plain[1]), pixels(&with_runaway[1]));

    // A floor changes what was white to grey.
    let bare = draw(&moments(0), &[]).expect("pictures");
    let [bare, floored] = [&bare[1], &plain[1]].map(pixels);
    let was_white = bare
        .iter()
        .zip(&floored)
        .filter(|(bare, _)| **bare == [255; 3]);
    let lines: Vec<&[u8; 3]> = was_white
        .map(|(_, pixel)| pixel)
        .filter(|pixel| **pixel != [255; 3])
        .collect();
    let is_grey = |[red, green, blue]: &[u8; 3]| red <= green && green <= blue && *red > 190;
    assert!(lines.len() > 500 && lines.into_iter().all(is_grey));
}

#[test]
fn pictures_share_camera_and_colours_and_have_times_and_a_legend() {
    let pictures = draw(&[cube_at(0.0, 0), cube_at(2.0, 0)], &[]).expect("pictures");
    let is_ink = |canvas: &Canvas, rows: std::ops::Range<usize>| {
        rows.flat_map(|row| (0..128).map(move |column| (column, row)))
            .filter(|&(x, y)| canvas.pixel(x, y) == [40, 48, 58])
            .count()
    };
    assert!(pictures.iter().all(|canvas| is_ink(canvas, 8..20) > 20));

    // The bar of the first picture has the ends of the scale, which the spheres have too.
    let row = HEIGHT - 8 - 20;
    let ends = [pictures[0].pixel(8, row), pictures[0].pixel(127, row)];
    assert!(ends[0][2] > ends[0][1] && ends[1][0] > 200);
    assert!(is_ink(&pictures[0], row..HEIGHT) > 20 && is_ink(&pictures[1], row..HEIGHT) == 0);
    let filled = |canvas: &Canvas| -> Vec<bool> {
        let places = (40..300).flat_map(|row| (0..240).map(move |column| (column, row)));
        places
            .map(|(x, y)| canvas.pixel(x, y) != [255; 3])
            .collect()
    };
    assert_eq!(filled(&pictures[0]), filled(&pictures[1]));
    let middle = pictures.iter().map(|canvas| canvas.pixel(120, 200));
    assert!(middle.clone().all(|pixel| pixel != [255; 3]) && middle.is_sorted_by_key(|p| p[1]));
}

#[test]
fn pictures_have_the_colours_of_the_viewer() {
    let hex = |Colour(rgb): Colour| {
        let bytes = rgb.map(|part| (part * 255.0).round() as u8);
        bytes.map(|byte| format!("{byte:02x}")).concat()
    };
    let table: String = (0..64)
        .map(|n| hex(Colour::scale(f64::from(n) / 63.0)))
        .collect();
    assert!(include_str!("../view/page.html").contains(&table));
}
