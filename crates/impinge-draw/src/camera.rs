//! The camera: orthographic or perspective.

use impinge::space::{Aabb, Point, Vector};

/// Tangent of half of the vertical field of view, 35°, and the margin around a box: the same as in the
/// viewer's page.
const SLOPE: f64 = 0.315_298_788_878_984;
const ROOM: f64 = 1.1;

/// Fraction of the image that a box fills in an orthographic view.
const FILLED: f64 = 0.92;

/// A view that fits a box to the image; the z axis points up.
///
/// Inside, a point has coordinates to the right, up and back, towards the viewer, from the centre of the box.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    right: Vector<3>,
    up: Vector<3>,
    /// From the scene to the viewer.
    back: Vector<3>,
    middle: Point<3>,
    /// Half of the visible width and height at the centre, in the scene's units.
    half: [f64; 2],
    /// Inverse distance of the eye from the centre; 0 for an orthographic view.
    nearness: f64,
}

impl Camera {
    /// Creates an orthographic camera that looks in a direction at the centre of a box. A zero or NaN
    /// direction looks along +y.
    pub fn looking_along(direction: impl Into<Vector<3>>, scene: &Aabb<3>) -> Self {
        let back = (-direction.into())
            .try_normalize(1e-300)
            .filter(|b| b.iter().all(|x| x.is_finite()));
        let back = back.unwrap_or(-Vector::y());

        // Seen from straight above or below, +y points up in the image.
        let right = Vector::<3>::z()
            .cross(&back)
            .try_normalize(1e-9)
            .unwrap_or(Vector::x());
        let up = back.cross(&right);
        let extent = scene.extent();
        let reach =
            |axis: &Vector<3>| (0..3).map(|i| (axis[i] * extent[i]).abs()).sum::<f64>() * 0.5;

        // A flat or empty scene still gives an image.
        let half = [reach(&right), reach(&up)].map(|half| half.max(1e-12) / FILLED);
        Self {
            right,
            up,
            back,
            middle: scene.centre(),
            half,
            nearness: 0.0,
        }
    }

    /// Like [`looking_along`](Self::looking_along), in perspective.
    pub fn in_perspective(direction: impl Into<Vector<3>>, scene: &Aabb<3>) -> Self {
        let camera = Self::looking_along(direction, scene);
        let slope = SLOPE / ROOM;
        let half = scene.extent() * 0.5;

        // Each corner of the box must be within the view frustum.
        let corners = (0..8).map(|corner| {
            let sign = |axis: usize| f64::from(1 - 2 * (corner >> axis & 1));
            let corner = Vector::from([0, 1, 2].map(|axis| sign(axis) * half[axis]));
            let [x, y, z] = camera.axes().map(|axis| axis.dot(&corner));
            y.abs().max(x.abs() / camera.aspect()) / slope + z
        });
        let distance = corners.fold(1e-9, f64::max);
        let height = distance * SLOPE;

        Self {
            half: [height * camera.aspect(), height],
            nearness: 1.0 / distance,
            ..camera
        }
    }

    fn axes(&self) -> [Vector<3>; 3] {
        [self.right, self.up, self.back]
    }

    /// Returns the ratio of width to height of the view.
    pub fn aspect(&self) -> f64 {
        self.half[0] / self.half[1]
    }

    /// Projects a point to an image of the given size. Returns its position in pixels from the upper
    /// left corner, a depth that increases towards the viewer and is linear across the image of a
    /// plane, and the scale in pixels per unit of length. Behind the eye, all are NaN.
    pub(crate) fn place(&self, point: &Point<3>, size: [usize; 2]) -> ([f64; 3], f64) {
        let offset = self.local(point);
        let growth = self.growth(offset.z);
        let scale = self.scale(size) * growth;
        let x = size[0] as f64 * 0.5 + offset.x * scale;
        let y = size[1] as f64 * 0.5 - offset.y * scale;
        ([x, y, offset.z * growth], scale)
    }

    /// Returns the coordinates of a point to the right, up and back.
    pub(crate) fn local(&self, point: &Point<3>) -> Vector<3> {
        let offset = point - self.middle;
        Vector::from(self.axes().map(|axis| axis.dot(&offset)))
    }

    /// Returns the magnification at a height towards the viewer relative to the centre; NaN behind the
    /// eye.
    pub(crate) fn growth(&self, height: f64) -> f64 {
        let share = 1.0 - height * self.nearness;
        if share > 0.0 { share.recip() } else { f64::NAN }
    }

    /// Returns the line of sight through a position in the image: its point at the centre's height, and
    /// its direction for each unit of height.
    pub(crate) fn sight(&self, x: f64, y: f64, size: [usize; 2]) -> [Vector<3>; 2] {
        let scale = self.scale(size);
        let x = (x - size[0] as f64 * 0.5) / scale;
        let y = (size[1] as f64 * 0.5 - y) / scale;
        let slant = Vector::from([-x * self.nearness, -y * self.nearness, 1.0]);
        [Vector::from([x, y, 0.0]), slant]
    }

    /// Returns the pixels per unit of length at the centre.
    pub(crate) fn scale(&self, size: [usize; 2]) -> f64 {
        (size[0] as f64 / (2.0 * self.half[0])).min(size[1] as f64 / (2.0 * self.half[1]))
    }

    /// Returns the brightness of a surface with a unit normal, 0 to 1, from one light over the viewer's
    /// left shoulder.
    pub(crate) fn light(&self, normal: &Vector<3>) -> f32 {
        let light = (self.back * 0.8 + self.up * 0.5 - self.right * 0.35).normalize();
        (0.35 + 0.65 * normal.dot(&light).max(0.0)) as f32
    }

    /// Returns the vector with the given coordinates to the right, up and back.
    pub(crate) fn world(&self, local: &Vector<3>) -> Vector<3> {
        self.right * local.x + self.up * local.y + self.back * local.z
    }

    /// Whether a face with a normal, through a point, shows its front to the viewer.
    pub(crate) fn sees(&self, normal: &Vector<3>, point: &Point<3>) -> bool {
        // The vector from the point to the eye, times the inverse eye distance.
        let to_eye = self.back - (point - self.middle) * self.nearness;
        normal.dot(&to_eye) > 0.0
    }
}
