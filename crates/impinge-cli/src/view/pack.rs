//! Packs a dataset for the page: a JSON header and typed arrays that a browser uses without conversion.
//!
//! Coordinates are relative to an origin, so that 32 bits resolve them. Solid elements are packed as their boundary,
//! surface elements as triangles with straight sides, and values of elements as values of these triangles. For a
//! self-contained page, reals are quantised to 16 bits: coordinates on one grid for the whole run, so that the centre
//! of a sphere and the end of a contact there stay equal.

use impinge::shape::{Block, ElementKind};
use impinge::space::{Aabb, Point};
use impinge_io::{Dataset, Field, Values};
use serde::Serialize;
use std::collections::HashMap;

/// Identifies a packed part.
const MAGIC: &[u8; 4] = b"IMPV";

/// Values per point or element beyond which a field is left out.
const MOST_COMPONENTS: usize = 9;

/// How reals are stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Precision {
    /// 32 bits.
    Single,
    /// 16 bits; coordinates as multiples of a step from the grid's corner.
    Eye(Grid),
}

/// A grid of 2¹⁶ places along each axis, in coordinates relative to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    low: [f64; 3],
    step: [f64; 3],
}

impl Grid {
    /// Spans a box; an axis without extent has one place.
    pub(super) fn over(bounds: &Aabb<3>, origin: &Point<3>) -> Self {
        let extent = bounds.extent();
        Self {
            low: (bounds.min - origin).into(),
            step: std::array::from_fn(|axis| extent[axis] / f64::from(u16::MAX)),
        }
    }
}

