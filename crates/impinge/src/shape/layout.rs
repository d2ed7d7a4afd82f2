//! Node layout of each kind of cell: its sides, and the edges at its corners. Derived once from the
//! tables of [`ElementKind`].

use super::{ElementKind, FaceKind};
use crate::space::{Point, Sign, orient2, orient3};
use std::sync::LazyLock;

/// Maximum number of sides of a cell.
pub(crate) const MOST_SIDES: usize = 6;

/// The sides and corners of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The faces of a solid cell, the edges of a flat one, in the order of [`ElementKind::faces`].
    pub(crate) sides: Vec<Side>,
    frames: Vec<Frame>,
}

/// A side: its kind and its nodes as indices into the cell's nodes, in the face's own order.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) kind: FaceKind,
    pub(crate) nodes: Vec<u8>,
}

/// A corner, its neighbours along the edges, and the mid nodes of those edges.
#[derive(Clone, Debug)]
struct Frame {
    corner: u8,
    ends: Vec<(u8, Option<u8>)>,
}

/// Orientation of a cell, from the determinants of the edges at its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// No corner is negative, some are positive.
    Right,
    /// All corners are flat.
    Flat,
    /// No corner is positive, some are negative: the mirror image of the cell is valid.
    Mirrored,
    /// Some corners are positive, some negative.
    Tangled,
}

/// The layout of a kind.
pub(crate) fn layout(kind: ElementKind) -> &'static Layout {
    static LAYOUTS: LazyLock<Vec<Layout>> =
        LazyLock::new(|| ElementKind::ALL.into_iter().map(Layout::of).collect());
    &LAYOUTS[kind as usize]
}

impl Layout {
    fn of(kind: ElementKind) -> Self {
        let side = |(face, nodes)| Side {
            kind: FaceKind::of_element(face).expect("a face"),
            nodes,
        };
        let frame = |corners: &&[u8]| Frame {
            corner: corners[0],
            ends: corners[1..]
                .iter()
                .map(|&end| (end, kind.mid_node(&[corners[0], end])))
                .collect(),
        };

        Self {
            sides: kind.faces().into_iter().map(side).collect(),
            frames: kind.corner_frames().iter().map(frame).collect(),
        }
    }

    /// The orientation of the cell with these nodes.
    pub(crate) fn turn<const D: usize>(&self, points: &[Point<D>], nodes: &[u32]) -> Turn {
        let (mut positive, mut negative) = (false, false);
        for frame in &self.frames {
            match frame.sign(points, nodes) {
                Sign::Positive => positive = true,
                Sign::Negative => negative = true,
                Sign::Zero => {}
            }
        }

        match (positive, negative) {
            (true, false) => Turn::Right,
            (false, false) => Turn::Flat,
            (false, true) => Turn::Mirrored,
            (true, true) => Turn::Tangled,
        }
    }
}

impl Frame {
    /// The sign of the Jacobian at the corner: exact for straight edges. The tangent of a curved
    /// edge at its start a, with middle m and end b, is 4 (m − a) − (b − a). It is independent of
    /// the cell's other nodes, and rounded.
    fn sign<const D: usize>(&self, points: &[Point<D>], nodes: &[u32]) -> Sign {
        let at = |place: u8| points[nodes[place as usize] as usize];
        let a = at(self.corner);
        let tip = |i: usize| match self.ends[i] {
            (end, None) => at(end),
            (end, Some(mid)) => a + ((at(mid) - a) * 4.0 - (at(end) - a)),
        };

        match D {
            2 => orient2(
                &in_dimensions(&a),
                &in_dimensions(&tip(0)),
                &in_dimensions(&tip(1)),
            ),
            _ => {
                let [a, b, c, d] = [a, tip(0), tip(1), tip(2)].map(|p| in_dimensions(&p));
                orient3(&a, &b, &c, &d)
            }
        }
    }
}

/// Converts a point to `E` dimensions, in code generic over `D` that has checked `D` = `E`.
fn in_dimensions<const D: usize, const E: usize>(point: &Point<D>) -> Point<E> {
    Point::from(std::array::from_fn(|i| point[i]))
}
