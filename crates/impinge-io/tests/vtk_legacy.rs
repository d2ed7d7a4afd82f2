//! VTK's legacy format in its versions and forms.

use impinge::shape::ElementKind::{self, *};
use impinge_io::{Dataset, Field, Values, vtk};

/// A number as it goes into a file.
fn number(of: &str, x: f64, binary: bool) -> Vec<u8> {
    if !binary {
        return format!("{x} ").into_bytes();
    }
    match of {
        "float" => (x as f32).to_be_bytes().to_vec(),
        "double" => x.to_be_bytes().to_vec(),
        "int" => (x as i32).to_be_bytes().to_vec(),
        "vtktypeint64" => (x as i64).to_be_bytes().to_vec(),
        "unsigned_char" => vec![x as u8],
        other => panic!("{other}"),
    }
}

fn numbers(of: &str, list: &[f64], binary: bool) -> Vec<u8> {
    let mut bytes: Vec<u8> = list.iter().flat_map(|&x| number(of, x, binary)).collect();
    bytes.push(b'\n');
    bytes
}

fn head(version: &str, binary: bool, dataset: &str) -> Vec<u8> {
    let form = if binary { "BINARY" } else { "ASCII" };
    format!("# vtk DataFile Version {version}\n\n{form}\nDATASET {dataset}\n").into_bytes()
}

const CELLS: [&[u32]; 4] = [&[0, 1, 2, 3], &[4, 3, 2, 1], &[0, 1, 2], &[0, 1, 2, 3, 4]];

fn lists(name: &str, cells: &[&[u32]], version: &str, binary: bool) -> Vec<u8> {
    let nodes: Vec<f64> = cells
        .iter()
        .flat_map(|cell| cell.iter().map(|&node| f64::from(node)))
        .collect();
    let mut bytes = Vec::new();

    if version == "5.1" {
        let mut offsets = vec![0.0];
        cells
            .iter()
            .for_each(|cell| offsets.push(offsets.last().unwrap() + cell.len() as f64));
        bytes.extend(
            format!(
                "{name} {} {}\nOFFSETS vtktypeint64\n",
                offsets.len(),
                nodes.len()
            )
            .bytes(),
        );
        bytes.extend(numbers("vtktypeint64", &offsets, binary));
        bytes.extend(b"CONNECTIVITY vtktypeint64\n");

        bytes.extend(numbers("vtktypeint64", &nodes, binary));
    } else {
        bytes.extend(format!("{name} {} {}\n", cells.len(), nodes.len() + cells.len()).bytes());
        for cell in cells {
            let list: Vec<f64> = [cell.len() as f64]
                .into_iter()
                .chain(cell.iter().map(|&node| f64::from(node)))
                .collect();
            bytes.extend(list.iter().flat_map(|&x| number("int", x, binary)));
        }
        bytes.push(b'\n');
    }

    bytes
}

/// Five points on a parabola, so that polygons of them in order are convex.
fn convex_points() -> Vec<f64> {
    let point = |i: i32| {
        [
            1.5 * f64::from(i),
            0.5 + 1.5 * f64::from(i),
            f64::from(i * i),
        ]
    };
    (0..5).flat_map(point).collect()
}

/// Two tetrahedra, a triangle, a pentagon; data of every sort.
fn grid(version: &str, binary: bool) -> Vec<u8> {
    let mut file = head(version, binary, "UNSTRUCTURED_GRID");
    file.extend(b"FIELD FieldData 1\nTIME 1 1 double\n");
    file.extend(numbers("double", &[0.5], binary));
    file.extend(b"POINTS 5 float\n");
    file.extend(numbers("float", &convex_points(), binary));
    file.extend(
        b"METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n",
    );
    file.extend(lists("CELLS", &CELLS, version, binary));
    file.extend(b"CELL_TYPES 4\n");
    file.extend(numbers("int", &[10.0, 10.0, 5.0, 7.0], binary));
    file.extend(b"CELL_DATA 4\nSCALARS part int 1\nLOOKUP_TABLE mine\n");
    file.extend(numbers("int", &[7.0, -8.0, 9.0, 10.0], binary));
    file.extend(b"LOOKUP_TABLE mine 1\n");
    file.extend(numbers("unsigned_char", &[0.0, 1.0, 0.0, 1.0], binary));
    file.extend(b"POINT_DATA 5\nVECTORS go float\n");
    file.extend(numbers("float", &[0.25; 15], binary));
    file.extend(b"FIELD f 2\na%20name 1 5 unsigned_char\n");

    file.extend(numbers(
        "unsigned_char",
        &[1.0, 2.0, 3.0, 4.0, 255.0],
        binary,
    ));
    file.extend(b"words 1 5 string\n");

    match binary {
        true => file.extend(b"\xc1a\xc0\xc2ab\x80\x03abc\xc1a\n"),
        false => file.extend(b"a\nb\nab\nabc\na\n"),
    }

    file
}

