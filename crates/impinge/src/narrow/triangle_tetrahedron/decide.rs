//! The relation of a triangle and a tetrahedron that follows from their orientation signs.

use super::signs::{ALL_CORNERS, Known, Signs};
use super::turns::{self, Pass, Turns};
use super::{ALL_FACES, EDGES, Extremes, Relation, flat, plane};
use crate::space::Vector;

/// Ratio of the error bound of a sum of four determinants to that of one.
const SUM_OF_FOUR: f64 = 4.5;

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

impl Signs<'_> {
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

    /// Intersects edges of the tetrahedron with the triangle; those in its plane end at others that
    /// are not.
    fn tetrahedron_edges(&self, sides: &[i8; 4], found: &mut Extremes) {
        for edge in EDGES {
            if let Some((faces, is_shared)) = self.through_triangle(edge, sides) {
                found.add(faces, is_shared);
            }
        }
    }
}
