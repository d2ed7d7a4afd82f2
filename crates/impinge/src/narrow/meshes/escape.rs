//! Distance that a body must move along a direction to separate from another.
//!
//! The search proceeds outward from the overlap. Of the pairs of crossing faces, the one that
//! separates last gives a length up to which the bodies certainly overlap, and the pairs that cross
//! there are processed next. If no pair crosses, the bodies are separated or one is inside the
//! other; their common volume decides. Faces that lie on each other, or touch from outside, do not
//! cross: bodies may slide along each other on the way out. Each step goes as far as faces reach,
//! so a pocket on the way is not skipped. If that takes too many steps, the rest of the way is
//! bisected instead.

use super::super::Relative;
use super::distance::search;
use super::exit::Exit;
use super::hint::PairHint;
use super::overlap::{Common, in_frame_of_a};
use super::tandem::Tandem;
use super::tree::TriangleTree;
use crate::space::Vector;

/// Depth, relative to the size of the bodies, up to which two faces touch rather than cross: ten
/// thousand times the rounding error of poses.
const FLUSH: f64 = 1e-12;

/// Maximum number of steps outward.
const STEPS: usize = 64;

/// Maximum number of bisections of the remaining distance.
const HALVINGS: usize = 48;

/// Distance beyond the first contact, relative to the size, at which faces cross.
const BEYOND: f64 = 1e-6;

/// Two overlapping bodies.
pub(super) struct Overlapping<'a> {
    pub(super) a: &'a TriangleTree,
    pub(super) b: &'a TriangleTree,
    pub(super) relative: Relative<3>,
    /// The sum of the bodies' longest edges.
    pub(super) size: f64,
    /// No translation shorter than this separates them: the search starts here.
    pub(super) lower: f64,
    /// Whether the common volume of bodies without crossing faces is computed at every end point,
    /// not only at the last.
    pub(super) careful: bool,
    pub(super) tests: u32,
}

/// End point of an escape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
    /// The shift of the second body from which the escape continues.
    pub(super) from: Vector<3>,
    pub(super) direction: Vector<3>,
    pub(super) length: f64,
    /// Normal of the plane between the faces that separate last, from the first body to the second.
    pub(super) normal: Vector<3>,
    /// Those faces, if known.
    pub(super) faces: Option<[u32; 2]>,
}

impl Escape {
    /// Returns the start of an escape along a unit vector.
    fn start(from: Vector<3>, direction: Vector<3>) -> Self {
        Self {
            from,
            direction,
            length: 0.0,
            normal: direction,
            faces: None,
        }
    }

    /// Returns the shift of the second body at the end.
    pub(super) fn shift(&self) -> Vector<3> {
        self.from + self.direction * self.length
    }
}

impl<'a> Overlapping<'a> {
    pub(super) fn new(a: &'a TriangleTree, b: &'a TriangleTree, relative: Relative<3>) -> Self {
        let size = a.boxes.bounds().longest_edge() + b.boxes.bounds().longest_edge();
        Self {
            a,
            b,
            relative,
            size,
            lower: 0.0,
            careful: false,
            tests: 0,
        }
    }

    /// Returns the relative pose with the second body shifted.
    pub(super) fn moved(&self, shift: &Vector<3>) -> Relative<3> {
        let mut relative = self.relative;
        relative.shift += shift;
        relative
    }

    /// Returns the escape along a direction from a shift of the second body, if it is shorter than
    /// `limit`.
    pub(super) fn escape(
        &mut self,
        from: Vector<3>,
        direction: Vector<3>,
        limit: f64,
    ) -> Option<Escape> {
        let mut end = Escape::start(from, direction);
        end.length = (self.lower - from.norm()).max(0.0);
        for _ in 0..STEPS {
            end = match self.step(&end) {
                Some(next) => next,
                None if !self.careful || self.is_apart(&end.shift()) => return Some(end),
                None => self.through(&end)?,
            };
            if end.length >= limit {
                return None;
            }
        }

        self.halved(end, limit)
    }

    /// Steps to where the last of the crossing faces separate; `None` if no faces cross.
    fn step(&mut self, from: &Escape) -> Option<Escape> {
        let flush = FLUSH * self.size;
        let exits = self.exits(from);
        let crossing = exits.into_iter().filter(|(_, exit)| exit.depth > flush);
        let (faces, last) = crossing.reduce(|p, q| if q.1.length > p.1.length { q } else { p })?;
        Some(Escape {
            length: from.length + last.length,
            normal: last.normal,
            faces: Some(faces),
            ..*from
        })
    }

