//! Contacts of spheres with spheres, polygons and polyhedra.
//!
//! A sphere is treated as its centre, with the radius subtracted from the gap. If two centres
//! coincide, or a centre lies exactly on the other body's surface, the normal is set by convention:
//! the x axis for spheres, the outward normal of a facet otherwise. A sphere's feature is its face
//! 0.

use super::facet::{OnFacet, Part, further, point_facet};
use super::features3::feature;
use super::segment::{Along, point_segment};
use super::{ContactPoint, Relative};
use crate::shape::{Feature, Polygon, Polyhedron, Sphere};
use crate::space::{Point, Pose, Vector};

/// Computes gap, normal and closest points of two spheres.
///
/// ```
/// use impinge::{narrow::sphere, shape::Sphere, space::Pose};
/// let ball = Sphere::new([0.0, 0.0, 0.0], 1.0)?;
/// let contact = sphere::spheres(&ball, &Pose::identity(), &ball, &Pose::at([3.0, 4.0, 0.0]));
/// assert_eq!(contact.gap, 3.0);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
pub fn spheres<const D: usize>(
    a: &Sphere<D>,
    pose_a: &Pose<D>,
    b: &Sphere<D>,
    pose_b: &Pose<D>,
) -> ContactPoint<D> {
    let way = Relative::of(pose_a, pose_b).seen_from(&a.centre(), &b.centre());
    let distance = way.norm();
    let normal = if distance > 0.0 {
        way / distance
    } else {
        Vector::from_fn(|i, _| [1.0, 0.0][i.min(1)])
    };
    let normal = pose_a.vector(&normal);

    ContactPoint {
        on_a: pose_a.point(&a.centre()) + normal * a.radius(),
        on_b: pose_b.point(&b.centre()) - normal * b.radius(),
        normal,
        gap: distance - (a.radius() + b.radius()),
        feature_a: Feature::Face(0),
        feature_b: Feature::Face(0),
    }
}

/// Computes gap, normal and closest points of a disc and a polygon. O(corners).
pub fn polygon(
    disc: &Sphere<2>,
    pose_disc: &Pose<2>,
    body: &Polygon,
    pose_body: &Pose<2>,
) -> ContactPoint<2> {
    let relative = Relative::of(pose_body, pose_disc);
    let seen = |corner: usize| relative.seen_from(&body.points()[corner], &disc.centre());
    let height = |edge: usize| body.normals()[edge].dot(&seen(edge));
    let top = (0..body.corner_count())
        .max_by(|&i, &j| height(i).total_cmp(&height(j)))
        .unwrap_or(0);
    let edge = |i: usize| body.points()[body.next(i)] - body.points()[i];
    let (nearest, way) = if height(top) <= 0.0 {
        (top, body.normals()[top] * height(top))
    } else {
        let way = |i: usize| point_segment(&seen(i), &edge(i)).1;
        let length = |i: usize| way(i).norm_squared();
        let nearest = (0..body.corner_count())
            .min_by(|&i, &j| length(i).total_cmp(&length(j)))
            .unwrap_or(top);
        (nearest, way(nearest))
    };
    let along = point_segment(&seen(nearest), &edge(nearest)).0;
    let on_body = body.points()[nearest] + edge(nearest) * along.fraction();
    let distance = way.norm().copysign(height(top));

    let outward = if way.amax() > 0.0 {
        way / distance
    } else {
        body.normals()[top]
    };
    let next = body.next(nearest) as u32;
    let feature_b = match along {
        Along::Start => Feature::Vertex(nearest as u32),
        Along::Inside(_) => Feature::Edge([next.min(nearest as u32), next.max(nearest as u32)]),
        Along::End => Feature::Vertex(next),
    };

    of_centre(
        disc, pose_disc, pose_body, on_body, outward, distance, feature_b,
    )
}

/// Warm start: the feature closest to a sphere's centre in the last step.
#[derive(Clone, Copy, Debug)]
pub struct FeatureHint(Part);

impl Default for FeatureHint {
    fn default() -> Self {
        Self(Part::Vertex(0))
    }
}

