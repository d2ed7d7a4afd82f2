use super::*;
use impinge::shape::Mesh;

fn points(places: &[[f64; 3]]) -> Vec<Point<3>> {
    places.iter().copied().map(Point::from).collect()
}

fn two_tetrahedra() -> Dataset {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mesh = Mesh::of_tetrahedra(points(&corners), &[[0, 1, 2, 3], [0, 2, 1, 4]]);
    let mut dataset = Dataset::from(mesh);
    dataset
        .cell_fields
        .push(Field::scalar("stress", vec![10.0, 20.0]));
    dataset
}

fn f32s(bytes: &[u8]) -> Vec<f32> {
    let four = |chunk: &[u8]| f32::from_le_bytes(chunk.try_into().expect("four bytes"));
    bytes.chunks_exact(4).map(four).collect()
}

#[test]
fn a_solid_is_packed_as_its_boundary_with_the_values_of_its_cells() {
    let packed = Packed::of(&two_tetrahedra(), &Point::origin(), Precision::Single);
    let triangles = packed.header.triangles.expect("a boundary");

    // Eight faces; two of them coincide inside.
    assert_eq!(packed.header.arrays[triangles].length, 3 * 6);
    let stress = &packed.header.fields[0];
    assert_eq!((stress.on, stress.whole), ("triangles", false));
    assert_eq!(
        f32s(&packed.arrays[stress.array]),
        [10.0, 10.0, 10.0, 20.0, 20.0, 20.0]
    );
}

#[test]
fn coordinates_far_from_zero_keep_their_digits_relative_to_the_origin() {
    let far = points(&[[1e9, 1e9, 1e9 + 0.001], [1e9, 1e9, 1e9 + 0.002]]);
    let mesh = Mesh {
        points: far,
        blocks: Vec::new(),
    };
    let packed = Packed::of(
        &Dataset::from(mesh),
        &Point::from([1e9; 3]),
        Precision::Single,
    );
    let z: Vec<f32> = f32s(&packed.arrays[0])
        .into_iter()
        .skip(2)
        .step_by(3)
        .collect();
    assert!((z[0] - 0.001).abs() < 1e-6 && (z[1] - 0.002).abs() < 1e-6);
    assert!(packed.header.vertices);
}

#[test]
fn quantised_values_are_within_half_a_step_and_what_does_not_fit_stays_a_real() {
    let places = [[0.1, 0.7, 0.0], [0.9, 0.2, 0.0]];
    let mesh = Mesh {
        points: points(&places),
        blocks: Vec::new(),
    };
    let mut dataset = Dataset::from(mesh);
    dataset.point_fields = vec![
        Field::scalar("heat", vec![-3.0, 5.0]),
        Field::scalar("bad", vec![f64::NAN, 5.0]),
        Field::scalar("same", vec![2.5, 2.5]),
    ];
    let bounds = Aabb::new([0.0; 3], [1.0, 1.0, 0.0]);
    let grid = Grid::over(&bounds, &Point::origin());
    let packed = Packed::of(&dataset, &Point::origin(), Precision::Eye(grid));

    let scalars: Vec<&str> = packed.header.arrays.iter().map(|a| a.scalar).collect();
    assert_eq!(scalars, ["u16", "u16", "f32", "u16"]);
    let position = &packed.header.arrays[0];
    let numbers: Vec<u16> = packed.arrays[0]
        .chunks_exact(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]))
        .collect();

    for (i, expected) in places.as_flattened().iter().enumerate() {
        let value = position.low[i % 3] + position.step[i % 3] * f64::from(numbers[i]);
        assert!((value - expected).abs() <= 0.5 / 65535.0 + 1e-12);
    }

    // One value outside the grid makes the whole part use 32-bit reals.
    dataset.mesh.points[1] = Point::from([50.0, 0.0, 0.0]);
    let packed = Packed::of(&dataset, &Point::origin(), Precision::Eye(grid));
    assert_eq!(packed.header.arrays[0].scalar, "f32");
}

#[test]
fn the_file_begins_with_its_header_and_every_array_at_a_multiple_of_four() {
    let packed = Packed::of(&two_tetrahedra(), &Point::origin(), Precision::Single);
    let file = packed.to_bytes().expect("serialises");
    let length = u32::from_le_bytes(file[4..8].try_into().expect("four bytes")) as usize;
    let header: serde_json::Value = serde_json::from_slice(&file[8..8 + length]).expect("JSON");

    assert_eq!((&file[..4], length % 4), (MAGIC.as_slice(), 0));
    assert_eq!(header["points"], 5);
    assert!(packed.header.arrays.iter().all(|array| array.at % 4 == 0));
    let size: usize = packed.arrays.iter().map(Vec::len).sum();
    assert_eq!(file.len(), 8 + length + size);
}

#[test]
fn an_empty_dataset_packs_to_nothing_drawn() {
    let packed = Packed::of(&Dataset::default(), &Point::origin(), Precision::Single);
    assert!(!packed.header.vertices && packed.header.triangles.is_none());
}

#[test]
fn points_are_drawn_if_each_is_a_vertex_and_nothing_else_is_there() {
    let places = [[0.0; 3], [1.0; 3]];
    let mut mesh = Mesh {
        points: points(&places),
        blocks: Vec::new(),
    };
    mesh.push(ElementKind::Vertex, &[0]);
    mesh.push(ElementKind::Vertex, &[1]);
    let drawn = |mesh: &Mesh| {
        let dataset = Dataset::from(mesh.clone());
        Packed::of(&dataset, &Point::origin(), Precision::Single).header
    };
    assert!(drawn(&mesh).vertices);

    mesh.push(ElementKind::Line2, &[0, 1]);
    assert!(!drawn(&mesh).vertices && drawn(&mesh).lines.is_some());
}
