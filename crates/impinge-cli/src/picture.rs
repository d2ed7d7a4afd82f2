//! Renders a run as a strip of pictures from its ParaView frames.
//!
//! Bodies are coloured by speed. Walls whose visible side faces the moving bodies are drawn as
//! surfaces; the others are drawn as lines, so that they do not hide the bodies. Half-spaces below the
//! bodies are drawn as a grid.

use crate::view::{self, Overview};
use anyhow::Context;
use impinge::shape::ElementKind;
use impinge::space::{Aabb, Point, Vector};
use impinge_draw::{Camera, Canvas, Colour};
use impinge_io::pvd::{Series, SeriesStep};
use impinge_io::{Dataset, Field, Values};
use std::collections::BTreeMap;
use std::path::Path;

/// Height of a picture and the limits of its width, in pixels.
const HEIGHT: usize = 400;
const WIDTH: [f64; 2] = [240.0, 800.0];

/// Size, relative to the view, below which a body is marked by a dot; and the dot's width in pixels.
const SPECK: f64 = 0.01;
const DOT: f64 = 4.0;

/// View direction: from the front, slightly from the left and above.
const VIEW: [f64; 3] = [0.25, 1.0, -0.45];

/// View direction for 2D scenes: perpendicular to the plane.
const FROM_ABOVE: [f64; 3] = [0.0, 0.0, -1.0];

const WALL: Colour = Colour::rgb(206, 212, 219);
const GRID: Colour = Colour::rgb(214, 219, 226);
const INK: Colour = Colour::rgb(40, 48, 58);

/// All frames of one time.
struct Moment {
    time: f64,
    particles: Option<Dataset>,
    bodies: Option<Dataset>,
    solids: Option<Dataset>,
    walls: Option<Dataset>,
}

/// Draws `pictures` pictures of a run's folder, from its first frame to its last, side by side as PNG.
pub(crate) fn strip(folder: &Path, pictures: usize) -> anyhow::Result<Vec<u8>> {
    let moments = moments(folder, pictures)?;
    let pictures = draw(&moments, &view::half_spaces(folder))?;
    Canvas::strip(&pictures).context("no pictures")
}

/// Draws one picture for each moment. View, box and colours are those of the viewer's first picture, and the same in all.
fn draw(moments: &[Moment], half_spaces: &[(Point<3>, Vector<3>)]) -> anyhow::Result<Vec<Canvas>> {
    let overview = overview(moments);
    let shown = overview.bounds().context("no frames")?;
    let fastest = overview
        .ranges()
        .get("velocity")
        .map_or(0.0, |range| range[1]);
    let (view, camera) = if shown.extent().z > 0.0 {
        (VIEW, Camera::in_perspective(VIEW, &shown))
    } else {
        (FROM_ABOVE, Camera::looking_along(FROM_ABOVE, &shown))
    };
    let width = (HEIGHT as f64 * camera.aspect()).clamp(WIDTH[0], WIDTH[1]) as usize;
    let floors = floors(half_spaces, &shown);

    let picture = |(number, moment): (usize, &Moment)| {
        let mut canvas = Canvas::new(width, HEIGHT, camera);
        for [from, to] in &floors {
            canvas.line(from, to, 0.5, GRID);
        }
        moment.draw(&mut canvas, fastest, &view.into(), &shown.centre());
        moment.mark_specks(&mut canvas, SPECK * shown.longest_edge(), fastest);
        canvas.label([8, 8], &format!("t = {} s", time(moment.time)), INK);
        if number == 0 && fastest > 0.0 {
            legend(&mut canvas, fastest);
        }
        canvas
    };
    Ok(moments.iter().enumerate().map(picture).collect())
}

/// Returns the box and the speeds of all moments.
fn overview(moments: &[Moment]) -> Overview {
    let mut overview = Overview::default();
    for moment in moments {
        for dataset in [&moment.particles, &moment.bodies, &moment.solids]
            .into_iter()
            .flatten()
        {
            overview.add_bodies(dataset);
        }
    }

    let walls = moments.iter().filter_map(|moment| moment.walls.as_ref());
    let walls = walls.map(|walls| walls.mesh.bounds());
    overview.add_walls(&walls.fold(Aabb::EMPTY, |all, one| all.merged(&one)));
    overview
}

