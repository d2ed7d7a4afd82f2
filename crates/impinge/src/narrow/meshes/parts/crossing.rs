//! Points where a side of a triangle of one body pierces a triangle of the other, and the segments
//! between them.
//!
//! Two crossing triangles share one segment. Each of its ends is a side of one that pierces the
//! other, and belongs to two such pairs, as a side has two triangles. Which end comes first follows
//! from whether the side enters or leaves, without any coordinates: seen from outside its triangle,
//! a segment has the other body on its left.

use super::super::tandem::{PairVisitor, Tandem};
use super::super::wide::Child;
use super::sign::{Owner, side, turn};
use super::{Bodies, SelfIntersecting};
use crate::space::{Point, Sign, Vector};

/// A side that pierces a triangle, as found from one of its two triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// Which body the side belongs to.
    own: u8,
    /// Its nodes, the lower first.
    nodes: [u32; 2],
    /// The pierced triangle of the other body.
    face: u32,
    /// Whether it enters the other body on the way from the lower node to the higher.
    enters: bool,
    segment: u32,
    /// Which end of the segment it is, in the first body's triangle.
    end: u8,
}

impl Event {
    fn key(&self) -> (u8, [u32; 2], u32) {
        (self.own, self.nodes, self.face)
    }
}

/// The common segment of two triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) faces: [u32; 2],
    /// Its ends, as indices of crossings, from start to end in the first body's triangle.
    pub(super) ends: [u32; 2],
}

/// A point where a side of one body pierces a triangle of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) own: u8,
    pub(super) nodes: [u32; 2],
    pub(super) enters: bool,
    pub(super) point: Point<3>,
    /// Fraction of the side before it, from the lower node.
    pub(super) fraction: f64,
    /// The two segments that end here, and which end this is.
    ends: [(u32, u8); 2],
}

/// Collects the crossings of two surfaces.
#[derive(Debug)]
pub(super) struct Collect<'a> {
    pub(super) events: &'a mut Vec<Event>,
    pub(super) segments: &'a mut Vec<Segment>,
}

impl PairVisitor for Collect<'_> {
    #[inline(always)]
    fn reach(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn meet(&mut self, tandem: &Tandem, a: Child, b: Child) -> bool {
        let (block_a, block_b) = (
            &tandem.a.blocks[a.index as usize],
            &tandem.b.blocks[b.index as usize],
        );

        for j in 0..b.count as usize {
            let corners = block_b.triangle(j).map(|p| tandem.in_a(&p));
            let parted = block_a.parted_by_planes(&corners);
            for i in 0..a.count as usize {
                if parted.0[i] <= 0.0 {
                    let faces = [block_a.faces[i], block_b.faces[j]];
                    self.enter(tandem, faces, [&block_a.triangle(i), &corners]);
                }
            }
        }

        true
    }
}

impl Collect<'_> {
    /// Records the segment of two triangles, if they cross.
    fn enter(&mut self, tandem: &Tandem, faces: [u32; 2], [a, b]: [&[Point<3>; 3]; 2]) {
        let sides_b = b.map(|p| side(a, &p, Owner::Second));
        if sides_b[0] == sides_b[1] && sides_b[1] == sides_b[2] {
            return;
        }

        let sides_a = a.map(|p| side(b, &p, Owner::First));
        if sides_a[0] == sides_a[1] && sides_a[1] == sides_a[2] {
            return;
        }

        let next = |k: usize| (k + 1) % 3;
        let turns = |i: usize, j: usize| turn(&a[i], &a[next(i)], &b[j], &b[next(j)]);
        let nodes = [
            tandem.a.triangles[faces[0] as usize],
            tandem.b.triangles[faces[1] as usize],
        ];

        for k in 0..3 {
            if sides_a[k] != sides_a[next(k)] && alike(|j| turns(k, j)) {
                let enters = sides_a[k] == Sign::Positive;
                self.add(0, [nodes[0][k], nodes[0][next(k)]], faces[1], enters);
            }
            if sides_b[k] != sides_b[next(k)] && alike(|i| turns(i, k)) {
                let enters = sides_b[k] == Sign::Positive;
                self.add(1, [nodes[1][k], nodes[1][next(k)]], faces[0], enters);
            }
        }

        if self
            .events
            .last()
            .is_some_and(|event| event.segment as usize == self.segments.len())
        {
            self.segments.push(Segment {
                faces,
                ends: [u32::MAX; 2],
            });
        }
    }

    /// Records a side, given along the outline of its triangle.
    fn add(&mut self, own: u8, [from, to]: [u32; 2], face: u32, enters: bool) {
        // The portion inside ends where a side leaves; there the segment of its own triangle
        // starts. In the other body's triangle the same segment runs the other way.
        let starts = enters == (own == 1);
        self.events.push(Event {
            own,
            nodes: [from.min(to), from.max(to)],
            face,
            enters: enters == (from < to),
            segment: self.segments.len() as u32,
            end: u8::from(!starts),
        });
    }
}

/// Returns whether three signs are equal.
#[inline(always)]
fn alike(sign: impl Fn(usize) -> Sign) -> bool {
    let first = sign(0);
    first == sign(1) && first == sign(2)
}

/// Merges the two events of each crossing, sorted by sides, and computes its point once.
pub(super) fn merge(
    bodies: &Bodies,
    events: &mut [Event],
    crossings: &mut Vec<Crossing>,
) -> Result<(), SelfIntersecting> {
    events.sort_unstable_by_key(|event| (event.key(), event.segment));
    crossings.clear();

    for pair in events.chunks(2) {
        let [one, two] = pair else {
            return Err(SelfIntersecting);
        };
        if one.key() != two.key() || one.enters != two.enters {
            return Err(SelfIntersecting);
        }

        let (point, fraction) = pierced(bodies, one);
        crossings.push(Crossing {
            own: one.own,
            nodes: one.nodes,
            enters: one.enters,
            point,
            fraction,
            ends: [(one.segment, one.end), (two.segment, two.end)],
        });
    }

    Ok(())
}

/// Returns the point at which a side pierces a triangle, and the fraction of the side before it.
fn pierced(bodies: &Bodies, event: &Event) -> (Point<3>, f64) {
    let own = event.own as usize;
    let [from, to] = event.nodes.map(|node| bodies.node(own, node));
    let [a, b, c] = bodies.corners(1 - own, event.face);
    let normal: Vector<3> = (b - a).cross(&(c - a));
    let (above, below) = (normal.dot(&(from - a)).abs(), normal.dot(&(to - a)).abs());
    let fraction = if above + below > 0.0 {
        above / (above + below)
    } else {
        0.5
    };

    (from + (to - from) * fraction, fraction)
}

/// Stores the ends of every segment.
pub(super) fn connect(
    crossings: &[Crossing],
    segments: &mut [Segment],
) -> Result<(), SelfIntersecting> {
    for (number, crossing) in (0..).zip(crossings) {
        for (segment, end) in crossing.ends {
            let end = &mut segments[segment as usize].ends[end as usize];
            if *end != u32::MAX {
                return Err(SelfIntersecting);
            }
            *end = number;
        }
    }

    let is_whole = |segment: &Segment| segment.ends.iter().all(|&end| end != u32::MAX);
    segments
        .iter()
        .all(is_whole)
        .then_some(())
        .ok_or(SelfIntersecting)
}
