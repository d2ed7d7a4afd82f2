//! Branch and bound: proves that a local minimum is global, or finds the global one.
//!
//! A part of the face is discarded if its bounds of |r|² (see [`super::bernstein`]) show one of the
//! following:
//! - it is nowhere as close as the best known point;
//! - |r|² increases from one side of the part to the other: the minimum is on that side. The side
//!   belongs to a neighbouring part too, or is an edge of the face, where the same tests continue
//!   in one dimension less;
//! - |r|² is convex on the part: its single minimum is already known, or Newton's method finds it.
//!
//! Otherwise the part is halved. Most faces that need the proof at all take a handful of parts. A
//! face almost equidistant from the point (a piece of a cylinder, seen from its axis) would never
//! finish. The search therefore stops after [`MOST_PARTS`], and the remaining parts bound the error
//! of the best point.

use super::bernstein::{
    NET3_ROWS, Net1, Net2, Net3, Range, halves1, halves2, halves3, least, lesser,
};
use super::chart::Chart;
use super::descent::{Valley, descend};
use super::region::{Line, Part, Rectangle, Region};
use crate::shape::Domain;

/// Maximum number of parts of a face that the search visits.
const MOST_PARTS: u32 = 2000;

/// Maximum number of halvings of a part. Thirty in either direction leave 1e-9 of the face.
const MOST_DEPTH: u32 = 60;

/// Maximum number of other minima recorded.
pub(super) const MOST_TIES: usize = 7;

/// Minima whose natural coordinates differ by less are identical.
const SAME: f64 = 1e-6;

/// Rounding error of a coefficient of |r|², relative to the largest.
pub(super) const NOISE: f64 = 16.0 * f64::EPSILON;

/// State of a search.
pub(super) struct Search<'a, const D: usize, C, R> {
    pub(super) chart: &'a C,
    pub(super) domain: Domain,
    pub(super) everywhere: R,
    pub(super) best: Valley<D>,
    pub(super) ties: [[f64; 2]; MOST_TIES],
    pub(super) tie_count: usize,
    /// Rounding error of the coefficients.
    pub(super) noise: f64,
    /// Least bound of the abandoned parts.
    pub(super) floor: f64,
    pub(super) parts: u32,
}

impl<'a, const D: usize, C: Chart<D>, R: Region> Search<'a, D, C, R> {
    /// Starts a search from one known local minimum; `largest` is the largest coefficient of |r|².
    pub(super) fn new(
        chart: &'a C,
        domain: Domain,
        everywhere: R,
        best: Valley<D>,
        largest: f64,
    ) -> Self {
        Self {
            chart,
            domain,
            everywhere,
            best,
            ties: [[0.0; 2]; MOST_TIES],
            tie_count: 0,
            noise: NOISE * largest,
            floor: f64::INFINITY,
            parts: 0,
        }
    }

    /// Returns whether a part whose least coefficient is `lower` needs no further subdivision, or
    /// cannot be subdivided.
    #[inline]
    fn is_done(&mut self, lower: f64, depth: u32) -> bool {
        if lower > self.best.squared + self.tie() {
            return true;
        }

        self.parts += 1;
        let spent = self.parts > MOST_PARTS || depth > MOST_DEPTH;
        if spent {
            self.floor = self.floor.min(lower);
        }

        spent
    }

    /// Difference below which squared distances count as equal.
    pub(super) fn tie(&self) -> f64 {
        4.0 * self.noise
    }

    /// Processes an interval of an edge, or of a line.
    pub(super) fn line<const M: usize>(&mut self, f: &Net1<M>, part: Line, depth: u32) {
        let lower = least(f);
        if self.is_done(lower, depth) {
            return;
        }

        let mut rise = Range::NONE;
        (1..M).for_each(|i| rise.enter(f[i] - f[i - 1]));
        if rise.least > self.noise {
            return self.end(part.start);
        }

        if rise.most < -self.noise {
            return self.end(part.end);
        }

        if (2..M).all(|i| f[i] - 2.0 * f[i - 1] + f[i - 2] > self.noise) {
            return self.settle(&part, lower);
        }

        let [left, right] = halves1(f);
        let middle = part.centre();
        self.line(
            &left,
            Line {
                start: part.start,
                end: middle,
            },
            depth + 1,
        );

        self.line(
            &right,
            Line {
                start: middle,
                end: part.end,
            },
            depth + 1,
        );
    }

