//! Obstacles for particles: half-spaces, balls and triangle meshes that are fixed, move as rigid bodies,
//! or deform.
//!
//! The owner moves an obstacle before each step ([`Obstacle::move_to`], [`Obstacle::deform`]).
//! After the step it reads the force and torque of the particles ([`Obstacle::reaction`]) and, for
//! a deforming mesh, the force on every node ([`Obstacle::node_forces`]).
//!
//! A sphere touches a mesh wherever its distance to the surface has a local minimum below its
//! radius: within a face, or on an edge or a vertex from which no adjacent face leads closer
//! ([`keep_minima`](impinge::narrow::ball_surface::keep_minima)). A flat wall of many triangles is therefore one
//! contact, even at a shared edge, and a sphere in a corner has one contact with each wall.
//! Contacts with nearly the same normal share one contact in proportion to their depths
//! (`touch.rs`). The friction spring belongs to the particle and the feature; a sphere that moves
//! on to a neighbouring feature keeps its spring.
//!
//! Cost: faces near a particle are kept in a neighbour list, like pairs of particles; a step tests
//! that list.

mod mesh;
mod near;
#[cfg(test)]
mod tests;
mod touch;

pub(crate) use near::Near;
pub(crate) use touch::{MeshFeature, SurfacePoint, Touch};

use crate::order_free::VectorSum;
use crate::path::along;
use impinge::shape::{HalfSpace, Problem, ProblemKind, Sphere};
use impinge::space::{Matrix, Point, Pose, Vector};
use mesh::Mesh;
use serde::{Deserialize, Serialize};

/// An obstacle for particles.
///
/// ```
/// use impinge_sim::Obstacle;
/// use impinge::space::Pose;
/// let floor = Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 0)?;
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mut lid = Obstacle::mesh(&corners, &[[0, 1, 2]], 0)?;
/// lid.move_to(Pose::at([0.0, 0.0, 2.0]), [0.0, 0.0, -1.0], [0.0; 3]);
/// assert_eq!(lid.reaction().force, impinge::space::Vector::<3>::zeros());
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub(crate) shape: Shape,
    pub(crate) material: u16,
    pub(crate) pose: Pose<3>,
    pub(crate) velocity: Vector<3>,
    pub(crate) spin: Vector<3>,
    /// Velocity of its surface along itself.
    pub(crate) surface: Vector<3>,
    pub(crate) reaction: Reaction,
    /// This rank's share of the reaction, until it is added to those of the other ranks.
    pub(crate) partial: Option<Box<[VectorSum; 3]>>,
    /// Contacts of the last step, sorted by particle and feature.
    pub(crate) touches: Vec<Touch>,
    pub(crate) near: Near,
    /// Whether it has been removed.
    pub(crate) is_away: bool,
    /// How it responds to forces.
    pub(crate) compliance: Compliance,
    /// Work that particles did on it in the last step.
    pub(crate) work: f64,
    /// The pose at the last step of the particles; `None` before the first.
    pub(crate) last_pose: Option<Pose<3>>,
}

/// How an obstacle responds to forces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Compliance {
    /// It is immovable: fixed, or on a prescribed path.
    #[default]
    Fixed,
    /// As a rigid body.
    Body {
        /// 1/m.
        inverse_mass: f64,
        /// I⁻¹ in world axes.
        inverse_inertia: Matrix<3>,
        /// Centre of mass.
        centre: Point<3>,
    },
    /// As a deforming body: by its nodes immediately, as a whole later.
    Nodes {
        /// 1/m of the whole; zero if a part is fixed.
        inverse_mass: f64,
        /// 1/m of each node; zero if it is fixed.
        inverse_masses: Vec<f64>,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    HalfSpace(HalfSpace<3>),
    /// A ball about the pose's position, by its radius.
    Sphere(f64),
    Mesh(Box<Mesh>),
}

/// The force and torque of the particles on an obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// Force, N.
    pub force: Vector<3>,
    /// Torque, N m, about the position of the obstacle's pose.
    pub torque: Vector<3>,
    /// The part of the force along the surface, N, if the surface moves along itself.
    pub friction: Vector<3>,
}

