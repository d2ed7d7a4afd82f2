//! A convex body against a surface that need not be convex: pressure on the part of each face inside
//! the body.
//!
//! A point x of the surface inside the body has the depth d(x), its distance to the body's own surface:
//! the least of the depths below the body's facets. The integral ∫ d n dA over the surface inside the
//! body is minus the gradient of ∫ d dV over the intersection. A force proportional to it is therefore
//! conservative.
//!
//! The integral is additive over faces. The triangulation of a wall does not matter, and a shared edge,
//! which has no area, is not counted twice. At the rim of a wall, the strip of the side face inside the
//! body is as narrow as the contact is deep. Its contribution is only of the order of the depth
//! squared.
//!
//! Each face is clipped by the body's facets. The remainder is divided by nearest facet, so that d is
//! linear on each part. Faces that are not inside the body are contacts if GJK finds them within the
//! margin. Cost: O(facets + vertices) per face in the body's box; O(k²) per face in contact, with k
//! facets that may be nearest.

use super::ball_surface::face_normal;
use super::gjk::{self, Corners, Simplex};
use super::nodes::{NodeBody, nodes_in};
use super::places::{self, Dimension, Key, Parts, Role};
use super::{ContactPoint, Overlap, PairContact, Relative, SurfaceBody};
use crate::bound::around;
use crate::shape::{Feature, Polyhedron};
use crate::space::{Aabb, Point, Pose, Vector};
use std::cell::RefCell;

/// Sine of the angle below which a facet counts as parallel to the normal of a face.
const PARALLEL: f64 = 1e-9;

/// Largest ratio of the body's thickness behind a face to the greatest depth. On the strip of a side
/// face at the rim of a contact the body is as thick as it is wide; such a strip is not a contact of
/// its own.
const THICKER: f64 = 4.0;

/// Appends a contact for each face of the surface that is partly inside the body, in ascending order of
/// faces.
///
/// An open wall pushes towards the side of the body's centre. A body wholly inside a closed surface has
/// a contact for each of its corners.
pub fn convex_surface(
    body: &Polyhedron,
    pose_body: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    found: &mut Vec<PairContact<3>>,
) {
    <Dimension as places::Scratch<3>>::with(|parts| {
        find(body, pose_body, surface, pose, &Reach::default(), parts);
        found.append(&mut parts.contacts);
    });
}

/// Appends a contact for each connected place where the surface is inside the body or at most `margin`
/// away. `manifold` selects whether all points of each place are computed, or only the deepest.
pub(crate) fn convex_surface_places(
    body: &Polyhedron,
    pose_body: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    reach: &Reach,
    found: &mut Vec<PairContact<3>>,
) {
    <Dimension as places::Scratch<3>>::with(|parts| {
        find(body, pose_body, surface, pose, reach, parts);
        parts.convex = Some(1);
        let deepest = parts.contacts.iter().map(|contact| -contact.touch.gap);
        let limit = THICKER * deepest.fold(0.0, f64::max);
        parts.prefer(|contact| {
            contact.touch.gap >= 0.0 || thickness(body, pose_body, &contact.touch) <= limit
        });
        parts.join(found);
    });
}

/// Returns the thickness of the body behind the deepest point of a face, along the face's normal.
fn thickness(body: &Polyhedron, pose: &Pose<3>, touch: &ContactPoint<3>) -> f64 {
    let (x, along) = (
        pose.to_local(&touch.on_b),
        pose.vector_to_local(&touch.normal),
    );
    let exits = (0..body.face_count()).filter_map(|facet| {
        let slope = body.planes()[facet].normal.dot(&along);
        (slope > PARALLEL).then(|| -body.height(facet, &x) / slope)
    });
    exits.fold(f64::INFINITY, f64::min)
}

/// The margin of contacts, and whether their manifolds are computed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) margin: f64,
    pub(crate) manifold: bool,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Memory reused from pair to pair.
#[derive(Default)]
struct Scratch {
    faces: Vec<u32>,
    /// Normals and offsets: the depth below a facet is offset − normal·x.
    facets: Vec<(Vector<3>, f64)>,
    /// Facets that may be nearest to a point of the clipped face.
    nearest: Vec<u32>,
    clipped: Vec<Vector<3>>,
    part: Vec<Vector<3>>,
    spare: Vec<Vector<3>>,
}

