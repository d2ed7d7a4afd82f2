//! How long two moving triangles stay apart at least.
//!
//! Where n(t)·(q(t) − p(t)) > 0 for all corners p of the first and q of the second, a plane across n is between them. Each
//! of these nine functions stays above f + f' t − ½ K t², with its value and rate now and a bound K of its second
//! derivative; the triangles are apart at least until the first of the nine parabolas is zero. Corners far behind the
//! plane have far to go however fast they are, so that a corner which turns back just before a wall is not mistaken for
//! one that hits it: the steps shrink by a constant factor towards a graze, and quadratically towards any other touch.
//!
//! Which n is best depends on what comes close: the way between the closest points, at rest in space or turning with
//! either body; the normal of either face; or what is across two edges, which turns with both. Each of them gives a
//! bound, and the latest counts.

use super::MovingFace;
use super::face::time_to_cover;
use crate::space::{Point, Vector};

/// Cosine from which on a direction of the faces' own is taken for that of the way between them.
const ALIGNED: f64 = 0.9;

/// Sine of two edges below which they are parallel: what is across them turns too fast to be of use.
const PARALLEL: f64 = 1e-6;

/// Angle by which bodies turn at most while the bounds of a turning direction hold.
const TURN: f64 = 0.25;

/// A corner at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) place: Point<3>,
    pub(super) velocity: Vector<3>,
    /// Constant part of its acceleration.
    pub(super) acceleration: Vector<3>,
    /// Length of the other part, which points to the axis of the spin.
    pub(super) swing: f64,
}

/// A vector that changes in time: its value and rate at a moment, and the greatest lengths of itself, its rate and its
/// second derivative for a while from then on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) value: Vector<3>,
    pub(super) rate: Vector<3>,
    pub(super) most: [f64; 3],
}

impl Moving {
    /// From one corner to another, for a time.
    fn between(p: &Corner, q: &Corner, horizon: f64) -> Self {
        let (value, rate) = (q.place - p.place, q.velocity - p.velocity);
        let push = (q.acceleration - p.acceleration).norm() + p.swing + q.swing;
        let speed = rate.norm() + push * horizon;
        Self {
            value,
            rate,
            most: [value.norm() + speed * horizon, speed, push],
        }
    }

    fn cross(&self, other: &Self) -> Self {
        Self {
            value: self.value.cross(&other.value),
            rate: self.rate.cross(&other.value) + self.value.cross(&other.rate),
            most: self.product(other),
        }
    }

    /// The greatest lengths of a product, by Leibniz' rule.
    fn product(&self, other: &Self) -> [f64; 3] {
        let ([a, b, c], [x, y, z]) = (self.most, other.most);
        [a * x, b * x + a * y, c * x + 2.0 * b * y + a * z]
    }

    /// The same or the opposite, whichever points along a direction; none where neither does.
    fn along(mut self, direction: &Vector<3>) -> Option<Self> {
        let along = self.value.dot(direction);
        if along < 0.0 {
            (self.value, self.rate) = (-self.value, -self.rate);
        }
        (along.abs() > ALIGNED * self.value.norm()).then_some(self)
    }
}

/// Two triangles at a moment.
pub(super) struct Apart<'a> {
    pub(super) faces: [&'a MovingFace<'a>; 2],
    pub(super) corners: [[Corner; 3]; 2],
    /// Distance that is taken off for rounding.
    pub(super) rounding: f64,
}

