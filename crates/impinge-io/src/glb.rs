//! GLB, the binary form of glTF 2: a JSON chunk that describes meshes and the nodes that place them, and a chunk of
//! binary data.
//!
//! The triangles of the scene are read as one mesh; materials, textures, skins and animations are ignored. The format
//! duplicates points where normals or colours are discontinuous, so points within 1e-12 of the size are merged.

use crate::budget::Budget;
use crate::bytes::{Bytes, Endian};
use crate::surface::{MOST_POINTS, merged};
use crate::{Dataset, ParseError};
use impinge::space::{Matrix, Point};
use serde_json::Value;

/// Maximum nesting depth of nodes.
const DEEPEST: usize = 64;

/// glTF's codes for number types.
const U8: u64 = 5121;
const U16: u64 = 5123;
const U32: u64 = 5125;
const F32: u64 = 5126;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let (json, data) = chunks(bytes)?;
    let json: Value = serde_json::from_slice(json).map_err(|error| {
        ParseError::whole(format!("the JSON of the GLB file is invalid: {error}"))
    })?;

    if let Some(needed) = list(&json, "extensionsRequired")
        .iter()
        .find_map(unknown_extension)
    {
        return Err(ParseError::whole(format!(
            "the extension {needed} is not supported"
        )));
    }

    let mut scene = Scene {
        json: &json,
        data,
        budget: Budget::of(bytes),
        points: Vec::new(),
        nodes: Vec::new(),
        passed_over: 0,
    };
    scene.build()?;
    let mut dataset = merged(&scene.points, Some(&scene.nodes), Vec::new());
    dataset.ignore("primitives that are not triangles", scene.passed_over);

    for (what, key) in [
        ("materials", "materials"),
        ("textures", "textures"),
        ("skins", "skins"),
        ("animations", "animations"),
    ] {
        dataset.ignore(what, list(&json, key).len());
    }

    dataset.ignored.retain(|ignored| ignored.count > 0);
    Ok(dataset)
}

/// Returns the name of an extension unless it is known not to affect the positions of points or their storage.
fn unknown_extension(name: &Value) -> Option<&str> {
    const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_lights_"];
    let name = name.as_str().unwrap_or("without a name");
    (!HARMLESS.iter().any(|start| name.starts_with(start))).then_some(name)
}

/// Returns the JSON chunk and the binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), ParseError> {
    let mut reader = Bytes::new(bytes, Endian::Little);
    let (magic, version, length) = (reader.take(4)?, reader.u32()?, reader.u32()?);
    if magic != b"glTF" {
        return Err(ParseError::whole("this is not a GLB file"));
    }

    if version != 2 {
        return Err(ParseError::byte(
            4,
            format!("version {version} of glTF is not supported, only 2"),
        ));
    }

    if length as usize > bytes.len() {
        return Err(ParseError::whole(format!(
            "the file should have {length} bytes, but has {}",
            bytes.len()
        )));
    }

    let (mut json, mut data) = (None, None);
    while reader.rest().len() >= 8 {
        let (size, kind) = (reader.u32()?, reader.u32()?);
        let chunk = reader.take(size as usize)?;
        match kind {
            0x4e4f_534a if json.is_none() => json = Some(chunk),
            0x004e_4942 if data.is_none() => data = Some(chunk),
            _ => {}
        }
    }

    let json = json.ok_or_else(|| ParseError::whole("the GLB file has no JSON"))?;
    Ok((json, data.unwrap_or_default()))
}

/// Returns a list member, or an empty list if it is missing.
fn list<'j>(value: &'j Value, key: &str) -> &'j [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns the item of a list at a given index.
fn member<'j>(json: &'j Value, key: &str, index: &Value) -> Result<&'j Value, ParseError> {
    let number = index.as_u64().and_then(|i| usize::try_from(i).ok());
    let found = number.and_then(|i| list(json, key).get(i));
    found.ok_or_else(|| ParseError::whole(format!("{key} has no member {index}")))
}

/// Returns a non-negative integer member, or the default if it is missing.
fn whole(value: &Value, key: &str, default: Option<u64>) -> Result<usize, ParseError> {
    let number = match value.get(key) {
        None => default,
        Some(number) => number.as_u64(),
    };
    number
        .and_then(|n| usize::try_from(n).ok())
        .ok_or_else(|| ParseError::whole(format!("{key} is missing or not a whole number")))
}

