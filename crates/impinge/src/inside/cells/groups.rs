//! The lists of triangles that leaves refer to, in groups of four.

use super::cone::{Cone, Cones, Eye, LANES};
use crate::shape::Surface;

/// The triangles of a part's leaves, in groups. Parts keep their own lists, because joining them
/// would copy most of the structure.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    pub(super) cones: Vec<Cones>,
    /// The triangle indices, separate from the cones because only exact predicates need them.
    pub(super) triangles: Vec<[u32; LANES]>,
}

impl Groups {
    pub(super) fn memory(&self) -> usize {
        self.cones.capacity() * size_of::<Cones>()
            + self.triangles.capacity() * size_of::<[u32; LANES]>()
    }

    /// Appends the triangles as seen from the reference point; returns false if it lies on one of them.
    pub(super) fn append(&mut self, eye: &Eye, surface: &Surface, triangles: &[u32]) -> bool {
        let before = self.cones.len();
        for group in triangles.chunks(LANES) {
            let (mut cones, mut numbers) = (Cones::NONE, [u32::MAX; LANES]);
            for (lane, &triangle) in group.iter().enumerate() {
                let Some(cone) = Cone::of(eye, surface, triangle) else {
                    self.cones.truncate(before);
                    self.triangles.truncate(before);
                    return false;
                };
                cones.set(lane, &cone);
                numbers[lane] = triangle;
            }

            self.cones.push(cones);
            self.triangles.push(numbers);
        }

        true
    }
}
