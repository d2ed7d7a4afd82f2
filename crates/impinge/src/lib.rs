//! Contact detection: which bodies touch, where, how deep, and when.
//!
//! The modules follow the path of the data: [`space`], [`shape`], [`bound`], [`broad`], [`tree`],
//! [`narrow`], [`inside`], [`predict`], [`detect`]. Each uses only the modules listed before it. Input
//! is passed as slices; results are written to vectors that the caller owns. Every list is sorted and
//! independent of the number of threads.
//!
//! # Which call do I want?
//!
//! | question | call | cost |
//! |---|---|---|
//! | is a point inside a closed surface, or on it | [`inside::Inside`] | 6 to 65 ns per point |
//! | winding number of an open surface | [`inside::Winding`] | two expansions per point |
//! | signed distance of points to a surface | [`narrow::projection::FaceTree::nearest_points`] | O(log faces) |
//! | distance of many points to triangles | [`narrow::meshes::TriangleTree::distances`] | O(log faces), about 1 µs |
//! | all overlapping pairs of spheres or boxes | [`broad::Auto`] | O(bodies + pairs) |
//! | neighbour lists for my own loop | [`broad::NeighbourList`] | O(bodies + candidates) |
//! | distance or depth of convex bodies | [`narrow::features3::closest`] | O(1) when warm-started |
//! | contact manifold of two facets | [`narrow::patch`] | clipping |
//! | distance or depth of two meshes | [`narrow::meshes::closest`] | hierarchy |
//! | overlap volume | [`narrow::overlap3`], [`narrow::meshes::overlap`] | clipping |
//! | finite-element contact, node to surface | [`narrow::projection::node_to_surface`] | 0.1 to 0.7 µs per face |
//! | contact and self-contact of deforming solids | [`narrow::solids::SolidContacts`] | O(elements) |
//! | first touch of two balls on parabolas | [`predict::first_touch`] | about 1.5 µs |
//! | first touch of two moving meshes | [`predict::first_impact`] | hierarchy of moving boxes |
//! | rays, nearest bodies, sweeps of a shape in a scene | [`detect::Scene::at`] | O(log bodies) |
//! | bodies of many shapes, step after step | [`detect::Detector`] | O(bodies + pairs) |
//! | first touch of bodies on known motions | [`detect::forecast::Forecast`] | no work until a touch is possible |
//! | forces and motion | `impinge_sim::world::World` | 0.1 to 0.2 µs per sphere and step |
//!
//! # Space
//!
//! Points, poses, motions and boxes, in 2D and 3D. Signs that decide an answer are exact:
//!
//! ```
//! use impinge::space::{Point, Sign, orient2};
//! let [a, b, c] = [[0.1, 0.1], [0.3, 0.3], [0.7, 0.7]].map(Point::from);
//! let last_digit = Point::from([0.7, 0.7000000000000001]);
//! assert_eq!(orient2(&a, &b, &c), Sign::Zero);
//! assert_eq!(orient2(&a, &b, &last_digit), Sign::Positive);
//! ```
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
//! # Bounds
//!
//! What encloses a part: boxes, balls, oriented boxes, k-DOPs. Bounds of sets that share a point overlap,
//! whatever rounding does:
//!
//! ```
//! use impinge::bound::{Bound, Dop14, Obb};
//! use impinge::space::{Aabb, points};
//! let needle = points::<3>(&[[0.0, 0.0, 0.0], [5.0, 5.0, 5.0], [9.0, 9.0, 9.0]]);
//! let probe = points::<3>(&[[9.0, 0.0, 0.0]]);
//! assert!(Aabb::of(needle.iter().copied()).overlaps(&Aabb::of(probe.iter().copied())));
//! assert!(!Dop14::of(&needle).overlaps(&Dop14::of(&probe)));
//! assert!(!Obb::of(&needle).overlaps(&Obb::of(&probe)));
//! ```
//!
//! # Broad phase
//!
//! All overlapping pairs, sorted; lists are reused from step to step:
//!
//! ```
//! use impinge::bound::Ball;
//! use impinge::broad::{BroadPhase, BroadScene, NeighbourList, Pair};
//! let mut balls = [0.0, 1.5, 9.0].map(|x| Ball::new([x, 0.0, 0.0], 1.0));
//! let (mut neighbours, mut pairs) = (NeighbourList::default(), Vec::new());
//! neighbours.find_pairs(&BroadScene::of(&balls), &mut pairs)?;
//! assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
//! balls[1].centre.x = 7.5;
//! neighbours.find_pairs(&BroadScene::of(&balls), &mut pairs)?;
//! assert_eq!(pairs, [Pair { a: 1, b: 2 }]);
//! # Ok::<(), impinge::broad::InvalidScene>(())
//! ```
//!
//! # Trees
//!
//! A hierarchy over parts of your own, given by their boxes:
//!
//! ```
//! use impinge::space::Aabb;
//! use impinge::tree::Bvh;
//! let boxes: Vec<Aabb<3>> =
//!     (0..100).map(|i| f64::from(i)).map(|x| Aabb::new([x, 0.0, 0.0], [x + 0.5, 1.0, 1.0])).collect();
//! let (tree, mut found) = (Bvh::new(&boxes), Vec::new());
//! tree.find_overlapping(&Aabb::new([40.2, 0.0, 0.0], [41.2, 1.0, 1.0]), &mut found);
//! assert!(found.contains(&40) && found.contains(&41)); // candidates: a leaf has up to four items
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
//! let mut cache = FeatureCache3::default();
//! for step in 0..10 {
//!     let apart = Pose::at([4.0 - 0.1 * f64::from(step), 0.0, 0.0]);
//!     let found = closest(&a, &Pose::identity(), &b, &apart, &mut cache);
//!     assert!(found.contact.gap > 0.0);
//! }
//! # Ok::<(), impinge::shape::generate::InvalidArgument>(())
//! ```
//!
//! # Signed distance
//!
//! ```
//! use impinge::narrow::projection::FaceTree;
//! use impinge::shape::{Faces, generate};
//! use impinge::space::Point;
//! let block = generate::block([2, 2, 2], [1.0, 1.0, 1.0])?;
//! let surface = FaceTree::new(Faces::<3>::from_mesh(&block.to_mesh())?);
//! let mut nearest = Vec::new();
//! surface.nearest_points(&[Point::from([0.5, 0.5, 0.9]), Point::from([0.5, 0.5, 3.0])], &mut nearest)?;
//! let distances: Vec<f64> = nearest.iter().map(|found| found.projection.gap).collect();
//! assert!((distances[0] + 0.1).abs() < 1e-15 && distances[1] == 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Point location
//!
//! The answer is exact, and takes some ten nanoseconds per point once the surface is prepared:
//!
//! ```
//! use impinge::inside::{Inside, InsideOptions, Position};
//! use impinge::shape::generate;
//! let ball = Inside::new(generate::sphere(5)?, &InsideOptions::default())?;
//! let mut positions = Vec::new();
//! ball.positions(&[[0.0, 0.1, 0.2].into(), [0.0, 0.0, 1.1].into()], &mut positions)?;
//! assert_eq!(positions, [Position::Inside, Position::Outside]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Times of impact
//!
//! Meshes whose vertices move on straight lines within a step; the time is never late:
//!
//! ```
//! use impinge::predict::{ImpactOptions, MovingMesh, first_impact};
//! use impinge::space::points;
//! let at = |z: f64| points::<3>(&[[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]);
//! let mut falling = MovingMesh::new(&at(1.0), &[[0, 1, 2]])?;
//! falling.set_step(&at(1.0), &at(-3.0))?;
//! let floor = MovingMesh::new(&at(0.0), &[[0, 1, 2]])?;
//! let impact = first_impact(&falling, &floor, &ImpactOptions::default()).expect("it falls through");
//! assert!(impact.from <= 0.25 && impact.from > 0.25 - 1e-9);
//! # Ok::<(), impinge::shape::Problem>(())
//! ```
//!
//! # Whole scenes
//!
//! A [`detect::Detector`] runs all stages over bodies of every shape, step after step, and caches
//! results between steps. It reports contacts with persistent ids, and which began and ended:
//!
//! ```
//! use impinge::detect::{Detector3, EventKind, Place, Scene3, Shape3};
//! use impinge::shape::{HalfSpace, Sphere};
//! use impinge::space::{Motion, Pose};
//! let fall = Motion::at_rest(Pose::at([0.0, 0.0, 5.5])).with_acceleration([0.0, 0.0, -10.0]);
//! let mut scene = Scene3::default();
//! let floor = HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0])?;
//! scene.add(Shape3::HalfSpace(floor), Place::Fixed(Pose::identity()))?;
//! let ball = Shape3::Sphere(Sphere::new([0.0; 3], 0.5)?);
//! scene.add(ball, Place::Given { motion: fall, since: 0.0 })?;
//!
//! let mut detector = Detector3::default();
//! detector.step(&scene, 0.9)?;
//! assert!(detector.contacts().is_empty());
//! detector.step(&scene, 1.01)?;
//! assert_eq!(detector.events()[0].kind, EventKind::Began);
//! assert!((detector.contacts()[0].touch.gap + 0.1005).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`detect::Scene::at`] answers rays, nearest bodies and sweeps of a shape.
//!
#![doc = include_str!("simulator.md")]

mod parallel;
#[cfg(feature = "serde")]
mod serial;

pub use nalgebra;

pub mod bound;
#[doc(alias = "broad phase")]
#[doc(alias = "broadphase")]
pub mod broad;
pub mod detect;
#[doc(alias = "point in polyhedron")]
pub mod inside;
#[doc(alias = "narrow phase")]
#[doc(alias = "narrowphase")]
pub mod narrow;
#[doc(alias = "continuous collision detection")]
#[doc(alias = "CCD")]
#[doc(alias = "time of impact")]
pub mod predict;
pub mod shape;
pub mod space;
#[doc(alias = "bounding volume hierarchy")]
#[doc(alias = "BVH")]
pub mod tree;
