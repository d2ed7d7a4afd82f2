//! A film strip as SVG: one frame of two polygons for each pair of features that a feature walk tests,
//! with the Voronoi regions of both.

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

/// Length at which the borders of Voronoi regions are cut off: beyond every frame.
const FAR: f64 = 20.0;

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
        // A frame of its own clips the Voronoi regions, which are unbounded.
        let _ = writeln!(
            svg,
            "<svg x=\"{}\" y=\"{}\" width=\"{FRAME}\" height=\"{FRAME}\">",
            place.0, place.1
        );
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

        svg += "</svg>\n";
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
            Some(&(first, second)) => {
                let regions = self.region(0, first) + &self.region(1, second);
                svg + &regions + &self.feature(0, first) + &self.feature(1, second)
            }
            None => {
                svg + &line(
                    self.pixel(&contact.on_a),
                    self.pixel(&contact.on_b),
                    "#b00020",
                )
            }
        }
    }

    /// The border of a feature's Voronoi region: normals of the edges at its ends.
    fn region(&self, body: usize, feature: Feature) -> String {
        let (polygon, pose) = (self.polygons[body], &self.poses[body]);
        let colour = ["#2f5d9b", "#a8561b"][body];
        let ray = |corner: u32, edge: usize| {
            let from = pose.point(&polygon.points()[corner as usize]);
            let to = from + pose.vector(&polygon.normals()[edge]) * FAR;
            let [[x1, y1], [x2, y2]] = [self.pixel(&from), self.pixel(&to)];
            format!(
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
                 stroke-dasharray=\"4 3\"/>\n"
            )
        };
        match feature {
            Feature::Vertex(i) => ray(i, i as usize) + &ray(i, polygon.previous(i as usize)),
            Feature::Edge([i, j]) => {
                // The edge begins at the corner that the other follows.
                let edge = if polygon.next(i as usize) == j as usize {
                    i
                } else {
                    j
                };
                ray(i, edge as usize) + &ray(j, edge as usize)
            }
            Feature::Face(_) => String::new(),
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
