//! Materials and contact laws of a scene.

use crate::scene::{self, LawSpec, RollingSpec, SceneSpec};
use impinge_sim::law::{Coefficients, Law, Material, Normal, Pairing, Rolling, Stiffness};

/// Ratios of tangential to normal stiffness and damping: with 2/7 both oscillations have the same
/// period.
const TANGENTIAL: f64 = 2.0 / 7.0;
const TANGENTIAL_DAMPING: f64 = 0.5;

/// Returns the materials of a scene; one default material if it has none.
pub(super) fn of(scene: &SceneSpec) -> Vec<Material> {
    match scene.material.is_empty() {
        true => vec![material(&scene::MaterialSpec::default())],
        false => scene.material.iter().map(material).collect(),
    }
}

fn material(material: &scene::MaterialSpec) -> Material {
    Material {
        young: material.young,
        poisson: material.poisson,
        restitution: material.restitution,
        friction: material.friction,
        rolling_friction: material.rolling,
        cohesion: material.cohesion,
        density: material.density,
    }
}

/// Returns the coefficients of the pairs of a scene; what an entry leaves out is mixed.
pub(super) fn pairings(scene: &SceneSpec, materials: &[Material]) -> Vec<Pairing> {
    let of_pair = |pair: &scene::PairSpec| {
        let indices = [0, 1].map(|i| named(scene, Some(&pair.materials[i])));
        let own = indices.map(|index| Coefficients::from(&materials[index]));
        let mixed = Coefficients::between(indices, own.each_ref(), &[]);
        Pairing {
            materials: indices,
            restitution: pair.restitution.unwrap_or(mixed.restitution),
            friction: pair.friction.unwrap_or(mixed.friction),
            rolling_friction: pair.rolling.unwrap_or(mixed.rolling_friction),
            cohesion: pair.cohesion.unwrap_or(mixed.cohesion),
        }
    };
    scene.pair.iter().map(of_pair).collect()
}

/// Returns the index of a material by name; the first if no name is given.
pub(super) fn named(scene: &SceneSpec, name: Option<&String>) -> usize {
    let place = |name: &String| {
        scene
            .material
            .iter()
            .position(|material| material.name == *name)
    };
    name.and_then(place).unwrap_or(0)
}

/// Returns the contact law of spheres.
pub(super) fn law(scene: &SceneSpec, materials: &[Material]) -> Law {
    let normal = match scene.contact.law {
        LawSpec::Hertz => Normal::HertzMindlin,
        LawSpec::Dmt => Normal::Dmt,
        LawSpec::Jkr => Normal::Jkr,
        LawSpec::Linear { stiffness } => Normal::Linear {
            stiffness: Stiffness::Given(stiffness),
            tangential: TANGENTIAL,
            tangential_damping: TANGENTIAL_DAMPING,
        },
        LawSpec::Restoring { stiffness } => Normal::Restoring { stiffness },
    };
    let rolls = materials
        .iter()
        .any(|material| material.rolling_friction > 0.0)
        || scene.pair.iter().any(|pair| pair.rolling > Some(0.0));

    Law {
        normal,
        rolling: match scene.contact.rolling {
            _ if !rolls => Rolling::None,
            RollingSpec::Spring => Rolling::Spring,
            RollingSpec::Constant => Rolling::Constant,
        },
    }
}