fn find(
    body: &Polyhedron,
    pose_body: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    reach: &Reach,
    parts: &mut Parts<3>,
) {
    let seen = around(body.points(), &pose.inverse().after(pose_body)).grown(reach.margin);
    SCRATCH.with_borrow_mut(|scratch| {
        let tree = surface.tree().boxes();
        scratch.faces.clear();
        tree.visit_overlapping(&seen, |face| scratch.faces.push(face));
        if scratch.faces.is_empty() {
            return;
        }

        scratch.faces.sort_unstable();
        let mut press = SurfaceQuery::new(body, pose_body, surface, pose, reach, scratch);
        for n in 0..press.scratch.faces.len() {
            press.face(press.scratch.faces[n], parts);
        }
    });

    // With a margin, a body inside the surface may be near faces too.
    let is_clear = parts.contacts.iter().all(|contact| contact.touch.gap > 0.0);
    if is_clear && is_inside(body, pose_body, surface, pose, &seen) {
        nodes_in(body, pose_body, surface.faces(), pose, parts.cleared());
    }
}

/// Whether a body that meets no face is wholly inside a closed surface: one of its corners decides.
fn is_inside(
    body: &Polyhedron,
    pose_body: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    seen: &Aabb<3>,
) -> bool {
    let bounds = surface.faces().bounds();
    let corner = pose_body.point(&body.points()[0]);
    surface.tree().is_closed()
        && bounds.overlaps(seen)
        && surface.faces().exit(pose, &corner, 0.0).is_some()
}

/// Data common to all faces. Coordinates are in the body's frame, relative to one of its corners.
struct SurfaceQuery<'a> {
    body: &'a Polyhedron,
    pose_body: &'a Pose<3>,
    surface: &'a SurfaceBody,
    pose: &'a Pose<3>,
    relative: Relative<3>,
    origin: Point<3>,
    /// The body's centre, which determines the side of an open wall; `None` for a closed surface.
    middle: Option<Point<3>>,
    reach: &'a Reach,
    /// The facet that excluded the last face: neighbours are likely to be excluded by it too.
    excluded: usize,
    scratch: &'a mut Scratch,
}

/// Sums over the parts of a face.
#[derive(Default)]
struct Sum {
    area: f64,
    measure: f64,
    moment: Vector<3>,
    deepest: Option<(f64, Vector<3>, u32)>,
}

impl<'a> SurfaceQuery<'a> {
    fn new(
        body: &'a Polyhedron,
        pose_body: &'a Pose<3>,
        surface: &'a SurfaceBody,
        pose: &'a Pose<3>,
        reach: &'a Reach,
        scratch: &'a mut Scratch,
    ) -> Self {
        let origin = body.points()[0];
        let facet = |face: usize| {
            let corner = body.face_corners(face).next().unwrap_or(0);
            let normal = body.planes()[face].normal;
            (
                normal,
                normal.dot(&(body.points()[corner as usize] - origin)),
            )
        };
        scratch.facets.clear();
        scratch.facets.extend((0..body.face_count()).map(facet));

        Self {
            body,
            pose_body,
            surface,
            pose,
            relative: Relative::of(pose_body, pose),
            origin,
            middle: (!surface.tree().is_closed()).then(|| mean(body.points())),
            reach,
            excluded: 0,
            scratch,
        }
    }

    /// Adds the contact of a face, if it has one.
    fn face(&mut self, face: u32, parts: &mut Parts<3>) {
        let corners = self.surface.tree().corners(face as usize);
        let triangle = corners.map(|p| self.relative.seen_from(&self.origin, &p));
        if self.is_excluded(&triangle) {
            return;
        }

        let normal = self.normal(face, &triangle);
        let contact = match self.pressed(face, &triangle, &normal) {
            Some(contact) => contact,
            None => match self.near(face, &corners, &normal) {
                Some(contact) => contact,
                None => return,
            },
        };
        parts.contacts.push(contact);
        for node in self.surface.tree().triangles()[face as usize] {
            parts.key(Key::Node(1, node), Role::Own);
        }

        if self.reach.manifold {
            self.manifold(face, &triangle, &normal, parts);
        }
    }

