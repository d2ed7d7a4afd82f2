//! Candidates within a surface that has nodes of many triangles.

use super::Triangles;
use crate::narrow::fan::{Fan, HUB};
use crate::space::{Aabb, Point};
use crate::tree::Bvh;
use std::cmp::Reverse;

/// The triangles of a surface: those at each hub, found by directions, and all others, found by boxes.
pub(super) struct Fans<'a> {
    surface: &'a Triangles,
    boxes: Vec<Aabb<3>>,
    /// Hub nodes, and the triangles that each has to itself.
    hubs: Vec<u32>,
    fans: Vec<Fan>,
    /// Boxes of whole fans.
    tree: Bvh<3>,
    others: Vec<u32>,
    other_tree: Bvh<3>,
}

impl<'a> Fans<'a> {
    /// Returns `None` if no node has many triangles.
    pub(super) fn new(surface: &'a Triangles) -> Option<Self> {
        let mut valences = vec![0usize; surface.points.len()];
        for &node in surface.triangles.iter().flatten() {
            valences[node as usize] += 1;
        }
        if valences.iter().all(|&valence| valence <= HUB) {
            return None;
        }

        // A triangle at several hubs belongs to the largest.
        let valence = |node: u32| (valences[node as usize], Reverse(node));
        let hub_of = |triangle: &[u32; 3]| {
            let largest = triangle.iter().copied().max_by_key(|&node| valence(node))?;
            (valences[largest as usize] > HUB).then_some(largest)
        };
        let mut at_hubs: Vec<(u32, u32)> = Vec::new();
        let mut others = Vec::new();
        for (triangle, nodes) in (0..).zip(&surface.triangles) {
            match hub_of(nodes) {
                Some(hub) => at_hubs.push((hub, triangle)),
                None => others.push(triangle),
            }
        }
        at_hubs.sort_unstable();

        let boxes: Vec<Aabb<3>> = (0..surface.triangles.len() as u32)
            .map(|triangle| surface.bounds_of(triangle))
            .collect();
        let (mut hubs, mut fans, mut around) = (Vec::new(), Vec::new(), Vec::new());
        for of_hub in at_hubs.chunk_by(|a, b| a.0 == b.0) {
            let hub = of_hub[0].0;
            let items = of_hub.iter().map(|&(_, item)| item);
            around.push(
                items
                    .clone()
                    .fold(Aabb::EMPTY, |sum, item| sum.merged(&boxes[item as usize])),
            );
            fans.push(Fan::new(
                surface.points[hub as usize],
                items.map(|item| (item, surface.corners_beside(item, hub))),
            ));
            hubs.push(hub);
        }

        let other_boxes: Vec<Aabb<3>> = others.iter().map(|&item| boxes[item as usize]).collect();
        Some(Self {
            surface,
            boxes,
            hubs,
            fans,
            tree: Bvh::new(&around),
            others,
            other_tree: Bvh::new(&other_boxes),
        })
    }

    /// Replaces `near` by the triangles that may meet one, sorted, without those that certainly share only nodes with
    /// it.
    pub(super) fn find(&self, triangle: u32, near: &mut Vec<u32>) {
        near.clear();
        let bounds = &self.boxes[triangle as usize];
        let mut add = |item: u32| {
            if self.boxes[item as usize].overlaps(bounds) {
                near.push(item);
            }
        };

        self.other_tree
            .visit_overlapping(bounds, |place| add(self.others[place as usize]));
        self.tree.visit_overlapping(bounds, |fan| {
            let corners = self
                .surface
                .corners_beside(triangle, self.hubs[fan as usize]);
            self.fans[fan as usize].visit(&corners, &mut add);
        });

        near.sort_unstable();
    }
}

impl Triangles {
    /// The corners of a triangle other than a node.
    fn corners_beside(&self, triangle: u32, node: u32) -> Vec<Point<3>> {
        let nodes = self.triangles[triangle as usize].iter();
        nodes
            .filter(|&&n| n != node)
            .map(|&n| self.points[n as usize])
            .collect()
    }
}
