//! Foam demo: locates points inside a foam.

use crate::common::Common;
use crate::progress;
use crate::terminal::{count, grouped, say};
use impinge::inside::{Inside, InsideOptions, PointGrid, Position};
use impinge::shape::generate;
use impinge::shape::{ElementKind, Surface, inspect};
use impinge::space::{Aabb, Point};
use impinge_draw::{Camera, Canvas, Colour};
use impinge_io::{Dataset, Field};
use std::path::Path;
use std::time::Instant;

/// Triangles of the foam: the smallest of [Muth2006, section 3.2].
const TRIANGLES: usize = 29_000;

/// Points along each edge of the grid.
const FINE: usize = 64;

const PICTURE: [usize; 2] = [480, 480];

/// View direction: from the front right, slightly from above.
const VIEW: [f64; 3] = [-1.0, 1.7, -1.1];

/// Generates a foam, classifies a quarter of a million points as inside or outside, and draws both.
pub(super) fn run(folder: &Path, common: &Common) -> anyhow::Result<()> {
    let foam = progress::during(common, "making a foam", || generate::foam(TRIANGLES, 1))?;
    describe(&foam, common)?;
    let (points, positions) = locate(&foam, common)?;
    progress::during(common, "writing the foam", || {
        write_foam(folder, &foam, &points, &positions)
    })?;
    let strip = Canvas::strip(&draw_foam(&foam, &points, &positions)).expect("two pictures");
    impinge_io::write_atomically(&folder.join("foam.png"), |out| out.write_all(&strip))?;

    Ok(())
}

fn describe(foam: &Surface, common: &Common) -> std::io::Result<()> {
    let report = inspect(&foam.to_mesh()).surface;
    say!(
        common,
        "An open-cell foam: {}, closed, oriented, {} with {} tunnels, volume {:.4}.",
        count(foam.triangles().len(), "triangle"),
        count(report.components, "piece"),
        report.genus.unwrap_or(0),
        foam.volume()
    )
}

/// Classifies every point of a grid as inside or outside the foam.
fn locate(foam: &Surface, common: &Common) -> anyhow::Result<(Vec<Point<3>>, Vec<Position>)> {
    let grid = middles(foam.bounds());
    let start = Instant::now();
    let inside = progress::during(common, "preparing the foam", || {
        Inside::new(foam.clone(), &InsideOptions::default())
    })?;
    let ready = start.elapsed().as_secs_f64();
    let mut positions = Vec::new();
    let start = Instant::now();
    let report = progress::during(common, "locating points", || {
        inside.grid(&grid, &mut positions)
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let points: Vec<Point<3>> = grid.points().collect();

    say!(
        common,
        "{}: {} inside, {} outside, {} on the surface; exact, {:.0} ns each after {:.0} ms of set-up.",
        count(points.len(), "point"),
        grouped(report.inside),
        grouped(report.outside),
        grouped(report.boundary),
        seconds / points.len() as f64 * 1e9,
        ready * 1e3
    )?;

    Ok((points, positions))
}

/// Returns the centres of [`FINE`]³ equal cells of a box.
fn middles(bounds: &Aabb<3>) -> PointGrid {
    let step = bounds.extent() / FINE as f64;
    PointGrid {
        min: bounds.min + step * 0.5,
        step,
        count: [FINE; 3],
    }
}

fn write_foam(
    folder: &Path,
    foam: &Surface,
    points: &[Point<3>],
    positions: &[Position],
) -> anyhow::Result<()> {
    impinge_io::write(&folder.join("foam.vtp"), &foam.to_mesh().into())?;
    let number = |position: &Position| match position {
        Position::Outside => 0,
        Position::Inside => 1,
        Position::On(_) => 2,
    };
    let mut cloud = Dataset::default();

    for (point, n) in points.iter().zip(0..) {
        cloud.mesh.points.push(*point);
        cloud.mesh.push(ElementKind::Vertex, &[n]);
    }

    cloud.point_fields.push(Field::whole(
        "position",
        positions.iter().map(number).collect(),
    ));
    impinge_io::write(&folder.join("points.vtu"), &cloud)?;

    Ok(())
}

/// Draws the foam from outside, and the points inside it below a cut through its middle.
fn draw_foam(foam: &Surface, points: &[Point<3>], positions: &[Position]) -> [Canvas; 2] {
    let bounds = foam.bounds();
    let camera = Camera::looking_along(VIEW, bounds);
    let mut whole = Canvas::new(PICTURE[0], PICTURE[1], camera);
    let mut cut = whole.clone();

    for t in 0..foam.triangles().len() {
        whole.triangle(&foam.corners(t), Colour::rgb(214, 206, 190));
    }

    let middle = bounds.centre().z;
    let radius = 0.55 * bounds.longest_edge() / FINE as f64;
    let found = points
        .iter()
        .zip(positions)
        .filter(|(p, position)| **position != Position::Outside && p.z < middle);

    for (point, _) in found {
        let height = (point.z - bounds.min.z) / (middle - bounds.min.z);
        cut.sphere(point, radius, Colour::scale(height));
    }

    [whole, cut]
}
