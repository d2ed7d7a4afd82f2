//! The method of each query for each shape.

use super::deforming::SolidCaches;
use super::query::{Approach, Entry, PointExit, Queries, Ray};
use super::shape::{Placed, Shape};
use super::shape2::Shape2;
use super::shape3::Shape3;
use crate::narrow::SurfaceBody;
use crate::narrow::nodes::{Exit, NodeBody};
use crate::narrow::round::{self, enter_round};
use crate::shape::{FaceKind, Faces, Feature, HalfSpace, Polygon, Polyhedron, Sphere, Surface};
use crate::space::{Point, Pose, Vector};
use std::sync::Arc;

impl Queries<3> for Shape3 {
    fn prepare(bodies: &[Option<Placed<Self, 3>>]) -> SolidCaches {
        let mut solids = SolidCaches::default();
        solids.follow(bodies);
        solids
    }

    fn exit(
        placed: &Placed<Self, 3>,
        prepared: &SolidCaches,
        point: &Point<3>,
        limit: f64,
    ) -> Option<PointExit<3>> {
        let pose = &placed.pose;
        let exit = match placed.shape {
            Self::Sphere(ball) => ball_exit(ball, pose, point, limit),
            Self::Polyhedron(body) => body.exit(pose, point, limit),
            Self::Round(body) => round::exit(body, pose, point, limit),
            Self::Compound(body) => {
                let exits = body.parts().iter().filter_map(|(shape, place)| {
                    let part = of_part(placed, shape, place);
                    Self::exit(&part, prepared, point, limit)
                });
                return exits.min_by(|p, q| p.0.gap.total_cmp(&q.0.gap));
            }
            Self::Surface(body) => body
                .faces()
                .exit(pose, point, limit)
                .map(|exit| {
                    if body.tree().is_closed() {
                        exit
                    } else {
                        two_sided(exit, point)
                    }
                })
                .filter(|exit| exit.gap <= limit),
            Self::Solid(_) => {
                let faces = prepared.get(placed.id).and_then(|solid| solid.faces());
                faces?.exit(&Pose::identity(), point, limit)
            }
            Self::Faces(tree) => tree.exit(pose, point, limit),
            Self::HalfSpace(half) => half.exit(pose, point, limit),
        };
        exit.map(PointExit)
    }

    fn enter(placed: &Placed<Self, 3>, ray: &Ray<3>) -> Entry<3> {
        match placed.shape {
            Self::Sphere(ball) => enter_ball(ball, &placed.pose, ray),
            Self::Polyhedron(body) => enter_polyhedron(body, &placed.pose, ray),
            Self::HalfSpace(half) => enter_half_space(half, &placed.pose, ray),
            Self::Surface(body) => {
                let [from, to] = [ray.from, ray.to].map(|p| placed.pose.to_local(&p));
                let Some(hit) = body.tree().first_hit(&from, &to) else {
                    return Entry::Missed;
                };
                let [a, b, c] = body.tree().corners(hit.face as usize);
                let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
                let normal = normal.unwrap_or_else(Vector::x);
                let is_behind = normal.dot(&(to - from)) > 0.0;
                let normal = placed
                    .pose
                    .vector(&if is_behind { -normal } else { normal });
                Entry::At(hit.fraction, normal, Feature::Face(hit.face))
            }
            Self::Round(body) => {
                let [from, to] = [ray.from, ray.to].map(|p| placed.pose.to_local(&p));
                match enter_round(body, &from, &to) {
                    Some((fraction, face)) => {
                        let at = from + (to - from) * fraction;
                        let outward = round::outward(body, &at, face);
                        Entry::At(fraction, placed.pose.vector(&outward), Feature::Face(face))
                    }
                    None => Entry::Missed,
                }
            }
            Self::Compound(body) => first_entry(
                body.parts()
                    .iter()
                    .map(|(shape, place)| Self::enter(&of_part(placed, shape, place), ray)),
            ),
            Self::Solid(_) | Self::Faces(_) => Entry::Unknown,
        }
    }

