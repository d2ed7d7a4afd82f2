//! Convex polygons in 2D, counter-clockwise.
//!
//! Corner i is followed by corner i + 1, cyclically; edge i runs from corner i to corner i + 1. All
//! decisions use exact orientation predicates, so that an accepted polygon is strictly convex in
//! exact arithmetic, not up to a tolerance. Hull: monotone chain (Andrew 1979), O(n log n).

use super::double::twice_area;
use super::entry::enter;
use super::{Item, Problem, ProblemKind, check};
use crate::space::{self, Aabb, Point, Sign, Vector, orient2};

/// A strictly convex polygon: at least three corners, every one a left turn, with one revolution in
/// total.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    points: Vec<Point<2>>,
    normals: Vec<Vector<2>>,
}

impl Polygon {
    /// Creates the polygon with these corners, counter-clockwise. Coordinates below 1e-90 are taken
    /// as zero.
    ///
    /// Errors: `Empty`, `NotFinite`, `DuplicatePoint`, `Flat` (fewer than three corners, or all
    /// collinear), `InsideOut` (clockwise), `NotConvex` naming the first corner that does not turn
    /// left (or the whole, if all do and it winds around more than once).
    ///
    /// ```
    /// use impinge::shape::Polygon;
    /// let triangle = Polygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])?;
    /// assert_eq!(triangle.area(), 1.0);
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn new(points: &[impl Copy + Into<Point<2>>]) -> Result<Self, Problem> {
        let points = enter(&space::points(points))?;
        check_distinct(&points)?;
        check_turns(&points)?;
        Ok(Self::from_checked(points))
    }

    /// Computes the convex hull of any points, starting at the leftmost (of these, the lowest).
    /// Points inside it, on its edges and duplicates are omitted. Errors: `Empty`, `NotFinite`,
    /// `Flat`.
    pub fn hull(points: &[impl Copy + Into<Point<2>>]) -> Result<Self, Problem> {
        let mut sorted = enter(&space::points(points))?;
        sorted.sort_unstable_by(lexicographic);
        sorted.dedup();
        let mut corners = half_hull(sorted.iter());
        corners.extend(half_hull(sorted.iter().rev()));

        if corners.len() < 3 {
            return Err(Problem::whole(ProblemKind::Flat));
        }

        Ok(Self::from_checked(corners))
    }

    fn from_checked(points: Vec<Point<2>>) -> Self {
        let normals = (0..points.len())
            .map(|i| {
                let edge = points[(i + 1) % points.len()] - points[i];
                // Scaled first: the squares of 1e-180 would underflow.
                (Vector::<2>::new(edge.y, -edge.x) / edge.amax()).normalize()
            })
            .collect();
        Self { points, normals }
    }

    /// The corners, counter-clockwise.
    pub fn points(&self) -> &[Point<2>] {
        &self.points
    }

    /// Number of corners, and of edges.
    pub fn corner_count(&self) -> usize {
        self.points.len()
    }

    /// The corner after `corner`.
    #[inline]
    pub fn next(&self, corner: usize) -> usize {
        if corner + 1 == self.points.len() {
            0
        } else {
            corner + 1
        }
    }

    /// The corner before `corner`.
    #[inline]
    pub fn previous(&self, corner: usize) -> usize {
        if corner == 0 {
            self.points.len() - 1
        } else {
            corner - 1
        }
    }

    /// Outward unit normals, one per edge.
    pub fn normals(&self) -> &[Vector<2>] {
        &self.normals
    }

    /// The smallest enclosing box.
    pub fn bounds(&self) -> Aabb<2> {
        Aabb::of(self.points.iter().copied())
    }

    /// Returns whether the closed polygon contains the point; exact. O(corners).
    pub fn contains(&self, point: &Point<2>) -> bool {
        (0..self.points.len())
            .all(|i| orient2(&self.points[i], &self.points[self.next(i)], point) != Sign::Negative)
    }

    /// Support map: the corner furthest in a direction, by hill climbing from the corner `start`.
    /// Accurate to the rounding of a product with coordinates relative to `start`.
    pub fn support(&self, direction: &Vector<2>, start: usize) -> usize {
        let origin = self.points[start];
        let height = |corner: usize| direction.dot(&(self.points[corner] - origin));
        let (mut best, mut best_height) = (start, 0.0);

        loop {
            let here = best;
            for neighbour in [self.next(here), self.previous(here)] {
                let neighbour_height = height(neighbour);
                if neighbour_height > best_height {
                    (best, best_height) = (neighbour, neighbour_height);
                }
            }
            if best == here {
                return best;
            }
        }
    }

