//! A contact manifold of at most four points, stored inline.
//!
//! Four points hold a body on a table. From more, the deepest is kept, then the one farthest from it,
//! then the one that spans the largest triangle, then the one that adds the most area on the other side
//! of it. Ties between equally deep points are broken by their position along the tangents, not by their order,
//! so that the triangulation of a flat wall does not matter.

use super::ContactPoint;
use crate::space::Vector;

/// Maximum number of points of a manifold.
pub const MOST_POINTS: usize = 4;

/// Difference of depths, relative to the extent of the points, below which they count as equal.
const EQUAL: f64 = 1e-9;

/// A direction that no edge of a mesh is likely to have (powers of the golden ratio): it breaks ties
/// between equally deep points.
const OBLIQUE: [f64; 3] = [1.0, 0.618, 0.382];

/// One to four points of a contact. The first is the deepest.
#[derive(Clone, Copy, Debug)]
pub struct Manifold<const D: usize> {
    points: [ContactPoint<D>; MOST_POINTS],
    count: u8,
}

impl<const D: usize> PartialEq for Manifold<D> {
    fn eq(&self, other: &Self) -> bool {
        self.points() == other.points()
    }
}

#[cfg(feature = "serde")]
crate::serial::as_data!(
    Manifold<D> where const D,
    |manifold| { points: Vec<ContactPoint<D>> = manifold.points().to_vec() },
    Manifold::of_points(&points).ok_or("a manifold has one to four points")
);

impl<const D: usize> From<ContactPoint<D>> for Manifold<D> {
    fn from(point: ContactPoint<D>) -> Self {
        Self {
            points: [point; MOST_POINTS],
            count: 1,
        }
    }
}

impl<const D: usize> Manifold<D> {
    /// Returns the manifold of one to four points, the deepest first.
    #[cfg(feature = "serde")]
    fn of_points(points: &[ContactPoint<D>]) -> Option<Self> {
        let mut manifold = Self::from(*points.first()?);
        manifold
            .points
            .get_mut(..points.len())?
            .copy_from_slice(points);
        manifold.count = points.len() as u8;
        Some(manifold)
    }

    /// Reduces candidates to at most four points; `touch` if there are none.
    pub fn reduced(candidates: &[ContactPoint<D>], touch: ContactPoint<D>) -> Self {
        let mut manifold = Self::from(touch);
        let Some(first) = deepest(candidates, &touch.normal) else {
            return manifold;
        };
        manifold.points = [candidates[first]; MOST_POINTS];

        while (manifold.count as usize) < MOST_POINTS {
            let gain = |point: &ContactPoint<D>| manifold.gain(&flat(point, &touch.normal), &touch);
            let best = (0..candidates.len())
                .map(|i| (gain(&candidates[i]), i))
                .max_by(|p, q| p.0.total_cmp(&q.0).then(q.1.cmp(&p.1)));
            match best {
                Some((gain, i)) if gain > EQUAL * manifold.scale(candidates, &touch) => {
                    manifold.points[manifold.count as usize] = candidates[i];
                    manifold.count += 1;
                }
                _ => break,
            }
        }

        manifold
    }

    /// Returns the points, the deepest first.
    pub fn points(&self) -> &[ContactPoint<D>] {
        &self.points[..self.count as usize]
    }

    /// Returns the same manifold with the two bodies exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            points: self.points.map(|point| point.swapped()),
            ..*self
        }
    }

    /// What a further point would add: a distance, the area of a triangle, or the area beyond the
    /// nearest side of the triangle.
    fn gain(&self, at: &Vector<D>, touch: &ContactPoint<D>) -> f64 {
        let point = |i: usize| flat(&self.points[i], &touch.normal);
        let area = |p: &Vector<D>, q: &Vector<D>, r: &Vector<D>| -> f64 {
            // |u × v|² = |u|² |v|² − (u·v)², in any dimension.
            let (u, v) = (q - p, r - p);
            let square = u.norm_squared() * v.norm_squared() - u.dot(&v).powi(2);
            square.max(0.0).sqrt()
        };

        match self.count {
            1 => (at - point(0)).norm(),
            2 => area(&point(0), &point(1), at),
            _ => {
                let [p, q, r] = [point(0), point(1), point(2)];
                let parts = [area(&p, &q, at), area(&q, &r, at), area(&r, &p, at)];
                let beyond = parts.iter().sum::<f64>() - area(&p, &q, &r);
                // Inside the triangle the three parts sum to the whole.
                0.5 * beyond
            }
        }
    }

    /// The extent of the candidates across the normal, to the power that [`Manifold::gain`] has.
    fn scale(&self, candidates: &[ContactPoint<D>], touch: &ContactPoint<D>) -> f64 {
        let start = flat(&self.points[0], &touch.normal);
        let extent = candidates
            .iter()
            .map(|point| (flat(point, &touch.normal) - start).norm())
            .fold(0.0, f64::max);
        extent.powi(i32::from(self.count).min(2))
    }
}

/// Returns the position of a contact point across the normal, relative to the world's origin.
fn flat<const D: usize>(point: &ContactPoint<D>, normal: &Vector<D>) -> Vector<D> {
    point.on_a.coords - normal * normal.dot(&point.on_a.coords)
}

/// Returns the deepest candidate. Of equally deep ones, the first along a direction that no edge of a
/// mesh is likely to have.
fn deepest<const D: usize>(candidates: &[ContactPoint<D>], normal: &Vector<D>) -> Option<usize> {
    let least = candidates
        .iter()
        .map(|point| point.gap)
        .fold(f64::INFINITY, f64::min);
    let along = Vector::<D>::from_fn(|i, _| OBLIQUE[i.min(2)]);
    let position = |i: &usize| along.dot(&flat(&candidates[*i], normal));
    let all = || 0..candidates.len();
    let reach =
        |order: fn(f64, f64) -> f64, from: f64| all().map(|i| position(&i)).fold(from, order);
    let extent = reach(f64::max, f64::NEG_INFINITY) - reach(f64::min, f64::INFINITY);
    let is_deepest = |i: &usize| candidates[*i].gap <= least + EQUAL * extent.abs();

    all()
        .filter(is_deepest)
        .min_by(|i, j| position(i).total_cmp(&position(j)).then(i.cmp(j)))
}

#[cfg(test)]
mod tests;