impl Apart<'_> {
    /// How long they stay apart at least, if the way between their closest points has this direction; infinite for ever.
    pub(super) fn time(&self, direction: &Vector<3>) -> f64 {
        let still = self.time_along(direction);
        let horizon = self.horizon();
        if !(horizon.is_finite() && still < 0.1 * horizon) {
            return still;
        }

        self.turning(direction, horizon)
            .into_iter()
            .flatten()
            .map(|normal| self.time_across(&normal, horizon))
            .fold(still, f64::max)
    }

    /// The greatest speed at which any two corners approach along a direction.
    pub(super) fn closing(&self, direction: &Vector<3>) -> f64 {
        self.pairs()
            .map(|(p, q)| direction.dot(&(p.velocity - q.velocity)))
            .fold(0.0, f64::max)
    }

    fn pairs(&self) -> impl Iterator<Item = (&Corner, &Corner)> {
        let [a, b] = &self.corners;
        a.iter().flat_map(move |p| b.iter().map(move |q| (p, q)))
    }

    /// The bound of a direction that stays; it holds for all times.
    fn time_along(&self, direction: &Vector<3>) -> f64 {
        let [across_a, across_b] = self.faces.map(|face| face.across_spin(direction));
        self.pairs()
            .map(|(p, q)| {
                let gap = direction.dot(&(q.place - p.place)) - self.rounding;
                let speed = direction.dot(&(p.velocity - q.velocity));
                let push = direction.dot(&(p.acceleration - q.acceleration))
                    + p.swing * across_a
                    + q.swing * across_b;
                time_apart(gap, speed, push)
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// The bound of a direction that turns; at most the time for which its own bounds hold.
    fn time_across(&self, normal: &Moving, horizon: f64) -> f64 {
        // Of the factors, not of the product: what is across edges that are nearly parallel has few digits.
        let rounding = self.rounding * normal.most[0];
        self.pairs()
            .map(|(p, q)| {
                let way = Moving::between(p, q, horizon);
                let gap = normal.value.dot(&way.value) - rounding;
                let rate = normal.rate.dot(&way.value) + normal.value.dot(&way.rate);
                let [_, _, curvature] = normal.product(&way);
                time_apart(gap, -rate, curvature)
            })
            .fold(horizon, f64::min)
    }

    /// The directions that turn and are near the given one.
    fn turning(&self, direction: &Vector<3>, horizon: f64) -> [Option<Moving>; 5] {
        let edges = [0, 1].map(|k: usize| self.edges(k, horizon));
        let normal = |k: usize| match self.faces[k].carried(&self.normal(k)) {
            Some(mut normal) => {
                normal.most[0] = edges[k][0].most[0] * edges[k][1].most[0];
                normal.along(direction)
            }
            None => edges[k][0].cross(&edges[k][1]).along(direction),
        };

        [
            self.faces[0].carried(direction),
            self.faces[1].carried(direction),
            normal(0),
            normal(1),
            across_edges(&edges, direction),
        ]
    }

    fn normal(&self, k: usize) -> Vector<3> {
        let [a, b, c] = self.corners[k].map(|corner| corner.place);
        (b - a).cross(&(c - a))
    }

    fn edges(&self, k: usize, horizon: f64) -> [Moving; 3] {
        [0, 1, 2].map(|i: usize| {
            let [p, q] = [&self.corners[k][i], &self.corners[k][(i + 1) % 3]];
            self.faces[k]
                .carried(&(q.place - p.place))
                .unwrap_or_else(|| Moving::between(p, q, horizon))
        })
    }

    /// A time in which nothing turns far and no way between corners becomes much longer; infinite where nothing turns.
    fn horizon(&self) -> f64 {
        let turn: f64 = [0, 1].map(|k: usize| self.turn(k)).iter().sum();
        if turn == 0.0 {
            return f64::INFINITY;
        }

        let [size, speed, push] = self
            .pairs()
            .map(|(p, q)| Moving::between(p, q, 0.0).most)
            .fold([0.0f64; 3], |a, b| [0, 1, 2].map(|i: usize| a[i].max(b[i])));
        (TURN / turn).min(size / speed).min((size / push).sqrt())
    }

    /// How fast a face turns or changes its form.
    fn turn(&self, k: usize) -> f64 {
        let corners = &self.corners[k];
        match self.faces[k] {
            MovingFace::Rigid { course, .. } => course.motion.spin_rate(),
            MovingFace::Straight(_) => (0..3)
                .map(|i| {
                    let [p, q] = [&corners[i], &corners[(i + 1) % 3]];
                    let rate = (q.velocity - p.velocity).norm();
                    if rate == 0.0 {
                        0.0
                    } else {
                        rate / (q.place - p.place).norm()
                    }
                })
                .fold(0.0, f64::max),
        }
    }
}

/// How long a gap stays open at least that closes at a speed which grows by a push. A gap that is not open now bounds
/// nothing, even while it opens: the faces may be in each other until it is.
fn time_apart(gap: f64, speed: f64, push: f64) -> f64 {
    if gap > 0.0 {
        time_to_cover(gap, speed, push)
    } else {
        0.0
    }
}

/// What is across an edge of each face, of those the best along a direction.
fn across_edges(edges: &[[Moving; 3]; 2], direction: &Vector<3>) -> Option<Moving> {
    let alignment = |u: &Moving, v: &Moving| {
        let across = u.value.cross(&v.value);
        let size = across.norm();
        if size > PARALLEL * u.value.norm() * v.value.norm() {
            across.dot(direction).abs() / size
        } else {
            0.0
        }
    };
    let [of_a, of_b] = edges;

    let (_, u, v) = of_a
        .iter()
        .flat_map(|u| of_b.iter().map(move |v| (alignment(u, v), u, v)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|best| best.0 > ALIGNED)?;

    u.cross(v).along(direction)
}