    /// Whether a facet, or the face's own plane, separates the face from the body by more than the
    /// margin.
    fn is_excluded(&mut self, triangle: &[Vector<3>; 3]) -> bool {
        let margin = self.reach.margin;
        let facets = &self.scratch.facets;
        let is_above = |n: usize| {
            let (normal, offset) = &facets[n];
            triangle.iter().all(|x| offset - normal.dot(x) < -margin)
        };
        if is_above(self.excluded) {
            return true;
        }
        if let Some(n) = (0..facets.len()).find(|&n| is_above(n)) {
            self.excluded = n;
            return true;
        }

        let [p, q, r] = triangle;
        let across = (q - p).cross(&(r - p));
        let limit = margin * across.norm();
        let heights = self
            .body
            .points()
            .iter()
            .map(|x| across.dot(&(x - self.origin - p)));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        });

        low > limit || high < -limit
    }

    /// Returns the contact of a face that is partly inside the body.
    fn pressed(
        &mut self,
        face: u32,
        triangle: &[Vector<3>; 3],
        normal: &Vector<3>,
    ) -> Option<PairContact<3>> {
        self.clip(triangle, |_| 0.0);
        if self.scratch.clipped.len() < 3 {
            return None;
        }

        let sum = self.sum();
        let (depth, deepest, facet) = sum.deepest.filter(|_| sum.measure > 0.0)?;
        let centroid = self
            .pose_body
            .point(&(self.origin + sum.moment / sum.measure));
        let on_b = self.pose_body.point(&(self.origin + deepest));
        let normal = self.pose_body.vector(normal);

        let overlap = Overlap {
            measure: sum.measure,
            centroid,
            section: normal * sum.area,
        };
        let touch = ContactPoint {
            on_a: on_b + normal * depth,
            on_b,
            normal,
            gap: -depth,
            feature_a: Feature::Face(facet),
            feature_b: Feature::Face(face),
        };
        Some(PairContact {
            overlap: Some(overlap),
            ..PairContact::plain(touch)
        })
    }

    /// Returns the contact of a face that touches the body or is within the margin of it.
    fn near(
        &self,
        face: u32,
        corners: &[Point<3>; 3],
        normal: &Vector<3>,
    ) -> Option<PairContact<3>> {
        let mut simplex = Simplex::default();
        let found = gjk::distance(
            self.body,
            self.pose_body,
            &Corners(corners),
            self.pose,
            &mut simplex,
        );
        let normal = if found.distance > 0.0 {
            found.normal
        } else {
            self.pose_body.vector(normal)
        };
        let facet = self
            .scratch
            .facets
            .iter()
            .enumerate()
            .max_by(|(_, f), (_, g)| {
                let along = self.pose_body.vector_to_local(&normal);
                f.0.dot(&along).total_cmp(&g.0.dot(&along))
            });

        (found.distance <= self.reach.margin).then(|| {
            PairContact::plain(ContactPoint {
                on_a: found.on_a,
                on_b: found.on_b,
                normal,
                gap: found.distance,
                feature_a: Feature::Face(facet.map_or(0, |(n, _)| n as u32)),
                feature_b: Feature::Face(face),
            })
        })
    }

    /// Adds the corners of the part of the face below the body, swept by the margin towards the face,
    /// with the body's thickness there.
    fn manifold(
        &mut self,
        face: u32,
        triangle: &[Vector<3>; 3],
        normal: &Vector<3>,
        parts: &mut Parts<3>,
    ) {
        let margin = self.reach.margin;
        self.clip(triangle, |facet| margin * facet.dot(normal).max(0.0));
        let world = self.pose_body.vector(normal);
        for x in &self.scratch.clipped {
            let ways = (0..)
                .zip(&self.scratch.facets)
                .filter_map(|(n, (facet, offset))| {
                    let slope = facet.dot(normal);
                    (slope > PARALLEL).then(|| ((offset - facet.dot(x)) / slope, n))
                });
            let Some((depth, facet)) = ways.min_by(|p, q| p.0.total_cmp(&q.0)) else {
                continue;
            };
            let on_b = self.pose_body.point(&(self.origin + x));
            parts.point(ContactPoint {
                on_a: on_b + world * depth,
                on_b,
                normal: world,
                gap: -depth,
                feature_a: Feature::Face(facet),
                feature_b: Feature::Face(face),
            });
        }
    }

    /// Returns the unit normal from the body to the wall, in the body's frame.
    fn normal(&self, face: u32, triangle: &[Vector<3>; 3]) -> Vector<3> {
        let outward = self.relative.vector(&face_normal(self.surface, face));
        let towards_wall =
            |middle: &Point<3>| outward.dot(&(triangle[0] - (middle - self.origin))) > 0.0;

        if self.middle.as_ref().is_some_and(towards_wall) {
            outward
        } else {
            -outward
        }
    }

    /// Clips a triangle by the facets, each moved outward by some length.
    fn clip(&mut self, triangle: &[Vector<3>; 3], outward: impl Fn(&Vector<3>) -> f64) {
        let Scratch {
            clipped,
            spare,
            facets,
            ..
        } = &mut *self.scratch;
        clipped.clear();
        clipped.extend_from_slice(triangle);

        for (normal, offset) in facets.iter() {
            let offset = offset + outward(normal);
            let depth = |x: &Vector<3>| offset - normal.dot(x);
            // Most facets do not cut the face.
            if triangle.iter().all(|x| depth(x) >= 0.0) {
                continue;
            }
            cut(clipped, spare, depth);
            if clipped.is_empty() {
                return;
            }
        }
    }

    /// Integrates the depth over the clipped face.
    fn sum(&mut self) -> Sum {
        let mut sum = Sum::default();
        let Scratch {
            clipped,
            part,
            spare,
            facets,
            nearest,
            ..
        } = &mut *self.scratch;
        find_nearest(facets, clipped, nearest);

        for &facet in nearest.iter() {
            let (normal, offset) = &facets[facet as usize];
            let depth = |x: &Vector<3>| offset - normal.dot(x);
            part.clone_from(clipped);
            for &other in nearest.iter() {
                if other != facet && part.len() >= 3 {
                    let (other_normal, other_offset) = &facets[other as usize];
                    cut(part, spare, |x| {
                        (other_offset - other_normal.dot(x)) - depth(x)
                    });
                }
            }
            sum.add(part, depth, facet);
        }

        sum
    }
}

