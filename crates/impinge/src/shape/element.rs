//! The kinds of finite elements, and the node orders of VTK and Gmsh.
//!
//! The library uses VTK's node order. Corners come first in both conventions and in the same order;
//! they differ in the mid nodes of tet10, hex20, hex27, wedge15, wedge18 and pyramid13. A mid node
//! is identified by the set of corners that it lies between, so each convention is one table of
//! such sets. The permutation between them ([`ElementKind::gmsh_to_vtk`]) and the nodes of a cell's
//! faces ([`ElementKind::faces`]) follow from it.

use ElementKind::*;

/// A kind of finite element: its shape and number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // Self-explanatory names: shape and number of nodes.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ElementKind {
    Vertex,
    Line2,
    Line3,
    Tri3,
    Tri6,
    Quad4,
    Quad8,
    Quad9,
    Tet4,
    Tet10,
    Hex8,
    Hex20,
    Hex27,
    Wedge6,
    Wedge15,
    Wedge18,
    Pyramid5,
    Pyramid13,
}

/// Mid nodes, identified by their surrounding corners.
pub(crate) type MidNodes = &'static [&'static [u8]];

impl ElementKind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
        Vertex, Line2, Line3, Tri3, Tri6, Quad4, Quad8, Quad9, Tet4, Tet10, Hex8, Hex20, Hex27,
        Wedge6, Wedge15, Wedge18, Pyramid5, Pyramid13,
    ];

    /// Name in lower case: `tet10`.
    pub fn name(self) -> &'static str {
        match self {
            Vertex => "vertex",
            Line2 => "line2",
            Line3 => "line3",
            Tri3 => "tri3",
            Tri6 => "tri6",
            Quad4 => "quad4",
            Quad8 => "quad8",
            Quad9 => "quad9",
            Tet4 => "tet4",
            Tet10 => "tet10",
            Hex8 => "hex8",
            Hex20 => "hex20",
            Hex27 => "hex27",
            Wedge6 => "wedge6",
            Wedge15 => "wedge15",
            Wedge18 => "wedge18",
            Pyramid5 => "pyramid5",
            Pyramid13 => "pyramid13",
        }
    }

    /// Number of corners.
    pub fn corner_count(self) -> usize {
        match self {
            Vertex => 1,
            Line2 | Line3 => 2,
            Tri3 | Tri6 => 3,
            Quad4 | Quad8 | Quad9 | Tet4 | Tet10 => 4,
            Pyramid5 | Pyramid13 => 5,
            Wedge6 | Wedge15 | Wedge18 => 6,
            Hex8 | Hex20 | Hex27 => 8,
        }
    }

    /// Number of nodes.
    pub fn node_count(self) -> usize {
        self.corner_count() + self.vtk_mid_nodes().len()
    }

    /// 0 for a vertex, 1 for lines, 2 for faces, 3 for solid elements.
    pub fn dimension(self) -> usize {
        match self {
            Vertex => 0,
            Line2 | Line3 => 1,
            Tri3 | Tri6 | Quad4 | Quad8 | Quad9 => 2,
            _ => 3,
        }
    }

    /// Polynomial order of the geometry: 1 without mid nodes, 2 with.
    pub fn order(self) -> usize {
        if self.vtk_mid_nodes().is_empty() {
            1
        } else {
            2
        }
    }

    /// The VTK cell type number.
    pub fn vtk_id(self) -> u8 {
        match self {
            Vertex => 1,
            Line2 => 3,
            Tri3 => 5,
            Quad4 => 9,
            Tet4 => 10,
            Hex8 => 12,
            Wedge6 => 13,
            Pyramid5 => 14,
            Line3 => 21,
            Tri6 => 22,
            Quad8 => 23,
            Tet10 => 24,
            Hex20 => 25,
            Wedge15 => 26,
            Pyramid13 => 27,
            Quad9 => 28,
            Hex27 => 29,
            Wedge18 => 32,
        }
    }

    /// The Gmsh element type number.
    pub fn gmsh_id(self) -> u32 {
        match self {
            Line2 => 1,
            Tri3 => 2,
            Quad4 => 3,
            Tet4 => 4,
            Hex8 => 5,
            Wedge6 => 6,
            Pyramid5 => 7,
            Line3 => 8,
            Tri6 => 9,
            Quad9 => 10,
            Tet10 => 11,
            Hex27 => 12,
            Wedge18 => 13,
            Vertex => 15,
            Quad8 => 16,
            Hex20 => 17,
            Wedge15 => 18,
            Pyramid13 => 19,
        }
    }

    /// The kind with the given VTK number.
    pub fn from_vtk_id(id: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.vtk_id() == id)
    }

    /// The kind with the given Gmsh number.
    pub fn from_gmsh_id(id: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.gmsh_id() == id)
    }

    /// The position in Gmsh's order of each node in VTK's order: `vtk_nodes[i] =
    /// gmsh_nodes[gmsh_to_vtk()[i]]`.
    ///
    /// ```
    /// use impinge::shape::ElementKind;
    /// assert_eq!(ElementKind::Tet10.gmsh_to_vtk(), [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]);
    /// ```
    pub fn gmsh_to_vtk(self) -> Vec<usize> {
        let corners = self.corner_count();
        let gmsh = self.gmsh_mid_nodes();
        let place = |between: &[u8]| {
            gmsh.iter()
                .position(|g| same_set(g, between))
                .expect("both tables name the same mid nodes")
        };

        (0..corners)
            .chain(
                self.vtk_mid_nodes()
                    .iter()
                    .map(|between| corners + place(between)),
            )
            .collect()
    }

    /// The faces of a solid element, or the edges of a flat one. Each has a kind and its nodes, as
    /// indices into the element's nodes, in the face's own order. Faces of solids are
    /// counter-clockwise seen from outside; edges of flat elements follow the orientation of the
    /// element.
    pub fn faces(self) -> Vec<(ElementKind, Vec<u8>)> {
        self.face_corners()
            .iter()
            .map(|corners| self.face(corners))
            .collect()
    }

    /// The face with the given corners and the mid nodes of the element between them.
    fn face(self, corners: &[u8]) -> (ElementKind, Vec<u8>) {
        let n = corners.len();
        let mut nodes = corners.to_vec();
        if n > 2 {
            nodes.extend((0..n).filter_map(|i| self.mid_node(&[corners[i], corners[(i + 1) % n]])));
        }

        nodes.extend(self.mid_node(corners));
        let kind = match (n, nodes.len()) {
            (2, 2) => Line2,
            (2, 3) => Line3,
            (3, 3) => Tri3,
            (3, 6) => Tri6,
            (4, 4) => Quad4,
            (4, 8) => Quad8,
            (4, 9) => Quad9,
            other => unreachable!("{} has a face of {other:?} corners and nodes", self.name()),
        };

        (kind, nodes)
    }

    fn face_corners(self) -> &'static [&'static [u8]] {
        match self {
            Vertex | Line2 | Line3 => &[],
            Tri3 | Tri6 => &[&[0, 1], &[1, 2], &[2, 0]],
            Quad4 | Quad8 | Quad9 => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
            // Face k is opposite node k.
            Tet4 | Tet10 => &[&[1, 2, 3], &[0, 3, 2], &[0, 1, 3], &[0, 2, 1]],
            Hex8 | Hex20 | Hex27 => &[
                &[0, 4, 7, 3],
                &[1, 2, 6, 5],
                &[0, 1, 5, 4],
                &[3, 7, 6, 2],
                &[0, 3, 2, 1],
                &[4, 5, 6, 7],
            ],
            // In Gmsh, Abaqus and VTK's higher-order wedge the triangle (0, 1, 2) is
            // counter-clockwise seen from (3, 4, 5). VTK's linear wedge is documented the other way
            // round, and files with both orders exist. The library uses the first; `Cells` swaps
            // wedges of the second.
            Wedge6 | Wedge15 | Wedge18 => &[
                &[0, 2, 1],
                &[3, 4, 5],
                &[0, 1, 4, 3],
                &[1, 2, 5, 4],
                &[2, 0, 3, 5],
            ],
            Pyramid5 | Pyramid13 => &[
                &[0, 3, 2, 1],
                &[0, 1, 4],
                &[1, 2, 4],
                &[2, 3, 4],
                &[3, 0, 4],
            ],
        }
    }

    /// Each corner with its neighbours along the element's edges, ordered so that a well-shaped
    /// element has a positive determinant of the edges there. The apex of a pyramid has four edges
    /// and no determinant.
    pub(crate) fn corner_frames(self) -> &'static [&'static [u8]] {
        match self {
            Vertex | Line2 | Line3 => &[],
            Tri3 | Tri6 => &[&[0, 1, 2], &[1, 2, 0], &[2, 0, 1]],
            Quad4 | Quad8 | Quad9 => &[&[0, 1, 3], &[1, 2, 0], &[2, 3, 1], &[3, 0, 2]],
            Tet4 | Tet10 => &[&[0, 1, 2, 3], &[1, 2, 0, 3], &[2, 0, 1, 3], &[3, 0, 2, 1]],
            Hex8 | Hex20 | Hex27 => &HEX_FRAMES,
            Wedge6 | Wedge15 | Wedge18 => &[
                &[0, 1, 2, 3],
                &[1, 2, 0, 4],
                &[2, 0, 1, 5],
                &[3, 5, 4, 0],
                &[4, 3, 5, 1],
                &[5, 4, 3, 2],
            ],
            Pyramid5 | Pyramid13 => &[&[0, 1, 3, 4], &[1, 2, 0, 4], &[2, 3, 1, 4], &[3, 0, 2, 4]],
        }
    }

    /// The node in the middle of the given corners, if the kind has one.
    pub(crate) fn mid_node(self, corners: &[u8]) -> Option<u8> {
        let place = self
            .vtk_mid_nodes()
            .iter()
            .position(|between| same_set(between, corners))?;
        Some((self.corner_count() + place) as u8)
    }

    /// For each mid node, in VTK's order, the corners that it lies between.
    pub(crate) fn vtk_mid_nodes(self) -> MidNodes {
        match self {
            Line3 => &[&[0, 1]],
            Tri6 => &[&[0, 1], &[1, 2], &[2, 0]],
            Quad8 => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
            Quad9 => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0], &[0, 1, 2, 3]],
            Tet10 => &[&[0, 1], &[1, 2], &[2, 0], &[0, 3], &[1, 3], &[2, 3]],
            Hex20 => &HEX_VTK[..12],
            Hex27 => &HEX_VTK,
            Wedge15 => &WEDGE_VTK[..9],
            Wedge18 => &WEDGE_VTK,
            Pyramid13 => &[
                &[0, 1],
                &[1, 2],
                &[2, 3],
                &[3, 0],
                &[0, 4],
                &[1, 4],
                &[2, 4],
                &[3, 4],
            ],
            _ => &[],
        }
    }

    fn gmsh_mid_nodes(self) -> MidNodes {
        match self {
            Tet10 => &[&[0, 1], &[1, 2], &[2, 0], &[0, 3], &[2, 3], &[1, 3]],
            Hex20 => &HEX_GMSH[..12],
            Hex27 => &HEX_GMSH,
            Wedge15 => &WEDGE_GMSH[..9],
            Wedge18 => &WEDGE_GMSH,
            Pyramid13 => &[
                &[0, 1],
                &[0, 3],
                &[0, 4],
                &[1, 2],
                &[1, 4],
                &[2, 3],
                &[2, 4],
                &[3, 4],
            ],
            other => other.vtk_mid_nodes(),
        }
    }
}

