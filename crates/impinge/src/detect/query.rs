//! Queries of a scene at one time: rays, nearest bodies, overlapping bodies, first impact of a moving
//! shape.
//!
//! [`Scene::at`] places the bodies at a time and builds a hierarchy of their boxes; each query then
//! visits only bodies whose boxes it meets. Half-spaces have no box and are tested one by one. Bodies
//! are closed and filled: a ray that starts in a body hits it at once, and a point in a body has a
//! negative distance. Of equally good answers, the one with the lowest body id is returned. Lists of
//! rays or points are processed in parallel; answers come in their order.
//!
//! Rays meet spheres, polyhedra and half-spaces by closed forms and surfaces exactly. Solids and curved
//! faces are approached by steps of the distance to them (sphere tracing, Hart 1996), to within 1e-12 of
//! their size; so are shapes that a moving shape may hit (conservative advancement, Mirtich 1996). Where
//! two shapes have no distance, solids and triangular faces are taken as surfaces.

use super::options::{Options, Want};
use super::scene::Scene;
use super::shape::{PairMethods, Placed, Stamp};
use crate::broad::{BodyId, BroadMethod, Filter};
use crate::narrow::nodes::Exit;
use crate::parallel::prelude::*;
use crate::shape::Feature;
use crate::space::{Aabb, LARGEST_COORDINATE, Point, Pose, Vector, is_usable};
use crate::tree::Bvh;
use std::sync::OnceLock;
use thiserror::Error;

/// Convergence tolerance of a ray march or advancement, relative to the size of a body.
const NEAR: f64 = 1e-12;

/// Maximum number of steps of a ray march or advancement. Grazing rays need the most; a ray that
/// exceeds this number counts as a hit at its current position, early rather than missed.
const MOST_STEPS: usize = 20_000;

/// The part of a line from a start to an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<const D: usize> {
    /// Its start.
    pub from: Point<D>,
    /// Its end; nothing beyond it is reported.
    pub to: Point<D>,
}

/// The first point of a body on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit<const D: usize> {
    /// The body.
    pub body: BodyId,
    /// The fraction of the ray before the hit.
    pub fraction: f64,
    /// The point.
    pub point: Point<D>,
    /// Unit normal of the body's surface, outward; against the ray if it starts in the body.
    pub normal: Vector<D>,
    /// Feature of the body's surface.
    pub feature: Feature,
}

/// The body nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearestBody<const D: usize> {
    /// The body.
    pub body: BodyId,
    /// The closest point of its surface.
    pub on: Point<D>,
    /// Unit vector out of the body.
    pub normal: Vector<D>,
    /// Distance, negative inside the body.
    pub gap: f64,
    /// Feature of the body's surface.
    pub feature: Feature,
}

/// The first body that a moving shape touches.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeHit<const D: usize> {
    /// The body.
    pub body: BodyId,
    /// The fraction of the way before the impact, rounded towards early; 0 if the bodies overlap at the
    /// start.
    pub fraction: f64,
    /// Witness point on the body.
    pub on: Point<D>,
    /// Unit normal from the moving shape to the body.
    pub normal: Vector<D>,
}

/// Error: a query is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("query {item}: {cause}")]
#[non_exhaustive]
pub struct InvalidQuery {
    /// Index of the ray or point in its list; 0 for single queries.
    pub item: usize,
    /// What is wrong.
    pub cause: QueryFault,
}

/// What is wrong with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryFault {
    /// A coordinate, pose or limit is NaN, infinite or beyond 1e60.
    #[error("a coordinate is not finite, or beyond 1e60")]
    NotFinite,
    /// The ray or way has length zero.
    #[error("the ray has length zero")]
    NoLength,
    /// The limit is negative.
    #[error("the limit is negative")]
    Limit,
    /// The pair of the given shape and this body has no distance that an impact could be derived from:
    /// one of them has curved or quadrilateral faces, and the other is not a sphere.
    #[error(
        "first impact is not supported between this shape and body {0}: curved and quadrilateral faces support spheres only"
    )]
    NoDistance(BodyId),
    /// The given shape is a solid, which is supported only as a body of the scene or to be cast.
    #[error("a solid can be cast and be a body of the scene, but not be tested for overlaps")]
    Solid,
}

/// The queries of one shape.
pub trait Queries<const D: usize>: PairMethods<D> {
    /// Places solids in the world.
    fn prepare(bodies: &[Option<Placed<Self, D>>]) -> Self::Deforming;

