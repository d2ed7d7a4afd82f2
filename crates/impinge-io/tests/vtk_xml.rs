//! VTU and VTP in all their encodings.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use impinge::shape::ElementKind::{self, *};
use impinge::shape::{Block, Mesh};
use impinge::space::Point;
use impinge_io::{Dataset, Field, Format, Set, SetOf, Values, vtp, vtu};
use std::fmt::Write as _;
use std::io::Write as _;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    Ascii,
    Inline,
    AppendedBase64,
    AppendedRaw,
}

/// One way of writing a VTK file.
#[derive(Clone, Copy, Debug)]
struct Variant {
    style: Style,
    big: bool,
    wide: bool,
    packed: bool,
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for style in [
        Style::Ascii,
        Style::Inline,
        Style::AppendedBase64,
        Style::AppendedRaw,
    ] {
        for bits in 0..8 {
            all.push(Variant {
                style,
                big: bits & 1 == 1,
                wide: bits & 2 == 2,
                packed: bits & 4 == 4,
            });
        }
    }

    all
}

/// An array as it goes into a file: type, name, components, and its numbers.
struct Data(&'static str, &'static str, usize, Vec<f64>);

impl Variant {
    fn header(&self, number: usize) -> Vec<u8> {
        match (self.wide, self.big) {
            (false, false) => (number as u32).to_le_bytes().to_vec(),
            (false, true) => (number as u32).to_be_bytes().to_vec(),
            (true, false) => (number as u64).to_le_bytes().to_vec(),
            (true, true) => (number as u64).to_be_bytes().to_vec(),
        }
    }

    fn number(&self, of: &str, x: f64) -> Vec<u8> {
        let mut bytes = match of {
            "Float64" => x.to_le_bytes().to_vec(),
            "Float32" => (x as f32).to_le_bytes().to_vec(),
            "Int64" => (x as i64).to_le_bytes().to_vec(),
            "Int32" => (x as i32).to_le_bytes().to_vec(),
            "UInt16" => (x as u16).to_le_bytes().to_vec(),
            "UInt8" => vec![x as u8],
            other => panic!("{other}"),
        };

        if self.big {
            bytes.reverse();
        }

        bytes
    }

    /// Head and body of an array's bytes, which base64 encodes apart where they are compressed.
    fn parts(&self, data: &Data) -> (Vec<u8>, Vec<u8>) {
        let bytes: Vec<u8> = data
            .3
            .iter()
            .flat_map(|&x| self.number(data.0, x))
            .collect();

        if !self.packed {
            return (self.header(bytes.len()), bytes);
        }

        let blocks: Vec<Vec<u8>> = bytes.chunks(64).map(deflate).collect();
        let head = [blocks.len(), 64, bytes.len() % 64]
            .into_iter()
            .chain(blocks.iter().map(Vec::len));
        (
            head.flat_map(|number| self.header(number)).collect(),
            blocks.concat(),
        )
    }

    fn encode(&self, data: &Data) -> String {
        let (head, body) = self.parts(data);
        match self.packed {
            true => STANDARD.encode(head) + &STANDARD.encode(body),
            false => STANDARD.encode([head, body].concat()),
        }
    }

    fn array(&self, data: &Data, appended: &mut Vec<u8>) -> String {
        let Data(of, name, components, numbers) = data;
        let tag =
            format!("<DataArray type=\"{of}\" Name=\"{name}\" NumberOfComponents=\"{components}\"");

        match self.style {
            Style::Ascii => {
                let text: String = numbers.iter().map(|x| format!(" {x}\n")).collect();
                format!("{tag} format=\"ascii\">\n{text}</DataArray>\n")
            }
            Style::Inline => format!(
                "{tag} format=\"binary\">\n  {}\n</DataArray>\n",
                self.encode(data)
            ),
            Style::AppendedBase64 => {
                let offset = appended.len();
                appended.extend(self.encode(data).bytes());
                format!("{tag} format=\"appended\" offset=\"{offset}\"/>\n")
            }
            Style::AppendedRaw => {
                let offset = appended.len();
                let (head, body) = self.parts(data);
                appended.extend([head, body].concat());
                format!(
                    "{tag} format=\"appended\" offset=\"{offset}\"><InformationKey name=\"k\"/></DataArray>\n"
                )
            }
        }
    }

