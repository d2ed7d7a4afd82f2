//! Orientation signs of a triangle and a tetrahedron.

use super::turns::{self, Turns};
use super::{ALL_FACES, Extremes, FACES, Shared};
use crate::space::{Point, Vector, orient3};
use std::cell::Cell;

/// Error bound of a determinant of corner differences in f64, relative to the cube of the largest
/// difference from the triangle's first corner. Entries are below 2 with an error of 4 u, which
/// makes 288 u in six products of three, and their rounding as much again; the sums over moments of
/// [`Turns`] have an error of 530 u; u = 2⁻⁵³.
const ERROR: f64 = 1e-13;

/// Pairs smaller than this leave all signs to the exact predicates, because their products may
/// underflow.
const SMALLEST: f64 = 1e-90;

/// Lazily evaluated signs: −1, 0, 1.
pub(super) struct Signs<'a> {
    pub(super) triangle: &'a [Point<3>; 3],
    pub(super) tetrahedron: &'a [Point<3>; 4],
    pub(super) shared: Shared,
    /// Corners relative to the triangle's first.
    pub(super) t: [Vector<3>; 3],
    pub(super) k: [Vector<3>; 4],
    /// The largest coordinate of those.
    pub(super) largest: f64,
    /// A determinant beyond this has the correct sign.
    pub(super) bound: f64,
    /// The turns of edges computed so far.
    pub(super) turns: Cell<Turns>,
}

/// The corners of a triangle.
pub(super) const ALL_CORNERS: u8 = 0b111;

/// Sides of some points as determined in f64, one bit per point.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) above: u8,
    pub(super) below: u8,
    pub(super) unsure: u8,
}

impl Known {
    #[inline]
    pub(super) fn of<const N: usize>(heights: [f64; N], bound: f64, zeros: u8) -> Self {
        let (mut above, mut below) = (0, 0);
        for (i, height) in heights.into_iter().enumerate() {
            above |= u8::from(height > bound) << i;
            below |= u8::from(height < -bound) << i;
        }

        let all = (1u8 << N) - 1;
        Self {
            above: above & !zeros,
            below: below & !zeros,
            unsure: all & !(above | below | zeros),
        }
    }

    pub(super) fn is_unsure(self, point: usize) -> bool {
        self.unsure >> point & 1 == 1
    }

    /// Returns the sign of a point that is not unsure.
    pub(super) fn sign(self, point: usize) -> i8 {
        (self.above >> point & 1) as i8 - (self.below >> point & 1) as i8
    }
}

impl<'a> Signs<'a> {
    #[inline]
    pub(super) fn new(
        triangle: &'a [Point<3>; 3],
        tetrahedron: &'a [Point<3>; 4],
        shared: Shared,
    ) -> Self {
        let origin = triangle[0];
        let t = triangle.map(|p| p - origin);
        let k = tetrahedron.map(|p| p - origin);
        let largest = t[1..].iter().chain(&k).fold(0.0f64, |m, v| {
            m.max(v.x.abs()).max(v.y.abs()).max(v.z.abs())
        });
        let bound = if largest > SMALLEST {
            ERROR * largest * largest * largest
        } else {
            f64::INFINITY
        };

        Self {
            triangle,
            tetrahedron,
            shared,
            t,
            k,
            largest,
            bound,
            turns: Cell::default(),
        }
    }

    /// Returns the side of the triangle's plane on which each corner of the tetrahedron lies.
    pub(super) fn sides(&self, known: Known) -> [i8; 4] {
        let [a, b, c] = self.triangle;
        std::array::from_fn(|corner| {
            if known.is_unsure(corner) {
                exact([a, b, c, &self.tetrahedron[corner]])
            } else {
                known.sign(corner)
            }
        })
    }

    /// Returns the corners of the triangle that are shared nodes of a face.
    #[inline]
    pub(super) fn on_face(&self, face: usize) -> u8 {
        let partner = self.shared.partner;
        let is_on = |corner: usize| partner[corner].is_some_and(|partner| partner as usize != face);
        (0..3).fold(0, |mask, corner| mask | u8::from(is_on(corner)) << corner)
    }

    /// Returns for each corner of the triangle the exact side of the face's plane; for a positive
    /// tetrahedron 1 is outside.
    pub(super) fn outer(&self, face: usize) -> [i8; 3] {
        self.outer_signs(
            face,
            Known {
                unsure: ALL_CORNERS & !self.on_face(face),
                ..Known::default()
            },
        )
    }

    pub(super) fn outer_signs(&self, face: usize, known: Known) -> [i8; 3] {
        let [p, q, r] = FACES[face].map(|i| &self.tetrahedron[i]);
        std::array::from_fn(|corner| {
            if known.is_unsure(corner) {
                exact([p, q, r, &self.triangle[corner]])
            } else {
                0
            }
        })
    }

