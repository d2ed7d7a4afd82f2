//! Good files of each format, to be broken.

use impinge::shape::Mesh;
use impinge::space::Point;
use impinge_io::lammps::{self, ParticleData};
use impinge_io::{Dataset, Field, Values, npy, obj, off, ply, stl};

/// A small surface of triangles with a field on its points and one on its elements.
fn surface() -> Dataset {
    let points = (0..6)
        .map(|i| Point::from([f64::from(i), f64::from(i * i), 0.1 * f64::from(i)]))
        .collect();
    let mut dataset = Dataset::from(Mesh::of_triangles(
        points,
        &[[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]],
    ));
    dataset
        .mesh
        .push(impinge::shape::ElementKind::Quad4, &[0, 1, 4, 5]);
    dataset
        .point_fields
        .push(Field::scalar("heat", vec![0.5; 6]));
    dataset
        .cell_fields
        .push(Field::whole("part", vec![1, 2, 3, 4, 5]));

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
        b"v 0 0 0\nv 1 0 0 1\nv 1 1 0\nvt 0 0\nf 1//2 2/3 -1\nf 1 \\\n 2 3\nusemtl x\nl 1 2\nv 0 1 0\nv -1 0.5 0\nf 1 2 3 4 5\n";
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
    vec![
        written(off::write),
        b"COFF # c\n3 1 0\n0 0 0 1\n1 0 0 1\n0 1 0 1\n3 0 1 2 255 0 0\n".to_vec(),
    ]
}

pub(crate) fn table() -> Vec<Vec<u8>> {
    let texts = [
        "x,y,z,r\n1,2,3,0.5\n-1e3,2,3,1\n",
        "1;2\n3;4\n",
        "# c\n1.5 2 3\n4 5 6\n",
        "\"a\"\t\"b\"\n1\t2\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

pub(crate) fn xyz() -> Vec<Vec<u8>> {
    vec![
        b"2\ncomment\nO 1 2 3\nH 4 5 6\n".to_vec(),
        b"1 2 3\n4 5 6\n".to_vec(),
    ]
}

pub(crate) fn npy() -> Vec<Vec<u8>> {
    let reals = npy::Array {
        shape: vec![3, 4],
        values: Values::Real((0..12).map(f64::from).collect()),
    };
    let wholes = npy::Array {
        shape: vec![5],
        values: Values::Whole((0..5).collect()),
    };

    let written = [reals, wholes].map(|array| {
        let mut bytes = Vec::new();
        npy::write(&array, &mut bytes).expect("writes to memory");
        bytes
    });
    let mut turned =
        b"\x93NUMPY\x01\x00\x3b\x00{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}    \n"
            .to_vec();
    turned[8] = (turned.len() - 10) as u8;
    turned.extend([1, 2, 3, 4, 5, 6]);

    written.into_iter().chain([turned]).collect()
}

pub(crate) fn lammps() -> Vec<Vec<u8>> {
    let centres = vec![Point::from([0.5, 1.0, 2.0]); 3];
    let mut particles = ParticleData::of_spheres(centres, vec![0.25; 3]);
    particles
        .fields
        .push(Field::vector("velocity", &[[1.0, 2.0, 3.0]; 3]));
    particles.fields.push(Field::scalar("c_1", vec![7.0; 3]));
    let (mut data, mut dump) = (Vec::new(), Vec::new());
    lammps::write_data(&particles, &mut data).expect("writes to memory");
    lammps::write_frame(&particles, &mut dump).expect("writes to memory");
    lammps::write_frame(&particles, &mut dump).expect("writes to memory");

    vec![data, dump]
}
