//! Contact properties of pairs of materials, for each kind of matter.

use super::WorldOptions;
use crate::law::{Coefficients, Material, Pairing};
use crate::rigid::{ContactStiffness, RigidLaw, RigidLaws};
use crate::solid::{ElasticMaterial, SurfaceMaterial};

/// Returns the laws of rigid bodies for each pair of materials. The default stiffness is the
/// harmonic mean of Young's moduli over the size of the pair: the two bodies are springs in series,
/// scaled so that two equal ones are as stiff as one.
pub(super) fn rigid_laws(options: &WorldOptions) -> RigidLaws {
    let materials = &options.materials;
    RigidLaws::of(materials.len(), |i, j| {
        let (a, b) = (&materials[i], &materials[j]);
        let own = [a, b].map(Coefficients::from);
        let mixed = Coefficients::between([i, j], own.each_ref(), &options.pairings);
        let young = ContactStiffness::Young(2.0 / (1.0 / a.young + 1.0 / b.young));
        RigidLaw {
            stiffness: options
                .contact_stiffness
                .map_or(young, ContactStiffness::Given),
            restitution: mixed.restitution,
            friction: mixed.friction,
            rolling: mixed.rolling_friction,
        }
    })
}

/// Returns the surface properties of a material for contacts of solids.
pub(super) fn surface_of(options: &WorldOptions, index: usize) -> SurfaceMaterial {
    let material = &options.materials[index];
    SurfaceMaterial {
        friction: material.friction,
        restitution: material.restitution,
        material: index,
    }
}

/// Returns the pairings of the material that spheres touch on a solid: those of the solid's surface
/// material.
pub(super) fn pairings_of_solid(
    pairings: &[Pairing],
    surface: usize,
    own: usize,
) -> impl Iterator<Item = Pairing> + '_ {
    pairings.iter().filter_map(move |pairing| {
        let [a, b] = pairing.materials;
        let other = if a == surface {
            b
        } else if b == surface {
            a
        } else {
            return None;
        };
        Some(Pairing {
            materials: [other, own],
            ..*pairing
        })
    })
}

/// Returns the material that spheres touch on the surface of an elastic solid.
pub(super) fn of_solid(
    elastic: &ElasticMaterial,
    surface: &Material,
    friction: Option<f64>,
) -> Material {
    Material {
        young: elastic.young,
        poisson: elastic.poisson,
        density: elastic.density,
        friction: friction.unwrap_or(surface.friction),
        ..*surface
    }
}
