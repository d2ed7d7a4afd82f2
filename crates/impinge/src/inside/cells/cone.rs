//! Triangles as seen from a reference point, four at a time.
//!
//! From a reference point r, a triangle a, b, c casts a shadow: the points p = r + q with
//! q = α a' + β b' + γ c', where a' = a − r and so on, α, β, γ > 0 and α + β + γ > 1. The segment from r to
//! p crosses the triangle exactly if p is in the shadow. With V = det[a', b', c'],
//!     α V = q·(b' × c'),   β V = q·(c' × a'),   γ V = q·(a' × b'):
//! three normals and |V|, ten numbers, represent the triangle. The sign of the smallest of the
//! four terms decides.
//!
//! The numbers are f32, scaled so that all terms are of order 1: half the memory of f64, and twice
//! as many per register. [`UNSURE`] bounds the error. Terms within it are decided by exact
//! predicates on the true corners, which random points near a surface need once in some ten
//! thousand tests.

use super::overlap::each;
use crate::inside::{Position, crosses_nearby, locate_on};
use crate::shape::Surface;
use crate::space::{Point, Sign, Vector, orient3};

/// Number of triangles in a group.
pub(super) const LANES: usize = 4;

/// Error bound of a triangle's smallest term.
///
/// Let u = 2⁻²⁴. A component of a normal is rounded once (and in error by u/4 from its f64
/// computation, see [`WELL_SEEN`]), one of q once, and their products and sums three times. The
/// products of each of the three terms sum to at most 1, so each term is accurate to 6 u. Their sum
/// less |V| ≤ [`OUT_OF_REACH`] adds three sums of at most 7 and the rounding of |V|: 18 u + 21 u +
/// 4 u in all. Rounded up to 64 u.
const UNSURE: f32 = 1.0 / (1 << 18) as f32;

/// |V| of a triangle whose plane no point of the cell is beyond; the sum of the three terms is at most 3.
const OUT_OF_REACH: f64 = 4.0;

/// Minimum size of the largest normal, as a multiple of reach² (1 + reach), where reach is the
/// largest coordinate of a', b', c'. The f64 errors, 2⁻⁴⁹ reach² of a normal and 2⁻⁴⁶ reach³ of the
/// volume, are then below 2⁻²⁶ of it. Triangles seen more obliquely, or from nearer to a corner,
/// are left to the exact predicates.
const WELL_SEEN: f64 = 1.0 / (1 << 20) as f64;

/// Error of the volume V in f64, as a multiple of reach³: six products of three differences,
/// rounded ten times each.
const VOLUME_ERROR: f64 = 64.0 * f64::EPSILON;

/// Four triangles.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Cones {
    normals: [[[f32; LANES]; 3]; 3],
    volume: [f32; LANES],
}

impl Cones {
    /// Four triangles that cast no shadow.
    pub(super) const NONE: Self = Self {
        normals: [[[0.0; LANES]; 3]; 3],
        volume: [OUT_OF_REACH as f32; LANES],
    };

    /// Returns the smallest term of each triangle: certainly crossed above [`UNSURE`], certainly
    /// missed below −[`UNSURE`].
    #[inline]
    fn least_terms(&self, q: [f32; 3]) -> [f32; LANES] {
        std::array::from_fn(|lane| {
            let term =
                |n: &[[f32; LANES]; 3]| n[0][lane] * q[0] + n[1][lane] * q[1] + n[2][lane] * q[2];
            let [a, b, c] = [
                term(&self.normals[0]),
                term(&self.normals[1]),
                term(&self.normals[2]),
            ];
            least(least(a, b), least(c, a + b + c - self.volume[lane]))
        })
    }

    pub(super) fn set(&mut self, lane: usize, cone: &Cone) {
        for (normals, normal) in self.normals.iter_mut().zip(&cone.normals) {
            for axis in 0..3 {
                normals[axis][lane] = normal[axis] as f32;
            }
        }
        self.volume[lane] = cone.volume as f32;
    }
}

/// Returns the smaller number in one instruction; `f32::min` must also handle NaN.
#[inline]
fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// One triangle, scaled.
pub(super) struct Cone {
    normals: [Vector<3>; 3],
    volume: f64,
}

impl Cone {
    /// A triangle that is always left to the exact predicates.
    const UNDECIDED: Self = Self {
        normals: [Vector::<3>::new(0.0, 0.0, 0.0); 3],
        volume: 0.0,
    };

