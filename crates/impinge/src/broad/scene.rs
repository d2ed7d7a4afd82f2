//! Input of a broad-phase step: bodies, collision filters and periodicity.

use super::{BodyId, Period, Proxy, ProxyFault};
use thiserror::Error;

/// Collision filter of a body. Two bodies may collide if each belongs to a group that the other
/// collides with, and they are not of the same family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Bit mask of the groups that the body belongs to.
    pub groups: u32,
    /// Bit mask of the groups that the body collides with.
    pub collides_with: u32,
    /// Bodies of the same family, such as the parts of one machine, do not collide with each other;
    /// 0 means no family.
    pub family: u32,
}

impl Filter {
    /// Collides with every body.
    pub const ALL: Self = Self {
        groups: u32::MAX,
        collides_with: u32::MAX,
        family: 0,
    };

    /// Disabled: collides with nothing, and its coordinates are not checked. Use it for the slot of
    /// a removed body.
    pub const OFF: Self = Self {
        groups: 0,
        collides_with: 0,
        family: 0,
    };

    /// Returns a filter that collides with every body outside the given family.
    pub fn family(family: u32) -> Self {
        Self {
            family,
            ..Self::ALL
        }
    }

    /// Returns whether the body can collide with anything.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.groups != 0 && self.collides_with != 0
    }

    /// Returns whether two bodies with these filters may collide.
    #[inline]
    pub fn allows(&self, other: &Self) -> bool {
        let listed =
            self.groups & other.collides_with != 0 && other.groups & self.collides_with != 0;
        listed && (self.family == 0 || self.family != other.family)
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}

/// Input of one broad-phase step.
///
/// Bodies keep their indices from step to step. To add a body, pass a longer slice or enable a
/// disabled slot. To remove one, pass a shorter slice or set its filter to [`Filter::OFF`].
///
/// ```
/// use impinge::broad::{Filter, Period, BroadScene};
/// use impinge::bound::Ball;
/// let balls = [Ball::new([0.0, 0.0], 1.0), Ball::new([9.0, 0.0], 1.0)];
/// let scene = BroadScene { period: Period::cell([10.0, 10.0]), ..BroadScene::of(&balls) };
/// assert!(scene.pair_overlaps(0, 1));
/// let scene = BroadScene { filters: &[Filter::ALL, Filter::OFF], ..scene };
/// assert!(!scene.pair_overlaps(0, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BroadScene<'a, B, const D: usize> {
    /// Boxes or balls.
    pub bodies: &'a [B],
    /// One filter per body, or empty if every body may collide with every other.
    pub filters: &'a [Filter],
    /// The periodic axes.
    pub period: Period<D>,
}

/// The reason why a scene was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidScene {
    /// An enabled body is invalid; reports the one with the lowest index.
    #[error("body {body} {fault}")]
    Body {
        /// Index of the body.
        body: BodyId,
        /// What is wrong with it.
        fault: ProxyFault,
    },
    /// The number of filters does not match the number of bodies.
    #[error("{filters} filters for {bodies} bodies; give none, or one per body")]
    FilterCount {
        /// Number of bodies.
        bodies: usize,
        /// Number of filters.
        filters: usize,
    },
    /// A period is not a positive finite length.
    #[error("the period of axis {axis} is not a positive finite length")]
    Period {
        /// The axis.
        axis: usize,
    },
    /// There are more bodies than 32-bit indices of bodies and their images allow.
    #[error("too many bodies: {bodies} (limit {MOST_BODIES})")]
    TooMany {
        /// Number of bodies.
        bodies: usize,
    },
}

/// Maximum number of bodies. Positions in the sorted order are 32-bit indices, and periodic images
/// multiply the count by up to 8.
pub const MOST_BODIES: usize = 1 << 28;

impl<'a, B: Proxy<D>, const D: usize> BroadScene<'a, B, D> {
    /// Returns a scene without filters or periodic axes.
    pub fn of(bodies: &'a [B]) -> Self {
        Self {
            bodies,
            filters: &[],
            period: Period::NONE,
        }
    }

    /// Checks everything that does not require a pass over the bodies.
    pub(super) fn check_frame(&self) -> Result<(), InvalidScene> {
        let (bodies, filters) = (self.bodies.len(), self.filters.len());
        if bodies > MOST_BODIES {
            return Err(InvalidScene::TooMany { bodies });
        }

        if filters != 0 && filters != bodies {
            return Err(InvalidScene::FilterCount { bodies, filters });
        }

        self.period
            .fault()
            .map_or(Ok(()), |axis| Err(InvalidScene::Period { axis }))
    }

    /// Checks the whole scene, including every enabled body.
    pub fn check(&self) -> Result<(), InvalidScene> {
        self.check_frame()?;
        (0..self.bodies.len()).try_for_each(|n| self.check_body(n))
    }

    #[inline]
    pub(super) fn check_body(&self, n: usize) -> Result<(), InvalidScene> {
        match self.bodies[n].fault() {
            Some(fault) if self.is_on(n) => Err(InvalidScene::Body {
                body: n as BodyId,
                fault,
            }),
            _ => Ok(()),
        }
    }

    /// Returns whether body `n` is enabled.
    #[inline]
    pub fn is_on(&self, n: usize) -> bool {
        self.filters.is_empty() || self.filters[n].is_on()
    }

    /// Returns whether the filters let two bodies collide.
    #[inline]
    pub fn allows(&self, a: BodyId, b: BodyId) -> bool {
        self.filters.is_empty() || self.filters[a as usize].allows(&self.filters[b as usize])
    }

    /// Returns whether the bodies overlap, ignoring the filters.
    #[inline]
    pub(super) fn shapes_overlap(&self, a: BodyId, b: BodyId) -> bool {
        let (one, other) = (&self.bodies[a as usize], &self.bodies[b as usize]);
        if self.period.repeats() {
            one.overlaps_image(other, &self.period)
        } else {
            one.overlaps(other)
        }
    }

    /// Returns whether the two bodies form a pair. [`BruteForce`](super::BruteForce) applies this
    /// test to all pairs.
    #[inline]
    pub fn pair_overlaps(&self, a: BodyId, b: BodyId) -> bool {
        self.allows(a, b) && self.shapes_overlap(a, b)
    }
}

#[cfg(test)]
mod tests;
