//! Contacts in a periodic cell: coordination numbers of a packing without walls.
//!
//! `cargo run --release -p impinge-examples --example periodic`

use impinge::bound::Ball;
use impinge::broad::{Auto, BroadPhase, BroadScene, Period};
use impinge::space::{Aabb, Random};
use impinge_examples::Picture;
use std::error::Error;

/// Edge of the cell.
const CELL: f64 = 40.0;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(3);
    let mut ball = || {
        let centre = [(); 3].map(|()| random.within(0.0, CELL));
        Ball::new(centre, random.within(0.5, 1.5))
    };
    let balls: Vec<Ball<3>> = (0..4_000).map(|_| ball()).collect();

    // ANCHOR: ask
    // Images repeat along all three axes; positions may lie anywhere.
    let period = Period::cell([CELL; 3]);
    let cell = BroadScene {
        period,
        ..BroadScene::of(&balls)
    };
    let mut pairs = Vec::new();
    Auto::default().find_pairs(&cell, &mut pairs)?;
    // ANCHOR_END: ask

    let mut alone = Vec::new();
    Auto::default().find_pairs(&BroadScene::of(&balls), &mut alone)?;
    println!(
        "{} pairs, {} of them across the boundary",
        pairs.len(),
        pairs.len() - alone.len()
    );
    assert!(pairs.len() > alone.len());

    let mut partners = vec![0_u32; balls.len()];
    for pair in &pairs {
        partners[pair.a as usize] += 1;
        partners[pair.b as usize] += 1;
    }
    println!(
        "coordination number {:.2}",
        2.0 * pairs.len() as f64 / balls.len() as f64
    );

    let value = |n: usize| f64::from(partners[n]) / 12.0;
    Picture::new(&Aabb::new([0.0; 3], [CELL; 3]))
        .coloured(&balls, value)
        .save("periodic")?;

    Ok(())
}
