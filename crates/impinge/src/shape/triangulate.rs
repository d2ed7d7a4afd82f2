//! Polygon triangulation by ear clipping [Meisters 1975], with exact predicates.
//!
//! A polygon is projected onto the coordinate plane that it covers most, where the sign of every
//! turn is exact. A bent polygon that overlaps itself in all coordinate planes is projected onto
//! the plane of its mean normal. Triangles cover exactly the interior if they all have the
//! orientation of the polygon, together have its boundary and do not overlap. The reason: the sum
//! of their indicator functions is the polygon's winding number. The first two conditions hold for
//! every result of the clipping; the third is checked. A polygon that cannot be triangulated in
//! this way intersects itself or has no area.
//!
//! O(n) for convex polygons, else O(n²).

use crate::space::{ExactSum, Point, Sign, Vector, orient2};
use std::collections::VecDeque;

/// Maximum number of corners of a non-convex polygon. The time grows quadratically: about a second
/// at this size.
const MOST_CORNERS: usize = 10_000;

/// Number of passes over all corners. One is enough for polygons that do not touch themselves;
/// bridges to holes may hide an ear until others are gone.
const MOST_ROUNDS: usize = 8;

/// Triangulates a polygon; the triangles refer to its corners by index. All corners are kept,
/// including those on a straight side; a corner with the same node as the previous one is skipped.
/// `None` if the polygon intersects itself, has no area, or has more than 10,000 corners and is not
/// convex.
///
/// Convex polygons become a fan around the first corner, if it sees all others.
///
/// ```
/// use impinge::{shape::triangulate, space::Point};
/// let arrow = [[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0]].map(Point::from);
/// assert_eq!(triangulate(&arrow, &[0, 1, 2, 3]), Some(vec![[0, 1, 3], [1, 2, 3]]));
///
/// let bow_tie = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
/// assert_eq!(triangulate(&bow_tie, &[0, 1, 2, 3]), None);
/// ```
pub fn triangulate(points: &[Point<3>], corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    let distinct = without_repetitions(corners);
    let places: Vec<Point<3>> = distinct.iter().map(|&n| points[n as usize]).collect();

    let cut = match places.as_slice() {
        [] | [_] | [_, _] => None,
        [a, b, c] => (!crate::space::collinear(a, b, c)).then(|| vec![[0, 1, 2]]),
        &[a, b, c, d] => cut_quad([a, b, c, d]).map(|halves| halves.to_vec()),
        _ => planes(&places).find_map(|plane| {
            let flat: Vec<Point<2>> = places.iter().map(|p| plane.project(p)).collect();
            cut_in_plane(&flat)
        }),
    }?;

    Some(
        cut.into_iter()
            .map(|t| t.map(|i| distinct[i as usize]))
            .collect(),
    )
}

/// Splits a quadrilateral into two triangles, along the diagonal 0–2 if it lies inside, else along
/// 1–3.
pub(crate) fn cut_quad(corners: [Point<3>; 4]) -> Option<[[u32; 3]; 2]> {
    planes(&corners).find_map(|plane| {
        let flat = corners.map(|p| plane.project(&p));
        let turns = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|i| &flat[i as usize]);
            orient2(a, b, c) == Sign::Positive
        };
        // The halves lie on opposite sides of their diagonal, so they cannot overlap.
        [[[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]]
            .into_iter()
            .find(|halves| halves.iter().copied().all(turns))
    })
}

/// Returns whether a quadrilateral turns in the same direction at all its corners, in the plane
/// that it covers most. Only then are the bilinear coordinates of a finite element unique on it.
pub fn is_convex_quad(corners: [Point<3>; 4]) -> bool {
    planes(&corners).any(|plane| {
        let flat = corners.map(|p| plane.project(&p));
        let turn = |i: usize| orient2(&flat[i], &flat[(i + 1) % 4], &flat[(i + 2) % 4]);
        (0..4).all(|i| turn(i) != Sign::Negative)
    })
}

fn without_repetitions(corners: &[u32]) -> Vec<u32> {
    let mut distinct = corners.to_vec();
    distinct.dedup();
    while distinct.len() > 1 && distinct.first() == distinct.last() {
        distinct.pop();
    }
    distinct
}

