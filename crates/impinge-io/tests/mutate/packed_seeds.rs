//! Good files of the formats that pack other files, to be broken.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// A ZIP archive, its files deflated or stored.
pub(crate) fn zip(files: &[(&str, &[u8])], deflated: bool) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let mut crc = Crc::new();
        crc.update(contents);
        let packed = if deflated {
            deflate(contents)
        } else {
            contents.to_vec()
        };
        let mut facts = Vec::new();
        facts.extend(if deflated { 8u16 } else { 0 }.to_le_bytes());
        facts.extend([0; 4]);
        facts.extend(crc.sum().to_le_bytes());
        facts.extend((packed.len() as u32).to_le_bytes());
        facts.extend((contents.len() as u32).to_le_bytes());
        facts.extend((name.len() as u16).to_le_bytes());
        facts.extend([0, 0]);

        directory.extend(b"PK\x01\x02\x14\0\x14\0\0\0");
        directory.extend(&facts);
        directory.extend([0; 10]);
        directory.extend((archive.len() as u32).to_le_bytes());
        directory.extend(name.bytes());
        archive.extend(b"PK\x03\x04\x14\0\0\0");
        archive.extend(&facts);
        archive.extend(name.bytes());

        archive.extend(packed);
    }

    let start = archive.len() as u32;
    let count = (files.len() as u16).to_le_bytes();
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count);
    archive.extend(count);
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0, 0]);

    archive
}

pub(crate) fn deflate(contents: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(contents).expect("writes to memory");
    encoder.finish().expect("writes to memory")
}

/// A 3MF file with a model.
pub(crate) fn package(model: &str, deflated: bool) -> Vec<u8> {
    let relations = r#"<Relationships><Relationship Target="/3D/m.model" Type="http://x/2013/01/3dmodel"/></Relationships>"#;
    let files = [
        ("_rels/.rels", relations.as_bytes()),
        ("3D/m.model", model.as_bytes()),
    ];
    zip(&files, deflated)
}

/// The resources of a tetrahedron, as object 1.
pub(crate) const TETRAHEDRON: &str = r#"<object id="1" type="model"><mesh><vertices>
<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/></vertices>
<triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/><triangle v1="1" v2="2" v3="3"/>
<triangle v1="2" v2="0" v3="3"/></triangles></mesh></object>"#;

/// A model of the tetrahedron, other objects and items.
pub(crate) fn model(objects: &str, items: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><model unit=\"millimeter\"><metadata name=\"a\">b</metadata>\
         <resources>{TETRAHEDRON}{objects}</resources><build>{items}</build></model>"
    )
}

/// A tetrahedron as it is, and one that is moved and mirrored within another object.
pub(crate) const PAIR: [&str; 2] = [
    r#"<object id="2"><components><component objectid="1" transform="-1 0 0 0 1 0 0 0 1 5 0 0"/></components></object>"#,
    r#"<item objectid="1"/><item objectid="2" transform="2 0 0 0 2 0 0 0 2 0 0 0"/>"#,
];

pub(crate) fn threemf() -> Vec<Vec<u8>> {
    let text = model(PAIR[0], PAIR[1]);
    vec![package(&text, true), package(&text, false)]
}

/// A GLB file.
pub(crate) fn container(json: &str, data: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + data.len();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((length as u32).to_le_bytes());

    for (kind, chunk) in [(b"JSON", &json[..]), (b"BIN\0", data)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }

    file
}

/// The numbers of a tetrahedron: 12 positions, each corner three times, and 12 indices.
pub(crate) fn tetrahedron_data() -> Vec<u8> {
    let corners = [
        [0f32, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let positions = faces
        .as_flattened()
        .iter()
        .flat_map(|&n: &usize| corners[n]);
    let mut data: Vec<u8> = positions.flat_map(f32::to_le_bytes).collect();
    data.extend((0..12u16).flat_map(u16::to_le_bytes));

    data
}

/// A scene of nodes over the tetrahedron's mesh.
pub(crate) fn scene(nodes: &str, shown: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":{shown}}}],"nodes":{nodes},
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":4}}]}}],"materials":[{{}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":12,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":144}},{{"buffer":0,"byteOffset":144,"byteLength":24}}],
"buffers":[{{"byteLength":168}}]}}"#
    )
}

/// A tetrahedron as it is, and one that is moved and mirrored by two nodes.
pub(crate) const NODES: &str = r#"[{"mesh":0},{"scale":[2,2,2],"children":[2]},
{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]}]"#;

pub(crate) fn glb() -> Vec<Vec<u8>> {
    vec![container(&scene(NODES, "[0,1]"), &tetrahedron_data())]
}
