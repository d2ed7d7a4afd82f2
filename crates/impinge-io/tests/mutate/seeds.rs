//! Good files of each format, to be broken.

use impinge::shape::Mesh;
use impinge::space::Point;
use impinge_io::{Dataset, Field, obj, off, ply, stl};

/// A small surface of triangles with a field on its points and one on its elements.
fn surface() -> Dataset {
    let points = (0..6).map(|i| Point::from([f64::from(i), f64::from(i * i), 0.1 * f64::from(i)])).collect();
    let mut dataset =
        Dataset::from(Mesh::of_triangles(points, &[[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]));
    dataset.mesh.push(impinge::shape::ElementKind::Quad4, &[0, 1, 4, 5]);
    dataset.point_fields.push(Field::scalar("heat", vec![0.5; 6]));
    dataset.cell_fields.push(Field::whole("part", vec![1, 2, 3, 4, 5]));
    dataset
}

fn written(write: fn(&Dataset, &mut dyn std::io::Write) -> std::io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&surface(), &mut bytes).expect("writes to memory");
    bytes
}

pub(crate) fn stl() -> Vec<Vec<u8>> {
    vec![written(stl::write), written(stl::write_text)]
}

pub(crate) fn obj() -> Vec<Vec<u8>> {
    let text =
        b"v 0 0 0\nv 1 0 0 1\nv 1 1 0\nvt 0 0\nf 1//2 2/3 -1\nf 1 \\\n 2 3\nusemtl x\nl 1 2\nf 1 2 3 1 2\n";
    vec![written(obj::write), text.to_vec()]
}

pub(crate) fn ply() -> Vec<Vec<u8>> {
    let declared = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n\
        element face 1\nproperty list uchar int vertex_indices\nproperty list uchar uchar more\nend_header\n";
    let text = format!("ply\nformat ascii 1.0\n{declared}0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 2 0\n");
    let mut big = format!("ply\nformat binary_big_endian 1.0\n{declared}").into_bytes();
    big.extend([[0; 13], [1; 13], [2; 13]].concat());
    big.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 2, 7, 7]);
    vec![written(ply::write), text.into_bytes(), big]
}

pub(crate) fn off() -> Vec<Vec<u8>> {
    vec![written(off::write), b"COFF # c\n3 1 0\n0 0 0 1\n1 0 0 1\n0 1 0 1\n3 0 1 2 255 0 0\n".to_vec()]
}
