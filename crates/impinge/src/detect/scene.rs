//! The bodies of a scene: their shapes, poses or motions, and collision filters.

use super::shape::{Placed, Shape, Stamp};
use super::shape2::Shape2;
use super::shape3::Shape3;
use crate::broad::{BodyId, Filter, Pair};
use crate::shape::Problem;
use crate::space::{InvalidMotion, Motion, Point, Pose};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// How the pose of a body is determined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place<const D: usize> {
    /// The body never moves. Two fixed bodies have no contacts.
    Fixed(Pose<D>),
    /// The body follows a prescribed motion from a given time on.
    Given {
        /// The motion; its time is zero at `since`.
        motion: Motion<D>,
        /// Start time of the motion.
        since: f64,
    },
    /// The body stays at this pose until the user changes it.
    Moved(Pose<D>),
}

/// A body of a scene.
#[derive(Clone, Debug)]
struct Body<S, const D: usize> {
    shape: S,
    place: Place<D>,
    filter: Filter,
    stamp: Stamp,
}

/// Error: a body is invalid or does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("body {body}: {cause}")]
#[non_exhaustive]
pub struct InvalidBody {
    /// Id of the body, or the id that it would have received.
    pub body: BodyId,
    /// What is wrong.
    pub cause: Cause,
}

/// What is wrong with a body.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Cause {
    /// The body does not exist, or was removed.
    #[error("no such body")]
    Unknown,
    /// A pair was given with the same body twice.
    #[error("a body cannot form a pair with itself")]
    Itself,
    /// The pose is not finite, or its position exceeds the range of the exact predicates.
    #[error("its pose is not finite, or beyond 1e60")]
    Pose,
    /// The motion contains a number that is not finite.
    #[error("{0}")]
    Motion(InvalidMotion),
    /// The start time of the motion is not finite.
    #[error("the start time of its motion is not finite")]
    Since,
    /// The new points do not fit the shape.
    #[error("{0}")]
    Points(Problem),
}

/// Bodies by id. Ids are assigned in the order of insertion and never reused.
///
/// ```
/// use impinge::detect::{Detector3, Place, Scene3, Shape3};
/// use impinge::{shape::Sphere, space::Pose};
/// let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0)?);
/// let mut scene = Scene3::default();
/// let a = scene.add(ball.clone(), Place::Fixed(Pose::identity()))?;
/// let b = scene.add(ball, Place::Moved(Pose::at([1.5, 0.0, 0.0])))?;
/// let mut detector = Detector3::default();
/// detector.step(&scene, 0.0)?;
/// assert_eq!(detector.contacts()[0].touch.gap, -0.5);
/// scene.set_pose(b, Pose::at([5.0, 0.0, 0.0]))?;
/// detector.step(&scene, 0.1)?;
/// assert!(detector.contacts().is_empty() && detector.events().len() == 1);
/// # let _ = a;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene<S, const D: usize> {
    bodies: Vec<Option<Body<S, D>>>,
    ignored: BTreeSet<Pair>,
    version: u64,
}

/// A scene in 2D.
pub type Scene2 = Scene<Shape2, 2>;

/// A scene in 3D.
pub type Scene3 = Scene<Shape3, 3>;

/// Returns a number for a shape or version that is unique in the process. A detector that is given
/// another scene therefore never mistakes a cached body for one of this scene. No result depends on the
/// numbers themselves.
fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<S, const D: usize> Default for Scene<S, D> {
    fn default() -> Self {
        Self {
            bodies: Vec::new(),
            ignored: BTreeSet::new(),
            version: fresh(),
        }
    }
}

impl<S: Shape<D>, const D: usize> Scene<S, D> {
    /// Adds a body that collides with all others.
    pub fn add(&mut self, shape: S, place: Place<D>) -> Result<BodyId, InvalidBody> {
        let body = self.bodies.len() as BodyId;
        check(&place).map_err(|cause| InvalidBody { body, cause })?;
        let stamp = Stamp {
            shape: fresh(),
            version: 0,
        };
        self.bodies.push(Some(Body {
            shape,
            place,
            filter: Filter::ALL,
            stamp,
        }));
        self.version = fresh();

        Ok(body)
    }

    /// Removes a body; its id is not reused. If it touched others, the next step reports that these
    /// contacts ended.
    pub fn remove(&mut self, body: BodyId) -> Result<(), InvalidBody> {
        self.body_mut(body)?;
        self.bodies[body as usize] = None;
        self.ignored.retain(|pair| pair.a != body && pair.b != body);
        Ok(())
    }

