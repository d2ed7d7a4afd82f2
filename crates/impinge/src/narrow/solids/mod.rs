//! Contact of deforming tetrahedral solids: boundary faces that meet tetrahedra, within one solid
//! and between two.
//!
//! The test is surface against volume, as in \[Erleben2005\]: forces act on the nodes of
//! tetrahedra, so each penetrating face is reported with the elements it meets. [`SolidContacts`]
//! caches data of one solid while it deforms. Every method returns the same list: closed sets,
//! exact signs, sorted by face and tetrahedron, each pair once.
//!
//! | method | what it does | self, 96,000 tetrahedra |
//! |---|---|---|
//! | [`SolidMethod::Tree`] | refitted hierarchy, neighbours cleared by a certificate | fastest |
//! | [`SolidMethod::Contours`] | between solids: hits followed from where the surfaces meet | as `Tree` |
//! | [`SolidMethod::Buckets`] | the paper's BucketTree, with the same filters and test | not measured with these filters yet |
//! | [`SolidMethod::BruteForce`] | all pairs; the reference | O(faces · tetrahedra) |
//!
//! A face and a tetrahedron of one mesh that share nodes always meet there; [`Neighbours`] selects
//! how to treat such pairs.
//!
//! Cost of a step on one thread, for a V of 95,832 tetrahedra folded on itself: 320,000 candidates
//! and 48,000 hits. Two thirds of the hits only touch, because the sides of the legs are coplanar.
//! Of 25 ms, the hierarchy takes 5 and its boxes 1.6; the triangle's plane with its tilted ones,
//! which rejects candidates first, 4; all signs of the rest, four at once, 5; coplanar cases 5; the
//! certificates of neighbours 1.5. Two such solids inside each other: 267,000 candidates, 77,000
//! hits, 16 ms. Testing one pair at a time, with exact predicates for coplanar cases, took 90 and
//! 47 ms.

mod brute;
mod certificate;
mod contour;
mod depth;
mod find;
#[cfg(test)]
mod tests;
mod tree_search;

use super::triangle_tetrahedron::Relation;
use crate::broad::{Auto, BodyId, BroadPhase, BroadScene, InvalidScene, Pair};
use crate::shape::Solid;
use crate::space::Aabb;
use crate::tree::BucketOptions;
use certificate::Stars;
pub use depth::{
    BoundaryPoint, Depths, NodePenetration, Penetration, node_penetrations, penetrations,
};
use find::Buckets;
use std::cell::RefCell;
use tree_search::TreeSearch;

/// A boundary face and a tetrahedron that it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FaceHit {
    /// Index of the face in [`Solid::boundary_triangles`].
    pub face: u32,
    /// Index of the tetrahedron.
    pub tetrahedron: u32,
    /// Touching or crossing.
    pub relation: Relation,
}

/// Adjacent pairs to ignore within one solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Neighbours {
    /// Tetrahedra that share a face with the face's own tetrahedron. All others with a common node
    /// are then reported as touching.
    Face,
    /// Tetrahedra that share a node with the face's own tetrahedron. Crossings next to a common
    /// node are then missed.
    Node,
    /// None: a face and a tetrahedron with common nodes are reported if they share more than those
    /// nodes.
    #[default]
    Exact,
}

/// Method to find the pairs; the result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum SolidMethod {
    /// The fastest by measurement: [`SolidMethod::Contours`] between two solids with few hits, three
    /// for twenty tetrahedra in the step before, otherwise [`SolidMethod::Tree`].
    #[default]
    Auto,
    /// The hierarchy that is refitted while the solid deforms.
    Tree,
    /// Between solids, contour following: a hierarchy of the boundary faces finds where the surfaces
    /// meet, and the hits are followed from there to their neighbours, as \[Erleben2005\] proposes.
    /// Within a solid, between solids with inverted elements, and where more than two boundary faces
    /// share an edge, the same as `Tree`.
    Contours,
    /// The BucketTree of \[Erleben2005\].
    Buckets(BucketOptions),
    /// All pairs.
    BruteForce,
}

/// Options of [`SolidContacts`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidOptions {
    /// Method to find the pairs.
    pub method: SolidMethod,
    /// Adjacent pairs to ignore.
    pub neighbours: Neighbours,
}

/// Work counters since the contacts were created, identical on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SolidCounters {
    /// Pairs of a face and a tetrahedron given to the primitive test.
    pub tests: u64,
    /// Boundary nodes around which the solid may be folded, so that neighbours were tested one by
    /// one.
    pub folded_nodes: u64,
    /// Number of rebuilds of a cached hierarchy.
    pub regroupings: u64,
    /// Entries of tetrahedra in buckets.
    pub entries: u64,
    /// Pairs of nodes of two bucket trees.
    pub node_pairs: u64,
}