    fn file(&self, grid: &str, counts: &str, groups: &[(&str, Vec<Data>)]) -> Vec<u8> {
        let mut appended = Vec::new();
        let mut text = format!(
            "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<VTKFile type=\"{grid}\" version=\"1.0\" \
             byte_order=\"{}\" header_type=\"{}\"{}>\n<{grid}><Piece {counts}>\n",
            if self.big {
                "BigEndian"
            } else {
                "LittleEndian"
            },
            if self.wide { "UInt64" } else { "UInt32" },
            if self.packed {
                " compressor=\"vtkZLibDataCompressor\""
            } else {
                ""
            },
        );

        for (name, arrays) in groups {
            writeln!(text, "<{name}>").unwrap();
            arrays
                .iter()
                .for_each(|data| text += &self.array(data, &mut appended));
            writeln!(text, "</{name}>").unwrap();
        }

        write!(text, "</Piece></{grid}>").unwrap();
        let encoding = if self.style == Style::AppendedRaw {
            "raw"
        } else {
            "base64"
        };
        write!(text, "<AppendedData encoding=\"{encoding}\">\n _").unwrap();
        let mut file = text.into_bytes();
        file.extend(appended);
        file.extend(b"\n</AppendedData></VTKFile>\n");

        file
    }
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Two tetrahedra, a triangle and a voxel on twelve points.
fn grid() -> (&'static str, Vec<(&'static str, Vec<Data>)>) {
    let points = (0..36).map(|i| f64::from(i) * 0.25).collect();
    let nodes = [0, 1, 2, 3, 1, 2, 3, 4, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11];
    let groups = vec![
        (
            "PointData",
            vec![Data(
                "Float32",
                "heat",
                1,
                (0..12).map(|i| f64::from(i) - 0.5).collect(),
            )],
        ),
        (
            "CellData",
            vec![Data("UInt16", "part", 2, (0..8).map(f64::from).collect())],
        ),
        ("Points", vec![Data("Float64", "Points", 3, points)]),
        (
            "Cells",
            vec![
                Data(
                    "Int32",
                    "connectivity",
                    1,
                    nodes.into_iter().map(f64::from).collect(),
                ),
                Data("Int64", "offsets", 1, vec![4.0, 8.0, 11.0, 19.0]),
                Data("UInt8", "types", 1, vec![10.0, 10.0, 5.0, 11.0]),
            ],
        ),
    ];

    ("NumberOfPoints=\"12\" NumberOfCells=\"4\"", groups)
}

fn good(variant: Variant) -> Vec<u8> {
    let (counts, groups) = grid();
    variant.file("UnstructuredGrid", counts, &groups)
}

const PLAIN: Variant = Variant {
    style: Style::Ascii,
    big: false,
    wide: false,
    packed: false,
};

#[test]
fn every_encoding_of_a_vtu_reads_the_same() {
    for variant in variants() {
        let dataset =
            vtu::parse(&good(variant)).unwrap_or_else(|fault| panic!("{variant:?}: {fault}"));
        dataset.check().expect("sound");
        let kinds: Vec<ElementKind> = dataset.mesh.blocks.iter().map(|block| block.kind).collect();
        assert_eq!(kinds, [Tet4, Tri3, Hex8], "{variant:?}");
        assert_eq!(dataset.mesh.blocks[0].nodes, [0, 1, 2, 3, 1, 2, 3, 4]);
        assert_eq!(dataset.mesh.blocks[2].nodes, [4, 5, 7, 6, 8, 9, 11, 10]);
        assert_eq!(dataset.mesh.points[11], Point::from([8.25, 8.5, 8.75]));
        assert_eq!(dataset.point_fields[0].name, "heat");

        assert_eq!(
            dataset.point_fields[0].values,
            Values::Real((0..12).map(|i| f64::from(i) - 0.5).collect())
        );
        assert_eq!(dataset.cell_fields[0].components, 2);
        assert_eq!(
            dataset.cell_fields[0].values,
            Values::Whole((0..8).collect())
        );

        assert!(dataset.ignored.is_empty());
    }
}

