//! The order of particles in memory: along Morton's curve, so that neighbours in space share cache lines.

use impinge::bound::Ball;
use impinge::space::Aabb;
use rayon::prelude::*;

/// Bits of each axis in a key.
const BITS: u32 = 21;

/// Places in the order of the curve. The same for any number of threads: equal keys go by place.
pub(super) fn along_curve(balls: &[Ball<3>]) -> Vec<u32> {
    let bounds = Aabb::of(balls.iter().map(|ball| ball.centre));
    let scale = (1u64 << BITS) as f64 * (1.0 - f64::EPSILON) / bounds.longest_edge().max(f64::MIN_POSITIVE);
    let key = |ball: &Ball<3>| {
        let cell = (ball.centre - bounds.min) * scale;
        (0..3).fold(0, |key, axis| key | spread(cell[axis] as u64) << axis)
    };
    let mut keys: Vec<(u64, u32)> = (0..).zip(balls).map(|(place, ball)| (key(ball), place)).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|(_, place)| place).collect()
}

/// Two empty bits between any two of the lowest 21.
fn spread(bits: u64) -> u64 {
    let mut x = bits & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::space::Random;

    #[test]
    fn bits_are_spread_three_apart() {
        for bit in 0..BITS {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
    }

    #[test]
    fn the_eight_corners_of_a_cube_come_octant_by_octant() {
        let mut random = Random::new(1);
        let balls: Vec<Ball<3>> = (0..1000)
            .map(|_| Ball::new([random.unit(), random.unit(), random.unit()], 0.1))
            .chain([Ball::new([0.0; 3], 0.1), Ball::new([1.0; 3], 0.1)])
            .collect();
        let octant = |place: u32| {
            let centre = balls[place as usize].centre;
            (0..3).fold(0, |key, axis| key | usize::from(centre[axis] >= 0.5) << axis)
        };
        let octants: Vec<usize> = along_curve(&balls).into_iter().map(octant).collect();
        assert!(octants.is_sorted());
    }

    #[test]
    fn a_single_particle_and_coinciding_ones_have_an_order() {
        assert_eq!(along_curve(&[Ball::new([3.0; 3], 1.0)]), [0]);
        assert_eq!(along_curve(&[Ball::new([3.0; 3], 1.0); 3]), [0, 1, 2]);
        assert!(along_curve(&[]).is_empty());
    }
}
