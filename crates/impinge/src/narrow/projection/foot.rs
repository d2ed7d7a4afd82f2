//! The closest point of one face, before normal and sign are added.

use super::answer::Status;
use super::bernstein::{Net2, greater, lesser, squared1, squared2, squared3};
use super::chart::{Chart, Grid, Line, Square, Triangle, grid4, grid9};
use super::descent::{Valley, descend};
use super::flat;
use super::region::{self, Corner, Part, Rectangle, Region};
use super::search::{NOISE, Search};
use crate::shape::{Domain, Face, FaceKind};
use crate::space::{Point, Vector};

/// The closest point of a face, relative to the projected point.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestPoint<const D: usize> {
    pub(super) local: [f64; 2],
    /// Vector from the projected point to the closest one.
    pub(super) r: Vector<D>,
    pub(super) tangents: [Vector<D>; 2],
    pub(super) squared: f64,
    /// No point of the face is closer than the distance minus this.
    pub(super) error: f64,
    pub(super) steps: u32,
    pub(super) status: Status,
}

/// Finds the closest point; `None` if a coordinate is not finite, or if no point of the face is
/// closer than the square root of `limit`. Other minima as close are passed to `tie`.
#[inline]
pub(super) fn foot<const D: usize>(
    face: &Face<D>,
    y: &Point<D>,
    limit: f64,
    tie: impl FnMut([f64; 2]),
) -> Option<ClosestPoint<D>> {
    let nodes = face.nodes();
    match face.kind() {
        FaceKind::Line2 => straight(face, y, flat::line2(nodes, y)),
        FaceKind::Tri3 => triangle(face, y),
        FaceKind::Line3 => line(&std::array::from_fn(|i| nodes[i] - y), limit, tie),
        FaceKind::Tri6 => curved_triangle(&std::array::from_fn(|i| nodes[i] - y), limit, tie),
        FaceKind::Quad4 => square::<D, 2, 3>(&grid4(nodes, y), limit, tie),
        FaceKind::Quad8 | FaceKind::Quad9 => square::<D, 3, 5>(&grid9(nodes, y), limit, tie),
    }
}

/// Like [`foot`], for a tri3.
#[inline(always)]
pub(super) fn triangle<const D: usize>(face: &Face<D>, y: &Point<D>) -> Option<ClosestPoint<D>> {
    straight(face, y, flat::tri3(face.nodes(), y))
}

/// Result of a closed formula.
#[inline(always)]
fn straight<const D: usize>(
    face: &Face<D>,
    y: &Point<D>,
    local: [f64; 2],
) -> Option<ClosestPoint<D>> {
    let n = face.nodes();
    let (a, e) = (n[0] - y, n[1] - n[0]);
    let (r, tangents) = if face.kind() == FaceKind::Line2 {
        (a + e * (0.5 + 0.5 * local[0]), [e * 0.5, Vector::zeros()])
    } else {
        let f = n[2] - n[0];
        (a + e * local[0] + f * local[1], [e, f])
    };
    let squared = r.norm_squared();

    // Rounding of the natural coordinates moves the point along the face and changes its distance
    // to second order.
    let mut size = 0.0;
    for i in 0..D {
        size += a[i].abs() + tangents[0][i].abs() + tangents[1][i].abs();
    }

    let foot = ClosestPoint {
        local,
        r,
        tangents,
        squared,
        error: NOISE * size,
        steps: 0,
        status: Status::Unique,
    };

    (squared + size * size).is_finite().then_some(foot)
}

/// The nearest of some start points.
struct Start {
    local: [f64; 2],
    squared: f64,
}

impl Start {
    /// \[Aragon2013\] starts at the nearest of centre and corners. The mid-side nodes cost as
    /// little and are nearer.
    #[inline]
    fn among<const D: usize>(places: &[[f64; 2]], r: impl Fn(usize) -> Vector<D>) -> Option<Self> {
        let (mut nearest, mut least, mut sum) = (0, f64::INFINITY, 0.0);
        for i in 0..places.len() {
            let squared = r(i).norm_squared();
            // Selected by index, without a branch: the choice among nine is unpredictable.
            nearest = if squared < least { i } else { nearest };
            least = lesser(least, squared);
            sum += squared;
        }

        // The sum is finite only if every coordinate is.
        sum.is_finite().then(|| Self {
            local: places[nearest],
            squared: least,
        })
    }
}

/// Natural coordinates of the grid points.
const GRID4: [[f64; 2]; 4] = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
#[rustfmt::skip]
const GRID9: [[f64; 2]; 9] = [
    [-1.0, -1.0], [-1.0, 0.0], [-1.0, 1.0], [0.0, -1.0], [0.0, 0.0], [0.0, 1.0], [1.0, -1.0], [1.0, 0.0], [1.0, 1.0],
];

fn square<const D: usize, const N: usize, const M: usize>(
    grid: &Grid<D, N>,
    limit: f64,
    tie: impl FnMut([f64; 2]),
) -> Option<ClosestPoint<D>> {
    let places: &[[f64; 2]] = if N == 2 { &GRID4 } else { &GRID9 };
    let start = Start::among(places, |i| grid[i / N][i % N])?;
    let controls = Square::controls(grid);

    if is_beyond(&start, controls.as_flattened(), limit) {
        return None;
    }

    let chart = Square::of(grid);
    // The corners of a quad4 are often far from the closest point, and its model around the centre
    // is good.
    let begin = if N == 2 { [0.0; 2] } else { start.local };
    let valley = descend(&chart, &Rectangle::ALL, begin);
    let quick = |valley: &Valley<D>, noise: f64| chart.is_surely_least(valley, noise);
    let look = |search: &mut Search<'_, D, Square<D, N>, Rectangle>| {
        let net: Net2<M> = squared2(&controls);
        search.square(&net, Rectangle::ALL, 0);
    };

    prove(
        &chart,
        Domain::Square,
        Rectangle::ALL,
        valley,
        controls.as_flattened(),
        quick,
        look,
        tie,
    )
}