impl Reaction {
    /// Returns the values of the sums over all contacts.
    pub(crate) fn of(sums: &[VectorSum; 3]) -> Self {
        let [force, torque, friction] = sums.each_ref().map(VectorSum::value);
        Self {
            force,
            torque,
            friction,
        }
    }
}

impl Obstacle {
    /// Creates a half-space below a plane, with the index of its material among those of the
    /// particles.
    pub fn half_space(
        point: [f64; 3],
        outward: [f64; 3],
        material: usize,
    ) -> Result<Self, Problem> {
        Ok(Self::new(
            Shape::HalfSpace(HalfSpace::new(point, outward)?),
            material,
        ))
    }

    /// Creates a ball about the position of the obstacle's pose. The error is `NotPositive` or
    /// `NotFinite`.
    pub fn sphere(radius: f64, material: usize) -> Result<Self, Problem> {
        let ball = Sphere::<3>::new([0.0; 3], radius)?;
        if ball.radius() <= 0.0 {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }
        Ok(Self::new(Shape::Sphere(ball.radius()), material))
    }

    /// Creates a mesh of triangles, closed or not, solid from both sides. The error names the first
    /// triangle without area, missing node or coordinate that is not finite. Nodes with the same
    /// coordinates are merged, as in files without topology.
    pub fn mesh(
        points: &[[f64; 3]],
        triangles: &[[u32; 3]],
        material: usize,
    ) -> Result<Self, Problem> {
        let points: Vec<Point<3>> = points.iter().map(|&p| p.into()).collect();
        Ok(Self::new(
            Shape::Mesh(Box::new(Mesh::new(points, triangles.to_vec())?)),
            material,
        ))
    }

    fn new(shape: Shape, material: usize) -> Self {
        Self {
            shape,
            material: u16::try_from(material).unwrap_or(u16::MAX),
            pose: Pose::identity(),
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
            surface: Vector::zeros(),
            reaction: Reaction::default(),
            partial: None,
            touches: Vec::new(),
            near: Near::default(),
            is_away: false,
            compliance: Compliance::Fixed,
            work: 0.0,
            last_pose: None,
        }
    }

    /// Sets the pose and velocities. The angular velocity is about the pose's position, in world
    /// axes. Call it before each step; velocities alone do not move the obstacle.
    pub fn move_to(
        &mut self,
        pose: Pose<3>,
        velocity: impl Into<Vector<3>>,
        spin: impl Into<Vector<3>>,
    ) {
        (self.pose, self.velocity, self.spin) = (pose, velocity.into(), spin.into());
    }

    /// Sets the velocity of its surface along itself, as of a conveyor belt, in world axes. The part
    /// along the normal of a contact has no effect.
    pub fn set_surface_velocity(&mut self, velocity: impl Into<Vector<3>>) {
        self.surface = velocity.into();
    }

    /// Removes the obstacle: no particle touches it any more. This is not part of its state; repeat
    /// the call after a restart.
    pub fn take_away(&mut self) {
        if !self.is_away {
            self.is_away = true;
            self.near.forget();
        }
    }

    /// Returns the pose.
    pub fn pose(&self) -> &Pose<3> {
        &self.pose
    }

    /// Returns the index of its material.
    pub fn material(&self) -> usize {
        self.material.into()
    }

    /// Sets new positions and velocities of a mesh's nodes, in the obstacle's frame. The mesh
    /// deforms from then on, and its [`Self::node_forces`] are recorded. Does nothing for a
    /// half-space. Panics if the number of nodes differs.
    pub fn deform(&mut self, points: &[Point<3>], velocities: &[Vector<3>]) {
        if let Shape::Mesh(mesh) = &mut self.shape {
            mesh.deform(points, velocities);
        }
    }

    /// Returns the force and torque of the particles in the last step.
    pub fn reaction(&self) -> &Reaction {
        &self.reaction
    }

    /// Returns the forces on the nodes of a deforming mesh, in world axes; empty for all others.
    pub fn node_forces(&self) -> &[Vector<3>] {
        match &self.shape {
            Shape::Mesh(mesh) => &mesh.forces,
            Shape::HalfSpace(_) | Shape::Sphere(_) => &[],
        }
    }