#[rustfmt::skip]
static HEX_FRAMES: [&[u8]; 8] = [
    &[0, 1, 3, 4], &[1, 2, 0, 5], &[2, 3, 1, 6], &[3, 0, 2, 7],
    &[4, 7, 5, 0], &[5, 4, 6, 1], &[6, 5, 7, 2], &[7, 6, 4, 3],
];

#[rustfmt::skip]
static HEX_VTK: [&[u8]; 19] = [
    &[0, 1], &[1, 2], &[2, 3], &[3, 0], &[4, 5], &[5, 6], &[6, 7], &[7, 4], &[0, 4], &[1, 5], &[2, 6], &[3, 7],
    &[0, 3, 7, 4], &[1, 2, 6, 5], &[0, 1, 5, 4], &[3, 2, 6, 7], &[0, 1, 2, 3], &[4, 5, 6, 7],
    &[0, 1, 2, 3, 4, 5, 6, 7],
];

#[rustfmt::skip]
static HEX_GMSH: [&[u8]; 19] = [
    &[0, 1], &[0, 3], &[0, 4], &[1, 2], &[1, 5], &[2, 3], &[2, 6], &[3, 7], &[4, 5], &[4, 7], &[5, 6], &[6, 7],
    &[0, 3, 2, 1], &[0, 1, 5, 4], &[0, 4, 7, 3], &[1, 2, 6, 5], &[2, 3, 7, 6], &[4, 5, 6, 7],
    &[0, 1, 2, 3, 4, 5, 6, 7],
];

#[rustfmt::skip]
static WEDGE_VTK: [&[u8]; 12] = [
    &[0, 1], &[1, 2], &[2, 0], &[3, 4], &[4, 5], &[5, 3], &[0, 3], &[1, 4], &[2, 5],
    &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5],
];

#[rustfmt::skip]
static WEDGE_GMSH: [&[u8]; 12] = [
    &[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 4], &[2, 5], &[3, 4], &[3, 5], &[4, 5],
    &[0, 1, 4, 3], &[0, 3, 5, 2], &[1, 2, 5, 4],
];

fn same_set(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().all(|x| b.contains(x))
}

#[cfg(test)]
mod tests;
