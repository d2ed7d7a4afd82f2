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
//! linear on each part. Cost: O(facets²) per face in the worst case, but few facets are near.

use super::ball_surface::face_normal;
use super::nodes::{corners, in_faces, nodes_in};
use super::{ContactPoint, Overlap, PairContact, Relative, SurfaceBody};
use crate::bound::around;
use crate::shape::{Feature, Polyhedron};
use crate::space::{Point, Pose, Vector};

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
    let start = found.len();
    let mut faces = Vec::new();
    let seen = around(body.points(), &pose.inverse().after(pose_body));
    surface.tree().boxes().find_overlapping(&seen, &mut faces);
    let mut press = Press::new(body, pose_body, surface, pose);
    found.extend(faces.into_iter().filter_map(|face| press.face(face)));

    if found.len() == start
        && surface.tree().is_closed()
        && surface.faces().bounds().overlaps(&seen)
    {
        let dent = |point: &Point<3>| in_faces(surface.faces(), pose, point);
        nodes_in(corners(body.points(), pose_body), dent, found);
    }
}

/// Data common to all faces, and scratch memory. Coordinates are in the body's frame, relative to one
/// of its corners.
struct Press<'a> {
    pose_body: &'a Pose<3>,
    surface: &'a SurfaceBody,
    relative: Relative<3>,
    origin: Point<3>,
    /// The body's centroid, which determines the side of an open wall; `None` for a closed surface.
    middle: Option<Point<3>>,
    /// Normals and offsets: the depth below a facet is offset − normal·x.
    facets: Vec<(Vector<3>, f64)>,
    clipped: Vec<Vector<3>>,
    part: Vec<Vector<3>>,
    spare: Vec<Vector<3>>,
}

/// Sums over the parts of a face.
#[derive(Default)]
struct Sum {
    area: f64,
    measure: f64,
    moment: Vector<3>,
    deepest: Option<(f64, Vector<3>, u32)>,
}

impl<'a> Press<'a> {
    fn new(
        body: &'a Polyhedron,
        pose_body: &'a Pose<3>,
        surface: &'a SurfaceBody,
        pose: &Pose<3>,
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

        Self {
            pose_body,
            surface,
            relative: Relative::of(pose_body, pose),
            origin,
            middle: (!surface.tree().is_closed()).then(|| body.centroid()),
            facets: (0..body.face_count()).map(facet).collect(),
            clipped: Vec::new(),
            part: Vec::new(),
            spare: Vec::new(),
        }
    }

    fn face(&mut self, face: u32) -> Option<PairContact<3>> {
        let triangle = self.surface.tree().corners(face as usize);
        self.clipped.clear();
        self.clipped.extend(
            triangle
                .iter()
                .map(|p| self.relative.seen_from(&self.origin, p)),
        );

        for (normal, offset) in &self.facets {
            cut(&mut self.clipped, &mut self.spare, |x| {
                offset - normal.dot(x)
            });
            if self.clipped.len() < 3 {
                return None;
            }
        }

        let sum = self.sum();
        let (depth, deepest, facet) = sum.deepest.filter(|_| sum.measure > 0.0)?;
        let normal = self.normal(face);
        let centroid = self
            .pose_body
            .point(&(self.origin + sum.moment / sum.measure));
        let on_b = self.pose_body.point(&(self.origin + deepest));

        Some(PairContact {
            touch: ContactPoint {
                on_a: on_b + normal * depth,
                on_b,
                normal,
                gap: -depth,
                feature_a: Feature::Face(facet),
                feature_b: Feature::Face(face),
            },
            overlap: Some(Overlap {
                measure: sum.measure,
                centroid,
                section: normal * sum.area,
            }),
        })
    }

    /// Returns the normal from the body to the wall.
    fn normal(&self, face: u32) -> Vector<3> {
        let outward = self.relative.vector(&face_normal(self.surface, face));
        let towards_wall = |middle: &Point<3>| {
            let corner = self.surface.tree().corners(face as usize)[0];
            outward.dot(&self.relative.seen_from(middle, &corner)) > 0.0
        };
        let turned = self.middle.as_ref().is_some_and(towards_wall);

        self.pose_body
            .vector(&if turned { outward } else { -outward })
    }

    /// Integrates the depth over the clipped face.
    fn sum(&mut self) -> Sum {
        let mut sum = Sum::default();
        for (facet, (normal, offset)) in self.facets.iter().enumerate() {
            let depth = |x: &Vector<3>| offset - normal.dot(x);
            self.part.clone_from(&self.clipped);
            for (other, (other_normal, other_offset)) in self.facets.iter().enumerate() {
                if other != facet && self.part.len() >= 3 {
                    cut(&mut self.part, &mut self.spare, |x| {
                        (other_offset - other_normal.dot(x)) - depth(x)
                    });
                }
            }
            sum.add(&self.part, depth, facet as u32);
        }

        sum
    }
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
