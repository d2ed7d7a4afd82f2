//! Bent faces for tests.

use crate::shape::{Face, FaceKind};
use crate::space::{Point, Random, Vector};

/// A face of unit size with its nodes displaced randomly by up to `by`.
pub(crate) fn bent<const D: usize>(kind: FaceKind, by: f64, random: &mut Random) -> Face<D> {
    let nodes: Vec<Point<D>> = kind
        .node_positions()
        .iter()
        .map(|local| {
            Point::from(Vector::from_fn(|i, _| {
                if i < 2 && i < D - 1 { local[i] } else { 0.0 }
            }))
        })
        .map(|p: Point<D>| p + random.direction::<D>() * by * random.unit())
        .collect();
    Face::new(kind, &nodes).expect("fits")
}

/// Natural coordinates, uniform over the domain.
pub(crate) fn sample(kind: FaceKind, random: &mut Random) -> [f64; 2] {
    loop {
        let local = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
        if kind.domain().contains(local) {
            return local;
        }
    }
}
