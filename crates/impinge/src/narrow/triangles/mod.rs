//! Exact intersecting pairs of triangles within one surface and between two, touching included.
//!
//! Pairs without common nodes are tested with [`touch`]. If nodes are shared or a triangle has no
//! area, the exact test of [`triangle_tetrahedron`](super::triangle_tetrahedron) decides: a
//! triangle is also a tetrahedron of zero volume whose last two corners coincide. Candidates come
//! from a bounding-volume hierarchy, around nodes of many triangles by directions: O(n log n +
//! pairs).

mod fans;

use super::solids::Neighbours;
use super::triangle::touch;
use super::triangle_tetrahedron::{Relation, Shared, relation_beyond};
use crate::parallel::prelude::*;
use crate::shape::{Item, Problem, ProblemKind};
use crate::space::{self, Aabb, Point, collinear, is_usable};
use crate::tree::Bvh;
use fans::Fans;

/// Number of triangles per parallel task.
const PIECE: usize = 1024;

/// A list of triangles, closed or not, with its bounding-volume hierarchy.
///
/// ```
/// use impinge::narrow::triangles::Triangles;
/// use impinge::shape::generate;
/// use impinge::space::{Point, Vector};
/// let ball = generate::sphere(3)?;
/// let moved: Vec<Point<3>> = ball.points().iter().map(|p| p + Vector::repeat(0.7)).collect();
/// let (a, b) = (Triangles::new(ball.points(), ball.triangles())?, Triangles::new(&moved, ball.triangles())?);
/// let mut pairs = Vec::new();
/// a.find_between(&b, &mut pairs);
/// assert!(pairs.len() > 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Triangles {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    /// Whether each triangle has an area.
    has_area: Vec<bool>,
    tree: Bvh<3>,
}

impl Triangles {
    /// Copies the triangles. Coordinates must be usable and nodes must exist; triangles may be
    /// degenerate.
    pub fn new(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        let points = space::points(points);
        let bad = points
            .iter()
            .enumerate()
            .filter(|(_, p)| !is_usable(p))
            .map(|(i, _)| Item::Point(i));

        if let Some(problem) = Problem::of(ProblemKind::NotFinite, bad) {
            return Err(problem);
        }

        let missing = |t: &[u32; 3]| t.iter().any(|&n| n as usize >= points.len());
        let bad = triangles
            .iter()
            .enumerate()
            .filter(|(_, t)| missing(t))
            .map(|(i, _)| Item::Triangle(i));

        if let Some(problem) = Problem::of(ProblemKind::IndexOutOfRange, bad) {
            return Err(problem);
        }

        let corners = |t: &[u32; 3]| t.map(|n| points[n as usize]);
        let boxes: Vec<Aabb<3>> = triangles.iter().map(|t| Aabb::of(corners(t))).collect();
        let has_area = triangles
            .iter()
            .map(corners)
            .map(|[a, b, c]| !collinear(&a, &b, &c))
            .collect();
        let tree = Bvh::new(&boxes);

        Ok(Self {
            points,
            triangles: triangles.to_vec(),
            has_area,
            tree,
        })
    }

