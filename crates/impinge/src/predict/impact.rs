//! Time of impact of a vertex with a face, or of two edges, when the four vertices move on straight
//! lines during a step.
//!
//! The four vertices are coplanar at the roots of a cubic. They meet there if the quartics, one per
//! side, are all non-negative. The step is bisected, earlier half first. An interval is free if the
//! Bernstein coefficients of the cubic have one sign, or if those of a quartic are all negative.
//! Intervals are bisected down to the tolerance. If the four vertices stay coplanar, or a face or
//! both edges are degenerate, the polynomials do not decide. Then an interval is free if the
//! distance at its middle exceeds the distance that the vertices can move in half of it.
//!
//! Coefficients are double-double numbers with a margin for rounding, so that no impact is missed.
//! False positives occur only if the parts come closer than about 1e-13 of their extent, or if the
//! search ends undecided at [`MOST_PARTS`]. On 7,279 published queries with exact answers, 435 of
//! them impacts, none is missed and 20 are false positives; median 4 µs, 275 µs at most.
//! [Aragon2013, section 4] calls for the exact time; the cubic is Provot's (1997).

use super::bernstein::{Bernstein, Number};
use crate::narrow::segment::segment_segment;
use crate::narrow::triangle::closest_on;
use crate::space::{Double, Point, Vector, is_usable};
use thiserror::Error;

/// Positions of four vertices at the start and at the end of a step.
pub type VertexStep = [[Point<3>; 4]; 2];

/// An impact during a step whose time runs from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Impact {
    /// Lower bound of the time of impact.
    pub from: f64,
    /// Upper bound of the time of first impact, if `certain`.
    pub to: f64,
    /// Whether the impact is proven. If not, the distance falls below the rounding error.
    pub certain: bool,
}

/// Error: a vertex coordinate is NaN, infinite or outside the range of the exact predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("vertex {vertex} is not finite {}", if *.at_end { "at the end of the step" } else { "at its beginning" })]
#[non_exhaustive]
pub struct NotUsable {
    /// Index of the vertex, from 0 to 3.
    pub vertex: usize,
    /// Whether the coordinate is invalid at the end of the step rather than at its start.
    pub at_end: bool,
}

/// Returns the first impact of vertex 0 with the triangle of vertices 1, 2 and 3. The tolerance is
/// a fraction of the step.
///
/// ```
/// use impinge::predict::vertex_face;
/// let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let vertices = |z: f64| [[0.2, 0.2, z], face[0], face[1], face[2]].map(Into::into);
/// let impact = vertex_face(&[vertices(1.0), vertices(-3.0)], 1e-9)?.expect("it falls through");
/// assert!(impact.certain && (impact.from - 0.25).abs() < 1e-9);
/// # Ok::<(), impinge::predict::NotUsable>(())
/// ```
#[doc(alias = "point-triangle CCD")]
pub fn vertex_face(step: &VertexStep, tolerance: f64) -> Result<Option<Impact>, NotUsable> {
    check(step)?;
    if boxes_apart(step, &[0], &[1, 2, 3]) {
        return Ok(None);
    }

    let frame = Frame::new(step);
    // Sides of the face and offsets to the vertex, in scaled Bernstein form.
    let way = |i: usize| frame.difference(i, 0);
    let normal = cross(&frame.difference(2, 1), &frame.difference(3, 1));
    let side = |i: usize, j: usize| dot(&cross(&way(i), &way(j)), &normal);
    let gap = dot(&normal, &way(1));
    let sides = [side(2, 3), side(3, 1), side(1, 2)];
    let distance = |[v, a, b, c]: [Point<3>; 4]| closest_on(&[a, b, c], &v).way.norm();

    Ok(Search {
        frame: &frame,
        distance,
        tolerance,
    }
    .run(gap, &sides))
}

/// Returns the first impact of edge 0–1 with edge 2–3. The tolerance is a fraction of the step.
#[doc(alias = "edge-edge CCD")]
pub fn edge_edge(step: &VertexStep, tolerance: f64) -> Result<Option<Impact>, NotUsable> {
    check(step)?;
    if boxes_apart(step, &[0, 1], &[2, 3]) {
        return Ok(None);
    }

    let frame = Frame::new(step);
    let (along_a, along_b) = (frame.difference(1, 0), frame.difference(3, 2));
    let normal = cross(&along_a, &along_b);
    let gap = dot(&normal, &frame.difference(2, 0));

    // The ends of each edge are on opposite sides of the other edge: with w from an edge's start to
    // the end in question, (along × w)·normal falls from non-negative to non-positive along b's
    // ends, and rises along a's.
    let beside = |along: &Linear, end: usize, start: usize| {
        dot(&cross(along, &frame.difference(end, start)), &normal)
    };
    let sides = [
        beside(&along_b, 0, 2),
        negated(beside(&along_b, 1, 2)),
        negated(beside(&along_a, 2, 0)),
        beside(&along_a, 3, 0),
    ];
    let distance =
        |[a, b, c, d]: [Point<3>; 4]| segment_segment(&(b - a), &(c - a), &(d - c)).2.norm();

    Ok(Search {
        frame: &frame,
        distance,
        tolerance,
    }
    .run(gap, &sides))
}