/// Contacts of one solid, with data cached between steps.
///
/// ```
/// use impinge::narrow::solids::{SolidContacts, SolidOptions};
/// use impinge::shape::{Solid, generate::Vee};
/// let vee = Vee::new(600)?;
/// let mut solid = Solid::new(&vee.points(0.5)?, vee.tetrahedra())?;
/// let mut contacts = SolidContacts::new(&solid, SolidOptions::default());
/// let mut hits = Vec::new();
/// contacts.find_self(&solid, &mut hits);
/// assert!(hits.is_empty());
/// solid.set_points(&vee.points(-0.3)?)?; // the legs cross
/// contacts.update(&solid);
/// contacts.find_self(&solid, &mut hits);
/// assert!(hits.len() > 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolidContacts {
    options: SolidOptions,
    search: Search,
    counters: SolidCounters,
    /// Hits of each parallel task, kept to reuse the allocation.
    parts: Vec<find::Part>,
}

/// Cached data of a method.
#[derive(Clone, Debug)]
enum Search {
    Tree(Box<TreeSearch>),
    Buckets(Box<Buckets>),
    BruteForce,
}

impl SolidContacts {
    /// Builds the data for the current shape of the solid; O(n log n).
    pub fn new(solid: &Solid, options: SolidOptions) -> Self {
        let search = match options.method {
            SolidMethod::Tree => Search::Tree(Box::new(TreeSearch::new(solid, options.neighbours))),
            SolidMethod::Auto | SolidMethod::Contours => {
                let is_adaptive = options.method == SolidMethod::Auto;
                let search = TreeSearch::with_contours(solid, options.neighbours, is_adaptive);
                Search::Tree(Box::new(search))
            }
            SolidMethod::Buckets(buckets) => {
                Search::Buckets(Box::new(Buckets::new(solid, buckets, options.neighbours)))
            }
            SolidMethod::BruteForce => Search::BruteForce,
        };
        Self {
            options,
            search,
            counters: SolidCounters::default(),
            parts: Vec::new(),
        }
    }

    /// Updates after the points of the solid moved.
    pub fn update(&mut self, solid: &Solid) {
        match &mut self.search {
            Search::Tree(kept) => {
                self.counters.regroupings += u64::from(kept.update(solid, self.options.neighbours))
            }
            Search::Buckets(buckets) => buckets.is_mapped = false,
            Search::BruteForce => {}
        }
    }

    /// Updates after a change of topology: elements removed, split or added.
    pub fn update_topology(&mut self, solid: &Solid) {
        let counters = self.counters;
        *self = Self {
            counters,
            ..Self::new(solid, self.options)
        };
    }

    /// Replaces `hits` by the faces of the solid that meet its own tetrahedra.
    pub fn find_self(&mut self, solid: &Solid, hits: &mut Vec<FaceHit>) {
        let neighbours = self.options.neighbours;
        match &mut self.search {
            Search::Tree(kept) => {
                self.counters.regroupings += u64::from(kept.refresh(solid, neighbours));
                let work = find::within(kept, solid, neighbours, &mut self.parts, hits);
                self.counters.tests += work.tests;
                self.counters.folded_nodes += work.folded_nodes;
            }
            Search::Buckets(buckets) => {
                let work = find::while_mapping(buckets, solid, neighbours, hits);
                self.counters.tests += work.tests;
                self.counters.folded_nodes += work.folded_nodes;
                self.counters.entries = buckets.tree.counters().entries;
            }
            Search::BruteForce => self.counters.tests += brute::within(solid, neighbours, hits),
        }
    }

    /// Replaces `hits` by the faces of each solid that meet tetrahedra of the other: first this
    /// solid's faces, then the other's. Both must use the same method and be up to date.
    pub fn find_between(
        &mut self,
        solid: &Solid,
        other: &mut Self,
        other_solid: &Solid,
        hits: [&mut Vec<FaceHit>; 2],
    ) {
        let [own, theirs] = hits;
        match (&mut self.search, &mut other.search) {
            (Search::Tree(a), Search::Tree(b)) => {
                let tests = if tree_search::can_follow([(a, solid), (b, other_solid)]) {
                    tree_search::follow(a, solid, b, other_solid, [&mut *own, &mut *theirs])
                } else {
                    let [of_a, of_b] = [self.options, other.options].map(|o| o.neighbours);
                    self.counters.regroupings += u64::from(a.refresh(solid, of_a));
                    other.counters.regroupings += u64::from(b.refresh(other_solid, of_b));
                    let (one, two) = (&a.tree, &b.tree);
                    [
                        find::between(one, solid, two, other_solid, &mut self.parts, own),
                        find::between(two, other_solid, one, solid, &mut other.parts, theirs),
                    ]
                };

                let hits = own.len() + theirs.len();
                let tetrahedra = solid.tetrahedra().len() + other_solid.tetrahedra().len();
                a.note(hits, tetrahedra);
                b.note(hits, tetrahedra);
                self.counters.tests += tests[0];
                other.counters.tests += tests[1];
            }
            (Search::Buckets(a), Search::Buckets(b)) => {
                self.counters.tests += find::in_tandem(a, solid, b, other_solid, [own, theirs]);
                self.counters.entries = a.tree.counters().entries;
                self.counters.node_pairs = a.tree.counters().node_pairs;
            }
            _ => {
                self.counters.tests += brute::between(solid, other_solid, own);
                other.counters.tests += brute::between(other_solid, solid, theirs);
            }
        }
    }

