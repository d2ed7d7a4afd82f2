//! What the surface formats share: polygons come in, faces go out.

use crate::{Dataset, Fault, Ignored};
use impinge::shape::{Block, ElementKind, Mesh};
use impinge::space::Point;

/// Points are numbered with 32 bits.
pub(crate) const MOST_POINTS: u64 = u32::MAX as u64 - 1;

/// Polygons of a file, gathered as triangles and quadrilaterals: two blocks, however the file mixes them.
#[derive(Debug, Default)]
pub(crate) struct Polygons {
    triangles: Vec<u32>,
    quads: Vec<u32>,
    /// Which polygon each triangle and quadrilateral came from, where fields on the faces need to know.
    origins: Option<[Vec<u32>; 2]>,
    /// Polygons so far.
    count: usize,
    fans: usize,
    too_short: usize,
}

impl Polygons {
    /// Remembers where each element came from, for [`Polygons::spread`].
    pub(crate) fn with_origins() -> Self {
        Self {
            origins: Some(Default::default()),
            ..Self::default()
        }
    }

    /// Appends a polygon. More than four corners become a fan of triangles around the first.
    pub(crate) fn push(&mut self, corners: &[u32]) {
        let mut made = [0, 0];
        match corners {
            [] | [_] | [_, _] => self.too_short += 1,
            &[a, b, c, d] => {
                self.quads.extend([a, b, c, d]);
                made = [0, 1];
            }
            &[first, ref others @ ..] => {
                self.triangles.reserve(3 * (others.len() - 1));
                self.triangles
                    .extend(others.windows(2).flat_map(|edge| [first, edge[0], edge[1]]));
                self.fans += usize::from(others.len() > 3);
                made = [others.len() - 1, 0];
            }
        }
        if let Some(origins) = &mut self.origins {
            for (origins, made) in origins.iter_mut().zip(made) {
                origins.extend(std::iter::repeat_n(self.count as u32, made));
            }
        }
        self.count += 1;
    }

    /// Values on the polygons as values on the elements that they became, triangles first.
    pub(crate) fn spread<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let origins = self.origins.iter().flatten().flatten();
        origins.map(|&origin| values[origin as usize]).collect()
    }

    /// The mesh, with a word about polygons that could not stay as they were.
    pub(crate) fn into_dataset(self, points: Vec<Point<3>>) -> Dataset {
        let blocks = [
            (ElementKind::Tri3, self.triangles),
            (ElementKind::Quad4, self.quads),
        ];
        let blocks = blocks.into_iter().filter(|(_, nodes)| !nodes.is_empty());
        let blocks = blocks.map(|(kind, nodes)| Block { kind, nodes }).collect();
        let mut dataset = Dataset::from(Mesh { points, blocks });
        note(
            &mut dataset.ignored,
            "polygons of more than 4 corners (cut into triangles)",
            self.fans,
        );
        note(
            &mut dataset.ignored,
            "faces with fewer than 3 corners",
            self.too_short,
        );
        dataset
    }
}

/// Adds an entry unless there is nothing to tell.
pub(crate) fn note(ignored: &mut Vec<Ignored>, what: &str, count: usize) {
    if count > 0 {
        ignored.push(Ignored {
            what: what.to_owned(),
            count,
        });
    }
}

/// The corners of all surface elements.
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

/// What a format of surfaces without fields leaves out. Solid elements alone are refused: their boundary is another
/// question than the format's.
pub(crate) fn left_out(dataset: &Dataset, format: &str) -> Result<Vec<Ignored>, Fault> {
    let mut left_out = elements_left_out(&dataset.mesh, format)?;
    note(&mut left_out, "point fields", dataset.point_fields.len());
    note(&mut left_out, "cell fields", dataset.cell_fields.len());
    note(&mut left_out, "sets", dataset.sets.len());
    Ok(left_out)
}

/// What a format of straight surface elements leaves out of a mesh.
pub(crate) fn elements_left_out(mesh: &Mesh, format: &str) -> Result<Vec<Ignored>, Fault> {
    let mut left_out = Vec::new();
    for block in &mesh.blocks {
        let name = block.kind.name();
        if block.kind.dimension() == 3 && mesh.count_of_dimension(2) == 0 {
            return Err(Fault::whole(format!(
                "{format} holds surfaces and the mesh has {} {name} elements; take their boundary first",
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
mod tests {
    use super::*;

    #[test]
    fn polygons_become_triangles_quads_and_fans_with_their_values() {
        let mut polygons = Polygons::with_origins();
        for corners in [&[0, 1, 2, 3][..], &[0, 1, 2, 3, 4], &[5, 6], &[1, 2, 3]] {
            polygons.push(corners);
        }
        assert_eq!(polygons.spread(&[10, 20, 30, 40]), [20, 20, 20, 40, 10]);
        let dataset = polygons.into_dataset(Vec::new());
        assert_eq!(
            dataset.mesh.blocks[0].nodes,
            [0, 1, 2, 0, 2, 3, 0, 3, 4, 1, 2, 3]
        );
        assert_eq!(dataset.mesh.blocks[1].nodes, [0, 1, 2, 3]);
        assert_eq!(
            dataset
                .ignored
                .iter()
                .map(|ignored| ignored.count)
                .collect::<Vec<_>>(),
            [1, 1]
        );
    }

    #[test]
    fn solids_are_refused_with_a_hint() {
        let mesh = Mesh::of_tetrahedra(vec![Point::origin(); 4], &[[0, 1, 2, 3]]);
        let fault = left_out(&mesh.into(), "STL").unwrap_err();
        assert_eq!(
            fault.reason,
            "STL holds surfaces and the mesh has 1 tet4 elements; take their boundary first"
        );
    }
}
