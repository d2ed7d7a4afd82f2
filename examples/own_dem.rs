//! A discrete-element code of your own: the library finds the pairs, you write the forces.
//!
//! `cargo run --release -p impinge-examples --example own_dem`

use impinge::broad::{BroadPhase, BroadScene, NeighbourList};
use impinge::shape::generate::{OverlapPolicy, SpheresOptions, spheres};
use impinge::space::Vector;
use impinge_examples::{Picture, balls};
use std::error::Error;

const STIFFNESS: f64 = 2e4; // per unit of mass
const DAMPING: f64 = 80.0;
const DT: f64 = 1e-3;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut options = SpheresOptions::default();
    options.overlap = OverlapPolicy::Avoided;
    let grains = spheres(&options)?;
    let (bounds, mut balls) = (grains.bounds, balls(&grains));
    let mut velocities = vec![Vector::<3>::zeros(); balls.len()];

    let (mut neighbours, mut pairs) = (NeighbourList::default(), Vec::new());
    for _ in 0..4_000 {
        // ANCHOR: step
        // Exact and sorted; most steps only look at the pairs that were close before.
        neighbours.find_pairs(&BroadScene::of(&balls), &mut pairs)?;
        for pair in &pairs {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let apart = balls[b].centre - balls[a].centre;
            let normal = apart.normalize();
            let depth = balls[a].radius + balls[b].radius - apart.norm();
            let closing = (velocities[a] - velocities[b]).dot(&normal);
            let push = normal * (STIFFNESS * depth + DAMPING * closing).max(0.0);
            velocities[a] -= push * DT;
            velocities[b] += push * DT;
        }
        // ANCHOR_END: step

        for (ball, velocity) in balls.iter_mut().zip(&mut velocities) {
            velocity.z -= 10.0 * DT;
            let to = ball.centre + *velocity * DT;
            let room = bounds.grown(-ball.radius);
            ball.centre = to.sup(&room.min).inf(&room.max);

            velocity.zip_apply(&(to - ball.centre), |v, cut| *v *= f64::from(cut == 0.0));
        }
    }

    let kinetic: f64 = velocities.iter().map(|v| 0.5 * v.norm_squared()).sum();
    println!("{} contacts; kinetic energy {kinetic:.2e}", pairs.len());
    assert!(
        pairs.len() > 1_000 && kinetic < 100.0,
        "settled: the fall had 50,000"
    );
    Picture::new(&bounds)
        .coloured(&balls, |n| balls[n].centre.z / bounds.max.z)
        .save("own_dem")?;
    Ok(())
}
