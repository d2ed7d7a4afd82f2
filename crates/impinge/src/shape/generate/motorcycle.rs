//! A body like the motorcycle of [Aragon2013, section 5.2]: wheels, frame, engine, tank; about
//! 18,000 triangles.
//!
//! Its parts are separate closed shells that intersect each other, like the parts of a CAD
//! assembly. It has the features that matter for bounding-volume hierarchies: rings, long thin bars
//! at all angles, flat and round lumps, and triangles of very different sizes.

use super::{block, sphere, torus, tube};
use crate::shape::Surface;
use crate::space::{Point, Vector};

/// Positions of the axles; y is across, z up, the ground z = 0. The direction of travel is x.
const AXLES: [[f64; 3]; 2] = [[-0.7, 0.0, 0.32], [0.7, 0.0, 0.32]];

/// Radius of the centre circle of the tyres, and of their tubes.
const WHEEL: [f64; 2] = [0.26, 0.06];

/// Number of spokes of a wheel.
const SPOKES: usize = 10;

/// Bars on one side of the frame, by their ends and radius; the other side mirrors them.
const BARS: [([f64; 3], [f64; 3], f64); 9] = [
    ([-0.70, 0.10, 0.32], [-0.15, 0.10, 0.38], 0.022), // swing arm
    ([-0.62, 0.11, 0.36], [-0.42, 0.11, 0.74], 0.028), // shock absorber
    ([-0.15, 0.10, 0.38], [-0.30, 0.09, 0.74], 0.020), // seat post
    ([-0.30, 0.09, 0.74], [0.38, 0.05, 0.84], 0.020),  // backbone
    ([0.38, 0.05, 0.84], [0.26, 0.12, 0.30], 0.020),   // down tube
    ([0.26, 0.12, 0.30], [-0.15, 0.10, 0.38], 0.020),  // cradle
    ([0.70, 0.09, 0.32], [0.42, 0.09, 0.92], 0.026),   // fork
    ([0.42, 0.02, 0.96], [0.30, 0.36, 1.02], 0.014),   // handlebar
    ([0.10, 0.16, 0.26], [-0.85, 0.19, 0.34], 0.040),  // exhaust
];

/// Ellipsoids by centre, semi-axes and level of subdivision.
const LUMPS: [([f64; 3], [f64; 3], usize); 4] = [
    ([0.16, 0.0, 0.88], [0.27, 0.15, 0.12], 4),  // tank
    ([-0.36, 0.0, 0.82], [0.33, 0.13, 0.06], 4), // seat
    ([0.58, 0.0, 0.88], [0.09, 0.10, 0.10], 3),  // headlight
    ([-0.72, 0.0, 0.70], [0.22, 0.08, 0.03], 3), // tail
];

/// Generates a motorcycle-like body of 49 shells, 2.2 m long, standing on z = 0 and facing along x.
///
/// ```
/// use impinge::shape::generate;
/// let motorcycle = generate::motorcycle();
/// assert!(motorcycle.triangles().len().abs_diff(18_000) < 360);
/// ```
pub fn motorcycle() -> Surface {
    let mut shells = Shells::default();
    AXLES
        .iter()
        .for_each(|axle| shells.add_wheel(Vector::from(*axle)));

    for (from, to, radius) in BARS {
        for side in [1.0, -1.0] {
            shells.add_bar(
                [from, to].map(|[x, y, z]| Point::from([x, side * y, z])),
                radius,
                [14, 9],
            );
        }
    }

    for (centre, axes, level) in LUMPS {
        let lump = sphere(level).expect("a level in range");
        shells.add(&lump, |p| {
            Point::from([0, 1, 2].map(|k| centre[k] + axes[k] * p[k]))
        });
    }

    shells.add_engine();
    Surface::new(&shells.points, &shells.triangles).expect("closed shells are a closed surface")
}

#[derive(Default)]
struct Shells {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
}

impl Shells {
    fn add(&mut self, shell: &Surface, place: impl Fn(&Point<3>) -> Point<3>) {
        let first = self.points.len() as u32;
        self.points.extend(shell.points().iter().map(place));
        self.triangles
            .extend(shell.triangles().iter().map(|t| t.map(|n| first + n)));
    }

    /// Bars extend beyond their ends by their radius: bars that meet overlap, but their end points
    /// remain distinct.
    fn add_bar(&mut self, [from, to]: [Point<3>; 2], radius: f64, cells: [usize; 2]) {
        let reach = (to - from).normalize() * radius;
        let (from, to) = (from - reach, to + reach);
        self.add(
            &tube(from, to, radius, cells).expect("a bar with a length and a radius"),
            |p| *p,
        );
    }

    fn add_wheel(&mut self, axle: Vector<3>) {
        let tyre = torus(WHEEL[0], WHEEL[1], [48, 16]).expect("a tube thinner than its ring");
        // Rotates the ring's axis from z to y; a rotation keeps the orientation outward.
        self.add(&tyre, |p| {
            Point::from(axle + Vector::<3>::new(p.x, -p.z, p.y))
        });
        let half = Vector::<3>::new(0.0, 0.12, 0.0);
        self.add_bar(
            [Point::from(axle - half), Point::from(axle + half)],
            0.035,
            [24, 6],
        );

        for k in 0..SPOKES {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / SPOKES as f64).sin_cos();
            let spoke = Vector::<3>::new(cos, 0.0, sin);
            // Spokes alternate between the two sides of the hub.
            let lean = Vector::<3>::new(0.0, if k % 2 == 0 { 0.04 } else { -0.04 }, 0.0);
            let ends = [axle + spoke * 0.03 + lean, axle + spoke * (WHEEL[0] - 0.04)];
            self.add_bar(ends.map(Point::from), 0.005, [6, 8]);
        }
    }

    fn add_engine(&mut self) {
        let case = block([12, 8, 8], [0.38, 0.24, 0.22]).expect("a box");
        self.add(&case, |p| p + Vector::<3>::new(-0.12, -0.12, 0.24));
        for x in [-0.04, 0.14] {
            self.add_bar(
                [[x, 0.0, 0.44], [x * 1.6, 0.0, 0.66]].map(Point::from),
                0.075,
                [24, 8],
            );
        }
    }
}

#[cfg(test)]
mod tests;