/// A projection plane, oriented so that the polygon is counter-clockwise as a whole.
#[derive(Clone, Copy)]
enum Plane {
    /// The plane of two coordinates; nothing is rounded.
    Coordinates([usize; 2]),
    /// The plane of two unit vectors.
    Tilted([Vector<3>; 2]),
}

impl Plane {
    fn project(self, point: &Point<3>) -> Point<2> {
        match self {
            Self::Coordinates(axes) => Point::from(axes.map(|axis| point[axis])),
            Self::Tilted(axes) => Point::from(axes.map(|axis| axis.dot(&point.coords))),
        }
    }
}

/// The coordinate planes in which the polygon has an area, the one with the largest first; then, if
/// the polygon is clearly not flat, the plane of its mean normal.
fn planes(places: &[Point<3>]) -> impl Iterator<Item = Plane> {
    let normal = newell(places);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| normal[j].abs().total_cmp(&normal[i].abs()));

    let coordinates = order.into_iter().filter_map(move |axis| {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        match exact_area_sign(places, x, y, normal[axis]) {
            Sign::Positive => Some(Plane::Coordinates([x, y])),
            Sign::Negative => Some(Plane::Coordinates([y, x])),
            Sign::Zero => None,
        }
    });

    coordinates.chain(std::iter::once_with(move || tilted(places, &normal)).flatten())
}

/// The plane orthogonal to the mean normal of a polygon that is not planar to within rounding.
fn tilted(places: &[Point<3>], normal: &Vector<3>) -> Option<Plane> {
    const CLEARLY: f64 = 1e-6;
    let across = normal.try_normalize(0.0)?;
    let from_first = || places.iter().map(|p| p - places[0]);
    let size = from_first().map(|v| v.norm()).fold(0.0, f64::max);
    let off = from_first()
        .map(|v| v.dot(&across).abs())
        .fold(0.0, f64::max);
    let is_bent = off > CLEARLY * size && normal.norm() > CLEARLY * size * size;

    let least = across.iamin();
    let x = Vector::<3>::ith(least, 1.0).cross(&across).normalize();
    is_bent.then(|| Plane::Tilted([x, across.cross(&x)]))
}

/// Twice the area on each coordinate plane [Newell], relative to the first corner.
fn newell(places: &[Point<3>]) -> Vector<3> {
    let sum = places[1..].windows(2).map(|pair| {
        let (a, b): (Vector<3>, Vector<3>) = (pair[0] - places[0], pair[1] - places[0]);
        a.cross(&b)
    });
    sum.sum()
}

/// The sign of the area on the plane of two axes; computed exactly if the rounded area does not
/// determine it.
fn exact_area_sign(places: &[Point<3>], x: usize, y: usize, rounded: f64) -> Sign {
    let spread = |axis: usize| {
        let off = places.iter().map(|p| (p[axis] - places[0][axis]).abs());
        off.fold(0.0, f64::max)
    };
    // Differences, products and sums are accurate to an ulp each.
    let error = 8.0 * places.len() as f64 * f64::EPSILON * spread(x) * spread(y);

    if rounded.abs() > error {
        return Sign::of(rounded);
    }

    let mut sum = ExactSum::default();
    for (i, a) in places.iter().enumerate() {
        let b = &places[(i + 1) % places.len()];
        sum.add_product(a[x], b[y], 1.0);
        sum.add_product(-a[y], b[x], 1.0);
    }

    sum.sign()
}

/// Triangulates a polygon that is counter-clockwise as a whole.
fn cut_in_plane(places: &[Point<2>]) -> Option<Vec<[u32; 3]>> {
    if is_fan(places) {
        let last = places.len() as u32 - 1;
        return Some((1..last).map(|i| [0, i, i + 1]).collect());
    }

    if places.len() > MOST_CORNERS {
        return None;
    }

    let triangles = Clipping::new(places).run()?;
    are_disjoint(places, &triangles).then_some(triangles)
}

