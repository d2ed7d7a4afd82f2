//! What a step is told: the bodies, who is switched off, who does not collide with whom, and what repeats.

use super::{BodyId, Period, Proxy, ProxyFault};
use thiserror::Error;

/// With whom a body collides. Two bodies collide if each is on the other's list of groups and they are not of one
/// family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Groups that the body belongs to, one for each bit.
    pub groups: u32,
    /// Groups that the body collides with, one for each bit.
    pub collides_with: u32,
    /// Bodies of one family, say the parts of one machine, do not collide with each other; family 0 is none.
    pub family: u32,
}

impl Filter {
    /// Collides with everybody.
    pub const ALL: Self = Self {
        groups: u32::MAX,
        collides_with: u32::MAX,
        family: 0,
    };

    /// Switched off: collides with nobody, and may hold any numbers. The slot of a removed body.
    pub const OFF: Self = Self {
        groups: 0,
        collides_with: 0,
        family: 0,
    };

    /// Collides with everybody but its family.
    pub fn family(family: u32) -> Self {
        Self {
            family,
            ..Self::ALL
        }
    }

    /// Whether the body can collide with anybody.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.groups != 0 && self.collides_with != 0
    }

    /// Whether the two may collide.
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

/// One step's question.
///
/// Bodies keep their numbers from step to step. A body is added by a longer slice (or a slot that is switched on), and
/// removed by a shorter slice or a slot that is switched [`Filter::OFF`].
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
    /// One for each body, or empty: everybody collides with everybody.
    pub filters: &'a [Filter],
    /// Which axes repeat.
    pub period: Period<D>,
}

/// Why a scene was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidScene {
    /// A body that is switched on has bad numbers; the lowest such body.
    #[error("body {body} {fault}")]
    Body {
        /// Its number.
        body: BodyId,
        /// What is wrong with it.
        fault: ProxyFault,
    },
    /// The filters do not match the bodies.
    #[error("{filters} filters for {bodies} bodies; there must be none or one for each")]
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
    /// More bodies than the 32-bit numbers of bodies and their images can hold.
    #[error("{bodies} bodies are too many; the most is {MOST_BODIES}")]
    TooMany {
        /// Number of bodies.
        bodies: usize,
    },
}

/// Sorted places are 32-bit numbers; periodic images multiply them by up to 8.
pub const MOST_BODIES: usize = 1 << 28;

impl<'a, B: Proxy<D>, const D: usize> BroadScene<'a, B, D> {
    /// Bodies that all collide, in a world that does not repeat.
    pub fn of(bodies: &'a [B]) -> Self {
        Self {
            bodies,
            filters: &[],
            period: Period::NONE,
        }
    }

    /// Everything that can be checked without looking at single bodies.
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

    /// Checks the whole scene.
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

    /// Whether body `n` is switched on.
    #[inline]
    pub fn is_on(&self, n: usize) -> bool {
        self.filters.is_empty() || self.filters[n].is_on()
    }

    /// Whether the filters let two bodies collide.
    #[inline]
    pub fn allows(&self, a: BodyId, b: BodyId) -> bool {
        self.filters.is_empty() || self.filters[a as usize].allows(&self.filters[b as usize])
    }

    /// Whether the bodies overlap, whatever the filters say.
    #[inline]
    pub(super) fn shapes_overlap(&self, a: BodyId, b: BodyId) -> bool {
        let (one, other) = (&self.bodies[a as usize], &self.bodies[b as usize]);
        if self.period.repeats() {
            one.overlaps_image(other, &self.period)
        } else {
            one.overlaps(other)
        }
    }

    /// Whether the two bodies make a pair: what [`BruteForce`](super::BruteForce) asks of all of them.
    #[inline]
    pub fn pair_overlaps(&self, a: BodyId, b: BodyId) -> bool {
        self.allows(a, b) && self.shapes_overlap(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Ball;

    #[test]
    fn families_and_groups_do_not_collide() {
        assert!(Filter::ALL.allows(&Filter::ALL));
        assert!(!Filter::family(3).allows(&Filter::family(3)));
        assert!(
            Filter::family(3).allows(&Filter::family(4)) && Filter::family(3).allows(&Filter::ALL)
        );
        let ghost = Filter {
            collides_with: !2,
            groups: 1,
            family: 0,
        };
        let wall = Filter {
            groups: 2,
            ..Filter::ALL
        };
        assert!(!ghost.allows(&wall) && !wall.allows(&ghost) && ghost.allows(&ghost));
        assert!(!Filter::OFF.is_on() && !Filter::OFF.allows(&Filter::ALL));
    }

    #[test]
    fn errors_name_the_item() {
        let balls = [Ball::new([0.0, 0.0], 1.0), Ball::new([0.0, f64::NAN], 1.0)];
        let scene = BroadScene::of(&balls);
        assert_eq!(
            scene.check().unwrap_err().to_string(),
            "body 1 has a coordinate that is NaN, infinite or beyond 1e60"
        );
        assert!(
            BroadScene {
                filters: &[Filter::ALL, Filter::OFF],
                ..scene
            }
            .check()
            .is_ok()
        );
        let error = BroadScene {
            filters: &[Filter::ALL],
            ..scene
        }
        .check()
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "1 filters for 2 bodies; there must be none or one for each"
        );
        let error = BroadScene {
            period: Period::cell([1.0, -1.0]),
            ..scene
        }
        .check()
        .unwrap_err();
        assert_eq!(error, InvalidScene::Period { axis: 1 });
    }
}
