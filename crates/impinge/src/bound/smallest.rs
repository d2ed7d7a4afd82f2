//! The centre of the smallest ball around points.
//!
//! The smallest ball is carried by at most D + 1 points, and is the smallest ball of these. Starting from one point,
//! the point furthest outside enters, and the smallest ball of the carriers and the newcomer is found by trying every
//! subset with the newcomer on its boundary (Welzl 1991 for the principle; Gärtner 1999 for taking the furthest). The
//! radius grows at every exchange, so that it ends. O(points) an exchange, about ten of them.

use crate::space::{Matrix, Point, Vector};

/// Relative gain in the squared radius below which an exchange is only rounding.
const GAIN: f64 = 1e-14;

/// How far outside, relative to the squared radius, a carrier may be computed to be. Larger than the rounding of a
/// circumcentre of well-shaped carriers; ill-shaped ones only cost tightness, as the radius is taken afterwards.
const WITHIN: f64 = 1e-12;

/// Below this share of its own length a vector's part across the others is taken as rounding.
const DEPENDENT: f64 = 1e-14;

/// A guard for rounding that never settles; the exchanges of real clouds are far fewer.
const MOST_EXCHANGES: usize = 1000;

/// The centre; `None` for no points.
pub(super) fn smallest_centre<const D: usize>(points: &[Point<D>]) -> Option<Point<D>> {
    let origin = *points.first()?;
    let mut carriers = vec![Vector::zeros()];
    let (mut centre, mut squared_radius) = (Vector::zeros(), 0.0);
    for _ in 0..MOST_EXCHANGES {
        let from_centre = origin + centre;
        let (squared_distance, newcomer) = points
            .iter()
            .map(|p| ((p - from_centre).norm_squared(), p - origin))
            .max_by(|(a, _), (b, _)| a.total_cmp(b))?;
        if squared_distance <= squared_radius * (1.0 + GAIN) {
            break;
        }
        let Some(better) = exchange(&mut carriers, newcomer).filter(|(_, r)| *r > squared_radius)
        else {
            break;
        };
        (centre, squared_radius) = better;
    }
    Some(origin + centre)
}

/// The smallest ball of the carriers and the newcomer, whose boundary it is on; keeps as carriers those that it needs.
fn exchange<const D: usize>(
    carriers: &mut Vec<Vector<D>>,
    newcomer: Vector<D>,
) -> Option<(Vector<D>, f64)> {
    let mut best: Option<(Vector<D>, f64, Vec<Vector<D>>)> = None;
    for subset in 1..1u32 << carriers.len() {
        let mut on_boundary: Vec<Vector<D>> = chosen(carriers, subset).collect();
        if on_boundary.len() > D {
            continue;
        }
        let Some(centre) = circumcentre(&newcomer, &on_boundary) else {
            continue;
        };
        let squared_radius = (newcomer - centre).norm_squared();
        let holds = |carrier: &Vector<D>| {
            (carrier - centre).norm_squared() <= squared_radius * (1.0 + WITHIN)
        };
        let is_better = best.as_ref().is_none_or(|best| squared_radius < best.1);
        if is_better && carriers.iter().all(holds) {
            on_boundary.push(newcomer);
            best = Some((centre, squared_radius, on_boundary));
        }
    }
    let (centre, squared_radius, on_boundary) = best?;
    *carriers = on_boundary;
    Some((centre, squared_radius))
}

fn chosen<const D: usize>(
    carriers: &[Vector<D>],
    subset: u32,
) -> impl Iterator<Item = Vector<D>> + '_ {
    carriers
        .iter()
        .enumerate()
        .filter(move |(i, _)| subset >> i & 1 == 1)
        .map(|(_, carrier)| *carrier)
}

/// The point at equal distance from `first` and all `others` in the flat that they span. With vᵢ = otherᵢ − first and
/// the centre first + Σ λᵢ vᵢ, the condition is Σⱼ (vᵢ·vⱼ) λⱼ = vᵢ·vᵢ / 2. `None` where the vᵢ are dependent.
fn circumcentre<const D: usize>(first: &Vector<D>, others: &[Vector<D>]) -> Option<Vector<D>> {
    let arms: Vec<Vector<D>> = others.iter().map(|other| other - first).collect();
    let count = arms.len();
    let mut gram = Matrix::<D>::zeros();
    let mut right = Vector::<D>::zeros();
    for i in 0..count {
        for j in 0..count {
            gram[(i, j)] = arms[i].dot(&arms[j]);
        }
        right[i] = 0.5 * gram[(i, i)];
    }
    // Elimination without exchange of rows: the matrix is positive definite, or else the arms are dependent.
    for i in 0..count {
        if gram[(i, i)] <= DEPENDENT * arms[i].norm_squared() {
            return None;
        }
        for row in i + 1..count {
            let factor = gram[(row, i)] / gram[(i, i)];
            for column in i..count {
                gram[(row, column)] -= factor * gram[(i, column)];
            }
            right[row] -= factor * right[i];
        }
    }
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| gram[(i, j)] * right[j]).sum();
        right[i] = (right[i] - known) / gram[(i, i)];
    }
    Some((0..count).fold(*first, |centre, i| centre + arms[i] * right[i]))
}