    /// Processes a rectangle.
    pub(super) fn square<const M: usize>(&mut self, f: &Net2<M>, part: Rectangle, depth: u32) {
        let lower = least(f.as_flattened());
        if self.is_done(lower, depth) {
            return;
        }

        let rises = rises2(f);
        for axis in 0..2 {
            // Increasing along the axis, the minimum is on the low side; decreasing, on the far
            // side.
            let (value, k) = match rises[axis] {
                rise if rise.least > self.noise => (part.low[axis], 0),
                rise if rise.most < -self.noise => (part.up[axis], M - 1),
                _ => continue,
            };

            if value.abs() == 1.0 {
                let (net, line) = side2(f, &part, axis, value, k);
                self.line(&net, line, depth);
            }

            return;
        }

        if is_convex2(f, self.noise) {
            return self.settle(&part, lower);
        }

        let axis = usize::from(rises[1].most - rises[1].least > rises[0].most - rises[0].least);
        let middle = part.centre()[axis];
        let (mut left, mut right) = (part, part);
        (left.up[axis], right.low[axis]) = (middle, middle);
        let [first, second] = halves2(f, axis);
        self.square(&first, left, depth + 1);

        self.square(&second, right, depth + 1);
    }

    /// Processes a triangle; `open[i]` says whether its edge opposite corner i is inside the face.
    pub(super) fn triangle(&mut self, f: &Net3, part: Part, open: [bool; 3], depth: u32) {
        let lower = least(f);
        if self.is_done(lower, depth) {
            return;
        }

        if let Some(opposite) = falls_to(f, self.noise) {
            if !open[opposite] {
                let (net, line) = side3(f, &part, opposite);
                self.line(&net, line, depth);
            }
            return;
        }

        if is_convex3(f, self.noise) {
            return self.settle(&part, lower);
        }

        let [a, b, c] = part.0;
        let m = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        let [first, second] = halves3(f);
        self.triangle(&first, Part([c, a, m]), [open[2], true, open[1]], depth + 1);
        self.triangle(
            &second,
            Part([b, c, m]),
            [true, open[2], open[0]],
            depth + 1,
        );
    }

    /// Handles a minimum at an end of a part's side: a corner of the face, or a point covered by a
    /// neighbouring part.
    fn end(&mut self, local: [f64; 2]) {
        let is_corner = match self.domain {
            Domain::Triangle => local.iter().all(|&x| x == 0.0 || x == 1.0),
            Domain::Square => local.iter().all(|&x| x.abs() == 1.0),
            Domain::Segment => local[0].abs() == 1.0,
        };
        if is_corner && !is_same(local, self.best.local) {
            let valley = descend(self.chart, &self.everywhere, local);
            self.offer(valley);
        }
    }

    /// Handles a part on which |r|² is convex: its minimum is known, or found now.
    fn settle(&mut self, part: &impl Region, lower: f64) {
        let known = self.ties[..self.tie_count]
            .iter()
            .any(|&tie| part.contains(tie));

        if known || (self.best.settled && part.contains(self.best.local)) {
            return;
        }

        let valley = descend(self.chart, part, part.centre());
        if !valley.settled {
            self.floor = self.floor.min(lower);
        }

        if valley.squared <= self.best.squared + self.tie() {
            // A minimum on the side of a part need not be a minimum of the face.
            let free = descend(self.chart, &self.everywhere, valley.local);
            self.offer(free);
        }
    }

    /// Accepts a minimum as the best or as an equally good one, or rejects it.
    fn offer(&mut self, found: Valley<D>) {
        let tie = self.tie();
        let steps = self.best.steps + found.steps;
        if found.squared < self.best.squared - tie {
            (self.best, self.tie_count) = (found, 0);
        } else if found.squared <= self.best.squared + tie
            && !self.knows(found.local)
            && self.tie_count < MOST_TIES
        {
            self.ties[self.tie_count] = found.local;
            self.tie_count += 1;
        }
        self.best.steps = steps;
    }

    fn knows(&self, local: [f64; 2]) -> bool {
        is_same(local, self.best.local)
            || self.ties[..self.tie_count]
                .iter()
                .any(|&tie| is_same(local, tie))
    }
}

fn is_same(a: [f64; 2], b: [f64; 2]) -> bool {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) < SAME
}

/// Ranges of the differences of neighbouring coefficients along ξ and along η.
#[inline]
fn rises2<const M: usize>(f: &Net2<M>) -> [Range; 2] {
    // One range per row and column, so that they are independent.
    let mut rises = [[Range::NONE; M]; 2];
    for l in 1..M {
        for k in 0..M {
            rises[0][k].enter(f[l][k] - f[l - 1][k]);
            rises[1][k].enter(f[k][l] - f[k][l - 1]);
        }
    }

    [Range::of_all(&rises[0]), Range::of_all(&rises[1])]
}

