//! Renders meshes and particles to images, without a display.
//!
//! Orthographic view, depth buffer, one light at the viewer's shoulder, four samples per pixel. Meant
//! for quick pictures of a run; for more, open the data in ParaView.
//!
//! ```
//! use impinge_draw::{Camera, Canvas, Colour};
//! use impinge::space::{Aabb, Point};
//! let view = Camera::looking_along([-1.0, 2.0, -1.0], &Aabb::new([-1.0; 3], [1.0; 3]));
//! let mut canvas = Canvas::new(64, 64, view);
//! canvas.sphere(&Point::from([0.0, 0.0, 0.0]), 1.0, Colour::rgb(200, 80, 60));
//! let png = canvas.to_png();
//! assert_eq!(&png[1..4], b"PNG");
//! assert_ne!(canvas.pixel(32, 32), canvas.pixel(0, 0));
//! ```

mod camera;
mod canvas;
mod colour;
mod label;

pub use camera::Camera;
pub use canvas::Canvas;
pub use colour::Colour;
