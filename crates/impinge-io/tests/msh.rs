//! Gmsh MSH 2.2 and 4.1 in both forms and byte orders.

use impinge::shape::ElementKind::{self, *};
use impinge::shape::Mesh;
use impinge::space::Point;
use impinge_io::{Dataset, Field, Ignored, Set, SetOf, Values, msh};

/// The contents of a section, before they are encoded as text or bytes.
enum Item {
    Int(i32),
    Size(u64),
    Real(f64),
    Break,
}
use Item::{Break, Int, Real, Size};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Text,
    Little,
    Big,
}

fn print(items: &[Item], form: Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    for item in items {
        match (item, form) {
            (Int(x), Encoding::Text) => bytes.extend(format!("{x} ").bytes()),
            (Size(x), Encoding::Text) => bytes.extend(format!("{x} ").bytes()),
            (Real(x), Encoding::Text) => bytes.extend(format!("{x:?} ").bytes()),
            (Break, Encoding::Text) => bytes.push(b'\n'),
            (Int(x), Encoding::Little) => bytes.extend(x.to_le_bytes()),
            (Size(x), Encoding::Little) => bytes.extend(x.to_le_bytes()),
            (Real(x), Encoding::Little) => bytes.extend(x.to_le_bytes()),
            (Int(x), Encoding::Big) => bytes.extend(x.to_be_bytes()),
            (Size(x), Encoding::Big) => bytes.extend(x.to_be_bytes()),
            (Real(x), Encoding::Big) => bytes.extend(x.to_be_bytes()),
            (Break, _) => {}
        }
    }

    bytes
}

fn file(version: &str, form: Encoding, sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = format!(
        "$MeshFormat\n{version} {} 8\n",
        i32::from(form != Encoding::Text)
    )
    .into_bytes();

    if form != Encoding::Text {
        file.extend(print(&[Int(1)], form));
        file.push(b'\n');
    }

    file.extend(b"$EndMeshFormat\n");
    for (name, body) in sections {
        file.extend(
            [
                format!("${name}\n").as_bytes(),
                body,
                format!("\n$End{name}\n").as_bytes(),
            ]
            .concat(),
        );
    }

    file
}

const NAMES: &[u8] = b"2\n2 7 \"the left side\"\n3 1 \"rock\"";

/// Field 1.5, 2.5, … on the numbers given.
fn data(numbers: &[i32], form: Encoding) -> Vec<u8> {
    let mut body = format!("1\n\"heat\"\n1\n0.25\n3\n0\n1\n{}\n", numbers.len()).into_bytes();
    for (i, &number) in numbers.iter().enumerate() {
        body.extend(print(&[Int(number), Real(1.5 + i as f64), Break], form));
    }
    body
}

/// Nodes 5, 90, 6, 7, 8 in that order; a triangle, two tetrahedra and a pyramid14.
fn version_2(form: Encoding) -> Vec<u8> {
    let mut nodes = b"5\n".to_vec();
    for (i, number) in [5, 90, 6, 7, 8].into_iter().enumerate() {
        let x = i as f64;
        nodes.extend(print(
            &[Int(number), Real(x), Real(x * x), Real(-0.5), Break],
            form,
        ));
    }

    let mut elements = b"4\n".to_vec();
    let heads = [
        (1, 2, vec![7, 3], vec![5, 6, 90]),
        (2, 4, vec![1, 4], vec![5, 6, 90, 7]),
    ];

    for (number, kind, tags, list) in heads {
        let ints = |list: &[i32]| list.iter().map(|&x| Int(x)).collect::<Vec<_>>();
        elements.extend(match form {
            Encoding::Text => print(&ints(&[number, kind, tags.len() as i32]), form),
            _ => print(&ints(&[kind, 1, tags.len() as i32, number]), form),
        });
        elements.extend(print(&ints(&[tags, list].concat()), form));
        elements.extend(print(&[Break], form));
    }

    let (third, fourth) = match form {
        Encoding::Text => ([30, 14, 0].to_vec(), [4, 4, 4, 1, 4, 2, 1, 9].to_vec()),
        _ => ([14, 1, 0, 30].to_vec(), [4, 1, 4, 4, 1, 4, 2, 1].to_vec()),
    };
    let pyramid: Vec<i32> = third.into_iter().chain([5; 14]).collect();
    elements.extend(print(
        &pyramid.into_iter().map(Int).collect::<Vec<_>>(),
        form,
    ));
    elements.extend(print(&[Break], form));
    let mut last: Vec<i32> = fourth;

    if form == Encoding::Text {
        last.truncate(7);
    }

    let tetrahedron: Vec<i32> = last.into_iter().chain([8, 6, 90, 7]).collect();
    elements.extend(print(
        &tetrahedron.into_iter().map(Int).collect::<Vec<_>>(),
        form,
    ));

    file(
        "2.2",
        form,
        &[
            ("PhysicalNames", NAMES.to_vec()),
            ("Nodes", nodes),
            ("Elements", elements),
            ("Periodic", b"0".to_vec()),
            ("NodeData", data(&[8, 90], form)),
            ("ElementData", data(&[4, 30], form)),
        ],
    )
}