/// Formats a time with three decimals at most.
fn time(seconds: f64) -> String {
    let text = format!("{seconds:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Draws the colour scale with its ends.
fn legend(canvas: &mut Canvas, fastest: f64) {
    let bottom = HEIGHT - 8;
    canvas.label([8, bottom - 38], "speed, m/s", INK);
    canvas.scale_bar([8, bottom - 24], [128, bottom - 15]);
    canvas.label([8, bottom - 11], "0", INK);
    let most = if (0.01..1e4).contains(&fastest) {
        format!("{:.3}", fastest)
            .get(..5)
            .unwrap_or_default()
            .trim_end_matches('.')
            .to_owned()
    } else {
        format!("{fastest:.1e}")
    };
    canvas.label([128 - 9 * most.len(), bottom - 11], &most, INK);
}

/// Returns the lines of a grid on each visible half-space that faces upward; walls at the sides would
/// hide the bodies between them.
fn floors(half_spaces: &[(Point<3>, Vector<3>)], shown: &Aabb<3>) -> Vec<[Point<3>; 2]> {
    /// Lines along each side.
    const LINES: u32 = 12;
    let is_flat = shown.extent().z == 0.0;
    let near = shown.grown(0.05 * shown.longest_edge());
    let mut lines = Vec::new();

    for (point, normal) in half_spaces {
        let axis = normal.iamax();
        let is_floor = normal[axis] > 0.7 * normal.norm() && axis == if is_flat { 1 } else { 2 };
        if !is_floor || !(near.min[axis]..near.max[axis]).contains(&point[axis]) {
            continue;
        }
        let place = |x: f64, y: f64| {
            let mut place = Point::from([x, if is_flat { 0.0 } else { y }, 0.0]);
            // The height at which the plane passes there.
            place[axis] = 0.0;
            place[axis] = normal.dot(&(point - place)) / normal[axis];
            place
        };
        let [low, up] = [near.min, near.max];
        if is_flat {
            lines.push([place(low.x, 0.0), place(up.x, 0.0)]);
            continue;
        }
        for k in 0..=LINES {
            let share = f64::from(k) / f64::from(LINES);
            let (x, y) = (
                low.x + share * (up.x - low.x),
                low.y + share * (up.y - low.y),
            );
            lines.push([place(x, low.y), place(x, up.y)]);
            lines.push([place(low.x, y), place(up.x, y)]);
        }
    }

    lines
}

/// Picks evenly spaced frames, including the first and the last.
fn moments(folder: &Path, pictures: usize) -> anyhow::Result<Vec<Moment>> {
    let series = ["particles", "bodies", "solids", "walls"].map(|kind| {
        let path = folder.join(format!("{kind}.pvd"));
        path.exists().then(|| Series::open(&path)).transpose()
    });
    let [particles, bodies, solids, walls] = series;
    let all = [particles?, bodies?, solids?, walls?];
    let times = all[..3]
        .iter()
        .flatten()
        .map(Series::steps)
        .max_by_key(|steps| steps.len());
    let times = times
        .filter(|times| !times.is_empty())
        .context("the run has no frames")?;
    let chosen = (0..pictures).map(|i| times[i * (times.len() - 1) / (pictures - 1).max(1)].time);

    chosen.map(|time| moment(folder, &all, time)).collect()
}

fn moment(folder: &Path, series: &[Option<Series>; 4], time: f64) -> anyhow::Result<Moment> {
    // Walls that never move are written only in the first frame.
    let current = |steps: &[SeriesStep]| {
        steps
            .iter()
            .rev()
            .find(|step| step.time <= time)
            .map(|step| step.file.clone())
    };
    let read = |series: &Option<Series>| {
        let file = series.as_ref().and_then(|series| current(series.steps()));
        file.map(|file| impinge_io::read(&folder.join(file)))
            .transpose()
    };
    let [particles, bodies, solids, walls] = series;

    Ok(Moment {
        time,
        particles: read(particles)?,
        bodies: read(bodies)?,
        solids: read(solids)?,
        walls: read(walls)?,
    })
}

impl Moment {
    /// Returns the centre, radius and speed of each sphere.
    fn spheres(&self) -> Vec<(Point<3>, f64, f64)> {
        let Some(dataset) = &self.particles else {
            return Vec::new();
        };
        let radii = reals(&dataset.point_fields, "radius");
        let velocities = reals(&dataset.point_fields, "velocity").as_chunks::<3>().0;
        let spheres = dataset.mesh.points.iter().zip(radii).enumerate();

        spheres
            .map(|(i, (centre, &radius))| {
                let velocity = velocities.get(i).copied().unwrap_or_default();
                (*centre, radius, Vector::from(velocity).norm())
            })
            .collect()
    }

    /// Draws dots in place of bodies that are too small to see.
    fn mark_specks(&self, canvas: &mut Canvas, small: f64, fastest: f64) {
        let mut bodies: BTreeMap<i64, (Aabb<3>, f64)> = BTreeMap::new();
        for face in self.bodies.iter().flat_map(|bodies| faces(bodies, "body")) {
            let (known, speed) = bodies.entry(face.number).or_insert((Aabb::EMPTY, 0.0));
            *known = known.merged(&Aabb::of(face.corners));
            *speed = face.speed;
        }

        for (bounds, speed) in bodies
            .into_values()
            .filter(|(bounds, _)| bounds.longest_edge() < small)
        {
            let centre = bounds.centre();
            canvas.line(&centre, &centre, DOT, of_speed(speed, fastest));
        }
    }

    fn draw(&self, canvas: &mut Canvas, fastest: f64, view: &Vector<3>, middle: &Point<3>) {
        for (centre, radius, speed) in self.spheres() {
            canvas.sphere(&centre, radius, of_speed(speed, fastest));
        }

        let bodies = self.bodies.iter().flat_map(|bodies| faces(bodies, "body"));
        let solids = self.solids.iter().flat_map(|solids| faces(solids, "solid"));
        for face in bodies.chain(solids) {
            canvas.triangle(&face.corners, of_speed(face.speed, fastest));
        }

        for Face { corners, .. } in self.walls.iter().flat_map(|walls| faces(walls, "wall")) {
            if is_behind(&corners, middle, view) {
                canvas.triangle(&corners, WALL);
            } else {
                (0..3).for_each(|k| {
                    canvas.line(&corners[k], &corners[(k + 1) % 3], 0.5, WALL.shaded(0.8))
                });
            }
        }
    }
}

/// Whether the side of a face that faces the middle is visible along `view`.
fn is_behind(corners: &[Point<3>; 3], middle: &Point<3>, view: &Vector<3>) -> bool {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    normal.dot(&(corners[0] - middle)) * normal.dot(view) > 0.0
}

/// A triangle to draw.
struct Face {
    corners: [Point<3>; 3],
    /// Number of the object that it belongs to.
    number: i64,
    speed: f64,
}

/// Returns the triangles of a dataset, and the four faces of each tetrahedron. `name` is the field with the numbers of
/// the objects.
fn faces(dataset: &Dataset, name: &str) -> Vec<Face> {
    let (points, sides) = (&dataset.mesh.points, ElementKind::Tet4.faces());
    let tetrahedra = dataset
        .mesh
        .blocks
        .iter()
        .filter(|block| block.kind == ElementKind::Tet4);
    let nodes = tetrahedra
        .flat_map(|block| block.elements())
        .flat_map(|tetrahedron| {
            sides
                .iter()
                .map(|(_, side)| [side[0], side[1], side[2]].map(|k| tetrahedron[k as usize]))
        });
    let triangles: Vec<[u32; 3]> = dataset.mesh.triangles().into_iter().chain(nodes).collect();
    let numbers = wholes(&dataset.cell_fields, name);
    let sides = (triangles.len() / numbers.len().max(1)).max(1);
    let velocities = reals(&dataset.point_fields, "velocity").as_chunks::<3>().0;
    let speed = |node: u32| {
        let velocity = velocities.get(node as usize).copied().unwrap_or_default();
        Vector::from(velocity).norm()
    };

    let faces = triangles.into_iter().enumerate();
    faces
        .map(|(n, triangle)| Face {
            corners: triangle.map(|node| points[node as usize]),
            number: numbers.get(n / sides).copied().unwrap_or(0),
            speed: triangle.map(speed).iter().sum::<f64>() / 3.0,
        })
        .collect()
}

/// Colour of a speed; everything is at rest if nothing moves.
fn of_speed(speed: f64, fastest: f64) -> Colour {
    Colour::scale(if fastest > 0.0 { speed / fastest } else { 0.0 })
}

fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Values> {
    fields
        .iter()
        .find(|field| field.name == name)
        .map(|field| &field.values)
}

/// Returns the values of a field, or an empty slice if there is no such field.
pub(crate) fn reals<'a>(fields: &'a [Field], name: &str) -> &'a [f64] {
    if let Some(Values::Real(values)) = field(fields, name) {
        values
    } else {
        &[]
    }
}

fn wholes<'a>(fields: &'a [Field], name: &str) -> &'a [i64] {
    if let Some(Values::Whole(values)) = field(fields, name) {
        values
    } else {
        &[]
    }
}

#[cfg(test)]
mod tests;
