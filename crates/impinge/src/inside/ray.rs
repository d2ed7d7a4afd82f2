//! Point in polyhedron by ray crossing.
//!
//! A segment from the point to a target outside the bounding box crosses the surface an odd number
//! of times exactly if the point is inside [Muth2006, section 2.2]. The signs are exact, so every
//! degeneracy of the paper (a ray in a face, through an edge or a vertex) is detected, and another
//! ray is drawn. The result is correct for every input: after [`MOST_RAYS`] the last ray is
//! perturbed infinitesimally instead, which removes all degeneracies.
//!
//! Over all faces: O(triangles) per point, the paper's reference. With a bounding-volume hierarchy:
//! about O(√triangles).

use super::Position;
use super::crossing::{Crossing, crosses_nearby, crossing, locate_on};
use super::report::{Locate, Report};
use crate::shape::{Feature, Surface};
use crate::space::{Aabb, Point, Random, Sign, Vector, orient3};
use crate::tree::{Bvh, Segment};
use std::sync::Arc;

/// Maximum number of rays drawn for one point before the last one is perturbed infinitesimally. On
/// the meshes tested, second rays are rare and third ones were not seen; the limit matters only for
/// points chosen adversarially for the seed.
const MOST_RAYS: u32 = 8;

/// Largest slope of a first ray against the axis towards the nearest side: oblique, but still short.
const TILT: f64 = 0.4;

/// Distance beyond the bounding box at which a ray ends, relative to the box.
const BEYOND: f64 = 1.0 / 64.0;

/// A surface prepared for ray crossing. Nested shells are handled by parity, so a shell within a
/// shell bounds a hole whatever the orientation of its triangles.
#[derive(Clone, Debug)]
#[doc(alias = "ray casting")]
#[doc(alias = "even-odd rule")]
pub struct RayCrossing {
    surface: Arc<Surface>,
    faces: Faces,
    seed: u64,
}

/// How candidate faces for a ray are found.
#[derive(Clone, Debug)]
enum Faces {
    Tree(Bvh<3>),
    All(Vec<Aabb<3>>),
}

/// Result of one ray.
struct RayResult {
    on: Option<Feature>,
    degenerate: bool,
}

impl RayCrossing {
    /// Prepares the surface with a bounding-volume hierarchy of its faces.
    ///
    /// ```
    /// use impinge::inside::{Position, RayCrossing};
    /// use impinge::shape::generate;
    /// let ball = RayCrossing::with_tree(generate::sphere(3)?, 1);
    /// let (position, redrawn) = ball.position(0, &[0.1, 0.2, 0.3].into());
    /// assert_eq!((position, redrawn), (Position::Inside, 0));
    /// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
    /// ```
    pub fn with_tree(surface: impl Into<Arc<Surface>>, seed: u64) -> Self {
        let surface = surface.into();
        let faces = Faces::Tree(Bvh::new(&face_boxes(&surface)));
        Self {
            surface,
            faces,
            seed,
        }
    }

    /// Prepares the surface to test all faces for every ray, each after its own bounding box, as in
    /// the paper.
    pub fn over_all_faces(surface: impl Into<Arc<Surface>>, seed: u64) -> Self {
        let surface = surface.into();
        let faces = Faces::All(face_boxes(&surface));
        Self {
            surface,
            faces,
            seed,
        }
    }

    /// Returns the position of the point by parity, and the number of rays that were redrawn. The
    /// rays depend on `row` and the seed; the position depends on neither.
    pub fn position(&self, row: usize, point: &Point<3>) -> (Position, u32) {
        let mut odd = false;
        let (on, redrawn) = self.cross(row, point, &mut odd, |odd, _| *odd = !*odd);
        let position = match (on, odd) {
            (Some(feature), _) => Position::On(feature),
            (None, true) => Position::Inside,
            (None, false) => Position::Outside,
        };

        (position, redrawn)
    }

    /// Returns the exact winding number of the point, or the feature that the point lies on.
    pub fn winding(&self, row: usize, point: &Point<3>) -> Result<i64, Feature> {
        let mut winding = 0;
        let exits = |sum: &mut i64, triangle: usize| {
            let [a, b, c] = self.surface.corners(triangle);
            *sum += if orient3(point, &a, &b, &c) == Sign::Positive {
                1
            } else {
                -1
            };
        };

        match self.cross(row, point, &mut winding, exits) {
            (Some(feature), _) => Err(feature),
            (None, _) => Ok(winding),
        }
    }

    /// Returns the memory of the prepared structure in bytes, excluding the surface.
    pub fn memory(&self) -> usize {
        match &self.faces {
            Faces::Tree(tree) => tree.memory(),
            Faces::All(boxes) => boxes.len() * size_of::<Aabb<3>>(),
        }
    }