#[test]
fn every_encoding_of_a_vtp_reads_the_same() {
    let list = |nodes: &[u32], ends: &[u32]| {
        let numbers = |list: &[u32]| list.iter().map(|&x| f64::from(x)).collect();
        vec![
            Data("Int64", "connectivity", 1, numbers(nodes)),
            Data("Int32", "offsets", 1, numbers(ends)),
        ]
    };
    for variant in variants() {
        let groups = [
            (
                "Points",
                vec![Data(
                    "Float32",
                    "Points",
                    3,
                    // On a parabola, so that polygons of them in order are convex.
                    (0..6).flat_map(|i| [i, 0, i * i].map(f64::from)).collect(),
                )],
            ),
            ("Verts", list(&[5, 4], &[1, 2])),
            ("Lines", list(&[0, 1, 2], &[3])),
            ("Strips", list(&[0, 1, 2, 3], &[4])),
            (
                "Polys",
                list(&[0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4], &[3, 7, 12]),
            ),
            (
                "CellData",
                vec![Data("Int32", "cell", 1, (0..7).map(f64::from).collect())],
            ),
        ];
        let counts = "NumberOfPoints=\"6\" NumberOfVerts=\"2\" NumberOfLines=\"1\" NumberOfStrips=\"1\" \
                      NumberOfPolys=\"3\"";
        let dataset = vtp::parse(&variant.file("PolyData", counts, &groups)).expect("a good file");
        dataset.check().expect("sound");

        let blocks: Vec<(ElementKind, usize)> = dataset
            .mesh
            .blocks
            .iter()
            .map(|block| (block.kind, block.len()))
            .collect();
        assert_eq!(
            blocks,
            [(Vertex, 2), (Line2, 2), (Tri3, 1), (Quad4, 1), (Tri3, 5)]
        );

        assert_eq!(
            dataset.cell_fields[0].values,
            Values::Whole(vec![0, 1, 2, 2, 3, 4, 5, 5, 5, 6, 6])
        );
        assert_eq!(dataset.ignored.len(), 1, "the pentagon is said to be cut");
    }
}

#[test]
fn pieces_are_joined() {
    let piece = "<Piece NumberOfPoints='1' NumberOfCells='1'><Points><DataArray type='Float32' \
        NumberOfComponents='3' format='ascii'>1 2 3</DataArray></Points><Cells>\
        <DataArray type='Int32' Name='connectivity' format='ascii'>0</DataArray>\
        <DataArray type='Int32' Name='offsets' format='ascii'>1</DataArray>\
        <DataArray type='UInt8' Name='types' format='ascii'>1</DataArray></Cells>\
        <CellData><DataArray type='Int8' Name='id' format='ascii'>-7</DataArray></CellData></Piece>";
    let file = format!(
        "<VTKFile type='UnstructuredGrid'><UnstructuredGrid><FieldData><DataArray/></FieldData>{piece}{piece}\
         </UnstructuredGrid></VTKFile>"
    );
    let dataset = vtu::parse(file.as_bytes()).expect("two pieces");

    assert_eq!(
        dataset.mesh.blocks,
        [Block {
            kind: Vertex,
            nodes: vec![0, 1]
        }]
    );
    assert_eq!(dataset.cell_fields, [Field::whole("id", vec![-7, -7])]);
    assert_eq!(dataset.ignored[0].what, "field data arrays");
    let other = piece.replace("'id'", "'other'");
    let file = file.replacen(piece, &other, 1);

    assert!(
        vtu::parse(file.as_bytes())
            .unwrap_err()
            .reason
            .contains("piece 1 has other fields")
    );
}