fn version_4(form: Encoding) -> Vec<u8> {
    let bounds = |items: &mut Vec<Item>| items.extend((0..6).map(|_| Real(0.0)));
    let mut entities = vec![Size(1), Size(0), Size(1), Size(1), Break];
    entities.extend([
        Int(1),
        Real(0.0),
        Real(0.0),
        Real(0.0),
        Size(0),
        Break,
        Int(3),
    ]);
    bounds(&mut entities);
    entities.extend([Size(1), Int(-7), Size(2), Int(1), Int(-2), Break, Int(4)]);
    bounds(&mut entities);
    entities.extend([Size(2), Int(9), Int(1), Size(0)]);
    let mut nodes = vec![Size(3), Size(5), Size(5), Size(90), Break];

    nodes.extend([
        Int(2),
        Int(3),
        Int(1),
        Size(2),
        Break,
        Size(5),
        Break,
        Size(90),
        Break,
    ]);

    for x in [0.0, 1.0] {
        nodes.extend([
            Real(x),
            Real(x * x),
            Real(-0.5),
            Real(0.1),
            Real(0.2),
            Break,
        ]);
    }

    nodes.extend([Int(0), Int(1), Int(0), Size(0), Break]);
    nodes.extend([
        Int(3),
        Int(4),
        Int(0),
        Size(3),
        Break,
        Size(6),
        Size(7),
        Size(8),
        Break,
    ]);

    for x in [2.0, 3.0, 4.0] {
        nodes.extend([Real(x), Real(x * x), Real(-0.5), Break]);
    }

    let mut elements = vec![Size(3), Size(4), Size(1), Size(30), Break];
    elements.extend([
        Int(2),
        Int(3),
        Int(2),
        Size(1),
        Break,
        Size(1),
        Size(5),
        Size(6),
        Size(90),
        Break,
    ]);
    elements.extend([Int(3), Int(4), Int(14), Size(1), Break, Size(30)]);
    elements.extend((0..14).map(|_| Size(5)));
    elements.extend([Break, Int(3), Int(4), Int(4), Size(2), Break]);
    elements.extend([Size(2), Size(5), Size(6), Size(90), Size(7), Break]);
    elements.extend([Size(4), Size(8), Size(6), Size(90), Size(7)]);

    file(
        "4.1",
        form,
        &[
            ("PhysicalNames", NAMES.to_vec()),
            ("Entities", print(&entities, form)),
            ("Nodes", print(&nodes, form)),
            ("Elements", print(&elements, form)),
            ("Periodic", b"0".to_vec()),
            ("NodeData", data(&[8, 90], form)),
            ("ElementData", data(&[4, 30], form)),
        ],
    )
}

