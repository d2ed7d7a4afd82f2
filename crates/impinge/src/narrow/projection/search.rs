//! The proof that a local minimum is the least one, or the search for the least one: branch and bound.
//!
//! A part of the face is done with when its bounds of |r|² (see [`super::bernstein`]) say that
//! - it is nowhere as close as the best point known;
//! - |r|² only rises from one side of the part to the other: then the least is on that side, which is a neighbour's too,
//!   or is an edge of the face, where the same tests go on in one dimension less;
//! - |r|² is convex on the part: then it has one minimum, which is known already or which Newton's method finds.
//!
//! Else the part is halved. Most faces that need the proof at all take a handful of parts. A face that is almost
//! everywhere as far from the point (a piece of a cylinder, seen from its axis) would take without end: after
//! [`MOST_PARTS`] the search stops, and the parts left say how wrong the best point can be.

use super::bernstein::{
    NET3_ROWS, Net1, Net2, Net3, Range, halves1, halves2, halves3, least, lesser,
};
use super::chart::Chart;
use super::descent::{Valley, descend};
use super::region::{Line, Part, Rectangle, Region};
use crate::shape::Domain;

/// Parts of a face that are looked at before the search gives up.
const MOST_PARTS: u32 = 2000;

/// Halvings of a part. Thirty in either direction leave 1e-9 of the face.
const MOST_DEPTH: u32 = 60;

/// Other minima that are remembered.
pub(super) const MOST_TIES: usize = 7;

/// Minima whose natural coordinates differ by less are one.
const SAME: f64 = 1e-6;

/// Rounding of a coefficient of |r|², relative to the largest.
pub(super) const NOISE: f64 = 16.0 * f64::EPSILON;

/// A search in progress.
pub(super) struct Search<'a, const D: usize, C, R> {
    pub(super) chart: &'a C,
    pub(super) domain: Domain,
    pub(super) everywhere: R,
    pub(super) best: Valley<D>,
    pub(super) ties: [[f64; 2]; MOST_TIES],
    pub(super) tie_count: usize,
    /// Rounding of the coefficients.
    pub(super) noise: f64,
    /// Least bound of a part that was given up.
    pub(super) floor: f64,
    pub(super) parts: u32,
}

impl<'a, const D: usize, C: Chart<D>, R: Region> Search<'a, D, C, R> {
    /// A search that knows one local minimum; `largest` is the largest coefficient of |r|².
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

    /// Whether a part whose least coefficient is `lower` needs no further look, or cannot have one.
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

    /// Squared distances that differ by less are equal.
    pub(super) fn tie(&self) -> f64 {
        4.0 * self.noise
    }

    /// Looks at an interval of an edge, or of a line.
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

    /// Looks at a rectangle.
    pub(super) fn square<const M: usize>(&mut self, f: &Net2<M>, part: Rectangle, depth: u32) {
        let lower = least(f.as_flattened());
        if self.is_done(lower, depth) {
            return;
        }
        let rises = rises2(f);
        for axis in 0..2 {
            // Rising along the axis, the least is on the low side; falling, on the far side.
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

    /// Looks at a triangle; `open[i]` tells whether its edge opposite corner i is inside the face.
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

    /// The least point of a part is an end of its side: a corner of the face, or a neighbour's business.
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

    /// A part on which |r|² is convex: its minimum is known, or found now.
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
            // On the side of a part it need not be a minimum of the face.
            let free = descend(self.chart, &self.everywhere, valley.local);
            self.offer(free);
        }
    }

    /// Takes a minimum as the best, as one more that is as good, or not at all.
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

/// The differences of neighbouring coefficients along ξ and along η.
#[inline]
fn rises2<const M: usize>(f: &Net2<M>) -> [Range; 2] {
    // One range for each row and column, so that they need not wait for each other.
    let mut rises = [[Range::NONE; M]; 2];
    for l in 1..M {
        for k in 0..M {
            rises[0][k].enter(f[l][k] - f[l - 1][k]);
            rises[1][k].enter(f[k][l] - f[k][l - 1]);
        }
    }
    [Range::of_all(&rises[0]), Range::of_all(&rises[1])]
}

/// Whether the Hessian is positive definite all over: its determinant is at least the product of the least diagonal
/// entries minus the square of the largest other.
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

/// The side of a rectangle on which coordinate `axis` is `value`; row or column `k` of the net.
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

/// The differences of neighbouring coefficients of a triangle along its three edges: 0–1, 0–2, 1–2.
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

/// The edge, by the corner opposite, on which |r|² must be least because it falls towards it everywhere.
#[inline]
fn falls_to(f: &Net3, noise: f64) -> Option<usize> {
    // Rising from corner a to corner b, |r|² is least where the share of b is zero.
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

/// The edge of a triangle opposite a corner.
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
