//! Closest points of points and line segments.

use crate::space::Vector;

/// Position of a closest point on a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Along {
    Start,
    /// At this fraction of the length.
    Inside(f64),
    End,
}

impl Along {
    #[inline]
    pub(crate) fn of(fraction: f64) -> Self {
        if fraction <= 0.0 {
            Self::Start
        } else if fraction >= 1.0 {
            Self::End
        } else {
            Self::Inside(fraction)
        }
    }

    #[inline]
    pub(crate) fn fraction(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Inside(fraction) => fraction,
            Self::End => 1.0,
        }
    }
}

/// Returns the point closest to `point` on the segment from the origin along `edge`, and the vector
/// from it to `point`.
#[inline]
pub(crate) fn point_segment<const D: usize>(
    point: &Vector<D>,
    edge: &Vector<D>,
) -> (Along, Vector<D>) {
    let along = Along::of(point.dot(edge) / edge.norm_squared());
    let way = match along {
        Along::Start => *point,
        Along::End => point - edge,
        Along::Inside(fraction) => orthogonal(&(point - edge * fraction), edge),
    };

    (along, way)
}

/// Removes the component along an edge from a vector that should be orthogonal to it. That
/// component is rounding error, and for a tiny gap it would dominate the normal.
#[inline]
fn orthogonal<const D: usize>(way: &Vector<D>, edge: &Vector<D>) -> Vector<D> {
    way - edge * (way.dot(edge) / edge.norm_squared())
}

/// Returns the closest points of the segment from the origin along `first` and the segment from
/// `start` along `second`, with the vector from the first to the second.
///
/// The second direction is orthogonalised against the first before any division. The Gram
/// determinant of the textbook formula fails below an angle of 1e-8; this one fails below 1e-15,
/// where the end points serve equally well.
pub(crate) fn segment_segment<const D: usize>(
    first: &Vector<D>,
    start: &Vector<D>,
    second: &Vector<D>,
) -> (Along, Along, Vector<D>) {
    let length_squared = first.norm_squared();
    let on_first = |x: &Vector<D>| x.dot(first) / length_squared;
    let across = second - first * on_first(second);
    let offset = start - first * on_first(start);
    let across_squared = across.norm_squared();

    if across_squared > 0.0 {
        let t = Along::of(-offset.dot(&across) / across_squared);
        let here = start + second * t.fraction();
        let s = on_first(&here);
        if (0.0..=1.0).contains(&s) {
            return inner(first, start, second, Along::of(s), t, &here);
        }
    }

    closest_at_ends(first, start, second)
}

#[inline]
fn inner<const D: usize>(
    first: &Vector<D>,
    start: &Vector<D>,
    second: &Vector<D>,
    s: Along,
    t: Along,
    here: &Vector<D>,
) -> (Along, Along, Vector<D>) {
    let way = match (s, t) {
        (Along::Inside(s), Along::Inside(t)) => {
            orthogonal(&(start + (second * t - first * s)), first)
        }
        (Along::Inside(s), _) => orthogonal(&(here - first * s), first),
        (_, Along::Inside(_)) => orthogonal(&(here - first * s.fraction()), second),
        _ => here - first * s.fraction(),
    };
    (s, t, way)
}

/// Returns the closest of the four pairs of an end point and a segment.
fn closest_at_ends<const D: usize>(
    first: &Vector<D>,
    start: &Vector<D>,
    second: &Vector<D>,
) -> (Along, Along, Vector<D>) {
    let (from_start, from_end) = (
        point_segment(start, first),
        point_segment(&(start + second), first),
    );
    let to_start = point_segment(&-start, second);
    let to_end = point_segment(&(first - start), second);
    let candidates = [
        (from_start.0, Along::Start, from_start.1),
        (from_end.0, Along::End, from_end.1),
        (Along::Start, to_start.0, -to_start.1),
        (Along::End, to_end.0, -to_end.1),
    ];
    let mut best = candidates[0];

    for candidate in &candidates[1..] {
        if candidate.2.norm_squared() < best.2.norm_squared() {
            best = *candidate;
        }
    }

    best
}

#[cfg(test)]
mod tests;
