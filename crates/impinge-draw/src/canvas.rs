//! The image: a colour and a depth buffer, filled shape by shape.

use crate::label::{ADVANCE, GLYPH, glyph};
use crate::{Camera, Colour};
use impinge::space::{Point, Vector};

/// Samples along each side of a pixel.
const FINE: usize = 2;

const PAPER: Colour = Colour::rgb(255, 255, 255);

/// An image being drawn.
#[derive(Clone, Debug)]
pub struct Canvas {
    camera: Camera,
    width: usize,
    height: usize,
    /// Samples, row by row: `FINE` times the number of pixels along each side.
    colours: Vec<Colour>,
    depths: Vec<f32>,
}

impl Canvas {
    /// Creates a white image of the given size in pixels.
    pub fn new(width: usize, height: usize, camera: Camera) -> Self {
        let samples = width * height * FINE * FINE;
        Self {
            camera,
            width,
            height,
            colours: vec![PAPER; samples],
            depths: vec![f32::NEG_INFINITY; samples],
        }
    }

    fn samples(&self) -> [usize; 2] {
        [self.width * FINE, self.height * FINE]
    }

    /// Draws a triangle, lit on both sides; its back is darker.
    pub fn triangle(&mut self, corners: &[Point<3>; 3], colour: Colour) {
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let Some(normal) = normal.try_normalize(1e-300) else {
            return;
        };
        let shade = if self.camera.sees(&normal, &corners[0]) {
            self.camera.light(&normal)
        } else {
            0.6 * self.camera.light(&-normal)
        };
        let places = corners.map(|p| self.camera.place(&p, self.samples()).0);

        self.fill(places, colour.shaded(shade));
    }

