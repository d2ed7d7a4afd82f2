//! Definitions of a world's contents as plain data: options, walls, rigid bodies, elastic solids.

use crate::law::{Law, Material, Normal, Pairing};
use crate::solid::{ElasticMaterial, SelfContact, SolidMesh};
use crate::{Deformation, Path, TriangleMesh};
use impinge::broad::BroadMethod;
use impinge::shape::{Polygon, Polyhedron};
use std::sync::Arc;

const NO_ROTATION: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// The dimension of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dimension {
    /// Rigid polygons and half-planes, in the plane z = 0.
    Plane,
    /// Particles, rigid bodies, elastic solids and walls.
    #[default]
    Space,
}

/// Options of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldOptions {
    /// Dimension.
    pub dimension: Dimension,
    /// Gravitational acceleration, m/s²; the third component is 0 in the plane.
    pub gravity: [f64; 3],
    /// Materials, which everything refers to by index.
    pub materials: Vec<Material>,
    /// Coefficients of pairs of materials; other pairs use the geometric mean of the two, whatever
    /// touches ([`Coefficients::between`](crate::law::Coefficients::between)).
    pub pairings: Vec<Pairing>,
    /// Contact law of particles.
    pub law: Law,
    /// Stiffness of the contacts of rigid bodies: pressure per metre of depth, N/m³ (N/m² in 2D).
    /// By default, that of a pair is the harmonic mean of Young's moduli over the pair's size.
    pub contact_stiffness: Option<f64>,
    /// Contact stiffness of elastic solids, relative to the stiffness of one layer of their elements.
    pub penalty: Option<f64>,
    /// How pairs of rigid bodies and of solids whose boxes overlap are found. All methods give the same
    /// results.
    pub broad: BroadMethod,
    /// Both ends of each periodic axis, for particles.
    pub period: [Option<[f64; 2]>; 3],
    /// How the periodic axes change their lengths.
    pub deformation: [Deformation; 3],
    /// Global damping of particles, 1/s: the rate at which velocities and spins decay.
    pub damping: f64,
}

impl Default for WorldOptions {
    /// Space, one material, Hertz–Mindlin contacts as in scenes, and gravity along −z.
    fn default() -> Self {
        Self {
            dimension: Dimension::Space,
            gravity: [0.0, 0.0, -9.81],
            materials: vec![Material::default()],
            pairings: Vec::new(),
            law: Law {
                normal: Normal::HertzMindlin,
                ..Law::default()
            },
            contact_stiffness: None,
            penalty: None,
            broad: BroadMethod::Auto,
            period: [None; 3],
            deformation: [Deformation::Fixed; 3],
            damping: 0.0,
        }
    }
}

/// The shape of a wall.
#[derive(Clone, Debug, PartialEq)]
pub enum WallShape {
    /// A half-space.
    HalfSpace {
        /// A point of the plane that bounds it.
        point: [f64; 3],
        /// Direction out of it, of any non-zero length.
        normal: [f64; 3],
    },
    /// A surface.
    Surface(TriangleMesh),
}

/// A wall to add.
#[derive(Clone, Debug, PartialEq)]
pub struct WallDef {
    /// Name for errors and contacts; `wall N` if empty.
    pub name: String,
    /// Shape.
    pub shape: WallShape,
    /// Initial position of the shape's origin.
    pub position: [f64; 3],
    /// Initial orientation, a quaternion x, y, z, w of any non-zero length.
    pub orientation: [f64; 4],
    /// Its motion, relative to the world's origin.
    pub path: Path,
    /// Index of its material.
    pub material: usize,
    /// Whether the inside of a closed surface is free too, as in a drum. Otherwise rigid bodies and
    /// solids are pushed out of it.
    pub is_hollow: bool,
    /// Contact thickness for elastic solids of an open or hollow surface, m; by default 1 % of its
    /// size.
    pub thickness: Option<f64>,
}

impl WallDef {
    /// Creates a wall at rest, of the first material.
    pub fn new(shape: WallShape) -> Self {
        Self {
            name: String::new(),
            shape,
            position: [0.0; 3],
            orientation: NO_ROTATION,
            path: Path::default(),
            material: 0,
            is_hollow: false,
            thickness: None,
        }
    }

    /// Creates a half-space at rest, of the first material.
    pub fn half_space(point: [f64; 3], normal: [f64; 3]) -> Self {
        Self::new(WallShape::HalfSpace { point, normal })
    }

    /// Creates a surface at rest, of the first material.
    pub fn surface(mesh: TriangleMesh) -> Self {
        Self::new(WallShape::Surface(mesh))
    }
}

