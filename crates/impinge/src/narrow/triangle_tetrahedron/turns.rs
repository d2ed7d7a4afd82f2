//! The turns of the edges of a triangle against those of a tetrahedron, all eighteen at once in
//! f64.
//!
//! Two lines p + s d and k + s f with moments m = p × d and n = k × f turn about each other by
//!     det(d, k − p, k + f − p) = d·n + f·m,
//! so that six lines against three take nine cross products and eighteen sums instead of eighteen
//! determinants.

use super::{EDGES, FACES};
use crate::space::Vector;

/// All edges of a tetrahedron.
const ALL_EDGES: u8 = 0b11_1111;

/// The index of the edge between two corners of a tetrahedron.
pub(super) const EDGE_NUMBER: [[usize; 4]; 4] =
    [[0, 0, 1, 2], [0, 0, 3, 4], [1, 3, 0, 5], [2, 4, 5, 0]];

/// For each face its edges, and those that it traverses from the higher to the lower corner.
const ROUNDS: [[u8; 2]; 4] = rounds();

const fn rounds() -> [[u8; 2]; 4] {
    let mut rounds = [[0; 2]; 4];
    let mut face = 0;
    while face < 4 {
        let mut i = 0;
        while i < 3 {
            let (k, l) = (FACES[face][i], FACES[face][(i + 1) % 3]);
            let bit = 1 << EDGE_NUMBER[k][l];
            rounds[face][0] |= bit;
            rounds[face][1] |= if k > l { bit } else { 0 };
            i += 1;
        }
        face += 1;
    }

    rounds
}

/// For each edge of the triangle, one bit per edge of the tetrahedron; an edge in none of the masks
/// is undecided.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    pub(super) above: [u8; 3],
    pub(super) below: [u8; 3],
    pub(super) zero: [u8; 3],
}

/// Whether an edge passes through a triangle or face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// On one side, or beside.
    No,
    /// Through the interior.
    Through,
    /// Undecided in f64.
    Unsure,
}

impl Turns {
    /// Computes the turns from the corners relative to a common origin; values within the bound are
    /// left undecided.
    #[inline]
    pub(super) fn of(t: &[Vector<3>; 3], k: &[Vector<3>; 4], bound: f64) -> Self {
        let (mut ways, mut moments) = ([[0.0; 6]; 3], [[0.0; 6]; 3]);
        for (edge, [from, to]) in EDGES.into_iter().enumerate() {
            let way = k[to] - k[from];
            let moment = k[from].cross(&way);
            for axis in 0..3 {
                (ways[axis][edge], moments[axis][edge]) = (way[axis], moment[axis]);
            }
        }

        let mut turns = Self::default();
        for edge in 0..3 {
            let way = t[(edge + 1) % 3] - t[edge];
            let moment = t[edge].cross(&way);
            let mut values = [0.0; 6];

            for axis in 0..3 {
                for other in 0..6 {
                    values[other] +=
                        way[axis] * moments[axis][other] + moment[axis] * ways[axis][other];
                }
            }

            for (other, value) in values.into_iter().enumerate() {
                turns.above[edge] |= u8::from(value > bound) << other;
                turns.below[edge] |= u8::from(value < -bound) << other;
            }
        }

        turns
    }

    /// Returns whether one of the tetrahedron's edges with ends on both sides of the triangle's
    /// plane crosses the triangle.
    #[inline]
    pub(super) fn through_triangle(&self, parted: u8) -> Pass {
        let all = |m: [u8; 3]| m[0] & m[1] & m[2];
        let any = |m: [u8; 3]| m[0] | m[1] | m[2];
        let through = all(self.above) | all(self.below);
        let beside = any(self.above) & any(self.below);

        if parted & through != 0 {
            Pass::Through
        } else if parted & !beside & ALL_EDGES != 0 {
            Pass::Unsure
        } else {
            Pass::No
        }
    }

    /// Returns whether an edge of the triangle with ends on both sides of a face's plane crosses
    /// the face.
    #[inline]
    pub(super) fn through_face(&self, edge: usize, face: usize) -> Pass {
        let [round, reversed] = ROUNDS[face];
        let (above, below) = (self.above[edge], self.below[edge]);
        let one = (above & !reversed | below & reversed) & round;
        let other = (below & !reversed | above & reversed) & round;

        if one == round || other == round {
            Pass::Through
        } else if one != 0 && other != 0 {
            Pass::No
        } else {
            Pass::Unsure
        }
    }
}

/// Returns the edges of a tetrahedron with one end in one set of corners and the other end in
/// another.
#[inline]
pub(super) fn between(one: u8, other: u8) -> u8 {
    let has = |set: u8, corner: usize| set >> corner & 1;
    EDGES.iter().enumerate().fold(0, |mask, (edge, &[k, l])| {
        mask | (has(one, k) & has(other, l) | has(other, k) & has(one, l)) << edge
    })
}