/// Returns a member with `N` numbers, or `None` if it is missing.
fn numbers<const N: usize>(value: &Value, key: &str) -> Result<Option<[f64; N]>, ParseError> {
    let Some(given) = value.get(key) else {
        return Ok(None);
    };
    let numbers: Option<Vec<f64>> = given
        .as_array()
        .and_then(|list| list.iter().map(Value::as_f64).collect());
    let numbers = numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok());

    match numbers {
        Some(numbers) => Ok(Some(numbers)),
        None => Err(ParseError::whole(format!(
            "{key} of a node does not have {N} numbers"
        ))),
    }
}

struct Scene<'a> {
    json: &'a Value,
    data: &'a [u8],
    budget: Budget,
    points: Vec<Point<3>>,
    /// Three per triangle.
    nodes: Vec<u32>,
    passed_over: usize,
}

impl<'a> Scene<'a> {
    /// Builds the nodes of the default scene, or all meshes if the file has no nodes.
    fn build(&mut self) -> Result<(), ParseError> {
        let json = self.json;
        let first = Value::from(0);
        let shown = json.get("scene").unwrap_or(&first);

        if !list(json, "scenes").is_empty() {
            let scene = member(json, "scenes", shown)?;
            return list(scene, "nodes")
                .iter()
                .try_for_each(|node| self.node(node, &Matrix::<4>::identity(), 0));
        }

        let meshes = list(json, "meshes");
        meshes
            .iter()
            .try_for_each(|mesh| self.mesh(mesh, &Matrix::<4>::identity()))
    }

    fn node(&mut self, index: &Value, outer: &Matrix<4>, depth: usize) -> Result<(), ParseError> {
        if depth > DEEPEST {
            return Err(ParseError::whole(
                "nodes of the GLB file are nested too deeply",
            ));
        }

        self.budget.take(1, 64)?;
        let node = member(self.json, "nodes", index)?;
        let placement = outer * placement(node)?;

        if let Some(mesh) = node.get("mesh") {
            self.mesh(member(self.json, "meshes", mesh)?, &placement)?;
        }

        list(node, "children")
            .iter()
            .try_for_each(|child| self.node(child, &placement, depth + 1))
    }

    fn mesh(&mut self, mesh: &Value, placement: &Matrix<4>) -> Result<(), ParseError> {
        for primitive in list(mesh, "primitives") {
            let mode = whole(primitive, "mode", Some(4))?;
            let positions = primitive
                .get("attributes")
                .and_then(|named| named.get("POSITION"));
            match (positions, mode) {
                (Some(positions), 4..=6) => {
                    self.primitive(primitive, positions, mode, placement)?
                }
                _ => self.passed_over += 1,
            }
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Value,
        positions: &Value,
        mode: usize,
        placement: &Matrix<4>,
    ) -> Result<(), ParseError> {
        let first = self.points.len();
        let count = self.positions(positions, placement)?;
        let indices: Vec<u32> = match primitive.get("indices") {
            Some(accessor) => self.indices(accessor, count)?,
            None => {
                self.budget.take(count, size_of::<u32>())?;
                (0..count as u32).collect()
            }
        };

        // A reflection reverses the orientation.
        let mirrored = placement.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        let triangles = if mode == 4 {
            indices.len() / 3
        } else {
            indices.len()
        };
        self.budget.take(triangles, size_of::<[u32; 3]>())?;
        let triangle = |i: usize| match mode {
            4 => indices.get(3 * i..3 * i + 3).map(|t| [t[0], t[1], t[2]]),
            5 => indices.get(i..i + 3).map(|t| match i % 2 {
                0 => [t[0], t[1], t[2]],
                _ => [t[1], t[0], t[2]],
            }),
            _ => indices.get(i + 1..i + 3).map(|t| [indices[0], t[0], t[1]]),
        };

        for [a, b, c] in (0..).map_while(triangle) {
            let corners = if mirrored { [a, c, b] } else { [a, b, c] };
            self.nodes.extend(corners.map(|n| n + first as u32));
        }

        Ok(())
    }

    /// Appends points and returns their number.
    fn positions(&mut self, accessor: &Value, placement: &Matrix<4>) -> Result<usize, ParseError> {
        let items = Items::of(self.json, self.data, accessor, "VEC3")?;
        if items.kind != F32 {
            return Err(ParseError::whole(
                "positions that are not 32-bit numbers are not supported",
            ));
        }

        self.budget.take(items.count, size_of::<Point<3>>())?;
        if (self.points.len() + items.count) as u64 > MOST_POINTS {
            return Err(ParseError::whole("too many points for 32 bits"));
        }

        for i in 0..items.count {
            let raw = items.get(i);
            let number = |k: usize| {
                f64::from(f32::from_le_bytes(
                    raw[4 * k..4 * k + 4].try_into().expect("four bytes"),
                ))
            };
            let point = placement.transform_point(&Point::from([number(0), number(1), number(2)]));

            if !point.iter().all(|x| x.is_finite()) {
                return Err(ParseError::whole(format!("position {i} is not finite")));
            }

            self.points.push(point);
        }

        Ok(items.count)
    }

    fn indices(&mut self, accessor: &Value, points: usize) -> Result<Vec<u32>, ParseError> {
        let items = Items::of(self.json, self.data, accessor, "SCALAR")?;
        self.budget.take(items.count, size_of::<u32>())?;
        let index = |i: usize| {
            let raw = items.get(i);
            let index = match items.kind {
                U8 => raw[0].into(),
                U16 => u16::from_le_bytes([raw[0], raw[1]]).into(),
                U32 => u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]),
                _ => {
                    return Err(ParseError::whole("indices must be unsigned integers"));
                }
            };
            match (index as usize) < points {
                true => Ok(index),
                false => Err(ParseError::whole(format!(
                    "index {index} is out of range: there are {points} points"
                ))),
            }
        };