    fn has_distance(&self, other: &Self) -> Option<Approach> {
        let is_sphere = |shape: &Self| matches!(shape, Self::Sphere(_));
        let all_spheres = |shape: &Self| match shape {
            Self::Compound(body) => body.parts().iter().all(|(part, _)| is_sphere(part)),
            _ => is_sphere(shape),
        };
        let is_ball = all_spheres(self) || all_spheres(other);
        let is_faces = |shape: &Self| matches!(shape, Self::Solid(_) | Self::Faces(_));
        if self.is_convex() && other.is_convex() {
            Some(Approach::Convex)
        } else {
            // A node test could miss an edge; the closest point to the ball cannot.
            (is_ball || !(is_faces(self) || is_faces(other))).then_some(Approach::Distance)
        }
    }

    fn is_solid(&self) -> bool {
        matches!(self, Self::Solid(_))
    }

    fn as_surface(&self) -> Option<Self> {
        let (points, triangles) = match self {
            Self::Solid(solid) => (solid.points(), solid.boundary_triangles().to_vec()),
            Self::Faces(tree) => (tree.faces().points(), triangles_of(tree.faces())?),
            _ => return None,
        };
        let closed = Surface::repair(points, &triangles).ok();
        let closed = closed.and_then(|(surface, _)| SurfaceBody::new(&surface).ok());
        let body = closed.or_else(|| SurfaceBody::wall(points, &triangles).ok())?;
        Some(Self::Surface(Arc::new(body)))
    }
}

/// Returns the corners of faces that are all flat triangles.
fn triangles_of(faces: &Faces<3>) -> Option<Vec<[u32; 3]>> {
    let corners = |face: usize| match (faces.kind(face), faces.nodes(face)) {
        (FaceKind::Tri3, &[a, b, c]) => Some([a, b, c]),
        _ => None,
    };
    (0..faces.len()).map(corners).collect()
}

impl Queries<2> for Shape2 {
    fn prepare(_bodies: &[Option<Placed<Self, 2>>]) {}

    fn exit(
        placed: &Placed<Self, 2>,
        _prepared: &(),
        point: &Point<2>,
        limit: f64,
    ) -> Option<PointExit<2>> {
        let pose = &placed.pose;
        let exit = match placed.shape {
            Self::Disc(disc) => ball_exit(disc, pose, point, limit),
            Self::Polygon(body) => body.exit(pose, point, limit),
            Self::Faces(tree) => tree.exit(pose, point, limit),
            Self::HalfPlane(half) => half.exit(pose, point, limit),
        };
        exit.map(PointExit)
    }

    fn enter(placed: &Placed<Self, 2>, ray: &Ray<2>) -> Entry<2> {
        match placed.shape {
            Self::Disc(disc) => enter_ball(disc, &placed.pose, ray),
            Self::Polygon(body) => enter_polygon(body, &placed.pose, ray),
            Self::HalfPlane(half) => enter_half_space(half, &placed.pose, ray),
            Self::Faces(_) => Entry::Unknown,
        }
    }

    fn has_distance(&self, other: &Self) -> Option<Approach> {
        let is_disc = matches!(self, Self::Disc(_)) || matches!(other, Self::Disc(_));
        if self.is_convex() && other.is_convex() {
            Some(Approach::Convex)
        } else {
            is_disc.then_some(Approach::Distance)
        }
    }

    fn is_solid(&self) -> bool {
        false
    }

    fn as_surface(&self) -> Option<Self> {
        None
    }
}

/// A part of a compound as a body.
fn of_part<'a>(
    whole: &Placed<'_, Shape3, 3>,
    shape: &'a Shape3,
    place: &Pose<3>,
) -> Placed<'a, Shape3, 3> {
    Placed {
        id: whole.id,
        shape,
        pose: whole.pose.after(place),
        stamp: whole.stamp,
    }
}

/// Returns the first of the entries into the parts of a compound.
fn first_entry(entries: impl Iterator<Item = Entry<3>>) -> Entry<3> {
    let mut first = Entry::Missed;
    for entry in entries {
        first = match (first, entry) {
            (Entry::At(best, ..), Entry::At(fraction, ..)) if best <= fraction => first,
            (_, Entry::Missed) => first,
            _ => entry,
        };
    }

    first
}

