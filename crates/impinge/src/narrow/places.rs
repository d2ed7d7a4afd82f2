//! Joins the contacts of adjacent parts of bodies into one contact per connected place.
//!
//! A pair method that tests faces or nodes one by one finds many contacts where two bodies touch once.
//! Contacts belong to one place if their faces share a node, or their nodes share a face, and their
//! normals differ by at most 45°: a corner sharper than that divides a place, because no single normal
//! describes both of its walls. The faces at a convex edge that is pressed into the other body are one
//! place whatever their angle. Each contact lists the nodes and faces that it occupies (keys);
//! contacts with a common key are joined by union–find. O(n log n).
//!
//! A body's own node or face in contact occupies its keys. The feature on the other body that it
//! touches only refers to them: two legs of a table that stand on one large face are two places, but a
//! node that lies in a face joins the contacts of that face's own nodes.

use super::{ContactPoint, Manifold, Overlap, PairContact};
use crate::space::{Point, Vector};
use std::cell::RefCell;

/// Cosine of the largest angle between the normals of adjacent contacts of one place.
const SAME_PLACE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A node or face of one of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A node of body 0 or 1.
    Node(u8, u32),
    /// A face of body 0 or 1.
    Face(u8, u32),
}

/// Whether a contact occupies a key or only refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The contact's own node or face.
    Own,
    /// A node or face that the contact touches.
    Target,
}

/// Contacts of single parts, waiting to be joined.
#[derive(Clone, Debug)]
pub(crate) struct Parts<const D: usize> {
    pub(crate) contacts: Vec<PairContact<D>>,
    /// Further candidates for the manifold, with the index of their contact and their own.
    points: Vec<([u32; 2], ContactPoint<D>)>,
    /// The body, 0 or 1, whose faces the contacts are, if convex edges join them.
    pub(crate) convex: Option<u8>,
    keys: Vec<(Key, Role, u32)>,
    united: Vec<[u32; 2]>,
    parent: Vec<u32>,
    order: Vec<u32>,
    candidates: Vec<ContactPoint<D>>,
}

impl<const D: usize> Default for Parts<D> {
    fn default() -> Self {
        Self {
            contacts: Vec::new(),
            points: Vec::new(),
            convex: None,
            keys: Vec::new(),
            united: Vec::new(),
            parent: Vec::new(),
            order: Vec::new(),
            candidates: Vec::new(),
        }
    }
}

thread_local! {
    static PARTS2: RefCell<Parts<2>> = RefCell::default();
    static PARTS3: RefCell<Parts<3>> = RefCell::default();
}

/// Scratch memory for each dimension.
pub(crate) trait Scratch<const D: usize> {
    /// Runs a function with empty scratch memory of this thread.
    fn with(run: impl FnOnce(&mut Parts<D>));
}

/// The dimension `D`.
pub(crate) struct Dimension;

impl Scratch<2> for Dimension {
    fn with(run: impl FnOnce(&mut Parts<2>)) {
        PARTS2.with_borrow_mut(|parts| run(parts.cleared()));
    }
}

impl Scratch<3> for Dimension {
    fn with(run: impl FnOnce(&mut Parts<3>)) {
        PARTS3.with_borrow_mut(|parts| run(parts.cleared()));
    }
}

impl<const D: usize> Parts<D> {
    /// Drops all contacts.
    pub(crate) fn cleared(&mut self) -> &mut Self {
        self.contacts.clear();
        self.points.clear();
        self.keys.clear();
        self.united.clear();
        self.convex = None;
        self
    }

    /// Adds a key to the last contact.
    pub(crate) fn key(&mut self, key: Key, role: Role) {
        let last = self.contacts.len() as u32 - 1;
        self.keys.push((key, role, last));
    }

    /// Adds a candidate for the manifold of the last contact.
    pub(crate) fn point(&mut self, point: ContactPoint<D>) {
        let last = self.contacts.len() as u32 - 1;
        let own = self.points.len() as u32;
        self.points.push(([last, own], point));
    }

    /// Merges two contacts into one place, whatever their keys and normals.
    pub(crate) fn unite(&mut self, i: u32, j: u32) {
        self.united.push([i, j]);
    }

    /// Keeps only the contacts that satisfy a condition, if any does.
    pub(crate) fn prefer(&mut self, is_good: impl Fn(&PairContact<D>) -> bool) {
        if !self.contacts.iter().any(&is_good) {
            return;
        }

        // New indices of the contacts that are kept.
        let Self {
            parent, contacts, ..
        } = self;
        parent.clear();
        let mut count = 0;
        parent.extend(contacts.iter().map(|contact| {
            let is_kept = is_good(contact);
            count += u32::from(is_kept);
            if is_kept { count - 1 } else { u32::MAX }
        }));
        contacts.retain(&is_good);
        self.keys.retain_mut(|(_, _, i)| {
            *i = parent[*i as usize];
            *i != u32::MAX
        });
        self.points.retain_mut(|([i, _], _)| {
            *i = parent[*i as usize];
            *i != u32::MAX
        });
    }