/// A dataset as arrays.
pub(super) struct Packed {
    pub(super) header: Header,
    /// Little-endian bytes of each array.
    pub(super) arrays: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Header {
    points: usize,
    pub(super) arrays: Vec<ArrayInfo>,
    position: usize,
    triangles: Option<usize>,
    lines: Option<usize>,
    /// Whether the points are drawn.
    vertices: bool,
    fields: Vec<FieldInfo>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct ArrayInfo {
    #[serde(rename = "type")]
    scalar: &'static str,
    length: usize,
    /// Offset in bytes behind the header, or the number of a shared array.
    pub(super) at: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    low: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    step: Vec<f64>,
}

#[derive(Clone, Debug, Serialize)]
struct FieldInfo {
    name: String,
    on: &'static str,
    components: usize,
    whole: bool,
    array: usize,
}

impl Packed {
    pub(super) fn of(dataset: &Dataset, origin: &Point<3>, precision: Precision) -> Self {
        let topology = Topology::of(&dataset.mesh.blocks);
        let mut packed = Self {
            header: Header {
                points: dataset.mesh.points.len(),
                arrays: Vec::new(),
                position: 0,
                triangles: None,
                lines: None,
                vertices: topology.is_cloud(dataset.mesh.points.len()),
                fields: Vec::new(),
            },
            arrays: Vec::new(),
        };

        packed.push_positions(&dataset.mesh.points, origin, precision);
        if !topology.triangles.is_empty() {
            packed.header.triangles = Some(packed.push_nodes(topology.triangles.as_flattened()));
        }
        if !topology.lines.is_empty() {
            packed.header.lines = Some(packed.push_nodes(topology.lines.as_flattened()));
        }

        for field in &dataset.point_fields {
            packed.push_field(field, "points", None, precision);
        }
        for field in &dataset.cell_fields {
            let cells = [
                ("triangles", &topology.triangle_cells),
                ("lines", &topology.line_cells),
            ];
            for (on, cells) in cells.into_iter().filter(|(_, cells)| !cells.is_empty()) {
                packed.push_field(field, on, Some(cells), precision);
            }
            if packed.header.vertices && topology.vertex_cells.len() == packed.header.points {
                packed.push_field(field, "points", Some(&topology.vertex_cells), precision);
            }
        }

        packed
    }

    fn push_positions(&mut self, points: &[Point<3>], origin: &Point<3>, precision: Precision) {
        let relative = points
            .iter()
            .flat_map(|point| <[f64; 3]>::from(point - origin))
            .collect::<Vec<_>>();
        self.header.position = match precision {
            Precision::Eye(Grid { low, step }) => self
                .push_quantised(&relative, low.to_vec(), step.to_vec())
                .unwrap_or_else(|| self.push_reals(&relative)),
            Precision::Single => self.push_reals(&relative),
        };
    }

    /// Adds a field, for the given elements or for all.
    fn push_field(
        &mut self,
        field: &Field,
        on: &'static str,
        cells: Option<&Vec<usize>>,
        precision: Precision,
    ) {
        let components = field.components;
        if components == 0 || components > MOST_COMPONENTS {
            return;
        }

        let array = match &field.values {
            Values::Real(values) => {
                let values = chosen(values, components, cells);
                match precision {
                    Precision::Eye(_) => self.push_on_own_grid(&values, components),
                    Precision::Single => self.push_reals(&values),
                }
            }
            Values::Whole(values) => self.push_wholes(&chosen(values, components, cells)),
        };
        self.header.fields.push(FieldInfo {
            name: field.name.clone(),
            on,
            components,
            whole: matches!(field.values, Values::Whole(_)),
            array,
        });
    }

    fn push_reals(&mut self, values: &[f64]) -> usize {
        let bytes = values.iter().flat_map(|&x| (x as f32).to_le_bytes());
        self.push("f32", values.len(), bytes.collect())
    }

    fn push_wholes(&mut self, values: &[i64]) -> usize {
        let bytes = values
            .iter()
            .flat_map(|&x| (x.clamp(i32::MIN.into(), i32::MAX.into()) as i32).to_le_bytes());
        self.push("i32", values.len(), bytes.collect())
    }

    fn push_nodes(&mut self, nodes: &[u32]) -> usize {
        let bytes = nodes.iter().flat_map(|node| node.to_le_bytes());
        self.push("u32", nodes.len(), bytes.collect())
    }

    /// Adds reals as 16 bits between the least and the largest of each component.
    fn push_on_own_grid(&mut self, values: &[f64], components: usize) -> usize {
        let range = |component: usize| {
            values
                .iter()
                .skip(component)
                .step_by(components)
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, up], &x| {
                    [low.min(x), up.max(x)]
                })
        };
        let ranges: Vec<[f64; 2]> = (0..components).map(range).collect();
        let low: Vec<f64> = ranges.iter().map(|[low, _]| *low).collect();
        let step = ranges
            .iter()
            .map(|[low, up]| (up - low) / f64::from(u16::MAX));
        let step: Vec<f64> = step.collect();

        self.push_quantised(values, low, step)
            .unwrap_or_else(|| self.push_reals(values))
    }

    /// Adds reals as 16 bits on a grid; `None` if one is not finite or lies outside.
    fn push_quantised(&mut self, values: &[f64], low: Vec<f64>, step: Vec<f64>) -> Option<usize> {
        let components = low.len();
        let mut bytes = Vec::with_capacity(2 * values.len() + 2);
        for (i, &x) in values.iter().enumerate() {
            let (low, step) = (low[i % components], step[i % components]);
            let place = if step > 0.0 {
                (x - low) / step
            } else {
                x - low
            };
            let rounded = place.round();
            if !(0.0..=f64::from(u16::MAX)).contains(&rounded) || (step == 0.0 && rounded != 0.0) {
                return None;
            }
            bytes.extend((rounded as u16).to_le_bytes());
        }

        let array = self.push("u16", values.len(), bytes);
        let info = &mut self.header.arrays[array];
        (info.low, info.step) = (low, step);
        Some(array)
    }

    fn push(&mut self, scalar: &'static str, length: usize, mut bytes: Vec<u8>) -> usize {
        // Arrays begin at multiples of four, as browsers need it.
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let at = self.arrays.iter().map(Vec::len).sum();
        self.header.arrays.push(ArrayInfo {
            scalar,
            length,
            at,
            low: Vec::new(),
            step: Vec::new(),
        });
        self.arrays.push(bytes);
        self.arrays.len() - 1
    }

