//! Tests of solids, and their shared helpers.

mod bounce;
mod cells;
mod contact;
mod elastic;
mod locking;
mod state;

use super::{ElasticMaterial, SelfContact, Solids, SolidsOptions, SurfaceMaterial};
use crate::matter::{Matter, StepError};
use impinge::shape::{ElementKind, Solid, generate::brick};
use impinge::space::{Point, Vector};

/// Solids without gravity.
pub(super) fn weightless() -> Solids {
    Solids::new(SolidsOptions {
        gravity: [0.0; 3],
        ..SolidsOptions::default()
    })
    .expect("valid")
}

/// A surface with friction.
pub(super) fn rough(friction: f64) -> SurfaceMaterial {
    SurfaceMaterial {
        friction,
        ..SurfaceMaterial::default()
    }
}

/// A brick with its lowest corner at a position.
pub(super) fn block(cells: [usize; 3], size: [f64; 3], at: [f64; 3]) -> Solid {
    let mut mesh = brick(cells, size, ElementKind::Tet4).expect("valid");
    mesh.points.iter_mut().for_each(|p| *p += Vector::from(at));
    Solid::from_mesh(&mesh).expect("valid")
}

pub(super) fn add(solids: &mut Solids, shape: Solid, material: &ElasticMaterial) -> usize {
    solids
        .add(shape, material, SelfContact::Ignored)
        .expect("valid")
}

pub(super) fn step(solids: &mut Solids, dt: f64) -> Result<(), StepError> {
    solids.begin(dt);
    solids.interact(dt)?;
    solids.finish(dt)
}

pub(super) fn run(solids: &mut Solids, dt: f64, steps: usize) {
    for _ in 0..steps {
        step(solids, dt).expect("a stable step");
    }
}

pub(super) fn centre(solids: &Solids, solid: usize) -> Point<3> {
    let solid = solids.solid(solid);
    Point::from(solid.moment() / solid.mass())
}