    /// Returns the exit of a point that is in a body or at most `limit` outside.
    #[doc(hidden)]
    fn exit(
        placed: &Placed<Self, D>,
        prepared: &Self::Deforming,
        point: &Point<D>,
        limit: f64,
    ) -> Option<PointExit<D>>;

    /// Returns where a ray enters a body that it does not start in, if there is a closed form.
    #[doc(hidden)]
    fn enter(placed: &Placed<Self, D>, ray: &Ray<D>) -> Entry<D>;

    /// Whether the gap of two bodies is their distance, and whether both are convex; `None` if it is not.
    #[doc(hidden)]
    fn has_distance(&self, other: &Self) -> Option<Approach>;

    /// Whether the shape is a deforming solid.
    #[doc(hidden)]
    fn is_solid(&self) -> bool;

    /// Returns the surface of a body of flat triangles that has no distance to most shapes itself.
    #[doc(hidden)]
    fn as_surface(&self) -> Option<Self>;
}

/// The exit of a point from a body.
#[derive(Clone, Copy, Debug)]
pub struct PointExit<const D: usize>(pub(super) Exit<D>);

/// How to bound the safe motion of a shape towards another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// For two convex bodies: the distance divided by the speed along the normal.
    Convex,
    /// For all others: the distance divided by the speed.
    Distance,
}

/// Where a ray enters a body.
#[derive(Clone, Copy, Debug)]
pub enum Entry<const D: usize> {
    /// The ray misses the body.
    Missed,
    /// At a fraction, with an outward normal and a feature.
    At(f64, Vector<D>, Feature),
    /// No closed form exists for the shape.
    Unknown,
}

/// The bodies of a scene at one time, ready for queries.
#[derive(Debug)]
pub struct Snapshot<'a, S: Queries<D>, const D: usize> {
    scene: &'a Scene<S, D>,
    bodies: Vec<Option<Placed<'a, S, D>>>,
    boxes: Vec<Aabb<D>>,
    /// Bodies with a box, as the tree numbers them.
    finite: Vec<BodyId>,
    endless: Vec<BodyId>,
    tree: Bvh<D>,
    prepared: S::Deforming,
    /// Surfaces of bodies that shapes were cast at, where the bodies themselves have no distance.
    surfaces: Vec<OnceLock<Option<S>>>,
}

impl<S: Queries<D>, const D: usize> Scene<S, D> {
    /// Places all bodies at a time, for queries. The error names a body whose motion has left the
    /// supported range.
    ///
    /// ```
    /// use impinge::broad::Filter;
    /// use impinge::detect::{Place, Ray, Scene3, Shape3};
    /// use impinge::{shape::Sphere, space::{Point, Pose}};
    /// let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0)?);
    /// let mut scene = Scene3::default();
    /// scene.add(ball.clone(), Place::Moved(Pose::at([5.0, 0.0, 0.0])))?;
    /// scene.add(ball.clone(), Place::Moved(Pose::at([9.0, 0.0, 0.0])))?;
    /// let now = scene.at(0.0)?;
    ///
    /// let ray = Ray { from: Point::origin(), to: [20.0, 0.0, 0.0].into() };
    /// let hit = now.cast_ray(&ray, Filter::ALL)?.unwrap();
    /// assert_eq!((hit.body, hit.point), (0, [4.0, 0.0, 0.0].into()));
    ///
    /// let nearest = now.nearest(&[8.0, 2.0, 0.0].into(), f64::INFINITY, Filter::ALL)?.unwrap();
    /// assert_eq!(nearest.body, 1);
    ///
    /// let mut bodies = Vec::new();
    /// now.overlapping(&ball, &Pose::at([6.9, 0.0, 0.0]), Filter::ALL, &mut bodies)?;
    /// assert_eq!(bodies, [0]);
    ///
    /// let way = [10.0, 0.0, 0.0].into();
    /// let impact = now.cast_shape(&ball, &Pose::identity(), &way, Filter::ALL)?.unwrap();
    /// assert!((impact.fraction - 0.3).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, time: f64) -> Result<Snapshot<'_, S, D>, InvalidQuery> {
        let invalid = InvalidQuery {
            item: 0,
            cause: QueryFault::NotFinite,
        };
        if !time.is_finite() {
            return Err(invalid);
        }

        let bodies = self.placed(time);
        if bodies
            .iter()
            .flatten()
            .any(|placed| !placed.pose.is_usable())
        {
            return Err(invalid);
        }

