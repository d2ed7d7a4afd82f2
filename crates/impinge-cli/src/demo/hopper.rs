//! Hopper demo: simulates the discharge of a hopper, draws a strip of pictures and plots the history.

use crate::Answer;
use crate::common::Common;
use crate::picture;
use crate::plot::{Curve, Panel, page};
use crate::progress;
use crate::terminal::{count, say};
use anyhow::{Context, ensure};
use impinge::space::{Aabb, Point};
use impinge_draw::{Camera, Canvas, Colour};
use impinge_io::Dataset;
use impinge_io::pvd::Series;
use impinge_run::run::{Ending, Runner, Source, Start};
use std::path::Path;

/// The scene; the constants below depend on the positions of its orifice, floor and gate.
const SCENE: &str = include_str!("hopper.toml");

/// Times of the pictures, s: settled, then during discharge.
const TIMES: [f64; 5] = [0.5, 0.9, 1.6, 2.4, 3.2];

const PICTURE: [usize; 2] = [300, 330];

/// Region shown: the lower part of the hopper and the heap below it.
const SHOWN: [[f64; 3]; 2] = [[-0.36, -0.1, -0.42], [0.36, 0.1, 0.34]];

/// View direction: from the front, slightly from above.
const VIEW: [f64; 3] = [0.0, 1.0, -0.18];

/// Number of layers of the settled bed with distinct colours.
const LAYERS: f64 = 7.0;

/// The spheres at one time, ordered by id.
struct Moment {
    time: f64,
    centres: Vec<Point<3>>,
    radii: Vec<f64>,
}

pub(super) fn run(folder: &Path, spheres: u32, common: &Common) -> anyhow::Result<Answer> {
    let out = folder.join("hopper");
    let scene = SCENE.replace("count = 6000", &format!("count = {spheres}"));
    let source = Source {
        path: Path::new("hopper.toml"),
        text: &scene,
    };
    let mut runner = Runner::start_from(source, &out, Start::Overwrite)?;
    let spheres = runner.world().counts().particles;

    say!(
        common,
        "A hopper with {}, simulated for {} s.",
        count(spheres, "sphere"),
        runner.scene().run.duration
    )?;

    if crate::run::advance(&mut runner, common)? == Ending::Stopped {
        return Ok(Answer::Interrupted);
    }

    let summary = runner.summary();
    say!(
        common,
        "{} in {:.1} s: {:.0} ns for a sphere and step, output included.",
        count(summary.steps as usize, "step"),
        summary.seconds.total,
        summary.seconds.total * 1e9 / (summary.steps as f64 * spheres as f64)
    )?;
    let moments = progress::during(common, "reading the frames", || moments(&out))?;

    progress::during(common, "drawing", || {
        let strip = Canvas::strip(&draw(&moments, &walls(&out)?)?).context("no pictures")?;
        impinge_io::write_atomically(&folder.join("demo.png"), |file| file.write_all(&strip))?;
        let page = curves(&moments, &out)?;
        impinge_io::write_atomically(&folder.join("history.svg"), |file| {
            file.write_all(page.as_bytes())
        })?;
        Ok(Answer::Yes)
    })
}

/// Reads back all frames of the spheres from the ParaView files.
fn moments(out: &Path) -> anyhow::Result<Vec<Moment>> {
    let series = Series::open(&out.join("particles.pvd"))?;
    let moment = |step: &impinge_io::pvd::SeriesStep| {
        let dataset = impinge_io::read(&out.join(&step.file))?;
        let radii = picture::reals(&dataset.point_fields, "radius").to_vec();
        ensure!(
            radii.len() == dataset.mesh.points.len(),
            "a frame has no radii"
        );
        Ok(Moment {
            time: step.time,
            centres: dataset.mesh.points,
            radii,
        })
    };

    series.steps().iter().map(moment).collect()
}

/// Returns the walls with the gate closed and with it open.
fn walls(out: &Path) -> anyhow::Result<[Dataset; 2]> {
    let series = Series::open(&out.join("walls.pvd"))?;
    let (first, last) = series
        .steps()
        .first()
        .zip(series.steps().last())
        .context("no walls were written")?;

    Ok([
        impinge_io::read(&out.join(&first.file))?,
        impinge_io::read(&out.join(&last.file))?,
    ])
}

