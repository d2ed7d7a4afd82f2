//! Orientation signs of a triangle and a tetrahedron, and the relation that follows from them.

use super::turns::{self, Pass, Turns};
use super::{ALL_FACES, EDGES, Extremes, FACES, Relation, Shared, flat, plane};
use crate::space::{Point, Vector, orient3};
use std::cell::Cell;

/// Error bound of a determinant of corner differences in f64, relative to the cube of the largest
/// difference from the triangle's first corner. Entries are below 2 with an error of 4 u, which
/// makes 288 u in six products of three, and their rounding as much again; the sums over moments of
/// [`Turns`] have an error of 530 u; u = 2⁻⁵³.
const ERROR: f64 = 1e-13;

/// Ratio of the error bound of a sum of four determinants to that of one.
const SUM_OF_FOUR: f64 = 4.5;

/// Pairs smaller than this leave all signs to the exact predicates, because their products may
/// underflow.
const SMALLEST: f64 = 1e-90;

/// Lazily evaluated signs: −1, 0, 1.
pub(super) struct Signs<'a> {
    pub(super) triangle: &'a [Point<3>; 3],
    pub(super) tetrahedron: &'a [Point<3>; 4],
    pub(super) shared: Shared,
    /// Corners relative to the triangle's first.
    t: [Vector<3>; 3],
    k: [Vector<3>; 4],
    /// The largest coordinate of those.
    largest: f64,
    /// A determinant beyond this has the correct sign.
    bound: f64,
    /// The turns of edges computed so far.
    turns: Cell<Turns>,
}

/// The corners of a triangle.
const ALL_CORNERS: u8 = 0b111;

/// Sides of some points as determined in f64, one bit per point.
#[derive(Clone, Copy, Default)]
struct Known {
    above: u8,
    below: u8,
    unsure: u8,
}

