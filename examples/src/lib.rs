//! Pictures for the examples: one call each, so that an example shows mainly the library.

use impinge::bound::Ball;
use impinge::shape::Surface;
use impinge::shape::generate::Packing;
use impinge::space::{Aabb, Point, Pose, Vector};
use impinge_draw::{Camera, Canvas, Colour};
use std::path::PathBuf;

/// Colour of the first of two bodies.
pub const BLUE: Colour = Colour::rgb(86, 130, 190);
/// Colour of the second body.
pub const ORANGE: Colour = Colour::rgb(226, 120, 50);
/// Colour of bodies at rest.
pub const GREY: Colour = Colour::rgb(190, 190, 190);

/// An image of 640 by 480 pixels.
pub struct Picture(Canvas);

impl Picture {
    /// Looks at a box from the front, the left and above.
    pub fn new(bounds: &Aabb<3>) -> Self {
        Self(Canvas::new(
            640,
            480,
            Camera::looking_along([1.0, 2.0, -1.0], bounds),
        ))
    }

    /// Draws triangles.
    pub fn triangles(
        mut self,
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        colour: impl Fn(usize) -> Colour,
    ) -> Self {
        for (face, triangle) in triangles.iter().enumerate() {
            self.0
                .triangle(&triangle.map(|node| points[node as usize]), colour(face));
        }

        self
    }

    /// Draws a surface in one colour.
    pub fn surface(self, surface: &Surface, colour: Colour) -> Self {
        self.triangles(surface.points(), surface.triangles(), |_| colour)
    }

    /// Draws a surface at a pose.
    pub fn placed(self, surface: &Surface, pose: &Pose<3>, colour: Colour) -> Self {
        let points: Vec<Point<3>> = surface.points().iter().map(|p| pose.point(p)).collect();
        self.triangles(&points, surface.triangles(), |_| colour)
    }

    /// Draws balls.
    pub fn balls(mut self, balls: impl IntoIterator<Item = (Point<3>, f64, Colour)>) -> Self {
        for (centre, radius, colour) in balls {
            self.0.sphere(&centre, radius, colour);
        }

        self
    }

    /// Draws balls, coloured by a value from 0 to 1.
    pub fn coloured(self, balls: &[Ball<3>], value: impl Fn(usize) -> f64) -> Self {
        let colour = |number: usize| Colour::scale(value(number).clamp(0.0, 1.0));
        let balls = balls.iter().enumerate();
        self.balls(balls.map(|(n, ball)| (ball.centre, ball.radius, colour(n))))
    }

    /// Draws lines, such as the normals of contacts.
    pub fn lines(mut self, lines: impl IntoIterator<Item = [Point<3>; 2]>, colour: Colour) -> Self {
        for [from, to] in lines {
            self.0.line(&from, &to, 1.5, colour);
        }

        self
    }

    /// Writes `out/examples/NAME.png` and returns its path.
    pub fn save(self, name: &str) -> std::io::Result<PathBuf> {
        let folder = PathBuf::from("out/examples");
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, self.0.to_png())?;
        println!("picture: {}", path.display());

        Ok(path)
    }
}

/// A colour for a speed, from 0 to a largest one.
pub fn speed_colour(velocity: &[f64; 3], largest: f64) -> Colour {
    Colour::scale((Vector::<3>::from(*velocity).norm() / largest).clamp(0.0, 1.0))
}

/// A colour for each of some bodies.
pub fn shade(number: usize, count: usize) -> Colour {
    Colour::scale((number as f64 + 0.5) / count as f64)
}

/// The spheres of a packing as bounding balls, the input of the broad phase.
pub fn balls(grains: &Packing<3>) -> Vec<Ball<3>> {
    let places = grains.centres.iter().zip(&grains.radii);
    places
        .map(|(&centre, &radius)| Ball { centre, radius })
        .collect()
}