    /// Sets the pose of a body. From then on the body is moved by the user, whatever it was before.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose<D>) -> Result<(), InvalidBody> {
        self.set_place(body, Place::Moved(pose))
    }

    /// Sets how the pose of a body is determined from now on.
    pub fn set_place(&mut self, body: BodyId, place: Place<D>) -> Result<(), InvalidBody> {
        check(&place).map_err(|cause| InvalidBody { body, cause })?;
        self.body_mut(body)?.place = place;
        Ok(())
    }

    /// Sets the collision filter of a body.
    pub fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), InvalidBody> {
        self.body_mut(body)?.filter = filter;
        Ok(())
    }

    /// Ignores the contacts of two bodies from now on, for instance of two links at their joint.
    ///
    /// ```
    /// use impinge::detect::{Detector3, Place, Scene3, Shape3};
    /// use impinge::{shape::Sphere, space::Pose};
    /// let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0)?);
    /// let mut scene = Scene3::default();
    /// let a = scene.add(ball.clone(), Place::Fixed(Pose::identity()))?;
    /// let b = scene.add(ball, Place::Moved(Pose::at([1.5, 0.0, 0.0])))?;
    /// scene.ignore(a, b)?;
    /// let mut detector = Detector3::default();
    /// detector.step(&scene, 0.0)?;
    /// assert!(detector.contacts().is_empty());
    /// scene.unignore(a, b)?;
    /// detector.step(&scene, 0.0)?;
    /// assert_eq!(detector.contacts().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ignore(&mut self, a: BodyId, b: BodyId) -> Result<(), InvalidBody> {
        let pair = self.pair(a, b)?;
        self.ignored.insert(pair);
        self.version = fresh();
        Ok(())
    }

    /// Reverses [`Scene::ignore`].
    pub fn unignore(&mut self, a: BodyId, b: BodyId) -> Result<(), InvalidBody> {
        let pair = self.pair(a, b)?;
        self.ignored.remove(&pair);
        self.version = fresh();
        Ok(())
    }

    fn pair(&self, a: BodyId, b: BodyId) -> Result<Pair, InvalidBody> {
        self.body(a)?;
        self.body(b)?;
        if a == b {
            let cause = Cause::Itself;
            return Err(InvalidBody { body: a, cause });
        }

        Ok(Pair::new(a, b))
    }

    /// Moves the points of a surface, a solid or a finite-element body, given in its local frame.
    pub fn set_points(&mut self, body: BodyId, points: &[Point<D>]) -> Result<(), InvalidBody> {
        let deformed = self.body_mut(body)?;
        let cause = |problem| InvalidBody {
            body,
            cause: Cause::Points(problem),
        };
        deformed.shape.set_points(points).map_err(cause)?;
        deformed.stamp.version += 1;

        Ok(())
    }

    /// Returns the shape of a body.
    pub fn shape(&self, body: BodyId) -> Result<&S, InvalidBody> {
        Ok(&self.body(body)?.shape)
    }

    /// Returns how the pose of a body is determined.
    pub fn place(&self, body: BodyId) -> Result<&Place<D>, InvalidBody> {
        Ok(&self.body(body)?.place)
    }

    /// Returns the pose of a body at a time.
    pub fn pose(&self, body: BodyId, time: f64) -> Result<Pose<D>, InvalidBody> {
        Ok(self.body(body)?.place.pose(time))
    }

    /// Iterates over the ids of all bodies, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        (0..)
            .zip(&self.bodies)
            .filter(|(_, body)| body.is_some())
            .map(|(id, _)| id)
    }

    fn body(&self, body: BodyId) -> Result<&Body<S, D>, InvalidBody> {
        let found = self.bodies.get(body as usize).and_then(Option::as_ref);
        found.ok_or(InvalidBody {
            body,
            cause: Cause::Unknown,
        })
    }

    /// Returns a body for modification.
    fn body_mut(&mut self, body: BodyId) -> Result<&mut Body<S, D>, InvalidBody> {
        let found = self.bodies.get_mut(body as usize).and_then(Option::as_mut);
        self.version = fresh();
        found.ok_or(InvalidBody {
            body,
            cause: Cause::Unknown,
        })
    }

    /// Returns a number that changes with every change of the scene.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Places all bodies at a time; the slots of removed bodies are `None`.
    pub(super) fn placed(&self, time: f64) -> Vec<Option<Placed<'_, S, D>>> {
        let mut placed = Vec::new();
        self.place_all(time, &mut placed);
        placed
    }

    /// Like [`Self::placed`], appended to a list.
    pub(super) fn place_all<'a>(&'a self, time: f64, placed: &mut Vec<Option<Placed<'a, S, D>>>) {
        let place = |(id, body): (BodyId, _)| {
            let body: &Body<S, D> = Option::as_ref(body)?;
            Some(Placed {
                id,
                shape: &body.shape,
                pose: body.place.pose(time),
                stamp: body.stamp,
            })
        };
        placed.extend((0..).zip(&self.bodies).map(place));
    }

    pub(super) fn filter(&self, body: BodyId) -> Filter {
        self.body(body).map_or(Filter::OFF, |body| body.filter)
    }

    /// Whether two bodies may have contacts: they do not both stay fixed, their filters allow it, and the
    /// pair is not ignored.
    pub(super) fn allows(&self, pair: Pair) -> bool {
        !(self.is_fixed(pair.a) && self.is_fixed(pair.b))
            && self.filter(pair.a).allows(&self.filter(pair.b))
            && !self.ignored.contains(&pair)
    }

    /// Whether a body never moves.
    pub(super) fn is_fixed(&self, body: BodyId) -> bool {
        self.body(body)
            .is_ok_and(|body| matches!(body.place, Place::Fixed(_)))
    }
}

impl<const D: usize> Place<D> {
    /// Returns the pose at a time.
    pub fn pose(&self, time: f64) -> Pose<D> {
        match self {
            Self::Fixed(pose) | Self::Moved(pose) => *pose,
            Self::Given { motion, since } => motion.pose_at(time - since),
        }
    }
}

fn check<const D: usize>(place: &Place<D>) -> Result<(), Cause> {
    match place {
        Place::Fixed(pose) | Place::Moved(pose) if !pose.is_usable() => Err(Cause::Pose),
        Place::Given { since, .. } if !since.is_finite() => Err(Cause::Since),
        Place::Given { motion, .. } => motion.checked().map(|_| ()).map_err(Cause::Motion),
        Place::Fixed(_) | Place::Moved(_) => Ok(()),
    }
}