    /// Returns the nodes of a mesh in world coordinates; empty for a half-space.
    pub fn points(&self) -> Vec<Point<3>> {
        match &self.shape {
            Shape::Mesh(mesh) => mesh.points.iter().map(|p| self.pose.point(p)).collect(),
            Shape::HalfSpace(_) | Shape::Sphere(_) => Vec::new(),
        }
    }

    /// Returns the triangles of a mesh; empty for a half-space.
    pub fn triangles(&self) -> &[[u32; 3]] {
        match &self.shape {
            Shape::Mesh(mesh) => &mesh.triangles,
            Shape::HalfSpace(_) | Shape::Sphere(_) => &[],
        }
    }

    /// Returns the number of contacts in the last step.
    pub fn contact_count(&self) -> usize {
        self.touches.len()
    }

    /// Returns the curvature of its surface; zero where it is flat.
    pub(crate) fn curvature(&self) -> f64 {
        match &self.shape {
            Shape::Sphere(radius) => 1.0 / radius,
            Shape::HalfSpace(_) | Shape::Mesh(_) => 0.0,
        }
    }

    /// Returns whether it has faces, edges and vertices.
    pub(crate) fn has_features(&self) -> bool {
        matches!(self.shape, Shape::Mesh(_))
    }

    /// Returns the velocity of the surface at a contact point.
    pub(crate) fn velocity_at(&self, foot: &SurfacePoint) -> Vector<3> {
        let own = match &self.shape {
            Shape::Mesh(mesh) => self.pose.vector(&mesh.velocity_at(foot)),
            Shape::HalfSpace(_) | Shape::Sphere(_) => Vector::zeros(),
        };
        let rigid = self.velocity + self.spin.cross(&(foot.point - self.pose.position()));
        rigid + own + along(&self.surface, &foot.normal)
    }

    /// Returns the inverse mass at a contact point along the normal: for a collision, and for an
    /// instantaneous force.
    pub(crate) fn inverse_masses_at(&self, foot: &SurfacePoint) -> [f64; 2] {
        match &self.compliance {
            Compliance::Fixed => [0.0; 2],
            Compliance::Body {
                inverse_mass,
                inverse_inertia,
                centre,
            } => {
                let turn = (foot.point - centre).cross(&foot.normal);
                [inverse_mass + turn.dot(&(inverse_inertia * turn)); 2]
            }
            Compliance::Nodes {
                inverse_mass,
                inverse_masses,
            } => {
                let corners = match &self.shape {
                    Shape::Mesh(mesh) => mesh.triangles[foot.face as usize],
                    Shape::HalfSpace(_) | Shape::Sphere(_) => return [0.0; 2],
                };
                let shares = corners.into_iter().zip(foot.weights);
                let here = shares
                    .map(|(node, w)| w * w * inverse_masses[node as usize])
                    .sum();
                [*inverse_mass, here]
            }
        }
    }

    /// Returns the inverse of the smallest mass that a contact may move, and the surface area that
    /// has it; `None` if the obstacle does not respond to forces.
    pub(crate) fn lightest(&self) -> Option<(f64, f64)> {
        let mesh = match &self.shape {
            Shape::Mesh(mesh) => mesh,
            // Forces on a ball pass through its centre.
            Shape::Sphere(radius) => {
                let area = 4.0 * std::f64::consts::PI * radius * radius;
                return match &self.compliance {
                    Compliance::Body { inverse_mass, .. } => Some((*inverse_mass, area)),
                    Compliance::Fixed | Compliance::Nodes { .. } => None,
                };
            }
            Shape::HalfSpace(_) => return None,
        };
        match &self.compliance {
            Compliance::Fixed => None,
            Compliance::Body {
                inverse_mass,
                inverse_inertia,
                centre,
            } => {
                let arms = self.points().into_iter();
                let farthest = arms
                    .map(|p| (p - centre).norm_squared())
                    .fold(0.0, f64::max);
                // The Frobenius norm is at least the largest eigenvalue.
                let turning = farthest * inverse_inertia.norm();
                Some((inverse_mass + turning, mesh.area()))
            }
            Compliance::Nodes { inverse_masses, .. } => {
                let largest = inverse_masses.iter().copied().fold(0.0, f64::max);
                Some((largest, mesh.area() / inverse_masses.len().max(1) as f64))
            }
        }
    }

