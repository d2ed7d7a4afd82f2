//! One cell in 32 bits: its label, or the location of its triangles or nested cells.

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Contains no surface: all its points have this label, true for inside.
    Empty(bool),
    /// Contains surface: the leaf with this index.
    Leaf(u32),
    /// Nested cells, 2^`shift` along each axis, starting at this index in the list of children.
    Block { shift: u32, first: usize },
    /// No point off the surface was found in it; every query tests all triangles.
    Unlabelled,
}

/// A packed [`Kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(u32);

const LEAF: u32 = 1 << 31;
const BLOCK: u32 = 1 << 30;
const SHIFT_AT: u32 = 28;
/// Blocks have a multiple of 2³ children, so their starts are stored in units of eight.
const EIGHT: usize = 8;

impl Node {
    pub(super) const OUTSIDE: Self = Self(0);
    pub(super) const UNLABELLED: Self = Self(2);

    #[inline]
    pub(super) fn empty(inside: bool) -> Self {
        Self(u32::from(inside))
    }

    pub(super) fn leaf(number: usize) -> Self {
        assert!(
            number < LEAF as usize,
            "more leaves than 31 bits can number"
        );
        Self(LEAF | number as u32)
    }

    pub(super) fn block(shift: u32, first: usize) -> Self {
        assert!(
            (1..=3).contains(&shift) && first.is_multiple_of(EIGHT),
            "a block of 2³, 4³ or 8³ children"
        );
        assert!(
            first / EIGHT < 1 << SHIFT_AT,
            "more nested cells than 31 bits can number"
        );

        Self(BLOCK | shift << SHIFT_AT | (first / EIGHT) as u32)
    }

    /// Returns the label, if the cell has one for all its points.
    #[inline]
    pub(super) fn label(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    #[inline]
    pub(super) fn kind(self) -> Kind {
        if self.0 & LEAF != 0 {
            Kind::Leaf(self.0 & !LEAF)
        } else if self.0 & BLOCK != 0 {
            let first = (self.0 & ((1 << SHIFT_AT) - 1)) as usize * EIGHT;
            Kind::Block {
                shift: self.0 >> SHIFT_AT & 3,
                first,
            }
        } else {
            self.label().map_or(Kind::Unlabelled, Kind::Empty)
        }
    }

    /// Returns the node adjusted for its leaves and children having been appended to longer lists.
    pub(super) fn moved(self, leaves_before: usize, children_before: usize) -> Self {
        match self.kind() {
            Kind::Leaf(number) => Self::leaf(number as usize + leaves_before),
            Kind::Block { shift, first } => Self::block(shift, first + children_before),
            _ => self,
        }
    }
}

/// Returns the index of a nested cell in its block of 2^`shift` cells along each axis.
#[inline]
pub(super) fn number_in_block(shift: u32, [i, j, k]: [usize; 3]) -> usize {
    (((i << shift) + j) << shift) + k
}

#[cfg(test)]
mod tests;
