//! Finds inverted parts of a closed surface.
//!
//! The signed volume of a surface shows only whether it faces outward as a whole. A small part that is
//! inside out is not detected that way: its inside counts as outside, and signed distances there have
//! the wrong sign. A part that faces inward is a legitimate cavity only if another part surrounds it.

use super::winding_number;
use crate::shape::{Surface, connected_triangles};
use crate::space::{Aabb, Point};

/// Maximum number of solid angles that are summed. Beyond it, parts within the box of another are
/// assumed to be cavities.
const MOST_ANGLES: usize = 100_000_000;

/// Winding number below which nothing surrounds a point. A part that touches another from within sees a
/// quarter or more.
const NOTHING: f64 = 0.1;

/// A connected part of a surface.
struct Part {
    triangles: Vec<[u32; 3]>,
    /// Index of its first triangle in the whole surface.
    first: u32,
    bounds: Aabb<3>,
    volume: f64,
}

/// Returns the first triangle of a connected part that faces inward without being a cavity of another
/// part; `None` if there is no such part.
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
        // Relative to a point of the part, because the volume of a part far from the origin would lose
        // its digits.
        let first = part.triangles.first().unwrap_or(triangle)[0];
        let [a, b, c] = corners.map(|corner| corner - points[first as usize]);
        part.volume += a.dot(&b.cross(&c));
        part.triangles.push(*triangle);

        part.bounds = part.bounds.merged(&Aabb::of(corners));
    }

    parts
}
