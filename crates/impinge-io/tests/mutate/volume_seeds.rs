//! Good files of the formats that hold solids, to be broken.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use impinge::shape::{ElementKind, Mesh};
use impinge::space::Point;
use impinge_io::{Dataset, Field, Set, SetOf, msh, vtp, vtu};

/// One element of each of some kinds, with fields and sets.
fn solid(kinds: &[ElementKind]) -> Dataset {
    let points = (0..10)
        .map(|i| Point::from([f64::from(i), f64::from(i * i), 0.1]))
        .collect();
    let mut mesh = Mesh {
        points,
        blocks: Vec::new(),
    };

    for &kind in kinds {
        let nodes: Vec<u32> = (0..kind.node_count() as u32).collect();
        mesh.push(kind, &nodes);
    }

    let mut dataset = Dataset::from(mesh);
    dataset
        .point_fields
        .push(Field::scalar("heat", vec![0.5; 10]));
    dataset.cell_fields.push(Field::whole(
        "gmsh:physical",
        (1..=kinds.len() as i64).collect(),
    ));

    let set = |name: &str, of, members: &[u64]| Set {
        name: name.into(),
        of,
        members: members.to_vec(),
    };
    dataset.sets = vec![
        set("a", SetOf::Points, &[0, 2]),
        set("b", SetOf::Elements, &[0]),
        set("c", SetOf::Sides, &[1]),
    ];

    dataset
}

fn written(
    write: fn(&Dataset, &mut dyn std::io::Write) -> std::io::Result<()>,
    kinds: &[ElementKind],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&solid(kinds), &mut bytes).expect("writes to memory");
    bytes
}

/// Type, name and numbers of an array.
type Array<'a> = (&'a str, &'a str, &'a [f32]);

/// Arrays of 4-byte numbers as an XML file, in text or base64 within or behind the tree.
fn xml(grid: &str, counts: &str, groups: &[(&str, &[Array])], style: usize) -> Vec<u8> {
    let mut tree =
        format!("<VTKFile type=\"{grid}\" byte_order=\"LittleEndian\"><{grid}><Piece {counts}>\n");
    let mut appended = String::new();

    for (group, arrays) in groups {
        tree += &format!("<{group}>\n");
        for (of, name, numbers) in *arrays {
            let raw = |x: &f32| {
                if *of == "Int32" {
                    (*x as i32).to_le_bytes()
                } else {
                    x.to_le_bytes()
                }
            };
            let bytes: Vec<u8> = numbers.iter().flat_map(raw).collect();
            let coded = STANDARD.encode([&(bytes.len() as u32).to_le_bytes(), &bytes[..]].concat());

            let tag = format!(
                "<DataArray type=\"{of}\" Name=\"{name}\" NumberOfComponents=\"{}\"",
                if *group == "Points" { 3 } else { 1 }
            );
            tree += &match style {
                0 => format!("{tag} format=\"ascii\">{numbers:?}</DataArray>\n")
                    .replace(['[', ']', ','], " ")
                    .replace(".0", ""),
                1 => format!("{tag} format=\"binary\">{coded}</DataArray>\n"),
                _ => format!(
                    "{tag} format=\"appended\" offset=\"{}\"/>\n",
                    appended.len()
                ),
            };

            appended += &coded;
        }

        tree += &format!("</{group}>\n");
    }

    tree += &format!(
        "</Piece></{grid}><AppendedData encoding=\"base64\">_{appended}</AppendedData></VTKFile>"
    );
    tree.into_bytes()
}

const POINTS: &[f32] = &[
    0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5, 0.8, 1.0, -0.6, 0.2, 2.0,
];

pub(crate) fn vtu() -> Vec<Vec<u8>> {
    let cells: &[Array] = &[
        (
            "Int32",
            "connectivity",
            &[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 4.0],
        ),
        ("Int32", "offsets", &[4.0, 9.0]),
        ("Int32", "types", &[10.0, 7.0]),
    ];

    let groups: &[(&str, &[Array])] = &[
        ("PointData", &[("Float32", "h", &[1.5; 5])]),
        ("CellData", &[("Int32", "set:p", &[0.0, 1.0])]),
        ("Points", &[("Float32", "Points", POINTS)]),
        ("Cells", cells),
    ];
    let mut seeds = vec![written(
        vtu::write,
        &[ElementKind::Tet4, ElementKind::Tet10, ElementKind::Hex8],
    )];

    seeds.extend((0..3).map(|style| {
        xml(
            "UnstructuredGrid",
            "NumberOfPoints=\"5\" NumberOfCells=\"2\"",
            groups,
            style,
        )
    }));

    seeds
}

pub(crate) fn vtp() -> Vec<Vec<u8>> {
    let lists: &[Array] = &[
        ("Int32", "connectivity", &[0.0, 1.0, 2.0, 3.0, 4.0]),
        ("Int32", "offsets", &[5.0]),
    ];
    let groups: &[(&str, &[Array])] = &[
        ("CellData", &[("Int32", "k", &[7.0, 8.0, 9.0])]),
        ("Points", &[("Float32", "Points", POINTS)]),
        ("Lines", lists),
        ("Strips", lists),
        ("Polys", lists),
    ];
    let counts =
        "NumberOfPoints=\"5\" NumberOfLines=\"1\" NumberOfStrips=\"1\" NumberOfPolys=\"1\"";

    let mut seeds = vec![written(
        vtp::write,
        &[ElementKind::Vertex, ElementKind::Tri3, ElementKind::Quad4],
    )];
    seeds.extend((0..3).map(|style| xml("PolyData", counts, groups, style)));

    seeds
}

