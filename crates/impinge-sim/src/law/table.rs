//! Table of contact constants for each pair of materials under a law, computed once.

use super::damping::damping_ratio;
use super::material::{
    Coefficients, InvalidLaw, Material, NOT_NEGATIVE, POSITIVE, Pairing, is_not_negative,
    is_positive,
};
use super::real::Real;
use super::{Law, Normal, Rolling, Stiffness, jkr};
use fearless_simd::{Simd, SimdFrom, f64x4};
use std::f64::consts::PI;

/// Fraction of the time scale of a contact that a step may take: a collision then has about eleven
/// steps under the linear law, and Hertz's a fifth of the Rayleigh time.
const STEP: f64 = 0.2;
/// Speed of Rayleigh waves relative to that of shear waves: 0.8766 + 0.1631 ν (fit, within 0.5 %).
const RAYLEIGH: [f64; 2] = [0.1631, 0.8766];

/// Kinds of normal force, as parameters of the law at compile time.
pub(crate) const LINEAR: u8 = 0;
pub(crate) const HERTZ: u8 = 1;
pub(crate) const DMT: u8 = 2;
pub(crate) const JKR: u8 = 3;

/// The constants of a contact between two materials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mixed<N = f64> {
    /// k of the linear law, E* of Hertz's.
    pub(super) normal: N,
    /// Tangential stiffness of the linear law, G* of Mindlin's.
    pub(super) tangential: N,
    /// Damping divided by √m* (linear) or by √(m* √(R* δ)) (Hertz).
    pub(super) damping: N,
    /// Tangential damping, scaled the same way.
    pub(super) tangential_damping: N,
    pub(super) friction: N,
    pub(super) rolling: N,
    /// 2πw/E* of DMT, its root of JKR: with E*, both scale with the share of a contact.
    pub(super) adhesion: N,
}

impl Mixed {
    /// Returns the constants of a contact that is this fraction of a whole one.
    pub(crate) fn part(&self, share: f64) -> Self {
        Self {
            normal: self.normal * share,
            tangential: self.tangential * share,
            damping: self.damping * share,
            tangential_damping: self.tangential_damping * share,
            ..*self
        }
    }
}

impl<N: Real> Mixed<N> {
    /// Returns the distance of the surfaces up to which a contact that has begun holds.
    #[inline(always)]
    pub(crate) fn tear_gap(&self, kind: u8, inverse_radius: N) -> N {
        match kind {
            JKR => jkr::tear_gap(self.adhesion, inverse_radius),
            _ => inverse_radius.like(0.0),
        }
    }
}

impl<S: Simd> Mixed<f64x4<S>> {
    /// Gathers the constants of four contacts into vectors.
    #[inline(always)]
    pub(crate) fn side_by_side(simd: S, of: [&Mixed; 4]) -> Self {
        Self {
            normal: f64x4::simd_from(simd, of.map(|mixed| mixed.normal)),
            tangential: f64x4::simd_from(simd, of.map(|mixed| mixed.tangential)),
            damping: f64x4::simd_from(simd, of.map(|mixed| mixed.damping)),
            tangential_damping: f64x4::simd_from(simd, of.map(|mixed| mixed.tangential_damping)),
            friction: f64x4::simd_from(simd, of.map(|mixed| mixed.friction)),
            rolling: f64x4::simd_from(simd, of.map(|mixed| mixed.rolling)),
            adhesion: f64x4::simd_from(simd, of.map(|mixed| mixed.adhesion)),
        }
    }
}

/// The constants of all pairs of materials.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) law: Law,
    materials: Vec<Material>,
    mixed: Vec<Mixed>,
}

impl Table {
    pub(crate) fn new(
        law: Law,
        materials: &[Material],
        pairings: &[Pairing],
    ) -> Result<Self, InvalidLaw> {
        check(&law)?;
        if materials.is_empty() {
            return Err(InvalidLaw::NoMaterials);
        }

        materials
            .iter()
            .enumerate()
            .try_for_each(|(n, material)| material.check(n))?;
        pairings
            .iter()
            .enumerate()
            .try_for_each(|(n, pairing)| pairing.check(n, materials.len()))?;
        let mut mixed = Vec::new();

        for a in 0..materials.len() {
            mixed.extend((0..materials.len()).map(|b| mix(&law, materials, pairings, a, b)));
        }

        Ok(Self {
            law,
            materials: materials.to_vec(),
            mixed,
        })
    }

    #[inline]
    pub(crate) fn mixed(&self, a: u16, b: u16) -> &Mixed {
        &self.mixed[a as usize * self.materials.len() + b as usize]
    }

    /// Returns the kind of normal force.
    pub(crate) fn kind(&self) -> u8 {
        match self.law.normal {
            Normal::Linear { .. } | Normal::Restoring { .. } => LINEAR,
            Normal::HertzMindlin => HERTZ,
            Normal::Dmt => DMT,
            Normal::Jkr => JKR,
        }
    }

    /// Returns the distance of the surfaces up to which a contact that has begun holds.
    pub(crate) fn tear_gap(&self, a: u16, b: u16, inverse_radius: f64) -> f64 {
        self.mixed(a, b).tear_gap(self.kind(), inverse_radius)
    }

    /// Returns the largest such distance of spheres up to a radius.
    pub(crate) fn largest_tear_gap(&self, radius: f64) -> f64 {
        let all = self.mixed.iter();
        all.map(|mixed| mixed.tear_gap(self.kind(), 1.0 / radius))
            .fold(0.0, f64::max)
    }