fn assert_common(dataset: &Dataset) {
    dataset.check().expect("sound");
    let points: Vec<Point<3>> = (0..5)
        .map(f64::from)
        .map(|x| Point::from([x, x * x, -0.5]))
        .collect();
    assert_eq!(dataset.mesh.points, points);
    assert_eq!(dataset.mesh.blocks[0].kind, Tri3);
    assert_eq!(dataset.mesh.blocks[0].nodes, [0, 2, 1]);
    assert_eq!(dataset.mesh.blocks[1].kind, Tet4);
    assert_eq!(dataset.mesh.blocks[1].nodes, [0, 2, 1, 3, 4, 2, 1, 3]);

    let nan_but = |places: &[(usize, f64)], count| {
        let mut values = vec![f64::NAN; count];
        places
            .iter()
            .for_each(|&(place, value)| values[place] = value);
        format!("{values:?}")
    };
    let shown = |field: &Field| match &field.values {
        Values::Real(values) => format!("{values:?}"),
        Values::Whole(_) => panic!("reals"),
    };

    assert_eq!(
        shown(&dataset.point_fields[0]),
        nan_but(&[(4, 1.5), (1, 2.5)], 5)
    );
    assert_eq!(shown(&dataset.cell_fields[0]), nan_but(&[(2, 1.5)], 3));
    assert_eq!(
        dataset.cell_fields[2],
        Field::whole("gmsh:geometrical", vec![3, 4, 4])
    );

    let ignored: Vec<&str> = dataset
        .ignored
        .iter()
        .map(|ignored| ignored.what.as_str())
        .collect();

    for what in [
        "pyramid14 elements",
        "sections 'Periodic'",
        "values on nodes or elements that are not there",
    ] {
        assert!(ignored.contains(&what), "{what} is not in {ignored:?}");
    }
}

fn elements(name: &str, members: &[u64]) -> Set {
    Set {
        name: name.into(),
        of: SetOf::Elements,
        members: members.to_vec(),
    }
}

#[test]
fn every_form_of_version_2_reads_the_same() {
    for form in [Encoding::Text, Encoding::Little, Encoding::Big] {
        let dataset =
            msh::parse(&version_2(form)).unwrap_or_else(|fault| panic!("{form:?}: {fault}"));
        assert_common(&dataset);
        assert_eq!(
            dataset.cell_fields[1],
            Field::whole("gmsh:physical", vec![7, 1, 1])
        );
        assert_eq!(
            dataset.sets,
            [elements("the left side", &[0]), elements("rock", &[1, 2])]
        );

        assert!(
            dataset
                .ignored
                .iter()
                .any(|ignored| ignored.what == "elements' partitions")
        );
    }
}

#[test]
fn every_form_of_version_4_reads_the_same() {
    for form in [Encoding::Text, Encoding::Little, Encoding::Big] {
        let dataset =
            msh::parse(&version_4(form)).unwrap_or_else(|fault| panic!("{form:?}: {fault}"));
        assert_common(&dataset);
        assert_eq!(
            dataset.cell_fields[1],
            Field::whole("gmsh:physical", vec![7, 1, 1])
        );
        let sets = [
            elements("the left side", &[0]),
            elements("rock", &[1, 2]),
            elements("physical volume 9", &[1, 2]),
        ];

        assert_eq!(dataset.sets, sets);
    }
}

/// Nodes at the corners of a skewed element, and at the mean of the corners around each mid node.
fn skewed(kind: ElementKind, mid_nodes: &[&[usize]]) -> Vec<[f64; 3]> {
    let corners: Vec<[f64; 3]> = (0..kind.corner_count())
        .map(|i| {
            let x = i as f64;
            [x * x, 3.0 * x - 0.1 * x * x * x, (7.0 * x).sin()]
        })
        .collect();
    let mean = |around: &&[usize]| {
        std::array::from_fn(|axis| {
            around.iter().map(|&i| corners[i][axis]).sum::<f64>() / around.len() as f64
        })
    };

    corners
        .iter()
        .copied()
        .chain(mid_nodes.iter().map(mean))
        .collect()
}

