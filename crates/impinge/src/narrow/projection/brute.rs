//! Brute-force reference: samples a face densely, and descends by pattern search from each sample
//! nearer than its neighbours. Slow and simple; no derivatives, no bounds.

use super::Status;
use super::answer::Projection;
use super::dress;
use super::foot::ClosestPoint;
use crate::shape::{Domain, Face};
use crate::space::Point;

/// Number of samples along each natural coordinate.
const SAMPLES: usize = 48;

/// Final step of the pattern search; the first is the sample spacing, halved until it is below
/// this.
const FINE: f64 = 1e-12;

/// Projects a point onto a face by sampling; `None` if a coordinate is not finite. Accurate to
/// about 1e-12 of the distance.
pub fn project<const D: usize>(face: &Face<D>, point: &Point<D>) -> Option<Projection<D>> {
    let distance = |local: [f64; 2]| (face.position(local) - point).norm_squared();
    let (places, step) = samples(face.kind().domain());
    let far: f64 = face
        .nodes()
        .iter()
        .map(|node| (node - point).norm_squared())
        .sum();
    far.is_finite().then_some(())?;
    let mut best = (f64::INFINITY, places[0]);

    for &place in &places {
        let around = directions().map(|[x, y]| [place[0] + step * x, place[1] + step * y]);
        let lowest = around
            .iter()
            .all(|&p| !holds(face, p) || distance(p) >= distance(place));

        if lowest {
            let (squared, local) = walk_down(face, place, step, &distance);
            best = if squared < best.0 {
                (squared, local)
            } else {
                best
            };
        }
    }

    let local = best.1;
    let foot = ClosestPoint {
        local,
        r: face.position(local) - point,
        tangents: face.tangents(local),
        squared: best.0,
        error: 0.0,
        steps: 0,
        status: Status::Unique,
    };

    Some(dress(face, point, &foot))
}

fn holds<const D: usize>(face: &Face<D>, local: [f64; 2]) -> bool {
    face.kind().domain().contains(local)
}

fn samples(domain: Domain) -> (Vec<[f64; 2]>, f64) {
    let n = SAMPLES as f64;
    let all = (0..=SAMPLES).flat_map(|i| (0..=SAMPLES).map(move |j| [i as f64 / n, j as f64 / n]));
    match domain {
        Domain::Segment => (
            (0..=SAMPLES)
                .map(|i| [2.0 * i as f64 / n - 1.0, 0.0])
                .collect(),
            2.0 / n,
        ),
        Domain::Triangle => (all.filter(|[x, y]| x + y <= 1.0).collect(), 1.0 / n),
        Domain::Square => (
            all.map(|[x, y]| [2.0 * x - 1.0, 2.0 * y - 1.0]).collect(),
            2.0 / n,
        ),
    }
}

/// Eight directions; the diagonals follow the slanted side of the triangle.
fn directions() -> [[f64; 2]; 8] {
    [
        [1., 0.],
        [-1., 0.],
        [0., 1.],
        [0., -1.],
        [1., -1.],
        [-1., 1.],
        [1., 1.],
        [-1., -1.],
    ]
}

/// Moves to the best of eight neighbours, or halves the step if none is better.
fn walk_down<const D: usize>(
    face: &Face<D>,
    start: [f64; 2],
    step: f64,
    distance: &impl Fn([f64; 2]) -> f64,
) -> (f64, [f64; 2]) {
    let (mut at, mut step) = ((distance(start), start), step);
    while step > FINE {
        let mut next = at;
        for [x, y] in directions() {
            let place = within(
                face.kind().domain(),
                [at.1[0] + step * x, at.1[1] + step * y],
            );
            let squared = distance(place);
            next = if squared < next.0 {
                (squared, place)
            } else {
                next
            };
        }

        step = if next.0 < at.0 { step } else { 0.5 * step };
        at = next;
    }

    at
}

/// Clamps natural coordinates to the domain, by coordinate.
fn within(domain: Domain, [x, y]: [f64; 2]) -> [f64; 2] {
    match domain {
        Domain::Segment => [x.clamp(-1.0, 1.0), 0.0],
        Domain::Square => [x.clamp(-1.0, 1.0), y.clamp(-1.0, 1.0)],
        Domain::Triangle => {
            let (x, y) = (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0));
            let over = (x + y - 1.0).max(0.0);
            [(x - 0.5 * over).max(0.0), (y - 0.5 * over).max(0.0)]
        }
    }
}