    /// Area.
    pub fn area(&self) -> f64 {
        self.fan().map(|(_, area)| area).sum()
    }

    /// Centre of mass.
    pub fn centroid(&self) -> Point<2> {
        // All areas of the fan are positive: nothing cancels, even in a sliver far from the origin.
        let origin = self.points[0];
        let (moment, area) = self.fan().fold(
            (Vector::<2>::zeros(), 0.0),
            |(moment, sum), ([_, b, c], area)| {
                (
                    moment + ((b - origin) + (c - origin)) * (area / 3.0),
                    sum + area,
                )
            },
        );

        // Zero only if coordinates of widely mixed magnitude cancel all the digits of the
        // double-double area.
        if area > 0.0 {
            origin + moment / area
        } else {
            self.bounds().centre()
        }
    }

    /// Polar moment of inertia about the centroid, for a density of one: ∫ |x − centroid|².
    pub fn inertia(&self) -> f64 {
        let centroid = self.centroid();
        self.fan()
            .map(|(corners, area)| {
                let [a, b, c] = corners.map(|p| p - centroid);
                let sum = a + b + c;
                // ∫ x·x over a triangle = area/12 (Σ xᵢ·xᵢ + (Σ xᵢ)·(Σ xᵢ)).
                area / 12.0
                    * (a.norm_squared() + b.norm_squared() + c.norm_squared() + sum.norm_squared())
            })
            .sum()
    }

    /// Triangles from corner 0, with their areas.
    fn fan(&self) -> impl Iterator<Item = ([Point<2>; 3], f64)> + '_ {
        self.points[1..].windows(2).map(|pair| {
            let corners = [self.points[0], pair[0], pair[1]];
            (
                corners,
                0.5 * twice_area(&corners[0], &corners[1], &corners[2]),
            )
        })
    }
}

fn lexicographic(a: &Point<2>, b: &Point<2>) -> std::cmp::Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

/// The left turns from the first to the last point; the last point itself belongs to the other
/// half.
fn half_hull<'a>(sorted: impl Iterator<Item = &'a Point<2>>) -> Vec<Point<2>> {
    let mut chain: Vec<Point<2>> = Vec::new();
    for point in sorted {
        while let [.., a, b] = chain[..]
            && orient2(&a, &b, point) != Sign::Positive
        {
            chain.pop();
        }
        chain.push(*point);
    }

    chain.pop();
    chain
}

fn check_distinct(points: &[Point<2>]) -> Result<(), Problem> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| lexicographic(&points[i], &points[j]));
    let mut repeated: Vec<usize> = order
        .windows(2)
        .filter(|pair| points[pair[0]] == points[pair[1]])
        .map(|pair| pair[1])
        .collect();
    repeated.sort_unstable();

    check::none(Problem::of(
        ProblemKind::DuplicatePoint,
        repeated.into_iter().map(Item::Point),
    ))
}

fn check_turns(points: &[Point<2>]) -> Result<(), Problem> {
    let count = points.len();
    let turn = |i: usize| {
        orient2(
            &points[(i + count - 1) % count],
            &points[i],
            &points[(i + 1) % count],
        )
    };
    let turns: Vec<Sign> = (0..count).map(turn).collect();

    if count < 3 || turns.iter().all(|&turn| turn == Sign::Zero) {
        return Err(Problem::whole(ProblemKind::Flat));
    }

    if turns.iter().all(|&turn| turn == Sign::Negative) && revolutions(points.iter().rev()) == 1 {
        return Err(Problem::whole(ProblemKind::InsideOut));
    }

    let wrong = (0..count)
        .filter(|&i| turns[i] != Sign::Positive)
        .map(Item::Point);
    check::none(Problem::of(ProblemKind::NotConvex, wrong))?;

    // A pentagram also turns left at every corner.
    if revolutions(points.iter()) != 1 {
        return Err(Problem::whole(ProblemKind::NotConvex));
    }

    Ok(())
}

/// Number of revolutions of a polygon that only turns left. Each turn is below π, so every
/// revolution enters the half-circle of directions [0, π) exactly once.
fn revolutions<'a>(points: impl DoubleEndedIterator<Item = &'a Point<2>> + Clone) -> usize {
    let ends = points.clone().skip(1).chain(points.clone().take(1));
    let upward: Vec<bool> = points
        .zip(ends)
        .map(|(a, b)| b.y > a.y || (b.y == a.y && b.x > a.x))
        .collect();

    (0..upward.len())
        .filter(|&i| upward[i] && !upward[(i + upward.len() - 1) % upward.len()])
        .count()
}

#[cfg(test)]
mod tests;
