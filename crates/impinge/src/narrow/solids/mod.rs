//! Deforming tetrahedral solids: which boundary faces meet which tetrahedra, within one solid and between two.
//!
//! Surface against volume, as \[Erleben2005\] asks it: forces act on the nodes of tetrahedra, so a penetrating face is
//! told in which elements it is. [`SolidContacts`] keeps for one solid what is worth keeping while it deforms. Every
//! method gives the same list: closed sets, exact signs, sorted by face and tetrahedron, each pair once.
//!
//! | method | what it does | self, 96,000 tetrahedra |
//! |---|---|---|
//! | [`SolidMethod::Kept`] | kept hierarchy, neighbours cleared by a certificate | fastest, the default |
//! | [`SolidMethod::Buckets`] | the paper's BucketTree | many times slower |
//! | [`SolidMethod::BruteForce`] | all pairs; the oracle | O(faces · tetrahedra) |
//!
//! A face and a tetrahedron of one mesh that share nodes meet in them always; [`Neighbours`] says what that means.
//!
//! Where the time of a step goes, one thread, a V of 95,832 tetrahedra folded on itself: 320,000 candidates, 48,000 hits,
//! of which two thirds only touch because the sides of the legs are in one plane. Of 25 ms the hierarchy takes 5 and its
//! boxes 1.6; the triangle's plane with its tilted ones, which sifts the candidates first, 4; all signs of the rest, four
//! at once, 5; what lies in one plane 5; the certificates of neighbours 1.5. Two such solids in each other: 267,000
//! candidates, 77,000 hits, 16 ms. One test after the other, with the exact predicates for what is in one plane, took
//! 90 and 47 ms.

mod brute;
mod certificate;
mod depth;
mod find;
#[cfg(test)]
mod tests;

use super::triangle_tetrahedron::Relation;
use crate::broad::{Auto, BodyId, BroadPhase, BroadScene, InvalidScene, Pair};
use crate::shape::Solid;
use crate::space::Aabb;
use crate::tree::{BucketOptions, BucketTree};
use certificate::Stars;
pub use depth::{
    BoundaryPoint, Depths, NodePenetration, Penetration, node_penetrations, penetrations,
};
use find::Kept;

/// A boundary face and a tetrahedron that it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceHit {
    /// Number of the face among [`Solid::boundary_triangles`].
    pub face: u32,
    /// Number of the tetrahedron.
    pub tetrahedron: u32,
    /// Touching or crossing.
    pub relation: Relation,
}

/// Which pairs of one solid are no news.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Neighbours {
    /// A tetrahedron that shares a face with the face's own one: then all others that have a node in common touch.
    Face,
    /// A tetrahedron that shares a node with the face's own one: then crossings next to a common node are lost.
    Node,
    /// None as such: a face and a tetrahedron with nodes in common meet if they have more in common than those.
    #[default]
    Exact,
}

/// How the pairs are found; the lists are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SolidMethod {
    /// What measures fastest: [`SolidMethod::Kept`].
    #[default]
    Auto,
    /// The hierarchy that is kept while the solid deforms.
    Kept,
    /// The BucketTree of \[Erleben2005\].
    Buckets(BucketOptions),
    /// All pairs.
    BruteForce,
}

/// What [`SolidContacts`] is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidOptions {
    /// How.
    pub method: SolidMethod,
    /// What is no news.
    pub neighbours: Neighbours,
}

/// What was done since the contacts were made, the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolidCounters {
    /// Pairs of a face and a tetrahedron that the primitive test was asked about.
    pub tests: u64,
    /// Boundary nodes around which the solid may be folded, so that neighbours were tested one by one.
    pub folded_nodes: u64,
    /// Times that a kept hierarchy was made anew.
    pub regroupings: u64,
    /// Entries of tetrahedra in buckets.
    pub entries: u64,
    /// Pairs of nodes of two bucket trees.
    pub node_pairs: u64,
}

/// The contacts of one solid, kept from step to step.
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
    way: Way,
    counters: SolidCounters,
    /// Hits of each piece of the work, kept for their memory.
    parts: Vec<find::Part>,
}

/// What a method keeps.
#[derive(Clone, Debug)]
enum Way {
    Kept(Box<Kept>),
    Buckets {
        tree: Box<BucketTree>,
        is_mapped: bool,
    },
    BruteForce,
}