    /// Returns the work counters.
    pub fn counters(&self) -> SolidCounters {
        self.counters
    }

    /// Returns the number of levels of the tree; 1 without one.
    pub fn levels(&self) -> u32 {
        match &self.search {
            Search::Tree(kept) => kept.tree.levels(),
            Search::Buckets(buckets) => buckets.tree.levels(),
            Search::BruteForce => 1,
        }
    }
}

/// A face of one body in a tetrahedron of another, or of the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BodyHit {
    /// The body of the face.
    pub face_of: BodyId,
    /// The body of the tetrahedron.
    pub tetrahedron_of: BodyId,
    /// Face, tetrahedron, relation.
    pub hit: FaceHit,
}

/// Contacts of any number of solids: pairs from a broad phase over their bounding boxes, then each
/// pair, and self-contact.
#[derive(Clone, Debug, Default)]
pub struct ManySolids {
    contacts: Vec<SolidContacts>,
    broad: Auto<3>,
    pairs: Vec<Pair>,
    hits: [Vec<FaceHit>; 2],
}

impl ManySolids {
    /// Builds the data for the solids.
    pub fn new(solids: &[Solid], options: SolidOptions) -> Self {
        let contacts = solids
            .iter()
            .map(|solid| SolidContacts::new(solid, options))
            .collect();
        Self {
            contacts,
            ..Self::default()
        }
    }

    /// Returns the contacts of one body, e.g. to update its topology.
    pub fn contacts(&mut self, body: BodyId) -> &mut SolidContacts {
        &mut self.contacts[body as usize]
    }

    /// Replaces `hits` by all hits of the solids in their current shape, sorted.
    pub fn find(&mut self, solids: &[Solid], hits: &mut Vec<BodyHit>) -> Result<(), InvalidScene> {
        assert_eq!(
            solids.len(),
            self.contacts.len(),
            "as many solids as at the start"
        );
        let boxes: Vec<Aabb<3>> = solids.iter().map(Solid::bounds).collect();
        self.broad
            .find_pairs(&BroadScene::of(&boxes), &mut self.pairs)?;
        hits.clear();

        for (body, (contacts, solid)) in (0..).zip(self.contacts.iter_mut().zip(solids)) {
            contacts.update(solid);
            contacts.find_self(solid, &mut self.hits[0]);
            let of_body = |&hit: &FaceHit| BodyHit {
                face_of: body,
                tetrahedron_of: body,
                hit,
            };
            hits.extend(self.hits[0].iter().map(of_body));
        }

        for &Pair { a, b } in &self.pairs {
            let (lower, upper) = self.contacts.split_at_mut(b as usize);
            let [of_a, of_b] = &mut self.hits;
            lower[a as usize].find_between(
                &solids[a as usize],
                &mut upper[0],
                &solids[b as usize],
                [of_a, of_b],
            );

            hits.extend(of_a.iter().map(|&hit| BodyHit {
                face_of: a,
                tetrahedron_of: b,
                hit,
            }));

            hits.extend(of_b.iter().map(|&hit| BodyHit {
                face_of: b,
                tetrahedron_of: a,
                hit,
            }));
        }

        hits.sort_unstable();
        Ok(())
    }
}

/// Sorts hits by face and tetrahedron.
fn sort(hits: &mut [FaceHit]) {
    hits.sort_unstable_by_key(|hit| u64::from(hit.face) << 32 | u64::from(hit.tetrahedron));
}

/// Gathers hits, sorted by counting over the faces, each with a few hits.
pub(super) fn gather<'a, I: Iterator<Item = &'a FaceHit>>(
    all: impl Fn() -> I,
    hits: &mut Vec<FaceHit>,
) {
    let Some(last) = all().map(|hit| hit.face).max() else {
        return hits.clear();
    };
    let mut ends = ENDS.take();
    ends.clear();
    ends.resize(last as usize + 2, 0);
    all().for_each(|hit| ends[hit.face as usize + 1] += 1);
    (0..=last as usize).for_each(|face| ends[face + 1] += ends[face]);
    let count = ends[last as usize + 1] as usize;
    hits.clear();

    hits.resize(
        count,
        FaceHit {
            face: 0,
            tetrahedron: 0,
            relation: Relation::Apart,
        },
    );

    for hit in all() {
        let place = &mut ends[hit.face as usize];
        hits[*place as usize] = *hit;
        *place += 1;
    }
    ENDS.set(ends);

    hits.chunk_by_mut(|a, b| a.face == b.face)
        .for_each(|of_face| of_face.sort_unstable_by_key(|hit| hit.tetrahedron));
}

thread_local! {
    /// The ends of the lists of the faces, reused from call to call.
    static ENDS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}