fn curved_triangle<const D: usize>(
    nodes: &[Vector<D>; 6],
    limit: f64,
    tie: impl FnMut([f64; 2]),
) -> Option<ClosestPoint<D>> {
    const PLACES: [[f64; 2]; 7] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [0.0, 1.0],
        [0.5, 0.0],
        [0.5, 0.5],
        [0.0, 0.5],
        [1.0 / 3.0, 1.0 / 3.0],
    ];
    let chart = Triangle::of(nodes);

    // x(⅓, ⅓) = −⅑ Σ corners + 4/9 Σ sides.
    let centre = (nodes[3] + nodes[4] + nodes[5]) * (4.0 / 9.0)
        - (nodes[0] + nodes[1] + nodes[2]) * (1.0 / 9.0);
    let start = Start::among(&PLACES, |i| if i < 6 { nodes[i] } else { centre })?;
    let controls = Triangle::controls(nodes);

    if is_beyond(&start, &controls, limit) {
        return None;
    }

    let valley = descend(&chart, &Corner, start.local);
    let quick = |valley: &Valley<D>, noise: f64| chart.is_least(valley, noise);
    let look = |search: &mut Search<'_, D, Triangle<D>, Corner>| {
        search.triangle(
            &squared3(&controls),
            Part([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
            [false; 3],
            0,
        );
    };

    prove(
        &chart,
        Domain::Triangle,
        Corner,
        valley,
        &controls,
        quick,
        look,
        tie,
    )
}

fn line<const D: usize>(
    nodes: &[Vector<D>; 3],
    limit: f64,
    tie: impl FnMut([f64; 2]),
) -> Option<ClosestPoint<D>> {
    const PLACES: [[f64; 2]; 3] = [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]];
    let start = Start::among(&PLACES, |i| nodes[i])?;
    let (chart, controls) = (Line::of(nodes), Line::controls(nodes));

    if is_beyond(&start, &controls, limit) {
        return None;
    }

    let valley = descend(&chart, &region::Line::ALL, start.local);
    let quick = |_: &Valley<D>, _: f64| false;
    let look = |search: &mut Search<'_, D, Line<D>, region::Line>| {
        search.line(&squared1(&controls), region::Line::ALL, 0);
    };

    prove(
        &chart,
        Domain::Segment,
        region::Line::ALL,
        valley,
        &controls,
        quick,
        look,
        tie,
    )
}

/// Returns whether all control points are beyond the limit along the vector to the nearest node.
#[inline]
fn is_beyond<const D: usize>(start: &Start, controls: &[Vector<D>], limit: f64) -> bool {
    if start.squared <= limit {
        return false;
    }

    let middle = controls.iter().fold(Vector::zeros(), |sum, p| sum + p);
    let room = controls
        .iter()
        .fold(f64::INFINITY, |room, p| room.min(p.dot(&middle)));
    room > 0.0 && room * room > limit * (1.0 + NOISE) * middle.norm_squared()
}

/// Proves that a local minimum is global: by the plane through it, normal to r, if all control
/// points lie beyond it; otherwise by search.
#[inline]
fn prove<const D: usize, C: Chart<D>, R: Region>(
    chart: &C,
    domain: Domain,
    everywhere: R,
    valley: Valley<D>,
    controls: &[Vector<D>],
    quick: impl FnOnce(&Valley<D>, f64) -> bool,
    look: impl FnOnce(&mut Search<'_, D, C, R>),
    tie: impl FnMut([f64; 2]),
) -> Option<ClosestPoint<D>> {
    let largest = controls
        .iter()
        .fold(0.0, |most, p| greater(most, p.norm_squared()));
    let room = least_along(controls, &valley.r) - valley.squared;

    if valley.settled && (room >= 0.0 || room * room <= NOISE * NOISE * largest * valley.squared) {
        return Some(ClosestPoint::of(
            &valley,
            -2.0 * room.min(0.0),
            Status::Unique,
        ));
    }

    if valley.settled && quick(&valley, NOISE * largest) {
        return Some(ClosestPoint::of(&valley, NOISE * largest, Status::Unique));
    }

    let mut search = Search::new(chart, domain, everywhere, valley, largest);
    look(&mut search);
    let status = match search {
        Search {
            floor, ref best, ..
        } if floor < f64::INFINITY || !best.settled => Status::Unsure,
        Search { tie_count: 1.., .. } => Status::Several,
        _ => Status::Unique,
    };
    let slack = (search.best.squared - search.floor).max(search.tie());

    search.ties[..search.tie_count]
        .iter()
        .copied()
        .for_each(tie);
    Some(ClosestPoint::of(&search.best, slack, status))
}

#[inline]
fn least_along<const D: usize>(controls: &[Vector<D>], r: &Vector<D>) -> f64 {
    controls
        .iter()
        .fold(f64::INFINITY, |least, p| lesser(least, p.dot(r)))
}

impl<const D: usize> ClosestPoint<D> {
    /// Converts a local minimum, given that no point of the face has a squared distance smaller by
    /// more than `slack`.
    #[inline]
    fn of(valley: &Valley<D>, slack: f64, status: Status) -> Self {
        // d − √(d² − s) ≤ s / d.
        let distance = valley.squared.sqrt();
        let error = if slack < valley.squared {
            slack / distance
        } else {
            distance
        };

        Self {
            local: valley.local,
            r: valley.r,
            tangents: valley.tangents,
            squared: valley.squared,
            error,
            steps: valley.steps,
            status,
        }
    }
}