    /// Returns the points.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// Returns the nodes of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn corners(&self, triangle: u32) -> [Point<3>; 3] {
        self.triangles[triangle as usize].map(|n| self.points[n as usize])
    }

    /// Replaces `pairs` by the intersecting pairs of triangles of this and the other surface,
    /// sorted.
    pub fn find_between(&self, other: &Self, pairs: &mut Vec<[u32; 2]>) {
        self.find(
            pairs,
            |a, near| other.tree.find_overlapping(&self.bounds_of(a), near),
            |a, b| self.meets(a, other, b, Shared::NOTHING),
        );
    }

    /// Replaces `pairs` by the intersecting pairs of triangles of this surface, lower index first,
    /// sorted. Neighbours over a face are here those that share an edge.
    pub fn find_self(&self, neighbours: Neighbours, pairs: &mut Vec<[u32; 2]>) {
        let meets = |a, b| a < b && self.meets_within(a, b, neighbours);
        match Fans::new(self).filter(|_| neighbours != Neighbours::Face) {
            Some(fans) => self.find(pairs, |a, near| fans.find(a, near), meets),
            None => self.find(
                pairs,
                |a, near| self.tree.find_overlapping(&self.bounds_of(a), near),
                meets,
            ),
        }
    }

    fn bounds_of(&self, triangle: u32) -> Aabb<3> {
        Aabb::of(self.corners(triangle))
    }

    fn meets_within(&self, a: u32, b: u32, neighbours: Neighbours) -> bool {
        let shared = Shared::of(
            &self.triangles[a as usize],
            &doubled(self.triangles[b as usize]),
        );
        match (neighbours, shared.count()) {
            // The same triangle twice.
            (_, 3) => true,
            (Neighbours::Face, 2) | (Neighbours::Node, 1..) => false,
            (Neighbours::Exact, _) => self.meets(a, self, b, shared),
            _ => self.meets(a, self, b, Shared::NOTHING),
        }
    }

    /// Returns whether two triangles share any point besides their shared nodes.
    fn meets(&self, a: u32, other: &Self, b: u32, shared: Shared) -> bool {
        let (first, second) = (self.corners(a), other.corners(b));
        if shared == Shared::NOTHING && self.has_area[a as usize] && other.has_area[b as usize] {
            return touch(&first, &second);
        }
        relation_beyond(&first, &doubled(second), shared) != Relation::Apart
    }

    /// Replaces `pairs` by those that meet among each triangle and its candidates, sorted lists.
    fn find(
        &self,
        pairs: &mut Vec<[u32; 2]>,
        candidates: impl Fn(u32, &mut Vec<u32>) + Sync,
        meets: impl Fn(u32, u32) -> bool + Sync,
    ) {
        let pieces: Vec<Vec<[u32; 2]>> = (0..self.triangles.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let (mut found, mut near) = (Vec::new(), Vec::new());
                for a in piece * PIECE..((piece + 1) * PIECE).min(self.triangles.len()) {
                    candidates(a as u32, &mut near);
                    found.extend(
                        near.iter()
                            .filter(|&&b| meets(a as u32, b))
                            .map(|&b| [a as u32, b]),
                    );
                }
                found
            })
            .collect();
        pairs.clear();

        pieces
            .iter()
            .for_each(|piece| pairs.extend_from_slice(piece));
    }
}

/// Returns the triangle as a flat tetrahedron.
fn doubled<T: Copy>([a, b, c]: [T; 3]) -> [T; 4] {
    [a, b, c, c]
}

#[cfg(test)]
mod tests {
    use super::super::triangle_tetrahedron::relation;
    use super::*;
    use crate::shape::generate;
    use crate::space::{Random, Vector};

    #[test]
    fn an_embedded_surface_does_not_meet_itself_and_a_folded_one_does() {
        let ball = generate::sphere(3).expect("valid");
        let mut pairs = Vec::new();
        let of = |points: &[Point<3>]| Triangles::new(points, ball.triangles()).expect("good");
        of(ball.points()).find_self(Neighbours::Exact, &mut pairs);
        assert_eq!(pairs, Vec::<[u32; 2]>::new());
        of(ball.points()).find_self(Neighbours::Face, &mut pairs);
        assert!(pairs.len() > ball.triangles().len(), "corners touch");
        let mut folded = ball.points().to_vec();
        folded[5] = Point::from(-folded[5].coords * 1.5);
        of(&folded).find_self(Neighbours::Exact, &mut pairs);

        assert!(pairs.len() > 5 && pairs.iter().all(|[a, b]| a < b));
    }

    #[test]
    fn pairs_of_two_surfaces_are_those_of_all_pairs_on_a_grid() {
        let mut random = Random::new(9);
        let mut soup = || {
            let points: Vec<Point<3>> = (0..60)
                .map(|_| Point::from([0; 3].map(|_| random.below(6) as f64)))
                .collect();
            let triangles: Vec<[u32; 3]> =
                (0..60).map(|i| [i, (i + 1) % 60, (i + 7) % 60]).collect();
            Triangles::new(&points, &triangles).expect("good")
        };
        let (a, b) = (soup(), soup());
        let (mut pairs, mut swapped) = (Vec::new(), Vec::new());
        a.find_between(&b, &mut pairs);
        b.find_between(&a, &mut swapped);
        swapped.iter_mut().for_each(|pair| pair.reverse());
        swapped.sort_unstable();
        assert_eq!(pairs, swapped, "the test is symmetric");
        let meets =
            |i: u32, j: u32| relation(&a.corners(i), &doubled(b.corners(j))) != Relation::Apart;

        let all: Vec<[u32; 2]> = (0..60)
            .flat_map(|i| (0..60).map(move |j| [i, j]))
            .filter(|&[i, j]| meets(i, j))
            .collect();
        assert_eq!(pairs, all);

        assert!(all.len() > 100);
    }

