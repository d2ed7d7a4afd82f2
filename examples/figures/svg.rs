//! Plane drawings as SVG: what the book's diagrams need.

use impinge::space::{Aabb, Point};
use std::fmt::Write;
use std::path::Path;

/// Width of a drawing in pixels.
const WIDTH: f64 = 640.0;

/// A drawing of a part of the plane; y points up.
pub(crate) struct Drawing {
    view: Aabb<2>,
    scale: f64,
    body: String,
}

/// How a line or the edge of an area is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) stroke: &'static str,
    pub(crate) fill: &'static str,
    /// In pixels.
    pub(crate) width: f64,
}

impl Style {
    pub(crate) const fn line(stroke: &'static str, width: f64) -> Self {
        Self {
            stroke,
            fill: "none",
            width,
        }
    }

    pub(crate) const fn area(stroke: &'static str, fill: &'static str) -> Self {
        Self {
            stroke,
            fill,
            width: 1.2,
        }
    }

    fn attributes(&self) -> String {
        let Self {
            stroke,
            fill,
            width,
        } = self;
        format!("stroke=\"{stroke}\" fill=\"{fill}\" stroke-width=\"{width}\"")
    }
}

impl Drawing {
    pub(crate) fn new(view: Aabb<2>) -> Self {
        let scale = WIDTH / view.extent().x;
        Self {
            view,
            scale,
            body: String::new(),
        }
    }

    fn place(&self, point: &Point<2>) -> [f64; 2] {
        [
            (point.x - self.view.min.x) * self.scale,
            (self.view.max.y - point.y) * self.scale,
        ]
    }

    pub(crate) fn circle(&mut self, centre: &Point<2>, radius: f64, style: Style) {
        let [x, y] = self.place(centre);
        let radius = radius * self.scale;
        let style = style.attributes();
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {style}/>"
        );
    }

    /// A dot whose size does not depend on the scale.
    pub(crate) fn dot(&mut self, centre: &Point<2>, colour: &'static str) {
        let radius = 3.5 / self.scale;
        self.circle(centre, radius, Style::area(colour, colour));
    }

    pub(crate) fn line(&mut self, ends: [Point<2>; 2], style: Style) {
        let [[x1, y1], [x2, y2]] = [self.place(&ends[0]), self.place(&ends[1])];
        let style = style.attributes();
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        );
    }

    pub(crate) fn polygon(&mut self, corners: &[Point<2>], style: Style) {
        let corners: Vec<String> = corners
            .iter()
            .map(|corner| self.place(corner))
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        let (corners, style) = (corners.join(" "), style.attributes());
        let _ = writeln!(self.body, "<polygon points=\"{corners}\" {style}/>");
    }

    pub(crate) fn rectangle(&mut self, bounds: &Aabb<2>, style: Style) {
        let (low, up) = (bounds.min, bounds.max);
        let corners = [[low.x, low.y], [up.x, low.y], [up.x, up.y], [low.x, up.y]];
        self.polygon(&corners.map(Point::from), style);
    }

    pub(crate) fn text(&mut self, at: &Point<2>, text: &str, colour: &'static str) {
        let [x, y] = self.place(at);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\" font-family=\"sans-serif\" \
             font-size=\"14\">{text}</text>"
        );
    }

    pub(crate) fn save(self, path: &Path) -> std::io::Result<()> {
        let height = self.view.extent().y * self.scale;
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
             width=\"{WIDTH}\" height=\"{height:.0}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
            self.body
        );
        println!("figure: {}", path.display());
        std::fs::write(path, text)
    }
}
