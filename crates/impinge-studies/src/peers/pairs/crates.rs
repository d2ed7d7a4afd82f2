//! Peers that are Rust crates, each behind a feature of its name.

use super::peer::{Found, Mover};
use anyhow::Result;
use impinge::bound::Ball;
use impinge::space::Aabb;

/// Returns the error for a peer that was not built in.
#[allow(unused_macros)] // Where all are.
macro_rules! absent {
    ($feature:literal) => {
        anyhow::bail!(concat!("built in with --features ", $feature, " only"))
    };
}

#[cfg(feature = "parry")]
mod parry {
    use super::super::peer::{fastest, push_if_overlapping};
    use super::*;
    use impinge::broad::{Pair, Proxy};
    use parry3d_f64::bounding_volume::Aabb as ParryBox;
    use parry3d_f64::math::Vector;
    use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

    fn parry_box(bounds: &Aabb<3>) -> ParryBox {
        let vector = |p: &impinge::space::Point<3>| Vector::new(p.x, p.y, p.z);
        ParryBox::new(vector(&bounds.min), vector(&bounds.max))
    }

    fn build(boxes: impl Iterator<Item = Aabb<3>>) -> Bvh {
        Bvh::from_iter(
            BvhBuildStrategy::Binned,
            boxes.map(|bounds| parry_box(&bounds)).enumerate(),
        )
    }

    pub(super) fn scratch(balls: &[Ball<3>]) -> Found {
        fastest(|| {
            let (tree, mut pairs) = (build(balls.iter().map(Proxy::bounds)), Vec::new());
            tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |a, b| {
                push_if_overlapping(&mut pairs, balls, a, b);
            });
            pairs
        })
    }

    /// How the tree is updated to the boxes.
    #[derive(PartialEq, Eq)]
    pub(super) enum Follow {
        Refit,
        Rebuild,
    }

    pub(super) struct Tree {
        pub(super) follow: Follow,
        pub(super) tree: Bvh,
        pub(super) workspace: BvhWorkspace,
        pub(super) pairs: Vec<Pair>,
    }

    impl Mover for Tree {
        fn step(&mut self, boxes: &[Aabb<3>]) {
            if self.follow == Follow::Rebuild || self.tree.is_empty() {
                self.tree = build(boxes.iter().copied());
            } else {
                for (n, bounds) in boxes.iter().enumerate() {
                    self.tree
                        .insert_or_update_partially(parry_box(bounds), n as u32, 0.0);
                }
                self.tree.refit(&mut self.workspace);
            }

            let (workspace, pairs) = (&mut self.workspace, &mut self.pairs);
            pairs.clear();
            self.tree
                .traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
                    pairs.push(Pair::new(a, b))
                });
        }

        fn pairs(&mut self) -> Vec<Pair> {
            self.pairs.clone()
        }
    }
}

#[cfg(feature = "parry")]
pub(super) fn parry_scratch(balls: &[Ball<3>]) -> Result<Found> {
    Ok(parry::scratch(balls))
}

#[cfg(not(feature = "parry"))]
pub(super) fn parry_scratch(_: &[Ball<3>]) -> Result<Found> {
    absent!("parry")
}

#[cfg(feature = "parry")]
fn parry_tree(follow: parry::Follow) -> Result<Box<dyn Mover>> {
    Ok(Box::new(parry::Tree {
        follow,
        tree: Default::default(),
        workspace: Default::default(),
        pairs: Vec::new(),
    }))
}

#[cfg(feature = "parry")]
pub(super) fn parry_refit() -> Result<Box<dyn Mover>> {
    parry_tree(parry::Follow::Refit)
}

#[cfg(feature = "parry")]
pub(super) fn parry_rebuild() -> Result<Box<dyn Mover>> {
    parry_tree(parry::Follow::Rebuild)
}

#[cfg(not(feature = "parry"))]
pub(super) fn parry_refit() -> Result<Box<dyn Mover>> {
    absent!("parry")
}

#[cfg(not(feature = "parry"))]
pub(super) fn parry_rebuild() -> Result<Box<dyn Mover>> {
    absent!("parry")
}

#[cfg(feature = "rapier")]
mod rapier {
    use super::Mover;
    use impinge::broad::Pair;
    use impinge::space::Aabb;
    use rapier3d_f64::prelude::*;
    use std::collections::HashSet;

    /// rapier's broad phase, driven without the rest of its pipeline. It reports begin and end events
    /// of enlarged boxes.
    #[derive(Default)]
    pub(super) struct World {
        parameters: IntegrationParameters,
        bodies: RigidBodySet,
        colliders: ColliderSet,
        handles: Vec<ColliderHandle>,
        phase: BroadPhaseBvh,
        events: Vec<BroadPhasePairEvent>,
        pairs: HashSet<Pair>,
    }

    impl Mover for World {
        fn place(&mut self, boxes: &[Aabb<3>]) {
            for (n, bounds) in boxes.iter().enumerate() {
                let (edges, centre) = (
                    (bounds.max - bounds.min) * 0.5,
                    bounds.min + (bounds.max - bounds.min) * 0.5,
                );
                let place = Vector::new(centre.x, centre.y, centre.z);

                if n == self.handles.len() {
                    let body = self.bodies.insert(RigidBodyBuilder::dynamic());
                    let collider = ColliderBuilder::cuboid(edges.x, edges.y, edges.z);
                    let (bodies, colliders) = (&mut self.bodies, &mut self.colliders);
                    self.handles
                        .push(colliders.insert_with_parent(collider, body, bodies));
                }

                let collider = self
                    .colliders
                    .get_mut(self.handles[n])
                    .expect("it was inserted");
                collider.set_position(Pose::from_translation(place));
            }
        }

