//! A film strip as SVG: one frame of two polygons for each pair of features that a feature walk tests.

use impinge::narrow::ContactPoint;
use impinge::shape::{Feature, Polygon};
use impinge::space::{Point, Pose};
use std::fmt::Write;

/// Two polygons and their poses.
pub(crate) struct Bodies<'a> {
    pub(crate) polygons: [&'a Polygon; 2],
    pub(crate) poses: [Pose<2>; 2],
}

/// Width and height of a frame, in pixels.
const FRAME: f64 = 220.0;

/// Number of frames in a row.
const ROW: usize = 5;

/// Draws one numbered frame for each pair of features, and a last one with the closest points.
pub(crate) fn strip(
    bodies: &Bodies,
    pairs: &[(Feature, Feature)],
    contact: &ContactPoint<2>,
) -> String {
    let frames = pairs.len() + 1;
    let (width, height) = (
        FRAME * ROW.min(frames) as f64,
        FRAME * frames.div_ceil(ROW) as f64,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );

    for frame in 0..frames {
        let place = ((frame % ROW) as f64 * FRAME, (frame / ROW) as f64 * FRAME);
        let _ = writeln!(svg, "<g transform=\"translate({},{})\">", place.0, place.1);
        let shown = pairs.get(frame);
        let title = shown.map_or_else(
            || format!("gap {:.4}", contact.gap),
            |_| format!("test {}", frame + 1),
        );
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"18\" font-size=\"13\">{title}</text>"
        );
        svg += &bodies.frame(shown, contact);

        svg += "</g>\n";
    }

    svg + "</svg>\n"
}

impl Bodies<'_> {
    fn frame(&self, pair: Option<&(Feature, Feature)>, contact: &ContactPoint<2>) -> String {
        let mut svg = String::new();
        for (k, colour) in [(0, "#c9d8ee"), (1, "#f3d9c4")] {
            let corners = self.polygons[k]
                .points()
                .iter()
                .map(|p| self.pixel(&self.poses[k].point(p)));
            let corners: Vec<String> = corners.map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"{colour}\" stroke=\"#555\"/>",
                corners.join(" ")
            );
        }

        match pair {
            Some(&(first, second)) => svg + &self.feature(0, first) + &self.feature(1, second),
            None => {
                svg + &line(
                    self.pixel(&contact.on_a),
                    self.pixel(&contact.on_b),
                    "#b00020",
                )
            }
        }
    }

    fn feature(&self, body: usize, feature: Feature) -> String {
        let at =
            |i: u32| self.pixel(&self.poses[body].point(&self.polygons[body].points()[i as usize]));
        match feature {
            Feature::Vertex(i) => {
                let [x, y] = at(i);
                format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"#b00020\"/>\n")
            }
            Feature::Edge([i, j]) => line(at(i), at(j), "#b00020"),
            Feature::Face(_) => String::new(),
        }
    }

    /// Maps a point from world to frame coordinates; the frame shows both bodies.
    fn pixel(&self, point: &Point<2>) -> [f64; 2] {
        let corners = || {
            (0..2).flat_map(|k| {
                self.polygons[k]
                    .points()
                    .iter()
                    .map(move |p| self.poses[k].point(p))
            })
        };
        let least = |axis: usize| corners().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
        let most = |axis: usize| corners().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
        let (left, bottom) = (least(0), least(1));
        let scale = (FRAME - 50.0) / (most(0) - left).max(most(1) - bottom);

        [
            25.0 + (point.x - left) * scale,
            FRAME - 15.0 - (point.y - bottom) * scale,
        ]
    }
}

fn line([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: &str) -> String {
    format!(
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"4\" \
         stroke-linecap=\"round\"/>\n"
    )
}
