//! Code shared by the surface formats: polygons in, faces out.

use crate::{Dataset, Ignored, ParseError, Set};
use impinge::shape::{Block, ElementKind, Mesh, is_convex_quad, triangulate, weld};
use impinge::space::Point;

/// Maximum number of points: they have 32-bit indices.
pub(crate) const MOST_POINTS: u64 = u32::MAX as u64 - 1;

/// Polygons as read from the file; split once all points are known.
#[derive(Debug, Default)]
pub(crate) struct Polygons {
    corners: Vec<u32>,
    /// End of each polygon's corners.
    ends: Vec<usize>,
}

impl Polygons {
    /// Appends a polygon.
    pub(crate) fn push(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.ends.push(self.corners.len());
    }

    /// Converts the polygons to triangles and quadrilaterals. Polygons with more than four corners and non-convex
    /// quadrilaterals are split into triangles; those that cannot be split are an error with their number.
    pub(crate) fn cut(self, points: &[Point<3>]) -> Result<Cut, ParseError> {
        let mut cut = Cut::default();
        let mut start = 0;
        for (face, &end) in self.ends.iter().enumerate() {
            cut.take(face, &self.corners[start..end], points)?;
            start = end;
        }

        Ok(cut)
    }

    /// Returns the mesh, with a note about polygons that were changed.
    pub(crate) fn into_dataset(self, points: Vec<Point<3>>) -> Result<Dataset, ParseError> {
        Ok(self.cut(&points)?.into_dataset(points))
    }
}

/// Polygons after splitting: two blocks, triangles and quadrilaterals.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    triangles: Vec<u32>,
    quads: Vec<u32>,
    /// The source polygon of each triangle and each quadrilateral.
    origins: [Vec<u32>; 2],
    large: usize,
    dented: usize,
    too_short: usize,
}

impl Cut {
    fn take(
        &mut self,
        face: usize,
        corners: &[u32],
        points: &[Point<3>],
    ) -> Result<(), ParseError> {
        match polygon(corners, points)
            .map_err(|reason| ParseError::whole(format!("face {face} {reason}")))?
        {
            Polygon::TooShort => self.too_short += 1,
            Polygon::Quad => {
                self.quads.extend_from_slice(corners);
                self.origins[1].push(face as u32);
            }

            Polygon::Triangles(triangles) => {
                self.large += usize::from(corners.len() > 4);
                self.dented += usize::from(corners.len() == 4);
                self.origins[0].extend(std::iter::repeat_n(face as u32, triangles.len()));
                self.triangles.extend(triangles.as_flattened());
            }
        }

        Ok(())
    }

    /// Maps values on the polygons to values on the resulting elements, triangles first.
    pub(crate) fn spread<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let origins = self.origins.iter().flatten();
        origins.map(|&origin| values[origin as usize]).collect()
    }

    /// Returns the mesh, with a note about polygons that were changed.
    pub(crate) fn into_dataset(self, points: Vec<Point<3>>) -> Dataset {
        let blocks = [
            (ElementKind::Tri3, self.triangles),
            (ElementKind::Quad4, self.quads),
        ];
        let blocks = blocks.into_iter().filter(|(_, nodes)| !nodes.is_empty());
        let blocks = blocks.map(|(kind, nodes)| Block { kind, nodes }).collect();
        let mut dataset = Dataset::from(Mesh { points, blocks });
        note(&mut dataset.ignored, LARGE, self.large);
        note(&mut dataset.ignored, DENTED, self.dented);
        note(&mut dataset.ignored, TOO_SHORT, self.too_short);

        dataset
    }
}

pub(crate) const LARGE: &str = "polygons of more than 4 corners (split into triangles)";
pub(crate) const DENTED: &str = "non-convex quadrilaterals (split into triangles)";
pub(crate) const TOO_SHORT: &str = "faces with fewer than 3 corners";

/// The result of splitting a polygon.
pub(crate) enum Polygon {
    TooShort,
    Quad,
    Triangles(Vec<[u32; 3]>),
}

/// Keeps or splits a polygon, or returns why it cannot be split. Every corner must exist.
pub(crate) fn polygon(corners: &[u32], points: &[Point<3>]) -> Result<Polygon, String> {
    match *corners {
        [] | [_] | [_, _] => return Ok(Polygon::TooShort),
        [a, b, c] => return Ok(Polygon::Triangles(vec![[a, b, c]])),
        [a, b, c, d] if is_convex_quad([a, b, c, d].map(|n| points[n as usize])) => {
            return Ok(Polygon::Quad);
        }
        _ => {}
    }

    let triangles = triangulate(points, corners);
    triangles.map(Polygon::Triangles).ok_or_else(|| {
        let count = corners.len();
        format!("({count} corners) crosses itself, is folded or has no area, and cannot be cut into triangles")
    })
}

/// Returns the triangles of a format without shared points, with equal or nearly equal points merged.
pub(crate) fn merged(points: &[Point<3>], nodes: Option<&[u32]>, sets: Vec<Set>) -> Dataset {
    let (points, number) = weld(points);
    let nodes = match nodes {
        Some(nodes) => nodes.iter().map(|&n| number[n as usize]).collect(),
        None => number,
    };
    let kind = ElementKind::Tri3;
    let blocks = vec![Block { kind, nodes }];
    let mut dataset = Dataset::from(Mesh { points, blocks });
    dataset.sets = sets;
    dataset.weld_noise();

    dataset
}

/// Adds an entry unless the count is zero.
pub(crate) fn note(ignored: &mut Vec<Ignored>, what: &str, count: usize) {
    if count > 0 {
        ignored.push(Ignored {
            what: what.to_owned(),
            count,
        });
    }
}

/// Returns the corners of all surface elements.
pub(crate) fn faces(mesh: &Mesh) -> impl Iterator<Item = &[u32]> {
    let surfaces = mesh
        .blocks
        .iter()
        .filter(|block| block.kind.dimension() == 2);
    surfaces.flat_map(|block| {
        block
            .elements()
            .map(|nodes| &nodes[..block.kind.corner_count()])
    })
}

/// Returns what a surface format without fields leaves out. A mesh of only solid elements is an error: extracting its
/// boundary is not the format's task.
pub(crate) fn left_out(dataset: &Dataset, format: &str) -> Result<Vec<Ignored>, ParseError> {
    let mut left_out = elements_left_out(&dataset.mesh, format)?;
    note(&mut left_out, "point fields", dataset.point_fields.len());
    note(&mut left_out, "cell fields", dataset.cell_fields.len());
    note(&mut left_out, "sets", dataset.sets.len());
    Ok(left_out)
}

/// Returns what a format of straight surface elements leaves out of a mesh.
pub(crate) fn elements_left_out(mesh: &Mesh, format: &str) -> Result<Vec<Ignored>, ParseError> {
    let mut left_out = Vec::new();
    for block in &mesh.blocks {
        let name = block.kind.name();
        if block.kind.dimension() == 3 && mesh.count_of_dimension(2) == 0 {
            return Err(ParseError::whole(format!(
                "{format} stores surfaces, but the mesh has {} {name} elements; take their boundary first",
                mesh.count(block.kind)
            )));
        }

        if block.kind.dimension() != 2 {
            note(&mut left_out, &format!("{name} elements"), block.len());
        } else if block.kind.order() == 2 {
            note(
                &mut left_out,
                &format!("mid nodes of {name} elements"),
                block.len(),
            );
        }
    }

    Ok(left_out)
}

#[cfg(test)]
mod tests;
