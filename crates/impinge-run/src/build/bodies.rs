//! The rigid bodies of a scene: shapes, places and motions.

use super::{BuildError, Draw, materials, quaternion, random, shapes, three};
use crate::scene::{BodySpec, HingeSpec, SceneSpec, ShapeSpec};
use impinge::space::{Point, Random};
use impinge_sim::world::{BodyDef, BodyShape, Hinge, World};
use std::f64::consts::TAU;
use std::path::Path;

/// Maximum number of random positions tried for one body.
const TRIALS: usize = 20_000;

/// Adds the bodies of a scene.
pub(super) fn add(world: &mut World, scene: &SceneSpec, folder: &Path) -> Result<(), BuildError> {
    let mut maker = BodyBuilder {
        scene,
        folder,
        random: random(scene, Draw::Bodies),
        taken: Vec::new(),
    };

    for (i, body) in scene.body.iter().enumerate() {
        let key = &format!("body[{i}]");
        // Only random shapes differ; the others share their surface and its tree.
        let is_random = matches!(body.shape, ShapeSpec::Polyhedron(_) | ShapeSpec::Polygon(_));
        let mut shared: Option<BodyShape> = None;

        for number in 0..body.count {
            let shape = match &shared {
                Some(shape) => shape.clone(),
                None => maker.shape(key, &body.shape)?,
            };
            if !is_random {
                shared = Some(shape.clone());
            }
            let made = maker.body(key, body, number, shape)?;
            world.add_body(made).map_err(BuildError::world(key))?;
        }
    }
    Ok(())
}

/// The context needed to create bodies.
struct BodyBuilder<'a> {
    scene: &'a SceneSpec,
    folder: &'a Path,
    random: Random,
    /// Bounding balls of the bodies placed so far.
    taken: Vec<(Point<3>, f64)>,
}

impl BodyBuilder<'_> {
    /// Creates one of the bodies of an entry, by its number.
    fn body(
        &mut self,
        key: &str,
        body: &BodySpec,
        number: usize,
        shape: BodyShape,
    ) -> Result<BodyDef, BuildError> {
        let (position, orientation) = match &body.region {
            None => (three(&body.position), quaternion(body.rotation)),
            Some(_) => self
                .place(body, shape.reach())
                .ok_or_else(|| BuildError::NoSpace {
                    key: key.to_owned(),
                    placed: number,
                    count: body.count,
                })?,
        };
        let path = body.motion.as_ref().map(Into::into);
        let spin = match self.scene.dimension {
            2 => [0.0, 0.0, three(&body.spin)[0]],
            _ => three(&body.spin),
        };

        Ok(BodyDef {
            name: name(body, number),
            material: materials::named(self.scene, body.material.as_ref()),
            position,
            orientation,
            velocity: three(&body.velocity),
            spin,
            path: path.or(body.fixed.then(Default::default)),
            hinge: body.hinge.as_ref().map(|hinge| self.hinge(hinge)),
            rail: (!body.along.is_empty()).then(|| three(&body.along)),
            force: three(&body.force),
            ..BodyDef::new(shape)
        })
    }

    fn hinge(&self, hinge: &HingeSpec) -> Hinge {
        Hinge {
            point: three(&hinge.point),
            axis: match self.scene.dimension {
                2 => [0.0, 0.0, 1.0],
                _ => three(&hinge.axis),
            },
        }
    }

    fn shape(&mut self, key: &str, shape: &ShapeSpec) -> Result<BodyShape, BuildError> {
        match (self.scene.dimension, shape) {
            (_, ShapeSpec::Sphere(radius)) => Ok(BodyShape::Sphere(*radius)),
            (2, shape) => shapes::polygon(key, shape, &mut self.random).map(BodyShape::Polygon),
            (_, shape) if shapes::is_convex(shape) => {
                shapes::polyhedron(key, shape, self.folder, &mut self.random)
                    .map(BodyShape::Polyhedron)
            }
            (_, shape) => shapes::triangles(key, shape, self.folder, &mut self.random)
                .map(|mesh| BodyShape::Surface(mesh.into())),
        }
    }

    /// Finds a random position and orientation in the body's region, clear of all previous ones.
    fn place(&mut self, body: &BodySpec, reach: f64) -> Option<([f64; 3], [f64; 4])> {
        for _ in 0..TRIALS {
            let Some(centre) = self.draw(body, reach) else {
                continue;
            };
            let free = |(other, radius): &(Point<3>, f64)| (other - centre).norm() > radius + reach;
            if self.taken.iter().all(free) {
                self.taken.push((centre, reach));
                return Some((centre.coords.into(), self.turn()));
            }
        }

        None
    }

    fn draw(&mut self, body: &BodySpec, reach: f64) -> Option<Point<3>> {
        let region = body.region.as_ref()?;
        match self.scene.dimension {
            2 => {
                let centre = region.draw::<2>(reach, &mut self.random)?;
                Some(Point::from([centre.x, centre.y, 0.0]))
            }
            _ => region.draw::<3>(reach, &mut self.random),
        }
    }

    fn turn(&mut self) -> [f64; 4] {
        match self.scene.dimension {
            2 => {
                let (sin, cos) = (0.5 * self.random.within(0.0, TAU)).sin_cos();
                [0.0, 0.0, sin, cos]
            }
            _ => self.random.direction::<4>().into(),
        }
    }
}

/// Returns the name of one body of an entry; empty if the entry has none.
fn name(body: &BodySpec, number: usize) -> String {
    match &body.name {
        Some(name) if body.count > 1 => format!("{name}[{number}]"),
        Some(name) => name.clone(),
        None => String::new(),
    }
}