        let (mut finite, mut endless, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
        for placed in bodies.iter().flatten() {
            if placed.shape.half_space().is_some() {
                endless.push(placed.id);
            } else {
                finite.push(placed.id);
                boxes.push(placed.shape.bounds(&placed.pose));
            }
        }

        Ok(Snapshot {
            scene: self,
            tree: Bvh::new(&boxes),
            prepared: S::prepare(&bodies),
            surfaces: bodies.iter().map(|_| OnceLock::new()).collect(),
            bodies,
            boxes,
            finite,
            endless,
        })
    }
}

impl<S: Queries<D>, const D: usize> Snapshot<'_, S, D> {
    /// Returns the first body on a ray, among those that the filter allows.
    pub fn cast_ray(
        &self,
        ray: &Ray<D>,
        filter: Filter,
    ) -> Result<Option<RayHit<D>>, InvalidQuery> {
        check_ray(ray, 0)?;
        Ok(self.first_on(ray, filter))
    }

    /// Casts many rays in parallel; returns one answer for each, in their order.
    pub fn cast_rays(
        &self,
        rays: &[Ray<D>],
        filter: Filter,
        found: &mut Vec<Option<RayHit<D>>>,
    ) -> Result<(), InvalidQuery> {
        for (item, ray) in rays.iter().enumerate() {
            check_ray(ray, item)?;
        }

        rays.par_iter()
            .map(|ray| self.first_on(ray, filter))
            .collect_into_vec(found);
        Ok(())
    }

    /// Returns the body nearest to a point, at most `limit` away, among those that the filter allows.
    pub fn nearest(
        &self,
        point: &Point<D>,
        limit: f64,
        filter: Filter,
    ) -> Result<Option<NearestBody<D>>, InvalidQuery> {
        check_point(point, 0)?;
        check_limit(limit)?;
        Ok(self.nearest_to(point, limit.min(LARGEST_COORDINATE), filter))
    }

    /// Finds the nearest bodies of many points in parallel; returns one answer for each, in their
    /// order.
    pub fn nearest_bodies(
        &self,
        points: &[Point<D>],
        limit: f64,
        filter: Filter,
        found: &mut Vec<Option<NearestBody<D>>>,
    ) -> Result<(), InvalidQuery> {
        check_limit(limit)?;
        for (item, point) in points.iter().enumerate() {
            check_point(point, item)?;
        }

        let limit = limit.min(LARGEST_COORDINATE);
        points
            .par_iter()
            .map(|point| self.nearest_to(point, limit, filter))
            .collect_into_vec(found);
        Ok(())
    }

    /// Writes the bodies that touch or overlap a shape at a pose, among those that the filter allows;
    /// sorted.
    pub fn overlapping(
        &self,
        shape: &S,
        pose: &Pose<D>,
        filter: Filter,
        found: &mut Vec<BodyId>,
    ) -> Result<(), InvalidQuery> {
        let query = self.placed(shape, pose)?;
        let mut candidates = Vec::new();
        self.find_candidates(&shape.bounds(pose), filter, &mut candidates);
        found.clear();
        found.extend(candidates.into_iter().filter(|&id| {
            let placed = self.bodies[id as usize].as_ref();
            placed
                .and_then(|placed| self.gap(&query, placed, 0.0))
                .is_some_and(|(gap, ..)| gap <= 0.0)
        }));

        Ok(())
    }

    /// Returns the first body that a shape touches while it moves along a vector without rotation,
    /// among those that the filter allows.
    pub fn cast_shape(
        &self,
        shape: &S,
        pose: &Pose<D>,
        way: &Vector<D>,
        filter: Filter,
    ) -> Result<Option<ShapeHit<D>>, InvalidQuery> {
        let surface = if shape.is_solid() {
            shape.as_surface()
        } else {
            None
        };
        let query = self.placed(surface.as_ref().unwrap_or(shape), pose)?;
        check_ray(
            &Ray {
                from: Point::origin(),
                to: Point::from(*way),
            },
            0,
        )?;

        let bounds = shape.bounds(pose);
        let end = Aabb {
            min: bounds.min + way,
            max: bounds.max + way,
        };
        let mut candidates = Vec::new();
        self.find_candidates(&bounds.merged(&end), filter, &mut candidates);

        let mut first: Option<ShapeHit<D>> = None;
        for id in candidates {
            let until = first.map_or(1.0, |hit| hit.fraction);
            let hit = self.approach(&query, id, way, until)?;
            if hit.is_some_and(|hit| first.is_none_or(|first| hit.fraction < first.fraction)) {
                first = hit;
            }
        }

        Ok(first)
    }

    fn first_on(&self, ray: &Ray<D>, filter: Filter) -> Option<RayHit<D>> {
        let mut best: Option<RayHit<D>> = None;
        let mut candidates = Vec::new();
        self.tree.visit_along(&ray.from, &ray.to, |item| {
            candidates.push(self.finite[item as usize])
        });
        candidates.extend_from_slice(&self.endless);
        candidates.retain(|&id| filter.allows(&self.scene.filter(id)));
        candidates.sort_unstable();

        for id in candidates {
            let until = best.map_or(1.0, |hit| hit.fraction);
            if let Some(hit) = self.hit(ray, id, until)
                && best.is_none_or(|best| hit.fraction < best.fraction)
            {
                best = Some(hit);
            }
        }

        best
    }

    /// Returns the first point of a body on a ray, up to a fraction of it.
    fn hit(&self, ray: &Ray<D>, id: BodyId, until: f64) -> Option<RayHit<D>> {
        let placed = self.bodies[id as usize].as_ref()?;
        let way = ray.to - ray.from;
        let at = |fraction: f64, normal: Vector<D>, feature: Feature| RayHit {
            body: id,
            fraction,
            point: ray.from + way * fraction,
            normal,
            feature,
        };
        if let Some(PointExit(exit)) = S::exit(placed, &self.prepared, &ray.from, 0.0) {
            let back = -way / way.norm();
            return Some(at(0.0, back, exit.feature));
        }

        match S::enter(placed, ray) {
            Entry::Missed => None,
            Entry::At(fraction, normal, feature) => {
                (fraction <= until).then(|| at(fraction, normal, feature))
            }
            Entry::Unknown => self
                .trace(placed, ray, until)
                .map(|(fraction, exit)| at(fraction, exit.outward, exit.feature)),
        }
    }

    /// Marches along a ray in steps of the distance to the body (sphere tracing).
    fn trace(&self, placed: &Placed<S, D>, ray: &Ray<D>, until: f64) -> Option<(f64, Exit<D>)> {
        let way = ray.to - ray.from;
        let length = way.norm();
        let near = NEAR
            * (placed.shape.local_bounds().longest_edge() + placed.pose.position().coords.amax());
        let mut fraction = 0.0;
        for step in 0.. {
            let point = ray.from + way * fraction;
            let PointExit(exit) = S::exit(placed, &self.prepared, &point, LARGEST_COORDINATE)?;
            if exit.gap <= near || step == MOST_STEPS {
                return Some((fraction, exit));
            }
            fraction += exit.gap / length;
            if fraction > until {
                break;
            }
        }

        None
    }

    fn nearest_to(&self, point: &Point<D>, limit: f64, filter: Filter) -> Option<NearestBody<D>> {
        let mut best: Option<NearestBody<D>> = None;
        let mut visit = |id: BodyId, reach: f64| -> f64 {
            let allowed = filter.allows(&self.scene.filter(id));
            let placed = self.bodies[id as usize].as_ref().filter(|_| allowed);
            let exit = placed.and_then(|placed| S::exit(placed, &self.prepared, point, reach));
            let Some(PointExit(exit)) = exit else {
                return f64::INFINITY;
            };
            let is_better = |best: NearestBody<D>| (exit.gap, id) < (best.gap, best.body);
            if best.is_none_or(is_better) {
                best = Some(NearestBody {
                    body: id,
                    on: exit.on,
                    normal: exit.outward,
                    gap: exit.gap,
                    feature: exit.feature,
                });
            }
            exit.gap
        };

        let mut reach = limit;
        for &id in &self.endless {
            reach = reach.min(visit(id, reach));
        }

        // A point inside a body has a negative distance, so all boxes that contain it are visited.
        let bound = |bounds: &Aabb<D>| bounds.squared_distance(point).sqrt();
        self.tree.least(reach.max(0.0), bound, |item, least| {
            visit(self.finite[item as usize], least).max(0.0)
        });

        best
    }

    /// Lists the bodies whose boxes meet a box, and all half-spaces, that a filter allows; sorted.
    fn find_candidates(&self, bounds: &Aabb<D>, filter: Filter, found: &mut Vec<BodyId>) {
        self.tree.visit(
            |other| other.overlaps(bounds),
            |item| {
                if self.boxes[item as usize].overlaps(bounds) {
                    found.push(self.finite[item as usize]);
                }
            },
        );
        found.extend_from_slice(&self.endless);
        found.retain(|&id| filter.allows(&self.scene.filter(id)));
        found.sort_unstable();
    }

    /// Places the shape of a query.
    fn placed<'q>(&self, shape: &'q S, pose: &Pose<D>) -> Result<Placed<'q, S, D>, InvalidQuery> {
        let invalid = |cause| InvalidQuery { item: 0, cause };
        if !pose.is_usable() {
            return Err(invalid(QueryFault::NotFinite));
        }
        if shape.is_solid() {
            return Err(invalid(QueryFault::Solid));
        }

        Ok(Placed {
            id: self.bodies.len() as BodyId,
            shape,
            pose: *pose,
            stamp: Stamp::default(),
        })
    }

    /// Returns the least gap to a body, if it is at most `margin`, with the witness on the body and the
    /// normal towards it.
    fn gap(
        &self,
        query: &Placed<S, D>,
        placed: &Placed<S, D>,
        margin: f64,
    ) -> Option<(f64, Point<D>, Vector<D>)> {
        let options = Options {
            margin,
            want: Want::TOUCH,
            broad: BroadMethod::Auto,
        };
        let (mut found, mut kept) = (Vec::new(), S::Cache::default());
        S::meet(
            query,
            placed,
            &mut kept,
            &self.prepared,
            &options,
            &mut found,
        );
        let least = found
            .iter()
            .min_by(|p, q| p.touch.gap.total_cmp(&q.touch.gap))?;

        Some((least.touch.gap, least.touch.on_b, least.touch.normal))
    }

    /// Advances a shape towards a body by steps that cannot pass it.
    fn approach(
        &self,
        query: &Placed<S, D>,
        id: BodyId,
        way: &Vector<D>,
        until: f64,
    ) -> Result<Option<ShapeHit<D>>, InvalidQuery> {
        let Some(placed) = self.bodies[id as usize].as_ref() else {
            return Ok(None);
        };
        let (mut query, mut placed) = (*query, *placed);
        let own;
        if query.shape.has_distance(placed.shape).is_none() {
            own = query.shape.as_surface();
            query.shape = own.as_ref().unwrap_or(query.shape);
            let surface = self.surfaces[id as usize].get_or_init(|| placed.shape.as_surface());
            placed.shape = surface.as_ref().unwrap_or(placed.shape);
        }
        let Some(approach) = query.shape.has_distance(placed.shape) else {
            let cause = QueryFault::NoDistance(id);
            return Err(InvalidQuery { item: 0, cause });
        };

        let length = way.norm();
        let size = query.shape.local_bounds().longest_edge();
        let near = NEAR * (size + query.pose.position().coords.amax() + length);
        let mut fraction = 0.0;
        for step in 0.. {
            let position = query.pose.position() + way * fraction;
            let here = Placed {
                pose: Pose::from_rotation(*query.pose.rotation(), position.coords),
                ..query
            };
            // Faces are compared one by one within the margin: half a body is far enough at once.
            let margin = ((until - fraction) * length).min(0.5 * size).max(near);
            let (gap, speed) = match self.gap(&here, &placed, margin) {
                None => (margin, length),
                Some((gap, on, normal)) if gap <= near || step >= MOST_STEPS => {
                    return Ok(Some(ShapeHit {
                        body: id,
                        fraction,
                        on,
                        normal,
                    }));
                }
                Some((gap, _, normal)) => match approach {
                    Approach::Convex => (gap, normal.dot(way)),
                    Approach::Distance => (gap, length),
                },
            };
            if speed <= 0.0 {
                return Ok(None);
            }

            // Half of the tolerance remains, so that the shape never passes the surface.
            fraction += ((gap - 0.5 * near) / speed).max(0.0);
            if fraction > until {
                break;
            }
        }

        Ok(None)
    }
}

fn check_point<const D: usize>(point: &Point<D>, item: usize) -> Result<(), InvalidQuery> {
    let cause = QueryFault::NotFinite;
    if is_usable(point) {
        Ok(())
    } else {
        Err(InvalidQuery { item, cause })
    }
}

fn check_ray<const D: usize>(ray: &Ray<D>, item: usize) -> Result<(), InvalidQuery> {
    check_point(&ray.from, item)?;
    check_point(&ray.to, item)?;
    let cause = QueryFault::NoLength;
    // A length that underflows has no direction either.
    if (ray.to - ray.from).norm() > 0.0 {
        Ok(())
    } else {
        Err(InvalidQuery { item, cause })
    }
}

fn check_limit(limit: f64) -> Result<(), InvalidQuery> {
    let invalid = |cause| Err(InvalidQuery { item: 0, cause });
    match limit {
        _ if limit.is_nan() => invalid(QueryFault::NotFinite),
        _ if limit < 0.0 => invalid(QueryFault::Limit),
        _ => Ok(()),
    }
}