    /// Draws rays until one is not degenerate and passes each crossed triangle to the `tally`, or
    /// returns the feature that the point lies on. Also returns the number of redrawn rays.
    fn cross<T: Default>(
        &self,
        row: usize,
        point: &Point<3>,
        tally: &mut T,
        enter: impl Fn(&mut T, usize),
    ) -> (Option<Feature>, u32) {
        if !self.surface.bounds().contains(point) {
            return (None, 0);
        }

        let mut random = Random::new(self.seed ^ (row as u64).wrapping_mul(0xd134_2543_de82_ef95));
        for drawn in 0..MOST_RAYS {
            let target = self.target(point, &mut random, drawn);
            *tally = T::default();
            let shot = self.shoot(point, &target, |triangle| enter(tally, triangle));
            if shot.on.is_some() || !shot.degenerate {
                return (shot.on, drawn);
            }
        }

        *tally = T::default();
        let target = self.target(point, &mut random, MOST_RAYS);
        self.shoot_nearby(point, &target, |triangle| enter(tally, triangle));
        (None, MOST_RAYS)
    }

    /// Calls `through` for each triangle that the ray crosses. All faces that the point lies on are
    /// candidates of any ray from it; the lowest feature is reported.
    fn shoot(
        &self,
        point: &Point<3>,
        target: &Point<3>,
        mut through: impl FnMut(usize),
    ) -> RayResult {
        let mut shot = RayResult {
            on: None,
            degenerate: false,
        };
        self.visit_along(point, target, |triangle| {
            let [a, b, c] = self.surface.corners(triangle);
            match crossing(point, target, &a, &b, &c) {
                Crossing::Apart => {}
                Crossing::Through => through(triangle),
                Crossing::Degenerate => {
                    shot.degenerate = true;
                    let on = locate_on(&self.surface, triangle, point);
                    shot.on = [shot.on, on].into_iter().flatten().min();
                }
            }
        });

        shot
    }

    /// Like `shoot`, for an infinitesimally perturbed target. The end points do not lie on the
    /// surface.
    fn shoot_nearby(&self, point: &Point<3>, target: &Point<3>, mut through: impl FnMut(usize)) {
        self.visit_along(point, target, |triangle| {
            let [a, b, c] = self.surface.corners(triangle);
            if crosses_nearby(point, target, &a, &b, &c) {
                through(triangle);
            }
        });
    }

    fn visit_along(&self, from: &Point<3>, to: &Point<3>, mut visit: impl FnMut(usize)) {
        match &self.faces {
            Faces::Tree(tree) => tree.visit_along(from, to, |triangle| visit(triangle as usize)),
            Faces::All(boxes) => {
                let segment = Segment::new(from, to);
                let touched = boxes
                    .iter()
                    .enumerate()
                    .filter(|(_, bounds)| segment.may_touch(bounds));
                touched.for_each(|(triangle, _)| visit(triangle));
            }
        }
    }

    /// Returns a target outside the bounding box. The first ray leaves through the nearest side of
    /// the box, because short rays meet few faces. It is oblique, because faces and edges are often
    /// parallel to the axes. Later rays take any direction.
    fn target(&self, point: &Point<3>, random: &mut Random, drawn: u32) -> Point<3> {
        let bounds = self.surface.bounds();
        let direction = if drawn == 0 {
            askew_to_nearest_side(bounds, point, random)
        } else {
            random.direction()
        };
        let mut reach = distance_out(bounds, point, &direction) + BEYOND * bounds.longest_edge();

        loop {
            let target = point + direction * reach;
            if !bounds.contains(&target) {
                return target;
            }
            // Rounding can cancel the step if the box is only a few ulps wide.
            reach *= 2.0;
        }
    }
}

impl Locate for RayCrossing {
    fn locate(&self, row: usize, point: &Point<3>, report: &mut Report) -> Position {
        let (position, redrawn) = self.position(row, point);
        report.rays_redrawn += u64::from(redrawn);
        position
    }
}

fn face_boxes(surface: &Surface) -> Vec<Aabb<3>> {
    (0..surface.triangles().len())
        .map(|triangle| Aabb::of(surface.corners(triangle)))
        .collect()
}

/// Returns a unit vector randomly tilted from the axis towards the nearest side of the box.
fn askew_to_nearest_side(bounds: &Aabb<3>, point: &Point<3>, random: &mut Random) -> Vector<3> {
    let to_side = |k: usize| {
        if k < 3 {
            point[k] - bounds.min[k]
        } else {
            bounds.max[k - 3] - point[k - 3]
        }
    };
    let nearest = (1..6).fold(
        0,
        |best, k| if to_side(k) < to_side(best) { k } else { best },
    );
    let mut direction = Vector::from(std::array::from_fn::<f64, 3, _>(|_| {
        random.within(-TILT, TILT)
    }));
    direction[nearest % 3] = if nearest < 3 { -1.0 } else { 1.0 };

    direction.normalize()
}

/// Returns the length after which a ray from within the box has left it.
fn distance_out(bounds: &Aabb<3>, point: &Point<3>, direction: &Vector<3>) -> f64 {
    (0..3)
        .map(|k| {
            let side = if direction[k] > 0.0 {
                bounds.max[k]
            } else {
                bounds.min[k]
            };
            (side - point[k]) / direction[k]
        })
        .filter(|length| length.is_finite())
        .fold(f64::INFINITY, f64::min)
        .min(4.0 * bounds.longest_edge())
}

#[cfg(test)]
mod tests;
