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
mod tests;
