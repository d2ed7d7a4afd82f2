//! Renders a run as a strip of pictures from its ParaView frames.
//!
//! Spheres are coloured by their initial height, bodies and solids by their number. Walls whose visible side faces
//! the moving bodies are drawn as surfaces; the others are drawn as lines, so that they hide nothing.

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

/// Margin around the moving bodies, relative to their extent, within which walls are shown.
const AROUND: f64 = 0.25;

const WALL: Colour = Colour::rgb(206, 212, 219);

/// All frames of one time.
struct Moment {
    particles: Option<Dataset>,
    bodies: Option<Dataset>,
    solids: Option<Dataset>,
    walls: Option<Dataset>,
}

/// Draws `pictures` pictures of a run's folder, from its first frame to its last, side by side as PNG.
pub(crate) fn strip(folder: &Path, pictures: usize) -> anyhow::Result<Vec<u8>> {
    let moments = moments(folder, pictures)?;
    let moving = moments
        .iter()
        .map(Moment::bounds)
        .reduce(|a, b| a.merged(&b))
        .context("no frames")?;
    let walls = moments
        .iter()
        .filter_map(|moment| moment.walls.as_ref())
        .map(|walls| walls.mesh.bounds());
    let around = moving.grown(AROUND * moving.longest_edge());
    let near = walls
        .map(|walls| walls.intersection(&around))
        .filter(|walls| !walls.is_empty());
    let shown = near.fold(moving, |shown, walls| shown.merged(&walls));

    let view = Vector::from(if shown.extent().z > 0.0 {
        VIEW
    } else {
        FROM_ABOVE
    });
    let colours = moments[0]
        .particles
        .as_ref()
        .map(by_height)
        .unwrap_or_default();
    let camera = Camera::looking_along(view, &shown);
    let width = (HEIGHT as f64 * camera.aspect()).clamp(WIDTH[0], WIDTH[1]) as usize;

    let draw = |moment: &Moment| {
        let mut canvas = Canvas::new(width, HEIGHT, camera);
        moment.draw(&mut canvas, &colours, &view, &moving.centre());
        moment.mark_specks(&mut canvas, SPECK * shown.longest_edge());
        canvas
    };

    Canvas::strip(&moments.iter().map(draw).collect::<Vec<_>>()).context("no pictures")
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
        particles: read(particles)?,
        bodies: read(bodies)?,
        solids: read(solids)?,
        walls: read(walls)?,
    })
}

impl Moment {
    /// Bounding box of the moving bodies.
    fn bounds(&self) -> Aabb<3> {
        let meshes = [&self.bodies, &self.solids]
            .into_iter()
            .flatten()
            .map(|dataset| dataset.mesh.bounds());
        let spheres = self
            .spheres()
            .into_iter()
            .map(|(centre, radius, _)| Aabb::of([centre]).grown(radius));

        meshes
            .chain(spheres)
            .fold(Aabb::EMPTY, |all, one| all.merged(&one))
    }

    /// Returns the centre, radius and id of each sphere.
    fn spheres(&self) -> Vec<(Point<3>, f64, usize)> {
        let Some(dataset) = &self.particles else {
            return Vec::new();
        };
        let radii = reals(&dataset.point_fields, "radius");
        let ids = wholes(&dataset.point_fields, "id");
        let spheres = dataset.mesh.points.iter().zip(radii).zip(ids);

        spheres
            .map(|((centre, &radius), &id)| (*centre, radius, id as usize))
            .collect()
    }

    /// Draws dots in place of bodies that are too small to see.
    fn mark_specks(&self, canvas: &mut Canvas, small: f64) {
        let mut bounds: BTreeMap<i64, Aabb<3>> = BTreeMap::new();
        for (corners, number) in self
            .bodies
            .iter()
            .flat_map(|bodies| numbered(bodies, "body"))
        {
            let known = bounds.entry(number).or_insert(Aabb::EMPTY);
            *known = known.merged(&Aabb::of(corners));
        }

        for (number, bounds) in bounds
            .into_iter()
            .filter(|(_, bounds)| bounds.longest_edge() < small)
        {
            canvas.line(&bounds.centre(), &bounds.centre(), DOT, of_number(number));
        }
    }

    fn draw(&self, canvas: &mut Canvas, colours: &[Colour], view: &Vector<3>, middle: &Point<3>) {
        for (centre, radius, id) in self.spheres() {
            canvas.sphere(
                &centre,
                radius,
                colours
                    .get(id)
                    .copied()
                    .unwrap_or(Colour::rgb(160, 160, 160)),
            );
        }

        for (corners, number) in self
            .bodies
            .iter()
            .flat_map(|bodies| numbered(bodies, "body"))
        {
            canvas.triangle(&corners, of_number(number));
        }

        for (corners, number) in self
            .solids
            .iter()
            .flat_map(|solids| numbered(solids, "solid"))
        {
            canvas.triangle(
                &corners,
                of_number(number).mixed(Colour::rgb(220, 60, 40), 0.5),
            );
        }

        for corners in self.walls.as_ref().map(faces).unwrap_or_default() {
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

/// Returns the faces of a dataset, each with the number of the object it belongs to.
fn numbered(dataset: &Dataset, name: &str) -> Vec<([Point<3>; 3], i64)> {
    let (faces, numbers) = (faces(dataset), wholes(&dataset.cell_fields, name));
    let sides = faces.len() / numbers.len().max(1);
    let number = |face: usize| numbers.get(face / sides.max(1)).copied().unwrap_or(0);
    faces
        .into_iter()
        .enumerate()
        .map(|(n, corners)| (corners, number(n)))
        .collect()
}

/// Returns the triangles, and the four faces of each tetrahedron.
fn faces(dataset: &Dataset) -> Vec<[Point<3>; 3]> {
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
    let triangles = dataset.mesh.triangles().into_iter().chain(nodes);

    triangles
        .map(|triangle| triangle.map(|node| points[node as usize]))
        .collect()
}

/// Returns the colours of the spheres, indexed by id.
fn by_height(first: &Dataset) -> Vec<Colour> {
    let (points, ids) = (&first.mesh.points, wholes(&first.point_fields, "id"));
    let bounds = Aabb::of(points.iter().copied());
    let mut colours =
        vec![Colour::rgb(160, 160, 160); ids.iter().max().map_or(0, |&most| most as usize + 1)];

    for (point, &id) in points.iter().zip(ids) {
        colours[id as usize] =
            Colour::scale((point.z - bounds.min.z) / bounds.extent().z.max(f64::MIN_POSITIVE));
    }

    colours
}

/// Colour of an object; multiples of the golden ratio keep the colours of consecutive numbers apart.
fn of_number(number: i64) -> Colour {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    Colour::scale((number as f64 * GOLDEN + 0.25).fract())
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
