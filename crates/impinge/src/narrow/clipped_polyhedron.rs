//! Convex polyhedron clipped by planes.
//!
//! The polyhedron is stored as corners with three edges each. A cut depends only on the sign of
//! each corner's height. Edges from a kept corner to a removed one end in a new corner on the
//! plane. The new corners are linked around the caps by following the faces between them. The
//! surface is therefore closed after every cut whatever the signs, and its volume is correct up to
//! rounding even if faces are coplanar or corners coincide. Nothing is sorted by angle, and faces
//! that the plane does not meet are not touched. A vertex of k edges is stored as k − 2 coincident
//! corners, joined by edges of zero length. O(corners) for a plane that cuts nothing, and as much
//! again for one that does.

use crate::shape::Polyhedron;
use crate::space::{Point, Vector};

/// A cutting plane; keeps normal·x ≤ offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) normal: Vector<3>,
    pub(super) offset: f64,
}

impl Cut {
    #[inline]
    pub(super) fn height(&self, point: &Vector<3>) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// One of the three edges at a corner, seen from there: four times the corner's index plus the
/// edge's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End(u32);

impl End {
    /// Marks an edge whose other end is not known yet.
    const NONE: Self = Self(u32::MAX);

    #[inline]
    fn new(corner: usize, edge: usize) -> Self {
        Self((corner as u32) << 2 | edge as u32)
    }

    #[inline]
    fn corner(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline]
    fn edge(self) -> usize {
        (self.0 & 3) as usize
    }

    /// Returns the next edge at the corner, clockwise.
    #[inline]
    fn turned(self) -> Self {
        Self(if self.0 & 3 == 2 {
            self.0 - 2
        } else {
            self.0 + 1
        })
    }