    /// Returns whether its motion depends on the reaction, or the reaction does work on it.
    pub(crate) fn moves(&self) -> bool {
        let rates = [&self.velocity, &self.spin, &self.surface];
        rates.iter().any(|rate| **rate != Vector::<3>::zeros())
            || self.compliance != Compliance::Fixed
            || self.deforms()
    }

    /// Returns half of the work that the particles' forces do in a step, at the current velocities.
    pub(crate) fn half_work(&self, dt: f64) -> f64 {
        let Reaction {
            force,
            torque,
            friction,
        } = &self.reaction;
        let of_surface = friction.dot(&self.surface);
        let rigid = force.dot(&self.velocity) + torque.dot(&self.spin) + of_surface;
        let of_nodes = match &self.shape {
            Shape::Mesh(mesh) => mesh.power(&self.pose),
            Shape::HalfSpace(_) | Shape::Sphere(_) => 0.0,
        };
        0.5 * dt * (rigid + of_nodes)
    }

    /// Resets the reaction at the start of a step.
    pub(crate) fn clear_reaction(&mut self) {
        self.reaction = Reaction::default();
        if let Shape::Mesh(mesh) = &mut self.shape {
            mesh.forces
                .iter_mut()
                .for_each(|force| *force = Vector::zeros());
        }
    }

    /// Adds a force at a point of a face, by its barycentric coordinates, to the nodes of a deforming
    /// mesh.
    pub(crate) fn receive(&mut self, face: u32, weights: [f64; 3], force: &Vector<3>) {
        if let Shape::Mesh(mesh) = &mut self.shape {
            mesh.receive(face, weights, force);
        }
    }

    /// Finds the contacts of a sphere with its candidate faces, sorted by feature.
    pub(crate) fn surface_points(
        &self,
        centre: &Point<3>,
        radius: f64,
        faces: &[u32],
        found: &mut Vec<SurfacePoint>,
    ) {
        found.clear();
        match &self.shape {
            Shape::HalfSpace(half) => {
                let normal = self.pose.vector(&half.normal());
                let height = normal.dot(&(centre - self.pose.point(&half.point())));
                if height < radius {
                    let point = centre - normal * height;
                    found.push(SurfacePoint {
                        spot: MeshFeature::Face(0),
                        point,
                        normal,
                        distance: height,
                        face: 0,
                        weights: [0.0; 3],
                        share: 1.0,
                    });
                }
            }
            Shape::Sphere(own) => {
                let way = centre - self.pose.position();
                let distance = way.norm() - own;
                if distance < radius {
                    let normal = way.try_normalize(0.0).unwrap_or_else(Vector::x);
                    found.push(SurfacePoint {
                        spot: MeshFeature::Face(0),
                        point: self.pose.position() + normal * *own,
                        normal,
                        distance,
                        face: 0,
                        weights: [0.0; 3],
                        share: 1.0,
                    });
                }
            }
            Shape::Mesh(mesh) => {
                mesh.surface_points(&self.pose.to_local(centre), radius, faces, found);
                for foot in found {
                    foot.point = self.pose.point(&foot.point);
                    foot.normal = self.pose.vector(&foot.normal);
                }
            }
        }
    }
}

/// An obstacle as plain data: shape, motion and contact history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObstacleState {
    shape: ShapeState,
    material: u16,
    rotation: [[f64; 3]; 3],
    position: [f64; 3],
    velocity: [f64; 3],
    spin: [f64; 3],
    surface: [f64; 3],
    reaction: [[f64; 3]; 3],
    touches: Vec<Touch>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum ShapeState {
    HalfSpace {
        point: [f64; 3],
        normal: [f64; 3],
    },
    Sphere {
        radius: f64,
    },
    Mesh {
        points: Vec<[f64; 3]>,
        names: Vec<u32>,
        triangles: Vec<[u32; 3]>,
        velocities: Vec<[f64; 3]>,
        forces: Vec<[f64; 3]>,
    },
}

impl Obstacle {
    /// Returns everything that must survive a restart.
    pub fn state(&self) -> ObstacleState {
        self.state_with(self.touches.clone())
    }