/// Mid nodes as in the figures of Gmsh's manual.
#[rustfmt::skip]
const GMSH: [(ElementKind, &[&[usize]]); 5] = [
    (Tet10, &[&[0, 1], &[1, 2], &[0, 2], &[0, 3], &[2, 3], &[1, 3]]),
    (
        Hex20,
        &[
            &[0, 1], &[0, 3], &[0, 4], &[1, 2], &[1, 5], &[2, 3], &[2, 6], &[3, 7], &[4, 5], &[4, 7], &[5, 6],
            &[6, 7],
        ],
    ),
    (
        Hex27,
        &[
            &[0, 1], &[0, 3], &[0, 4], &[1, 2], &[1, 5], &[2, 3], &[2, 6], &[3, 7], &[4, 5], &[4, 7], &[5, 6],
            &[6, 7], &[0, 1, 2, 3], &[0, 1, 4, 5], &[0, 3, 4, 7], &[1, 2, 5, 6], &[2, 3, 6, 7], &[4, 5, 6, 7],
            &[0, 1, 2, 3, 4, 5, 6, 7],
        ],
    ),
    (Wedge15, &[&[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 4], &[2, 5], &[3, 4], &[3, 5], &[4, 5]]),
    (Pyramid13, &[&[0, 1], &[0, 3], &[0, 4], &[1, 2], &[1, 4], &[2, 3], &[2, 4], &[3, 4]]),
];

/// Mid nodes of VTK's cells, from its documentation.
#[rustfmt::skip]
const VTK: [(ElementKind, &[&[usize]]); 5] = [
    (Tet10, &[&[0, 1], &[1, 2], &[0, 2], &[0, 3], &[1, 3], &[2, 3]]),
    (
        Hex20,
        &[
            &[0, 1], &[1, 2], &[2, 3], &[3, 0], &[4, 5], &[5, 6], &[6, 7], &[7, 4], &[0, 4], &[1, 5], &[2, 6],
            &[3, 7],
        ],
    ),
    (
        Hex27,
        &[
            &[0, 1], &[1, 2], &[2, 3], &[3, 0], &[4, 5], &[5, 6], &[6, 7], &[7, 4], &[0, 4], &[1, 5], &[2, 6],
            &[3, 7], &[0, 3, 4, 7], &[1, 2, 5, 6], &[0, 1, 4, 5], &[2, 3, 6, 7], &[0, 1, 2, 3], &[4, 5, 6, 7],
            &[0, 1, 2, 3, 4, 5, 6, 7],
        ],
    ),
    (Wedge15, &[&[0, 1], &[1, 2], &[2, 0], &[3, 4], &[4, 5], &[5, 3], &[0, 3], &[1, 4], &[2, 5]]),
    (Pyramid13, &[&[0, 1], &[1, 2], &[2, 3], &[3, 0], &[0, 4], &[1, 4], &[2, 4], &[3, 4]]),
];

#[test]
fn mid_nodes_of_gmsh_stand_where_vtk_wants_them() {
    for ((kind, gmsh), (same, vtk)) in GMSH.into_iter().zip(VTK) {
        assert_eq!(kind, same);
        let mut text = format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n",
            kind.node_count()
        );

        for (i, [x, y, z]) in skewed(kind, gmsh).into_iter().enumerate() {
            text += &format!("{} {x:?} {y:?} {z:?}\n", i + 1);
        }

        let nodes: String = (1..=kind.node_count()).map(|i| format!(" {i}")).collect();
        text += &format!(
            "$EndNodes\n$Elements\n1\n1 {} 0{nodes}\n$EndElements\n",
            kind.gmsh_id()
        );
        let mesh = msh::parse(text.as_bytes()).expect("one element").mesh;
        let found: Vec<[f64; 3]> = mesh.blocks[0]
            .nodes
            .iter()
            .map(|&node| mesh.points[node as usize].into())
            .collect();

        assert_eq!(found, skewed(kind, vtk), "{}", kind.name());
    }
}

fn written(dataset: &Dataset) -> Vec<u8> {
    dataset.check().expect("sound");
    let mut bytes = Vec::new();
    msh::write(dataset, &mut bytes).expect("memory takes all");
    bytes
}

