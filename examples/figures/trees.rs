//! A part of a surface in four bounds, and a hierarchy of boxes over a curve.

use crate::svg::{Drawing, Style};
use crate::{BLUE, GREY, INK, ORANGE, PALE};
use impinge::bound::{Ball, Bound, Dop8, Obb};
use impinge::space::{Aabb, Point, Vector};
use impinge::tree::Bvh;
use std::cell::RefCell;
use std::error::Error;
use std::f64::consts::TAU;
use std::path::Path;

pub(crate) fn draw(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut drawing = Drawing::new(Aabb::new([-0.3, -2.4], [10.2, 2.4]));
    draw_bounds(&mut drawing);
    draw_hierarchy(&mut drawing);
    drawing.save(path)?;

    Ok(())
}

/// A slanted, slightly curved part, as a piece of a surface is.
fn draw_bounds(drawing: &mut Drawing) {
    let at = |k: u32| {
        let t = f64::from(k) / 20.0 - 1.0;
        Point::from([1.9 + 1.5 * t - 0.15 * t * t, 0.2 + 0.9 * t + 0.3 * t * t])
    };
    let part: Vec<Point<2>> = (0..=40).map(at).collect();

    let ball = Ball::smallest(&part);
    drawing.circle(&ball.centre, ball.radius, Style::line(GREY, 1.5));
    drawing.rectangle(&Aabb::of(part.iter().copied()), Style::line(INK, 1.5));
    drawing.polygon(&corners_of_dop(&Dop8::of(&part)), Style::line(BLUE, 1.8));
    drawing.polygon(&corners_of_obb(&Obb::of(&part)), Style::line(ORANGE, 2.2));
    for piece in part.windows(2) {
        drawing.line([piece[0], piece[1]], Style::line(INK, 2.5));
    }

    let words = [
        ("ball", GREY),
        ("box", INK),
        ("8-DOP", BLUE),
        ("oriented box", ORANGE),
    ];
    for ((word, colour), x) in words.into_iter().zip([0.0, 0.8, 1.6, 2.6]) {
        drawing.text(&Point::from([x, -2.2]), word, colour);
    }
}

fn corners_of_obb(bound: &Obb<2>) -> Vec<Point<2>> {
    let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corner = |[x, y]: [f64; 2]| {
        bound.centre + bound.axes * Vector::from([x * bound.half.x, y * bound.half.y])
    };
    signs.map(corner).to_vec()
}

/// The corners of an 8-DOP: its box, clipped by each half-plane of a diagonal slab.
fn corners_of_dop(bound: &Dop8) -> Vec<Point<2>> {
    let b = bound.aabb();
    let mut corners: Vec<Point<2>> = [
        [b.min.x, b.min.y],
        [b.max.x, b.min.y],
        [b.max.x, b.max.y],
        [b.min.x, b.max.y],
    ]
    .map(Point::from)
    .to_vec();
    for (k, along) in [(2, [1.0, 1.0]), (3, [1.0, -1.0])] {
        let along = Vector::from(along);
        corners = clipped(&corners, &along, bound.up[k]);
        corners = clipped(&corners, &-along, -bound.low[k]);
    }
    corners
}

fn clipped(corners: &[Point<2>], along: &Vector<2>, limit: f64) -> Vec<Point<2>> {
    let mut kept = Vec::new();
    for (i, from) in corners.iter().enumerate() {
        let to = &corners[(i + 1) % corners.len()];
        let [start, end] = [from, to].map(|p| p.coords.dot(along) - limit);
        if start <= 0.0 {
            kept.push(*from);
        }
        if (start < 0.0) != (end < 0.0) && start != end {
            kept.push(from + (to - from) * (start / (start - end)));
        }
    }
    kept
}

fn draw_hierarchy(drawing: &mut Drawing) {
    let at = |k: u32| {
        let angle = TAU * f64::from(k) / 160.0;
        let radius = 1.5 + 0.45 * (5.0 * angle).cos();
        Point::from([7.3 + 1.35 * radius * angle.cos(), radius * angle.sin()])
    };
    let curve: Vec<Point<2>> = (0..160).map(at).collect();
    let edges: Vec<Aabb<2>> = (0..160)
        .map(|k| Aabb::of([curve[k], curve[(k + 1) % 160]]))
        .collect();

    // Visits every node once, parents before children.
    let nodes = RefCell::new(Vec::new());
    let note = |bounds: &Aabb<2>| {
        nodes.borrow_mut().push(*bounds);
        true
    };
    Bvh::new(&edges).visit(note, |_| ());

    drawing.polygon(&curve, Style::area(INK, PALE));
    for bounds in nodes.into_inner() {
        let (colour, width) = match bounds.volume() {
            large if large > 4.0 => (GREY, 1.5),
            medium if medium > 0.4 => (BLUE, 1.0),
            _ => (ORANGE, 1.0),
        };
        drawing.rectangle(&bounds, Style::line(colour, width));
    }
    drawing.text(
        &Point::from([5.2, -2.2]),
        "a hierarchy of boxes over 160 edges",
        INK,
    );
}
