//! The buffers of a search, and its steps.

use super::super::tandem::Place;
use super::crossing::{Collect, Crossing, Event, Segment, connect, merge};
use super::measure::Sums;
use super::outline::{Link, Nodes, Side, link, order_sides};
use super::patch::Patches;
use super::{Bodies, Part, SelfIntersecting};
use crate::space::Point;

/// Buffers of [`parts`](super::parts), reused from call to call. They never change a result.
#[derive(Clone, Debug, Default)]
pub struct PartsWork {
    open: Vec<(f64, Place, Place)>,
    events: Vec<Event>,
    segments: Vec<Segment>,
    crossings: Vec<Crossing>,
    sides: Vec<Side>,
    nodes: Nodes,
    crossed: Vec<(u8, u32)>,
    links: Vec<Link>,
    pub(super) patches: Patches,
    pub(super) sums: Sums,
    /// For the search below a plane: the patch of each node, by stamp.
    pub(super) stamp: u64,
    pub(super) nodes_below: Vec<(u64, u32)>,
}

impl PartsWork {
    pub(super) fn find(
        &mut self,
        bodies: &Bodies,
        found: &mut Vec<Part>,
    ) -> Result<(), SelfIntersecting> {
        self.collect(bodies);
        self.patches.restart(bodies);
        self.crossings.clear();
        self.crossed.clear();

        if !self.segments.is_empty() {
            self.nodes.restart(bodies);
            merge(bodies, &mut self.events, &mut self.crossings)?;
            order_sides(
                bodies,
                &mut self.crossings,
                &mut self.sides,
                &mut self.nodes,
            )?;
            connect(&self.crossings, &mut self.segments)?;
            link(
                bodies,
                &self.segments,
                &self.sides,
                &mut self.nodes,
                &mut self.crossed,
                &mut self.links,
            )?;
            self.patches
                .trace(bodies, &self.links, &self.crossings, &self.segments)?;
            self.patches.flood(bodies, &self.crossed);
        }

        for own in 0..2 {
            self.patches.add_shells(bodies, own, &self.crossed);
        }
        if let Some(&origin) = self.patches.vertices.first() {
            self.sums.write(&mut self.patches, &origin, found);
        }

        Ok(())
    }

    /// Collects the segments in which the surfaces cross.
    fn collect(&mut self, bodies: &Bodies) {
        self.events.clear();
        self.segments.clear();
        bodies.tandem.roots_into(0.0, &mut self.open);
        let mut collect = Collect {
            events: &mut self.events,
            segments: &mut self.segments,
        };
        bodies.tandem.descend(&mut self.open, &mut collect);
    }

    /// Returns the mean of the points where the surfaces cross.
    pub(super) fn mean_crossing(&self) -> Option<Point<3>> {
        let first = self.crossings.first()?.point;
        let sum = self.crossings.iter().map(|crossing| crossing.point - first);
        let mean = sum.sum::<crate::space::Vector<3>>() / self.crossings.len() as f64;
        Some(first + mean)
    }

    /// Returns the lowest face of each body that crosses the other.
    pub(super) fn lowest_crossed(&self) -> [Option<u32>; 2] {
        [0, 1].map(|own| self.segments.iter().map(|segment| segment.faces[own]).min())
    }
}
