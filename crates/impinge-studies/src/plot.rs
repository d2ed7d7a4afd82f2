//! Plots of curves as SVG.

use anyhow::{Result, anyhow};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::path::Path;

/// Width of the plot and of the legend, in pixels.
const PLOT_WIDTH: u32 = 880;
const LEGEND_WIDTH: u32 = 300;

/// A labelled curve.
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Draws curves with markers on two logarithmic axes.
pub(crate) fn log_log(
    path: &Path,
    title: &str,
    x_title: &str,
    y_title: &str,
    curves: &[Curve],
) -> Result<()> {
    log_log_beside(path, title, x_title, y_title, curves, &[])
}

/// The same beside the paper's own points, which are drawn as squares without a line.
pub(crate) fn log_log_beside(
    path: &Path,
    title: &str,
    x_title: &str,
    y_title: &str,
    curves: &[Curve],
    of_paper: &[Curve],
) -> Result<()> {
    let all = || {
        let both = curves.iter().chain(of_paper);
        both.flat_map(|curve| curve.points.iter().copied())
    };
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, up) = values.fold((f64::INFINITY, 0.0f64), |(low, up), v| {
            (low.min(v), up.max(v))
        });
        (low * 0.8)..(up * 1.25)
    };
    let (x_range, y_range) = (
        range(&mut all().map(|p| p.0)),
        range(&mut all().map(|p| p.1)),
    );

    let ranges = (x_range.log_scale(), y_range.log_scale());
    draw(path, title, (x_title, y_title), ranges, [curves, of_paper])
        .map_err(|e| anyhow!("{}: {e}", path.display()))
}

/// Draws curves with markers on two linear axes.
pub(crate) fn linear(
    path: &Path,
    title: &str,
    x_title: &str,
    y_title: &str,
    curves: &[Curve],
) -> Result<()> {
    let all = || curves.iter().flat_map(|curve| curve.points.iter());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, up) = values.fold((0.0f64, 0.0f64), |(low, up), v| (low.min(v), up.max(v)));
        low..(up + 0.05 * (up - low))
    };
    let ranges = (
        range(&mut all().map(|p| p.0)),
        range(&mut all().map(|p| p.1)),
    );

    draw(path, title, (x_title, y_title), ranges, [curves, &[]])
        .map_err(|e| anyhow!("{}: {e}", path.display()))
}

fn draw<X, Y>(
    path: &Path,
    title: &str,
    axes: (&str, &str),
    ranges: (X, Y),
    [ours, of_paper]: [&[Curve]; 2],
) -> Result<(), Box<dyn std::error::Error>>
where
    X: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
{
    let area = SVGBackend::new(path, (PLOT_WIDTH + LEGEND_WIDTH, 600)).into_drawing_area();
    area.fill(&WHITE)?;

    // The legend is beside the curves, where it hides none.
    let (left, right) = area.split_horizontally(PLOT_WIDTH);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, ("sans-serif", 22))
        .margin(15)
        .x_label_area_size(45)
        .y_label_area_size(75)
        .build_cartesian_2d(ranges.0, ranges.1)?;
    chart
        .configure_mesh()
        .x_desc(axes.0)
        .y_desc(axes.1)
        .light_line_style(WHITE)
        .draw()?;

    let styled =
        (ours.iter().map(|curve| (curve, true))).chain(of_paper.iter().map(|curve| (curve, false)));
    for (i, (curve, is_ours)) in styled.enumerate() {
        let colour = Palette99::pick(i).to_rgba();
        let points = || curve.points.iter().copied();
        let y = 60 + 22 * i as i32;

        if is_ours {
            chart.draw_series(LineSeries::new(points(), colour.stroke_width(2)))?;
            chart.draw_series(points().map(|p| Circle::new(p, 3, colour.filled())))?;
            right.draw(&PathElement::new([(0, y), (18, y)], colour.stroke_width(2)))?;
        } else {
            let square = |p| {
                EmptyElement::at(p) + Rectangle::new([(-5, -5), (5, 5)], colour.stroke_width(2))
            };
            chart.draw_series(points().map(square))?;
            right.draw(&Rectangle::new(
                [(4, y - 5), (14, y + 5)],
                colour.stroke_width(2),
            ))?;
        }

        right.draw(&Text::new(
            curve.label.as_str(),
            (25, y - 7),
            ("sans-serif", 14),
        ))?;
    }

    area.present()?;
    Ok(())
}
