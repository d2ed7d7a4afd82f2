//! Input of a sweep: the boxes of the bodies and, if the scene is periodic, of their images.

use crate::broad::{BodyId, BroadScene, Proxy};
use crate::space::Aabb;

/// Largest edge of a body in periods for which one image per side suffices: below a half, with room
/// for rounding.
const FITS_PERIOD: f64 = 0.49;
/// Factor on the longest edge that covers rounding when images that nothing can reach are left out.
const REACH: f64 = 1.001;

/// The boxes of a step. Item n is body n. In a periodic scene, item n·2^D + i is image i of body n,
/// shifted up by one period on each axis whose bit is set in i.
#[derive(Clone, Debug, Default)]
pub(in crate::broad) struct Items<const D: usize> {
    /// Empty for items that do not exist.
    pub(in crate::broad) boxes: Vec<Aabb<D>>,
    images: bool,
}

impl<const D: usize> Items<D> {
    /// Computes the boxes of the scene; at least `least` of them. Returns whether items have the
    /// same indices as in the last step; they do not if the scene became periodic or ceased to be.
    pub(in crate::broad) fn take<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        least: usize,
    ) -> bool {
        let same = self.images == scene.period.repeats();
        self.images = scene.period.repeats();
        self.boxes.clear();

        if !self.images {
            self.boxes
                .extend(scene.bodies.iter().map(Proxy::outer_bounds));
        } else {
            self.take_images(scene);
        }

        let stride = if self.images { 1 << D } else { 1 };
        for (n, bounds) in self.boxes.iter_mut().enumerate() {
            if !scene.is_on(n / stride) {
                *bounds = Aabb::EMPTY;
            }
        }

        self.boxes.resize(self.boxes.len().max(least), Aabb::EMPTY);
        same
    }

    fn take_images<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>) {
        let wrapped = || scene.bodies.iter().map(|body| wrap(scene, body.bounds()));
        let mut longest = [0.0f64; D];
        for bounds in wrapped() {
            for k in 0..D {
                let edge = bounds.max[k] - bounds.min[k];
                longest[k] = if edge < f64::INFINITY {
                    longest[k].max(edge)
                } else {
                    longest[k]
                };
            }
        }

        for bounds in wrapped() {
            for image in 0..1usize << D {
                self.boxes.push(shifted(scene, &bounds, image, &longest));
            }
        }
    }

    /// Returns whether two items may form a pair: images of different bodies with no shifted axis
    /// in common.
    pub(in crate::broad) fn may_pair(&self, a: usize, b: usize) -> bool {
        let mask = (1 << D) - 1;
        !self.images || (a & b & mask == 0 && a >> D != b >> D)
    }

    pub(in crate::broad) fn body(&self, item: u32) -> BodyId {
        if self.images { item >> D } else { item }
    }

    pub(in crate::broad) fn images(&self) -> bool {
        self.images
    }

    /// Returns the memory in use in bytes.
    pub(in crate::broad) fn memory(&self) -> usize {
        self.boxes.capacity() * size_of::<Aabb<D>>()
    }
}

/// Returns the image of the box that begins in the first period, grown by the rounding error;
/// infinite on axes where it is longer than half the period.
fn wrap<B: Proxy<D>, const D: usize>(scene: &BroadScene<B, D>, bounds: Aabb<D>) -> Aabb<D> {
    let mut wrapped = bounds;
    for k in 0..D {
        let Some(length) = scene.period.lengths[k] else {
            continue;
        };
        let (low, up) = (bounds.min[k], bounds.max[k]);

        if up - low < FITS_PERIOD * length {
            let rounding = 8.0 * f64::EPSILON * (low.abs() + up.abs() + length);
            let begin = low - length * (low / length).floor();
            (wrapped.min[k], wrapped.max[k]) = (begin - rounding, begin + (up - low) + rounding);
        } else {
            (wrapped.min[k], wrapped.max[k]) = (f64::NEG_INFINITY, f64::INFINITY);
        }
    }

    wrapped
}

/// Returns one image, or the empty box if no body can reach it.
fn shifted<B: Proxy<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    wrapped: &Aabb<D>,
    image: usize,
    longest: &[f64; D],
) -> Aabb<D> {
    let mut shifted = *wrapped;
    for k in (0..D).filter(|k| image >> k & 1 == 1) {
        match scene.period.lengths[k] {
            Some(length) if wrapped.min[k].is_finite() && wrapped.min[k] <= REACH * longest[k] => {
                shifted.min[k] += length;
                shifted.max[k] += length;
            }
            _ => return Aabb::EMPTY,
        }
    }

    shifted
}
