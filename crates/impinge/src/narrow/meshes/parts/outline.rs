//! The closed outlines of what lies inside the other body in each crossed triangle.
//!
//! Along a side, crossings alternate between entering and leaving, so they are ordered by fraction
//! among their kind and interleaved; whether a side starts inside is exact. No order of two points
//! closer than rounding can therefore break an outline.

use super::crossing::{Crossing, Segment};
use super::sign::{Owner, ray_crossing};
use super::{Bodies, SelfIntersecting};
use crate::space::{Point, Vector};
use crate::tree::Segment as Ray;

/// Relative margin that covers the rounding of a change of frame.
const FRAME_ROUNDING: f64 = 1e-9;

/// A side with crossings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    own: u8,
    nodes: [u32; 2],
    first: u32,
    end: u32,
}

/// For each node of a body, whether it is inside the other, if known. Entries of earlier calls have an
/// older stamp.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    stamp: u64,
    entries: [Vec<u64>; 2],
}

impl Nodes {
    pub(super) fn restart(&mut self, bodies: &Bodies) {
        self.stamp += 2;
        for (entries, tree) in self.entries.iter_mut().zip(bodies.trees) {
            let count = entries.len().max(tree.points.len());
            entries.resize(count, 0);
        }
    }

    fn get(&self, own: usize, node: u32) -> Option<bool> {
        match self.entries[own][node as usize] {
            entry if entry < self.stamp => None,
            entry => Some(entry > self.stamp),
        }
    }

    fn set(&mut self, own: usize, node: u32, inside: bool) -> Result<(), SelfIntersecting> {
        match self.get(own, node) {
            Some(known) if known != inside => Err(SelfIntersecting),
            _ => {
                self.entries[own][node as usize] = self.stamp + u64::from(inside);
                Ok(())
            }
        }
    }
}

/// Returns whether a node of one body is inside the other: the winding number by exact crossings of
/// a ray.
pub(super) fn is_inside(bodies: &Bodies, own: usize, node: u32) -> bool {
    let (point, owner) = (bodies.node(own, node), Owner::of(own));
    let other = bodies.trees[1 - own];
    let bounds = other.boxes.bounds();
    let local = |p: &Point<3>| match own {
        0 => bodies.tandem.in_b(p),
        _ => *p,
    };

    let slack = FRAME_ROUNDING * (bounds.longest_edge() + bounds.min.coords.amax());
    let start = local(&point);
    if !bounds.grown(slack).contains(&start) {
        return false;
    }

    let end = local(&(point + Vector::x() * (2.0 * bounds.extent().norm() + slack)));
    let ray = Ray::new(&start, &end);
    let mut winding = 0;
    other.boxes.visit(
        |bounds| ray.may_touch(&bounds.grown(slack)),
        |face| winding += ray_crossing(&bodies.corners(1 - own, face), &point, owner),
    );

    winding > 0
}

/// Orders the crossings along every side.
pub(super) fn order_sides(
    bodies: &Bodies,
    crossings: &mut [Crossing],
    sides: &mut Vec<Side>,
    nodes: &mut Nodes,
) -> Result<(), SelfIntersecting> {
    sides.clear();
    let mut start = 0;
    for run in crossings.chunk_by(|a, b| (a.own, a.nodes) == (b.own, b.nodes)) {
        let end = start + run.len() as u32;
        sides.push(Side {
            own: run[0].own,
            nodes: run[0].nodes,
            first: start,
            end,
        });
        start = end;
    }

    // Sides with an odd number of crossings have one end inside, known by counting.
    for side in sides.iter() {
        let run = &crossings[side.first as usize..side.end as usize];
        let entering = run.iter().filter(|crossing| crossing.enters).count();
        let leaving = run.len() - entering;
        if entering.abs_diff(leaving) > 1 {
            return Err(SelfIntersecting);
        }
        if entering != leaving {
            nodes.set(side.own as usize, side.nodes[0], leaving > entering)?;
            nodes.set(side.own as usize, side.nodes[1], entering > leaving)?;
        }
    }

    for side in sides.iter() {
        let (own, [low, high]) = (side.own as usize, side.nodes);
        let run = &mut crossings[side.first as usize..side.end as usize];
        if run.len().is_multiple_of(2) {
            let known = nodes.get(own, low).or_else(|| nodes.get(own, high));
            let inside = known.unwrap_or_else(|| is_inside(bodies, own, low));
            nodes.set(own, low, inside)?;
            nodes.set(own, high, inside)?;
        }
        interleave(run, nodes.get(own, low) == Some(true));
    }

    Ok(())
}