impl SolidContacts {
    /// Prepares for the solid as it is now; O(n log n).
    pub fn new(solid: &Solid, options: SolidOptions) -> Self {
        let way = match options.method {
            SolidMethod::Auto | SolidMethod::Kept => {
                Way::Kept(Box::new(Kept::new(solid, options.neighbours)))
            }
            SolidMethod::Buckets(buckets) => Way::Buckets {
                tree: Box::new(BucketTree::new(solid, buckets)),
                is_mapped: false,
            },
            SolidMethod::BruteForce => Way::BruteForce,
        };
        Self {
            options,
            way,
            counters: SolidCounters::default(),
            parts: Vec::new(),
        }
    }

    /// Follows the solid after its points moved.
    pub fn update(&mut self, solid: &Solid) {
        match &mut self.way {
            Way::Kept(kept) => {
                self.counters.regroupings += u64::from(kept.refit(solid, self.options.neighbours))
            }
            Way::Buckets { is_mapped, .. } => *is_mapped = false,
            Way::BruteForce => {}
        }
    }

    /// Follows a change of topology: elements removed, split or added.
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
        match &mut self.way {
            Way::Kept(kept) => {
                let work = find::within(kept, solid, neighbours, &mut self.parts, hits);
                self.counters.tests += work.tests;
                self.counters.folded_nodes += work.folded_nodes;
            }
            Way::Buckets { tree, is_mapped } => {
                self.counters.tests += find::while_mapping(tree, solid, neighbours, hits);
                self.counters.entries = tree.counters().entries;
                *is_mapped = true;
            }
            Way::BruteForce => self.counters.tests += brute::within(solid, neighbours, hits),
        }
    }

    /// Replaces `hits` by the faces of each solid that meet tetrahedra of the other: first those of this one's faces,
    /// then those of the other's. Both must be of the same method and up to date.
    pub fn find_between(
        &mut self,
        solid: &Solid,
        other: &mut Self,
        other_solid: &Solid,
        hits: [&mut Vec<FaceHit>; 2],
    ) {
        let [own, theirs] = hits;
        match (&mut self.way, &mut other.way) {
            (Way::Kept(a), Way::Kept(b)) => {
                self.counters.tests +=
                    find::between(&a.tree, solid, &b.tree, other_solid, &mut self.parts, own);
                other.counters.tests += find::between(
                    &b.tree,
                    other_solid,
                    &a.tree,
                    solid,
                    &mut other.parts,
                    theirs,
                );
            }
            (
                Way::Buckets { tree: a, is_mapped },
                Way::Buckets {
                    tree: b,
                    is_mapped: other_is_mapped,
                },
            ) => {
                for (tree, solid, is_mapped) in [
                    (&mut *a, solid, is_mapped),
                    (&mut *b, other_solid, other_is_mapped),
                ] {
                    if !std::mem::replace(is_mapped, true) {
                        tree.remap(solid);
                    }
                }
                self.counters.tests += find::in_tandem(a, solid, b, other_solid, [own, theirs]);
                self.counters.entries = a.counters().entries;
                self.counters.node_pairs = a.counters().node_pairs;
            }
            _ => {
                self.counters.tests += brute::between(solid, other_solid, own);
                other.counters.tests += brute::between(other_solid, solid, theirs);
            }
        }
    }

    /// What was done so far.
    pub fn counters(&self) -> SolidCounters {
        self.counters
    }

    /// Levels of the tree that is used; 1 without one.
    pub fn levels(&self) -> u32 {
        match &self.way {
            Way::Kept(kept) => kept.tree.levels(),
            Way::Buckets { tree, .. } => tree.levels(),
            Way::BruteForce => 1,
        }
    }
}

/// A face of one body in a tetrahedron of another, or of the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyHit {
    /// The body whose face it is.
    pub face_of: BodyId,
    /// The body whose tetrahedron it is.
    pub tetrahedron_of: BodyId,
    /// Face, tetrahedron, relation.
    pub hit: FaceHit,
}

/// The contacts of any number of solids: pairs by a broad phase over their boxes, then each pair, and each in itself.
#[derive(Clone, Debug, Default)]
pub struct ManySolids {
    contacts: Vec<SolidContacts>,
    broad: Auto<3>,
    pairs: Vec<Pair>,
    hits: [Vec<FaceHit>; 2],
}

impl ManySolids {
    /// Prepares for the solids.
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

    /// The contacts of one body, e.g. to tell it of a change of topology.
    pub fn contacts(&mut self, body: BodyId) -> &mut SolidContacts {
        &mut self.contacts[body as usize]
    }

    /// Replaces `hits` by all hits of the solids as they are now, sorted.
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