    /// Returns the previous edge at the corner.
    #[inline]
    fn turned_back(self) -> Self {
        Self(if self.0 & 3 == 0 {
            self.0 + 2
        } else {
            self.0 - 1
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Corner {
    at: Vector<3>,
    /// For each edge, clockwise seen from outside, the next edge of the face on its left, seen from
    /// here: the one after the other end of this edge.
    nexts: [End; 3],
    /// Whether the face on the left of each edge, seen from here, belongs to the body's own
    /// surface.
    own: [bool; 3],
    /// Whether that face has been summed.
    done: [bool; 3],
}

/// The remainder of a body after cuts, with reusable buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct ClippedPolyhedron {
    corners: Vec<Corner>,
    heights: Vec<f64>,
    /// The corners that a cut removes, in order.
    above: Vec<u32>,
    /// For each half-edge of the body that starts at a kept corner, its end here.
    ends: Vec<End>,
}

/// Integrals over the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    pub(super) volume: f64,
    pub(super) centroid: Vector<3>,
    /// Outward normal times area of the remaining part of the body's own surface; zero if that is
    /// the whole surface.
    pub(super) own: Vector<3>,
}

/// Contribution of one face: six times its volume, 24 times its first moment, and twice its area.
struct Fan {
    sixfold: f64,
    moment: Vector<3>,
    area: Vector<3>,
}

impl ClippedPolyhedron {
    /// Starts with the part of a body that is not above a plane, given the heights of all vertices
    /// and the list of those not above. Positions are relative to the body's first vertex.
    /// O(vertices kept).
    pub(super) fn start(&mut self, body: &Polyhedron, heights: &[f64], below: &[u32]) {
        self.corners.clear();
        self.ends.resize(body.half_edges().len(), End::NONE);
        let origin = body.points()[0];

        for &v in below {
            self.load(body, v as usize, &origin);
        }

        let first = self.corners.len();
        for &v in below {
            for &h in body.outgoing(v as usize) {
                let twin = body.half_edges()[h as usize].twin;
                let there = body.half_edges()[twin as usize].origin as usize;
                let end = self.ends[h as usize];

                if heights[there] <= 0.0 {
                    self.corners[end.corner()].nexts[end.edge()] =
                        self.ends[twin as usize].turned();
                } else {
                    self.cross(
                        end,
                        &(body.points()[there] - origin),
                        [heights[v as usize], heights[there]],
                    );
                }
            }
        }

        self.close(first);
    }

    /// Loads a vertex of k edges as a chain of k − 2 corners.
    fn load(&mut self, body: &Polyhedron, v: usize, origin: &Point<3>) {
        let (at, ring) = (body.points()[v] - origin, body.outgoing(v));
        let (first, count) = (self.corners.len(), ring.len() - 2);
        for j in 0..count {
            let here = first + j;
            self.ends[ring[j + 1] as usize] = End::new(here, 1);

            // The outer edges of the chain's first and last corner are edges of the body; they are
            // set together with those.
            let nexts = [
                End::new(here.wrapping_sub(1), 0),
                End::NONE,
                End::new(here + 1, 1),
            ];

            self.corners.push(Corner {
                at,
                nexts,
                own: [true; 3],
                done: [false; 3],
            });
        }

        self.ends[ring[0] as usize] = End::new(first, 0);
        self.ends[ring[count + 1] as usize] = End::new(first + count - 1, 2);
    }

    /// Rotates and translates the remainder; returns the centre and the half extents of its
    /// bounding box.
    pub(super) fn transform(&mut self, motion: impl Fn(&Vector<3>) -> Vector<3>) -> [Vector<3>; 2] {
        let mut low = Vector::<3>::repeat(f64::INFINITY);
        let mut up = -low;
        for corner in &mut self.corners {
            corner.at = motion(&corner.at);
            low = low.zip_map(&corner.at, |low, x| if x < low { x } else { low });
            up = up.zip_map(&corner.at, |up, x| if x > up { x } else { up });
        }

        [(low + up) * 0.5, (up - low) * 0.5]
    }

    /// Removes the part above a plane.
    pub(super) fn cut(&mut self, cut: &Cut) {
        let mut highest = f64::NEG_INFINITY;
        self.heights.clear();
        self.heights.extend(self.corners.iter().map(|corner| {
            let height = cut.height(&corner.at);
            highest = if height > highest { height } else { highest };
            height
        }));

        if highest > 0.0 {
            self.list_above();
            self.cut_off();
        }
    }

    fn list_above(&mut self) {
        self.above.clear();
        self.above.resize(self.heights.len(), 0);
        let mut count = 0;

        // Branch-free: always written, and counted if above, since the outcome is unpredictable.
        for (i, height) in (0..).zip(&self.heights) {
            self.above[count] = i;
            count += usize::from(*height > 0.0);
        }

        self.above.truncate(count);
    }

    fn cut_off(&mut self) {
        let first = self.corners.len();
        if self.above.len() == first {
            return self.corners.clear();
        }

        for k in 0..self.above.len() {
            let i = self.above[k] as usize;
            let Corner { at, nexts, .. } = self.corners[i];
            for next in nexts {
                let low = self.heights[next.corner()];
                if low <= 0.0 {
                    self.cross(next.turned_back(), &at, [low, self.heights[i]]);
                }
            }
        }

        self.close(first);
        self.remove();
    }

    /// Ends an edge from a kept corner to a removed one where it meets the plane.
    #[inline]
    fn cross(&mut self, end: End, there: &Vector<3>, [low, up]: [f64; 2]) {
        let new = self.corners.len();
        let corner = &mut self.corners[end.corner()];
        corner.nexts[end.edge()] = End::new(new, 1);
        let turned = end.turned();
        let own = [corner.own[turned.edge()], corner.own[end.edge()], false];
        let at = corner.at + (there - corner.at) * (low / (low - up));

        self.corners.push(Corner {
            at,
            nexts: [turned, End::NONE, End::NONE],
            own,
            done: [false; 3],
        });
    }

    /// Links the new corners around the caps: the face at one of them leads, through kept corners,
    /// to the previous one.
    fn close(&mut self, first: usize) {
        for new in first..self.corners.len() {
            let mut end = self.corners[new].nexts[0];
            while end.corner() < first {
                end = self.corners[end.corner()].nexts[end.edge()];
            }
            let before = end.corner();
            self.corners[new].nexts[2] = End::new(before, 2);
            self.corners[before].nexts[1] = End::new(new, 0);
        }
    }

    /// Moves the last corners into the slots of the removed ones.
    fn remove(&mut self) {
        while let Some(gone) = self.above.pop() {
            let (gone, last) = (gone as usize, self.corners.len() - 1);
            self.corners.swap_remove(gone);
            for edge in (0..3).filter(|_| gone != last) {
                let mut next = self.corners[gone].nexts[edge];
                if next.corner() == last {
                    // An edge from the corner to itself, which rounding may leave.
                    next = End::new(gone, next.edge());
                    self.corners[gone].nexts[edge] = next;
                }
                let twin = next.turned_back();
                self.corners[twin.corner()].nexts[twin.edge()] = End::new(gone, edge).turned();
            }
        }
    }

    /// Computes volume, centroid and own surface by the divergence theorem, relative to one of the
    /// corners; `None` without volume.
    pub(super) fn measure(&mut self) -> Option<Sums> {
        let apex = self.corners.first()?.at;
        let (mut sixfold, mut moment) = (0.0, Vector::<3>::zeros());
        let (mut own, mut is_whole) = (Vector::<3>::zeros(), true);

        for i in 0..self.corners.len() {
            for edge in 0..3 {
                let corner = &self.corners[i];
                if corner.done[edge] {
                    continue;
                }

                let is_own = corner.own[edge];
                let fan = self.fan(End::new(i, edge), &apex);
                sixfold += fan.sixfold;
                moment += fan.moment;
                is_whole &= is_own;

                if is_own {
                    own += fan.area;
                }
            }
        }

        (sixfold > 0.0).then(|| Sums {
            volume: sixfold / 6.0,
            centroid: apex + moment * (0.25 / sixfold),
            own: if is_whole { Vector::zeros() } else { own * 0.5 },
        })
    }

    /// Divides the face on the left of an edge into triangles from its first corner, each a
    /// tetrahedron with the apex.
    #[inline]
    fn fan(&mut self, start: End, apex: &Vector<3>) -> Fan {
        let p = self.corners[start.corner()].at;
        let from_apex = p - apex;
        let mut end = self.next(start);
        let mut to_q = self.corners[end.corner()].at - p;
        end = self.next(end);
        let mut fan = Fan {
            sixfold: 0.0,
            moment: Vector::zeros(),
            area: Vector::zeros(),
        };

        while end != start {
            let to_r = self.corners[end.corner()].at - p;
            end = self.next(end);
            let area = to_q.cross(&to_r);
            let part = from_apex.dot(&area);
            fan.sixfold += part;
            fan.moment += (to_q + to_r) * part;
            fan.area += area;
            to_q = to_r;
        }

        fan.moment += from_apex * (3.0 * fan.sixfold);
        fan
    }

    /// Returns the next edge of the face on the left of an edge, and marks this one as done.
    #[inline]
    fn next(&mut self, end: End) -> End {
        let corner = &mut self.corners[end.corner()];
        corner.done[end.edge()] = true;
        corner.nexts[end.edge()]
    }

    /// Panics if the two ends of an edge do not refer to each other.
    #[cfg(test)]
    pub(super) fn assert_valid(&self) {
        for (i, corner) in self.corners.iter().enumerate() {
            for (edge, next) in corner.nexts.iter().enumerate() {
                let (here, twin) = (End::new(i, edge), next.turned_back());
                let back = self.corners[twin.corner()].nexts[twin.edge()];
                assert_eq!(
                    back.turned_back(),
                    here,
                    "the two ends of an edge refer to each other"
                );
            }
        }
    }
}