/// A mesh with one element of each kind, fields of all sorts, and sets.
fn everything(kinds: &[ElementKind]) -> Dataset {
    let mut mesh = Mesh::default();
    for &kind in kinds {
        let first = mesh.points.len() as u32;
        for i in 0..kind.node_count() {
            mesh.points.push(Point::from([
                i as f64,
                1.0 / (1.0 + i as f64),
                f64::from(first),
            ]));
        }
        let nodes: Vec<u32> = (first..mesh.points.len() as u32).collect();
        mesh.push(kind, &nodes);
    }

    let (points, elements) = (mesh.points.len(), kinds.len());
    let mut dataset = Dataset::from(mesh);
    dataset.point_fields = vec![
        Field::scalar(
            "<heat & \"light\">",
            (0..points).map(|i| (i as f64).sqrt()).collect(),
        ),
        Field {
            name: "nothing".into(),
            components: 0,
            values: Values::Real(vec![]),
        },
    ];

    dataset.cell_fields = vec![
        Field::whole("large", (0..elements as i64).map(|i| i << 40).collect()),
        Field {
            name: "pair".into(),
            components: 2,
            values: Values::Whole((0..2 * elements as i64).collect()),
        },
        Field::scalar("not a number", vec![f64::INFINITY; elements]),
    ];

    let set = |name: &str, of, members: &[u64]| Set {
        name: name.into(),
        of,
        members: members.to_vec(),
    };
    dataset.sets = vec![
        set("left", SetOf::Points, &[0, 2, points as u64 - 1]),
        set("first", SetOf::Elements, &[0]),
        set("sides", SetOf::Sides, &[0, 3, 8, 8 * elements as u64 - 1]),
    ];

    dataset
}

fn written(
    write: fn(&Dataset, &mut dyn std::io::Write) -> std::io::Result<()>,
    dataset: &Dataset,
) -> Vec<u8> {
    dataset.check().expect("sound");
    let mut bytes = Vec::new();
    write(dataset, &mut bytes).expect("memory takes all");
    bytes
}

#[test]
fn a_vtu_comes_back_as_it_was_written() {
    let dataset = everything(&ElementKind::ALL);
    assert_eq!(vtu::parse(&written(vtu::write, &dataset)), Ok(dataset));
    let empty = Dataset::default();
    assert_eq!(vtu::parse(&written(vtu::write, &empty)), Ok(empty));
}

#[test]
fn a_vtp_comes_back_as_it_was_written_and_takes_no_solids() {
    let dataset = everything(&[Vertex, Line2, Tri3, Quad4, Tri3]);
    assert_eq!(vtp::parse(&written(vtp::write, &dataset)), Ok(dataset));
    let mixed = everything(&[Tri3, Vertex]);
    let back = vtp::parse(&written(vtp::write, &mixed)).expect("reads");
    assert_eq!(back.mesh.blocks[0].kind, Vertex, "vertices come first");
    assert_eq!(
        back.cell_fields[0].values,
        Values::Whole(vec![1 << 40, 0]),
        "fields follow"
    );
    let reason = vtp::check(&everything(&[Tri3, Tet10])).unwrap_err().reason;

    assert!(reason.contains("1 tet10 elements"), "{reason}");
}

/// As in vtkWedge (and meshio, which turns them back): the first triangle of a linear wedge faces
/// outward. Curved wedges have the usual order in VTK too.
#[test]
fn linear_wedges_are_written_and_read_in_the_order_of_vtk() {
    let text = |nodes: &str| {
        format!(
            "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"6\" NumberOfCells=\"1\">\
             <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1\
             </DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\">{nodes}</DataArray>\
             <DataArray type=\"Int32\" Name=\"offsets\">6</DataArray><DataArray type=\"UInt8\" Name=\"types\">13\
             </DataArray></Cells></Piece></UnstructuredGrid></VTKFile>"
        )
    };
    let read = vtu::parse(text("0 2 1 3 5 4").as_bytes()).expect("a good file");
    assert_eq!(read.mesh.blocks[0].nodes, [0, 1, 2, 3, 4, 5]);

    let as_in_gmsh = Dataset::from(Mesh {
        points: read.mesh.points.clone(),
        blocks: read.mesh.blocks.clone(),
    });
    let mut bytes = Vec::new();
    vtu::write(&as_in_gmsh, &mut bytes).expect("writes");
    assert_eq!(vtu::parse(&bytes).expect("reads"), as_in_gmsh);
    let connectivity = connectivity_of(&bytes);

    assert_eq!(connectivity, [0, 2, 1, 3, 5, 4]);
}