/// Orders crossings by fraction, alternating between leaving and entering.
fn interleave(run: &mut [Crossing], starts_inside: bool) {
    if run.len() < 2 {
        return;
    }

    run.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
    // The kind that each place needs is swapped in from the nearest later one of that kind.
    for place in 0..run.len() {
        let enters = place.is_multiple_of(2) != starts_inside;
        if let Some(next) = (place..run.len()).find(|&next| run[next].enters == enters) {
            run[place..=next].rotate_right(1);
        }
    }
}

/// What the link of two adjoining outlines consists of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tie {
    /// A segment, with an outline in each body.
    Segment(u32),
    /// A portion of a side, by the crossing at its lower end, or else its upper end.
    Portion(u32),
    /// A whole side.
    Side(u8),
}

/// A directed link of an outline. Places are the three corners and, from 3 on, the crossings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) own: u8,
    pub(super) face: u32,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) tie: Tie,
}

impl Link {
    fn key(&self) -> (u8, u32, u32) {
        (self.own, self.face, self.from)
    }
}

/// Places from here on are crossings.
pub(super) const CORNERS: u32 = 3;

/// Writes the links of all outlines, sorted by body, triangle and place.
pub(super) fn link(
    bodies: &Bodies,
    segments: &[Segment],
    sides: &[Side],
    nodes: &mut Nodes,
    crossed: &mut Vec<(u8, u32)>,
    links: &mut Vec<Link>,
) -> Result<(), SelfIntersecting> {
    links.clear();
    crossed.clear();
    for (number, segment) in (0..).zip(segments) {
        let [start, end] = segment.ends.map(|crossing| CORNERS + crossing);
        for (own, from, to) in [(0, start, end), (1, end, start)] {
            let face = segment.faces[own as usize];
            let tie = Tie::Segment(number);
            links.push(Link {
                own,
                face,
                from,
                to,
                tie,
            });
            crossed.push((own, face));
        }
    }
    crossed.sort_unstable();
    crossed.dedup();

    for &(own, face) in crossed.iter() {
        know_corners(bodies, own as usize, face, nodes)?;
        for k in 0..3 {
            link_side(bodies, (own, face, k), sides, nodes, links);
        }
    }
    links.sort_unstable_by_key(Link::key);

    Ok(())
}

/// Determines which corners of a crossed triangle are inside. Sides with crossings are known, and
/// one without has both ends alike.
fn know_corners(
    bodies: &Bodies,
    own: usize,
    face: u32,
    nodes: &mut Nodes,
) -> Result<(), SelfIntersecting> {
    let corners = bodies.trees[own].triangles[face as usize];
    if corners.iter().all(|&node| nodes.get(own, node).is_none()) {
        nodes.set(own, corners[0], is_inside(bodies, own, corners[0]))?;
    }

    for _ in 0..2 {
        for k in 0..3 {
            for other in [corners[(k + 1) % 3], corners[(k + 2) % 3]] {
                if let (None, Some(inside)) = (nodes.get(own, corners[k]), nodes.get(own, other)) {
                    nodes.set(own, corners[k], inside)?;
                }
            }
        }
    }

    Ok(())
}

/// Links the portions of one side that are inside, along the outline of its triangle.
fn link_side(
    bodies: &Bodies,
    (own, face, k): (u8, u32, u32),
    sides: &[Side],
    nodes: &Nodes,
    links: &mut Vec<Link>,
) {
    let corners = bodies.trees[own as usize].triangles[face as usize];
    let [from, to] = [k, (k + 1) % 3].map(|k| corners[k as usize]);
    let key = (own, [from.min(to), from.max(to)]);
    let run = match sides.binary_search_by_key(&key, |side| (side.own, side.nodes)) {
        Ok(place) => sides[place].first..sides[place].end,
        Err(_) => 0..0,
    };
    let climbs = from < to;
    let starts_inside = nodes.get(own as usize, from) == Some(true);
    let mut push = |from: u32, to: u32, tie: Tie| {
        links.push(Link {
            own,
            face,
            from,
            to,
            tie,
        });
    };

    if run.is_empty() {
        if starts_inside {
            push(k, (k + 1) % 3, Tie::Side(k as u8));
        }
        return;
    }

    // The place at which the portion that is open now began.
    let mut open = starts_inside.then_some(k);
    for step in 0..run.len() as u32 {
        let crossing = if climbs {
            run.start + step
        } else {
            run.end - 1 - step
        };
        open = match open {
            None => Some(CORNERS + crossing),
            Some(begin) => {
                let lower = if climbs && begin >= CORNERS {
                    begin - CORNERS
                } else {
                    crossing
                };
                push(begin, CORNERS + crossing, Tie::Portion(lower));
                None
            }
        };
    }

    if let Some(begin) = open {
        push(begin, (k + 1) % 3, Tie::Portion(begin - CORNERS));
    }
}