/// Returns whether the polygon is convex and its first corner sees all others.
fn is_fan(places: &[Point<2>]) -> bool {
    let count = places.len();
    let turn = |i: usize| {
        orient2(
            &places[(i + count - 1) % count],
            &places[i],
            &places[(i + 1) % count],
        )
    };

    let upward = |i: usize| {
        let (a, b) = (&places[i % count], &places[(i + 1) % count]);
        b.y > a.y || (b.y == a.y && b.x > a.x)
    };
    // Every revolution of a polygon that only turns left enters the directions [0, π) once.
    let revolutions = (0..count).filter(|&i| !upward(i + count - 1) && upward(i));

    turn(0) == Sign::Positive
        && (0..count).all(|i| turn(i) != Sign::Negative)
        && (1..count - 1).all(|i| orient2(&places[0], &places[i], &places[i + 1]) == Sign::Positive)
        && revolutions.count() == 1
}

/// A polygon being clipped.
struct Clipping<'a> {
    places: &'a [Point<2>],
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Corners that turn right or are straight: only these can lie in an ear. Corners are only ever
    /// removed.
    blunt: Vec<usize>,
    clipped: Vec<bool>,
}

impl<'a> Clipping<'a> {
    fn new(places: &'a [Point<2>]) -> Self {
        let count = places.len();
        let mut clipping = Self {
            places,
            next: (1..count).chain([0]).collect(),
            previous: [count - 1].into_iter().chain(0..count - 1).collect(),
            blunt: Vec::new(),
            clipped: vec![false; count],
        };
        clipping.blunt = (0..count).filter(|&i| !clipping.is_sharp(i)).collect();

        clipping
    }

    /// Clips all ears; `None` if the polygon runs out of ears before it is used up.
    fn run(mut self) -> Option<Vec<[u32; 3]>> {
        let mut triangles = Vec::with_capacity(self.places.len() - 2);
        for _ in 0..MOST_ROUNDS {
            // Clipping an ear affects only whether its neighbours are ears [O'Rourke 1998, section
            // 1.4].
            let mut candidates: VecDeque<usize> = self.corners().collect();
            while let Some(at) = candidates.pop_front() {
                if triangles.len() + 2 == self.places.len() {
                    return Some(in_order(triangles));
                }
                if !self.clipped[at] && self.is_ear(at) {
                    let (before, after) = (self.previous[at], self.next[at]);
                    triangles.push([before, at, after].map(|i| i as u32));
                    self.clip(at);
                    candidates.extend([before, after]);
                }
            }
        }

        None
    }

    /// The remaining corners.
    fn corners(&self) -> impl Iterator<Item = usize> + use<> {
        let clipped = self.clipped.clone();
        (0..clipped.len()).filter(move |&i| !clipped[i])
    }

    fn clip(&mut self, ear: usize) {
        let (before, after) = (self.previous[ear], self.next[ear]);
        self.clipped[ear] = true;
        (self.next[before], self.previous[after]) = (after, before);

        // A straight corner that was clipped, or one that became convex, no longer blocks any ear.
        let keeps = |clipping: &Self, i: usize| {
            i != ear && ((i != before && i != after) || !clipping.is_sharp(i))
        };
        let blunt = std::mem::take(&mut self.blunt);
        self.blunt = blunt.into_iter().filter(|&i| keeps(self, i)).collect();
    }

    fn is_sharp(&self, i: usize) -> bool {
        self.turn([self.previous[i], i, self.next[i]]) == Sign::Positive
    }

    fn turn(&self, corners: [usize; 3]) -> Sign {
        let [a, b, c] = corners.map(|i| &self.places[i]);
        orient2(a, b, c)
    }

    /// Returns whether the corner turns left and no other corner lies in its triangle or on its
    /// side. Corners at the same position as one of its own do not count: bridges to holes have
    /// such pairs.
    fn is_ear(&self, i: usize) -> bool {
        let own = [self.previous[i], i, self.next[i]];
        let [a, b, c] = own.map(|k| self.places[k]);
        let (low, high) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
        let blocks = |&k: &usize| {
            let p = self.places[k];
            let in_box = p.x >= low.x && p.y >= low.y && p.x <= high.x && p.y <= high.y;
            in_box
                && ![a, b, c].contains(&p)
                && [[a, b], [b, c], [c, a]]
                    .iter()
                    .all(|[from, to]| orient2(from, to, &p) != Sign::Negative)
        };

        self.is_sharp(i) && !self.blunt.iter().any(blocks)
    }
}

/// Rotates each triangle to start at its lowest corner, and sorts them by their corners.
fn in_order(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    triangles.iter_mut().for_each(|t| *t = least_first(*t));
    triangles.sort_unstable();
    triangles
}