fn check(step: &VertexStep) -> Result<(), NotUsable> {
    for (at_end, vertices) in [(false, &step[0]), (true, &step[1])] {
        if let Some(vertex) = vertices.iter().position(|p| !is_usable(p)) {
            return Err(NotUsable { vertex, at_end });
        }
    }
    Ok(())
}

/// Returns whether the swept boxes of two groups of vertices are disjoint.
fn boxes_apart(step: &VertexStep, first: &[usize], second: &[usize]) -> bool {
    (0..3).any(|axis| {
        let range = |group: &[usize]| {
            let all = group
                .iter()
                .flat_map(|&i| [step[0][i][axis], step[1][i][axis]]);
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, up], x| {
                [low.min(x), up.max(x)]
            })
        };
        let ([low_a, up_a], [low_b, up_b]) = (range(first), range(second));
        up_a < low_b || up_b < low_a
    })
}

/// A vector that varies linearly during the step: its values at the start and at the end.
type Linear = [[Double; 2]; 3];

/// The vertices scaled to size one, so that error margins are absolute numbers.
struct Frame {
    step: VertexStep,
    /// Largest displacement of a vertex during the step.
    travel: f64,
}

impl Frame {
    fn new(step: &VertexStep) -> Self {
        let origin = step[0][0];
        let furthest = step
            .iter()
            .flatten()
            .map(|p| (p - origin).amax())
            .fold(0.0, f64::max);

        // A power of two scales without rounding. The vertices are not translated: differences of
        // distant points are exact only as double-double numbers.
        let scale = if furthest > 0.0 {
            2f64.powi(-(furthest.log2().ceil().max(-1000.0) as i32))
        } else {
            1.0
        };
        let step = step.map(|vertices| vertices.map(|p| Point::from(p.coords * scale)));
        let travel = (0..4)
            .map(|i| (step[1][i] - step[0][i]).norm())
            .fold(0.0, f64::max);

        Self { step, travel }
    }

    /// The vector from vertex j to vertex i.
    fn difference(&self, i: usize, j: usize) -> Linear {
        let [start, end] = &self.step;
        std::array::from_fn(|k| {
            [
                Double::sum(start[i][k], -start[j][k]),
                Double::sum(end[i][k], -end[j][k]),
            ]
        })
    }

    /// The vertices at a time, relative to the first one.
    fn at(&self, time: f64) -> [Point<3>; 4] {
        let [start, end] = &self.step;
        let way = |i: usize| {
            let (from, to): (Vector<3>, Vector<3>) = (start[i] - start[0], end[i] - end[0]);
            Point::from(from * (1.0 - time) + to * time)
        };
        [0, 1, 2, 3].map(way)
    }
}

/// Product of two polynomials given by Bernstein coefficients times the binomials: a convolution.
fn product<const M: usize, const N: usize, const K: usize>(
    a: &[Double; M],
    b: &[Double; N],
) -> [Double; K] {
    let mut sum = [Double::default(); K];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            sum[i + j] = sum[i + j] + *a * *b;
        }
    }

    sum
}

fn cross(u: &Linear, v: &Linear) -> [[Double; 3]; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (plus, minus): ([Double; 3], [Double; 3]) =
            (product(&u[j], &v[k]), product(&u[k], &v[j]));
        std::array::from_fn(|n| plus[n] - minus[n])
    })
}

fn dot<const M: usize, const N: usize, const K: usize>(
    u: &[[Double; M]; 3],
    v: &[[Double; N]; 3],
) -> [Double; K] {
    (0..3).fold([Double::default(); K], |sum, axis| {
        let part: [Double; K] = product(&u[axis], &v[axis]);
        std::array::from_fn(|n| sum[n] + part[n])
    })
}

fn negated<const K: usize>(coefficients: [Double; K]) -> [Double; K] {
    coefficients.map(|c| -c)
}

/// 1/3 in double-double numbers.
const THIRD: Double = Double {
    high: 1.0 / 3.0,
    low: 1.850_371_707_708_594e-17,
};

fn cubic(c: [Double; 4]) -> Bernstein<Double, 4> {
    Bernstein([c[0], c[1] * THIRD, c[2] * THIRD, c[3]])
}

fn quartic(c: [Double; 5]) -> Bernstein<Double, 5> {
    Bernstein([
        c[0],
        c[1].scaled(0.25),
        c[2].scaled(0.5) * THIRD,
        c[3].scaled(0.25),
        c[4],
    ])
}

