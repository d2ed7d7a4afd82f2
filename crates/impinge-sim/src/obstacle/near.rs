//! Neighbour list of particles and faces, valid while particles and obstacle have moved less than
//! its skin.
//!
//! The list contains only candidates, sorted by particle and face, so results do not depend on when it
//! was built.

use super::{Obstacle, Shape};
use impinge::bound::Ball;
use impinge::space::{Aabb, Point, Pose, Vector};
use rayon::prelude::*;

/// Particles per task.
const TASK: usize = 4096;

/// Candidates of an obstacle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    /// Places of particles, ascending.
    pub(crate) particles: Vec<u32>,
    /// The faces of particle n are `faces[starts[n]..starts[n + 1]]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) faces: Vec<u32>,
    build: Option<ListBuild>,
}

/// When a list was built.
#[derive(Clone, Copy, Debug)]
struct ListBuild {
    pose: Pose<3>,
    /// Path of the particles until then.
    path: f64,
    margin: f64,
}

impl Near {
    pub(crate) fn forget(&mut self) {
        self.build = None;
    }

    /// Returns the faces of the n-th particle of the list.
    pub(crate) fn faces_of(&self, n: usize) -> &[u32] {
        &self.faces[self.starts[n] as usize..self.starts[n + 1] as usize]
    }
}

impl Obstacle {
    /// Rebuilds the list if particles may have left its skin; `path` is an upper bound on the total
    /// path of each.
    ///
    /// Spheres that are not `own` are left out: they touch the obstacle on another rank.
    pub(crate) fn watch(&mut self, spheres: &[Ball<3>], own: &[bool], path: f64, margin: f64) {
        if self.near.build.is_some_and(|build| {
            self.displacement_bound(&build) + (path - build.path) < build.margin
        }) {
            return;
        }

        if let Shape::Mesh(mesh) = &mut self.shape {
            mesh.refit();
        }

        let tasks: Vec<Found> = spheres
            .par_chunks(TASK)
            .zip(own.par_chunks(TASK))
            .enumerate()
            .map(|(task, (spheres, own))| self.look(spheres, own, (task * TASK) as u32, margin))
            .collect();
        let near = &mut self.near;
        near.particles.clear();
        near.faces.clear();
        near.starts.clear();
        near.starts.push(0);

        for found in tasks {
            near.particles.extend(found.particles);
            let first = near.faces.len() as u32;
            near.starts.extend(found.ends.iter().map(|end| first + end));
            near.faces.extend(found.faces);
        }

        self.near.build = Some(ListBuild {
            pose: self.pose,
            path,
            margin,
        });
    }

    /// Returns a bound on the displacement of any surface point since the list was built.
    fn displacement_bound(&self, build: &ListBuild) -> f64 {
        let turned = (self.pose.rotation() - build.pose.rotation()).norm();
        let moved = (self.pose.position() - build.pose.position()).norm();
        match &self.shape {
            // A rotating plane sweeps all space.
            Shape::HalfSpace(_) if turned > 0.0 => f64::INFINITY,
            Shape::HalfSpace(_) | Shape::Sphere(_) => moved,
            Shape::Mesh(_) if turned == 0.0 && moved == 0.0 && !self.deforms() => 0.0,
            Shape::Mesh(mesh) => moved + turned * mesh.reach + mesh.strain(),
        }
    }

    /// Returns whether it is a mesh whose nodes move.
    pub(crate) fn deforms(&self) -> bool {
        matches!(&self.shape, Shape::Mesh(mesh) if !mesh.velocities.is_empty())
    }

    fn look(&self, spheres: &[Ball<3>], own: &[bool], first: u32, margin: f64) -> Found {
        let mut found = Found::default();
        if self.is_away {
            return found;
        }
        let own = own.iter().copied();
        let spheres = (first..).zip(spheres).zip(own).filter(|(_, own)| *own);
        let spheres = spheres.map(|(sphere, _)| sphere);

        match &self.shape {
            Shape::HalfSpace(half) => {
                let (point, normal) = (
                    self.pose.point(&half.point()),
                    self.pose.vector(&half.normal()),
                );
                for (n, Ball { centre, radius }) in spheres {
                    if normal.dot(&(centre - point)) <= radius + margin {
                        found.push(n, &[0]);
                    }
                }
            }
            Shape::Sphere(own) => {
                for (n, Ball { centre, radius }) in spheres {
                    if (centre - self.pose.position()).norm() <= own + radius + margin {
                        found.push(n, &[0]);
                    }
                }
            }
            Shape::Mesh(mesh) => {
                let (bounds, mut faces) = (mesh.boxes().bounds(), Vec::new());
                for (n, Ball { centre, radius }) in spheres {
                    let (local, reach) = (self.pose.to_local(centre), radius + margin);
                    if may_reach(&bounds, &local, reach) {
                        mesh.boxes().find_within(&local, reach, &mut faces);
                        faces.retain(|&face| mesh.comes_within(&local, reach, face));
                        found.push(n, &faces);
                    }
                }
            }
        }

        found
    }
}

fn may_reach(bounds: &Aabb<3>, centre: &Point<3>, reach: f64) -> bool {
    let reach = Vector::repeat(reach);
    Aabb {
        min: bounds.min - reach,
        max: bounds.max + reach,
    }
    .contains(centre)
}

/// Candidates found by one task.
#[derive(Default)]
struct Found {
    particles: Vec<u32>,
    ends: Vec<u32>,
    faces: Vec<u32>,
}

impl Found {
    fn push(&mut self, particle: u32, faces: &[u32]) {
        if !faces.is_empty() {
            self.particles.push(particle);
            self.faces.extend_from_slice(faces);
            self.ends.push(self.faces.len() as u32);
        }
    }
}
