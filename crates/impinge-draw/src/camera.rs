//! The orthographic camera.

use impinge::space::{Aabb, Point, Vector};

/// An orthographic view that fits a box to the picture; the z axis points up.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    right: Vector<3>,
    up: Vector<3>,
    /// From the scene to the viewer.
    back: Vector<3>,
    middle: Point<3>,
    /// Half of the shown width and height, in the scene's units.
    half: [f64; 2],
}

impl Camera {
    /// Creates a camera that looks in a direction at the centre of a box. A zero or NaN direction looks
    /// along +y.
    pub fn looking_along(direction: impl Into<Vector<3>>, scene: &Aabb<3>) -> Self {
        let back = (-direction.into())
            .try_normalize(1e-300)
            .filter(|b| b.iter().all(|x| x.is_finite()));
        let back = back.unwrap_or(-Vector::y());

        // Seen from straight above or below, +y points up in the picture.
        let right = Vector::<3>::z()
            .cross(&back)
            .try_normalize(1e-9)
            .unwrap_or(Vector::x());
        let up = back.cross(&right);
        let extent = scene.extent();
        let reach =
            |axis: &Vector<3>| (0..3).map(|i| (axis[i] * extent[i]).abs()).sum::<f64>() * 0.5;

        // A flat or empty scene still gets a picture.
        let half = [reach(&right).max(1e-12), reach(&up).max(1e-12)];
        Self {
            right,
            up,
            back,
            middle: scene.centre(),
            half,
        }
    }

    /// Returns the ratio of width to height of the view.
    pub fn aspect(&self) -> f64 {
        self.half[0] / self.half[1]
    }

    /// Projects a point to a picture of the given size. Returns its position in pixels from the upper
    /// left corner, its height towards the viewer, and the scale in pixels per unit of length.
    pub(crate) fn place(&self, point: &Point<3>, size: [usize; 2]) -> ([f64; 3], f64) {
        let scale = self.scale(size);
        let offset = point - self.middle;
        let x = size[0] as f64 * 0.5 + offset.dot(&self.right) * scale;
        let y = size[1] as f64 * 0.5 - offset.dot(&self.up) * scale;
        ([x, y, offset.dot(&self.back)], scale)
    }

    fn scale(&self, size: [usize; 2]) -> f64 {
        const MARGIN: f64 = 0.92;
        MARGIN * (size[0] as f64 / (2.0 * self.half[0])).min(size[1] as f64 / (2.0 * self.half[1]))
    }

    /// Returns the brightness of a surface with a unit normal, 0 to 1, from one light over the viewer's
    /// left shoulder.
    pub(crate) fn light(&self, normal: &Vector<3>) -> f32 {
        let light = (self.back * 0.8 + self.up * 0.5 - self.right * 0.35).normalize();
        (0.35 + 0.65 * normal.dot(&light).max(0.0)) as f32
    }

    /// Returns the normal of a sphere where a line of sight meets it, given the offset from its centre
    /// in radii.
    pub(crate) fn sphere_normal(&self, x: f64, y: f64) -> Vector<3> {
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        self.right * x + self.up * y + self.back * z
    }

    /// Whether a normal points towards the viewer.
    pub(crate) fn sees(&self, normal: &Vector<3>) -> bool {
        normal.dot(&self.back) > 0.0
    }
}
