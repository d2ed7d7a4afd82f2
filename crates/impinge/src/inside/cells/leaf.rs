//! A cell that contains surface.

use super::cone::{Eye, View};
use super::groups::Groups;
use crate::space::Point;

/// The reference point of a cell and the location of its triangles: an [`Eye`] and a range in 48
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    point: Point<3>,
    inverse: f64,
    part: u32,
    first: u32,
    count: u32,
    inside: bool,
}

impl Leaf {
    /// Creates a leaf of `count` groups, starting at group `first` of a part that has no index yet.
    pub(super) fn new(eye: &Eye, first: usize, count: usize) -> Self {
        assert!(
            first + count <= u32::MAX as usize,
            "more groups of triangles in a part than 32 bits can number"
        );
        let (first, count) = (first as u32, count as u32);

        Self {
            point: eye.point,
            inverse: eye.inverse,
            part: 0,
            first,
            count,
            inside: eye.inside,
        }
    }

    pub(super) fn in_part(self, part: usize) -> Self {
        Self {
            part: part as u32,
            ..self
        }
    }

    /// Returns the triangles as seen from the leaf's reference point.
    #[inline]
    pub(super) fn view<'a>(&self, groups: &'a [Groups]) -> View<'a> {
        let groups = &groups[self.part as usize];
        let range = self.first as usize..self.first as usize + self.count as usize;
        View {
            eye: Eye {
                point: self.point,
                inverse: self.inverse,
                inside: self.inside,
            },
            cones: &groups.cones[range.clone()],
            triangles: &groups.triangles[range],
        }
    }
}