    /// Triangles from the origin to a rim that rises and turns by some angle, and more of them below.
    fn fan(count: u32, turn: f64, rise: f64, below: bool) -> Triangles {
        let rim = |k: u32| {
            let angle = turn * f64::from(k) / f64::from(count);
            [angle.cos(), angle.sin(), rise * angle]
        };
        let mut points = vec![[0.0; 3], [0.0, 0.0, -1.0]];
        points.extend((0..=count).map(rim));
        let mut triangles: Vec<[u32; 3]> = (0..count).map(|k| [0, k + 2, k + 3]).collect();
        if below {
            triangles.extend((0..count).map(|k| [1, k + 3, k + 2]));
        }
        Triangles::new(&points, &triangles).expect("good")
    }

    #[test]
    fn fans_have_the_pairs_of_all_pairs() {
        // The fourth overlaps itself, and its lower side meets the upper one.
        for (count, turn, below) in [(150, 5.0, false), (150, 6.0, true), (90, 8.0, true)] {
            let fan = fan(count, turn, 0.1, below);
            for neighbours in [Neighbours::Exact, Neighbours::Node, Neighbours::Face] {
                let all = fan.triangles.len() as u32;
                let expected: Vec<[u32; 2]> = (0..all)
                    .flat_map(|a| (a + 1..all).map(move |b| [a, b]))
                    .filter(|&[a, b]| fan.meets_within(a, b, neighbours))
                    .collect();
                let mut pairs = Vec::new();
                fan.find_self(neighbours, &mut pairs);
                assert_eq!(pairs, expected, "{count} {turn} {neighbours:?}");
            }
        }
    }

    #[test]
    fn triangles_through_a_hub_and_flat_ones_at_it_are_found() {
        let mut points: Vec<[f64; 3]> = vec![[0.0; 3], [0.0; 3]];
        points.extend((0..100).map(|k| {
            let angle = 0.06 * f64::from(k);
            [angle.cos(), angle.sin(), 0.0]
        }));
        // Through the hub, ending on it, around it in another plane, beside it.
        points.extend([
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
            [0.3, 0.1, 0.5],
            [9.0, 9.0, 9.0],
        ]);
        let mut triangles: Vec<[u32; 3]> = (0..99).map(|k| [0, k + 2, k + 3]).collect();
        triangles.extend([
            [102, 103, 104],
            [1, 102, 104],
            [0, 1, 30],
            [0, 0, 40],
            [104, 105, 102],
        ]);
        triangles.extend([[0, 2, 102], [103, 102, 105]]);
        let fan = Triangles::new(&points, &triangles).expect("good");
        let all = triangles.len() as u32;
        for neighbours in [Neighbours::Exact, Neighbours::Node] {
            let expected: Vec<[u32; 2]> = (0..all)
                .flat_map(|a| (a + 1..all).map(move |b| [a, b]))
                .filter(|&[a, b]| fan.meets_within(a, b, neighbours))
                .collect();
            let mut pairs = Vec::new();
            fan.find_self(neighbours, &mut pairs);
            assert_eq!(pairs, expected, "{neighbours:?}");
            assert!(pairs.len() > 99, "{neighbours:?}: {}", pairs.len());
        }
    }

    #[test]
    fn the_candidates_of_a_fan_grow_with_its_triangles_not_their_square() {
        // A disc with a cone below, and a spiral that turns nearly twice.
        for count in [1000, 4000] {
            for (turn, rise, below) in [(6.2, 0.0, true), (12.0, 0.1, false)] {
                let fan = fan(count, turn, rise, below);
                let fans = Fans::new(&fan).expect("hubs");
                let (mut near, mut candidates) = (Vec::new(), 0);
                for a in 0..fan.triangles.len() as u32 {
                    fans.find(a, &mut near);
                    candidates += near.len();
                }
                assert!(candidates < 20 * count as usize, "{count}: {candidates}");
            }
        }
    }

    #[test]
    fn coplanar_and_touching_surfaces_meet() {
        let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Point::from);
        let one = Triangles::new(&flat, &[[0, 1, 2]]).expect("good");
        let mut pairs = Vec::new();

        for (shift, expected) in [
            ([1.0, 1.0, 0.0], 1),
            ([4.0, 0.0, 0.0], 1),
            ([4.0, 1e-9, 0.0], 0),
            ([0.5, 0.5, 1e-300], 0),
        ] {
            let moved = flat.map(|p| p + Vector::<3>::from(shift));
            one.find_between(
                &Triangles::new(&moved, &[[0, 1, 2]]).expect("good"),
                &mut pairs,
            );
            assert_eq!(pairs.len(), expected, "{shift:?}");
        }
    }
}
