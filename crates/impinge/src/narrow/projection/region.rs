//! Feasible regions of natural coordinates, and the exact minimum of a quadratic model there.
//!
//! Each step of sequential quadratic programming minimises q(δ) = g·δ + ½ δᵀHδ over the region. If
//! H is positive definite and the free minimum is outside, the bounded minimum lies on a bound that
//! the free one violates: any path from it towards the free minimum descends, so it must leave the
//! region at once. That leaves one or two edges, each a parabola, and the active bounds are exact.

use crate::shape::Domain;

/// Gradient g and Hessian H (ξξ, ξη, ηη) of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) gradient: [f64; 2],
    pub(super) hessian: [f64; 3],
}

/// Distance of a determinant from zero, relative to the product of its diagonal, above which it is
/// trusted as positive.
const DEFINITE: f64 = 1e-14;

impl Model {
    /// Returns whether the Hessian is safely positive definite.
    #[inline]
    pub(super) fn is_convex(&self) -> bool {
        let [a, b, c] = self.hessian;
        a > 0.0 && c > 0.0 && a * c - b * b > DEFINITE * a * c
    }

    #[inline]
    fn value(&self, [x, y]: [f64; 2]) -> f64 {
        let ([g, h], [a, b, c]) = (self.gradient, self.hessian);
        g * x + h * y + 0.5 * (a * x * x + c * y * y) + b * x * y
    }

    /// Returns the free minimum.
    #[inline]
    fn free(&self) -> [f64; 2] {
        let ([g, h], [a, b, c]) = (self.gradient, self.hessian);
        let inverse = 1.0 / (a * c - b * b);
        [(b * h - c * g) * inverse, (b * g - a * h) * inverse]
    }

    /// Returns the minimum along `from + t · along`, as t; for downward curvature an end of [0, 1].
    fn along(&self, from: [f64; 2], along: [f64; 2]) -> f64 {
        let ([g, h], [a, b, c]) = (self.gradient, self.hessian);
        let slope =
            (g + a * from[0] + b * from[1]) * along[0] + (h + b * from[0] + c * from[1]) * along[1];
        let bend =
            a * along[0] * along[0] + 2.0 * b * along[0] * along[1] + c * along[1] * along[1];

        if bend > 0.0 {
            (-slope / bend).clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(slope < 0.0))
        }
    }
}

/// A closed convex set of natural coordinates.
pub(super) trait Region {
    /// Returns whether the model is convex in this region.
    fn is_convex(&self, model: &Model) -> bool {
        model.is_convex()
    }

    /// Returns the minimum of the model around `at`, in the region; the model must be convex.
    fn minimum(&self, at: [f64; 2], model: &Model) -> [f64; 2];

    /// Returns the edge of the region that contains `at` and is active for the descent direction,
    /// against the gradient.
    fn pressed_edge(&self, _at: [f64; 2], _gradient: [f64; 2]) -> Option<Line> {
        None
    }

    /// Returns whether the closed region contains the point.
    fn contains(&self, local: [f64; 2]) -> bool;

    /// Returns a point in the middle.
    fn centre(&self) -> [f64; 2];
}

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    pub(super) low: [f64; 2],
    pub(super) up: [f64; 2],
}

impl Rectangle {
    /// The whole square domain.
    pub(super) const ALL: Self = Self {
        low: [-1.0; 2],
        up: [1.0; 2],
    };

    /// Returns the best point with coordinate `i` fixed at `value`.
    fn on_side(&self, at: [f64; 2], model: &Model, i: usize, value: f64) -> [f64; 2] {
        let other = 1 - i;
        let [a, b, c] = model.hessian;
        let (fixed, bend) = (value - at[i], if i == 0 { c } else { a });
        let free = at[other] - (model.gradient[other] + b * fixed) / bend;
        let mut local = [value; 2];
        local[other] = free.clamp(self.low[other], self.up[other]);

        local
    }
}

impl Region for Rectangle {
    fn pressed_edge(&self, at: [f64; 2], gradient: [f64; 2]) -> Option<Line> {
        let pressed = |i: usize| {
            let low = at[i] == self.low[i] && gradient[i] > 0.0;
            low || (at[i] == self.up[i] && gradient[i] < 0.0)
        };
        let i = (0..2).find(|&i| pressed(i))?;
        let (mut start, mut end) = (self.low, self.up);
        (start[i], end[i]) = (at[i], at[i]);

        Some(Line { start, end })
    }

    #[inline]
    fn contains(&self, local: [f64; 2]) -> bool {
        (0..2).all(|i| self.low[i] <= local[i] && local[i] <= self.up[i])
    }

    fn centre(&self) -> [f64; 2] {
        [0, 1].map(|i| 0.5 * (self.low[i] + self.up[i]))
    }

    #[inline(always)]
    fn minimum(&self, at: [f64; 2], model: &Model) -> [f64; 2] {
        let free = model.free();
        let aim = [at[0] + free[0], at[1] + free[1]];
        if self.contains(aim) {
            return aim;
        }

        let mut best = (f64::INFINITY, at);
        for i in 0..2 {
            let value = aim[i].clamp(self.low[i], self.up[i]);
            if value != aim[i] {
                let local = self.on_side(at, model, i, value);
                let cost = model.value([local[0] - at[0], local[1] - at[1]]);
                best = if cost < best.0 { (cost, local) } else { best };
            }
        }

        best.1
    }
}