    /// Returns the turn of the triangle's edge from corner `edge` to the next against the
    /// tetrahedron's edge from k to l.
    #[inline]
    pub(super) fn turn(&self, edge: usize, k: usize, l: usize) -> i8 {
        let (turns, bit) = (self.turns.get(), 1 << turns::EDGE_NUMBER[k][l]);
        let sign = if turns.above[edge] & bit != 0 {
            1
        } else if turns.below[edge] & bit != 0 {
            -1
        } else if turns.zero[edge] & bit != 0 {
            0
        } else {
            self.exact_turn(edge, k.min(l), k.max(l), bit)
        };

        if k < l { sign } else { -sign }
    }

    /// Returns a turn by the exact predicates, and caches it, as two faces and the triangle need
    /// it.
    pub(super) fn exact_turn(&self, edge: usize, k: usize, l: usize, bit: u8) -> i8 {
        let next = (edge + 1) % 3;
        let partners = [self.shared.partner[edge], self.shared.partner[next]];
        let is_shared = partners
            .iter()
            .flatten()
            .any(|&p| p as usize == k || p as usize == l);
        let [p, q] = [edge, next].map(|i| &self.triangle[i]);
        let sign = if is_shared {
            0
        } else {
            exact([p, q, &self.tetrahedron[k], &self.tetrahedron[l]])
        };
        let mut turns = self.turns.get();

        let known = match sign {
            1 => &mut turns.above,
            0 => &mut turns.zero,
            _ => &mut turns.below,
        };
        known[edge] |= bit;
        self.turns.set(turns);

        sign
    }

    /// Returns the turns against three edges, if all have the same sign or are zero.
    #[inline]
    pub(super) fn one_way(&self, turns: [(usize, usize, usize); 3]) -> Option<[i8; 3]> {
        let [first, second] = [turns[0], turns[1]].map(|(edge, k, l)| self.turn(edge, k, l));
        if first * second < 0 {
            return None;
        }
        let third = self.turn(turns[2].0, turns[2].1, turns[2].2);
        (first * third >= 0 && second * third >= 0).then_some([first, second, third])
    }

    /// Returns the sign of a determinant that orients four points.
    #[inline]
    pub(super) fn sign(&self, value: f64, points: [&Point<3>; 4]) -> i8 {
        if value > self.bound {
            1
        } else if value < -self.bound {
            -1
        } else {
            exact(points)
        }
    }

    /// Returns the point where an edge of the triangle crosses the plane of a face, if it lies in
    /// the face.
    pub(super) fn through_face(
        &self,
        edge: usize,
        face: usize,
        ends: [i8; 2],
        found: &mut Extremes,
    ) {
        let [a, b, c] = FACES[face];
        let Some(turns) = self.one_way([(edge, a, b), (edge, b, c), (edge, c, a)]) else {
            return;
        };

        // On the edge from a to b the point also lies in the face opposite c.
        let on_edges = [(turns[0], c), (turns[1], a), (turns[2], b)]
            .into_iter()
            .filter(|(turn, _)| *turn == 0);
        let faces = on_edges.fold(1 << face, |mask, (_, opposite)| mask | 1u8 << opposite);
        let is_end =
            |end: usize, corner: usize| ends[end] == 0 && self.shared.partner[corner].is_some();

        // If it is in three faces, it is the corner opposite the fourth.
        let is_corner = faces.count_ones() == 3
            && self
                .shared
                .has((ALL_FACES ^ faces).trailing_zeros() as usize);
        found.add(
            faces,
            is_end(0, edge) || is_end(1, (edge + 1) % 3) || is_corner,
        );
    }

    /// Returns whether an edge of the tetrahedron crosses the triangle in one point: the faces that
    /// contain the point, and whether it is a shared node.
    #[inline]
    pub(super) fn through_triangle(
        &self,
        [k, l]: [usize; 2],
        sides: &[i8; 4],
    ) -> Option<(u8, bool)> {
        let ends = [sides[k], sides[l]];
        if ends[0] * ends[1] > 0 || ends == [0, 0] {
            return None;
        }

        self.one_way([(0, k, l), (1, k, l), (2, k, l)])?;
        let end = [(ends[0], k), (ends[1], l)]
            .into_iter()
            .find(|(end, _)| *end == 0);
        Some(match end {
            Some((_, corner)) => (ALL_FACES & !(1 << corner), self.shared.has(corner)),
            None => (ALL_FACES & !(1 << k) & !(1 << l), false),
        })
    }
}

/// Returns the exact sign. Points with equal coordinates on an axis, as in the layers of a
/// generated mesh, are detected at once: the predicate's last stage takes half a microsecond.
#[cold]
#[inline(never)]
fn exact(points: [&Point<3>; 4]) -> i8 {
    let [a, b, c, d] = points;
    if (0..3).any(|axis| a[axis] == b[axis] && a[axis] == c[axis] && a[axis] == d[axis]) {
        return 0;
    }
    orient3(a, b, c, d) as i8
}