    /// Returns whether contacts store a rolling angle.
    pub(crate) fn keeps_rolling(&self) -> bool {
        self.law.rolling == Rolling::Spring && !matches!(self.law.normal, Normal::Restoring { .. })
    }

    /// Returns the longest stable step for a sphere of this radius, mass and material.
    ///
    /// Linear: a sphere held by a dozen springs has no frequency above √(24 k/m), so the limit is
    /// 0.41 √(m/k); half of it resolves a collision with eleven steps. Hertz: a fifth of the time
    /// that a Rayleigh wave takes around the sphere.
    pub(crate) fn stable_step(&self, radius: f64, mass: f64, material: u16) -> f64 {
        if self.kind() != LINEAR {
            let Material {
                young,
                poisson,
                density,
                ..
            } = self.materials[material as usize];
            let shear = young / (2.0 * (1.0 + poisson));
            return STEP * PI * radius * (density / shear).sqrt()
                / (RAYLEIGH[0] * poisson + RAYLEIGH[1]);
        }

        let stiffest = (0..self.materials.len()).map(|b| self.mixed(material, b as u16).normal);
        STEP * (mass / stiffest.fold(f64::MIN_POSITIVE, f64::max)).sqrt()
    }
}

fn check(law: &Law) -> Result<(), InvalidLaw> {
    let constant = |what, value, range, good| {
        if good {
            Ok(())
        } else {
            Err(InvalidLaw::Constant { what, value, range })
        }
    };
    let positive = |what, value| constant(what, value, POSITIVE, is_positive(value));
    let not_negative = |what, value| constant(what, value, NOT_NEGATIVE, is_not_negative(value));

    match law.normal {
        Normal::HertzMindlin | Normal::Dmt | Normal::Jkr => Ok(()),
        Normal::Restoring { stiffness } => positive("stiffness", stiffness),
        Normal::Linear {
            stiffness,
            tangential,
            tangential_damping,
        } => {
            not_negative("tangential stiffness", tangential)?;
            not_negative("tangential damping", tangential_damping)?;
            match stiffness {
                Stiffness::Given(stiffness) => positive("stiffness", stiffness),
                Stiffness::Typical { speed, radius } => {
                    positive("typical speed", speed).and(positive("typical radius", radius))
                }
            }
        }
    }
}

fn mix(law: &Law, materials: &[Material], pairings: &[Pairing], a: usize, b: usize) -> Mixed {
    let (one, other) = (&materials[a], &materials[b]);
    let own = [one, other].map(Coefficients::from);
    let Coefficients {
        restitution: e,
        friction,
        rolling_friction: rolling,
        cohesion,
    } = Coefficients::between([a, b], own.each_ref(), pairings);

    let rolling = if law.rolling == Rolling::None {
        0.0
    } else {
        rolling
    };
    let zeta = damping_ratio(e);

    // Without friction there is no tangential force.
    let rubs = f64::from(friction > 0.0);
    match law.normal {
        Normal::Restoring { stiffness } => Mixed {
            normal: stiffness,
            ..Mixed::default()
        },
        Normal::Linear {
            stiffness,
            tangential,
            tangential_damping,
        } => {
            let k = match stiffness {
                Stiffness::Given(k) => k,
                Stiffness::Typical { speed, radius } => {
                    typical_stiffness(one, other, speed, radius)
                }
            };
            let damping = 2.0 * zeta * k.sqrt();
            Mixed {
                normal: k,
                tangential: tangential * k,
                damping,
                tangential_damping: rubs * tangential_damping * damping,
                friction,
                rolling,
                adhesion: 0.0,
            }
        }
        Normal::HertzMindlin | Normal::Dmt | Normal::Jkr => {
            let (normal, tangential) = (effective_young(one, other), effective_shear(one, other));
            // 2 √(5/6) ζ √(m* S) with S = 2 E* a and 8 G* a; see damping.rs.
            let share = 2.0 * (5.0f64 / 6.0).sqrt() * zeta;
            let adhesion = 2.0 * PI * cohesion / normal;
            Mixed {
                normal,
                tangential,
                damping: share * (2.0 * normal).sqrt(),
                tangential_damping: rubs * share * (8.0 * tangential).sqrt(),
                friction,
                rolling,
                adhesion: match law.normal {
                    Normal::Dmt => adhesion,
                    Normal::Jkr => adhesion.sqrt(),
                    _ => 0.0,
                },
            }
        }
    }
}

/// 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.
fn effective_young(one: &Material, other: &Material) -> f64 {
    let share = |m: &Material| (1.0 - m.poisson * m.poisson) / m.young;
    1.0 / (share(one) + share(other))
}

/// 1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂ with G = E / 2(1 + ν).
fn effective_shear(one: &Material, other: &Material) -> f64 {
    let share = |m: &Material| (2.0 - m.poisson) * 2.0 * (1.0 + m.poisson) / m.young;
    1.0 / (share(one) + share(other))
}

/// The k whose ½ k δ² equals Hertz's energy at the depth where all of ½ m* v² is stored:
/// k = 16/15 E* √R* √δ with δ = (15 m* v² / (16 E* √R*))^(2/5).
fn typical_stiffness(one: &Material, other: &Material, speed: f64, radius: f64) -> f64 {
    let mass = |m: &Material| m.density * 4.0 / 3.0 * PI * radius.powi(3);
    let (m1, m2) = (mass(one), mass(other));
    let bend = 16.0 / 15.0 * effective_young(one, other) * (0.5 * radius).sqrt();
    bend * (m1 * m2 / (m1 + m2) * speed * speed / bend).powf(0.2)
}

#[cfg(test)]
mod tests;
