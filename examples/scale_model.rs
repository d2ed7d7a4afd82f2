//! What a step costs on many ranks: the model of docs/scale.md, evaluated.
//!
//! `cargo run --release -p impinge-examples --example scale_model`

use std::error::Error;

/// Parameters of the model: measured ones of impinge, published ones of a machine.
struct Costs {
    /// Seconds per particle and step on one core: lists, forces, motion.
    particle: f64,
    /// Seconds to pack or unpack a ghost.
    ghost: f64,
    /// Ghosts per particle on a face, of which a part of N particles has N^(2/3).
    surface: f64,
    /// Bytes per particle in memory, with its contacts, per ghost in a step, and per particle in a checkpoint.
    memory: f64,
    message: f64,
    checkpoint: f64,
    /// Neighbouring ranks of a box.
    neighbours: f64,
    /// Seconds before a message arrives, and bytes per second after that, per rank.
    latency: f64,
    bandwidth: f64,
    /// Bytes per second of the parallel file system for one writer.
    disk: f64,
    /// Steps between two rebuilds of the list.
    rebuild: f64,
}

/// One thread of a 2020s server core; HDR InfiniBand, 25 GB/s shared by the 32 ranks of a node; Lustre,
/// one writer.
const COSTS: Costs = Costs {
    particle: 82e-9,
    ghost: 14e-9,
    surface: 1.0,
    memory: 390.0,
    message: 80.0,
    checkpoint: 293.0,
    neighbours: 20.0,
    latency: 2e-6,
    bandwidth: 25e9 / 32.0,
    disk: 2e9,
    rebuild: 100.0,
};

/// The parts of a step, s.
struct Step {
    compute: f64,
    ghosts: f64,
    reductions: f64,
    rebuild: f64,
}

impl Step {
    fn total(&self) -> f64 {
        self.compute + self.ghosts + self.reductions + self.rebuild
    }
}

impl Costs {
    fn ghosts(&self, particles: f64, ranks: f64) -> f64 {
        // The faces of a part that are not those of the whole, on average.
        let faces = 6.0 * (1.0 - ranks.powf(-1.0 / 3.0));
        self.surface * faces * (particles / ranks).powf(2.0 / 3.0)
    }

    fn step(&self, particles: f64, ranks: f64) -> Step {
        let (own, ghosts) = (particles / ranks, self.ghosts(particles, ranks));
        let neighbours = self.neighbours.min(ranks - 1.0);
        // Two reductions in each step, up and down a tree.
        let reductions = 2.0 * 2.0 * ranks.log2() * self.latency;
        // Each rank receives the boxes of all others, 56 bytes, when lists are rebuilt.
        let boxes = 56.0 * ranks / self.bandwidth + ranks.log2() * self.latency;
        Step {
            // Pairs of two ranks are computed on both.
            compute: self.particle * (own + 0.5 * ghosts),
            ghosts: 2.0 * self.ghost * ghosts
                + neighbours * self.latency
                + self.message * ghosts / self.bandwidth,
            reductions,
            rebuild: boxes / self.rebuild,
        }
    }
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "particles   ranks   step    compute ghosts  reduce  rebuild  efficiency  GB/rank  GB at rank 0  checkpoint"
    );
    for (particles, ranks) in [
        (1e5, 1.0),
        (1e5, 2.0),
        (1e6, 64.0),
        (5e8, 1e4),
        (1e9, 1e4),
        (1e10, 1e4),
    ] {
        let step = COSTS.step(particles, ranks);
        let alone = COSTS.step(particles, 1.0).total() / ranks;
        let efficiency = alone / step.total();
        let memory = COSTS.memory * (particles / ranks + COSTS.ghosts(particles, ranks)) / 1e9;
        let ms = |seconds: f64| 1e3 * seconds;
        println!(
            "{particles:<9.0e} {ranks:>7.0} {:>6.2} ms {:>6.2} {:>6.3} {:>7.3} {:>8.4} {:>10.0} % {memory:>8.2} {:>13.1} {:>8.0} s",
            ms(step.total()),
            ms(step.compute),
            ms(step.ghosts),
            ms(step.reductions),
            ms(step.rebuild),
            100.0 * efficiency,
            COSTS.memory * particles / 1e9,
            COSTS.checkpoint * particles / COSTS.disk,
        );
        assert!(efficiency > 0.5 && efficiency <= 1.0, "{efficiency}");
    }

    Ok(())
}