/// Error bounds of the coefficients for vertices of size one: at most 48 products of up to four
/// factors below 4, each accurate to 2⁻¹⁰², and one more such error for every bisection.
const CUBIC_MARGIN: f64 = 1.0 / (1u128 << 90) as f64;
const QUARTIC_MARGIN: f64 = 1.0 / (1u128 << 88) as f64;

/// Error bound of a distance between parts of size one.
const DISTANCE_MARGIN: f64 = 1e-14;

/// Interval length below which only the distance decides.
const SHORTEST: f64 = 1.0 / (1u64 << 50) as f64;

/// Position of the first split. Impacts at a half or a quarter of a step are common, and a root on
/// the boundary of two intervals could be proven in neither.
const UNEVEN: f64 = 61.0 / 128.0;

/// Maximum number of intervals examined; an undecided search then returns the earliest remaining
/// time.
const MOST_PARTS: usize = 4096;

/// An interval of the step.
#[derive(Clone, Copy)]
struct Part<const S: usize> {
    from: f64,
    width: f64,
    gap: Bernstein<Double, 4>,
    sides: [Bernstein<Double, 5>; S],
}

/// What the polynomials decide for an interval.
enum Verdict {
    Free,
    Open,
    /// The cubic changes sign and no quartic does.
    Meets,
}

struct Search<'a, F> {
    frame: &'a Frame,
    distance: F,
    tolerance: f64,
}

impl<F: Fn([Point<3>; 4]) -> f64> Search<'_, F> {
    fn run<const S: usize>(&self, gap: [Double; 4], sides: &[[Double; 5]; S]) -> Option<Impact> {
        let whole = Part {
            from: 0.0,
            width: 1.0,
            gap: cubic(gap),
            sides: sides.map(quartic),
        };
        let mut waiting = Vec::from_iter(whole.split(UNEVEN).into_iter().rev());

        for _ in 0..MOST_PARTS {
            let part = waiting.pop()?;
            let verdict = part.verdict();
            let impact = |certain| {
                Some(Impact {
                    from: part.from,
                    to: part.from + part.width,
                    certain,
                })
            };

            match verdict {
                Verdict::Free => continue,
                Verdict::Meets if part.width <= self.tolerance.max(SHORTEST) => {
                    return impact(true);
                }
                Verdict::Meets => {}
                Verdict::Open
                    if (part.width <= SHORTEST || part.is_flat()) && self.is_free(&part) =>
                {
                    continue;
                }
                Verdict::Open if part.width <= SHORTEST => return impact(false),
                Verdict::Open => {}
            }

            waiting.extend(part.split(0.5).into_iter().rev());
        }

        let first = waiting.last()?;
        Some(Impact {
            from: first.from,
            to: 1.0,
            certain: false,
        })
    }

    /// Returns whether the distance at the middle is more than two vertices can approach in half of
    /// the interval.
    fn is_free<const S: usize>(&self, part: &Part<S>) -> bool {
        let distance = (self.distance)(self.frame.at(part.from + 0.5 * part.width));
        distance > self.frame.travel * part.width + DISTANCE_MARGIN
    }
}

impl<const S: usize> Part<S> {
    fn verdict(&self) -> Verdict {
        let (least, greatest) = (self.gap.least(), self.gap.greatest());
        if least > CUBIC_MARGIN || greatest < -CUBIC_MARGIN {
            return Verdict::Free;
        }

        if self
            .sides
            .iter()
            .any(|side| side.greatest() < -QUARTIC_MARGIN)
        {
            return Verdict::Free;
        }
        let ends = [self.gap.0[0].rounded(), self.gap.0[3].rounded()];
        let changes = ends[0].min(ends[1]) <= -CUBIC_MARGIN && ends[0].max(ends[1]) >= CUBIC_MARGIN;
        let within = self.sides.iter().all(|side| side.least() > QUARTIC_MARGIN);

        if within && (changes || self.is_flat()) {
            Verdict::Meets
        } else {
            Verdict::Open
        }
    }

    /// Returns whether the vertices stay coplanar to within rounding.
    fn is_flat(&self) -> bool {
        self.gap.least() >= -CUBIC_MARGIN && self.gap.greatest() <= CUBIC_MARGIN
    }

    /// Splits the interval at a fraction of its width.
    fn split(&self, share: f64) -> [Self; 2] {
        let middle = self.width * share;
        let stretches = [
            (self.from, middle),
            (self.from + middle, self.width - middle),
        ];
        let gaps = self.gap.split(share);
        let sides = self.sides.map(|side| side.split(share));

        std::array::from_fn(|k| Self {
            from: stretches[k].0,
            width: stretches[k].1,
            gap: gaps[k],
            sides: sides.map(|side| side[k]),
        })
    }
}

#[cfg(test)]
mod tests;
