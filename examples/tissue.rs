//! Soft tissue that folds onto itself: which faces lie in which tetrahedra, and how deep?
//!
//! `cargo run --release -p impinge-examples --example tissue`

use impinge::narrow::solids::{Depths, SolidContacts, SolidOptions, node_penetrations};
use impinge::shape::{Solid, generate::Vee};
use impinge_examples::{BLUE, ORANGE, Picture};
use std::collections::BTreeSet;
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let vee = Vee::new(6_000)?;
    let mut tissue = Solid::new(&vee.points(0.5)?, vee.tetrahedra())?;

    // ANCHOR: steps
    let mut contacts = SolidContacts::new(&tissue, SolidOptions::default());
    let (mut hits, mut nodes) = (Vec::new(), Vec::new());
    for angle in [0.5, 0.3, 0.1, -0.05, -0.2] {
        tissue.set_points(&vee.points(angle)?)?;

        // The hierarchy is refitted, not rebuilt; the list is exact and sorted.
        contacts.update(&tissue);
        contacts.find_self(&tissue, &mut hits);

        let depths = Depths::new(&tissue);
        node_penetrations((&tissue, &depths), (&tissue, &depths), &hits, &mut nodes);
        let deepest = nodes.iter().map(|node| node.out.depth).fold(0.0, f64::max);
        println!(
            "angle {angle:5.2}: {:5} hits, {:4} nodes inside, {deepest:.3} deep",
            hits.len(),
            nodes.len()
        );
    }
    // ANCHOR_END: steps

    assert!(hits.len() > 1_000, "the legs cross");
    let touched: BTreeSet<usize> = hits.iter().map(|hit| hit.face as usize).collect();
    let colour = |face: usize| {
        if touched.contains(&face) {
            ORANGE
        } else {
            BLUE
        }
    };
    Picture::new(&tissue.bounds())
        .triangles(tissue.points(), tissue.boundary_triangles(), colour)
        .save("tissue")?;

    Ok(())
}