/// The second array of a file of ours: one block of zlib after three numbers and its size.
fn connectivity_of(file: &[u8]) -> Vec<i32> {
    let text = String::from_utf8_lossy(file);
    let tag = text.find("Name=\"connectivity\"").expect("a tag");
    let offset = text[tag..].split("offset=\"").nth(1).expect("an offset");
    let offset: usize = offset
        .split('"')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    let mark = b"<AppendedData encoding=\"raw\">\n_";

    let start = file
        .windows(mark.len())
        .position(|part| part == mark)
        .expect("data");
    let packed = &file[start + mark.len() + offset + 4 * 8..];
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(packed), &mut bytes)
        .expect("sound");

    bytes
        .chunks_exact(4)
        .map(|four| i32::from_le_bytes(four.try_into().expect("four bytes")))
        .collect()
}

#[test]
fn an_array_of_many_blocks_comes_back() {
    let points: Vec<Point<3>> = (0..40_000)
        .map(|i| Point::from([f64::from(i), 0.1, -1.0]))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..39_998).map(|i| [i, i + 1, i + 2]).collect();
    let dataset = Dataset::from(Mesh::of_triangles(points, &triangles));
    let bytes = written(vtu::write, &dataset);
    assert!(bytes.len() < 600_000, "{} bytes", bytes.len());

    assert_eq!(vtu::parse(&bytes), Ok(dataset));
}

fn reason(file: &[u8]) -> String {
    vtu::parse(file).expect_err("a bad file").to_string()
}

