//! The centre of the smallest enclosing ball of points.
//!
//! The smallest ball is determined by at most D + 1 support points, and is the smallest ball of
//! these. Starting from one point, the point furthest outside enters. The smallest ball of the
//! support points and the new point is then found by trying every subset with the new point on its
//! boundary. The principle is from Welzl 1991, taking the furthest point from Gärtner 1999. The
//! radius grows at every exchange, so the algorithm terminates. O(points) per exchange, about ten
//! exchanges.

use crate::space::{Matrix, Point, Vector};

/// Relative gain in the squared radius below which an exchange is considered rounding.
const GAIN: f64 = 1e-14;

/// Tolerance for a support point outside the ball, relative to the squared radius. It exceeds the
/// rounding of the circumcentre of well-shaped support points; ill-shaped ones only cost tightness,
/// as the radius is computed afterwards.
const WITHIN: f64 = 1e-12;

/// A vector's component orthogonal to the others is considered rounding below this fraction of its
/// length.
const DEPENDENT: f64 = 1e-14;

/// Guards against rounding that never settles; real point clouds need far fewer exchanges.
const MOST_EXCHANGES: usize = 1000;

/// Returns the centre; `None` if there are no points.
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

/// Finds the smallest ball of the support points and the new point, which lies on its boundary.
/// Keeps only the support points that it needs.
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

/// The point equidistant from `first` and all `others` in their affine span. With vᵢ = otherᵢ −
/// first and the centre first + Σ λᵢ vᵢ, the condition is Σⱼ (vᵢ·vⱼ) λⱼ = vᵢ·vᵢ / 2. `None` if the
/// vᵢ are linearly dependent.
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

    // Elimination without pivoting: the matrix is positive definite, or else the vectors are
    // dependent.
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