    /// Joins header and arrays to one file.
    pub(super) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut header = serde_json::to_vec(&self.header)?;
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut file = MAGIC.to_vec();
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(header);
        self.arrays.iter().for_each(|array| file.extend(array));
        Ok(file)
    }
}

/// Returns the values of some items, or of all.
fn chosen<T: Copy>(values: &[T], components: usize, items: Option<&Vec<usize>>) -> Vec<T> {
    match items {
        None => values.to_vec(),
        Some(items) => items
            .iter()
            .flat_map(|item| &values[item * components..][..components])
            .copied()
            .collect(),
    }
}

/// The drawn parts of a mesh, and the element of each part.
#[derive(Default)]
struct Topology {
    triangles: Vec<[u32; 3]>,
    triangle_cells: Vec<usize>,
    lines: Vec<[u32; 2]>,
    line_cells: Vec<usize>,
    vertices: Vec<u32>,
    vertex_cells: Vec<usize>,
}

impl Topology {
    fn of(blocks: &[Block]) -> Self {
        let mut topology = Self::default();
        let mut sides = Sides::default();
        let mut first = 0;

        for block in blocks {
            for (cell, nodes) in (first..).zip(block.elements()) {
                let corners = &nodes[..block.kind.corner_count()];
                match block.kind.dimension() {
                    0 => {
                        topology.vertices.push(corners[0]);
                        topology.vertex_cells.push(cell);
                    }
                    1 => {
                        topology.lines.push([corners[0], corners[1]]);
                        topology.line_cells.push(cell);
                    }
                    2 => topology.push_face(corners, cell),
                    _ => sides.push(block.kind, nodes, cell),
                }
            }
            first += block.len();
        }

        for (face, cell) in sides.single() {
            topology.push_face(&face, cell);
        }
        topology
    }

    /// Adds a triangle or a quadrilateral.
    fn push_face(&mut self, corners: &[u32], cell: usize) {
        for k in 1..corners.len().saturating_sub(1) {
            self.triangles
                .push([corners[0], corners[k], corners[k + 1]]);
            self.triangle_cells.push(cell);
        }
    }

    /// Whether the points themselves are drawn: there is nothing else, or each of them is a vertex.
    fn is_cloud(&self, points: usize) -> bool {
        let is_bare = self.triangles.is_empty() && self.lines.is_empty();
        let is_whole = self.vertices.iter().copied().eq(0..points as u32);
        is_bare && points > 0 && (self.vertices.is_empty() || is_whole)
    }
}

/// Sides of solid elements; those that belong to one element only are the boundary.
#[derive(Default)]
struct Sides {
    faces: Vec<(Vec<u32>, usize)>,
    /// The face of each set of corners, and how many elements have it.
    seen: HashMap<Vec<u32>, (usize, usize)>,
    kinds: HashMap<u8, Vec<(ElementKind, Vec<u8>)>>,
}

impl Sides {
    fn push(&mut self, kind: ElementKind, nodes: &[u32], cell: usize) {
        let sides = self
            .kinds
            .entry(kind.vtk_id())
            .or_insert_with(|| kind.faces());
        for (face, places) in sides.iter() {
            let corners: Vec<u32> = places[..face.corner_count()]
                .iter()
                .map(|&place| nodes[usize::from(place)])
                .collect();
            let mut key = corners.clone();
            key.sort_unstable();
            let next = self.faces.len();
            self.seen.entry(key).or_insert((next, 0)).1 += 1;
            self.faces.push((corners, cell));
        }
    }

    /// Returns the faces of one element only, in the order of the elements.
    fn single(self) -> Vec<(Vec<u32>, usize)> {
        let mut kept: Vec<usize> = self
            .seen
            .values()
            .filter(|(_, count)| *count == 1)
            .map(|(face, _)| *face)
            .collect();
        kept.sort_unstable();
        let mut faces = self.faces;
        kept.into_iter()
            .map(|face| std::mem::take(&mut faces[face]))
            .collect()
    }
}

#[cfg(test)]
mod tests;