fn least_first(t: [u32; 3]) -> [u32; 3] {
    let least = (0..3).min_by_key(|&k| t[k]).expect("three corners");
    [t[least], t[(least + 1) % 3], t[(least + 2) % 3]]
}

/// Returns whether no two of the triangles, all counter-clockwise, overlap except along their
/// sides; exact.
fn are_disjoint(places: &[Point<2>], triangles: &[[u32; 3]]) -> bool {
    let corners = |t: &[u32; 3]| t.map(|i| places[i as usize]);
    let mut sorted: Vec<[Point<2>; 3]> = triangles.iter().map(corners).collect();
    let left = |t: &[Point<2>; 3]| t[0].x.min(t[1].x).min(t[2].x);
    let right = |t: &[Point<2>; 3]| t[0].x.max(t[1].x).max(t[2].x);
    sorted.sort_by(|a, b| left(a).total_cmp(&left(b)));

    (0..sorted.len()).all(|i| {
        let end = right(&sorted[i]);
        sorted[i + 1..]
            .iter()
            .take_while(|other| left(other) < end)
            .all(|other| is_apart(&sorted[i], other) || is_apart(other, &sorted[i]))
    })
}

/// Returns whether a side of the first triangle separates it from the second.
fn is_apart(a: &[Point<2>; 3], b: &[Point<2>; 3]) -> bool {
    (0..3).any(|k| {
        b.iter()
            .all(|p| orient2(&a[k], &a[(k + 1) % 3], p) != Sign::Positive)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Pose, Random};

    fn corners(count: usize) -> Vec<u32> {
        (0..count as u32).collect()
    }

    fn flat(places: &[[f64; 2]]) -> Vec<Point<3>> {
        places
            .iter()
            .map(|&[x, y]| Point::from([x, y, 0.0]))
            .collect()
    }

    fn cut(places: &[[f64; 2]]) -> Option<Vec<[u32; 3]>> {
        triangulate(&flat(places), &corners(places.len()))
    }

    fn area(points: &[Point<3>], triangles: &[[u32; 3]]) -> f64 {
        super::super::surface::area(points, triangles)
    }

    /// A polygon of `2 n` corners around the origin, every other one drawn inward.
    fn star(random: &mut Random, n: usize) -> Vec<[f64; 2]> {
        (0..2 * n)
            .map(|i| {
                let angle = std::f64::consts::PI * (i as f64 + random.within(-0.3, 0.3)) / n as f64;
                let radius = [1.0, random.within(0.05, 1.2)][i % 2];
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect()
    }

    fn shoelace(places: &[[f64; 2]]) -> f64 {
        let ends = places.iter().skip(1).chain(&places[..1]);
        0.5 * places
            .iter()
            .zip(ends)
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>()
    }

    #[test]
    fn a_comb_has_the_area_of_its_outline() {
        // Two posts of 2 by 10 on a base of 11 by 2.
        let comb = [
            [0.0, 0.0],
            [11.0, 0.0],
            [11.0, 12.0],
            [9.0, 12.0],
            [9.0, 2.0],
            [2.0, 2.0],
            [2.0, 12.0],
            [0.0, 12.0],
        ];
        let triangles = cut(&comb).expect("simple");
        assert_eq!(triangles.len(), 6);

        assert_eq!(area(&flat(&comb), &triangles), 62.0);
    }

    #[test]
    fn stars_in_any_pose_and_direction_are_covered_once() {
        let mut random = Random::new(15);
        for round in 0..300 {
            let mut places = star(&mut random, 3 + round % 20);
            if round % 2 == 1 {
                places.reverse();
            }

            let [x, y, z, w] = random.direction::<4>().into();
            let pose = Pose::from_quaternion([x, y, z, w], [3.0, -2.0, 1.0]).expect("a pose");
            let points: Vec<Point<3>> = flat(&places).iter().map(|p| pose.point(p)).collect();
            let triangles = triangulate(&points, &corners(points.len())).expect("simple");

            assert_eq!(triangles.len(), points.len() - 2);
            let expected = shoelace(&places).abs();
            assert!(
                (area(&points, &triangles) - expected).abs() < 1e-12,
                "{round}"
            );

            // Every side of the polygon is a side of one triangle, in its direction.
            let has = |a: u32, b: u32| {
                let sides = triangles.iter();
                sides
                    .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
                    .any(|s| s == [a, b])
            };
            let n = points.len() as u32;

            assert!((0..n).all(|i| has(i, (i + 1) % n)), "{round}");
        }
    }

    #[test]
    fn corners_on_a_straight_side_are_kept() {
        let square = [
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [1.0, 2.0],
            [0.0, 2.0],
        ];

        for shift in 0..6 {
            let mut places = square;
            places.rotate_left(shift);
            let triangles = cut(&places).expect("simple");
            assert_eq!(
                (triangles.len(), area(&flat(&places), &triangles)),
                (4, 4.0)
            );
            assert!((0..6).all(|i| triangles.as_flattened().contains(&i)));
        }

        assert!(cut(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]).is_some());
    }

    #[test]
    fn a_hole_on_a_bridge_is_left_out() {
        let keyhole = [
            [0.0, 0.0],
            [3.0, 0.0],
            [3.0, 3.0],
            [0.0, 3.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [2.0, 2.0],
            [2.0, 1.0],
            [1.0, 1.0],
        ];
        let triangles = cut(&keyhole).expect("weakly simple");

        assert_eq!(area(&flat(&keyhole), &triangles), 8.0);
    }

    #[test]
    fn what_crosses_itself_or_has_no_area_is_refused() {
        let pentagram = |i: usize| {
            let angle = std::f64::consts::TAU * (2 * i) as f64 / 5.0;
            [angle.cos(), angle.sin()]
        };
        assert_eq!(cut(&[0, 1, 2, 3, 4].map(pentagram)), None);
        assert_eq!(cut(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), None);
        assert_eq!(
            cut(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]),
            None
        );
        let twice = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        assert_eq!(triangulate(&flat(&twice), &[0, 1, 2, 0, 1, 2]), None);
        assert_eq!(triangulate(&flat(&twice), &[0; 100_000]), None);

        // A figure eight with lobes of different size has an area, and intersects itself.
        let eight = [
            [0.0, 0.0],
            [4.0, 4.0],
            [4.0, 0.0],
            [3.0, 0.0],
            [0.0, 3.0],
            [-1.0, 1.0],
        ];

        assert_eq!(cut(&eight), None);
    }

    #[test]
    fn a_bent_quadrilateral_without_a_good_coordinate_plane_is_cut() {
        let corner = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.5],
        ]
        .map(Point::from);
        assert_eq!(cut_quad(corner), Some([[0, 1, 2], [0, 2, 3]]));

        // Folded back by 135°, a roof over the side of a square has no suitable projection plane.
        let square = [[-5.0, 5.0], [5.0, 5.0], [5.0, -5.0], [-5.0, -5.0]];
        let mut roof: Vec<Point<3>> = square.map(|[x, z]| Point::from([x, 0.0, z])).to_vec();
        roof.push(Point::from([0.0, 5.0, -5.0]));
        assert_eq!(triangulate(&roof, &corners(5)), None);
    }

    #[test]
    fn a_dented_quadrilateral_is_cut_at_its_dent() {
        let dented = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
        for shift in 0..4 {
            let mut places = dented;
            places.rotate_left(shift);
            let points = flat(&places);
            let triangles = cut(&places).expect("simple");
            assert_eq!(area(&points, &triangles), 4.0);
            let corners: [Point<3>; 4] = points.try_into().expect("four");
            assert!(!is_convex_quad(corners));
        }
    }

    #[test]
    fn a_long_spiral_is_cut_in_a_bounded_time() {
        let turns = 40.0;
        let arm = |i: usize, off: f64| {
            let t = i as f64 / 2_000.0;
            let (r, angle) = (0.1 + t + off, turns * std::f64::consts::TAU * t);
            [r * angle.cos(), r * angle.sin()]
        };
        let out = (0..2_000).map(|i| arm(i, 0.0));
        let back = (0..2_000).rev().map(|i| arm(i, 0.01));
        let places: Vec<[f64; 2]> = back.chain(out).collect();
        let triangles = cut(&places).expect("simple");

        assert!((area(&flat(&places), &triangles) - shoelace(&places).abs()).abs() < 1e-10);
    }
}