        fn step(&mut self, _: &[Aabb<3>]) {
            let Self {
                parameters,
                bodies,
                colliders,
                handles,
                phase,
                events,
                ..
            } = self;
            phase.update(parameters, colliders, bodies, handles, &[], events);
        }

        fn pairs(&mut self) -> Vec<Pair> {
            let numbers: std::collections::HashMap<ColliderHandle, u32> =
                self.handles.iter().copied().zip(0..).collect();
            let pair =
                |pair: &ColliderPair| Pair::new(numbers[&pair.collider1], numbers[&pair.collider2]);

            for event in self.events.drain(..) {
                match &event {
                    BroadPhasePairEvent::AddPair(two) => self.pairs.insert(pair(two)),
                    BroadPhasePairEvent::DeletePair(two) => self.pairs.remove(&pair(two)),
                };
            }

            self.pairs.iter().copied().collect()
        }
    }
}

#[cfg(feature = "rapier")]
pub(super) fn rapier() -> Result<Box<dyn Mover>> {
    Ok(Box::<rapier::World>::default())
}

#[cfg(not(feature = "rapier"))]
pub(super) fn rapier() -> Result<Box<dyn Mover>> {
    absent!("rapier")
}

#[cfg(feature = "kiddo")]
mod with_kiddo {
    use super::super::peer::{fastest, push_if_overlapping};
    use super::*;
    use kiddo::{ImmutableKdTree, SquaredEuclidean};

    /// Returns the squared search radius, slightly enlarged because squares are rounded.
    fn squared_reach(balls: &[Ball<3>]) -> f64 {
        4.0 * balls[0].radius * balls[0].radius * (1.0 + 1e-12)
    }

    fn build(balls: &[Ball<3>]) -> ImmutableKdTree<f64, 3> {
        let points: Vec<[f64; 3]> = balls.iter().map(|ball| ball.centre.coords.into()).collect();
        ImmutableKdTree::new_from_slice(&points).expect("few points share a coordinate")
    }

    pub(super) fn queries(balls: &[Ball<3>]) -> Found {
        let reach = squared_reach(balls);
        fastest(|| {
            let (tree, mut pairs) = (build(balls), Vec::new());
            for (n, ball) in balls.iter().enumerate() {
                let point: [f64; 3] = ball.centre.coords.into();
                let near = tree
                    .query(&point)
                    .within::<SquaredEuclidean<f64>>(reach)
                    .unsorted()
                    .execute();
                for other in near.iter().filter(|other| other.item > n as u32) {
                    push_if_overlapping(&mut pairs, balls, n as u32, other.item);
                }
            }
            pairs
        })
    }

    /// Joins the tree with a copy of itself, because a join with itself is rejected.
    pub(super) fn join(balls: &[Ball<3>]) -> Found {
        let reach = squared_reach(balls);
        fastest(|| {
            let (tree, copy, mut pairs) = (build(balls), build(balls), Vec::new());
            let joined = tree
                .query_tree(&copy)
                .within::<SquaredEuclidean<f64>>(reach)
                .without_distances()
                .execute();
            for two in joined.iter().filter(|two| two.left_item < two.right_item) {
                push_if_overlapping(&mut pairs, balls, two.left_item, two.right_item);
            }
            pairs
        })
    }
}

#[cfg(feature = "kiddo")]
pub(super) fn kiddo_queries(balls: &[Ball<3>]) -> Result<Found> {
    Ok(with_kiddo::queries(balls))
}

#[cfg(feature = "kiddo")]
pub(super) fn kiddo_join(balls: &[Ball<3>]) -> Result<Found> {
    Ok(with_kiddo::join(balls))
}

#[cfg(not(feature = "kiddo"))]
pub(super) fn kiddo_queries(_: &[Ball<3>]) -> Result<Found> {
    absent!("kiddo")
}

#[cfg(not(feature = "kiddo"))]
pub(super) fn kiddo_join(_: &[Ball<3>]) -> Result<Found> {
    absent!("kiddo")
}

#[cfg(feature = "broccoli")]
pub(super) fn broccoli(boxes: &[Aabb<2>]) -> Result<Found> {
    use super::peer::fastest;
    use impinge::broad::Pair;
    Ok(fastest(|| {
        let rectangle = |b: &Aabb<2>| broccoli::rect(b.min.x, b.max.x, b.min.y, b.max.y);
        let mut bodies: Vec<_> = boxes.iter().map(rectangle).zip(0u32..).collect();
        let mut pairs = Vec::new();
        broccoli::Tree::new(&mut bodies).find_colliding_pairs(|a, b| {
            pairs.push(Pair::new(*a.unpack_inner(), *b.unpack_inner()))
        });
        pairs
    }))
}

#[cfg(not(feature = "broccoli"))]
pub(super) fn broccoli(_: &[Aabb<2>]) -> Result<Found> {
    absent!("broccoli")
}