/// One element of each kind.
fn all_kinds() -> Dataset {
    let mut mesh = Mesh::default();
    for kind in ElementKind::ALL {
        let first = mesh.points.len() as u32;
        mesh.points
            .extend((0..kind.node_count()).map(|i| Point::from([i as f64, f64::from(first), 0.5])));
        let nodes: Vec<u32> = (first..mesh.points.len() as u32).collect();
        mesh.push(kind, &nodes);
    }

    mesh.into()
}

#[test]
fn a_mesh_of_all_kinds_with_sets_and_fields_comes_back() {
    let mut dataset = all_kinds();
    let (points, count) = (dataset.mesh.points.len(), ElementKind::ALL.len());
    dataset.point_fields = vec![Field::scalar(
        "heat",
        (0..points).map(|i| i as f64 / 3.0).collect(),
    )];
    dataset.cell_fields = vec![
        Field::vector("push", &vec![[0.0, -1.5, 2.0]; count]),
        Field::whole(
            "gmsh:physical",
            (0..count as i64)
                .map(|i| [0, 5, 2][i as usize % 3])
                .collect(),
        ),
        Field::whole("gmsh:geometrical", (1..=count as i64).collect()),
    ];
    let back = msh::parse(&written(&dataset)).expect("reads");
    assert_eq!(back.mesh, dataset.mesh);
    assert_eq!(back.point_fields, dataset.point_fields);
    assert_eq!(back.cell_fields, dataset.cell_fields);
    assert!(back.ignored.is_empty());

    // After the first round trip fields have become groups too; further round trips change nothing.
    assert!(back.sets.iter().any(|set| set.name == "physical volume 5"));
    assert_eq!(msh::parse(&written(&back)), Ok(back));
}

#[test]
fn overlapping_sets_of_all_sorts_come_back() {
    let mut dataset = all_kinds();
    let sides = Set {
        name: "out \"side\"".into(),
        of: SetOf::Sides,
        members: vec![64, 67, 90],
    };
    let points = Set {
        name: "pinned".into(),
        of: SetOf::Points,
        members: vec![0, 3, 4],
    };

    dataset.sets = vec![
        elements("flat", &[3, 4, 5]),
        elements("some", &[4, 5, 6]),
        points,
        sides,
    ];
    dataset.cell_fields = vec![Field {
        name: "pair".into(),
        components: 2,
        values: Values::Whole(vec![7; 36]),
    }];

    let padded = Ignored {
        what: "numbers of components (fields padded with zeros to 3 or 9)".into(),
        count: 1,
    };
    assert_eq!(msh::check(&dataset), Ok(vec![padded]));
    let back = msh::parse(&written(&dataset)).expect("reads");
    let named = |name: &str| {
        &back
            .sets
            .iter()
            .find(|set| set.name == name)
            .expect("is there")
            .members
    };
    assert_eq!(named("flat"), &[3, 4, 5]);
    assert_eq!(named("some"), &[4, 5, 6]);
    assert_eq!(named("pinned"), &[0, 3, 4]);
    assert_eq!(named("out 'side'"), &[64, 67, 90]);
    assert_eq!(back.cell_fields[0].components, 3, "filled up with zeros");

    dataset.cell_fields[0] = Field {
        name: "long".into(),
        components: 10,
        values: Values::Whole(vec![7; 180]),
    };
    let left_out = vec![Ignored {
        what: "fields of more than 9 components".into(),
        count: 1,
    }];

    assert_eq!(msh::check(&dataset), Ok(left_out));
}

#[test]
fn points_without_elements_and_nothing_at_all_come_back() {
    for points in [vec![Point::from([1.0, 2.0, 3.0])], vec![]] {
        let dataset = Dataset::from(Mesh {
            points,
            blocks: vec![],
        });
        assert_eq!(msh::parse(&written(&dataset)), Ok(dataset));
    }
}

fn reason(file: &[u8]) -> String {
    msh::parse(file).expect_err("a bad file").to_string()
}

