//! Friction and restitution of a surface that elastic solids touch.

use super::{Coefficients, Pairing};
use serde::{Deserialize, Serialize};

/// Surface properties for contacts. A pair uses the geometric mean of the two, unless a pairing of
/// their materials is given ([`Coefficients::between`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[doc(alias = "coefficient of restitution")]
#[doc(alias = "coefficient of friction")]
pub struct SurfaceMaterial {
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Coefficient of restitution, from 0 to 1, of spheres and of the first contact of free rigid
    /// bodies. Off walls and other solids, a solid bounces by its own elasticity, damped by
    /// [`stiffness_damping`](crate::solid::ElasticMaterial::stiffness_damping).
    pub restitution: f64,
    /// Index of the material, for pairings.
    pub material: usize,
}

impl Default for SurfaceMaterial {
    fn default() -> Self {
        Self {
            friction: 0.0,
            restitution: 1.0,
            material: 0,
        }
    }
}

impl SurfaceMaterial {
    /// Returns the properties of two surfaces in contact.
    pub(crate) fn with(&self, other: &Self, pairings: &[Pairing]) -> Self {
        let materials = [self.material, other.material];
        let own = [self, other].map(|surface| Coefficients {
            restitution: surface.restitution,
            friction: surface.friction,
            rolling_friction: 0.0,
            cohesion: 0.0,
        });
        let mixed = Coefficients::between(materials, own.each_ref(), pairings);

        Self {
            friction: mixed.friction,
            restitution: mixed.restitution,
            material: self.material,
        }
    }

    /// Returns the first number that is out of range: its name, its value and what it must be.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        let Self {
            friction,
            restitution,
            ..
        } = *self;
        let is_friction = friction >= 0.0 && friction.is_finite();
        if !is_friction {
            return Some(("friction", friction, "0 or greater"));
        }

        let is_restitution = (0.0..=1.0).contains(&restitution);
        (!is_restitution).then_some(("restitution", restitution, "from 0 to 1"))
    }
}