        (0..items.count).map(index).collect()
    }
}

/// Returns the transform of a node relative to its parent.
fn placement(node: &Value) -> Result<Matrix<4>, ParseError> {
    if let Some(matrix) = numbers::<16>(node, "matrix")? {
        return Ok(Matrix::<4>::from_column_slice(&matrix));
    }

    let [x, y, z, w] = numbers::<4>(node, "rotation")?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let shift = numbers::<3>(node, "translation")?.unwrap_or([0.0; 3]);
    let scale = numbers::<3>(node, "scale")?.unwrap_or([1.0; 3]);
    let rotation = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + z * w),
            2.0 * (x * z - y * w),
        ],
        [
            2.0 * (x * y - z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + x * w),
        ],
        [
            2.0 * (x * z + y * w),
            2.0 * (y * z - x * w),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    let mut matrix = Matrix::<4>::identity();

    for column in 0..3 {
        for row in 0..3 {
            matrix[(row, column)] = rotation[column][row] * scale[column];
        }
        matrix[(column, 3)] = shift[column];
    }

    Ok(matrix)
}

/// Typed items within the binary data.
struct Items<'a> {
    bytes: &'a [u8],
    kind: u64,
    count: usize,
    size: usize,
    stride: usize,
}

impl<'a> Items<'a> {
    fn of(json: &Value, data: &'a [u8], accessor: &Value, shape: &str) -> Result<Self, ParseError> {
        let accessor = member(json, "accessors", accessor)?;
        if accessor.get("type").and_then(Value::as_str) != Some(shape) {
            return Err(ParseError::whole(format!(
                "an accessor is not of type {shape}"
            )));
        }

        if accessor.get("sparse").is_some() {
            return Err(ParseError::whole("sparse accessors are not supported"));
        }

        let kind = whole(accessor, "componentType", None)? as u64;
        let width = match kind {
            U8 => 1,
            U16 => 2,
            U32 | F32 => 4,
            _ => {
                return Err(ParseError::whole(format!(
                    "numbers of type {kind} are not supported"
                )));
            }
        };
        let size = if shape == "VEC3" { 3 * width } else { width };
        let view = accessor.get("bufferView").unwrap_or(&Value::Null);
        let view = member(json, "bufferViews", view)?;
        let buffer = member(json, "buffers", view.get("buffer").unwrap_or(&Value::Null))?;

        if buffer.get("uri").is_some() || view.get("buffer").and_then(Value::as_u64) != Some(0) {
            return Err(ParseError::whole(
                "numbers in other files are not supported",
            ));
        }

        let count = whole(accessor, "count", None)?;
        let stride = whole(view, "byteStride", Some(size as u64))?.max(size);
        let start = whole(view, "byteOffset", Some(0))?;
        let held = whole(view, "byteLength", None)?;
        let bytes = data.get(start..).and_then(|rest| rest.get(..held));
        let bytes = bytes.and_then(|view| view.get(whole(accessor, "byteOffset", Some(0)).ok()?..));
        let needed = stride
            .checked_mul(count.saturating_sub(1))
            .and_then(|n| n.checked_add(size));

        match (bytes, needed) {
            (Some(bytes), Some(needed)) if count == 0 || needed <= bytes.len() => Ok(Self {
                bytes,
                kind,
                count,
                size,
                stride,
            }),
            _ => Err(ParseError::whole(format!(
                "{count} numbers are declared beyond the end of the file"
            ))),
        }
    }

    fn get(&self, i: usize) -> &'a [u8] {
        &self.bytes[i * self.stride..][..self.size]
    }
}