    /// Fills the samples whose centres lie in the triangle and in front of what was drawn before.
    fn fill(&mut self, [a, b, c]: [[f64; 3]; 3], colour: Colour) {
        let twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if twice_area == 0.0 || !twice_area.is_finite() {
            return;
        }

        let [width, height] = self.samples();
        let (left, right) = span([a[0], b[0], c[0]], width);
        let (top, bottom) = span([a[1], b[1], c[1]], height);

        for row in top..bottom {
            let y = row as f64 + 0.5;
            for column in left..right {
                let x = column as f64 + 0.5;
                let v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / twice_area;
                let w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / twice_area;
                if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                    self.sample(
                        row * width + column,
                        a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2]),
                        colour,
                    );
                }
            }
        }
    }

    /// Draws a sphere by ray casting.
    pub fn sphere(&mut self, centre: &Point<3>, radius: f64, colour: Colour) {
        let size = self.samples();
        let camera = self.camera;
        let centre = camera.local(centre);
        let [columns, rows] = self.frame(&centre, radius);

        for row in rows.0..rows.1 {
            for column in columns.0..columns.1 {
                let [from, along] = camera.sight(column as f64 + 0.5, row as f64 + 0.5, size);
                let Some(height) = meeting(&(from - centre), &along, radius) else {
                    continue;
                };
                let normal = (from + along * height - centre) / radius;
                self.sample(
                    row * size[0] + column,
                    height * camera.growth(height),
                    colour.shaded(camera.light(&camera.world(&normal))),
                );
            }
        }
    }

    /// Returns the columns and rows that contain the image of a sphere, given its centre in the camera's
    /// coordinates.
    fn frame(&self, centre: &Vector<3>, radius: f64) -> [(usize, usize); 2] {
        let size = self.samples();
        let scale = self.camera.scale(size);
        let growths = [centre.z - radius, centre.z + radius].map(|z| self.camera.growth(z));
        if !growths.iter().all(|growth| growth.is_finite()) {
            return [(0, 0); 2];
        }

        let ends = |middle: f64, sign: f64, size: usize| {
            let place = |side: f64| {
                let images = growths.map(|growth| (sign * middle + side * radius) * growth);
                let outermost = images
                    .into_iter()
                    .map(|x| side * x)
                    .fold(f64::MIN, f64::max);
                size as f64 * 0.5 + side * outermost * scale
            };
            let [low, up] = [place(-1.0), place(1.0)];
            span([low, up, low], size)
        };
        [ends(centre.x, 1.0, size[0]), ends(centre.y, -1.0, size[1])]
    }

    /// Draws a straight line, `thickness` pixels wide, slightly in front of surfaces at the same depth.
    pub fn line(&mut self, from: &Point<3>, to: &Point<3>, thickness: f64, colour: Colour) {
        let [width, height] = self.samples();
        let (a, scale) = self.camera.place(from, [width, height]);
        let (b, _) = self.camera.place(to, [width, height]);
        let steps =
            ((b[0] - a[0]).abs().max((b[1] - a[1]).abs()) as usize + 1).min(4 * (width + height));
        let reach = 0.5 * thickness * FINE as f64;

        for step in 0..=steps {
            let t = step as f64 / steps as f64;
            let [x, y, z]: [f64; 3] = std::array::from_fn(|i| a[i] + t * (b[i] - a[i]));
            let (left, right) = span([x - reach, x + reach, x], width);
            let (top, bottom) = span([y - reach, y + reach, y], height);
            for row in top..bottom {
                (left..right)
                    .for_each(|column| self.sample(row * width + column, z + 2.0 / scale, colour));
            }
        }
    }

    /// Writes a label over everything, with its upper left corner at a pixel. It has digits, `.,+-/=` and the letters of
    /// `speed`, `m` and `t`; other characters are blank.
    pub fn label(&mut self, [column, row]: [usize; 2], text: &str, colour: Colour) {
        /// Samples along each side of a dot.
        const DOT: usize = 3;
        for (number, character) in text.chars().enumerate() {
            for (y, bits) in glyph(character).into_iter().enumerate() {
                for x in (0..GLYPH[0]).filter(|x| bits >> (GLYPH[0] - 1 - x) & 1 == 1) {
                    let left = column * FINE + (number * ADVANCE + x) * DOT;
                    let top = row * FINE + y * DOT;
                    self.cover([left, top], [left + DOT, top + DOT], colour);
                }
            }
        }
    }

    /// Draws the colour scale as a bar over everything, between two corners in pixels.
    pub fn scale_bar(&mut self, [left, top]: [usize; 2], [right, bottom]: [usize; 2]) {
        let [left, right] = [left, right].map(|column| column * FINE);
        for column in left..right {
            let share = (column - left) as f64 / (right - left).max(1) as f64;
            let corners = [[column, top * FINE], [column + 1, bottom * FINE]];
            self.cover(corners[0], corners[1], Colour::scale(share));
        }
    }

    /// Fills samples in front of everything, clipped to the image.
    fn cover(&mut self, [left, top]: [usize; 2], [right, bottom]: [usize; 2], colour: Colour) {
        let [width, height] = self.samples();
        for row in top..bottom.min(height) {
            for column in left..right.min(width) {
                self.sample(row * width + column, f64::INFINITY, colour);
            }
        }
    }

    fn sample(&mut self, place: usize, depth: f64, colour: Colour) {
        if depth as f32 > self.depths[place] {
            self.depths[place] = depth as f32;
            self.colours[place] = colour;
        }
    }

    /// Returns the colour of a pixel: the mean of its samples.
    pub fn pixel(&self, column: usize, row: usize) -> [u8; 3] {
        let width = self.samples()[0];
        let mut sum = [0.0; 3];
        for y in 0..FINE {
            for x in 0..FINE {
                let Colour(c) = self.colours[(row * FINE + y) * width + column * FINE + x];
                (0..3).for_each(|i| sum[i] += c[i]);
            }
        }

        sum.map(|s| (s / (FINE * FINE) as f32 * 255.0).round() as u8)
    }

    /// Encodes the image as a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        let pixels: Vec<u8> = (0..self.height)
            .flat_map(|row| (0..self.width).flat_map(move |column| self.pixel(column, row)))
            .collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder
            .write_header()
            .expect("writing to memory does not fail");
        writer
            .write_image_data(&pixels)
            .expect("the number of pixels is as declared");
        drop(writer);

        file
    }

    /// Joins several images of one size side by side into one PNG file. `None` if there are none.
    pub fn strip(pictures: &[Self]) -> Option<Vec<u8>> {
        let first = pictures.first()?;
        let mut wide = Self::new(first.width * pictures.len(), first.height, first.camera);
        let (narrow, width) = (first.samples()[0], wide.samples()[0]);

        for (i, picture) in pictures.iter().enumerate() {
            for (row, samples) in picture.colours.chunks_exact(narrow).enumerate() {
                let start = row * width + i * narrow;
                wide.colours[start..start + narrow].copy_from_slice(samples);
            }
        }

        Some(wide.to_png())
    }
}

/// Returns the height at which a line of sight meets a sphere first, given its start from the centre and its
/// direction for each unit of height.
fn meeting(from: &Vector<3>, along: &Vector<3>, radius: f64) -> Option<f64> {
    let square = along.norm_squared();
    let nearest = -from.dot(along) / square;
    let rest = radius * radius - (from + along * nearest).norm_squared();
    (rest >= 0.0).then(|| nearest + (rest / square).sqrt())
}

/// Returns the range of samples that the positions span, clipped to the image.
fn span(places: [f64; 3], size: usize) -> (usize, usize) {
    let low = places
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min)
        .floor()
        .clamp(0.0, size as f64);
    let up = places
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max)
        .ceil()
        .clamp(0.0, size as f64);

    (low as usize, up as usize)
}

#[cfg(test)]
mod tests;
