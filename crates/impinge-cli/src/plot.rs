//! Line plots as SVG, written directly: three axes need only a few lines of text.

use std::fmt::Write;

/// Points of one curve, x and y.
pub(crate) struct Curve(pub(crate) Vec<[f64; 2]>);

/// One pair of axes.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) curve: Curve,
}

/// Width and height of a panel's axes and the margins around them, in pixels.
const SIZE: [f64; 2] = [300.0, 200.0];
const LEFT: f64 = 64.0;
const ABOVE: f64 = 76.0;
const BELOW: f64 = 52.0;
const RIGHT: f64 = 20.0;

/// Approximate number of ticks on an axis.
const MARKS: f64 = 5.0;

/// Draws panels side by side.
pub(crate) fn page(title: &str, x_title: &str, panels: &[Panel]) -> String {
    let wide = LEFT + SIZE[0] + RIGHT;
    let (width, height) = (wide * panels.len() as f64, ABOVE + SIZE[1] + BELOW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"28\" font-size=\"16\">{title}</text>\n"
    );

    for (i, panel) in panels.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<g transform=\"translate({} {ABOVE})\">",
            wide * i as f64 + LEFT
        );
        draw(&mut svg, panel, x_title);
        svg.push_str("</g>\n");
    }

    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel, x_title: &str) {
    let [width, height] = SIZE;
    let most = |axis: usize| {
        panel
            .curve
            .0
            .iter()
            .map(|point| point[axis])
            .fold(0.0, f64::max)
    };
    let [x_end, y_end] = [0, 1].map(|axis| end(most(axis)));
    let place = |[x, y]: [f64; 2]| [width * x / x_end, height * (1.0 - y / y_end)];

    let _ = writeln!(
        svg,
        "<text x=\"0\" y=\"-12\" font-weight=\"bold\">{}</text>",
        panel.title
    );

    for mark in marks(y_end) {
        let [_, y] = place([0.0, mark]);
        let _ = writeln!(svg, "<path d=\"M0 {y:.1}H{width}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y + 4.0,
            short(mark)
        );
    }

    for mark in marks(x_end) {
        let [x, _] = place([mark, 0.0]);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {height}v5\" stroke=\"#222\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            height + 19.0,
            short(mark)
        );
    }

    let _ = writeln!(
        svg,
        "<path d=\"M0 0V{height}H{width}\" fill=\"none\" stroke=\"#222\"/>"
    );
    let middle = width / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{x_title}</text>",
        height + 40.0
    );

    let points: Vec<String> = panel
        .curve
        .0
        .iter()
        .map(|&point| place(point))
        .map(|[x, y]| format!("{x:.1},{y:.1}"))
        .collect();

    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#21918c\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        points.join(" ")
    );
}

/// Tick spacing: 1, 2 or 5 times a power of ten.
fn stride(end: f64) -> f64 {
    let rough = end / MARKS;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|step| *step >= 0.999 * rough)
        .unwrap_or(rough)
}

/// Returns the first tick at or above the largest value.
fn end(most: f64) -> f64 {
    if !(most.is_finite() && most > 0.0) {
        return 1.0;
    }
    let step = stride(most);
    step * (most / step - 1e-9).ceil()
}

fn marks(end: f64) -> Vec<f64> {
    let step = stride(end);
    (0..)
        .map(|i| f64::from(i) * step)
        .take_while(|mark| *mark <= end * (1.0 + 1e-9))
        .collect()
}

/// Formats a tick label with as few digits as distinguish the ticks.
fn short(value: f64) -> String {
    format!("{}", (value * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests;
