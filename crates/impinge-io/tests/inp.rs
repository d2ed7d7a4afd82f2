//! Abaqus input files.

use impinge::shape::ElementKind::{self, *};
use impinge_io::{Dataset, SetOf, inp};

const FLAT: &str = "\
*Heading
 two tetrahedra and a shell, not * keywords
** a comment
*Node, nset=All
 10, 0., 0., 0.
 2, 1., 0., 0.
** a comment between
 30, 0., 1.D0, 0.
 4, 0., 0., 1.
 5, 1., 1., 1.
*ELEMENT, TYPE=C3D4,
 ELSET=Solids
 7, 10, 2, 30, 4
 1, 2, 30,
 4, 5
*element, type=S3R, elset=Skin
100, 10, 30, 2
*ELEMENT, TYPE=SPRINGA
200, 10,
2
201, 2, 30
*NSET, NSET=Ends
10, 5,
*NSET, NSET=ends
4
*NSET, NSET=Even, GENERATE
2, 1000000000, 2
*NSET, NSET=Both
ENDS, 2
*ELSET, ELSET=Every
Solids, skin, 200
*SURFACE, NAME=Outside
Solids, S1
1, S3
Skin, SNEG
SKIN, E2
Solids
*SURFACE, TYPE=NODE, NAME=Pins
Ends, 1.0
2
*SURFACE, TYPE=SEGMENTS, NAME=Wall
START, 0., 0.
*MATERIAL, NAME=Steel
*ELASTIC
 1., 2.
*ELASTIC
 1., 2.
";

fn read(text: &str) -> Dataset {
    let dataset = inp::parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
    dataset.check().expect("sound");
    dataset
}

fn members<'a>(dataset: &'a Dataset, name: &str) -> &'a [u64] {
    &dataset
        .sets
        .iter()
        .find(|set| set.name == name)
        .unwrap_or_else(|| panic!("no set {name}"))
        .members
}

#[test]
fn a_flat_file_gives_its_mesh_sets_and_surfaces() {
    let dataset = read(FLAT);
    assert_eq!(dataset.mesh.points.len(), 5);
    assert_eq!(dataset.mesh.points[2].y, 1.0);
    let blocks: Vec<(ElementKind, &[u32])> = dataset
        .mesh
        .blocks
        .iter()
        .map(|block| (block.kind, block.nodes.as_slice()))
        .collect();

    assert_eq!(
        blocks,
        [(Tet4, &[0, 1, 2, 3, 1, 2, 3, 4][..]), (Tri3, &[0, 2, 1])]
    );
    assert_eq!(members(&dataset, "All"), [0, 1, 2, 3, 4]);
    assert_eq!(members(&dataset, "Ends"), [0, 3, 4]);
    assert_eq!(members(&dataset, "Even"), [0, 1, 2, 3]);
    assert_eq!(members(&dataset, "Both"), [0, 1, 3, 4]);
    assert_eq!(members(&dataset, "Solids"), [0, 1]);
    assert_eq!(members(&dataset, "Every"), [0, 1, 2]);
    assert_eq!(members(&dataset, "Pins"), [0, 1, 3, 4]);

    // S1 of a tetrahedron lies opposite its fourth node, S3 opposite its first; a shell's side 7 is behind it.
    assert_eq!(members(&dataset, "Outside"), [3, 8, 8 + 3, 16 + 1, 16 + 7]);
    let of = |name: &str| {
        dataset
            .sets
            .iter()
            .find(|set| set.name == name)
            .expect("a set")
            .of
    };

    assert_eq!(
        (of("Pins"), of("Outside"), of("Skin")),
        (SetOf::Points, SetOf::Sides, SetOf::Elements)
    );
    let ignored: Vec<(&str, usize)> = dataset
        .ignored
        .iter()
        .map(|ignored| (ignored.what.as_str(), ignored.count))
        .collect();

    let right = [
        ("keywords *HEADING", 1),
        ("elements of type 'SPRINGA'", 2),
        ("surfaces' lines without a face (free surfaces)", 1),
        ("surfaces of type 'SEGMENTS'", 1),
        ("keywords *MATERIAL", 1),
        ("keywords *ELASTIC", 2),
        ("members of sets that refer to items that were not read", 1),
    ];

    assert_eq!(ignored, right);
}

const PARTS: &str = "\
*PART, NAME=Bar
*NODE
1, 1., 0., 0.
2, 2., 0., 0.
*ELEMENT, TYPE=T3D2, ELSET=Rod
1, 1, 2
*NSET, NSET=Tip
2
*END PART
*PART, NAME=Spare
*END PART
*ASSEMBLY, NAME=A
*INSTANCE, NAME=Bar-1, PART=Bar
*END INSTANCE
*INSTANCE, NAME=bar-2, PART=BAR
0., 0., 5.
0., 0., 0., 0., 0., 1., 90.
*END INSTANCE
*NODE
1, 9., 9., 9.
*NSET, NSET=Tips
Bar-1.Tip, bar-2.2
*NSET, NSET=Second, INSTANCE=Bar-2
1, Tip
*NSET, NSET=Reference
1
*ELSET, ELSET=Rods
Bar-1.Rod, BAR-2.1
*END ASSEMBLY
";

