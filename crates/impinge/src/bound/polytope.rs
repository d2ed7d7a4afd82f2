//! Area and volume of an intersection of slabs around the origin, by clipping.
//!
//! In 2D, a polygon is clipped by the half-planes. In 3D, the plane of each half-space contains a
//! polygon, clipped by all others. With the area A and the distance h of each, the volume is Σ A h
//! / 3. Flat polytopes need no special case: a plane that only touches contributes no area.
//! O(slabs² · corners).

use crate::space::Vector;

/// All x with low ≤ direction·x ≤ up.
pub(super) struct Slab {
    pub(super) direction: Vector<3>,
    pub(super) low: f64,
    pub(super) up: f64,
}

impl Slab {
    /// The slab in coordinates relative to a point.
    pub(super) fn seen_from(&self, centre: Vector<3>) -> Self {
        let shift = self.direction.dot(&centre);
        Self {
            direction: self.direction,
            low: self.low - shift,
            up: self.up - shift,
        }
    }

    /// The two half-spaces of the slab, as normal·x ≤ offset.
    fn halves(&self) -> [(Vector<3>, f64); 2] {
        [(self.direction, self.up), (-self.direction, -self.low)]
    }
}

/// The area in the plane z = 0. The first two slabs are those of the axes.
pub(super) fn area(slabs: &[Slab]) -> f64 {
    let reach = slabs[..2].iter().map(|slab| slab.up - slab.low).sum();
    clipped_area(Vector::z(), 0.0, reach, slabs.iter().flat_map(Slab::halves))
}

/// The volume. The first three slabs are those of the axes.
pub(super) fn volume(slabs: &[Slab]) -> f64 {
    let reach = slabs[..3].iter().map(|slab| slab.up - slab.low).sum();
    let halves: Vec<_> = slabs.iter().flat_map(Slab::halves).collect();
    let mut volume = 0.0;

    for (i, &(normal, offset)) in halves.iter().enumerate() {
        let length = normal.norm();
        let others = halves
            .iter()
            .enumerate()
            .filter(|&(j, _)| j != i)
            .map(|(_, &half)| half);
        let distance = offset / length;
        volume += clipped_area(normal / length, distance, reach, others) * distance / 3.0;
    }

    volume.max(0.0)
}

/// Area of the part of the plane normal·x = distance that lies in all half-spaces and within
/// `reach` of the origin's projection.
fn clipped_area(
    normal: Vector<3>,
    distance: f64,
    reach: f64,
    halves: impl Iterator<Item = (Vector<3>, f64)>,
) -> f64 {
    // Any vector not parallel to the normal spans the plane with it.
    let across = normal
        .cross(&if normal.x.abs() < 0.7 {
            Vector::x()
        } else {
            Vector::y()
        })
        .normalize();
    let along = normal.cross(&across);
    let foot = normal * distance;

    // Twice the reach: the projection may be that far from the middle of the polytope.
    let corner = |s: f64, t: f64| foot + (across * s + along * t) * (2.0 * reach);
    let mut polygon = vec![
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
    ];
    let mut kept = Vec::new();

    for (normal, offset) in halves {
        clip(&polygon, &normal, offset, &mut kept);
        std::mem::swap(&mut polygon, &mut kept);
    }

    let Some(&hub) = polygon.first() else {
        return 0.0;
    };
    let doubled: Vector<3> = polygon
        .windows(2)
        .map(|pair| (pair[0] - hub).cross(&(pair[1] - hub)))
        .sum();

    0.5 * doubled.norm()
}

/// Clips a convex polygon to the half-space normal·x ≤ offset.
fn clip(polygon: &[Vector<3>], normal: &Vector<3>, offset: f64, kept: &mut Vec<Vector<3>>) {
    kept.clear();
    for (i, &from) in polygon.iter().enumerate() {
        let to = polygon[(i + 1) % polygon.len()];
        let (out_from, out_to) = (normal.dot(&from) - offset, normal.dot(&to) - offset);
        if out_from <= 0.0 {
            kept.push(from);
        }
        if (out_from <= 0.0) != (out_to <= 0.0) {
            kept.push(from + (to - from) * (out_from / (out_from - out_to)));
        }
    }
}

#[cfg(test)]
mod tests;