/// Computes gap, normal and closest points of a sphere and a polyhedron, starting from the feature
/// of the last step. A centre inside the polyhedron costs O(facets).
pub fn polyhedron(
    ball: &Sphere<3>,
    pose_ball: &Pose<3>,
    body: &Polyhedron,
    pose_body: &Pose<3>,
    kept: &mut FeatureHint,
) -> ContactPoint<3> {
    let relative = Relative::of(pose_body, pose_ball);
    let seen = |from: &Point<3>| relative.seen_from(from, &ball.centre());
    let found = walk(body, kept.0, &seen).map(|found| (found, found.way.norm()));
    let (found, distance) = found
        .filter(|(_, distance)| *distance > 0.0)
        .unwrap_or_else(|| scan(body, &seen));
    kept.0 = found.part;
    let outward = match found.part {
        Part::Face(face) => body.planes()[face as usize].normal,
        _ => found.way / distance,
    };

    of_centre(
        ball,
        pose_ball,
        pose_body,
        found.on,
        outward,
        distance,
        feature(body, found.part),
    )
}

/// Contact of a sphere whose centre is `distance` above a point of a body, in the direction
/// `outward` of the body's frame.
fn of_centre<const D: usize>(
    sphere: &Sphere<D>,
    pose_sphere: &Pose<D>,
    pose_body: &Pose<D>,
    on_body: Point<D>,
    outward: Vector<D>,
    distance: f64,
    feature_b: Feature,
) -> ContactPoint<D> {
    let normal = -pose_body.vector(&outward);
    ContactPoint {
        on_a: pose_sphere.point(&sphere.centre()) + normal * sphere.radius(),
        on_b: pose_body.point(&on_body),
        normal,
        gap: distance - sphere.radius(),
        feature_a: Feature::Face(0),
        feature_b,
    }
}

/// Walks from feature to feature, each closer to the point; `None` if the point is below a facet.
fn walk(body: &Polyhedron, start: Part, seen: &impl Fn(&Point<3>) -> Vector<3>) -> Option<OnFacet> {
    let mut here = on_part(body, start, seen)?;
    while let Some((larger, _)) =
        further(body, here.part, &here.way, here.way.norm_squared()).larger
    {
        let closer = on_part(body, larger, seen)?;
        if closer.way.norm_squared() >= here.way.norm_squared() {
            break;
        }
        here = closer;
    }

    Some(here)
}

fn on_part(
    body: &Polyhedron,
    part: Part,
    seen: &impl Fn(&Point<3>) -> Vector<3>,
) -> Option<OnFacet> {
    let from = body.points()[part.vertex(body) as usize];
    match part {
        Part::Vertex(_) => Some(OnFacet {
            part,
            on: from,
            way: seen(&from),
        }),
        Part::Edge(h) => {
            let edge = body.points()[body.ends(h)[1] as usize] - from;
            let (along, way) = point_segment(&seen(&from), &edge);
            Some(OnFacet {
                part: Part::of_edge(body, h, along),
                on: from + edge * along.fraction(),
                way,
            })
        }
        Part::Face(face) => {
            let found = point_facet(body, face, &seen(&from));
            let is_under =
                found.part == part && found.way.dot(&body.planes()[face as usize].normal) <= 0.0;
            (!is_under).then_some(found)
        }
    }
}

/// Scans all facets: returns the facet with the largest signed height if the point is inside,
/// otherwise the closest facet; with the signed distance.
fn scan(body: &Polyhedron, seen: &impl Fn(&Point<3>) -> Vector<3>) -> (OnFacet, f64) {
    let corner = |face: usize| body.points()[Part::Face(face as u32).vertex(body) as usize];
    let height = |face: usize| body.planes()[face].normal.dot(&seen(&corner(face)));
    let faces = || 0..body.face_count();
    let top = faces()
        .max_by(|&f, &g| height(f).total_cmp(&height(g)))
        .unwrap_or(0);

    if height(top) <= 0.0 {
        let way = body.planes()[top].normal * height(top);
        let on = corner(top) + (seen(&corner(top)) - way);
        return (
            OnFacet {
                part: Part::Face(top as u32),
                on,
                way,
            },
            height(top),
        );
    }

    let closest = |face: usize| point_facet(body, face as u32, &seen(&corner(face)));
    let length = |face: usize| closest(face).way.norm_squared();
    let found = closest(
        faces()
            .min_by(|&f, &g| length(f).total_cmp(&length(g)))
            .unwrap_or(top),
    );
    let distance = found.way.norm();

    // On an edge or a vertex, up to rounding.
    if distance > 0.0 {
        (found, distance)
    } else {
        (
            OnFacet {
                part: Part::Face(top as u32),
                ..found
            },
            0.0,
        )
    }
}

#[cfg(test)]
mod tests;