    /// Computes the exits of the pairs of touching faces.
    fn exits(&mut self, from: &Escape) -> Vec<([u32; 2], Exit)> {
        let relative = self.moved(&from.shift());
        let tandem = Tandem::of(self.a, self.b, &relative);
        let pairs = tandem.touching();
        self.tests = self.tests.saturating_add(pairs.len() as u32);

        let exit = |[a, b]: [u32; 2]| {
            let corners = (self.a.corners(a as usize), tandem.corners_of_b(b as usize));
            ([a, b], Exit::new(&corners.0, &corners.1, &from.direction))
        };
        pairs.into_iter().map(exit).collect()
    }

    /// Returns whether the bodies share no volume when the second one is moved by a shift.
    pub(super) fn is_apart(&self, shift: &Vector<3>) -> bool {
        let common = in_frame_of_a(self.a, self.b, self.moved(shift));
        self.is_rounding(&common)
    }

    /// Returns whether two faces cross.
    pub(super) fn crosses(&mut self) -> bool {
        self.step(&Escape::start(Vector::zeros(), Vector::x()))
            .is_some()
    }

    /// Returns whether a common volume is no more than a layer as thick as the tolerated overlap of
    /// touching faces plus the nudges it was computed with. Inconclusive if faces cross: the volume
    /// at a corner is the cube of its depth.
    pub(super) fn is_rounding(&self, common: &Common) -> bool {
        let [p, q] = [self.a, self.b].map(|tree| tree.boxes.bounds().longest_edge());
        let layer = 4.0 * (FLUSH * self.size + common.nudge);
        common.overlap.volume <= 6.0 * p.min(q).powi(2) * layer
    }

    /// Continues from a shift where the bodies overlap without crossing faces. Nested bodies move
    /// to where their surfaces meet. If all faces lie on each other, moves to the first position
    /// where such a pair separates and nothing is shared.
    fn through(&mut self, from: &Escape) -> Option<Escape> {
        let mut lengths: Vec<([u32; 2], Exit)> = self
            .exits(from)
            .into_iter()
            .filter(|(_, exit)| exit.length > FLUSH * self.size)
            .collect();
        lengths.sort_by(|p, q| p.1.length.total_cmp(&q.1.length));
        let at = |(faces, exit): &([u32; 2], Exit)| Escape {
            length: from.length + exit.length,
            normal: exit.normal,
            faces: Some(*faces),
            ..*from
        };
        let apart = lengths.partition_point(|exit| !self.is_apart(&at(exit).shift()));

        if let Some(found) = lengths.get(apart.min(lengths.len().saturating_sub(1))) {
            return Some(at(found));
        }

        let relative = self.moved(&from.shift());
        let best = search(
            &Tandem::of(self.a, self.b, &relative),
            &mut PairHint::default(),
        );

        Some(Escape {
            length: from.length + best.distance + BEYOND * self.size,
            faces: None,
            ..*from
        })
    }

    /// Finds the escape by bisection between an overlapping position and one beyond.
    fn halved(&mut self, mut low: Escape, limit: f64) -> Option<Escape> {
        let mut up = Escape {
            length: self.beyond(&low.from, &low.direction),
            ..Escape::start(low.from, low.direction)
        };

        for _ in 0..HALVINGS {
            if low.length >= up.length || low.length >= limit {
                break;
            }

            let middle = Escape {
                length: 0.5 * (low.length + up.length),
                faces: None,
                ..up
            };

            match self.step(&middle) {
                Some(next) if self.step(&next).is_none() && self.is_apart(&next.shift()) => {
                    up = next;
                    break;
                }
                Some(next) => low = next,
                None if self.is_apart(&middle.shift()) => up = middle,
                None => low = middle,
            }
        }

        (up.length < limit).then_some(up)
    }

    /// Returns how far the second body must move to lie entirely beyond the first.
    fn beyond(&self, from: &Vector<3>, direction: &Vector<3>) -> f64 {
        let in_b = self.relative.vector_in_b(direction);
        let highest = self.a.points.iter().map(|p| p.coords.dot(direction));
        let lowest = self.b.points.iter().map(|p| p.coords.dot(&in_b));
        let overlap = highest.fold(f64::NEG_INFINITY, f64::max)
            - lowest.fold(f64::INFINITY, f64::min)
            - (self.relative.shift + from).dot(direction);

        overlap.max(0.0) + FLUSH * self.size
    }
}