/// The shape of a rigid body.
#[derive(Clone, Debug)]
pub enum BodyShape {
    /// A ball about the origin, by its radius; a disc in a world of [`Dimension::Plane`].
    Sphere(f64),
    /// A convex polyhedron.
    Polyhedron(Polyhedron),
    /// A closed surface, convex or not. Bodies added consecutively with the same `Arc` share its tree.
    Surface(Arc<TriangleMesh>),
    /// A convex polygon, in a world of [`Dimension::Plane`].
    Polygon(Polygon),
}

impl BodyShape {
    /// Returns the largest distance of a point from the origin.
    pub fn reach(&self) -> f64 {
        let farthest = |norms: &mut dyn Iterator<Item = f64>| norms.fold(0.0, f64::max);
        match self {
            Self::Sphere(radius) => *radius,
            Self::Polyhedron(body) => farthest(&mut body.points().iter().map(|p| p.coords.norm())),
            Self::Surface(mesh) => farthest(&mut mesh.points.iter().map(|p| p.coords.norm())),
            Self::Polygon(polygon) => {
                farthest(&mut polygon.points().iter().map(|p| p.coords.norm()))
            }
        }
    }

    /// Returns the shape's name.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Polyhedron(_) => "polyhedron",
            Self::Surface(_) => "surface",
            Self::Polygon(_) => "polygon",
        }
    }
}

/// A fixed axis that a rigid body turns about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// A point of the axis, m.
    pub point: [f64; 3],
    /// Its direction, of any non-zero length; in 2D along z.
    pub axis: [f64; 3],
}

/// A rigid body to add.
#[derive(Clone, Debug)]
pub struct BodyDef {
    /// Name for errors and contacts; `rigid body N` if empty.
    pub name: String,
    /// Shape.
    pub shape: BodyShape,
    /// Index of its material.
    pub material: usize,
    /// Density, kg/m³ (kg/m² in 2D); by default that of its material.
    pub density: Option<f64>,
    /// Position of the shape's origin.
    pub position: [f64; 3],
    /// Orientation, a quaternion x, y, z, w of any non-zero length; in 2D about z.
    pub orientation: [f64; 4],
    /// Velocity of the centre of mass.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s; in 2D only the third component is used.
    pub spin: [f64; 3],
    /// A prescribed motion; `None` for a free body. A default path holds it where it is.
    pub path: Option<Path>,
    /// Direction along which alone it moves, without rotation, as a piston does; `None` for a free
    /// body.
    pub rail: Option<[f64; 3]>,
    /// A hinge that it turns about, as a flap does; `None` for a free body.
    pub hinge: Option<Hinge>,
    /// Constant force at its centre of mass, N.
    pub force: [f64; 3],
}

impl BodyDef {
    /// Creates a free body at the origin, at rest, of the first material.
    pub fn new(shape: BodyShape) -> Self {
        Self {
            name: String::new(),
            shape,
            material: 0,
            density: None,
            position: [0.0; 3],
            orientation: NO_ROTATION,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            path: None,
            rail: None,
            hinge: None,
            force: [0.0; 3],
        }
    }
}

/// An elastic solid to add, in its undeformed shape.
#[derive(Clone, Debug)]
pub struct SolidDef {
    /// Name for errors and contacts; `solid N` if empty.
    pub name: String,
    /// Its cells, in world coordinates.
    pub shape: SolidMesh,
    /// Elastic material. Its surface properties are replaced by those of the material below.
    pub elastic: ElasticMaterial,
    /// Index of the material of its surface.
    pub material: usize,
    /// Friction coefficient of its surface; by default that of its material.
    pub friction: Option<f64>,
    /// Whether it can touch itself.
    pub self_contact: SelfContact,
    /// Initial velocity, m/s.
    pub velocity: [f64; 3],
    /// Initial angular velocity about the centre of mass, rad/s.
    pub spin: [f64; 3],
    /// Nodes with another initial velocity.
    pub node_velocities: Vec<(u32, [f64; 3])>,
    /// Nodes with prescribed motion; a default path holds them in place.
    pub holds: Vec<(Vec<u32>, Path)>,
}

impl SolidDef {
    /// Creates a solid at rest with a surface of the first material.
    pub fn new(shape: impl Into<SolidMesh>, elastic: ElasticMaterial) -> Self {
        Self {
            name: String::new(),
            shape: shape.into(),
            elastic,
            material: 0,
            friction: None,
            self_contact: SelfContact::Ignored,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            node_velocities: Vec::new(),
            holds: Vec::new(),
        }
    }
}
