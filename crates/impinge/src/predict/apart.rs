//! Lower bound of the time for which two moving triangles stay separated.
//!
//! If n(t)·(q(t) − p(t)) > 0 for all corners p of the first triangle and q of the second, a plane
//! with normal n separates them. Each of these nine functions is at least f + f' t − ½ K t², where
//! f and f' are its current value and rate. K bounds its second derivative. The triangles are
//! separated at least until the first root of the nine parabolas. Corners far behind the plane have
//! a long distance to cover, however fast they are. So a corner that turns back just before a wall
//! is not mistaken for one that hits it: steps shrink by a constant factor towards a graze, and
//! quadratically towards any other contact.
//!
//! The best n depends on which features approach. Candidates are the direction between the closest
//! points, fixed in space or turning with either body; the normal of either face; and the cross
//! product of two edges, which turns with both bodies. Each candidate gives a lower bound, and the
//! largest bound is used.

use super::moving::{ALIGNED, Corner, Moving};
use super::moving_face::MovingFace;
use super::travel::time_to_cover;
use crate::space::Vector;

/// Sine of the angle between two edges below which they count as parallel: their cross product
/// turns too fast to be useful.
const PARALLEL: f64 = 1e-6;

/// Maximum rotation for which the bounds of a turning direction are valid.
const TURN: f64 = 0.25;

/// Fraction of the horizon below which the bound of a fixed direction is improved by turning ones.
const WORTH_TURNING: f64 = 0.1;

/// Two triangles at an instant.
pub(super) struct Apart<'a> {
    pub(super) faces: [&'a MovingFace<'a>; 2],
    pub(super) corners: [[Corner; 3]; 2],
    /// Distance subtracted for rounding.
    pub(super) rounding: f64,
}

impl Apart<'_> {
    /// Returns a lower bound of the time for which the triangles stay separated, given the
    /// direction between their closest points. Infinite if they never touch.
    pub(super) fn time(&self, direction: &Vector<3>) -> f64 {
        let still = self.time_along(direction);
        let horizon = self.horizon();
        if !(horizon.is_finite() && still < WORTH_TURNING * horizon) {
            return still;
        }

        self.turning(direction, horizon)
            .into_iter()
            .flatten()
            .map(|normal| self.time_across(&normal, horizon))
            .fold(still, f64::max)
    }

    /// The largest closing speed of any two corners along a direction.
    pub(super) fn closing(&self, direction: &Vector<3>) -> f64 {
        self.pairs()
            .map(|(p, q)| direction.dot(&(p.velocity - q.velocity)))
            .fold(0.0, f64::max)
    }

    fn pairs(&self) -> impl Iterator<Item = (&Corner, &Corner)> {
        let [a, b] = &self.corners;
        a.iter().flat_map(move |p| b.iter().map(move |q| (p, q)))
    }

    /// Bound from a fixed direction; valid for all times.
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

    /// Bound from a turning direction; at most the horizon, for which the direction's own bounds
    /// are valid.
    fn time_across(&self, normal: &Moving, horizon: f64) -> f64 {
        // Rounding of the factors, not of the product: the cross product of nearly parallel edges
        // loses most digits.
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

    /// Candidate turning directions that are aligned with the given one.
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

    /// A time in which nothing turns far and no distance between corners grows much. Infinite if
    /// nothing turns.
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

    /// Rate at which a face turns or deforms.
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

/// Lower bound of the time for which a gap stays open, given its closing speed and acceleration. A
/// gap that is not open now gives no bound, even while it opens: the faces may intersect until it
/// is.
fn time_apart(gap: f64, speed: f64, push: f64) -> f64 {
    if gap > 0.0 {
        time_to_cover(gap, speed, push)
    } else {
        0.0
    }
}

/// The cross product of one edge of each face that is best aligned with a direction.
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
