//! Numbers for places of contact that stay the same from step to step.
//!
//! The places of a pair are matched with those of the last step, the closest first. The distance of two
//! places is the shorter of those measured in the frames of the two bodies: a place that slides or rolls
//! moves slowly in at least one of them. Places without a match receive the lowest number that the pair
//! used neither in the last step nor in this one.

use super::contact::Contact;
use super::shape::Placed;
use crate::broad::{BodyId, Pair};
use crate::space::{Aabb, Point, Vector};

/// Largest motion of a place in a step, relative to the extent of the smaller body.
const REACH: f64 = 0.25;

/// A place of the last step, in the frames of both bodies.
#[derive(Clone, Copy, Debug)]
struct Place<const D: usize> {
    pair: Pair,
    number: u32,
    on: [Point<D>; 2],
    normal: Vector<D>,
}

/// The places of the last step, sorted by pair.
#[derive(Clone, Debug)]
pub(super) struct Places<const D: usize> {
    last: Vec<Place<D>>,
    next: Vec<Place<D>>,
    /// Distance, place of the last step, contact.
    matches: Vec<(f64, u32, u32)>,
}

impl<const D: usize> Default for Places<D> {
    fn default() -> Self {
        Self {
            last: Vec::new(),
            next: Vec::new(),
            matches: Vec::new(),
        }
    }
}

/// No number yet.
const NONE: u32 = u32::MAX;

impl<const D: usize> Places<D> {
    /// Numbers the places of all contacts, which are grouped by ascending pairs.
    pub(super) fn number<S>(
        &mut self,
        contacts: &mut [Contact<D>],
        bodies: &[Option<Placed<S, D>>],
        boxes: &[Aabb<D>],
        has_one_place: impl Fn(Pair) -> bool,
    ) {
        self.next.clear();
        let mut from = 0;
        for group in contacts.chunk_by_mut(|p, q| p.pair == q.pair) {
            let pair = group[0].pair;
            from += self.last[from..].partition_point(|place| place.pair < pair);
            let old = self.last[from..].partition_point(|place| place.pair == pair);
            let old = from..from + old;

            let start = self.next.len();
            self.next
                .extend(group.iter().map(|contact| seen(contact, bodies)));
            if has_one_place(pair) && group.len() == 1 {
                self.next[start].number = 0;
            } else {
                let limit = REACH * extent(pair.a, boxes).min(extent(pair.b, boxes));
                match_places(
                    &self.last[old],
                    &mut self.next[start..],
                    limit,
                    &mut self.matches,
                );
            }

            for (contact, place) in group.iter_mut().zip(&self.next[start..]) {
                contact.place = place.number;
            }
            group.sort_by_key(|contact| contact.place);
        }

        std::mem::swap(&mut self.last, &mut self.next);
    }
}

/// Returns the extent of a body; infinite for a half-space, whose box is a point.
fn extent<const D: usize>(body: BodyId, boxes: &[Aabb<D>]) -> f64 {
    let extent = boxes[body as usize].extent().norm();
    if extent > 0.0 { extent } else { f64::INFINITY }
}

fn seen<S, const D: usize>(contact: &Contact<D>, bodies: &[Option<Placed<S, D>>]) -> Place<D> {
    let local = |id: BodyId, on: &Point<D>| {
        let placed = bodies[id as usize].as_ref();
        placed.map_or(*on, |placed| placed.pose.to_local(on))
    };
    Place {
        pair: contact.pair,
        number: NONE,
        on: [
            local(contact.pair.a, &contact.touch.on_a),
            local(contact.pair.b, &contact.touch.on_b),
        ],
        normal: contact.touch.normal,
    }
}

fn match_places<const D: usize>(
    old: &[Place<D>],
    new: &mut [Place<D>],
    limit: f64,
    matches: &mut Vec<(f64, u32, u32)>,
) {
    matches.clear();
    for (i, p) in (0..).zip(old) {
        for (j, q) in (0..).zip(new.iter()) {
            let apart = |k: usize| (p.on[k] - q.on[k]).norm();
            let distance = apart(0).min(apart(1));
            if distance <= limit && p.normal.dot(&q.normal) > 0.0 {
                matches.push((distance, i, j));
            }
        }
    }

    matches.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
    for &(_, i, j) in matches.iter() {
        let number = old[i as usize].number;
        let is_taken = new.iter().any(|place| place.number == number);
        if new[j as usize].number == NONE && !is_taken {
            new[j as usize].number = number;
        }
    }

    let mut free = 0;
    for j in 0..new.len() {
        if new[j].number == NONE {
            let is_used = |n: u32| old.iter().chain(new.iter()).any(|place| place.number == n);
            while is_used(free) {
                free += 1;
            }
            new[j].number = free;
        }
    }
}