    /// Returns `None` if the reference point lies on the triangle.
    pub(super) fn of(eye: &Eye, surface: &Surface, triangle: u32) -> Option<Self> {
        let corners = surface.corners(triangle as usize);
        let [a, b, c] = each(|k| (corners[k] - eye.point) * eye.inverse);
        let normals = [b.cross(&c), c.cross(&a), a.cross(&b)];
        let volume = a.dot(&normals[0]);
        let reach = a.abs().sup(&b.abs()).sup(&c.abs()).max();
        let largest = normals
            .iter()
            .fold(0.0, |most: f64, n| most.max(n.abs().sum()));

        let sign = if volume.abs() > VOLUME_ERROR * reach * reach * reach {
            volume.signum()
        } else {
            f64::from(exact_sign(eye, surface, triangle)? as i8)
        };
        let well_seen = largest > WELL_SEEN * reach * reach * (1.0 + reach);

        if sign == 0.0 || !well_seen {
            return Some(Self::UNDECIDED);
        }

        let scale = sign / largest;
        let volume = (volume.abs() / largest).min(OUT_OF_REACH);
        Some(Self {
            normals: each(|k| normals[k] * scale),
            volume,
        })
    }
}

/// Returns the sign of V; `None` if the reference point lies on the triangle.
#[cold]
fn exact_sign(eye: &Eye, surface: &Surface, triangle: u32) -> Option<Sign> {
    if locate_on(surface, triangle as usize, &eye.point).is_some() {
        return None;
    }
    let [a, b, c] = surface.corners(triangle as usize);
    Some(orient3(&eye.point, &a, &b, &c))
}

/// A reference point of known label, and the scale of its cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    pub(super) point: Point<3>,
    /// One over the largest coordinate difference between the point and any query point.
    pub(super) inverse: f64,
    /// Whether the point is inside.
    pub(super) inside: bool,
}

/// All triangles of a cell as seen from its reference point.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) eye: Eye,
    pub(super) cones: &'a [Cones],
    pub(super) triangles: &'a [[u32; LANES]],
}

impl View<'_> {
    /// Returns the exact position of a point of the cell.
    #[inline]
    pub(super) fn position(&self, surface: &Surface, point: &Point<3>) -> Position {
        let q = self.seen(point);
        let mut odd = [0u32; LANES];
        for cones in self.cones {
            let terms = cones.least_terms(q);
            // Returning early here also keeps the compiler from gathering lanes of several groups,
            // which is slower.
            if terms
                .map(|term| term.abs() <= UNSURE)
                .iter()
                .fold(false, |any, lane| any | lane)
            {
                return self.exact_position(surface, point);
            }

            for lane in 0..LANES {
                odd[lane] ^= u32::from(terms[lane] > UNSURE);
            }
        }

        position_of(
            odd.iter()
                .fold(u32::from(self.eye.inside), |inside, lane| inside ^ lane)
                == 1,
        )
    }

    /// Returns the scaled vector to the point.
    #[inline]
    fn seen(&self, point: &Point<3>) -> [f32; 3] {
        let q = (point - self.eye.point) * self.eye.inverse;
        [q.x as f32, q.y as f32, q.z as f32]
    }

    /// Like `position`, with exact predicates for the triangles that the terms leave undecided.
    /// These include all triangles that the point lies on.
    #[cold]
    fn exact_position(&self, surface: &Surface, point: &Point<3>) -> Position {
        let q = self.seen(point);
        let mut inside = self.eye.inside;
        let mut on = None;

        for (cones, triangles) in self.cones.iter().zip(self.triangles) {
            let terms = cones.least_terms(q);
            for (term, &triangle) in terms.iter().zip(triangles) {
                if *term > UNSURE {
                    inside = !inside;
                } else if *term >= -UNSURE {
                    match locate_on(surface, triangle as usize, point) {
                        Some(feature) => on = Some(on.map_or(feature, |least| feature.min(least))),
                        None => inside ^= self.crosses(surface, triangle, point),
                    }
                }
            }
        }

        on.map_or(position_of(inside), Position::On)
    }

    fn crosses(&self, surface: &Surface, triangle: u32, point: &Point<3>) -> bool {
        let [a, b, c] = surface.corners(triangle as usize);
        crosses_nearby(point, &self.eye.point, &a, &b, &c)
    }
}

#[inline]
pub(super) fn position_of(inside: bool) -> Position {
    if inside {
        Position::Inside
    } else {
        Position::Outside
    }
}

#[cfg(test)]
mod tests;
