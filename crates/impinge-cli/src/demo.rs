//! `impinge demo`: the best there is, in some seconds, on a machine with nothing set up.

use crate::Answer;
use crate::arguments::{Common, Demo};
use crate::progress;
use crate::terminal::{count, grouped, say};
use anyhow::Context;
use impinge::bound::Ball;
use impinge::broad::{Auto, BroadPhase, Pair, Scene};
use impinge::inside::{Inside, Options, PointGrid, Position};
use impinge::shape::generate::{self, Packing, SpheresOptions};
use impinge::shape::{ElementKind, Surface, inspect};
use impinge::space::{Aabb, Point};
use impinge_draw::{Camera, Canvas, Colour};
use impinge_io::{Dataset, Field};
use std::path::Path;
use std::time::Instant;

/// Triangles of the foam: the smallest of [Muth2006, section 3.2].
const TRIANGLES: usize = 29_000;

/// Spheres of the bed, and the share of its box that they take.
const SPHERES: usize = 20_000;
const FRACTION: f64 = 0.35;

/// Points along each edge of the grid.
const FINE: usize = 64;

const PICTURE: [usize; 2] = [480, 480];

/// From the right front, a little from above.
const VIEW: [f64; 3] = [-1.0, 1.7, -1.1];

pub(crate) fn run(demo: &Demo, common: &Common) -> anyhow::Result<Answer> {
    let folder = demo.output.as_path();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let foam = progress::during(common, "making a foam", || generate::foam(TRIANGLES, 1))?;
    describe(&foam, common)?;
    let (points, positions) = locate(&foam, common)?;
    let options = SpheresOptions { count: SPHERES, ratio: 3.0, fraction: FRACTION, ..Default::default() };
    let bed: Packing<3> = generate::spheres(&options)?;
    let pairs = find_pairs(&bed, common)?;
    progress::during(common, "writing the data", || {
        write_foam(folder, &foam, &points, &positions)?;
        write_bed(folder, &bed, &pairs)
    })?;
    progress::during(common, "drawing", || {
        let [whole, cut] = draw_foam(&foam, &points, &positions);
        let strip = Canvas::strip(&[whole, cut, draw_bed(&bed, &pairs)]).expect("three pictures");
        impinge_io::write_atomically(&folder.join("demo.png"), |out| out.write_all(&strip))
    })?;
    say!(common, "\nOpen {} to see it, and in ParaView", folder.join("demo.png").display())?;
    for (file, what) in [
        ("foam.vtp", "the foam"),
        ("points.vtu", "the points; colour by 'position' (1 inside)"),
        ("spheres.vtu", "the spheres; show as points scaled by 'radius'"),
        ("contacts.vtu", "the contact network, with 'overlap' on its lines"),
    ] {
        say!(common, "  {:<24}{what}", folder.join(file).display())?;
    }
    Ok(Answer::Yes)
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

/// Asks of every point of a grid whether it is in the foam.
fn locate(foam: &Surface, common: &Common) -> anyhow::Result<(Vec<Point<3>>, Vec<Position>)> {
    let grid = middles(foam.bounds());
    let start = Instant::now();
    let inside =
        progress::during(common, "preparing the foam", || Inside::new(foam.clone(), &Options::default()))?;
    let ready = start.elapsed().as_secs_f64();
    let mut positions = Vec::new();
    let start = Instant::now();
    let report = progress::during(common, "locating points", || inside.grid(&grid, &mut positions))?;
    let seconds = start.elapsed().as_secs_f64();
    let points: Vec<Point<3>> = grid.points().collect();
    say!(
        common,
        "{} asked: {} inside, {} outside, {} on the surface; exact, {:.0} ns each after {:.0} ms of set-up.",
        count(points.len(), "point"),
        grouped(report.inside),
        grouped(report.outside),
        grouped(report.boundary),
        seconds / points.len() as f64 * 1e9,
        ready * 1e3
    )?;
    Ok((points, positions))
}

/// All pairs of spheres that touch or overlap.
fn find_pairs(bed: &Packing<3>, common: &Common) -> anyhow::Result<Vec<Pair>> {
    let balls: Vec<Ball<3>> = bed.centres.iter().zip(&bed.radii).map(|(c, &r)| Ball::new(*c, r)).collect();
    let mut pairs = Vec::new();
    let start = Instant::now();
    Auto::default().find_pairs(&Scene::of(&balls), &mut pairs)?;
    say!(
        common,
        "{} of radii 1:3 thrown into a box: {} touch, all found in {:.1} ms.",
        count(balls.len(), "sphere"),
        count(pairs.len(), "pair"),
        start.elapsed().as_secs_f64() * 1e3
    )?;
    Ok(pairs)
}

/// The middles of [`FINE`]³ equal cells of a box.
fn middles(bounds: &Aabb<3>) -> PointGrid {
    let step = bounds.extent() / FINE as f64;
    PointGrid { min: bounds.min + step * 0.5, step, count: [FINE; 3] }
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
    cloud.point_fields.push(Field::whole("position", positions.iter().map(number).collect()));
    impinge_io::write(&folder.join("points.vtu"), &cloud)?;
    Ok(())
}

/// The spheres as points with a radius, and the contacts as lines between their centres.
fn write_bed(folder: &Path, bed: &Packing<3>, pairs: &[Pair]) -> anyhow::Result<()> {
    let mut spheres = Dataset::default();
    spheres.mesh.points = bed.centres.clone();
    (0..bed.centres.len() as u32).for_each(|n| spheres.mesh.push(ElementKind::Vertex, &[n]));
    let mut contacts = spheres.mesh.points.clone();
    spheres.point_fields.push(Field::scalar("radius", bed.radii.clone()));
    impinge_io::write(&folder.join("spheres.vtu"), &spheres)?;
    let mut network = Dataset::default();
    network.mesh.points.append(&mut contacts);
    pairs.iter().for_each(|pair| network.mesh.push(ElementKind::Line2, &[pair.a, pair.b]));
    let overlap = |pair: &Pair| {
        let [a, b] = [pair.a, pair.b].map(|n| n as usize);
        bed.radii[a] + bed.radii[b] - (bed.centres[a] - bed.centres[b]).norm()
    };
    network.cell_fields.push(Field::scalar("overlap", pairs.iter().map(overlap).collect()));
    impinge_io::write(&folder.join("contacts.vtu"), &network)?;
    Ok(())
}

/// The foam from outside, and the points that were found inside it below a cut through its middle.
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
    let found =
        points.iter().zip(positions).filter(|(p, position)| **position != Position::Outside && p.z < middle);
    for (point, _) in found {
        let height = (point.z - bounds.min.z) / (middle - bounds.min.z);
        cut.sphere(point, radius, Colour::scale(height));
    }
    [whole, cut]
}

/// The bed, each sphere coloured by how many others it touches.
fn draw_bed(bed: &Packing<3>, pairs: &[Pair]) -> Canvas {
    let mut touching = vec![0u32; bed.centres.len()];
    for pair in pairs {
        touching[pair.a as usize] += 1;
        touching[pair.b as usize] += 1;
    }
    const MANY: f64 = 12.0;
    let mut canvas = Canvas::new(PICTURE[0], PICTURE[1], Camera::looking_along(VIEW, &bed.bounds));
    for ((centre, &radius), touching) in bed.centres.iter().zip(&bed.radii).zip(touching) {
        canvas.sphere(centre, radius, Colour::scale(f64::from(touching) / MANY));
    }
    canvas
}
