//! Parts of a closed surface that face the wrong way.
//!
//! The volume of a surface of several parts says how they face as a whole. One part that is inside out among larger ones
//! does not show there: its inside counts as outside, and signed distances in it have the wrong sign. It is no cavity,
//! which faces inward by right, if no other part is around it.

use super::winding_number;
use crate::shape::{Surface, connected_triangles};
use crate::space::{Aabb, Point};

/// Angles of triangles that are summed up at most. Beyond, parts within the box of another are taken for cavities.
const MOST_ANGLES: usize = 100_000_000;

/// Share of a winding below which nothing is around a point. A part that touches another from within sees a quarter and
/// more.
const NOTHING: f64 = 0.1;

/// A connected part of a surface.
struct Part {
    triangles: Vec<[u32; 3]>,
    /// The first triangle's number in the whole.
    first: u32,
    bounds: Aabb<3>,
    volume: f64,
}

/// The first triangle of a connected part that faces inward and is not a cavity of another; `None` if there is none.
///
/// ```
/// use impinge::inside::inward_part;
/// use impinge::shape::{Surface, generate};
///
/// let ball = generate::icosphere(1)?;
/// let flipped = ball.triangles().iter().map(|&[a, b, c]| [a + 42, c + 42, b + 42]);
/// let faces: Vec<[u32; 3]> = ball.triangles().iter().copied().chain(flipped).collect();
/// let with = |scale: f64, x: f64| {
///     let second = ball.points().iter().map(|p| [scale * p.x + x, scale * p.y, scale * p.z].into());
///     Surface::new(&ball.points().iter().copied().chain(second).collect::<Vec<_>>(), &faces)
/// };
/// assert_eq!(inward_part(&with(0.5, 0.0).unwrap()), None, "a cavity");
/// assert_eq!(inward_part(&with(0.5, 3.0).unwrap()), Some(80), "inside out beside the other");
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn inward_part(surface: &Surface) -> Option<u32> {
    let points = surface.points();
    let parts = parts(surface);
    let mut angles = 0;
    let inward = parts.iter().enumerate().find(|(n, part)| {
        if part.volume >= 0.0 {
            return false;
        }
        let [a, b, c] = part.triangles[0].map(|node| points[node as usize].coords);
        let middle = Point::from((a + b + c) / 3.0);
        let around = (0..).zip(&parts).filter(|(other, _)| other != n);
        let winding: f64 = around
            .map(|(_, other)| other)
            .filter(|other| other.bounds.contains(&middle))
            .map(|other| {
                angles += other.triangles.len();
                if angles > MOST_ANGLES {
                    return 1.0;
                }
                winding_number(points, &other.triangles, &middle)
            })
            .sum();
        winding < NOTHING
    });

    inward.map(|(_, part)| part.first)
}

fn parts(surface: &Surface) -> Vec<Part> {
    let points = surface.points();
    let mut parts: Vec<Part> = Vec::new();
    let labels = connected_triangles(points.len(), surface.triangles());

    for ((number, triangle), label) in (0..).zip(surface.triangles()).zip(labels) {
        let corners = triangle.map(|node| points[node as usize]);
        if label as usize == parts.len() {
            parts.push(Part {
                triangles: Vec::new(),
                first: number,
                bounds: Aabb::EMPTY,
                volume: 0.0,
            });
        }

        let part = &mut parts[label as usize];
        // About a point of its own, or a part far from the origin would lose the digits of its volume.
        let first = part.triangles.first().unwrap_or(triangle)[0];
        let [a, b, c] = corners.map(|corner| corner - points[first as usize]);
        part.volume += a.dot(&b.cross(&c));
        part.triangles.push(*triangle);

        part.bounds = part.bounds.merged(&Aabb::of(corners));
    }

    parts
}
