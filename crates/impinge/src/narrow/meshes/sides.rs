//! Four triangles prepared for their distances from points: one point from all of them, or eight points
//! from one.
//!
//! The distance is that to the projection onto the plane if it is inside the triangle, otherwise that to
//! the nearest side. Both ways take the same operations in the same order.

use super::lanes::{Lanes, Lanes3, cross, dot, minus, splat};
use crate::space::Point;
use fearless_simd::{f64x8, prelude::*};

/// Eight vectors.
pub(super) type Eight<S> = [f64x8<S>; 3];

pub(super) struct Sides {
    /// The first and second corners.
    a: Lanes3,
    b: Lanes3,
    ab: Lanes3,
    ac: Lanes3,
    bc: Lanes3,
    normal: Lanes3,
    /// In-plane normals of the sides, inwards.
    into: [Lanes3; 3],
    /// One over the squares of the sides and of the normal.
    per_square: [Lanes; 4],
}

impl Sides {
    #[inline(always)]
    pub(super) fn of([a, b, c]: &[Lanes3; 3]) -> Self {
        let (ab, ac, bc) = (minus(b, a), minus(c, a), minus(c, b));
        let normal = cross(&ab, &ac);
        let per_square =
            |v: &Lanes3| Lanes::all(1.0) / dot(v, v).max(Lanes::all(f64::MIN_POSITIVE));

        Self {
            a: *a,
            b: *b,
            into: [
                cross(&normal, &ab),
                cross(&ac, &normal),
                cross(&normal, &bc),
            ],
            per_square: [
                per_square(&ab),
                per_square(&ac),
                per_square(&bc),
                per_square(&normal),
            ],
            ab,
            ac,
            bc,
            normal,
        }
    }

    /// Returns the squared distances of a point.
    #[inline(always)]
    pub(super) fn squared_distances(&self, point: &Point<3>) -> Lanes {
        let p = splat(&point.coords);
        let (ap, bp) = (minus(&p, &self.a), minus(&p, &self.b));
        let side = self
            .to_side(&ap, &self.ab, 0)
            .min(self.to_side(&ap, &self.ac, 1))
            .min(self.to_side(&bp, &self.bc, 2));
        let within = dot(&ap, &self.into[0])
            .min(dot(&ap, &self.into[1]))
            .min(dot(&bp, &self.into[2]));
        let height = dot(&ap, &self.normal);

        within.choose(height * (height * self.per_square[3]), side)
    }

    #[inline(always)]
    fn to_side(&self, from: &Lanes3, side: &Lanes3, k: usize) -> Lanes {
        let fraction = dot(from, side) * self.per_square[k];
        let fraction = fraction.max(Lanes::ZERO).min(Lanes::all(1.0));
        let way = [
            from[0] - side[0] * fraction,
            from[1] - side[1] * fraction,
            from[2] - side[2] * fraction,
        ];
        dot(&way, &way)
    }

    /// Returns the squared distances of eight points from one triangle.
    #[inline(always)]
    pub(super) fn squared_distances_of<S: Simd>(
        &self,
        simd: S,
        lane: usize,
        p: &Eight<S>,
    ) -> f64x8<S> {
        let all = |x: &Lanes| f64x8::splat(simd, x.0[lane]);
        let all3 = |v: &Lanes3| [all(&v[0]), all(&v[1]), all(&v[2])];
        let (a, b) = (all3(&self.a), all3(&self.b));
        let ap = [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
        let bp = [p[0] - b[0], p[1] - b[1], p[2] - b[2]];
        let per_square = |k: usize| all(&self.per_square[k]);
        let side = to_side(simd, &ap, &all3(&self.ab), per_square(0))
            .min(to_side(simd, &ap, &all3(&self.ac), per_square(1)))
            .min(to_side(simd, &bp, &all3(&self.bc), per_square(2)));
        let within = dot_of(&ap, &all3(&self.into[0]))
            .min(dot_of(&ap, &all3(&self.into[1])))
            .min(dot_of(&bp, &all3(&self.into[2])));
        let height = dot_of(&ap, &all3(&self.normal));

        let is_within = within.simd_ge(0.0);
        is_within.select(height * (height * per_square(3)), side)
    }
}

#[inline(always)]
fn to_side<S: Simd>(simd: S, from: &Eight<S>, side: &Eight<S>, per_square: f64x8<S>) -> f64x8<S> {
    let fraction = dot_of(from, side) * per_square;
    let fraction = fraction.max(0.0).min(f64x8::splat(simd, 1.0));
    let way = [
        from[0] - side[0] * fraction,
        from[1] - side[1] * fraction,
        from[2] - side[2] * fraction,
    ];
    dot_of(&way, &way)
}

#[inline(always)]
fn dot_of<S: Simd>(a: &Eight<S>, b: &Eight<S>) -> f64x8<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