    /// Appends one contact for each connected place. The contact is that of the deepest part, the
    /// manifold is reduced from all of them, and intersections are added.
    pub(crate) fn join(&mut self, found: &mut Vec<PairContact<D>>) {
        if self.contacts.len() == 1 && self.points.is_empty() {
            found.push(self.contacts[0]);
            return;
        }

        self.link();
        let parent = &self.parent;
        self.order.clear();
        self.order.extend(0..self.contacts.len() as u32);
        self.order.sort_unstable_by_key(|&i| (root(parent, i), i));
        self.points
            .sort_unstable_by_key(|&([i, own], _)| (root(parent, i), i, own));

        let mut from = 0;
        while from < self.order.len() {
            let place = root(&self.parent, self.order[from]);
            let same = |i: &&u32| root(&self.parent, **i) == place;
            let count = self.order[from..].iter().take_while(same).count();
            found.push(self.merged(from..from + count, place));
            from += count;
        }
    }

    /// Unites the contacts that share a key.
    fn link(&mut self) {
        self.parent.clear();
        self.parent.extend(0..self.contacts.len() as u32);
        self.keys.sort_unstable();
        let (contacts, keys, parent) = (&self.contacts, &self.keys, &mut self.parent);
        let is_convex = |p: &ContactPoint<D>, q: &ContactPoint<D>| match self.convex {
            // The outward normals of a convex edge diverge.
            Some(0) => (q.on_a - p.on_a).dot(&(q.normal - p.normal)) > 0.0,
            Some(_) => (q.on_b - p.on_b).dot(&(q.normal - p.normal)) < 0.0,
            None => false,
        };
        let is_one_place = |i: u32, j: u32| {
            let [p, q] = [i, j].map(|n| &contacts[n as usize].touch);
            p.normal.dot(&q.normal) >= SAME_PLACE || is_convex(p, q)
        };

        for &[i, j] in &self.united {
            let (p, q) = (root(parent, i), root(parent, j));
            parent[p.max(q) as usize] = p.min(q);
        }
        for run in keys.chunk_by(|p, q| p.0 == q.0) {
            for (n, &(_, role, i)) in run.iter().enumerate() {
                // Own keys come first: a target never joins another target.
                if role == Role::Target {
                    break;
                }
                for &(_, _, j) in &run[n + 1..] {
                    let (p, q) = (root(parent, i), root(parent, j));
                    if p != q && is_one_place(i, j) {
                        parent[p.max(q) as usize] = p.min(q);
                    }
                }
            }
        }
    }

    fn merged(&mut self, members: std::ops::Range<usize>, place: u32) -> PairContact<D> {
        self.candidates.clear();
        let (mut deepest, mut sum) = (
            self.contacts[self.order[members.start] as usize],
            Sum::default(),
        );
        for &i in &self.order[members] {
            let contact = &self.contacts[i as usize];
            self.candidates.extend_from_slice(contact.manifold.points());
            sum.add(contact.overlap.as_ref());
            if contact.touch.gap < deepest.touch.gap {
                deepest = *contact;
            }
        }

        let is_here = |&&([i, _], _): &&([u32; 2], ContactPoint<D>)| root(&self.parent, i) == place;
        let start = self
            .points
            .partition_point(|&([i, _], _)| root(&self.parent, i) < place);
        let more = self.points[start..]
            .iter()
            .take_while(is_here)
            .map(|(_, point)| *point);
        if start < self.points.len()
            && self.points[start..]
                .iter()
                .take(1)
                .all(|point| is_here(&point))
        {
            // The parts' own points lie among these.
            self.candidates.clear();
        }
        self.candidates.extend(more);

        PairContact {
            touch: deepest.touch,
            manifold: Manifold::reduced(&self.candidates, deepest.touch),
            overlap: sum.total(),
        }
    }
}

/// Returns the representative of a contact's place: its lowest member.
fn root(parent: &[u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        i = parent[i as usize];
    }
    i
}

/// Sum of intersections.
struct Sum<const D: usize> {
    count: u32,
    measure: f64,
    moment: Vector<D>,
    first: Point<D>,
    section: Vector<D>,
}

impl<const D: usize> Default for Sum<D> {
    fn default() -> Self {
        Self {
            count: 0,
            measure: 0.0,
            moment: Vector::zeros(),
            first: Point::origin(),
            section: Vector::zeros(),
        }
    }
}

impl<const D: usize> Sum<D> {
    fn add(&mut self, overlap: Option<&Overlap<D>>) {
        let Some(overlap) = overlap else { return };
        if self.count == 0 {
            self.first = overlap.centroid;
        }

        self.count += 1;
        self.measure += overlap.measure;
        self.moment += (overlap.centroid - self.first) * overlap.measure;
        self.section += overlap.section;
    }

    fn total(&self) -> Option<Overlap<D>> {
        let arm = if self.measure > 0.0 {
            self.moment / self.measure
        } else {
            Vector::zeros()
        };
        (self.count > 0).then(|| Overlap {
            measure: self.measure,
            centroid: self.first + arm,
            section: self.section,
        })
    }
}