const FORMS: [(&str, bool); 4] = [("3.0", false), ("2.0", true), ("5.1", false), ("5.1", true)];

fn kinds(dataset: &Dataset) -> Vec<(ElementKind, usize)> {
    dataset
        .mesh
        .blocks
        .iter()
        .map(|block| (block.kind, block.len()))
        .collect()
}

#[test]
fn every_form_of_a_grid_reads_the_same() {
    for (version, binary) in FORMS {
        let dataset =
            vtk::parse(&grid(version, binary)).unwrap_or_else(|fault| panic!("{version}: {fault}"));
        dataset.check().expect("sound");
        assert_eq!(kinds(&dataset), [(Tet4, 2), (Tri3, 4)]);
        assert_eq!(dataset.mesh.points[4].y, 6.5);
        assert_eq!(dataset.mesh.blocks[0].nodes, [0, 1, 2, 3, 4, 3, 2, 1]);
        assert_eq!(
            dataset.cell_fields,
            [Field::whole("part", vec![7, -8, 9, 10, 10, 10])]
        );

        assert_eq!(
            dataset.point_fields[0],
            Field::vector("go", &[[0.25; 3]; 5])
        );
        assert_eq!(
            dataset.point_fields[1],
            Field::whole("a name", vec![1, 2, 3, 4, 255])
        );

        let ignored: Vec<&str> = dataset
            .ignored
            .iter()
            .map(|ignored| ignored.what.as_str())
            .collect();
        let cut = "polygons of more than 4 corners (split into triangles)";

        assert_eq!(
            ignored,
            ["field data arrays", "lookup tables", "arrays of text", cut]
        );
    }
}

#[test]
fn every_form_of_a_surface_reads_the_same() {
    for (version, binary) in FORMS {
        let mut file = head(version, binary, "POLYDATA");
        file.extend(b"POINTS 5 double\n");
        file.extend(numbers("double", &convex_points(), binary));
        file.extend(lists("TRIANGLE_STRIPS", &[&[0, 1, 2, 3]], version, binary));
        file.extend(lists(
            "POLYGONS",
            &[&[0, 1, 2], &[0, 1, 2, 3]],
            version,
            binary,
        ));
        file.extend(lists("VERTICES", &[&[4]], version, binary));
        file.extend(lists("LINES", &[&[0, 1, 2]], version, binary));
        file.extend(b"CELL_DATA 5\nNORMALS n double\n");

        file.extend(numbers(
            "double",
            &(0..15).map(f64::from).collect::<Vec<_>>(),
            binary,
        ));
        let dataset = vtk::parse(&file).unwrap_or_else(|fault| panic!("{version}: {fault}"));
        dataset.check().expect("sound");
        assert_eq!(
            kinds(&dataset),
            [(Vertex, 1), (Line2, 2), (Tri3, 1), (Quad4, 1), (Tri3, 2)]
        );
        let Values::Real(normals) = &dataset.cell_fields[0].values else {
            panic!("reals")
        };
        let first: Vec<f64> = normals.chunks(3).map(|normal| normal[0]).collect();

        assert_eq!(first, [0.0, 3.0, 3.0, 6.0, 9.0, 12.0, 12.0]);
    }
}