    /// Returns the state with these contacts.
    pub(crate) fn state_with(&self, touches: Vec<Touch>) -> ObstacleState {
        let plain = |vectors: &[Vector<3>]| vectors.iter().map(|&v| v.into()).collect();
        let shape = match &self.shape {
            Shape::HalfSpace(half) => ShapeState::HalfSpace {
                point: half.point().coords.into(),
                normal: half.normal().into(),
            },
            Shape::Sphere(radius) => ShapeState::Sphere { radius: *radius },
            Shape::Mesh(mesh) => ShapeState::Mesh {
                points: mesh.points.iter().map(|p| p.coords.into()).collect(),
                names: mesh.names.clone(),
                triangles: mesh.triangles.clone(),
                velocities: plain(&mesh.velocities),
                forces: plain(&mesh.forces),
            },
        };

        ObstacleState {
            shape,
            material: self.material,
            rotation: (*self.pose.rotation()).into(),
            position: self.pose.position().coords.into(),
            velocity: self.velocity.into(),
            spin: self.spin.into(),
            surface: self.surface.into(),
            reaction: [
                self.reaction.force.into(),
                self.reaction.torque.into(),
                self.reaction.friction.into(),
            ],
            touches,
        }
    }

    /// Restores an obstacle from a state.
    pub fn resume(state: &ObstacleState) -> Result<Self, Problem> {
        let vectors =
            |plain: &[[f64; 3]]| plain.iter().map(|&v| v.into()).collect::<Vec<Vector<3>>>();
        let mut obstacle = match &state.shape {
            ShapeState::HalfSpace { point, normal } => {
                Self::new(Shape::HalfSpace(HalfSpace::new(*point, *normal)?), 0)
            }
            ShapeState::Sphere { radius } => Self::sphere(*radius, 0)?,
            ShapeState::Mesh {
                points,
                names,
                triangles,
                velocities,
                forces,
            } => {
                let points: Vec<Point<3>> = points.iter().map(|&p| p.into()).collect();
                let lengths = [names.len(), points.len()];
                if triangles
                    .iter()
                    .flatten()
                    .any(|&n| lengths.iter().any(|&length| n as usize >= length))
                {
                    return Err(Problem::whole(ProblemKind::IndexOutOfRange));
                }
                if [velocities.len(), forces.len()]
                    .iter()
                    .any(|&n| n != 0 && n != points.len())
                {
                    return Err(Problem::whole(ProblemKind::WrongCount));
                }
                let mut mesh = Mesh::unchecked(points, triangles.clone());
                mesh.names.clone_from(names);
                (mesh.velocities, mesh.forces) = (vectors(velocities), vectors(forces));
                Self::new(Shape::Mesh(Box::new(mesh)), 0)
            }
        };
        obstacle.material = state.material;
        obstacle.pose = pose_of(state)?;
        obstacle.last_pose = Some(obstacle.pose);
        (obstacle.velocity, obstacle.spin) = (state.velocity.into(), state.spin.into());
        obstacle.surface = state.surface.into();
        let [force, torque, friction] = state.reaction.map(Vector::from);
        obstacle.reaction = Reaction {
            force,
            torque,
            friction,
        };
        obstacle.touches.clone_from(&state.touches);

        Ok(obstacle)
    }
}

fn pose_of(state: &ObstacleState) -> Result<Pose<3>, Problem> {
    let rotation = Matrix::<3>::from(state.rotation);
    Pose::new(rotation, state.position).map_err(|_| Problem::whole(ProblemKind::NotFinite))
}

impl Obstacle {
    /// Returns the nodes of a feature.
    pub(crate) fn nodes_of(&self, spot: MeshFeature) -> [Option<u32>; 3] {
        match (spot, &self.shape) {
            (MeshFeature::Vertex(a), _) => [Some(a), None, None],
            (MeshFeature::Edge([a, b]), _) => [Some(a), Some(b), None],
            (MeshFeature::Face(face), Shape::Mesh(mesh)) => mesh.names_of(face).map(Some),
            (MeshFeature::Face(_), Shape::HalfSpace(_) | Shape::Sphere(_)) => [None; 3],
        }
    }
}