pub(crate) fn msh() -> Vec<Vec<u8>> {
    let two = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"rock\"\n$EndPhysicalNames\n$Nodes\n4\n\
        9 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n3\n1 15 2 0 1 9\n2 4 2 1 1 9 2 3 4\n\
        3 14 2 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n$EndElements\n$Periodic\n0\n$EndPeriodic\n\
        $NodeData\n1\n\"h\"\n1\n0.0\n3\n0\n1\n2\n9 0.5\n3 0.5\n$EndNodeData\n";
    let four = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 1\n3 0 0 0 1 1 1 1 7 2 1 -2\n\
        1 0 0 0 1 1 1 2 1 5 0\n$EndEntities\n$Nodes\n2 4 1 9\n2 3 1 2\n1\n9\n0 0 0 0.5 0.5\n1 0 0 0.5 0.5\n3 1 0 2\n\
        3\n4\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 3 2 1\n1 1 9 3\n3 1 4 1\n2 1 9 3 4\n$EndElements\n";
    let mut binary =
        b"$MeshFormat\n2.2 1 8\n\x00\x00\x00\x01\n$EndMeshFormat\n$Nodes\n3\n".to_vec();

    for number in 1..=3_i32 {
        binary.extend(number.to_be_bytes());
        binary.extend(
            [f64::from(number), 0.0, 1.0]
                .iter()
                .flat_map(|x| x.to_be_bytes()),
        );
    }

    binary.extend(b"\n$EndNodes\n$Elements\n2\n");
    let ints = [2, 1, 2, 1, 5, 6, 1, 2, 3, 15, 1, 0, 2, 3_i32];
    binary.extend(ints.iter().flat_map(|x| x.to_be_bytes()));
    binary.extend(b"\n$EndElements\n");
    let kinds = [ElementKind::Tri6, ElementKind::Tet4, ElementKind::Tet10];

    vec![written(msh::write, &kinds), two.into(), four.into(), binary]
}

pub(crate) fn vtk() -> Vec<Vec<u8>> {
    let old = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0 0 1 0\n\
        -0.5 0.8 1 -0.6 0.2 1\nCELLS 3 15\n4 0 1 2 3\n5 0 1 2 3 4\n3 0 1 2\nCELL_TYPES 3\n10\n7\n6\nCELL_DATA 3\nSCALARS s int 1\n\
        LOOKUP_TABLE default\n1 2 3\nPOINT_DATA 5\nVECTORS v float\n0 0 0 1 1 1 2 2 2 3 3 3 4 4 4\nFIELD f 2\n\
        a 2 5 double\n1 2 3 4 5 6 7 8 9 0\nb 1 5 string\na\nb\nc\nd\ne\n";
    let new = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 double\n0 0 0 1 0 0 0 1 0\nMETADATA\n\
        INFORMATION 0\n\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\nLINES 2 2\n\
        OFFSETS vtktypeint64\n0 2\nCONNECTIVITY vtktypeint64\n0 1\nCELL_DATA 2\nNORMALS n float\n0 0 1 0 0 1\n";
    let mut binary =
        b"# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
            .to_vec();
    binary.extend((0..12_u8).flat_map(|i| f32::from(i).to_be_bytes()));
    binary.extend(b"\nCELLS 1 5\n");
    binary.extend([4, 0, 1, 2, 3_i32].iter().flat_map(|x| x.to_be_bytes()));
    binary.extend(
        b"\nCELL_TYPES 1\n\x00\x00\x00\x0a\nPOINT_DATA 4\nSCALARS s bit\nLOOKUP_TABLE default\n\xa0\n",
    );
    binary.extend(
        b"FIELD f 2\nw 1 4 string\n\xc1a\xc0\xc1b\xc1c\nx 1 4 unsigned_char\n\x01\x02\x03\x04\n",
    );

    vec![old.into(), new.into(), binary]
}

pub(crate) fn inp() -> Vec<Vec<u8>> {
    let flat = "*HEADING\n** c\n*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n40, 0., 0., 1.\n\
        *ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2,\n3, 40\n*ELEMENT, TYPE=S3\n2, 1, 2, 3\n*NSET, NSET=R, GENERATE\n1, 9, 2\n\
        *NSET, NSET=N\nR, 2, 77\n*ELSET, ELSET=F\nE, 2\n*SURFACE, NAME=S\nE, S1\n2, SPOS\n2, E1\nE\n\
        *SURFACE, TYPE=NODE, NAME=T\nN, 1.\n*MATERIAL, NAME=M\n*ELASTIC\n1., .3\n";
    let parts = "*PART, NAME=P\n*NODE\n1, 1., 0., 0.\n2, 2., 0., 0.\n*ELEMENT, TYPE=B31, ELSET=B\n1, 1, 2\n*END PART\n\
        *ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0., 0., 5.\n0., 0., 0., 0., 0., 1., 90.\n*END INSTANCE\n\
        *INSTANCE, NAME=J, PART=P\n*END INSTANCE\n*NODE\n1, 3., 3., 3.\n*NSET, NSET=Q, INSTANCE=I\n1, 2\n\
        *ELSET, ELSET=W\nI.B, J.1\n*END ASSEMBLY\n";

    vec![flat.into(), parts.into()]
}

pub(crate) fn pvd() -> Vec<Vec<u8>> {
    vec![b"<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\"><Collection>\n<DataSet timestep=\"0.5\" part=\"0\" \
        file=\"a &amp; b.vtu\"/>\n<DataSet timestep=\"1\" file=\"c.vtu\"/></Collection></VTKFile>\n"
        .to_vec()]
}