/// An open wall has no inside: its distance is positive on either side.
fn two_sided(exit: Exit<3>, point: &Point<3>) -> Exit<3> {
    let way = point - exit.on;
    Exit {
        outward: way.try_normalize(0.0).unwrap_or(exit.outward),
        gap: way.norm(),
        ..exit
    }
}

fn ball_exit<const D: usize>(
    ball: &Sphere<D>,
    pose: &Pose<D>,
    point: &Point<D>,
    limit: f64,
) -> Option<Exit<D>> {
    let centre = pose.point(&ball.centre());
    let way = point - centre;
    let outward = way
        .try_normalize(0.0)
        .unwrap_or_else(|| Vector::from_fn(|i, _| [1.0, 0.0][i.min(1)]));
    let gap = way.norm() - ball.radius();

    (gap <= limit).then(|| Exit {
        on: centre + outward * ball.radius(),
        outward,
        gap,
        feature: Feature::Face(0),
    })
}

fn enter_ball<const D: usize>(ball: &Sphere<D>, pose: &Pose<D>, ray: &Ray<D>) -> Entry<D> {
    let centre = pose.point(&ball.centre());
    let Some(fraction) = round::enter_ball(&centre, ball.radius(), &ray.from, &ray.to) else {
        return Entry::Missed;
    };
    let at = ray.from + (ray.to - ray.from) * fraction;
    let normal = (at - centre) / ball.radius();

    Entry::At(fraction, normal, Feature::Face(0))
}

fn enter_polyhedron(body: &Polyhedron, pose: &Pose<3>, ray: &Ray<3>) -> Entry<3> {
    let [from, to] = [ray.from, ray.to].map(|p| pose.to_local(&p));
    let heights = (0..body.face_count()).map(|f| [body.height(f, &from), body.height(f, &to)]);
    match enter_planes(heights) {
        Some((fraction, face)) => {
            let normal = pose.vector(&body.planes()[face].normal);
            Entry::At(fraction, normal, Feature::Face(face as u32))
        }
        None => Entry::Missed,
    }
}

fn enter_polygon(body: &Polygon, pose: &Pose<2>, ray: &Ray<2>) -> Entry<2> {
    let [from, to] = [ray.from, ray.to].map(|p| pose.to_local(&p));
    let height = |edge: usize, p: &Point<2>| body.normals()[edge].dot(&(p - body.points()[edge]));
    let heights = (0..body.corner_count()).map(|edge| [height(edge, &from), height(edge, &to)]);
    match enter_planes(heights) {
        Some((fraction, edge)) => {
            let [i, j] = [edge, body.next(edge)].map(|n| n as u32);
            let feature = Feature::Edge([i.min(j), i.max(j)]);
            Entry::At(fraction, pose.vector(&body.normals()[edge]), feature)
        }
        None => Entry::Missed,
    }
}

/// Clips a segment by planes, given its heights above each at both ends; returns the fraction at which
/// it is below all of them for the first time, and the plane that it passes then.
fn enter_planes(heights: impl Iterator<Item = [f64; 2]>) -> Option<(f64, usize)> {
    let (mut enter, mut plane, mut leave) = (0.0, 0, 1.0f64);
    for (n, [start, end]) in heights.enumerate() {
        match (start > 0.0, end > 0.0) {
            (true, true) => return None,
            (true, false) => {
                let fraction = start / (start - end);
                if fraction >= enter {
                    (enter, plane) = (fraction, n);
                }
            }
            (false, true) => leave = leave.min(start / (start - end)),
            (false, false) => {}
        }
    }

    (enter <= leave).then_some((enter, plane))
}

fn enter_half_space<const D: usize>(half: &HalfSpace<D>, pose: &Pose<D>, ray: &Ray<D>) -> Entry<D> {
    let height = |p: &Point<D>| half.normal().dot(&(pose.to_local(p) - half.point()));
    match enter_planes(std::iter::once([height(&ray.from), height(&ray.to)])) {
        Some((fraction, _)) => Entry::At(fraction, pose.vector(&half.normal()), Feature::Face(0)),
        None => Entry::Missed,
    }
}