impl Known {
    #[inline]
    fn of<const N: usize>(heights: [f64; N], bound: f64, zeros: u8) -> Self {
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

    fn is_unsure(self, point: usize) -> bool {
        self.unsure >> point & 1 == 1
    }

    /// Returns the sign of a point that is not unsure.
    fn sign(self, point: usize) -> i8 {
        (self.above >> point & 1) as i8 - (self.below >> point & 1) as i8
    }
}

/// Heights of the triangle's corners over each face, times twice the face's area; inward for a
/// positive tetrahedron.
struct Heights {
    over: [[f64; 3]; 4],
    volume: f64,
}

impl Heights {
    /// With sides eᵢ from corner 0 to corner i the inward normals are e₂×e₃, e₃×e₁ and e₁×e₂; the
    /// four heights of any point add up to the volume, which gives the height over the face
    /// opposite corner 0.
    #[inline]
    fn of(t: &[Vector<3>; 3], k: &[Vector<3>; 4]) -> Self {
        let [e1, e2, e3] = [k[1] - k[0], k[2] - k[0], k[3] - k[0]];
        let normals = [e2.cross(&e3), e3.cross(&e1), e1.cross(&e2)];
        let volume = e1.dot(&normals[0]);
        let mut over = [[volume; 3]; 4];

        for corner in 0..3 {
            let from = t[corner] - k[0];
            for side in 0..3 {
                over[side + 1][corner] = normals[side].dot(&from);
                over[0][corner] -= over[side + 1][corner];
            }
        }

        Self { over, volume }
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

    #[inline]
    pub(super) fn relation(&self) -> Relation {
        let normal = self.t[1].cross(&self.t[2]);
        let sides = Known::of(
            self.k.map(|k| normal.dot(&k)),
            self.bound,
            self.shared.theirs,
        );

        if sides.above == ALL_FACES || sides.below == ALL_FACES {
            return Relation::Apart;
        }

        if let Some(relation) = self.in_plane(sides) {
            return relation;
        }

        let heights = Heights::of(&self.t, &self.k);
        let [a, b, c, d] = self.tetrahedron;
        let orientation = self.sign(heights.volume, [a, b, c, d]);

        if orientation == 0 {
            self.turns.set(Turns::of(&self.t, &self.k, self.bound));
            return flat::relation(self, &self.sides(sides));
        }

        let mut inner = [Known::default(); 4];
        let mut deep = ALL_CORNERS & !self.shared.own();
        for face in 0..4 {
            let heights = heights.over[face].map(|height| height * f64::from(orientation));
            let bound = if face == 0 {
                SUM_OF_FOUR * self.bound
            } else {
                self.bound
            };
            inner[face] = Known::of(heights, bound, self.on_face(face));

            if inner[face].below == ALL_CORNERS {
                return Relation::Apart;
            }

            deep &= inner[face].above;
        }

        if deep != 0 {
            return Relation::Crossing;
        }

        if sides.unsure != 0 && self.is_beyond_an_edge(&normal) {
            return Relation::Apart;
        }

        self.turns.set(Turns::of(&self.t, &self.k, self.bound));
        self.passes(sides, &inner)
            .unwrap_or_else(|| self.decided(sides, &inner, orientation))
    }

    /// Handles a tetrahedron with corners in the triangle's plane and the rest on one side of it:
    /// the intersection is that of the triangle and the hull of those corners. `None` in all other
    /// cases.
    #[inline]
    fn in_plane(&self, sides: Known) -> Option<Relation> {
        let is_mixed = sides.above != 0 && sides.below != 0;
        if sides.unsure == 0 || is_mixed || self.shared.theirs != 0 {
            return None;
        }
        plane::on_one_side(self.triangle, self.tetrahedron, &self.sides(sides))
    }

    /// Decides from the turns in f64. If an edge passes through the interior of a face or of the
    /// triangle, they cross. If all sides are certain, none is a shared node's and no edge passes,
    /// they are apart.
    #[inline]
    fn passes(&self, sides: Known, inner: &[Known; 4]) -> Option<Relation> {
        let turns = self.turns.get();
        let of_tetrahedron = turns.through_triangle(turns::between(sides.above, sides.below));
        let mut is_sure = of_tetrahedron == Pass::No && sides.above | sides.below == ALL_FACES;

        if of_tetrahedron == Pass::Through {
            return Some(Relation::Crossing);
        }

        for (face, inner) in inner.iter().enumerate() {
            is_sure &= inner.above | inner.below == ALL_CORNERS;
            for edge in 0..3 {
                let next = (edge + 1) % 3;
                let is_parted = inner.sign(edge) * inner.sign(next) < 0;
                match if is_parted {
                    turns.through_face(edge, face)
                } else {
                    Pass::No
                } {
                    Pass::Through => return Some(Relation::Crossing),
                    Pass::Unsure => is_sure = false,
                    Pass::No => {}
                }
            }
        }

        is_sure.then_some(Relation::Apart)
    }

    /// Decides with the exact predicates for uncertain signs.
    fn decided(&self, sides: Known, inner: &[Known; 4], orientation: i8) -> Relation {
        let sides = self.sides(sides);
        if sides.iter().all(|&s| s > 0) || sides.iter().all(|&s| s < 0) {
            return Relation::Apart;
        }

        let mut signs = [[0i8; 3]; 4];
        for face in 0..4 {
            signs[face] = self
                .outer_signs(face, inner[face])
                .map(|outer| -outer * orientation);

            // Known values are already inward; the exact predicate is outward.
            for corner in 0..3 {
                let known = inner[face].sign(corner);
                signs[face][corner] = if inner[face].is_unsure(corner) {
                    signs[face][corner]
                } else {
                    known
                };
            }

            if signs[face].iter().all(|&s| s < 0) {
                return Relation::Apart;
            }
        }

        self.extremes(&sides, &signs).relation()
    }

    /// Returns whether a plane through an edge of the triangle, normal to the triangle, separates
    /// the two. It settles pairs in the triangle's own plane, such as faces of a flat piece of
    /// surface, without the exact predicates.
    fn is_beyond_an_edge(&self, normal: &Vector<3>) -> bool {
        // One more factor of the largest difference, at most 2 times as long as a side.
        let bound = 16.0 * self.bound * self.largest;
        (0..3).any(|edge| {
            let start = self.t[edge];
            let outward = (self.t[(edge + 1) % 3] - start).cross(normal);
            self.k.iter().all(|k| outward.dot(&(k - start)) > bound)
        })
    }

    /// Returns the side of the triangle's plane on which each corner of the tetrahedron lies.
    fn sides(&self, known: Known) -> [i8; 4] {
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
    fn on_face(&self, face: usize) -> u8 {
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

    fn outer_signs(&self, face: usize, known: Known) -> [i8; 3] {
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
    fn exact_turn(&self, edge: usize, k: usize, l: usize, bit: u8) -> i8 {
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
    fn one_way(&self, turns: [(usize, usize, usize); 3]) -> Option<[i8; 3]> {
        let [first, second] = [turns[0], turns[1]].map(|(edge, k, l)| self.turn(edge, k, l));
        if first * second < 0 {
            return None;
        }
        let third = self.turn(turns[2].0, turns[2].1, turns[2].2);
        (first * third >= 0 && second * third >= 0).then_some([first, second, third])
    }

    /// Returns the sign of a determinant that orients four points.
    #[inline]
    fn sign(&self, value: f64, points: [&Point<3>; 4]) -> i8 {
        if value > self.bound {
            1
        } else if value < -self.bound {
            -1
        } else {
            exact(points)
        }
    }

    #[inline]
    fn extremes(&self, sides: &[i8; 4], inner: &[[i8; 3]; 4]) -> Extremes {
        let mut found = Extremes::NONE;
        for corner in 0..3 {
            if (0..4).all(|face| inner[face][corner] >= 0) {
                let faces = (0..4).filter(|&face| inner[face][corner] == 0);
                found.add(
                    faces.fold(0, |mask, face| mask | 1 << face),
                    self.shared.partner[corner].is_some(),
                );
            }
        }

        // A corner deep inside settles it.
        if found.beyond && found.faces == 0 {
            return found;
        }

        self.triangle_edges(inner, &mut found);
        if found.beyond && found.faces == 0 {
            return found;
        }

        self.tetrahedron_edges(sides, &mut found);
        found
    }

    /// Intersects edges of the triangle with faces. An edge in the plane of a face is skipped:
    /// where it leaves the face, it passes through another one.
    fn triangle_edges(&self, inner: &[[i8; 3]; 4], found: &mut Extremes) {
        for edge in 0..3 {
            let next = (edge + 1) % 3;
            if (0..4).any(|face| inner[face][edge] < 0 && inner[face][next] < 0) {
                continue;
            }
            for face in 0..4 {
                let ends = [inner[face][edge], inner[face][next]];
                if ends[0] * ends[1] <= 0 && ends != [0, 0] {
                    self.through_face(edge, face, ends, found);
                }
            }
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

    /// Intersects edges of the tetrahedron with the triangle; those in its plane end at others that
    /// are not.
    fn tetrahedron_edges(&self, sides: &[i8; 4], found: &mut Extremes) {
        for edge in EDGES {
            if let Some((faces, is_shared)) = self.through_triangle(edge, sides) {
                found.add(faces, is_shared);
            }
        }
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
