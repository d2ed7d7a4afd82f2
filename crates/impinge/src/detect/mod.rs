//! Contact detection over whole scenes, with caches kept from step to step. [Aragon2013, section 4]
//!
//! A [`Scene`] contains bodies of any shape: fixed, on prescribed motions, or moved by the user. After
//! each step, a [`Detector`] reports which bodies touch, where and how deep, and which contacts began
//! and ended. The method for each pair of shapes is chosen in one table, in `table.rs`.
//!
//! # What a contact is
//!
//! One rule holds for every pair of shapes: **one contact for each connected place where two bodies touch,
//! with a manifold of up to four points**. A box on a table is one contact with four points, however the
//! table is described or triangulated; a table on four legs has four. In detail:
//!
//! - Two convex bodies have at most one place. Two closed surfaces have one for each connected part of
//!   their intersection, with its volume, centroid and mean normal.
//! - Where faces or nodes are tested one by one (a convex body in a surface, finite-element faces,
//!   solids), adjacent ones are one place, unless their normals differ by more than 45°: a box in the
//!   corner of a room touches three walls. A ball touches a surface at each local minimum of the
//!   distance.
//! - [`Contact::touch`] is the deepest point. [`Contact::overlap`] describes the intersection.
//! - A [`ContactId`] stays the same while the place moves little per step. The self-contact of a solid
//!   has a place for each of the two sides that meet.
//!
//! Contacts with a gap of up to [`Options::margin`] are reported; an [`Event`] says when bodies begin and
//! cease to touch.
//!
//! ```
//! use impinge::detect::{Detector3, EventKind, Place, Scene3, Shape3};
//! use impinge::shape::{HalfSpace, Polyhedron};
//! use impinge::space::Pose;
//! use std::sync::Arc;
//! let floor = HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0])?;
//! let brick = Arc::new(Polyhedron::cuboid([1.0, 1.0, 1.0])?);
//! let mut scene = Scene3::default();
//! let a = scene.add(Shape3::HalfSpace(floor), Place::Fixed(Pose::identity()))?;
//! let b = scene.add(Shape3::Polyhedron(brick), Place::Moved(Pose::at([0.0, 0.0, 0.499])))?;
//! let mut detector = Detector3::default();
//! detector.step(&scene, 0.0)?;
//!
//! // Who touches whom, where, how deep?
//! let contact = &detector.contacts()[0];
//! assert_eq!((contact.pair.a, contact.pair.b), (a, b));
//! assert_eq!(contact.manifold.points().len(), 4);
//! assert!((contact.touch.gap + 0.001).abs() < 1e-12);
//!
//! // How much volume do they share?
//! assert!((contact.overlap.unwrap().measure - 0.001).abs() < 1e-12);
//!
//! // Did they begin to touch?
//! assert_eq!(detector.events()[0].kind, EventKind::Began);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Scene::at`] answers rays, nearest bodies, overlapping bodies and the first impact of a moving shape.
//!
//! # Known motions
//!
//! [`forecast::Forecast`] does continuous collision detection for rigid bodies whose motion is known in
//! advance; it is the paper's ContactManager. It keeps hierarchies of bounding spheres, a queue of the
//! times at which pairs of spheres may touch, and the contacts. It sleeps until the earliest of those
//! times.

mod contact;
mod deforming;
mod detector;
pub mod forecast;
mod identity;
mod options;
mod query;
mod query_table;
mod scene;
mod shape;
mod shape2;
mod shape3;
mod sleep;
mod table;
#[cfg(test)]
mod tests;

pub use contact::{Contact, ContactId, Event, EventKind};
pub use deforming::SolidCaches;
pub use detector::{Detector, Detector2, Detector3, InvalidStep, StepSummary};
pub use options::{InvalidOptions, Options, Want};
pub use query::{
    Approach, Entry, InvalidQuery, NearestBody, PointExit, Queries, QueryFault, Ray, RayHit,
    ShapeHit, Snapshot,
};
pub use scene::{Cause, InvalidBody, Place, Scene, Scene2, Scene3};
pub use shape::{PairMethods, Placed, Shape, Stamp};
pub use shape2::Shape2;
pub use shape3::{Compound, Shape3};
pub use table::PairState;