#[test]
fn bits_are_unpacked() {
    let mut file = head("3.0", true, "POLYDATA");
    file.extend(b"POINTS 9 float\n");
    file.extend(numbers("float", &[0.0; 27], true));
    file.extend(b"POINT_DATA 9\nSCALARS b bit\nLOOKUP_TABLE default\n\xa0\x80\n");
    let dataset = vtk::parse(&file).expect("nine bits");

    assert_eq!(
        dataset.point_fields,
        [Field::whole("b", vec![1, 0, 1, 0, 0, 0, 0, 0, 1])]
    );
}

fn reason(file: &[u8]) -> String {
    vtk::parse(file).expect_err("a bad file").to_string()
}

#[test]
fn lies_are_named_with_their_line() {
    let good = String::from_utf8(grid("3.0", false)).expect("text");
    let lie = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        reason(good.replacen(from, to, 1).as_bytes())
    };
    assert!(lie("# vtk", "# VTX").contains("line 1: the first line is not"));
    assert!(lie("Version 3.0", "Version 6.0").contains("version '6.0' is not supported"));
    assert!(
        lie("ASCII", "MORSE").contains("line 3: the file is neither ASCII nor BINARY but 'MORSE'")
    );

    assert!(
        lie("UNSTRUCTURED_GRID", "STRUCTURED_POINTS")
            .contains("dataset 'STRUCTURED_POINTS' is not supported")
    );
    assert!(
        lie("POINTS 5", "POINTS 4000000000").contains("line 8: 4000000000 points are declared")
    );
    assert!(lie("POINTS 5", "POINTS 18446744073709551615").contains("points are declared"));
    assert!(lie("POINTS 5", "POINTS -5").contains("'-5' is not a count"));
    assert!(lie("CELLS 4 20", "CELLS 4 3").contains("3 numbers of 4 cells"));

    assert!(
        lie("CELLS 4 20", "CELLS 4000000000 4000000020")
            .contains("are declared, but the file ends first")
    );
    assert!(lie("4 0 1 2 3", "99 0 1 2 3").contains("cell 0 has 99 nodes, more than"));
    assert!(lie("4 0 1 2 3", "4 0 1 2 5").contains("cell 0 has node 5, but there are 5 points"));
    assert!(lie("4 0 1 2 3", "4 0 1 2 -1").contains("'-1' is not a valid number"));
    assert!(
        lie("CELL_TYPES 4\n10", "CELL_TYPES 3\n").contains("there are 4 cells but 3 cell types")
    );
    assert!(lie("CELL_TYPES 4\n10", "CELL_TYPES 4\n300").contains("'300' is not a valid number"));
    assert!(lie("CELL_TYPES 4\n10", "CELL_TYPES 4\n12").contains("cell 0 is a hex8 with 4 nodes"));
    assert!(
        lie("CELL_DATA 4", "CELL_DATA 5").contains("there is data for 5 items, but there are 4")
    );
    assert!(
        lie("VECTORS go float", "VECTORS go quad")
            .contains("numbers of type 'quad' are not supported")
    );
    assert!(lie("a%20name 1 5", "a%20name 1 6").contains("has 6 items, but there are 5"));
    assert!(lie("a%20name 1 5", "a%20name 9999999999999999999 5").contains("are too many"));
    assert!(lie("VECTORS", "VICTORS").contains("the keyword 'VICTORS' is unknown"));
    assert!(lie("\n0 0.5 0 ", "\n0 inf 0 ").contains("this coordinate is not finite"));
    let other = String::from_utf8(grid("5.1", false)).expect("text");

    assert!(
        reason(other.replacen("\n0 4 8", "\n1 4 8", 1).as_bytes())
            .contains("the offsets do not begin with 0")
    );
    assert!(
        reason(other.replacen("\n0 4 8", "\n0 4 3", 1).as_bytes()).contains("do not lie within")
    );
}

#[test]
fn files_that_are_cut_short_never_panic_and_most_are_refused() {
    for (version, binary) in FORMS {
        let file = grid(version, binary);
        let refused = (0..file.len())
            .filter(|&cut| vtk::parse(&file[..cut]).is_err())
            .count();
        assert!(
            refused * 10 > file.len() * 8,
            "{version}: {refused} of {}",
            file.len()
        );
    }
}