/// Draws the frame nearest to each time as a section: only the rear half is shown.
fn draw(moments: &[Moment], walls: &[Dataset; 2]) -> anyhow::Result<Vec<Canvas>> {
    let nearest = |time: f64| {
        moments
            .iter()
            .min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
            .context("no frames")
    };
    let settled = nearest(TIMES[0])?;
    let colours = layers(settled);
    let [min, max] = SHOWN;
    let camera = Camera::looking_along(VIEW, &Aabb::new(min, max));
    let mut pictures = Vec::new();

    for time in TIMES {
        let moment = nearest(time)?;
        ensure!(
            moment.centres.len() == colours.len(),
            "spheres came or went"
        );
        let mut canvas = Canvas::new(PICTURE[0], PICTURE[1], camera);
        draw_floor(&mut canvas);
        draw_walls(&mut canvas, &walls[usize::from(time > TIMES[0])]);
        let spheres = moment.centres.iter().zip(&moment.radii).zip(&colours);

        for ((centre, &radius), &colour) in spheres.filter(|((centre, _), _)| is_shown(centre)) {
            canvas.sphere(centre, radius, colour);
        }

        pictures.push(canvas);
    }

    Ok(pictures)
}

/// Whether a sphere is drawn: the front of the hopper is cut away, the heap is shown whole.
fn is_shown(centre: &Point<3>) -> bool {
    centre.y > 0.0 || centre.z < 0.0
}

/// Colours each sphere by its layer in the settled bed.
fn layers(settled: &Moment) -> Vec<Colour> {
    let bounds = Aabb::of(settled.centres.iter().copied());
    let height = |centre: &Point<3>| (centre.z - bounds.min.z) / (bounds.max.z - bounds.min.z);
    let layer = |share: f64| (share * LAYERS).floor().min(LAYERS - 1.0);
    let colour = |layer: f64| Colour::scale(0.08 + 0.92 * layer / (LAYERS - 1.0));
    settled
        .centres
        .iter()
        .map(|centre| colour(layer(height(centre))))
        .collect()
}

fn draw_walls(canvas: &mut Canvas, walls: &Dataset) {
    let points = &walls.mesh.points;
    for triangle in walls.mesh.triangles() {
        let corners = triangle.map(|node| points[node as usize]);
        if corners.iter().all(|corner| corner.y >= -1e-9) {
            canvas.triangle(&corners, Colour::rgb(196, 203, 212));
        }
    }
}

fn draw_floor(canvas: &mut Canvas) {
    const HALF: f64 = 0.42;
    const Z: f64 = -0.352;
    let corner = |x: f64, y: f64| Point::from([x * HALF, y, Z]);
    let [a, b, c, d] = [
        corner(-1.0, -0.8),
        corner(1.0, -0.8),
        corner(1.0, HALF),
        corner(-1.0, HALF),
    ];
    canvas.triangle(&[a, b, c], Colour::rgb(236, 232, 224));

    canvas.triangle(&[a, c, d], Colour::rgb(236, 232, 224));
}

/// Plots the share of spheres left in the hopper, from the frames, and kinetic energy and contacts, from the history.
fn curves(moments: &[Moment], out: &Path) -> anyhow::Result<String> {
    let left = |moment: &Moment| {
        let inside = moment
            .centres
            .iter()
            .filter(|centre| centre.z > 0.0)
            .count();
        [
            moment.time,
            100.0 * inside as f64 / moment.centres.len() as f64,
        ]
    };
    let history = std::fs::read_to_string(out.join("history.csv"))?;

    let column = |name: &str| -> anyhow::Result<Vec<[f64; 2]>> {
        let mut lines = history
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().context("an empty history")?;
        let place = |name: &str| {
            header
                .iter()
                .position(|column| *column == name)
                .context("no such column")
        };
        let (time, value) = (place("time")?, place(name)?);
        lines
            .map(|row| Ok([row[time].parse()?, row[value].parse()?]))
            .collect()
    };

    let panels = [
        Panel {
            title: "Left in the hopper, %",
            curve: Curve(moments.iter().map(left).collect()),
        },
        Panel {
            title: "Kinetic energy, J",
            curve: Curve(column("kinetic")?),
        },
        Panel {
            title: "Contacts",
            curve: Curve(column("contacts")?),
        },
    ];

    let spheres = count(
        moments.first().map_or(0, |moment| moment.centres.len()),
        "sphere",
    );
    Ok(page(
        &format!("A hopper of {spheres}; its gate opens after 0.5 s"),
        "Time, s",
        &panels,
    ))
}