/// Returns whether the Hessian is positive definite everywhere: its determinant is at least the
/// product of the least diagonal entries minus the square of the largest off-diagonal entry.
#[inline]
fn is_convex2<const M: usize>(f: &Net2<M>, noise: f64) -> bool {
    let mut bends = [[f64::INFINITY; M]; 2];
    for l in 2..M {
        for k in 0..M {
            bends[0][k] = lesser(bends[0][k], f[l][k] - 2.0 * f[l - 1][k] + f[l - 2][k]);
            bends[1][k] = lesser(bends[1][k], f[k][l] - 2.0 * f[k][l - 1] + f[k][l - 2]);
        }
    }

    let (xx, yy) = (least(&bends[0]), least(&bends[1]));
    if !(xx > noise && yy > noise) {
        return false;
    }

    let mut twists = [Range::NONE; M];
    for k in 1..M {
        for l in 1..M {
            twists[l].enter(f[k][l] - f[k - 1][l] - f[k][l - 1] + f[k - 1][l - 1]);
        }
    }

    let xy = Range::of_all(&twists[1..]);
    // Second derivatives of degree n are n (n − 1) times the differences, mixed ones n².
    let share = (M as f64 - 2.0) / (M as f64 - 1.0);
    share * (xx - noise) * share * (yy - noise) > (xy.size() + noise) * (xy.size() + noise)
}

/// Returns the side of a rectangle on which coordinate `axis` is `value`; row or column `k` of the
/// net.
fn side2<const M: usize>(
    f: &Net2<M>,
    part: &Rectangle,
    axis: usize,
    value: f64,
    k: usize,
) -> (Net1<M>, Line) {
    let (mut start, mut end) = (part.low, part.up);
    (start[axis], end[axis]) = (value, value);
    (
        if axis == 0 { f[k] } else { f.map(|row| row[k]) },
        Line { start, end },
    )
}

/// Ranges of the differences of neighbouring coefficients of a triangle along its three edges: 0–1,
/// 0–2, 1–2.
#[inline]
fn rises3(f: &Net3) -> [Range; 3] {
    let mut rises = [Range::NONE; 3];
    for k in 0..4 {
        for i in 0..4 - k {
            let (here, above) = (NET3_ROWS[k] + i, NET3_ROWS[k + 1] + i);
            rises[0].enter(f[here + 1] - f[here]);
            rises[1].enter(f[above] - f[here]);
            rises[2].enter(f[above] - f[here + 1]);
        }
    }

    rises
}

/// Returns the edge, by its opposite corner, towards which |r|² decreases everywhere, so that the
/// minimum is on it.
#[inline]
fn falls_to(f: &Net3, noise: f64) -> Option<usize> {
    // If |r|² increases from corner a to corner b, it is least where the weight of b is zero.
    let rises = rises3(f);
    [([0, 1], rises[0]), ([0, 2], rises[1]), ([1, 2], rises[2])]
        .into_iter()
        .find_map(|([a, b], rise)| {
            if rise.least > noise {
                Some(b)
            } else {
                (rise.most < -noise).then_some(a)
            }
        })
}

/// As for a rectangle, along the edges 0–1 and 0–2.
#[inline]
fn is_convex3(f: &Net3, noise: f64) -> bool {
    let (mut xx, mut yy, mut xy) = (f64::INFINITY, f64::INFINITY, Range::NONE);
    for k in 0..3 {
        for i in 0..3 - k {
            let [low, mid, up] = [0, 1, 2].map(|row| NET3_ROWS[k + row] + i);
            xx = lesser(xx, f[low + 2] - 2.0 * f[low + 1] + f[low]);
            yy = lesser(yy, f[up] - 2.0 * f[mid] + f[low]);
            xy.enter(f[mid + 1] - f[mid] - f[low + 1] + f[low]);
        }
    }

    let size = xy.size() + noise;
    xx > noise && yy > noise && (xx - noise) * (yy - noise) > size * size
}

/// Returns the edge of a triangle opposite a corner.
fn side3(f: &Net3, part: &Part, opposite: usize) -> (Net1<5>, Line) {
    let [a, b, c] = part.0;
    let place = |k: usize| match opposite {
        0 => NET3_ROWS[k] + 4 - k,
        1 => NET3_ROWS[k],
        _ => k,
    };
    let (start, end) = [(b, c), (a, c), (a, b)][opposite];

    (std::array::from_fn(|k| f[place(k)]), Line { start, end })
}
