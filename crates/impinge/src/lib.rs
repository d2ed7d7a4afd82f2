//! Contact detection: which bodies touch, where, how deep, and when.
//!
//! The modules follow the path of the data: [`space`], [`shape`], [`bound`], [`broad`], [`tree`],
//! [`narrow`], [`inside`], [`predict`], [`detect`]. Each uses only the modules listed before it. Input
//! is passed as slices; results are written to vectors that the caller owns. Every list is sorted and
//! independent of the number of threads.
//!
//! # Shapes
//!
//! A shape is validated once, on construction. The error gives the kind of problem, its first item and
//! the number of occurrences:
//!
//! ```
//! use impinge::shape::{Surface, generate};
//! let foam = generate::foam(8_000, 1)?;
//! let torn = &foam.triangles()[1..];
//! let problem = Surface::new(foam.points(), torn).unwrap_err();
//! assert_eq!((problem.kind.name(), problem.count), ("open-edge", 3));
//! # Ok::<(), impinge::shape::generate::InvalidArgument>(())
//! ```
//!
//! # Point location
//!
//! The answer is exact, and takes some ten nanoseconds per point once the surface is prepared:
//!
//! ```
//! use impinge::inside::{Inside, Options, Position};
//! use impinge::shape::generate;
//! let ball = Inside::new(generate::sphere(5)?, &Options::default())?;
//! let mut positions = Vec::new();
//! ball.positions(&[[0.0, 0.1, 0.2].into(), [0.0, 0.0, 1.1].into()], &mut positions)?;
//! assert_eq!(positions, [Position::Inside, Position::Outside]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Distance and penetration depth
//!
//! The closest features are cached from step to step. A pair that moves little therefore costs a
//! constant number of tests:
//!
//! ```
//! use impinge::narrow::features3::{FeatureCache3, closest};
//! use impinge::shape::generate;
//! use impinge::space::Pose;
//! let (a, b) = (generate::polyhedron(64, 1)?, generate::polyhedron(64, 2)?);
//! let mut kept = FeatureCache3::default();
//! for step in 0..10 {
//!     let apart = Pose::at([4.0 - 0.1 * f64::from(step), 0.0, 0.0]);
//!     let found = closest(&a, &Pose::identity(), &b, &apart, &mut kept);
//!     assert!(found.contact.gap > 0.0);
//! }
//! # Ok::<(), impinge::shape::generate::InvalidArgument>(())
//! ```

pub mod bound;
pub mod broad;
pub mod detect;
pub mod inside;
pub mod narrow;
pub mod predict;
pub mod shape;
pub mod space;
pub mod tree;
