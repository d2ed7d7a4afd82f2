//! Entry point of a line into a capsule, cylinder or cone, in closed form.
//!
//! Cylinder and cone are a quadric between two planes: the first root of a quadratic in the part of the
//! ray between the planes. A capsule is a cylinder and two balls.

use crate::shape::{Round, RoundKind};
use crate::space::{Point, Vector};

/// Returns the fraction of the way from one point to another at which a line enters a body that it does
/// not start in, and the face.
pub(crate) fn enter_round(body: &Round, from: &Point<3>, to: &Point<3>) -> Option<(f64, u32)> {
    match body.kind() {
        RoundKind::Cylinder => enter_quadric(body, from, to, 0.0),
        RoundKind::Cone => enter_quadric(body, from, to, body.radius() / body.length()),
        RoundKind::Capsule => {
            let side = enter_quadric(body, from, to, 0.0).filter(|&(_, face)| face == 0);
            let ball = |end: usize| {
                let entry = enter_ball(&body.ends()[end], body.radius(), from, to)?;
                Some((entry, 1 + end as u32))
            };
            let entries = [side, ball(0), ball(1)];
            let first = entries
                .into_iter()
                .flatten()
                .min_by(|p, q| p.0.total_cmp(&q.0))?;
            // A ball inside the cylinder is entered through the side, which both report up to rounding.
            Some(first)
        }
    }
}

/// Quadric ρ = radius − slope · z for z between 0 and the length.
fn enter_quadric(body: &Round, from: &Point<3>, to: &Point<3>, slope: f64) -> Option<(f64, u32)> {
    let way = to - from;
    let [z, dz] = [from - body.ends()[0], way].map(|v| body.axis().dot(&v));
    let (enter, leave, cap) = between(z, dz, body.length())?;

    // From the point of the ray closest to the axis, so that nothing cancels far away.
    let across = |v: Vector<3>| v - body.axis() * body.axis().dot(&v);
    let direction = across(way);
    let offset = across(from - body.ends()[0]);
    let squared = direction.norm_squared();
    let middle = if squared > 0.0 {
        -offset.dot(&direction) / squared
    } else {
        enter
    };
    let closest = offset + direction * middle;
    let (radius, change) = (body.radius() - slope * (z + dz * middle), -slope * dz);

    // |closest + (t − middle) direction|² ≤ (radius + (t − middle) change)².
    let value = |t: f64| {
        let (u, r) = (t - middle, radius + (t - middle) * change);
        closest.norm_squared() + u * u * squared - r * r
    };
    if value(enter) <= 0.0 {
        return Some((enter, cap));
    }

    let a = squared - change * change;
    let b = -radius * change;
    let c = closest.norm_squared() - radius * radius;
    let roots = quadratic(a, b, c)?.map(|u| u + middle);
    let first = roots
        .into_iter()
        .filter(|t| (enter..=leave).contains(t))
        .fold(f64::INFINITY, f64::min);

    first.is_finite().then_some((first, 0))
}

/// Returns the part of a ray between the planes of the caps, and the cap that it enters by.
fn between(z: f64, dz: f64, length: f64) -> Option<(f64, f64, u32)> {
    let (mut enter, mut leave, mut cap) = (0.0, 1.0f64, 0);
    if dz == 0.0 {
        return (0.0..=length).contains(&z).then_some((enter, leave, cap));
    }

    let mut planes = [(-z / dz, 1), ((length - z) / dz, 2)];
    if dz < 0.0 {
        planes.swap(0, 1);
    }
    if planes[0].0 > enter {
        (enter, cap) = planes[0];
    }
    leave = leave.min(planes[1].0);

    (enter <= leave).then_some((enter, leave, cap))
}

/// Roots of a u² + 2 b u + c.
fn quadratic(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }

    // The larger root in magnitude first; the product gives the other without cancellation.
    let sum = -(b + discriminant.sqrt().copysign(b));
    let roots = [sum / a, c / sum];
    Some(roots.map(|root| if root.is_finite() { root } else { f64::NAN }))
}

/// |from + t way − centre| = radius: the smaller root.
pub(crate) fn enter_ball<const D: usize>(
    centre: &Point<D>,
    radius: f64,
    from: &Point<D>,
    to: &Point<D>,
) -> Option<f64> {
    let way = to - from;
    let length = way.norm();
    let along = way / length;
    // From the point of the line closest to the centre, so that nothing cancels far away.
    let middle = along.dot(&(centre - from));
    let closest = from + along * middle - centre;
    let half = radius * radius - closest.norm_squared();
    if half < 0.0 {
        return None;
    }

    let fraction = (middle - half.sqrt()) / length;
    (0.0..=1.0).contains(&fraction).then_some(fraction)
}