#[test]
fn instances_are_shifted_turned_and_named() {
    let dataset = read(PARTS);
    let points: Vec<[f64; 3]> = dataset
        .mesh
        .points
        .iter()
        .map(|point| (*point).into())
        .collect();
    assert_eq!(points[..2], [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);

    for (found, right) in points[2..4].iter().zip([[0.0, 1.0, 5.0], [0.0, 2.0, 5.0]]) {
        assert!(
            found.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-15),
            "{found:?}"
        );
    }

    assert_eq!(points[4], [9.0; 3]);
    assert_eq!(dataset.mesh.blocks[0].nodes, [0, 1, 2, 3]);
    assert_eq!(members(&dataset, "Bar-1.Tip"), [1]);
    assert_eq!(members(&dataset, "bar-2.Tip"), [3]);
    assert_eq!(members(&dataset, "bar-2.Rod"), [1]);
    assert_eq!(members(&dataset, "Tips"), [1, 3]);
    assert_eq!(members(&dataset, "Second"), [2, 3]);
    assert_eq!(members(&dataset, "Reference"), [4]);
    assert_eq!(members(&dataset, "Rods"), [0, 1]);
    assert_eq!(dataset.ignored[0].what, "parts without an instance");
    let alone = PARTS.split("*ASSEMBLY").next().expect("the parts");

    assert_eq!(members(&read(alone), "Bar.Tip"), [1]);
}

#[test]
fn quadratic_elements_are_put_in_our_order() {
    let nodes: String = (1..=27).map(|i| format!("{i}, {i}.\n")).collect();
    let list: String = (1..=27).map(|i| format!("{i},\n")).collect();
    let file =
        format!("*NODE\n{nodes}*ELEMENT, TYPE=C3D27\n1,\n{list}*ELEMENT, TYPE=B32\n2, 1, 2, 3\n");
    let dataset = read(&file);
    let hex = &dataset.mesh.blocks[0].nodes;
    assert_eq!(hex[..20], (0..20).collect::<Vec<u32>>());
    assert_eq!(hex[20..], [26, 24, 23, 25, 21, 22, 20]);

    assert_eq!(
        dataset.mesh.blocks[1].nodes,
        [0, 2, 1],
        "the middle node goes last"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let lie = |from: &str, to: &str| {
        assert!(FLAT.contains(from), "{from}");
        inp::parse(FLAT.replacen(from, to, 1).as_bytes())
            .expect_err("a bad file")
            .to_string()
    };
    assert!(lie("*Heading\n", "# AVS\n").contains("line 1: an Abaqus file begins with a keyword"));
    assert!(
        lie("*MATERIAL, NAME=Steel", "*INCLUDE, INPUT=x")
            .contains("line 43: *INCLUDE is not supported")
    );
    assert!(lie("*Node, ", "*Node, input=x, ").contains("line 4: INPUT= is not supported"));
    assert!(lie("*Node, ", "*Node, system=C, ").contains("cylindrical"));
    assert!(lie("*MATERIAL", "*NGEN").contains("*NGEN is not supported"));
    assert!(lie(" 2, 1., 0., 0.", " 2, nan, 0., 0.").contains("line 6: 'nan' is not finite"));
    assert!(lie(" 2, 1., 0., 0.", " -2, 1., 0., 0.").contains("'-2' is not a valid number"));
    assert!(lie(" 2, 1., 0., 0.", " 10, 1., 0., 0.").contains("node 10 is listed twice"));

    assert!(
        lie("7, 10, 2, 30, 4", "7, 10, 2, 30, 44")
            .contains("element 7 has node 44, which does not exist")
    );
    assert!(lie("7, 10, 2, 30, 4", "1, 10, 2, 30, 4").contains("element 1 is listed twice"));
    assert!(lie(" 4, 5\n", " 4\n").contains("element 1 has 1 nodes fewer"));
    assert!(
        lie("7, 10, 2, 30, 4", "7, 10, 2, 30, 99999999999")
            .contains("'99999999999' is not a valid number")
    );
    assert!(lie("2, 1000000000, 2", "2, 1000000000, 0").contains("a range needs"));

    assert!(
        lie("ENDS, 2", "Enders, 2")
            .contains("line 28: set 'Both' names 'ENDERS', which is not defined")
    );
    assert!(lie("*NSET, NSET=Ends", "*NSET").contains("*NSET needs NSET=…"));
    assert!(
        inp::parse(PARTS.replace("PART=BAR", "PART=Car").as_bytes())
            .unwrap_err()
            .reason
            .contains("'Car'")
    );

    assert!(inp::parse(b"").is_err());
}

#[test]
fn instances_and_sets_that_multiply_are_refused() {
    let mut many = String::from("*PART, NAME=P\n*NODE\n");
    (1..=4000).for_each(|i| many += &format!("{i}, 1., 2., 3.\n"));
    many += "*END PART\n*ASSEMBLY\n";
    (0..4000).for_each(|i| many += &format!("*INSTANCE, NAME=I{i}, PART=P\n*END INSTANCE\n"));
    assert!(
        inp::parse(many.as_bytes())
            .unwrap_err()
            .reason
            .contains("expand beyond")
    );
    let mut names = String::from("*NODE, NSET=S\n");
    (1..=4000).for_each(|i| names += &format!("{i}, 1., 2., 3.\n"));
    names += "*NSET, NSET=T\n";
    (0..4000).for_each(|_| names += "S\n");

    assert!(
        inp::parse(names.as_bytes())
            .unwrap_err()
            .reason
            .contains("expand beyond")
    );
}