/// Lists the facets that may be nearest to some point of a polygon: those whose least depth does not
/// exceed the least over all facets of the greatest depth.
fn find_nearest(facets: &[(Vector<3>, f64)], polygon: &[Vector<3>], nearest: &mut Vec<u32>) {
    let range = |(normal, offset): &(Vector<3>, f64)| {
        let depths = polygon.iter().map(|x| offset - normal.dot(x));
        depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), d| {
            (low.min(d), high.max(d))
        })
    };
    let limit = facets
        .iter()
        .map(|facet| range(facet).1)
        .fold(f64::INFINITY, f64::min);
    let may_be = |facet: &(Vector<3>, f64)| range(facet).0 <= limit;

    nearest.clear();
    nearest.extend(
        (0..)
            .zip(facets)
            .filter(|(_, facet)| may_be(facet))
            .map(|(n, _)| n),
    );
}

/// Returns the mean of points.
fn mean(points: &[Point<3>]) -> Point<3> {
    let first = points[0];
    let sum: Vector<3> = points.iter().map(|p| p - first).sum();
    first + sum / points.len() as f64
}

impl Sum {
    /// Adds a part on which the depth is linear; corner values of its triangles give the exact
    /// integral.
    fn add(&mut self, part: &[Vector<3>], depth: impl Fn(&Vector<3>) -> f64, facet: u32) {
        if part.len() < 3 {
            return;
        }

        for pair in part[1..].windows(2) {
            let [p, q, r] = [part[0], pair[0], pair[1]];
            let area = 0.5 * (q - p).cross(&(r - p)).norm();
            let depths = [p, q, r].map(|x| depth(&x).max(0.0));
            let total: f64 = depths.iter().sum();
            self.area += area;
            self.measure += area * total / 3.0;
            // ∫ λᵢ λⱼ over a triangle is area/12, and twice that for i = j.
            for (x, d) in [p, q, r].iter().zip(depths) {
                self.moment += x * (area * (total + d) / 12.0);
            }
        }

        for x in part {
            let d = depth(x);
            if self.deepest.is_none_or(|(most, _, _)| d > most) {
                self.deepest = Some((d, *x, facet));
            }
        }
    }
}

/// Keeps the part of a convex polygon where a linear function is not negative.
fn cut(
    polygon: &mut Vec<Vector<3>>,
    spare: &mut Vec<Vector<3>>,
    value: impl Fn(&Vector<3>) -> f64,
) {
    spare.clear();
    for (i, p) in polygon.iter().enumerate() {
        let q = &polygon[(i + 1) % polygon.len()];
        let (here, there) = (value(p), value(q));
        if here >= 0.0 {
            spare.push(*p);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            spare.push(p + (q - p) * (here / (here - there)));
        }
    }

    std::mem::swap(polygon, spare);
}
