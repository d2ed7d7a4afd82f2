//! The closest point of the surface of a capsule, cylinder or cone, in closed form.
//!
//! In the plane through the axis and the point the body is a rectangle, a triangle, or a segment with a
//! radius.

use super::super::nodes::Exit;
use crate::shape::{Feature, Round, RoundKind};
use crate::space::{Point, Pose, Vector};
use nalgebra::Vector2;

/// The closest point of a body's surface, in its frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnRound {
    pub(crate) on: Point<3>,
    pub(crate) outward: Vector<3>,
    /// Negative inside the body.
    pub(crate) gap: f64,
    pub(crate) face: u32,
}

/// Returns the exit of a point that is in a body or at most `limit` outside, in world coordinates.
pub(crate) fn exit(body: &Round, pose: &Pose<3>, point: &Point<3>, limit: f64) -> Option<Exit<3>> {
    let near = closest_point(body, &pose.to_local(point));
    (near.gap <= limit).then(|| Exit {
        on: pose.point(&near.on),
        outward: pose.vector(&near.outward),
        gap: near.gap,
        feature: Feature::Face(near.face),
    })
}

/// Returns the closest point of the surface.
pub(crate) fn closest_point(body: &Round, point: &Point<3>) -> OnRound {
    let (along, distance, across) = body.meridian(point);
    let at = Vector2::new(along, distance);
    let flat = match body.kind() {
        RoundKind::Capsule => in_capsule(body, &at),
        RoundKind::Cylinder => in_cylinder(body, &at),
        RoundKind::Cone => in_cone(body, &at),
    };

    let space = |v: &Vector2<f64>| body.axis() * v.x + across * v.y;
    OnRound {
        on: body.ends()[0] + space(&flat.on),
        outward: space(&flat.outward),
        gap: flat.gap,
        face: flat.face,
    }
}

/// Returns the outward normal of a face at a point of it.
pub(crate) fn outward(body: &Round, on: &Point<3>, face: u32) -> Vector<3> {
    match (body.kind(), face) {
        (RoundKind::Cylinder | RoundKind::Cone, 1) => -body.axis(),
        (RoundKind::Cylinder, 2) => body.axis(),
        (RoundKind::Cone, _) => {
            let (_, _, across) = body.meridian(on);
            let slant = body.length().hypot(body.radius());
            (across * body.length() + body.axis() * body.radius()) / slant
        }
        (RoundKind::Cylinder, _) => body.meridian(on).2,
        (RoundKind::Capsule, _) => closest_point(body, on).outward,
    }
}

/// The closest point in the plane of the axis: along it, and across.
struct Flat {
    on: Vector2<f64>,
    outward: Vector2<f64>,
    gap: f64,
    face: u32,
}

fn in_capsule(body: &Round, at: &Vector2<f64>) -> Flat {
    let end = at.x.clamp(0.0, body.length());
    let way = Vector2::new(at.x - end, at.y);
    let distance = way.norm();
    // On the segment, any direction across it is shortest.
    let outward = if distance > 0.0 {
        way / distance
    } else {
        Vector2::y()
    };

    Flat {
        on: Vector2::new(end, 0.0) + outward * body.radius(),
        outward,
        gap: distance - body.radius(),
        face: match at.x {
            x if x < 0.0 => 1,
            x if x > body.length() => 2,
            _ => 0,
        },
    }
}

fn in_cylinder(body: &Round, at: &Vector2<f64>) -> Flat {
    let heights = [
        (at.y - body.radius(), Vector2::y(), 0),
        (-at.x, -Vector2::x(), 1),
        (at.x - body.length(), Vector2::x(), 2),
    ];
    let top = highest(&heights);
    if top.0 <= 0.0 {
        return below(at, top);
    }

    let on = Vector2::new(at.x.clamp(0.0, body.length()), at.y.min(body.radius()));
    outside(at, on, top)
}

fn in_cone(body: &Round, at: &Vector2<f64>) -> Flat {
    let (length, radius) = (body.length(), body.radius());
    let slant = length.hypot(radius);
    let side = Vector2::new(radius / slant, length / slant);
    let rim = Vector2::new(0.0, radius);
    let heights = [(side.dot(&(at - rim)), side, 0), (-at.x, -Vector2::x(), 1)];
    let top = highest(&heights);
    if top.0 <= 0.0 {
        return below(at, top);
    }

    // The nearer of the side and the base.
    let way = Vector2::new(length / slant, -radius / slant);
    let on_side = rim + way * way.dot(&(at - rim)).clamp(0.0, slant);
    let on_base = Vector2::new(0.0, at.y.min(radius));
    let is_side = (at - on_side).norm_squared() <= (at - on_base).norm_squared();
    let (on, face) = if is_side {
        (on_side, heights[0])
    } else {
        (on_base, heights[1])
    };

    outside(at, on, face)
}

/// Height above a face, its normal and number.
type Face = (f64, Vector2<f64>, u32);

fn highest(faces: &[Face]) -> Face {
    let mut best = faces[0];
    for face in &faces[1..] {
        if face.0 > best.0 {
            best = *face;
        }
    }

    best
}

/// A point below all faces leaves through the nearest.
fn below(at: &Vector2<f64>, (height, normal, face): Face) -> Flat {
    Flat {
        on: at - normal * height,
        outward: normal,
        gap: height,
        face,
    }
}

/// A point outside, with its closest point.
fn outside(at: &Vector2<f64>, on: Vector2<f64>, (_, normal, face): Face) -> Flat {
    let way = at - on;
    let gap = way.norm();
    Flat {
        on,
        outward: if gap > 0.0 { way / gap } else { normal },
        gap,
        face,
    }
}
