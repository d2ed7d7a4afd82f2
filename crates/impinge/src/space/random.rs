//! A small seeded random number generator. It yields the same numbers on every machine and with
//! every version of every dependency, so that generated meshes and random rays can be identified by
//! their seed.

use super::Vector;

/// Length below which a random vector is drawn again: its direction would have few digits.
const SHORTEST: f64 = 0.1;

/// SplitMix64 (Steele, Lea and Flood 2014): 64 bits of state, passes the usual statistical test
/// batteries.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in [low, up).
    pub fn within(&mut self, low: f64, up: f64) -> f64 {
        low + (up - low) * self.unit()
    }

    /// Uniform among 0, 1, …, count − 1; the bias of the multiplication is below 2⁻³² for counts below 2³².
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// Uniform on the unit sphere of `D` dimensions, by rejection from the cube.
    pub fn direction<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let v = Vector::<D>::from_fn(|_, _| self.within(-1.0, 1.0));
            let length = v.norm();
            if (SHORTEST..=1.0).contains(&length) {
                return v / length;
            }
        }
    }
}

#[cfg(test)]
mod tests;
