//! Friction and restitution of a solid's surface.

use super::InvalidSolid;
use serde::{Deserialize, Serialize};

/// Surface properties for contacts. A pair uses the geometric mean of the two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[doc(alias = "coefficient of restitution")]
#[doc(alias = "coefficient of friction")]
pub struct SurfaceMaterial {
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Coefficient of restitution for the first contact of free rigid bodies, from 0 to 1.
    pub restitution: f64,
}

impl Default for SurfaceMaterial {
    fn default() -> Self {
        Self {
            friction: 0.0,
            restitution: 1.0,
        }
    }
}

impl SurfaceMaterial {
    /// Returns the properties of two surfaces in contact.
    pub(super) fn with(&self, other: &Self) -> Self {
        let mean = |x: f64, y: f64| if x == y { x } else { (x * y).sqrt() };
        Self {
            friction: mean(self.friction, other.friction),
            restitution: mean(self.restitution, other.restitution),
        }
    }

    pub(super) fn check(&self) -> Result<(), InvalidSolid> {
        let Self {
            friction,
            restitution,
        } = *self;
        let is_friction = friction >= 0.0 && friction.is_finite();
        let checks = [
            ("friction", friction, is_friction, "0 or greater"),
            (
                "restitution",
                restitution,
                (0.0..=1.0).contains(&restitution),
                "from 0 to 1",
            ),
        ];
        let bad = checks.into_iter().find(|check| !check.2);

        bad.map_or(Ok(()), |(name, value, _, wanted)| {
            Err(InvalidSolid::Number {
                name,
                value,
                wanted,
            })
        })
    }
}