/// The whole triangular domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner;

impl Region for Corner {
    fn pressed_edge(&self, at: [f64; 2], [g, h]: [f64; 2]) -> Option<Line> {
        let on_slant = at[0] + at[1] >= 1.0 - f64::EPSILON;
        let pressed = [
            at[1] <= 0.0 && h > 0.0,
            on_slant && g + h < 0.0,
            at[0] <= 0.0 && g > 0.0,
        ];
        let side = (0..3).find(|&side| pressed[side])?;
        let (start, along) = SIDES[side];

        Some(Line {
            start,
            end: [start[0] + along[0], start[1] + along[1]],
        })
    }

    fn contains(&self, local: [f64; 2]) -> bool {
        Domain::Triangle.contains(local)
    }

    fn centre(&self) -> [f64; 2] {
        Domain::Triangle.centre()
    }

    #[inline(always)]
    fn minimum(&self, at: [f64; 2], model: &Model) -> [f64; 2] {
        let free = model.free();
        let aim = [at[0] + free[0], at[1] + free[1]];
        let violated = [aim[1] < 0.0, aim[0] + aim[1] > 1.0, aim[0] < 0.0];
        let mut best = (f64::INFINITY, if violated == [false; 3] { aim } else { at });

        for side in 0..3 {
            if violated[side] {
                let (start, along) = SIDES[side];
                let from = [start[0] - at[0], start[1] - at[1]];
                let t = model.along(from, along);
                let local = [start[0] + t * along[0], start[1] + t * along[1]];
                let cost = model.value([local[0] - at[0], local[1] - at[1]]);
                best = if cost < best.0 { (cost, local) } else { best };
            }
        }

        best.1
    }
}

/// Start and direction of the sides of the triangular domain.
const SIDES: [([f64; 2], [f64; 2]); 3] = [
    ([0.0, 0.0], [1.0, 0.0]),
    ([1.0, 0.0], [-1.0, 1.0]),
    ([0.0, 1.0], [0.0, -1.0]),
];

/// A part of the triangular domain, by its corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part(pub(super) [[f64; 2]; 3]);

impl Region for Part {
    fn contains(&self, local: [f64; 2]) -> bool {
        let [a, b, c] = self.0;
        let side = |p: [f64; 2], q: [f64; 2]| {
            (q[0] - p[0]) * (local[1] - p[1]) - (q[1] - p[1]) * (local[0] - p[0])
        };
        let sides = [side(a, b), side(b, c), side(c, a)];
        sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
    }

    fn centre(&self) -> [f64; 2] {
        [0, 1].map(|i| (self.0[0][i] + self.0[1][i] + self.0[2][i]) / 3.0)
    }

    fn minimum(&self, at: [f64; 2], model: &Model) -> [f64; 2] {
        let free = model.free();
        let aim = [at[0] + free[0], at[1] + free[1]];
        if self.contains(aim) {
            return aim;
        }

        let mut best = (f64::INFINITY, at);
        for side in 0..3 {
            let line = Line {
                start: self.0[side],
                end: self.0[(side + 1) % 3],
            };
            let local = line.minimum(at, model);
            let cost = model.value([local[0] - at[0], local[1] - at[1]]);
            best = if cost < best.0 { (cost, local) } else { best };
        }

        best.1
    }
}

/// A segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: [f64; 2],
    pub(super) end: [f64; 2],
}

impl Line {
    /// The whole domain of a line.
    pub(super) const ALL: Self = Self {
        start: [-1.0, 0.0],
        end: [1.0, 0.0],
    };

    fn along(&self) -> [f64; 2] {
        [self.end[0] - self.start[0], self.end[1] - self.start[1]]
    }
}

impl Region for Line {
    /// Tolerates rounding across the segment, because its points are rarely exact.
    fn contains(&self, local: [f64; 2]) -> bool {
        let along = self.along();
        let off = [local[0] - self.start[0], local[1] - self.start[1]];
        let (t, whole) = (
            off[0] * along[0] + off[1] * along[1],
            along[0] * along[0] + along[1] * along[1],
        );
        let aside = off[0] * along[1] - off[1] * along[0];

        (0.0..=whole).contains(&t) && aside.abs() <= 4.0 * f64::EPSILON * whole.sqrt()
    }

    fn centre(&self) -> [f64; 2] {
        [0, 1].map(|i| 0.5 * (self.start[i] + self.end[i]))
    }

    fn is_convex(&self, model: &Model) -> bool {
        let ([x, y], [a, b, c]) = (self.along(), model.hessian);
        a * x * x + 2.0 * b * x * y + c * y * y > 0.0
    }

    fn minimum(&self, at: [f64; 2], model: &Model) -> [f64; 2] {
        let along = self.along();
        let t = model.along([self.start[0] - at[0], self.start[1] - at[1]], along);

        // The ends exactly as given, so that a minimum at a corner is the corner.
        match t {
            0.0 => self.start,
            1.0 => self.end,
            _ => [self.start[0] + t * along[0], self.start[1] + t * along[1]],
        }
    }
}

#[cfg(test)]
mod tests;
