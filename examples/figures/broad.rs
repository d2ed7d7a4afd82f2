//! Discs, the columns that they are sorted into, and the pairs that overlap.

use crate::svg::{Drawing, Style};
use crate::{BLUE, GREY, INK, ORANGE, PALE};
use impinge::bound::Ball;
use impinge::broad::{BroadPhase, BroadScene, Columns};
use impinge::shape::generate::{Packing, SpheresOptions, spheres};
use impinge::space::{Aabb, Point};
use std::error::Error;
use std::path::Path;

pub(crate) fn draw(path: &Path) -> Result<(), Box<dyn Error>> {
    let grains: Packing<2> = spheres(&SpheresOptions {
        count: 90,
        ratio: 2.0,
        fraction: 0.35,
        seed: 6,
        ..Default::default()
    })?;
    let discs: Vec<Ball<2>> = grains
        .centres
        .iter()
        .zip(&grains.radii)
        .map(|(&centre, &radius)| Ball { centre, radius })
        .collect();
    let mut pairs = Vec::new();
    Columns::default().find_pairs(&BroadScene::of(&discs), &mut pairs)?;

    let (low, up) = (grains.bounds.min, grains.bounds.max);
    let view = Aabb::new([low.x - 0.5, low.y - 2.5], [up.x + 0.5, up.y + 0.5]);
    let mut drawing = Drawing::new(view);

    // Columns as wide as the largest disc.
    let count = ((up.x - low.x) / 2.0).floor().max(1.0);
    let width = (up.x - low.x) / count;
    for column in 0..=count as u32 {
        let x = low.x + width * f64::from(column);
        let ends = [[x, low.y], [x, up.y]].map(Point::from);
        drawing.line(ends, Style::line("#cccccc", 1.0));
    }

    for disc in &discs {
        drawing.circle(&disc.centre, disc.radius, Style::area(BLUE, PALE));
    }
    for pair in &pairs {
        let ends = [pair.a, pair.b].map(|body| discs[body as usize].centre);
        drawing.line(ends, Style::line(ORANGE, 2.5));
    }

    // One disc, and the stretch of the sorted axis within which others can overlap it.
    let chosen = pairs.first().ok_or("some discs overlap")?.a as usize;
    let Ball { centre, radius } = discs[chosen];
    let style = Style {
        width: 2.5,
        ..Style::area(INK, "none")
    };
    drawing.circle(&centre, radius, style);
    for y in [centre.y - radius, centre.y + radius] {
        let ends = [[low.x, y], [up.x, y]].map(Point::from);
        drawing.line(ends, Style::line(GREY, 0.8));
    }

    let caption = format!(
        "{} discs, {} overlapping pairs; a column is scanned only between the two lines",
        discs.len(),
        pairs.len()
    );
    drawing.text(&Point::from([low.x, low.y - 1.7]), &caption, INK);
    drawing.save(path)?;

    Ok(())
}
