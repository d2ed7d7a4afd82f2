//! Closest features of two polygons in the Voronoi regions of one of them, and their depth if they overlap.

use crate::svg::{Drawing, Style};
use crate::{BLUE, GREY, INK, ORANGE, PALE};
use impinge::narrow::features2::{FeatureCache2, closest};
use impinge::shape::Polygon;
use impinge::space::{Aabb, Point, Pose};
use std::error::Error;
use std::path::Path;

pub(crate) fn draw(path: &Path) -> Result<(), Box<dyn Error>> {
    let hexagon = [
        [-1.2, -0.8],
        [0.6, -1.1],
        [1.4, -0.1],
        [0.9, 1.0],
        [-0.5, 1.2],
        [-1.4, 0.3],
    ];
    let a = Polygon::new(&hexagon.map(Point::from))?;
    let b = Polygon::new(&[[-0.6, -0.5], [0.7, -0.4], [0.1, 0.8]].map(Point::from))?;
    let mut drawing = Drawing::new(Aabb::new([-4.2, -3.2], [5.0, 3.0]));

    // The regions of vertices lie between the normals of the adjacent edges.
    for (corner, from) in a.points().iter().enumerate() {
        for edge in [corner, a.previous(corner)] {
            let to = from + a.normals()[edge] * 5.0;
            drawing.line([*from, to], Style::line("#c8c8c8", 1.0));
        }
    }
    drawing.polygon(a.points(), Style::area(BLUE, PALE));

    // The triangle passes by; the cached features of one place are the start of the next.
    let mut cache = FeatureCache2::default();
    for (angle, place) in [
        (2.4, [-2.9, 1.4]),
        (1.2, [0.9, 2.2]),
        (0.4, [2.9, 1.0]),
        (-0.5, [1.6, -1.3]),
    ] {
        let pose = Pose::from_angle(angle, place)?;
        let found = closest(&a, &Pose::identity(), &b, &pose, &mut cache);
        let corners: Vec<Point<2>> = b.points().iter().map(|p| pose.point(p)).collect();
        let overlaps = found.contact.gap < 0.0;
        drawing.polygon(
            &corners,
            Style::line([GREY, ORANGE][usize::from(overlaps)], 1.6),
        );

        let ends = [found.contact.on_a, found.contact.on_b];
        drawing.line(ends, Style::line(ORANGE, 2.5));
        ends.iter().for_each(|end| drawing.dot(end, ORANGE));
        let label = pose.position() + found.contact.normal * 0.1;
        drawing.text(&label, &format!("{:.2}", found.contact.gap), INK);
    }

    let caption =
        "Voronoi regions of the hexagon; closest points and signed distance of four triangles";
    drawing.text(&Point::from([-4.0, -3.0]), caption, INK);
    drawing.save(path)?;

    Ok(())
}