fn replaced(variant: Variant, from: &str, to: &str) -> Vec<u8> {
    let file = good(variant);
    let at = file
        .windows(from.len())
        .position(|window| window == from.as_bytes())
        .expect("is there");
    [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
}

#[test]
fn lies_in_the_tree_are_named_with_their_line() {
    let lie = |from: &str, to: &str| reason(&replaced(PLAIN, from, to));
    assert!(
        lie("NumberOfPoints=\"12\"", "NumberOfPoints=\"4000000000\"")
            .contains("numbers, but 12000000000 are")
    );
    assert!(
        lie(
            "NumberOfPoints=\"12\"",
            "NumberOfPoints=\"99999999999999999999\""
        )
        .contains("is not a count")
    );

    assert!(
        lie(
            "NumberOfCells=\"4\"",
            "NumberOfCells=\"18446744073709551615\""
        )
        .contains("numbers, but 184467")
    );
    assert!(lie("NumberOfCells=\"4\"", "NumberOfCells=\"-1\"").contains("is not a count"));
    assert!(lie(" 0.25\n", " nan\n").contains("point 0 has a coordinate that is not finite"));
    assert!(lie(" 19\n", " 18\n").contains("it contains 19 numbers, but 18 are needed"));
    assert!(lie(" 8\n 11\n 19", " 11\n 8\n 19").contains("is a tet4 with 7 nodes"));
    assert!(lie(" 11\n 19", " 20\n 19").contains("the nodes of cell 2 do not lie within"));
    assert!(
        lie(" 10\n 11\n</", " 10\n 12\n</").contains("cell 3 has node 12, but there are 12 points")
    );
    assert!(lie(" 10\n 11\n</", " 10\n -1\n</").contains("'-1' is not a number"));

    assert!(
        lie(
            "\"Points\" NumberOfComponents=\"3\"",
            "\"Points\" NumberOfComponents=\"2\""
        )
        .contains("3 components")
    );
    assert!(
        lie("type=\"UnstructuredGrid\"", "type=\"ImageData\"")
            .contains("the file contains 'ImageData'")
    );
    assert!(
        lie("type=\"UInt8\"", "type=\"Float128\"").contains("type 'Float128' are not supported")
    );
    assert!(lie("format=\"ascii\"", "format=\"morse\"").contains("'morse' is unknown"));
    assert!(lie("LittleEndian", "PDPEndian").contains("'PDPEndian' is unknown"));
    assert_eq!(&lie("types", "typos")[..7], "line 73");

    for compressor in ["vtkLZ4DataCompressor", "vtkLZMADataCompressor"] {
        let text = lie(
            "header_type",
            &format!("compressor=\"{compressor}\" header_type"),
        );
        assert!(text.contains(compressor), "{text}");
    }
}

#[test]
fn lies_in_binary_data_are_named() {
    let inline = Variant {
        style: Style::Inline,
        ..PLAIN
    };
    let raw = Variant {
        style: Style::AppendedRaw,
        ..PLAIN
    };

    assert!(
        reason(&replaced(
            inline,
            "NumberOfPoints=\"12\"",
            "NumberOfPoints=\"13\""
        ))
        .contains("but 312 are needed")
    );
    let far = reason(&replaced(raw, "offset=\"0\"", "offset=\"99999\""));
    assert!(far.contains("offset 99999 lies beyond"), "{far}");
    let shifted = reason(&replaced(raw, "offset=\"0\"", "offset=\"1\""));

    assert!(
        shifted.starts_with("byte ") && shifted.contains("array heat"),
        "{shifted}"
    );

    for variant in variants() {
        let file = good(variant);
        let end = file.len() - b"\n</AppendedData></VTKFile>\n".len();
        if variant.style != Style::Ascii && variant.style != Style::Inline {
            assert!(
                vtu::parse(&file[..end - 5]).is_err(),
                "{variant:?} cut short"
            );
        }

        for cut in (0..end - 5).step_by(7) {
            let _ = vtu::parse(&file[..cut]);
        }
    }
}

/// A file whose one array of points is said to have `count` points, in one block of zlib.
fn bomb(count: usize, claimed: usize) -> Vec<u8> {
    let block = deflate(&vec![0; count * 24]);
    let head: Vec<u8> = [1, claimed, 0, block.len()]
        .iter()
        .flat_map(|&n| (n as u64).to_le_bytes())
        .collect();
    let mut file = format!(
        "<VTKFile type='UnstructuredGrid' header_type='UInt64' compressor='vtkZLibDataCompressor'>\
         <UnstructuredGrid><Piece NumberOfPoints='{count}' NumberOfCells='0'><Points><DataArray type='Float64' \
         NumberOfComponents='3' format='appended' offset='0'/></Points></Piece></UnstructuredGrid>\
         <AppendedData encoding='raw'>_"
    )
    .into_bytes();
    file.extend([head, block].concat());

    file
}

#[test]
fn a_block_that_expands_a_thousandfold_is_refused_and_a_small_one_is_not() {
    assert_eq!(
        vtu::parse(&bomb(1000, 24_000))
            .expect("24 kB are fine")
            .mesh
            .points
            .len(),
        1000
    );
    let text = reason(&bomb(3_000_000, 72_000_000));

    assert!(
        text.contains("expand beyond 16 times the file's size"),
        "{text}"
    );
    assert!(reason(&bomb(1000, 23_999)).contains("it contains 23999 bytes, but 24000 are needed"));
}

#[test]
fn a_block_of_another_size_than_it_says_is_refused() {
    let mut file = bomb(1000, 24_000);
    let head = file
        .windows(8)
        .position(|window| window == 24_000_u64.to_le_bytes())
        .expect("the size");
    let count = String::from_utf8_lossy(&file[..head])
        .find("'1000'")
        .expect("the count");
    file[count + 1..count + 5].copy_from_slice(b"0999");
    file[head..head + 8].copy_from_slice(&23_976_u64.to_le_bytes());

    assert!(reason(&file).contains("block 0 does not inflate to its 23976 bytes"));
}

#[test]
fn the_right_door_is_named_for_a_wrong_extension() {
    assert!(
        Format::Vtp
            .parse(&good(PLAIN))
            .unwrap_err()
            .reason
            .contains("looks like VTU")
    );
}