#[test]
fn lies_in_text_are_named_with_their_line() {
    let two = String::from_utf8(version_2(Encoding::Text)).expect("text");
    let four = String::from_utf8(version_4(Encoding::Text)).expect("text");
    let lie = |file: &str, from: &str, to: &str| {
        assert!(file.contains(from), "{from}");
        reason(file.replacen(from, to, 1).as_bytes())
    };
    assert!(lie(&two, "2.2 0 8", "4.0 0 8").contains("MSH version '4.0' is not supported"));
    assert!(lie(&two, "2.2 0 8", "2.2 0 3").contains("unknown size of numbers"));
    assert!(lie(&two, "$MeshFormat", "$NOD").contains("MSH 1 is not supported"));

    assert!(
        lie(&two, "$Nodes\n5\n", "$Nodes\n4294967295\n")
            .contains("line 17: '$EndNodes' is not a valid number")
    );
    assert!(lie(&two, "90 1.0", "5 1.0").contains("node 5 is listed twice"));
    assert!(lie(&two, "90 1.0", "90 nan").contains("line 12: this coordinate is not finite"));
    assert!(
        lie(&two, "7 3 5 6 90", "7 3 5 6 91")
            .contains("line 20: element 0 has node 91, which does not exist")
    );
    assert!(lie(&two, "7 3 5 6 90", "7 3 5 6 -1").contains("'-1' is not a valid number"));
    assert!(lie(&two, "1 2 2 7 3", "1 2 -2 7 3").contains("an element cannot have -2 tags"));
    assert!(
        lie(&two, "$EndElements", "$EndElement")
            .contains("expected the end of the section 'Elements'")
    );
    assert!(
        lie(&two, "$EndPeriodic", "$EndPeriodics").contains("the section 'Periodic' does not end")
    );
    assert!(lie(&two, "2 7 \"the", "2 7 the").contains("is not a physical name"));
    assert!(lie(&four, "3 5 5 90", "3 6 5 90").contains("6 nodes are declared, but there are 5"));
    assert!(
        lie(&four, "3 4 1 30", "3 5 1 30").contains("5 elements are declared, but there are 4")
    );
    assert!(lie(&four, "3 4 4 2", "9 4 4 2").contains("an entity cannot have 9 dimensions"));
    assert!(lie(&four, "$Nodes", "$Knots").contains("the section 'Knots' does not end"));

    assert!(reason(b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n").contains("no section 'Nodes'"));
}

#[test]
fn binary_files_that_are_cut_short_are_refused() {
    for form in [Encoding::Little, Encoding::Big] {
        for file in [version_2(form), version_4(form)] {
            let end = file
                .windows(12)
                .position(|window| window == b"$EndElements")
                .expect("the end");
            for cut in 0..end + 12 {
                assert!(msh::parse(&file[..cut]).is_err(), "cut at {cut}");
            }
        }
    }
}

#[test]
fn an_entity_of_many_groups_with_many_elements_is_refused() {
    let mut entities = vec![
        Size(1),
        Size(0),
        Size(0),
        Size(0),
        Int(1),
        Real(0.0),
        Real(0.0),
        Real(0.0),
    ];
    entities.push(Size(10_000));
    entities.extend((1..=10_000).map(Int));

    let nodes = [
        Size(1),
        Size(1),
        Size(1),
        Size(1),
        Int(0),
        Int(1),
        Int(0),
        Size(1),
        Size(1),
    ];
    let mut nodes = print(&nodes, Encoding::Little);
    nodes.extend([0; 24]);

    let mut elements = vec![
        Size(1),
        Size(10_000),
        Size(1),
        Size(10_000),
        Int(0),
        Int(1),
        Int(15),
        Size(10_000),
    ];
    (1..=10_000).for_each(|i| elements.extend([Size(i), Size(1)]));

    let sections = [
        ("Entities", print(&entities, Encoding::Little)),
        ("Nodes", nodes),
        ("Elements", print(&elements, Encoding::Little)),
    ];

    assert!(reason(&file("4.1", Encoding::Little, &sections)).contains("expand beyond"));
}
